// Package resilience plays Resilience Earth: prosper, but keep the Climate Tower standing.
//
// Two to four players settle the 36 fields of a small planet. Settlements become cities and
// industries, which yield more resources (RES) and put stones on a shared tower. Every stack of stones
// that runs out brings a climate event; a tower that falls ends the game, and whoever toppled it has
// lost. Sabbaticals and plain settlements bring life quality (LQ). RES and LQ together win while the
// planet stands; LQ alone wins when it falls. The length of the game is hidden.
//
// RULES.md has the rules with their ids (RE-…), the component tables, the rulings on what the rulebook
// leaves open, the action table and the position JSON. Start reading at flow.go, the order of a turn and
// a round; then there is a file for each chapter:
//
//	flow.go        the order of a round and a turn        (RE-001 to RE-006, RE-020 to RE-024, RE-068, RE-151)
//	board.go       the 36 fields and what is beside what
//	setup.go       set-up                                 (RE-010 to RE-018)
//	building.go    settling, developing, dismantling      (RE-030 to RE-049)
//	sabbatical.go  sabbaticals                            (RE-050 to RE-054)
//	allocation.go  income and life quality                (RE-060 to RE-067)
//	smog.go        fields beside industries               (RE-070 to RE-075)
//	tower.go       the Climate Tower                      (RE-080 to RE-087)
//	events.go      climate events                         (RE-090 to RE-102)
//	scoring.go     end, totals, returns                   (RE-110 to RE-123)
//	deals.go       offers                                 (RE-130 to RE-135, RE-150)
//	talk.go        statements and promises                (RE-140 to RE-144)
//
// hidden.go draws the hidden length anew. Bots read a State through outlook.go, what lies ahead;
// observation.go declares what networks see and observe.go writes it; text.go, svg.go and story.go show
// a State to people.
//
// The rulebook's list of stacks (5, 4, 4, 3, 3, 3, 2, 2, 2, 1, 1, 1) and its list of events ("after 5,
// then 4, 4, 3, 3, 3, 3, 3, …") contradict each other. We follow the stacks (ruling 11-26): only they
// add up to the 31 stones in the box.
package resilience
