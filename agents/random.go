package agents

import (
	"fmt"

	"earthgym/env"
)

// random plays every legal action with the same chance.
type random struct {
	name string
	luck env.Stream
}

func openRandom(text, rest string, _ env.Game) (*Maker, error) {
	if text != "random" {
		return nil, &TextError{fmt.Errorf("random takes nothing after its name, not %q", rest)}
	}
	return &Maker{New: func() (Agent, error) { return &random{name: text}, nil }}, nil
}

func (r *random) Name() string      { return r.name }
func (r *random) Reset(seed uint64) { r.luck = env.NewStream(seed, "random") }

func (r *random) Act(v *env.View) (env.Action, error) {
	m := v.Mask()
	return m.Nth(r.luck.Below(m.Count())), nil
}
