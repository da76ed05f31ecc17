package rating_test

import (
	"fmt"

	"earthgym/eval/rating"
)

// Two players, of whom the second has won three games of four.
func ExamplePlackettLuce() {
	var games []rating.Game
	for block, winner := range []int{1, 1, 0, 1} {
		games = append(games, rating.Game{Players: []int{0, 1}, Ranks: []int{winner, 1 - winner}, Block: block})
	}
	fit, err := rating.PlackettLuce(games, 2, 0, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for player, r := range fit.Ratings {
		fmt.Printf("player %d: %+.0f\n", player, r.Points)
	}
	// Output:
	// player 0: +0
	// player 1: +187
}
