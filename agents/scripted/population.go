package scripted

import (
	"fmt"
	"reflect"

	"earthgym/agents/shipped"
	"earthgym/env"
	"earthgym/env/spelling"
)

// Populations are the background populations that play g.
func Populations(g env.Game) []shipped.Population { return shipped.TuningOf(g.Info().Name).Populations }

// OpenPopulation finds the background population of a name that plays g. What it returns makes one instance at each
// call.
func OpenPopulation(g env.Game, name string) (func() *Bot, error) {
	var names []string
	for _, p := range Populations(g) {
		if p.Name == name {
			return openPopulation(&p, scripts(), g)
		}
		names = append(names, p.Name)
	}
	if names == nil {
		return nil, fmt.Errorf("%s has no background populations", g.Info().Name)
	}
	return nil, fmt.Errorf("unknown background population %q of %s: %s", name, g.Info().Name,
		spelling.Suggest(name, names))
}

// OpenPlain finds what every background population of g would be without its character.
func OpenPlain(g env.Game) (func() *Bot, error) {
	return openPopulation(&shipped.Population{}, scripts(), g)
}

func openPopulation(p *shipped.Population, scripts []script, g env.Game) (func() *Bot, error) {
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
		if x, ok := p.Weights[w.name]; ok {
			reflect.ValueOf(weights).Elem().Field(i).SetFloat(min(x, w.high))
			set++
		}
	}
	if set != len(p.Weights) {
		return nil, fmt.Errorf("the population %s has weights %v, of which script:strong of %s knows %d", p.Name, p.Weights,
			g.Info().Name, set)
	}
	return func() *Bot { return &Bot{b.create(g, weights), g.New()} }, nil
}
