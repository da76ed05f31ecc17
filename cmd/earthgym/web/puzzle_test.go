package web

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"earthgym/agents/table"
	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// Every puzzle is a position of its game as the rules are now, whose choices are all that can be chosen, and of which
// the search was sure.
func TestPuzzles(t *testing.T) {
	all := must.Have(Puzzles())(t)
	of := map[string]int{}
	for i, p := range all {
		g := must.Have(games.Open(p.Game))(t)
		rec, err := p.Record(g)
		if err != nil {
			t.Fatalf("puzzle %d, %s: %v", i, p.Game, err)
		}
		var legal, choices []env.Action
		seat := env.Over
		err = rec.Replay(g, func(_ int, s env.State) error {
			if seat = s.Actor(); seat != env.Over {
				legal = env.ViewOf(s).Mask().Append(nil)
			}
			return nil
		})
		if err != nil {
			t.Fatalf("puzzle %d, %s: %v", i, p.Game, err)
		}
		for n, c := range p.Choices {
			choices = append(choices, c.Action)
			if n >= p.Right && c.Loss <= 3*c.Error {
				t.Errorf("puzzle %d, %s: action %d loses %v ± %v, which is not sure", i, p.Game, c.Action, c.Loss, c.Error)
			}
		}
		slices.Sort(choices)
		if !slices.Equal(choices, legal) || int(seat) != p.Seat || g.Info().Players != p.Players ||
			g.Info().Rules != p.Rules || p.Right < 1 || p.Right >= len(choices) {
			t.Errorf("puzzle %d, %s, is no longer what it was: dev puzzles finds others", i, p.Game)
		}
		of[g.Info().Name]++
	}
	for _, c := range Covers() {
		if of[c.Game] == 0 {
			t.Errorf("%s has no puzzle", c.Game)
		}
	}
}

// At a puzzle an answer is judged and not played, until the game is to go on.
func TestPuzzlePage(t *testing.T) {
	ctx := browser(t)
	all := must.Have(Puzzles())(t)
	number := 0
	p := all[number]
	g := must.Have(games.Open(p.Game))(t)
	rec := must.Have(p.Record(g))(t)
	tab := must.Have(table.Resume(g, rec, make([]table.Seat, p.Players), table.Options{Names: table.FromOne}))(t)
	s := serveTable(t, g, tab)
	s.server.puzzle = &number
	w := openWindow(t, ctx, s, s.server.o.Keys.Seats[p.Seat], env.Player(p.Seat), 390, 844)
	w.until(`document.getElementById("playon")`)
	step := func() string { return eval[string](w, `document.body.dataset.step`) }
	said := func() string { return eval[string](w, `document.getElementById("came").textContent`) }
	click := func(c PuzzleChoice) {
		t.Helper()
		eval[bool](w, fmt.Sprintf(`(document.querySelector('#choices [data-action="%d"]').click(), true)`, c.Action))
	}
	if !eval[bool](w, `document.querySelector("#question").checkVisibility() && `+
		`document.querySelector("#question").getBoundingClientRect().top >= document.querySelector("#status").getBoundingClientRect().bottom`) {
		t.Error("what is asked is not to be read")
	}
	before := step()
	click(p.Choices[len(p.Choices)-1])
	if text := said(); !strings.HasPrefix(text, "✗") {
		t.Errorf("the worst choice is called %q", text)
	}
	click(p.Choices[0])
	if text := said(); !strings.HasPrefix(text, "✓") {
		t.Errorf("the best choice is called %q", text)
	}
	w.fits("a puzzle")
	w.axe("a puzzle")
	if now := step(); now != before {
		t.Errorf("an answer was played: step %s, then %s", before, now)
	}
	w.do(chromedp.Click("#playon"))
	click(p.Choices[0])
	w.until(`document.body.dataset.step !== "` + before + `"`)
}
