package earthrising

import (
	"earthgym/env"
	"earthgym/env/form"
)

// legalActions are those of step 2.
func (s *State) legalActions(m env.Mask, _ env.Player) {
	m.Set(endTurn)
	home := s.active.Home()
	var majors, minors sectorSet // that can be transformed now
	if s.majorClear(home) {
		majors = bit(home)
	}
	if s.minorClear(home) {
		minors = bit(home)
	}
	if s.CanMove() {
		if env.Player(s.seat[Climatologist]) == s.activeSeat() {
			m.Block(move, s.movable(0))
		} else if !s.asked {
			m.Set(ask)
		}
	}
	if s.game.talk && s.signals < maxSignals {
		m.Block(want, 1<<(2*NumSectors)-1)
	}
	if s.actions > 0 {
		hand := s.hand[s.active]
		usable := hand & Of(home) // cards that can act: at home alone, elsewhere with a second one
		var creatable Set
		for x := range Sector(NumSectors) {
			cards := hand & Of(x)
			if x != home && cards != 0 {
				if s.majorClear(x) {
					majors = majors.with(x)
				}
				if s.minorClear(x) {
					minors = minors.with(x)
				}
				usable |= form.When(cards.Rest() != 0, cards)
			}
			creatable |= form.When(cards != 0 && s.vacantCircles(x) != 0, cards)
		}
		m.Block(create, uint64(usable&creatable&^s.onBoard()))
		m.Block(disband, uint64(usable&s.unsustainable))
		m.Block(flip, uint64(usable&s.unsustainable&s.protest))
		m.Block(clean, s.cleanable(int8(s.game.data.Turn.CleanUp)))
		m.Block(give, uint64(hand)) // there is always somebody else in play
		m.Set(refresh)
		m.Set(draw)
		switch s.active {
		case Activist, Ecologist:
			m.Block(token, uint64(s.tokenTargets()))
		case Innovator:
			m.SetIf(s.newStartUps() > 0, startUp)
		case Politician:
			m.SetIf(s.deckSize > 0 && s.limit(Politician) > 0, consult)
		}
	}
	m.Block(major, uint64(majors))
	m.Block(minor, uint64(minors))
}

// cleanable are removals of up to most strain from a sector (ER-310).
func (s *State) cleanable(most int8) (bits uint64) {
	for x, t := range s.strain {
		bits |= (1<<uint(min(t, most)) - 1) << (maxCleanUp * uint(x))
	}
	return bits
}

// movable are the Climatologist's moves (ER-441).
func (s *State) movable(env.Player) (bits uint64) {
	if s.allowance() == 0 {
		return 0
	}
	to := uint64(s.roomy())
	for from := s.strained(); from != 0; from = from.rest() {
		x := uint(from.first())
		low := uint64(1)<<x - 1
		bits |= (to&low | to>>1&^low) << ((NumSectors - 1) * x)
	}
	return bits
}
