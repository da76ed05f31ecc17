package eval

import (
	"errors"
	"fmt"

	"earthgym/env/spelling"
)

// A RequestError is that of what was asked for: no file, no agent and no machine is to blame.
type RequestError struct{ Err error }

func (e *RequestError) Error() string { return e.Err.Error() }

func (e *RequestError) Unwrap() error { return e.Err }

func requestf(format string, args ...any) error { return &RequestError{fmt.Errorf(format, args...)} }

// An InterruptedError says that games were left unplayed because their context ended.
type InterruptedError struct {
	Played, Games int // how many were played, of how many
	// Result is that of the whole blocks that were played, without usage; nil if there are none, and where more was to be
	// played than one match. Its intervals are right if nobody has looked at it to decide when to interrupt.
	Result *MatchResult

	err error
}

func (e *InterruptedError) Error() string {
	return fmt.Sprintf("interrupted after %d of %s", e.Played, spelling.Counted(e.Games, "game"))
}

func (e *InterruptedError) Unwrap() error { return e.err }

// amid has an error that tells of an interruption tell it of more than one match: of as many games in all, of which
// others had been played before.
func amid(err error, before, games int) error {
	if interrupted := new(InterruptedError); errors.As(err, &interrupted) {
		interrupted.Played, interrupted.Games, interrupted.Result = before+interrupted.Played, games, nil
	}
	return err
}

func notKept(game int, err error) error {
	return fmt.Errorf("game %d can't be kept; those before it are: %w", game, err)
}
