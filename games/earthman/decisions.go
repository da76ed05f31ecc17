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
func (d Decision) String() string { return decisions[d].name }

// asker is who is asked.
type asker uint8

const (
	theActor     asker = iota
	another            // than the actor
	theOwner           // of what is lost
	theOneInHand       // the target
	thePayer           // of the payment
	theThinker         // whose turn it is in the Thought window
)

// A decision is a row of the table: all that the rules say of what a seat is asked.
type decision struct {
	name   string // in positions
	rule   string
	asks   string // what is asked
	asked  asker
	filled fields // of pending, as far as its stage has them

	// Legal adds what the seat that is asked may do (RULES.md 5.3).
	legal func(s *State, m env.Mask, p env.Player)
	// Play does it, and leaves the next decision to run.
	play func(s *State, p env.Player, a env.Action, tape *env.Tape)

	means form.Meanings // of families of actions that do something else here than elsewhere
}

// decisions is the table.
var decisions = [numDecisions]decision{
	AtPrelude: {
		name: "prelude", rule: "EB-301",
		asks:  "a Prelude turn is fleet, study or voyage",
		legal: (*State).legalPrelude,
		play:  (*State).playPrelude,
	},
	AtVoyageFrom: {
		name: "voyage_from", rule: "EB-304",
		asks: "the voyage starts where there is an own fleet that can go skyward, or is waived",
		legal: func(s *State, m env.Mask, p env.Player) {
			m.Block(at0, uint64(s.seats[p].steady&^centre))
			m.Block(Done, 1)
		},
		play:  (*State).playVoyageFrom,
		means: form.Meanings{{"at", "A fleet leaves"}, {"done", "No voyage"}},
	},
	AtVoyageTo: {
		name: "voyage_to", rule: "EB-304",
		asks:   "the fleet goes to a place skyward of where it is",
		filled: fAt,
		legal:  func(s *State, m env.Mask, _ env.Player) { m.Block(at0, uint64(s.game.skyward[s.pending.at])) },
		play:   (*State).playVoyageTo,
		means:  form.Meanings{{"at", "It goes to"}},
	},
	AtAccord: {
		name: "accord", rule: "EB-036, EB-037",
		asks:  "now is the time to claim victory, to propose peace, or neither",
		legal: (*State).legalAccord,
		play:  (*State).playAccord,
		means: form.Meanings{{"done", "Neither"}},
	},
	AtClaimVote: {
		name: "claim_vote", rule: "EB-036",
		asks:  "the question is whether the active seat has won",
		asked: another,
		legal: (*State).legalAnswer,
		play:  (*State).playClaimVote,
	},
	AtPeaceVote: {
		name: "peace_vote", rule: "EB-037",
		asks:  "the question is whether there is peace",
		asked: another,
		legal: (*State).legalAnswer,
		play:  (*State).playPeaceVote,
	},
	AtRiskRegion: {
		name: "risk_region", rule: "EB-043",
		asks:   "one of the own steady regions there becomes At Risk",
		asked:  theOwner,
		filled: fAt | fTarget | fRegion,
		legal: func(s *State, m env.Mask, p env.Player) {
			m.Block(region0, uint64(s.land[p][s.pending.at]&^s.shaken[s.pending.at]))
		},
		play:  func(s *State, _ env.Player, a env.Action, _ *env.Tape) { s.shaken[s.pending.at] |= 1 << (a - region0) },
		means: form.Meanings{{"region", "At Risk becomes"}},
	},
	AtRiskLose: {
		name: "risk_lose", rule: "EB-043",
		asks:   "one of the own regions there is lost",
		asked:  theOwner,
		filled: fAt | fTarget | fRegion,
		legal:  (*State).legalOwnRegion,
		play: func(s *State, p env.Player, a env.Action, _ *env.Tape) {
			s.loseRegion(p, s.pending.at, int(a-region0), true)
		},
		means: form.Meanings{{"region", "Lost is"}},
	},
	AtUnrestFleet: {
		name: "unrest_fleet", rule: "EB-051",
		asks:  "one steady fleet becomes At Risk; without any, one At Risk is removed",
		legal: (*State).legalUnrest,
		play:  (*State).playUnrest,
		means: form.Meanings{{"at", "At Risk becomes a fleet at"}, {"risk", "Lost is a fleet At Risk at"}},
	},
	AtMutiny: {
		name: "mutiny", rule: "EB-053",
		asks:  "a mutiny is where steady fleets and fleets At Risk lie together, else where two At Risk do",
		legal: func(s *State, m env.Mask, _ env.Player) { m.Block(at0, uint64(s.mutinous())) },
		play:  (*State).playMutiny,
		means: form.Meanings{{"at", "Mutiny at"}},
	},
	AtEarlyLaunch: {
		name: "early_launch", rule: "EB-082",
		asks:  "fleets are launched from orbits, before all movement",
		legal: (*State).legalLaunch,
		play:  (*State).playEarlyLaunch,
		means: form.Meanings{{"at", "Launch from"}},
	},
	AtLaunch: {
		name: "launch", rule: "EB-080",
		asks:  "fleets are launched from orbits where they have not just arrived",
		legal: (*State).legalLaunch,
		play:  (*State).playLaunch,
		means: form.Meanings{{"at", "Launch from"}},
	},
	AtLaunchTo: {
		name: "launch_to", rule: "EB-080",
		asks:   "the fleets go to a place skyward of their orbit; a part of them only if there are two",
		filled: fAt,
		legal:  (*State).legalLaunchTo,
		play:   (*State).playDestination,
		means:  form.Meanings{{"at", "All of them to"}},
	},
	AtPartCount: {
		name: "part_count", rule: "EB-062, EB-080",
		asks:   "a part of the steady fleets goes, and not all fleets",
		filled: fAt | fTo,
		legal:  (*State).legalPart,
		play:   (*State).playPart,
		means:  form.Meanings{{"count", "How many steady ones"}},
	},
	AtPartCountRisk: {
		name: "part_count_risk", rule: "EB-062, EB-080",
		asks:   "a part of the fleets At Risk goes, and not all fleets",
		filled: fAt | fTo,
		legal:  (*State).legalPartRisk,
		play: func(s *State, _ env.Player, a env.Action, _ *env.Tape) {
			s.moveFleets(s.pending.to, int(s.pending.count), int(a-count0))
		},
		means: form.Meanings{{"count", "How many At Risk"}},
	},
	AtExtraMove: {
		name: "extra_move", rule: "EB-061",
		asks:  "the question is whether to make an extra round of movement",
		legal: (*State).legalAnswer,
		play:  (*State).playExtraMove,
	},
	AtWorldward: {
		name: "worldward", rule: "EB-062",
		asks:   "the fleets go one step worldward; a part of them only if there are two",
		filled: fAt,
		legal:  (*State).legalWorldward,
		play:   (*State).playDestination,
		means:  form.Meanings{{"at", "All of them to"}},
	},
	AtDefensiveFire: {
		name: "defensive_fire", rule: "EB-070",
		asks:   "the question is whether to fire at the fleets that have arrived",
		asked:  another,
		filled: fAt,
		legal:  (*State).legalAnswer,
		play:   (*State).playDefensiveFire,
	},
	AtLoseFleets: {
		name: "lose_fleets", rule: "EB-204",
		asks:   "the number asked for is how many of the lost fleets are At Risk ones",
		asked:  theOwner,
		filled: fAt | fCount | fTarget | fRegion,
		legal:  (*State).legalRiskShare,
		play:   (*State).playLoss,
		means:  form.Meanings{{"count", "How many At Risk"}},
	},
	AtFleetWorld: {
		name: "fleet_world", rule: "EB-090",
		asks: "a world with own fleets in orbit is chosen, each once",
		legal: func(s *State, m env.Mask, p env.Player) {
			m.Block(at0, uint64(s.seats[p].present()&worlds&^s.pending.worlds))
			m.Block(Done, 1)
		},
		play: (*State).playFleetWorld,
	},
	AtFleetJobs: {
		name: "fleet_jobs", rule: "EB-091",
		asks:   "fleets in this orbit are nominated for jobs, in the order fire, expand, overthrow, pacify, replicate",
		filled: fAt,
		legal:  (*State).legalFleetJobs,
		play:   (*State).playFleetJob,
	},
	AtJobCount: {
		name: "job_count", rule: "EB-091, EB-151",
		asks:   "the number asked for is how many take the job",
		filled: fAt | fAction,
		legal:  func(s *State, m env.Mask, _ env.Player) { upTo(m, s.jobMost(s.pending.action)) },
		play:   (*State).playJobCount,
	},
	AtRaze: {
		name: "raze", rule: "EB-104",
		asks:   "one of the own regions on this world is destroyed",
		asked:  theOneInHand,
		filled: fAt | fTarget,
		legal:  (*State).legalOwnRegion,
		play: func(s *State, p env.Player, a env.Action, _ *env.Tape) {
			s.loseRegion(p, s.pending.at, int(a-region0), true)
		},
		means: form.Meanings{{"region", "Destroyed is"}},
	},
	AtExpandUse: {
		name: "expand_use", rule: "EB-113, EB-114",
		asks:   "Devastation is cleared, or a region is settled that is empty or own and has room",
		filled: fAt,
		legal: func(s *State, m env.Mask, p env.Player) {
			m.Block(region0, uint64(s.expandable(p, s.pending.at)))
			m.Block(Done, 1)
		},
		play:  (*State).playExpand,
		means: form.Meanings{{"region", "Clear or settle"}, {"done", "Waive it"}},
	},
	AtOverthrowReply: {
		name: "overthrow_reply", rule: "EB-123",
		asks:   "one of the own regions on this world is shaken, or given up if it is At Risk",
		asked:  theOneInHand,
		filled: fAt | fTarget,
		legal:  (*State).legalOwnRegion,
		play:   (*State).playOverthrown,
		means:  form.Meanings{{"region", "Shaken, or given up if At Risk, is"}},
	},
	AtPacifyUse: {
		name: "pacify_use", rule: "EB-131",
		asks:   "a fleet in this orbit or a region of this world is calmed, discontent paid off, or resource put on the own Sanctions token",
		filled: fAt,
		legal:  (*State).legalPacify,
		play:   (*State).playPacify,
		means:  form.Meanings{{"seat", "Calm a fleet of"}, {"region", "Calm"}, {"discontent", "Pay off a Devastation marker"}, {"sanction", "A resource onto the token"}, {"done", "Waive it"}},
	},
	AtAddFleet: {
		name: "add_fleet", rule: "EB-200",
		asks:   "a fleet is paid with resource or with discontent, or waived",
		filled: fAt,
		legal:  (*State).legalAddFleet,
		play:   (*State).playAddFleet,
		means:  form.Meanings{{"all", "Pay all with resource"}, {"done", "Waive the rest"}},
	},
	AtForfeit: {
		name: "forfeit", rule: "EB-206",
		asks:   "what is due is paid with resource, a fleet or discontent",
		asked:  thePayer,
		filled: fAt | fTarget | fRegion,
		legal:  (*State).legalForfeit,
		play:   (*State).playForfeit,
		means:  form.Meanings{{"all", "Pay all with resource"}, {"at", "Give up a steady fleet at"}, {"risk", "Give up a fleet At Risk at"}},
	},
	AtForfeitRisk: {
		name: "forfeit_risk", rule: "EB-207",
		asks:   "one own steady fleet becomes At Risk",
		asked:  thePayer,
		filled: fAt | fTarget | fRegion,
		legal:  func(s *State, m env.Mask, p env.Player) { m.Block(at0, uint64(s.seats[p].steady)) },
		play:   func(s *State, p env.Player, a env.Action, _ *env.Tape) { s.seats[p].shake(Place(a - at0)) },
		means:  form.Meanings{{"at", "At Risk becomes a fleet at"}},
	},
	AtDevWorld: {
		name: "dev_world", rule: "EB-150",
		asks: "a world with own developments is chosen, each once",
		legal: func(s *State, m env.Mask, p env.Player) {
			m.Block(at0, uint64(s.settled[p]&^s.pending.worlds))
			m.Block(Done, 1)
		},
		play: (*State).playDevWorld,
	},
	AtDevJobs: {
		name: "dev_jobs", rule: "EB-151",
		asks:   "developments of this world are nominated for jobs, in the order influence, defence, research, build",
		filled: fAt,
		legal:  (*State).legalDevJobs,
		play:   (*State).playDevJob,
		means:  form.Meanings{{"region", "Defence by"}},
	},
	AtDefendTarget: {
		name: "defend_target", rule: "EB-175",
		asks:   "the region fires at a seat with fleets in this orbit",
		filled: fAt | fRegion,
		legal:  func(s *State, m env.Mask, p env.Player) { m.Block(seat0, s.relative(p, s.orbiting(p, s.pending.at))) },
		play:   (*State).playDefendTarget,
		means:  form.Meanings{{"seat", "Fire at"}},
	},
	AtInfluenceCount: {
		name: "influence_count", rule: "EB-181",
		asks:   "three fleets or more are removed",
		filled: fAt,
		legal:  (*State).legalInfluence,
		play:   (*State).playInfluence,
		means:  form.Meanings{{"all", "Remove so many fleets"}, {"count", "Remove so many fleets"}},
	},
	AtInfluenceRisk: {
		name: "influence_risk", rule: "EB-181",
		asks:   "the number asked for is how many of the removed fleets are At Risk ones",
		filled: fAt | fCount,
		legal:  (*State).legalRiskShare,
		play:   (*State).playEnvoys,
		means:  form.Meanings{{"count", "How many At Risk"}},
	},
	AtTech: {
		name: "tech", rule: "EB-164, EB-166",
		asks:   "a technology is studied whose prerequisites hold and which is not complete",
		filled: fAt,
		legal:  (*State).legalTech,
		play:   (*State).playTech,
		means:  form.Meanings{{"done", "Waive it"}},
	},
	AtAssist: {
		name: "assist", rule: "EB-190",
		asks:  "the UN lends a fleet for resource, or helps to study",
		legal: (*State).legalAssist,
		play:  (*State).playAssist,
		means: form.Meanings{{"done", "No assistance"}},
	},
	AtSpy: {
		name: "spy", rule: "EB-311",
		asks:  "an operation is chosen that is possible against somebody",
		legal: func(s *State, m env.Mask, _ env.Player) { m.Block(steal, s.operations()); m.Block(Done, 1) },
		play:  (*State).playSpy,
		means: form.Meanings{{"done", "None"}},
	},
	AtSpyTarget: {
		name: "spy_target", rule: "EB-311",
		asks:   "a seat is chosen against which the operation is possible",
		filled: fAction,
		legal: func(s *State, m env.Mask, p env.Player) {
			m.Block(seat0, s.relative(p, s.spyTargets(s.pending.action)))
		},
		play:  (*State).playSpyTarget,
		means: form.Meanings{{"seat", "Against"}},
	},
	AtSpyWorld: {
		name: "spy_world", rule: "EB-310",
		asks:   "a world is chosen where both are present",
		filled: fAction | fTarget,
		legal: func(s *State, m env.Mask, _ env.Player) {
			m.Block(at0, uint64(s.spyWorlds(s.pending.action, env.Player(s.pending.target))))
		},
		play: (*State).playSpyWorld,
	},
	AtSpyTech: {
		name: "spy_tech", rule: "EB-313",
		asks:   "a technology is studied in which the target is ahead",
		filled: fAt | fAction | fTarget,
		legal: func(s *State, m env.Mask, _ env.Player) {
			m.Block(tech0, uint64(s.stealable(env.Player(s.pending.target))))
		},
		play:  func(s *State, p env.Player, a env.Action, _ *env.Tape) { s.research(p, Tech(a-tech0)) },
		means: form.Meanings{{"tech", "Steal"}},
	},
	AtSpyMark: {
		name: "spy_mark", rule: "EB-314",
		asks:   "a steady fleet or region of the target becomes At Risk",
		filled: fAt | fAction | fTarget,
		legal:  (*State).legalMark,
		play:   (*State).playMark,
		means:  form.Meanings{{"seat", "At Risk becomes a fleet of"}, {"region", "At Risk becomes"}},
	},
	AtShare: {
		name: "share", rule: "EB-280",
		asks: "a seat is chosen that can be helped and was not asked yet",
		legal: func(s *State, m env.Mask, p env.Player) {
			m.Block(seat0, s.relative(p, s.helpable()))
			m.Block(Done, 1)
		},
		play:  (*State).playShare,
		means: form.Meanings{{"seat", "Help"}},
	},
	AtShareTech: {
		name: "share_tech", rule: "EB-280",
		asks:   "a technology is chosen in which the active seat is ahead and that the other can study",
		filled: fTarget,
		legal: func(s *State, m env.Mask, _ env.Player) {
			m.Block(tech0, uint64(s.shareable(env.Player(s.pending.target))))
		},
		play:  (*State).playShareTech,
		means: form.Meanings{{"tech", "With"}},
	},
	AtShareReply: {
		name: "share_reply", rule: "EB-281",
		asks:   "the question is whether to accept the help",
		asked:  theOneInHand,
		filled: fAction | fTarget,
		legal:  (*State).legalAnswer,
		play:   (*State).playShareReply,
	},
	AtTransfer: {
		name: "transfer", rule: "EB-290, EB-291",
		asks:  "another seat is chosen to receive units",
		legal: func(s *State, m env.Mask, p env.Player) { m.Block(seat0, s.relative(p, s.others(p))); m.Block(Done, 1) },
		play:  (*State).playTransfer,
		means: form.Meanings{{"seat", "Hand over to"}},
	},
	AtTransferWhat: {
		name: "transfer_what", rule: "EB-291",
		asks:   "fleets or land are handed over",
		filled: fTarget,
		legal:  (*State).legalTransferWhat,
		play:   (*State).playTransferWhat,
		means:  form.Meanings{{"fleet", "Hand over"}},
	},
	AtTransferFleet: {
		name: "transfer_fleet", rule: "EB-291",
		asks:   "own fleets of one status at one place are handed over",
		filled: fTarget,
		legal: func(s *State, m env.Mask, p env.Player) {
			m.Block(at0, uint64(s.seats[p].steady))
			m.Block(risk0, uint64(s.seats[p].risky))
		},
		play:  (*State).playTransferFleet,
		means: form.Meanings{{"at", "Steady fleets at"}, {"risk", "Fleets At Risk at"}},
	},
	AtTransferCount: {
		name: "transfer_count", rule: "EB-291",
		asks:   "the number asked for is how many fleets are offered",
		filled: fAt | fTarget,
		legal:  func(s *State, m env.Mask, _ env.Player) { counts(m, 1, s.offerable()) },
		play:   (*State).playTransferCount,
	},
	AtTransferWorld: {
		name: "transfer_world", rule: "EB-291",
		asks:   "a world with own developments is chosen",
		filled: fTarget,
		legal:  func(s *State, m env.Mask, p env.Player) { m.Block(at0, uint64(s.settled[p])) },
		play:   (*State).playTransferWorld,
	},
	AtTransferRegion: {
		name: "transfer_region", rule: "EB-291",
		asks:   "one of the own regions there is handed over",
		filled: fAt | fTarget,
		legal:  (*State).legalOwnRegion,
		play:   (*State).playTransferRegion,
	},
	AtTransferReply: {
		name: "transfer_reply", rule: "EB-292, EB-294",
		asks:   "the question is what is accepted",
		asked:  theOneInHand,
		filled: fAt | fCount | fTarget | fRegion,
		legal:  (*State).legalTransferReply,
		play:   (*State).playTransferReply,
	},
	AtTakeFleet: {
		name: "take_fleet", rule: "EB-293",
		asks:   "an accepted fleet is paid with resource or discontent",
		asked:  theOneInHand,
		filled: fAt | fTarget,
		legal:  (*State).legalTakeFleet,
		play:   (*State).playTakeFleet,
	},
	AtThought: {
		name: "thought", rule: "EB-251, EB-252",
		asks:   "a Thought has one die of a class rolled again that lies there, or none is spent",
		asked:  theThinker,
		filled: fAt | fAction | fTarget | fRegion,
		legal:  (*State).legalThought,
		play:   (*State).think,
		means:  form.Meanings{{"done", "Spend none"}},
	},
}

// play does what an action says and leaves the next decision to run.
func (s *State) play(a env.Action, tape *env.Tape) {
	d := &decisions[s.decision]
	s.decision = NoDecision
	d.play(s, env.Player(s.seat), a, tape)
}
