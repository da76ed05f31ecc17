package shipped

import (
	_ "embed"
	"fmt"
	"sync"

	"earthgym/env/datafile"
)

//go:embed tuning.toml
var tuningText []byte

// Levels are the levels of opponents for people (agents.Ladder), as "earthgym dev calibrate" writes them.
//
//go:embed levels.json
var Levels []byte

// A Tuning is what matches have shown of a game beside its networks and levels.
type Tuning struct {
	Data string `toml:"data"` // hash of the component data with which it was found
	// the search to be tried as its highest level, as many simulations as fit into a second on two cores; "" where search
	// has shown no gain
	Highest     string       `toml:"highest"`
	Search      Search       `toml:"search"`
	Populations []Population `toml:"populations"`
}

// A Search is how a game is searched where the agent's text doesn't say (package mcts). What is 0 is as in other games.
type Search struct {
	Opponents      []string `toml:"opponents"` // who plays the other seats in roll-outs
	Margin         float64  `toml:"margin"`
	CautiousMargin float64  `toml:"cautious_margin"` // of searches that mistake luck for strength with Margin
	Cut            int      `toml:"cut"`
	Width          int      `toml:"width"`
	TreeWithNet    bool     `toml:"tree_with_net"` // a network guides a tree, and values its nodes
	BotsWithNet    bool     `toml:"bots_with_net"` // roll-outs are the bot's though a network guides them
	NoMeeting      bool     `toml:"no_meeting"`    // roll-outs meet too seldom to look out for it
}

// A Population is who others are measured among where motives are mixed: the strong bot of version 1 with weights that
// give it a character. Nobody trains against them (Leibo et al. 2021, "Scalable evaluation of multi-agent reinforcement
// learning with Melting Pot"): they are what an agent has never met.
type Population struct {
	Name    string             `toml:"name"`    // "steward"
	Help    string             `toml:"help"`    // what it is like, in one line
	Weights map[string]float64 `toml:"weights"` // as the bot names them; infinite is as high as they go
}

var tunings = sync.OnceValues(func() (map[string]Tuning, error) {
	var all map[string]Tuning
	if _, err := (datafile.File{Name: "tuning.toml", Bytes: tuningText}).DecodePart(&all); err != nil {
		return nil, fmt.Errorf("what comes with the program: %w", err)
	}
	return all, nil
})

// TuningOf is what is known of a game, by the name of its rulebook; nothing of others than those of the program.
func TuningOf(game string) Tuning {
	all, _ := tunings() // A test reads it.
	return all[game]
}
