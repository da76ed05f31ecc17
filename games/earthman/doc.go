// Package earthman plays The Earthman's Burden: rule the Solar System, and bear what comes of it.
//
// Two to six players launch fleets from Earth, clear and settle the regions of twelve worlds, and turn
// what they hold into more fleets, technology and political influence. Whoever has more Power than
// others gains Victory Points in each turn. Whoever takes too much finds fleets and regions At Risk,
// discontent at home, and mutiny. Nothing is hidden but the dice to come.
//
// RULES.md numbers the rules; the names EB-nnn in comments and messages are those numbers. Start reading at flow.go,
// the order of a turn, and at decisions.go, the table of all that is asked; then there is a file for each chapter:
//
//	flow.go           turns, steps and their order         (EB-001 to EB-007)
//	state.go          set-up                               (EB-020 to EB-028)
//	dice.go           lots, classes, AI Thoughts           (EB-010 to EB-017, EB-250 to EB-253)
//	score.go          Score, agreement, end, returns       (EB-030 to EB-037, EB-260 to EB-272, EB-330 to EB-333)
//	risk.go           Risk, unrest, mutiny                 (EB-040 to EB-053)
//	movement.go       movement, Defensive Fire, launch     (EB-060 to EB-082)
//	fire.go           nominations of fleets, Open Fire     (EB-090 to EB-107, EB-222 to EB-224)
//	expansion.go      Expansion                            (EB-110 to EB-113)
//	overthrow.go      Overthrow                            (EB-120 to EB-124, EB-225)
//	orbit.go          Pacification, Von Neumann Engines    (EB-130 to EB-141)
//	development.go    jobs of developments                 (EB-150 to EB-157, EB-165, EB-169 to EB-184)
//	un.go             UN Assistance                        (EB-190, EB-220, EB-221, EB-226)
//	units.go          study, come and go (EB-114, EB-115, EB-164, EB-166 to EB-168, EB-200 to EB-210, EB-320 to EB-323)
//	collaboration.go  Research Collaborations              (EB-280, EB-281)
//	territory.go      Territorial Agreements               (EB-290 to EB-297)
//	prelude.go        the Prelude                          (EB-300 to EB-304)
//	espionage.go      Espionage                            (EB-310 to EB-316)
//
// board.go has the map and technology.go the technologies. pending.go is what a decision must remember, and stages.go
// when which of it is set; by both fits.go reads a position. prospects.go is what an observer hopes for. panel.go draws
// what lies beside the board, and choices.go words what may be done.
//
// A step never leaves a decision with one legal action open: it plays on until somebody has a choice.
// What the running decision must remember lies in pending, lot and payment (RULES.md 3.3), so that a
// position that is read goes on as the one that was written; there is no other memory of where in a
// turn the game stands.
package earthman
