package earthman

import (
	"slices"

	"earthgym/env"
	"earthgym/env/form"
)

// What may be pending at a decision (RULES.md 3.3). A position that doesn't fit is impossible.

// checkRead checks what play guarantees and a position that is read may lack.
func (s *State) checkRead() error {
	r := fit{State: s}
	r.checkCards()
	switch {
	case r.Err != nil:
	case s.phase == IsOver:
		r.checkOver()
	default:
		r.checkDecision()
	}
	return r.Err
}

// fit checks a State and keeps the first fault.
type fit struct {
	*State
	form.Faults
}

// in checks a number.
func (r *fit) in(path string, n, low, high int) {
	r.NeedAt(n >= low && n <= high, path, "%d is not in %d to %d", n, low, high)
}

// checkCards is EB-023, and that the AI deck can't run out before Skynet wakes.
func (r *fit) checkCards() {
	g := r.game
	r.NeedAt(g.skynet || r.undrawn == 0 && r.rogue == 0, "undrawn", "the game is played without Skynet (EB-023)")
	left := 0
	for c := range NumCards {
		if r.undrawn>>c&1 != 0 {
			left += g.data.Cards[c].Symbols
		}
	}
	r.NeedAt(!g.skynet || r.end != running || int(r.rogue)+left >= g.data.Track.Skynet, "undrawn",
		"the cards have %d Rogue symbols left and %d are drawn; the deck would run out (EB-272)", left, r.rogue)
}

// checkOver checks the end of a game.
func (r *fit) checkOver() {
	winners := r.winners.List()
	noWinner := r.end == endPeace || r.end == endSkynet
	switch {
	case r.end == running:
		r.Fail("over", "it is empty in phase \"over\"")
	case r.decision != NoDecision || r.seat >= 0:
		r.Fail("point", "%q of seat %d, but the game is over", r.decision, r.seat)
	case r.pending != nothing || r.lot != noLot || r.pay != noPayment:
		r.Fail("pending", "something is pending, but the game is over")
	case noWinner != (r.winners == env.Nobody):
		r.Fail("winners", "%v with over = %q", winners, endingNames[r.end])
	case r.end == endSkynet != (r.game.skynet && int(r.rogue) >= r.game.data.Track.Skynet):
		r.Fail("over", "%q with %d Rogue symbols (EB-271)", endingNames[r.end], r.rogue)
	case (r.end == endPoints || r.end == endLimit) && r.winners != r.leaders():
		r.Fail("winners", "%v; the highest VP wins (EB-260)", winners)
	case (r.end == endAlone || r.end == endClaim) && r.winners != env.Only(env.Player(r.actor)):
		r.Fail("winners", "%v; with over = %q the actor wins alone", winners, endingNames[r.end])
	}
}

// among says whether the decision is in a list.
func (p Decision) among(list ...Decision) bool {
	return slices.Contains(list, p)
}

// checkDecision checks that phase, decision, seat and what is pending fit each other.
func (r *fit) checkDecision() {
	r.NeedAt(r.end == running && r.winners == 0, "over", "%q with winners %v in phase %q", endingNames[r.end],
		r.winners.List(), phaseNames[r.phase])
	r.NeedAt(int(r.made) < r.game.maxDecisions, "decisions", "%d; the game ends after %d (EB-333)", r.made,
		r.game.maxDecisions)
	if r.Err != nil {
		return
	}
	var st *stage
	for i := range stages {
		if stages[i].phase == r.phase && stages[i].step == r.pending.step && r.decision.among(stages[i].decisions...) {
			st = &stages[i]
		}
	}
	if st == nil {
		r.Fail("point", "%q does not come up in phase %q, step %q", r.decision, phaseNames[r.phase],
			stepNames[r.pending.step])
		return
	}
	for _, check := range []func(*stage){
		r.checkOptions, r.checkFilled, r.checkPlaces, r.checkWho, r.checkPay, r.checkNumbers, r.checkJobs, r.checkTargets,
		r.checkLot, r.checkSeat,
	} {
		if check(st); r.Err != nil {
			return
		}
	}
	r.findLegal()
	n := r.legal().Count()
	if n < 2 {
		r.Fail("point", "%q has %d legal actions; a position is read where there is a choice (EB-007)", r.decision, n)
		return
	}
}

// checkOptions checks that the options of the game let this phase come up.
func (r *fit) checkOptions(*stage) {
	g := r.game
	allowed := true
	switch r.phase {
	case InPrelude:
		allowed = g.prelude && r.round == 1
	case InAccord:
		allowed = int(r.round) >= g.accordFrom
	case InAssist:
		allowed = r.assisted(env.Player(r.actor))
	case InSpy:
		allowed = g.espionage
	case InShare:
		allowed = g.collab
	case InTransfer:
		allowed = g.territory
	}
	r.NeedAt(allowed, "phase", "%q does not come up now in this game", phaseNames[r.phase])
}

// checkFilled checks which fields are empty.
func (r *fit) checkFilled(st *stage) {
	want := r.asking().Filled
	free := ^exact // fields that may be filled or not
	switch {
	case r.decision == AtPartCountRisk:
		free |= fCount // steady fleets that go
	case st.step == doOverthrow:
		free |= fRegion // which depends on who pays
	}
	pd, no := &r.pending, &nothing
	for _, f := range []struct {
		name  string
		bit   fields
		empty bool
	}{
		{"pass", fPass, pd.pass == 0}, {"at", fAt, pd.at == Nowhere}, {"to", fTo, pd.to == Nowhere},
		{"count", fCount, pd.count == 0}, {"extra", fExtra, pd.extra == 0}, {"before", fRound, pd.before == 0},
		{"came", fRound, pd.came == 0}, {"firing", fFiring, pd.firing == 0}, {"worlds", fWorlds, pd.worlds == 0},
		{"last", fLast, pd.last == noJob}, {"action", fAction, pd.action < 0}, {"fire", fFire, pd.fire == no.fire},
		{"overthrow", fOverthrow, pd.overthrow == no.overthrow}, {"expand", fExpand, pd.expand == no.expand},
		{"pacify", fPacify, pd.pacify == 0}, {"replicate", fReplicate, pd.replicate == 0},
		{"defend", fDefend, pd.defend == no.defend}, {"research", fResearch, pd.research == no.research},
		{"build", fBuild, pd.build == no.build}, {"target", fTarget, pd.target == no.target},
		{"region", fRegion, pd.region == 0}, {"hits", fHits, pd.hits == no.hits}, {"left", fLeft, pd.left == 0},
		{"add", fAdd, pd.add == 0}, {"offered", fOffered, pd.offered == 0}, {"transfers", fTransfers, pd.transfers == 0},
		{"at_risk", fAtRisk, !pd.atRisk}, {"devs", fDevs, pd.devs == 0},
	} {
		switch {
		case st.fields&f.bit == 0:
			r.NeedAt(f.empty, "pending."+f.name, "it is not empty in phase %q, step %q", phaseNames[r.phase],
				stepNames[pd.step])
		case free&f.bit != 0:
		case f.empty && want&f.bit != 0:
			r.Fail("pending."+f.name, "it is empty at point %q", r.decision)
		case !f.empty && want&f.bit == 0:
			r.Fail("pending."+f.name, "it is not empty at point %q", r.decision)
		}
	}
	r.NeedAt(r.phase != InPrelude || pd.pass != 0, "pending.pass", "the Prelude has passes 1 to %d", preludePasses)
}

// checkPlaces checks at, to, action, worlds and the round of movement.
func (r *fit) checkPlaces(st *stage) {
	pd, my := &r.pending, &r.seats[r.actor]
	if pd.at != Nowhere && !st.at.Has(pd.at) {
		r.Fail("pending.at", "%q; it is no place of step %q", pd.at.ID(), stepNames[pd.step])
		return
	}
	switch r.decision {
	case AtPartCount, AtPartCountRisk:
		to := r.game.skyward[pd.at]
		if !worlds.Has(pd.at) {
			to = r.game.down[pd.at]
		}
		r.NeedAt(to.Has(pd.to) && r.going().Count() >= 2, "pending.to",
			"%q: no part of the fleets at %q can go there (EB-062, EB-080)", pd.to.ID(), pd.at.ID())
	case AtVoyageTo:
		r.NeedAt(my.steady.Has(pd.at), "pending.at", "%q; there is no own steady fleet (EB-304)", pd.at.ID())
	case AtLaunchTo:
		r.NeedAt(r.Launchable(pd.at).Count() != 0, "pending.at", "%q; no fleet there may launch (EB-080)", pd.at.ID())
	case AtWorldward:
		r.NeedAt(my.present().Has(pd.at), "pending.at", "%q; there are no fleets of the actor", pd.at.ID())
	case AtInfluenceCount, AtInfluenceRisk:
		r.NeedAt(r.CanInfluence(env.Player(r.actor), pd.at), "pending.at",
			"%q; Political Influence is not possible there (EB-180)", pd.at.ID())
	}
	r.NeedAt(st.fields&fWorlds == 0 || pd.at == Nowhere || pd.worlds.Has(pd.at), "pending.worlds",
		"%q, the world in hand, is not among those chosen", pd.at.ID())
	r.checkRound()
}

// checkRound checks the numbers of forced movement.
func (r *fit) checkRound() {
	pd, level := &r.pending, int8(r.seats[r.actor].level[Spaceflight])
	if r.phase != InMove {
		return
	}
	low, high := int8(-1), level-1
	switch pd.step {
	case moveEarly:
		low, high = level, level
		r.NeedAt(r.seats[r.actor].level[Launch] != 0, "pending.step", "\"early\", but the actor lacks Launch (EB-082)")
	case moveExtra:
		low = 0
		r.NeedAt(r.seats[r.actor].present()&trajectories != 0, "point",
			"\"extra_move\", but the actor has no fleets in trajectories (EB-061)")
	case moveLaunch:
		high = -1
	}
	r.NeedAt(pd.extra >= low && pd.extra <= high, "pending.extra", "%d is not in %d to %d (EB-061)", pd.extra, low, high)
	if pd.step != moveDefensive {
		return
	}
	r.NeedAt((pd.came&^pd.before).Has(pd.at) && r.seats[r.actor].fleet[pd.at].Count() != 0, "pending.at",
		"%q; Defensive Fire meets fleets that have arrived where there were none (EB-070)", pd.at.ID())
	for by := range env.Player(numOwners) {
		can := int8(by) != r.actor && (by == UN && r.seats[r.actor].sanction || by < UN) && r.presence(by).Has(pd.at)
		asked := r.decision != AtDefensiveFire || by < UN && r.places(env.Player(r.actor), by) < r.places(env.Player(r.actor),
			env.Player(max(r.seat, 0)))
		r.NeedAt(!pd.firing.has(by) || can && asked, "pending.firing",
			"%d; it cannot have nominated Defensive Fire (EB-070, EB-071)", ownerNumber(by))
	}
}

// checkWho checks the target.
func (r *fit) checkWho(st *stage) {
	pd := &r.pending
	if st.fields&fTarget == 0 {
		return
	}
	target := env.Player(pd.target)
	un := st.step == doFire || st.step == doOverthrow || st.step == giveLand &&
		(r.decision == AtThought || r.decision.among(AtForfeit, AtForfeitRisk) && int8(r.pay.seat) == r.actor)
	r.NeedAt((target != UN || un) && int8(target) != r.actor, "pending.target", "%d cannot be the target here",
		ownerNumber(target))
	r.NeedAt(r.decision != AtLoseFleets || target != UN, "pending.target", "the UN has no fleets (EB-220)")
}

// checkPay checks the payment and what stands beside it.
func (r *fit) checkPay(*stage) {
	pd := &r.pending
	paying := r.decision.among(AtForfeit, AtForfeitRisk) || r.decision == AtThought && r.lot.event == evForfeit
	switch {
	case paying != (r.pay.seat >= 0):
		r.Fail("pay.seat", "%d at point %q", r.pay.seat, r.decision)
	case !paying && r.pay.due != 0:
		r.Fail("pay.due", "%d outside a payment", r.pay.due)
	case r.decision == AtForfeit && r.pay.due == 0:
		r.Fail("pay.due", "0; nothing is due")
	}
	giving := paying && r.pending.step == giveLand && r.pay.seat == r.actor
	payer := r.actor
	if r.phase == InFleet || r.pending.step == giveLand && !giving {
		payer = pd.target
	}
	r.NeedAt(!paying || r.pay.seat == payer, "pay.seat", "%d; who loses a region here pays (EB-206)", r.pay.seat)
	switch {
	case pd.step == giveLand && giving != (pd.devs > 0):
		r.Fail("pending.devs", "%d; developments are on their way exactly while the giver pays (EB-294)", pd.devs)
	case pd.step == giveLand && !giving && pd.atRisk:
		r.Fail("pending.at_risk", "true, but the giver does not pay")
	case pd.step == doOverthrow && paying != (pd.region > 0):
		r.Fail("pending.region", "%d; a region changes hands exactly while its owner pays (EB-123)", pd.region)
	}
	if r.Err != nil || !giving && pd.step != doOverthrow || pd.region == 0 {
		return
	}
	if k := int(pd.region) - 1; r.game.regions[pd.at]>>k&1 == 0 || r.Owner(pd.at, k) != None ||
		r.Devastation(pd.at, k) != 0 {
		r.Fail("pending.region", "%d; a region that changes hands is empty", pd.region)
	}
}

// checkNumbers checks count, region, left, add, transfers and offered.
func (r *fit) checkNumbers(st *stage) {
	pd, g := &r.pending, r.game
	switch {
	case r.decision == AtPartCountRisk && pd.count > r.going().Steady:
		r.Fail("pending.count", "%d; only %d steady fleets can go", pd.count, r.going().Steady)
	case r.decision == AtInfluenceRisk &&
		(pd.count < leastInfluence || int(pd.count) > r.seats[r.actor].fleet[pd.at].Count()):
		r.Fail("pending.count", "%d; at least %d fleets are removed, and no more than there are (EB-181)", pd.count,
			leastInfluence)
	case r.decision == AtTransferCount && r.offerable() == 0, r.decision == AtTransferReply && st.step == giveFleet &&
		int(pd.count) > r.offerable():
		r.Fail("pending.count", "%d; the actor has %d fleets to offer at %q", pd.count, r.offerable(), pd.at.ID())
	}
	r.checkRegion(st)
	thought := r.decision == AtThought
	counting := thought && r.lot.event != evMutiny && r.lot.event != evForfeit && r.lot.event != evUNDefence &&
		!(r.lot.event == evTransfer && st.step == giveFleet)
	r.NeedAt(!counting || pd.left == 0, "pending.left", "%d, but the dice that say it lie on the table", pd.left)
	most := maxFleets
	switch {
	case st.step == riskDiscontent:
		most = maxDice
	case r.decision == AtLoseFleets:
		most = 0
	}
	r.in("pending.left", int(pd.left), 0, most)
	r.NeedAt(st.step != doUNDefence || pd.left%3 == 0, "pending.left", "%d; a UN region rolls 3 dice (EB-222)", pd.left)
	if r.decision == AtAddFleet {
		r.in("pending.add", int(pd.add), 1, g.fleetCap-int(r.seats[r.actor].fleets))
	} else if (thought && r.lot.event != evForfeit || st.step == doReplicate) && pd.add > 0 {
		r.Fail("pending.add", "%d, but the dice that say it lie on the table", pd.add)
	}
	switch {
	case r.decision == AtTransfer && int(pd.transfers) >= g.transfers,
		r.phase == InTransfer && r.decision != AtTransfer && pd.transfers == 0:
		r.Fail("pending.transfers", "%d of %d at point %q", pd.transfers, g.transfers, r.decision)
	case pd.offered.has(env.Player(r.actor)), r.phase == InShare && pd.target >= 0 &&
		!pd.offered.has(env.Player(pd.target)):
		r.Fail("pending.offered", "%v; these are the others that have been asked, the one being asked included",
			env.Seats(pd.offered))
	}
	operation := act.operation.Has(pd.action)
	switch {
	case st.step == doOperation && !operation:
		r.Fail("pending.action", "%q is no operation", r.actionText(pd.action))
	case r.decision == AtShareReply && (!act.tech.Has(pd.action) || !r.shareable(env.Player(pd.target)).
		Has(Tech(act.tech.Index(pd.action)))):
		r.Fail("pending.action", "%q is no technology that can be shared (EB-280)", r.actionText(pd.action))
	}
	if r.Err == nil && r.decision.among(AtSpyWorld, AtSpyTech, AtSpyMark) || thought && st.step == doOperation {
		worlds := r.presence(env.Player(r.actor)) & r.presence(env.Player(pd.target))
		r.NeedAt(pd.at == Nowhere || worlds.Has(pd.at), "pending.at", "%q; both must be present there (EB-310)", pd.at.ID())
	}
	r.NeedAt(r.decision != AtTakeFleet || int(r.seats[pd.target].fleets) < g.fleetCap, "point",
		"\"take_fleet\" at the cap of %d fleets (EB-293)", g.fleetCap)
}

func (r *fit) checkRegion(st *stage) {
	pd := &r.pending
	switch {
	case pd.region == 0 || pd.step == doOverthrow: // checkPay sees to that one
	case r.game.regions[pd.at]>>(pd.region-1)&1 == 0:
		r.Fail("pending.region", "%d; %q has %d regions", pd.region, pd.at.ID(), r.game.regions[pd.at].Count())
	case (st.step == doDefence || r.decision == AtTransferReply) && r.land[r.actor][pd.at]>>(pd.region-1)&1 == 0:
		r.Fail("pending.region", "%d is not the actor's", pd.region)
	}
}

// checkJobs checks what has been nominated against what is there.
func (r *fit) checkJobs(st *stage) {
	pd := &r.pending
	switch {
	case r.phase == InFleet && st.step != noStep:
		f := r.seats[r.actor].fleet[pd.at]
		fs, fr := sum(&pd.fire)
		os, or := sum(&pd.overthrow)
		bound := fs + fr + os + or + pd.grouped() + int(pd.pacify) + int(pd.replicate)
		r.NeedAt(fs+os <= int(f.Steady) && fr+or <= int(f.Risk) && bound <= f.Count(), "pending",
			"%d fleets have jobs at %q, where the actor has [%d %d] (EB-091)", bound, pd.at.ID(), f.Steady, f.Risk)
		r.NeedAt(int(pd.replicate) <= int(r.seats[r.actor].level[VonNeumann]), "pending.replicate",
			"%d is above the level of Von Neumann Engines (EB-140)", pd.replicate)
	case r.phase == InDev && st.step == jobs:
		r.checkDevJobs()
	case st.step == doConstruct && 3*int(pd.build[0]+pd.build[1])+2*int(pd.build[2])+int(pd.build[3]) > maxDevs*MaxRegions:
		r.Fail("pending.build", "%v; a world has at most %d developments", pd.build, maxDevs*MaxRegions)
	}
	if r.Err != nil || st.step != jobs {
		return
	}
	last := noJob
	if pd.defend[0].region > 0 {
		last = jobRegion
	}
	for a := act.fire.First; a < act.reroll.First; a++ {
		if n, kind := pd.job(a); n != nil && *n > 0 {
			last = max(last, kind)
		}
	}
	if last != pd.last {
		r.Fail("pending.last", "%q; by what is nominated it is %q", jobNames[pd.last], jobNames[last])
		return
	}
	m := make(env.Mask, maskWords)
	switch {
	case r.phase == InFleet:
		targets, lands := r.fireTargets(), r.overthrowTargets()
		for i := range numTargets {
			if pd.fire[i] != (Fleets{}) && targets>>i&1 == 0 || pd.overthrow[i] != (Fleets{}) && lands>>i&1 == 0 {
				r.Fail("pending", "fleets are nominated against %d, which is no target at %q", ownerNumber(r.targetOwner(i)),
					pd.at.ID())
			}
		}
		r.NeedAt(r.idleFleets() != 0, "point", "%q, but no fleet is without a job", r.decision)
		r.legalFleetJobs(m, env.Player(r.actor))
	default:
		r.legalDevJobs(m, env.Player(r.actor))
	}
	switch {
	case r.decision == AtJobCount && (pd.action < act.fire.First || pd.action == InfluenceAct ||
		pd.action >= act.reroll.First || !env.Mask(m[:]).Has(pd.action)):
		r.Fail("pending.action", "%q cannot be nominated now (EB-091, EB-151)", r.actionText(pd.action))
	case r.decision == AtDefendTarget && !env.Mask(m[:]).Has(act.region.At(int(pd.region)-1)):
		r.Fail("pending.region", "%d cannot be nominated for Defence (EB-175)", pd.region)
	}
}

func (r *fit) checkDevJobs() {
	pd, actor := &r.pending, env.Player(r.actor)
	var regions Regions
	for i, d := range pd.defend {
		if d.region == 0 {
			continue
		}
		here := Regions(1) << (d.region - 1)
		if (r.land[actor][pd.at]&^regions)&here == 0 || !r.orbiting(actor, pd.at).Has(env.Player(d.target)) {
			r.Fail(index("pending.defend", i), "[%d %d]; it is a region of the actor, once, and a seat with fleets in that "+
				"orbit (EB-175)", d.region, d.target)
		}
		regions |= here
	}
	there := r.notDefending()
	building := 3*(int(pd.build[0])+int(pd.build[1])) + 2*int(pd.build[2]) + int(pd.build[3])
	r.NeedAt(pd.research.Steady <= there.Steady && pd.research.Risk <= there.Risk &&
		building <= there.Count()-pd.research.Count(), "pending",
		"more developments have jobs at %q than the actor has there: [%d %d] that don't defend (EB-151)",
		pd.at.ID(), there.Steady, there.Risk)
}

// checkTargets checks the order in which the dice against targets are rolled (EB-017, EB-101).
func (r *fit) checkTargets(st *stage) {
	pd := &r.pending
	list, e := &pd.fire, evFire
	switch st.step {
	case doOverthrow:
		list, e = &pd.overthrow, evOverthrow
	case doUNDefence:
		if (r.decision != AtThought || pd.left > 0) && pd.hits != nothing.hits || pd.hits[1] > 0 {
			r.Fail("pending.hits", "%v; they are those of steady regions while the At Risk ones roll", pd.hits)
		}
		return
	case doFire:
	default:
		return
	}
	target := r.TargetPlace(env.Player(pd.target))
	rolling := r.decision == AtThought && r.lot.event == e
	for i, f := range list {
		if i < target && f != (Fleets{}) || i == target && (f.Steady > 0 || f.Risk > 0 && !rolling) {
			r.Fail("pending", "dice against target %d are still to be rolled, but target %d is in hand",
				ownerNumber(r.targetOwner(i)), ownerNumber(env.Player(pd.target)))
		}
	}
	second := rolling && list[target] == (Fleets{})
	r.NeedAt((second || pd.hits == nothing.hits) && pd.hits[1] <= pd.hits[0] && (e != evOverthrow || pd.hits[1] <= 0),
		"pending.hits", "%v; they are those of steady fleets while the At Risk ones roll (EB-017)", pd.hits)
}

// checkLot checks the dice of a Thought window against the dice table.
func (r *fit) checkLot(*stage) {
	l, pd := &r.lot, &r.pending
	if r.decision != AtThought {
		r.NeedAt(*l == noLot, "lot.event", "%q outside \"thought\"", eventNames[l.event])
		return
	}
	by := env.Player(l.roller)
	switch {
	case !slices.Contains(throws[l.event].steps, pd.step):
		r.Fail("lot.event", "%q is not rolled in phase %q, step %q", eventNames[l.event], phaseNames[r.phase],
			stepNames[pd.step])
		return
	case l.event == evDefensive && (by == None || int8(by) == r.actor || pd.firing.has(by) || by == UN && pd.firing != 0):
		r.Fail("lot.roller", "%d; it is a seat that fires, or the UN as the last", ownerNumber(by))
		return
	case l.event != evDefensive && by != r.roller(l.event):
		r.Fail("lot.roller", "%d; by the rules it is %d", ownerNumber(by), ownerNumber(r.roller(l.event)))
		return
	}
	if most := r.mostDice(l.event, by); l.n == 0 || int(l.n) > most {
		r.Fail("lot.dice", "%d dice of %q; here it is 1 to %d", l.n, eventNames[l.event], most)
	}
	want := r.terms(l.event, by, 0)
	for way := range throws[l.event].ways {
		if t := r.terms(l.event, by, way); t == l.terms {
			want = t
		}
	}
	switch {
	case l.hurt != want.hurt:
		r.Fail("lot.hurt", "%v; by the rules %v", l.hurt.List(), want.hurt.List())
	case l.terms != want || want.need <= automatic || want.need >= impossible:
		r.Fail("lot.need", "%d with bounds %v; by the rules %d with %v", l.need, l.bounds, want.need, want.bounds)
	}
	for i, reach := range l.dice[:l.n] {
		r.NeedAt(reach <= 6 || max(l.need, l.bounds[1]) >= 7, index("lot.dice", i),
			"%d, but a 6 is rolled again only where 7 or more is needed (EB-015)", reach)
	}
}

// checkSeat checks who decides.
func (r *fit) checkSeat(st *stage) {
	pd, seat := &r.pending, env.Player(r.seat)
	want := env.Player(r.actor)
	switch r.asking().Who {
	case theOwner:
		if st.step == doFire || st.step == doDefence || st.step == giveLand {
			want = env.Player(pd.target)
		}
	case theOneInHand:
		want = env.Player(pd.target)
	case thePayer:
		want = env.Player(r.pay.seat)
	case theThinker:
		want = r.checkThinkers()
	case another:
		if seat >= 0 && int8(seat) != r.actor && (r.decision == AtPeaceVote || r.hasUnits(seat)) &&
			(r.decision != AtDefensiveFire || r.presence(seat).Has(pd.at)) {
			want = seat
		} else {
			want = None
		}
	}
	r.NeedAt(seat == want && want != None, "seat", "%d is not asked at point %q", r.seat, r.decision)
}

// checkThinkers checks who has been asked in the Thought window, and gives who is asked next.
func (r *fit) checkThinkers() env.Player {
	want, passed := r.nextThinker(), r.lot.passed
	if passed&^r.thinking != 0 || want == None {
		r.Fail("lot.passed", "%v; these are seats with Thoughts that have been asked, and another has still to answer "+
			"(EB-251)", passed.List())
		return want
	}
	r.lot.passed = 0
	for p := r.nextThinker(); p != want; p = r.nextThinker() {
		r.lot.passed = r.lot.passed.With(p)
	}
	r.NeedAt(r.lot.passed == passed, "lot.passed", "%v; before seat %d %v are asked (EB-251)", passed.List(), want,
		r.lot.passed.List())
	return want
}
