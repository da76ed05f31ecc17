package mcts

import (
	"time"

	"earthgym/agents/scripted"
	"earthgym/env"
)

// Defaults is what a search of the game does where its text doesn't say: what did best in matches, against others than
// the roll-out bot too (see the package documentation). In a game without bots, roll-outs are random.
func Defaults(g env.Game) Config {
	c := Config{
		Simulations: 1000,
		Rollout:     "script:" + scripted.Strong,
		Margin:      1,
		Trust:       0.1,
		Workers:     1,
	}
	switch g.Info().Name {
	case "resilience-earth":
		// A table on which somebody builds carelessly is another game.
		c.Opponents = []string{c.Rollout, c.Rollout, c.Rollout, "script:" + scripted.Greedy}
	case "new-earth":
		// Secret choices of bots can be known too well.
		c.Opponents, c.Margin = []string{"script:" + scripted.Varied}, 1.5
	case "earth-rising":
		// Roll-outs are long there, whether they win is mostly luck, and much of what can be done comes to the same.
		c.Cut, c.Width, c.Margin = 8, 5, 2
	case "earthmans-burden":
		// A plan pays so late that every cut hides it, and many actions share few simulations badly.
		c.Width, c.Margin = 4, 2
	}
	if _, err := scripted.Open(g, scripted.Strong); err != nil {
		c.Rollout, c.Tree = "random", true
	}
	return c
}

// cautious sets the margin of searches that mistake luck for strength with what Defaults says: in New Earth those of few
// simulations, where most that looks better isn't, and those that go by bots in place of the network.
func (c *Config) cautious(g env.Game) {
	few := c.Simulations < 300
	if c.Time > 0 {
		few = c.Time < 50*time.Millisecond
	}
	if g.Info().Name == "new-earth" && (few || c.Guided) {
		c.Margin = 2.5
	}
}

// treeWithNet says whether a search that a network guides is a tree that goes by the network's values: where playing games on
// to the end by the network would take seconds a decision.
func treeWithNet(g env.Game) bool { return g.Info().Name == "earthmans-burden" }

// botsWithNet says whether a flat search that a network guides plays games on by the game's bot all the same: where that finds
// more than the network does, which also takes fifty times as long. At smaller tables of New Earth the network is so far ahead
// of the bot that its eyes are the better ones.
func botsWithNet(g env.Game) bool {
	info := g.Info()
	return info.Name == "earth-rising" || info.Name == "new-earth" && info.Players == 4
}

// meetingPays says whether roll-outs save more by meeting than it takes to look out for it.
func meetingPays(g env.Game) bool { return g.Info().Name != "earthmans-burden" }
