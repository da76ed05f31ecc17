// Package benchmark is the standing benchmark: a fixed protocol of contests, scenarios and seasons, so that figures
// from different people compare.
//
// # What is measured
//
// In each contest an agent sits as a guest at the table of the reference bot, once in every seat of each game seed: its
// score is its mean return, from 0, what random play gets there, to 1, what the reference gets itself. Where all win
// together its own table is measured against theirs. Beside the score stand a rating among the field (Plackett-Luce,
// the reference at 0), how much the best guest of the field gains at the agent's own table over the agent itself, and,
// where motives are mixed, how often that table loses what it shares. "earthgym exploit" finds out more about the third
// with a guest trained for it. The same score is taken in other variants of the rulebook: numbers of seats, modes,
// rules that are an option. Its mean over games, and in each game over its variants, is an agent's total.
//
// A scenario gives an agent one seat among a background population that nobody trains against, and says what it
// demands: restraint, trust, sanction, reciprocity, teamwork. The mean score of the scenarios that demand a thing is an
// agent's profile.
//
// A season is variants with other numbers on the components, drawn from a seed (Season). Whoever runs one publishes the
// seed afterwards, so that everybody can draw the same files. Where the reference gets no more than random play, there
// is no scale, and scores are "?": returns, ratings and guests tell more.
//
// # What belongs to a version of the protocol
//
// All of protocol.toml: games with the versions of their rules and data, field, background populations, numbers of
// games, the seed. Bots are named with their version, and their choices are held by golden tests (package
// agents/scripted); networks are named by their hashes in the results. How figures follow from games belongs to it,
// too: version 2 ranks each game by its own returns and has exact intervals of shares (package eval), version 3 has
// variants and characters that nobody has met. A change of any of it is another version. With other rules or data than
// the protocol's a contest is refused.
package benchmark

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/registry"
	"earthgym/env/spelling"
)

//go:embed protocol.toml
var protocolText []byte

// A Protocol is what is measured, and how.
type Protocol struct {
	Version   int        `toml:"version"`
	Seed      int        `toml:"seed"`
	Reference string     `toml:"reference"`
	Field     []string   `toml:"field"`
	Search    string     `toml:"search"`
	Games     Games      `toml:"games"`
	Contests  []Contest  `toml:"contest"`
	Scenarios []Scenario `toml:"scenario"`
	Seasons   []Season   `toml:"season"`
}

// Games are how many are played of each measurement: in full, and quickly.
type Games struct {
	Score   [2]int `toml:"score"`
	Search  [2]int `toml:"search"`
	Rating  [2]int `toml:"rating"`
	Exploit [2]int `toml:"exploit"`
	Scene   [2]int `toml:"scene"`
	Variant [2]int `toml:"variant"`
}

// A Contest is a game that agents are measured in.
type Contest struct {
	Game   string `toml:"game"`
	Rules  int    `toml:"rules"`
	Data   string `toml:"data"`
	Search bool   `toml:"search,omitempty"`
	// Variants are options of other variants of its rulebook, in which agents are scored too.
	Variants []string `toml:"variants,omitempty"`
}

// A Scenario is a seat among a background population.
type Scenario struct {
	Name       string   `toml:"name"`
	Game       string   `toml:"game"`
	Background string   `toml:"background"`
	Demands    []string `toml:"demands"`
	By         string   `toml:"by"` // what the score is: "return", "kept" or "won"
	Help       string   `toml:"help"`
}

// Demands are what scenarios may ask of an agent.
func Demands() []string { return []string{"restraint", "trust", "sanction", "reciprocity", "teamwork"} }

// Read reads the protocol of this program.
func Read() (*Protocol, error) { return read(protocolText) }

func read(text []byte) (*Protocol, error) {
	p := &Protocol{}
	if _, err := (datafile.File{Name: "protocol.toml", Bytes: text}).Decode(p); err != nil {
		return nil, err
	}
	return p, p.check()
}

func (p *Protocol) check() error {
	if !slices.Contains(p.Field, "random") || !slices.Contains(p.Field, p.Reference) {
		return errors.New("protocol.toml: the field lacks random or the reference, which scores are counted from")
	}
	for _, s := range p.Scenarios {
		if !slices.ContainsFunc(p.Contests, func(c Contest) bool { return c.Game == s.Game }) {
			return fmt.Errorf("protocol.toml: scenario %s is of %s, which is no contest", s.Name, s.Game)
		}
		if !slices.Contains([]string{byReturn, byKept, byWon}, s.By) {
			return fmt.Errorf("protocol.toml: scenario %s is scored by %q: %s, %s and %s are possible", s.Name, s.By, byReturn,
				byKept, byWon)
		}
		for _, d := range s.Demands {
			if !slices.Contains(Demands(), d) {
				return fmt.Errorf("protocol.toml: scenario %s demands %q: %s", s.Name, d, spelling.Suggest(d, Demands()))
			}
		}
	}
	return nil
}

// What a scenario is scored by.
const (
	byReturn = "return"
	byKept   = "kept"
	byWon    = "won"
)

// open opens the game of a contest, or a variant of it, which must be what the protocol says; a season's data are what
// they are.
func (c *Contest) open(all registry.Registry, variant string, season []datafile.File) (env.Game, error) {
	text := c.Game
	if variant != "" {
		text += ":" + variant
	}
	g, err := all.Open(text, season...)
	if err != nil {
		return nil, err
	}
	info := g.Info()
	if info.Rules != c.Rules || season == nil && info.DataHash != c.Data {
		return nil, fmt.Errorf("the protocol plays %s by rules %d with data %s; this program has rules %d and data %s: "+
			"its figures would not compare",
			c.Game, c.Rules, c.Data, info.Rules, info.DataHash)
	}
	return g, nil
}
