// Package table is a game in progress with people and agents in its seats.
//
// A [Table] runs one game: agents decide when they are asked, people by [Table.Play], and everybody who looks, a seat
// or a spectator, gets a [Sight]: the board, what it may do, what has happened and who is waited for, as far as that
// viewer may know: what it may not know moves nothing in it, not a number, and not its Edition. Nobody gets the State
// itself, so that a front end (a page, a terminal, another program) cannot show what it must not.
//
// What people do names the [Sight.Step] that they decided in, so that two windows of one seat cannot play twice and
// nobody plays on a board that has changed meanwhile. A decision can be taken back as long as the same seat still
// decides and nothing has come to light by it ([Table.Undo]). A seat can change hands at any time ([Table.Sit]).
//
// Decisions that follow each other can be composed first: a [Draft] tells what would come of them by what the seat
// knows, and [Table.PlayAll] plays them. A sealed choice shows who has chosen ([Sight.Envelopes]) and how many are to
// come. Typed questions are answered by [Table.Find]. A [Lesson] guides somebody through the first decisions of a game.
//
// Every decision is saved: the game's record is written whole or not at all, and [Resume] goes on from it. Agents'
// quick decisions are saved together, a fraction of a second later at most, and before anybody is waited for.
package table
