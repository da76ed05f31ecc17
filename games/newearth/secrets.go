package newearth

import (
	"strconv"

	"earthgym/env"
)

// What seats may know (RULES.md 8). Hands, commitments and the deck are hidden everywhere; in some
// questions it is hidden even who is asked, as being asked betrays cards. Such questions belong to a
// scene: those who are not asked see the scene and nothing more of how far it has come.

// A scene is what the others see of a question.
type scene int8

const (
	openScene   scene = iota // the question itself
	strikeScene              // seats play the Catastrophe cards that they hold
	negateScene              // seats may play cards against a catastrophe
	returnScene              // a zone's return after State of Independence: negation, cash, cards
	electScene               // seats may join, and commit cash and cards
	numScenes   = electScene + 1
)

// scene is that of the question asked now.
func (s *State) scene() scene {
	seen := decisions[s.decision].scene
	if seen == negateScene && s.catastrophe == Independence {
		return returnScene
	}
	return seen
}

// decisionSeenBy is the question as p sees it: of a scene that it doesn't act in, always the same one.
func (s *State) decisionSeenBy(p env.Player) Decision {
	if p == env.Player(s.seat) {
		return s.decision
	}
	return [numScenes]Decision{s.decision, AtCatChoose, AtNegate, AtIndepAmount, AtJoin}[s.scene()]
}

// activeSeenBy is whose step it is as p sees it. Who plays a Catastrophe card is not known before.
func (s *State) activeSeenBy(p env.Player) env.Player {
	if s.scene() == strikeScene && p != env.Player(s.seat) {
		return nobody
	}
	return env.Player(s.active)
}

// ActorSeenBy hides who is asked in a scene.
func (s *State) ActorSeenBy(p env.Player) env.Player {
	if p != env.Player(s.seat) && s.scene() != openScene {
		return env.Hidden
	}
	return env.Player(s.seat)
}

// WitnessedBy is what p sees of an action of somebody else. In scenes nothing: what becomes public of them
// is told as it happens. Of numbers the total alone is seen.
func (s *State) WitnessedBy(p env.Player, a env.Action) string {
	switch {
	case p == env.Player(s.seat) || s.scene() == openScene && s.decision != AtAssignMining && s.decision != AtAssignEnergy:
		return s.game.info.Actions[a].Text
	case s.scene() != openScene || a == Plus20:
		return ""
	}
	return "amount " + strconv.Itoa(int(s.running)+int(a-amount0))
}

// participants are all who try to win the zone of the election, as everybody knows them: whether the seat
// that began has withdrawn is not known before the cash is shown.
func (s *State) participants() seatList {
	list := s.claimants
	if s.target != NoZone && !list.has(env.Player(s.active)) {
		list.add(env.Player(s.active))
	}
	return list
}

// handSize is the number of a seat's cards that everybody knows, committed ones included.
func (s *State) handSize(p env.Player) int {
	return int(s.size[p]) + s.seats[p].commitCards.Count()
}

// Redeal draws anew all that p cannot know: hands, deck, commitments, who is asked in a scene, hidden
// totals. It keeps what everybody has seen, and cards and commitments of p.
func (s *State) Redeal(p env.Player, key uint64) {
	env.RedealStreams(s.luck[:], s.game.info.Streams, key)
	if s.decision == Over || s.turn == 0 {
		return
	}
	r := redeal{State: s, me: p, rng: env.NewStream(key, "redeal")}
	r.takeBack()
	r.stage()
	if !r.dealHands(true) {
		r.oblige()
		if !r.dealHands(true) {
			r.dealHands(false)
		}
	}
	r.commitments()
	if !s.game.announce {
		r.drawTotals()
	}
	if env.Player(s.seat) != p && s.scene() == openScene {
		s.running = 0
	}
	s.findLegal()
}

// redeal is a State whose hidden parts are being drawn.
type redeal struct {
	*State
	me   env.Player
	rng  env.Stream
	pool Pile             // what lies where me can't see
	hand [maxPlayers]int  // sizes of hands, committed cards included
	must [maxPlayers]Pile // cards that a hand is known or made to hold
	// before are the seats that have committed already, of those drawn anew.
	before seatList
}

// takeBack collects what is hidden, and keeps aside the cards that the others are known to hold.
func (r *redeal) takeBack() {
	r.pool = r.deck
	r.deck, r.decked = Pile{}, 0
	for q := range env.Player(r.game.players) {
		if q == r.me {
			continue
		}
		seat := &r.seats[q]
		r.hand[q] = r.handSize(q)
		for set := seat.commitCards; set != 0; set = set.Rest() {
			r.pool[set.First()]++
		}
		for c, n := range seat.hand {
			r.pool[c] += n
		}
		seat.hand, seat.commitCards, seat.commitCash = Pile{}, 0, -1
		r.held[q], r.size[q] = 0, 0
	}
	for q := range env.Player(r.game.players) {
		if q == r.me {
			continue
		}
		for set := r.seats[q].known; set != 0; set = set.Rest() {
			r.must[q][set.First()]++
			r.pool[set.First()]--
		}
	}
}

// demand makes q hold a card, and says whether that is possible.
func (r *redeal) demand(q env.Player, c Card) bool {
	switch {
	case r.must[q][c] > 0:
		return true
	case r.pool[c] == 0 || r.must[q].size() >= r.hand[q]:
		return false
	}
	r.must[q][c]++
	r.pool[c]--
	return true
}

// demandOne makes q hold some card of a set, if it can.
func (r *redeal) demandOne(q env.Player, set Cards) {
	if set &= r.within(q); set != 0 {
		r.demand(q, r.one(set))
	}
}

// within are the sorts that q could hold.
func (r *redeal) within(q env.Player) Cards {
	var set Cards
	for c := range Card(NumCards) {
		if r.must[q][c] > 0 || r.pool[c] > 0 && r.must[q].size() < r.hand[q] {
			set |= 1 << c
		}
	}
	return set
}

// one draws a card of a set, which must not be empty.
func (r *redeal) one(set Cards) Card {
	for n := r.rng.Below(set.Count()); n > 0; n-- {
		set = set.Rest()
	}
	return set.First()
}

// stage settles who is asked, and what that seat must hold for it.
func (r *redeal) stage() {
	if env.Player(r.seat) == r.me {
		if r.decision == AtCommitAmount || r.decision == AtCommitCard {
			r.commitUpTo(r.me)
		}
		return
	}
	switch r.scene() {
	case strikeScene:
		r.stageStrike()
	case negateScene:
		r.stageNegation()
	case returnScene:
		r.decision, r.running = AtIndepAmount, 0
	case electScene:
		r.running = 0
		r.stageElection()
	}
}

// asks says whether the question is one for this hand of the seat that is asked.
func (r *redeal) asks(q env.Player, hand *Pile) bool {
	var held Cards
	for c, n := range hand {
		if n > 0 {
			held |= 1 << c
		}
	}
	switch r.decision {
	case AtReceive, AtOverflow:
		return held&cityCards != 0
	case AtCatChoose:
		return r.canStrike(q, held).Count() >= 2
	case AtCatPurge:
		return held&stockLosses != 0 && held.Has(TransportLinks) && r.canStrike(q, held) == 0
	case AtNegate:
		return held&r.against()&^r.used[q] != 0
	case AtJoin:
		return held.Has(TransportLinks) || r.reaches(q, r.target)
	case AtCityZone, AtCityCard:
		for _, set := range r.game.sets {
			if set&^held == 0 && r.goesOn(q, set) {
				return true
			}
		}
		return false
	}
	return true
}

// oblige makes the seat that is asked hold cards that the question needs, where no deal was found by chance
// that has them.
func (r *redeal) oblige() {
	q := env.Player(r.seat)
	if q == r.me {
		return
	}
	switch r.decision {
	case AtReceive, AtOverflow:
		r.demandOne(q, cityCards)
	case AtCatChoose:
		if kinds := r.strikes(q); kinds.Count() >= 2 {
			first := r.one(kinds)
			r.demand(q, first)
			r.demandOne(q, kinds&^(1<<first))
		}
	case AtCatPurge:
		r.demand(q, TransportLinks)
		r.demandOne(q, stockLosses&^r.strikes(q))
	case AtNegate:
		r.demandOne(q, r.answers(q))
	case AtJoin:
		if !r.reaches(q, r.target) {
			r.demand(q, TransportLinks)
		}
	case AtCityZone, AtCityCard:
		r.demandSet(q)
	}
}

// demandSet makes q hold a legal set that goes on from the cards picked.
func (r *redeal) demandSet(q env.Player) {
	possible := func(set Cards) bool {
		if !r.goesOn(q, set) {
			return false
		}
		extra := 0
		for rest := set; rest != 0; rest = rest.Rest() {
			c := rest.First()
			if r.must[q][c] > 0 {
				continue
			}
			if extra++; r.pool[c] == 0 {
				return false
			}
		}
		return r.must[q].size()+extra <= r.hand[q]
	}
	n := 0
	for _, set := range r.game.sets {
		if possible(set) {
			n++
		}
	}
	if n == 0 {
		return
	}
	n = r.rng.Below(n)
	for _, set := range r.game.sets {
		if !possible(set) {
			continue
		}
		if n--; n < 0 {
			for ; set != 0; set = set.Rest() {
				r.demand(q, set.First())
			}
			return
		}
	}
}

// goesOn says whether a legal set goes on from the cards picked, and q can pay it.
func (r *redeal) goesOn(q env.Player, set Cards) bool {
	picked := r.pickedCards
	if set&picked != picked || r.seats[q].has[Cash] < r.game.price(set) {
		return false
	}
	rest := set &^ picked
	return picked == 0 || rest&-rest > picked
}

// choose draws one of the candidates, which are bits by place in the order.
func (r *redeal) choose(candidates uint8) env.Player {
	return r.order.at(int(r.one(Cards(candidates))))
}

// lastStriker is the place in order of the last seat that has been seen to play a Catastrophe card this
// turn, or -1. A seat that got rid of a Stock Loss may be asked again.
func (s *State) lastStriker() (place int, purged bool) {
	place = -1
	for i := range s.game.players {
		shown := &s.seats[s.order.at(i)].shown
		for c := CivilDisorder; int(c) < NumCards; c++ {
			if shown[c] > 0 {
				_, loss := c.stockLoss()
				place, purged = i, loss
			}
		}
	}
	return place, purged
}

// stageStrike asks some seat with two Catastrophe cards to choose from, or with a Stock Loss that it
// can't play but be rid of.
func (r *redeal) stageStrike() {
	last, again := r.lastStriker()
	if again {
		last--
	}
	var candidates, anyone uint8
	for i := range r.game.players {
		q := r.order.at(i)
		if q == r.me || r.strikes(q).Count() < 2 && !r.purges(q) {
			continue
		}
		anyone |= 1 << i
		if i > last {
			candidates |= 1 << i
		}
	}
	if candidates == 0 {
		candidates = anyone
	}
	q := r.choose(candidates)
	if r.strikes(q).Count() >= 2 && (!r.purges(q) || r.rng.Below(2) == 0) {
		r.ask(AtCatChoose, q)
		return
	}
	r.ask(AtCatPurge, q)
}

// strikes are the Catastrophe cards that q could hold and play. There are none if it can't hold two.
func (r *redeal) strikes(q env.Player) Cards {
	if r.must[q].size()+2 > r.hand[q] {
		return 0
	}
	return r.canStrike(q, r.within(q))
}

// canStrike are the Catastrophe cards of a set that q can play (NE-041).
func (r *redeal) canStrike(q env.Player, set Cards) Cards {
	set &= catastropheCards
	for c := StockLossMining; c <= StockLossManufacturing; c++ {
		if kind, _ := c.stockLoss(); r.seats[q].has[kind] == 0 {
			set &^= 1 << c
		}
	}
	return set
}

// purges says whether q could hold a Stock Loss that it can't play, and Transport Links.
func (r *redeal) purges(q env.Player) bool {
	extra := 1
	if r.must[q][TransportLinks] == 0 {
		extra++
	}
	return r.must[q].size()+extra <= r.hand[q] && r.within(q).Has(TransportLinks) &&
		r.within(q)&stockLosses&^r.strikes(q) != 0
}

// stageNegation asks some owner of zones that are hit. Of p itself it is known whether it has been asked, if
// it holds a card to play.
func (r *redeal) stageNegation() {
	from, to := 0, r.game.players
	for i := range r.game.players {
		if r.used[r.order.at(i)] != 0 {
			from = i
		}
	}
	if me := r.order.place(r.me); r.owned[r.me]&r.hit != 0 && r.negating(r.me) != 0 {
		if r.queue.has(r.me) {
			to = me
		} else {
			from = max(from, me)
		}
	}
	var candidates uint8
	for i := from; i < to; i++ {
		if q := r.order.at(i); q != r.me && r.asksToNegate(q) && r.answers(q) != 0 {
			candidates |= 1 << i
		}
	}
	if candidates == 0 {
		return
	}
	q := r.choose(candidates)
	active := r.active
	if r.catastrophe.strikesZones() {
		r.queue = seatList{}
		for i := r.order.place(q) + 1; i < r.game.players; i++ {
			if next := r.order.at(i); r.owned[next]&r.hit != 0 {
				r.queue.add(next)
			}
		}
	}
	r.ask(AtNegate, q)
	r.active = active
}

// asksToNegate says whether q has something to save.
func (r *redeal) asksToNegate(q env.Player) bool {
	if r.catastrophe.strikesZones() {
		return r.owned[q]&r.hit != 0
	}
	return int8(q) == r.active
}

// answers are the titles that q could hold and play against the catastrophe.
func (r *redeal) answers(q env.Player) Cards {
	return r.against() &^ r.used[q] & r.within(q)
}

// against are the titles that negate the catastrophe.
func (r *redeal) against() Cards {
	k := r.catastrophe - CivilDisorder
	return r.game.negatesAll[k] | r.game.negatesOne[k]
}

// stageElection settles how far joining and committing have come. What p knows of it is whether it has
// been asked itself.
func (r *redeal) stageElection() {
	all := r.participants()
	chain := r.inOrder(&all)
	if r.defender >= 0 {
		chain.add(env.Player(r.defender))
	}
	me := chain.place(r.me)
	committing := r.decision != AtJoin
	waits := r.queue.has(r.me)
	from, to := 0, int(chain.n)
	switch {
	case me >= 0 && committing && !waits: // it has committed
		from = me + 1
	case me >= 0:
		to = me
	case waits:
		to = 0
	}
	if from < to {
		r.claimants = all
		r.commitUpTo(chain.at(from + r.rng.Below(to-from)))
		r.decision = AtCommitAmount
		return
	}
	r.stageJoining(all, waits)
}

// stageJoining asks some seat that could join whether it does.
func (r *redeal) stageJoining(all seatList, waits bool) {
	starter := env.Player(r.active)
	from, to := 0, r.game.players
	for i := range r.game.players {
		if q := r.order.at(i); q != starter && all.has(q) {
			from = i + 1
		}
	}
	if waits {
		to = r.order.place(r.me)
	}
	r.claimants = seatList{}
	r.claimants.add(starter)
	for i := range r.game.players {
		if q := r.order.at(i); q != starter && all.has(q) {
			r.claimants.add(q)
		}
	}
	var candidates uint8
	for i := from; i < to; i++ {
		q := r.order.at(i)
		if q == r.me || !r.publiclyJoins(q) {
			continue
		}
		if r.reaches(q, r.target) || r.within(q).Has(TransportLinks) && r.inWideReach(q).Has(r.target) {
			candidates |= 1 << i
		}
	}
	if candidates == 0 {
		return
	}
	r.decision, r.seat, r.contested = AtJoin, int8(r.choose(candidates)), false
}

// commitUpTo makes the commitments a chain that has come to a seat: those before it have committed, or
// withdrawn if they lack the cash.
func (r *redeal) commitUpTo(at env.Player) {
	all := r.participants()
	r.contested = all.n > 1 || r.defender >= 0
	r.claimants = r.inOrder(&all)
	chain := r.claimants
	if r.defender >= 0 {
		chain.add(env.Player(r.defender))
	}
	r.queue = seatList{}
	passed := false
	for _, i := range chain.slice() {
		q := env.Player(i)
		switch {
		case q == at:
			passed = true
			r.seat = i
		case passed:
			r.queue.add(q)
		case q != r.me:
			r.before.add(q)
		case r.seats[q].commitCash < 0: // p itself has withdrawn
			r.claimants.remove(q)
		}
	}
}

// commitments draws those made before the seat that is asked.
func (r *redeal) commitments() {
	if r.decision == AtJoin {
		r.queue = seatList{}
		for i := r.order.place(env.Player(r.seat)) + 1; i < r.game.players; i++ {
			if q := r.order.at(i); r.canJoin(q) {
				r.queue.add(q)
			}
		}
		return
	}
	const likely = 14 // m above the least; more is seldom bid
	for _, i := range r.before.slice() {
		q := env.Player(i)
		least, most := r.bidRange(q)
		if most < least {
			r.claimants.remove(q)
			continue
		}
		r.seats[q].commitCash = least + int32(r.rng.Below(int(min(most-least, likely))+1))
		for n := r.rng.Below(r.cardLimit(r.target) + 1); n > 0; n-- {
			if cards := r.committable(q); cards != 0 {
				r.commitCard(q, r.one(cards))
			}
		}
	}
}

// The classes of cards: what is known of a hand tells no more of them apart (agrees).
const (
	ones   = iota // City cards of value 1; all City cards where no totals are announced
	twos          // City cards of value 2
	losses        // Stock Losses
	others        // the other Catastrophe cards
	numClasses
)

// A split is a number of cards of each class.
type split [numClasses]int16

func (s *split) add(o *split) {
	for class, n := range o {
		s[class] += n
	}
}

func (s *split) without(o *split) split {
	rest := *s
	for class, n := range o {
		rest[class] -= n
	}
	return rest
}

func (s *split) size() int16 { return s[ones] + s[twos] + s[losses] + s[others] }

func (g *Game) class(c Card) int {
	switch {
	case stockLosses.Has(c):
		return losses
	case !c.IsCity():
		return others
	case g.announce && g.value[c] == 2:
		return twos
	}
	return ones
}

func (g *Game) split(p *Pile) split {
	var of split
	for c, n := range p {
		of[g.classes[c]] += int16(n)
	}
	return of
}

// ways is the number of ways to draw a split out of so many cards of each class.
func (g *Game) ways(left, of *split) float64 {
	w := 1.0
	for class, n := range left {
		k := of[class]
		if k > n {
			return 0
		}
		w = float64(w * g.binomials[n][k])
	}
	return w
}

// workOutSplits makes the tables for split and ways: the classes, and binomial coefficients.
func (g *Game) workOutSplits() {
	for c := range g.classes {
		g.classes[c] = int8(g.class(Card(c)))
	}
	most := int16(0)
	for _, n := range g.split(&g.printed) {
		most = max(most, n)
	}
	g.binomials = make([][]float64, most+1)
	for n := range g.binomials {
		row := make([]float64, n+1)
		row[0], row[n] = 1, 1
		for k := 1; k < n; k++ {
			row[k] = g.binomials[n-1][k-1] + g.binomials[n-1][k]
		}
		g.binomials[n] = row
	}
}

const (
	maxSplits = 256  // more need a hand far above any limit
	maxDrawn  = 1024 // for two seats' splits of up to 15 cards with 3 Stock Losses
)

// A share is what one seat gets in a deal, beside the cards that it must hold.
type share struct {
	seat   env.Player
	free   int16 // cards that it lacks
	n      int   // of splits; 0 if any will do
	splits [maxSplits]split
	got    split
	hand   Pile
}

// A dealing draws the hands of a redeal. Each deal that fits what is known of the hands comes up as often
// as every other: it is first drawn how many cards of each class each seat gets, by the number of deals that
// this leaves, and then which cards.
type dealing struct {
	*redeal
	left   split             // in the pool
	cards  [6 * 127]Card     // of the pool, class by class
	begins [numClasses]int16 // where each class begins
	shares [maxPlayers - 1]share
	n      int // of seats
	fitted int // seats of which something is known; they come first
	upTo   [maxSplits]float64
	// The deals for the last of three fitted seats, by what the others have drawn; -1 if it is not worked out.
	last        [maxDrawn]float64
	most, loses int16 // cards that the others draw, and Stock Losses among them
}

// prepare lists the seats and what they can get. If it need not fit what is known of a hand, or nothing fits,
// anything will do.
func (d *dealing) prepare(fitting bool) {
	d.left = d.game.split(&d.pool)
	d.sortCards()
	struck := d.struck()
	for i := range d.game.players {
		q := d.order.at(i)
		if q == d.me {
			continue
		}
		s := &d.shares[d.n]
		s.seat, s.free = q, int16(d.hand[q]-d.must[q].size())
		if fitting {
			d.listSplits(s, i < struck)
		}
		if d.n++; s.n > 0 {
			d.shares[d.fitted], *s = *s, d.shares[d.fitted]
			d.fitted++
		}
	}
	if d.fitted < maxPlayers-1 {
		return
	}
	d.most = d.shares[0].free + d.shares[1].free
	d.loses = min(d.most, d.left[losses])
	for i := range min(maxDrawn, int(d.most+1)*int(d.most+1)*int(d.loses+1)) {
		d.last[i] = -1
	}
}

// sortCards lays out the pool by class.
func (d *dealing) sortCards() {
	var at [numClasses]int16
	for class := 1; class < numClasses; class++ {
		d.begins[class] = d.begins[class-1] + d.left[class-1]
		at[class] = d.begins[class]
	}
	for c, n := range d.pool {
		class := d.game.classes[c]
		for range n {
			d.cards[at[class]] = Card(c)
			at[class]++
		}
	}
}

// listSplits lists the splits with which a seat's hand fits what is known of it.
func (d *dealing) listSplits(s *share, struck bool) {
	must, shown := d.game.split(&d.must[s.seat]), d.game.split(&d.seats[s.seat].shown)
	all := true
	for a := range min(s.free, d.left[ones]) + 1 {
		for b := range min(s.free-a, d.left[twos]) + 1 {
			for c := range min(s.free-a-b, d.left[losses]) + 1 {
				of := split{a, b, c, s.free - a - b - c}
				hand := of
				hand.add(&must)
				if of[others] > d.left[others] {
					continue
				}
				if !d.agrees(s.seat, &hand, &shown, struck) {
					all = false
					continue
				}
				if s.n == maxSplits {
					s.n = 0
					return
				}
				s.splits[s.n] = of
				s.n++
			}
		}
	}
	if all {
		s.n = 0
	}
}

// deals is the number of ways to give the fitted seats from a place of the list on what they lack, out of
// what is left. The other seats can always be served in as many ways, whatever is left.
func (d *dealing) deals(from int, left split) float64 {
	if from == d.fitted {
		return 1
	}
	at := maxDrawn
	if from == maxPlayers-2 {
		drawn := d.left.without(&left)
		at = (int(drawn[ones])*int(d.most+1)+int(drawn[twos]))*int(d.loses+1) + int(drawn[losses])
	}
	if at < maxDrawn && d.last[at] >= 0 {
		return d.last[at]
	}
	sum := 0.0
	for i := range d.shares[from].n {
		sum += d.dealsWith(from, &left, &d.shares[from].splits[i])
	}
	if at < maxDrawn {
		d.last[at] = sum
	}
	return sum
}

// dealsWith are those of deals in which the first of the seats gets a split.
func (d *dealing) dealsWith(from int, left, of *split) float64 {
	w := d.game.ways(left, of)
	if w == 0 || from == d.fitted-1 {
		return w
	}
	return float64(w * d.deals(from+1, left.without(of)))
}

// drawSplits draws the split of each seat. It is false if no deal fits.
func (d *dealing) drawSplits() bool {
	left := d.left
	for i := range d.n {
		s := &d.shares[i]
		if i >= d.fitted {
			s.got = d.anySplit(left, s.free)
			left = left.without(&s.got)
			continue
		}
		sum := 0.0
		for k := range s.n {
			sum += d.dealsWith(i, &left, &s.splits[k])
			d.upTo[k] = sum
		}
		if sum == 0 {
			return false
		}
		x, k := d.rng.Float64()*sum, 0
		for k < s.n-1 && d.upTo[k] <= x {
			k++
		}
		s.got = s.splits[k]
		left = left.without(&s.got)
	}
	return true
}

// anySplit is that of so many cards drawn from all that is left.
func (d *dealing) anySplit(left split, n int16) split {
	var got split
	for range n {
		j, class := int16(d.rng.Below(int(left.size()))), ones
		for ; j >= left[class]; class++ {
			j -= left[class]
		}
		left[class]--
		got[class]++
	}
	return got
}

// drawCards draws the cards of each split, and says whether the question fits the hands.
func (d *dealing) drawCards() bool {
	at := d.begins
	fits := true
	for i := range d.n {
		s := &d.shares[i]
		s.hand = d.must[s.seat]
		for class, n := range s.got {
			for range n {
				rest := d.cards[at[class] : d.begins[class]+d.left[class]]
				j := d.rng.Below(len(rest))
				rest[0], rest[j] = rest[j], rest[0]
				s.hand[rest[0]]++
				at[class]++
			}
		}
		fits = fits && (int8(s.seat) != d.seat || d.asks(s.seat, &s.hand))
	}
	return fits
}

// giveOut gives the seats their hands. What is left of the pool is the deck.
func (d *dealing) giveOut() {
	d.deck = d.pool
	for i := range d.n {
		s := &d.shares[i]
		for c, n := range s.hand {
			d.deck[c] -= n - d.must[s.seat][c]
			for range n {
				d.gain(s.seat, Card(c))
			}
		}
	}
	d.decked = int16(d.deck.size())
}

// tries is how often a draw that does not fit is made again, before it is given up.
const tries = 400

// dealHands draws the other hands from the pool, and the rest is the deck: evenly among the deals that fit
// what the seats have shown and the question that is asked, or, if it needs no fitting one, among all. It is
// false if it found none.
func (r *redeal) dealHands(fitting bool) bool {
	d := dealing{redeal: r}
	d.prepare(fitting)
	for range tries {
		if !d.drawSplits() {
			return false
		}
		if d.drawCards() || !fitting {
			d.giveOut()
			return true
		}
	}
	return false
}

// struck is how many seats, in order, have surely had their chance to play a Catastrophe card this turn.
func (r *redeal) struck() int {
	switch {
	case r.phase != phaseCatastrophes:
		return r.game.players
	case r.decision == AtReceive || r.decision == AtOverflow:
		return 0
	}
	return r.order.place(env.Player(r.active))
}

// agrees says whether a hand fits what the seat has shown: its hand total at the start of the turn, and
// that it has played no Catastrophe card though it had to play any that it could.
func (r *redeal) agrees(q env.Player, hand, shown *split, struck bool) bool {
	seat := &r.seats[q]
	if r.game.announce {
		of := *hand
		of.add(shown)
		if !of.canTotal(int16(seat.announcedSize), seat.announced) {
			return false
		}
	}
	if !struck || shown[losses]+shown[others] > 0 {
		return true
	}
	held, since := hand[others], seat.drawn
	switch {
	case r.turn == 1: // the first cards are City cards
		held += hand[losses]
	case int(seat.announcedSize) < r.game.data.HandLimit: // one was drawn before
		since--
	}
	return held <= since
}

// canTotal says whether a number of cards of the split can have a total.
func (s *split) canTotal(size, total int16) bool {
	none := s[losses] + s[others]
	least := max(0, (total-s[ones]+1)/2, total-size)
	return least <= min(s[twos], total/2, total-size+none)
}

// drawTotals draws hidden hand totals of the others that fit the order of the turn. If a hundred do not, it
// makes some that do.
func (r *redeal) drawTotals() {
	var drawn [maxPlayers]int16
	for range 100 {
		falls, last := true, int16(maxNumber)
		for i := range r.game.players {
			q := r.order.at(i)
			drawn[i] = r.seats[q].announced
			if q != r.me {
				drawn[i] = r.drawTotal(q)
			}
			falls = falls && drawn[i] <= last
			last = drawn[i]
		}
		if falls {
			r.announce(&drawn)
			return
		}
	}
	// None fitted: those before p have at least its total, and none more than the seat before.
	me := r.order.place(r.me)
	for i := range r.game.players {
		if i < me {
			drawn[i] = max(drawn[i], drawn[me])
		}
		if i > 0 && i != me {
			drawn[i] = min(drawn[i], drawn[i-1])
		}
	}
	r.announce(&drawn)
}

func (r *redeal) announce(totals *[maxPlayers]int16) {
	for i := range r.game.players {
		r.seats[r.order.at(i)].announced = totals[i]
	}
}

// drawTotal is the total of as many cards as the seat had at the start of the turn, out of those it has
// and has shown since.
func (r *redeal) drawTotal(q env.Player) int16 {
	var values [256]int8
	n := 0
	seat := &r.seats[q]
	for c := range Card(NumCards) {
		k := int(seat.hand[c]) + int(seat.shown[c])
		if seat.commitCards.Has(c) {
			k++
		}
		for ; k > 0 && n < len(values); k-- {
			values[n] = r.game.value[c]
			n++
		}
	}
	total := int16(0)
	for k := range min(int(seat.announcedSize), n) {
		j := k + r.rng.Below(n-k)
		values[k], values[j] = values[j], values[k]
		total += int16(values[k])
	}
	return total
}
