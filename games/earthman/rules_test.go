package earthman

import (
	"regexp"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/envtest/must"
)

// player draws actions towards what random play seldom reaches: growth and war, no early ends.
type player struct {
	rng     env.Stream
	weights []float64
	mask    env.Mask
}

func newPlayer(g *Game, seed uint64) *player {
	by := map[string]float64{
		"expand": 6, "resource": 4, "all": 3, "fleet": 2, "at": 3, "study": 2, "tech": 3, "done": 1.5, "claim": 0, "peace": 0,
		"yes": 0.7, "discontent": 0.5, "seat": 0.3, "land": 0.5,
	}
	p := &player{rng: env.NewStream(seed, "player"), mask: make(env.Mask, maskWords)}
	for _, a := range g.info.Actions {
		w, ok := by[a.Family]
		if !ok {
			w = 1
		}
		p.weights = append(p.weights, w)
	}
	return p
}

func (p *player) choose(s *State) env.Action {
	s.Legal(p.mask)
	best, top := env.Action(-1), -1.0
	for _, a := range p.mask.Append(nil) {
		if x := p.rng.Float64() * p.weights[a]; x > top {
			best, top = a, x
		}
	}
	return best
}

// quick is the built-in data with short tracks, so that random play reaches Artificial Intelligence and
// its Thoughts.
func quick() datafile.File {
	text := regexp.MustCompile(`steps = \d+`).ReplaceAllString(string(builtIn), "steps = 1")
	return datafile.File{Name: "quick.toml", Bytes: []byte(strings.ReplaceAll(text, "others = 3", "others = 1"))}
}

// mixtures are games in which every rule comes up; each is played on the built-in and on quick data.
var mixtures = []string{
	"players=2,fleet_cap=12,discontent_cap=3",
	"players=3,skynet=on,collab=on,territory=on,prelude=on,espionage=on",
	"players=4,un=yield,espionage=on,thoughts=key,late_fleets=2",
	"players=6,prelude=on,territory=on,bulbs=1",
}

// each visits every decision of some games, with the position before it.
func each(t *testing.T, visit func(before, after *State, a env.Action)) {
	t.Helper()
	for i, options := range append(mixtures, mixtures...) {
		g := openGame(t, options+",claims=0,peace=0")
		if i >= len(mixtures) {
			fast := must.Have(Rulebook().Open(options+",claims=0,peace=0", quick()))(t)
			g = fast.(*Game)
		}
		for seed := range uint64(2) {
			p := newPlayer(g, seed)
			s, before := g.New().(*State), g.New().(*State)
			for s.Reset(seed+uint64(10*i), nil); s.Actor() != env.Over; {
				a := p.choose(s)
				*before = *s
				s.Apply(a, nil)
				visit(before, s, a)
				if t.Failed() {
					t.Fatalf("%s, seed %d, decision %d (%s)\nbefore %s\nafter %s", options, seed, before.made, g.info.Actions[a].Text,
						before.AppendPosition(nil), s.AppendPosition(nil))
				}
			}
		}
	}
}

// EB-007: nobody is asked where there is one answer. EB-001: whoever decides is a seat.
func TestNoForcedDecisions(t *testing.T) {
	each(t, func(_, s *State, _ env.Action) {
		if n := s.legal().Count(); s.phase != IsOver && n < 2 {
			t.Errorf("%s has %d legal actions", s.decision, n)
		}
		if s.phase != IsOver && (s.seat < 0 || int(s.seat) >= s.game.players || int(s.actor) >= s.game.players) {
			t.Errorf("seat %d decides in the turn of %d", s.seat, s.actor)
		}
	})
}

func TestSeats(t *testing.T) { // EB-001
	for _, options := range []string{"players=1", "players=7"} {
		if _, err := Rulebook().Open(options, datafile.File{}); err == nil {
			t.Errorf("%s opens", options)
		}
	}
	for _, options := range []string{"players=2", "players=6"} {
		if _, err := Rulebook().Open(options, datafile.File{}); err != nil {
			t.Error(err)
		}
	}
}

// EB-322, and invariants 8, 9, 10 and 14 of RULES.md 12: what only rises, only falls, or changes by few
// rules.
func TestWhatOnlyRises(t *testing.T) {
	each(t, func(before, s *State, a env.Action) {
		for p := range s.game.players {
			b, my := &before.seats[p], &s.seats[p]
			switch {
			case my.vp < b.vp || my.vp > b.vp && before.actor == s.actor && before.round == s.round && s.phase != IsOver:
				t.Errorf("seat %d: VP go from %d to %d within a turn", p, b.vp, my.vp)
			case my.claims > b.claims || my.peace > b.peace:
				t.Errorf("seat %d: claims or peace proposals rise", p)
			case my.power < 0 || my.resource < 0 || my.discontent < 0:
				t.Errorf("seat %d: Power %d, E %d, X %d", p, my.power, my.resource, my.discontent)
			}
			for tech := range my.level {
				if my.level[tech] < b.level[tech] {
					t.Errorf("seat %d: %s is lost", p, techIDs[tech])
				}
			}
		}
		if before.trigger && !s.trigger || s.rogue < before.rogue || s.undrawn&^before.undrawn != 0 {
			t.Error("the trigger, rogue or the cards go back")
		}
		home := s.game.home
		if !s.game.territory && s.land[UN][home]&^before.land[UN][home] != 0 {
			t.Error("the UN gains land on Earth without a refused transfer")
		}
	})
}

// EB-004, EB-044, EB-081: whose fleets change where. Nobody's fleets change in another's turn but by the
// rules that say so, and none appear in trajectories but by Launch, movement, Prelude and transfers.
func TestFleetsStayWhereTheyAre(t *testing.T) {
	each(t, func(before, s *State, a env.Action) {
		if before.actor != s.actor || s.phase == IsOver {
			return
		}
		for p := range s.game.players {
			b, my := &before.seats[p], &s.seats[p]
			for at := range my.fleet {
				more := my.fleet[at].Count() - b.fleet[at].Count()
				switch {
				case more == 0:
				case int8(p) == s.actor:
					if more > 0 && trajectories.Has(Place(at)) && before.phase != InMove && before.phase != InPrelude {
						t.Errorf("%d fleets appear at %s", more, Place(at).ID())
					}
				case more > 0 && before.phase != InTransfer:
					t.Errorf("seat %d gains %d fleets at %s in the turn of %d", p, more, Place(at).ID(), s.actor)
				case more < 0 && before.decision != AtForfeit && Place(at) != before.pending.at && s.phase != InTransfer:
					t.Errorf("seat %d loses fleets at %s, while %s is in hand", p, Place(at).ID(), before.pending.at.ID())
				}
			}
		}
	})
}

// EB-006, EB-210, EB-220: what lies in regions, and that the UN owns nothing else.
func TestRegions(t *testing.T) {
	devastated, second := 0, 0
	each(t, func(before, s *State, _ env.Action) {
		for w := range Place(NumWorlds) {
			if both := s.rubble[w][1] &^ before.rubble[w][1]; both != 0 {
				t.Errorf("a second Devastation counter comes to %s", w.ID())
			}
			devastated += (s.rubble[w][0] &^ before.rubble[w][0]).Count()
			second += s.rubble[w][1].Count()
			for owner := range s.land {
				for other := range owner {
					if s.land[owner][w]&s.land[other][w] != 0 {
						t.Errorf("two owners on %s", w.ID())
					}
				}
				if s.land[owner][w]&s.rubble[w][0] != 0 {
					t.Errorf("developments and Devastation on %s", w.ID())
				}
			}
		}
		if s.thinking>>s.game.players != 0 {
			t.Error("the UN has Thoughts")
		}
	})
	if devastated == 0 || second == 0 {
		t.Errorf("%d regions were razed and %d held two counters: too few to say anything", devastated, second)
	}
}

// EB-005: fleets and regions have the status each on its own.
func TestStatus(t *testing.T) {
	g := openGame(t, "players=2,first=0")
	s := g.New().(*State)
	s.Reset(1, nil)
	my := &s.seats[0]
	my.shake(Earth)
	if f := my.fleet[Earth]; f != (Fleets{2, 1}) || !my.steady.Has(Earth) || !my.risky.Has(Earth) {
		t.Errorf("after one of three fleets is shaken: %v", f)
	}
	s.put(0, Mars, 3, 1)
	s.shaken[Mars] |= 1 << 3
	s.addDevelopment(0, Mars, 4)
	if s.shaken[Mars] != 1<<3 {
		t.Errorf("At Risk on Mars: %b", s.shaken[Mars])
	}
	if n := s.take(0, Mars, 3); n != 1 || s.shaken[Mars] != 0 {
		t.Errorf("an emptied region stays At Risk: %b", s.shaken[Mars])
	}
}

var needTests = []struct{ need, dice, hits int }{
	{1, 1, 1}, {9, 1, 0}, {12, 1, 0},
}

// expandOn are the terms of an expansion that needs some number.
func expandOn(need int) terms {
	return terms{event: evExpand, need: int8(need), bounds: [2]int8{int8(need), int8(need)}}
}

// EB-013, EB-014: no dice are rolled where none can matter.
func TestNoDice(t *testing.T) {
	g := openGame(t, "players=2,first=0")
	for _, test := range needTests {
		s := g.New().(*State)
		s.Reset(1, nil)
		var tape env.Tape
		s.rollOn(expandOn(test.need), test.dice, &tape)
		if len(tape.Events()) != 0 || int(s.pending.left) != test.hits {
			t.Errorf("%d+: %v rolled, %d hits, want none and %d", test.need, tape.Texts(), s.pending.left, test.hits)
		}
	}
}

// EB-010 to EB-012, EB-015: chances of one die by the number needed, in 36ths.
func TestChances(t *testing.T) {
	g := openGame(t, "players=2,first=0")
	for need, want := range map[int]int{2: 30, 3: 24, 4: 18, 5: 12, 6: 6, 7: 3, 8: 1} {
		hits := 0
		for face := 1; face <= 6; face++ {
			for second := 1; second <= 6; second++ {
				s := g.New().(*State)
				s.Reset(1, nil)
				var tape env.Tape
				tape.Force("expand = " + digits[face])
				if face == 6 && need >= 7 {
					tape.Force("expand+ = " + digits[second])
				}
				s.rollOn(expandOn(need), 1, &tape)
				if err := tape.Err(); err != nil {
					t.Fatalf("%d+ with %d %d: %v", need, face, second, err)
				}
				hits += int(s.pending.left)
			}
		}
		if hits != want {
			t.Errorf("%d+: %d of 36, want %d", need, hits, want)
		}
		if got := Odds(need); got != float64(want)/36 {
			t.Errorf("%d+: odds of %v, want %d in 36", need, got, want)
		}
	}
}

// EB-016, EB-050: hundreds of dice in one step, with windows of many seats.
func TestLargeLots(t *testing.T) {
	g := openGame(t, "players=6,first=0")
	s := g.New().(*State)
	s.Reset(1, nil)
	s.seats[0].discontent = 400
	for p := range env.Player(6) {
		s.setThoughts(p, 2)
	}
	s.startRisk()
	s.decision = NoDecision
	var tape env.Tape
	s.run(&tape)
	if n := len(tape.Texts()); n != maxDice || s.decision != AtThought || int(s.lot.n) != maxDice {
		t.Fatalf("%d dice, at %s", n, s.decision)
	}
	for spent := 0; s.decision == AtThought && s.lot.event == evUnrest; spent++ {
		a := Reroll(0)
		if !s.legal().Has(a) {
			a = Done
		}
		s.Apply(a, nil)
		if spent > 12+6 {
			t.Fatal("the window does not close")
		}
	}
	if s.thinking != 0 {
		t.Errorf("Thoughts are left: %b", s.thinking)
	}
	if err := s.Check(); err == nil { // X was put up by hand, so the ledger must be off.
		t.Error("400 discontent from nowhere pass the ledger")
	}
}

var capacityTests = []struct { // EB-115
	world     Place
	nano, cap int
}{
	{Mars, 0, 1}, {Mars, 2, 3}, {Earth, 0, 2}, {Earth, 2, 4},
}

func TestCapacity(t *testing.T) {
	g := openGame(t, "players=2")
	for _, test := range capacityTests {
		s := g.New().(*State)
		s.seats[1].level[Nanotech] = uint16(test.nano)
		if got := s.Capacity(1, test.world); got != test.cap {
			t.Errorf("%s with Nanotechnology %d: %d, want %d", test.world.ID(), test.nano, got, test.cap)
		}
	}
}

var influenceTests = []struct{ fleets, need int }{ // EB-182
	{3, 5}, {4, 5}, {5, 4}, {6, 4}, {7, 3}, {9, 3}, {10, 2}, {12, 2}, {13, 1}, {60, 1},
}

func TestInfluenceTable(t *testing.T) {
	g := openGame(t, "")
	for _, test := range influenceTests {
		if got := int(g.influence[test.fleets]); got != test.need {
			t.Errorf("%d fleets need %d, want %d", test.fleets, got, test.need)
		}
	}
}

var technologyTests = []struct { // others: different technologies to know before, or one that does instead
	tech          Tech
	others        int
	or            Tech
	levels, steps int
}{
	{AI, 3, -1, maxLevel, 7}, {Attack, 0, -1, 3, 5}, {Durability, 0, -1, 3, 5}, {Defences, 0, -1, 3, 3},
	{Influence, 0, -1, 3, 5},
	{Unity, 0, -1, 3, 5}, {Stability, 0, -1, 3, 5}, {Spaceflight, 0, -1, 2, 7}, {Launch, 0, -1, 1, 7},
	{Research, 0, -1, 3, 5},
	{Colonisation, 0, -1, 2, 3}, {Nanotech, 1, -1, 2, 5}, {VonNeumann, 3, Nanotech, 3, 7},
}

// EB-164, EB-167: prerequisites, levels and steps of each technology (RULES.md 2.4).
func TestTechnologies(t *testing.T) {
	for bulbs := range 2 {
		g := openGame(t, "bulbs="+digits[bulbs])
		for _, test := range technologyTests {
			want := technology{g.techs[test.tech].name, uint16(test.levels), uint8(test.steps + bulbs), int8(test.others),
				test.or}
			if got := g.techs[test.tech]; got != want {
				t.Errorf("%+v, want %+v", got, want)
			}
		}
	}
}

// EB-330: returns of k winners among n.
func TestReturns(t *testing.T) {
	for _, test := range []struct {
		players, winners int
		win, lose        float64
	}{
		{2, 1, 1, -1}, {2, 2, 0, 0}, {3, 2, 0.25, -0.5}, {4, 1, 1, -1.0 / 3}, {4, 2, 1.0 / 3, -1.0 / 3}, {6, 1, 1, -0.2},
	} {
		g := openGame(t, "players="+digits[test.players])
		s := g.New().(*State)
		s.Reset(1, nil)
		s.finish(endPoints, 1<<test.winners-1)
		got := make([]float64, test.players)
		s.Returns(got)
		for p, r := range got {
			want := test.win
			if p >= test.winners {
				want = test.lose
			}
			if d := r - want; d > 1e-12 || d < -1e-12 {
				t.Errorf("%d of %d win: %v", test.winners, test.players, got)
				break
			}
		}
	}
}
