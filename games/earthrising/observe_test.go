package earthrising

import (
	"testing"

	"earthgym/env"
	"earthgym/env/form"
)

// BenchmarkRandomPlay plays random legal games, with the mask and one observation of the acting seat for
// each decision, resets included.
func BenchmarkRandomPlay(b *testing.B) {
	for _, v := range []string{"players=4", "players=6", "variant=quickplay,players=4", "variant=solo", "players=4,hands=closed"} {
		b.Run(v, func(b *testing.B) {
			g := openGame(b, v)
			s := g.New()
			m := make(env.Mask, g.info.MaskWords())
			obs := make([]float32, g.info.Observation())
			pick := env.NewStream(1, "pick")
			seed := uint64(0)
			s.Reset(seed, nil)
			b.ReportAllocs()
			for b.Loop() {
				p := s.Actor()
				if p == env.Over {
					seed++
					s.Reset(seed, nil)
					p = s.Actor()
				}
				s.Legal(m)
				s.Observe(obs, p)
				s.Apply(m.Nth(pick.Below(m.Count())), nil)
			}
		})
	}
}

// TestObserveCards shows that an observation tells the acting seat's cards and not another's closed hand.
func TestObserveCards(t *testing.T) {
	g := openGame(t, "players=3,cast=4,characters=choose,hands=closed")
	s := g.New().(*State)
	s.Reset(3, nil)
	row := make([]float32, g.info.Observation())
	obs := form.Observation[observation](row)
	count := func(cards practiceOnes) int {
		n := 0
		for _, v := range cards {
			if v != 0 {
				n++
			}
		}
		return n
	}
	for p := range env.Player(3) {
		s.Observe(row, p)
		want := 0
		if p == 0 {
			want = 2
		}
		if got := count(obs.Looked); got != want {
			t.Errorf("seat %d sees %d cards of the hand that goes with the first pick, want %d", p, got, want)
		}
	}
	for _, k := range []Character{Activist, Politician, Innovator, Ecologist} {
		s.Apply(Choose(k), nil)
	}
	for p := range env.Player(3) {
		s.Observe(row, p)
		for _, k := range s.cast[:s.castSize] {
			want := 0
			if env.Player(s.seat[k]) == p {
				want = s.hand[k].Count()
			}
			if got := count(obs.Hands[k]); got != want {
				t.Errorf("seat %d sees %d cards of the %s, want %d", p, got, k, want)
			}
		}
	}
}
