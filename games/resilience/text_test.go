package resilience

import (
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
	"earthgym/env/form"
)

type patch = map[string]any

// crowded is a position with something of everything: buildings of three seats, smog, covers of both
// kinds, a seat on sabbatical, promises, a tower that runs out of its fifth stack.
func crowded(t testing.TB) *State {
	t.Helper()
	s := start(t, "players=3")
	must.Do(t, env.PatchPosition(s, patch{
		"round": 6, "leader": 2, "turn": 1, "clock": 1580,
		"owner":    patch{"11": 0, "12": 0, "21": 0, "31": 0, "32": 1, "33": 1, "35": 1, "64": 2, "62": 2, "44": 0},
		"level":    patch{"11": 2, "12": 1, "21": 1, "31": 3, "32": 1, "33": 3, "35": 2, "64": 1, "62": 2, "44": 1},
		"smog":     patch{"21": true, "32": true, "31": true},
		"mark":     patch{"64": "B", "24": "D", "25": "D", "44": "B"},
		"marktime": patch{"64": 2, "24": 1, "25": 99, "44": 99},
		"credit":   []any{[]int{11, 21}, []int{32, 33}, []int{62}},
		"res":      []int{11, 16, 0}, "lq": []int{9, 3, 0}, "tower": 15,
		"deck":        []string{"heatwave", "drought", "cyclone", "thaw"},
		"sabbaticals": []int{0, 1, 2}, "on_sabbatical": []bool{false, false, true},
		"promise": []string{"calm", "", "rest"}, "kept": []int{2, 0, 1}, "broken": []int{0, 3, 0},
	}))
	return s
}

// What each viewer sees: the seat that decides, one that waits, and a spectator.
func TestViews(t *testing.T) {
	s := crowded(t)
	golden := func(name string, p env.Player) {
		t.Helper()
		envtest.GoldenFile(t, name+".txt", s.AppendText(nil, p))
		envtest.GoldenFile(t, name+".svg", s.AppendSVG(nil, p))
	}
	golden("turn-actor", 0)
	golden("turn-waiting", 1)
	golden("turn-spectator", env.Spectator)

	play := func(texts ...string) {
		t.Helper()
		for _, text := range texts {
			a := must.Have(s.game.info.Parse(text))(t)
			if why := s.Why(a); why != "" {
				t.Fatalf("%s: %s", text, why)
			}
			s.Apply(a, nil)
		}
	}
	play("say grow", "offer +1 hire")
	golden("amount", 0)
	play("amount 4")
	golden("reply", 1)
	play("yes")
	golden("pick", 1)
	play("dismantle 33")
	play("done")
	s.clock = s.limit - 80
	ended := *s
	play("done")
	golden("time", env.Spectator)
	*s = ended
	s.culprit = int8(s.Active())
	s.end(Collapse, nil)
	golden("collapse", 1)
}

// RE-005: the timer stays hidden until the end: two lengths look alike, and the end shows the true one.
func TestViewsHideTheLength(t *testing.T) {
	s, other := crowded(t), crowded(t)
	s.limit, other.limit = 51*60, 67*60
	for _, p := range []env.Player{0, 1, env.Spectator} {
		if string(s.AppendText(nil, p)) != string(other.AppendText(nil, p)) ||
			string(s.AppendSVG(nil, p)) != string(other.AppendSVG(nil, p)) {
			t.Errorf("viewer %d can tell 51 from 67 minutes", p)
		}
	}
	s.end(Time, nil)
	if text := string(s.AppendText(nil, 0)); !strings.Contains(text, "set to 51 minutes") ||
		!strings.Contains(text, "of 51 min") {
		t.Errorf("the end does not show the length:\n%s", text)
	}
}

// Each field is offered in one line, also where no industry stands.
func TestSettlingIsShownOnce(t *testing.T) {
	s := start(t, "players=2")
	s.land[0], s.res[0] = form.Only(field("11")), 9
	text := string(s.AppendText(nil, 0))
	for _, f := range []string{" 12", " 34"} {
		n := 0
		for _, line := range strings.Split(text, "\n") {
			if strings.HasPrefix(line, "  Settle for") && strings.Contains(line+",", f+",") {
				n++
			}
		}
		if n != 1 {
			t.Errorf("settling on%s is offered in %d lines:\n%s", f, n, text)
		}
	}
}

// All legal actions can be read off the text, each once, and each has words for what it does.
func TestChoicesAreComplete(t *testing.T) {
	for seed, options := range []string{"players=2", "players=4", "players=3,smog=rounds,align=seat"} {
		s := start(t, options)
		s.Reset(uint64(seed), nil)
		for p := newPlayer(s.game, uint64(seed)); s.Actor() != env.Over; {
			must.Do(t, envtest.Listed(s))
			s.Apply(p.weighted(s), nil)
		}
	}
}
