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

// actionTable gives every action its text, and what it points at.
func actionTable() []env.ActionInfo {
	var table []env.ActionInfo
	add := func(family, text string, args ...string) *env.ActionInfo {
		for _, a := range args {
			text += " " + a
		}
		table = append(table, env.ActionInfo{Family: family, Args: args, Text: text})
		return &table[len(table)-1]
	}
	point := func(a *env.ActionInfo, kind string, index int) {
		a.Objects = []env.ObjectRef{{Kind: kind, Index: index}}
	}
	ids := func(family, verb, kind string, ids []string, suffix string) {
		for i, id := range ids {
			point(add(family, verb, id+suffix), kind, i)
		}
	}
	seats := func(verb string, from int) { // clockwise from who acts, as observations have them
		for n := from; n < MaxPlayers; n++ {
			point(add(verb, verb, "+"+strconv.Itoa(n)), seatObject, n)
		}
	}
	amounts := func(family, verb string, from int) {
		for n := from; n <= maxAmount; n++ {
			add(family, verb, strconv.Itoa(n))
		}
	}
	ids("leader", "leader", leaderObject, leaderIDs[:], "")
	ids("fund", "fund", slotObject, numbers(RowSize), "")
	ids("tech", "tech", technologyObject, technologyIDs[:], "")
	ids("policy", "policy", policyObject, policyIDs[:], "")
	ids("on", "on", projectObject, projectIDs[:], "")
	ids("discard plain", "discard", projectObject, projectIDs[:], "")
	ids("discard upgraded", "discard", projectObject, projectIDs[:], "+")
	ids("apply", "apply", technologyObject, technologyIDs[:], "")
	add("refresh", "refresh")
	add("ability", "ability")
	add("mars", "mars")
	seats("ask", 1)
	seats("share", 1)
	add("save", "save")
	amounts("amount", "amount", 0)
	for _, word := range wordIDs {
		add("say", "say", word)
	}
	add("yes", "yes")
	add("no", "no")
	add("bid nothing", "bid", "0")
	amounts("bid yes", "bid yes", 1)
	amounts("bid no", "bid no", 1)
	ids("propose", "propose", resolutionObject, resolutionIDs[:], "")
	seats("accuse", 0)
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
