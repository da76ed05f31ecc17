package main

import (
	"slices"
	"testing"

	"github.com/spf13/pflag"

	"earthgym/train"
)

func TestAgentList(t *testing.T) {
	for _, test := range []struct {
		given []string // by the flag, which may be repeated
		want  []string
	}{
		{nil, []string{"the", "default"}},
		{[]string{""}, nil},
		{[]string{"random"}, []string{"random"}},
		{[]string{"random,script:strong, level:2"}, []string{"random", "script:strong", "level:2"}},
		{[]string{"random", "script:strong,random"}, []string{"random", "script:strong", "random"}},
		{[]string{"", "random"}, []string{"random"}},
		{[]string{"mcts:sims=64,net=,script:strong"}, []string{"mcts:sims=64,net=", "script:strong"}},
		{[]string{"random,mcts:sims=64,rollout=script:greedy,c=2"},
			[]string{"random", "mcts:sims=64,rollout=script:greedy,c=2"}},
		{[]string{"net:,argmax,net:runs/a,temperature=2,loss=6,random"},
			[]string{"net:,argmax", "net:runs/a,temperature=2,loss=6", "random"}},
		{[]string{"remote:limit=500ms,./bot -v,random"}, []string{"remote:limit=500ms,./bot -v", "random"}},
		{[]string{"llm:http://localhost/v1,model=small:7b,random"},
			[]string{"llm:http://localhost/v1,model=small:7b", "random"}},
		{[]string{"script:strong,temperature=2,records:games,records:more"},
			[]string{"script:strong,temperature=2", "records:games", "records:more"}},
		{[]string{`"net:a,argmax",random`}, []string{"net:a,argmax", "random"}},
		{[]string{`"remote:./bot random,random",random`}, []string{"remote:./bot random,random", "random"}},
		{[]string{`"remote:./bot ""a b""",random`}, []string{`remote:./bot "a b"`, "random"}},
		// What is no agent is still named alone.
		{[]string{"script:strong,scrpt:naive"}, []string{"script:strong", "scrpt:naive"}},
		{[]string{"script:strong,background:steward"}, []string{"script:strong", "background:steward"}},
	} {
		list := []string{"the", "default"}
		f := pflag.NewFlagSet("", pflag.ContinueOnError)
		agentsVar(f, &list, "against", "")
		for _, text := range test.given {
			if err := f.Set("against", text); err != nil {
				t.Errorf("%q: %v", test.given, err)
			}
		}
		if !slices.Equal(list, test.want) {
			t.Errorf("%q: %q, want %q", test.given, list, test.want)
		}
		// What is printed is read as what it was.
		var again []string
		if err := (&agentList{list: &again}).Set(train.JoinList(list)); err != nil || test.given != nil &&
			!slices.Equal(again, list) {
			t.Errorf("%q is printed as %s, and read as %q (%v)", list, train.JoinList(list), again, err)
		}
	}
	for _, text := range []string{`"random`, `random"x"`, "random\nrandom"} {
		var list []string
		if err := (&agentList{list: &list}).Set(text); err == nil {
			t.Errorf("%q passes as %q", text, list)
		}
	}
}
