package scripted

import (
	"fmt"
	"math"
	"reflect"

	"earthgym/env"
	"earthgym/env/spelling"
)

// A Population is who others are measured among where motives are mixed: the strong bot of version 1 with weights that give it a
// character. Nobody trains against them (Leibo et al. 2021, "Scalable evaluation of multi-agent reinforcement learning with
// Melting Pot"): they are what an agent has never met.
type Population struct {
	Name string // "steward"
	Help string // what it is like, in one line

	game    string
	weights map[string]float64
}

// populations are those of all games. Weights are named as they are declared; infinite is as high as they go.
func populations() []Population {
	most := math.Inf(1)
	return []Population{
		{"steward", "keeps the tower low and its word", "resilience-earth",
			map[string]float64{"Fear": most, "Doubt": most, "Guilt": most, "Haste": 0, "Honour": most}},
		{"grabber", "takes the safe stones before others do, whatever falls", "resilience-earth",
			map[string]float64{"Fear": 0, "Doubt": 0, "Guilt": 0, "Haste": most, "Honour": 0}},
		{"trader", "makes every deal that costs it nothing", "resilience-earth",
			map[string]float64{"Margin": 0, "Spite": 0, "Honour": most}},
		{"green", "keeps Emissions low and its word", "one-earth",
			map[string]float64{"Step": 1, "Share": most, "Warm": most, "Hot": most, "Honour": most}},
		{"industrial", "emits as if there were no others", "one-earth",
			map[string]float64{"Step": 0, "Share": 0, "Warm": 0, "Hot": 0.5, "Dread": 0, "Honour": 0}},
		{"dove", "makes no war and is content with peace", "earthmans-burden",
			map[string]float64{"War": 0, "Conquest": 0, "Spite": 0, "Attack": 0, "Peace": 0.9}},
		{"hawk", "destroys what others build", "earthmans-burden",
			map[string]float64{"War": most, "Conquest": most, "Spite": most, "Attack": most, "Peace": 0}},
		{"anxious", "spends its turns on strain before it builds", "earth-rising",
			map[string]float64{"Crowding": most, "Danger": most, "Collapse": most}},
		{"hasty", "builds, and lets strain come", "earth-rising",
			map[string]float64{"Crowding": 0, "Danger": 0, "Rising": 0, "Restless": 0}},
	}
}

// Populations are those that play g.
func Populations(g env.Game) []Population {
	var list []Population
	for _, p := range populations() {
		if p.game == g.Info().Name {
			list = append(list, p)
		}
	}
	return list
}

// OpenPopulation finds the background population of a name that plays g. What it returns makes one instance at each call.
func OpenPopulation(g env.Game, name string) (func() *Bot, error) {
	var names []string
	for _, p := range Populations(g) {
		if p.Name == name {
			return p.open(scripts(), g)
		}
		names = append(names, p.Name)
	}
	if names == nil {
		return nil, fmt.Errorf("%s has no background populations", g.Info().Name)
	}
	return nil, fmt.Errorf("unknown background population %q of %s: %s", name, g.Info().Name, spelling.Suggest(name, names))
}

func (p *Population) open(scripts []script, g env.Game) (func() *Bot, error) {
	s, level, err := find(scripts, g, Strong)
	if err != nil {
		return nil, err
	}
	b := s.bots[level]
	if len(s.earlier[level]) > 0 {
		b = s.earlier[level][0]
	}
	weights := b.weights(g)
	declared, err := weightsOf(weights)
	if err != nil {
		return nil, err
	}
	set := 0
	for i, w := range declared {
		if x, ok := p.weights[w.Name]; ok {
			reflect.ValueOf(weights).Elem().Field(i).SetFloat(min(x, w.High))
			set++
		}
	}
	if set != len(p.weights) {
		return nil, fmt.Errorf("the population %s has weights %v, of which script:strong of %s knows %d", p.Name, p.weights, g.Info().Name, set)
	}
	return func() *Bot { return &Bot{b.create(g, weights), g.New()} }, nil
}
