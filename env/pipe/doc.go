// Package pipe lets programs in other languages play: a [Server] steps environments for a client over a
// pipe or a socket, and a [Seat] asks an agent at the other end of one for its decisions.
//
// PROTOCOL.md says what travels, for those who write a client; python/ is one. In short: frames of a
// msgpack head and a payload of raw bytes. A client that has said hello as an owner makes batches of
// environments, steps them all in one frame, and gets observations, masks and rewards as arrays that it
// need not decode. One that has said hello as a seat is shown Views and answers with actions; the server
// of a seat has nothing else to give.
//
// Nothing that arrives is trusted: sizes are checked before memory is taken, and what is wrong is answered
// with an error of a stable [Code].
package pipe
