package earthrising

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/envtest/must"
)

// at gives a State of a game, patched.
func at(t testing.TB, options string, patch map[string]any) *State {
	t.Helper()
	s := openGame(t, options).New().(*State)
	s.Reset(1, nil)
	if patch != nil {
		must.Do(t, env.PatchPosition(s, patch))
	}
	return s
}

func parse(t testing.TB, s *State, text string) env.Action {
	t.Helper()
	a := must.Have(s.game.info.Parse(text))(t)
	if why := s.Why(a); why != "" {
		t.Fatalf("%s: %s", text, why)
	}
	return a
}

// board is the table of the worked examples, with hands, deck and discard pile to be patched.
func tabled(patch map[string]any) map[string]any {
	base := map[string]any{
		"phase": "actions", "window": "", "strain": []int{3, 3, 3, 3, 3, 3},
		"circle": map[string]any{
			"agriculture":    []string{"", "U:soil-depletion", "U:monoculture"},
			"infrastructure": []string{"", "U:housing-speculation", "U:concrete-sprawl"},
			"culture":        []string{"", "U:throwaway-culture", "U:fast-fashion"},
			"politics":       []string{"", "U:unfair-representation", "U:gdp-fixation"},
			"energy":         []string{"", "U:energy-inefficiency", "U:centralised-grid"},
			"industry":       []string{"", "U:planned-obsolescence", "U:e-waste-dumping"},
		},
		"deck": []string{"rest"}, "discard": []string{}, "known": map[string]any{}, "kind": []string{},
	}
	maps.Copy(base, patch)
	return base
}

// TestSetUp goes through what lies on the table at the start.
func TestSetUp(t *testing.T) {
	for seed := range uint64(40) {
		s := openGame(t, "players=6").New().(*State)
		s.Reset(seed, nil)
		for x := range Sector(NumSectors) {
			if got := (s.unsustainable & Of(x)).Count(); got != 2 {
				t.Errorf("ER-103: %d unsustainable practices in %s", got, x)
			}
			if s.circle[x][1] == vacant || s.circle[x][2] == vacant || s.filled[x] != 6 {
				t.Errorf("ER-103: the counters of %s are not on circles 1 and 2", x)
			}
			if s.strain[x] != 3 || s.onMinor(x) != 2 || s.housed[x] != 4 {
				t.Errorf("ER-102, ER-104: strain %d, people %d in %s", s.strain[x], s.housed[x], x)
			}
		}
		if s.major|s.minor != 0 || s.sustainable != 0 || s.protest|s.regeneration != 0 || s.startups != 0 {
			t.Error("ER-101, ER-107: something lies on the board that comes later")
		}
		if s.year != 1 || s.turn != 1 || s.game.limit != 20 {
			t.Errorf("ER-108: turn %d, year %d of %d", s.turn, s.year, s.game.limit)
		}
		if (s.discard&allStrikes).Count() != 3 || s.discard.Count() != 3 {
			t.Errorf("ER-105: first discard pile %v", cardIDs(s.discard))
		}
	}
	// The piles, before any card is dealt: places 15, 30 and 45 from the top.
	s := &State{game: openGame(t, "")}
	s.stackDeck(nil)
	if s.deckSize != 45 {
		t.Fatalf("ER-105: %d cards in the deck", s.deckSize)
	}
	for place := 1; place <= 45; place++ {
		if c := s.deck[45-place]; c.IsStrike() != (place%15 == 0) {
			t.Errorf("ER-105: %s at place %d", c, place)
		}
	}
}

// TestHands is ER-106: two cards for each place, two at once from the top, owned by seat place modulo
// players, and no strike among them.
func TestHands(t *testing.T) {
	s := at(t, "players=2,cast=5,characters=choose,hands=closed", nil)
	top := s.game.New().(*State)
	var tape env.Tape
	top.Reset(1, &tape)
	order := ""
	for _, e := range tape.Events() {
		if e.Name == "shuffle deck" {
			order = e.Outcome
		}
		if (e.Name == "shuffle deck" || e.Name == "deal strikes") && e.To != env.Nobody {
			t.Errorf("ER-105: %s is seen by %v", e.Name, e.To)
		}
	}
	words := strings.Fields(order)
	for i := range 5 {
		if s.dealt[i].Count() != 2 || s.dealt[i]&allStrikes != 0 {
			t.Fatalf("ER-106: place %d has %v", i, cardIDs(s.dealt[i]))
		}
		for _, id := range words[2*i : 2*i+2] {
			if !slices.Contains(cardIDs(s.dealt[i]), id) {
				t.Errorf("ER-106: place %d has %v, not %s", i, cardIDs(s.dealt[i]), id)
			}
		}
		if seat := env.Player(i % 2); s.knownTo[seat]&s.dealt[i] != s.dealt[i] || s.knownTo[1-seat]&s.dealt[i] != 0 {
			t.Errorf("ER-106: place %d belongs to seat %d, which alone sees it", i, seat)
		}
	}
	for i := range 5 {
		if s.decision != atChoose || s.Actor() != env.Player(i%2) {
			t.Fatalf("ER-110: pick %d is asked of seat %d", i, s.Actor())
		}
		hand := s.dealt[i]
		s.Apply(choose+env.Action(i), nil)
		if got := s.hand[i] & hand; got != hand || s.seat[i] != int8(i%2) {
			t.Errorf("ER-106, ER-112: the %s has %v, seat %d", Character(i), cardIDs(s.hand[i]), s.seat[i])
		}
	}
}

// TestOptionsOfCast is ER-112, ER-802, ER-804 and ER-811: how many characters there are, and how long
// the game is.
func TestOptionsOfCast(t *testing.T) {
	for _, c := range []struct {
		options     string
		cast, limit int
		err         string
	}{
		{"players=2", 2, 20, ""},
		{"players=6", 6, 20, ""},
		{"players=3,cast=5", 5, 20, ""},
		{"characters=activist+innovator,players=2", 2, 20, ""},
		{"characters=activist+innovator+ecologist,players=2", 3, 20, ""},
		{"variant=quickplay,players=1", 3, 10, ""},
		{"variant=quickplay,players=2", 4, 10, ""},
		{"variant=quickplay,players=5", 5, 10, ""},
		{"variant=quickplay,players=6", 6, 12, ""},
		{"variant=quickplay,players=1,cast=6", 6, 12, ""},
		{"variant=quickplay,players=1,cast=2", 2, 10, ""},
		{"variant=solo", 3, 20, ""},
		{"variant=solo,characters=activist+innovator+ecologist", 3, 20, ""},

		{"players=1", 0, 0, "variant=normal needs 2 to 6 players"},
		{"variant=solo,players=2", 0, 0, "variant=solo has one player"},
		{"variant=solo,cast=4", 0, 0, "has 3 to 3"},
		{"variant=solo,characters=choose", 0, 0, "rolls the die"},
		{"variant=solo,characters=activist+innovator", 0, 0, "characters: 2 characters"},
		{"players=4,cast=3", 0, 0, "has 4 to 6"},
		{"variant=quickplay,players=2,cast=3", 0, 0, "has 4 to 6"},
		{"players=2,characters=random+activist", 0, 0, `"random" stands alone`},
		{"players=2,characters=activist", 0, 0, "characters: 1 characters"},
		{"players=2,characters=activist+activist", 0, 0, "listed twice"},
		{"players=2,characters=activist+random", 0, 0, "stands alone"},
		{"players=2,cast=3,characters=activist+innovator", 0, 0, "cast=3: characters lists 2"},
		{"players=7", 0, 0, "a whole number from 1 to 6"},
		{"variant=quikplay", 0, 0, `did you mean "quickplay"?`},
		{"hands=hidden", 0, 0, "open, closed"},
		{"players=2,characters=investr", 0, 0, `did you mean "investor"?`},
	} {
		g, err := Rulebook().Open(c.options, datafile.File{})
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("ER-112, ER-804, ER-811: %s: error %v, want %q", c.options, err, c.err)
			}
		case err != nil:
			t.Errorf("ER-112, ER-804, ER-811: %s: %v", c.options, err)
		case g.(*Game).cast != c.cast || g.(*Game).Limit() != c.limit:
			t.Errorf("ER-112, ER-802, ER-804, ER-811: %s: %d characters, %d turns, want %d and %d", c.options,
				g.(*Game).cast, g.(*Game).Limit(), c.cast, c.limit)
		}
	}
}

// TestEnds is ER-001, ER-002 and ER-905 with the scores of section 9.
func TestEnds(t *testing.T) {
	six := []string{"agriculture", "infrastructure", "culture", "politics", "energy", "industry"}
	for _, c := range []struct {
		rules, options string
		result         string
		major, minor   int
		year           int
		score, value   float64
	}{
		{"ER-002", "", "win", 6, 6, 17, 103, 1},
		{"ER-002", "", "win", 6, 6, 20, 100, 1},
		{"ER-801", "variant=quickplay", "win", 6, 0, 10, 100, 1},
		{"ER-903", "", "calendar", 0, 0, 20, 0, -0.5},
		{"ER-903", "", "calendar", 6, 5, 20, 55, 0.1875},
		{"ER-903", "variant=quickplay", "calendar", 5, 0, 10, 50, 0.125},
		{"ER-903", "returns=binary", "calendar", 6, 5, 20, 55, -1},
		{"ER-904", "", "collapse", 0, 0, 5, 0, -1},
		{"ER-904", "", "collapse", 6, 5, 5, 18, -0.7708333333},
		{"ER-904", "win=sustained", "collapse", 6, 6, 5, 20, -0.75},
		{"ER-904", "returns=binary", "collapse", 6, 5, 5, 18, -1},
	} {
		collapses := 0
		if c.result == "collapse" {
			collapses = 4
		}
		s := at(t, c.options, map[string]any{
			"phase": "over", "result": c.result, "turn": c.year, "year": c.year, "collapses": collapses,
			"major": six[:c.major], "minor": six[:c.minor], "strain": []int{0, 0, 0, 0, 0, 0},
		})
		returns, scores := make([]float64, s.game.players), make([]float64, s.game.players)
		s.Returns(returns)
		s.Scores(scores)
		for p := range returns {
			if d := returns[p] - c.value; d > 1e-9 || d < -1e-9 || scores[p] != c.score {
				t.Errorf("ER-001, %s: %s with %d + %d segments: seat %d gets %v, score %v; want %v, %v", c.rules, c.result, c.major,
					c.minor, p, returns[p], scores[p], c.value, c.score)
			}
		}
		if s.Reason() != c.result || (s.Winners() != 0) != (c.result == "win") || s.Actor() != env.Over {
			t.Errorf("%s: reason %q, winners %v", c.rules, s.Reason(), s.Winners())
		}
	}
	// ER-905: neither poverty nor an empty deck nor full circles end the game.
	s := at(t, "players=2,characters=politician+innovator", tabled(map[string]any{
		"circle": map[string]any{"agriculture": []string{}, "infrastructure": []string{}, "culture": []string{},
			"politics": []string{}, "energy": []string{}, "industry": []string{}},
		"hand": map[string]any{"politician": []string{}, "innovator": []string{}}, "deck": []string{},
		"discard": []string{"rest"},
	}))
	if s.poverty != 42 || s.Actor() == env.Over {
		t.Errorf("ER-905: with %d people in poverty the actor is %d", s.poverty, s.Actor())
	}
	if s.meepleStrain() != 14 {
		t.Errorf("ER-511: M = %d", s.meepleStrain())
	}
	if s.Apply(endTurn, nil); s.Actor() == env.Over {
		t.Errorf("ER-905: the game is over by %q", s.Reason())
	}
}

// TestPeople is ER-014, ER-015 and ER-017: two people for each counter, one for each open circle without
// a Collapse token, and free places stay empty.
func TestPeople(t *testing.T) {
	for _, c := range []struct {
		circles []string
		major   bool
		housed  int8
	}{
		{[]string{}, false, 0},
		{[]string{"U:coal-power"}, false, 2},
		{[]string{"S:wind-power", "U:oil-power"}, false, 4},
		{[]string{"S:wind-power", "U:oil-power", "S:tidal-power"}, false, 4},
		{[]string{"S:wind-power", "U:oil-power", "S:tidal-power"}, true, 6},
		{[]string{"S:wind-power", "X", "S:tidal-power"}, false, 3},
		{[]string{"X", "X", "S:tidal-power"}, false, 2},
		{[]string{"X", "X", "X", "S:tidal-power"}, true, 2},
	} {
		majors := []string{}
		if c.major {
			majors = []string{"energy"}
		}
		s := at(t, "players=2,characters=politician+innovator", tabled(map[string]any{
			"collapses": 2, "major": majors, "circle": map[string]any{"energy": c.circles},
			"hand": map[string]any{"politician": []string{}, "innovator": []string{}},
		}))
		if s.housed[Energy] != c.housed {
			t.Errorf("ER-014, ER-015: %v house %d, want %d", c.circles, s.housed[Energy], c.housed)
		}
	}
	s := &State{game: openGame(t, ""), position: position{startups: 2, housed: [6]int8{7, 7, 7, 7, 7, 7}}}
	if s.countPoor(); s.poverty != 0 {
		t.Errorf("ER-016, ER-017: %d people are poor where all have a place", s.poverty)
	}
}

// TestOnePracticeOneCounter is ER-007.
func TestOnePracticeOneCounter(t *testing.T) {
	for c := range Card(numPractices) {
		if c.Sector() != Sector(c/7) || !Of(c.Sector()).Has(c) {
			t.Errorf("ER-007: %s lies in %s", c, c.Sector())
		}
	}
	s := at(t, "players=2", nil)
	for _, circles := range [][]string{
		{"U:coal-power", "U:coal-power"}, {"U:coal-power", "S:wind-power"},
	} {
		err := env.PatchPosition(s, map[string]any{"circle": map[string]any{"energy": circles}})
		if err == nil || !strings.Contains(err.Error(), "two circles") {
			t.Errorf("ER-007: %v is read: %v", circles, err)
		}
	}
}

// TestStrainIsEnough is ER-507: all sectors can be full at once.
func TestStrainIsEnough(t *testing.T) {
	s := at(t, "players=2,characters=politician+innovator", tabled(map[string]any{
		"strain": []int{14, 14, 14, 14, 14, 14},
		"hand":   map[string]any{"politician": []string{}, "innovator": []string{}},
	}))
	if s.total() != 84 {
		t.Errorf("ER-507: %d strain", s.total())
	}
}

// TestActionsAreTheSeven is ER-113 and ER-921: beside what is free, there are the seven kinds of the
// rulebook's page and the abilities, and nothing else moves a card from hand to hand.
func TestActionsAreTheSeven(t *testing.T) {
	families := map[string]int{}
	for _, a := range act.ActionTable {
		families[a.Family]++
	}
	want := map[string]int{
		"end turn": 1, "done": 1, "create": 42, "disband": 42, "flip": 42, "clean": 24, "give": 42, "to": 6, "refresh": 1,
		"draw": 1, "token": 42, "start-up": 1, "look": 1, "bottom": 1, "consult": 1, "top": 9, "keep": 1, "move": 30,
		"ask": 1, "major": 6, "minor": 6, "discard": 42, "circle": 7, "choose": 6, "want": 6, "plan": 6,
	}
	if fmt.Sprint(families) != fmt.Sprint(want) || len(act.ActionTable) != 368 {
		t.Errorf("ER-113, ER-921: %d actions, %v", len(act.ActionTable), families)
	}
}

// TestSurplusRegenerationCounts is R-28 with ER-433 and ER-460: a Regeneration token that loses its
// support in the middle of Phase 2 still counts in that phase, and comes off at the next checkpoint.
func TestSurplusRegenerationCounts(t *testing.T) {
	s := at(t, "players=2,characters=investor+ecologist", tabled(map[string]any{
		"circle": map[string]any{
			"agriculture":    []string{"S:soil-care", "U:monoculture", "U:pesticides", "U:forest-clearing"},
			"infrastructure": []string{"", "U:housing-speculation", "U:concrete-sprawl"},
			"energy":         []string{"", "S:wind-power", "U:oil-power"},
			"industry":       []string{"", "S:circular-production", "U:e-waste-dumping"},
		},
		"strain": []int{0, 12, 12, 0, 6, 6}, "regeneration": []string{"wind-power", "circular-production"},
		"hand": map[string]any{"investor": []string{}, "ecologist": []string{}}, "deck": []string{"agroforestry", "rest"},
	}))
	// Phase 1: 6. Phase 2 begins in infrastructure: 13 + 2 is a collapse, whose card takes Soil Care away.
	// Energy: 6 + 1 + 1 - 2, industry the same, with two tokens where one is supported.
	s.Apply(endTurn, nil)
	if s.strain[Energy] != 6 || s.strain[Industry] != 6 || s.decision != atTrim || s.inside.after != thenCalendar {
		t.Errorf("ER-433, ER-460: strain %v, phase %s", s.strain, s.Decision())
	}
}

// TestElectionWithoutCards is ER-814: where those voted out hold no card there is nothing to shuffle.
func TestElectionWithoutCards(t *testing.T) {
	s := at(t, "variant=solo,characters=ecologist+investor+activist", tabled(map[string]any{
		"turn": 5, "year": 5, "hand": map[string]any{"ecologist": []string{}, "investor": []string{}, "activist": []string{}},
	}))
	var tape env.Tape
	tape.Force("roll = 4", "roll = 5", "roll = 6")
	s.Apply(endTurn, &tape)
	if err := tape.Err(); err != nil {
		t.Fatalf("ER-814: %v", err)
	}
	for _, e := range tape.Events() {
		if e.Name == "election-shuffle" {
			t.Errorf("ER-814: no cards are shuffled: %q", e.Outcome)
		}
	}
}

// TestRecessionsAreMarked: what recedes is told segment by segment, Majors and Minors (ER-651 to ER-657).
func TestRecessionsAreMarked(t *testing.T) {
	s := at(t, "players=2", nil)
	s.major, s.minor = bit(Energy)|bit(Culture), bit(Energy)|bit(Politics)
	var tape env.Tape
	tape.Count(s)
	s.lose(bit(Energy)|bit(Culture), bit(Politics), &tape)
	var got []string
	for _, e := range tape.Marked() {
		if strings.HasPrefix(e.Name, "recedes-") {
			got = append(got, e.Name+" "+Sector(e.About).String())
		}
	}
	want := []string{"recedes-major culture", "recedes-minor politics", "recedes-major energy"}
	if !slices.Equal(got, want) || s.major != 0 || s.minor != bit(Energy) {
		t.Errorf("told %q, want %q; left are %b and %b", got, want, s.major, s.minor)
	}
}

// TestBound is section 5.5: 200 decisions a turn and 25 for each action, and three turns beyond the calendar.
func TestBound(t *testing.T) {
	for options, want := range map[string]int{
		"players=2": (200+4*25)*23 + 100, "variant=quickplay,players=3": (200+4*25)*13 + 100,
		"variant=quickplay,players=6": (200+4*25)*15 + 100, "variant=solo": (200+4*25)*23 + 100,
	} {
		if got := openGame(t, options).Info().MaxDecisions; got != want {
			t.Errorf("%s: at most %d decisions, want %d", options, got, want)
		}
	}
}

// TestPositionErrors reads positions that can't be.
func TestPositionErrors(t *testing.T) {
	for _, c := range []struct {
		patch map[string]any
		want  string
	}{
		{map[string]any{"strain": []int{15, 3, 3, 3, 3, 3}}, "strain.0: 15 is not in 0 to 14"},
		{map[string]any{"strain": []int{3}}, "strain: 1 elements; there must be 6"},
		{map[string]any{"minor": []string{"energy"}}, "minor: that of energy needs the Majors"},
		{map[string]any{"major": []string{"energie"}}, `did you mean "energy"?`},
		{map[string]any{"circle": map[string]any{"energy": []string{"", "", "", "", "U:coal-power"}}},
			"circle.energy: a counter lies on circle 4, which is covered"},
		{map[string]any{"circle": map[string]any{"energy": []string{"U:soil-depletion"}}},
			`circle.energy.0: unknown word "U:soil-depletion"`},
		{map[string]any{"circle": map[string]any{"energy": []string{"S:coal-power"}}},
			`unknown word "S:coal-power": did you mean "U:coal-power"?`},
		{map[string]any{"circle": map[string]any{"energy": []string{"coal-power"}}}, "circle.energy.0"},
		{map[string]any{"circle": map[string]any{"energy": []string{"X"}}}, "1 Collapse tokens after 0 collapses"},
		{map[string]any{"protest": []string{"coal-power", "oil-power", "soil-depletion"}}, "protest"},
		{map[string]any{"startups": 3}, "startups: 3 are not in 0 to 1"},
		{map[string]any{"year": 2}, "turn: turn 1 in year 2"},
		{map[string]any{"turn": 24, "year": 20}, "turn: 24 is not in 1 to 23"},
		{map[string]any{"collapses": 4}, "collapses: 4 with result"},
		{map[string]any{"result": "win"}, "exactly if it is over"},
		{map[string]any{"phase": "over", "result": "win"}, "a win needs 12 segments"},
		{map[string]any{"phase": "acts"}, `phase: unknown word "acts"`},
		{map[string]any{"phase": "discard"}, `"discard" with`},
		{map[string]any{"phase": "pay", "pending": "create wind-power"}, "pending: create wind-power"},
		{map[string]any{"phase": "choose", "active": ""}, "no character is left to choose"},
		{map[string]any{"deck": []string{"wind-power"}, "hand": map[string]any{}}, "deck:"},
		{map[string]any{"deck": []string{"wind-power", "rest"}, "discard": []string{"wind-power"}},
			"wind-power lies elsewhere, too"},
		{map[string]any{"discard": []string{"rest"}, "deck": []string{"rest"}}, `"rest" may stand once`},
		{map[string]any{"cast": []string{"activist", "ecologist", "investor", "politician"}}, "cast"},
		{map[string]any{"seat": map[string]any{"activist": 9}}, "seat.activist: 9 is not in 0 to 3"},
		{map[string]any{"signal": []string{"want peace", "", "", ""}}, `signal.0: unknown word "want peace"`},
		{map[string]any{"known": map[string]any{"wind-power": []int{5}}}, "known.wind-power.0: 5 is not in 0 to 3"},
		{map[string]any{"struck": []string{"wind-power"}}, `struck.0: unknown word "wind-power"`},
		{map[string]any{"collapsed": true}, "there has been no collapse"},
		{map[string]any{"weather": 1}, "unknown field weather"},
		{map[string]any{"major": []string{"agriculture", "infrastructure", "culture", "politics", "energy", "industry"},
			"minor": []string{"agriculture", "infrastructure", "culture", "politics", "energy", "industry"}},
			"the game is won (ER-902)"},
	} {
		s := openGame(t, "characters=activist+politician+investor+ecologist").New().(*State)
		s.Reset(1, nil)
		before := *s
		err := env.PatchPosition(s, c.patch)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			b, _ := json.Marshal(c.patch)
			t.Errorf("%s: error %v, want %q", b, err, c.want)
		}
		if *s != before {
			t.Errorf("a position that was refused has changed the State: %v", c.patch)
		}
	}
}

// cardIDs are the ids of a set of cards.
func cardIDs(t Set) (ids []string) {
	for ; t != 0; t = t.Rest() {
		ids = append(ids, t.First().String())
	}
	return ids
}
