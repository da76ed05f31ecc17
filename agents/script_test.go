package agents

import (
	"math"
	"testing"

	"earthgym/env"
)

// Actions are drawn as exp(score/temperature), none below the best by more than loss.
func TestSoftness(t *testing.T) {
	never := math.Inf(-1)
	scores := []float64{never, 3, 1, -1, never, 3, -2}
	for _, soft := range []softness{{2, math.Inf(1)}, {2, 2}, {0.5, 4}, {1e-9, 9}, {1e9, 2}} {
		want, sum := make([]float64, len(scores)), 0.0
		for a, score := range scores {
			if score != never && 3-score <= soft.loss {
				want[a] = math.Exp((score - 3) / soft.temperature)
				sum += want[a]
			}
		}
		const draws = 20000
		got := make([]float64, len(scores))
		for i := range draws {
			got[soft.choose(scores, (float64(i)+0.5)/draws)] += 1. / draws
		}
		for a := range scores {
			if math.Abs(got[a]-want[a]/sum) > 1./draws+1e-9 {
				t.Errorf("%+v: action %d has %v of the draws, want %v", soft, a, got[a], want[a]/sum)
			}
		}
	}
	if a := (softness{1, 5}).choose([]float64{never, 7, never}, math.Nextafter(1, 0)); a != env.Action(1) {
		t.Errorf("the only legal action is 1, it draws %d", a)
	}
}
