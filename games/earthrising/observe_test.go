package earthrising

import (
	"testing"

	"earthgym/env"
)

func TestLayout(t *testing.T) {
	info := openGame(t, "").Info()
	want := []int{
		obsCircles, obsPractices, obsSectors, obsCharacters, obsHands, obsDiscard, obsUnseen, obsDeckTop,
		obsDeckBottom, obsKinds, obsLooked, obsOrder, obsOrderCards, obsPending, obsTouched, obsPhase,
		obsWindow, obsDrawing, obsAfter, obsTable, obsStruck, obsSignals, obsOptions,
	}
	if len(info.Features) != len(want) || info.Observation() != obsSize {
		t.Fatalf("%d features of %d numbers, want %d of %d", len(info.Features), info.Observation(), len(want), obsSize)
	}
	for i, f := range info.Features {
		if f.Offset != want[i] {
			t.Errorf("feature %s begins at %d, the encoder writes it at %d", f.Name, f.Offset, want[i])
		}
	}
}

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
