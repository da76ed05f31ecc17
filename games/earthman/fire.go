package earthman

import "earthgym/env"

// proceedFleet is step 4 of the turn: the worlds one by one (EB-090), each with its jobs in order (EB-092).
func (s *State) proceedFleet(tape *env.Tape) {
	p := env.Player(s.actor)
	pd := &s.pending
	switch pd.step {
	case noStep:
		s.open(AtFleetWorld, p)
	case jobs:
		if s.idleFleets() == 0 {
			s.startJobs(tape)
		} else {
			s.open(AtFleetJobs, p)
		}
	case doFire:
		s.proceedFire(tape)
	case doUNDefence:
		s.proceedUNDefence(tape)
	case doExpand:
		s.proceedExpand(tape)
	case doOverthrow:
		s.proceedOverthrow(tape)
	case doPacify:
		s.proceedPacify(tape)
	case doReplicate:
		s.proceedReplicate(tape)
	}
}

// playFleetWorld begins a world, or ends the step (EB-090).
func (s *State) playFleetWorld(_ env.Player, a env.Action, _ *env.Tape) {
	if a == Done {
		s.startDev()
	} else {
		s.startWorld(Place(act.at.Index(a)))
	}
}

// startWorld begins the nominations of a world.
func (s *State) startWorld(w Place) {
	pd := &s.pending
	pd.at, pd.step = w, jobs
	pd.worlds |= only(w)
}

// endWorld leaves a world whose jobs are done.
func (s *State) endWorld() { s.pending.step, s.pending.at = noStep, Nowhere }

// sum adds up fleets nominated by target.
func sum(list *[numTargets]Fleets) (steady, risk int) {
	for _, f := range list {
		steady += int(f.Steady)
		risk += int(f.Risk)
	}
	return
}

// grouped is the number of fleets in expansion groups.
func (p *pending) grouped() int { return 3*int(p.expand[0]) + 2*int(p.expand[1]) + int(p.expand[2]) }

// idleFleets is the number of fleets of the world in hand without a job (EB-091).
func (s *State) idleFleets() int {
	pd := &s.pending
	n := s.seats[s.actor].fleet[pd.at].Count() - pd.grouped() - int(pd.pacify) - int(pd.replicate)
	for i := range numTargets {
		n -= pd.fire[i].Count() + pd.overthrow[i].Count()
	}
	return n
}

// idleByStatus are the most steady fleets, and the most At Risk, that can still be bound by fire or
// overthrow, out of the idle ones.
func (s *State) idleByStatus(idle int) (steady, risk int) {
	pd := &s.pending
	f := s.seats[s.actor].fleet[pd.at]
	fs, fr := sum(&pd.fire)
	os, or := sum(&pd.overthrow)
	return min(int(f.Steady)-fs-os, idle), min(int(f.Risk)-fr-or, idle)
}

// legalFleetJobs is the first menu of RULES.md 5.3: kinds in a fixed order, which an action closes
// behind it.
func (s *State) legalFleetJobs(m env.Mask, p env.Player) {
	pd := &s.pending
	m.Block(Done, 1)
	idle := s.idleFleets()
	steady, risk := s.idleByStatus(idle)
	if pd.last <= jobFire {
		s.legalTargets(m, s.fireTargets(), act.fire.First, act.fireRisk.First, steady, risk)
	}
	if pd.last < jobOverthrow && s.worthExpanding(p, pd.at) {
		for size := 3; size > 0; size-- {
			m.SetIf(idle >= size && pd.last <= jobExpand3+jobKind(3-size), Expand(size))
		}
	}
	if pd.last <= jobOverthrow {
		s.legalTargets(m, s.overthrowTargets(), act.overthrow.First, act.overthrowRisk.First, steady, risk)
	}
	m.SetIf(pd.last <= jobPacify, Pacify)
	m.SetIf(s.replicators(idle) > 0, Replicate)
}

// legalTargets adds the steady and the At Risk form of an action against each target.
func (s *State) legalTargets(m env.Mask, targets uint64, steadyFirst, riskFirst env.Action, steady, risk int) {
	if steady > 0 {
		m.Block(steadyFirst, targets)
	}
	if risk > 0 {
		m.Block(riskFirst, targets)
	}
}

// fireTargets are those with fleets in the orbit or developments on the world, the overthrowTargets
// those with developments.
func (s *State) fireTargets() uint64 {
	return s.overthrowTargets() | s.relative(env.Player(s.actor), s.orbiting(env.Player(s.actor), s.pending.at))>>1
}

func (s *State) overthrowTargets() uint64 {
	p, w := env.Player(s.actor), s.pending.at
	var set uint64
	if s.settled[UN].Has(w) {
		set = 1 << theUN
	}
	for q := range env.Player(s.game.players) {
		if q != p && s.settled[q].Has(w) {
			set |= 1 << (s.places(p, q) - 1)
		}
	}
	return set
}

// worthExpanding says whether an expansion of the world in hand can come to anything: something may be
// cleared or settled there, or may after the fire that is nominated.
func (s *State) worthExpanding(p env.Player, w Place) bool {
	fs, fr := sum(&s.pending.fire)
	return fs+fr > 0 || s.expandable(p, w) != 0
}

// replicators is the most fleets that may still be nominated for Replication (EB-140).
func (s *State) replicators(idle int) int {
	return min(idle, int(s.seats[s.actor].level[VonNeumann])-int(s.pending.replicate))
}

// playFleetJob nominates, or ends the nomination.
func (s *State) playFleetJob(p env.Player, a env.Action, tape *env.Tape) {
	if a == Done {
		s.startJobs(tape)
		return
	}
	s.pending.action = a
	s.open(AtJobCount, p)
}

// jobMost is how many fleets, groups or developments an action of the menus may be done by.
func (s *State) jobMost(a env.Action) int {
	if a >= ResearchAct {
		return s.devJobMost(a)
	}
	idle := s.idleFleets()
	steady, risk := s.idleByStatus(idle)
	switch {
	case act.fire.Has(a), act.overthrow.Has(a):
		return steady
	case act.fireRisk.Has(a), act.overthrowRisk.Has(a):
		return risk
	case act.expand.Has(a):
		return idle / (3 - act.expand.Index(a))
	case a == Pacify:
		return idle
	}
	return s.replicators(idle)
}

// playJobCount nominates the number that was asked for.
func (s *State) playJobCount(_ env.Player, a env.Action, _ *env.Tape) {
	pd := &s.pending
	job := pd.action
	n := uint8(act.count.Index(a))
	if a == All {
		n = uint8(s.jobMost(job))
	}
	pd.action = -1
	counter, kind := pd.job(job)
	*counter += n
	pd.last = kind
}

// startJobs begins to resolve the jobs of a world: fleets with fire, developments with construction.
func (s *State) startJobs(tape *env.Tape) {
	pd := &s.pending
	pd.last = noJob
	if s.phase == InDev {
		pd.step = doConstruct
		return
	}
	pd.step = doFire
	fs, fr := sum(&pd.fire)
	if fs+fr > 0 && s.settled[UN].Has(pd.at) { // EB-100
		s.sanctioned(env.Player(s.actor), tape)
	}
}

// guarded says whether the UN makes fire and overthrow harder on a world (EB-103, EB-120, EB-223).
func (s *State) guarded(w Place) bool { return w == s.game.home && s.settled[UN].Has(w) }

// nextTarget is the first target with dice, in the order of EB-101; None if there is none.
func (s *State) nextTarget(list *[numTargets]Fleets) env.Player {
	for i := range list {
		if list[i] != (Fleets{}) {
			return s.targetOwner(i)
		}
	}
	return None
}

// takeDice gives the dice of the next lot against the target in hand, the steady fleets' first, and
// which they are (EB-017).
func (s *State) takeDice(f *Fleets) (n, way int) {
	if f.Steady > 0 {
		n, f.Steady = int(f.Steady), 0
		return n, steady
	}
	n, f.Risk = int(f.Risk), 0
	return n, atRisk
}

// proceedFire is EB-101, target by target.
func (s *State) proceedFire(tape *env.Tape) {
	pd := &s.pending
	target := env.Player(pd.target)
	switch {
	case target == None:
		if target = s.nextTarget(&pd.fire); target == None {
			pd.step = doExpand
			return
		}
		pd.target = int8(target)
	case pd.fire[s.TargetPlace(target)] != (Fleets{}):
	case pd.left > 0: // EB-104
		pd.left--
		s.raze(target)
		return
	default:
		pd.target = int8(None)
		if target == UN { // EB-105
			s.startUNDefence(tape)
		}
		return
	}
	n, way := s.takeDice(&pd.fire[s.TargetPlace(target)])
	s.roll(evFire, way, n, tape)
}

// fireHits is EB-102 and EB-103, once both lots have been rolled.
func (s *State) fireHits(r result) {
	pd := &s.pending
	pd.hits[0] += uint8(r.hits)
	pd.hits[1] += uint8(r.high)
	target := env.Player(pd.target)
	if pd.fire[s.TargetPlace(target)] != (Fleets{}) {
		return
	}
	hits, strong := int(pd.hits[0]), int(pd.hits[1])
	pd.hits = [2]uint8{}
	fleets := 0
	if target < UN {
		fleets = s.seats[target].fleet[pd.at].Count()
	}
	if hits >= fleets {
		pd.left = uint8(min(strong, hits-fleets) / 2)
	}
	if fleets > 0 {
		s.askLoss(target, pd.at, hits)
	}
}

// raze is EB-104: the target loses a region of its choice.
func (s *State) raze(target env.Player) {
	w := s.pending.at
	land := s.land[target][w]
	switch {
	case land == 0:
	case target == UN: // EB-224
		if shaken := land & s.shaken[w]; shaken != 0 {
			land = shaken
		}
		s.loseRegion(UN, w, land.first(), true)
	default:
		s.open(AtRaze, target)
	}
}

// startUNDefence is EB-222: three dice for each UN region, the steady ones first.
func (s *State) startUNDefence(tape *env.Tape) {
	pd := &s.pending
	pd.step = doUNDefence
	land, shaken := s.land[UN][pd.at], s.shaken[pd.at]
	pd.left = uint8(3 * (land & shaken).Count())
	if n := 3 * (land &^ shaken).Count(); n > 0 {
		s.roll(evUNDefence, steady, n, tape)
	}
}

func (s *State) proceedUNDefence(tape *env.Tape) {
	pd := &s.pending
	if pd.left > 0 {
		n := int(pd.left)
		pd.left = 0
		s.roll(evUNDefence, atRisk, n, tape)
		return
	}
	s.lapse()
	pd.step = doExpand
}

// unDefenceHits removes fleets of the actor's choice, once both lots have been rolled.
func (s *State) unDefenceHits(r result) {
	pd := &s.pending
	pd.hits[0] += uint8(r.hits)
	if pd.left > 0 {
		return
	}
	hits := int(pd.hits[0])
	pd.hits[0] = 0
	s.askLoss(env.Player(s.actor), pd.at, hits)
}

// lapse is EB-106 and EB-107: jobs of fleets that were lost before they did them.
func (s *State) lapse() {
	pd := &s.pending
	f := s.seats[s.actor].fleet[pd.at]
	os, or := sum(&pd.overthrow)
	excess := pd.grouped() + os + or + int(pd.pacify) + int(pd.replicate) - f.Count()
	drop := func(n *uint8, size int) {
		for ; excess > 0 && *n > 0; *n-- {
			excess -= size
		}
	}
	drop(&pd.replicate, 1)
	drop(&pd.pacify, 1)
	for i := numTargets - 1; i >= 0; i-- {
		drop(&pd.overthrow[i].Risk, 1)
		drop(&pd.overthrow[i].Steady, 1)
	}
	drop(&pd.expand[2], 1)
	drop(&pd.expand[1], 2)
	drop(&pd.expand[0], 3)
	for i := range pd.overthrow { // EB-107
		o := &pd.overthrow[i]
		steady := min(o.Steady, f.Steady)
		missing := o.Steady - steady
		risk := min(o.Risk+missing, f.Risk)
		*o = Fleets{steady, risk}
		f.Steady -= steady
		f.Risk -= risk
	}
}
