package oneearth

import "earthgym/env/form"

// The largest amount in the action table: of a bid, an aid request and a pledge.
const maxAmount = 20

// actions are the blocks of the action table, in the order of the rulebook. Seats are given as offsets clockwise from
// the one who acts.
type actions struct {
	form.Actions
	leader, fund, tech, policy   form.Block // each [Leader], [place in the row], [Technology], [Policy]
	on, discard, discardUpgraded form.Block // each [Project]
	apply                        form.Block // [Technology]
	refresh, ability, mars       form.Block
	ask, share                   form.Block // each [offset - 1]
	save                         form.Block // the second use of a Technology
	amount, say                  form.Block // each [amount], [Word]
	yes, no                      form.Block
	bidNothing, bidYes, bidNo    form.Block // the two each [amount - 1]
	propose, accuse              form.Block // each [Resolution], [offset]
	pass                         form.Block
}

// act is the same for every configuration.
var act = newActions()

func newActions() (t actions) {
	t.leader = t.Each("leader", "leader", leaderObject, leaderIDs[:])
	t.fund = t.Each("fund", "fund", slotObject, form.Numerals(1, RowSize))
	t.tech = t.Each("tech", "tech", technologyObject, technologyIDs[:])
	t.policy = t.Each("policy", "policy", policyObject, policyIDs[:])
	t.on = t.Each("on", "on", projectObject, projectIDs[:])
	t.discard = t.Each("discard plain", "discard", projectObject, projectIDs[:])
	upgraded := projectIDs
	for x := range upgraded {
		upgraded[x] += "+"
	}
	t.discardUpgraded = t.Each("discard upgraded", "discard", projectObject, upgraded[:])
	t.apply = t.Each("apply", "apply", technologyObject, technologyIDs[:])
	t.refresh, t.ability, t.mars = t.Word("refresh"), t.Word("ability"), t.Word("mars")
	t.ask = t.Seats("ask", seatObject, 1, MaxPlayers-1)
	t.share = t.Seats("share", seatObject, 1, MaxPlayers-1)
	t.save = t.Word("save")
	t.amount = t.Each("amount", "amount", "", form.Numerals(0, maxAmount))
	t.say = t.Each("say", "say", "", wordIDs[:])
	t.yes, t.no = t.Word("yes"), t.Word("no")
	t.bidNothing = t.Each("bid nothing", "bid", "", []string{"0"})
	t.bidYes = t.Each("bid yes", "bid yes", "", form.Numerals(1, maxAmount))
	t.bidNo = t.Each("bid no", "bid no", "", form.Numerals(1, maxAmount))
	t.propose = t.Each("propose", "propose", resolutionObject, resolutionIDs[:])
	t.accuse = t.Seats("accuse", seatObject, 0, MaxPlayers-1)
	t.pass = t.Word("pass")
	return t
}

// The first action of each block.
var (
	ChooseLeader, Fund, Tech, FundPolicy = act.leader.First, act.fund.First, act.tech.First, act.policy.First
	On, Discard, DiscardUpgraded         = act.on.First, act.discard.First, act.discardUpgraded.First
	ApplyUse, Refresh                    = act.apply.First, act.refresh.First
	UseAbility, JoinMars                 = act.ability.First, act.mars.First
	Ask, Share, Save                     = act.ask.First, act.share.First, act.save.First
	Amount, Say, Yes, No                 = act.amount.First, act.say.First, act.yes.First, act.no.First
	BidNothing, BidYes, BidNo            = act.bidNothing.First, act.bidYes.First, act.bidNo.First
	Propose, Accuse, Pass                = act.propose.First, act.accuse.First, act.pass.First
)
