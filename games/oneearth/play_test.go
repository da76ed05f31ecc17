package oneearth_test

import (
	"fmt"
	"testing"

	"earthgym/env"
	"earthgym/games/oneearth"
)

func open(t testing.TB, text string) env.Game {
	t.Helper()
	name := "one-earth:"
	g, err := oneearth.Rulebook().Open(text[len(name):], env.DataFile{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestRandomPlay(t *testing.T) {
	for _, v := range oneearth.Rulebook().Variants {
		t.Run(v, func(t *testing.T) {
			g := open(t, v)
			e, err := env.New(g, env.Options{})
			if err != nil {
				t.Fatal(err)
			}
			reasons := map[string]int{}
			decisions, rounds := 0, 0
			const games = 40
			for seed := range uint64(games) {
				luck := env.NewStream(seed, "player")
				e.Reset(seed)
				for !e.Terminated() {
					s := e.State()
					if err := s.(env.Checker).Check(); err != nil {
						t.Fatal(seed, e.Decisions(), err, string(s.AppendPosition(nil)))
					}
					if e.Decisions()%7 == 0 {
						c := g.New()
						if err := c.ReadPosition(s.AppendPosition(nil)); err != nil {
							t.Fatal(seed, err, string(s.AppendPosition(nil)))
						}
						if !c.EqualPosition(s) {
							t.Fatalf("round trip\n%s\n%s", s.AppendPosition(nil), c.AppendPosition(nil))
						}
					}
					if err := e.Step(e.Mask().Nth(luck.Below(e.Mask().Count()))); err != nil {
						t.Fatal(err)
					}
				}
				if err := e.State().(env.Checker).Check(); err != nil {
					t.Fatal(err)
				}
				c := g.New()
				if err := c.ReadPosition(e.State().AppendPosition(nil)); err != nil || !c.EqualPosition(e.State()) {
					t.Fatal(seed, err, string(e.State().AppendPosition(nil)))
				}
				reasons[e.State().Reason()]++
				decisions += e.Decisions()
				rounds += int(e.State().(*oneearth.State).Round)
			}
			fmt.Println(v, "bound", g.Info().MaxDecisions, reasons, float64(decisions)/games, float64(rounds)/games)
		})
	}
}
