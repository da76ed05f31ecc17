package envtest

import (
	"errors"
	"fmt"
	"testing"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/envtest/must"
	"earthgym/env/registry"
)

// checkAllocations tests that play allocates nothing: reset, mask, observation and step, copies and
// redeals, and a Vec of it.
func checkAllocations(s *subject) error {
	mask := make(env.Mask, s.info.MaskWords())
	obs := make([]float32, s.info.Observation())
	dst := make([]float64, s.info.Players)
	st, c := s.game.New(), s.game.New()
	for _, p := range s.plays {
		shaped, _ := st.(env.Potential)
		foresees, _ := st.(env.Outlook)
		each := []struct {
			what string
			step func()
		}{
			{"Reset, Actor and Apply", func() {}},
			{"Legal", func() { st.Legal(mask) }},
			{"Observe", func() {
				for q := range env.Player(s.info.Players) {
					st.Observe(obs, q)
				}
			}},
			{"Returns, Scores, Winners and Reason", func() {
				st.Returns(dst)
				st.Scores(dst)
				st.Winners()
				st.Reason()
			}},
			{"Potential", func() {
				if shaped != nil {
					shaped.Potential(0)
				}
			}},
			{"Outlook", func() {
				if foresees != nil {
					foresees.Outlook(dst)
				}
			}},
			{"CopyFrom, Equal and EqualPosition", func() {
				c.CopyFrom(st)
				c.Equal(st)
				c.EqualPosition(st)
			}},
			{"CopyFrom and Redeal", func() {
				c.CopyFrom(st)
				c.Redeal(env.Player(s.info.Players-1), 1)
			}},
		}
		for _, e := range each {
			game := func() {
				st.Reset(p.seed, nil)
				e.step()
				for _, a := range p.actions {
					st.Actor()
					st.Apply(a, nil)
					e.step()
				}
			}
			// The same game allocates as much each time, but Go's runtime may allocate for itself beside it.
			allocs := testing.AllocsPerRun(1, game)
			for again := 0; allocs > 0 && again < 4; again++ {
				allocs = min(allocs, testing.AllocsPerRun(1, game))
			}
			if allocs > 0 {
				return fmt.Errorf("seed %d: a game of %d decisions allocates %v times in %s", p.seed, len(p.actions), allocs,
					e.what)
			}
		}
	}
	return vecAllocations(s)
}

func vecAllocations(s *subject) error {
	v, err := env.NewVec(s.game, env.VecOptions{Lanes: 3, Workers: 2, Autoreset: env.SameStep})
	if err != nil {
		return err
	}
	defer v.Close()
	actions, row := make([]env.Action, v.Lanes()), make([]float32, s.info.Observation())
	rng := env.NewStream(1, "vec")
	var failed error
	step := func() {
		for lane := range actions {
			v.Observe(lane, row)
			m := v.Mask(lane)
			if m.Count() == 0 {
				failed = errors.New("the mask of a lane is empty")
				return
			}
			actions[lane] = m.Nth(rng.Below(m.Count()))
		}
		if err := v.Step(actions); err != nil {
			failed = err
		}
	}
	allocs := testing.AllocsPerRun(400, step)
	if failed == nil && allocs > 0 {
		return fmt.Errorf("Vec.Step and Observe allocate %v times", allocs)
	}
	return failed
}

// BenchmarkPlay measures a decision of random legal play, with the mask and one observation of the seat that acts,
// resets included, with each of the texts of options.
func BenchmarkPlay(b *testing.B, rb *registry.Rulebook, texts ...string) {
	for _, options := range texts {
		b.Run(options, func(b *testing.B) {
			g := must.Have(rb.Open(options, datafile.File{}))(b)
			s, mask, obs := g.New(), make(env.Mask, g.Info().MaskWords()), make([]float32, g.Info().Observation())
			luck, seed := env.NewStream(1, "play"), uint64(0)
			s.Reset(seed, nil)
			b.ReportAllocs()
			for b.Loop() {
				if s.Actor() == env.Over {
					seed++
					s.Reset(seed, nil)
				}
				s.Legal(mask)
				s.Observe(obs, s.Actor())
				s.Apply(mask.Nth(luck.Below(mask.Count())), nil)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "decisions/s")
		})
	}
}
