package newearth

import (
	"bytes"
	"math"
	"math/bits"
	"slices"
	"testing"

	"earthgym/env"
)

// TestRedealAtEveryScene goes beyond the conformance suite: every question whose asking is a secret, for
// every seat.
func TestRedealAtEveryScene(t *testing.T) {
	var one, two, three State
	var asked [numScenes]int
	key := uint64(0)
	walk(t, 4, func(w *walker) {
		s := w.state
		scene := s.scene()
		if key++; scene == openScene && key%16 != 0 {
			return
		}
		asked[scene]++
		for p := range env.Player(w.game.players) {
			one.CopyFrom(s)
			one.Redeal(p, key)
			if err := one.Check(); err != nil {
				t.Errorf("redealt for %d: %v\n%s\nfrom\n%s", p, err, one.AppendPosition(nil), s.AppendPosition(nil))
				return
			}
			if one.scene() != scene || one.decisionSeenBy(p) != s.decisionSeenBy(p) || one.activeSeenBy(p) != s.activeSeenBy(p) {
				t.Errorf("redealt for %d: %s instead of %s", p, one.decision, s.decision)
				return
			}
			if a, b := s.AppendKnown(nil, p), one.AppendKnown(nil, p); !bytes.Equal(a, b) {
				t.Errorf("in a redealt State seat %d may know\n%s\nand not\n%s", p, b, a)
				return
			}
			two.CopyFrom(s)
			two.Redeal(p, key+1)
			three.CopyFrom(&one)
			three.Redeal(p, key+1)
			if !two.Equal(&three) {
				t.Errorf("redealt for %d depends on secrets:\n%s\n%s\n%s", p, s.AppendPosition(nil), two.AppendPosition(nil),
					three.AppendPosition(nil))
				return
			}
		}
	})
	for scene, n := range asked {
		t.Logf("scene %d: %d", scene, n)
		if n < 20 {
			t.Errorf("scene %d came up %d times only", scene, n)
		}
	}
}

// What is public, and what p knows of its own, stays as it is in a redeal (RULES.md 8).
func TestRedealKeepsWhatIsKnown(t *testing.T) {
	var r State
	key, tried, agreed := uint64(0), 0, 0
	walk(t, 2, func(w *walker) {
		s := w.state
		if key++; key%7 != 0 || s.turn == 0 || s.decision == Over {
			return
		}
		p := env.Player(key / 7 % uint64(w.game.players))
		r.CopyFrom(s)
		r.Redeal(p, key)
		if r.seats[p].hand != s.seats[p].hand || r.seats[p].commitCards != s.seats[p].commitCards ||
			r.seats[p].commitCash != s.seats[p].commitCash {
			t.Errorf("player %d: its own cards or cash have changed", p)
		}
		if r.layout != s.layout || r.discard != s.discard || r.decked != s.decked || r.hit != s.hit || r.target != s.target {
			t.Errorf("player %d: something public has changed", p)
		}
		for q := range env.Player(w.game.players) {
			a, b := &r.seats[q], &s.seats[q]
			if r.HandSize(q) != s.HandSize(q) || a.has != b.has || a.known != b.known || a.shown != b.shown ||
				a.electionsUsed != b.electionsUsed {
				t.Errorf("player %d: something public of player %d has changed", p, q)
			}
			if a.known&^(r.held[q]|a.commitCards) != 0 {
				t.Errorf("player %d: player %d lacks a card that all have seen in its hand", p, q)
			}
			if q == p || !w.game.announce {
				continue
			}
			hand := a.hand
			for set := a.commitCards; set != 0; set = set.Rest() {
				hand[set.First()]++
			}
			tried++
			of, shown := w.game.split(&hand), w.game.split(&a.shown)
			of.add(&shown)
			if of.canTotal(int16(a.announcedSize), a.announced) {
				agreed++
			}
		}
	})
	if agreed*100 < tried*97 {
		t.Errorf("%d of %d redealt hands agree with the totals announced", agreed, tried)
	}
}

// Hidden totals are made anew in agreement with the order (NE-022).
func TestRedealOfHiddenTotals(t *testing.T) {
	w := newWalker(t, "players=4,announce_totals=off", 3)
	var r State
	changed := 0
	for key := uint64(0); w.state.Actor() != env.Over; key++ {
		if s := w.state; s.turn > 0 {
			p := env.Player(key % 4)
			r.CopyFrom(s)
			r.Redeal(p, key)
			last := int16(maxNumber)
			for _, q := range r.order.slice() {
				if r.seats[q].announced > last {
					t.Fatalf("redealt for %d: the order %v does not fit the totals", p, r.order.slice())
				}
				last = r.seats[q].announced
				if r.seats[q].announced != s.seats[q].announced {
					changed++
				}
			}
			if r.seats[p].announced != s.seats[p].announced {
				t.Fatalf("player %d's own total has changed", p)
			}
		}
		w.state.Apply(w.action(), nil)
	}
	if changed == 0 {
		t.Error("no hidden total was ever drawn anew")
	}
}

// Each card that can be in a hand comes up, about as often as chance has it.
func TestRedealIsEven(t *testing.T) {
	s := openGame(t, "players=2,tiles=fixed").New().(*State)
	s.Reset(5, nil)
	w := &walker{game: s.game, state: s, rng: env.NewStream(1, "even"), mask: make(env.Mask, maskWords)}
	for s.turn < 1 {
		s.Apply(w.action(), nil)
	}
	s.game = openGame(t, "players=2,tiles=fixed,announce_totals=off") // so that any hand will do
	var seen [NumCards]int
	var r State
	const deals = 4000
	for key := range uint64(deals) {
		r.CopyFrom(s)
		r.Redeal(0, key)
		for c, n := range r.seats[1].hand {
			seen[c] += int(n)
		}
	}
	for c := range Card(NumCards) {
		unseen := int(s.deck[c] + s.seats[1].hand[c])
		if !c.IsCity() {
			unseen = 0 // the first cards are City cards
		}
		want := float64(3*deals*unseen) / 77
		if got := float64(seen[c]); got < 0.85*want || got > 1.15*want {
			t.Errorf("%s came up %v times, want about %.0f", c, got, want)
		}
	}
}

// Of all deals that fit what a player knows, listed one by one here, each comes up as often as every other:
// the totals announced (NE-020), Catastrophe cards that would have been played (NE-040), and the question asked.
func TestRedealIsExact(t *testing.T) {
	type known struct {
		hand, shown            []string
		announced, size, drawn int
		cash                   int
		known                  []string
	}
	for _, tt := range []struct {
		name, node  string
		phase, seat int
		seats       [2]known // 1 and 2
		deck        []string
		fits        func(hands [2][]Card) bool
	}{
		{
			"totals", "elect", 5, 0,
			[2]known{
				{hand: []string{"storm-defence", "law-order"}, announced: 3, size: 2, drawn: 1, shown: []string{"universities"}},
				{hand: []string{"urban-planning", "universities", "anarchists"}, announced: 3, size: 2, drawn: 2,
					shown: []string{"transport-links"}},
			},
			[]string{"law-order", "transport-links", "stock-loss-mining", "flood-local"},
			func([2][]Card) bool { return true },
		},
		{
			"a card that all have seen", "elect", 5, 0,
			[2]known{
				{hand: []string{"storm-defence", "law-order", "law-order"}, announced: 3, size: 2, drawn: 1,
					known: []string{"law-order"}},
				{hand: []string{"urban-planning", "stock-loss-energy"}, announced: 2, size: 1, drawn: 1},
			},
			[]string{"law-order", "law-order", "housing-land-use", "stock-loss-mining", "flood-local"},
			func([2][]Card) bool { return true },
		},
		{
			"odd and even totals", "elect", 5, 0,
			[2]known{
				{hand: []string{"storm-defence", "law-order", "stock-loss-mining"}, announced: 3, size: 2, drawn: 1},
				{hand: []string{"law-order", "universities"}, announced: 2, size: 2, drawn: 1, shown: []string{"urban-planning"}},
			},
			[]string{"housing-land-use", "storm-defence", "stock-loss-energy", "flood-local"},
			func([2][]Card) bool { return true },
		},
		{
			"a Catastrophe card played", "elect", 5, 0,
			[2]known{
				{hand: []string{"law-order", "flood-local"}, announced: 1, size: 2, drawn: 1, shown: []string{"anarchists"}},
				{hand: []string{"universities", "stock-loss-mining"}, announced: 1, size: 1, drawn: 1},
			},
			[]string{"law-order", "virus-local", "transport-links", "flood-general"},
			func([2][]Card) bool { return true },
		},
		{
			"a conversion", "city_zone", 4, 1,
			[2]known{
				{hand: []string{"storm-defence", "law-order", "urban-planning", "universities", "law-order"}, announced: 6, size: 4,
					drawn: 1, cash: 1},
				{hand: []string{"housing-land-use"}, announced: 2, size: 1, drawn: 1, shown: []string{"public-health"}},
			},
			[]string{"law-order", "storm-defence", "anarchists"},
			func(hands [2][]Card) bool { // four titles, two of value 2, and 1m pay for a set with Urban Planning
				var titles Cards
				for _, c := range hands[0] {
					titles |= 1 << c
				}
				cores := titles & (1<<UrbanPlanning | 1<<StormDefence | 1<<HousingLandUse)
				return titles&cityCards != 0 && (titles&cityCards).Count() >= 4 && cores.Count() >= 2 && titles.Has(UrbanPlanning)
			},
		},
	} {
		g := openGame(t, "players=3,tiles=fixed")
		s := g.New().(*State)
		s.Reset(1, nil)
		zones, seats, discard := patch{}, patch{"0": patch{"leader": "A1"}}, patch{}
		for q, letter := range []string{"A", "C", "E"} {
			for i := range 6 {
				zones[Zone(int(letter[0]-'A')*6+i).String()] = patch{"owner": q, "type": typeNames[1+i%2], "raw": 1, "sl": 1}
			}
		}
		left := g.printed
		var unseen []Card
		lie := func(names []string) {
			for _, name := range names {
				c := Card(slices.Index(cardNames[:], name))
				left[c]--
				unseen = append(unseen, c)
			}
		}
		for i, k := range tt.seats {
			shown := patch{}
			for _, name := range k.shown {
				shown[name] = 1
			}
			if k.known == nil {
				k.known = []string{}
			}
			seats[string(rune('1'+i))] = patch{"leader": []string{"C1", "E1"}[i], "hand": k.hand, "announced": k.announced,
				"announced_size": k.size,
				"drawn_since":    k.drawn, "shown_since": k.shown, "cash": k.cash, "known": k.known}
			if len(k.shown) == 0 {
				delete(seats[string(rune('1'+i))].(patch), "shown_since")
			}
			lie(k.hand)
		}
		lie(tt.deck)
		for c, n := range left {
			discard[cardNames[c]] = n
		}
		if err := env.PatchPosition(s, patch{"turn": 2, "phase": tt.phase, "node": tt.node, "seat": tt.seat,
			"active": tt.seat, "order": []int{0, 1, 2},
			"zones": zones, "seats": seats, "discard": discard, "deck": "rest"}); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}

		// Each deal of single cards, by the hands of sorts that it makes.
		want, all := map[[2]Pile]float64{}, 0.0
		var hands [2][]Card
		var fill func(rest []Card, place int)
		fill = func(rest []Card, place int) {
			if place == 2 {
				if tt.fits(hands) {
					var piles [2]Pile
					for i, hand := range hands {
						for _, c := range hand {
							piles[i][c]++
						}
					}
					want[piles]++
					all++
				}
				return
			}
			k := &tt.seats[place]
			for set := range 1 << len(rest) {
				if bits.OnesCount(uint(set)) != len(k.hand)-len(k.known) {
					continue
				}
				var out []Card
				hands[place] = nil
				for _, name := range k.known {
					hands[place] = append(hands[place], Card(slices.Index(cardNames[:], name)))
				}
				for i, c := range rest {
					if set>>i&1 != 0 {
						hands[place] = append(hands[place], c)
					} else {
						out = append(out, c)
					}
				}
				if fitsKnown(g, hands[place], k.shown, k.size, k.announced, k.drawn-1) {
					fill(out, place+1)
				}
			}
		}
		rest := slices.Clone(unseen)
		for i := range tt.seats {
			for _, name := range tt.seats[i].known {
				at := slices.Index(rest, Card(slices.Index(cardNames[:], name)))
				rest = slices.Delete(rest, at, at+1)
			}
		}
		fill(rest, 0)

		const deals = 20000
		got := map[[2]Pile]float64{}
		var r State
		for key := range uint64(deals) {
			r.CopyFrom(s)
			r.Redeal(0, key)
			got[[2]Pile{r.seats[1].hand, r.seats[2].hand}]++
		}
		chi := 0.0
		for piles, n := range want {
			e := deals * n / all
			chi += (got[piles] - e) * (got[piles] - e) / e
			delete(got, piles)
		}
		if len(got) > 0 {
			t.Errorf("%s: %d pairs of hands came up that do not fit", tt.name, len(got))
		}
		if free := float64(len(want) - 1); free < 5 || chi > free+4*math.Sqrt(2*free) {
			t.Errorf("%s: chi-square is %.0f for %d pairs of hands out of %.0f deals", tt.name, chi, len(want), all)
		}
	}
}

// fitsKnown says whether some of the hand and of what was shown make the total, and whether, if no Catastrophe
// card was played, none was held back but Stock Losses and those drawn since.
func fitsKnown(g *Game, hand []Card, shown []string, size, total, since int) bool {
	others := 0
	cards := slices.Clone(hand)
	for _, c := range hand {
		if _, loss := c.stockLoss(); !c.IsCity() && !loss {
			others++
		}
	}
	played := false
	for _, name := range shown {
		c := Card(slices.Index(cardNames[:], name))
		cards = append(cards, c)
		played = played || !c.IsCity()
	}
	if others > since && !played {
		return false
	}
	for set := range 1 << len(cards) {
		sum := 0
		for i, c := range cards {
			sum += (set >> i & 1) * g.Value(c)
		}
		if bits.OnesCount(uint(set)) == size && sum == total {
			return true
		}
	}
	return false
}

// Witnesses see what is public of each question, and nothing of the secret ones.
func TestWitnesses(t *testing.T) {
	walk(t, 2, func(w *walker) {
		s := w.state
		if s.decision == Over {
			return
		}
		for p := range env.Player(w.game.players) {
			actor := s.ActorSeenBy(p)
			hidden := actor != s.Actor()
			if hidden != (p != s.Actor() && s.scene() != openScene) {
				t.Errorf("player %d: the actor at %s is hidden: %v", p, s.decision, hidden)
			}
			if scene := s.scene(); hidden && scene != returnScene && (actor == env.Unasked) != (scene != electScene) {
				t.Errorf("player %d: the actor at %s is said to be %d", p, s.decision, actor)
			}
			m := make(env.Mask, maskWords)
			s.Legal(m)
			for _, a := range m.Append(nil) {
				text := s.WitnessedBy(p, a)
				switch {
				case hidden && text != "":
					t.Errorf("player %d sees %q at %s", p, text, s.decision)
				case p == s.Actor() && text != w.game.info.Actions[a].Text:
					t.Errorf("player %d sees %q of its own action", p, text)
				}
			}
		}
	})
	// A number is seen as its total.
	s := openGame(t, "players=2").New().(*State)
	s.Reset(1, nil)
	s.decision, s.running = AtAssignMining, 20
	other := 1 - s.Actor()
	if got := s.WitnessedBy(other, Amount(3)); got != "amount 23" {
		t.Errorf("23 machines are seen as %q", got)
	}
	if got := s.WitnessedBy(other, Plus20); got != "" {
		t.Errorf("a part of a number is seen as %q", got)
	}
}
