// Package earthrising plays Earth Rising: Twenty Years to Transform Our World (Laurie Blake, 2021), a
// cooperative game for one to six players.
//
// Six sectors of society lie round a board. Their practices, unsustainable or sustainable, support
// people and add or take off strain, and so do people in poverty. A burden that is clear of strain can
// be transformed into an expansion in the centre of the board; when all twelve are there, within twenty
// turns, everybody has won. Too much strain makes the planet collapse; the fourth collapse loses.
//
// RULES.md has the rules with their ids (ER-…), the component tables, the rulings on what the rulebook
// leaves open (R-…), the action table and the position JSON. Start reading at flow.go, the order of a
// turn; then there is a file for each chapter:
//
//	flow.go        the order of a turn                    (ER-003, ER-330)
//	game.go        options, quickplay                     (ER-801 to ER-805)
//	components.go  sectors, characters, practices, cards  (ER-004 to ER-007)
//	circles.go     circles, counters, people and poverty  (ER-010 to ER-019)
//	setup.go       set-up                                 (ER-101 to ER-113)
//	drawing.go     drawing, hand limit, empty deck        (ER-201 to ER-209)
//	practices.go   the actions that everybody has         (ER-301 to ER-315, ER-921, ER-925)
//	transform.go   transforming and recessions            (ER-320 to ER-325, ER-651 to ER-657)
//	characters.go  the six abilities                      (ER-401 to ER-462)
//	strain.go      strain, its phases, collapses          (ER-501 to ER-608)
//	strikes.go     Status Quo Strikes!                    (ER-701 to ER-713)
//	solo.go        elections                              (ER-811 to ER-817)
//	end.go         calendar, end, scores                  (ER-001, ER-002, ER-901 to ER-905)
//	hidden.go      who knows which card, and redealing    (ER-008)
//
// Bots read a State through outlook.go. observation.go declares what networks see and observe.go writes
// it; text.go, svg.go and story.go show a State to people.
//
// # Seats and characters
//
// Turn, hand, home sector and ability belong to a character; a player is the seat that decides for it,
// and one seat may play several (ER-004, ER-112).
package earthrising
