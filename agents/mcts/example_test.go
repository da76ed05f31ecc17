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

// The options of an agent's text, and the beginnings of what they are.
func ExampleHelp() {
	for line := range strings.Lines(mcts.Help()) {
		fmt.Printf("%.60s\n", strings.TrimSpace(line))
	}
	// Output:
	// sims       simulations a decision, 1 to 10000000
	// ms         milliseconds a decision, 1 to 3600000, in place o
	// mode       flat (the actions of the moment compared on commo
	// rollout    who plays games on: script:LEVEL, script:varied (
	// opponents  who plays the other seats in roll-outs, drawn for
	// net        the checkpoint or run of a network that guides th
	// cut        own decisions until the network or the game's out
	// width      most actions to compare, the incumbent and those
	// margin     standard errors by which to beat the bot's choice
	// root       how a tree shares simulations out at the root: pu
	// trust      how much values weigh beside the policy with root
	// workers    goroutines that search, 1 to 64; one grows a tree
}
