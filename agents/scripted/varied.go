package scripted

import (
	"fmt"
	"reflect"

	"earthgym/env"
)

// Varied names the strong bot with a character of its own in every game.
const Varied = "varied"

// OpenVaried finds the strong bot of g with a character that is drawn anew in every game: each weight, as likely as not, lies
// anywhere between what it is and one of its bounds. Who learns among such bots meets many tempers instead of one. What it
// returns makes one instance at each call.
func OpenVaried(g env.Game) (func() *Bot, error) { return openVaried(scripts(), g) }

func openVaried(scripts []script, g env.Game) (func() *Bot, error) {
	s, level, err := find(scripts, g, Strong)
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
		return &Bot{&varied{g: g, bot: b, weights: weights, policy: b.create(g, b.weights(g))}, g.New()}
	}, nil
}

// varied is a policy that is made again for every game.
type varied struct {
	policy
	g       env.Game
	bot     bot
	weights []Weight
}

func (v *varied) Reset(seed uint64) {
	weights := v.bot.weights(v.g)
	for i, x := range character(v.weights, seed) {
		reflect.ValueOf(weights).Elem().Field(i).SetFloat(x)
	}
	v.policy = v.bot.create(v.g, weights)
	v.policy.Reset(seed)
}

// character draws a value of each weight.
func character(weights []Weight, seed uint64) []float64 {
	luck := env.NewStream(seed, "character")
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
