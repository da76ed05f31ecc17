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
	_, err = games.Open("resilience-earth:players=9")
	fmt.Println(err)
	// Output:
	// Resilience Earth 3 185
	// resilience-earth: option players cannot be "9": it is a whole number from 2 to 4
}
