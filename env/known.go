package env

import (
	"errors"
	"fmt"
)

// errNoSeat is for a viewer that has no seat of the game.
var errNoSeat = errors.New("there is no such seat")

// KnownPosition is the position as JSON with what seat p may know of it (State.AppendKnown). Nothing is hidden once the
// game is over.
func KnownPosition(s State, p Player) ([]byte, error) {
	if p < 0 || int(p) >= s.Game().Info().Players {
		return nil, fmt.Errorf("seat %d: %w", p, errNoSeat)
	}
	if s.Actor() == Over {
		return s.AppendPosition(nil), nil
	}
	return s.AppendKnown(nil, p), nil
}

// Position is the position as JSON with what the seat may know of it (KnownPosition).
func (v *View) Position() ([]byte, error) { return KnownPosition(v.state, v.player) }
