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
	switch s.node {
	case AtCatChoose, AtCatPurge:
		return strikeScene
	case AtNegate:
		if s.catastrophe == Independence {
			return returnScene
		}
		return negateScene
	case AtIndepAmount, AtIndepCard:
		return returnScene
	case AtJoin, AtCommitAmount, AtCommitCard:
		return electScene
	}
	return openScene
}

// nodeSeenBy is the question as p sees it: of a scene that it doesn't act in, always the same one.
func (s *State) nodeSeenBy(p env.Player) Node {
	if p == env.Player(s.seat) {
		return s.node
	}
	return [numScenes]Node{s.node, AtCatChoose, AtNegate, AtIndepAmount, AtJoin}[s.scene()]
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
	case p == env.Player(s.seat) || s.scene() == openScene && s.node != AtAssignMining && s.node != AtAssignEnergy:
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
	if s.node == Over || s.turn == 0 {
		return
	}
	r := redeal{State: s, me: p, rng: env.NewStream(key, "redeal")}
	r.takeBack()
	r.stage()
	r.dealHands()
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
		if r.node == AtCommitAmount || r.node == AtCommitCard {
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
		r.node, r.running = AtIndepAmount, 0
	case electScene:
		r.running = 0
		r.stageElection()
	default:
		r.stageOpen(env.Player(r.seat))
	}
}

// stageOpen is for questions that everybody sees: the hand must allow them.
func (r *redeal) stageOpen(q env.Player) {
	switch r.node {
	case AtReceive, AtOverflow:
		if cards := r.within(q) & cityCards; cards != 0 {
			r.demand(q, r.one(cards))
		}
	case AtCityZone, AtCityCard:
		r.demandSet(q)
	}
}

// demandSet makes q hold a legal set that goes on from the cards picked.
func (r *redeal) demandSet(q env.Player) {
	cash, picked := r.seats[q].has[Cash], r.pickedCards
	possible := func(set Cards) bool {
		if set&picked != picked || cash < r.game.price(set) || picked != 0 && set&^picked&-(set&^picked) <= picked {
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
	kinds := r.strikes(q)
	if kinds.Count() >= 2 && (!r.purges(q) || r.rng.Below(2) == 0) {
		first := r.one(kinds)
		r.demand(q, first)
		r.demand(q, r.one(kinds&^(1<<first)))
		r.ask(AtCatChoose, q)
		return
	}
	r.demand(q, TransportLinks)
	r.demand(q, r.one(r.within(q)&stockLosses&^r.strikes(q)))
	r.ask(AtCatPurge, q)
}

// strikes are the Catastrophe cards that q could hold and play. There are none if it can't hold two.
func (r *redeal) strikes(q env.Player) Cards {
	set := r.within(q) & catastropheCards
	for c := StockLossMining; c <= StockLossManufacturing; c++ {
		if kind, _ := c.stockLoss(); r.seats[q].has[kind] == 0 {
			set &^= 1 << c
		}
	}
	if r.must[q].size()+2 > r.hand[q] {
		return 0
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
	r.demand(q, r.one(r.answers(q)))
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
	k := r.catastrophe - CivilDisorder
	return (r.game.negatesAll[k] | r.game.negatesOne[k]) &^ r.used[q] & r.within(q)
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
	committing := r.node != AtJoin
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
		r.node = AtCommitAmount
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
	q := r.choose(candidates)
	if !r.reaches(q, r.target) {
		r.demand(q, TransportLinks)
	}
	r.node, r.seat, r.contested = AtJoin, int8(q), false
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
	if r.node == AtJoin {
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

// tries is how often a hand is drawn that what is known of it speaks against; then it is accepted.
const tries = 100

// dealHands draws the other hands from the pool; the rest is the deck.
func (r *redeal) dealHands() {
	var cards [6 * 127]Card
	n := 0
	for c, k := range r.pool {
		for range k {
			cards[n] = Card(c)
			n++
		}
	}
	struck := r.struck()
	for i := range r.game.players {
		q := r.order.at(i)
		if q == r.me {
			continue
		}
		free := r.hand[q] - r.must[q].size()
		var hand Pile
		for range tries {
			hand = r.must[q]
			for k := range free {
				j := k + r.rng.Below(n-k)
				cards[k], cards[j] = cards[j], cards[k]
				hand[cards[k]]++
			}
			if r.agrees(q, &hand, i < struck) {
				break
			}
		}
		n -= free
		copy(cards[:n], cards[free:free+n])
		for c, k := range hand {
			for range k {
				r.gain(q, Card(c))
			}
		}
	}
	for _, c := range cards[:n] {
		r.deck[c]++
		r.decked++
	}
}

// struck is how many seats, in order, have surely had their chance to play a Catastrophe card this turn.
func (r *redeal) struck() int {
	switch {
	case r.phase != phaseCatastrophes:
		return r.game.players
	case r.node == AtReceive || r.node == AtOverflow:
		return 0
	}
	return r.order.place(env.Player(r.active))
}

// agrees says whether a hand fits what the seat has shown: its hand total at the start of the turn, and
// that it has played no Catastrophe card though it had to play any that it could.
func (r *redeal) agrees(q env.Player, hand *Pile, struck bool) bool {
	seat := &r.seats[q]
	if r.game.announce && !r.game.canTotal(hand, &seat.shown, int(seat.announcedSize), int(seat.announced)) {
		return false
	}
	switch {
	case r.node == AtCatPurge && int8(q) == r.seat:
		for c, n := range hand[NumTitles:] {
			kind, loss := Card(NumTitles + c).stockLoss()
			if n > 0 && (!loss || seat.has[kind] > 0) {
				return false
			}
		}
		return true
	case !struck:
		return true
	}
	others, losses := 0, 0
	for c := CivilDisorder; int(c) < NumCards; c++ {
		if seat.shown[c] > 0 {
			return true
		}
		if _, loss := c.stockLoss(); loss {
			losses += int(hand[c])
		} else {
			others += int(hand[c])
		}
	}
	since := int(seat.drawn)
	switch {
	case r.turn == 1: // the first cards are City cards
		others += losses
	case int(seat.announcedSize) < r.game.data.HandLimit: // one was drawn before
		since--
	}
	return others <= since
}

// canTotal says whether some cards of a hand and of those shown since can be a number of cards of a total.
func (g *Game) canTotal(hand, shown *Pile, size, total int) bool {
	var of [3]int // cards by value
	for c := range hand {
		of[g.value[c]] += int(hand[c]) + int(shown[c])
	}
	for twos := range of[2] + 1 {
		ones := total - 2*twos
		if none := size - twos - ones; ones >= 0 && ones <= of[1] && none >= 0 && none <= of[0] {
			return true
		}
	}
	return false
}

// drawTotals draws hidden hand totals of the others that fit the order of the turn.
func (r *redeal) drawTotals() {
	var drawn [maxPlayers]int16
	for range tries {
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
