package newearth

import (
	"fmt"

	"earthgym/env"
	"earthgym/env/form"
)

// A Kind is something that a seat owns a number of.
type Kind int8

// What a seat owns.
const (
	Mining Kind = iota
	Energy
	Manufacturing
	Goods
	Cash
	numKinds
	numUnits = Goods // sorts of units
)

var kindNames = [numKinds]string{"mining", "energy", "manufacturing", "goods", "cash"}

// String is the kind as actions write it.
func (k Kind) String() string { return kindNames[k] }

// holdings are a number of each kind.
type holdings [numKinds]int32

// covers says whether h is enough for a price.
func (h *holdings) covers(price *holdings) bool {
	return h[Mining] >= price[Mining] && h[Energy] >= price[Energy] && h[Manufacturing] >= price[Manufacturing] &&
		h[Goods] >= price[Goods] && h[Cash] >= price[Cash]
}

// pay takes a price that h covers.
func (h *holdings) pay(price *holdings) {
	for k := range h {
		h[k] -= price[k]
	}
}

// receive adds.
func (h *holdings) receive(what *holdings) {
	for k := range h {
		h[k] += what[k]
	}
}

// A Unit is a piece that stands in a zone.
type Unit int8

// The pieces, in the order of `arrived`.
const (
	Machine Unit = iota
	Worker       // raw worker: mining or energy by the type of the zone
	Maker        // manufacturing worker
	numPieces
	noUnit Unit = -1
)

var unitNames = [numPieces]string{"machine", "worker", "mfg"}

// The phases of a turn, and those before and after (RULES.md 3).
const (
	phaseSetUp = iota
	phaseCatastrophes
	phaseProduction
	phaseIncome
	phaseConsumption
	phaseElections
	phaseLeader
	phaseOver
)

// A Storm is the guise of El Gigante.
type Storm int8

// The storms.
const (
	noStorm Storm = iota
	drawStorm
	Violent // all zones count
	Super   // cities and fortified cities
	Mega    // fortified cities
	numStorms
)

// stormNames are the values of the option end and of the position, none first.
var stormNames = [numStorms]string{"", "draw", "violent", "super", "mega"}

// A seatList is an ordered list of seats. Unused places are 0.
type seatList struct {
	n    int8
	seat [maxPlayers]int8
}

func (l *seatList) add(p env.Player) {
	l.seat[l.n] = int8(p)
	l.n++
}

// at is the seat at a place of the list.
func (l *seatList) at(i int) env.Player { return env.Player(l.seat[i]) }

// place is where p stands in the list, or -1.
func (l *seatList) place(p env.Player) int {
	for i := range int(l.n) {
		if l.seat[i] == int8(p) {
			return i
		}
	}
	return -1
}

func (l *seatList) has(p env.Player) bool { return l.place(p) >= 0 }

// take removes and gives the first seat; the list must not be empty.
func (l *seatList) take() env.Player {
	p := l.at(0)
	l.remove(p)
	return p
}

func (l *seatList) remove(p env.Player) {
	for i := l.place(p); i < int(l.n)-1; i++ {
		l.seat[i] = l.seat[i+1]
	}
	l.n--
	l.seat[l.n] = 0
}

// slice is the list as a slice of the State.
func (l *seatList) slice() []int8 { return l.seat[:l.n] }

// nobody stands for no seat.
const nobody env.Player = -1

// A seat is one player's mat, hand and counters.
type seat struct {
	has    holdings
	leader Zone // NoZone before it is placed
	hand   Pile // committed cards not included

	// Of this turn:
	electionsUsed int8
	offersUsed    int8
	movesUsed     int16
	expended      int32 // goods spent in phase 4
	finished      bool  // its first production turn is over
	reopened      bool  // NE-107: due or running

	commitCash  int32 // -1: none; still part of the cash until it is revealed
	commitCards Cards

	known         Cards // titles that the others have seen in this hand
	announced     int16 // hand total when the order was made
	announcedSize int8  // cards held then
	drawn         int16 // cards drawn since
	shown         Pile  // cards that have left the hand face up since
}

// An offer of goods, units and cash to another seat (NE-106).
type offer struct {
	partner   int8 // -1: none
	give      holdings
	want      holdings
	giveTerms int8
	wantTerms int8
}

// layout is what lies on the tiles.
type layout struct {
	sectors [NumTiles]place

	raw, makers, machines, sl [NumZones]int8

	owned          [maxPlayers]Zones
	mining, energy Zones // by type
	plants         Zones
	cities, forts  Zones // forts are among the cities
	affected       Zones
	elected        Zones // had their election this turn
	converted      Zones // became cities this turn
	raised         Zones // this turn
	arrived        [NumZones][numPieces]int8
}

// position is all that the position JSON says, in the same order.
type position struct {
	layout

	turn, phase   int8
	decision      Decision
	seat, active  int8
	queue         seatList
	setupOrder    seatList
	order         seatList
	seats         [maxPlayers]seat
	deck, discard Pile

	catastrophe Card // being resolved
	hit         Zones
	used        [maxPlayers]Cards // titles played against it

	target    Zone // of the election
	defender  int8 // -1: neutral
	claimants seatList
	contested bool

	offer    offer
	running  int32
	assigned int32
	placing  int8

	chosenZone  Zone
	chosenCard  Card
	chosenUnit  Unit
	pickedZones Zones
	pickedCards Cards

	storm      Storm
	stormCards [2]Card
	totals     [maxPlayers]int32
	winners    env.Seats
}

// derived follows from the position.
type derived struct {
	inPlay   Zones
	near     [NumZones]Zones
	room     Zones               // for a worker
	bays     Zones               // for a machine
	level    [maxLevel + 1]Zones // zones at this Society Level
	leaders  Zones
	stocked  Zones // with any pieces
	arrivals Zones // with pieces that arrived this turn
	held     [maxPlayers]Cards
	size     [maxPlayers]int8 // of the hand
	decked   int16            // cards in the deck
	discards int16            // and on the discard pile
	mask     [maskWords]uint64
}

// State is a position of New Earth and its luck.
type State struct {
	game *Game
	position
	derived
	luck [numStreams]env.Stream
}

// Game is the configuration that the State belongs to.
func (s *State) Game() env.Game { return s.game }

// Luck gives the chance streams.
func (s *State) Luck() []env.Stream { return s.luck[:] }

// CopyFrom makes the State equal to src.
func (s *State) CopyFrom(src env.State) { *s = *src.(*State) }

// Equal compares everything, luck included.
func (s *State) Equal(other env.State) bool { return *s == *other.(*State) }

// EqualPosition compares everything but the luck.
func (s *State) EqualPosition(other env.State) bool {
	o := other.(*State)
	return s.game == o.game && s.position == o.position
}

// clear empties the position: nothing laid, nothing chosen.
func (s *State) clear() {
	s.position = position{}
	s.derived = derived{}
	s.seat, s.active = -1, -1
	s.catastrophe, s.target, s.defender, s.offer.partner = NoCard, NoZone, -1, -1
	s.chosenZone, s.chosenCard, s.chosenUnit = NoZone, NoCard, noUnit
	s.stormCards = [2]Card{NoCard, NoCard}
	for p := range s.game.players {
		s.seats[p].leader, s.seats[p].commitCash = NoZone, -1
	}
}

// derive works out what follows from the position, the legal actions left out.
func (s *State) derive() {
	s.derived = derived{}
	s.layOut()
	for z := range Zone(NumZones) {
		s.level[s.sl[z]] |= only(z)
		s.makeRoom(z)
		s.arrivals |= form.When(s.arrived[z] != ([numPieces]int8{}), only(z))
	}
	for p := range s.game.players {
		seat := &s.seats[p]
		s.leaders |= form.When(seat.leader != NoZone, only(seat.leader))
		for c, k := range seat.hand {
			s.size[p] += k
			form.Put(&s.held[p], c, k > 0)
		}
	}
	s.decked, s.discards = int16(s.deck.size()), int16(s.discard.size())
}

// makeRoom keeps the sets of zones with room (NE-004) and with pieces after a change in z.
func (s *State) makeRoom(z Zone) {
	form.Put(&s.stocked, z, s.raw[z]+s.makers[z]+s.machines[z] > 0)
	form.Put(&s.room, z, s.raw[z]+s.makers[z] < s.game.people[z])
	form.Put(&s.bays, z, s.machines[z] < s.game.machines[z])
}

// put adds n pieces to a zone, or takes them away.
func (s *State) put(z Zone, u Unit, n int8) {
	switch u {
	case Machine:
		s.machines[z] += n
	case Worker:
		s.raw[z] += n
	case Maker:
		s.makers[z] += n
	}
	s.makeRoom(z)
}

// setLevel moves a zone's Society Level.
func (s *State) setLevel(z Zone, sl int8) {
	s.level[s.sl[z]] &^= only(z)
	s.sl[z] = sl
	s.level[sl] |= only(z)
}

// count is the number of pieces of a sort in a zone.
func (s *State) count(z Zone, u Unit) int8 {
	switch u {
	case Machine:
		return s.machines[z]
	case Worker:
		return s.raw[z]
	}
	return s.makers[z]
}

// Owner is who controls a zone, or nobody.
func (s *State) Owner(z Zone) env.Player {
	for p := range s.game.players {
		if s.owned[p].Has(z) {
			return env.Player(p)
		}
	}
	return nobody
}

// sound are the zones of a seat that no catastrophe has struck this turn.
func (s *State) sound(p env.Player) Zones { return s.owned[p] &^ s.affected }

// tell reveals something to everybody. It is called with a tape only, as it costs words.
func tell(tape *env.Tape, format string, args ...any) {
	tape.Reveal(env.Everybody, fmt.Sprintf(format, args...))
}
