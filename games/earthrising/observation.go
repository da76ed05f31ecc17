package earthrising

import (
	"strconv"

	"earthgym/env"
	"earthgym/env/form"
)

const (
	maxSeats = 6
	deckEnds = 10 // places at the top and at the bottom of the deck that are shown one by one
)

type (
	practiceOnes [numPractices]float32
	cardOnes     [numCards]float32 // practices, then strikes
	sectorOnes   [NumSectors]float32
)

// observation declares the layout, which is the same for every configuration, and takes the numbers. Sectors and
// characters stand in the order of the rules, seats clockwise from the observer.
type observation struct {
	Circles   [NumSectors][perCircle]circleRow `axes:"sector,circle" help:"each circle, 0 where covered without a token"`
	Practices [numPractices]practiceRow        `axes:"practice" scope:"own" help:"each practice, with what sector and hand mean for it"`
	Sectors   [NumSectors]sectorRow            `axes:"sector" scope:"own" help:"each sector"`
	CleanUps  [NumSectors *
		maxCleanUp]cleanUpRow `axes:"clean" help:"each Clean Up while one can be made: a number of tokens off a sector, as far as there are so many"`
	Characters [NumCharacters]characterRow `axes:"character" scope:"own" help:"each character"`
	Hands      [NumCharacters]practiceOnes `axes:"character,practice" scope:"own" help:"cards known in each character's hand"`
	Discard    cardOnes                    `axes:"card" scope:"own" help:"cards known in the discard pile"`
	Unseen     cardOnes                    `axes:"card" scope:"own" help:"cards whose place is not known"`
	DeckTop    cardOnes                    `axes:"card" scope:"own" help:"cards known in the first ten places of the deck: 1 on top, 0.1 less for each place below"`
	DeckBottom cardOnes                    `axes:"card" scope:"own" help:"cards known in the last ten places of the deck: 1 at the bottom, 0.1 less for each place above"`
	Kinds      [deckEnds]struct {
		Influence float32 `help:"Influence card"`
		Strike    float32
	} `axes:"place" help:"each of the first ten places of the deck, as far as known to all"`
	Looked practiceOnes `axes:"practice" scope:"own" help:"the extra card that the Eco Investor holds; while characters are chosen, the hand that goes with the pick"`
	Order  [maxLooked]struct {
		Sector    sectorOnes `axes:"sector"`
		Strike    float32
		NotPlaced float32 `help:"not placed yet"`
		InPlay    float32 `help:"its sector's character is in play"`
		Turns     float32 `help:"turns until that one's / 6"`
	} `axes:"place" scope:"own" help:"each card that the Politician puts back, as it lay"`
	OrderCards cardOnes `axes:"card" scope:"own" help:"the same by card: (place + 1) / 9"`
	Pending    struct {
		Kind     [numPendingKinds]float32 `axes:"pending" help:"its kind, one-hot"`
		Sector   sectorOnes               `axes:"sector" help:"its sector"`
		Practice practiceOnes             `axes:"practice" help:"its practice or card"`
	} `scope:"own" help:"the action being paid or placed"`
	Touched  practiceOnes           `axes:"practice" help:"practices touched in this token action"`
	Decision [numDecisions]float32  `axes:"decision" help:"what is decided, one-hot"`
	Window   [numWindows]float32    `axes:"window" help:"the Climatologist's window, one-hot"`
	Drawing  [numDrawings]float32   `axes:"drawing" help:"the drawing that goes on, one-hot"`
	After    [numAfterTrims]float32 `axes:"after" help:"where the flow goes on after tokens are taken off, one-hot"`
	Table    struct {
		Poverty      float32 `help:"poverty / 42"`
		MeepleStrain float32 `help:"strain of Phase 1 / 20"`
		Temperature  float32 `help:"temperature / 6"`
		Collapses    float32 `help:"collapses / 4"`
		StartUps     float32 `name:"start-ups" help:"Start-Ups / 8"`
		Year         float32 `help:"year of the limit"`
		YearsLeft    float32 `help:"years left / 20"`
		Actions      float32 `help:"actions left / 4"`
		MovesLeft    float32 `help:"moves left / 8"`
		Moves        float32 `help:"moves made / 8"`
		Asked        float32
		Collapsed    float32                 `help:"a collapse in this turn"`
		Signals      float32                 `help:"signals made / 2"`
		Credits      float32                 `help:"strain left to clean / 4"`
		Normals      float32                 `help:"normal cards left to draw / 4"`
		Looks        float32                 `help:"looks / 8"`
		Deck         float32                 `help:"deck / 48"`
		Discard      float32                 `help:"discard pile / 48"`
		Strikes      float32                 `help:"strikes in the deck / 6"`
		UntilStrike  float32                 `help:"cards to the next certain strike / 15"`
		StrikeKnown  float32                 `help:"whether there is one"`
		Strain       float32                 `help:"all strain / 84"`
		Segments     float32                 `help:"segments of those required"`
		TokensLeft   float32                 `help:"tokens of the active character left / 8"`
		ActionCount  [6]float32              `axes:"count" help:"actions left, one-hot"`
		YearCount    [12]float32             `axes:"count" help:"years left, one-hot"`
		CreditCount  [maxCleanUp + 1]float32 `axes:"count" help:"strain left to clean, one-hot"`
	} `help:"the table as a whole"`
	Struck  sectorOnes `axes:"sector" help:"strikes resolved in this turn, by sector"`
	Signals [maxSeats]struct {
		Signal [2 * NumSectors]float32 `axes:"signal" help:"want and plan, by sector"`
	} `axes:"seat" help:"by seat: its last signal"`
	Options optionRow `help:"options"`
}

// circleRow is what lies on an open circle.
type circleRow struct {
	Vacant        float32 `help:"open and vacant"`
	Unsustainable float32 `help:"unsustainable counter"`
	Sustainable   float32 `help:"sustainable counter"`
	Collapse      float32 `help:"Collapse token"`
}

// practiceRow is a practice on the board.
type practiceRow struct {
	Unsustainable float32
	Sustainable   float32
	OnMajor       float32    `help:"on a Major's circle"`
	OnMinor       float32    `help:"on a Minor's circle"`
	Protest       float32    `help:"Protest token"`
	Regeneration  float32    `help:"Regeneration token"`
	Held          float32    `help:"its card in the active character's hand, as far as known"`
	Same          [3]float32 `axes:"count" help:"cards of its sector there"`
	Home          float32    `help:"in the active character's sector"`
	Vacant        float32    `help:"vacant circles in its sector / 7"`
	Net           float32    `low:"-1" help:"net of Phase 2 in its sector / 8"`
	Over          float32    `help:"more strain than its tolerance there after the phases"`
	Strain        float32    `help:"strain there / 14"`
	MajorIn       float32    `help:"Major in the centre there"`
}

// cleanUpRow is what a Clean Up would change.
type cleanUpRow struct {
	Possible   float32     `help:"there are so many"`
	Left       [5]float32  `axes:"count" help:"strain left, one-hot"`
	MajorReady float32     `help:"Major ready to flip then"`
	MinorReady float32     `help:"Minor ready then"`
	Over       float32     `help:"more than the tolerance after the phases"`
	Needed     float32     `help:"that would be so without it"`
	Wasted     float32     `help:"tokens that the phases would take off / 4"`
	Home       float32     `help:"the active character's sector"`
	Number     float32     `help:"how many / 4"`
	All        float32     `help:"as many as the Clean Up has left"`
	Then       [12]float32 `axes:"count" help:"strain after the phases, one-hot"`
	Major      float32     `help:"Major in the centre"`
	Minor      float32     `help:"Minor in the centre"`
	Rate       float32     `low:"-2" high:"2" help:"tokens that a turn adds / 4"`
	Overflows  float32     `help:"it overflows in the phases"`
	Turns      float32     `help:"turns until its character's / 6"`
}

// sectorRow is what a sector bears now, and after the strain phases as far as they can be seen from the sector alone.
type sectorRow struct {
	burdenRow
	MajorReady   float32                `help:"Major ready to flip"`
	MinorReady   float32                `help:"Minor ready"`
	Housed       float32                `help:"housed / 7"`
	Support      float32                `help:"support without a place / 14"`
	VacantHere   float32                `name:"vacant" help:"vacant circles / 7"`
	Net          float32                `low:"-1" help:"net of Phase 2 / 8"`
	Share        float32                `help:"share of Phase 1 / 6"`
	Then         float32                `help:"strain after the phases / 14"`
	Over         float32                `help:"more than the tolerance then"`
	OfActive     float32                `help:"home of the active character"`
	OfDeciding   float32                `help:"of the deciding one"`
	OfInPlay     float32                `help:"of one in play"`
	OfOwn        float32                `help:"of an own one"`
	StrainCount  [15]float32            `axes:"count" help:"strain, one-hot"`
	Spare        [numSpare]float32      `axes:"spare" help:"tolerance less the strain after the phases, one-hot"`
	Overflows    float32                `help:"it overflows in the phases"`
	Rate         float32                `low:"-2" high:"2" help:"tokens that a turn adds / 4"`
	MajorsBeside float32                `help:"Majors in the centre beside it / 2"`
	Turns        [NumCharacters]float32 `axes:"count" help:"turns until its character's, one-hot; none if it is not in play"`
	Cards        [4]float32             `axes:"count" help:"its cards in the active character's hand, as far as known, one-hot"`
}

// burdenRow follows from strain and segments.
type burdenRow struct {
	Strain    float32 `help:"strain / 14"`
	OnMinor   float32 `help:"on the Minor / 5"`
	OnMajor   float32 `help:"on the Major / 9"`
	Tolerance float32 `help:"tolerance / 14"`
	Major     float32 `help:"Major in the centre"`
	Minor     float32 `help:"Minor in the centre"`
}

// characterRow is what is known of a character in play.
type characterRow struct {
	InPlay   float32
	Active   float32
	Deciding float32
	Seat     [maxSeats]float32   `axes:"seat" help:"seat, one-hot"`
	Hand     float32             `help:"cards in hand / 10"`
	Cards    [NumSectors]float32 `axes:"sector" help:"known cards in hand by sector / 3, at most 1"`
	Fits     float32             `help:"the card being given is of its sector"`
	Turns    float32             `help:"turns until its turn / 6"`
	Limit    float32             `help:"limit of its ability / 9"`
}

// optionRow follows from the options.
type optionRow struct {
	Variant    [len(variantIDs)]float32 `axes:"variant" help:"variant, one-hot"`
	Players    [maxSeats]float32        `axes:"number" help:"players, one-hot"`
	Characters [NumCharacters]float32   `axes:"number" help:"characters, one-hot"`
	Closed     float32                  `help:"closed hands"`
	Sustained  float32                  `help:"sustained win"`
	Hold       float32                  `help:"held calendar"`
	Return     float32                  `help:"returned tokens"`
	Talk       float32
}

// The kinds of pending actions, in the order of the action table.
const (
	pendingCreate = iota
	pendingDisband
	pendingFlip
	pendingMajor
	pendingMinor
	pendingGive
	numPendingKinds
)

// features are those of the observation.
func features() ([]env.Feature, error) {
	practices := make([]string, 0, numCards)
	for _, ids := range practiceIDs {
		practices = append(practices, ids[0])
	}
	var signals []string
	for _, verb := range []string{"want ", "plan "} {
		for _, id := range sectorIDs {
			signals = append(signals, verb+id)
		}
	}
	var cleanUps []string
	for _, id := range sectorIDs {
		for n := range maxCleanUp {
			cleanUps = append(cleanUps, id+" "+strconv.Itoa(n+1))
		}
	}
	return form.Features[observation](form.Axes{
		"clean": cleanUps, "sector": sectorIDs[:], "character": characterIDs[:], "practice": practices,
		"card":   append(practices, strikeIDs[:]...),
		"circle": form.Numerals(0, perCircle-1), "place": form.Numerals(1, deckEnds),
		"number": form.Numerals(1, NumCharacters), "signal": signals,
		"pending": {"create", "disband", "flip", "major", "minor", "give"}, "decision": decisionIDs,
		"spare":  form.OpenNumerals(-mostOver, mostLeft),
		"window": named("none", windowIDs[:]), "drawing": named("none", drawingIDs[:]),
		"after":   named("nowhere", afterTrimIDs[:]),
		"variant": variantIDs[:],
	})
}

// What actions point at.
const (
	practiceObject  = "practice"
	cleanUpObject   = "clean_up"
	sectorObject    = "sector"
	characterObject = "character"
	placeObject     = "place"
)

// objects are what actions point at, each with its part of the observation.
func objects() []env.Objects {
	return []env.Objects{
		{Name: practiceObject, Count: numPractices, Features: []string{"practices", "hands", "touched"}},
		{Name: cleanUpObject, Count: NumSectors * maxCleanUp, Features: []string{"clean_ups"}},
		{Name: sectorObject, Count: NumSectors, Features: []string{"sectors", "struck"}},
		{Name: characterObject, Count: NumCharacters, Features: []string{"characters"}},
		{Name: placeObject, Count: maxLooked, Features: []string{"order"}},
	}
}

// The tolerance that is left: from so much exceeded to so much.
const (
	mostOver = 3
	mostLeft = 8
	numSpare = mostOver + 1 + mostLeft
)

// named are ids with a word for the first, which is empty.
func named(first string, ids []string) []string { return append([]string{first}, ids[1:]...) }
