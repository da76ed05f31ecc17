package mcts_test

import (
	"context"
	"fmt"
	"strings"

	"earthgym/agents/mcts"
	"earthgym/env"
	"earthgym/env/envtest/kuhn"
)

// One decision searched.
func ExampleSearch() {
	g := kuhn.Open(2)
	config, err := mcts.Parse("sims=500", g)
	if err != nil {
		fmt.Println(err)
		return
	}
	opened, err := config.Open(g)
	if err != nil {
		fmt.Println(err)
		return
	}
	search := opened.New()
	search.Reset(1)
	s := g.New()
	s.Reset(5, nil)
	s.Apply(kuhn.Bet, nil)
	fmt.Println(string(s.AppendPosition(nil)))
	r, err := search.Search(context.Background(), env.ViewOf(s))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(env.ActionText(s, r.Action), r.Simulations)
	// Output:
	// {"cards":["queen","jack"],"history":["bet"]}
	// pass 500
}

// The options of an agent's text, of each of which a line of help says what it is.
func ExampleHelp() {
	for line := range strings.Lines(mcts.Help()) {
		fmt.Print(strings.Fields(line)[0], " ")
	}
	// Output: sims ms mode rollout opponents net cut width margin workers
}
