package newearth

import (
	"fmt"

	"earthgym/env"
	"earthgym/env/form"
)

// Check tests the invariants of RULES.md 12 that one position shows, and that the question asked fits the
// rest. Every position that is read has passed it.
func (s *State) Check() error {
	if err := s.checkPosition(); err != nil {
		return err
	}
	if s.decision != Over && s.legal().Count() == 0 {
		return fmt.Errorf("node: nothing is legal at %s", s.decision)
	}
	return nil
}

// checkPosition is Check without the legal actions, which may be asked for only after it.
func (s *State) checkPosition() error {
	return form.FirstFault(s.checkTurn, s.checkZones, s.checkSeats, s.checkCards, s.checkQueue, s.checkPending,
		s.checkDecision)
}

func (s *State) checkTurn(f *form.Faults) {
	n := int8(s.game.players)
	f.NeedAt(s.row().Phases>>s.phase&1 != 0, "node", "%s is not asked in phase %d", s.decision, s.phase)
	f.NeedAt((s.phase == phaseSetUp) == (s.turn == 0), "turn", "turn %d in phase %d; turn 0 is the set-up", s.turn,
		s.phase)
	f.NeedAt(s.phase != phaseOver || int(s.turn) == s.game.turns, "turn", "the game is over in turn %d of %d", s.turn,
		s.game.turns)
	f.NeedAt(s.phase != phaseCatastrophes || s.turn > 1, "phase", "nothing is asked in phase 1 of turn 1 (NE-030)")
	f.NeedAt(s.setupOrder.n == n, "setup_order", "it has %d of %d seats", s.setupOrder.n, n)
	if s.turn == 0 {
		n = 0
	}
	f.NeedAt(s.order.n == n, "order", "it has %d seats; in turn %d it has %d", s.order.n, s.turn, n)
	if s.decision == Over {
		f.NeedAt(s.seat == -1 && s.active == -1, "seat", "nobody acts when the game is over")
		return
	}
	f.NeedAt(s.seat >= 0, "seat", "nobody acts at %s", s.decision)
	f.NeedAt(s.active >= 0, "active", "it is nobody's step at %s", s.decision)
	others := s.row().Who == another || s.decision == AtOverflow && s.phase == phaseElections
	f.NeedAt(others || s.seat == s.active, "active", "it is seat %d's step, but seat %d is asked", s.active, s.seat)
}

func (s *State) checkZones(f *form.Faults) {
	owned := s.Claimed()
	for z := range Zone(NumZones) {
		people, most := s.raw[z]+s.makers[z], s.game.people[z]
		f.Need(people <= most, "zones.%s: %d workers; its limit is %d (NE-004)", z, people, most)
		f.Need(s.machines[z] <= s.game.machines[z], "zones.%s.machines: %d machines; its limit is %d (NE-004)", z,
			s.machines[z], s.game.machines[z])
		f.Need(s.raw[z] >= 0 && s.makers[z] >= 0 && s.machines[z] >= 0, "zones.%s: it has less than no pieces", z)
		f.Need(s.makers[z] == 0 || s.plants.Has(z), "zones.%s.mfg: manufacturing workers need a plant (NE-005)", z)
		f.Need(s.raw[z] == 0 || s.typeOf(z) != 0, "zones.%s.type: a zone with raw workers has a type (NE-003)", z)
		f.Need(owned.Has(z) || s.sl[z] == 0, "zones.%s.sl: a neutral zone has level 0, not %d", z, s.sl[z])
		f.Need(!s.converted.Has(z) || s.cities.Has(z), "zones.%s.converted: it is no city", z)
		for u := range numPieces {
			f.Need(s.arrived[z][u] <= s.count(z, u), "zones.%s.arrived: %d %s arrived, but %d stand there", z, s.arrived[z][u],
				unitNames[u], s.count(z, u))
		}
		f.Need(s.inPlay.Has(z) || s.bare(z), "zones.%s: a zone out of play is neutral, empty and unaffected (NE-002)", z)
	}
	f.Need(s.mining&s.energy == 0 && s.forts&^s.cities == 0, "zones: a zone has two types, or a wall without a city")
	f.Need(s.turn > 1 || s.affected == 0, "zones: no zone is affected in turn %d", s.turn)
	if untyped := s.untyped(owned); untyped != 0 {
		f.Fail("zones", "%s has an owner, but no type (NE-003)", zoneList(untyped))
	}
}

// bare says whether nothing stands or lies in a zone.
func (s *State) bare(z Zone) bool {
	marked := s.Claimed() | s.mining | s.energy | s.plants | s.cities | s.affected | s.elected | s.raised
	return !marked.Has(z) && s.raw[z]+s.makers[z]+s.machines[z] == 0
}

// untyped are the owned zones without a type, where there must be none.
func (s *State) untyped(owned Zones) Zones {
	set := owned &^ (s.mining | s.energy)
	switch {
	case s.turn == 0:
		return 0
	case s.decision == AtNewWorker && s.chosenZone != NoZone:
		set &^= only(s.chosenZone)
	}
	return set
}

func (s *State) checkSeats(f *form.Faults) {
	for p := range env.Player(s.game.players) {
		s.checkSeat(f, p)
	}
	f.NeedAt(s.storm == noStorm || s.decision == Over, "result", "there is none before the end")
}

func (s *State) checkSeat(f *form.Faults, p env.Player) {
	seat := &s.seats[p]
	fail := func(field, format string, args ...any) {
		f.Fail(fmt.Sprintf("seats.%d%s", p, field), format, args...)
	}
	for k, n := range seat.has {
		if n < 0 {
			fail("", "it has %d %s", n, kindNames[k])
		}
	}
	own := seat.leader != NoZone && s.owned[p].Has(seat.leader)
	city := s.held[p]&cityCards != 0
	reducing := s.decision == AtOverflow && s.seat == int8(p)
	committing := s.decision == AtCommitAmount || s.decision == AtCommitCard || s.decision == AtIndepCard &&
		s.seat == int8(p)
	switch {
	case s.turn > 0 && s.owned[p] == 0:
		fail("", "every seat controls at least one zone (NE-081)")
	case s.turn > 0 && !own, seat.leader != NoZone && !own:
		fail(".leader", "the leader stands in an own zone (NE-081)")
	case s.turn == 0 && s.size[p] > 0:
		fail(".hand", "nobody has cards during the set-up")
	case !reducing && city && s.HandSize(p) > s.game.data.HandLimit:
		fail(".hand", "%d cards; the hand limit is %d (NE-031)", s.HandSize(p), s.game.data.HandLimit)
	case !committing && (seat.commitCash >= 0 || seat.commitCards != 0):
		fail("", "it has a commitment outside an election")
	case seat.commitCash < 0 && seat.commitCards != 0:
		fail(".commit_cards", "cards are committed after cash (NE-065)")
	case seat.commitCash > seat.has[Cash]:
		fail(".commit_cash", "%dm of %dm (NE-065)", seat.commitCash, seat.has[Cash])
	case seat.known&^(s.held[p]|seat.commitCards) != 0:
		fail(".known", "it names a card that the hand does not hold")
	}
}

func (s *State) checkCards(f *form.Faults) {
	for c := range Card(NumCards) {
		n := int(s.deck[c]) + int(s.discard[c])
		for p := range s.game.players {
			n += int(s.seats[p].hand[c]) + int(s.seats[p].commitCards>>c&1)
		}
		want := int(s.game.printed[c])
		if s.turn == 0 && !c.IsCity() {
			want = 0 // they come into the deck after the deal
		}
		f.NeedAt(n == want, "deck", "%d cards of %s in deck, discard pile and hands; there are %d", n, c, want)
	}
}

// checkQueue tests that those still to be asked come after the seat, in order.
func (s *State) checkQueue(f *form.Faults) {
	switch s.decision {
	case AtNegate, AtNegateZone, AtJoin, AtCommitAmount, AtCommitCard:
	default:
		f.NeedAt(s.queue.n == 0, "queue", "nobody waits at %s", s.decision)
		return
	}
	last := s.chainPlace(env.Player(s.seat))
	for _, q := range s.queue.slice() {
		at := s.chainPlace(env.Player(q))
		f.NeedAt(at > last, "queue", "seat %d is not asked after those before it", q)
		last = at
		switch s.decision {
		case AtNegate, AtNegateZone:
			f.NeedAt(s.isHit(env.Player(q)), "queue", "seat %d has no zone that is hit (NE-044)", q)
		case AtJoin:
			f.NeedAt(s.target != NoZone && s.canJoin(env.Player(q)), "queue", "seat %d cannot join (NE-064)", q)
		default:
			f.NeedAt(s.claimants.has(env.Player(q)) || q == s.defender, "queue", "seat %d takes no part in the election", q)
			f.NeedAt(s.seats[q].commitCash < 0, "queue", "seat %d has committed already", q)
		}
	}
}

// chainPlace is a seat's place in the running chain: in order, but the defender commits last.
func (s *State) chainPlace(p env.Player) int {
	if (s.decision == AtCommitAmount || s.decision == AtCommitCard) && int8(p) == s.defender {
		return maxPlayers
	}
	return s.order.place(p)
}

// checkPending tests that catastrophe, election and offer are there exactly if the question is about them.
func (s *State) checkPending(f *form.Faults) {
	p := env.Player(s.seat)
	switch s.decision {
	case AtCatZone:
		f.NeedAt(s.catastrophe == Anarchists || s.catastrophe == Independence, "catastrophe.card", "%q picks no zone",
			s.catastrophe)
		f.NeedAt(s.hit == 0, "catastrophe.zones", "the zone is not picked yet")
	case AtNegate, AtNegateZone:
		f.NeedAt(s.catastrophe != NoCard && !s.catastrophe.IsCity(), "catastrophe.card", "%q is no Catastrophe card",
			s.catastrophe)
		f.NeedAt(s.catastrophe.strikesZones() || s.seat == s.active, "active", "%s is the card owner's alone", s.catastrophe)
		if _, loss := s.catastrophe.stockLoss(); loss {
			f.NeedAt(s.hit == 0, "catastrophe.zones", "%s hits no zones", s.catastrophe)
		} else {
			f.NeedAt(s.isHit(p), "catastrophe.zones", "none of them is seat %d's", p)
			f.NeedAt(s.catastrophe == Independence || s.hit&^s.affected == 0, "catastrophe.zones",
				"a zone that is hit is affected (NE-044)")
			f.NeedAt(s.hit&^s.inPlay == 0, "catastrophe.zones", "zones out of play are not hit (NE-002)")
		}
	case AtIndepAmount, AtIndepCard:
		f.NeedAt(s.catastrophe == Independence, "catastrophe.card", "%q brings no election", s.catastrophe)
	default:
		f.NeedAt(s.catastrophe == NoCard && s.hit == 0, "catastrophe", "there is none at %s", s.decision)
	}
	if s.catastrophe == Independence && s.decision != AtCatZone {
		f.NeedAt(s.hit.Count() == 1 && s.hit&^(s.owned[p]&^s.leaders) == 0, "catastrophe.zones",
			"it is one own zone without a leader (NE-049)")
	}
	switch s.decision {
	case AtJoin, AtCommitAmount, AtCommitCard:
		s.checkElectionDecision(f)
	default:
		f.NeedAt(s.target == NoZone && s.claimants.n == 0, "election", "there is none at %s", s.decision)
	}
	switch s.decision {
	case AtOffer, AtOfferReply:
		s.checkOffer(f)
	default:
		f.NeedAt(s.offer.partner < 0, "offer", "there is none at %s", s.decision)
	}
}

func (s *State) checkElectionDecision(f *form.Faults) {
	if s.target == NoZone {
		f.Fail("election", "there must be one at %s", s.decision)
		return
	}
	z := s.target
	closed := ^s.inPlay | s.affected | s.elected | s.leaders
	f.NeedAt(!closed.Has(z), "election.zone", "%s is no target (NE-061)", z)
	f.NeedAt(env.Player(s.defender) == s.Owner(z), "election.defender", "seat %d; %s is controlled by %d", s.defender, z,
		s.Owner(z))
	f.NeedAt(s.claimants.n > 0 && !s.claimants.has(env.Player(s.defender)), "election.claimants",
		"there must be some, without the owner")
	for _, p := range s.claimants.slice() {
		f.NeedAt(s.seats[p].electionsUsed > 0, "election.claimants", "seat %d has used no election (NE-060)", p)
		f.NeedAt(s.sl[z] > 0 || s.seats[p].has[Goods] >= int32(s.game.data.Election.Goods), "election.claimants",
			"seat %d lacks the goods for a zone at level 0 (NE-063)", p)
	}
	if f.Err != nil {
		return
	}
	p := env.Player(s.seat)
	if s.decision == AtJoin {
		f.NeedAt(!s.contested, "election.contested", "it is 0 until the commitments begin")
		f.NeedAt(s.canJoin(p), "seat", "seat %d cannot join (NE-064)", p)
		f.NeedAt(s.claimants.at(0) == env.Player(s.active), "election.claimants", "seat %d began", s.active)
		for _, q := range s.claimants.slice()[1:] {
			f.NeedAt(s.chainPlace(env.Player(q)) < s.chainPlace(p), "seat", "seat %d has joined before its turn", q)
		}
		return
	}
	starter := env.Player(s.active)
	withdrawn := !s.claimants.has(starter)
	if withdrawn {
		least, most := s.bidRange(starter)
		f.NeedAt(s.defender < 0 && most < least && s.chainPlace(starter) < s.chainPlace(p) &&
			s.seats[starter].electionsUsed > 0, "active", "seat %d has no reason to withdraw (NE-065)", starter)
	}
	f.NeedAt(s.contested == (s.claimants.n > 1 || s.defender >= 0 || withdrawn), "election.contested",
		"%d claimants, defender %d (NE-065)", s.claimants.n, s.defender)
	f.NeedAt(s.claimants == s.inOrder(0, s.claimants.has), "election.claimants",
		"they stand in order once the commitments begin")
	for q := range env.Player(s.game.players) {
		seat := &s.seats[q]
		path := fmt.Sprintf("seats.%d.commit_cash", q)
		if !s.claimants.has(q) && int8(q) != s.defender {
			f.NeedAt(seat.commitCash < 0, path, "seat %d takes no part in the election", q)
			f.NeedAt(q != p, "seat", "seat %d takes no part in the election", q)
			continue
		}
		at := s.chainPlace(q) - s.chainPlace(p)
		f.NeedAt(s.queue.has(q) == (at > 0), "queue", "those after seat %d are still to be asked, and nobody else", p)
		waits := at > 0 || at == 0 && s.decision == AtCommitAmount
		f.NeedAt(waits == (seat.commitCash < 0), path, "%d; -1 stands for none yet, and only those asked already have "+
			"committed", seat.commitCash)
		if least, most := s.bidRange(q); seat.commitCash >= 0 {
			f.NeedAt(seat.commitCash >= least && seat.commitCash <= most, path, "%d is not in %d to %d (NE-065)",
				seat.commitCash, least, most)
		} else {
			f.NeedAt(least <= most || q == env.Player(s.active), path, "seat %d lacks the cash (NE-063)", q)
		}
		f.NeedAt(seat.commitCards.Count() <= s.cardLimit(z), fmt.Sprintf("seats.%d.commit_cards", q), "at most %d (NE-066)",
			s.cardLimit(z))
	}
}

func (s *State) checkOffer(f *form.Faults) {
	o := &s.offer
	if o.partner < 0 {
		f.Fail("offer", "there must be one at %s", s.decision)
		return
	}
	f.NeedAt(o.partner != s.active, "offer.partner", "nobody trades with himself (NE-106)")
	f.NeedAt(s.decision == AtOffer || s.seat == o.partner, "seat", "the partner replies")
	f.NeedAt(s.decision == AtOffer || o.giveTerms+o.wantTerms > 0, "offer", "it has no terms (NE-106)")
	for k := range numKinds {
		f.NeedAt(o.give[k] <= s.seats[s.active].has[k], "offer.give", "more %s than seat %d has (NE-106)", k, s.active)
		f.NeedAt(o.want[k] <= s.seats[o.partner].has[k], "offer.want", "more %s than seat %d has (NE-106)", k, o.partner)
		f.NeedAt(o.give[k] == 0 || o.want[k] == 0, "offer", "%s both ways (NE-106)", k)
	}
	f.NeedAt((o.give == holdings{}) == (o.giveTerms == 0), "offer.give_terms", "%d do not fit the offer", o.giveTerms)
	f.NeedAt((o.want == holdings{}) == (o.wantTerms == 0), "offer.want_terms", "%d do not fit the offer", o.wantTerms)
}

// checkDecision tests what single questions need.
func (s *State) checkDecision(f *form.Faults) {
	p, z := env.Player(s.seat), s.chosenZone
	if s.decision == AtAssignEnergy {
		f.NeedAt(s.assigned <= s.mixedMachines(p, s.mining), "assigned", "%d; there are %d machines (NE-102)", s.assigned,
			s.mixedMachines(p, s.mining))
	}
	_, most, number := s.numberRange(p)
	f.NeedAt(s.running == 0 || number && s.running%amountStep == 0 && s.running <= most, "running",
		"%d is not a number of twenties up to %d", s.running, most)
	f.NeedAt(s.assigned == 0 || s.decision == AtAssignEnergy, "assigned", "it is 0 at %s", s.decision)
	f.NeedAt((s.placing > 0) == (s.decision == AtBulkPlace), "placing", "%d machines at %s", s.placing, s.decision)
	if s.decision == AtBulkPlace {
		f.NeedAt(s.placesFit(s.sound(p), s.seats[p].has[Cash], int32(s.placing)), "placing",
			"there is no room for %d machines (NE-104)", s.placing)
	}
	s.checkChosen(f)
	switch s.decision {
	case AtCatChoose:
		f.NeedAt(s.playable(p, s.held[p]) != 0, "seats", "seat %d has no catastrophe to play (NE-041)", p)
	case AtCatPurge:
		f.NeedAt(s.canPurge(p), "seats", "seat %d has nothing to be rid of (NE-038)", p)
	case AtIndepCard:
		cash := s.seats[p].commitCash
		f.NeedAt(cash >= int32(s.game.data.Election.LeastContested), "seats", "seat %d must have committed cash (NE-050)", p)
		f.NeedAt(s.seats[p].commitCards.Count() <= s.cardLimit(s.hit.First()), "seats", "too many cards (NE-066)")
	case AtShortage:
		f.NeedAt(s.need(p) > s.seats[p].expended && s.seats[p].expended > 0 && s.seats[p].has[Goods] == 0, "seats",
			"seat %d has no shortage (NE-121)", p)
	case AtElect, AtElectWide:
		f.NeedAt(s.mayElect(p), "seats", "seat %d has used its elections (NE-060)", p)
	case AtNewWorker:
		f.NeedAt(z != NoZone && s.owned[p].Has(z) && s.typeOf(z) == 0 && s.sl[z] > 0 && s.room.Has(z), "chosen",
			"%q is no zone just won (NE-073)", z)
	case AtMoveTo:
		f.NeedAt(s.seats[p].movesUsed < s.game.moveLimit, "seats", "seat %d has no moves left (NE-082)", p)
	case AtSetupTile, AtSetupClaim, AtSetupMine, AtSetupPlant, AtSetupLeader:
		s.checkSetUp(f, p)
	case Over:
		s.checkResult(f)
	}
}

// checkChosen tests what was picked in the question before.
func (s *State) checkChosen(f *form.Faults) {
	p, z, c := env.Player(s.seat), s.chosenZone, s.chosenCard
	wantZone, wantCard, wantUnit := false, false, false
	switch s.decision {
	case AtCityCard:
		wantZone = true
		f.NeedAt(z != NoZone && (s.owned[p]&^s.cities).Has(z), "chosen", "%q is no own zone without a city (NE-123)", z)
		f.NeedAt(s.pickedCards.Count() < setSize && s.pickedCards&^s.held[p] == 0, "picks",
			"they are up to %d cards of the hand", setSize-1)
	case AtFortifyZone:
		wantCard = true
		f.NeedAt(c == StormDefence || c == TechnologyResearch, "chosen", "%q fortifies nothing (NE-124)", c)
	case AtNegateZone:
		wantCard = true
		f.NeedAt(c != NoCard && s.game.negatesOne[s.catastrophe-CivilDisorder].Has(c), "chosen",
			"%q saves no single zone (NE-044)", c)
	case AtMoveTo:
		wantZone, wantUnit = true, true
		f.NeedAt(z != NoZone && s.chosenUnit != noUnit && s.owned[p].Has(z) &&
			s.count(z, s.chosenUnit) > s.arrived[z][s.chosenUnit], "chosen", "%q cannot move (NE-082)", s.chosenText())
	case AtNewWorker:
		wantZone = true
	}
	f.NeedAt(wantZone || z == NoZone, "chosen", "no zone is chosen at %s", s.decision)
	f.NeedAt(wantCard || c == NoCard, "chosen", "no card is chosen at %s", s.decision)
	f.NeedAt(wantUnit || s.chosenUnit == noUnit, "chosen", "no piece is chosen at %s", s.decision)
	f.NeedAt(s.decision == AtCityCard || s.pickedCards == 0, "picks", "no cards are picked at %s", s.decision)
	f.NeedAt(s.decision == AtSetupMine || s.pickedZones == 0, "picks", "no zones are picked at %s", s.decision)
}

func (s *State) checkSetUp(f *form.Faults, p env.Player) {
	for q := range env.Player(s.game.players) {
		own := s.owned[q].Count()
		path := fmt.Sprintf("seats.%d", q)
		switch s.decision {
		case AtSetupTile:
			f.NeedAt(own == 0 || own == tileZones, path, "it has a whole tile or nothing (NE-006)")
		case AtSetupClaim:
			round := s.Claimed().Count() / s.game.players
			f.NeedAt(own == round || own == round+1, path, "it has claimed %d zones in round %d (NE-010)", own, round+1)
		default:
			f.NeedAt(own == tileZones, path, "it has %d zones; %d are its own", own, tileZones)
			placed := s.setupOrder.place(q) < s.setupOrder.place(p)
			f.NeedAt(placed == (s.seats[q].leader != NoZone), path+".leader", "the seats before seat %d have placed, the "+
				"others have not", p)
		}
	}
	own, typed := s.owned[p], s.mining|s.energy
	switch s.decision {
	case AtSetupTile:
		f.NeedAt(!s.game.free && own == 0, "seat", "seat %d does not choose a tile (NE-006)", p)
	case AtSetupClaim:
		round := s.Claimed().Count() / s.game.players
		f.NeedAt(s.game.free && own.Count() == round, "seat", "it is not seat %d's claim in round %d (NE-010)", p, round+1)
	case AtSetupMine:
		f.NeedAt(own&typed == 0 && s.pickedZones&^own == 0 && s.pickedZones.Count() < startMines, "picks",
			"they are up to %d own zones", startMines-1)
	default:
		f.NeedAt(own&^typed == 0, "zones", "the workers of seat %d stand already (NE-006)", p)
	}
}

func (s *State) checkResult(f *form.Faults) {
	f.NeedAt(s.storm >= Violent, "result.storm", "%q is none", stormNames[s.storm])
	if s.game.storm != noStorm {
		f.NeedAt(s.storm == s.game.storm && s.stormCards[0] == NoCard, "result.storm", "%s was agreed (NE-090)",
			stormNames[s.game.storm])
	} else {
		f.NeedAt(s.stormCards[0] != NoCard, "result.cards", "El Gigante draws two cards (NE-090)")
		if f.Err == nil {
			storm := stormOf(s.game.value[s.stormCards[0]], s.game.value[s.stormCards[1]])
			f.NeedAt(s.storm == storm, "result.storm", "the cards make it %s (NE-090)", stormNames[storm])
		}
	}
	if f.Err != nil {
		return
	}
	for p := range env.Player(s.game.players) {
		total := s.Total(p, s.storm)
		f.NeedAt(s.totals[p] == total, "result.totals", "seat %d has %d points, not %d (NE-091)", p, total, s.totals[p])
	}
	f.NeedAt(s.winners == s.highest(), "result.winners", "the highest total wins (NE-093)")
}
