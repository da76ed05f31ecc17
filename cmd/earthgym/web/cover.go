package web

import (
	"fmt"
	"strings"

	"earthgym/env"
)

// A Cover is what somebody who has never seen a game is told before it is opened.
type Cover struct {
	Game    string `json:"game"`
	Title   string `json:"title"`
	Aim     string `json:"aim"` // how one wins, in a sentence
	Minutes int    `json:"minutes"`
	Hard    string `json:"hard"`
	Sizes   []int  `json:"sizes"` // seats that it can have
	Size    int    `json:"size"`  // seats that it has unless somebody chooses
}

// Covers are those of all games, the easiest first. The minutes are those of somebody who takes ten seconds a decision,
// as many as a seat has in a game of strong bots.
func Covers() []Cover {
	return []Cover{
		{"resilience-earth", "Resilience Earth", aims["resilience-earth"], 10, "easy", []int{2, 3, 4}, 3},
		{"one-earth", "One Earth", aims["one-earth"], 10, "easy", []int{1, 2, 3, 4, 5}, 4},
		{"earth-rising", "Earth Rising", aims["earth-rising"], 20, "middling", []int{1, 2, 3, 4, 5, 6}, 2},
		{"new-earth", "New Earth", aims["new-earth"], 40, "hard", []int{2, 3, 4}, 3},
		{"earthmans-burden", "The Earthman’s Burden", aims["earthmans-burden"], 120, "hard", []int{2, 3, 4, 5, 6}, 3},
	}
}

// aims say how one wins, in the games as they are by default.
var aims = map[string]string{
	"resilience-earth": "Have the most resources and life quality when the time is up, and don’t be the one whose " +
		"stone brings the Climate Tower down.",
	"one-earth": "Be the first whose Prosperity reaches the target while Global Emissions are below 25. At 30 " +
		"the Earth is ruined for all.",
	"earth-rising": "Together, transform all twelve burdens of society before twenty turns are over, or the fourth " +
		"collapse comes.",
	"new-earth": "Have the most points when the storm comes after the last turn: for the levels, machines, " +
		"plants and cities of your zones.",
	"earthmans-burden": "Have the most Victory Points when somebody has more than 30, or leads by more than 10. " +
		"Whoever has much Power gains them.",
}

// aim says how one wins in a game as it is played here, and what its scores are.
func aim(info *env.Info) (text, points string, together bool) {
	points = "points"
	text = aims[info.Name]
	has := func(option string) bool { return strings.Contains(info.Text, option) }
	switch info.Name {
	case "one-earth":
		points = "Prosperity"
		if has("mode=advanced") || info.Players < 3 {
			points = "Victory Points"
			text = "Have the most Victory Points once somebody’s Prosperity has reached the target, or the deck is used up. " +
				"At 30 Global Emissions the Earth is ruined."
		}
	case "earth-rising":
		points, together = "score, of which 100 wins", true
		if has("variant=quickplay") {
			text = "Together, transform the six Major burdens of society before the turns are over, or the fourth " +
				"collapse comes."
		}
	case "earthmans-burden":
		points = "Victory Points"
	}
	return text, points, together
}

// why says in a sentence why a game has ended.
func why(info *env.Info, reason string) string {
	for _, e := range info.Ends {
		if e.Name == reason {
			return e.Help
		}
	}
	return fmt.Sprintf("it ended by %q", reason)
}
