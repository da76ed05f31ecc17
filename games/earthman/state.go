package earthman

import (
	"earthgym/env"
	"earthgym/env/form"
)

// Sizes that no option and no data file exceeds.
const (
	maxFleets      = 60  // of a seat on the board
	maxDevs        = 4   // in a region
	maxDice        = 255 // of a lot (EB-050)
	leastInfluence = 3   // fleets for Political Influence (EB-180)
)

const (
	// UN owns regions, is a target and rolls dice, but has no seat.
	UN env.Player = MaxPlayers
	// None stands for no seat.
	None env.Player = -1

	numOwners = MaxPlayers + 1
)

// State is a position of The Earthman's Burden with its luck.
type State struct {
	game *Game
	position
	luck [numStreams]env.Stream
}

// position is everything on the table (RULES.md 3.1). Fields that follow from others are kept because
// rules and observation ask for them again and again; reading a position works them out.
type position struct {
	round    int16
	first    int8
	actor    int8 // whose turn it is
	seat     int8 // who decides, or -1
	phase    Phase
	decision Decision
	trigger  bool
	end      ending
	winners  env.Seats
	rogue    uint8
	undrawn  uint32 // bit k-1: card k
	made     int32  // decisions so far

	seats   [MaxPlayers]seat
	arrived [NumWorlds]Fleets // of the actor, during Movement (EB-063)

	land   [numOwners][NumWorlds]Regions // by owner, the UN last
	shaken [NumWorlds]Regions            // At Risk
	rubble [NumWorlds][2]Regions         // with one Devastation counter or more, with two
	devs   [NumWorlds][MaxRegions]uint8

	pending pending
	lot     lot
	pay     payment

	// These follow from the rest:
	settled  [numOwners]Places // worlds with developments of the owner
	thinking env.Seats         // seats with Thoughts
	mask     [maskWords]uint64
}

// seat is all that belongs to one seat.
type seat struct {
	vp, power     int32
	resource      int32 // in the Economy Pool
	discontent    int32 // in the Discontent Pool
	granted       int32 // without resource, less what was forfeited: B of the ledger (RULES.md 3.2)
	thoughts      uint16
	level         [NumTechs]uint16
	counter       [NumTechs]uint8
	aside         uint8
	token         uint8
	sanction      bool
	claims, peace uint8  // left
	counters      Places // worlds with its Political Influence counter
	fleet         [NumPlaces]Fleets

	// These follow from the rest:
	fleets        int16  // on the board
	developments  int16  // on the board
	steady, risky Places // with steady fleets, with fleets At Risk
	known         Techs  // with a level
	studied       Techs  // with a counter on the track
	// What a position that was read lacks, as reading checks neither: by how much the ledger is off
	// (RULES.md 3.2), and Power below that of the developments, as a number below 0.
	ledgerOff, powerOff int32
}

// Fleets of one seat at one place.
type Fleets struct{ Steady, Risk uint8 }

// Count is the number of fleets.
func (f Fleets) Count() int { return int(f.Steady) + int(f.Risk) }

// payment is one by EB-206.
type payment struct {
	seat int8 // -1 outside a payment
	due  uint16
}

// setUp is EB-020 to EB-025 without what depends on the first player.
func (g *Game) setUp() position {
	p := position{round: 1, first: -1, actor: -1, seat: -1, pending: nothing, lot: noLot, pay: noPayment, rubble: g.rubble}
	if g.skynet { // EB-023
		p.undrawn = 1<<NumCards - 1
	}
	for i := range g.players {
		s := &p.seats[i]
		s.resource = int32(g.data.Start.Resource) // EB-025
		s.claims, s.peace = uint8(g.claims), uint8(g.peace)
		s.move(g.home, g.data.Start.Fleets, 0)
	}
	for r := range g.regions[g.home].Count() { // EB-021
		p.put(UN, g.home, r, 1)
	}
	return p
}

// Reset sets up the game.
func (s *State) Reset(seed uint64, tape *env.Tape) {
	s.position = s.game.start
	env.SeedStreams(s.luck[:], streamNames, seed)
	first := s.game.first // EB-024
	if first < 0 {
		first = tape.Uniform(&s.luck[firstStream], env.Everybody, "first", s.game.players, seatText)
	}
	s.first = int8(first)
	if n := s.game.lateFleets; n > 0 { // EB-028
		for i := range s.game.players {
			if i != first {
				s.seats[i].move(s.game.home, n, 0)
				s.seats[i].granted += int32(n)
			}
		}
	}
	if s.game.prelude {
		s.startPrelude()
	} else {
		s.startTurn(env.Player(first), tape) // EB-027
	}
	s.run(tape)
}

func seatText(i int) string { return digits[i] }

// digits are the texts of dice and seats.
var digits = [...]string{"0", "1", "2", "3", "4", "5", "6"}

// move adds fleets to a place, or takes them away.
func (s *seat) move(at Place, steady, risk int) {
	f := &s.fleet[at]
	f.Steady += uint8(steady)
	f.Risk += uint8(risk)
	s.fleets += int16(steady + risk)
	form.Put(&s.steady, at, f.Steady > 0)
	form.Put(&s.risky, at, f.Risk > 0)
}

// shake makes a steady fleet At Risk.
func (s *seat) shake(at Place) { s.move(at, -1, 1) }

// present are the places with fleets of the seat.
func (s *seat) present() Places { return s.steady | s.risky }

// put lays n developments of an owner into an empty region (from 0), without any other consequence.
func (p *position) put(owner env.Player, w Place, r, n int) {
	p.land[owner][w] |= 1 << r
	p.devs[w][r] += uint8(n)
	p.settled[owner] |= only(w)
	if owner < UN {
		p.seats[owner].developments += int16(n)
	}
}

// take empties a region and gives the number of developments that were there.
func (p *position) take(owner env.Player, w Place, r int) int {
	n := int(p.devs[w][r])
	p.land[owner][w] &^= 1 << r
	p.shaken[w] &^= 1 << r
	p.devs[w][r] = 0
	p.settled[owner] &^= form.When(p.land[owner][w] == 0, only(w))
	if owner < UN {
		p.seats[owner].developments -= int16(n)
	}
	return n
}

// Game is the configuration.
func (s *State) Game() env.Game { return s.game }

// Luck is the streams of the dice, of the first player and of the cards.
func (s *State) Luck() []env.Stream { return s.luck[:] }

// Actor is who decides.
func (s *State) Actor() env.Player { return env.Player(s.seat) }

// CopyFrom is one assignment.
func (s *State) CopyFrom(src env.State) { *s = *src.(*State) }

// Equal compares everything.
func (s *State) Equal(other env.State) bool { return *s == *other.(*State) }

// EqualPosition compares all but the luck.
func (s *State) EqualPosition(other env.State) bool {
	o := other.(*State)
	return s.game == o.game && s.position == o.position
}

// Phase is the step of the turn.
func (s *State) Phase() Phase { return s.phase }

// Decision is what has to be decided.
func (s *State) Decision() Decision { return s.decision }

// Round is the number of the round.
func (s *State) Round() int { return int(s.round) }

// VP are the Victory Points of a seat.
func (s *State) VP(p env.Player) int { return int(s.seats[p].vp) }

// Resource is what lies in the Economy Pool of a seat.
func (s *State) Resource(p env.Player) int { return int(s.seats[p].resource) }

// Discontent is what lies in the Discontent Pool of a seat.
func (s *State) Discontent(p env.Player) int { return int(s.seats[p].discontent) }

// Level is a seat's level in a technology.
func (s *State) Level(p env.Player, t Tech) int { return int(s.seats[p].level[t]) }

// Counter is how many successes a seat has made towards its next level.
func (s *State) Counter(p env.Player, t Tech) int { return int(s.seats[p].counter[t]) }

// Sanctioned says whether a seat has a UN Sanctions token.
func (s *State) Sanctioned(p env.Player) bool { return s.seats[p].sanction }

// Fleets are those of a seat at a place.
func (s *State) Fleets(p env.Player, at Place) Fleets { return s.seats[p].fleet[at] }

// Present are the places with fleets of a seat.
func (s *State) Present(p env.Player) Places { return s.seats[p].present() }

// FleetCount is the number of fleets of a seat on the board.
func (s *State) FleetCount(p env.Player) int { return int(s.seats[p].fleets) }

// DevelopmentCount is the number of developments of a seat on the board.
func (s *State) DevelopmentCount(p env.Player) int { return int(s.seats[p].developments) }

// Settled are the worlds with developments of a seat or the UN.
func (s *State) Settled(owner env.Player) Places { return s.settled[owner] }

// Land is the regions of a world that belong to a seat or to the UN.
func (s *State) Land(owner env.Player, w Place) Regions { return s.land[owner][w] }

// Shaken are the regions of a world that are At Risk.
func (s *State) Shaken(w Place) Regions { return s.shaken[w] }

// Developments are those in a region (from 0).
func (s *State) Developments(w Place, r int) int { return int(s.devs[w][r]) }

// Devastation is the number of counters in a region (from 0).
func (s *State) Devastation(w Place, r int) int {
	return int(s.rubble[w][0]>>r&1) + int(s.rubble[w][1]>>r&1)
}

// HasInfluence says whether a seat has its Political Influence counter on a world.
func (s *State) HasInfluence(p env.Player, w Place) bool { return s.seats[p].counters.Has(w) }
