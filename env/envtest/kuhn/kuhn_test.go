package kuhn_test

import (
	"math"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
)

// The best play of two players, by the chance to bet with jack, queen, king. (Kuhn 1950, alpha = 0.)
var (
	opens    = [3]float64{0, 0, 0}       // first player, to begin
	calls    = [3]float64{0, 1.0 / 3, 1} // first player, after pass and bet
	answers  = [3]float64{0, 1.0 / 3, 1} // second player, after a bet
	followUp = [3]float64{1.0 / 3, 0, 1} // second player, after a pass
)

func TestKnownValue(t *testing.T) {
	g := kuhn.Open(2)
	total := 0.0
	for seed := range uint64(6) {
		// All six deals, forced.
		first, second := int(seed)/2, int(seed)%2
		names := []string{"jack", "queen", "king"}
		var tape env.Tape
		rest := append(append([]string{}, names[:first]...), names[first+1:]...)
		tape.Force("card 0 = "+names[first], "card 1 = "+rest[second])
		s := g.New()
		s.Reset(seed, &tape)
		must.Do(t, tape.Err())
		total += expectation(s.(*kuhn.State), nil) / 6
	}
	if math.Abs(total-kuhn.Value) > 1e-12 {
		t.Errorf("best play returns %v to the first player, want %v", total, kuhn.Value)
	}
}

func expectation(s *kuhn.State, history []env.Action) float64 {
	if s.Actor() == env.Over {
		var returns [2]float64
		s.Returns(returns[:])
		return returns[0]
	}
	card := s.Card(s.Actor())
	var bet float64
	switch {
	case len(history) == 0:
		bet = opens[card]
	case len(history) == 2:
		bet = calls[card]
	case history[0] == kuhn.Bet:
		bet = answers[card]
	default:
		bet = followUp[card]
	}
	sum := 0.0
	for a, chance := range []float64{1 - bet, bet} {
		next := *s
		next.Apply(env.Action(a), nil)
		sum += chance * expectation(&next, append(history, env.Action(a)))
	}
	return sum
}
