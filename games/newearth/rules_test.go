package newearth

import (
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/envtest/must"
)

// NE-002: 72 borders, or 42 without the zones that two players leave out; degrees by slot; symmetric; all
// homes alike.
func TestBorders(t *testing.T) {
	for _, test := range []struct {
		options string
		borders int
	}{{"players=2", 42}, {"players=3", 72}, {"players=4", 72}} {
		for seed := range uint64(10) {
			g := openGame(t, test.options)
			s := g.New().(*State)
			s.Reset(seed, nil)
			ends := 0
			for z := range Zone(NumZones) {
				ends += s.near[z].Count()
				for near := s.near[z]; near != 0; near = near.Rest() {
					if !s.near[near.First()].Has(z) {
						t.Errorf("%s: %s borders %s, but not the other way", test.options, z, near.First())
					}
				}
				if !s.inPlay.Has(z) && s.near[z] != 0 {
					t.Errorf("%s: %s is out of play and has neighbours", test.options, z)
				}
			}
			if ends != 2*test.borders {
				t.Errorf("%s: %d borders, want %d", test.options, ends/2, test.borders)
			}
			if test.borders != 72 {
				continue
			}
			for _, place := range s.sectors {
				for slot, degree := range [numSlots]int{4, 5, 3, 4, 3, 5} {
					if got := s.near[place.at(slot)].Count(); got != degree {
						t.Errorf("a zone at %s has %d neighbours, want %d", slotNames[slot], got, degree)
					}
				}
			}
		}
	}
	s := openGame(t, "players=4,tiles=fixed").New().(*State)
	s.Reset(1, nil)
	for _, pair := range [][2]string{{"A1", "B1"}, {"A6", "B2"}, {"A5", "B3"}, {"F1", "A1"}, {"F6", "A2"}, {"F5", "A3"},
		{"A2", "A4"}, {"A6", "A2"}} {
		y, _ := zoneOf(pair[0])
		z, _ := zoneOf(pair[1])
		if !s.near[y].Has(z) {
			t.Errorf("%s does not border %s", y, z)
		}
	}
}

// NE-070: the Election Results Table, with modified dice clamped to 1 to 6.
func TestElectionResults(t *testing.T) {
	g := openGame(t, "")
	for _, test := range []struct{ excess, least int32 }{{1, 6}, {2, 6}, {3, 5}, {4, 4}, {5, 3}, {6, 2}, {40, 2}} {
		for die := int32(-3); die <= 12; die++ {
			want := die >= test.least
			if got := g.wins(test.excess, die); got != want {
				t.Errorf("an excess of %d with a die of %d: %v, want %v", test.excess, die, got, want)
			}
		}
	}
	if g.wins(0, 6) || g.wins(-2, 6) {
		t.Error("without excess nothing is won (NE-069)")
	}
	// With a table that asks for a 7, or for no more than a 1, the die counts as 6 and as 1 at the bounds.
	other := strings.Replace(string(builtIn), "[6, 6, 5, 4, 3, 2]", "[7, 6, 5, 4, 3, 1]", 1)
	own := must.Have(Rulebook().Open("", datafile.File{Name: "own.toml", Bytes: []byte(other)}))(t)
	if g = own.(*Game); g.wins(1, 9) || !g.wins(6, -2) {
		t.Error("modified dice are not clamped to 1 to 6")
	}
}

// NE-067: of three claimants tied for an owned zone those with the better cards are drawn from, evenly.
func TestRuleRollOff(t *testing.T) {
	s := openGame(t, "players=4,tiles=fixed").New().(*State)
	var first [4]int
	for seed := range uint64(600) {
		s.Reset(seed, nil)
		s.target, s.defender = 12, 1
		for _, p := range []env.Player{0, 2, 3} {
			s.claimants.add(p)
			s.seats[p].has[Cash], s.seats[p].commitCash = 8, 8
		}
		s.seats[0].commitCards, s.seats[2].commitCards, s.seats[3].commitCards = 1<<Universities, 1<<LawOrder, 1<<PublicHealth
		p, cash := s.compare(nil)
		if cash != 8 {
			t.Fatalf("player %d goes on with %dm, want 8m", p, cash)
		}
		first[p]++
	}
	if first[1]+first[2] > 0 || first[0] < 250 || first[3] < 250 {
		t.Errorf("%v of 600 roll-offs between players 0 and 3", first)
	}
}

// NE-067: claimants that tie for a neutral zone, by cash and by cards, get nothing; no lot is drawn.
func TestTieForANeutralZone(t *testing.T) {
	s := openGame(t, "players=4,tiles=fixed").New().(*State)
	s.Reset(1, nil)
	s.target, s.defender = 12, int8(nobody)
	for _, p := range []env.Player{0, 2} {
		s.claimants.add(p)
		s.seats[p].has[Cash], s.seats[p].commitCash = 8, 8
	}
	var tape env.Tape
	if p, cash := s.compare(&tape); p != nobody || cash != 0 || len(tape.Texts()) > 0 {
		t.Errorf("player %d goes on with %dm after %q, want nobody", p, cash, tape.Texts())
	}
}

// What an election brings to light is noted for everybody: bids, the defender's too, and cards that are played (NE-064,
// NE-068).
func TestElectionIsNoted(t *testing.T) {
	s := openGame(t, "players=4,tiles=fixed").New().(*State)
	s.Reset(1, nil)
	s.target, s.defender = 12, 1
	s.claimants.add(0)
	s.seats[0].commitCash, s.seats[1].commitCash, s.seats[0].has[Cash], s.seats[1].has[Cash] = 8, 9, 8, 9
	s.seats[2].hand[TransportLinks], s.held[2] = 1, 1<<TransportLinks
	s.seats[2].has[Cash], s.seats[2].has[Goods] = 20, 20
	var tape env.Tape
	joined := *s
	joined.queue, joined.claimants = seatList{}, seatList{}
	joined.answerElection(2, Play(TransportLinks), &tape)
	s.resolve(&tape)
	notes := ""
	for _, e := range tape.Events() {
		notes += e.Name + "; "
	}
	for _, want := range []string{
		"player 2 plays transport-links", "player 0 commits 8m for C1", "player 1 defends C1 with 9m",
	} {
		if !strings.Contains(notes, want) {
			t.Errorf("noted is %q, without %q", notes, want)
		}
	}
}

// What is asked in the set-up is not asked later, and the other way round (section 5.2).
func TestPhasesOfDecisions(t *testing.T) {
	for d, row := range openGame(t, "").decisions {
		if got, want := row.Phases>>phaseSetUp&1 != 0, strings.HasPrefix(row.Name, "setup_"); d < int(Over) && got != want {
			t.Errorf("%s is asked in the set-up: %v", row.Name, got)
		}
	}
}

// NE-090: the storm that two values bring.
func TestStorms(t *testing.T) {
	for _, test := range []struct {
		a, b int8
		want Storm
	}{{1, 1, Violent}, {1, 2, Violent}, {2, 1, Violent}, {2, 2, Mega}, {0, 0, Super}, {0, 1, Super}, {2, 0, Super}} {
		if got := stormOf(test.a, test.b); got != test.want {
			t.Errorf("%d and %d bring a %s storm, want %s", test.a, test.b, stormNames[got], stormNames[test.want])
		}
	}
}

// Invariants 10, 11, 12 and 14 of RULES.md are about what changes: NE-003, NE-105, NE-122, NE-125.
func TestHistory(t *testing.T) {
	var before State
	walk(t, 4, func(w *walker) {
		s := w.state
		if s.turn > 0 && before.game == s.game && before.turn <= s.turn && before.turn > 0 && before.sectors == s.sectors {
			checkHistory(t, &before, s)
		}
		before = *s
	})
}

func checkHistory(t *testing.T, before, s *State) {
	var old, now [numPieces]int
	for z := range Zone(NumZones) {
		for u := range numPieces {
			old[u] += int(before.count(z, u))
			now[u] += int(s.count(z, u))
		}
		if s.sl[z] > before.sl[z]+1 {
			t.Errorf("%s rises from %d to %d", z, before.sl[z], s.sl[z])
		}
	}
	for u := range numPieces {
		if now[u] < old[u] {
			t.Errorf("%d of %d %s are gone", old[u]-now[u], old[u], unitNames[u])
		}
	}
	if before.plants&^s.plants != 0 || before.cities&^s.cities != 0 || before.forts&^s.forts != 0 {
		t.Error("a plant or a city is gone")
	}
	if before.mining&^s.mining != 0 || before.energy&^s.energy != 0 {
		t.Error("a zone has changed its type")
	}
	if before.phase == phaseConsumption && s.phase == phaseElections {
		for p := range s.game.players {
			if seat := &s.seats[p]; seat.has[Goods] > seat.expended {
				t.Errorf("seat %d keeps %d goods and expended %d", p, seat.has[Goods], seat.expended)
			}
		}
	}
}

// NE-021: seats with equal totals and zones come in any order, evenly.
func TestTiesAreEven(t *testing.T) {
	g := openGame(t, "players=3,tiles=fixed")
	s := g.New().(*State)
	first := [3]int{}
	for seed := range uint64(900) {
		s.Reset(seed, nil)
		for p := range 3 {
			s.owned[p] = tile(2 * p)
		}
		s.initiative(nil)
		first[s.order.seat[0]]++
	}
	for p, n := range first {
		if n < 240 || n > 360 {
			t.Errorf("seat %d is first in %d of 900 ties", p, n)
		}
	}
}

// NE-022: the totals are announced, unless the option says that they are not.
func TestRuleTotalsAnnounced(t *testing.T) {
	for options, want := range map[string]int{"players=3,tiles=fixed": 3, "players=3,tiles=fixed,announce_totals=off": 0} {
		s := openGame(t, options).New().(*State)
		s.Reset(1, nil)
		s.seats[1].hand[LawOrder], s.seats[1].hand[UrbanPlanning] = 2, 1
		var tape env.Tape
		s.initiative(&tape)
		var told []string
		for _, e := range tape.Events() {
			if e.Kind == env.Reveal {
				told = append(told, e.Name)
			}
		}
		if len(told) != want || want > 0 && told[0] != "player 1 announces a hand total of 4" {
			t.Errorf("%s: all hear %q, want %d totals, the highest first", options, told, want)
		}
	}
}

// NE-033: without any cards left nothing is drawn, and the next seat is asked (NE-030).
func TestRuleNoCardsLeft(t *testing.T) {
	s := openGame(t, "players=2,tiles=fixed").New().(*State)
	s.Reset(1, nil)
	s.deck, s.decked, s.discard, s.discards = Pile{}, 0, Pile{}, 0
	for p := range env.Player(2) {
		for range s.game.data.HandLimit {
			s.gain(p, LawOrder)
		}
		s.order.add(p)
	}
	s.phase = phaseCatastrophes
	s.ask(AtReceive, 0)
	s.received(0, nil)
	if s.size[0] != 7 || s.decision != AtReceive || s.seat != 1 {
		t.Errorf("player 0 has %d cards, and player %d is at %s", s.size[0], s.seat, s.decision)
	}
}

// NE-063: what a seat needs for an election, by zone and by whether it joins.
func TestMeans(t *testing.T) {
	g := openGame(t, "players=4,tiles=fixed")
	s := g.New().(*State)
	s.Reset(1, nil)
	s.owned[1] = only(6) | only(7)
	s.setLevel(7, 2)
	for _, test := range []struct {
		goods, cash                          int32
		alone, contested, deserted, governed bool // neutral, joining there, level 0, level 2
	}{
		{0, 4, false, false, false, false},
		{0, 5, false, false, false, true},
		{1, 30, false, false, false, true},
		{2, 3, false, false, false, false},
		{2, 4, true, false, false, false},
		{2, 7, true, false, false, true},
		{2, 8, true, true, true, true},
	} {
		s.seats[0].has = holdings{Goods: test.goods, Cash: test.cash}
		start, join := s.affordable(0, false), s.affordable(0, true)
		if start.Has(0) != test.alone || join.Has(0) != test.contested || start.Has(6) != test.deserted ||
			start.Has(7) != test.governed || join.Has(7) != test.governed {
			t.Errorf("%d goods and %dm: neutral %v, joining %v, level 0 %v, level 2 %v; want %v", test.goods, test.cash,
				start.Has(0), join.Has(0), start.Has(6), start.Has(7), test)
		}
	}
}

// NE-110: income by turn.
func TestIncome(t *testing.T) {
	g := openGame(t, "players=4,tiles=fixed")
	for turn, want := range map[int8]int32{1: 5 + 2*2, 6: 5 + 2*2, 7: 3 + 2, 12: 3 + 2} {
		s := g.New().(*State)
		s.Reset(1, nil)
		s.turn = turn
		s.owned[0], s.cities = only(0)|only(1)|only(2), only(2)
		s.raw[0], s.raw[1], s.raw[2] = 3, 2, 2
		if got := s.Income(0); got != want {
			t.Errorf("turn %d: %dm, want %dm", turn, got, want)
		}
		s.affected = only(0)
		if got := s.Income(0); got >= want {
			t.Errorf("turn %d: an affected zone brings income (NE-048)", turn)
		}
	}
}

// The bound on decisions of RULES.md 1.
func TestBound(t *testing.T) {
	for options, want := range map[string]int{
		"players=4": 14900, "players=3": 11300, "players=2": 7700, "players=4,offers=4": 14900 + 9*48*2,
		"players=2,move_limit=10": 7700 + 2*24*2,
	} {
		if got := openGame(t, options).info.MaxDecisions; got != want {
			t.Errorf("%s: at most %d decisions, want %d", options, got, want)
		}
	}
	if got := len(openGame(t, "").info.Actions); got != 268 {
		t.Errorf("%d actions, want 268", got)
	}
}

// A game that a seat plays by itself: the last question of a phase leads to the next seat.
func TestActorIsTheOnlyOne(t *testing.T) {
	walk(t, 1, func(w *walker) {
		if over := w.state.decision == Over; over != (w.state.Actor() == env.Over) {
			t.Errorf("at %s seat %d acts", w.state.decision, w.state.Actor())
		}
	})
}
