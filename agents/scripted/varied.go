package scripted

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"earthgym/env"
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
