package neural

import (
	"fmt"
	"math"
)

// The least and the greatest factor of an input, and the spread that factors bring an input to in between.
const (
	leastScale    = 1
	greatestScale = 8
	scaledSpread  = 0.5
)

// InputScale returns a factor for each input of a network, and then for each feature of each kind of objects: what
// brings inputs that hardly ever move to a spread like the others', by whole rows of observations of a game.
//
//	factor = min(8, max(1, 0.5/σ))
//
// A one-hot of forty values, each seen now and then, or money in hundredths moves the first layer as little as it moves
// itself, and is learnt from as slowly. (That inputs should be spread alike: LeCun et al., Efficient BackProp, 1998.)
// [Params.ScaleInputs] folds the factors into a new network, so that nobody has to multiply observations; learning at
// rates multiplied by them is then the same as learning from inputs multiplied by them.
func (s Spec) InputScale(obs []float32) []float32 {
	if s.Inputs < 1 || len(obs)%s.Inputs != 0 {
		panic(fmt.Sprintf("neural: %d numbers aren't whole observations of %d", len(obs), s.Inputs))
	}
	var count float64
	sums, squares := make([]float64, s.Inputs), make([]float64, s.Inputs)
	for ; len(obs) > 0; obs = obs[s.Inputs:] {
		count++
		for i, x := range obs[:s.Inputs] {
			sums[i] += float64(x)
			squares[i] += float64(float64(x) * float64(x))
		}
	}
	factor := func(sum, square, n float64) float32 {
		spread := math.Sqrt(max(0, square/n-sum/n*sum/n))
		if n == 0 || spread == 0 {
			return 1
		}
		return float32(min(greatestScale, max(leastScale, scaledSpread/spread)))
	}
	scale := make([]float32, 0, s.scaled())
	for i := range s.Inputs {
		scale = append(scale, factor(sums[i], squares[i], count))
	}
	for _, o := range s.Objects { // a feature has one factor for all objects
		for f := range o.features() {
			var sum, square float64
			for _, places := range o.Features {
				sum += sums[places[f]]
				square += squares[places[f]]
			}
			scale = append(scale, factor(sum, square, count*float64(len(o.Features))))
		}
	}
	return scale
}

// scaled is the number of inputs and features of objects.
func (s Spec) scaled() int {
	n := s.Inputs
	for _, o := range s.Objects {
		n += o.features()
	}
	return n
}

// ScaleInputs multiplies what comes of each input, and of each feature of objects, by its factor of
// [Spec.InputScale].
func (p *Params) ScaleInputs(scale []float32) {
	for _, s := range p.Stretches(scale) {
		for i := s.From; i < s.To; i++ {
			p.flat[i] *= s.Factor
		}
	}
}

// Stretch is a part of the flat vector of parameters, [From, To), whose inputs have one factor.
type Stretch struct {
	From, To int
	Factor   float32
}

// Stretches are the parts of the vector with factors other than 1, in order: weights of the layers that see inputs
// or features. It panics if scale isn't of the network's shape.
func (p *Params) Stretches(scale []float32) []Stretch {
	if len(scale) != p.spec.scaled() {
		panic(fmt.Sprintf("neural: %d factors for a network of %d inputs and features", len(scale), p.spec.scaled()))
	}
	var list []Stretch
	at, next := 0, 0
	for i, l := range p.layers {
		if i == 0 || i > len(p.spec.Hidden) {
			for r := range l.In {
				from := at + r*l.Out
				factor := scale[next]
				next++
				if n := len(list); n > 0 && list[n-1].To == from && list[n-1].Factor == factor {
					list[n-1].To += l.Out
				} else if factor != 1 {
					list = append(list, Stretch{from, from + l.Out, factor})
				}
			}
		}
		at += (l.In + 1) * l.Out
	}
	return list
}
