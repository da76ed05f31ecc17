package oneearth

import (
	"earthgym/env"
	"earthgym/env/form"
)

// Numbers without a maximum saturate here in the observation.
const (
	topProsperity = 60
	topEmissions  = 40
	topMoney      = 40
	topVP         = 100
	topIncome     = 40
	topCount      = 4 // copies of a type
	topPromises   = 10
	topNPCPoints  = 40
)

// The places of small numbers that are written as one-hots; the last one stands for all beyond.
const (
	toTarget      = 26
	emissionSteps = 16
	coins         = 16
	stepsToRuin   = 31
	shortMost     = 4 // money that a purchase lacks, and that it leaves
	leftMost      = 7
	numLeft       = shortMost + 1 + leftMost
)

type (
	perProject    [NumProjects]float32
	perTechnology [NumTechnologies]float32
	perPolicy     [NumPolicies]float32
)

// observation declares the layout, which is the same for every configuration, and takes the numbers. Seats stand
// clockwise from the observer, absent ones are 0.
type observation struct {
	Options  optionRow             `help:"options"`
	Decision [NumDecisions]float32 `axes:"decision" help:"what is to be decided, one-hot"`
	Clock    struct {
		Round      float32           `help:"round / 40"`
		RoundsLeft float32           `help:"rounds left / 40"`
		TurnsDone  float32           `help:"turns done this round / 5"`
		Final      float32           `name:"final round"`
		Nearest    [toTarget]float32 `axes:"count" help:"Prosperity that the nearest seat has to gain for the target, one-hot"`
	} `help:"time"`
	Global   globalRow  `help:"Global Emissions"`
	Deck     perProject `axes:"project" help:"copies left in the deck by type / 4"`
	DeckSize float32    `help:"cards in the deck / 40"`
	Gone     perProject `axes:"project" help:"copies that have left the game by type / 4"`
	NPC      struct {
		Prosperity    float32 `help:"Prosperity / 60"`
		Points        float32 `help:"card points / 40"`
		Manufacturing float32 `help:"manufacturing Projects taken / 8"`
		Cards         float32 `help:"Automa cards left / 10"`
	} `help:"the NPC"`
	Automa           [NumAutoma]float32                `axes:"automa" help:"Automa cards in the deck"`
	Warnings         [NumWarnings]float32              `axes:"warning" help:"Warning Events in the deck"`
	Criticals        [NumCriticals]float32             `axes:"critical" help:"Critical Events in the deck"`
	IncomeMod        float32                           `low:"-1" help:"change of income this round / 9"`
	TechnologyDeck   perTechnology                     `axes:"technology" help:"Technologies in the deck"`
	PolicyDeck       perPolicy                         `axes:"policy" help:"Climate Policies in the deck"`
	Resolutions      [NumResolutions]resolutionEffects `axes:"resolution" scope:"own" help:"each Resolution"`
	SharedTechnology perTechnology                     `axes:"technology" help:"named by a passed Share Technologies, one-hot"`
	Turn             struct {
		Projects     float32 `help:"Projects / 2"`
		Technologies float32
		Policies     float32
		Refreshes    float32 `help:"refreshes / 5"`
		Emissions    float32 `low:"-1" help:"change of Emissions / 20"`
	} `help:"of the running turn"`
	Proposal [NumResolutions]float32 `axes:"resolution" help:"the Resolution being decided, one-hot"`
	Ballot   struct {
		Answers float32 `help:"answers / 5"`
		Yes     float32 `help:"yes votes / 5"`
		No      float32 `help:"no votes / 5"`
		Bids    float32 `help:"bids in / 5"`
		Pledged float32 `help:"pledged / 20"`
	} `help:"the running ballot"`
	Using struct {
		Technology perTechnology `axes:"technology" help:"which, one-hot"`
		Fresh      float32       `name:"newly funded"`
	} `help:"the Technology being used or shared"`
	Attach perProject            `axes:"project" help:"the Project just funded that a held Technology fits, one-hot"`
	Event  [NumCriticals]float32 `axes:"critical" help:"the Critical Event about to strike, one-hot"`
	Ask    struct {
		Amount  float32           `help:"amount asked / 20"`
		Promise [NumWords]float32 `axes:"word" help:"promise, one-hot"`
	} `help:"Foreign Aid"`
	OwnBid struct {
		Made   float32
		Amount float32 `low:"-1" help:"amount / 20, below 0 for no"`
	} `scope:"own" help:"own sealed bid of this ballot"`
	Row     [RowSize]cardRow `axes:"slot" scope:"own" help:"each slot"`
	Funding [RowSize]struct {
		purchaseRow
		NewSector float32 `help:"the first of its sector"`
		Upgraded  float32 `help:"a held Technology upgrades it"`
	} `axes:"slot" scope:"own" help:"each slot, if the observer funded it now"`
	TechnologyFunding [NumTechnologies]struct {
		purchaseRow
		Targets [3]float32 `axes:"count" help:"plain copies that it fits"`
	} `axes:"technology" scope:"own" help:"each Technology in the deck, if the observer funded it now"`
	PolicyFunding [NumPolicies]purchaseRow `axes:"policy" scope:"own" help:"each Climate Policy in the deck, if the observer funded it now"`
	Markers       [MaxPlayers]struct {
		Prosperity    float32                `help:"Prosperity / 60"`
		OfTarget      float32                `help:"Prosperity / target"`
		Emissions     float32                `help:"Emissions / 40"`
		Money         float32                `help:"money / 40"`
		Income        float32                `help:"income / 40"`
		Fee           float32                `help:"fee / 20"`
		Points        float32                `low:"-1" help:"points / 100"`
		Sectors       float32                `help:"sectors / 8"`
		Technologies  float32                `help:"Technologies / 8"`
		Policies      float32                `help:"Policies / 6"`
		ToTarget      [toTarget]float32      `axes:"count" help:"Prosperity to gain for the target, one-hot"`
		EmissionSteps [emissionSteps]float32 `axes:"count" help:"Emissions, one-hot"`
		Coins         [coins]float32         `axes:"count" help:"money, one-hot"`
	} `axes:"seat" help:"by seat"`
	Flags [MaxPlayers]struct {
		There       float32
		First       float32 `name:"first player"`
		Acts        float32
		InTurn      float32
		Sanctioned  float32
		Accused     float32
		MarsFunder  float32 `name:"Mars funder"`
		Donor       float32
		Recipient   float32
		Trigger     float32
		AtTarget    float32
		FirstThere  float32 `name:"first at target"`
		Highest     float32 `name:"highest emitter"`
		Lowest      float32 `name:"lowest emitter"`
		Asked       float32 `name:"asked this turn"`
		AskedNow    float32
		Offered     float32
		AbilityUsed float32
		TurnDone    float32
		Culprit     float32
	} `axes:"seat" help:"by seat"`
	Tokens [MaxPlayers]struct {
		InHand   float32 `help:"voting tokens in hand / 4"`
		OnPassed float32 `help:"on passed Resolutions / 4"`
	} `axes:"seat" help:"by seat"`
	Promises [MaxPlayers]struct {
		Policy float32 `help:"a Climate Policy promised"`
		Clean  float32 `help:"clean turn promised"`
		Kept   float32 `help:"kept / 10"`
		Broken float32 `help:"broken / 10"`
	} `axes:"seat" help:"by seat"`
	Leader  [MaxPlayers][NumLeaders]float32 `axes:"seat,leader" help:"by seat: its Leader, one-hot"`
	Said    [MaxPlayers][NumWords]float32   `axes:"seat,word" help:"by seat: its last word, one-hot"`
	Answers [MaxPlayers]struct {
		Yes       float32
		No        float32
		Abstained float32
		Accused   float32 `help:"accusations received / 5"`
		Pledge    float32 `help:"pledge / 20"`
	} `axes:"seat" help:"by seat, in the running ballot"`
	Plain        [MaxPlayers]perProject          `axes:"seat,project" help:"by seat: plain copies by type / 4"`
	Upgraded     [MaxPlayers]perProject          `axes:"seat,project" help:"by seat: upgraded copies by type / 4"`
	Saved        [MaxPlayers]perTechnology       `axes:"seat,technology" help:"by seat: saved uses"`
	Loose        [MaxPlayers]perTechnology       `axes:"seat,technology" help:"by seat: loose uses / 4"`
	Technologies [MaxPlayers]perTechnology       `axes:"seat,technology" help:"by seat: Technologies funded"`
	Policies     [MaxPlayers]perPolicy           `axes:"seat,policy" help:"by seat: Climate Policies funded"`
	Sectors      [MaxPlayers][NumSectors]float32 `axes:"seat,sector" help:"by seat: sectors among its Projects"`
}

// optionRow follows from the options.
type optionRow struct {
	Players    [MaxPlayers]float32 `axes:"players" help:"players, one-hot"`
	Advanced   float32
	Difficulty [len(difficultyIDs)]float32 `axes:"difficulty" help:"difficulty alone, one-hot"`
	Target     float32                     `help:"target / 60"`
	Aid        float32
	Talk       float32
	MaxRounds  float32 `help:"greatest number of rounds / 40"`
	Pyrrhic    float32
}

// globalRow follows from Global Emissions.
type globalRow struct {
	Level  float32              `help:"level / 40"`
	ToRuin float32              `help:"steps to ruin / 30"`
	Steps  [stepsToRuin]float32 `axes:"count" help:"steps to ruin, one-hot"`
	Band   [4]float32           `axes:"band" help:"band, one-hot"`
	Safe   float32              `help:"low enough for a standard win"`
}

// cardRow is a Project on offer.
type cardRow struct {
	Type              perProject          `axes:"project" help:"type, one-hot"`
	Sector            [NumSectors]float32 `axes:"sector" help:"sector, one-hot"`
	Technology        perTechnology       `axes:"technology" help:"Technology that it takes, one-hot"`
	Cost              float32             `help:"cost / 20"`
	Prosperity        float32             `help:"Prosperity / 9"`
	Emissions         float32             `help:"Emissions / 20"`
	UpgradeProsperity float32             `help:"Prosperity that the upgrade adds / 9"`
	UpgradeEmissions  float32             `low:"-1" help:"Emissions that it adds / 20"`
	Worth             float32             `low:"-1" help:"Prosperity worth to the observer / 20"`
}

// purchaseRow is what a purchase would change.
type purchaseRow struct {
	Left       [numLeft]float32 `axes:"left" help:"money that it would leave, one-hot, or that is missing"`
	Prosperity float32          `low:"-2" high:"2" help:"Prosperity that it brings / 4"`
	Emissions  float32          `low:"-2" high:"2" help:"Emissions that it brings / 4"`
	Penalised  float32          `low:"-2" high:"2" help:"those above which each costs a point / 4"`
	Critical   float32          `low:"-2" high:"2" help:"those that Global Emissions go into the reach of Critical Events / 4"`
	Unsafe     float32          `low:"-2" high:"2" help:"those into the reach where nobody wins by the target / 4"`
	Ruins      float32          `help:"it ruins the Earth"`
	Reaches    float32          `help:"it reaches the target"`
	Points     float32          `low:"-2" high:"2" help:"Victory Points beside those for Prosperity, Emissions and money / 4"`
}

// resolutionEffects is what has become of a Resolution, and what it would bring; the latter only while one is to be
// proposed, or for the one that is decided.
type resolutionEffects struct {
	Passed float32
	Failed float32
	Own    float32 `low:"-2" high:"2" help:"what it would bring the observer in Prosperity or money / 4"`
	Others float32 `low:"-2" high:"2" help:"and the others on average / 4"`
}

// features are those of the observation.
func features() ([]env.Feature, error) {
	return form.Features[observation](form.Axes{
		"decision": decisionNames, "project": projectIDs[:], "technology": technologyIDs[:],
		"policy": policyIDs[:],
		"automa": automaIDs[:], "warning": warningIDs[:], "critical": criticalIDs[:], "resolution": resolutionIDs[:],
		"word": wordIDs[:], "leader": leaderIDs[:], "sector": sectorIDs[:],
		"slot": form.Numerals(1, RowSize), "players": form.Numerals(1, MaxPlayers), "difficulty": difficultyIDs[:],
		"left": form.OpenNumerals(-shortMost, leftMost), "band": {"none", "warning", "critical", "ruin"},
	})
}

// What actions point at.
const (
	slotObject       = "slot"
	technologyObject = "technology"
	policyObject     = "policy"
	projectObject    = "project"
	leaderObject     = "leader"
	resolutionObject = "resolution"
	seatObject       = "seat"
)

// objects are what actions point at, each with its part of the observation.
func objects() []env.Objects {
	return []env.Objects{
		{Name: slotObject, Count: RowSize, Features: []string{"row", "funding"}},
		{Name: technologyObject, Count: NumTechnologies, Features: []string{"technology_deck", "technology_funding",
			"technologies", "saved", "loose"}},
		{Name: policyObject, Count: NumPolicies, Features: []string{"policy_deck", "policy_funding"}},
		{Name: projectObject, Count: NumProjects, Features: []string{"plain", "upgraded", "deck", "gone"}},
		{Name: leaderObject, Count: NumLeaders, Features: []string{"leader"}},
		{Name: resolutionObject, Count: NumResolutions, Features: []string{"resolutions", "proposal"}},
		{Name: seatObject, Count: MaxPlayers, Features: []string{"markers", "flags", "tokens", "promises", "leader", "said",
			"answers"}},
	}
}
