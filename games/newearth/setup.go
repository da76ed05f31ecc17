package newearth

import (
	"earthgym/env"
	"earthgym/env/form"
)

// Reset lays the board and leads to the first decision of the set-up (NE-006, NE-010).
func (s *State) Reset(seed uint64, tape *env.Tape) {
	s.clear()
	env.SeedStreams(s.luck[:], s.game.info.Streams, seed)
	s.setUpBoard(tape)
	for z := range Zone(NumZones) {
		s.makeRoom(z)
	}
	s.level[0] = allZones
	for c := range NumTitles {
		s.deck[c] = s.game.printed[c]
		s.decked += int16(s.deck[c])
	}
	if s.game.free {
		s.ask(AtSetupClaim, s.claimant())
	} else {
		s.ask(AtSetupTile, s.setupOrder.at(0))
	}
	s.run(tape)
}

// freeTiles are the home tiles that nobody has taken.
func (s *State) freeTiles() uint64 {
	var free uint64
	for k, place := range s.sectors {
		if s.game.home[k] && s.Owner(place.at(slotI)) == nobody {
			free |= 1 << place.tile
		}
	}
	return free
}

// takeTile gives a home tile to the seat.
func (s *State) takeTile(p env.Player, t int) {
	s.owned[p] = tile(t)
	if i := s.setupOrder.place(p) + 1; i < s.game.players {
		s.ask(AtSetupTile, s.setupOrder.at(i))
		return
	}
	s.ask(AtSetupMine, s.setupOrder.at(0))
}

// Claimed are the zones that have an owner.
func (s *State) Claimed() Zones {
	return s.owned[0] | s.owned[1] | s.owned[2] | s.owned[3]
}

// claimant is whose claim comes next in the free set-up: the first seat that has not claimed in this
// round, which starts one seat later than the round before (NE-010).
func (s *State) claimant() env.Player {
	n := s.game.players
	round := s.Claimed().Count() / n
	for i := range n {
		if p := s.setupOrder.at((round + i) % n); s.owned[p].Count() == round {
			return p
		}
	}
	return s.setupOrder.at(0)
}

// claimable is NE-010 and NE-011: an adjacent free zone, unless it takes the only option of another seat.
func (s *State) claimable(p env.Player) Zones {
	free := s.inPlay &^ s.Claimed()
	allowed := s.options(s.owned[p], free)
	if allowed == 0 {
		return free
	}
	protected := allowed
	for q := range env.Player(s.game.players) {
		if q == p || s.owned[q].Count() == tileZones {
			continue
		}
		if options := s.options(s.owned[q], free); options.Rest() == 0 {
			protected &^= options // the last one
			if options == 0 {
				return allowed // no claim leaves everybody an option
			}
		}
	}
	if s.owned[p].Count()+1 < tileZones {
		for rest := protected; rest != 0; rest = rest.Rest() {
			z := rest.First()
			protected &^= form.When(s.options(s.owned[p]|only(z), free&^only(z)) == 0, only(z))
		}
	}
	if protected == 0 {
		return allowed
	}
	return protected
}

// options are the free zones next to a seat's claims, or all of them before its first.
func (s *State) options(claims, free Zones) Zones {
	if claims == 0 {
		return free
	}
	return s.around(claims) & free
}

// claim gives a zone to the seat.
func (s *State) claim(p env.Player, z Zone) {
	s.owned[p] |= only(z)
	if s.Claimed().Count() < s.game.players*tileZones {
		s.ask(AtSetupClaim, s.claimant())
		return
	}
	s.ask(AtSetupMine, s.setupOrder.at(0))
}

// mines of a seat at the set-up.
const startMines = 3

// minable are the zones that the seat may pick as mining zones: in ascending order, leaving enough.
func (s *State) minable(p env.Player) Zones {
	own := s.owned[p]
	if last := s.pickedZones; last != 0 {
		for rest := own; rest != 0; rest = rest.Rest() {
			own &^= form.When(only(rest.First()) <= last, only(rest.First()))
		}
	}
	left := startMines - s.pickedZones.Count()
	var legal Zones
	for ; own.Count() >= left; own = own.Rest() {
		legal |= only(own.First())
	}
	return legal
}

// mine picks a mining zone. After the last the seat's workers stand: all other zones are energy zones
// (NE-003, NE-006).
func (s *State) mine(p env.Player, z Zone) {
	s.pickedZones |= only(z)
	if s.pickedZones.Count() < startMines {
		return
	}
	s.mining |= s.pickedZones
	s.energy |= s.owned[p] &^ s.pickedZones
	s.pickedZones = 0
	for own := s.owned[p]; own != 0; own = own.Rest() {
		s.put(own.First(), Worker, 1)
		s.setLevel(own.First(), 1)
	}
	s.decision = AtSetupPlant
}

// placePlant puts the first plant and its worker (NE-005).
func (s *State) placePlant(z Zone) {
	s.plants |= only(z)
	s.put(z, Maker, 1)
	s.decision = AtSetupLeader
}

// placeLeader puts the leader; then the next seat places, or the game begins.
func (s *State) placeLeader(p env.Player, z Zone, tape *env.Tape) {
	s.seats[p].leader = z
	s.leaders |= only(z)
	if i := s.setupOrder.place(p) + 1; i < s.game.players {
		s.ask(AtSetupMine, s.setupOrder.at(i))
		return
	}
	tape.Mark("stock", env.Over)
	start := &s.game.data.Start
	for q := range s.game.players {
		s.seats[q].has = holdings{
			int32(start.Stock.Mining), int32(start.Stock.Energy), int32(start.Stock.Manufacturing), int32(start.Goods),
			int32(start.Cash)}
	}
	s.deal(tape)
	s.startTurn(tape)
}
