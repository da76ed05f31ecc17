package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"earthgym/agents"
	"earthgym/env/farm"
	"earthgym/env/spelling"
	"earthgym/eval"
)

func newFarm() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "farm",
		Short: "Have many machines do the work of one command",
		Long: `Have many machines do the work of "match", "tournament", "crossplay", "benchmark", "train", "exploit", "dev
sweep" and "dev figures", which show what one machine would have shown, to the digit.

Live: one machine runs a hub, any number of them work for it, and each command takes --hub URL.

Without a server: the command does one part of its work with --shard K/N --out FOLDER, on any machine that has
the same program and the same networks, and the folders are put together.

env/farm/FARM.md shows both: by a hub, by ssh, in a Slurm array and as a Kubernetes Job.`,
		Example: `  earthgym farm hub
  earthgym farm worker nats://127.0.0.1:4222
  earthgym match new-earth net: script:strong --hub nats://127.0.0.1:4222
  earthgym farm merge a b c --out whole`,
		Args: cobra.ArbitraryArgs,
		RunE: oneBelow("what is to be done", "command"),
	}
	cmd.AddCommand(newFarmAdd(), newFarmHub(), newMerge(), newFarmStatus(), newFarmWorker())
	return cmd
}

func newMerge() *cobra.Command {
	var out string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "merge FOLDER… --out FOLDER",
		Short: "Put the shards of a command together, and show what it has shown",
		Long: `Put the folders of shards together in another one, and show what the command shows that they are shards of: to
the digit what it would show without --shard. Nothing is played or trained anew. What was put together may be
put together again with others, and a tournament, a benchmark or a sweep goes on in that folder as if one
machine had done it all. Shards of other work are refused, as are shards that another build has done, with
other networks, or with other results of the same game; where some lack they are named, and the rest is kept.

--sprt and --until are judged here, by the games in the order of the match: what lacks behind the verdict is
not asked for. Networks and data files have to be where the command names them.`,
		Example: `  earthgym tournament one-earth random script:strong --shard 1/2 --out a
  earthgym tournament one-earth random script:strong --shard 2/2 --out b
  earthgym farm merge a b --out whole --json`,
		Args: wordsAllowed(1, -1, "the FOLDER of a shard"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runMerge(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), args, out, asJSON)
		},
	}
	f := cmd.Flags()
	f.StringVar(&out, "out", "", "`FOLDER` of all together")
	f.BoolVar(&asJSON, "json", false, "for programs")
	_ = cmd.MarkFlagRequired("out")
	return cmd
}

// shareKey is where the context of a command has the shards that it puts together.
type shareKey struct{}

func runMerge(ctx context.Context, w, stderr io.Writer, dirs []string, out string, asJSON bool) error {
	share, err := farm.Merge(out, programText(), dirs...)
	if err != nil {
		return asked(err)
	}
	words := slices.Clone(share.Command())
	root := newRoot()
	if err := checkShared(root, words); err != nil {
		return fmt.Errorf("%s: %w", dirs[0], err)
	}
	words = append(words, "--out="+out)
	if asJSON {
		words = append(words, "--json")
	}
	return runShared(ctx, root, share, words, w, stderr)
}

// checkShared checks that a folder asks for nothing but a command that can be shared, with flags that say what is done.
func checkShared(root *cobra.Command, words []string) error {
	cmd, _, err := root.Find(words)
	if err != nil || cmd.Flags().Lookup("hub") == nil {
		return fmt.Errorf("%q is no command whose work is shared", strings.Join(words, " "))
	}
	for _, word := range words {
		name, _, _ := strings.Cut(strings.TrimPrefix(word, "--"), "=")
		if f := cmd.Flags().Lookup(name); strings.HasPrefix(word, "-") && (f == nil || !shapes(cmd, f)) {
			return fmt.Errorf("%q is no flag of shared work", word)
		}
	}
	return nil
}

// shapes says whether a flag says what is done, and not where, how, or what is shown of it.
func shapes(cmd *cobra.Command, f *pflag.Flag) bool {
	switch f.Name {
	case "workers":
		return cmd.Name() == "figures" // Its runs have so much time, whatever the machine makes of it.
	case "shard", "hub", "out", "json", "report", "markdown", "start-programs", "help":
		return false
	}
	return true
}

// A sharing is how a command takes part in shared work: it does one shard of it, or what was done is put together.
type sharing struct {
	*farm.Share // nil without

	shard string
	hub   string
	cmd   *cobra.Command
	args  []string
	alone bool // --out is for shards and hubs alone
	given bool // the share is that of somebody else
	begun int  // args without agents that were let in
}

// sharedFlags are the flags of a command whose work may be shared.
type sharedFlags struct {
	out     string
	workers int
	asJSON  bool
	share   sharing
}

// add declares them; --out is declared before, if it means more than the folder of a shard.
func (s *sharedFlags) add(cmd *cobra.Command) {
	workersVar(cmd.Flags(), &s.workers)
	cmd.Flags().BoolVar(&s.asJSON, "json", false, "for programs")
	s.share.add(cmd, &s.out)
}

// add declares --shard, --hub and, if the command has none, --out.
func (s *sharing) add(cmd *cobra.Command, out *string) {
	f := cmd.Flags()
	f.StringVar(&s.shard, "shard", "", "do one shard, `K/N`, and keep it in --out for earthgym farm merge")
	rare(cmd, "shard")
	if f.Lookup("out") == nil {
		s.alone = true
		f.StringVar(out, "out", "", "`FOLDER` of --shard or --hub")
		rare(cmd, "out")
	}
	s.addHub(cmd)
}

func (s *sharing) addHub(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.hub, "hub", "",
		"have the workers of the hub at this `URL` do it, and show it here (see earthgym farm)")
	rare(cmd, "hub")
	s.cmd = cmd
	before := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		s.args = args
		if s.hub != "" {
			return s.farmOut(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		}
		return before(cmd, args)
	}
}

// begin takes part in shared work, if there is any. It comes when all else of the command line was found right, and
// before what is to be done begins.
func (s *sharing) begin(ctx context.Context, out string) (err error) {
	if whole, ok := ctx.Value(shareKey{}).(*farm.Share); ok {
		s.Share, s.given = whole, true
		return nil
	}
	changed := func(flag string) bool { return s.cmd.Flags().Changed(flag) }
	switch {
	case s.shard == "" && s.alone && out != "":
		return usagef("--out is the folder of a shard: say which one, --shard K/N")
	case s.shard == "":
		return nil
	case out == "":
		return usagef("--shard %s: say where the shard is kept, --out FOLDER", s.shard)
	case (changed("until") || changed("sprt")) && !changed("games"):
		return usagef("--shard with --until or --sprt: a shard can't know when all have shown enough; say how many --games " +
			"there are at the most, and farm merge finds where they had")
	}
	for _, name := range []string{"report", "markdown", "again"} {
		if changed(name) {
			return usagef("--%s is not for a shard, which has no table", name)
		}
	}
	shard, err := farm.ReadShard(s.shard)
	if err != nil {
		return usagef("--shard: %w", err)
	}
	words := s.words(shapes)
	if foreign(words) && s.cmd.Flags().Lookup("seed") != nil && !changed("seed") {
		return usagef("--shard with a remote: or llm: agent: all shards need the same --seed")
	}
	s.Share, err = farm.Begin(out, programText(), words, shard)
	return asked(err)
}

// foreign says whether words name an agent that is a program, or a model at a server.
func foreign(words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		_, value, _ := strings.Cut(word, "=")
		return agents.IsForeign(word) || agents.IsForeign(value)
	})
}

// words are the command with some of its flags.
func (s *sharing) words(with func(*cobra.Command, *pflag.Flag) bool) []string {
	words := append(strings.Fields(s.cmd.CommandPath())[1:], s.args...)
	s.cmd.Flags().Visit(func(f *pflag.Flag) {
		if !with(s.cmd, f) {
			return
		}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			if len(list.GetSlice()) == 0 {
				words = append(words, "--"+f.Name+"=")
			}
			for _, value := range list.GetSlice() {
				words = append(words, "--"+f.Name+"="+value)
			}
			return
		}
		words = append(words, "--"+f.Name+"="+f.Value.String())
	})
	return words
}

// end ends a shard, and says what it has done, or how it was interrupted by err; it is false if there is none.
func (s *sharing) end(ctx context.Context, w io.Writer, asJSON bool, err error) (bool, error) {
	if !s.Partial() {
		return false, err
	}
	if s.given {
		return true, asked(err)
	}
	if closed := s.Close(); err == nil {
		err = closed
	}
	sum := s.Summary()
	switch {
	case err != nil && ctx.Err() != nil:
		if interrupted := new(eval.InterruptedError); !errors.As(err, &interrupted) {
			err = errors.New("interrupted")
		}
		return true, fmt.Errorf("%w; what was done is kept in %s, and the same command goes on", err, sum.Folder)
	case err != nil:
		return true, asked(err)
	case asJSON:
		return true, writeJSON(w, sum)
	}
	_, err = fmt.Fprintf(w, "shard %s is done: %s in %s, %d of them new; all shards are put together by: "+
		"earthgym farm merge FOLDER… --out FOLDER\n", sum.Shard, spelling.Counted(sum.Done, "result"), sum.Folder,
		sum.Added)
	return true, err
}
