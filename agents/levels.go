package agents

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

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
var levelHelp = [NumLevels]string{"a beginner", "an occasional player", "a regular player", "an expert",
	"the best that answers within a second"}

// A Ladder is five levels. One whose Game is the text of a table, with every option, was fitted to the network that
// comes with the program by matches there ("earthgym dev calibrate" does). One whose Game is the name of a rulebook
// alone is for all other tables of it: with a Network for those at which that is at home (shipped.AtHome), else made of
// bots.
type Ladder struct {
	Game    string           `json:"game"`
	Data    string           `json:"data"`              // hash of its component data
	Network string           `json:"network,omitempty"` // hash of the network (checkpoint.Checkpoint.Hash)
	Levels  [NumLevels]Grade `json:"levels"`
}

// A Grade is what a level is made of, and how much more it returns than the one before.
type Grade struct {
	Agent string `json:"agent"`
	Lead  *Lead  `json:"lead,omitempty"` // nil for the first level
}

// A Lead is a difference of mean returns in a match of one seat of the stronger agent among seats of the weaker one,
// or, where all win together, of tables of their own.
type Lead struct {
	Played   string     `json:"played,omitempty"` // what played in the agent's place, because that takes too long
	Games    int        `json:"games"`
	Seed     uint64     `json:"seed"`
	Return   float64    `json:"return"`
	ReturnCI [2]float64 `json:"return_ci"` // 95 %
}

// Ladders are those that come with the program.
func Ladders() ([]Ladder, error) {
	list, err := ReadLadders(bytes.NewReader(shipped.Levels))
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

// ladderOf is the ladder of a table, the narrowest that there is. None is one whose network is not there, or does not
// know the component data.
func ladderOf(info *env.Info) (Ladder, bool) {
	list, err := Ladders()
	if err != nil {
		return Ladder{}, false // A test reads what comes with the program.
	}
	find := func(game string, network bool) int {
		return slices.IndexFunc(list, func(l Ladder) bool { return l.Game == game && (l.Network != "") == network })
	}
	i := -1
	if shipped.AtHome(info) {
		if i = find(info.Text, true); i < 0 {
			i = find(info.Name, true)
		}
	}
	if i < 0 {
		i = find(info.Name, false)
	}
	if i < 0 {
		return Ladder{}, false
	}
	return list[i], true
}

// Strength tells the lead of that level over the one before in a line; "" of the first.
func (g Grade) Strength(level int) string {
	if g.Lead == nil {
		return ""
	}
	text := fmt.Sprintf("%+.2f [%+.2f, %+.2f] over level:%d", g.Lead.Return, g.Lead.ReturnCI[0], g.Lead.ReturnCI[1],
		level-1)
	if g.Lead.Played != "" {
		text += " as " + g.Lead.Played
	}
	return text
}

// unmeasured is the strength of a level at a table where it has played no match.
const unmeasured = "not measured at this table"

// Levels are the five opponents for people that play g, from weak to strong; none if g has none.
func Levels(g env.Game) []Level {
	info := g.Info()
	l, ok := ladderOf(info)
	if !ok {
		return nil
	}
	levels := make([]Level, NumLevels)
	for i, made := range l.Levels {
		strength := unmeasured
		if l.Game == info.Text {
			strength = made.Strength(i + 1)
		}
		levels[i] = Level{fmt.Sprintf("level:%d", i+1), made.Agent, levelHelp[i], strength}
	}
	return levels
}

// Caveats are what is to be told of agents before they play g: that levels were not fitted to its component data, and
// that the network that comes with the program is not at home at its table.
func Caveats(g env.Game, texts ...string) []string {
	info := g.Info()
	var list []string
	if l, ok := ladderOf(info); ok && l.Data != info.DataHash &&
		slices.ContainsFunc(texts, func(text string) bool { return strings.HasPrefix(text, "level:") }) {
		list = append(list, fmt.Sprintf("level:1 to level:%d were fitted to other component data of %s (hash %s, these "+
			"are %s): how strong they are with these is not known", NumLevels, info.Name, l.Data, info.DataHash))
	}
	if shipped.Stray(info) && slices.ContainsFunc(texts, playsShipped) {
		list = append(list, fmt.Sprintf("the network that comes with the program is not known to be ahead of %s at %s: "+
			"net: is %[1]s there, and search goes without it", shipped.StandIn, info.Short))
	}
	return list
}

// playsShipped says whether an agent plays, or searches, by the network that comes with the program.
func playsShipped(text string) bool {
	kind, rest, _ := strings.Cut(text, ":")
	words := strings.Split(rest, ",")
	switch kind {
	case "net":
		return words[0] == ""
	case "mcts":
		return slices.Contains(words, "net=")
	}
	return false
}

func levelNumbers() (list []string) {
	for n := range NumLevels {
		list = append(list, strconv.Itoa(n+1))
	}
	return list
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
