package env

import (
	"encoding/json"
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
	if err != nil {
		return err
	}
	return p.PatchPosition(b)
}
