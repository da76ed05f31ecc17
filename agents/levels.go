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

// ladders are those of all games. Strength is what the level gains over the one before, the difference of mean returns with
// its 95 % interval, of one seat among three others (in New Earth from level 3 on, of two seats); for the cooperative game
// how many games a table of the level wins. Levels without search: earthgym match GAME level:N level:N-1, 80 to 200 games.
func ladders() []ladder {
	return []ladder{
		{"one-earth", [NumLevels]grade{
			{"script:strong,temperature=10,loss=8", "its table ruins the Earth now and then"},
			{"script:strong,temperature=4,loss=5", "+0.29 ± 0.10 over level:1"},
			{"script:strong,temperature=1.2,loss=2.5", "+0.51 ± 0.12 over level:2"},
			{"script:strong", "+0.32 ± 0.12 over level:3"},
			{"mcts:sims=2000,workers=2", "+0.84 ± 0.32 over level:4 with 100 simulations"},
		}},
		{"earth-rising", [NumLevels]grade{
			{"script:strong,temperature=4,loss=12", "wins hardly any game"},
			{"script:strong,temperature=2,loss=6", "wins 9 ± 4 %"},
			{"script:strong,temperature=0.1,loss=0.2", "wins 36 ± 7 %"},
			{"script:strong", "wins 78 ± 11 %"},
			{"mcts:sims=300,workers=2", "wins 93 ± 7 % with 100 simulations"},
		}},
		{"new-earth", [NumLevels]grade{
			{"script:naive", "plays as somebody who has just read the rules"},
			{"script:greedy", "+1.16 ± 0.09 over level:1"},
			{"mcts:sims=60,rollout=script:greedy,margin=1", "+1.67 [+0.81, +2.00] over level:2"},
			{"script:strong", "+1.90 [+1.69, +2.00] over level:3"},
			{"mcts:sims=400,workers=2", "+0.90 ± 0.57 over level:4 with 100 simulations"},
		}},
		{"resilience-earth", [NumLevels]grade{
			{"script:strong,temperature=16,loss=16", "builds without an eye for prices"},
			{"script:strong,temperature=0.6,loss=1.8", "+0.36 ± 0.19 over level:1"},
			{"script:strong,temperature=0.1,loss=0.3", "+0.46 ± 0.11 over level:2"},
			{"script:strong", "+0.51 ± 0.12 over level:3"},
			{"mcts:sims=5000,workers=2", "+1.22 ± 0.21 over level:4 with 1000 simulations"},
		}},
		{"earthmans-burden", [NumLevels]grade{
			{"script:naive", "plays as somebody who has just read the rules"},
			{"script:greedy", "+1.33 [+0.94, +1.41] over level:1"},
			{"script:strong,temperature=8,loss=40", "+1.00 ± 0.11 over level:2"},
			{"script:strong,temperature=0.4,loss=1.2", "+0.35 ± 0.15 over level:3"},
			{"script:strong", "+0.54 ± 0.15 over level:4"},
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
