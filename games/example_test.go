package games_test

import (
	"fmt"

	"earthgym/games"
)

func ExampleOpen() {
	g, err := games.Open("resilience-earth:players=3")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(g.Info().Title, g.Info().Players, len(g.Info().Actions))
	_, err = games.Open("resilience-earth:player=3")
	fmt.Println(err)
	// Output: Resilience Earth 3 185 resilience-earth: unknown option "player": did you mean "players"? there are:
	// players, first, timer, minutes_min, minutes_max, minutes, tower, tower_limit, align, supply, sabbaticals, smog,
	// deals, talk, collapse_win
}
