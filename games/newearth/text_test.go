package newearth

import (
	"fmt"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
)

// reach plays games with gifts until a question comes up at or after a turn.
func reach(t *testing.T, options string, n Decision, turn int8) *State {
	t.Helper()
	for seed := range uint64(20) {
		for w := newWalker(t, options, 101+seed); ; w.state.Apply(w.action(), nil) {
			w.gifts()
			if w.state.decision == n && w.state.turn >= turn {
				return w.state
			}
			if w.state.Actor() == env.Over {
				break
			}
		}
	}
	t.Fatalf("%s never came up", n)
	return nil
}

// What the seat that decides sees, one that waits, and a spectator.
func TestViews(t *testing.T) {
	for _, v := range []struct {
		name, options string
		decision      Decision
		turn          int8
	}{
		{"set-up", "players=2", AtSetupMine, 0},
		{"free-set-up", "players=3,setup=free", AtSetupClaim, 0},
		{"negate", "players=4", AtNegate, 3},
		{"assign", "players=3", AtAssignMining, 3},
		{"produce", "players=3", AtProduce, 4},
		{"offer", "players=2", AtOfferReply, 2},
		{"develop", "players=2", AtDevelop, 6},
		{"set", "players=4", AtCityCard, 2},
		{"elect", "players=4", AtElect, 7},
		{"commit", "players=4", AtCommitAmount, 8},
		{"return", "players=4", AtIndepCard, 2},
		{"move", "players=2", AtMoveTo, 5},
		{"over", "players=4", Over, 12},
	} {
		s := reach(t, v.options, v.decision, v.turn)
		envtest.GoldenFile(t, v.name+".txt", s.AppendText(nil, s.Actor()))
		if err := envtest.Lint(s); err != nil {
			t.Errorf("%s: %v", v.name, err)
		}
		switch v.decision {
		case AtCityCard, AtProduce:
			envtest.GoldenFile(t, v.name+".svg", s.AppendSVG(nil, s.Actor()))
		case AtCommitAmount, Over:
			envtest.GoldenFile(t, v.name+".svg", s.AppendSVG(nil, s.Actor()))
			envtest.GoldenFile(t, v.name+"-spectator.txt", s.AppendText(nil, env.Spectator))
		case AtSetupMine, AtNegate:
			waits := env.Player((int(s.seat) + 1) % s.game.players)
			envtest.GoldenFile(t, v.name+"-waiting.txt", s.AppendText(nil, waits))
			envtest.GoldenFile(t, v.name+"-waiting.svg", s.AppendSVG(nil, waits))
		}
	}
	must.Do(t, envtest.Lint(reach(t, "players=2,turns=1", Over, 1))) // where one turn, zone and point are counted
}

// All legal actions can be read off the text, each once, and each has words for what it does.
func TestChoicesAreComplete(t *testing.T) {
	for seed, options := range []string{"players=2", "players=4", "players=3,setup=free,offers=4"} {
		w := newWalker(t, options, uint64(seed))
		for w.state.Actor() != env.Over {
			w.gifts()
			must.Do(t, envtest.Listed(w.state))
			w.state.Apply(w.action(), nil)
		}
	}
}

// A title from a data file cannot break the picture.
func TestDrawingEscapesTitles(t *testing.T) {
	data := strings.Replace(string(builtIn), `title     = "Law & Order"`, `title     = "<Law> & Order"`, 1)
	g := must.Have(Rulebook().Open("players=2", datafile.File{Name: "own.toml", Bytes: []byte(data)}))(t)
	s := g.New().(*State)
	s.Reset(1, nil)
	s.turn = 1
	s.gain(0, LawOrder)
	if svg := string(s.AppendSVG(nil, 0)); !strings.Contains(svg, "&lt;Law&gt; &amp;") {
		t.Error("the title is not escaped")
	}
}

// The least bids that the text names before an election are those that are asked for in it (NE-063, NE-065): for a
// neutral zone one where nobody joins, and another where somebody does.
func TestLeastBidsAreThoseAskedFor(t *testing.T) {
	seen := map[string]int{}
	walk(t, 2, func(w *walker) {
		s := w.state
		p := env.Player(s.seat)
		if s.decision != AtCommitAmount || int8(p) == s.defender {
			return
		}
		before := *s // the position in which the zone was a target
		before.decision, before.seat, before.active = AtElect, int8(p), int8(p)
		before.legal().Clear()
		before.legal().Set(PickZone(s.target))
		told := strings.Join(before.targetTexts(), "\n")
		least, _ := s.bidRange(p)
		want := fmt.Sprintf("least bid %dm", least)
		kind := "neutral"
		switch {
		case s.defender >= 0:
			kind = "owned"
		case s.contested:
			kind, want = "joined", fmt.Sprintf("(%dm if another joins)", least)
		}
		seen[kind]++
		if !strings.Contains(told, want) {
			t.Errorf("%s: in an election of a zone that is %s %dm are asked for, and before it is said:\n%s",
				s.target, kind, least, told)
		}
	})
	for _, kind := range []string{"neutral", "owned", "joined"} {
		if seen[kind] == 0 {
			t.Errorf("no election of a zone that is %s has been looked at", kind)
		}
	}
}
