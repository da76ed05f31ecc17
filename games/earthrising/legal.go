package earthrising

import "earthgym/env"

// Legal writes the legal actions of the phase.
func (s *State) Legal(m env.Mask) {
	clear(m)
	in := &s.inside
	switch s.decision {
	case atChoose:
		m.Block(choose, uint64(^s.inPlay)&(1<<NumCharacters-1))
	case atWindow:
		m.Set(done)
		s.legalMoves(m)
	case atDraw:
		if s.lookLegal() {
			m.Set(look)
		}
		if in.normals > 0 {
			m.Set(draw)
		} else {
			m.Set(done)
		}
	case atLooked:
		m.Block(to, uint64(s.inPlay&^bit(s.active)))
		m.Set(bottom)
	case atTrim:
		m.Block(token, uint64(s.tokenTargets()))
	case atDiscard:
		m.Block(discard, uint64(s.hand[s.active]))
	case atActions:
		s.legalActions(m)
	case atPay:
		m.Block(discard, uint64(s.hand[s.active].In(pendingSector(env.Action(in.pending)))))
	case atCircle:
		m.Block(circle, uint64(s.vacantCircles(pendingSector(env.Action(in.pending)))))
	case atClean:
		s.legalCleanUps(m, in.credits)
	case atTo:
		m.Block(to, uint64(s.inPlay&^bit(s.active)))
	case atTokens:
		m.Block(token, uint64(s.tokenTargets()))
		m.Set(done)
	case atOrder:
		m.Block(top, uint64(s.unordered()))
		m.Set(keep)
	}
}

// legalActions are those of step 2.
func (s *State) legalActions(m env.Mask) {
	m.Set(endTurn)
	home := s.active.Home()
	var majors, minors sectorSet // that can be transformed now
	if s.majorClear(home) {
		majors = bit(home)
	}
	if s.minorClear(home) {
		minors = bit(home)
	}
	if s.moveLegal() {
		if env.Player(s.seat[Climatologist]) == s.activeSeat() {
			s.legalMoves(m)
		} else if !s.asked {
			m.Set(ask)
		}
	}
	if s.game.talk && s.signals < maxSignals {
		m.Block(want, 1<<(2*NumSectors)-1)
	}
	if s.actions > 0 {
		hand := s.hand[s.active]
		usable := hand.In(home) // cards that can act: at home alone, elsewhere with a second one
		var creatable Set
		for x := range Sector(NumSectors) {
			cards := hand.In(x)
			if x != home && cards != 0 {
				if s.majorClear(x) {
					majors = majors.with(x)
				}
				if s.minorClear(x) {
					minors = minors.with(x)
				}
				if cards.Rest() != 0 {
					usable |= cards
				}
			}
			if cards != 0 && s.vacantCircles(x) != 0 {
				creatable |= cards
			}
		}
		m.Block(create, uint64(usable&creatable&^s.onBoard()))
		m.Block(disband, uint64(usable&s.unsustainable))
		m.Block(flip, uint64(usable&s.unsustainable&s.protest))
		s.legalCleanUps(m, int8(s.game.data.Turn.CleanUp))
		m.Block(give, uint64(hand)) // there is always somebody else in play
		m.Set(refresh)
		m.Set(draw)
		switch s.active {
		case Activist, Ecologist:
			m.Block(token, uint64(s.tokenTargets()))
		case Innovator:
			if s.newStartUps() > 0 {
				m.Set(startUp)
			}
		case Politician:
			if s.deckSize > 0 && s.limit(Politician) > 0 {
				m.Set(consult)
			}
		}
	}
	m.Block(major, uint64(majors))
	m.Block(minor, uint64(minors))
}

// legalCleanUps are removals of up to most strain from a sector (ER-310).
func (s *State) legalCleanUps(m env.Mask, most int8) {
	bits := uint64(0)
	for x, t := range s.strain {
		bits |= (1<<uint(min(t, most)) - 1) << (maxCleanUp * uint(x))
	}
	m.Block(clean, bits)
}

// legalMoves are the Climatologist's moves (ER-441).
func (s *State) legalMoves(m env.Mask) {
	if s.allowance() == 0 {
		return
	}
	to, bits := uint64(s.roomy()), uint64(0)
	for from := s.strained(); from != 0; from = from.rest() {
		x := uint(from.first())
		low := uint64(1)<<x - 1
		bits |= (to&low | to>>1&^low) << ((NumSectors - 1) * x)
	}
	m.Block(move, bits)
}
