package oneearth

import (
	"earthgym/env"
	"earthgym/env/form"
)

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
		Advanced: form.Bit(g.Advanced), Target: float32(g.Target) / 60, Aid: form.Bit(g.Aid), Talk: form.Bit(g.Talk),
		MaxRounds: float32(g.MaxRounds) / maxRounds, Pyrrhic: float32(g.pyrrhic),
	}
	t.options.Players[g.Players-1] = 1
	if g.Players == 1 {
		t.options.Difficulty[g.Difficulty] = 1
	}
	for level := range t.global {
		t.global[level] = globalRow{
			Level: form.Share(level, topEmissions), ToRuin: form.Share(max(0, k.Ruin-level), 30),
			Safe: form.Bit(level < k.WinBelow),
		}
		t.global[level].Band[g.band(level)] = 1
		form.Count(t.global[level].Steps[:], k.Ruin-level)
	}
	for n := range t.counts {
		t.counts[n] = form.Share(n, topCount)
	}
	for traits := range t.cards {
		for x, card := range c.Projects {
			row := &t.cards[traits][x]
			*row = cardRow{
				Cost: form.Share(card.Cost, 20), Prosperity: form.Share(card.Prosperity, 9),
				Emissions:         form.Share(card.Emissions, 20),
				UpgradeProsperity: form.Share(card.DP, 9), UpgradeEmissions: -form.Share(-card.DE, 20),
				Worth: form.Share(max(-20, g.worth[traits][0][x]), 20),
			}
			row.Type[x], row.Sector[card.Sector] = 1, 1
			form.One(row.Technology[:], card.Technology)
		}
	}
	return t
}

// Observe writes what p sees: everything but the sealed bids of the others.
func (s *State) Observe(dst []float32, p env.Player) {
	o := form.Cleared[observation](dst)
	me := int(p)
	s.observeTable(o)
	s.observeRunning(o, me)
	s.observeRow(o, me)
	s.observeSeats(o, me)
	s.observeFlags(o, me)
	s.observeAnswers(o, me)
	s.observeResolutions(o, me)
}

// observeTable writes clock, decks and Resolutions.
func (s *State) observeTable(o *observation) {
	g, t := s.game, s.game.observe
	o.Options = t.options
	o.Decision[s.Decision] = 1
	o.Clock.Round, o.Clock.RoundsLeft = float32(s.Round)/maxRounds, float32(g.MaxRounds-int(s.Round))/maxRounds
	o.Clock.TurnsDone = float32(s.TurnsDone) / MaxPlayers
	o.Clock.Final = form.Bit(s.Final)
	o.Global = t.global[min(int(s.Global), len(t.global)-1)]
	for x, n := range &s.Deck {
		o.Deck[x] = t.counts[n&127]
	}
	o.DeckSize = min(1, float32(s.DeckSize)*(1.0/40))
	for x, n := range &s.Gone {
		o.Gone[x] = t.counts[n&127]
	}
	if g.WithNPC() {
		o.NPC.Prosperity, o.NPC.Points = form.Share(s.NPCProsperity, topProsperity), form.Share(s.NPCPoints, topNPCPoints)
		o.NPC.Manufacturing, o.NPC.Cards = form.Share(s.npcManufacturing(), 8), form.Share(s.automaLeft(), NumAutoma)
		form.Ones(o.Automa[:], (g.automa[0]|g.automa[1]|g.automa[2])&^s.AutomaDrawn)
	} else {
		form.Ones(o.Warnings[:], s.warningsLeft())
		form.Ones(o.Criticals[:], s.criticalsLeft())
		o.IncomeMod = form.Scaled(s.IncomeMod, 9, 1)
	}
	if g.Diplomatic() {
		for r, standing := range &s.Resolutions {
			if standing != InDeck {
				o.Resolutions[r].Passed, o.Resolutions[r].Failed = form.Bit(standing == Passed), form.Bit(standing == Failed)
			}
		}
		form.One(o.SharedTechnology[:], s.SharedTech)
	}
}

// observeRunning writes the running turn, ballot or effect.
func (s *State) observeRunning(o *observation, me int) {
	if s.inATurn() && s.Decision != Over {
		turn := &o.Turn
		turn.Projects, turn.Technologies, turn.Policies = form.Share(s.Turn.Funded, 2), form.Share(s.Turn.Technologies, 1),
			form.Share(s.Turn.Policies, 1)
		turn.Refreshes = form.Part(s.Turn.Refreshes, 5)
		turn.Emissions = form.Share(max(-20, s.Countries[s.active()].Emissions-s.Turn.EmissionsAtStart), 20)
	}
	if s.Using >= 0 {
		o.Using.Technology[s.Using] = 1
		o.Using.Fresh = form.Bit(s.Fresh)
	}
	form.One(o.Attach[:], s.Attach)
	form.One(o.Event[:], s.Event)
	if s.Ask.Seat >= 0 {
		o.Ask.Amount = form.Part(s.Ask.Amount, maxAmount)
		form.One(o.Ask.Promise[:], s.Ask.Say)
	}
	if s.Proposal < 0 {
		return
	}
	o.Proposal[s.Proposal] = 1
	pledged := 0
	for _, amount := range s.Pledges[:s.NumPledges] {
		pledged += int(amount)
	}
	o.Ballot.Bids, o.Ballot.Pledged = float32(s.NumBids)/MaxPlayers, form.Share(pledged, maxAmount)
	for i, bid := range s.Bids[:s.NumBids] {
		if s.inTurn(i) == me {
			o.OwnBid.Made, o.OwnBid.Amount = 1, float32(bid)*(1.0/maxAmount)
		}
	}
}

// observeRow writes the Projects on offer and what the observer's purchases would change.
func (s *State) observeRow(o *observation, me int) {
	g, c := s.game, &s.Countries[me]
	traits := s.traits(me)
	b := s.buyer(me)
	for slot, x := range &s.Row {
		if x < 0 {
			continue
		}
		o.Row[slot] = g.observe.cards[traits][x]
		row, upgraded := &o.Funding[slot], 0
		if t := g.tech[x]; t >= 0 && c.Saved[t]+c.Loose[t] > 0 {
			upgraded = 1
		}
		points := 0
		sector := g.Components.Projects[x].Sector
		if g.Advanced {
			if g.Components.Sectors[sector]&b.owned == 0 {
				row.NewSector = 1
				points = b.livability
			}
			points += b.sectorBonus[sector]
		}
		row.Upgraded = float32(upgraded)
		b.purchase(&row.purchaseRow, int(g.cost[x]), int(g.worth[traits][upgraded][x]), int(g.emission[upgraded][x]), points)
	}
	for t := range s.Technologies {
		if s.Technologies[t] != inDeck || g.boxTechnologies>>t&1 == 0 {
			continue
		}
		row, card := &o.TechnologyFunding[t], &g.Components.Technologies[t]
		targets := s.Targets(me, Technology(t))
		prosperity, emissions, n := 0, 0, 0
		for set := targets; set != 0; set &= set - 1 {
			x := set.First()
			prosperity = max(prosperity, g.Components.Projects[x].DP)
			emissions = min(emissions, g.Components.Projects[x].DE)
			n += int(c.Plain[x])
		}
		form.Count(row.Targets[:], n)
		b.purchase(&row.purchaseRow, card.Cost, prosperity, emissions, b.technologyPoints)
	}
	for i := range s.Policies {
		if s.Policies[i] != inDeck || g.boxPolicies>>i&1 == 0 {
			continue
		}
		card := &g.Components.Policies[i]
		b.purchase(&o.PolicyFunding[i], card.Cost, 0, -min(card.Reduction, b.emissions), b.policyPoints)
	}
}

// observeResolutions writes what Resolutions would bring, where that is the question.
func (s *State) observeResolutions(o *observation, me int) {
	if s.Proposal >= 0 {
		s.observeResolution(o, s.Proposal, me)
		return
	}
	if s.Decision == AtPropose {
		for r := range Resolution(NumResolutions) {
			if s.Resolutions[r] == InDeck {
				s.observeResolution(o, r, me)
			}
		}
	}
}

func (s *State) observeResolution(o *observation, r Resolution, me int) {
	own, others := 0, 0
	for p := range s.game.Players {
		if n := s.brought(r, p); p == me {
			own = n
		} else {
			others += n
		}
	}
	o.Resolutions[r].Own = form.Scaled(own, 4, 2)
	o.Resolutions[r].Others = max(-2, min(float32(others)/float32(4*(s.game.Players-1)), 2))
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
	nearest := toTarget
	for k, p := 0, me; k < n; k++ {
		c, markers := &s.Countries[p], &o.Markers[k]
		missing := max(0, g.Target-int(c.Prosperity))
		nearest = min(nearest, missing)
		form.Count(markers.ToTarget[:], missing)
		form.Count(markers.EmissionSteps[:], c.Emissions)
		form.Count(markers.Coins[:], c.Money)
		markers.Prosperity = form.Part(c.Prosperity, topProsperity)
		markers.OfTarget = min(1, float32(c.Prosperity)*g.perTarget)
		markers.Emissions = form.Part(c.Emissions, topEmissions)
		markers.Money = form.Part(c.Money, topMoney)
		markers.Income = form.Part(s.incomeWith(p, technologies[k]), topIncome)
		owned := c.PlainSet | c.UpgradedSet
		if g.Advanced {
			markers.Fee = form.Part(s.Fee(p), 20)
			sectors := 0
			for x := range &g.Components.Sectors {
				if g.Components.Sectors[x]&owned != 0 {
					o.Sectors[k][x] = 1
					sectors++
				}
			}
			markers.Points = form.Scaled(s.points(p, technologies[k], policies[k], sectors).Total(), topVP, 1)
			markers.Sectors = form.Part(sectors, NumSectors)
			form.One(o.Leader[k][:], c.Leader)
			o.Tokens[k].InHand = form.Part(c.Tokens, 4)
			o.Tokens[k].OnPassed = form.Part(c.Support, 4)
		}
		markers.Technologies = form.Part(technologies[k], NumTechnologies)
		markers.Policies = form.Part(policies[k], NumPolicies)
		s.observeTableau(o, k, c)
		observeWord(o, k, c)
		p = s.after(p)
	}
	form.Count(o.Clock.Nearest[:], nearest)
}

// observeTableau writes the Projects of a seat, and the uses of Technologies that it has left.
func (s *State) observeTableau(o *observation, k int, c *Country) {
	g := s.game
	for set := c.PlainSet; set != 0; set &= set - 1 {
		x := set.First()
		o.Plain[k][x] = g.observe.counts[c.Plain[x]&127]
	}
	for set := c.UpgradedSet; set != 0; set &= set - 1 {
		x := set.First()
		o.Upgraded[k][x] = g.observe.counts[c.Upgraded[x]&127]
	}
	if g.Advanced && c.Saved != ([NumTechnologies]int8{}) {
		for t, uses := range &c.Saved {
			o.Saved[k][t] = float32(min(uses, 1))
		}
	}
	if c.Loose != ([NumTechnologies]int8{}) {
		for t, uses := range &c.Loose {
			o.Loose[k][t] = form.Part(uses, 4)
		}
	}
}

// observeWord writes what a seat has said and promised.
func observeWord(o *observation, k int, c *Country) {
	promises := &o.Promises[k]
	promises.Policy, promises.Clean = form.Bit(c.PendingPolicy), form.Bit(c.PendingClean)
	promises.Kept = form.Part(c.PromisesKept, topPromises)
	promises.Broken = form.Part(c.PromisesBroken, topPromises)
	form.One(o.Said[k][:], c.Said)
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
	if s.inATurn() && s.Decision != Over {
		inTurn = s.active()
	}
	for k, p := 0, me; k < n; k++ {
		c, f, q := &s.Countries[p], &o.Flags[k], env.Player(p)
		f.There = 1
		f.First = form.Bit(p == int(s.First))
		f.Acts = form.Bit(p == int(s.Seat))
		f.InTurn = form.Bit(p == inTurn)
		f.Sanctioned = form.Bit(p == int(s.Sanctioned))
		f.Accused = form.Bit(p == int(s.Accused))
		f.MarsFunder = form.Bit(s.MarsFunders.Has(q))
		f.Donor = form.Bit(s.Donors.Has(q))
		f.Recipient = form.Bit(s.Recipients.Has(q))
		f.Trigger = form.Bit(p == int(s.Trigger))
		f.Highest = form.Bit(c.Emissions == high)
		f.Lowest = form.Bit(c.Emissions == low)
		f.Asked = form.Bit(s.Turn.Asked.Has(q))
		f.AskedNow = form.Bit(p == int(s.Ask.Seat))
		f.AbilityUsed = form.Bit(c.AbilityUsed)
		f.TurnDone = form.Bit(s.clockwise(p, int(s.First)) < int(s.TurnsDone))
		f.Culprit = form.Bit(s.Culprits.Has(q))
		p = s.after(p)
	}
	for i, p := range s.Reach[:s.NumReach] {
		f := &o.Flags[s.clockwise(int(p), me)]
		f.AtTarget, f.FirstThere = 1, form.Bit(i == 0)
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
			accused := (p + act.accuse.Index(a)) % s.game.Players
			o.Answers[s.clockwise(accused, me)].Accused += 1.0 / MaxPlayers
		}
	}
	o.Ballot.Answers = float32(s.NumVotes+s.NumPledges) / MaxPlayers
	for i, amount := range s.Pledges[:s.NumPledges] {
		o.Answers[s.clockwise(s.inTurn(i), me)].Pledge = form.Part(amount, maxAmount)
	}
}
