package oneearth

import (
	"math/bits"
	"strconv"

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

type (
	perProject    [NumProjects]float32
	perTechnology [NumTechnologies]float32
	perPolicy     [NumPolicies]float32
)

// observation declares the layout, which is the same for every configuration, and takes the numbers. Seats stand
// clockwise from the observer, absent ones are 0.
type observation struct {
	Options optionRow          `help:"options"`
	Phase   [NumPhases]float32 `axes:"phase" help:"what is to be decided, one-hot"`
	Clock   struct {
		Round      float32 `help:"round / 40"`
		RoundsLeft float32 `help:"rounds left / 40"`
		TurnsDone  float32 `help:"turns done this round / 5"`
		Final      float32 `name:"final round"`
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
	Automa           [NumAutoma]float32         `axes:"automa" help:"Automa cards in the deck"`
	Warnings         [NumWarnings]float32       `axes:"warning" help:"Warning Events in the deck"`
	Criticals        [NumCriticals]float32      `axes:"critical" help:"Critical Events in the deck"`
	IncomeMod        float32                    `low:"-1" help:"change of income this round / 9"`
	TechnologyDeck   perTechnology              `axes:"technology" help:"Technologies in the deck"`
	PolicyDeck       perPolicy                  `axes:"policy" help:"Climate Policies in the deck"`
	Resolutions      [NumResolutions][2]float32 `axes:"resolution,standing" help:"each Resolution: passed, failed"`
	SharedTechnology perTechnology              `axes:"technology" help:"named by a passed Share Technologies, one-hot"`
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
	Row        [RowSize]cardRow `axes:"slot" scope:"own" help:"each slot"`
	Affordable [RowSize]float32 `axes:"slot" scope:"own" help:"each slot: the observer has its cost"`
	Markers    [MaxPlayers]struct {
		Prosperity   float32 `help:"Prosperity / 60"`
		OfTarget     float32 `help:"Prosperity / target"`
		Emissions    float32 `help:"Emissions / 40"`
		Money        float32 `help:"money / 40"`
		Income       float32 `help:"income / 40"`
		Fee          float32 `help:"fee / 20"`
		Points       float32 `low:"-1" help:"points / 100"`
		Sectors      float32 `help:"sectors / 8"`
		Technologies float32 `help:"Technologies / 8"`
		Policies     float32 `help:"Policies / 6"`
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
	Level  float32    `help:"level / 40"`
	ToRuin float32    `help:"steps to ruin / 30"`
	Band   [4]float32 `axes:"band" help:"band, one-hot"`
	Safe   float32    `help:"low enough for a standard win"`
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

// features are those of the observation.
func features() ([]env.Feature, error) {
	return form.Features[observation](form.Axes{
		"phase": phaseIDs[:], "project": projectIDs[:], "technology": technologyIDs[:], "policy": policyIDs[:],
		"automa": automaIDs[:], "warning": warningIDs[:], "critical": criticalIDs[:], "resolution": resolutionIDs[:],
		"standing": standingIDs[Passed:], "word": wordIDs[:], "leader": leaderIDs[:], "sector": sectorIDs[:],
		"slot": numbers(RowSize), "players": numbers(MaxPlayers), "difficulty": difficultyIDs[:],
		"band": {"none", "warning", "critical", "ruin"},
	})
}

// numbers are the words 1 to n.
func numbers(n int) []string {
	words := make([]string, n)
	for i := range words {
		words[i] = strconv.Itoa(i + 1)
	}
	return words
}

// observeTables are the parts of the observation that are the same whenever they occur.
type observeTables struct {
	options optionRow
	global  [64]globalRow
	counts  [128]float32                         // of copies
	cards   [1 << numTraits][NumProjects]cardRow // by the observer's traits
}

func newObserveTables(g *Game) *observeTables {
	t := &observeTables{}
	c, k := g.Components, &g.Components.Constants
	t.options = optionRow{
		Advanced: flag(g.Advanced), Target: float32(g.Target) / 60, Aid: flag(g.Aid), Talk: flag(g.Talk),
		MaxRounds: float32(g.MaxRounds) / maxRounds, Pyrrhic: float32(g.pyrrhic),
	}
	t.options.Players[g.Players-1] = 1
	if g.Players == 1 {
		t.options.Difficulty[g.Difficulty] = 1
	}
	for level := range t.global {
		t.global[level] = globalRow{
			Level: share(level, topEmissions), ToRuin: share(max(0, k.Ruin-level), 30), Safe: flag(level < k.WinBelow),
		}
		band := 0
		for i, from := range []int{k.WarningFrom, k.CriticalFrom, k.Ruin} {
			if level >= from {
				band = i + 1
			}
		}
		t.global[level].Band[band] = 1
	}
	for n := range t.counts {
		t.counts[n] = share(n, topCount)
	}
	for traits := range t.cards {
		for x, card := range c.Projects {
			row := &t.cards[traits][x]
			*row = cardRow{
				Cost: share(card.Cost, 20), Prosperity: share(card.Prosperity, 9), Emissions: share(card.Emissions, 20),
				UpgradeProsperity: share(card.DP, 9), UpgradeEmissions: -share(-card.DE, 20),
				Worth: signedShare(int(g.worth[traits][0][x]), 20),
			}
			row.Type[x], row.Sector[card.Sector] = 1, 1
			if card.Technology >= 0 {
				row.Technology[card.Technology] = 1
			}
		}
	}
	return t
}

func flag(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

// share is n as a part of the number at which it saturates.
func share(n, top int) float32 { return float32(min(n, top)) / float32(top) }

// signedShare is share for numbers that may be below 0.
func signedShare(n, top int) float32 { return float32(max(-top, min(n, top))) / float32(top) }

// Observe writes what p sees: everything but the sealed bids of the others.
func (s *State) Observe(dst []float32, p env.Player) {
	o := form.Observation[observation](dst)
	*o = observation{}
	me := int(p)
	s.observeTable(o)
	s.observeRunning(o, me)
	s.observeRow(o, me)
	s.observeSeats(o, me)
	s.observeFlags(o, me)
	s.observeAnswers(o, me)
}

// observeTable writes clock, decks and Resolutions.
func (s *State) observeTable(o *observation) {
	g, t := s.game, s.game.observe
	o.Options = t.options
	o.Phase[s.Phase] = 1
	o.Clock.Round, o.Clock.RoundsLeft = float32(s.Round)/maxRounds, float32(g.MaxRounds-int(s.Round))/maxRounds
	o.Clock.TurnsDone = float32(s.TurnsDone) / MaxPlayers
	o.Clock.Final = flag(s.Final)
	o.Global = t.global[min(int(s.Global), len(t.global)-1)]
	for x, n := range &s.Deck {
		o.Deck[x] = t.counts[n&127]
	}
	o.DeckSize = min(1, float32(s.DeckSize)*(1.0/40))
	for x, n := range &s.Gone {
		o.Gone[x] = t.counts[n&127]
	}
	if g.WithNPC() {
		o.NPC.Prosperity, o.NPC.Points = share(int(s.NPCProsperity), topProsperity), share(int(s.NPCPoints), topNPCPoints)
		o.NPC.Manufacturing, o.NPC.Cards = share(s.npcManufacturing(), 8), share(s.automaLeft(), NumAutoma)
		setBits(o.Automa[:], uint32((g.automa[0]|g.automa[1]|g.automa[2])&^s.AutomaDrawn))
	} else {
		setBits(o.Warnings[:], uint32(g.boxWarnings&^s.WarningsDrawn))
		setBits(o.Criticals[:], uint32(g.boxCriticals&^s.CriticalsDrawn))
		o.IncomeMod = float32(s.IncomeMod) * (1.0 / 9)
	}
	if g.Diplomatic() {
		for r, standing := range &s.Resolutions {
			if standing != InDeck {
				o.Resolutions[r][standing-Passed] = 1
			}
		}
		if s.SharedTech >= 0 {
			o.SharedTechnology[s.SharedTech] = 1
		}
	}
}

// setBits writes a 1 for each member of a set.
func setBits(dst []float32, set uint32) {
	for ; set != 0; set &= set - 1 {
		dst[bits.TrailingZeros32(set)] = 1
	}
}

// observeRunning writes the running turn, ballot or effect.
func (s *State) observeRunning(o *observation, me int) {
	if s.inATurn() && s.Phase != OverPhase {
		turn := &o.Turn
		turn.Projects, turn.Technologies, turn.Policies = share(int(s.Turn.Funded), 2), share(int(s.Turn.Technologies), 1), share(int(s.Turn.Policies), 1)
		turn.Refreshes = float32(s.Turn.Refreshes) * (1.0 / 5)
		turn.Emissions = signedShare(int(s.Countries[s.active()].Emissions-s.Turn.EmissionsAtStart), 20)
	}
	if s.Using >= 0 {
		o.Using.Technology[s.Using] = 1
		o.Using.Fresh = flag(s.Fresh)
	}
	if s.Attach >= 0 {
		o.Attach[s.Attach] = 1
	}
	if s.Event >= 0 {
		o.Event[s.Event] = 1
	}
	if s.Ask.Seat >= 0 {
		o.Ask.Amount = float32(s.Ask.Amount) * (1.0 / maxAmount)
		if s.Ask.Say >= 0 {
			o.Ask.Promise[s.Ask.Say] = 1
		}
	}
	if s.Proposal < 0 {
		return
	}
	o.Proposal[s.Proposal] = 1
	pledged := 0
	for _, amount := range s.Pledges[:s.NumPledges] {
		pledged += int(amount)
	}
	o.Ballot.Bids, o.Ballot.Pledged = float32(s.NumBids)/MaxPlayers, share(pledged, maxAmount)
	for i, bid := range s.Bids[:s.NumBids] {
		if s.inTurn(i) == me {
			o.OwnBid.Made, o.OwnBid.Amount = 1, float32(bid)*(1.0/maxAmount)
		}
	}
}

func (s *State) observeRow(o *observation, me int) {
	cards, money := &s.game.observe.cards[s.traits(me)], s.Countries[me].Money
	for slot, x := range &s.Row {
		if x < 0 {
			continue
		}
		o.Row[slot] = cards[x]
		o.Affordable[slot] = flag(money >= int16(s.game.cost[x]))
	}
}

// clockwise is how many places p sits clockwise from the observer.
func (s *State) clockwise(p, me int) int {
	if p -= me; p < 0 {
		p += s.game.Players
	}
	return p
}

// observeSeats writes the countries.
func (s *State) observeSeats(o *observation, me int) {
	g, n := s.game, s.game.Players
	var technologies, policies [MaxPlayers]int
	for t, owner := range &s.Technologies {
		if owner >= 0 {
			k := s.clockwise(int(owner), me)
			technologies[k]++
			o.Technologies[k][t] = 1
		} else if owner == inDeck && g.boxTechnologies>>t&1 != 0 {
			o.TechnologyDeck[t] = 1
		}
	}
	for i, owner := range &s.Policies {
		if owner >= 0 {
			k := s.clockwise(int(owner), me)
			policies[k]++
			o.Policies[k][i] = 1
		} else if owner == inDeck && g.boxPolicies>>i&1 != 0 {
			o.PolicyDeck[i] = 1
		}
	}
	for k, p := 0, me; k < n; k++ {
		c, markers := &s.Countries[p], &o.Markers[k]
		markers.Prosperity = float32(min(c.Prosperity, topProsperity)) * (1.0 / topProsperity)
		markers.OfTarget = min(1, float32(c.Prosperity)*g.perTarget)
		markers.Emissions = float32(min(c.Emissions, topEmissions)) * (1.0 / topEmissions)
		markers.Money = float32(min(c.Money, topMoney)) * (1.0 / topMoney)
		markers.Income = float32(min(s.incomeWith(p, technologies[k]), topIncome)) * (1.0 / topIncome)
		owned := c.PlainSet | c.UpgradedSet
		if g.Advanced {
			markers.Fee = float32(min(s.Fee(p), 20)) * (1.0 / 20)
			sectors := 0
			for x := range &g.Components.Sectors {
				if g.Components.Sectors[x]&owned != 0 {
					o.Sectors[k][x] = 1
					sectors++
				}
			}
			markers.Points = float32(max(-topVP, min(topVP, s.points(p, technologies[k], policies[k], sectors).Total()))) * (1.0 / topVP)
			markers.Sectors = float32(sectors) * (1.0 / NumSectors)
			if c.Leader >= 0 {
				o.Leader[k][c.Leader] = 1
			}
			o.Tokens[k].InHand = float32(min(c.Tokens, 4)) * (1.0 / 4)
			o.Tokens[k].OnPassed = float32(min(c.Support, 4)) * (1.0 / 4)
		}
		markers.Technologies = float32(technologies[k]) * (1.0 / NumTechnologies)
		markers.Policies = float32(policies[k]) * (1.0 / NumPolicies)
		for set := c.PlainSet; set != 0; set &= set - 1 {
			x := set.first()
			o.Plain[k][x] = g.observe.counts[c.Plain[x]&127]
		}
		for set := c.UpgradedSet; set != 0; set &= set - 1 {
			x := set.first()
			o.Upgraded[k][x] = g.observe.counts[c.Upgraded[x]&127]
		}
		if g.Advanced && c.Saved != ([NumTechnologies]int8{}) {
			for t, uses := range &c.Saved {
				o.Saved[k][t] = float32(min(uses, 1))
			}
		}
		if c.Loose != ([NumTechnologies]int8{}) {
			for t, uses := range &c.Loose {
				o.Loose[k][t] = float32(min(uses, 4)) * (1.0 / 4)
			}
		}
		promises := &o.Promises[k]
		promises.Policy, promises.Clean = flag(c.PendingPolicy), flag(c.PendingClean)
		promises.Kept = float32(min(c.PromisesKept, topPromises)) * (1.0 / topPromises)
		promises.Broken = float32(min(c.PromisesBroken, topPromises)) * (1.0 / topPromises)
		if c.Said >= 0 {
			o.Said[k][c.Said] = 1
		}
		p = s.after(p)
	}
}

// observeFlags writes what is true of each seat.
func (s *State) observeFlags(o *observation, me int) {
	n := s.game.Players
	low, high := int16(1<<15-1), int16(-1)
	for p := range n {
		e := s.Countries[p].Emissions
		low, high = min(low, e), max(high, e)
	}
	inTurn := -1
	if s.inATurn() && s.Phase != OverPhase {
		inTurn = s.active()
	}
	for k, p := 0, me; k < n; k++ {
		c, f, q := &s.Countries[p], &o.Flags[k], env.Player(p)
		f.There = 1
		f.First = flag(p == int(s.First))
		f.Acts = flag(p == int(s.Seat))
		f.InTurn = flag(p == inTurn)
		f.Sanctioned = flag(p == int(s.Sanctioned))
		f.Accused = flag(p == int(s.Accused))
		f.MarsFunder = flag(s.MarsFunders.Has(q))
		f.Donor = flag(s.Donors.Has(q))
		f.Recipient = flag(s.Recipients.Has(q))
		f.Trigger = flag(p == int(s.Trigger))
		f.Highest = flag(c.Emissions == high)
		f.Lowest = flag(c.Emissions == low)
		f.Asked = flag(s.Turn.Asked.Has(q))
		f.AskedNow = flag(p == int(s.Ask.Seat))
		f.AbilityUsed = flag(c.AbilityUsed)
		f.TurnDone = flag(s.clockwise(p, int(s.First)) < int(s.TurnsDone))
		f.Culprit = flag(s.Culprits.Has(q))
		p = s.after(p)
	}
	for i, p := range s.Reach[:s.NumReach] {
		f := &o.Flags[s.clockwise(int(p), me)]
		f.AtTarget, f.FirstThere = 1, flag(i == 0)
	}
	for _, p := range s.Offered[:s.NumOffered] {
		o.Flags[s.clockwise(int(p), me)].Offered = 1
	}
}

// observeAnswers writes the open answers of the running ballot.
func (s *State) observeAnswers(o *observation, me int) {
	for i, a := range s.Votes[:s.NumVotes] {
		p := s.inTurn(i)
		answers := &o.Answers[s.clockwise(p, me)]
		switch a := env.Action(a); a {
		case Yes:
			answers.Yes = 1
			o.Ballot.Yes += 1.0 / MaxPlayers
		case No:
			answers.No = 1
			o.Ballot.No += 1.0 / MaxPlayers
		case Pass:
			answers.Abstained = 1
		default:
			accused := (p + int(a-Accuse)) % s.game.Players
			o.Answers[s.clockwise(accused, me)].Accused += 1.0 / MaxPlayers
		}
	}
	o.Ballot.Answers = float32(s.NumVotes+s.NumPledges) / MaxPlayers
	for i, amount := range s.Pledges[:s.NumPledges] {
		o.Answers[s.clockwise(s.inTurn(i), me)].Pledge = float32(amount) * (1.0 / maxAmount)
	}
}
