package oneearth

import (
	"strconv"

	"earthgym/env"
	"earthgym/env/form"
)

// The largest amount in the action table: of a bid, an aid request and a pledge.
const maxAmount = 20

// The action table: blocks of numbers in the order of the rulebook. Each block's first action stands
// for its first id, number or offset. Seats are given as offsets clockwise from the one who acts.
const (
	ChooseLeader    env.Action = iota
	Fund                       = ChooseLeader + NumLeaders     // + place in the row
	Tech                       = Fund + RowSize                // + Technology
	FundPolicy                 = Tech + NumTechnologies        // + Policy
	On                         = FundPolicy + NumPolicies      // + Project
	Discard                    = On + NumProjects              // + Project
	DiscardUpgraded            = Discard + NumProjects         // + Project
	ApplyUse                   = DiscardUpgraded + NumProjects // + Technology
	Refresh                    = ApplyUse + NumTechnologies    // six other Projects
	UseAbility                 = Refresh + 1                   // of the Leader
	JoinMars                   = UseAbility + 1                // pay to become a funder
	Ask                        = JoinMars + 1                  // + offset - 1
	Share                      = Ask + MaxPlayers - 1          // + offset - 1
	Save                       = Share + MaxPlayers - 1        // the second use of a Technology
	Amount                     = Save + 1                      // + amount from 0
	Say                        = Amount + maxAmount + 1        // + Word
	Yes                        = Say + NumWords                //
	No                         = Yes + 1                       //
	BidNothing                 = No + 1                        //
	BidYes                     = BidNothing + 1                // + amount - 1
	BidNo                      = BidYes + maxAmount            // + amount - 1
	Propose                    = BidNo + maxAmount             // + Resolution
	Accuse                     = Propose + NumResolutions      // + offset from 0
	Pass                       = Accuse + MaxPlayers           //
	numActions                 = int(Pass) + 1
)

// actionTable gives every action its text, and what it points at.
func actionTable() (t env.ActionTable) {
	seats := func(verb string, from int) { // clockwise from who acts, as observations have them
		for n := from; n < MaxPlayers; n++ {
			t.Add(verb, verb, "+"+strconv.Itoa(n)).PointAt(seatObject, n)
		}
	}
	t.Each("leader", "leader", leaderObject, leaderIDs[:])
	t.Each("fund", "fund", slotObject, form.Numerals(1, RowSize))
	t.Each("tech", "tech", technologyObject, technologyIDs[:])
	t.Each("policy", "policy", policyObject, policyIDs[:])
	t.Each("on", "on", projectObject, projectIDs[:])
	t.Each("discard plain", "discard", projectObject, projectIDs[:])
	for x, id := range projectIDs {
		t.Add("discard upgraded", "discard", id+"+").PointAt(projectObject, x)
	}
	t.Each("apply", "apply", technologyObject, technologyIDs[:])
	t.Words("refresh", "ability", "mars")
	seats("ask", 1)
	seats("share", 1)
	t.Words("save")
	t.Each("amount", "amount", "", form.Numerals(0, maxAmount))
	t.Each("say", "say", "", wordIDs[:])
	t.Words("yes", "no")
	t.Add("bid nothing", "bid", "0")
	t.Each("bid yes", "bid yes", "", form.Numerals(1, maxAmount))
	t.Each("bid no", "bid no", "", form.Numerals(1, maxAmount))
	t.Each("propose", "propose", resolutionObject, resolutionIDs[:])
	seats("accuse", 0)
	t.Words("pass")
	return t
}

// bidOf is the amount that a bid stands for: above 0 for "yes", below for "no".
func bidOf(a env.Action) int8 {
	switch {
	case a >= BidNo:
		return -int8(a - BidNo + 1)
	case a >= BidYes:
		return int8(a - BidYes + 1)
	}
	return 0
}
