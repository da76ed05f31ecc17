package env

import (
	"encoding/json"
	"fmt"

	"earthgym/env/decode"
)

type snapshot struct {
	Game     string            `json:"game"`
	Data     string            `json:"data"`
	Position json.RawMessage   `json:"position"`
	Streams  map[string]Stream `json:"streams"`
}

// Snapshot saves a State whole: its position as JSON, and its streams beside it.
func Snapshot(s State) ([]byte, error) {
	info := s.Game().Info()
	streams := map[string]Stream{}
	for i, luck := range s.Luck() {
		streams[info.Streams[i]] = luck
	}
	return json.Marshal(snapshot{info.Text, info.DataHash, s.AppendPosition(nil), streams})
}

// Restore makes s what Snapshot saved. A snapshot of another game or of other data, and an impossible
// position, are errors, and s is unchanged.
func Restore(s State, data []byte) error {
	var snap snapshot
	if err := decode.JSON(data, &snap); err != nil {
		return fmt.Errorf("snapshot: %w", err)
	}
	info := s.Game().Info()
	if snap.Game != info.Text || snap.Data != info.DataHash {
		return fmt.Errorf("snapshot is of %s with data %s, not of %s with data %s", snap.Game, snap.Data, info.Text,
			info.DataHash)
	}
	for _, name := range info.Streams {
		if _, ok := snap.Streams[name]; !ok {
			return fmt.Errorf("snapshot has no stream %q", name)
		}
	}
	if len(snap.Streams) != len(info.Streams) {
		return fmt.Errorf("snapshot has %d streams; %s has %d", len(snap.Streams), info.Name, len(info.Streams))
	}
	if err := s.ReadPosition(snap.Position); err != nil {
		return fmt.Errorf("snapshot: %w", err)
	}
	luck := s.Luck()
	for i, name := range info.Streams {
		luck[i] = snap.Streams[name]
	}
	return nil
}
