package env

import (
	"encoding/json"
	"errors"
	"fmt"
)

// PatchPosition lays a patch on the position of s ([PositionPatcher]): objects are patched key by key, everything else
// is replaced.
func PatchPosition(s State, patch map[string]any) error {
	p, ok := s.(PositionPatcher)
	if !ok {
		return fmt.Errorf("%s patches no positions: its State is no PositionPatcher", s.Game().Info().Name)
	}
	// Numbers of the patch, which may come from TOML, become those of JSON.
	b, err := json.Marshal(patch)
	if err != nil { // of what TOML can hold only these have no words in JSON
		return errors.New("a number is infinite or none at all: nan and inf are no part of a position")
	}
	return p.PatchPosition(b)
}
