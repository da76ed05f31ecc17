package env

import (
	"encoding/json"
	"errors"
	"fmt"

	"earthgym/env/decode"
)

// knownSamples is how many positions that look the same to a seat are compared. What differs in one of ten of them stays
// hidden in all but one of a thousand looks.
const knownSamples = 64

// errNoSeat is for a viewer that has no seat of the game.
var errNoSeat = errors.New("there is no such seat")

// KnownPosition is the position as JSON with what seat p may know of it: the parts that are the same in all positions that
// p can't tell from the true one. Fields that differ are left out, and places of a list that differ are null; a list whose
// length differs is left out.
//
// It is made by comparing positions in which all that p can't know is drawn anew, by keys that are always the same: so it
// depends on what p knows and on nothing else, and says nothing of the truth beside that. (A hidden part that hardly ever
// comes out differently may stand there as it mostly is.)
func KnownPosition(s State, p Player) ([]byte, error) {
	if p < 0 || int(p) >= s.Game().Info().Players {
		return nil, fmt.Errorf("seat %d: %w", p, errNoSeat)
	}
	var known any
	sample, last := s.Game().New(), s.Game().New()
	for k := range uint64(knownSamples) {
		sample.CopyFrom(s)
		sample.Redeal(p, Mix(k+1))
		if k > 0 && sample.EqualPosition(last) {
			continue
		}
		last.CopyFrom(sample)
		var position any
		if err := decode.Numbers(sample.AppendPosition(nil), &position); err != nil {
			return nil, err
		}
		if k == 0 {
			known = position
			continue
		}
		known, _ = common(known, position)
	}
	return json.Marshal(known)
}

// common is what two decoded positions have in common; false if they have nothing.
func common(a, b any) (any, bool) {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok {
			return nil, false
		}
		for name, value := range a {
			other, ok := b[name]
			if ok {
				a[name], ok = common(value, other)
			}
			if !ok {
				delete(a, name)
			}
		}
		return a, true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return nil, false
		}
		for i := range a {
			if same, ok := common(a[i], b[i]); ok {
				a[i] = same
			} else {
				a[i] = nil
			}
		}
		return a, true
	}
	return a, a == b
}

// Position is the position as JSON with what the seat may know of it (KnownPosition).
func (v *View) Position() ([]byte, error) { return KnownPosition(v.state, v.player) }
