package resilience

import (
	"math/bits"

	"earthgym/env"
)

// A Level is what stands on a field.
type Level int8

const (
	Empty Level = iota
	Settlement
	City
	Industry
	numLevels
)

// A Decision is a decision point (RULES.md 5.2).
type Decision uint8

const (
	AtTurn   Decision = iota // the active seat's turn
	AtAmount                 // the active seat names the RES of its offer
	AtReply                  // the seat asked answers
	AtPick                   // the seat that is to dismantle chooses the building
	Over
	numDecisions
)

// A Kind is what an offer is about (RE-131).
type Kind uint8

const (
	Gift  Kind = iota // I give you k
	Ask               // you give me k
	Hire              // I pay you k, you dismantle
	Serve             // you pay me k, I dismantle
	numKinds
)

// A Word is what a statement says (RE-141).
type Word uint8

const (
	NoWord Word = iota
	Calm        // I place no stone
	Cut         // I dismantle a city or industry of mine
	Rest        // I take a sabbatical
	Grow        // I place a stone
	Warn        // let nobody place stones now; it promises nothing
	numWords
)

// An Ending is how the game came to an end.
type Ending uint8

const (
	Running Ending = iota
	Collapse
	Time
	Stones
)

// A Deal is the offer that is being made.
type Deal struct {
	Partner env.Player // the seat asked; -1 outside a deal
	Kind    Kind
	Amount  int // RES; 0 until it is named
}

// position is all that lies on the table, and the hidden length (RULES.md 3). Seats that do not play
// have zeros.
type position struct {
	// The board. A settlement is occupied land without city and industry; owners never overlap.
	land       [maxPlayers]Fields
	cities     Fields
	industries Fields
	smogged    Fields             // fields whose owner has met the smog payment (RE-071)
	credit     [maxPlayers]Fields // fields whose settlement LQ the seat has had (RE-063)
	blocked    Fields
	destroyed  Fields
	left       [NumFields]uint8 // rounds left of the cover; wholeGame; 0 without

	// The hands and what lies before the seats.
	res, lq     [maxPlayers]int32
	sabbaticals [maxPlayers]int16 // taken so far
	resting     [maxPlayers]bool  // on sabbatical in this round
	promise     [maxPlayers]Word
	kept        [maxPlayers]int16
	broken      [maxPlayers]int16

	// The middle, and the time.
	tower int8
	deck  uint32 // event cards not drawn since the last shuffle
	clock int32  // seconds used
	limit int32  // seconds; hidden with timer=random

	// Whose turn it is, and what has happened in it.
	round      int16
	leader     int8
	turn       int8 // turns finished in this round
	decision   Decision
	partner    int8 // of the deal; -1 outside
	kind       Kind
	amount     int8
	built      bool // settled or developed
	placed     bool // a stone
	cut        bool // a city or industry of the active seat dismantled
	said       bool
	asked      [maxPlayers]bool
	promiseNew Word

	ending  Ending
	culprit int8 // -1 unless the tower fell
}

// State is a position with its Game and its luck: a flat value.
type State struct {
	game *Game
	position
	luck [numStreams]env.Stream
}

// Game is the configuration, a *Game.
func (s *State) Game() env.Game { return s.game }

// Luck returns the chance streams.
func (s *State) Luck() []env.Stream { return s.luck[:] }

// CopyFrom is one assignment.
func (s *State) CopyFrom(src env.State) { *s = *src.(*State) }

// Equal compares everything.
func (s *State) Equal(other env.State) bool { return *s == *other.(*State) }

// EqualPosition compares all but the luck.
func (s *State) EqualPosition(other env.State) bool {
	o := other.(*State)
	return s.game == o.game && s.position == o.position
}

// Active is the seat whose turn it is, or was last; it need not be the one that decides.
func (s *State) Active() env.Player {
	return s.seatAt(int(s.leader) + int(s.turn))
}

// seatAt is the seat that comes up when places are counted on from seat 0, at most once round the table.
func (s *State) seatAt(place int) env.Player {
	if place >= s.game.players { // twice as fast as a remainder
		place -= s.game.players
	}
	return env.Player(place)
}

// Leader is the seat that leads the round.
func (s *State) Leader() env.Player { return env.Player(s.leader) }

// TurnsDone is the number of turns finished in this round.
func (s *State) TurnsDone() int { return int(s.turn) }

// Clock is the time used, in seconds.
func (s *State) Clock() int { return int(s.clock) }

// Decision is the decision point.
func (s *State) Decision() Decision { return s.decision }

// Deal is the offer that is being made.
func (s *State) Deal() Deal { return Deal{env.Player(s.partner), s.kind, int(s.amount)} }

// RES are the tangible resources of p.
func (s *State) RES(p env.Player) int { return int(s.res[p]) }

// LQ is the life quality of p.
func (s *State) LQ(p env.Player) int { return int(s.lq[p]) }

// Land is every field that p occupies.
func (s *State) Land(p env.Player) Fields { return s.land[p] }

// Settlements are p's fields with a plain settlement.
func (s *State) Settlements(p env.Player) Fields { return s.land[p] &^ (s.cities | s.industries) }

// Cities are p's fields with a city.
func (s *State) Cities(p env.Player) Fields { return s.land[p] & s.cities }

// Industries are the fields with an industry, of all seats.
func (s *State) Industries() Fields { return s.industries }

// Occupied is every field with a building.
func (s *State) Occupied() Fields { return s.land[0] | s.land[1] | s.land[2] | s.land[3] }

// Covered is every field under a BLOCKED or DESTROYED card.
func (s *State) Covered() Fields { return s.blocked | s.destroyed }

// Free is every field on which somebody might settle: empty and not covered.
func (s *State) Free() Fields { return allFields &^ (s.Occupied() | s.Covered()) }

// Credited is every field whose settlement LQ p has had.
func (s *State) Credited(p env.Player) Fields { return s.credit[p] }

// Owner is the seat that occupies f, or -1.
func (s *State) Owner(f Field) env.Player {
	for p, land := range s.land {
		if land.Has(f) {
			return env.Player(p)
		}
	}
	return -1
}

// Level is what stands on f.
func (s *State) Level(f Field) Level {
	switch {
	case s.industries.Has(f):
		return Industry
	case s.cities.Has(f):
		return City
	case s.Occupied().Has(f):
		return Settlement
	}
	return Empty
}

// Tower is the height of the Climate Tower.
func (s *State) Tower() int { return int(s.tower) }

// UntilEvent is the number of stones after which the current stack runs out: 1 for the next. It is 0
// on the last stone of the box.
func (s *State) UntilEvent() int { return int(s.game.untilEvent[s.tower]) }

// Promise is what p has promised for its next turn.
func (s *State) Promise(p env.Player) Word { return s.promise[p] }

// Kept and broken promises of p.
func (s *State) Kept(p env.Player) (kept, broken int) { return int(s.kept[p]), int(s.broken[p]) }

// DeckLeft is the number of event cards not drawn since the last shuffle.
func (s *State) DeckLeft() int { return bits.OnesCount32(s.deck) }
