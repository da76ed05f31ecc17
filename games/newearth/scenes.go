package newearth

import "earthgym/env"

// What a redeal makes of the scene that runs: who could be asked in it, and what was answered before.

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
		return r.playable(q, held).Count() >= 2
	case AtCatPurge:
		return held&stockLosses != 0 && held.Has(TransportLinks) && r.playable(q, held) == 0
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
	return r.playable(q, r.within(q))
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
	if me := r.order.place(r.me); r.isHit(r.me) && r.negating(r.me) != 0 {
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
		r.queue = r.inOrder(r.order.place(q)+1, r.isHit)
	}
	r.ask(AtNegate, q)
	r.active = active
}

// asksToNegate says whether q has something to save.
func (r *redeal) asksToNegate(q env.Player) bool {
	if r.catastrophe.strikesZones() {
		return r.isHit(q)
	}
	return int8(q) == r.active
}

// answers are the titles that q could hold and play against the catastrophe.
func (r *redeal) answers(q env.Player) Cards {
	return r.against() &^ r.used[q] & r.within(q)
}

// stageElection settles how far joining and committing have come. What p knows of it is whether it has
// been asked itself.
func (r *redeal) stageElection() {
	all := r.participants()
	chain := r.inOrder(0, all.has)
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
	if waits {
		to = r.order.place(r.me)
	}
	r.claimants = seatList{}
	r.claimants.add(starter)
	for i := range r.game.players {
		if q := r.order.at(i); q != starter && all.has(q) {
			r.claimants.add(q)
			from = i + 1
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
	r.claimants = r.inOrder(0, all.has)
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
		r.queue = r.inOrder(r.order.place(env.Player(r.seat))+1, r.canJoin)
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
