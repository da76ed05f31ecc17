// Package oneearth plays One Earth: leaders of rich countries buy Projects that raise their Prosperity
// and, mostly, their Emissions. All Emissions add up to one level; at 30 the Earth is ruined. There are
// four ways to play: standard and advanced with 3 to 5 players, two players, and alone. With one or two
// players the Military General plays too, by a deck of Automa cards.
//
// RULES.md numbers the rules (OE-001 …), and each function that implements a rule names it. A reader
// begins with flow.go, the order of play, and goes on to the chapter in question:
//
//   - turn.go, projects.go, technology.go, policy.go, leaders.go, aid.go: a seat's turn
//   - round.go, events.go, un.go, resolutions.go, talk.go: between rounds
//   - npc.go: the Military General with one or two players
//   - scoring.go: the end, Victory Points, returns
//
// The components are in data.toml, which a file of the same form can replace. Their ids, and so the
// action table and the observation, belong to the package.
package oneearth
