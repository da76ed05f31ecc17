package oneearth_test

import (
	"testing"

	"earthgym/env"
	"earthgym/games/oneearth"
)

// randomPlayer plays uniformly random games, one decision at a time, with mask and one observation of
// the acting player for each.
type randomPlayer struct {
	state env.State
	mask  env.Mask
	seen  []float32
	luck  env.Stream
	seed  uint64
}

func newRandomPlayer(g env.Game) *randomPlayer {
	p := &randomPlayer{
		state: g.New(), mask: make(env.Mask, g.Info().MaskWords()),
		seen: make([]float32, g.Info().Observation()), luck: env.NewStream(1, "player"),
	}
	p.state.Reset(0, nil)
	return p
}

func (p *randomPlayer) decide() {
	if p.state.Actor() == env.Over {
		p.seed++
		p.state.Reset(p.seed, nil)
	}
	p.state.Legal(p.mask)
	p.state.Observe(p.seen, p.state.Actor())
	p.state.Apply(p.mask.Nth(p.luck.Below(p.mask.Count())), nil)
}

func TestDecisionsAllocateNothing(t *testing.T) {
	for _, text := range oneearth.Rulebook().Variants {
		p := newRandomPlayer(open(t, text))
		if n := testing.AllocsPerRun(2000, p.decide); n != 0 {
			t.Errorf("%s: %v allocations per decision, want none", text, n)
		}
	}
}

func BenchmarkRandomPlay(b *testing.B) {
	for _, text := range oneearth.Rulebook().Variants {
		b.Run(text, func(b *testing.B) {
			p := newRandomPlayer(open(b, text))
			b.ReportAllocs()
			for b.Loop() {
				p.decide()
			}
		})
	}
}
