package games_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest"
	"earthgym/games"
)

// What a seat may know of a position is the same in all positions that it can't tell from the true one, and a part of the
// truth; in games that hide something, something is left out, and only there.
func TestKnownPositions(t *testing.T) {
	envtest.NothingToRace(t)
	variants := []string{"earth-rising:hands=closed", "new-earth:announce_totals=off"}
	for _, rb := range games.All() {
		variants = append(variants, rb.Name)
	}
	for _, text := range variants {
		t.Run(text, func(t *testing.T) {
			g, err := games.Open(text)
			if err != nil {
				t.Fatal(err)
			}
			luck, other := env.NewStream(5, "known"), g.New()
			s := g.New()
			s.Reset(luck.Uint64(), nil)
			less := 0
			for n := 0; s.Actor() != env.Over && n < 260; n++ {
				if n%40 == 7 {
					for p := range env.Player(g.Info().Players) {
						known, err := env.KnownPosition(s, p)
						if err != nil {
							t.Fatal(err)
						}
						other.CopyFrom(s)
						other.Redeal(p, luck.Uint64())
						again, err := env.KnownPosition(other, p)
						if err != nil || !bytes.Equal(known, again) {
							t.Fatalf("seat %d knows (%v)\n%s\nand in a position that looks the same\n%s", p, err, known, again)
						}
						parts := partOf(t, known, s.AppendPosition(nil))
						if less += parts; parts > 0 && !g.Info().Has(env.HiddenInfo) && other.EqualPosition(s) {
							t.Errorf("seat %d doesn't know %d parts of a position without secrets", p, parts)
						}
					}
				}
				mask := env.ViewOf(s).Mask()
				s.Apply(mask.Nth(luck.Below(mask.Count())), nil)
			}
			if less == 0 && g.Info().Has(env.HiddenInfo) {
				t.Error("nothing was ever left out")
			}
			if _, err := env.KnownPosition(s, env.Spectator); err == nil {
				t.Error("who has no seat knows a position")
			}
		})
	}
}

// partOf demands that one document is a part of another, and counts what it lacks.
func partOf(t *testing.T, part, whole []byte) int {
	t.Helper()
	var a, b any
	if err := json.Unmarshal(part, &a); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(whole, &b); err != nil {
		t.Fatal(err)
	}
	lacks := 0
	var compare func(a, b any, path string)
	compare = func(a, b any, path string) {
		switch b := b.(type) {
		case map[string]any:
			a, ok := a.(map[string]any)
			if !ok {
				t.Errorf("%s is %v, not %v", path, a, b)
				return
			}
			for name := range a {
				if _, ok := b[name]; !ok {
					t.Errorf("%s.%s is not there in truth", path, name)
				}
			}
			for name, value := range b {
				if _, ok := a[name]; ok {
					compare(a[name], value, path+"."+name)
				} else {
					lacks++
				}
			}
		case []any:
			a, ok := a.([]any)
			if !ok || len(a) != len(b) {
				t.Errorf("%s is %v, not %v", path, a, b)
				return
			}
			for i := range b {
				if a[i] == nil && b[i] != nil {
					lacks++
					continue
				}
				compare(a[i], b[i], fmt.Sprintf("%s.%d", path, i))
			}
		default:
			if a != b {
				t.Errorf("%s is %v, and %v in truth", path, a, b)
			}
		}
	}
	compare(a, b, "")
	return lacks
}
