package eval_test

import (
	"math"
	"strings"
	"testing"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/envtest/kuhn"
	"earthgym/eval"
)

// A mixer plays Kuhn poker of two by a table: how likely it bets with jack, queen, king, at the start or after a pass,
// after pass and bet, and after a bet.
type mixer struct {
	bot
	open, called [2][3]float64 // by seat: nobody has bet, somebody has
}

func (m *mixer) Mix(v *env.View, dst []float64) error {
	s := v.Sample(0).(*kuhn.State)
	p := v.Player()
	bet := m.open[p][s.Card(p)]
	if strings.HasSuffix(v.Seen()[len(v.Seen())-1].Text, "bet") {
		bet = m.called[p][s.Card(p)]
	}
	dst[kuhn.Pass], dst[kuhn.Bet] = 1-bet, bet
	return nil
}

func mixed(m mixer) *agents.Maker {
	return &agents.Maker{Text: "mixed", New: func() (agents.Agent, error) { c := m; return &c, nil }}
}

// Published values of Kuhn poker, in chips: an equilibrium is worth -1/18 to the first player and can't be gained from;
// against uniform play, which is worth 1/8, the best responses get 1/2 and 5/12 (exploitability 11/24: OpenSpiel's
// tests).
func TestBestResponse(t *testing.T) {
	g := kuhn.Open(2)
	for _, test := range []struct {
		name        string
		maker       *agents.Maker
		first, next eval.Response
	}{
		{"uniform", opened(t, g, "random"), eval.Response{Best: 1.0 / 2, Own: 1.0 / 8},
			eval.Response{Best: 5.0 / 12, Own: -1.0 / 8}},
		{"equilibrium", mixed(mixer{
			open:   [2][3]float64{{1.0 / 5, 0, 3.0 / 5}, {1.0 / 3, 0, 1}},
			called: [2][3]float64{{0, 1.0/5 + 1.0/3, 1}, {0, 1.0 / 3, 1}},
		}), eval.Response{Best: -1.0 / 18, Own: -1.0 / 18}, eval.Response{Best: 1.0 / 18, Own: 1.0 / 18}},
		// Who always bets is called with a king, and by a queen as often as not: 1/3 of the deals bring 2 chips, and a jack
		// folds.
		{"always bets", mixed(mixer{
			open: [2][3]float64{{1, 1, 1}, {1, 1, 1}}, called: [2][3]float64{{1, 1, 1}, {1, 1, 1}},
		}), eval.Response{Best: 1.0 / 3, Own: 0}, eval.Response{Best: 1.0 / 3, Own: 0}},
	} {
		got, err := eval.BestResponse(g, test.maker)
		if err != nil {
			t.Fatal(err)
		}
		for seat, want := range []eval.Response{test.first, test.next} {
			// Returns are chips over the most that can be won, 2.
			if math.Abs(2*got[seat].Best-want.Best) > 1e-9 || math.Abs(2*got[seat].Own-want.Own) > 1e-9 {
				t.Errorf("%s, seat %d: best %v and own %v chips, want %v and %v", test.name, seat, 2*got[seat].Best,
					2*got[seat].Own, want.Best, want.Own)
			}
		}
	}
}

// With three players a best response gets at least what the agent gets itself, and exactly what play shows.
func TestBestResponseOfThree(t *testing.T) {
	g := kuhn.Open(3)
	responses, err := eval.BestResponse(g, opened(t, g, "random"))
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for seat, r := range responses {
		if r.Best <= r.Own {
			t.Errorf("seat %d: the best response gets %v, the agent itself %v", seat, r.Best, r.Own)
		}
		sum += r.Own
	}
	if math.Abs(sum) > 1e-9 {
		t.Errorf("returns add up to %v", sum)
	}
	played := match(t, g, eval.Options{Games: 20000, Seed: 1}, opened(t, g, "random"))
	for seat, r := range played.Seats {
		if want := responses[seat].Own; r.ReturnCI[0]-0.01 > want || r.ReturnCI[1]+0.01 < want {
			t.Errorf("seat %d gets %v in play, %v worked out", seat, r.MeanReturn, want)
		}
	}
}

func TestBestResponseRefuses(t *testing.T) {
	if _, err := eval.BestResponse(kuhn.Open(2), honest("honest")); err == nil ||
		!strings.Contains(err.Error(), "honest can't say how likely") {
		t.Errorf("an agent that can't say how it chooses: %v", err)
	}
}
