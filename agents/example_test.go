package agents_test

import (
	"context"
	"fmt"

	"earthgym/agents"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/referee"
)

// One game at a table of agents, with its record.
func ExamplePlay() {
	g := kuhn.Open(2)
	maker, err := agents.Open("random", g)
	if err != nil {
		fmt.Println(err)
		return
	}
	var seats []agents.Agent
	for range g.Info().Players {
		agent, err := maker.New()
		if err != nil {
			fmt.Println(err)
			return
		}
		seats = append(seats, agent)
	}
	ref, err := referee.New(g, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := agents.Play(context.Background(), ref, seats, nil); err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range ref.Record(nil).Moves {
		fmt.Println(m.Player, m.Action)
	}
	fmt.Println(ref.Result().Reason, ref.Result().Returns)
	// Output:
	// 0 pass
	// 1 pass
	// checked [-0.5 0.5]
}
