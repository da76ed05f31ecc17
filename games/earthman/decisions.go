package earthman

import (
	"earthgym/env"
	"earthgym/env/form"
)

// A Decision is what a seat is asked (RULES.md 5.2).
type Decision uint8

// The decisions. NoDecision stands while the game plays on by itself, and at its end.
const (
	NoDecision Decision = iota
	AtPrelude
	AtVoyageFrom
	AtVoyageTo
	AtAccord
	AtClaimVote
	AtPeaceVote
	AtRiskRegion
	AtRiskLose
	AtUnrestFleet
	AtMutiny
	AtEarlyLaunch
	AtLaunch
	AtLaunchTo
	AtPartCount
	AtPartCountRisk
	AtExtraMove
	AtWorldward
	AtDefensiveFire
	AtLoseFleets
	AtFleetWorld
	AtFleetJobs
	AtJobCount
	AtRaze
	AtExpandUse
	AtOverthrowReply
	AtPacifyUse
	AtAddFleet
	AtForfeit
	AtForfeitRisk
	AtDevWorld
	AtDevJobs
	AtDefendTarget
	AtInfluenceCount
	AtInfluenceRisk
	AtTech
	AtAssist
	AtSpy
	AtSpyTarget
	AtSpyWorld
	AtSpyTech
	AtSpyMark
	AtShare
	AtShareTech
	AtShareReply
	AtTransfer
	AtTransferWhat
	AtTransferFleet
	AtTransferCount
	AtTransferWorld
	AtTransferRegion
	AtTransferReply
	AtTakeFleet
	AtThought
	numDecisions
)

// String is the decision's word in positions.
func (d Decision) String() string { return decisionNames[d] }

var decisionNames = namesOf(decisions())

func namesOf(table [numDecisions]decision) []string { return form.DecisionNames(table[:]) }

// Who is asked.
const (
	theActor     uint8 = iota
	another            // than the actor
	theOwner           // of what is lost
	theOneInHand       // the target
	thePayer           // of the payment
	theThinker         // whose turn it is in the Thought window
)

type (
	decision = form.Decision[State, teller]
	move     = form.Move[State, teller]
)

// decisions is the table of what a seat is asked.
func decisions() [numDecisions]decision {
	table := [numDecisions]decision{
		AtPrelude: {
			Name: "prelude", Rule: "EB-301", Asks: "a Prelude turn is fleet, study or voyage",
			Direct: "Your turn of the Prelude: a fleet, a study or a voyage?",
			Legal:  (*State).legalPrelude, Play: (*State).playPrelude,
		},
		AtVoyageFrom: {
			Name: "voyage_from", Rule: "EB-304", Inside: true,
			Direct: "From where does a fleet of yours set out on a voyage skyward, if at all?",
			Asks:   "the voyage starts where there is an own fleet that can go skyward, or is waived",
			Legal: func(s *State, m env.Mask, p env.Player) {
				m.Block(act.at.First, uint64(s.seats[p].steady&^centre))
				m.Block(Done, 1)
			},
			Play:  (*State).playVoyageFrom,
			Moves: []move{{Block: act.at, Does: "A fleet leaves"}, {Block: act.done, Does: "No voyage"}},
		},
		AtVoyageTo: {
			Name: "voyage_to", Rule: "EB-304", Asks: "the fleet goes to a place skyward of where it is", Filled: fAt,
			Direct: "Where does the fleet go, skyward of here?",
			Inside: true,
			Legal:  func(s *State, m env.Mask, _ env.Player) { m.Block(act.at.First, uint64(s.game.skyward[s.pending.at])) },
			Play:   (*State).playVoyageTo,
			Moves:  []move{{Block: act.at, Does: "It goes to"}},
		},
		AtAccord: {
			Name: "accord", Rule: "EB-036, EB-037",
			Direct: "Do you claim victory, propose peace, or neither?",
			Asks:   "now is the time to claim victory, to propose peace, or neither",
			Legal:  (*State).legalAccord, Play: (*State).playAccord, Moves: []move{{Block: act.done, Does: "Neither"}},
		},
		AtClaimVote: {
			Name: "claim_vote", Rule: "EB-036", Asks: "the question is whether the active seat has won",
			Direct: "Seat {seat} claims victory: do you agree that it has won?",
			Who:    another, Legal: (*State).legalAnswer, Play: (*State).playClaimVote,
		},
		AtPeaceVote: {
			Name: "peace_vote", Rule: "EB-037", Asks: "the question is whether there is peace",
			Direct: "Seat {seat} proposes peace: do you agree?",
			Who:    another, Legal: (*State).legalAnswer, Play: (*State).playPeaceVote,
		},
		AtRiskRegion: {
			Name: "risk_region", Rule: "EB-043", Asks: "one of the own steady regions there becomes At Risk", Inside: true,
			Direct: "Which of your steady regions becomes At Risk?",
			Who:    theOwner, Filled: fAt | fTarget | fRegion,
			Legal: func(s *State, m env.Mask, p env.Player) {
				m.Block(act.region.First, uint64(s.land[p][s.pending.at]&^s.shaken[s.pending.at]))
			},
			Play: func(s *State, _ env.Player, a env.Action, _ *env.Tape) {
				s.shaken[s.pending.at] |= 1 << act.region.Index(a)
			},
			Moves: []move{{Block: act.region, Does: "At Risk becomes"}},
		},
		AtRiskLose: {
			Name: "risk_lose", Rule: "EB-043", Asks: "one of the own regions there is lost", Inside: true,
			Direct: "Which of your regions is lost?",
			Who:    theOwner, Filled: fAt | fTarget | fRegion, Legal: (*State).legalOwnRegion,
			Play: func(s *State, p env.Player, a env.Action, _ *env.Tape) {
				s.loseRegion(p, s.pending.at, act.region.Index(a), true)
			},
			Moves: []move{{Block: act.region, Does: "Lost is"}},
		},
		AtUnrestFleet: {
			Name: "unrest_fleet", Rule: "EB-051", Inside: true,
			Direct: "Unrest: where does a steady fleet of yours become At Risk, or, if there is none, is one removed?",
			Asks:   "one steady fleet becomes At Risk; without any, one At Risk is removed",
			Legal:  (*State).legalUnrest, Play: (*State).playUnrest,
			Moves: []move{{Block: act.at, Does: "At Risk becomes a fleet at"},
				{Block: act.risk, Does: "Lost is a fleet At Risk at"}},
		},
		AtMutiny: {
			Name: "mutiny", Rule: "EB-053", Inside: true,
			Direct: "Where do your fleets mutiny?",
			Asks:   "a mutiny is where steady fleets and fleets At Risk lie together, else where two At Risk do",
			Legal:  func(s *State, m env.Mask, _ env.Player) { m.Block(act.at.First, uint64(s.mutinous())) },
			Play:   (*State).playMutiny,
			Moves:  []move{{Block: act.at, Does: "Mutiny at"}},
		},
		AtEarlyLaunch: {
			Name: "early_launch", Rule: "EB-082", Asks: "fleets are launched from orbits, before all movement",
			Direct: "From which orbit do fleets of yours launch before all movement, if any?",
			Legal:  (*State).legalLaunch, Play: (*State).playEarlyLaunch,
			Moves: []move{{Block: act.at, Does: "Launch from"}},
		},
		AtLaunch: {
			Name: "launch", Rule: "EB-080", Asks: "fleets are launched from orbits where they have not just arrived",
			Direct: "From which orbit do fleets of yours launch, if any?",
			Legal:  (*State).legalLaunch, Play: (*State).playLaunch,
			Moves: []move{{Block: act.at, Does: "Launch from"}},
		},
		AtLaunchTo: {
			Name: "launch_to", Rule: "EB-080", Inside: true,
			Direct: "Where do the fleets go, skyward of here, all or a part of them?",
			Asks:   "the fleets go to a place skyward of their orbit; a part of them only if there are two",
			Filled: fAt, Legal: (*State).legalLaunchTo, Play: (*State).playDestination,
			Moves: []move{{Block: act.at, Does: "All of them to"}},
		},
		AtPartCount: {
			Name: "part_count", Rule: "EB-062, EB-080", Asks: "a part of the steady fleets goes, and not all fleets",
			Direct: "How many steady fleets go? One fleet at least stays.",
			Filled: fAt | fTo, Legal: (*State).legalPart, Play: (*State).playPart, Inside: true,
			Moves: []move{{Block: act.count, Does: "How many steady ones"}},
		},
		AtPartCountRisk: {
			Name: "part_count_risk", Rule: "EB-062, EB-080", Inside: true,
			Direct: "How many fleets At Risk go? One fleet at least stays.",
			Asks:   "a part of the fleets At Risk goes, and not all fleets",
			Filled: fAt | fTo, Legal: (*State).legalPartRisk,
			Play: func(s *State, _ env.Player, a env.Action, _ *env.Tape) {
				s.moveFleets(s.pending.to, int(s.pending.count), act.count.Index(a))
			},
			Moves: []move{{Block: act.count, Does: "How many At Risk"}},
		},
		AtExtraMove: {
			Name: "extra_move", Rule: "EB-061", Asks: "the question is whether to make an extra round of movement",
			Direct: "Do you make another round of movement?",
			Legal:  (*State).legalAnswer, Play: (*State).playExtraMove,
		},
		AtWorldward: {
			Name: "worldward", Rule: "EB-062", Inside: true,
			Direct: "Do the fleets go a step worldward, all or a part of them?",
			Asks:   "the fleets go one step worldward; a part of them only if there are two",
			Filled: fAt, Legal: (*State).legalWorldward, Play: (*State).playDestination,
			Moves: []move{{Block: act.at, Does: "All of them to"}},
		},
		AtDefensiveFire: {
			Name: "defensive_fire", Rule: "EB-070",
			Asks: "the question is whether to fire at the fleets that have arrived",
			Who:  another, Filled: fAt, Legal: (*State).legalAnswer, Play: (*State).playDefensiveFire,
		},
		AtLoseFleets: {
			Name: "lose_fleets", Rule: "EB-204", Inside: true,
			Asks: "the number asked for is how many of the lost fleets are At Risk ones",
			Who:  theOwner, Filled: fAt | fCount | fTarget | fRegion, Legal: (*State).legalRiskShare,
			Play:  (*State).playLoss,
			Moves: []move{{Block: act.count, Does: "How many At Risk"}},
		},
		AtFleetWorld: {
			Name: "fleet_world", Rule: "EB-090", Asks: "a world with own fleets in orbit is chosen, each once",
			Direct: "At which world do your fleets act next?",
			Legal: func(s *State, m env.Mask, p env.Player) {
				m.Block(act.at.First, uint64(s.seats[p].present()&worlds&^s.pending.worlds))
				m.Block(Done, 1)
			},
			Play: (*State).playFleetWorld,
		},
		AtFleetJobs: {
			Name: "fleet_jobs", Rule: "EB-091", Inside: true,
			Asks:   "fleets in this orbit are nominated for jobs, in the order fire, expand, overthrow, pacify, replicate",
			Filled: fAt, Legal: (*State).legalFleetJobs, Play: (*State).playFleetJob,
		},
		AtJobCount: {
			Name: "job_count", Rule: "EB-091, EB-151", Asks: "the number asked for is how many take the job", Inside: true,
			Filled: fAt | fAction,
			Legal:  func(s *State, m env.Mask, _ env.Player) { upTo(m, s.jobMost(s.pending.action)) },
			Play:   (*State).playJobCount,
		},
		AtRaze: {
			Name: "raze", Rule: "EB-104", Asks: "one of the own regions on this world is destroyed", Inside: true,
			Direct: "Which of your regions is destroyed?",
			Who:    theOneInHand, Filled: fAt | fTarget, Legal: (*State).legalOwnRegion,
			Play: func(s *State, p env.Player, a env.Action, _ *env.Tape) {
				s.loseRegion(p, s.pending.at, act.region.Index(a), true)
			},
			Moves: []move{{Block: act.region, Does: "Destroyed is"}},
		},
		AtExpandUse: {
			Name: "expand_use", Rule: "EB-113, EB-114", Inside: true,
			Direct: "A success: where do you clear Devastation, or settle?",
			Asks:   "Devastation is cleared, or a region is settled that is empty or own and has room", Filled: fAt,
			Legal: func(s *State, m env.Mask, p env.Player) {
				m.Block(act.region.First, uint64(s.expandable(p, s.pending.at)))
				m.Block(Done, 1)
			},
			Play:  (*State).playExpand,
			Moves: []move{{Block: act.region, Does: "Clear or settle"}, {Block: act.done, Does: "Waive it"}},
		},
		AtOverthrowReply: {
			Name: "overthrow_reply", Rule: "EB-123", Inside: true,
			Direct: "Which of your regions is shaken, or given up if it is At Risk?",
			Asks:   "one of the own regions on this world is shaken, or given up if it is At Risk",
			Who:    theOneInHand, Filled: fAt | fTarget, Legal: (*State).legalOwnRegion, Play: (*State).playOverthrown,
			Moves: []move{{Block: act.region, Does: "Shaken, or given up if At Risk, is"}},
		},
		AtPacifyUse: {
			Name: "pacify_use", Rule: "EB-131", Inside: true,
			Direct: "Two successes: what do you calm or pay off?",
			Asks: "a fleet in this orbit or a region of this world is calmed, discontent paid off, or resource put on the " +
				"own Sanctions token",
			Filled: fAt, Legal: (*State).legalPacify, Play: (*State).playPacify,
			Moves: []move{{Block: act.seat, Does: "Calm a fleet of"}, {Block: act.region, Does: "Calm"},
				{Block: act.discontent, Does: "Pay off a Devastation marker"},
				{Block: act.sanction, Does: "A resource onto the token"}, {Block: act.done, Does: "Waive it"}},
		},
		AtAddFleet: {
			Name: "add_fleet", Rule: "EB-200", Asks: "a fleet is paid with resource or with discontent, or waived",
			Filled: fAt, Legal: (*State).legalAddFleet, Play: (*State).playAddFleet, Inside: true,
			Moves: []move{{Block: act.all, Does: "Pay all with resource"}, {Block: act.done, Does: "Waive the rest"}},
		},
		AtForfeit: {
			Name: "forfeit", Rule: "EB-206", Asks: "what is due is paid with resource, a fleet or discontent", Inside: true,
			Who: thePayer, Filled: fAt | fTarget | fRegion, Legal: (*State).legalForfeit, Play: (*State).playForfeit,
			Moves: []move{{Block: act.all, Does: "Pay all with resource"}, {Block: act.at, Does: "Give up a steady fleet at"},
				{Block: act.risk, Does: "Give up a fleet At Risk at"}},
		},
		AtForfeitRisk: {
			Name: "forfeit_risk", Rule: "EB-207", Asks: "one own steady fleet becomes At Risk", Inside: true,
			Direct: "Which of your steady fleets becomes At Risk?",
			Who:    thePayer, Filled: fAt | fTarget | fRegion,
			Legal: func(s *State, m env.Mask, p env.Player) { m.Block(act.at.First, uint64(s.seats[p].steady)) },
			Play:  func(s *State, p env.Player, a env.Action, _ *env.Tape) { s.seats[p].shake(Place(act.at.Index(a))) },
			Moves: []move{{Block: act.at, Does: "At Risk becomes a fleet at"}},
		},
		AtDevWorld: {
			Name: "dev_world", Rule: "EB-150", Asks: "a world with own developments is chosen, each once",
			Direct: "At which world do your developments act next?",
			Legal: func(s *State, m env.Mask, p env.Player) {
				m.Block(act.at.First, uint64(s.settled[p]&^s.pending.worlds))
				m.Block(Done, 1)
			},
			Play: (*State).playDevWorld,
		},
		AtDevJobs: {
			Name: "dev_jobs", Rule: "EB-151", Inside: true,
			Asks:   "developments of this world are nominated for jobs, in the order influence, defence, research, build",
			Filled: fAt, Legal: (*State).legalDevJobs, Play: (*State).playDevJob,
			Moves: []move{{Block: act.region, Does: "Defence by"}},
		},
		AtDefendTarget: {
			Name: "defend_target", Rule: "EB-175", Asks: "the region fires at a seat with fleets in this orbit", Inside: true,
			Direct: "At whom does the region fire?",
			Filled: fAt | fRegion,
			Legal: func(s *State, m env.Mask, p env.Player) {
				m.Block(act.seat.First, s.relative(p, s.orbiting(p, s.pending.at)))
			},
			Play:  (*State).playDefendTarget,
			Moves: []move{{Block: act.seat, Does: "Fire at"}},
		},
		AtInfluenceCount: {
			Name: "influence_count", Rule: "EB-181", Asks: "three fleets or more are removed", Inside: true,
			Direct: "How many fleets do you remove, three or more?",
			Filled: fAt, Legal: (*State).legalInfluence, Play: (*State).playInfluence,
			Moves: []move{{Block: act.all, Does: "Remove so many fleets"}, {Block: act.count, Does: "Remove so many fleets"}},
		},
		AtInfluenceRisk: {
			Name: "influence_risk", Rule: "EB-181", Inside: true,
			Direct: "How many of the fleets that you remove are At Risk ones?",
			Asks:   "the number asked for is how many of the removed fleets are At Risk ones",
			Filled: fAt | fCount, Legal: (*State).legalRiskShare, Play: (*State).playEnvoys,
			Moves: []move{{Block: act.count, Does: "How many At Risk"}},
		},
		AtTech: {
			Name: "tech", Rule: "EB-164, EB-166", Inside: true,
			Direct: "A success: which technology do you study?",
			Asks:   "a technology is studied whose prerequisites hold and which is not complete",
			Filled: fAt, Legal: (*State).legalTech, Play: (*State).playTech,
			Moves: []move{{Block: act.done, Does: "Waive it"}},
		},
		AtAssist: {
			Name: "assist", Rule: "EB-190", Asks: "the UN lends a fleet for resource, or helps to study",
			Direct: "Do you take a fleet from the UN for a resource, have its help with research, or neither?",
			Legal:  (*State).legalAssist, Play: (*State).playAssist,
			Moves: []move{{Block: act.done, Does: "No assistance"}},
		},
		AtSpy: {
			Name: "spy", Rule: "EB-311", Asks: "an operation is chosen that is possible against somebody",
			Direct: "Which operation of espionage do you undertake?",
			Legal:  func(s *State, m env.Mask, _ env.Player) { m.Block(Steal, s.operations()); m.Block(Done, 1) },
			Play:   (*State).playSpy,
			Moves:  []move{{Block: act.done, Does: "None"}},
		},
		AtSpyTarget: {
			Name: "spy_target", Rule: "EB-311", Asks: "a seat is chosen against which the operation is possible",
			Direct: "Against which seat?",
			Filled: fAction, Inside: true,
			Legal: func(s *State, m env.Mask, p env.Player) {
				m.Block(act.seat.First, s.relative(p, s.spyTargets(s.pending.action)))
			},
			Play:  (*State).playSpyTarget,
			Moves: []move{{Block: act.seat, Does: "Against"}},
		},
		AtSpyWorld: {
			Name: "spy_world", Rule: "EB-310", Asks: "a world is chosen where both are present", Inside: true,
			Direct: "On which world, of those where both of you are?",
			Filled: fAction | fTarget,
			Legal: func(s *State, m env.Mask, _ env.Player) {
				m.Block(act.at.First, uint64(s.spyWorlds(s.pending.action, env.Player(s.pending.target))))
			},
			Play: (*State).playSpyWorld,
		},
		AtSpyTech: {
			Name: "spy_tech", Rule: "EB-313", Asks: "a technology is studied in which the target is ahead", Inside: true,
			Direct: "Which technology do you study, of those in which seat {target} is ahead of you?",
			Filled: fAt | fAction | fTarget,
			Legal: func(s *State, m env.Mask, _ env.Player) {
				m.Block(act.tech.First, uint64(s.stealable(env.Player(s.pending.target))))
			},
			Play:  func(s *State, p env.Player, a env.Action, _ *env.Tape) { s.research(p, Tech(act.tech.Index(a))) },
			Moves: []move{{Block: act.tech, Does: "Steal"}},
		},
		AtSpyMark: {
			Name: "spy_mark", Rule: "EB-314", Asks: "a steady fleet or region of the target becomes At Risk", Inside: true,
			Direct: "Which fleet or region of seat {target} becomes At Risk?",
			Filled: fAt | fAction | fTarget, Legal: (*State).legalMark, Play: (*State).playMark,
			Moves: []move{{Block: act.seat, Does: "At Risk becomes a fleet of"}, {Block: act.region, Does: "At Risk becomes"}},
		},
		AtShare: {
			Name: "share", Rule: "EB-280", Asks: "a seat is chosen that can be helped and was not asked yet",
			Direct: "Which seat do you help to study, if any?",
			Legal: func(s *State, m env.Mask, p env.Player) {
				m.Block(act.seat.First, s.relative(p, s.helpable()))
				m.Block(Done, 1)
			},
			Play:  (*State).playShare,
			Moves: []move{{Block: act.seat, Does: "Help"}},
		},
		AtShareTech: {
			Name: "share_tech", Rule: "EB-280", Inside: true,
			Direct: "In which technology do you help seat {target}, of those in which you are ahead?",
			Asks:   "a technology is chosen in which the active seat is ahead and that the other can study",
			Filled: fTarget,
			Legal: func(s *State, m env.Mask, _ env.Player) {
				m.Block(act.tech.First, uint64(s.shareable(env.Player(s.pending.target))))
			},
			Play:  (*State).playShareTech,
			Moves: []move{{Block: act.tech, Does: "With"}},
		},
		AtShareReply: {
			Name: "share_reply", Rule: "EB-281", Asks: "the question is whether to accept the help",
			Who: theOneInHand, Filled: fAction | fTarget, Legal: (*State).legalAnswer, Play: (*State).playShareReply,
		},
		AtTransfer: {
			Name: "transfer", Rule: "EB-290, EB-291", Asks: "another seat is chosen to receive units",
			Direct: "Which seat do you offer units to, if any?",
			Legal: func(s *State, m env.Mask, p env.Player) {
				m.Block(act.seat.First, s.relative(p, s.others(p)))
				m.Block(Done, 1)
			},
			Play:  (*State).playTransfer,
			Moves: []move{{Block: act.seat, Does: "Hand over to"}},
		},
		AtTransferWhat: {
			Name: "transfer_what", Rule: "EB-291", Asks: "fleets or land are handed over", Inside: true,
			Direct: "Do you offer fleets, or land?",
			Filled: fTarget, Legal: (*State).legalTransferWhat, Play: (*State).playTransferWhat,
			Moves: []move{{Block: act.fleet, Does: "Hand over"}},
		},
		AtTransferFleet: {
			Name: "transfer_fleet", Rule: "EB-291", Asks: "own fleets of one status at one place are handed over",
			Direct: "Which fleets do you offer, of one status at one place?",
			Filled: fTarget, Inside: true,
			Legal: func(s *State, m env.Mask, p env.Player) {
				m.Block(act.at.First, uint64(s.seats[p].steady))
				m.Block(act.risk.First, uint64(s.seats[p].risky))
			},
			Play:  (*State).playTransferFleet,
			Moves: []move{{Block: act.at, Does: "Steady fleets at"}, {Block: act.risk, Does: "Fleets At Risk at"}},
		},
		AtTransferCount: {
			Name: "transfer_count", Rule: "EB-291", Asks: "the number asked for is how many fleets are offered", Inside: true,
			Direct: "How many fleets do you offer?",
			Filled: fAt | fTarget,
			Legal:  func(s *State, m env.Mask, _ env.Player) { counts(m, 1, s.offerable()) },
			Play:   (*State).playTransferCount,
		},
		AtTransferWorld: {
			Name: "transfer_world", Rule: "EB-291", Asks: "a world with own developments is chosen", Filled: fTarget,
			Direct: "On which world do you offer land?",
			Inside: true, Legal: func(s *State, m env.Mask, p env.Player) { m.Block(act.at.First, uint64(s.settled[p])) },
			Play: (*State).playTransferWorld,
		},
		AtTransferRegion: {
			Name: "transfer_region", Rule: "EB-291", Asks: "one of the own regions there is handed over", Inside: true,
			Direct: "Which of your regions do you offer?",
			Filled: fAt | fTarget, Legal: (*State).legalOwnRegion, Play: (*State).playTransferRegion,
		},
		AtTransferReply: {
			Name: "transfer_reply", Rule: "EB-292, EB-294", Asks: "the question is what is accepted",
			Who: theOneInHand, Filled: fAt | fCount | fTarget | fRegion, Legal: (*State).legalTransferReply,
			Play: (*State).playTransferReply,
		},
		AtTakeFleet: {
			Name: "take_fleet", Rule: "EB-293", Asks: "an accepted fleet is paid with resource or discontent", Inside: true,
			Direct: "How do you pay for a fleet that you accept: with resource, or with discontent?",
			Who:    theOneInHand, Filled: fAt | fTarget, Legal: (*State).legalTakeFleet, Play: (*State).playTakeFleet,
		},
		AtThought: {
			Name: "thought", Rule: "EB-251, EB-252",
			Asks: "a Thought has one die of a class rolled again that lies there, or none is spent",
			Who:  theThinker, Filled: fAt | fAction | fTarget | fRegion, Legal: (*State).legalThought,
			Play:  (*State).think,
			Moves: []move{{Block: act.done, Does: "Spend none"}},
		},
	}
	for d := range table {
		table[d].Why = (*State).why
	}
	return table
}

// asking is what is asked.
func (s *State) asking() *decision { return &s.game.decisions[s.decision] }

// play does what an action says and leaves the next decision to run.
func (s *State) play(a env.Action, tape *env.Tape) {
	d := s.asking()
	s.decision = NoDecision
	d.Apply(s, env.Player(s.seat), a, tape)
}
