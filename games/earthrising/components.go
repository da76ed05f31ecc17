package earthrising

import (
	"math/bits"

	"earthgym/env/form"
)

// A Sector is one of the six sectors of society, in the order of the rules' table. What is next to a
// sector is a matter of the ring, which is component data (ER-005).
type Sector int8

// The sectors.
const (
	Agriculture Sector = iota
	Infrastructure
	Culture
	Politics
	Energy
	Industry
	NumSectors = 6
)

// A Character is one of the six characters; its home is the sector of the same number.
type Character int8

// The characters, in the order of their home sectors.
const (
	Ecologist Character = iota
	Investor
	Activist
	Politician
	Climatologist
	Innovator
	NumCharacters = 6
)

// Home is the character's own sector.
func (k Character) Home() Sector { return Sector(k) }

// A Card is an Influence card, 0 to 41, or a Status Quo Strikes! (SQS) card, 42 to 47. An Influence card
// stands for the one practice of its number, and so does the one counter (ER-007).
type Card int8

const (
	perSector = 7
	// NumPractices is the number of practices, and of Influence cards.
	NumPractices = NumSectors * perSector
	numPractices = NumPractices
	numCards     = numPractices + NumSectors
	firstStrike  = numPractices // SQS cards, one of each sector
	perCircle    = 7            // circles of a sector
	numMeeple    = 42
)

// Sector is the sector of a practice, or the colour of an SQS card.
func (c Card) Sector() Sector {
	if c >= firstStrike {
		return Sector(c - firstStrike)
	}
	return Sector(c / perSector)
}

// IsStrike says whether c is an SQS card.
func (c Card) IsStrike() bool { return c >= firstStrike }

// place is that of a practice in its sector, 0 to 6.
func (c Card) place() int8 { return int8(c % perSector) }

// A Set is a set of cards, or of practices.
type Set = form.SetOf[Card]

const (
	allInfluence Set = 1<<numPractices - 1
	allStrikes   Set = (1<<NumSectors - 1) << firstStrike
	allCards         = allInfluence | allStrikes
)

// Of is the set of the practices or Influence cards of a sector.
func Of(x Sector) Set { return (1<<perSector - 1) << (perSector * uint(x)) }

// Only is the set of c alone.
func Only(c Card) Set { return form.Only(c) }

// A sectorSet is a set of sectors, or of characters.
type sectorSet uint8

func (t sectorSet) has(x Sector) bool         { return t>>uint(x)&1 != 0 }
func (t sectorSet) plays(k Character) bool    { return t>>uint(k)&1 != 0 }
func (t sectorSet) count() int                { return bits.OnesCount8(uint8(t)) }
func (t sectorSet) first() int                { return bits.TrailingZeros8(uint8(t)) }
func (t sectorSet) rest() sectorSet           { return t & (t - 1) }
func (t sectorSet) with(x Sector) sectorSet   { return t | 1<<uint(x) }
func bit[T Sector | Character](x T) sectorSet { return 1 << uint(x) }

// Ids, as records, scenarios and positions write them. Names on the screen are component data.
var (
	sectorIDs    = [NumSectors]string{"agriculture", "infrastructure", "culture", "politics", "energy", "industry"}
	characterIDs = [NumCharacters]string{"ecologist", "investor", "activist", "politician", "climatologist", "innovator"}
	strikeIDs    = [NumSectors]string{"sqs-agriculture", "sqs-infrastructure", "sqs-culture", "sqs-politics", "sqs-energy",
		"sqs-industry"}
	// practiceIDs are the sustainable and the unsustainable id of each practice.
	practiceIDs = [numPractices][2]string{
		{"soil-care", "soil-depletion"},
		{"crop-diversity", "monoculture"},
		{"plant-rich-diets", "factory-farming"},
		{"agroforestry", "forest-clearing"},
		{"natural-pest-control", "pesticides"},
		{"precision-irrigation", "wasteful-irrigation"},
		{"local-food", "food-air-freight"},
		{"rent-control", "housing-speculation"},
		{"natural-infrastructure", "concrete-sprawl"},
		{"public-transport", "car-dependency"},
		{"home-retrofit", "leaky-homes"},
		{"water-reuse", "leaking-mains"},
		{"open-broadband", "digital-divide"},
		{"low-carbon-building", "carbon-heavy-cement"},
		{"repair-culture", "throwaway-culture"},
		{"slow-fashion", "fast-fashion"},
		{"local-travel", "mass-tourism"},
		{"climate-education", "climate-denial"},
		{"independent-media", "misinformation"},
		{"sharing-economy", "overconsumption"},
		{"inclusive-communities", "social-exclusion"},
		{"fair-representation", "unfair-representation"},
		{"natural-capital-accounting", "gdp-fixation"},
		{"wealth-redistribution", "tax-havens"},
		{"citizens-assemblies", "corporate-lobbying"},
		{"carbon-pricing", "fossil-subsidies"},
		{"ecocide-law", "weak-regulation"},
		{"fair-trade-deals", "exploitative-trade"},
		{"energy-conservation", "energy-inefficiency"},
		{"decentralised-grid", "centralised-grid"},
		{"wind-power", "coal-power"},
		{"solar-power", "oil-power"},
		{"tidal-power", "shale-gas"},
		{"energy-storage", "peaker-plants"},
		{"geothermal-heat", "gas-heating"},
		{"circular-production", "planned-obsolescence"},
		{"e-waste-recycling", "e-waste-dumping"},
		{"pioneer-materials", "single-use-plastics"},
		{"fair-competition", "monopolies"},
		{"clean-manufacturing", "toxic-waste"},
		{"ethical-supply-chains", "sweatshop-labour"},
		{"material-recovery", "virgin-mining"},
	}
)

// String is the sector's id.
func (x Sector) String() string { return sectorIDs[x] }

// String is the character's id.
func (k Character) String() string { return characterIDs[k] }

// String is the card's id: that of its sustainable half.
func (c Card) String() string {
	if c.IsStrike() {
		return strikeIDs[c-firstStrike]
	}
	return practiceIDs[c][0]
}

// unsustainable is the id of the practice's other side.
func (c Card) unsustainable() string { return practiceIDs[c][1] }
