package eval

import (
	"context"

	"earthgym/agents"
	"earthgym/env"
)

// Floor is the noise floor of a match: an agent plays it against a copy of itself, under another name and with luck of
// its own, and the difference between the two is what a match of that length shows where there is nothing to show.
// Where all seats win and lose together, they hold whole tables.
func Floor(ctx context.Context, g env.Game, maker *agents.Maker, o Options) (*Difference, error) {
	o.Records, o.Value = 0, nil // They are the match's.
	one, other := []*agents.Maker{maker}, []*agents.Maker{maker.Copy()}
	if !g.Info().Shared() {
		r, err := Match(ctx, g, append(one, other...), o)
		if err != nil {
			return nil, err
		}
		return &r.Differences[0], nil
	}
	a, err := Match(ctx, g, one, o)
	if err != nil {
		return nil, err
	}
	b, err := Match(ctx, g, other, o)
	if err != nil {
		return nil, err
	}
	c, err := Compare(a, b)
	if err != nil {
		return nil, err
	}
	return c.difference(), nil
}
