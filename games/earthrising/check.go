package earthrising

import (
	"fmt"
	"math/bits"

	"earthgym/env"
)

// Check checks the invariants of the rules (RULES.md, section 12). An error names the field of the
// position that is impossible.
func (s *State) Check() error {
	for _, check := range []func() error{
		s.checkCards, s.checkBoard, s.checkTokens, s.checkCalendar, s.checkCast, s.checkDecision,
	} {
		if err := check(); err != nil {
			return err
		}
	}
	m := make(env.Mask, s.game.info.MaskWords())
	if s.Legal(m); (m.Count() == 0) != (s.decision == over) {
		return fmt.Errorf("phase: nothing is legal in %q", decisionIDs[s.decision])
	}
	return nil
}

// checkCards: each card lies in one place, and no strike in a hand.
func (s *State) checkCards() error {
	seen := Set(0)
	lie := func(path string, t Set) error {
		if both := seen & t; both != 0 {
			return fmt.Errorf("%s: %s lies elsewhere, too", path, both.First())
		}
		seen |= t
		return nil
	}
	for _, c := range s.deck[:s.deckSize] {
		if err := lie("deck", Only(c)); err != nil {
			return err
		}
	}
	if err := lie("discard", s.discard); err != nil {
		return err
	}
	for _, c := range s.inside.order[:s.inside.orderSize] {
		if err := lie("order", Only(c)); err != nil {
			return err
		}
	}
	if s.decision == atLooked {
		if s.inside.card.IsStrike() {
			return fmt.Errorf("card: %s is not an Influence card (ER-424)", s.inside.card)
		}
		if err := lie("card", Only(s.inside.card)); err != nil {
			return err
		}
	}
	for i := range NumCharacters {
		for _, t := range []Set{s.hand[i], s.dealt[i]} {
			if t&allStrikes != 0 {
				return fmt.Errorf("hand: %s can't be in a hand (ER-204)", (t & allStrikes).First())
			}
			if err := lie("hand", t); err != nil {
				return err
			}
		}
		if s.hand[i] != 0 && !s.inPlay.plays(Character(i)) {
			return fmt.Errorf("hand: the %s is not in play", Character(i))
		}
	}
	if seen != allCards || s.centre != 0 {
		return fmt.Errorf("deck: %s lies nowhere", (allCards &^ seen).First())
	}
	return nil
}

// checkBoard: circles, strain, segments, people.
func (s *State) checkBoard() error {
	craters, people := 0, int(s.startups)
	for x := range Sector(NumSectors) {
		path := "circle." + x.String()
		closed := ^s.openCircles(x)
		if counters := s.filled[x] &^ s.craters[x]; counters&closed != 0 {
			return fmt.Errorf("%s: a counter lies on circle %d, which is covered (ER-010)", path,
				bits.TrailingZeros8(counters&closed))
		}
		craters += bits.OnesCount8(s.craters[x])
		if s.strain[x] < 0 || s.strain[x] > s.game.full {
			return fmt.Errorf("strain.%d: %d is not in 0 to %d", x, s.strain[x], s.game.full)
		}
		if beside := sectorSet(s.game.beside[x]); s.minor.has(x) && s.major&beside != beside {
			return fmt.Errorf("minor: that of %s needs the Majors of its own and both neighbouring sectors (ER-655)", x)
		}
		// Only at the start of a turn is every sector within its tolerance.
		if s.decision == atWindow && s.inside.window == windowA && s.strain[x] > s.tolerance(x) {
			return fmt.Errorf("strain.%d: %d is more than the tolerance of %d at the start of a turn (ER-651)", x, s.strain[x],
				s.tolerance(x))
		}
		people += int(s.housed[x])
	}
	if poor := max(0, numMeeple-people); poor != int(s.poverty) {
		return fmt.Errorf("poverty: %d people are poor, not %d (ER-016)", poor, s.poverty)
	}
	most := 0
	for i, n := range s.game.data.Collapse.Cards {
		if i < int(s.collapses) {
			most += n
		}
	}
	if craters > most {
		return fmt.Errorf("circle: %d Collapse tokens after %d collapses, which place %d at most (ER-605)", craters,
			s.collapses, most)
	}
	return nil
}

// checkTokens: where ability tokens lie, and how many are supported.
func (s *State) checkTokens() error {
	if wrong := s.protest &^ s.unsustainable; wrong != 0 {
		return fmt.Errorf("protest: %s is not unsustainable on the board (ER-401)", s.side(wrong.First()))
	}
	if wrong := s.regeneration &^ s.sustainable; wrong != 0 {
		return fmt.Errorf("regeneration: %s is not sustainable on the board (ER-431)", s.side(wrong.First()))
	}
	if s.startups < 0 || s.startups > s.limit(Innovator) {
		return fmt.Errorf("startups: %d are not in 0 to %d (ER-412)", s.startups, s.limit(Innovator))
	}
	if s.decision == over {
		return nil
	}
	if (s.decision == atTrim) != s.surplus() {
		return fmt.Errorf("phase: %q with %d of %d Protest and %d of %d Regeneration tokens (ER-460)",
			decisionIDs[s.decision],
			s.protest.Count(), s.limit(Activist), s.regeneration.Count(), s.limit(Ecologist))
	}
	return nil
}

// checkCalendar: turn, year, collapses, and how the game ends.
func (s *State) checkCalendar() error {
	held := s.turn - s.year
	if held < 0 || held > min(s.collapses, maxCollapses) || held > 0 && !s.game.hold {
		return fmt.Errorf("turn: turn %d in year %d after %d collapses (ER-901)", s.turn, s.year, s.collapses)
	}
	if s.year > s.game.limit {
		return fmt.Errorf("year: %d of %d (ER-903)", s.year, s.game.limit)
	}
	if (s.collapses > maxCollapses) != (s.result == fourthCollapse) {
		return fmt.Errorf("collapses: %d with result %q (ER-904)", s.collapses, resultIDs[s.result])
	}
	if (s.decision == over) != (s.result != running) {
		return fmt.Errorf("phase: %q with result %q; the game has a result exactly if it is over", decisionIDs[s.decision],
			resultIDs[s.result])
	}
	if s.collapsed && s.collapses == 0 {
		return fmt.Errorf("collapsed: there has been no collapse")
	}
	if !s.game.sustained && s.transformed() && s.result != won {
		return fmt.Errorf("major: with all segments in the centre the game is won (ER-902)")
	}
	if s.result == won && !s.transformed() {
		return fmt.Errorf("result: a win needs %d segments in the centre (ER-002)", s.game.required)
	}
	return nil
}

// checkCast: who is in play, in which order, and who plays whom.
func (s *State) checkCast() error {
	n := int(s.castSize)
	if s.decision == atChoose {
		if !s.game.choose || n >= s.game.cast {
			return fmt.Errorf("phase: no character is left to choose")
		}
	} else {
		if n != s.game.cast {
			return fmt.Errorf("cast: %d characters, not %d", n, s.game.cast)
		}
		if !s.inPlay.plays(s.active) {
			return fmt.Errorf("active: the %s is not in play", s.active)
		}
		want := 0
		for _, x := range s.game.ring[s.cast[0]] {
			if k := Character(x); s.inPlay.plays(k) {
				if s.cast[want] != k {
					return fmt.Errorf("cast.%d: the %s does not come next clockwise (ER-202)", want, s.cast[want])
				}
				want++
			}
		}
	}
	var plays, places [env.MaxPlayers]int
	for i, k := range s.cast[:n] {
		plays[s.seat[k]]++
		places[i%s.game.players]++
	}
	if plays != places {
		return fmt.Errorf("seat: the seats play %v characters, not %v (ER-109)", plays[:s.game.players],
			places[:s.game.players])
	}
	return nil
}

// checkDecision: that the decision can be asked.
func (s *State) checkDecision() error {
	in := &s.inside
	if in.drawing == startDrawing && in.normals > s.game.drawn {
		return fmt.Errorf("normals: %d of %d", in.normals, s.game.drawn)
	}
	if (in.drawing == noDrawing) == (s.decision == atDraw || s.decision == atLooked || in.after == thenDraw) {
		return fmt.Errorf("drawing: %q in phase %q", drawingIDs[in.drawing], decisionIDs[s.decision])
	}
	switch s.decision {
	case atTrim:
		if in.after == noTrim {
			return fmt.Errorf("after: it is missing in phase %q", decisionIDs[s.decision])
		}
	case atWindow:
		if in.window == noWindow {
			return fmt.Errorf("window: it is missing in phase %q", decisionIDs[s.decision])
		}
		if !s.inPlay.plays(Climatologist) {
			return fmt.Errorf("phase: %q without the Climatologist in play (ER-444)", decisionIDs[s.decision])
		}
		if in.window != windowA && env.Player(s.seat[Climatologist]) == s.activeSeat() {
			return fmt.Errorf("window: the Climatologist is the active seat's (ER-444)")
		}
	case atDraw, atLooked:
		if s.active != Investor {
			return fmt.Errorf("phase: %q in the turn of the %s (ER-421)", decisionIDs[s.decision], s.active)
		}
	case atDiscard:
		if n := s.hand[s.active].Count(); n <= s.game.data.Turn.HandLimit {
			return fmt.Errorf("phase: %q with %d cards (ER-205)", decisionIDs[s.decision], n)
		}
	case atPay, atCircle:
		return s.checkPending(env.Action(in.pending))
	case atTo:
		if a := env.Action(in.pending); !act.give.Has(a) || !s.hand[s.active].Has(Card(a-give)) {
			return fmt.Errorf("pending: in %q it gives a card of the hand (ER-312)", decisionIDs[s.decision])
		}
	case atTokens:
		switch {
		case s.active != Activist && s.active != Ecologist:
			return fmt.Errorf("phase: %q in the turn of the %s (ER-401, ER-431)", decisionIDs[s.decision], s.active)
		case in.touched == 0,
			s.active == Activist && in.touched&^s.protest != 0,
			s.active == Ecologist && in.touched&^s.sustainable != 0:
			return fmt.Errorf("touched: these are not practices that the %s has just touched (ER-432)", s.active)
		}
	case atOrder:
		switch {
		case s.active != Politician:
			return fmt.Errorf("phase: %q in the turn of the %s (ER-451)", decisionIDs[s.decision], s.active)
		case in.orderedSize >= in.orderSize:
			return fmt.Errorf("ordered: no card is left to place")
		}
	}
	return nil
}

// checkPending checks an action that is being paid, or a practice that is being placed.
func (s *State) checkPending(a env.Action) error {
	wrong := func(why string) error {
		return fmt.Errorf("pending: %s: %s", s.game.info.Actions[a].Text, why)
	}
	switch {
	case aboutPractice(a):
		p := practiceOf(a)
		switch {
		case !s.discard.Has(p):
			return wrong("its card is not in the discard pile (ER-305)")
		case act.create.Has(a) && s.onBoard().Has(p):
			return wrong("the practice is on the board (ER-304)")
		case act.create.Has(a) && s.vacantCircles(p.Sector()) == 0:
			return wrong("no circle is vacant (ER-013)")
		case !act.create.Has(a) && !s.unsustainable.Has(p):
			return wrong("the practice is not on the board (ER-306)")
		case act.flip.Has(a) && !s.protest.Has(p):
			return wrong("no Protest token lies there (ER-404)")
		case !act.create.Has(a) && s.decision == atCircle:
			return wrong("only a new counter needs a circle (ER-012)")
		}
	case act.major.Has(a) && s.decision == atPay:
		if !s.majorClear(Sector(a - major)) {
			return wrong("the Major is not clear (ER-320)")
		}
	case act.minor.Has(a) && s.decision == atPay:
		if !s.minorClear(Sector(a - minor)) {
			return wrong("the Minor is not clear (ER-323)")
		}
	default:
		return wrong("that is not paid with a card (ER-305)")
	}
	if s.decision == atPay && pendingSector(a) == s.active.Home() {
		return wrong("at home nothing more is paid (ER-302)")
	}
	return nil
}
