package earthman_test

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest"
	"earthgym/games/earthman"
)

// shown are the tables of golden views: options, seed, weighted decisions played, viewer.
var shown = []struct {
	name, options string
	decisions     int
	viewer        env.Player
}{
	{"set-up", "players=4,first=0", 0, 0},
	{"middle", "players=4,first=0,claims=0,peace=0", 400, 1},
	{"late", "players=6,first=0,claims=0,peace=0,skynet=on,prelude=on", 1500, env.Spectator},
	{"end", "players=2,first=0", 1 << 30, 0},
}

// table plays a game at random, towards expansion, for a number of decisions or to its end.
func table(t *testing.T, options string, decisions int) *earthman.State {
	t.Helper()
	g, err := earthman.Rulebook().Open(options, env.DataFile{})
	if err != nil {
		t.Fatal(err)
	}
	s := g.New().(*earthman.State)
	s.Reset(3, nil)
	rng := env.NewStream(1, "table")
	m := make(env.Mask, g.Info().MaskWords())
	for n := 0; n < decisions && s.Actor() != env.Over; n++ {
		s.Legal(m)
		best, top := m.Nth(0), -1.0
		for _, a := range m.Append(nil) {
			w, ok := config.Weights[g.Info().Actions[a].Family]
			if !ok {
				w = 1
			}
			if x := w * rng.Float64(); x > top {
				best, top = a, x
			}
		}
		s.Apply(best, nil)
	}
	return s
}

func TestViews(t *testing.T) {
	for _, v := range shown {
		s := table(t, v.options, v.decisions)
		svg := s.AppendSVG(nil, v.viewer)
		envtest.GoldenFile(t, v.name+".txt", s.AppendText(nil, v.viewer))
		envtest.GoldenFile(t, v.name+".svg", svg)
		for dec := xml.NewDecoder(strings.NewReader(string(svg))); ; {
			if _, err := dec.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: the drawing is no XML: %v", v.name, err)
			}
		}
	}
}

func TestHeadline(t *testing.T) {
	text := string(table(t, "players=4,first=2", 0).AppendText(nil, 0))
	for _, want := range []string{
		"round 1 seat 2 move | vp 0 0 0 0 | power 0 0 0 0 | first 2\n",
		"fleets earth 0:3 1:3 2:3 3:3\n",
		"mars 1:#1 2:#1 3:#1 4:- 5:- 6:-\n",
		"earth 1:ua 2:ua 3:ua 4:ua 5:ua 6:ua 7:ua\n",
		"seat 0: E 3, X 0, Thoughts 0, fleets 3 of 60, developments 0; claims 1, peace 1 left\n",
		"next Score: seat 0 +0,",
		"Seat 2 decides: ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
}

// W41b as a person sees it: the dice, who may spend a Thought, and what may be done.
func TestRollIsShown(t *testing.T) {
	s := table(t, "players=2,first=0,thoughts=key", 0)
	err := env.PatchPosition(s, map[string]any{
		"phase": "fleet", "point": "thought", "seat": 1, "fleet": []any{map[string]any{"mars": []any{3, 0}}, map[string]any{"mars": []any{2, 0}}},
		"level": []any{map[string]any{}, map[string]any{"durability": 2}}, "thoughts": []any{0, 1},
		"pending": map[string]any{"step": "fire", "at": "mars", "worlds": []any{"mars"}, "target": 1},
		"lot":     map[string]any{"event": "fire", "roller": 0, "hurt": []any{1}, "need": 7, "bounds": []any{7, 7}, "dice": []any{7, 6, 5}},
	})
	if err != nil {
		t.Fatal(err)
	}
	text := string(s.AppendText(nil, 1))
	for _, want := range []string{
		`Roll "fire", 7+ needed: 7! 6 5; 1 reach it. Thoughts may still come from seats 1. Do you spend a Thought?`,
		"\n  done\n  reroll low\n  reroll high\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
	if svg := string(s.AppendSVG(nil, 1)); strings.Count(svg, `rx="5" fill="#ffffff"`) != 1 {
		t.Error("the drawing does not show one bright die")
	}
}
