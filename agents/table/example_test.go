package table_test

import (
	"context"
	"fmt"

	"earthgym/agents"
	"earthgym/agents/table"
	"earthgym/games"
)

// A person at a table with a bot. A front end shows what Look tells, and looks again when it has Changed.
func Example() {
	g, err := games.Open("resilience-earth:players=2")
	if err != nil {
		fmt.Println(err)
		return
	}
	bot, err := agents.Open("script:greedy", g)
	if err != nil {
		fmt.Println(err)
		return
	}
	t, err := table.New(g, 7, []table.Seat{{Name: "Ada"}, {Agent: bot}}, table.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go t.Run(ctx)

	const ada = 0
	for {
		changed := t.Changed()
		now, err := t.Look(ada)
		if err != nil {
			fmt.Println(err)
			return
		}
		if now.Deciding {
			choice := now.Choices[0]
			fmt.Println(now.Question)
			fmt.Println(len(now.Choices), "choices, the first:", choice.Text)
			if err := t.Play(ada, now.Step, choice.Action); err != nil {
				fmt.Println(err)
			}
			break
		}
		<-changed
	}
	// Output:
	// Your turn: risk of collapse: next stone 0.0 %, the one after 0.0 %; event in 5 stones (RE-020).
	// 45 choices, the first: settle 11
}
