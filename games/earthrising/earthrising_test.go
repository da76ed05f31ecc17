package earthrising

import (
	"path/filepath"
	"testing"

	"earthgym/env"
)

// open opens a game of this package.
func openGame(t testing.TB, options string) *Game {
	t.Helper()
	g, err := Rulebook().Open(options, env.DataFile{})
	if err != nil {
		t.Fatal(err)
	}
	return g.(*Game)
}

func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("testdata/scenarios/*.toml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	open := func(game string, data []env.DataFile) (env.Game, error) {
		d := env.DataFile{}
		if len(data) > 0 {
			d = data[0]
		}
		return Rulebook().Open(game[len(name)+1:], d)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			sc, err := env.ReadScenario(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := sc.Run(open); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestRandomGames(t *testing.T) {
	for _, v := range Rulebook().Variants {
		g := openGame(t, v[len(name)+1:])
		e, err := env.New(g, env.Options{})
		if err != nil {
			t.Fatal(err)
		}
		pick := env.NewStream(1, v)
		decisions, turns := 0, 0
		back := g.New()
		for seed := range uint64(6) {
			e.Reset(seed)
			for !e.Terminated() {
				s := e.State().(*State)
				if err := s.Check(); err != nil {
					t.Fatalf("%s seed %d: %v\n%s", v, seed, err, s.AppendPosition(nil))
				}
				b := s.AppendPosition(nil)
				if err := back.ReadPosition(b); err != nil {
					t.Fatalf("%s seed %d: %v\n%s", v, seed, err, b)
				}
				if !back.EqualPosition(s) {
					t.Fatalf("%s seed %d: round trip\n%s\n%s", v, seed, b, back.AppendPosition(nil))
				}
				m := e.Mask()
				if err := e.Step(m.Nth(pick.Below(m.Count()))); err != nil {
					t.Fatal(err)
				}
				decisions++
			}
			turns += int(e.State().(*State).turn)
		}
		t.Logf("%s: %.1f decisions, %.1f turns", v, float64(decisions)/6, float64(turns)/6)
	}
}
