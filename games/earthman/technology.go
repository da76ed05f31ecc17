package earthman

import "slices"

// A Tech is one of the 13 technologies (RULES.md 2.4).
type Tech int8

// The technologies, in the order of the actions that name them.
const (
	AI Tech = iota
	Attack
	Durability
	Defences
	Influence
	Unity
	Stability
	Spaceflight
	Launch
	Research
	Colonisation
	Nanotech
	VonNeumann

	NumTechs = int(VonNeumann) + 1
)

var techIDs = [NumTechs]string{
	"ai", "attack", "durability", "defences", "influence", "unity", "stability", "spaceflight", "launch", "research",
	"colonisation", "nanotech", "vonneumann",
}

// maxLevels are the levels that no data file exceeds, so that no number needed for a hit falls below 2.
var maxLevels = [NumTechs]int{maxLevel, 3, 3, 3, 3, 3, 3, 2, 1, 3, 2, 2, 3}

// maxLevel bounds Artificial Intelligence, which the rulebook doesn't: more than can be researched in
// the longest game.
const maxLevel = 1<<16 - 1

// ID is the technology's word in actions and positions.
func (t Tech) ID() string { return techIDs[t] }

// techOf is the technology of an id, or -1.
func techOf(id string) Tech { return Tech(slices.Index(techIDs[:], id)) }

// technology is a technology as the data file has it.
type technology struct {
	name   string
	levels uint16 // 0 = the data file leaves it out
	steps  uint8  // successes for a level
	others int8   // different technologies that must be known before the first counter
	or     Tech   // one that does instead, or -1
}

// Techs is a set of technologies.
type Techs uint16

// Has says whether t is in the set.
func (s Techs) Has(t Tech) bool { return s>>uint(t)&1 != 0 }
