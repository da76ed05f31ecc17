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

// measured.json is what matches have shown of the networks at tables that they were not trained at: one seat of the network
// among script:strong, or two whole tables where all win together. "go test ./cmd/earthgym -run Measured -measure" plays them.
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
	data    string                // hash of the component data that it knows
	trained []string              // texts of the tables that it was trained at
	shown   []checkpoint.Strength // by matches, there and elsewhere
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
	homes.Store(game, h)
	return h
}

// AtHome says whether the network that comes with the program for a game can be relied on at a table: one that it was trained
// at, one where matches have shown it to be ahead of script:strong, or one whose every option, by itself, is as at one of those or, a
// number, between two of them. With other component data it is nowhere at home.
func AtHome(info *env.Info) bool {
	h := homeOf(info.Name)
	return h != nil && h.holds(info.Text, info.DataHash)
}

func (h *home) holds(table, data string) bool {
	if data != h.data {
		return false
	}
	for _, s := range h.shown {
		if s.Game == table && s.Opponent == judge {
			return ahead(s)
		}
	}
	for _, trained := range h.trained {
		if h.near(trained, table) {
			return true
		}
	}
	return false
}

// judge is who a network is measured against where it was not trained.
const judge = "script:strong"

func ahead(s checkpoint.Strength) bool { return s.Opponent == judge && s.ReturnCI[0] > 0 }

// near says whether the network holds at a table by what is known of each option in which that differs from a table that was
// trained at.
func (h *home) near(trained, table string) bool {
	for name, value := range differ(trained, table) {
		if !h.knows(name, value) {
			return false
		}
	}
	return true
}

// knows says whether the network holds with a value of an option: it was trained with it, or was ahead where nothing else was
// other than in training. Of a number the values next to it that are known on either side will do.
func (h *home) knows(name, value string) bool {
	holds := map[string]bool{}
	for _, s := range h.shown {
		for _, trained := range h.trained {
			if d := differ(trained, s.Game); len(d) == 1 && s.Opponent == judge && d[name] != "" {
				holds[d[name]] = ahead(s)
			}
		}
	}
	for _, trained := range h.trained {
		holds[options(trained)[name]] = true
	}
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

// differ are the options of a table that are not those of another, with their values.
func differ(from, table string) map[string]string {
	before, d := options(from), map[string]string{}
	for name, value := range options(table) {
		if before[name] != value {
			d[name] = value
		}
	}
	return d
}

// Shown is what matches have shown of the network of a game against an opponent at a table; false where none was played.
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
