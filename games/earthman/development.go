package earthman

import "earthgym/env"

// proceedDev is step 5 of the turn: the worlds one by one (EB-150), each with its jobs in order (EB-152).
func (s *State) proceedDev(tape *env.Tape) {
	p := env.Player(s.actor)
	pd := &s.pending
	switch pd.step {
	case noStep:
		s.open(AtDevWorld, p)
	case jobs:
		if idle := s.idleDevs(); idle.Count() == 0 {
			s.startJobs(tape)
		} else {
			s.open(AtDevJobs, p)
		}
	case doConstruct:
		s.proceedConstruct(tape)
	case doResearch:
		s.proceedResearch(tape)
	case doDefence:
		s.proceedDefence(tape)
	case doInfluence:
		s.endWorld()
	}
}

// defending are the regions of the world in hand that are nominated for Defence.
func (p *pending) defending() Regions {
	var set Regions
	for _, d := range p.defend {
		if d.region > 0 {
			set |= 1 << (d.region - 1)
		}
	}
	return set
}

// countDevs adds up the developments in regions of a world.
func (s *State) countDevs(w Place, set Regions) uint8 {
	n := uint8(0)
	for ; set != 0; set &= set - 1 {
		n += s.devs[w][set.first()]
	}
	return n
}

// notDefending are the actor's developments in steady and in At Risk regions that don't defend.
func (s *State) notDefending() Fleets {
	pd := &s.pending
	land := s.land[s.actor][pd.at] &^ pd.defending()
	shaken := s.shaken[pd.at]
	return Fleets{s.countDevs(pd.at, land&^shaken), s.countDevs(pd.at, land&shaken)}
}

// idleDevs are those of them that are not nominated yet; groups that build take any (EB-151).
func (s *State) idleDevs() Fleets {
	pd := &s.pending
	f := s.notDefending()
	f.Steady -= pd.research.Steady
	f.Risk -= pd.research.Risk
	// Research is nominated before construction, so that it doesn't matter which of them build.
	building := 3*(pd.build[0]+pd.build[1]) + 2*pd.build[2] + pd.build[3]
	fromSteady := min(f.Steady, building)
	f.Steady -= fromSteady
	f.Risk -= building - fromSteady
	return f
}

// legalDevJobs is the second menu of RULES.md 5.3.
func (s *State) legalDevJobs(m env.Mask, p env.Player) {
	pd := &s.pending
	m.Block(Done, 1)
	if pd.last == noJob && s.CanInfluence(p, pd.at) { // EB-180
		m.Block(InfluenceAct, 1)
	}
	if pd.last <= jobRegion && s.orbiting(p, pd.at) != 0 {
		m.Block(act.region.First, uint64(s.land[p][pd.at]&^pd.defending()))
	}
	idle := s.idleDevs()
	m.SetIf(pd.last <= jobResearch && idle.Steady > 0, ResearchAct)
	m.SetIf(pd.last <= jobResearchRisk && idle.Risk > 0, ResearchRisk)
	for i, size := range buildSizes {
		m.SetIf(pd.last <= jobBuild3Twice+jobKind(i) && idle.Count() >= size, act.build.At(int(i)))
	}
}

// buildSizes are the developments of a group that builds, in the order of the actions (EB-155).
var buildSizes = [4]int{3, 3, 2, 1}

func (s *State) devJobMost(a env.Action) int {
	idle := s.idleDevs()
	switch a {
	case ResearchAct:
		return int(idle.Steady)
	case ResearchRisk:
		return int(idle.Risk)
	}
	return idle.Count() / buildSizes[act.build.Index(a)]
}

// playDevWorld begins a world, or ends the step (EB-150).
func (s *State) playDevWorld(_ env.Player, a env.Action, _ *env.Tape) {
	if a == Done {
		s.startAssist()
	} else {
		s.startWorld(Place(act.at.Index(a)))
	}
}

// playDefendTarget nominates a region for Defence (EB-175).
func (s *State) playDefendTarget(_ env.Player, a env.Action, _ *env.Tape) {
	pd := &s.pending
	for i := range pd.defend {
		if pd.defend[i].region == 0 {
			pd.defend[i] = defence{pd.region, uint8(s.Asked(a))}
			break
		}
	}
	pd.region, pd.last = 0, jobRegion
}

// playDevJob nominates, or ends the nomination.
func (s *State) playDevJob(p env.Player, a env.Action, tape *env.Tape) {
	pd := &s.pending
	switch {
	case a == Done:
		s.startJobs(tape)
	case a == InfluenceAct:
		pd.step = doInfluence
		s.open(AtInfluenceCount, p)
	case act.region.Has(a):
		pd.region = uint8(act.region.Index(a)) + 1
		s.open(AtDefendTarget, p)
	default:
		pd.action = a
		s.open(AtJobCount, p)
	}
}

// proceedConstruct is EB-155 to EB-157, kind by kind.
func (s *State) proceedConstruct(tape *env.Tape) {
	p, pd := env.Player(s.actor), &s.pending
	switch {
	case pd.left > 0:
		pd.left--
		s.spreadRegions(p, pd.at)
		return
	case pd.add > 0:
		s.askAddFleet()
		return
	}
	for i := range pd.build {
		n := pd.build[i]
		if n == 0 {
			continue
		}
		pd.build[i] = 0
		switch i {
		case 0:
			s.roll(evConstruct, 1, int(n), tape)
		case 3:
			s.roll(evConstruct, 0, int(n), tape)
		default:
			pd.add = n
		}
		return
	}
	s.startResearch()
}

// construction is what Risk rolls say: spreads, and then the fleets, whatever was rolled (EB-156).
func (s *State) construction(r result) {
	pd := &s.pending
	pd.left, pd.add = uint8(r.n-r.hits), uint8(r.n)
	if r.need == s.game.data.Roll.Twice {
		pd.add *= 2
	}
}

// startResearch is EB-169: dice of developments that construction has shaken or removed.
func (s *State) startResearch() {
	pd := &s.pending
	pd.step = doResearch
	there := s.notDefending()
	steady := min(pd.research.Steady, there.Steady)
	risk := min(pd.research.Risk+pd.research.Steady-steady, there.Risk)
	pd.research = Fleets{steady, risk}
}

// researchNeed is EB-165, for a development in a steady region.
func (s *State) researchNeed(p env.Player) int {
	return s.game.data.Roll.Research - int(s.seats[p].level[Research])
}

// proceedResearch is EB-165 and EB-166.
func (s *State) proceedResearch(tape *env.Tape) {
	p, pd := env.Player(s.actor), &s.pending
	switch {
	case pd.left > 0:
		pd.left--
		s.open(AtTech, p)
	case pd.research != (Fleets{}):
		n, way := s.takeDice(&pd.research)
		s.roll(evResearch, way, n, tape)
	default:
		pd.step = doDefence
	}
}

// proceedDefence is EB-175, region by region.
func (s *State) proceedDefence(tape *env.Tape) {
	p, pd := env.Player(s.actor), &s.pending
	pd.region, pd.target = 0, int8(None)
	d := pd.defend[0]
	if d.region == 0 {
		s.endWorld()
		return
	}
	copy(pd.defend[:], pd.defend[1:])
	pd.defend[MaxRegions-1] = defence{}
	here, target := Regions(1)<<(d.region-1), env.Player(d.target)
	if s.land[p][pd.at]&here == 0 || !s.seats[target].present().Has(pd.at) {
		return
	}
	pd.region, pd.target = d.region, int8(target)
	way := steady
	if s.shaken[pd.at]&here != 0 {
		way = atRisk
	}
	s.roll(evDefence, way, 3+int(s.seats[p].level[Defences]), tape)
}

func (s *State) defenceHits(r result) {
	s.askLoss(env.Player(s.pending.target), s.pending.at, r.hits)
}

// CanInfluence is EB-180.
func (s *State) CanInfluence(p env.Player, w Place) bool {
	my := &s.seats[p]
	return !my.counters.Has(w) && s.settled[p].Has(w) && my.fleet[w].Count() >= leastInfluence
}

// legalInfluence is EB-181.
func (s *State) legalInfluence(m env.Mask, p env.Player) {
	counts(m, leastInfluence, s.seats[p].fleet[s.pending.at].Count()-1)
	m.Block(All, 1)
}

func (s *State) playInfluence(p env.Player, a env.Action, _ *env.Tape) {
	pd := &s.pending
	pd.count = uint8(act.count.Index(a))
	if a == All {
		pd.count = uint8(s.seats[p].fleet[pd.at].Count())
	}
	s.open(AtInfluenceRisk, p)
}

// playEnvoys is EB-182: the fleets are put aside.
func (s *State) playEnvoys(p env.Player, a env.Action, tape *env.Tape) {
	my, pd := &s.seats[p], &s.pending
	n, risk := int(pd.count), act.count.Index(a)
	pd.count = 0
	my.move(pd.at, risk-n, -risk)
	my.aside += uint8(n)
	s.roll(evInfluence, n-leastInfluence, 1, tape)
}

// legalTech is EB-164; only the Prelude's study can't be waived.
func (s *State) legalTech(m env.Mask, p env.Player) {
	m.Block(act.tech.First, uint64(s.CanStudy(p)))
	m.SetIf(s.phase != InPrelude, Done)
}

func (s *State) playTech(p env.Player, a env.Action, _ *env.Tape) {
	if a != Done {
		s.research(p, Tech(act.tech.Index(a)))
	}
}

// influenced is EB-183.
func (s *State) influenced(r result) {
	if r.hits == 0 {
		return
	}
	my, w := &s.seats[s.actor], s.pending.at
	my.counters |= only(w)
	my.power += int32(s.countDevs(w, s.land[s.actor][w]))
}
