// Package oneearth plays One Earth: leaders of rich countries buy Projects that raise their Prosperity
// and, mostly, their Emissions. All Emissions add up to one level; at 30 the Earth is ruined. There are
// four ways to play: standard and advanced with 3 to 5 players, two players, and alone. With one or two
// players the Military General plays too, by a deck of Automa cards.
//
// RULES.md has the rules with their ids (OE-…), the component tables, the rulings on what the rulebook
// leaves open, the action table and the position JSON. Start reading at decisions.go, the table of
// what seats are asked, and flow.go, the order of play; then there is a file for each chapter:
//
//	components.go   Projects, Technologies, Policies, events, Leaders, sectors, words
//	game.go         players, money, caps                     (OE-001, OE-002, OE-004, OE-286)
//	setup.go        set-up                                   (OE-010 to OE-020, OE-240)
//	turn.go         turn, income, the tracks                 (OE-005, OE-030 to OE-046, OE-190 to OE-192, OE-250)
//	projects.go     worth, funding and refresh               (OE-048 to OE-055, OE-085 to OE-087, OE-180 to OE-182)
//	technology.go   Technologies and their uses              (OE-060 to OE-069)
//	policy.go       Climate Policies                         (OE-080, OE-081)
//	leaders.go      abilities on the own turn                (OE-090 to OE-094)
//	aid.go          Foreign Aid                              (OE-100 to OE-102)
//	round.go        a new round, the audit                   (OE-003, OE-110 to OE-118)
//	events.go       Warning and Critical Events              (OE-120 to OE-126)
//	un.go           the UN meeting and sanctions             (OE-130 to OE-141)
//	resolutions.go  ballots, bids and the nine Resolutions   (OE-142 to OE-173)
//	scoring.go      end, points, returns (OE-195 to OE-229, OE-241 to OE-243, OE-251, OE-253, OE-254, OE-270 to OE-276)
//	npc.go          the Military General with 1 or 2 players (OE-230 to OE-238, OE-252)
//	talk.go         statements and promises                  (OE-280 to OE-284)
//
// hidden.go says what sealed bids hide. outlook.go works out what purchases and Resolutions would bring,
// observation.go declares what networks see and observe.go writes it; text.go, svg.go and story.go show
// a State to people.
//
// The components are in data.toml, which a file of the same form can replace. Their ids, and so the
// action table and the observation, belong to the package.
package oneearth
