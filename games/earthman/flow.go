package earthman

import "earthgym/env"

// Apply plays a legal action and goes on until somebody has a choice.
func (s *State) Apply(a env.Action, tape *env.Tape) {
	s.made++
	s.play(a, tape)
	s.run(tape)
}

// run plays everything in which nobody has a choice (EB-007).
func (s *State) run(tape *env.Tape) {
	for s.phase != IsOver {
		if s.decision == NoDecision {
			s.proceed(tape)
			continue
		}
		s.findLegal()
		a, forced := s.legal().Only()
		switch {
		case forced:
			tape.Mark("forced", env.Player(s.seat))
			s.play(a, tape)
		case int(s.made) >= s.game.maxDecisions: // EB-333
			s.finish(endLimit, s.leaders())
		default:
			return
		}
	}
	s.legal().Clear()
}

// open asks a seat.
func (s *State) open(at Decision, p env.Player) { s.decision, s.seat = at, int8(p) }

// startTurn begins the turn of a seat with Score (EB-002).
func (s *State) startTurn(p env.Player, tape *env.Tape) {
	tape.Mark("turn", p)
	s.actor, s.phase = int8(p), InScore
	s.score(tape)
	if s.phase == IsOver { // EB-271
		return
	}
	s.testTrigger(p)
	if s.testAlone(p) {
		return
	}
	s.phase = InAccord
	if int(s.round) >= s.game.accordFrom {
		s.open(AtAccord, p)
	}
}

// proceed does the next thing that nobody decides, or asks somebody. A payment comes before all else;
// what follows it stands in pending.
func (s *State) proceed(tape *env.Tape) {
	if s.pay.seat >= 0 {
		s.proceedPayment()
		return
	}
	switch s.phase {
	case InPrelude:
		s.nextPrelude(tape)
	case InAccord:
		s.startRisk()
	case InRisk:
		s.proceedRisk(tape)
	case InMove:
		s.proceedMove(tape)
	case InFleet:
		s.proceedFleet(tape)
	case InDev:
		s.proceedDev(tape)
	case InAssist:
		s.proceedAssist()
	case InSpy:
		s.endSpy(tape)
	case InShare:
		s.open(AtShare, env.Player(s.actor))
	case InTransfer:
		s.proceedTransfer(tape)
	}
}

// begin goes on to a phase.
func (s *State) begin(p Phase, first step) {
	s.phase = p
	s.pending = nothing
	s.pending.step = first
}

// The steps of a turn, each begun when the one before it is over (EB-002).

func (s *State) startRisk() { s.begin(InRisk, riskFleets) }

func (s *State) startMove() {
	s.begin(InMove, moveExtra)
	my := &s.seats[s.actor]
	s.pending.extra = int8(my.level[Spaceflight])
	if my.level[Launch] > 0 {
		s.pending.step = moveEarly
	}
}

func (s *State) startFleet() {
	s.arrived = [NumWorlds]Fleets{}
	s.begin(InFleet, noStep)
}

func (s *State) startDev() { s.begin(InDev, noStep) }

func (s *State) startAssist() {
	s.begin(InAssist, noStep)
	if s.assisted(env.Player(s.actor)) {
		s.open(AtAssist, env.Player(s.actor))
	}
}

func (s *State) startSpy() {
	s.begin(InSpy, noStep)
	if s.game.espionage {
		s.open(AtSpy, env.Player(s.actor))
	}
}

// endSpy ends the Espionage step: fleets that were put aside come back (EB-184).
func (s *State) endSpy(tape *env.Tape) {
	my := &s.seats[s.actor]
	tape.Mark("aside", env.Player(s.actor))
	my.resource += int32(my.aside)
	my.aside = 0
	if s.game.collab {
		s.begin(InShare, noStep)
	} else {
		s.startTransfer()
	}
}

func (s *State) startTransfer() { s.begin(InTransfer, noStep) }

// endTurn is the end of a turn, and of the round after the last seat's.
func (s *State) endTurn(tape *env.Tape) {
	p := env.Player(s.actor)
	s.pending = nothing
	if level := int(s.seats[p].level[AI]); int(s.seats[p].thoughts) < level { // EB-250
		tape.Mark("thinks", p)
		s.setThoughts(p, level)
	}
	next := s.clockwise(p, 1)
	if next == env.Player(s.first) {
		if int(s.round) == s.game.rounds { // EB-262
			s.trigger = true
		}
		if s.trigger {
			s.finalScore(tape)
			return
		}
		s.round++
	}
	s.startTurn(next, tape)
}
