package earthrising

import (
	"earthgym/env"
	"earthgym/env/form"
)

// State is one position of a Game with its luck.
type State struct {
	game *Game
	position
	luck [numStreams]env.Stream
	// foreseen is set in a Forecast alone: a collapse draws no cards there.
	foreseen bool
}

// The chance streams.
const (
	practiceLuck = iota
	deckLuck
	reshuffleLuck
	characterLuck
	dieLuck
	electionLuck
	numStreams
)

var streamNames = [numStreams]string{"practices", "deck", "reshuffles", "characters", "die", "elections"}

// What lies on a circle: nothing, the counter of the sector's practice of place n as n+1, or a Collapse
// token.
const (
	vacant int8 = 0
	crater int8 = perSector + 1
)

// A decision is the kind of what is asked.
type decision uint8

const (
	atChoose decision = iota
	atWindow
	atDraw
	atLooked
	atTrim
	atDiscard
	atActions
	atPay
	atCircle
	atClean
	atTo
	atTokens
	atOrder
	over
	numDecisions
)

var decisionIDs = namesOf(decisions())

func namesOf(table [numDecisions]row) []string { return form.DecisionNames(table[:]) }

// A window is a moment at which the Climatologist's seat is asked in a turn (ER-444).
type window uint8

const (
	noWindow window = iota
	windowA
	windowB
	windowC
	numWindows
)

var windowIDs = [numWindows]string{"", "A", "B", "C"}

// A drawing is an occasion on which the active character draws.
type drawing uint8

const (
	noDrawing drawing = iota
	startDrawing
	actionDrawing
	numDrawings
)

var drawingIDs = [numDrawings]string{"", "start", "action"}

// An afterTrim says where the flow goes on once surplus tokens are off the board (ER-460).
type afterTrim uint8

const (
	noTrim afterTrim = iota
	thenDraw
	thenStrain2
	thenCalendar
	numAfterTrims
)

var afterTrimIDs = [numAfterTrims]string{"", "draw", "strain 2", "calendar"}

// A result is how the game ended.
type result uint8

const (
	running result = iota
	won
	outOfTime
	fourthCollapse
	numResults
)

var resultIDs = [numResults]string{"", "win", "calendar", "collapse"}

// position is all that lies on the table, as in RULES.md, section 3.
type position struct {
	circle                     [NumSectors][perCircle]int8
	sustainable, unsustainable Set // counters on the board, by their side
	strain                     [NumSectors]int8
	major, minor               sectorSet // in the centre
	protest, regeneration      Set
	startups, collapses        int8

	turn, year int8
	inPlay     sectorSet                // characters
	cast       [NumCharacters]Character // in order of play; while choosing: in order of picks
	castSize   int8
	seat       [NumCharacters]int8 // of each character in play
	active     Character           // 0 while choosing

	deck      [numCards]Card // the bottom first, so that the top is deck[deckSize-1]
	deckSize  int8
	public    uint64 // places of the deck, from the bottom, whose kind everybody knows
	discard   Set
	centre    Set // on the table while a strike is resolved; empty at every decision
	hand      [NumCharacters]Set
	dealt     [NumCharacters]Set  // while choosing: the hands of places not yet taken (ER-106)
	knownTo   [env.MaxPlayers]Set // cards whose place each seat knows
	decision  decision
	actions   int8
	moves     int8
	asked     bool
	struck    sectorSet // SQS cards resolved in this turn, by colour
	collapsed bool
	signal    [env.MaxPlayers]int8 // of each seat: 0, or 1 + the place in the families want and plan
	signals   int8
	result    result

	inside inside

	// Derived; reading a position rebuilds them.
	filled  [NumSectors]uint8 // circles with a counter or a Collapse token
	craters [NumSectors]uint8 // circles with a Collapse token
	housed  [NumSectors]int8
	poverty int8
}

// inside is the inside of a compound decision; each field is zero outside its phases.
type inside struct {
	window         window
	drawing        drawing
	normals, looks int8
	after          afterTrim
	pending        int16 // the action; 0 for none
	card           Card
	credits        int8
	order          [maxLooked]Card // as they lay, the top first
	orderSize      int8
	ordered        [maxLooked]int8 // places named so far
	orderedSize    int8
	touched        Set
}

// Game is the configuration that the State belongs to.
func (s *State) Game() env.Game { return s.game }

// Luck returns the chance streams.
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

// decider is the character whose seat decides, and false while characters are chosen and after the end.
func (s *State) decider() (Character, bool) {
	switch s.decision {
	case atChoose, over:
		return 0, false
	case atWindow:
		return Climatologist, true
	case atTrim:
		if k := s.trims(); s.inPlay.plays(k) {
			return k, true
		}
	}
	return s.active, true
}

// Actor is the seat that decides, or env.Over.
func (s *State) Actor() env.Player {
	switch s.decision {
	case over:
		return env.Over
	case atChoose:
		return env.Player(int(s.castSize) % s.game.players)
	}
	k, _ := s.decider()
	return env.Player(s.seat[k])
}

// activeSeat plays the active character.
func (s *State) activeSeat() env.Player { return env.Player(s.seat[s.active]) }

func (s *State) total() int {
	n := 0
	for _, t := range s.strain {
		n += int(t)
	}
	return n
}
