package earthman

import (
	"fmt"
	"strings"

	"earthgym/env"
)

// asked says what a decision point is about, and by which rule.
var asked = [numPoints]struct{ rule, about string }{
	AtPrelude:        {"EB-301", "a Prelude turn is fleet, study or voyage"},
	AtVoyageFrom:     {"EB-304", "the voyage starts where there is an own fleet that can go skyward, or is waived"},
	AtVoyageTo:       {"EB-304", "the fleet goes to a place skyward of where it is"},
	AtAccord:         {"EB-036, EB-037", "now is the time to claim victory, to propose peace, or neither"},
	AtClaimVote:      {"EB-036", "the question is whether the active seat has won"},
	AtPeaceVote:      {"EB-037", "the question is whether there is peace"},
	AtRiskRegion:     {"EB-043", "one of the own steady regions there becomes At Risk"},
	AtRiskLose:       {"EB-043", "one of the own regions there is lost"},
	AtUnrestFleet:    {"EB-051", "one steady fleet becomes At Risk; without any, one At Risk is removed"},
	AtMutiny:         {"EB-053", "a mutiny is where steady fleets and fleets At Risk lie together, else where two At Risk do"},
	AtEarlyLaunch:    {"EB-082", "fleets are launched from orbits, before all movement"},
	AtLaunch:         {"EB-080", "fleets are launched from orbits where they have not just arrived"},
	AtLaunchTo:       {"EB-080", "the fleets go to a place skyward of their orbit; a part of them only if there are two"},
	AtPartCount:      {"EB-062, EB-080", "a part of the steady fleets goes, and not all fleets"},
	AtPartCountRisk:  {"EB-062, EB-080", "a part of the fleets At Risk goes, and not all fleets"},
	AtExtraMove:      {"EB-061", "the question is whether to make an extra round of movement"},
	AtWorldward:      {"EB-062", "the fleets go one step worldward; a part of them only if there are two"},
	AtDefensiveFire:  {"EB-070", "the question is whether to fire at the fleets that have arrived"},
	AtLoseFleets:     {"EB-204", "the number asked for is how many of the lost fleets are At Risk ones"},
	AtFleetWorld:     {"EB-090", "a world with own fleets in orbit is chosen, each once"},
	AtFleetJobs:      {"EB-091", "fleets in this orbit are nominated for jobs, in the order fire, expand, overthrow, pacify, replicate"},
	AtJobCount:       {"EB-091, EB-151", "the number asked for is how many take the job"},
	AtRaze:           {"EB-104", "one of the own regions on this world is destroyed"},
	AtExpandUse:      {"EB-113, EB-114", "Devastation is cleared, or a region is settled that is empty or own and has room"},
	AtOverthrowReply: {"EB-123", "one of the own regions on this world is shaken, or given up if it is At Risk"},
	AtPacifyUse:      {"EB-131", "a fleet in this orbit or a region of this world is calmed, discontent paid off, or resource put on the own Sanctions token"},
	AtAddFleet:       {"EB-200", "a fleet is paid with resource or with discontent, or waived"},
	AtForfeit:        {"EB-206", "what is due is paid with resource, a fleet or discontent"},
	AtForfeitRisk:    {"EB-207", "one own steady fleet becomes At Risk"},
	AtDevWorld:       {"EB-150", "a world with own developments is chosen, each once"},
	AtDevJobs:        {"EB-151", "developments of this world are nominated for jobs, in the order influence, defence, research, build"},
	AtDefendTarget:   {"EB-175", "the region fires at a seat with fleets in this orbit"},
	AtInfluenceCount: {"EB-181", "three fleets or more are removed"},
	AtInfluenceRisk:  {"EB-181", "the number asked for is how many of the removed fleets are At Risk ones"},
	AtTech:           {"EB-164, EB-166", "a technology is studied whose prerequisites hold and which is not complete"},
	AtAssist:         {"EB-190", "the UN lends a fleet for resource, or helps to study"},
	AtSpy:            {"EB-311", "an operation is chosen that is possible against somebody"},
	AtSpyTarget:      {"EB-311", "a seat is chosen against which the operation is possible"},
	AtSpyWorld:       {"EB-310", "a world is chosen where both are present"},
	AtSpyTech:        {"EB-313", "a technology is studied in which the target is ahead"},
	AtSpyMark:        {"EB-314", "a steady fleet or region of the target becomes At Risk"},
	AtShare:          {"EB-280", "a seat is chosen that can be helped and was not asked yet"},
	AtShareTech:      {"EB-280", "a technology is chosen in which the active seat is ahead and that the other can study"},
	AtShareReply:     {"EB-281", "the question is whether to accept the help"},
	AtTransfer:       {"EB-290, EB-291", "another seat is chosen to receive units"},
	AtTransferWhat:   {"EB-291", "fleets or land are handed over"},
	AtTransferFleet:  {"EB-291", "own fleets of one status at one place are handed over"},
	AtTransferCount:  {"EB-291", "the number asked for is how many fleets are offered"},
	AtTransferWorld:  {"EB-291", "a world with own developments is chosen"},
	AtTransferRegion: {"EB-291", "one of the own regions there is handed over"},
	AtTransferReply:  {"EB-292, EB-294", "the question is what is accepted"},
	AtTakeFleet:      {"EB-293", "an accepted fleet is paid with resource or discontent"},
	AtThought:        {"EB-251, EB-252", "a Thought has one die of a class rolled again that lies there, or none is spent"},
}

// Why says why an action is not legal now.
func (s *State) Why(a env.Action) string {
	switch {
	case a < 0 || int(a) >= numActions:
		return "there is no such action"
	case s.point == NoPoint:
		return "the game is over"
	case env.Mask(s.mask[:]).Has(a):
		return ""
	}
	if why := s.reason(a); why != "" {
		return why
	}
	return fmt.Sprintf("%s (%s); legal are %s", asked[s.point].about, asked[s.point].rule, s.options())
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
	case a == PayResource && s.point.among(AtAddFleet, AtForfeit, AtTakeFleet):
		return "there is no resource in the Economy Pool (EB-200, EB-206)"
	case a == All && s.point == AtAddFleet:
		return fmt.Sprintf("%d fleets cost %d resource, and the Economy Pool has %d; a single one is paid with resource (EB-200)", pd.add, pd.add, my.e)
	case a == All && s.point == AtForfeit:
		return fmt.Sprintf("%d resource are due, and the Economy Pool has %d (EB-206)", s.pay.due, my.e)
	case a == PayDiscontent && s.point == AtAddFleet:
		return fmt.Sprintf("from %d discontent on fleets are no longer paid with it (EB-321)", s.game.discontentCap)
	case s.point == AtAssist && a == TakeFleet && my.e == 0:
		return "the fleet costs a resource, and the Economy Pool is empty; the UN takes no discontent (EB-190)"
	case s.point == AtAssist && a == TakeFleet:
		return fmt.Sprintf("there are %d fleets on the board, the most a seat may have (EB-320)", my.fleets)
	case s.point == AtAccord && a == Claim:
		return "no claim is left (EB-036)"
	case s.point == AtAccord && a == Peace:
		return "no peace proposal is left (EB-037)"
	case s.point == AtTech && a >= tech0 && a < fire0:
		return s.whyNotStudy(p, Tech(a-tech0))
	case s.point == AtFleetJobs && a >= fire0 && a <= Replicate:
		return s.whyNotFleetJob(a)
	case s.point == AtDevJobs && a >= region0:
		return s.whyNotDevJob(a)
	case s.point.among(AtLaunch, AtEarlyLaunch) && a >= at0 && a < part0:
		return s.whyNotLaunch(Place(a - at0))
	case s.point.among(AtFleetWorld, AtDevWorld) && a >= at0 && a < part0 && pd.worlds.Has(Place(a-at0)):
		return "each world is handled once (EB-090, EB-150)"
	case s.point == AtExpandUse && a >= region0 && a < seat0:
		return s.whyNotSettle(int(a - region0))
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
		return fmt.Sprintf("%s needs %s or %d other technologies (EB-164)", tech.name, s.game.techs[tech.or].name, tech.others)
	}
	return fmt.Sprintf("%s needs %d other technologies (EB-164)", tech.name, tech.others)
}

func (s *State) whyNotFleetJob(a env.Action) string {
	pd := &s.pending
	idle := s.idleFleets()
	steady, risk := s.idleByStatus(idle)
	world := s.game.names[pd.at]
	target := int(a-fire0) % numTargets
	switch {
	case a < overthrow0 && pd.last > jobFire, a < expand0 && pd.last > jobOverthrow, a == Pacify && pd.last > jobPacify,
		a >= expand0 && a < Pacify && pd.last > jobExpand3+jobKind(a-expand0):
		return fmt.Sprintf("after %q this job is closed: jobs are nominated in a fixed order (EB-091)", jobNames[pd.last])
	case a < overthrow0 && s.fireTargets()>>target&1 == 0:
		return fmt.Sprintf("that target has neither fleets nor developments at %s (EB-101)", world)
	case a >= overthrow0 && a < expand0 && s.overthrowTargets()>>target&1 == 0:
		return fmt.Sprintf("that target has no developments on %s (EB-120)", world)
	case (a < fireRisk0 || a >= overthrow0 && a < overthrowRisk0) && steady <= 0:
		return fmt.Sprintf("no steady fleet at %s is without a job (EB-091)", world)
	case a < expand0 && risk <= 0:
		return fmt.Sprintf("no fleet At Risk at %s is without a job (EB-091)", world)
	case a < Pacify && idle < 3-int(a-expand0):
		return fmt.Sprintf("only %d fleets at %s are without a job (EB-110)", idle, world)
	case a < Pacify:
		return fmt.Sprintf("nothing can be cleared or settled on %s (EB-113)", world)
	}
	return fmt.Sprintf("Von Neumann Engines are at level %d, which so many fleets use already (EB-140)", s.seats[s.actor].level[VonNeumann])
}

func (s *State) whyNotDevJob(a env.Action) string {
	pd := &s.pending
	world := s.game.names[pd.at]
	switch {
	case a == InfluenceAct && pd.last != noJob:
		return "Political Influence takes all developments of the world, and some have a job (EB-180)"
	case a == InfluenceAct:
		return fmt.Sprintf("Political Influence needs %d own fleets in orbit of %s and no own counter there (EB-180)", leastInfluence, world)
	case a >= region0 && a < seat0 && pd.last <= jobRegion:
		return fmt.Sprintf("an own region of %s that doesn't defend yet fires at fleets of another seat in the orbit (EB-175)", world)
	case a >= region0 && a < seat0, a == ResearchAct && pd.last > jobResearch, a == ResearchRisk && pd.last > jobResearchRisk,
		a >= build0 && a < rerollLow && pd.last > jobBuild3Twice+jobKind(a-build0):
		return fmt.Sprintf("after %q this job is closed: jobs are nominated in a fixed order (EB-151)", jobNames[pd.last])
	case a == ResearchAct || a == ResearchRisk || a >= build0 && a < rerollLow:
		idle := s.idleDevs()
		return fmt.Sprintf("only %d developments in steady regions and %d in regions At Risk are without a job on %s (EB-151)", idle.Steady, idle.Risk, world)
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
		return fmt.Sprintf("region %d holds %d developments, and there is room for %d (EB-115)", r+1, s.devs[w][r], s.capacity(env.Player(s.actor), w))
	}
	return fmt.Sprintf("region %d holds developments of others (EB-114)", r+1)
}
