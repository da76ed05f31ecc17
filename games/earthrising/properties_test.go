package earthrising

import (
	"testing"

	"earthgym/env"
)

// roam plays random games of every variant, cleaning up more often than not so that they last, and shows
// every position with the action that is about to be played.
func roam(t *testing.T, games uint64, visit func(s *State, a env.Action)) {
	t.Helper()
	for _, v := range Rulebook().Variants {
		g := openGame(t, v[len(name)+1:])
		s := g.New().(*State)
		pick := env.NewStream(7, v)
		m := make(env.Mask, g.info.MaskWords())
		for seed := range games {
			for s.Reset(seed, nil); s.Actor() != env.Over; {
				s.Legal(m)
				a := m.Nth(pick.Below(m.Count()))
				for range 3 { // end turns are for later, and cleaning comes first
					if a == endTurn || a < clean && pick.Below(3) == 0 {
						a = m.Nth(pick.Below(m.Count()))
					}
				}
				visit(s, a)
				s.Apply(a, nil)
			}
		}
	}
}

// TestStrainIsConserved is invariants 13 and 14: what Clean Ups, moves, phases and recessions do to all
// strain together.
func TestStrainIsConserved(t *testing.T) {
	var c State
	roam(t, 6, func(s *State, a env.Action) {
		c = *s
		before := s.total()
		switch {
		case act.clean.Has(a): // ER-310, ER-311: the tokens that this part removes
			n := int(a-clean)%maxCleanUp + 1
			if c.Plan(a); c.total() != before-n {
				t.Fatalf("ER-310: %s took %d of %d strain", s.ActionText(a), before-c.total(), before)
			}
			if left := s.inside.credits; s.decision == atClean && c.decision == atActions && int(left) != n && c.total() > 0 {
				t.Fatalf("ER-311: the Clean Up ended with %d of %d left", left, n)
			}
		case act.move.Has(a) && s.decision == atActions: // ER-441
			if c.Plan(a); c.total() != before {
				t.Fatalf("ER-441: %s changed all strain from %d to %d", s.ActionText(a), before, c.total())
			}
		case a == endTurn:
			c.foreseen = true
			m := int(c.meepleStrain())
			c.strainFromMeeple(nil)
			fell := 10 * int(c.collapses-s.collapses)
			if c.decision == over {
				return
			}
			if got := c.total() - before; got != m-fell {
				t.Fatalf("ER-511, ER-603: M is %d, strain rose by %d with %d collapses", m, got, c.collapses-s.collapses)
			}
			before, collapses, strain := c.total(), c.collapses, c.strain
			nets, floors := 0, 0
			for x := range Sector(NumSectors) {
				nets += int(c.net(x))
				floors += max(0, -int(strain[x]+c.net(x)))
			}
			c.strainFromPractices(nil)
			if got := c.total() - before; c.decision != over && collapses == c.collapses && got != nets+floors {
				t.Fatalf("ER-514: the nets are %d, %d of it below 0, strain rose by %d: %v to %v", nets, floors, got, strain,
					c.strain)
			}
			if c.decision == over {
				return
			}
			strain = c.strain
			if c.recede(nil); c.strain != strain {
				t.Fatalf("ER-654: a recession changed the strain from %v to %v", strain, c.strain)
			}
		}
	})
}

// TestTurnsAreBounded is invariant 20: at most 300 decisions a turn, and at most four actions.
func TestTurnsAreBounded(t *testing.T) {
	turn, decisions, most := int8(0), 0, 0
	roam(t, 3, func(s *State, _ env.Action) {
		if decisions++; s.turn != turn {
			turn, decisions = s.turn, 0
		}
		most = max(most, decisions)
		if s.actions < 0 || s.actions > 4 || s.signals > maxSignals {
			t.Fatalf("ER-301, ER-925: %d actions, %d signals", s.actions, s.signals)
		}
	})
	if most > 300 {
		t.Errorf("a turn had %d decisions", most)
	}
}

// TestNamesDontMatter is invariant 19: with the practices of every sector renamed, and their cards with
// them, the same things are legal and come of it.
func TestNamesDontMatter(t *testing.T) {
	// Practice p of a sector becomes practice p + 3, round the seven.
	rename := func(c Card) Card {
		if c.IsStrike() {
			return c
		}
		return Card(int(c.Sector())*perSector + (int(c.place())+3)%perSector)
	}
	set := func(t Set) (r Set) {
		for ; t != 0; t = t.Rest() {
			r |= Only(rename(t.First()))
		}
		return r
	}
	action := func(a env.Action) env.Action {
		for _, first := range []env.Action{create, disband, flip, give, token, discard} {
			if a >= first && a < first+numPractices {
				return first + env.Action(rename(Card(a-first)))
			}
		}
		return a
	}
	renamed := func(s *State) *State {
		r := *s
		for x := range r.circle {
			for i, v := range r.circle[x] {
				if v != vacant && v != crater {
					r.circle[x][i] = (v-1+3)%perSector + 1
				}
			}
		}
		for _, t := range []*Set{&r.sustainable, &r.unsustainable, &r.protest, &r.regeneration, &r.discard,
			&r.inside.touched} {
			*t = set(*t)
		}
		for k := range r.hand {
			r.hand[k], r.dealt[k] = set(r.hand[k]), set(r.dealt[k])
		}
		for p := range r.knownTo {
			r.knownTo[p] = set(r.knownTo[p])
		}
		for i := range r.deckSize {
			r.deck[i] = rename(r.deck[i])
		}
		for i := range r.inside.orderSize {
			r.inside.order[i] = rename(r.inside.order[i])
		}
		if r.decision == atLooked {
			r.inside.card = rename(r.inside.card)
		}
		r.inside.pending = int16(action(env.Action(r.inside.pending)))
		return &r
	}
	roam(t, 2, func(s *State, a env.Action) {
		r := renamed(s)
		words := len(s.game.info.Actions)/64 + 1
		m, n, want := make(env.Mask, words), make(env.Mask, words), make(env.Mask, words)
		s.Legal(m)
		r.Legal(n)
		for _, b := range m.Append(nil) {
			want.Set(action(b))
		}
		for i := range n {
			if n[i] != want[i] {
				t.Fatalf("%s is legal, but by other names %s", env.LegalTexts(s), env.LegalTexts(r))
			}
		}
		c := *s
		c.Apply(a, nil)
		r.Apply(action(a), nil)
		if c.turn == s.turn && c.luck == s.luck && *renamed(&c) != *r {
			t.Fatalf("%s comes out differently by another name", s.ActionText(a))
		}
	})
}
