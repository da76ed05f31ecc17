package earthrising

import (
	"math/bits"

	"earthgym/env"
	"earthgym/env/form"
)

// Check checks the invariants of the rules (RULES.md, section 12). An error names the field of the
// position that is impossible.
func (s *State) Check() error {
	return form.FirstFault(s.checkCards, s.checkBoard, s.checkTokens, s.checkCalendar, s.checkCast, s.checkDecision,
		func(f *form.Faults) {
			m := make(env.Mask, s.game.info.MaskWords())
			s.Legal(m)
			f.Need((m.Count() == 0) == (s.decision == over), "phase: nothing is legal in %q", s.row().Name)
		})
}

// checkCards: each card lies in one place, and no strike in a hand.
func (s *State) checkCards(f *form.Faults) {
	seen := Set(0)
	lie := func(path string, t Set) {
		f.Need(seen&t == 0, "%s: %s lies elsewhere, too", path, (seen & t).First())
		seen |= t
	}
	for _, c := range s.deck[:s.deckSize] {
		lie("deck", Only(c))
	}
	lie("discard", s.discard)
	for _, c := range s.inside.order[:s.inside.orderSize] {
		lie("order", Only(c))
	}
	if s.decision == atLooked {
		f.Need(!s.inside.card.IsStrike(), "card: %s is not an Influence card (ER-424)", s.inside.card)
		lie("card", Only(s.inside.card))
	}
	for i := range NumCharacters {
		for _, t := range []Set{s.hand[i], s.dealt[i]} {
			f.Need(t&allStrikes == 0, "hand: %s can't be in a hand (ER-204)", (t & allStrikes).First())
			lie("hand", t)
		}
		f.Need(s.hand[i] == 0 || s.inPlay.plays(Character(i)), "hand: the %s is not in play", Character(i))
	}
	f.Need(seen == allCards && s.centre == 0, "deck: %s lies nowhere", (allCards &^ seen).First())
}

// checkBoard: circles, strain, segments, people.
func (s *State) checkBoard(f *form.Faults) {
	craters, people := 0, int(s.startups)
	for x := range Sector(NumSectors) {
		covered := s.filled[x] &^ s.craters[x] &^ s.openCircles(x)
		f.Need(covered == 0, "circle.%s: a counter lies on circle %d, which is covered (ER-010)", x,
			bits.TrailingZeros8(covered))
		craters += bits.OnesCount8(s.craters[x])
		f.Need(s.strain[x] >= 0 && s.strain[x] <= s.game.full, "strain.%d: %d is not in 0 to %d", x, s.strain[x],
			s.game.full)
		beside := sectorSet(s.game.beside[x])
		f.Need(!s.minor.has(x) || s.major&beside == beside,
			"minor: that of %s needs the Majors of its own and both neighbouring sectors (ER-655)", x)
		// Only at the start of a turn is every sector within its tolerance.
		started := s.decision == atWindow && s.inside.window == windowA
		f.Need(!started || s.strain[x] <= s.tolerance(x),
			"strain.%d: %d is more than the tolerance of %d at the start of a turn (ER-651)", x, s.strain[x], s.tolerance(x))
		people += int(s.housed[x])
	}
	poor := max(0, numMeeple-people)
	f.Need(poor == int(s.poverty), "poverty: %d people are poor, not %d (ER-016)", poor, s.poverty)
	most := 0
	for i, n := range s.game.data.Collapse.Cards {
		if i < int(s.collapses) {
			most += n
		}
	}
	f.Need(craters <= most, "circle: %d Collapse tokens after %d collapses, which place %d at most (ER-605)", craters,
		s.collapses, most)
}

// checkTokens: where ability tokens lie, and how many are supported.
func (s *State) checkTokens(f *form.Faults) {
	for wrong := s.protest &^ s.unsustainable; wrong != 0; wrong = wrong.Rest() {
		f.Need(false, "protest: %s is not unsustainable on the board (ER-401)", s.side(wrong.First()))
	}
	for wrong := s.regeneration &^ s.sustainable; wrong != 0; wrong = wrong.Rest() {
		f.Need(false, "regeneration: %s is not sustainable on the board (ER-431)", s.side(wrong.First()))
	}
	f.Need(s.startups >= 0 && s.startups <= s.limit(Innovator), "startups: %d are not in 0 to %d (ER-412)", s.startups,
		s.limit(Innovator))
	f.Need(s.decision == over || (s.decision == atTrim) == s.surplus(),
		"phase: %q with %d of %d Protest and %d of %d Regeneration tokens (ER-460)", s.row().Name,
		s.protest.Count(), s.limit(Activist), s.regeneration.Count(), s.limit(Ecologist))
}

// checkCalendar: turn, year, collapses, and how the game ends.
func (s *State) checkCalendar(f *form.Faults) {
	held := s.turn - s.year
	f.Need(held == 0 || held > 0 && held <= min(s.collapses, maxCollapses) && s.game.hold,
		"turn: turn %d in year %d after %d collapses (ER-901)", s.turn, s.year, s.collapses)
	f.Need(s.year <= s.game.limit, "year: %d of %d (ER-903)", s.year, s.game.limit)
	f.Need((s.collapses > maxCollapses) == (s.result == fourthCollapse), "collapses: %d with result %q (ER-904)",
		s.collapses, resultIDs[s.result])
	f.Need((s.decision == over) == (s.result != running),
		"phase: %q with result %q; the game has a result exactly if it is over", s.row().Name, resultIDs[s.result])
	f.Need(!s.collapsed || s.collapses > 0, "collapsed: there has been no collapse")
	f.Need(s.game.sustained || !s.transformed() || s.result == won,
		"major: with all segments in the centre the game is won (ER-902)")
	f.Need(s.result != won || s.transformed(), "result: a win needs %d segments in the centre (ER-002)", s.game.required)
}

// checkCast: who is in play, in which order, and who plays whom.
func (s *State) checkCast(f *form.Faults) {
	n := int(s.castSize)
	if s.decision == atChoose {
		f.Need(s.game.choose && n < s.game.cast, "phase: no character is left to choose")
	} else {
		f.Need(n == s.game.cast, "cast: %d characters, not %d", n, s.game.cast)
		f.Need(s.inPlay.plays(s.active), "active: the %s is not in play", s.active)
		want := 0
		for _, x := range s.game.ring[s.cast[0]] {
			if k := Character(x); s.inPlay.plays(k) {
				f.Need(s.cast[want] == k, "cast.%d: the %s does not come next clockwise (ER-202)", want, s.cast[want])
				want++
			}
		}
	}
	var plays, places [env.MaxPlayers]int
	for i, k := range s.cast[:n] {
		plays[s.seat[k]]++
		places[i%s.game.players]++
	}
	f.Need(plays == places, "seat: the seats play %v characters, not %v (ER-109)", plays[:s.game.players],
		places[:s.game.players])
}

// checkDecision: that the decision can be asked.
func (s *State) checkDecision(f *form.Faults) {
	in, phase := &s.inside, s.row().Name
	f.Need(in.drawing != startDrawing || in.normals <= s.game.drawn, "normals: %d of %d", in.normals, s.game.drawn)
	f.Need((in.drawing != noDrawing) == (s.decision == atDraw || s.decision == atLooked || in.after == thenDraw),
		"drawing: %q in phase %q", drawingIDs[in.drawing], phase)
	switch s.decision {
	case atTrim:
		f.Need(in.after != noTrim, "after: it is missing in phase %q", phase)
	case atWindow:
		f.Need(in.window != noWindow, "window: it is missing in phase %q", phase)
		f.Need(s.inPlay.plays(Climatologist), "phase: %q without the Climatologist in play (ER-444)", phase)
		f.Need(in.window == windowA || env.Player(s.seat[Climatologist]) != s.activeSeat(),
			"window: the Climatologist is the active seat's (ER-444)")
	case atDraw, atLooked:
		f.Need(s.active == Investor, "phase: %q in the turn of the %s (ER-421)", phase, s.active)
	case atDiscard:
		n := s.hand[s.active].Count()
		f.Need(n > s.game.data.Turn.HandLimit, "phase: %q with %d cards (ER-205)", phase, n)
	case atPay, atCircle:
		s.checkPending(f, env.Action(in.pending))
	case atTo:
		a := env.Action(in.pending)
		f.Need(act.give.Has(a) && s.hand[s.active].Has(Card(a-give)),
			"pending: in %q it gives a card of the hand (ER-312)", phase)
	case atTokens:
		f.Need(s.active == Activist || s.active == Ecologist, "phase: %q in the turn of the %s (ER-401, ER-431)", phase,
			s.active)
		may := s.sustainable
		if s.active == Activist {
			may = s.protest
		}
		f.Need(in.touched != 0 && in.touched&^may == 0,
			"touched: these are not practices that the %s has just touched (ER-432)", s.active)
	case atOrder:
		f.Need(s.active == Politician, "phase: %q in the turn of the %s (ER-451)", phase, s.active)
		f.Need(in.orderedSize < in.orderSize, "ordered: no card is left to place")
	}
}

// checkPending checks an action that is being paid, or a practice that is being placed.
func (s *State) checkPending(f *form.Faults, a env.Action) {
	need := func(holds bool, why string) { f.Need(holds, "pending: %s: %s", s.game.info.Actions[a].Text, why) }
	switch {
	case aboutPractice(a):
		p, creates := practiceOf(a), act.create.Has(a)
		need(s.discard.Has(p), "its card is not in the discard pile (ER-305)")
		need(!creates || !s.onBoard().Has(p), "the practice is on the board (ER-304)")
		need(!creates || s.vacantCircles(p.Sector()) != 0, "no circle is vacant (ER-013)")
		need(creates || s.unsustainable.Has(p), "the practice is not on the board (ER-306)")
		need(!act.flip.Has(a) || s.protest.Has(p), "no Protest token lies there (ER-404)")
		need(creates || s.decision != atCircle, "only a new counter needs a circle (ER-012)")
	case act.major.Has(a) && s.decision == atPay:
		need(s.majorClear(Sector(a-major)), "the Major is not clear (ER-320)")
	case act.minor.Has(a) && s.decision == atPay:
		need(s.minorClear(Sector(a-minor)), "the Minor is not clear (ER-323)")
	default:
		need(false, "that is not paid with a card (ER-305)")
	}
	if f.Err == nil && s.decision == atPay {
		need(pendingSector(a) != s.active.Home(), "at home nothing more is paid (ER-302)")
	}
}
