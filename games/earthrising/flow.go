package earthrising

import "earthgym/env"

// The order of a turn (ER-201):
//
//	beginTurn ─ window A ─ draw ─ discard ─ actions ─ window C ─ strain 1 ─ strain 2 ─ recession ─ calendar
//
// Functions named after a step do it and go on with the next one until somebody has to decide.

// beginTurn begins a character's turn (ER-202).
func (s *State) beginTurn(k Character, tape *env.Tape) {
	tape.Mark("turn", env.Player(k))
	s.active = k
	s.turn++
	s.actions, s.moves, s.asked = int8(s.game.data.Turn.Actions), 0, false
	s.struck, s.collapsed, s.signals = 0, false, 0
	if s.CanMove() {
		s.decision, s.inside.window = atWindow, windowA
		return
	}
	s.drawCards(tape)
}

// drawCards is step 1 (ER-203).
func (s *State) drawCards(tape *env.Tape) {
	s.inside = inside{drawing: startDrawing, normals: s.game.drawn}
	s.goOnDrawing(tape)
}

// cutHand is ER-205: the hand limit, at this time only (ER-206).
func (s *State) cutHand() {
	s.inside = inside{}
	s.decision = atActions
	if s.hand[s.active].Count() > s.game.data.Turn.HandLimit {
		s.decision = atDiscard
	}
}

// goOnActing is step 2 after something has been done in it. The turn ends by itself when nothing else
// is legal (ER-330).
func (s *State) goOnActing(tape *env.Tape) {
	if s.decision == over {
		return
	}
	s.inside = inside{}
	s.decision = atActions
	if s.actions == 0 && !s.foreseen && !s.freeActionLegal() {
		s.endTurn(tape)
	}
}

// freeActionLegal says whether the active seat may do something that costs no action.
func (s *State) freeActionLegal() bool {
	home := s.active.Home()
	return s.majorClear(home) || s.minorClear(home) || s.moveInTurn() || s.askLegal() ||
		s.game.talk && s.signals < maxSignals
}

// endTurn ends step 2 (ER-330). The Climatologist of another seat is asked for the last time (ER-444).
func (s *State) endTurn(tape *env.Tape) {
	s.inside = inside{}
	if s.inPlay.plays(Climatologist) && env.Player(s.seat[Climatologist]) != s.activeSeat() && s.CanMove() {
		s.decision, s.inside.window = atWindow, windowC
		return
	}
	s.strain1(tape)
}

// strain1 is step 3, and strain2 step 4 with the recessions after it; both always happen (ER-515).
func (s *State) strain1(tape *env.Tape) {
	s.inside = inside{}
	s.strainFromMeeple(tape)
	if s.decision == over || s.trimNeeded(thenStrain2) {
		return
	}
	s.strain2(tape)
}

func (s *State) strain2(tape *env.Tape) {
	s.inside = inside{}
	s.strainFromPractices(tape)
	if s.decision == over {
		return
	}
	s.recede(tape)
	if s.game.sustained && s.transformed() {
		s.end(won)
		return
	}
	if s.trimNeeded(thenCalendar) {
		return
	}
	s.turnCalendar(tape)
}

// turnCalendar is step 5 (ER-901, ER-903), with the election of the solo game.
func (s *State) turnCalendar(tape *env.Tape) {
	s.inside = inside{}
	if !s.game.hold || !s.collapsed {
		if s.year == s.game.limit {
			s.end(outOfTime)
			return
		}
		s.year++
	}
	next := s.following(s.active)
	if s.game.variant == solo && int(s.turn)%s.game.data.Calendar.Election == 0 {
		next = s.elect(tape)
	}
	s.beginTurn(next, tape)
}

// following is the next character in play clockwise (ER-202).
func (s *State) following(k Character) Character {
	for _, x := range s.game.ring[k][1:] {
		if s.inPlay.plays(Character(x)) {
			return Character(x)
		}
	}
	return k
}

// spend takes one of the four actions (ER-301).
func (s *State) spend() {
	s.actions--
	s.asked = false
}

// row is what is asked.
func (s *State) row() *row { return &s.game.decisions[s.decision] }

// Legal is what the actor may do.
func (s *State) Legal(m env.Mask) { s.row().Mask(s, s.Actor(), m) }

// Why says why an action is not legal now; it is "" if it is.
func (s *State) Why(a env.Action) string { return s.row().Refusal(s, s.Actor(), a, s.game.info) }

// Apply plays a legal action of the actor and goes on to the next decision.
func (s *State) Apply(a env.Action, tape *env.Tape) { s.row().Apply(s, s.Actor(), a, tape) }

// applyAction is step 2: the four actions and the free ones.
func (s *State) applyAction(_ env.Player, a env.Action, tape *env.Tape) {
	switch {
	case a == endTurn, act.move.Has(a), a == ask, act.major.Has(a), act.minor.Has(a), act.want.Has(a), act.plan.Has(a):
	default:
		s.spend()
	}
	switch {
	case a == endTurn:
		s.endTurn(tape)
	case aboutPractice(a):
		s.affect(a, tape)
	case act.clean.Has(a):
		s.inside.credits = int8(s.game.data.Turn.CleanUp)
		s.cleanUp(a, tape)
	case act.give.Has(a):
		s.nameGift(a, tape)
	case a == refresh:
		s.refresh(tape)
		s.goOnActing(tape)
	case a == draw:
		s.inside = inside{drawing: actionDrawing, normals: 1}
		s.goOnDrawing(tape)
	case act.token.Has(a):
		s.inside = inside{}
		s.moveToken(Card(a-token), tape)
	case a == startUp:
		s.startUp()
		s.goOnActing(tape)
	case a == consult:
		s.consult(tape)
	case act.move.Has(a):
		s.move(a)
		s.goOnActing(tape)
	case a == ask:
		s.asked = true
		s.decision, s.inside.window = atWindow, windowB
	case act.major.Has(a), act.minor.Has(a):
		s.transform(a, pendingSector(a), tape)
	default:
		s.makeSignal(a, tape)
	}
}

// applyWindow is a move of the Climatologist, or the end of the window.
func (s *State) applyWindow(_ env.Player, a env.Action, tape *env.Tape) {
	if a != done {
		s.move(a)
		if s.CanMove() {
			return
		}
	}
	switch s.inside.window {
	case windowA:
		s.drawCards(tape)
	case windowB:
		s.goOnActing(tape)
	case windowC:
		s.strain1(tape)
	}
}
