package mcts

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"earthgym/env"
	"earthgym/env/spelling"
)

// Config says how to search. [Parse] makes one of an agent's text, and refuses what would do nothing there; its zero
// value is no valid Config.
type Config struct {
	// Simulations is how many games are played on for one decision, Time how long that may take. One of them is 0: the
	// other bounds the search. In each round of a flat search whatever is compared is tried once at least,
	// so that few simulations become a few more where many actions are legal, and little time what it takes to try all
	// once. With Time, results depend on the machine's speed.
	Simulations int
	Time        time.Duration

	// Tree grows a search tree (package doc); otherwise only the root's actions are told apart.
	Tree bool
	// Rollout plays games on, for the searcher and for all others: "random", a bot such as "script:strong", or,
	// with a network, "net". "script:varied" has another character in each sample.
	Rollout string
	// Opponents play the other seats of roll-outs in place of Rollout. Each sample draws one of them for all other
	// seats; one that is named twice is drawn twice as often.
	Opponents []string
	// Guided lets a network guide the search: that of the checkpoint or run Net, or, if that is "", the one that comes
	// with the program.
	Guided bool
	Net    string
	// Cut is how many decisions of its own the searcher plays on for before the network values the position, or else
	// the game's own outlook (env.Outlook), as soon as it can; 0 is to the end of the game. In a tree with a network, 1
	// values a new node at once, whoever decides there.
	Cut int
	// Width is how many actions a flat search compares at most: the bot's choice and those that it scores best, or that
	// the network finds likeliest; 0 is all, as it is for bots that score nothing. Where a network plays games on, it is
	// one for every eight simulations if it isn't named, eight under a time limit.
	Width int

	// Margin is by how many standard errors of its paired differences an action must beat the roll-out bot's own
	// choice to be played in its place, in four samples at least: fewer simulations leave the choice as it is.
	Margin float64

	// Workers is how many goroutines search; a tree is grown by one. What is found doesn't depend on it if
	// the budget is in simulations.
	Workers int
}

// setting is one option of an agent's text.
type setting struct {
	name string
	help string
	set  func(c *Config, value string) error
}

// settings are the options in the order of the documentation.
func settings() []setting {
	return []setting{
		{"sims", "simulations a decision, 1 to 10000000", func(c *Config, v string) error {
			return whole(v, 1, 10_000_000, &c.Simulations)
		}},
		{"ms", "milliseconds a decision, 1 to 3600000, in place of sims", func(c *Config, v string) error {
			n := 0
			err := whole(v, 1, 3_600_000, &n)
			c.Time = time.Duration(n) * time.Millisecond
			return err
		}},
		{"mode", "flat (the actions of the moment compared on common samples) or tree", func(c *Config, v string) error {
			if c.Tree = v == "tree"; !c.Tree && v != "flat" {
				return errors.New(spelling.Suggest(v, []string{"flat", "tree"}))
			}
			return nil
		}},
		{"rollout", "who plays games on: script:LEVEL, script:varied (with another character in each sample), random, or " +
			"with net= also net (drawn from its policy) and argmax (its likeliest action)", func(c *Config, v string) error {
			c.Rollout = v
			return nil
		}},
		{"opponents", "who plays the other seats in roll-outs, drawn for each sample: BOT+BOT+…",
			func(c *Config, v string) error {
				c.Opponents = strings.Split(v, "+")
				return nil
			}},
		{"net", "the checkpoint or run of a network that guides the search; empty for the one that comes with the program",
			func(c *Config, v string) error {
				c.Guided, c.Net = true, v
				return nil
			}},
		{"cut", "own decisions until the network or the game's outlook values the position, 0 (the end of the game) to 1000",
			func(c *Config, v string) error {
				return whole(v, 0, 1000, &c.Cut)
			}},
		{"width", "most actions to compare, the incumbent and those that the bot scores best or the network finds " +
			"likeliest, 0 (all) to 1000; if left out one for every 8 simulations that a network plays on, 8 with ms=",
			func(c *Config, v string) error {
				return whole(v, 0, 1000, &c.Width)
			}},
		{"margin", "standard errors by which to beat the bot's choice, 0 to 10", func(c *Config, v string) error {
			return number(v, 0, 10, &c.Margin)
		}},
		{"workers", "goroutines that search, 1 to 64; a tree is grown by one",
			func(c *Config, v string) error { return whole(v, 1, 64, &c.Workers) }},
	}
}

// Help lists the options, one a line.
func Help() string {
	var b strings.Builder
	for _, s := range settings() {
		fmt.Fprintf(&b, "%-10s %s\n", s.name, s.help)
	}
	return b.String()
}

// Parse reads options such as "sims=800" or "ms=200,rollout=script:greedy", laid over what is best for the game as far
// as matches have shown ([Defaults]). With a network that is a flat search whose roll-outs the network plays to the
// end, half of them against the game's bot; in Earth Rising and New Earth one whose roll-outs are the bot's; and in
// games of thousands of decisions a tree that goes by the network's values.
func Parse(text string, g env.Game) (Config, error) {
	c := Defaults(g)
	named := map[string]bool{}
	for _, option := range strings.Split(text, ",") {
		if option == "" && text == "" {
			break
		}
		name, value, ok := strings.Cut(option, "=")
		if !ok {
			return Config{}, fmt.Errorf("option %q of mcts is not of the form NAME=VALUE", option)
		}
		if named[name] {
			return Config{}, fmt.Errorf("option %s of mcts is given twice", name)
		}
		named[name] = true
		if err := c.apply(name, value); err != nil {
			return Config{}, err
		}
	}
	if named["sims"] && named["ms"] {
		return Config{}, errors.New("mcts takes sims= or ms=, not both")
	}
	if c.Time > 0 {
		c.Simulations = 0
	}
	if !named["margin"] {
		c.cautious(g)
	}
	if c.Guided {
		c.guided(g, named)
	}
	if named["rollout"] && !named["opponents"] {
		c.Opponents = nil
	}
	if !named["width"] && (c.Tree || !c.scores(g)) {
		c.Width = 0
	}
	return c, c.check(g)
}

// Alone is the search without a network that is best for the game, with the budget of c.
func (c *Config) Alone(g env.Game) (Config, error) {
	budget := fmt.Sprintf("sims=%d", c.Simulations)
	if c.Time > 0 {
		budget = fmt.Sprintf("ms=%d", c.Time.Milliseconds())
	}
	return Parse(fmt.Sprintf("%s,workers=%d", budget, c.Workers), g)
}

// Text says all of the Config as options, in the order of the documentation: Parse reads it as this Config again.
func (c *Config) Text() string {
	mode := "flat"
	if c.Tree {
		mode = "tree"
	}
	options := []string{fmt.Sprintf("sims=%d", c.Simulations)}
	if c.Time > 0 {
		options[0] = fmt.Sprintf("ms=%d", c.Time.Milliseconds())
	}
	options = append(options, "mode="+mode, "rollout="+c.Rollout)
	if c.Opponents != nil {
		options = append(options, "opponents="+strings.Join(c.Opponents, "+"))
	}
	if c.Guided {
		options = append(options, "net="+c.Net)
	}
	return strings.Join(append(options,
		fmt.Sprintf("cut=%d", c.Cut), fmt.Sprintf("width=%d", c.Width), fmt.Sprintf("margin=%v", c.Margin),
		fmt.Sprintf("workers=%d", c.Workers),
	), ",")
}

func (c *Config) apply(name, value string) error {
	var names []string
	for _, s := range settings() {
		if s.name == name {
			if err := s.set(c, value); err != nil {
				return fmt.Errorf("%s=%s: %w", name, value, err)
			}
			return nil
		}
		names = append(names, s.name)
	}
	return fmt.Errorf("unknown option %q of mcts: %s", name, spelling.Suggest(name, names))
}

// batched says whether simulations go on side by side: flat search in which the network plays the searcher.
func (c *Config) batched() bool { return !c.Tree && network(c.Rollout) }

// meets says whether roll-outs look out for one another: those of bots in flat search.
func (c *Config) meets(g env.Game) bool {
	return !c.Tree && !c.batched() && c.Rollout != "random" && meetingPays(g)
}

// guided sets what a network changes, unless it was named.
func (c *Config) guided(g env.Game, named map[string]bool) {
	tree := treeWithNet(g)
	if named["mode"] {
		tree = c.Tree
	}
	c.Tree = tree
	bots := !tree && !named["rollout"] && botsWithNet(g)
	if !named["opponents"] {
		c.Opponents = nil
		if !tree && !bots && c.Rollout != "random" { // who knows only itself plays badly against others
			c.Opponents = []string{"argmax", c.Rollout}
		}
	}
	if !named["rollout"] && !bots {
		c.Rollout = "argmax"
	}
	if !named["cut"] && !bots {
		c.Cut = 0
		if tree {
			c.Cut = 1
		}
	}
	if c.batched() && !named["width"] && c.Width == 0 {
		c.Width = timedWidth
		if c.Time == 0 {
			c.Width = max(c.Simulations/leastTries, 2)
		}
	}
}

// leastTries is how many simulations there are for each action that is compared where a network plays games on. They
// are few there, and of many actions that are tried twice each the luckiest looks best.
const leastTries = 8

// timedWidth is how many actions are compared there under a time limit, when nobody knows how many simulations it is
// worth: as many as 64 of them share, so that little time tells them apart too.
const timedWidth = 8

// network says whether it is a network that plays games on.
func network(rollout string) bool { return rollout == "net" || rollout == "argmax" }

// check reports options that don't go together.
func (c *Config) check(g env.Game) error {
	_, foresees := g.New().(env.Outlook)
	switch {
	case !c.Guided && network(c.Rollout):
		return fmt.Errorf("rollout=%s needs net=, the network", c.Rollout)
	case !c.Guided && slices.ContainsFunc(c.Opponents, network):
		return fmt.Errorf("opponents=%s needs net=, the network", strings.Join(c.Opponents, "+"))
	case !c.Guided && !foresees && c.Cut > 0:
		return fmt.Errorf("cut needs net=, the network that values positions: %s has no outlook of its own, so games are "+
			"played to the end", g.Info().Name)
	case c.Tree && c.Width > 0:
		return errors.New("width is for mode=flat")
	}
	for _, text := range append([]string{c.Rollout}, c.Opponents...) {
		if _, err := openPlayer(text, g, c.Guided, nil); err != nil {
			return err
		}
	}
	if c.Width > 0 && !c.scores(g) {
		return fmt.Errorf("width needs net= or a bot that scores actions, to say which are compared: %s does not", c.Rollout)
	}
	return c.idle(g)
}

// scores says whether the network or the roll-outs' bot can say which actions are promising.
func (c *Config) scores(g env.Game) bool {
	if c.Guided {
		return true
	}
	open, err := openPlayer(c.Rollout, g, false, nil)
	if err != nil {
		return true // check says what is wrong with it
	}
	bot, scripted := open().(interface{ Scored() bool })
	return scripted && bot.Scored()
}

// idle reports an option that does nothing beside the others. Those that are as Defaults has them may: Text names all.
func (c *Config) idle(g env.Game) error {
	d := Defaults(g)
	d.Simulations, d.Time, d.Guided = c.Simulations, c.Time, c.Guided
	d.cautious(g)
	valued := c.Tree && c.Guided && c.Cut == 1
	switch {
	case valued && c.Rollout != "argmax":
		return fmt.Errorf("rollout=%s does nothing: the network values new nodes with cut=1, and nothing is played on",
			c.Rollout)
	case valued && len(c.Opponents) > 0:
		return fmt.Errorf("opponents=%s does nothing: the network values new nodes with cut=1, and nothing is played on",
			strings.Join(c.Opponents, "+"))
	case c.Margin != d.Margin && !c.Guided && c.Rollout == "random":
		return fmt.Errorf("margin=%v does nothing: it is for searches that have an incumbent, by a bot or by net=", c.Margin)
	}
	return nil
}

func whole(text string, low, high int, dst *int) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < low || n > high {
		return fmt.Errorf("it is a whole number from %d to %d", low, high)
	}
	*dst = n
	return nil
}

func number(text string, low, high float64, dst *float64) error {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x) || x < low || x > high {
		return fmt.Errorf("it is a number from %v to %v", low, high)
	}
	*dst = x
	return nil
}
