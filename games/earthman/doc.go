// Package earthman plays The Earthman's Burden: rule the Solar System, and bear what comes of it.
//
// Two to six players launch fleets from Earth, clear and settle the regions of twelve worlds, and turn
// what they hold into more fleets, technology and political influence. Whoever has more Power than
// others gains Victory Points in each turn. Whoever takes too much finds fleets and regions At Risk,
// discontent at home, and mutiny. Nothing is hidden but the dice to come.
//
// RULES.md numbers the rules; the names EB-nnn in comments and messages are those numbers. Start
// reading at flow.go, the order of a turn, and go on to the chapter in question: score.go, risk.go,
// movement.go, actions of fleets in fire.go, expansion.go, overthrow.go and orbit.go, those of
// developments in development.go, then un.go, units.go (adding and removing), dice.go (lots and AI
// Thoughts), and the optional rules in collaboration.go, territory.go, prelude.go and espionage.go.
//
// A step never leaves a decision with one legal action open: it plays on until somebody has a choice.
// What the running decision must remember lies in pending, lot and payment (RULES.md 3.3), so that a
// position that is read goes on as the one that was written; there is no other memory of where in a
// turn the game stands.
package earthman
