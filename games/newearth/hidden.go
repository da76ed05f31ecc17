package newearth

import (
	"strconv"

	"earthgym/env"
	"earthgym/env/form"
)

// What seats may know (RULES.md 8). Hands, commitments and the deck are hidden everywhere; in some
// questions it is hidden even who is asked, as being asked betrays cards. Such questions belong to a
// scene: those who are not asked see the scene and nothing more of how far it has come.

// A scene is what the others see of a question.
type scene = uint8

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
	seen := s.row().Scene
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

// ActorSeenBy hides who is asked in a scene, and that anybody is where nobody might be: who plays Catastrophe cards or
// negates them is asked only if it holds the cards, and about the return of a zone only with the cash or with cards to
// sell for it. An election is no secret.
func (s *State) ActorSeenBy(p env.Player) env.Player {
	least := int32(s.game.data.Election.LeastContested)
	switch scene := s.scene(); {
	case p == env.Player(s.seat) || scene == openScene:
		return env.Player(s.seat)
	case scene == electScene || scene == returnScene && s.seats[s.active].has[Cash] >= least:
		return env.Hidden
	}
	return env.Unasked
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
	return "amount " + strconv.Itoa(int(s.running)+int(act.amount.Index(a)))
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

// HandSize is the number of a seat's cards that everybody knows, committed ones included.
func (s *State) HandSize(p env.Player) int {
	return int(s.size[p]) + s.seats[p].commitCards.Count()
}

// knowers are the seats that know the hidden parts of a position, beside the seat whose part it is.
type knowers struct {
	hands     env.Seats // which cards the others hold
	totals    env.Seats // their hand totals
	question  env.Seats // what is asked
	asked     env.Seats // and who is
	active    env.Seats // whose step it is
	queue     env.Seats // who is asked after it
	claimants env.Seats // who still tries to win the zone
	election  env.Seats // how far the election has come
	running   env.Seats // the number that is being put together

	// committing are the seats of which nobody else knows what they commit, and with it how many cards are left in hand.
	committing env.Seats
}

// knowers is what RULES.md 8 says, for the question asked now.
func (s *State) knowers() knowers {
	all, asked := env.Everybody, env.Nobody
	k := knowers{all, all, all, all, all, all, all, all, all, env.Nobody}
	if s.decision == Over || s.turn == 0 {
		return k
	}
	if s.seat >= 0 {
		asked = env.Only(env.Player(s.seat))
	}
	k.hands, k.running = env.Nobody, asked
	if !s.game.announce {
		k.totals = env.Nobody
	}
	switch s.scene() {
	case strikeScene:
		k.question, k.asked, k.active = asked, asked, asked
	case negateScene:
		k.asked, k.queue = asked, asked
	case returnScene:
		k.question, k.committing = asked, env.Only(env.Player(s.active))
	case electScene:
		k.question, k.asked, k.queue, k.election, k.claimants = asked, asked, asked, asked, asked
		k.committing = env.Everybody
		if s.decision != AtJoin { // Who can't pay withdraws, and nobody sees it.
			k.claimants = env.Nobody
		}
	}
	return k
}

// knowDeck are the seats that know how many of a card the deck has: whoever has seen all copies that are not in it, or
// all cards of the others.
func (s *State) knowDeck(f *form.Position) func(Card) env.Seats {
	me, partly := f.Viewer()
	if !partly || s.turn == 0 {
		return func(Card) env.Seats { return env.Everybody }
	}
	unseen, held := s.unseen(me), 0
	for q := range env.Player(s.game.players) {
		if q == me {
			continue
		}
		held += s.HandSize(q)
		for set := s.seats[q].known; set != 0; set = set.Rest() {
			unseen[set.First()]--
			held--
		}
	}
	return func(c Card) env.Seats {
		if held == 0 || unseen[c] == 0 {
			return env.Everybody
		}
		return env.Nobody
	}
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
		r.hand[q] = r.HandSize(q)
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

// demand makes q hold a card, if it can.
func (r *redeal) demand(q env.Player, c Card) {
	if r.must[q][c] == 0 && r.pool[c] > 0 && r.must[q].size() < r.hand[q] {
		r.must[q][c]++
		r.pool[c]--
	}
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
