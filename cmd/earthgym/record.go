package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"earthgym/agents"
	"earthgym/env"

	"github.com/spf13/cobra"
)

// tableFlags name the agents at a table.
type tableFlags struct {
	list []string
	each []string
}

func (f *tableFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringSliceVar(&f.list, "agents", nil, "agents in seat order, joined by commas; the last one fills the rest")
	cmd.Flags().StringArrayVar(&f.each, "agent", nil, "one agent, for `TEXT`s with a comma; repeatable, in seat order")
	_ = cmd.RegisterFlagCompletionFunc("agents", completeAgents)
	_ = cmd.RegisterFlagCompletionFunc("agent", completeAgent)
}

// completeAgents completes the last of several agents joined by commas.
func completeAgents(cmd *cobra.Command, args []string, text string) ([]string, cobra.ShellCompDirective) {
	last := strings.LastIndexByte(text, ',') + 1
	words, directive := completeAgent(cmd, args, text[last:])
	for i := range words {
		words[i] = text[:last] + words[i]
	}
	return words, directive
}

// completeAgent completes an agent, the path of a network included.
func completeAgent(_ *cobra.Command, _ []string, text string) ([]string, cobra.ShellCompDirective) {
	const directive = cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	path, ok := strings.CutPrefix(text, "net:")
	if !ok {
		return []string{"random", "script:naive", "script:greedy", "script:strong", "net:", "remote:"}, directive
	}
	dir, _ := filepath.Split(path)
	entries, err := os.ReadDir(filepath.Clean(dir))
	if err != nil {
		return nil, directive
	}
	var words []string
	for _, e := range entries {
		switch {
		case e.IsDir():
			words = append(words, "net:"+dir+e.Name()+"/")
		case filepath.Ext(e.Name()) == ".safetensors":
			words = append(words, "net:"+dir+e.Name())
		}
	}
	return words, directive
}

// texts are the agents as they were given.
func (f *tableFlags) texts() ([]string, error) {
	switch {
	case len(f.list) > 0 && len(f.each) > 0:
		return nil, usagef("--agents and --agent exclude each other: name all agents with one of them")
	case len(f.list) > 0:
		return f.list, nil
	case len(f.each) > 0:
		return f.each, nil
	}
	return nil, usagef("no agents: say --agents A,B,… or --agent A --agent B")
}

// open opens the agents for a game.
func (f *tableFlags) open(g env.Game) ([]*agents.Maker, error) {
	texts, err := f.texts()
	if err != nil {
		return nil, err
	}
	if n := g.Info().Players; len(texts) > n {
		return nil, usagef("%d agents for the %d seats of %s", len(texts), n, g.Info().Short)
	}
	return openAgents(g, texts...)
}

// openAgents opens agents, those of one text once.
func openAgents(g env.Game, texts ...string) ([]*agents.Maker, error) {
	opened := map[string]*agents.Maker{}
	var makers []*agents.Maker
	for _, text := range texts {
		if opened[text] == nil {
			m, err := agents.Open(text, g)
			var wrong *agents.TextError
			switch {
			case errors.As(err, &wrong):
				return nil, usage(err)
			case err != nil:
				return nil, err
			}
			opened[text] = m
		}
		makers = append(makers, opened[text])
	}
	return makers, nil
}

type recordOptions struct {
	game  gameFlags
	table tableFlags
	seed  uint64
	games int
	out   string
}

func newRecord() *cobra.Command {
	o := recordOptions{}
	cmd := &cobra.Command{
		Use:   "record GAME",
		Short: "Play games and write their records",
		Long: `Play games, the first on the given seed, each further one on the next seed, and write the record of
each to the folder: GAME-SEED.jsonl. An existing file of that name is replaced.`,
		Example: `  earthgym record resilience-earth --seed 7 --agents script:strong,script:greedy --games 3 --out records
  earthgym record resilience-earth:players=2 --agent "net:runs/first,argmax" --agent random --out records`,
		Args: wordsAllowed(1, 1, "the game"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runRecord(cmd.Context(), cmd.OutOrStdout(), args[0], o)
		},
	}
	o.game.add(cmd)
	o.table.add(cmd)
	f := cmd.Flags()
	f.Uint64Var(&o.seed, "seed", 1, "seed of the first game")
	f.IntVar(&o.games, "games", 1, "games to play")
	f.StringVar(&o.out, "out", "records", "folder for the records; it is made if need be")
	_ = cmd.MarkFlagDirname("out")
	return cmd
}

func runRecord(ctx context.Context, w io.Writer, game string, o recordOptions) error {
	if o.games < 1 {
		return usagef("--games %d: at least 1", o.games)
	}
	g, err := o.game.open(game)
	if err != nil {
		return err
	}
	makers, err := o.table.open(g)
	if err != nil {
		return err
	}
	seats := make([]agents.Agent, g.Info().Players)
	names := make([]string, len(seats))
	for p := range seats {
		m := makers[min(p, len(makers)-1)]
		if seats[p], err = m.New(); err != nil {
			return err
		}
		if c, ok := seats[p].(io.Closer); ok {
			defer c.Close() // Its games are played then.
		}
		names[p] = m.Text
	}
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return fmt.Errorf("cannot make the folder for the records: %w", err)
	}
	for i := range o.games {
		seed := o.seed + uint64(i)
		ref, err := env.NewReferee(g, seed)
		if err != nil {
			return err
		}
		if err := agents.Play(ctx, ref, seats); err != nil {
			if ctx.Err() != nil {
				return fmt.Errorf("interrupted: the records of %d of %d games are written", i, o.games)
			}
			return err
		}
		name := filepath.Join(o.out, fmt.Sprintf("%s-%d.jsonl", g.Info().Name, seed))
		if err := env.WriteFile(name, ref.Record(names).Write); err != nil {
			return err
		}
		r := ref.Result()
		won := "nobody wins"
		if r.Winners != env.Nobody {
			won = "won by seat " + strings.ReplaceAll(r.Winners.String(), " ", ", ")
		}
		fmt.Fprintf(w, "%s: %d decisions, ended by %s, %s\n", name, r.Decisions, r.Reason, won)
	}
	return nil
}
