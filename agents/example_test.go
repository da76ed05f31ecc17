package agents_test

import (
	"context"
	"fmt"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/envtest/kuhn"
)

func ExamplePlay() {
	g := kuhn.Open(2)
	random, err := agents.Open("random", g)
	if err != nil {
		fmt.Println(err)
		return
	}
	seats := make([]agents.Agent, g.Info().Players)
	for p := range seats {
		if seats[p], err = random.New(); err != nil {
			fmt.Println(err)
			return
		}
	}
	table, err := env.NewReferee(g, 7)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := agents.Play(context.Background(), table, seats); err != nil {
		fmt.Println(err)
		return
	}
	result := table.Result()
	fmt.Println("player", result.Winners, "wins by", result.Reason, result.Scores)
	// Output: player 1 wins by fold [-1 1]
}
