package web

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/games"
)

// A Cover is what somebody who has never seen a game is told before it is opened.
type Cover struct {
	Game    string `json:"game"`
	Title   string `json:"title"`
	Aim     string `json:"aim"` // how one wins, in a sentence
	Minutes int    `json:"minutes"`
	Hard    string `json:"hard"`
	Sizes   []Size `json:"sizes"`
	Size    int    `json:"size"` // seats that it has unless somebody chooses
	// Characters are those whom people may choose among, at a table of that Size.
	Characters []agents.Character `json:"characters"`
}

// A Size is a number of seats that a game can have, and the game with so many.
type Size struct {
	Seats int    `json:"seats"`
	Game  string `json:"game"`
}

func sizes(game string, least, most int) (list []Size) {
	for n := least; n <= most; n++ {
		size := Size{n, fmt.Sprintf("%s:players=%d", game, n)}
		if game == "earth-rising" && n == 1 {
			size.Game = "earth-rising:variant=solo"
		}
		list = append(list, size)
	}
	return list
}

// Covers are those of all games, the easiest first. The minutes are those of somebody who takes ten seconds a decision,
// as many as a seat has in a game of strong bots, up to whole tens.
func Covers() []Cover { return covers() }

var covers = sync.OnceValue(func() []Cover {
	cover := func(game, title string, minutes int, hard string, least, most, size int) Cover {
		c := Cover{game, title, aims[game], minutes, hard, sizes(game, least, most), size, nil}
		if g, err := games.Open(c.Sizes[size-least].Game); err == nil { // A test opens all of them.
			c.Characters = agents.Characters(g)
		}
		return c
	}
	return []Cover{
		cover("resilience-earth", "Resilience Earth", 10, "easy", 2, 4, 3),
		cover("one-earth", "One Earth", 10, "easy", 1, 5, 4),
		cover("earth-rising", "Earth Rising", 20, "middling", 1, 6, 2),
		cover("new-earth", "New Earth", 40, "hard", 2, 4, 3),
		cover("earthmans-burden", "The Earthman’s Burden", 90, "hard", 2, 6, 3),
	}
})

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
		points, together = "points (a win has 100 or more)", true
		if has("variant=quickplay") {
			text = "Together, transform the six Major burdens of society before the turns are over, or the fourth " +
				"collapse comes."
		}
	case "earthmans-burden":
		points = "Victory Points"
		of := regexp.MustCompile(`,points=(\d+),lead=(\d+),`).FindStringSubmatch(info.Text) // It has every option.
		text = strings.NewReplacer(" 30,", " "+of[1]+",", " 10.", " "+of[2]+".").Replace(text)
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
