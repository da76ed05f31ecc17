// Package resilience plays Resilience Earth: prosper, but keep the Climate Tower standing.
//
// Two to four players settle the 36 fields of a small planet. Settlements become cities and
// industries, which yield more resources (RES) and put stones on a shared tower. Every stack of stones
// that runs out brings a climate event; a tower that falls ends the game, and whoever toppled it has
// lost. Sabbaticals and plain settlements bring life quality (LQ). RES and LQ together win while the
// planet stands; LQ alone wins when it falls. The length of the game is hidden.
//
// RULES.md numbers the rules; the names RE-nnn in comments and messages are those numbers. Start
// reading at flow.go, the order of a turn and a round, and go on to the chapter in question:
// building.go, sabbatical.go, allocation.go, smog.go, tower.go, events.go, scoring.go, deals.go and
// talk.go.
//
// The rulebook's list of stacks (5, 4, 4, 3, 3, 3, 2, 2, 2, 1, 1, 1) and its list of events ("after 5,
// then 4, 4, 3, 3, 3, 3, 3, …") contradict each other. We follow the stacks (ruling 11-26): only they
// add up to the 31 stones in the box.
package resilience
