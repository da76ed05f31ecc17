package scripted

import (
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/kuhn"
)

// fixed is a bot that always plays the same.
type fixed struct{ action env.Action }

func (fixed) Reset(uint64)               {}
func (f fixed) Act(*env.View) env.Action { return f.action }

func TestOpen(t *testing.T) {
	bot := func(a env.Action) func(env.Game) Bot { return func(env.Game) Bot { return &fixed{a} } }
	list := []script{{kuhn.Rulebook, [...]func(env.Game) Bot{bot(0), bot(1), bot(2)}}}
	g := kuhn.Open(2)
	for want, level := range []string{Naive, Greedy, Strong} {
		create, err := open(list, g, level)
		if err != nil {
			t.Fatal(err)
		}
		if got := create().Act(nil); got != env.Action(want) {
			t.Errorf("%s: bot %d, want %d", level, got, want)
		}
		if create() == create() {
			t.Errorf("%s: two instances are one", level)
		}
	}
	for _, test := range []struct {
		list        []script
		level, want string
	}{
		{list, "stong", `unknown level "stong" of scripted bots: did you mean "strong"? there are: naive, greedy, strong`},
		{list, "", `unknown level "" of scripted bots: there are: naive, greedy, strong`},
		{nil, "strong", "kuhn has no scripted bots"},
	} {
		if _, err := open(test.list, g, test.level); err == nil || err.Error() != test.want {
			t.Errorf("level %q: error %v, want %s", test.level, err, test.want)
		}
	}
}
