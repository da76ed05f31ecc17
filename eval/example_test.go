package eval_test

import (
	"context"
	"fmt"
	"os"

	"earthgym/agents"
	"earthgym/env/envtest/kuhn"
	"earthgym/eval"
)

// The optimal player of Kuhn poker against one who bets and passes by chance.
func ExampleMatch() {
	g := kuhn.Open(2)
	random, err := agents.Open("random", g)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := eval.Match(context.Background(), g, []*agents.Maker{optimal("optimal"), random},
		eval.Options{Games: 2000, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := eval.WriteTable(os.Stdout, r); err != nil {
		fmt.Println(err)
	}
	// Output:
	// kuhn
	// 2000 games: 1000 game seeds × 2 seatings, match seed 1; intervals of 95 % over game seeds
	//
	// agent    seat-games          return     win share         score
	// optimal        2000  +0.066 ± 0.015  46.8 ± 1.1 %   0.13 ± 0.03
	// random         2000  -0.066 ± 0.015  53.2 ± 1.1 %  -0.13 ± 0.03
	//
	// minus the first          return  so it is
	// random           -0.132 ± 0.031     worse
	//
	// fair share 50.0 % of the wins a seat
	// ends       checked 795 (39.8 %), fold 658 (32.9 %), showdown 547 (27.4 %)
	// bets       0.88 ± 0.03
	// decisions  2.4 a game, at most 3
	// seats      return 0: -0.024 ± 0.039, 1: +0.024 ± 0.039
}
