package env

import (
	"encoding/json"
	"fmt"

	"earthgym/env/decode"
)

type laneSnapshot struct {
	State      json.RawMessage `json:"state"`
	Games      uint64          `json:"games"`
	Decisions  int             `json:"decisions"`
	Last       Player          `json:"last"`
	Terminated bool            `json:"terminated,omitempty"`
	Truncated  bool            `json:"truncated,omitempty"`
	Resting    bool            `json:"resting,omitempty"` // over, and neither of the two (Vec.Rest)
}

// Snapshot saves where every lane stands, so that a Vec of the same game and options can go on from
// there. Finished episodes and the last rewards are not part of it.
func (v *Vec) Snapshot() ([]byte, error) {
	lanes := make([]laneSnapshot, len(v.lanes))
	for i := range v.lanes {
		l := &v.lanes[i]
		s, err := Snapshot(l.env.state)
		if err != nil {
			return nil, fmt.Errorf("lane %d: %w", i, err)
		}
		terminated, truncated := l.env.actor == Over, l.env.truncated
		lanes[i] = laneSnapshot{s, l.games, l.env.decisions, l.last, terminated, truncated, l.over && !terminated &&
			!truncated}
	}
	return json.Marshal(lanes)
}

// Restore goes on from a Snapshot. After an error the Vec is of no more use.
func (v *Vec) Restore(data []byte) error {
	var lanes []laneSnapshot
	if err := decode.JSON(data, &lanes); err != nil {
		return fmt.Errorf("vec snapshot: %w", err)
	}
	if len(lanes) != len(v.lanes) {
		return fmt.Errorf("vec snapshot has %d lanes, not %d", len(lanes), len(v.lanes))
	}
	for i, l := range lanes {
		to := &v.lanes[i]
		if err := Restore(to.env.state, l.State); err != nil {
			return fmt.Errorf("vec snapshot: lane %d: %w", i, err)
		}
		if l.Last < 0 || int(l.Last) >= v.info.Players || l.Decisions < 0 {
			return fmt.Errorf("vec snapshot: lane %d: player %d after %d decisions", i, l.Last, l.Decisions)
		}
		to.env.begin()
		to.env.decisions, to.env.truncated = l.Decisions, l.Truncated
		to.games, to.seed, to.last, to.over = l.Games, to.seeds.of(l.Games), l.Last, l.Terminated || l.Truncated || l.Resting
		v.Terminated[i], v.Truncated[i] = l.Terminated, l.Truncated
		clear(v.rewards(i))
		v.show(i)
	}
	return nil
}
