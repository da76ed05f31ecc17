package neural

import (
	"iter"
	"math"
	"math/bits"

	"earthgym/env/alike"
)

// The functions here take the logits of all actions and a mask in which bit a%64 of word a/64 says that action a is
// legal. The mask has no bits behind the last action, and the logits of legal actions are finite.

// legal goes through the legal actions, lowest first.
func legal(mask []uint64) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, w := range mask {
			for ; w != 0; w &= w - 1 {
				if !yield(i*64 + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}

// weights returns the highest legal logit and the sum of exp(logit - top) over the legal actions.
func weights(logits []float32, mask []uint64) (top, sum float64) {
	top = math.Inf(-1)
	for a := range legal(mask) {
		top = max(top, float64(logits[a]))
	}
	for a := range legal(mask) {
		sum += alike.Exp(float64(logits[a]) - top)
	}
	return top, sum
}

// Probabilities sets dst to the soft-max of the logits over the legal actions: exactly 0 for every other action, and
// 0 throughout if none is legal. dst is as long as logits and may be the same slice.
func Probabilities(dst, logits []float32, mask []uint64) {
	top, sum := weights(logits, mask)
	at := 0
	for a := range legal(mask) {
		clear(dst[at:a])
		dst[a] = float32(alike.Exp(float64(logits[a])-top) / sum)
		at = a + 1
	}
	clear(dst[at:len(logits)])
}

// Sample returns a legal action drawn with its probability; u, in [0, 1), is the drawn number. It returns -1 if no
// action is legal.
func Sample(logits []float32, mask []uint64, u float64) int {
	action, _, _ := sample(logits, mask, u)
	return action
}

// SampleLogProb is Sample with the logarithm of the drawn action's probability; of none it is -Inf.
func SampleLogProb(logits []float32, mask []uint64, u float64) (action int, logProb float64) {
	action, top, sum := sample(logits, mask, u)
	if action < 0 {
		return action, math.Inf(-1)
	}
	return action, float64(logits[action]) - top - alike.Log(sum)
}

// LogProb is the logarithm of a legal action's probability.
func LogProb(logits []float32, mask []uint64, action int) float64 {
	top, sum := weights(logits, mask)
	return float64(logits[action]) - top - alike.Log(sum)
}

// sample also returns the weights that it drew by.
func sample(logits []float32, mask []uint64, u float64) (action int, top, sum float64) {
	top, sum = weights(logits, mask)
	action = -1
	left := u * sum
	for a := range legal(mask) {
		p := alike.Exp(float64(logits[a]) - top)
		if action < 0 || p > 0 { // rounding may leave a rest behind the last action: the last possible one gets it
			action = a
		}
		if left -= p; left < 0 {
			break
		}
	}
	return action, top, sum
}

// Argmax returns the legal action with the highest logit, the lowest of equal ones, or -1 if no action is legal.
func Argmax(logits []float32, mask []uint64) int {
	action := -1
	for a := range legal(mask) {
		if action < 0 || logits[a] > logits[action] {
			action = a
		}
	}
	return action
}

// Soften divides the logits of the legal actions by temperature, which makes a draw from them less sure of itself above
// 1 and surer below, and makes those minus infinity that lay more than loss nats below the highest.
func Soften(logits []float32, mask []uint64, temperature, loss float64) {
	top := math.Inf(-1)
	for a := range legal(mask) {
		top = max(top, float64(logits[a]))
	}
	for a := range legal(mask) {
		below := top - float64(logits[a])
		if below > loss {
			below = math.Inf(1)
		}
		logits[a] = float32(-below / temperature)
	}
}
