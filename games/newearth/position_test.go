package newearth

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/must"
)

type patch = map[string]any

// playing is a position of turn 2 with four seats on their home tiles, in its production.
func playing(t *testing.T, options string, p patch) error {
	t.Helper()
	g := openGame(t, options)
	s := g.New().(*State)
	s.Reset(1, nil)
	zones, seats := patch{}, patch{}
	for q, letter := range []string{"A", "B", "D", "E"} {
		for i, number := range []string{"1", "2", "3", "4", "5", "6"} {
			zones[letter+number] = patch{"owner": q, "type": typeNames[1+i%2], "raw": 1, "sl": 1}
		}
		seats[string(rune('0'+q))] = patch{"leader": letter + "1"}
	}
	base := patch{"turn": 2, "phase": 2, "node": "produce", "seat": 0, "active": 0, "order": []int{0, 1, 2, 3},
		"deck":  "rest",
		"zones": zones, "seats": seats}
	must.Do(t, env.PatchPosition(s, base))
	before := *s
	err := env.PatchPosition(s, p)
	if err != nil && *s != before {
		t.Errorf("%v: a position that was refused has changed the State", p)
	}
	return err
}

func zone(id string, p patch) patch { return patch{"zones": patch{id: p}} }
func mat(p patch) patch             { return patch{"seats": patch{"0": p}} }

// A position that the rules do not allow is refused with the name of its field, and changes nothing
// (RULES.md 3 and 12).
func TestImpossiblePositions(t *testing.T) {
	for _, tt := range []struct {
		patch patch
		want  string
	}{
		{patch{"turn": 13}, "turn: 13 is not in 0 to 12"},
		{patch{"turn": "two"}, `turn: "two" is not a whole number`},
		{patch{"turn": 0}, "turn: turn 0 in phase 2"},
		{patch{"phase": 3}, "node: produce is not asked in phase 3"},
		{patch{"node": "lunch"}, `node: unknown word "lunch"`},
		{patch{"seat": 4}, "seat: 4 is not in -1 to 3"},
		{patch{"seat": -1}, "seat: nobody acts at produce"},
		{patch{"active": 1}, "active: it is seat 1's step, but seat 0 is asked"},
		{patch{"order": []int{0, 1, 2}}, "order: it has 3 seats; in turn 2 it has 4"},
		{patch{"order": []int{0, 1, 2, 2}}, "order.3: 2 is there twice"},
		{patch{"setup_order": []int{}}, "setup_order: it has 0 of 4 seats"},
		{patch{"queue": []int{1}}, "queue: nobody waits at produce"},
		{patch{"sectors": []any{}}, "sectors: 0 elements; there must be 6"},
		{zone("A7", patch{"raw": 1}), "unknown field zones.A7"},
		{zone("A1", patch{"out": 1}), "zones.A1.out: with 4 players"},
		{zone("A1", patch{"owner": 4}), "zones.A1.owner: 4 is not in -1 to 3"},
		{zone("A1", patch{"type": "wood"}), `zones.A1.type: unknown word "wood"`},
		{zone("A1", patch{"type": "none", "raw": 0}), "zones: A1 has an owner, but no type (NE-003)"},
		{zone("C1", patch{"raw": 1}), "zones.C1.type: a zone with raw workers has a type (NE-003)"},
		{zone("A1", patch{"raw": 5}), "zones.A1.raw: 5 is not in 0 to 4"},
		{zone("A3", patch{"raw": 3}), "zones.A3: 3 workers; its limit is 2 (NE-004)"},
		{zone("A2", patch{"machines": 1}), "zones.A2.machines: 1 machines; its limit is 0 (NE-004)"},
		{zone("A1", patch{"mfg": 1}), "zones.A1.mfg: manufacturing workers need a plant (NE-005)"},
		{zone("A1", patch{"plant": 2}), "zones.A1.plant: 2 is not in 0 to 1"},
		{zone("A1", patch{"sl": 6}), "zones.A1.sl: 6 is not in 0 to 5"},
		{zone("C1", patch{"sl": 1}), "zones.C1.sl: a neutral zone has level 0, not 1"},
		{zone("A1", patch{"city": 3}), "zones.A1.city: 3 is not in 0 to 2"},
		{zone("A1", patch{"converted": 1}), "zones.A1.converted: it is no city"},
		{zone("A1", patch{"arrived": []int{0, 2, 0}}), "zones.A1.arrived: 2 worker arrived, but 1 stand there"},
		{zone("A1", patch{"arrived": []int{0, 0}}), "zones.A1.arrived: 2 elements; there must be 3"},
		{mat(patch{"cash": -1}), "seats.0.cash: -1 is not in 0 to 30000"},
		{mat(patch{"leader": "B1"}), "seats.0.leader: the leader stands in an own zone (NE-081)"},
		{mat(patch{"leader": "Z1"}), `seats.0.leader: unknown word "Z1"`},
		{mat(patch{"leader": ""}), "seats.0.leader: the leader stands"},
		{mat(patch{"hand": []string{"luck"}}), `seats.0.hand.0: unknown word "luck"`},
		{mat(patch{"hand": []string{"law-order"}}), "deck: 11 cards of law-order"},
		{mat(patch{"known": []string{"law-order"}}), "seats.0.known: it names a card that the hand does not hold"},
		{mat(patch{"elections_used": 3}), "seats.0.elections_used: 3 is not in 0 to 2"},
		{mat(patch{"offers_used": 3}), "seats.0.offers_used: 3 is not in 0 to 2"},
		{mat(patch{"moves_used": 9}), "seats.0.moves_used: 9 is not in 0 to 8"},
		{mat(patch{"commit_cash": 0}), "seats.0: it has a commitment outside an election"},
		{patch{"deck": patch{"law-order": 9}}, "deck: 9 cards of law-order in deck, discard pile and hands; there are 10"},
		{patch{"discard": patch{"law-order": 200}}, "discard.law-order: 200 is not in 0 to 127"},
		{patch{"catastrophe": patch{"card": "anarchists"}}, "catastrophe: there is none at produce"},
		{patch{"election": patch{"zone": "C1"}}, "election: there is none at produce"},
		{patch{"offer": patch{"partner": 1}}, "offer: there is none at produce"},
		{patch{"running": 20}, "running: 20"},
		{patch{"assigned": 1}, "assigned: it is 0 at produce"},
		{patch{"placing": 1}, "placing: 1 machines at produce"},
		{patch{"placing": 5}, "placing: 5 is not in 0 to 4"},
		{patch{"chosen": "A1"}, "chosen: no zone is chosen at produce"},
		{patch{"chosen": "worker Z9"}, "chosen: "},
		{patch{"picks": []string{"A1"}}, "picks: no zones are picked at produce"},
		{patch{"picks": []string{"A1", "A1"}}, `picks.1: "A1" is there twice`},
		{patch{"result": patch{"storm": "mega", "totals": []int{0, 0, 0, 0}}}, "result: there is none before the end"},
		{patch{"random": 5}, "random: 5 is not a text"},
		{patch{"node": "bulk_place"}, "placing: 0 machines at bulk_place"},
		{patch{"node": "offer"}, "offer: there must be one at offer"},
		{patch{"node": "offer", "offer": patch{"partner": 0}}, "offer.partner: nobody trades with himself (NE-106)"},
		{patch{"node": "offer", "offer": patch{"partner": 1, "give": patch{"cash": 1}, "give_terms": 1}},
			"offer.give: more cash than seat 0 has"},
		{patch{"phase": 4, "node": "shortage"}, "seats: seat 0 has no shortage (NE-121)"},
		{patch{"phase": 4, "node": "city_card", "chosen": "A1"}, "node: nothing is legal at city_card"},
		{patch{"phase": 4, "node": "fortify_zone", "chosen": "law-order"}, `chosen: "law-order" fortifies nothing (NE-124)`},
		{patch{"phase": 5, "node": "join"}, "election: there must be one at join"},
		{patch{"phase": 5, "node": "commit_amount", "election": patch{"zone": "B2", "defender": 2, "claimants": []int{0},
			"contested": 1}}, "election.defender: seat 2"},
		{patch{"phase": 5, "node": "commit_amount", "election": patch{"zone": "B1", "defender": 1, "claimants": []int{0},
			"contested": 1}}, "election.zone: B1 is no target (NE-061)"},
		{patch{"phase": 5, "node": "new_worker", "chosen": "A1"}, `chosen: "A1" is no zone just won (NE-073)`},
		{patch{"phase": 6, "node": "move_to", "chosen": "machine A1"}, `chosen: "machine A1" cannot move (NE-082)`},
		{patch{"phase": 1, "node": "cat_choose"}, "seats: seat 0 has no catastrophe to play (NE-041)"},
		{patch{"phase": 1, "node": "negate", "catastrophe": patch{"card": "law-order"}},
			`catastrophe.card: "law-order" is no Catastrophe card`},
		{patch{"phase": 7, "node": "over", "turn": 12, "seat": -1, "active": -1}, `result.storm: "" is none`},
	} {
		err := playing(t, "players=4,tiles=fixed", tt.patch)
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v: got error %v, want %q", tt.patch, err, tt.want)
		}
	}
	if err := playing(t, "players=4,tiles=fixed", patch{"seats": patch{"0": patch{"cash": 7}}}); err != nil {
		t.Error(err)
	}
}

// A source of chance may stand in a position that is read; it is not used.
func TestRandomIsIgnored(t *testing.T) {
	g := openGame(t, "players=2")
	s := g.New().(*State)
	s.Reset(1, nil)
	text := s.AppendPosition(nil)
	with := append(text[:len(text)-1:len(text)-1], `,"random":"pcg 1 2"}`...)
	read := g.New().(*State)
	if err := read.ReadPosition(with); err != nil || !read.EqualPosition(s) {
		t.Errorf("a position with a text \"random\": %v", err)
	}
	if err := read.ReadPosition(append(text[:len(text)-1:len(text)-1], `,"random":1}`...)); err == nil {
		t.Error("\"random\" is a text")
	}
	if err := read.ReadPosition(append(text, " {}"...)); err == nil {
		t.Error("two positions in one are read")
	}
}

// A position with some field changed is refused, or it plays on: nothing that is read breaks a rule later.
func TestMutatedPositions(t *testing.T) {
	rng := env.NewStream(1, "mutations")
	read, refused := 0, 0
	walk(t, 1, func(w *walker) {
		if rng.Below(40) > 0 {
			return
		}
		for range 6 {
			var all map[string]any
			must.Do(t, json.Unmarshal(w.state.AppendPosition(nil), &all))
			mutate(all, &rng)
			b := must.Have(json.Marshal(all))(t)
			s := w.game.New().(*State)
			if err := s.ReadPosition(b); err != nil {
				refused++
				continue
			}
			read++
			playMutated(t, w, s, &rng, string(b))
		}
	})
	t.Logf("%d read, %d refused", read, refused)
	if read < 30 || refused < 30 {
		t.Errorf("%d read and %d refused: the mutations are too wild or too tame", read, refused)
	}
}

func playMutated(t *testing.T, w *walker, s *State, rng *env.Stream, text string) {
	defer func() {
		if r := recover(); r != nil {
			t.Fatalf("panic: %v\nfrom %s", r, text)
		}
	}()
	var redealt State
	for p := range env.Player(w.game.players) {
		redealt.CopyFrom(s)
		redealt.Redeal(p, rng.Uint64())
		if err := redealt.Check(); err != nil {
			t.Fatalf("redealt for %d: %v\nfrom %s", p, err, text)
		}
	}
	m := make(env.Mask, maskWords)
	for n := 0; n < 60 && s.Actor() != env.Over; n++ {
		s.Legal(m)
		s.Apply(m.Nth(rng.Below(m.Count())), nil)
		if err := s.Check(); err != nil {
			t.Fatalf("%d decisions later: %v\nfrom %s", n+1, err, text)
		}
	}
}

// mutate changes one value somewhere in a decoded position.
func mutate(v any, rng *env.Stream) {
	numbers := [...]float64{-1, 0, 1, 2, 3, 4, 5, 7, 20, 40}
	words := [...]string{"", "A1", "B4", "none", "mining", "energy", "law-order", "transport-links", "storm-defence",
		"flood-local", "produce",
		"develop", "elect", "join", "commit_amount", "negate", "leader", "move_pick", "receive", "overflow", "worker A1"}
	pick := func(old any) any {
		switch old.(type) {
		case float64:
			return numbers[rng.Below(len(numbers))]
		case string:
			return words[rng.Below(len(words))]
		}
		mutate(old, rng)
		return old
	}
	switch v := v.(type) {
	case map[string]any:
		keys := slices.Sorted(maps.Keys(v))
		if len(keys) > 0 {
			k := keys[rng.Below(len(keys))]
			v[k] = pick(v[k])
		}
	case []any:
		if len(v) > 0 {
			i := rng.Below(len(v))
			v[i] = pick(v[i])
		}
	}
}

// The deck "rest" is what lies nowhere else; in the set-up the Catastrophe cards are in no pile.
func TestDeckRest(t *testing.T) {
	g := openGame(t, "players=2,setup=free")
	s := g.New().(*State)
	s.Reset(1, nil)
	if err := env.PatchPosition(s, patch{"deck": "rest"}); err != nil || s.decked != 80 {
		t.Errorf("in the set-up: %v, %d cards", err, s.decked)
	}
	if err := playing(t, "players=4,tiles=fixed",
		patch{"deck": "rest", "seats": patch{"0": patch{"hand": []string{"law-order", "anarchists"}}}}); err != nil {
		t.Error(err)
	}
	eleven := slices.Repeat([]string{"law-order"}, 11)
	if err := playing(t, "players=4,tiles=fixed",
		patch{"deck": "rest", "seats": patch{"0": patch{"hand": eleven}}}); err == nil ||
		!strings.Contains(err.Error(), "there are only 10 of law-order") {
		t.Errorf("eleven cards of a title: %v", err)
	}
}
