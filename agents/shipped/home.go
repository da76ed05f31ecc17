package shipped

import (
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"

	"earthgym/agents/checkpoint"
	"earthgym/env"
	"earthgym/env/decode"
)

// measured.json is what matches have shown of the networks at tables that they were not trained at: one seat of the
// network among script:strong, or two whole tables where all win together. "go test ./cmd/earthgym -run Measured
// -measure" plays them.
//
//go:embed measured.json
var measuredText []byte

// A Measured is what matches have shown of a network beyond its card.
type Measured struct {
	Network  string                `json:"network"` // its hash
	Strength []checkpoint.Strength `json:"strength"`
}

// ReadMeasured is what matches have shown of the networks that come with the program, beyond their cards.
func ReadMeasured() ([]Measured, error) {
	var list []Measured
	if err := decode.JSON(measuredText, &list); err != nil {
		return nil, fmt.Errorf("what was measured of the networks that come with the program: %w", err)
	}
	return list, nil
}

// A home is what is known of where a network can be relied on.
type home struct {
	data    string                     // hash of the component data that it knows
	trained []string                   // texts of the tables that it was trained at
	shown   []checkpoint.Strength      // by matches, there and elsewhere
	known   map[string]map[string]bool // by option and value, whether the network holds with it
}

// homes are those that have been looked up, by the names of games. The page fetches a network before it asks for one.
var homes sync.Map

func homeOf(game string) *home {
	if h, ok := homes.Load(game); ok {
		return h.(*home)
	}
	c, err := Network(game)
	if err != nil {
		return nil
	}
	h := &home{data: c.Data, trained: c.Trained()}
	if c.Card != nil {
		h.shown = c.Card.Strength
	}
	list, err := ReadMeasured() // A test reads it.
	for _, m := range list {
		if err == nil && m.Network == c.Hash {
			h.shown = append(h.shown[:len(h.shown):len(h.shown)], m.Strength...)
		}
	}
	h.known = h.values()
	homes.Store(game, h)
	return h
}

// AtHome says whether the network that comes with the program for a game can be relied on at a table: one where matches
// have shown it to be ahead of script:strong, one that it was trained at if none were played there, or one whose every
// option, by itself, is as at one of those or, a number, between two of them. With other component data it is nowhere
// at home.
func AtHome(info *env.Info) bool {
	h := homeOf(info.Name)
	return h != nil && h.holds(info.Text, info.DataHash)
}

// Stray says that there is a network for a game, but that it is not at home at a table: there script:strong plays in
// its place.
func Stray(info *env.Info) bool {
	h := homeOf(info.Name)
	return h != nil && !h.holds(info.Text, info.DataHash)
}

// StandIn is who plays in the place of a network where that is not at home: who it is measured against.
const StandIn = judge

func (h *home) holds(table, data string) bool {
	if data != h.data {
		return false
	}
	for _, s := range h.shown {
		if s.Game == table && s.Opponent == judge {
			return ahead(s)
		}
	}
	for name, value := range options(table) {
		if !h.knows(name, value) {
			return false
		}
	}
	return true
}

// judge is who a network is measured against where it was not trained.
const judge = "script:strong"

func ahead(s checkpoint.Strength) bool { return s.Opponent == judge && s.ReturnCI[0] > 0 }

// values finds, for each option, the values by which the network holds: it was ahead with them wherever nothing else
// was other than at a table that it was trained at and ahead at, or it was trained with them and never met the judge
// so. Where it was not ahead with one of the first table's values, which is the usual one, something else is to blame.
func (h *home) values() map[string]map[string]bool {
	known := map[string]map[string]bool{}
	note := func(name, value string, holds bool) {
		if known[name] == nil {
			known[name] = map[string]bool{}
		}
		known[name][value] = holds
	}
	met := map[string]bool{}
	for _, s := range h.shown {
		if s.Opponent == judge {
			met[s.Game] = ahead(s)
		}
	}
	var trained, won []map[string]string
	for _, table := range h.trained {
		trained = append(trained, options(table))
		if met[table] {
			won = append(won, options(table))
		}
	}
	for _, s := range h.shown {
		if s.Opponent != judge {
			continue
		}
		table := options(s.Game)
		for _, before := range won {
			d := differ(before, table)
			usual := len(d) == 1 && table[d[0]] == trained[0][d[0]] && len(differ(trained[0], table)) > 0
			if len(d) == 1 && (ahead(s) || !usual) {
				held, noted := known[d[0]][table[d[0]]]
				note(d[0], table[d[0]], ahead(s) && (held || !noted))
			}
		}
	}
	for _, table := range trained {
		for name, value := range table {
			if _, noted := known[name][value]; !noted {
				note(name, value, true)
			}
		}
	}
	return known
}

// knows says whether the network holds with a value of an option. Of a number the values next to it that are known on
// either side will do.
func (h *home) knows(name, value string) bool {
	holds := h.known[name]
	if known, ok := holds[value]; ok {
		return known
	}
	x, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return false
	}
	below, above := math.Inf(-1), math.Inf(1)
	held := map[float64]bool{}
	for text, holds := range holds {
		if y, err := strconv.ParseFloat(text, 64); err == nil {
			held[y] = holds
			if y < x {
				below = max(below, y)
			} else {
				above = min(above, y)
			}
		}
	}
	return held[below] && held[above]
}

// options are those of a game's text with every option.
func options(text string) map[string]string {
	_, list, _ := strings.Cut(text, ":")
	values := map[string]string{}
	for _, option := range strings.Split(list, ",") {
		name, value, _ := strings.Cut(option, "=")
		values[name] = value
	}
	return values
}

// differ are the names of the options that two tables have otherwise.
func differ(a, b map[string]string) []string {
	var names []string
	for name, value := range b {
		if a[name] != value {
			names = append(names, name)
		}
	}
	return names
}

// Shown is what matches have shown of the network of a game against an opponent at a table; false where none was
// played.
func Shown(info *env.Info, opponent string) (checkpoint.Strength, bool) {
	if h := homeOf(info.Name); h != nil && h.data == info.DataHash {
		for _, s := range h.shown {
			if s.Game == info.Text && s.Opponent == opponent {
				return s, true
			}
		}
	}
	return checkpoint.Strength{}, false
}
