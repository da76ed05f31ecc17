package agents

import (
	"fmt"
	"strconv"

	"earthgym/env"
)

// NumLevels is how many levels of opponents for people there are.
const NumLevels = 5

// A Level is one of five opponents of rising strength for people to play against.
type Level struct {
	Text     string // "level:3"
	Agent    string // the text of what it is made of
	Help     string // what it plays like
	Strength string // what matches have shown
}

// levelHelp says what the levels play like.
var levelHelp = [NumLevels]string{"a beginner", "an occasional player", "a regular player", "an expert", "the best that answers within a second"}

// A grade is what one level of one game is made of. The weaker ones are bots that now and then play what they score
// lower than their best, by so much at most: they misjudge, but never throw dice over the legal actions.
type grade struct{ agent, strength string }

// A ladder is the five levels of a game.
type ladder struct {
	game   string
	grades [NumLevels]grade
}

// ladders are those of all games. Strength is measured at each game's default options by
//
//	earthgym match GAME level:N level:N-1 --games 200 --seed 2026
//
// as the difference of the mean returns of the one and the others, with its 95 % interval; for the cooperative game by
// tables of one level each.
func ladders() []ladder {
	return []ladder{
		{"one-earth", [NumLevels]grade{
			{"script:strong,temperature=10,loss=8", ""},
			{"script:strong,temperature=4,loss=5", ""},
			{"script:strong,temperature=1.2,loss=2.5", ""},
			{"script:strong", ""},
			{"mcts:sims=2000,workers=2", ""},
		}},
		{"earth-rising", [NumLevels]grade{
			{"script:strong,temperature=4,loss=12", ""},
			{"script:strong,temperature=2,loss=6", ""},
			{"script:strong,temperature=0.1,loss=0.2", ""},
			{"script:strong", ""},
			{"mcts:sims=300,workers=2", ""},
		}},
		{"new-earth", [NumLevels]grade{
			{"script:naive", ""},
			{"script:greedy", ""},
			{"script:strong,temperature=100,loss=500", ""},
			{"script:strong", ""},
			{"mcts:sims=1000,workers=2", ""},
		}},
		{"resilience-earth", [NumLevels]grade{
			{"script:strong,temperature=16,loss=16", ""},
			{"script:strong,temperature=0.6,loss=1.8", ""},
			{"script:strong,temperature=0.1,loss=0.3", ""},
			{"script:strong", ""},
			{"mcts:sims=5000,workers=2", ""},
		}},
		{"earthmans-burden", [NumLevels]grade{
			{"script:naive", ""},
			{"script:greedy", ""},
			{"script:strong,temperature=8,loss=40", ""},
			{"script:strong,temperature=0.4,loss=1.2", ""},
			{"script:strong", ""},
		}},
	}
}

// Levels are the five opponents for people that play g, from weak to strong; none if g has none.
func Levels(g env.Game) []Level {
	for _, l := range ladders() {
		if l.game != g.Info().Name {
			continue
		}
		levels := make([]Level, NumLevels)
		for i, made := range l.grades {
			levels[i] = Level{fmt.Sprintf("level:%d", i+1), made.agent, levelHelp[i], made.strength}
		}
		return levels
	}
	return nil
}

// openLevel opens what a level is made of, under the level's name.
func openLevel(name, number string, g env.Game) (*Maker, error) {
	levels := Levels(g)
	if levels == nil {
		return nil, &TextError{fmt.Errorf("%s has no levels", g.Info().Name)}
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > len(levels) || number != strconv.Itoa(n) {
		return nil, &TextError{fmt.Errorf("there are level:1 to level:%d", len(levels))}
	}
	return open(name, levels[n-1].Agent, g)
}
