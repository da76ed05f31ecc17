package scripted

import (
	"math"
	"math/bits"

	"earthgym/env"
	"earthgym/games/oneearth"
)

// The bots of One Earth: what they share. Naive and greedy ask nobody for aid, grant none, and promise nothing.

var oneEarthBots = script{rulebook: oneearth.Rulebook, bots: [len(levels)]bot{
	plain(func(g env.Game) policy { return &oneEarthNaive{} }),
	plain(func(g env.Game) policy { return &oneEarthGreedy{newOneEarthTable(g, oneEarthPlain(g))} }),
	{weights: oneEarthWeightsOf, create: newOneEarthStrong},
}}

// oneEarthTable is what greedy and strong see and how they value it.
type oneEarthTable struct {
	game  *oneearth.Game
	state *oneearth.State
	me    int
	mask  env.Mask
	left  float64 // rounds that must still be expected, 0 in the last
	money float64 // worth of a unit of currency in points

	weights *oneEarthWeights
}

func newOneEarthTable(g env.Game, w *oneEarthWeights) oneEarthTable {
	return oneEarthTable{game: g.(*oneearth.Game), weights: w}
}

// oneEarthWeights are what a seat weighs by.
type oneEarthWeights struct {
	Money  float64 `low:"0" high:"1" help:"worth of a unit of currency at the end, in points"`
	Later  float64 `low:"0" high:"2" help:"how much of that it is worth before the last round"`
	Income float64 `low:"0" high:"2" help:"worth of a step of Prosperity for each round that is left, beside the point it is itself"`
	Pace   float64 `low:"1" high:"8" help:"Prosperity that the leader gains in a round, by which the rounds left are counted"`
	Step   float64 `low:"0" high:"2" help:"cost of any step of own Emissions"`
	Share  float64 `low:"0" high:"3" help:"what a step beyond the own share of the safe level costs in addition"`
	Warm   float64 `low:"0" high:"3" help:"what a step costs in addition from Global Emissions of 20 on, where Critical Events and sanctions begin"`
	Hot    float64 `low:"0" high:"4" help:"what it costs in addition from 25 on, near the ruin"`
	Dread  float64 `low:"0" high:"3" help:"by how much of itself each Critical Event so far raises that danger: the fourth ends the game"`
	Saved  float64 `low:"0" high:"3" help:"worth of a saved use of a Technology while rounds are left"`
	Rival  float64 `low:"0" high:"2" help:"how much a point of one other seat hurts, in own points"`
	Common float64 `low:"0" high:"1" help:"how much of what all gain alike counts as gained, when Mars is proposed"`
	Honour float64 `low:"0" high:"3" help:"worth of a kept promise, in points: who breaks his word gets no aid the next time"`
	Choosy float64 `low:"0" high:"3" help:"what six other Projects must promise above those in the row for a refresh"`
	Stake  float64 `low:"0" high:"1" help:"share of what a Resolution is worth to bid for the vote that decides it"`
}

// oneEarthPlain are the weights of a seat that thinks of itself and of today.
func oneEarthPlain(g env.Game) *oneEarthWeights {
	w := &oneEarthWeights{
		Money: 0.15, Later: 0.55, Income: 0.5, Pace: 3, Step: 0.25, Share: 0.5, Warm: 0.7, Hot: 0.45,
		Saved: 0.7, Rival: 0.3, Common: 0.9, Honour: 0.5, Choosy: 1, Stake: 0.3,
	}
	if game := g.(*oneearth.Game); game.Advanced {
		if w.Money = 0.5; game.WithNPC() {
			w.Hot = 1.5 // nobody else cleans up
		}
	}
	return w
}

// look takes in the position.
func (t *oneEarthTable) look(state env.State, legal env.Mask) {
	t.state, t.me, t.mask = state.(*oneearth.State), int(state.Actor()), legal
	t.left = t.roundsLeft()
	if t.money = t.weights.Money; t.left > 0 {
		t.money *= t.weights.Later
	}
}

// country is the own one.
func (t *oneEarthTable) country() *oneearth.Country { return &t.state.Countries[t.me] }

// rounds until the end, at the pace at which Prosperity and the deck go.
func (t *oneEarthTable) roundsLeft() float64 {
	s := t.state
	if s.Final {
		return 0
	}
	most := 0
	for p := range t.game.Players {
		most = max(most, int(s.Countries[p].Prosperity))
	}
	left := max(1, float64(t.game.Target-most)/t.weights.Pace)
	if t.game.Players == 1 {
		left = min(left, max(1, float64(t.game.Components.Constants.NPCProsperity-int(s.NPCProsperity))/3.3))
	}
	left = min(left, float64(s.DeckSize)/(1.5*float64(t.game.Players))+1)
	return min(left, float64(t.game.MaxRounds-int(s.Round)))
}

// prosperity is what a step of Prosperity is worth: itself, and income for the rounds left.
func (t *oneEarthTable) prosperity() float64 { return 1 + float64(t.weights.Income*t.left) }

// emissionCost is what moving the own Emissions by some steps costs.
func (t *oneEarthTable) emissionCost(steps int) float64 {
	s := t.state
	e, g := int(t.country().Emissions), int(s.Global)
	cost := 0.0
	for range steps {
		e++
		g++
		cost += t.stepCost(e, g)
	}
	for range -steps {
		if e == 0 {
			break
		}
		cost -= t.stepCost(e, g)
		e--
		g--
	}
	return cost
}

// stepCost is what the step to these Emissions costs: to the own country, and near the ruin to all.
func (t *oneEarthTable) stepCost(e, g int) float64 {
	if t.state.Final && t.game.Diplomatic() { // the ruin does not come any more (OE-212)
		if e > 7 {
			return 1
		}
		return 0
	}
	w, cost, share := t.weights, t.weights.Step, 24/t.game.Players
	if t.game.Players == 1 {
		share = 6
	}
	if e > share {
		cost += w.Share
	}
	cost += t.danger(g)
	if t.game.Advanced && e > 7 {
		cost++
	}
	if t.game.Players == 1 && (e == 6 || e == 8) {
		cost += float64(0.8 * t.left)
	}
	if t.state.Resolutions[oneearth.CapAndTrade] == oneearth.Passed && e > 5 {
		cost += float64(0.5 * t.left)
	}
	return cost
}

// danger is what the step to these Global Emissions costs every country.
func (t *oneEarthTable) danger(g int) float64 {
	if g < 20 {
		return 0
	}
	danger := t.weights.Warm
	if g >= 25 {
		danger += t.weights.Hot
	}
	return danger * (1 + float64(t.weights.Dread*float64(max(0, bits.OnesCount8(t.state.CriticalsDrawn)-1))))
}

const (
	decisive = 100 // wins or loses the game
	never    = -1000
)

// project is what funding a Project is worth.
func (t *oneEarthTable) project(x oneearth.Project) float64 {
	s := t.state
	card, c := &t.game.Components.Projects[x], t.country()
	upgraded := t.upgrades(x)
	p, e := s.Worth(t.me, x, upgraded), s.EmissionWorth(x, upgraded)
	value := float64(float64(p)*t.prosperity()) - t.emissionCost(e) - float64(float64(card.Cost)*t.money)
	if fate, ok := t.fate(p, e); ok {
		return fate
	}
	if !t.game.Advanced {
		return value
	}
	value += t.variety(x)
	switch c.Leader {
	case oneearth.Tycoon:
		if card.Sector == oneearth.Fossil {
			value += 5
		}
	case oneearth.Entertainer:
		if card.Sector == oneearth.Entertainment {
			value += 2
		}
	case oneearth.General:
		if card.Sector == oneearth.Manufacturing {
			value += 3
		}
	case oneearth.Environmentalist:
		value -= float64(e)
	}
	if s.Trigger < 0 && int(c.Prosperity)+p >= t.game.Target {
		value += 3
	}
	return value
}

// upgrades says whether a Project would be upgraded as it is funded.
func (t *oneEarthTable) upgrades(x oneearth.Project) bool {
	i, c := t.game.Components.Projects[x].Technology, t.country()
	return i >= 0 && c.Saved[i]+c.Loose[i] > 0
}

// fate says what an effect on own Prosperity and Emissions decides, if it decides the game.
func (t *oneEarthTable) fate(dp, de int) (float64, bool) {
	s, k := t.state, &t.game.Components.Constants
	de = max(de, -int(t.country().Emissions))
	g, n := int(s.Global)+de, t.game.Players
	if g >= k.Ruin && !(s.Final && n >= 3) {
		if n == 2 {
			if int(t.country().Emissions)+de < int(s.Countries[1-t.me].Emissions) {
				return decisive, true
			}
		}
		return never, true
	}
	if t.game.Advanced || g >= k.WinBelow {
		return 0, false
	}
	switch reached := int(t.country().Prosperity)+dp >= t.game.Target; {
	case s.NumReach > 0 && int(s.Reach[0]) != t.me:
		if t.weights.Dread > 0 && bits.OnesCount8(s.CriticalsDrawn) > 1 {
			return 0, false // better to lose to one than to be lost with all
		}
		return -decisive, true
	case s.NumReach > 0 || reached:
		return decisive, true
	}
	return 0, false
}

// variety is the Livability that a first Project of a sector brings.
func (t *oneEarthTable) variety(x oneearth.Project) float64 {
	sectors, table := &t.game.Components.Sectors, t.game.Components.Constants.Livability
	n := 0
	for _, types := range sectors {
		if t.state.Count(t.me, types) > 0 {
			n++
		}
	}
	if t.state.Count(t.me, sectors[t.game.Components.Projects[x].Sector]) > 0 {
		return 0
	}
	gain := float64(table[n+1] - table[n])
	if n < 4 {
		gain += 0.8
	}
	return gain
}

// upgrade is what using a Technology on a type is worth.
func (t *oneEarthTable) upgrade(x oneearth.Project) float64 {
	card := &t.game.Components.Projects[x]
	return float64(float64(card.DP)*t.prosperity()) - t.emissionCost(card.DE)
}

// technology is what funding a Technology is worth.
func (t *oneEarthTable) technology(i oneearth.Technology) float64 {
	s, c, card := t.state, t.country(), &t.game.Components.Technologies[i]
	var best [2]float64
	var first oneearth.Project
	uses := 0
	for set := s.Targets(t.me, i); set != 0; set &= set - 1 {
		x := set.First()
		v := t.upgrade(x)
		for range c.Plain[x] {
			uses++
			if v > best[0] || uses == 1 {
				best[0], best[1], first = v, best[0], x
			} else if v > best[1] {
				best[1] = v
			}
		}
	}
	value := best[0] - float64(float64(card.Cost)*t.money)
	if fate, ok := t.fate(t.game.Components.Projects[first].DP, t.game.Components.Projects[first].DE); ok {
		return fate
	}
	if !t.game.Advanced {
		return value
	}
	if uses > 1 {
		value += best[1]
	} else if t.left > 1 {
		value += t.weights.Saved
	}
	funded := s.TechnologiesFunded(t.me)
	if funded == 0 {
		value++
	}
	if c.Leader == oneearth.Scientist {
		value += 2
		if funded < 2 {
			value += t.left
		}
	}
	return value
}

// policy is what funding a Climate Policy is worth.
func (t *oneEarthTable) policy(i oneearth.Policy) float64 {
	card := &t.game.Components.Policies[i]
	steps := min(card.Reduction, int(t.country().Emissions))
	if fate, ok := t.fate(0, -steps); ok {
		return fate
	}
	value := -t.emissionCost(-card.Reduction) - float64(float64(card.Cost)*t.money)
	if t.game.Advanced && t.state.PoliciesFunded(t.me) == 0 {
		value++
	}
	if t.country().Leader == oneearth.Environmentalist {
		value += float64(steps)
	}
	return value
}

// ability is what the Leader's ability is worth now.
func (t *oneEarthTable) ability() float64 {
	if t.country().Leader == oneearth.Environmentalist {
		switch {
		case t.left == 0:
			return 0.1
		case t.state.Global >= 19:
			return 3
		}
		return -1
	}
	steps := t.game.Components.Leaders[oneearth.Entertainer].Ability
	if fate, ok := t.fate(steps, steps); ok {
		return fate
	}
	return float64(float64(steps)*t.prosperity()) - t.emissionCost(steps)
}

// mars is what joining the funders of Mars is worth.
func (t *oneEarthTable) mars() float64 {
	k := &t.game.Components.Constants
	value := float64(float64(k.MarsGain)*t.prosperity()) - float64(float64(k.MarsShare)*t.money)
	if t.state.Global >= 24 && !t.state.Lowest().Has(env.Player(t.me)) && t.left > 0 {
		value += 2
	}
	return value
}

// resolution is what a Resolution is worth to a seat.
func (t *oneEarthTable) resolution(r oneearth.Resolution, p int) float64 {
	s, c := t.state, &t.state.Countries[p]
	card := &t.game.Components.Resolutions[r]
	switch r {
	case oneearth.EduTech, oneearth.Medicine:
		return float64(1.5*float64(1+s.Count(p, card.Plus))) + 0.6
	case oneearth.CapAndTrade:
		return -0.5 * t.left * float64(max(0, int(c.Emissions)-5))
	case oneearth.CurbTransport:
		return 1.5 * float64(s.Count(p, card.Plus)-s.Count(p, card.Minus))
	case oneearth.BanCoal, oneearth.BanNuclear:
		loss := 0.0
		for x := range oneearth.Project(oneearth.NumProjects) {
			if card.Plus.Has(x) {
				loss += float64(float64(c.Plain[x])*t.lostWorth(p, x, false)) +
					float64(float64(c.Upgraded[x])*t.lostWorth(p, x, true))
			}
		}
		return -loss
	case oneearth.ShareTech:
		return 0.3
	case oneearth.ForeignAid:
		return t.transfer(p)
	}
	return 0
}

// lostWorth is what losing a Project would cost a seat.
func (t *oneEarthTable) lostWorth(p int, x oneearth.Project, upgraded bool) float64 {
	s := t.state
	dirt := float64(float64(s.EmissionWorth(x, upgraded)) * 0.5)
	return float64(1.5*float64(s.Worth(p, x, upgraded))) - float64(0.5*float64(s.Compensation(x))) - dirt
}

// transfer is what Mandatory Foreign Aid would bring a seat.
func (t *oneEarthTable) transfer(p int) float64 {
	donors, recipients := t.state.Richest(), t.state.Poorest()
	switch q := env.Player(p); {
	case donors == recipients: // all are alike
	case donors.Has(q):
		return -2.5 * float64(recipients.Count())
	case recipients.Has(q):
		return 2.5 * float64(donors.Count())
	}
	return 0
}

// others is what a Resolution is worth to the other seats on average.
func (t *oneEarthTable) others(r oneearth.Resolution) float64 {
	sum := 0.0
	for p := range t.game.Players {
		if p != t.me {
			sum += t.resolution(r, p)
		}
	}
	return sum / float64(t.game.Players-1)
}

// proposal is the Resolution that is best for this seat and not for the others, or a pass.
func (t *oneEarthTable) proposal() env.Action {
	best := choice[env.Action]{oneearth.Pass, 0.2}
	for r, a := range among[oneearth.Resolution](t.mask, oneearth.Propose, oneearth.NumResolutions) {
		best.put(a, t.proposed(r, t.resolution(r, t.me)))
	}
	return best.best
}

// proposed is what proposing a Resolution is worth that is worth so much to this seat.
func (t *oneEarthTable) proposed(r oneearth.Resolution, worth float64) float64 {
	if r == oneearth.EduTech || r == oneearth.Medicine {
		worth -= 1.2
	}
	worth -= t.others(r)
	switch {
	case !r.Voted():
	case t.country().Tokens == 0:
		worth -= 2
	case t.country().Leader == oneearth.Diplomat:
		worth += 2
	}
	return worth
}

// favour is what it is worth to have a Resolution passed and to have voted for it: its effect, the token on it, and
// what it does for the others.
func (t *oneEarthTable) favour(r oneearth.Resolution) float64 {
	if r == oneearth.Mars {
		return t.mars()
	}
	value := t.resolution(r, t.me) + 1
	if t.country().Leader == oneearth.Diplomat {
		value += 2
	}
	return value - float64(0.5*max(0, t.others(r))) - 0.5
}

// bid backs its side where much is at stake.
func (t *oneEarthTable) bid() env.Action {
	value := t.resolution(t.state.Proposal, t.me)
	amount := min(2, env.Action(t.country().Money))
	switch {
	case value > 1.5:
		return oneearth.BidYes + amount - 1
	case value < -1.5:
		return oneearth.BidNo + amount - 1
	}
	return oneearth.BidNothing
}

// accuse names the tied seat, other than the own, that has most Prosperity.
func (t *oneEarthTable) accuse() env.Action {
	best, n := choice[env.Action]{oneearth.Pass, -1}, t.game.Players
	for d, a := range among[int](t.mask, oneearth.Accuse+1, n-1) {
		best.put(a, float64(t.state.Countries[(t.me+1+d)%n].Prosperity))
	}
	return best.best
}

// on is the type on which a Technology is best used; otherwise if none is legal.
func (t *oneEarthTable) on(otherwise env.Action) env.Action {
	best := choice[env.Action]{otherwise, math.Inf(-1)}
	for x, a := range among[oneearth.Project](t.mask, oneearth.On, oneearth.NumProjects) {
		best.put(a, t.upgrade(x))
	}
	return best.best
}

// pick names the Technology to be shared: the one that fits most own types.
func (t *oneEarthTable) pick() env.Action {
	best := undecided()
	for i, a := range among[oneearth.Technology](t.mask, oneearth.Tech, oneearth.NumTechnologies) {
		fits := t.state.Count(t.me, t.state.Targets(t.me, i))
		if int(t.state.Technologies[i]) == t.me {
			fits = 0
		}
		best.put(a, float64(fits))
	}
	return best.best
}

// leader chooses in the order in which leaders won for these bots.
func (t *oneEarthTable) leader() env.Action {
	for _, l := range [...]oneearth.Leader{
		oneearth.Entertainer, oneearth.Tycoon, oneearth.Diplomat, oneearth.Scientist, oneearth.General,
		oneearth.Environmentalist,
	} {
		if a := oneearth.ChooseLeader + env.Action(l); t.mask.Has(a) {
			return a
		}
	}
	return t.mask.Nth(0)
}

// outsideTurn decides where it is not the own turn's menu.
func (t *oneEarthTable) outsideTurn() env.Action {
	s := t.state
	choose := func(yes bool) env.Action {
		if yes {
			return oneearth.Yes
		}
		return oneearth.No
	}
	switch s.Decision {
	case oneearth.AtLeader:
		return t.leader()
	case oneearth.AtTarget, oneearth.AtSecond:
		return t.on(oneearth.Save)
	case oneearth.AtLoose:
		return t.on(oneearth.Pass)
	case oneearth.AtShared:
		return t.on(oneearth.No)
	case oneearth.AtAttach, oneearth.AtImmunity:
		return oneearth.Yes
	case oneearth.AtAskReply:
		return oneearth.No
	case oneearth.AtAccuse:
		return t.accuse()
	case oneearth.AtSanction:
		return choose(int(s.Accused) != t.me && !s.Highest().Has(env.Player(t.me)))
	case oneearth.AtPropose:
		return t.proposal()
	case oneearth.AtPick:
		return t.pick()
	case oneearth.AtVote:
		return choose(t.favour(s.Proposal) > 0)
	case oneearth.AtBid:
		return t.bid()
	case oneearth.AtVeto:
		return choose(t.resolution(s.Proposal, t.me) < -1)
	}
	return t.mask.Nth(0) // says nothing, pledges nothing, discards the first of its dirtiest
}

// oneEarthGreedy buys Prosperity where it is cheapest, and minds Emissions only near the ruin.
type oneEarthGreedy struct{ oneEarthTable }

// Choose takes the Project with most Prosperity for its cost, else a Technology, else a Policy.
func (b *oneEarthGreedy) Choose(state env.State, legal env.Mask) env.Action {
	b.look(state, legal)
	s := b.state
	if s.Decision != oneearth.AtTurn {
		return b.outsideTurn()
	}
	best := choice[env.Action]{-1, 0}
	for slot, a := range among[int](b.mask, oneearth.Fund, oneearth.RowSize) {
		if ruins(s, a) {
			continue
		}
		x := s.Row[slot]
		dirt := 1.0
		if b.game.WithNPC() { // few countries: the own Emissions count for more
			dirt = 2
		}
		price := float64(b.game.Components.Projects[x].Cost) + float64(dirt*float64(s.EmissionWorth(x, false)))
		best.put(a, float64(s.Worth(b.me, x, false))/max(1, price))
	}
	if best.best >= 0 {
		return best.best
	}
	for i := range env.Action(oneearth.NumTechnologies) {
		if b.mask.Has(oneearth.Tech + i) {
			return oneearth.Tech + i
		}
	}
	if s.Global >= 20 {
		for i := range env.Action(oneearth.NumPolicies) {
			if b.mask.Has(oneearth.FundPolicy + i) {
				return oneearth.FundPolicy + i
			}
		}
	}
	return oneearth.Pass
}

// oneEarthNaive buys what it can at random, short of ruining the Earth, and now and then saves its
// money. It neither asks for aid nor grants it, and votes and talks as it happens.
type oneEarthNaive struct {
	state *oneearth.State
	gambling
	legal []env.Action
}

// Choose draws among what is legal, without aid and other rows.
func (b *oneEarthNaive) Choose(state env.State, legal env.Mask) env.Action {
	b.state = state.(*oneearth.State)
	switch m := legal; {
	case b.state.Decision == oneearth.AtAskReply:
		return oneearth.No
	case b.state.Decision != oneearth.AtTurn:
		return m.Nth(b.luck.Below(m.Count()))
	case b.luck.Float64() < 0.1:
		return oneearth.Pass
	}
	b.legal = legal.Append(b.legal[:0])
	kept := b.legal[:0]
	for _, a := range b.legal {
		if a != oneearth.Refresh && a != oneearth.Pass && (a < oneearth.Ask || a >= oneearth.Share) && !ruins(b.state, a) {
			kept = append(kept, a)
		}
	}
	if len(kept) == 0 {
		return oneearth.Pass
	}
	return kept[b.luck.Below(len(kept))]
}

// ruins says whether an action funds a Project that would bring Global Emissions to the ruin.
func ruins(s *oneearth.State, a env.Action) bool {
	return a >= oneearth.Fund && a < oneearth.Tech &&
		int(s.Global)+s.EmissionWorth(s.Row[a-oneearth.Fund], false) >= s.Rules().Components.Constants.Ruin
}
