package scripted

import (
	"math"

	"earthgym/env"
	"earthgym/env/alike"
	"earthgym/games/resilience"
)

// How resilienceStrong deals, dismantles and talks. All of it is weighed in chances to win: a point more of one's own
// helps, a point more of a rival's hurts, and a stone off the tower helps those who would win if it stands.

// resilienceSeats is the greatest number of seats.
const resilienceSeats = 4

// resilienceOdds are the chances to win of each seat, worked out when they are first asked for.
type resilienceOdds struct {
	known            bool
	res, lq, penalty [resilienceSeats]float64 // points at the end, if everybody went on as it stands
	stands, falls    [resilienceSeats]float64 // chances if the tower stands to the end, and if it falls
	spread           float64                  // points
}

// resilienceChange is what a deal or dismantling would change.
type resilienceChange struct {
	total, lq [resilienceSeats]float64 // points of each seat until the end
	out       float64                  // chance that the tower falls
}

// resilienceLeast is what the loss of a seat's least building would change, worked out when it is first asked for.
type resilienceLeast struct {
	known  bool
	field  resilience.Field // -1 if it has none
	change resilienceChange
}

// resilienceTime is a moment of the game, and the allocations to be expected then.
type resilienceTime struct {
	clock, turns   int
	expected, next float64
}

// allocations is how many are to be expected, this round's included, and the chance of this round's. They stay the same
// for a whole turn.
func (b *resilienceStrong) allocations() (expected, next float64) {
	if s, m := b.table.state, &b.time; m.clock != s.Clock() || m.turns != s.TurnsDone() {
		m.clock, m.turns = s.Clock(), s.TurnsDone()
		m.expected, m.next = b.table.allocations()
	}
	return b.time.expected, b.time.next
}

// allocations works them out, of all lengths that the clock leaves.
func (t *resilienceTable) allocations() (expected, next float64) {
	s, least, most := t.state, 0, 0
	least, most = t.game.Lengths()
	least = max(least/60, s.Clock()/60+1)
	lengths := float64(most/60 - least + 1)
	at := s.Clock() + (t.game.Players()-s.TurnsDone())*t.game.TurnTime()
	for ; at < most; at += t.game.RoundTime() {
		longer := float64(most/60 - max(least, at/60+1) + 1)
		if expected += longer / lengths; next == 0 {
			next = expected
		}
	}
	return expected, next
}

// chances works out the odds: from the totals as they would be if everybody went on as it stands, and from LQ.
func (b *resilienceStrong) chances() *resilienceOdds {
	o := &b.odds
	if o.known {
		return o
	}
	t, s := &b.table, b.table.state
	o.known = true
	o.spread = b.weights.Unsure + float64(b.weights.Growth*t.left)
	sums := [2]float64{}
	for p := range env.Player(t.game.Players()) {
		lq := float64(s.LQ(p)) + float64(b.next*float64(s.LQDue(p)))
		res := float64(s.RES(p)) + float64(float64(s.Income(p))*t.left)
		o.res[p], o.lq[p], o.penalty[p] = res, lq, b.penalty(res, lq)
		o.stands[p] = alike.Exp(min(50, (res+lq-o.penalty[p])/o.spread))
		o.falls[p] = alike.Exp(min(50, lq/o.spread))
		sums[0] += o.stands[p]
		sums[1] += o.falls[p]
	}
	for p := range t.game.Players() {
		o.stands[p] /= sums[0]
		o.falls[p] /= sums[1]
	}
	return o
}

// gains is by how much the running change improves p's chance to win.
func (b *resilienceStrong) gains(p env.Player) float64 {
	o, c := b.chances(), &b.change
	return b.gain(p, mean(&o.stands, &c.total), mean(&o.falls, &c.lq))
}

// mean is that of all seats' points, by their chances.
func mean(chances, points *[resilienceSeats]float64) float64 {
	sum := 0.0
	for q := range chances {
		sum += float64(chances[q] * points[q])
	}
	return sum
}

// gain is gains, with the means of what changes: of the totals, and of LQ.
func (b *resilienceStrong) gain(p env.Player, total, lq float64) float64 {
	o, c := &b.odds, &b.change
	return (1-b.out)*o.stands[p]*(c.total[p]-total)/o.spread + b.out*o.falls[p]*(c.lq[p]-lq)/o.spread +
		float64((c.out-b.out)*(o.falls[p]-o.stands[p]))
}

// still is the change that changes nothing.
func (b *resilienceStrong) still() { b.change = resilienceChange{out: b.out} }

// loses is what p itself loses by dismantling its building on f, in points: the income to come, less the LQ that a
// plain settlement still brings, and the smog of an industry among its own fields.
func (b *resilienceStrong) loses(p env.Player, f resilience.Field) (total, lq float64) {
	t, s := &b.table, b.table.state
	level := s.Level(f)
	if !s.Credited(p).Has(f) && !s.Covered().Has(f) {
		lq -= float64(b.next * float64(t.game.Data().SettlementLQ))
	}
	if level == resilience.Industry && t.game.SmogRounds() {
		lq -= b.relief(p, f)
	}
	return float64(t.gain(level)*t.left) + lq, lq
}

// relief is the LQ that p keeps if the industry on f goes, with smog in every round.
func (b *resilienceStrong) relief(p env.Player, f resilience.Field) float64 {
	t, s := &b.table, b.table.state
	others := s.Industries() &^ (1 << f)
	alone := t.game.Neighbours(f) & s.Land(p) &^ t.game.Beside(others)
	return min(float64(alone.Count()*t.game.Data().SmogLQ)*t.left, float64(s.LQ(p)))
}

// dismantle adds to the running change that p's building on f is dismantled.
func (b *resilienceStrong) dismantle(p env.Player, f resilience.Field) {
	t, s, c := &b.table, b.table.state, &b.change
	total, lq := b.loses(p, f)
	c.total[p] -= total
	c.lq[p] -= lq
	level := s.Level(f)
	if level == resilience.Industry && t.game.SmogRounds() {
		for q := range env.Player(t.game.Players()) {
			if q != p {
				points := b.relief(q, f)
				c.total[q] += points
				c.lq[q] += points
			}
		}
	}
	stands := 1.0
	from := s.Tower() - t.game.BuildingStones(level) + 1
	for k := range int(b.stones + 0.5) {
		stands *= 1 - t.game.FallChance(from+k)
	}
	c.out = 1 - stands
}

// leastOf is the city or industry whose loss hurts p least; -1 if it has none.
func (b *resilienceStrong) leastOf(p env.Player) resilience.Field {
	s := b.table.state
	least := choice[resilience.Field]{-1, math.Inf(-1)}
	for f := range (s.Cities(p) | s.Land(p)&s.Industries()).Each {
		total, _ := b.loses(p, f)
		least.put(f, -total)
	}
	return least.best
}

// razed makes the running change that the least building of p goes, and returns that; -1 if it has none.
func (b *resilienceStrong) razed(p env.Player) resilience.Field {
	r := &b.least[p]
	if !r.known {
		b.still()
		if r.field = b.leastOf(p); r.field >= 0 {
			b.dismantle(p, r.field)
		}
		r.known, r.change = true, b.change
	}
	b.change = r.change
	return r.field
}

// worried says whether a stone off the tower, or an industry, can be worth anything to anybody.
func (b *resilienceStrong) worried() bool {
	return b.out > 0.01 || b.table.game.SmogRounds() && b.table.state.Industries() != 0
}

// dismantling scores taking the least own building down: near the signal, when it would not be built again.
func (b *resilienceStrong) dismantling() {
	t := &b.table
	if !b.worried() {
		return
	}
	f := b.razed(t.me)
	if f < 0 {
		return
	}
	value := b.gains(t.me)
	if t.state.Promise(t.me) == resilience.Cut {
		value += float64(b.weights.Honour * b.point())
	}
	if level := t.state.Level(f); t.gain(level)*t.left >= float64(t.game.Cost(level)) && !t.game.SmogRounds() {
		value = min(value, 0)
	}
	if value > b.weights.Margin {
		value += resilienceDismantle
	} else {
		value = min(value, -1e-9)
	}
	b.ranking.put(resilience.Dismantle(f), value)
}

// point is what a point of one's own is worth in chances.
func (b *resilienceStrong) point() float64 {
	o := b.chances()
	return o.stands[b.table.me] * (1 - o.stands[b.table.me]) / o.spread
}

// deal makes the change of an offer of the active seat to partner: RES moves, and the least building goes. It is false
// where there is nothing to dismantle.
func (b *resilienceStrong) deal(kind resilience.Kind, partner env.Player, amount int) bool {
	if !b.dealt(kind, partner) {
		return false
	}
	b.move(kind, partner, amount)
	return true
}

// dealt begins the change of an offer with the building that goes.
func (b *resilienceStrong) dealt(kind resilience.Kind, partner env.Player) bool {
	switch kind {
	case resilience.Hire:
		return b.razed(partner) >= 0
	case resilience.Serve:
		return b.razed(b.table.state.Active()) >= 0
	}
	b.still()
	return true
}

// parties are who gives the RES of an offer, and who gets it.
func (b *resilienceStrong) parties(kind resilience.Kind, partner env.Player) (from, to env.Player) {
	from, to = b.table.state.Active(), partner
	if kind == resilience.Ask || kind == resilience.Serve {
		from, to = to, from
	}
	return from, to
}

// move adds the RES of an offer to its change.
func (b *resilienceStrong) move(kind resilience.Kind, partner env.Player, amount int) {
	from, to := b.parties(kind, partner)
	b.change.total[from] += b.worth(from, -float64(amount))
	b.change.total[to] += b.worth(to, float64(amount))
}

// worth is what RES is worth to p at the end, with what it does to the penalty of an unequal hand: early on it buys
// what brings more, and late giving a little away can save more.
func (b *resilienceStrong) worth(p env.Player, amount float64) float64 {
	o := b.chances()
	amount = float64(amount * b.yield)
	return amount + o.penalty[p] - b.penalty(o.res[p]+amount, o.lq[p])
}

// bargain is the amount of an offer that is best for the active seat, among those that the partner gains by too; 0 if
// there is none.
func (b *resilienceStrong) bargain(kind resilience.Kind, partner env.Player) (amount int, gain float64) {
	s, o, c := b.table.state, b.chances(), &b.change
	from, to := b.parties(kind, partner)
	if kind < resilience.Hire && o.penalty[from] == 0 {
		return 0, 0 // both gain by RES alone only if giving it away rids somebody of the penalty
	}
	if !b.dealt(kind, partner) {
		return 0, 0
	}
	margin, lq := b.weights.Margin, mean(&o.falls, &c.lq)
	given, got := c.total[from], c.total[to]
	gain = margin
	for k := 1; k <= min(20, s.RES(from)); k++ {
		c.total[from], c.total[to] = given+b.worth(from, -float64(k)), got+b.worth(to, float64(k))
		total := mean(&o.stands, &c.total)
		mine, theirs := b.gain(s.Active(), total, lq), b.gain(partner, total, lq)
		if mine > gain && theirs > margin {
			amount, gain = k, mine
		}
		// Who pays for a stone gains less and less by it.
		if kind == resilience.Hire && (mine <= margin || amount > 0) || kind == resilience.Serve && theirs <= margin {
			break
		}
	}
	return amount, gain
}

// offers scores the offers that both sides gain by.
func (b *resilienceStrong) offers() {
	t := &b.table
	worried, unequal := b.worried(), t.left < 1.5
	for places := 1; places < t.game.Players() && (worried || unequal); places++ {
		partner := (t.me + env.Player(places)) % env.Player(t.game.Players())
		for kind := resilience.Gift; kind <= resilience.Serve; kind++ {
			if !t.mask.Has(resilience.Offer(places, kind)) || kind >= resilience.Hire && !worried || kind < resilience.Hire &&
				!unequal {
				continue
			}
			if amount, gain := b.bargain(kind, partner); amount > 0 {
				b.ranking.put(resilience.Offer(places, kind), resilienceOffer+gain)
			}
		}
	}
}

// amounts scores the RES of the offer that is being made.
func (b *resilienceStrong) amounts() {
	d := b.table.state.Deal()
	best, _ := b.bargain(d.Kind, d.Partner)
	for k := 1; k <= 20 && b.table.mask.Has(resilience.Amount(k)); k++ {
		b.ranking.put(resilience.Amount(k), -math.Abs(float64(k-max(best, 1))))
	}
}

// reply takes what both sides gain by. Who seems to give something away has seen what these chances do not.
func (b *resilienceStrong) reply() {
	d := b.table.state.Deal()
	b.deal(d.Kind, d.Partner, d.Amount)
	b.ranking.put(resilience.No, 0)
	b.ranking.put(resilience.Yes, min(b.gains(b.table.me), b.gains(b.table.state.Active())))
}

// pick dismantles what hurts least.
func (b *resilienceStrong) pick() {
	t := &b.table
	for f, a := range among[resilience.Field](t.mask, resilience.Dismantle(0), resilience.NumFields) {
		total, _ := b.loses(t.me, f)
		b.ranking.put(a, -total)
	}
}

// resilienceDanger is the fall chance of a stone from which on the table is warned.
const resilienceDanger = 0.02

// talk says at the end of a turn what the next one will bring, where that matters to the others: that no stone will
// come, because none pays any more; that one comes off; a rest that is due; and, from a seat that the fall would make
// the winner, that it builds on. A seat that has more to lose warns when the tower has grown dangerous.
func (b *resilienceStrong) talk() {
	t, s := &b.table, b.table.state
	if !t.mask.Has(resilience.Say(resilience.Warn)) {
		return
	}
	soon := t.left - b.next // allocations from the next turn on
	if soon <= 0 {
		return // it hardly comes
	}
	o := b.chances()
	danger := s.NextFall(0)
	stone := float64(b.res*(float64(t.gain(resilience.City)*soon)-float64(t.game.Cost(resilience.City)))) +
		b.weights.Haste - float64(b.weights.Guilt*danger)
	word := resilience.NoWord
	switch {
	case stone > 0 && danger >= resilienceDanger && o.falls[t.me] > o.stands[t.me]:
		word = resilience.Grow
	case stone > 0 && danger >= resilienceDanger:
		word = resilience.Warn
	case stone > 0:
	case b.out > 0.01 && s.Cities(t.me)&^s.Credited(t.me)&^s.Covered() != 0 && soon < 1 && o.stands[t.me] > o.falls[t.me]:
		word = resilience.Cut
	case s.Tower() > 0:
		word = resilience.Calm
	}
	if word == resilience.NoWord && !t.mask.Has(resilience.Sabbatical) && b.sabbatical() > 1 {
		word = resilience.Rest
	}
	if word != resilience.NoWord {
		b.ranking.put(resilience.Say(word), resilienceTalk)
	}
}
