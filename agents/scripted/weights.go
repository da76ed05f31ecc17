package scripted

import (
	"fmt"
	"reflect"
	"strconv"

	"earthgym/env"
)

// A Weight is one number that a bot weighs by. A game's bot declares its weights as a struct of float64 fields with
// tags:
//
//	Fear float64 `low:"0" high:"3" help:"worth of life quality once the tower may fall, in points a point"`
type Weight struct {
	Name      string  `json:"name"`
	Value     float64 `json:"value"` // what the bot plays with
	Low, High float64 `json:"-"`     // within which it makes sense
	Help      string  `json:"help"`
}

// Weights are those of the bot of a level that plays g, in the order of their declaration; none if it has none.
func Weights(g env.Game, level string) ([]Weight, error) {
	s, k, err := find(scripts(), g, level)
	if err != nil || s.bots[k].weights == nil {
		return nil, err
	}
	return weightsOf(s.bots[k].weights(g))
}

// OpenWeighted is Open with other values of the weights.
func OpenWeighted(g env.Game, level string, values []float64) (func() *Bot, error) {
	s, k, err := find(scripts(), g, level)
	if err != nil {
		return nil, err
	}
	b := s.bots[k]
	if b.weights == nil {
		return nil, fmt.Errorf("script:%s of %s has no weights", level, g.Info().Name)
	}
	weights := b.weights(g)
	declared, err := weightsOf(weights)
	if err != nil {
		return nil, err
	}
	if len(values) != len(declared) {
		return nil, fmt.Errorf("script:%s of %s has %d weights, not %d", level, g.Info().Name, len(declared), len(values))
	}
	for i, w := range declared {
		if !(values[i] >= w.Low && values[i] <= w.High) {
			return nil, fmt.Errorf("weight %s of script:%s is %v; it is in %v to %v", w.Name, level, values[i], w.Low, w.High)
		}
		reflect.ValueOf(weights).Elem().Field(i).SetFloat(values[i])
	}
	return func() *Bot { return &Bot{b.create(g, weights), g.New()} }, nil
}

// weightsOf reads a declaration.
func weightsOf(pointer any) ([]Weight, error) {
	v := reflect.ValueOf(pointer).Elem()
	var list []Weight
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
		list = append(list, Weight{f.Name, x, low, high, f.Tag.Get("help")})
	}
	return list, nil
}
