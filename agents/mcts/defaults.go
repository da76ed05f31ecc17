package mcts

import "earthgym/env"

// Defaults is what a search of the game does where its text doesn't say: the best that matches have found (see the
// package documentation).
func Defaults(info *env.Info) Config {
	return Config{
		Simulations: 1000,
		Rollout:     "script:strong",
		Margin:      1,
		Prior:       0.5,
		Explore:     0.7,
		Urgency:     0.1,
		Trees:       1,
		Workers:     1,
	}
}
