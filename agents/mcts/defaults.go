package mcts

import (
	"slices"
	"time"

	"earthgym/agents/scripted"
	"earthgym/agents/shipped"
	"earthgym/env"
)

// Defaults is what a search of the game does where its text doesn't say: what did best in matches, against others than
// the roll-out bot too (shipped.TuningOf). In a game without bots, roll-outs are random.
func Defaults(g env.Game) Config {
	c := Config{
		Simulations: 1000,
		Rollout:     "script:" + scripted.Strong,
		Margin:      1,
		Workers:     1,
	}
	tuned := tuning(g)
	c.Opponents, c.Cut, c.Width = slices.Clone(tuned.Opponents), tuned.Cut, tuned.Width
	if tuned.Margin > 0 {
		c.Margin = tuned.Margin
	}
	if !scripted.Plays(g) {
		c.Rollout, c.Tree = "random", true
	}
	return c
}

func tuning(g env.Game) shipped.Search { return shipped.TuningOf(g.Info().Name).Search }

// cautious sets the margin of searches that mistake luck for strength with what Defaults says: those of few
// simulations, where most that looks better isn't, and those that go by bots in place of the network.
func (c *Config) cautious(g env.Game) {
	few := c.Simulations < 300
	if c.Time > 0 {
		few = c.Time < 50*time.Millisecond
	}
	if margin := tuning(g).CautiousMargin; margin > 0 && (few || c.Guided) {
		c.Margin = margin
	}
}

// treeWithNet says whether a search that a network guides is a tree that goes by the network's values: where playing
// games on to the end by the network would take seconds a decision.
func treeWithNet(g env.Game) bool { return tuning(g).TreeWithNet }

// botsWithNet says whether a flat search that a network guides plays games on by the game's bot all the same: where
// that finds more than the network does, which also takes fifty times as long.
func botsWithNet(g env.Game) bool { return tuning(g).BotsWithNet }

// meetingPays says whether roll-outs save more by meeting than it takes to look out for it.
func meetingPays(g env.Game) bool { return !tuning(g).NoMeeting }
