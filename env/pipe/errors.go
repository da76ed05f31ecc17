package pipe

import (
	"errors"
	"fmt"
	"strings"

	"earthgym/env/spelling"
)

// A Code names a kind of error. Codes are part of the protocol: they are never renamed.
type Code string

// The codes. PROTOCOL.md has this list too; a test compares them.
const (
	BadFrame      Code = "bad_frame"       // lengths or head that cannot be
	FrameTooLarge Code = "frame_too_large" // more bytes than the handshake allows
	BadHandshake  Code = "bad_handshake"   // no preamble, no hello, or a second one
	BadVersion    Code = "bad_version"     // another major version
	Unauthorized  Code = "unauthorized"    // wrong or missing token
	BadRole       Code = "bad_role"        // a role that is not served here
	Forbidden     Code = "forbidden"       // not for a seat
	UnknownOp     Code = "unknown_op"      // no such operation
	BadRequest    Code = "bad_request"     // a field that is unknown, missing or out of range
	WrongLength   Code = "wrong_length"    // a payload of another size than the operation takes
	UnknownGame   Code = "unknown_game"    // a game text that opens no game
	BadData       Code = "bad_data"        // component data that do not load
	UnknownAgent  Code = "unknown_agent"   // an agent text that opens no agent here
	UnknownEnv    Code = "unknown_env"     // a handle that was never given, or has been closed
	BadLane       Code = "bad_lane"        // a lane that the batch does not have
	BadPlayer     Code = "bad_player"      // a seat that the game does not have
	IllegalAction Code = "illegal_action"  // an action that the rules forbid; nothing was stepped
	UnknownAction Code = "unknown_action"  // a text that is no action
	BadPosition   Code = "bad_position"    // a position or saved state that cannot be
	NoRecord      Code = "no_record"       // the lane's game is not kept, or not from its start
	Limit         Code = "limit"           // more than the handshake allows
	AgentFailed   Code = "agent_failed"    // an agent could not go on
	NotSupported  Code = "not_supported"   // not with this game, this transport or this machine
	Internal      Code = "internal"        // a fault of the server
)

// An Error is an answer that says no. It travels as a frame.
type Error struct {
	Code    Code   `msgpack:"code"`
	Message string `msgpack:"message"` // one sentence
	Lane    *int   `msgpack:"lane,omitempty"`
	Fatal   bool   `msgpack:"fatal,omitempty"` // the connection is closed after it
}

func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

func errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: sentence(fmt.Sprintf(format, args...))}
}

// fatalf is an error that ends the connection.
func fatalf(code Code, format string, args ...any) *Error {
	e := errorf(code, format, args...)
	e.Fatal = true
	return e
}

// longest is the most bytes of a sentence for people, who need no more of what they have sent themselves.
const longest = 1000

// sentence makes a text fit to be shown: without characters that do something to a terminal, and without its
// middle if it is long.
func sentence(text string) string {
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest*2/3], "") + " … " + strings.ToValidUTF8(text[len(text)-longest/4:], "")
	}
	if text = spelling.Printable(text); len(text) > longest { // It was mostly such.
		return strings.ToValidUTF8(text[:longest-len("…")], "") + "…"
	}
	return text
}

// beyond is the code for a number of things that isn't from 1 to what is allowed: only too many are more than a limit.
func beyond(n int64) Code {
	if n < 1 {
		return BadRequest
	}
	return Limit
}

// badHead is an error of decodeHead, in our words.
func badHead(err error) *Error {
	if e, ok := err.(*Error); ok {
		return e
	}
	return errorf(BadRequest, "the head cannot be read: %s", strings.TrimPrefix(err.Error(), "msgpack: "))
}

func inLane(lane int, code Code, err error) *Error {
	e := errorf(code, "lane %d: %v", lane, err)
	e.Lane = &lane
	return e
}

// asError gives any error its form for the wire.
func asError(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return errorf(Internal, "%v", err)
}
