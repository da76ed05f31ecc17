// Package newearth plays New Earth: the last continent, twelve years until the storm.
//
// Two to four players govern six zones each. Workers mine, win energy and manufacture; what they make
// buys consumer goods, machines, more workers and plants. Goods keep up and raise the Society Levels of
// the zones, sets of City cards found cities, and elections, decided by secret cash, secret cards and a
// die, win neutral and foreign zones. Catastrophe cards strike in between. After the last turn El Gigante
// comes, and the kind of storm decides whether all zones count, or only cities, or only fortified ones.
//
// RULES.md numbers the rules; the names NE-nnn in comments and messages are those numbers. Start reading at flow.go,
// the order of a game and a turn, and at decisions.go, the table of all that is asked; then there is a file for each
// chapter:
//
//	flow.go          turns, phases and their order          (NE-001, NE-083)
//	board.go         zones, tiles, who lies beside whom     (NE-002)
//	setup.go         set-up, standard and free              (NE-003 to NE-011)
//	initiative.go    the order of a turn                    (NE-020 to NE-022)
//	cards.go         receiving, holding and using cards     (NE-030 to NE-038)
//	catastrophes.go  what strikes, and what negates it      (NE-040 to NE-051)
//	elections.go     elections                              (NE-060 to NE-076)
//	leader.go        leaders and reallocation               (NE-080 to NE-082)
//	scoring.go       El Gigante, points, returns            (NE-090 to NE-093)
//	production.go    output, purchases, income              (NE-100 to NE-105, NE-110)
//	trade.go         offers                                 (NE-106, NE-107)
//	consumption.go   maintenance and raises                 (NE-120 to NE-122, NE-125, NE-126)
//	cities.go        conversions and fortifications         (NE-123, NE-124)
//
// hidden.go says what seats may know and deals it anew, with scenes.go for questions that are asked in secret and
// hands.go for cards. panel.go draws what lies beside the board, and choices.go words what may be done.
//
// The box has tile limits, card effects and card counts that the rulebook does not print. Section 2 of
// RULES.md says which of them are reconstructed; all of them stand in data.toml and can be replaced. The
// rulebook gives two prices for machines, one by one and four together; we sell both (ruling G-08).
package newearth
