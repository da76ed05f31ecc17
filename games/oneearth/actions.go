package oneearth

import (
	"strconv"

	"earthgym/env"
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

// actionTable gives every action its text.
func actionTable() []env.ActionInfo {
	var table []env.ActionInfo
	add := func(family, text string, args ...string) {
		for _, a := range args {
			text += " " + a
		}
		table = append(table, env.ActionInfo{Family: family, Args: args, Text: text})
	}
	ids := func(family, verb string, ids []string, suffix string) {
		for _, id := range ids {
			add(family, verb, id+suffix)
		}
	}
	numbers := func(family, verb, sign string, from, to int) {
		for n := from; n <= to; n++ {
			add(family, verb, sign+strconv.Itoa(n))
		}
	}
	ids("leader", "leader", leaderIDs[:], "")
	numbers("fund", "fund", "", 1, RowSize)
	ids("tech", "tech", technologyIDs[:], "")
	ids("policy", "policy", policyIDs[:], "")
	ids("on", "on", projectIDs[:], "")
	ids("discard plain", "discard", projectIDs[:], "")
	ids("discard upgraded", "discard", projectIDs[:], "+")
	ids("apply", "apply", technologyIDs[:], "")
	add("refresh", "refresh")
	add("ability", "ability")
	add("mars", "mars")
	numbers("ask", "ask", "+", 1, MaxPlayers-1)
	numbers("share", "share", "+", 1, MaxPlayers-1)
	add("save", "save")
	numbers("amount", "amount", "", 0, maxAmount)
	ids("say", "say", wordIDs[:], "")
	add("yes", "yes")
	add("no", "no")
	add("bid nothing", "bid", "0")
	numbers("bid yes", "bid yes", "", 1, maxAmount)
	numbers("bid no", "bid no", "", 1, maxAmount)
	ids("propose", "propose", resolutionIDs[:], "")
	numbers("accuse", "accuse", "+", 0, MaxPlayers-1)
	add("pass", "pass")
	return table
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
