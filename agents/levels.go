package agents

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"

	"earthgym/agents/shipped"
	"earthgym/env"
	"earthgym/env/decode"
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

// A Ladder is the levels of one table of a game that are made of the network that comes with the program. "earthgym calibrate"
// fits it.
type Ladder struct {
	Game    string           `json:"game"`    // text with every option
	Data    string           `json:"data"`    // hash of its component data
	Network string           `json:"network"` // hash of the network (checkpoint.Checkpoint.Hash)
	Levels  [NumLevels]Grade `json:"levels"`
}

// A Grade is what a level is made of, and how much more it returns than the one before.
type Grade struct {
	Agent string `json:"agent"`
	Lead  *Lead  `json:"lead,omitempty"` // nil for the first level
}

// A Lead is a difference of mean returns in a match of one seat of the stronger agent among seats of the weaker one, or, where
// all win together, of tables of their own.
type Lead struct {
	Played   string     `json:"played,omitempty"` // what played in the agent's place, because that takes too long
	Games    int        `json:"games"`
	Seed     uint64     `json:"seed"`
	Return   float64    `json:"return"`
	ReturnCI [2]float64 `json:"return_ci"` // 95 %
}

//go:embed levels.json
var laddersText []byte

// Ladders are those that come with the program.
func Ladders() ([]Ladder, error) {
	list, err := ReadLadders(bytes.NewReader(laddersText))
	if err != nil {
		return nil, fmt.Errorf("the levels that come with the program: %w", err)
	}
	return list, nil
}

// ReadLadders reads what WriteLadders has written.
func ReadLadders(r io.Reader) ([]Ladder, error) {
	var list []Ladder
	text, err := io.ReadAll(r)
	if err == nil {
		err = decode.JSON(text, &list)
	}
	if err != nil {
		return nil, fmt.Errorf("read levels: %w", err)
	}
	return list, nil
}

// WriteLadders writes ladders as JSON.
func WriteLadders(w io.Writer, list []Ladder) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "\t")
	e.SetEscapeHTML(false)
	return e.Encode(append([]Ladder{}, list...)) // never null
}

// ladderOf is the ladder of a table, if there is one and the network is there.
func ladderOf(info *env.Info) (Ladder, bool) {
	list, err := Ladders()
	if err != nil {
		return Ladder{}, false // A test reads what comes with the program.
	}
	i := slices.IndexFunc(list, func(l Ladder) bool { return l.Game == info.Text && l.Data == info.DataHash })
	if i < 0 || !shipped.Has(info.Name) {
		return Ladder{}, false
	}
	return list[i], true
}

// Strength tells the lead of that level over the one before in a line; "" of the first.
func (g Grade) Strength(level int) string {
	if g.Lead == nil {
		return ""
	}
	text := fmt.Sprintf("%+.2f [%+.2f, %+.2f] over level:%d", g.Lead.Return, g.Lead.ReturnCI[0], g.Lead.ReturnCI[1], level-1)
	if g.Lead.Played != "" {
		text += " as " + g.Lead.Played
	}
	return text
}

// A botLadder is the levels of a game at tables that have no Ladder. Strength is
// what the level gains over the one before, with its 95 % interval, in matches as those of a Lead (in New Earth of two
// seats from level 3 on); for the cooperative game how many games a table of the level wins. The weaker ones are bots
// that now and then play what they score lower than their best, by so much at most: they misjudge, but never throw dice
// over the legal actions.
type botLadder struct {
	game   string
	levels [NumLevels]struct{ agent, strength string }
}

func botLadders() []botLadder {
	return []botLadder{
		{"one-earth", [NumLevels]struct{ agent, strength string }{
			{"script:strong,temperature=10,loss=8", "its table ruins the Earth now and then"},
			{"script:strong,temperature=4,loss=5", "+0.29 ± 0.10 over level:1"},
			{"script:strong,temperature=1.2,loss=2.5", "+0.51 ± 0.12 over level:2"},
			{"script:strong", "+0.32 ± 0.12 over level:3"},
			{"mcts:sims=2000,workers=2", "+0.84 ± 0.32 over level:4 with 100 simulations"},
		}},
		{"earth-rising", [NumLevels]struct{ agent, strength string }{
			{"script:strong,temperature=4,loss=12", "wins hardly any game"},
			{"script:strong,temperature=2,loss=6", "wins 9 ± 4 %"},
			{"script:strong,temperature=0.1,loss=0.2", "wins 36 ± 7 %"},
			{"script:strong", "wins 78 ± 11 %"},
			{"mcts:sims=300,workers=2", "wins 93 ± 7 % with 100 simulations"},
		}},
		{"new-earth", [NumLevels]struct{ agent, strength string }{
			{"script:naive", "plays as somebody who has just read the rules"},
			{"script:greedy", "+1.16 ± 0.09 over level:1"},
			{"mcts:sims=60,rollout=script:greedy,margin=1", "+1.67 [+0.81, +2.00] over level:2"},
			{"script:strong", "+1.90 [+1.69, +2.00] over level:3"},
			{"mcts:sims=400,workers=2", "+0.90 ± 0.57 over level:4 with 100 simulations"},
		}},
		{"resilience-earth", [NumLevels]struct{ agent, strength string }{
			{"script:strong,temperature=16,loss=16", "builds without an eye for prices"},
			{"script:strong,temperature=0.6,loss=1.8", "+0.36 ± 0.19 over level:1"},
			{"script:strong,temperature=0.1,loss=0.3", "+0.46 ± 0.11 over level:2"},
			{"script:strong", "+0.51 ± 0.12 over level:3"},
			{"mcts:sims=5000,workers=2", "+1.22 ± 0.21 over level:4 with 1000 simulations"},
		}},
		{"earthmans-burden", [NumLevels]struct{ agent, strength string }{
			{"script:naive", "plays as somebody who has just read the rules"},
			{"script:greedy", "+1.33 [+0.94, +1.41] over level:1"},
			{"script:strong,temperature=8,loss=40", "+1.00 ± 0.11 over level:2"},
			{"script:strong,temperature=0.4,loss=1.2", "+0.35 ± 0.15 over level:3"},
			{"script:strong", "+0.54 ± 0.15 over level:4"},
		}},
	}
}

// Levels are the five opponents for people that play g, from weak to strong; none if g has none. They are made of the network
// that comes with the program at the tables that have a Ladder, and of bots elsewhere.
func Levels(g env.Game) []Level {
	if l, ok := ladderOf(g.Info()); ok {
		levels := make([]Level, NumLevels)
		for i, made := range l.Levels {
			levels[i] = newLevel(i, made.Agent, made.Strength(i+1))
		}
		return levels
	}
	for _, l := range botLadders() {
		if l.game != g.Info().Name {
			continue
		}
		levels := make([]Level, NumLevels)
		for i, made := range l.levels {
			levels[i] = newLevel(i, made.agent, made.strength)
		}
		return levels
	}
	return nil
}

func newLevel(i int, agent, strength string) Level {
	return Level{Text: fmt.Sprintf("level:%d", i+1), Agent: agent, Help: levelHelp[i], Strength: strength}
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
