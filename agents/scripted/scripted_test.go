package scripted

import (
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
)

// fixed is a bot that always plays the same.
type fixed struct{ action env.Action }

func (fixed) Reset(uint64)                            {}
func (f fixed) Choose(env.State, env.Mask) env.Action { return f.action }

func TestOpen(t *testing.T) {
	always := func(a env.Action) bot { return plain(func(env.Game) policy { return &fixed{a} }) }
	list := []script{{rulebook: kuhn.Rulebook, bots: [...]bot{always(0), always(1), always(2)}}}
	g := kuhn.Open(2)
	for want, level := range []string{Naive, Greedy, Strong} {
		create := must.Have(open(list, g, level))(t)
		if got := create().Choose(nil, nil); got != env.Action(want) {
			t.Errorf("%s: bot %d, want %d", level, got, want)
		}
		if one, two := create(), create(); one == two {
			t.Errorf("%s: two instances are one", level)
		}
	}
	for _, test := range []struct {
		list        []script
		level, want string
	}{
		{
			list, "stong",
			`unknown level "stong" of scripted bots: did you mean "strong"? there are: naive, greedy, strong, varied`},
		{
			list, "vared",
			`unknown level "vared" of scripted bots: did you mean "varied"? there are: naive, greedy, strong, varied`},
		{list, "", `unknown level "" of scripted bots: there are: naive, greedy, strong, varied`},
		{nil, "strong", "kuhn has no scripted bots"},
	} {
		if _, err := open(test.list, g, test.level); err == nil || err.Error() != test.want {
			t.Errorf("level %q: error %v, want %s", test.level, err, test.want)
		}
	}
}
