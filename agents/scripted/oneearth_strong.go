package scripted

import (
	"earthgym/env"
	"earthgym/games/oneearth"
)

// oneEarthStrong weighs Prosperity against the emissions that it brings and the points at the end, and sees purchases
// of one turn that win together.
//
// What it plays by: Prosperity is income, so money is spent early, twice a turn. Dirt is a loan: cheap now, and dear
// once Global Emissions pass 20, when each step costs all. What helps all, like a Policy, is worth paying others for,
// so it asks for aid with a promise, and grants it to those who keep theirs. Near the end only points count.
type oneEarthStrong struct {
	oneEarthTable
	ranking ranking
	ahead   [winningLine]struct { // the States along a line of purchases, and what is legal there
		state *oneearth.State
		legal env.Mask
	}
	gains [oneearth.RowSize + oneearth.NumTechnologies + oneearth.NumPolicies]int // of Prosperity, at most, by purchase
	gain  int                                                                     // the most of them
}

// oneEarthWeightsOf were tuned by play for each mode and number of seats: a random search over matches against the
// numbers before, each step kept if it won on two seeds; in standard games tables that end by the target counted too.
func oneEarthWeightsOf(g env.Game) any {
	w := oneEarthPlain(g)
	game := g.(*oneearth.Game)
	switch w.Choosy = 2; {
	case !game.Advanced && game.Players == 3:
		w.Money, w.Later, w.Income, w.Step, w.Share, w.Warm, w.Hot = 0.27, 0.75, 0.22, 0.3, 0.64, 0.33, 0.25
		w.Dread, w.Rival, w.Choosy = 0.35, 0.47, 1.2
	case !game.Advanced && game.Players == 4:
		w.Money, w.Income, w.Step, w.Share, w.Hot = 0.333, 0.438, 0.317, 2.3, 0.56
		w.Dread, w.Rival, w.Choosy = 0.22, 0.5, 1.34
	case !game.Advanced:
		w.Money, w.Step, w.Share, w.Warm, w.Hot = 0.237, 0.317, 0.63, 0.572, 0.437
		w.Dread, w.Rival = 0.35, 0.91
	case game.Players == 1:
		w.Money, w.Income, w.Step, w.Share, w.Hot, w.Saved, w.Choosy = 1, 0.38, 0.2, 0.63, 0.33, 1.3, 1
	case game.Players == 2:
		w.Money, w.Income, w.Step, w.Share, w.Warm = 1, 0.07, 0.72, 0, 1.06
	case game.Players == 3:
		w.Money, w.Income, w.Pace, w.Share, w.Hot, w.Common, w.Honour, w.Choosy, w.Stake = 0.6, 0.23, 3.3, 1, 0.8, 0.55, 0.3,
			1.8, 0.55
	default:
		w.Money, w.Income, w.Step, w.Share, w.Hot, w.Rival, w.Choosy, w.Stake = 0.74, 0.38, 0.15, 1.9, 0.9, 0.16, 1, 0.36
	}
	return w
}

// winningLine is the number of purchases that are tried one after another.
const winningLine = 3

func newOneEarthStrong(g env.Game, weights any) policy {
	b := &oneEarthStrong{oneEarthTable: newOneEarthTable(g, weights.(*oneEarthWeights))}
	for i := range b.ahead {
		b.ahead[i].state, b.ahead[i].legal = g.New().(*oneearth.State), make(env.Mask, g.Info().MaskWords())
	}
	return b
}

// Choose takes what it scores highest.
func (b *oneEarthStrong) Choose(state env.State, legal env.Mask) env.Action {
	b.Scores(state, legal, nil)
	return b.ranking.best
}

// Scores are in points, as far as the bot can tell.
func (b *oneEarthStrong) Scores(state env.State, legal env.Mask, dst []float64) {
	b.look(state, legal)
	b.ranking.begin(legal, dst)
	switch b.state.Decision {
	case oneearth.AtTurn:
		b.turn()
	case oneearth.AtLeader:
		b.leaders()
	case oneearth.AtSecond:
		b.uses(0)
		b.keepOrShare()
	case oneearth.AtAskAmount:
		b.ranking.put(oneearth.Amount+env.Action(max(1, b.missing())), 1)
	case oneearth.AtAskSay, oneearth.AtPlea, oneearth.AtDiscuss:
		b.ranking.put(oneearth.Say+env.Action(b.word()), 1)
	case oneearth.AtAskReply:
		b.answer(b.aid())
	case oneearth.AtAudit:
		b.discards()
	case oneearth.AtImmunity:
		b.answer(-b.critical())
	case oneearth.AtSanction:
		b.answer(b.sanction())
	case oneearth.AtPropose:
		b.proposals()
	case oneearth.AtVote:
		b.answer(b.ballot())
	case oneearth.AtBid:
		b.bids()
	case oneearth.AtPledge:
		b.ranking.put(oneearth.Amount+env.Action(b.pledge()), 1)
	default:
		b.ranking.put(b.outsideTurn(), 1)
	}
}

// answer scores yes by its worth, against no.
func (b *oneEarthStrong) answer(worth float64) {
	b.ranking.put(oneearth.No, 0)
	b.ranking.put(oneearth.Yes, worth)
}

// turn scores the menu; what is worth nothing is not bought.
func (b *oneEarthStrong) turn() {
	r, mask := &b.ranking, b.mask
	r.put(oneearth.Pass, 0)
	if b.endsNear() {
		if a := b.winning(b.state, mask, 0); a >= 0 {
			r.put(a, 10*decisive)
		}
	}
	row := 0.0 // the best Project that lies there
	for slot, x := range b.state.Row {
		if a := oneearth.Fund + env.Action(slot); mask.Has(a) && r.best != a {
			v := b.clean(b.project(x), b.emissionsOf(x))
			row = max(row, v)
			r.put(a, v)
		}
	}
	for i := range oneearth.Technology(oneearth.NumTechnologies) {
		if a := oneearth.Tech + env.Action(i); mask.Has(a) && r.best != a {
			r.put(a, b.technology(i))
		}
		if a := oneearth.ApplyUse + env.Action(i); mask.Has(a) {
			r.put(a, 5)
		}
	}
	for i := range oneearth.Policy(oneearth.NumPolicies) {
		if a := oneearth.FundPolicy + env.Action(i); mask.Has(a) && r.best != a {
			v := b.policy(i)
			if b.country().PendingPolicy && b.state.Turn.Policies == 0 {
				v += float64(4 * b.weights.Honour) // others have paid or voted for it
			}
			r.put(a, v)
		}
	}
	if mask.Has(oneearth.UseAbility) {
		r.put(oneearth.UseAbility, b.ability())
	}
	if mask.Has(oneearth.JoinMars) {
		r.put(oneearth.JoinMars, b.mars())
	}
	if mask.Has(oneearth.Refresh) {
		r.put(oneearth.Refresh, b.refresh(row))
	}
	if r.best == oneearth.Pass {
		b.asks()
	}
}

// emissionsOf are the emissions that a Project would bring.
func (b *oneEarthStrong) emissionsOf(x oneearth.Project) int {
	return b.state.EmissionWorth(x, b.upgrades(x))
}

// clean takes from the worth of a purchase what breaking the promise of clean growth costs.
func (b *oneEarthStrong) clean(value float64, steps int) float64 {
	c := b.country()
	if before := int(c.Emissions - b.state.Turn.EmissionsAtStart); c.PendingClean && before <= 0 && before+steps > 0 {
		value -= b.weights.Honour
	}
	return value
}

// refresh is what six other Projects are worth above the best in the row: the expected best of six drawn from what the
// deck is known to hold, as far as the money that is left buys them.
func (b *oneEarthStrong) refresh(row float64) float64 {
	s, k := b.state, &b.game.Components.Constants
	money := int(b.country().Money) - k.RefreshPrice
	if int(s.Turn.Funded) >= k.ProjectsPerTurn || row > b.weights.Choosy+1 {
		return -1
	}
	var values [oneearth.NumProjects]float64 // those worth something, best first
	var copies [oneearth.NumProjects]int8
	n := 0
	for x := range oneearth.Project(oneearth.NumProjects) {
		if s.Deck[x] == 0 || b.game.Components.Projects[x].Cost > money {
			continue
		}
		v := min(b.project(x), 10)
		if v <= row {
			continue
		}
		i := n
		for ; i > 0 && values[i-1] < v; i-- {
			values[i], copies[i] = values[i-1], copies[i-1]
		}
		values[i], copies[i] = v, s.Deck[x]
		n++
	}
	expected, worse := 0.0, 1.0 // worse: chance that all six are worse than those seen so far
	cards := 0
	for i := range n {
		cards += int(copies[i])
		rest := 1 - float64(cards)/float64(s.DeckSize)
		next := rest * rest * rest
		next = float64(next * next)
		expected += float64((worse - next) * (values[i] - row))
		worse = next
	}
	return expected - float64(float64(k.RefreshPrice)*b.money) - b.weights.Choosy + min(row, 0)
}

// uses scores the types on which a Technology may be used, above a bar.
func (b *oneEarthStrong) uses(bar float64) {
	for x, a := range among[oneearth.Project](b.mask, oneearth.On, oneearth.NumProjects) {
		b.ranking.put(a, b.upgrade(x)-bar)
	}
}

// keepOrShare scores the second use of a Technology, against using it: saved it is worth something while there is time,
// and a Project to be found for it. Shared it helps a rival, unless what it lowers is everybody's emissions.
func (b *oneEarthStrong) keepOrShare() {
	saved := 0.0
	if b.left > 1 {
		found := 0
		for x := range oneearth.Project(oneearth.NumProjects) {
			if b.game.Components.Technologies[b.state.Using].Fits.Has(x) {
				found += int(b.state.Deck[x])
			}
		}
		for _, x := range b.state.Row {
			if x >= 0 && b.game.Components.Technologies[b.state.Using].Fits.Has(x) {
				found++
			}
		}
		saved = b.weights.Saved * min(1, float64(found)/6)
	}
	b.ranking.put(oneearth.Save, saved)
	n := b.game.Players
	for d, a := range among[int](b.mask, oneearth.Share, n-1) {
		q := (b.me + 1 + d) % n
		value, most := -1.0, -1
		for set := b.state.Targets(q, b.state.Using); set != 0; set &= set - 1 {
			x := set.First()
			card := &b.game.Components.Projects[x]
			if gain := card.DP*2 - card.DE; gain > most {
				most = gain
				value = b.relief(-card.DE) - b.hurts(q, float64(card.DP)*b.prosperity())
			}
		}
		if b.country().Said == oneearth.PromiseSharing {
			value += b.weights.Honour
		}
		b.ranking.put(a, value)
	}
}

// relief is what it is worth to any country that Global Emissions fall by some steps.
func (t *oneEarthTable) relief(steps int) float64 {
	value := 0.0
	if t.state.Final && t.game.Diplomatic() {
		return 0
	}
	for g := int(t.state.Global); steps > 0 && g > 0; steps-- {
		value += t.danger(g)
		g--
	}
	return value
}

// hurts is what points of another seat cost the own one: the more, the nearer that seat is to winning.
func (t *oneEarthTable) hurts(q int, points float64) float64 {
	lead := float64(t.state.Countries[q].Prosperity - t.country().Prosperity)
	return float64(points * t.weights.Rival * max(0.25, min(2, 1+float64(0.2*lead))))
}

// endsNear says whether the purchases of one turn may end the game: a standard one at the target, one
// of two players at the ruin.
func (b *oneEarthStrong) endsNear() bool {
	switch {
	case !b.game.Advanced:
		return int(b.country().Prosperity)+8 >= b.game.Target
	case b.game.Players == 2:
		return int(b.state.Global)+12 >= b.game.Components.Constants.Ruin
	}
	return false
}

// winning is a first purchase, of a line of them, that wins the game within this turn; -1 if there is
// none. The Projects that come into the row on the way are not counted on: those in it are enough.
func (b *oneEarthStrong) winning(from *oneearth.State, legal env.Mask, depth int) env.Action {
	next := b.ahead[depth]
	if depth == 0 {
		b.reach()
	}
	lacking := b.lacking(from, winningLine-1-depth)
	for a := env.Action(oneearth.Fund); a < oneearth.On; a++ {
		if !legal.Has(a) || a < oneearth.Tech && from.Row[a-oneearth.Fund] != b.state.Row[a-oneearth.Fund] {
			continue
		}
		if b.gains[a-oneearth.Fund] < lacking {
			continue
		}
		next.state.CopyFrom(from)
		next.state.Apply(a, nil)
		for next.state.Actor() == env.Player(b.me) && next.state.Decision != oneearth.AtTurn {
			next.state.Legal(next.legal)
			next.state.Apply(next.legal.Nth(0), nil)
		}
		if next.state.Winners() == env.Only(env.Player(b.me)) {
			return a
		}
		if depth+1 < winningLine && next.state.Decision == oneearth.AtTurn {
			next.state.Legal(next.legal)
			if b.winning(next.state, next.legal, depth+1) >= 0 {
				return a
			}
		}
	}
	return -1
}

// reach notes what Prosperity each purchase can bring at most: a Project its worth and an upgrade, a Technology an
// upgrade.
func (b *oneEarthStrong) reach() {
	b.gain = 0
	upgrade := 0
	for i := range b.game.Components.Projects {
		upgrade = max(upgrade, b.game.Components.Projects[i].DP)
	}
	for i := range b.gains {
		switch a := oneearth.Fund + env.Action(i); {
		case a >= oneearth.FundPolicy:
			b.gains[i] = 0
		case a >= oneearth.Tech:
			b.gains[i] = upgrade
		default:
			b.gains[i] = 0
			if x := b.state.Row[i]; x != oneearth.NoProject {
				b.gains[i] = b.state.Worth(b.me, x, false) + upgrade
			}
		}
		b.gain = max(b.gain, b.gains[i])
	}
}

// lacking is the least Prosperity that the next purchase has to bring for the seat to win by so many more after it:
// below 0 where the game can end for other reasons than the target.
func (b *oneEarthStrong) lacking(from *oneearth.State, after int) int {
	const drawn = 2 * winningLine // cards, at most, by the purchases of a line
	if b.game.Advanced || from.DeckSize <= drawn || int(from.Round) >= b.game.MaxRounds {
		return -1
	}
	return b.game.Target - int(from.Countries[b.me].Prosperity) - after*b.gain
}
