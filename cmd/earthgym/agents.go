package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"earthgym/agents"
	"earthgym/agents/checkpoint"
	"earthgym/agents/mcts"
	"earthgym/agents/scripted"
	"earthgym/agents/shipped"
	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/spelling"
	"earthgym/eval/benchmark"
	"earthgym/games"
)

func newAgents() *cobra.Command {
	var flags gameFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "agents GAME|net:FILE|mcts:",
		Short: "List what can sit at a game's table, or tell of a network",
		Long: `List the agents that come with the program for a GAME, with what they are worth, or show the card of a
network, net:FILE: what it was trained for and how, by whom, for how long, its strength, and the SHA-256
that names it. For net: alone it shows the cards of all networks that come with the program, for mcts: the
options of search.`,
		Example: `  earthgym agents resilience-earth
  earthgym agents net:runs/first
  earthgym agents net:
  earthgym agents mcts:`,
		Args: wordsAllowed(1, 1, "a game or an agent"),
		RunE: func(cmd *cobra.Command, args []string) error {
			file, ok := strings.CutPrefix(args[0], "net:")
			file, _, _ = strings.Cut(file, ",") // how it chooses
			switch {
			case args[0] == "mcts:" && asJSON:
				return usagef("--json goes with a game or a network")
			case args[0] == "mcts:":
				_, err := fmt.Fprint(cmd.OutOrStdout(), mcts.Help())
				return err
			case !ok && beginsAgent(args[0]):
				return usagef("%s: only net:FILE and mcts: are told of by themselves; earthgym agents GAME tells of all that "+
					"come with the program", args[0])
			case !ok:
				g, err := flags.open(args[0])
				if err != nil {
					return err
				}
				return runAgents(cmd.OutOrStdout(), g, asJSON)
			case file == "":
				return writeShipped(cmd.OutOrStdout(), asJSON)
			}
			if asJSON {
				c, err := checkpoint.Read(file)
				if err != nil {
					return err
				}
				return writeJSON(cmd.OutOrStdout(), describeNetwork(c))
			}
			return writeCard(cmd.OutOrStdout(), file)
		},
	}
	flags.add(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "for programs")
	return cmd
}

// listedAgent is an agent of the list.
type listedAgent struct {
	Agent    string                `json:"agent"`
	Help     string                `json:"help"`
	Strength string                `json:"strength,omitempty"` // as far as it has been measured
	Card     []checkpoint.Strength `json:"matches,omitempty"`  // of a network
	Caveats  []string              `json:"caveats,omitempty"`  // what is to be told of it at this table
}

// agentsOf lists what comes with the program for a game.
func agentsOf(g env.Game) ([]listedAgent, error) {
	standing, err := benchmarked(g.Info())
	if err != nil {
		return nil, err
	}
	list := []listedAgent{{Agent: "random", Help: "every legal action alike", Strength: standing["random"]}}
	help := map[string]string{"naive": "a bot that plays as after a first reading of the rules",
		"greedy": "a bot that takes what looks best now", "strong": "a bot that plans"}
	if scripted.Plays(g) {
		for _, level := range scripted.Levels() {
			list = append(list, listedAgent{Agent: "script:" + level, Help: help[level], Strength: standing["script:"+level]})
		}
		list = append(list, listedAgent{Agent: "script:" + scripted.Varied, Help: "the bot that plans, with a character of " +
			"its own in every game"})
	}
	c, err := shipped.Network(g.Info().Name)
	switch {
	case err == nil:
		net := listedAgent{Agent: "net:", Help: "the network that comes with the program; net:,argmax plays its " +
			"likeliest move"}
		if c.Card != nil {
			net.Card = c.Card.Strength
		}
		net.Strength = unmeasured
		if s, ok := shipped.Shown(g.Info(), "script:strong"); ok {
			net.Strength = strengthLine(s)
		}
		list = append(list, net)
	case !errors.Is(err, shipped.ErrNone):
		return nil, err
	}
	list = append(list, listedAgent{Agent: "mcts:", Help: "search; mcts:sims=N or mcts:ms=N says how much of it, " +
		"mcts:net=RUN whose network guides it"})
	for _, l := range agents.Levels(g) {
		list = append(list, listedAgent{Agent: l.Text, Help: l.Help + ": " + l.Agent, Strength: l.Strength})
	}
	for _, p := range scripted.Populations(g) {
		list = append(list, listedAgent{Agent: "background:" + p.Name, Help: "a population to measure others among: " +
			p.Help})
	}
	for i := range list {
		list[i].Caveats = agents.Caveats(g, list[i].Agent)
	}
	return append(list,
		listedAgent{Agent: "net:RUN", Help: "the network of a training run, or of a checkpoint"},
		listedAgent{Agent: "remote:COMMAND", Help: "a program that speaks the protocol of earthgym serve"},
		listedAgent{Agent: "llm:URL,model=NAME", Help: "a language model behind a server that speaks chat completions (go " +
			"doc earthgym/agents/llm)"}), nil
}

// unmeasured is the strength of an agent at a table where it has played no match that is kept.
const unmeasured = "not measured at this table"

// benchmarked tells what the stored results of the benchmark say of the agents at a table, without the versions of
// bots.
func benchmarked(info *env.Info) (map[string]string, error) {
	stored, err := benchmark.Stored()
	if err != nil {
		return nil, err
	}
	standing := map[string]string{}
	for _, row := range stored.Rows {
		for _, c := range row.Contests {
			if name, _, _ := strings.Cut(c.Game, ":"); name != info.Name || row.Network != "" || c.Rating == nil {
				continue
			}
			text, _, _ := strings.Cut(row.Agent, "@")
			if measured, err := games.Open(c.Game); err != nil || measured.Info().Text != info.Text || measured.Info().
				DataHash != info.DataHash {
				if standing[text] == "" {
					standing[text] = unmeasured
				}
				continue
			}
			standing[text] = fmt.Sprintf("%s in the benchmark: score %.2f, rating %+.0f [%+.0f, %+.0f]; random play scores "+
				"0, script:strong@1 1 and is rated 0",
				row.Agent, c.Score.Mean, c.Rating.Mean, c.Rating.CI[0], c.Rating.CI[1])
		}
	}
	return standing, nil
}

func runAgents(w io.Writer, g env.Game, asJSON bool) error {
	list, err := agentsOf(g)
	if err != nil {
		return err
	}
	if asJSON {
		return writeJSON(w, list)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, a := range list {
		fmt.Fprintf(t, "%s\t%s\n", a.Agent, a.Help)
		if a.Strength != "" {
			fmt.Fprintf(t, "\t  %s\n", a.Strength)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	var texts []string
	for _, a := range list {
		texts = append(texts, a.Agent)
	}
	writeCaveats(w, []env.Game{g}, texts)
	return nil
}

// writeCaveats tells what is to be known of agents before they play. Of several variants of a game it names one, and
// counts others.
func writeCaveats(w io.Writer, variants []env.Game, texts []string) {
	var shown []string
	others := -1
	for _, g := range variants {
		if caveats := agents.Caveats(g, texts...); len(caveats) > 0 {
			if others++; shown == nil {
				shown = caveats
			}
		}
	}
	for _, caveat := range shown {
		if others > 0 {
			caveat += fmt.Sprintf(" (and alike at %d more of %d variants)", others, len(variants))
		}
		fmt.Fprintln(w, "note:", caveat)
	}
}

// strengthLine tells in a line what a match has shown.
func strengthLine(s checkpoint.Strength) string {
	s.Game = shortGame(s.Game)
	return s.String()
}

// shortGame is a game text without the options that are as they are by default.
func shortGame(text string) string {
	g, err := games.All().Open(text)
	if err != nil {
		return text // of another version of the program
	}
	return g.Info().Short
}

// describedNetwork is a network for programs.
type describedNetwork struct {
	Hash      string           `json:"hash"`
	Game      string           `json:"game"`
	Rules     int              `json:"rules"`
	Encoding  int              `json:"encoding"`
	Hidden    []int            `json:"hidden"`
	Values    int              `json:"values"`
	Objects   []string         `json:"objects,omitempty"`
	Params    int              `json:"parameters"`
	Half      bool             `json:"float16"`
	Decisions int64            `json:"decisions"`
	Seed      datafile.Seed    `json:"seed"`
	CreatedBy string           `json:"created_by"`
	Card      *checkpoint.Card `json:"card,omitempty"`
}

func describeNetwork(c *checkpoint.Checkpoint) describedNetwork {
	s := c.Network.Spec()
	d := describedNetwork{
		Hash: c.Hash, Game: c.Game, Rules: c.Rules, Encoding: c.Encoding, Hidden: s.Hidden, Values: s.Values,
		Params: len(c.Network.Flat()),
		Half:   c.Half, Decisions: c.Decisions, Seed: datafile.Seed(c.Seed), CreatedBy: c.CreatedBy, Card: c.Card,
	}
	for _, o := range s.Objects {
		d.Objects = append(d.Objects, o.Name)
	}
	return d
}

// writeShipped shows the networks that come with the program.
func writeShipped(w io.Writer, asJSON bool) error {
	list := []describedNetwork{}
	for _, game := range shipped.Games() {
		c, err := shipped.Network(game)
		if err != nil {
			return err
		}
		list = append(list, describeNetwork(c))
	}
	if asJSON {
		return writeJSON(w, list)
	}
	if len(list) == 0 {
		_, err := fmt.Fprintln(w, "no network comes with this program yet; earthgym train makes one")
		return err
	}
	for i, d := range list {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := d.write(w); err != nil {
			return err
		}
	}
	return nil
}

// writeCard shows the network of a file or run.
func writeCard(w io.Writer, file string) error {
	c, err := checkpoint.Read(file)
	if err != nil {
		return err
	}
	return describeNetwork(c).write(w)
}

// write tells what is known of the network, for people.
func (d describedNetwork) write(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(name, format string, args ...any) { fmt.Fprintf(t, "%s\t%s\n", name, fmt.Sprintf(format, args...)) }
	line("network", "%s", d.Hash)
	line("game", "%s (rules %d, encoding %d)", shortGame(d.Game), d.Rules, d.Encoding)
	numbers := "float32"
	if d.Half {
		numbers = "float16"
	}
	line("shape", "hidden layers %v, %d parameters of %s, values of %s", d.Hidden, d.Params, numbers,
		spelling.Counted(d.Values, "seat"))
	if len(d.Objects) > 0 {
		line("points at", "%s", strings.Join(d.Objects, ", "))
	}
	line("trained on", "%d decisions, seed %d, by %s", d.Decisions, d.Seed, d.CreatedBy)
	if c := d.Card; c != nil {
		if c.Seconds > 0 {
			took := time.Duration(c.Seconds * float64(time.Second)).Round(time.Second).String()
			if c.CPUSeconds > 0 {
				took += fmt.Sprintf(" (%s of processor time)", time.Duration(c.CPUSeconds*float64(time.Second)).Round(time.Second))
			}
			line("in", "%s", took)
		}
		if c.Parent != "" {
			line("from network", "%s", c.Parent)
		}
		if len(c.Teachers) > 0 {
			line("teachers", "%s", strings.Join(c.Teachers, ", "))
		}
		if len(c.Opponents) > 0 {
			line("has met", "%s", strings.Join(c.Opponents, ", "))
		}
		if c.Sharpness > 1 {
			line("sharpened", "its logits are multiplied by %v", c.Sharpness)
		}
		for _, s := range c.Strength {
			line("strength", "%s", strengthLine(s))
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if d.Card == nil || d.Card.Config == "" {
		return nil
	}
	_, err := fmt.Fprintf(w, "\nsettings of its training:\n%s", d.Card.Config)
	return err
}
