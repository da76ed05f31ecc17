package earthman

// The stages of a turn, and what may be pending in each.

// fields is a set of fields of pending.
type fields = uint32

const (
	fPass fields = 1 << iota
	fAt
	fTo
	fCount
	fExtra
	fRound // before and came
	fFiring
	fWorlds
	fLast
	fAction
	fFire
	fOverthrow
	fExpand
	fPacify
	fReplicate
	fDefend
	fResearch
	fBuild
	fTarget
	fRegion
	fHits
	fLeft
	fAdd
	fOffered
	fTransfers
	fAtRisk
	fDevs

	fOrbit  = fExpand | fPacify | fReplicate
	fPart   = fAt | fTo | fCount | fExtra
	fVisits = fAt | fWorlds
)

// A stage is a part of a phase: the decisions that come up in it, and what may be pending.
type stage struct {
	phase     Phase
	step      step
	decisions []Decision
	fields    fields
	at        Places // where the place in hand is
}

// stages are all stages of a turn.
var stages = []stage{
	{InPrelude, noStep, []Decision{AtPrelude, AtVoyageFrom, AtTech}, fPass, 0},
	{InPrelude, noStep, []Decision{AtVoyageTo}, fPass | fAt, worlds | approaches | interplanetary},
	{InAccord, noStep, []Decision{AtAccord, AtClaimVote, AtPeaceVote}, 0, 0},
	{InRisk, riskFleets, []Decision{AtThought}, fAt, worlds | trajectories},
	{InRisk, riskRegions, []Decision{AtRiskRegion, AtRiskLose, AtForfeit, AtForfeitRisk, AtThought}, fAt | fLeft, worlds},
	{InRisk, riskDiscontent, []Decision{AtUnrestFleet, AtMutiny, AtThought}, fLeft, 0},
	{InMove, moveEarly, []Decision{AtEarlyLaunch, AtLaunchTo, AtPartCount, AtPartCountRisk}, fPart, worlds},
	{InMove, moveExtra, []Decision{AtExtraMove}, fExtra, 0},
	{InMove, moveApproach, []Decision{AtWorldward, AtPartCount, AtPartCountRisk}, fPart | fRound, approaches},
	{InMove, moveDefensive, []Decision{AtDefensiveFire, AtLoseFleets, AtThought}, fAt | fCount | fExtra | fRound | fFiring,
		worlds},
	{InMove, moveInterplanetary, []Decision{AtWorldward, AtPartCount, AtPartCountRisk}, fPart, interplanetary},
	{InMove, moveSolar, []Decision{AtWorldward, AtPartCount, AtPartCountRisk}, fPart, centre},
	{InMove, moveLaunch, []Decision{AtLaunch, AtLaunchTo, AtPartCount, AtPartCountRisk}, fPart, worlds},
	{InFleet, noStep, []Decision{AtFleetWorld}, fWorlds, 0},
	{InFleet, jobs, []Decision{AtFleetJobs, AtJobCount}, fVisits | fLast | fAction | fFire | fOverthrow | fOrbit, worlds},
	{InFleet, doFire, []Decision{AtLoseFleets, AtRaze, AtForfeit, AtForfeitRisk, AtThought},
		fVisits | fFire | fOverthrow | fOrbit | fTarget | fHits | fLeft | fCount, worlds},
	{InFleet, doUNDefence, []Decision{AtLoseFleets, AtThought}, fVisits | fOverthrow | fOrbit | fHits | fLeft | fCount,
		worlds},
	{InFleet, doExpand, []Decision{AtExpandUse, AtThought}, fVisits | fOverthrow | fOrbit | fLeft, worlds},
	{InFleet, doOverthrow, []Decision{AtOverthrowReply, AtForfeit, AtForfeitRisk, AtThought},
		fVisits | fOverthrow | fPacify | fReplicate | fTarget | fRegion | fHits | fLeft, worlds},
	{InFleet, doPacify, []Decision{AtPacifyUse, AtThought}, fVisits | fReplicate | fLeft, worlds},
	{InFleet, doReplicate, []Decision{AtAddFleet, AtThought}, fVisits | fLeft | fAdd, worlds},
	{InDev, noStep, []Decision{AtDevWorld}, fWorlds, 0},
	{InDev, jobs, []Decision{AtDevJobs, AtJobCount, AtDefendTarget},
		fVisits | fLast | fAction | fDefend | fResearch | fBuild | fRegion, worlds},
	{InDev, doConstruct, []Decision{AtRiskRegion, AtRiskLose, AtForfeit, AtForfeitRisk, AtAddFleet, AtThought},
		fVisits | fDefend | fResearch | fBuild | fLeft | fAdd, worlds},
	{InDev, doResearch, []Decision{AtTech, AtThought}, fVisits | fDefend | fResearch | fLeft, worlds},
	{InDev, doDefence, []Decision{AtLoseFleets, AtThought}, fVisits | fDefend | fTarget | fRegion | fCount, worlds},
	{InDev, doInfluence, []Decision{AtInfluenceCount, AtInfluenceRisk, AtThought}, fVisits | fCount, worlds},
	{InAssist, noStep, []Decision{AtAssist}, 0, 0},
	{InAssist, doResearch, []Decision{AtTech, AtThought}, fLeft, 0},
	{InSpy, noStep, []Decision{AtSpy}, 0, 0},
	{InSpy, doOperation, []Decision{AtSpyTarget, AtSpyWorld, AtSpyTech, AtSpyMark, AtThought}, fAt | fAction | fTarget,
		worlds},
	{InShare, noStep, []Decision{AtShare, AtShareTech, AtShareReply}, fAction | fTarget | fOffered, 0},
	{InTransfer, noStep, []Decision{AtTransfer, AtTransferWhat}, fTarget | fTransfers, 0},
	{InTransfer, giveFleet, []Decision{AtTransferFleet, AtTransferCount, AtTransferReply, AtTakeFleet, AtThought},
		fAt | fCount | fTarget | fLeft | fTransfers | fAtRisk, worlds | trajectories},
	{InTransfer, giveLand, []Decision{AtTransferWorld, AtTransferRegion, AtTransferReply, AtForfeit, AtForfeitRisk,
		AtRiskRegion, AtRiskLose, AtThought}, fAt | fTarget | fRegion | fLeft | fTransfers | fAtRisk | fDevs, worlds},
}

// exact are the fields that are filled at some decisions of a stage and empty at its others.
const exact = fAt | fTo | fCount | fAction | fTarget | fRegion
