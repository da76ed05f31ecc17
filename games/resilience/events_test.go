package resilience

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"earthgym/env"
)

// RE-013, RE-090: every card comes once before any comes again, each as likely as the next.
func TestDeck(t *testing.T) {
	s := start(t, "players=2")
	first := map[int]int{}
	for seed := range uint64(1600) {
		s.Reset(seed, nil)
		seen := map[uint32]bool{}
		for range 16 {
			before := s.deck
			s.climateEvent(nil)
			seen[before&^s.deck] = true
			if len(seen) == 1 {
				first[nthCard(before&^s.deck, 0)]++
			}
		}
		if len(seen) != 16 || s.deck != 0 {
			t.Fatalf("seed %d: %d different cards of 16, deck %b", seed, len(seen), s.deck)
		}
		if s.climateEvent(nil); s.DeckLeft() != 15 {
			t.Fatalf("seed %d: %d cards after the first of the second shuffle, want 15", seed, s.DeckLeft())
		}
	}
	for card := range 16 {
		if n := first[card]; n < 60 || n > 140 {
			t.Errorf("card %d comes first %d times in 1600, want about 100", card, n)
		}
	}
}

// RE-093, and "on average an event covers 2.9 fields".
func TestFieldsOfCards(t *testing.T) {
	g := mustOpen(t, "")
	parts, laid := 0, 0
	for _, e := range g.events {
		for _, part := range e.parts {
			parts++
			for orientation := range part.target {
				for f, target := range part.target[orientation] {
					if target >= 0 {
						laid++
					}
					if len(e.parts) == 0 || target > NumFields {
						t.Errorf("field %d: target %d", f, target)
					}
				}
			}
		}
	}
	if parts != 58 {
		t.Errorf("%d parts, want 58", parts)
	}
	if mean := float64(laid) / (16 * 6 * NumFields); mean < 2.85 || mean > 2.95 {
		t.Errorf("%.2f fields an event, want 2.9", mean)
	}
}

// The board is symmetric: turning it and all cards by a sixth changes nothing but names (RULES.md 12,
// invariant 18; RE-092, RE-094).
func TestTurnedBoard(t *testing.T) {
	next := map[string]string{}
	for i, d := range directionNames {
		next[`"`+d+`"`] = `"` + directionNames[(i+1)%6] + `"`
	}
	paths := regexp.MustCompile(`path = \[.*?\]`)
	words := regexp.MustCompile(`"\w+"`)
	turned := paths.ReplaceAllFunc(builtIn, func(path []byte) []byte {
		return words.ReplaceAllFunc(path, func(word []byte) []byte { return []byte(next[string(word)]) })
	})
	g := mustOpen(t, "players=3")
	other, err := Rulebook().Open("players=3", env.DataFile{Name: "turned.toml", Bytes: turned})
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(25) {
		s, r := g.New().(*State), other.New().(*State)
		p := newPlayer(g, seed)
		var tape, forced env.Tape
		s.Reset(seed, &tape)
		r.Reset(seed, nil)
		for s.Actor() != env.Over {
			a := p.weighted(s)
			tape.Rewind()
			s.Apply(a, &tape)
			forced.Rewind()
			for _, text := range tape.Texts() {
				forced.Force(turnDice(text))
			}
			r.Apply(turnAction(a), &forced)
			if err := forced.Err(); err != nil {
				t.Fatal(err)
			}
			if turnBoard(s.position) != r.position {
				t.Fatalf("seed %d: %q does not commute with a turn of the board", seed, g.info.Actions[a].Text)
			}
		}
	}
}

func turnDice(text string) string {
	var sector, number int
	if _, err := fmt.Sscanf(text, "dice = %d %d", &sector, &number); err == nil {
		return fmt.Sprintf("dice = %d %d", sector%6+1, number)
	}
	return text
}

func turnAction(a env.Action) env.Action {
	if a >= Sabbatical {
		return a
	}
	return a - a%NumFields + (a%NumFields+6)%NumFields
}

func turnFields(s Fields) Fields { return (s<<6 | s>>30) & allFields }

func turnBoard(p position) position {
	for q := range p.land {
		p.land[q], p.credit[q] = turnFields(p.land[q]), turnFields(p.credit[q])
	}
	for _, s := range []*Fields{&p.cities, &p.industries, &p.smogged, &p.blocked, &p.destroyed} {
		*s = turnFields(*s)
	}
	left := p.left
	for f := range left {
		p.left[(f+6)%NumFields] = left[f]
	}
	return p
}

// RE-005: all chance but the timer is seen by everybody.
func TestChanceIsOpen(t *testing.T) {
	s := start(t, "first=random")
	p := newPlayer(s.game, 3)
	var tape env.Tape
	s.Reset(5, &tape)
	texts := strings.Join(tape.Texts(), ", ")
	if e := tape.Events(); len(e) != 2 || e[0].Name != "timer" || e[0].To != env.Nobody || e[1].Name != "first" || e[1].To != env.Everybody {
		t.Errorf("set-up chance %q: want the timer, to nobody, and the first leader (RE-010, RE-016)", texts)
	}
	for tape.Rewind(); s.Actor() != env.Over; {
		s.Apply(p.weighted(s), &tape)
	}
	reveals := 0
	for _, e := range tape.Events() {
		if e.To != env.Everybody {
			t.Errorf("%q is not seen by everybody", e)
		}
		if e.Kind == env.Reveal {
			reveals++
			if want := fmt.Sprintf("the timer was set to %d minutes", s.limit/60); e.String() != want {
				t.Errorf("revealed %q, want %q", e, want)
			}
		}
	}
	if reveals != 1 {
		t.Errorf("%d reveals at the end, want 1", reveals)
	}
}
