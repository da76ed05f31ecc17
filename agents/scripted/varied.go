package scripted

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"earthgym/env"
)

// Varied names the strong bot with a character of its own in every game.
const Varied = "varied"

// OpenVaried finds the strong bot of g with a character that is drawn anew in every game: each weight, as likely as not, lies
// anywhere between what it is and one of its bounds. Who learns among such bots meets many tempers instead of one. "varied@7"
// has the character of that number in all games, so that a whole table may be of one mind. What it returns makes one instance
// at each call.
func OpenVaried(g env.Game, name string) (func() *Bot, error) {
	_, number, kept := strings.Cut(name, "@")
	var fixed *uint64
	if kept {
		n, err := strconv.ParseUint(number, 10, 64)
		if err != nil || number != strconv.FormatUint(n, 10) {
			return nil, fmt.Errorf("script:%s: a character is a whole number from 0 on, as in script:%s@7", name, Varied)
		}
		fixed = &n
	}
	s, level, err := find(scripts(), g, Strong)
	if err != nil {
		return nil, err
	}
	b := s.bots[level]
	if b.weights == nil {
		return nil, fmt.Errorf("script:%s of %s has no weights that could vary", Strong, g.Info().Name)
	}
	weights, err := weightsOf(b.weights(g))
	if err != nil {
		return nil, err
	}
	return func() *Bot {
		return &Bot{&varied{g: g, bot: b, weights: weights, fixed: fixed, policy: b.create(g, b.weights(g))}, g.New()}
	}, nil
}

// varied is a policy that is made again for every game.
type varied struct {
	policy
	g       env.Game
	bot     bot
	weights []Weight
	fixed   *uint64 // the character's number, where all games have the same
}

func (v *varied) Seed(seed uint64) {
	number := seed
	if v.fixed != nil {
		number = *v.fixed
	}
	weights := v.bot.weights(v.g)
	for i, x := range character(v.weights, number) {
		reflect.ValueOf(weights).Elem().Field(i).SetFloat(x)
	}
	v.policy = v.bot.create(v.g, weights)
	reset(v.policy, seed)
}

// character draws a value of each weight.
func character(weights []Weight, number uint64) []float64 {
	luck := env.NewStream(number, "character")
	var values []float64
	for _, w := range weights {
		bound := w.Low
		if luck.Float64() < 0.5 {
			bound = w.High
		}
		values = append(values, w.Value+max(0, 2*luck.Float64()-1)*(bound-w.Value))
	}
	return values
}
