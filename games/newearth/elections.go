package newearth

import (
	"strconv"

	"earthgym/env"
)

// electFrom is phase 5 for the seats from a place of the order on; after the last one the leaders move.
func (s *State) electFrom(place int, tape *env.Tape) {
	for ; place < s.game.players; place++ {
		if p := s.order.at(place); s.mayElect(p) {
			s.ask(AtElect, p)
			return
		}
	}
	s.phase = phaseLeader
	s.leadFrom(0, tape)
}

// mayElect is NE-060: elections started and joined are counted together.
func (s *State) mayElect(p env.Player) bool {
	return int(s.seats[p].electionsUsed) < s.game.data.Elections
}

// open are the zones that can have an election at all now, by a seat that is not the owner (NE-061).
func (s *State) open(p env.Player) Zones {
	return s.inPlay &^ s.owned[p] &^ s.affected &^ s.elected &^ s.leaders
}

// upTo are the zones of at most this level.
func (s *State) upTo(level int8) Zones {
	var set Zones
	for l := range level + 1 {
		set |= s.level[l]
	}
	return set
}

// InReach are the zones that the seat's leader reaches: next to its zone, and of no higher level (NE-061).
func (s *State) InReach(p env.Player) Zones {
	z := s.seats[p].leader
	return s.near[z] & s.upTo(s.sl[z])
}

// reaches says whether a zone is in the leader's reach.
func (s *State) reaches(p env.Player, z Zone) bool { return s.InReach(p).Has(z) }

// inWideReach are the zones next to any own zone whose level is at least theirs (NE-062).
func (s *State) inWideReach(p env.Player) Zones {
	var reach, lower Zones
	for level := range s.level {
		lower |= s.level[level]
		if own := s.owned[p] & s.level[level]; own != 0 {
			reach |= s.around(own) & lower
		}
	}
	return reach
}

// affordable are the zones in whose election the seat can take part (NE-063): contested or not makes a
// difference where nobody rules.
func (s *State) affordable(p env.Player, joining bool) Zones {
	e, has := &s.game.data.Election, &s.seats[p].has
	cash, owned := has[Cash], s.Claimed()
	var set Zones
	if cash >= int32(e.LeastContested) {
		set = owned &^ s.level[0]
	}
	if has[Goods] < int32(e.Goods) {
		return set
	}
	if cash >= int32(e.LeastContested+e.Cash) {
		return set | owned | ^owned
	}
	if cash >= int32(e.LeastAlone+e.Cash) && !joining {
		set |= ^owned
	}
	return set
}

// targets are the zones in which the seat can start an election.
func (s *State) targets(p env.Player) Zones {
	reach := s.InReach(p) & s.open(p)
	if reach == 0 {
		return 0
	}
	return reach & s.affordable(p, false)
}

// wideTargets are those that Transport Links open beside them.
func (s *State) wideTargets(p env.Player) Zones {
	possible := s.open(p) & s.affordable(p, false)
	if possible == 0 {
		return 0
	}
	return possible & s.inWideReach(p) &^ s.InReach(p)
}

// legalElect is the menu of phase 5.
func (s *State) legalElect(m env.Mask, p env.Player) {
	m.Block(act.zone.First, uint64(s.targets(p)))
	if held := s.held[p] & cityCards; held != 0 {
		m.SetIf(held.Has(TransportLinks) && s.wideTargets(p) != 0, Play(TransportLinks))
		m.Block(act.sell.First, uint64(held&s.game.sellable))
	}
	m.Set(Done)
}

// startElection begins an election and asks who joins (NE-064).
func (s *State) startElection(p env.Player, z Zone, tape *env.Tape) {
	s.seats[p].electionsUsed++
	s.target, s.defender = z, int8(s.Owner(z))
	s.claimants.add(p)
	s.queue = s.inOrder(0, s.canJoin)
	s.nextJoin(tape)
}

// canJoin says whether the seat can join the election: it is neither a claimant nor the owner, and fulfils NE-060 to
// NE-063.
func (s *State) canJoin(q env.Player) bool {
	if !s.publiclyJoins(q) {
		return false
	}
	return s.reaches(q, s.target) || s.held[q].Has(TransportLinks) && s.inWideReach(q).Has(s.target)
}

// publiclyJoins says whether the seat can join if it has what only it knows of.
func (s *State) publiclyJoins(q env.Player) bool {
	return int8(q) != s.defender && !s.claimants.has(q) && s.mayElect(q) && s.affordable(q, true).Has(s.target)
}

func (s *State) nextJoin(tape *env.Tape) {
	if s.queue.n > 0 {
		s.decision = AtJoin
		s.seat = int8(s.queue.take())
		return
	}
	s.beginCommitments(tape)
}

// join makes the seat a claimant.
func (s *State) join(q env.Player, tape *env.Tape) {
	s.claimants.add(q)
	s.seats[q].electionsUsed++
	if tape != nil {
		tell(tape, "player %d joins the election in %s", q, s.target)
	}
	s.nextJoin(tape)
}

// beginCommitments asks the claimants in order, and then the defender, for secret cash and cards.
func (s *State) beginCommitments(tape *env.Tape) {
	s.contested = s.claimants.n > 1 || s.defender >= 0
	s.claimants = s.inOrder(0, s.claimants.has)
	s.queue = s.claimants
	if s.defender >= 0 {
		s.queue.add(env.Player(s.defender))
	}
	s.nextCommitment(tape)
}

// inOrder are the seats of whom something holds, from a place of this turn's order on.
func (s *State) inOrder(place int, holds func(env.Player) bool) seatList {
	var list seatList
	for ; place < s.game.players; place++ {
		if p := s.order.at(place); holds(p) {
			list.add(p)
		}
	}
	return list
}

func (s *State) nextCommitment(tape *env.Tape) {
	if s.queue.n > 0 {
		s.decision = AtCommitAmount
		s.seat = int8(s.queue.take())
		return
	}
	s.resolve(tape)
}

// bidRange is NE-065: the least and most cash that the seat can commit. A claimant whose most is below
// its least can only withdraw.
func (s *State) bidRange(p env.Player) (least, most int32) {
	e := &s.game.data.Election
	most = s.seats[p].has[Cash]
	if int8(p) == s.defender {
		return 0, most
	}
	least = int32(e.LeastAlone)
	if s.contested {
		least = int32(e.LeastContested)
	}
	if s.sl[s.target] == 0 {
		most -= int32(e.Cash)
	}
	return least, most
}

// numberRange is the least and most that a number can be, and whether one is asked for.
func (s *State) numberRange(p env.Player) (least, most int32, asked bool) {
	switch s.decision {
	case AtCommitAmount:
		least, most = s.bidRange(p)
	case AtIndepAmount:
		most = s.seats[p].has[Cash]
	case AtAssignMining:
		most = s.mixedMachines(p, s.mining)
	case AtAssignEnergy:
		most = s.mixedMachines(p, s.energy)
	default:
		return 0, 0, false
	}
	return least, most, true
}

// legalBid is a number, or a card sold before it has begun.
func (s *State) legalBid(m env.Mask, p env.Player, least, most int32) {
	s.legalAmount(m, least, most)
	if s.running == 0 {
		m.Block(act.sell.First, uint64(s.held[p]&s.game.sellable))
	}
}

// sellAtBid sells a card during a secret commitment; it lies on the discard pile for all to see.
func (s *State) sellAtBid(p env.Player, c Card, tape *env.Tape) {
	if tape != nil {
		tell(tape, "player %d sells %s", p, c)
	}
	s.sell(p, c)
}

// commit is the secret cash of a claimant or the defender (NE-065).
func (s *State) commit(p env.Player, total int32, tape *env.Tape) {
	if least, _ := s.bidRange(p); total < least {
		s.claimants.remove(p) // withdrawn
		s.nextCommitment(tape)
		return
	}
	s.seats[p].commitCash = total
	s.decision = AtCommitCard
	s.moreCards(p, tape)
}

// cardLimit is NE-066: the City cards of each participant, by the workers in the zone.
func (s *State) cardLimit(z Zone) int {
	if s.raw[z]+s.makers[z] <= 1 {
		return 1
	}
	return 2
}

// committable are the titles that the seat can still commit.
func (s *State) committable(p env.Player) Cards {
	z := s.target
	if z == NoZone {
		z = s.hit.First() // State of Independence
	}
	committed := s.seats[p].commitCards
	if committed.Count() >= s.cardLimit(z) {
		return 0
	}
	return s.held[p] & cityCards &^ committed
}

// commitCard puts a card beside the cash.
func (s *State) commitCard(p env.Player, c Card) {
	s.lose(p, c)
	s.seats[p].commitCards |= 1 << c
}

// moreCards goes on with the same seat as long as it can add a card.
func (s *State) moreCards(p env.Player, tape *env.Tape) {
	if s.committable(p) == 0 {
		s.nextCommitment(tape)
	}
}

// spend takes the committed cash (NE-072).
func (s *State) spend(p env.Player) {
	seat := &s.seats[p]
	seat.has[Cash] -= seat.commitCash
	seat.commitCash = -1
}

// modifier is the sum of the committed cards' modifiers in a role.
func (s *State) modifier(p env.Player, role *[NumTitles]int32) int32 {
	var sum int32
	for set := s.seats[p].commitCards; set != 0; set = set.Rest() {
		sum += role[set.First()]
	}
	return sum
}

// discardCommitted puts the committed cards on the discard pile (NE-071).
func (s *State) discardCommitted(p env.Player) {
	for set := s.seats[p].commitCards; set != 0; set = set.Rest() {
		s.show(p, set.First())
	}
	s.seats[p].commitCards = 0
}

// returnCommitted takes the committed cards back into the hand (NE-071).
func (s *State) returnCommitted(p env.Player) {
	for set := s.seats[p].commitCards; set != 0; set = set.Rest() {
		s.gain(p, set.First())
	}
	s.seats[p].commitCards = 0
}

// resolve is NE-067 to NE-076.
func (s *State) resolve(tape *env.Tape) {
	z, defender := s.target, env.Player(s.defender)
	winner, cash := s.compare(tape)
	won := false
	if winner != nobody {
		excess := cash - s.game.zoneValue[s.sl[z]]
		held := false
		if defender != nobody {
			bid := s.seats[defender].commitCash
			held = bid >= cash // NE-068
			excess -= bid      // NE-069
			if tape != nil {
				tell(tape, "player %d defends %s with %dm", defender, z, bid)
			}
			s.spend(defender)
		}
		if !held && excess > 0 {
			won = s.decide(winner, defender, excess, tape)
		}
	}
	if defender != nobody {
		s.returnCommitted(defender)
	}
	for _, p := range s.claimants.slice() {
		s.returnCommitted(env.Player(p))
	}
	s.elected |= only(z) // NE-076
	s.target, s.defender, s.claimants, s.contested = NoZone, -1, seatList{}, false
	if tape != nil {
		if won {
			tell(tape, "player %d wins %s", winner, z)
		} else {
			tell(tape, "the election in %s changes nothing", z)
		}
	}
	if won {
		s.takeOver(winner, defender, z, tape)
		return
	}
	s.afterElection(tape)
}

// compare is NE-067: the claimants' cash is revealed and spent, and the highest goes on. Ties are decided
// by the cards, which are then seen by all; after that a neutral zone's election is cancelled, and
// chance decides for an owned zone.
func (s *State) compare(tape *env.Tape) (env.Player, int32) {
	var bids [maxPlayers]int32
	highest := int32(-1)
	for _, p := range s.claimants.slice() {
		bids[p] = s.seats[p].commitCash
		highest = max(highest, bids[p])
		if tape != nil {
			tell(tape, "player %d commits %dm for %s", p, bids[p], s.target)
		}
		s.spend(env.Player(p))
	}
	var tied seatList
	for _, p := range s.claimants.slice() {
		if bids[p] == highest {
			tied.add(env.Player(p))
		}
	}
	if tied.n == 1 {
		return tied.at(0), highest
	}
	var best seatList
	most := int32(-1)
	for _, q := range tied.slice() {
		p := env.Player(q)
		s.seats[p].known |= s.seats[p].commitCards
		if tape != nil {
			tell(tape, "player %d shows %s", p, titles(s.seats[p].commitCards))
		}
		switch in := s.modifier(p, &s.game.initiator); {
		case in > most:
			most, best = in, seatList{}
			best.add(p)
		case in == most:
			best.add(p)
		}
	}
	switch {
	case best.n == 1:
		return best.at(0), highest
	case s.defender < 0:
		return nobody, 0
	}
	i := tape.Uniform(&s.luck[electionStream], env.Everybody, "roll-off", int(best.n),
		func(i int) string { return strconv.Itoa(int(best.seat[i])) })
	return best.at(i), highest
}

// titles lists cards as text.
func titles(set Cards) string {
	if set == 0 {
		return "no cards"
	}
	text := ""
	for ; set != 0; set = set.Rest() {
		if text != "" {
			text += ", "
		}
		text += set.First().String()
	}
	return text
}

// decide rolls for the zone. The cards of both sides are used up (NE-070, NE-071).
func (s *State) decide(p, defender env.Player, excess int32, tape *env.Tape) bool {
	modifier := s.modifier(p, &s.game.initiator)
	s.playCommitted(p, tape)
	if defender != nobody {
		modifier += s.modifier(defender, &s.game.defending)
		s.playCommitted(defender, tape)
	}
	return s.roll(excess, modifier, tape)
}

// playCommitted shows the committed cards, and uses them up.
func (s *State) playCommitted(p env.Player, tape *env.Tape) {
	if tape != nil {
		tell(tape, "player %d plays %s", p, titles(s.seats[p].commitCards))
	}
	s.discardCommitted(p)
}

// roll is NE-070: a die with its modifiers, and the Election Results Table.
func (s *State) roll(excess, modifier int32, tape *env.Tape) bool {
	die := tape.Uniform(&s.luck[electionStream], env.Everybody, "election die", 6, dieText) + 1
	return s.game.wins(excess, int32(die)+modifier)
}

// wins reads the Election Results Table (RULES.md 2.10); an excess of 0 or less never wins.
func (g *Game) wins(excess, die int32) bool {
	if excess <= 0 {
		return false
	}
	return min(max(die, 1), 6) >= int32(g.data.Election.Die[min(excess, maxExcess)-1])
}

// takeOver gives the zone to the winner: NE-073 for a neutral zone, NE-074 for an owned one.
func (s *State) takeOver(p, defender env.Player, z Zone, tape *env.Tape) {
	if s.sl[z] == 0 {
		s.seats[p].has[Goods] -= int32(s.game.data.Election.Goods)
		s.seats[p].has[Cash] -= int32(s.game.data.Election.Cash)
		s.setLevel(z, 1)
	}
	s.owned[p] |= only(z)
	if defender != nobody {
		s.owned[defender] &^= only(z)
		s.winCards(p, tape)
		return
	}
	if !(s.mining | s.energy).Has(z) {
		s.decision, s.seat, s.chosenZone = AtNewWorker, int8(p), z
		return
	}
	if s.room.Has(z) {
		s.put(z, Worker, 1)
	}
	s.winCards(p, tape)
}

// settleZone fixes the type of a zone that was won without one, by its first worker (NE-003, NE-073).
func (s *State) settleZone(p env.Player, of *Zones, tape *env.Tape) {
	z := s.chosenZone
	s.chosenZone = NoZone
	*of |= only(z)
	s.put(z, Worker, 1)
	s.winCards(p, tape)
}

// winCards is NE-075, with the hand limit of NE-031.
func (s *State) winCards(p env.Player, tape *env.Tape) {
	s.draw(p, s.game.data.Election.Draws, tape)
	if s.full(p) {
		s.decision, s.seat = AtOverflow, int8(p)
		return
	}
	s.afterElection(tape)
}

// afterElection asks the seat that started again, or the next one (NE-060).
func (s *State) afterElection(tape *env.Tape) {
	p := env.Player(s.active)
	if s.mayElect(p) {
		s.ask(AtElect, p)
		return
	}
	s.electFrom(s.order.place(p)+1, tape)
}

// legalJoin is NE-062 and NE-064: with the leader in reach, or by Transport Links.
func (s *State) legalJoin(m env.Mask, p env.Player) {
	m.Set(No)
	if s.reaches(p, s.target) {
		m.Set(Yes)
	} else {
		m.Set(Play(TransportLinks))
	}
}

func (s *State) answerElection(p env.Player, a env.Action, tape *env.Tape) {
	switch a {
	case No:
		s.nextJoin(tape)
		return
	case Play(TransportLinks):
		if tape != nil {
			tell(tape, "player %d plays %s", p, TransportLinks)
		}
		s.discardCard(p, TransportLinks)
	}
	s.join(p, tape)
}

// legalCommitment is NE-065.
func (s *State) legalCommitment(m env.Mask, p env.Player) {
	least, most := s.bidRange(p)
	if most < least { // only a withdrawal is left
		least, most = 0, 0
	}
	s.legalBid(m, p, least, most)
}

// legalCards is NE-066.
func (s *State) legalCards(m env.Mask, p env.Player) {
	m.Block(act.play.First, uint64(s.committable(p)))
	m.Set(Done)
}

func (s *State) playForElection(p env.Player, a env.Action, tape *env.Tape) {
	if a == Done {
		s.nextCommitment(tape)
	} else {
		s.commitCard(p, Card(act.play.Index(a)))
		s.moreCards(p, tape)
	}
}

// typeZone is the type of a zone that was won without one (NE-073).
func (s *State) typeZone(p env.Player, a env.Action, tape *env.Tape) {
	of := &s.mining
	if a == EnergyZone {
		of = &s.energy
	}
	s.settleZone(p, of, tape)
}
