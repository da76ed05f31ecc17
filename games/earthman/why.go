package earthman

import (
	"fmt"
	"strings"

	"earthgym/env"
)

// Why says why an action is not legal now.
func (s *State) Why(a env.Action) string {
	return s.asking().Refusal(s, env.Player(s.seat), a, s.game.info)
}

// why is a reason, or what is asked, and what is legal.
func (s *State) why(_ env.Player, a env.Action) string {
	if s.decision == NoDecision {
		return "the game is over"
	}
	if why := s.reason(a); why != "" {
		return why
	}
	return fmt.Sprintf("%s; legal are %s", s.asking().Question(), s.options())
}

// options lists the legal actions, the first few of many.
func (s *State) options() string {
	const most = 8
	texts := env.LegalTexts(s)
	if len(texts) > most {
		return strings.Join(texts[:most], ", ") + fmt.Sprintf(" and %d more", len(texts)-most)
	}
	return strings.Join(texts, ", ")
}

// reason is a closer answer than what the decision is about, where there is one.
func (s *State) reason(a env.Action) string {
	p := env.Player(s.seat)
	my, pd := &s.seats[p], &s.pending
	switch {
	case a == PayResource && s.decision.among(AtAddFleet, AtForfeit, AtTakeFleet):
		return "there is no resource in the Economy Pool (EB-200, EB-206)"
	case a == All && s.decision == AtAddFleet:
		return fmt.Sprintf("%d fleets cost %d resource, and the Economy Pool has %d; a single one is paid with resource "+
			"(EB-200)", pd.add, pd.add, my.resource)
	case a == All && s.decision == AtForfeit:
		return fmt.Sprintf("%d resource are due, and the Economy Pool has %d; a single one is paid with resource (EB-206)",
			s.pay.due, my.resource)
	case a == PayDiscontent && s.decision == AtAddFleet:
		return fmt.Sprintf("from %d discontent on fleets are no longer paid with it (EB-321)", s.game.discontentCap)
	case s.decision == AtAssist && a == TakeFleet && my.resource == 0:
		return "the fleet costs a resource, and the Economy Pool is empty; the UN takes no discontent (EB-190)"
	case s.decision == AtAssist && a == TakeFleet:
		return fmt.Sprintf("there are %d fleets on the board, the most a seat may have (EB-320)", my.fleets)
	case s.decision == AtAccord && a == Claim:
		return "no claim is left (EB-036)"
	case s.decision == AtAccord && a == Peace:
		return "no peace proposal is left (EB-037)"
	case s.decision == AtTech && act.tech.Has(a):
		return s.whyNotStudy(p, Tech(act.tech.Index(a)))
	case s.decision == AtFleetJobs && (attacks(a) || act.expand.Has(a) || a == Pacify || a == Replicate):
		return s.whyNotFleetJob(a)
	case s.decision == AtDevJobs:
		return s.whyNotDevJob(a)
	case s.decision.among(AtLaunch, AtEarlyLaunch) && act.at.Has(a):
		return s.whyNotLaunch(Place(act.at.Index(a)))
	case s.decision.among(AtFleetWorld, AtDevWorld) && act.at.Has(a) && pd.worlds.Has(Place(act.at.Index(a))):
		return "each world is handled once (EB-090, EB-150)"
	case s.decision == AtExpandUse && act.region.Has(a):
		return s.whyNotSettle(act.region.Index(a))
	}
	return ""
}

func (s *State) whyNotStudy(p env.Player, t Tech) string {
	tech := &s.game.techs[t]
	switch {
	case tech.levels == 0:
		return fmt.Sprintf("the component data leave %q out (EB-164)", t.ID())
	case s.seats[p].level[t] >= tech.levels:
		return fmt.Sprintf("%s is complete at level %d (EB-164)", tech.name, tech.levels)
	case tech.or >= 0:
		return fmt.Sprintf("%s needs %s or %d other technologies (EB-164)", tech.name, s.game.techs[tech.or].name,
			tech.others)
	}
	return fmt.Sprintf("%s needs %d other technologies (EB-164)", tech.name, tech.others)
}

func (s *State) whyNotFleetJob(a env.Action) string {
	pd := &s.pending
	idle := s.idleFleets()
	steady, risk := s.idleByStatus(idle)
	world := s.game.names[pd.at]
	target := act.fire.Index(a) % numTargets
	_, kind := pd.job(a)
	switch {
	case pd.last > kind:
		return fmt.Sprintf("after %q this job is closed: jobs are nominated in a fixed order (EB-091)", jobNames[pd.last])
	case (act.fire.Has(a) || act.fireRisk.Has(a)) && s.fireTargets()>>target&1 == 0:
		return fmt.Sprintf("that target has neither fleets nor developments at %s (EB-101)", world)
	case (act.overthrow.Has(a) || act.overthrowRisk.Has(a)) && s.overthrowTargets()>>target&1 == 0:
		return fmt.Sprintf("that target has no developments on %s (EB-120)", world)
	case (act.fire.Has(a) || act.overthrow.Has(a)) && steady <= 0:
		return fmt.Sprintf("no steady fleet at %s is without a job (EB-091)", world)
	case attacks(a) && risk <= 0:
		return fmt.Sprintf("no fleet At Risk at %s is without a job (EB-091)", world)
	case act.expand.Has(a) && idle < 3-act.expand.Index(a):
		return fmt.Sprintf("fleets without a job at %s: only %d (EB-110)", world, idle)
	case act.expand.Has(a):
		return fmt.Sprintf("nothing can be cleared or settled on %s (EB-113)", world)
	}
	return fmt.Sprintf("Von Neumann Engines are at level %d, which so many fleets use already (EB-140)",
		s.seats[s.actor].level[VonNeumann])
}

func (s *State) whyNotDevJob(a env.Action) string {
	pd := &s.pending
	world := s.game.names[pd.at]
	_, kind := pd.job(a)
	switch {
	case a == InfluenceAct && pd.last != noJob:
		return "Political Influence takes all developments of the world, and some have a job (EB-180)"
	case a == InfluenceAct:
		return fmt.Sprintf("Political Influence needs %d own fleets in orbit of %s and no own counter there (EB-180)",
			leastInfluence, world)
	case act.region.Has(a) && pd.last <= jobRegion:
		return fmt.Sprintf("an own region of %s that doesn't defend yet fires at fleets of another seat in the orbit "+
			"(EB-175)", world)
	case kind >= jobRegion && pd.last > kind:
		return fmt.Sprintf("after %q this job is closed: jobs are nominated in a fixed order (EB-151)", jobNames[pd.last])
	case a == ResearchAct || a == ResearchRisk || act.build.Has(a):
		idle := s.idleDevs()
		return fmt.Sprintf("developments without a job on %s: only %d in steady regions and %d in regions At Risk "+
			"(EB-151)", world, idle.Steady, idle.Risk)
	}
	return ""
}

func (s *State) whyNotLaunch(at Place) string {
	switch {
	case !worlds.Has(at):
		return "fleets in trajectories are not launched and never move skyward (EB-081)"
	case s.seats[s.actor].present().Has(at):
		return fmt.Sprintf("the fleets at %s have just arrived there (EB-063)", s.game.names[at])
	}
	return fmt.Sprintf("there is no own fleet in orbit of %s (EB-080)", placeIDs[at])
}

func (s *State) whyNotSettle(r int) string {
	w := s.pending.at
	switch {
	case s.game.regions[w]>>r&1 == 0:
		return fmt.Sprintf("%s has %d regions (EB-114)", s.game.names[w], s.game.regions[w].Count())
	case s.land[s.actor][w]>>r&1 != 0:
		return fmt.Sprintf("region %d holds developments, %d of at most %d (EB-115)", r+1, s.devs[w][r],
			s.Capacity(env.Player(s.actor), w))
	}
	return fmt.Sprintf("region %d holds developments of others (EB-114)", r+1)
}
