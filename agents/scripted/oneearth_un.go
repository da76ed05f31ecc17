package scripted

import (
	"earthgym/env"
	"earthgym/games/oneearth"
)

// How oneEarthStrong deals with the other countries: Foreign Aid, the UN, and what is said there.

// wanted is the money that is missing for the best Policy that would be funded in this turn but for it, and that is
// worth the aid to others too: nobody pays for more than it gains.
func (b *oneEarthStrong) wanted() (missing int) {
	s, k := b.state, &b.game.Components.Constants
	if int(s.Turn.Policies) >= k.PoliciesPerTurn {
		return 0
	}
	top := 0.0
	for i := range oneearth.Policy(oneearth.NumPolicies) {
		card := &b.game.Components.Policies[i]
		short := card.Cost - int(b.country().Money)
		if short <= 0 || !card.InBox || s.Policies[i] >= 0 || s.Policies[i] < -1 {
			continue
		}
		if b.trust(b.me)*b.relief(card.Reduction) <= float64(short)*b.money && !b.waits() {
			continue
		}
		// The aid pays what is missing: only the rest is the own money.
		if v := b.policy(i) + float64(float64(short)*b.money); v > top {
			top, missing = v, short
		}
	}
	return missing
}

// asks scores the requests for aid: of those who have what is missing, first the one that has most.
func (b *oneEarthStrong) asks() {
	n := b.game.Players
	if n < 3 || b.relief(1) <= 0 && !b.waits() {
		return // nobody else gains
	}
	missing := b.wanted()
	if missing == 0 {
		return
	}
	for d, a := range among[int](b.mask, oneearth.Ask, n-1) {
		if money := int(b.state.Countries[(b.me+1+d)%n].Money); money >= missing {
			b.ranking.put(a, 0.1+float64(0.001*float64(money)))
		}
	}
}

// waits says whether a standard game only waits for Global Emissions to fall, for somebody is at the target: then the
// seat itself gains by any aid, or, if it is another, loses by it.
func (b *oneEarthStrong) waits() bool { return !b.game.Advanced && b.state.NumReach > 0 }

// missing is the amount to ask for, as far as the seat asked has it.
func (b *oneEarthStrong) missing() int {
	return min(b.wanted(), int(b.state.Countries[b.state.Ask.Seat].Money), b.game.Components.Constants.MaxAmount)
}

// trust is how far a seat has kept its word.
func (t *oneEarthTable) trust(p int) float64 {
	c := &t.state.Countries[p]
	return float64(c.PromisesKept+1) / float64(c.PromisesKept+c.PromisesBroken+1)
}

// aid is what it is worth to grant the request: the fall of Global Emissions that is promised, as far as the one who
// asks keeps its word, against the money and its better use there. Who was promised aid for its vote gets it.
func (b *oneEarthStrong) aid() float64 {
	s := b.state
	asks, amount := s.Ask, float64(s.Ask.Amount)
	p := int(s.First) + int(s.TurnsDone)
	p %= b.game.Players
	if b.waits() {
		if int(s.Reach[0]) == p {
			return never // it waits only for Global Emissions to fall
		}
		if int(s.Reach[0]) == b.me && asks.Say == oneearth.PromisePolicy {
			return decisive
		}
	}
	value := -float64(amount * b.money)
	if asks.Say == oneearth.PromisePolicy {
		most := 0
		for i := range oneearth.Policy(oneearth.NumPolicies) {
			card := &b.game.Components.Policies[i]
			if s.Policies[i] == -1 && card.InBox && card.Cost <= int(s.Countries[p].Money)+int(asks.Amount) {
				most = max(most, card.Reduction)
			}
		}
		value += float64(b.trust(p) * b.relief(most))
	} else {
		value -= b.hurts(p, amount*b.money)
	}
	if b.country().Said == oneearth.PromiseAid && b.supported(p) {
		value += b.weights.Honour
	}
	return value
}

// supported says whether p has voted for a Resolution that passed.
func (b *oneEarthStrong) supported(p int) bool {
	for _, voters := range b.state.YesVoters {
		if voters.Has(env.Player(p)) {
			return true
		}
	}
	return false
}

// word is what it says: for aid it promises the Policy that the aid pays for. Accused it promises what it will do
// anyway: a Policy, if even a sanctioned income buys one that it wants. Before a ballot it announces its vote, and with
// much at stake it offers aid to those who vote with it.
func (b *oneEarthStrong) word() oneearth.Word {
	s := b.state
	switch s.Decision {
	case oneearth.AtAskSay:
		return oneearth.PromisePolicy
	case oneearth.AtPlea:
		income := min(int(b.country().Prosperity), b.game.Components.Constants.SanctionCap)
		if b.buysPolicy(int(b.country().Money) + income) {
			return oneearth.PromisePolicy
		}
		return oneearth.SayNothing
	}
	value := b.favour(s.Proposal)
	switch {
	case int(s.First) == b.me && s.Proposal.Voted() && value > 2 && b.game.Aid && b.country().Money >= 3:
		return oneearth.PromiseAid
	case value > 0.5:
		return oneearth.SayYes
	case value < -0.5:
		return oneearth.SayNo
	}
	return oneearth.SayNothing
}

// buysPolicy says whether a seat with some money would rather have one of the Policies that are left than any Project
// that lies there.
func (b *oneEarthStrong) buysPolicy(money int) bool {
	best := 0.0
	for _, x := range b.state.Row {
		if x >= 0 && b.game.Components.Projects[x].Cost <= money {
			best = max(best, b.project(x))
		}
	}
	for i := range oneearth.Policy(oneearth.NumPolicies) {
		card := &b.game.Components.Policies[i]
		if b.state.Policies[i] == -1 && card.InBox && card.Cost <= money && b.policy(i) > best+2*b.weights.Honour {
			return true
		}
	}
	return false
}

// discards scores which of the dirtiest Projects goes: the one that is missed least.
func (b *oneEarthStrong) discards() {
	for x := range oneearth.Project(oneearth.NumProjects) {
		if a := oneearth.Discard + env.Action(x); b.mask.Has(a) {
			b.ranking.put(a, -b.lostWorth(b.me, x, false))
		}
		if a := oneearth.DiscardUpgraded + env.Action(x); b.mask.Has(a) {
			b.ranking.put(a, -b.lostWorth(b.me, x, true))
		}
	}
}

// critical is what the Critical Event would bring the own country.
func (b *oneEarthStrong) critical() float64 {
	s := b.state
	card := &b.game.Components.Criticals[s.Event]
	prosperity, money := card.All.Prosperity, card.All.Money
	highest, lowest, me := s.Highest(), s.Lowest(), env.Player(b.me)
	if highest != lowest { // otherwise all tie (OE-123)
		if highest.Has(me) {
			prosperity, money = prosperity+card.High.Prosperity, money+card.High.Money
		}
		if lowest.Has(me) {
			prosperity, money = prosperity+card.Low.Prosperity, money+card.Low.Money
		}
	}
	return float64(float64(prosperity)*b.prosperity()) + float64(float64(money)*b.money)
}

// sanction is what sanctioning the accused is worth: a rival loses income and its dirtiest Project, and Global
// Emissions fall; less if it promises to lower them itself and keeps its word, and if it is no rival at all.
func (b *oneEarthStrong) sanction() float64 {
	s := b.state
	p := int(s.Accused)
	if p == b.me || s.Highest().Has(env.Player(b.me)) {
		return never
	}
	c := &s.Countries[p]
	loses := float64(max(0, float64(c.Prosperity)-4)*b.money) + 2
	value := b.hurts(p, loses)
	if !c.PendingPolicy && !c.PendingClean {
		return value + b.relief(3)
	}
	return value + float64(b.relief(3)*(1-b.trust(p))) - float64(b.trust(p)*b.weights.Honour)
}

// ballot is what "yes" is worth. What can't pass is refused, for the gain of those who vote "no"; what passes anyway is
// supported, for the token's point. In between it votes as it is served, and remembers what it said and was offered.
func (b *oneEarthStrong) ballot() float64 {
	s := b.state
	yes, no := 0, 0
	for _, a := range s.Votes[:s.NumVotes] {
		if env.Action(a) == oneearth.Yes {
			yes++
		} else {
			no++
		}
	}
	later := 0 // seats that may still vote "yes"
	for i := int(s.NumVotes) + 1; i < b.game.Players; i++ {
		if s.Countries[(int(s.First)+i)%b.game.Players].Tokens > 0 {
			later++
		}
	}
	rest := b.game.Players - int(s.NumVotes) - 1
	value := b.favour(s.Proposal)
	switch {
	case yes+1+later-no-(rest-later) < 0:
		return -1
	case yes-no-1-rest >= 2:
		return 1
	}
	switch b.country().Said {
	case oneearth.SayYes:
		value += b.weights.Honour
	case oneearth.SayNo:
		value -= b.weights.Honour
	}
	if first := int(s.First); first != b.me && s.Countries[first].Said == oneearth.PromiseAid {
		value += float64(b.trust(first) * b.weights.Honour)
	}
	return value
}

// bids scores the sealed bids: a share of what is at stake, on the side that is better. At stake are the effect, the
// token's point of who voted "yes", and the gain of who voted "no".
func (b *oneEarthStrong) bids() {
	s, n := b.state, b.game.Players
	b.ranking.put(oneearth.BidNothing, 0)
	value := b.resolution(s.Proposal, b.me)
	if env.Action(s.Votes[(b.me-int(s.First)+n)%n]) == oneearth.Yes {
		value++
		if b.country().Leader == oneearth.Diplomat {
			value += 2
		}
	} else {
		value -= float64(float64(b.game.Components.Constants.NoGain) * b.money)
	}
	side := env.Action(oneearth.BidYes)
	if value < 0 {
		side, value = oneearth.BidNo, -value
	}
	amount := env.Action(min(b.weights.Stake*value/max(b.money, 0.01), float64(b.country().Money)/2, 20))
	if value > 1.5 && amount >= 1 && b.mask.Has(side+amount-1) {
		b.ranking.put(side+amount-1, value)
	}
}

// pledge is what it gives for Mars: a share, if that is worth it and the others can bring up the rest.
func (b *oneEarthStrong) pledge() int {
	s, k := b.state, &b.game.Components.Constants
	if b.mars() <= 0 || int(b.country().Money) < k.MarsShare {
		return 0
	}
	total := 0
	for _, pledge := range s.Pledges[:s.NumPledges] {
		total += int(pledge)
	}
	for i := int(s.NumPledges) + 1; i < b.game.Players; i++ {
		if int(s.Countries[(int(s.First)+i)%b.game.Players].Money) >= k.MarsShare {
			total += k.MarsShare
		}
	}
	need := max(k.MarsShare, k.MarsNeeded-total)
	if need > int(b.country().Money) || need > k.MaxPledge || need > k.MarsShare+1 {
		return 0
	}
	return need
}

// proposals scores the Resolutions that are better for this seat than for the others, against a pass.
func (b *oneEarthStrong) proposals() {
	b.ranking.put(oneearth.Pass, 0.2)
	for r, a := range among[oneearth.Resolution](b.mask, oneearth.Propose, oneearth.NumResolutions) {
		worth := b.resolution(r, b.me)
		if r == oneearth.Mars {
			worth = b.marsProposal()
		}
		b.ranking.put(a, b.proposed(r, worth))
	}
}

// marsProposal is what proposing Mars is worth: a point for those who can pay, and an insurance near the ruin. It
// passes only if enough seats can.
func (b *oneEarthStrong) marsProposal() float64 {
	k := &b.game.Components.Constants
	payers := 0 // the own seat and its rivals
	for p := range b.game.Players {
		if int(b.state.Countries[p].Money) >= k.MarsShare {
			payers++
		}
	}
	if int(b.country().Money) < k.MarsShare || payers*k.MarsShare+1 < k.MarsNeeded {
		return never
	}
	return b.mars() * b.weights.Common
}

// leaderStrength is the mean return of each leader in play of these bots with leaders dealt at random, by the number of
// players: Diplomat, Tycoon, Scientist, Environmentalist, Entertainer, General. Alone the Scientist's steady income
// beats all; at a table the Entertainer's festival does, and the Environmentalist's clean hands win too little.
var leaderStrength = [oneearth.MaxPlayers + 1][oneearth.NumLeaders]float64{
	1: {0, 0.3, 0.88, 0.55, 0.54, 0},
	2: {0, 0.09, 0.09, -0.52, 0.33, 0},
	3: {0.07, 0.10, 0.09, -0.35, 0.24, -0.17},
	4: {-0.07, 0.09, 0.00, -0.28, 0.29, -0.14},
	5: {-0.04, 0.02, -0.06, -0.17, 0.29, -0.10},
}

// leaderAgainst is what a leader of another seat changes with two players, where there is no third to hold it back: the
// Tycoon spoils the clean and quick ones' game, the Scientist has no answer to the Entertainer.
var leaderAgainst = [oneearth.NumLeaders][oneearth.NumLeaders]float64{
	oneearth.Tycoon:           {oneearth.Scientist: -0.04, oneearth.Environmentalist: 0.17, oneearth.Entertainer: -0.12},
	oneearth.Scientist:        {oneearth.Tycoon: -0.14, oneearth.Environmentalist: 0.52, oneearth.Entertainer: -0.36},
	oneearth.Environmentalist: {oneearth.Tycoon: 0.25, oneearth.Scientist: -0.10, oneearth.Entertainer: -0.14},
	oneearth.Entertainer:      {oneearth.Tycoon: -0.30, oneearth.Scientist: -0.05, oneearth.Environmentalist: 0.33},
}

// leaderSector is where a leader's bonus lies; false for those without a sector.
func leaderSector(l oneearth.Leader) (oneearth.Sector, bool) {
	switch l {
	case oneearth.Tycoon:
		return oneearth.Fossil, true
	case oneearth.Entertainer:
		return oneearth.Entertainment, true
	case oneearth.General:
		return oneearth.Manufacturing, true
	}
	return 0, false
}

// leaders scores the draft: by measured strength, by what the others took, and by the Projects that lie there for it.
func (b *oneEarthStrong) leaders() {
	for l, a := range among[oneearth.Leader](b.mask, oneearth.ChooseLeader, oneearth.NumLeaders) {
		value := leaderStrength[b.game.Players][l]
		for p := range b.game.Players {
			if other := b.state.Countries[p].Leader; b.game.Players == 2 && other >= 0 {
				value += leaderAgainst[l][other]
			}
		}
		if sector, ok := leaderSector(l); ok {
			for _, x := range b.state.Row {
				if x >= 0 && b.game.Components.Projects[x].Sector == sector {
					value += 0.06
				}
			}
		}
		b.ranking.put(a, value)
	}
}
