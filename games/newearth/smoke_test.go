package newearth

import (
	"testing"

	"earthgym/env"
)

func TestSmoke(t *testing.T) {
	for _, v := range Rulebook().Variants {
		opts := v[len(name)+1:]
		g, err := Rulebook().Open(opts, env.DataFile{})
		if err != nil {
			t.Fatal(err)
		}
		s := g.New().(*State)
		r := g.New().(*State)
		m := make(env.Mask, g.Info().MaskWords())
		total, nodes := 0, map[Node]int{}
		sum := 0.0
		games := 20
		for seed := range games {
			s.Reset(uint64(seed), nil)
			rng := env.NewStream(uint64(seed), "x")
			n := 0
			for s.Actor() != env.Over {
				if err := s.Check(); err != nil {
					t.Fatalf("%s seed %d decision %d: %v\n%s", v, seed, n, err, s.AppendPosition(nil))
				}
				if n%17 == 0 {
					text := s.AppendPosition(nil)
					r.CopyFrom(s)
					if err := r.ReadPosition(text); err != nil {
						t.Fatalf("%v\n%s", err, text)
					}
					if !r.Equal(s) {
						t.Fatalf("not equal %s\n%s", text, r.AppendPosition(nil))
					}
				}
				nodes[s.node]++
				s.Legal(m)
				a := m.Nth(rng.Below(m.Count()))
				s.Apply(a, nil)
				n++
				if n > g.Info().MaxDecisions {
					t.Fatal("bound")
				}
			}
			if err := s.Check(); err != nil {
				t.Fatal(err)
			}
			total += n
			for p := range g.Info().Players {
				sum += float64(s.totals[p])
			}
		}
		t.Log(v, total/games, sum/float64(games*g.Info().Players))
		for n, k := range nodes {
			t.Log(n, k)
		}
	}
}
