package scripted

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"earthgym/agents/shipped"
	"earthgym/env"
	"earthgym/env/spelling"
)

// Varied names the strong bot with a character that is drawn anew in every game: each weight, as likely as not, lies
// anywhere between what it is and one of its bounds. Who learns among such bots, or plays games on with them, meets
// many tempers in place of one. "varied@7" has the character of that number in all games, so that a whole table may be
// of one mind.
const Varied = "varied"

// openVaried finds the strong bot of g with a character that is drawn anew at each Reset.
func openVaried(scripts []script, g env.Game, name string) (func() *Bot, error) {
	_, number, kept := strings.Cut(name, "@")
	var fixed *uint64
	if kept {
		n, err := strconv.ParseUint(number, 10, 64)
		if err != nil || number != strconv.FormatUint(n, 10) {
			return nil, fmt.Errorf("script:%s: a character is a whole number from 0 on, as in script:%s@7", name, Varied)
		}
		fixed = &n
	}
	s, level, err := find(scripts, g, Strong)
	if err != nil {
		return nil, err
	}
	b := s.bots[level]
	if b.weights == nil {
		return nil, fmt.Errorf("script:%s of %s has no weights that could vary", Strong, g.Info().Name)
	}
	declared, err := weightsOf(b.weights(g))
	if err != nil {
		return nil, err
	}
	return func() *Bot {
		weights := b.weights(g)
		return &Bot{&varied{
			policy: b.create(g, weights), declared: declared, weights: reflect.ValueOf(weights).Elem(),
			drawn: make([]float64, len(declared)), fixed: fixed,
		}, g.New()}
	}, nil
}

// varied is a policy whose weights change from game to game.
type varied struct {
	policy
	declared []weight
	weights  reflect.Value // what the policy reads: a struct of those declared
	drawn    []float64
	fixed    *uint64 // the character's number, where all games have the same
}

// Seed allocates nothing: search gives each of its samples a character of its own.
func (v *varied) Seed(seed uint64) {
	number := seed
	if v.fixed != nil {
		number = *v.fixed
	}
	character(v.drawn, v.declared, number)
	for i, x := range v.drawn {
		v.weights.Field(i).SetFloat(x)
	}
	reset(v.policy, seed)
}

// Scores are those of the strong bot, which works by scores in every game.
func (v *varied) Scores(state env.State, legal env.Mask, dst []float64) {
	v.policy.(scorer).Scores(state, legal, dst)
}

// Remembers is that of the strong bot: a character stays as it is.
func (v *varied) Remembers(state env.State) bool { return remembers(v.policy, state) }

// character draws a value of each weight into dst.
func character(dst []float64, declared []weight, number uint64) {
	luck := env.NewStream(number, "character")
	for i, w := range declared {
		bound := w.low
		if luck.Float64() < 0.5 {
			bound = w.high
		}
		dst[i] = w.value + float64(max(0, float64(2*luck.Float64())-1)*(bound-w.value))
	}
}

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

// A weight is one number that a bot weighs by. A game's bot declares its weights as a struct of float64 fields with
// tags:
//
//	Fear float64 `low:"0" high:"3" help:"worth of life quality once the tower may fall, in points a point"`
type weight struct {
	name      string
	value     float64 // what the bot plays with
	low, high float64 // within which it makes sense
}

// weightsOf reads a declaration.
func weightsOf(pointer any) ([]weight, error) {
	v := reflect.ValueOf(pointer).Elem()
	var list []weight
	for i := range v.NumField() {
		f := v.Type().Field(i)
		low, lowErr := strconv.ParseFloat(f.Tag.Get("low"), 64)
		high, highErr := strconv.ParseFloat(f.Tag.Get("high"), 64)
		if f.Type.Kind() != reflect.Float64 || lowErr != nil || highErr != nil || f.Tag.Get("help") == "" {
			return nil, fmt.Errorf("%s.%s is no weight: it takes a float64 with low, high and help", v.Type(), f.Name)
		}
		x := v.Field(i).Float()
		if !(x >= low && x <= high) {
			return nil, fmt.Errorf("%s.%s is %v, outside of %v to %v", v.Type(), f.Name, x, low, high)
		}
		list = append(list, weight{f.Name, x, low, high})
	}
	return list, nil
}
