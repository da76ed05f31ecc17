package oneearth

import (
	"math/bits"

	"earthgym/env"
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

// The sizes of the features that Observe writes in one go.
const (
	optionsSize   = MaxPlayers + 1 + len(difficultyIDs) + 5
	globalSize    = 7
	cardSize      = NumProjects + NumSectors + NumTechnologies + 6
	markersSize   = 10
	flagsSize     = 20
	promisesSize  = 4
	answersSize   = 5
	sectorsLength = NumSectors
)

// Where each feature begins; featureList gives them their names in the same order.
const (
	atOptions      = 0
	atPhase        = atOptions + optionsSize
	atClock        = atPhase + NumPhases
	atGlobal       = atClock + 4
	atDeck         = atGlobal + globalSize
	atDeckSize     = atDeck + NumProjects
	atGone         = atDeckSize + 1
	atNPC          = atGone + NumProjects
	atAutoma       = atNPC + 4
	atWarnings     = atAutoma + NumAutoma
	atCriticals    = atWarnings + NumWarnings
	atIncomeMod    = atCriticals + NumCriticals
	atTechDeck     = atIncomeMod + 1
	atPolicyDeck   = atTechDeck + NumTechnologies
	atResolutions  = atPolicyDeck + NumPolicies
	atSharedTech   = atResolutions + 2*NumResolutions
	atTurn         = atSharedTech + NumTechnologies
	atProposal     = atTurn + 5
	atBallot       = atProposal + NumResolutions
	atUsing        = atBallot + 5
	atAttach       = atUsing + NumTechnologies + 1
	atEvent        = atAttach + NumProjects
	atAsk          = atEvent + NumCriticals
	atOwnBid       = atAsk + 1 + NumWords
	atRow          = atOwnBid + 2
	atAffordable   = atRow + RowSize*cardSize
	atMarkers      = atAffordable + RowSize
	atFlags        = atMarkers + MaxPlayers*markersSize
	atTokens       = atFlags + MaxPlayers*flagsSize
	atPromises     = atTokens + MaxPlayers*2
	atLeader       = atPromises + MaxPlayers*promisesSize
	atSaid         = atLeader + MaxPlayers*NumLeaders
	atAnswers      = atSaid + MaxPlayers*NumWords
	atPlain        = atAnswers + MaxPlayers*answersSize
	atUpgraded     = atPlain + MaxPlayers*NumProjects
	atSaved        = atUpgraded + MaxPlayers*NumProjects
	atLoose        = atSaved + MaxPlayers*NumTechnologies
	atTechnologies = atLoose + MaxPlayers*NumTechnologies
	atPolicies     = atTechnologies + MaxPlayers*NumTechnologies
	atSectors      = atPolicies + MaxPlayers*NumPolicies
	numFeatures    = atSectors + MaxPlayers*sectorsLength
)

// The flags of a seat.
const (
	flagThere = iota
	flagFirst
	flagActs
	flagInTurn
	flagSanctioned
	flagAccused
	flagFunder
	flagDonor
	flagRecipient
	flagTrigger
	flagAtTarget
	flagNextWinner
	flagHighest
	flagLowest
	flagAskedThisTurn
	flagAskedNow
	flagOffered
	flagAbilityUsed
	flagDone
	flagCulprit
)

// featureList is the observation layout. Seats stand clockwise from the observer, absent ones are 0.
func featureList() []env.Feature {
	return []env.Feature{
		{Name: "options", Shape: []int{optionsSize}, High: 1, Help: "players one-hot from 1; advanced; difficulty one-hot (alone); target/60, aid, talk, max_rounds/40, pyrrhic"},
		{Name: "phase", Shape: []int{NumPhases}, High: 1, Help: "what is to be decided, one-hot in the order of the decision points"},
		{Name: "clock", Shape: []int{4}, High: 1, Help: "round/40, rounds left/40, turns done this round/5, final round"},
		{Name: "global", Shape: []int{globalSize}, High: 1, Help: "Global Emissions/40, steps to ruin/30, band one-hot: none, warning, critical, ruin; low enough for a standard win"},
		{Name: "deck", Shape: []int{NumProjects}, High: 1, Help: "copies left in the deck by type, /4"},
		{Name: "deck_size", Shape: []int{1}, High: 1, Help: "cards in the deck/40"},
		{Name: "gone", Shape: []int{NumProjects}, High: 1, Help: "copies that have left the game by type, /4"},
		{Name: "npc", Shape: []int{4}, High: 1, Help: "the NPC: Prosperity/60, card points/40, manufacturing Projects taken/8, Automa cards left/10"},
		{Name: "automa", Shape: []int{NumAutoma}, High: 1, Help: "Automa cards in the deck"},
		{Name: "warnings", Shape: []int{NumWarnings}, High: 1, Help: "Warning Events in the deck"},
		{Name: "criticals", Shape: []int{NumCriticals}, High: 1, Help: "Critical Events in the deck"},
		{Name: "income_mod", Shape: []int{1}, Low: -1, High: 1, Help: "change of income this round/9"},
		{Name: "technology_deck", Shape: []int{NumTechnologies}, High: 1, Help: "Technologies in the deck"},
		{Name: "policy_deck", Shape: []int{NumPolicies}, High: 1, Help: "Climate Policies in the deck"},
		{Name: "resolutions", Shape: []int{NumResolutions, 2}, High: 1, Help: "each Resolution: passed, failed"},
		{Name: "shared_technology", Shape: []int{NumTechnologies}, High: 1, Help: "named by a passed Share Technologies, one-hot"},
		{Name: "turn", Shape: []int{5}, Low: -1, High: 1, Help: "of the running turn: Projects/2, Technologies, Policies, refreshes/5, change of Emissions/20"},
		{Name: "proposal", Shape: []int{NumResolutions}, High: 1, Help: "the Resolution being decided, one-hot"},
		{Name: "ballot", Shape: []int{5}, High: 1, Help: "answers/5, yes votes/5, no votes/5, bids in/5, pledged/20"},
		{Name: "using", Shape: []int{NumTechnologies + 1}, High: 1, Help: "the Technology being used or shared, one-hot; whether it is newly funded"},
		{Name: "attach", Shape: []int{NumProjects}, High: 1, Help: "the Project just funded that a held Technology fits, one-hot"},
		{Name: "event", Shape: []int{NumCriticals}, High: 1, Help: "the Critical Event about to strike, one-hot"},
		{Name: "ask", Shape: []int{1 + NumWords}, High: 1, Help: "Foreign Aid: amount asked/20, promise one-hot"},
		{Name: "own_bid", Shape: []int{2}, Low: -1, High: 1, Help: "own sealed bid of this ballot: made; amount/20, below 0 for no"},
		{Name: "row", Shape: []int{RowSize, cardSize}, Low: -1, High: 1, Help: "each slot: type, sector, Technology one-hot; cost/20, Prosperity/9, Emissions/20, upgrade of both/9 and /20, Prosperity worth to the observer/20"},
		{Name: "affordable", Shape: []int{RowSize}, High: 1, Help: "each slot: the observer has its cost"},
		{Name: "markers", Shape: []int{MaxPlayers, markersSize}, Low: -1, High: 1, Help: "each seat: Prosperity/60, Prosperity/target, Emissions/40, money/40, income/40, fee/20, points/100, sectors/8, Technologies/8, Policies/6"},
		{Name: "flags", Shape: []int{MaxPlayers, flagsSize}, High: 1, Help: "each seat: there, first player, acts, in turn, sanctioned, accused, Mars funder, donor, recipient, trigger, at target, first at target, highest emitter, lowest emitter, asked this turn, asked now, offered, ability used, turn done, culprit"},
		{Name: "tokens", Shape: []int{MaxPlayers, 2}, High: 1, Help: "each seat: voting tokens in hand/4, on passed Resolutions/4"},
		{Name: "promises", Shape: []int{MaxPlayers, promisesSize}, High: 1, Help: "each seat: policy and clean open; kept/10, broken/10"},
		{Name: "leader", Shape: []int{MaxPlayers, NumLeaders}, High: 1, Help: "each seat's Leader, one-hot"},
		{Name: "said", Shape: []int{MaxPlayers, NumWords}, High: 1, Help: "each seat's last word, one-hot"},
		{Name: "answers", Shape: []int{MaxPlayers, answersSize}, High: 1, Help: "each seat in the running ballot: yes, no, abstained, accusations received/5, pledge/20"},
		{Name: "plain", Shape: []int{MaxPlayers, NumProjects}, High: 1, Help: "each seat: plain copies by type, /4"},
		{Name: "upgraded", Shape: []int{MaxPlayers, NumProjects}, High: 1, Help: "each seat: upgraded copies by type, /4"},
		{Name: "saved", Shape: []int{MaxPlayers, NumTechnologies}, High: 1, Help: "each seat: saved uses"},
		{Name: "loose", Shape: []int{MaxPlayers, NumTechnologies}, High: 1, Help: "each seat: loose uses/4"},
		{Name: "technologies", Shape: []int{MaxPlayers, NumTechnologies}, High: 1, Help: "each seat: Technologies funded"},
		{Name: "policies", Shape: []int{MaxPlayers, NumPolicies}, High: 1, Help: "each seat: Climate Policies funded"},
		{Name: "sectors", Shape: []int{MaxPlayers, sectorsLength}, High: 1, Help: "each seat: sectors among its Projects"},
	}
}

// observeTables are the parts of the observation that are the same whenever they occur.
type observeTables struct {
	options [optionsSize]float32
	global  [64][globalSize]float32
	counts  [128]float32                                   // of copies
	cards   [1 << numTraits][NumProjects][cardSize]float32 // by the observer's traits
}

func newObserveTables(g *Game) *observeTables {
	t := &observeTables{}
	c, k := g.Components, &g.Components.Constants
	t.options[g.Players-1] = 1
	rest := t.options[MaxPlayers:]
	rest[0] = float32(index(g.Advanced))
	if g.Players == 1 {
		rest[1+g.Difficulty] = 1
	}
	rest = rest[1+len(difficultyIDs):]
	rest[0], rest[1], rest[2] = float32(g.Target)/60, float32(index(g.Aid)), float32(index(g.Talk))
	rest[3], rest[4] = float32(g.MaxRounds)/maxRounds, float32(g.pyrrhic)
	for level := range t.global {
		row := &t.global[level]
		row[0] = share(level, topEmissions)
		row[1] = share(max(0, k.Ruin-level), 30)
		band := 0
		for i, from := range []int{k.WarningFrom, k.CriticalFrom, k.Ruin} {
			if level >= from {
				band = i + 1
			}
		}
		row[2+band] = 1
		row[6] = float32(index(level < k.WinBelow))
	}
	for n := range t.counts {
		t.counts[n] = share(n, topCount)
	}
	for traits := range t.cards {
		for x, card := range c.Projects {
			row := t.cards[traits][x][:]
			row[x] = 1
			row = row[NumProjects:]
			row[card.Sector] = 1
			row = row[NumSectors:]
			if card.Technology >= 0 {
				row[card.Technology] = 1
			}
			row = row[NumTechnologies:]
			row[0], row[1], row[2] = share(card.Cost, 20), share(card.Prosperity, 9), share(card.Emissions, 20)
			row[3], row[4] = share(card.DP, 9), -share(-card.DE, 20)
			row[5] = signedShare(int(g.worth[traits][0][x]), 20)
		}
	}
	return t
}

// share is n as a part of the number at which it saturates.
func share(n, top int) float32 { return float32(min(n, top)) / float32(top) }

// signedShare is share for numbers that may be below 0.
func signedShare(n, top int) float32 { return float32(max(-top, min(n, top))) / float32(top) }

// Observe writes what p sees: everything but the sealed bids of the others.
func (s *State) Observe(dst []float32, p env.Player) {
	dst = dst[:numFeatures]
	clear(dst)
	me := int(p)
	s.observeTable(dst)
	s.observeRunning(dst, me)
	s.observeRow(dst, me)
	s.observeSeats(dst, me)
	s.observeFlags(dst, me)
	s.observeAnswers(dst, me)
}

// observeTable writes clock, decks and Resolutions.
func (s *State) observeTable(dst []float32) {
	g, t := s.game, s.game.observe
	copy(dst[atOptions:], t.options[:])
	dst[atPhase+int(s.Phase)] = 1
	clock := dst[atClock : atClock+4]
	clock[0], clock[1] = float32(s.Round)/maxRounds, float32(g.MaxRounds-int(s.Round))/maxRounds
	clock[2] = float32(s.TurnsDone) / MaxPlayers
	if s.Final {
		clock[3] = 1
	}
	copy(dst[atGlobal:], t.global[min(int(s.Global), len(t.global)-1)][:])
	deck := dst[atDeck : atDeck+NumProjects]
	for x, n := range &s.Deck {
		deck[x] = t.counts[n&127]
	}
	dst[atDeckSize] = min(1, float32(s.DeckSize)*(1.0/40))
	gone := dst[atGone : atGone+NumProjects]
	for x, n := range &s.Gone {
		gone[x] = t.counts[n&127]
	}
	if g.WithNPC() {
		npc := dst[atNPC : atNPC+4]
		npc[0], npc[1] = share(int(s.NPCProsperity), topProsperity), share(int(s.NPCPoints), topNPCPoints)
		npc[2], npc[3] = share(s.npcManufacturing(), 8), share(s.automaLeft(), NumAutoma)
		setBits(dst[atAutoma:], uint32((g.automa[0]|g.automa[1]|g.automa[2])&^s.AutomaDrawn))
	} else {
		setBits(dst[atWarnings:], uint32(g.boxWarnings&^s.WarningsDrawn))
		setBits(dst[atCriticals:], uint32(g.boxCriticals&^s.CriticalsDrawn))
		dst[atIncomeMod] = float32(s.IncomeMod) * (1.0 / 9)
	}
	if g.Diplomatic() {
		for r, standing := range &s.Resolutions {
			if standing != InDeck {
				dst[atResolutions+2*r+int(standing-Passed)] = 1
			}
		}
		if s.SharedTech >= 0 {
			dst[atSharedTech+int(s.SharedTech)] = 1
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
func (s *State) observeRunning(dst []float32, me int) {
	if s.inATurn() && s.Phase != OverPhase {
		turn := dst[atTurn : atTurn+5]
		turn[0], turn[1], turn[2] = share(int(s.Turn.Funded), 2), share(int(s.Turn.Technologies), 1), share(int(s.Turn.Policies), 1)
		turn[3] = float32(s.Turn.Refreshes) * (1.0 / 5)
		turn[4] = signedShare(int(s.Countries[s.active()].Emissions-s.Turn.EmissionsAtStart), 20)
	}
	if s.Using >= 0 {
		dst[atUsing+int(s.Using)] = 1
		if s.Fresh {
			dst[atUsing+NumTechnologies] = 1
		}
	}
	if s.Attach >= 0 {
		dst[atAttach+int(s.Attach)] = 1
	}
	if s.Event >= 0 {
		dst[atEvent+int(s.Event)] = 1
	}
	if s.Ask.Seat >= 0 {
		dst[atAsk] = float32(s.Ask.Amount) * (1.0 / maxAmount)
		if s.Ask.Say >= 0 {
			dst[atAsk+1+int(s.Ask.Say)] = 1
		}
	}
	if s.Proposal < 0 {
		return
	}
	dst[atProposal+int(s.Proposal)] = 1
	pledged := 0
	for _, amount := range s.Pledges[:s.NumPledges] {
		pledged += int(amount)
	}
	dst[atBallot+3], dst[atBallot+4] = float32(s.NumBids)/MaxPlayers, share(pledged, maxAmount)
	for i, bid := range s.Bids[:s.NumBids] {
		if s.inTurn(i) == me {
			dst[atOwnBid], dst[atOwnBid+1] = 1, float32(bid)*(1.0/maxAmount)
		}
	}
}

func (s *State) observeRow(dst []float32, me int) {
	cards, money := &s.game.observe.cards[s.traits(me)], s.Countries[me].Money
	for slot, x := range &s.Row {
		if x < 0 {
			continue
		}
		copy(dst[atRow+slot*cardSize:], cards[x][:])
		if money >= int16(s.game.cost[x]) {
			dst[atAffordable+slot] = 1
		}
	}
}

// observeSeats writes the countries.
func (s *State) observeSeats(dst []float32, me int) {
	g, n := s.game, s.game.Players
	var technologies, policies [MaxPlayers]int
	for t, owner := range &s.Technologies {
		if owner >= 0 {
			k := int(owner) - me
			if k < 0 {
				k += n
			}
			technologies[k]++
			dst[atTechnologies+k*NumTechnologies+t] = 1
		} else if owner == inDeck && g.boxTechnologies>>t&1 != 0 {
			dst[atTechDeck+t] = 1
		}
	}
	for i, owner := range &s.Policies {
		if owner >= 0 {
			k := int(owner) - me
			if k < 0 {
				k += n
			}
			policies[k]++
			dst[atPolicies+k*NumPolicies+i] = 1
		} else if owner == inDeck && g.boxPolicies>>i&1 != 0 {
			dst[atPolicyDeck+i] = 1
		}
	}
	for k, p := 0, me; k < n; k++ {
		c := &s.Countries[p]
		markers := dst[atMarkers+k*markersSize:][:markersSize]
		markers[0] = float32(min(c.Prosperity, topProsperity)) * (1.0 / topProsperity)
		markers[1] = min(1, float32(c.Prosperity)*g.perTarget)
		markers[2] = float32(min(c.Emissions, topEmissions)) * (1.0 / topEmissions)
		markers[3] = float32(min(c.Money, topMoney)) * (1.0 / topMoney)
		markers[4] = float32(min(s.incomeWith(p, technologies[k]), topIncome)) * (1.0 / topIncome)
		owned := c.PlainSet | c.UpgradedSet
		if g.Advanced {
			markers[5] = float32(min(s.Fee(p), 20)) * (1.0 / 20)
			sectors := 0
			for x := range &g.Components.Sectors {
				if g.Components.Sectors[x]&owned != 0 {
					dst[atSectors+k*sectorsLength+x] = 1
					sectors++
				}
			}
			markers[6] = float32(max(-topVP, min(topVP, s.points(p, technologies[k], policies[k], sectors).Total()))) * (1.0 / topVP)
			markers[7] = float32(sectors) * (1.0 / NumSectors)
			if c.Leader >= 0 {
				dst[atLeader+k*NumLeaders+int(c.Leader)] = 1
			}
			dst[atTokens+2*k] = float32(min(c.Tokens, 4)) * (1.0 / 4)
			dst[atTokens+2*k+1] = float32(min(c.Support, 4)) * (1.0 / 4)
		}
		markers[8] = float32(technologies[k]) * (1.0 / NumTechnologies)
		markers[9] = float32(policies[k]) * (1.0 / NumPolicies)
		for set := c.PlainSet; set != 0; set &= set - 1 {
			x := bits.TrailingZeros32(uint32(set))
			dst[atPlain+k*NumProjects+x] = g.observe.counts[c.Plain[x]&127]
		}
		for set := c.UpgradedSet; set != 0; set &= set - 1 {
			x := bits.TrailingZeros32(uint32(set))
			dst[atUpgraded+k*NumProjects+x] = g.observe.counts[c.Upgraded[x]&127]
		}
		if g.Advanced && c.Saved != ([NumTechnologies]int8{}) {
			for t, uses := range &c.Saved {
				dst[atSaved+k*NumTechnologies+t] = float32(min(uses, 1))
			}
		}
		if c.Loose != ([NumTechnologies]int8{}) {
			for t, uses := range &c.Loose {
				dst[atLoose+k*NumTechnologies+t] = float32(min(uses, 4)) * (1.0 / 4)
			}
		}
		promises := dst[atPromises+k*promisesSize:][:promisesSize]
		if c.PendingPolicy {
			promises[0] = 1
		}
		if c.PendingClean {
			promises[1] = 1
		}
		promises[2] = float32(min(c.PromisesKept, topPromises)) * (1.0 / topPromises)
		promises[3] = float32(min(c.PromisesBroken, topPromises)) * (1.0 / topPromises)
		if c.Said >= 0 {
			dst[atSaid+k*NumWords+int(c.Said)] = 1
		}
		p = s.after(p)
	}
}

// observeFlags writes what is true of each seat.
func (s *State) observeFlags(dst []float32, me int) {
	n := s.game.Players
	flag := func(seat, flag int) {
		if seat >= 0 {
			k := seat - me
			if k < 0 {
				k += n
			}
			dst[atFlags+k*flagsSize+flag] = 1
		}
	}
	flag(int(s.First), flagFirst)
	flag(int(s.Seat), flagActs)
	flag(int(s.Sanctioned), flagSanctioned)
	flag(int(s.Accused), flagAccused)
	flag(int(s.Trigger), flagTrigger)
	flag(int(s.Ask.Seat), flagAskedNow)
	if s.inATurn() && s.Phase != OverPhase {
		flag(s.active(), flagInTurn)
	}
	for i, p := range s.Reach[:s.NumReach] {
		flag(int(p), flagAtTarget)
		if i == 0 {
			flag(int(p), flagNextWinner)
		}
	}
	for _, p := range s.Offered[:s.NumOffered] {
		flag(int(p), flagOffered)
	}
	low, high := int16(1<<15-1), int16(-1)
	for p := range n {
		e := s.Countries[p].Emissions
		low, high = min(low, e), max(high, e)
	}
	seats := func(set env.Seats, f int) {
		for ; set != 0; set &= set - 1 {
			flag(firstOf(set), f)
		}
	}
	seats(s.MarsFunders, flagFunder)
	seats(s.Donors, flagDonor)
	seats(s.Recipients, flagRecipient)
	seats(s.Turn.Asked, flagAskedThisTurn)
	seats(s.Culprits, flagCulprit)
	for i, p := 0, int(s.First); i < n; i++ {
		flag(p, flagThere)
		c := &s.Countries[p]
		if c.Emissions == high {
			flag(p, flagHighest)
		}
		if c.Emissions == low {
			flag(p, flagLowest)
		}
		if c.AbilityUsed {
			flag(p, flagAbilityUsed)
		}
		if i < int(s.TurnsDone) {
			flag(p, flagDone)
		}
		p = s.after(p)
	}
}

// observeAnswers writes the open answers of the running ballot.
func (s *State) observeAnswers(dst []float32, me int) {
	n := s.game.Players
	yes, no := 0, 0
	for i, a := range s.Votes[:s.NumVotes] {
		p := s.inTurn(i)
		k := (p - me + n) % n
		answers := dst[atAnswers+k*answersSize:][:answersSize]
		switch a := env.Action(a); a {
		case Yes:
			answers[0] = 1
			yes++
		case No:
			answers[1] = 1
			no++
		case Pass:
			answers[2] = 1
		default:
			k := (p + int(a-Accuse) - me + n) % n
			dst[atAnswers+k*answersSize+3] += 1.0 / MaxPlayers
		}
	}
	dst[atBallot] = float32(s.NumVotes+s.NumPledges) / MaxPlayers
	dst[atBallot+1], dst[atBallot+2] = float32(yes)/MaxPlayers, float32(no)/MaxPlayers
	for i, amount := range s.Pledges[:s.NumPledges] {
		k := (s.inTurn(i) - me + n) % n
		dst[atAnswers+k*answersSize+4] = float32(amount) * (1.0 / maxAmount)
	}
}
