package mcts_test

import (
	"context"
	"fmt"

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

// The options of an agent's text.
func ExampleHelp() {
	fmt.Print(mcts.Help())
	// Output: sims       simulations a decision, 1 to 10000000 ms         milliseconds a decision, 1 to 3600000, in place
	// of sims mode       flat (the actions of the moment compared on common samples) or tree rollout    who plays games
	// on: script:LEVEL, script:varied (with another character in each sample), random, or with net= also net (drawn from
	// its policy) and argmax (its likeliest action) opponents  who plays the other seats in roll-outs, drawn for each
	// sample: BOT+BOT+… net        the checkpoint or run of a network that guides the search; empty for the one that comes
	// with the program cut        own decisions until the network or the game's outlook values the position, 0 (the end of
	// the game) to 1000 width      most actions to compare, the incumbent and those that the bot scores best or the
	// network finds likeliest, 0 (all) to 1000; if left out one for every 8 simulations that a network plays on, 8 with
	// ms= margin     standard errors by which to beat the bot's choice, 0 to 10 root       how a tree shares simulations
	// out at the root: puct, or with net= halving (the worse half of the likeliest actions drops out in each round) trust
	// how much values weigh beside the policy with root=halving, 0 to 10 workers    goroutines that search, 1 to 64; one
	// grows a tree with root=puct
}
