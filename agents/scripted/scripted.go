// Package scripted holds bots with written-down strategies, three for each game: a naive one that plays
// as somebody does who has just read the rules, a greedy one that takes what looks best now, and a strong
// one that plans. They are the fixed marks that other agents are measured by.
//
// The bots of a game are one file. They read the game's own State, which they get redealt from the View,
// so that they know no more than any other agent.
package scripted

import (
	"fmt"
	"slices"

	"earthgym/env"
)

// A Bot is a scripted agent for one game, which always finds a legal action. An instance belongs to one
// seat and one goroutine.
type Bot interface {
	// Reset comes before each game. All chance comes from the seed.
	Reset(seed uint64)
	// Act chooses one of the legal actions of v.
	Act(v *env.View) env.Action
}

// The levels, from weak to strong.
const (
	Naive  = "naive"
	Greedy = "greedy"
	Strong = "strong"
)

// levels are all levels, in the order of script.bots.
var levels = [...]string{Naive, Greedy, Strong}

// Levels are the names of all levels, from weak to strong.
func Levels() []string { return slices.Clone(levels[:]) }

// A script is the three bots of one game.
type script struct {
	rulebook func() *env.Rulebook
	bots     [len(levels)]func(g env.Game) Bot
}

func scripts() []script {
	return []script{oneEarthBots, risingBots, newEarthBots, resilienceBots, earthmanBots}
}

// Open finds the bot of a level that plays g. What it gives makes one instance at each call.
func Open(g env.Game, level string) (func() Bot, error) { return open(scripts(), g, level) }

func open(scripts []script, g env.Game, level string) (func() Bot, error) {
	for _, s := range scripts {
		if s.rulebook().Name != g.Info().Name {
			continue
		}
		for i, create := range s.bots {
			if levels[i] == level {
				return func() Bot { return create(g) }, nil
			}
		}
		return nil, fmt.Errorf("unknown level %q of scripted bots: %s", level, env.Suggest(level, levels[:]))
	}
	return nil, fmt.Errorf("%s has no scripted bots", g.Info().Name)
}
