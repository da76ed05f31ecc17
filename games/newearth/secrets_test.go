package newearth

import (
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
			if one.scene() != scene || one.nodeSeenBy(p) != s.nodeSeenBy(p) || one.activeSeenBy(p) != s.activeSeenBy(p) {
				t.Errorf("redealt for %d: %s instead of %s", p, one.node, s.node)
				return
			}
			two.CopyFrom(s)
			two.Redeal(p, key+1)
			three.CopyFrom(&one)
			three.Redeal(p, key+1)
			if !two.Equal(&three) {
				t.Errorf("redealt for %d depends on secrets:\n%s\n%s\n%s", p, s.AppendPosition(nil), two.AppendPosition(nil), three.AppendPosition(nil))
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
		if key++; key%7 != 0 || s.turn == 0 || s.node == Over {
			return
		}
		p := env.Player(key / 7 % uint64(w.game.players))
		r.CopyFrom(s)
		r.Redeal(p, key)
		if r.seats[p].hand != s.seats[p].hand || r.seats[p].commitCards != s.seats[p].commitCards || r.seats[p].commitCash != s.seats[p].commitCash {
			t.Errorf("player %d: its own cards or cash have changed", p)
		}
		if r.board != s.board || r.discard != s.discard || r.decked != s.decked || r.hit != s.hit || r.target != s.target {
			t.Errorf("player %d: something public has changed", p)
		}
		for q := range env.Player(w.game.players) {
			a, b := &r.seats[q], &s.seats[q]
			if r.handSize(q) != s.handSize(q) || a.has != b.has || a.known != b.known || a.shown != b.shown || a.electionsUsed != b.electionsUsed {
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
			if w.game.canTotal(&hand, &a.shown, int(a.announcedSize), int(a.announced)) {
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

// Witnesses see what is public of each question, and nothing of the secret ones.
func TestWitnesses(t *testing.T) {
	walk(t, 2, func(w *walker) {
		s := w.state
		if s.node == Over {
			return
		}
		for p := range env.Player(w.game.players) {
			hidden := s.ActorSeenBy(p) == env.Hidden
			if hidden != (p != s.Actor() && s.scene() != openScene) {
				t.Errorf("player %d: the actor at %s is hidden: %v", p, s.node, hidden)
			}
			m := make(env.Mask, maskWords)
			s.Legal(m)
			for _, a := range m.Append(nil) {
				text := s.WitnessedBy(p, a)
				switch {
				case hidden && text != "":
					t.Errorf("player %d sees %q at %s", p, text, s.node)
				case p == s.Actor() && text != w.game.info.Actions[a].Text:
					t.Errorf("player %d sees %q of its own action", p, text)
				}
			}
		}
	})
	// A number is seen as its total.
	s := openGame(t, "players=2").New().(*State)
	s.Reset(1, nil)
	s.node, s.running = AtAssignMining, 20
	other := 1 - s.Actor()
	if got := s.WitnessedBy(other, Amount(3)); got != "amount 23" {
		t.Errorf("23 machines are seen as %q", got)
	}
	if got := s.WitnessedBy(other, Plus20); got != "" {
		t.Errorf("a part of a number is seen as %q", got)
	}
}
