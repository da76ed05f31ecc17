// Package board is what the games draw and write their tables with.
//
// A [Drawing] is a picture as an SVG document: a table's cloth, cards and tracks on it, pieces on those, and texts
// that are measured before they are written, so that a name stays on its card whatever a data file calls it. A
// [Page] is a text view, whose lines end before column [Columns]. Both append to bytes of the caller, and both are
// pure functions of what they are given.
//
// Six players who sit round a table must tell their pieces apart, whatever colours they see: [Seats] are the six
// colours of every game, and each piece carries its owner's mark, a digit or a letter, in a group that says whose it is
// ([Drawing.Piece]). What can be pointed at to choose an action says so ([Drawing.Touch]). What else makes a board
// readable (no text below [Smallest], none across an edge, enough contrast) is checked by the conformance suite.
package board
