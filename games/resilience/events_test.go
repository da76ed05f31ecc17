package resilience

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/envtest/must"
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

// The cards of RULES.md 2.4, part by part in their order (RE-092): the way from the struck field, B or D, and
// the rounds, * for the whole game.
const cardTable = `
heatwave: .:B2 N:B1 SE:B1 SW:B1
drought: .:B3 NE:B3 SE:B3 NE+SE:B3
cyclone: .:D1 NE:D1 NE+NE:B1 SW:B1
riverflood: .:B2 S:B2 S+S:B2 S+SE:B1
flashflood: .:D1 SE:B1
wildfire: .:D2 N:B1 NE:D1
sealevel: .:D* NW:B* NW+NW:B2
stormsurge: .:D2 NW:B2 SW:B2
desertification: .:B* S:B* SW:B2
cropfailure: .:B1 N:B1 NE:B1 SE:B1 S:B1 SW:B1 NW:B1
landslide: .:D2 S:D2
thaw: .:D* N:B2 N+NE:B2
epidemic: .:B2 N:B1 NE:B1 S:B1 NW:B1
watershortage: .:B2 SE:B2 SW:B2 S:B2
tornado: .:D1 NW:D1 NW+N:B1 NW+N+N:B1
erosion: .:B* SE:B3 SE+NE:B1`

func TestCards(t *testing.T) {
	var lines []string
	for _, card := range mustOpen(t, "").data.Events {
		line := card.ID + ":"
		for _, part := range card.Parts {
			way, rounds := strings.Join(part.Path, "+"), fmt.Sprint(part.rounds())
			if way == "" {
				way = "."
			}
			if part.rounds() == wholeGame {
				rounds = "*"
			}
			line += " " + way + ":" + part.Kind + rounds
		}
		lines = append(lines, line)
	}
	for i, want := range strings.Split(strings.TrimSpace(cardTable), "\n") {
		if i >= len(lines) || lines[i] != want {
			t.Fatalf("the cards are\n%s\nwant line %d to be\n%s\n(RE-092)", strings.Join(lines, "\n"), i+1, want)
		}
	}
	if len(lines) != 16 {
		t.Errorf("%d cards, want 16 (RE-013)", len(lines))
	}
}

// RE-095: how many sixths cards are turned for the seat whose turn it is, whoever leads; RE-094: none with
// align=board.
func TestOrientation(t *testing.T) {
	for players, want := range map[int][]int{2: {0, 3}, 3: {0, 2, 4}, 4: {0, 1, 3, 4}} {
		board := start(t, fmt.Sprintf("players=%d", players))
		seat := start(t, fmt.Sprintf("players=%d,align=seat", players))
		for leader := range players {
			for turn := range players {
				for _, s := range []*State{board, seat} {
					s.leader, s.turn, s.round = int8(leader), int8(turn), int16(leader+1)
				}
				if got := board.orientation(); got != 0 {
					t.Errorf("%d players, align=board, leader %d, turn %d: cards are turned by %d", players, leader, turn, got)
				}
				if got, want := seat.orientation(), want[(leader+turn)%players]; got != want {
					t.Errorf("%d players, leader %d, turn %d: cards are turned by %d, want %d", players, leader, turn, got, want)
				}
			}
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
	other := must.Have(Rulebook().Open("players=3", datafile.File{Name: "turned.toml", Bytes: turned}))(t)
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
			must.Do(t, forced.Err())
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
	if e := tape.Events(); len(e) != 2 || e[0].Name != "timer" || e[0].To != env.Nobody || e[1].Name != "first" ||
		e[1].To != env.Everybody {
		t.Errorf("set-up chance %q: want the timer, to nobody, and the first leader (RE-010, RE-016)", texts)
	}
	seen := map[string]bool{}
	reveals := 0
	for seed := range uint64(4) {
		s.Reset(seed, nil)
		for tape.Rewind(); s.Actor() != env.Over; {
			s.Apply(p.weighted(s), &tape)
		}
		for _, e := range tape.Events() {
			seen[e.Name] = true
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
	}
	for _, name := range []string{"stone", "event", "dice"} {
		if !seen[name] {
			t.Errorf("no %s in four games", name)
		}
	}
	if reveals != 4 {
		t.Errorf("%d reveals in four games, want one at the end of each", reveals)
	}
}

// A field that is destroyed is no longer blocked, and one that is blocked stays destroyed, each for the longer time
// (RE-096 to RE-098).
func TestCoversTurn(t *testing.T) {
	for _, tt := range []struct {
		first, then, destroyed bool
		rounds                 [2]uint8
		left                   uint8
	}{
		{false, true, true, [2]uint8{3, 1}, 3},
		{true, false, true, [2]uint8{1, 2}, 2},
		{false, false, false, [2]uint8{1, 2}, 2},
	} {
		s := start(t, "players=2")
		f := field("11")
		s.cover(f, tt.first, tt.rounds[0])
		s.cover(f, tt.then, tt.rounds[1])
		if s.destroyed.Has(f) != tt.destroyed || s.blocked.Has(f) == tt.destroyed || s.left[f] != tt.left {
			t.Errorf("destroyed %v, then %v: destroyed %v, blocked %v, for %d rounds", tt.first, tt.then, s.destroyed.Has(f),
				s.blocked.Has(f), s.left[f])
		}
	}
}

// The length is hidden while more than one is left, and only then (RE-010, RULES.md 8).
func TestWhoKnowsTheLength(t *testing.T) {
	for _, tt := range []struct {
		options string
		minutes int32 // on the clock
		want    env.Seats
	}{
		{"players=2", 0, env.Nobody}, {"players=2", 68, env.Nobody}, {"players=2", 69, env.Everybody},
		{"players=2,timer=fixed", 0, env.Everybody}, {"players=2,timer=fixed", 59, env.Everybody},
	} {
		s := start(t, tt.options)
		if s.clock = 60 * tt.minutes; s.knowLimit() != tt.want {
			t.Errorf("%s, after %d minutes: %v know it, want %v", tt.options, tt.minutes, s.knowLimit(), tt.want)
		}
	}
}
