package earthman

import "earthgym/env"

// A Phase is a step of the turn.
type Phase uint8

// The phases, in the order of the turn (EB-002).
const (
	InPrelude Phase = iota
	InScore
	InAccord
	InRisk
	InMove
	InFleet
	InDev
	InAssist
	InSpy
	InShare
	InTransfer
	IsOver
	numPhases
)

var phaseNames = [numPhases]string{"prelude", "score", "accord", "risk", "move", "fleet", "dev", "assist", "spy",
	"share", "transfer", "over"}

// A step is a part of a phase.
type step uint8

const (
	noStep step = iota
	// Risk
	riskFleets
	riskRegions
	riskDiscontent
	// Movement
	moveEarly
	moveExtra
	moveApproach
	moveDefensive
	moveInterplanetary
	moveSolar
	moveLaunch
	// fleets and developments
	jobs
	doFire
	doUNDefence
	doExpand
	doOverthrow
	doPacify
	doReplicate
	doConstruct
	doResearch
	doDefence
	doInfluence
	// Espionage, Territorial Agreements
	doOperation
	giveFleet
	giveLand
	numSteps
)

var stepNames = [numSteps]string{
	"", "fleets", "regions", "discontent", "early", "extra", "approach", "defensive", "interplanetary", "solar", "launch",
	"jobs", "fire", "un-defence", "expand", "overthrow", "pacify", "replicate", "construct", "research", "defence",
	"influence", "operation", "fleet", "land",
}

// A jobKind is what was nominated last on a world.
type jobKind uint8

const (
	noJob jobKind = iota
	jobFire
	jobExpand3
	jobExpand2
	jobExpand1
	jobOverthrow
	jobPacify
	jobReplicate
	jobRegion
	jobResearch
	jobResearchRisk
	jobBuild3Twice
	jobBuild3
	jobBuild2
	jobBuild1
	numJobs
)

var jobNames = [numJobs]string{
	"", "fire", "expand 3", "expand 2", "expand 1", "overthrow", "pacify", "replicate", "region", "research",
	"research risk", "build 3 twice", "build 3", "build 2", "build 1",
}

// numTargets are those of Open Fire and Overthrow: seats +1 to +5, then the UN.
const numTargets = MaxPlayers

// theUN is the place of the UN among targets.
const theUN = numTargets - 1

// pending is what the running decision must remember (RULES.md 3.3). What a phase doesn't use is as in
// nothing.
type pending struct {
	pass         uint8
	step         step
	last         jobKind
	at, to       Place
	count        uint8
	extra        int8
	before, came Places
	firing       owners
	worlds       Places
	action       env.Action
	fire         [numTargets]Fleets // dice; Steady and Risk as of the fleets that roll
	overthrow    [numTargets]Fleets
	expand       [3]uint8 // groups of 3, 2, 1
	pacify       uint8
	replicate    uint8
	defend       [MaxRegions]defence
	research     Fleets   // dice of developments in steady regions, in regions At Risk
	build        [4]uint8 // groups: 3 twice, 3, 2, 1
	target       int8
	region       uint8 // from 1; 0 = none
	hits         [2]uint8
	left         uint8
	add          uint8
	offered      owners
	transfers    uint8
	atRisk       bool
	devs         uint8
}

// defence is a region (from 1) that fires at a seat's fleets.
type defence struct{ region, target uint8 }

// owners is a set of seats and the UN.
type owners uint8

func (o owners) has(p env.Player) bool { return o>>p&1 != 0 }

var (
	nothing   = pending{at: Nowhere, to: Nowhere, action: -1, target: int8(None)}
	noPayment = payment{seat: int8(None)}
)

// job is where the number nominated for an action of the menus is kept, and the kind of job it is. A region keeps no
// number, and what is no job has no kind.
func (p *pending) job(a env.Action) (n *uint8, kind jobKind) {
	switch {
	case act.fire.Has(a):
		return &p.fire[act.fire.Index(a)].Steady, jobFire
	case act.fireRisk.Has(a):
		return &p.fire[act.fireRisk.Index(a)].Risk, jobFire
	case act.overthrow.Has(a):
		return &p.overthrow[act.overthrow.Index(a)].Steady, jobOverthrow
	case act.overthrowRisk.Has(a):
		return &p.overthrow[act.overthrowRisk.Index(a)].Risk, jobOverthrow
	case act.expand.Has(a):
		return &p.expand[act.expand.Index(a)], jobExpand3 + jobKind(act.expand.Index(a))
	case a == Pacify:
		return &p.pacify, jobPacify
	case a == Replicate:
		return &p.replicate, jobReplicate
	case act.region.Has(a):
		return nil, jobRegion
	case a == ResearchAct:
		return &p.research.Steady, jobResearch
	case a == ResearchRisk:
		return &p.research.Risk, jobResearchRisk
	case act.build.Has(a):
		return &p.build[act.build.Index(a)], jobBuild3Twice + jobKind(act.build.Index(a))
	}
	return nil, noJob
}
