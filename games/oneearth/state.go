package oneearth

import "earthgym/env"

// An Ending is why the game is over.
type Ending uint8

// The Endings.
const (
	NotOver     Ending = iota
	TargetWon          // standard: a seat at the target, Global Emissions low enough
	DeckEmpty          // standard: no more Projects
	RoundsOver         // the round cap
	Ruined             // Global Emissions at 30
	NoCriticals        // a fourth Critical Event was needed
	FinalPlayed        // advanced: the final round is over
	NPCWon             // alone: the NPC has his Prosperity
	numEndings  = iota
)

var endingIDs = [numEndings]string{"", "target", "deck", "rounds", "ruin", "critical", "final", "npc"}

// String is the reason in positions and records, "" while the game runs.
func (e Ending) String() string { return endingIDs[e] }

// A Standing says what has become of a Resolution.
type Standing uint8

// The Standings.
const (
	InDeck Standing = iota
	Passed
	Failed
	numStandings = iota
)

var standingIDs = [numStandings]string{"deck", "passed", "failed"}

// String is the word in positions.
func (s Standing) String() string { return standingIDs[s] }

// Owners of a Technology or Policy that are no seat.
const (
	inDeck  = -1
	withNPC = -2
)

// A Country is what lies before one seat.
type Country struct {
	Prosperity, Emissions, Money int16

	Plain, Upgraded              [NumProjects]int8 // copies funded
	PlainSet, UpgradedSet        Projects          // derived: the types that have any
	Saved, Loose                 [NumTechnologies]int8
	Leader                       Leader
	AbilityUsed                  bool
	Tokens, Support              int8
	Said                         Word
	PendingPolicy                bool // open promises
	PendingClean                 bool
	PromisesKept, PromisesBroken uint8
}

// A Turn counts what the running turn has seen; between turns it is zero.
type Turn struct {
	Funded, Technologies, Policies, Refreshes int8
	Asked                                     env.Seats
	EmissionsAtStart                          int16
}

// A Request is the Foreign Aid that is being asked for.
type Request struct {
	Seat   int8 // who is asked, -1: nobody
	Amount int8
	Say    Word
}

// A LooseUse is a decision about a Technology use that a seat has received: seat*8 + Technology + 1, 0
// for none.
type LooseUse uint8

func looseUse(p int, t Technology) LooseUse { return LooseUse(p*NumTechnologies + int(t) + 1) }

// Seat is who decides.
func (u LooseUse) Seat() int { return int(u-1) / NumTechnologies }

// Technology is what may be used.
func (u LooseUse) Technology() Technology { return Technology((u - 1) % NumTechnologies) }

// maxLoose bounds the uses of all Technologies, and so the loose ones.
const maxLoose = 2*NumTechnologies + MaxPlayers - 1

// A Position is all that lies on the table. Unused places hold what section 3 of RULES.md gives them
// at set-up.
type Position struct {
	Decision  Decision
	Seat      int8 // who decides, -1 once over
	Round     int8
	First     int8 // holder of the first-player token
	TurnsDone int8
	Turn      Turn

	Row      [RowSize]Project
	Deck     [NumProjects]int8
	DeckSize int8 // derived
	Gone     [NumProjects]int8
	NPCTaken [NumProjects]int8

	Countries [MaxPlayers]Country // those beyond the players stay zero
	Global    int16

	Technologies [NumTechnologies]int8 // inDeck, withNPC, or the seat that funded it
	Policies     [NumPolicies]int8

	Resolutions [NumResolutions]Standing
	YesVoters   [NumResolutions]env.Seats
	SharedTech  Technology // of a passed Share Technologies
	MarsFunders env.Seats
	Donors      env.Seats // Mandatory Foreign Aid of this round
	Recipients  env.Seats

	IncomeMod      int8
	WarningsDrawn  uint8  // bit: Warning in the discard
	CriticalsDrawn uint8  // bit: Critical in the discard
	AutomaDrawn    uint16 // bit: Automa card in the discard

	Sanctioned int8 // -1: nobody
	Accused    int8

	Reach    [MaxPlayers]int8 // seats at the target in the order of reaching it
	NumReach int8
	Trigger  int8 // -1: nobody
	Final    bool

	Proposal   Resolution
	Votes      [MaxPlayers]uint8 // answers as actions, in the order of asking
	NumVotes   int8
	Bids       [MaxPlayers]int8 // "no" is negative; hidden until all are in
	NumBids    int8
	Pledges    [MaxPlayers]int8
	NumPledges int8

	Using      Technology
	Fresh      bool
	Attach     Project
	Offered    [MaxPlayers - 1]int8
	NumOffered int8
	LooseQueue [maxLoose]LooseUse
	Ask        Request
	Event      Critical

	NPCProsperity, NPCPoints int16

	Ending   Ending
	Culprits env.Seats
}

// The chance streams.
const (
	setUpStream = iota
	projectStream
	warningStream
	criticalStream
	automaStream
	npcStream
	numStreams
)

var streamNames = [numStreams]string{"set-up", "projects", "warnings", "criticals", "automa", "npc"}

// State is a Position with its Game and its luck.
type State struct {
	Position
	game *Game
	luck [numStreams]env.Stream
}

// Game is the configuration.
func (s *State) Game() env.Game { return s.game }

// Rules is the configuration with its own type.
func (s *State) Rules() *Game { return s.game }

// Luck is the chance streams.
func (s *State) Luck() []env.Stream { return s.luck[:] }

// CopyFrom is one assignment.
func (s *State) CopyFrom(src env.State) { *s = *asState(src) }

// Equal compares everything.
func (s *State) Equal(other env.State) bool { return *s == *asState(other) }

// EqualPosition compares all but the luck.
func (s *State) EqualPosition(other env.State) bool {
	o := asState(other)
	return s.game == o.game && s.Position == o.Position
}

// cleared is the Position of an empty table.
func (g *Game) cleared() Position {
	p := Position{
		SharedTech: NoTechnology, Sanctioned: -1, Accused: -1, Trigger: -1, Proposal: NoResolution,
		Using: NoTechnology, Attach: NoProject, Ask: Request{-1, 0, NoWord}, Event: NoCritical, Round: 1,
	}
	for i := range p.Row {
		p.Row[i] = NoProject
	}
	for t := range p.Technologies {
		p.Technologies[t] = inDeck
	}
	for c := range p.Policies {
		p.Policies[c] = inDeck
	}
	for i := range g.Players {
		p.Countries[i].Leader, p.Countries[i].Said = NoLeader, NoWord
	}
	return p
}

// inTurn is the i-th seat in turn order, from the first player clockwise (OE-002).
func (s *State) inTurn(i int) int {
	p := int(s.First) + i
	if p >= s.game.Players {
		p -= s.game.Players
	}
	return p
}

// seatFrom is the seat so many places clockwise from p.
func (s *State) seatFrom(p env.Player, places int) env.Player {
	return (p + env.Player(places)) % env.Player(s.game.Players)
}

// after is the next seat clockwise (OE-002).
func (s *State) after(p int) int {
	if p++; p == s.game.Players {
		return 0
	}
	return p
}

// active is the seat whose turn it is.
func (s *State) active() int { return s.inTurn(int(s.TurnsDone)) }

// inATurn says whether a turn is running. Between rounds all turns are done.
func (s *State) inATurn() bool { return int(s.TurnsDone) < s.game.Players }

func seatDigit(p int) string { return "01234"[p : p+1] }
