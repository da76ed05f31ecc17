package oneearth

import (
	"math/bits"
	"slices"
)

// The sizes of the game's parts. They shape the action table and the observation, which are the same
// for every variant and data file.
const (
	MaxPlayers      = 5
	RowSize         = 6 // face-up Projects
	NumProjects     = 23
	NumTechnologies = 8
	NumPolicies     = 6
	NumWarnings     = 4
	NumCriticals    = 3
	NumResolutions  = 9
	NumLeaders      = 6
	NumAutoma       = 10
	NumSectors      = 8
	NumWords        = 8
)

// A Project is a type of Project card, in the order of the rulebook's table.
type Project int8

// NoProject is an empty place.
const NoProject Project = -1

var projectIDs = [NumProjects]string{
	"coal", "oil", "gas", "solar", "wind", "hydro", "nuclear", "ffcar", "ecar", "textile", "electronics",
	"airport", "hsr", "metro", "hospital", "school", "university", "farm", "ranch", "museum", "stadium",
	"film", "themepark",
}

// String is the id, "" for NoProject.
func (x Project) String() string { return id(projectIDs[:], int(x)) }

// Projects is a set of Project types.
type Projects uint32

// Has says whether x is in the set.
func (set Projects) Has(x Project) bool { return x >= 0 && set>>x&1 != 0 }

// First is the lowest type of a set that is not empty.
func (set Projects) First() Project { return Project(bits.TrailingZeros32(uint32(set))) }

// A Technology is one of the Technology cards.
type Technology int8

// NoTechnology stands for none.
const NoTechnology Technology = -1

var technologyIDs = [NumTechnologies]string{
	"agritech", "carboncapture", "telemedicine", "elearning", "vr", "smartgrid", "robotics", "biofuel",
}

// String is the id, "" for NoTechnology.
func (t Technology) String() string { return id(technologyIDs[:], int(t)) }

// A Policy is one of the Climate Policy cards.
type Policy int8

var policyIDs = [NumPolicies]string{"reforestation", "plastics", "building", "transit", "carbontax", "subsidy"}

// String is the id.
func (c Policy) String() string { return id(policyIDs[:], int(c)) }

// A Warning is one of the Warning Events.
type Warning int8

var warningIDs = [NumWarnings]string{"trade", "boom", "supply", "recession"}

// A Critical is one of the Critical Events.
type Critical int8

// NoCritical stands for none.
const NoCritical Critical = -1

var criticalIDs = [NumCriticals]string{"drought", "floods", "heatwave"}

// String is the id, "" for NoCritical.
func (c Critical) String() string { return id(criticalIDs[:], int(c)) }

// A Resolution is one of the Resolution cards.
type Resolution int8

// The Resolutions.
const (
	NoResolution Resolution = iota - 1
	BanCoal
	BanNuclear
	EduTech
	Medicine
	CapAndTrade
	CurbTransport
	ShareTech
	ForeignAid
	Mars
)

var resolutionIDs = [NumResolutions]string{
	"bancoal", "bannuclear", "edutech", "medicine", "capandtrade", "curbtransport", "sharetech", "foreignaid", "mars",
}

// resolutionKinds are the kinds that the data file repeats beside the ids.
var resolutionKinds = [NumResolutions]string{"ban", "ban", "introduce", "introduce", "fee", "shift", "share", "aid",
	"fund"}

// String is the id, "" for NoResolution.
func (r Resolution) String() string { return id(resolutionIDs[:], int(r)) }

// Voted says whether the Resolution needs a vote.
func (r Resolution) Voted() bool { return r != ForeignAid && r != Mars }

// A Leader is one of the Leader cards.
type Leader int8

// The Leaders.
const (
	NoLeader Leader = iota - 1
	Diplomat
	Tycoon
	Scientist
	Environmentalist
	Entertainer
	General
)

var leaderIDs = [NumLeaders]string{"diplomat", "tycoon", "scientist", "environmentalist", "entertainer", "general"}

// String is the id, "" for NoLeader.
func (l Leader) String() string { return id(leaderIDs[:], int(l)) }

// An Automa is one of the NPC's cards.
type Automa int8

var automaIDs = [NumAutoma]string{"A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8", "A9", "A10"}

var automaGroups = [...]string{"I", "II", "III"}

// A Sector is the part of the economy that a Project belongs to.
type Sector int8

// The Sectors.
const (
	Education Sector = iota
	Health
	Entertainment
	Manufacturing
	Food
	Transport
	Fossil
	Renewable
)

var sectorIDs = [NumSectors]string{
	"education", "health", "entertainment", "manufacturing", "food", "transport", "fossil", "renewable",
}

// String is the id.
func (x Sector) String() string { return id(sectorIDs[:], int(x)) }

// A Word is a statement of the structured talk.
type Word int8

// The Words (OE-281).
const (
	NoWord         Word = iota - 1
	SayNothing          // nothing
	PromisePolicy       // I fund a Climate Policy in my next turn
	PromiseClean        // I do not raise my Emissions in my next turn
	SayYes              // I support this
	SayNo               // I oppose this
	PromiseAid          // I grant the next aid request of my supporters
	PromiseSharing      // I share my next Technology
	PromiseSparing      // I will vote against sanctioning my supporters
)

var wordIDs = [NumWords]string{"nothing", "policy", "clean", "yes", "no", "aid", "share", "spare"}

// String is the word, "" for NoWord.
func (w Word) String() string { return id(wordIDs[:], int(w)) }

// A Difficulty sets the start of a solo game and the NPC's score.
type Difficulty int8

// The Difficulties.
const (
	Easy Difficulty = iota
	Medium
	Hard
)

var difficultyIDs = [...]string{"easy", "medium", "hard"}

func id(ids []string, i int) string {
	if i < 0 {
		return ""
	}
	return ids[i]
}

// find is the place of an id in its list, -1 for an unknown one.
func find(ids []string, id string) int { return slices.Index(ids, id) }
