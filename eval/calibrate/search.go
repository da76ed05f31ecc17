package calibrate

import (
	"regexp"

	"earthgym/env"
)

// Search is the search to be tried as the highest level of a game: as many simulations as fit into a second on two cores,
// guided by the network where that has paid (package mcts); "" where search has shown no gain.
func Search(g env.Game) string {
	switch g.Info().Name {
	case "one-earth", "resilience-earth":
		return "mcts:sims=1000,net=,workers=2"
	case "new-earth":
		return "mcts:sims=400,workers=2"
	case "earth-rising":
		return "mcts:sims=300,workers=2"
	}
	return ""
}

var sims = regexp.MustCompile(`\bsims=\d+`)

// Cheaper is a search with 64 simulations a decision by one worker, for matches of many games at a time.
func Cheaper(search string) string {
	search = sims.ReplaceAllString(search, "sims=64")
	return regexp.MustCompile(`,workers=\d+`).ReplaceAllString(search, "")
}
