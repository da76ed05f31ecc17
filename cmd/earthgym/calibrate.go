package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"earthgym/agents"
	"earthgym/agents/shipped"
	"earthgym/env"
	"earthgym/env/disk"
	"earthgym/eval/calibrate"
)

type calibrateOptions struct {
	game   gameFlags
	fit    calibrate.Options
	out    string
	asJSON bool
}

func newCalibrate() *cobra.Command {
	var o calibrateOptions
	cmd := &cobra.Command{
		Use:   "calibrate GAME… [AGENT]",
		Short: "Fit the levels of opponents for people to networks",
		Long: `Fit level:1 to level:5 to the network that comes with the program, by matches on common seeds. GAME alone is
every table at which the network's card measures its strength ("earthgym agents net:" shows the cards); a
game with options is that table alone.

The highest level is AGENT, or the game's own search if none is named, if it is clearly better than the
network's likeliest action; in the match it plays with 64 simulations, for time's sake. The levels below are
the network drawn from more and more softly (net:,temperature=T,loss=L); the first is as strong as
script:naive, those in between are placed where the smallest lead of a level over the one below is largest.
Then neighbours are compared on other seeds. Tables where they are not clearly apart keep the levels that are
for all other tables of their game.

With --out, the tables' levels are replaced in FILE, and those that were fitted to another network of the game
go. Those that come with the program are in agents/shipped/levels.json: "make levels" fits them again, as it must be
done for a new network.`,
		Example: `  earthgym dev calibrate resilience-earth
  earthgym dev calibrate one-earth:players=3 --games 200 --judge 1000
  earthgym dev calibrate one-earth resilience-earth --out levels.json`,
		Args: wordsAllowed(1, -1, "the game"),
		RunE: func(cmd *cobra.Command, args []string) error {
			tables, search := gamesAndAgents(args)
			switch {
			case len(tables) == 0:
				return usagef("the game is missing: it comes before the agent")
			case len(search) > 1:
				return usagef("%s: one agent is tried as the highest level", strings.Join(search, " "))
			case len(search) == 1:
				o.fit.Search = search[0]
			}
			return runCalibrate(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), tables, o)
		},
	}
	o.game.add(cmd)
	o.game.several = true
	f := cmd.Flags()
	f.IntVar(&o.fit.Games, "games", 120, "games of each match by which levels are placed, at least; more if these few "+
		"have misled")
	f.IntVar(&o.fit.Judge, "judge", 400, "games of each match of neighbours in the end, at least")
	f.IntVar(&o.fit.SearchGames, "search-games", 48, "games of that match, at least; 0 leaves search out")
	seedVar(f, &o.fit.Seed, "all chance")
	workersVar(f, &o.fit.Workers)
	f.StringVar(&o.out, "out", "", "`FILE` in which to replace the levels of these tables")
	f.BoolVar(&o.asJSON, "json", false, "for programs")
	_ = cmd.MarkFlagFilename("out", "json")
	return cmd
}

func runCalibrate(ctx context.Context, w, stderr io.Writer, args []string, o calibrateOptions) error {
	switch {
	case o.fit.Judge < 1:
		return usagef("--judge %d: at least 1", o.fit.Judge)
	case o.fit.SearchGames < 0:
		return usagef("--search-games %d: at least 0", o.fit.SearchGames)
	}
	if err := cmp.Or(checkGames(o.fit.Games), checkResults("--judge", o.fit.Judge),
		checkResults("--search-games", o.fit.SearchGames),
		checkWorkers(o.fit.Workers)); err != nil {
		return err
	}
	stored, err := readLadders(o.out)
	if err != nil {
		return err
	}
	if _, err := o.game.openAll(args); err != nil {
		return err
	}
	var tables []env.Game
	for _, text := range args {
		list, err := o.tables(text)
		if err != nil {
			return err
		}
		tables = append(tables, list...)
	}
	fitted := []agents.Ladder{}
	for _, g := range tables {
		l, err := fitTable(ctx, stderr, g, o.fit)
		switch {
		case errors.Is(err, calibrate.ErrCrowded):
			fmt.Fprintf(stderr, "%s: its levels stay those of other tables: %v\n", g.Info().Short, err)
		case err != nil:
			return asked(fmt.Errorf("%s: %w", g.Info().Short, err))
		case !o.asJSON:
			if err := writeLadder(w, g, l); err != nil {
				return err
			}
		}
		c, missing := shipped.Network(g.Info().Name)
		if missing != nil {
			return missing
		}
		stored = slices.DeleteFunc(stored, func(old agents.Ladder) bool {
			name, _, _ := strings.Cut(old.Game, ":")
			// fitted to another network
			return old.Game == g.Info().Text || strings.Contains(old.Game, ":") && name == g.Info().Name && old.Network != c.Hash
		})
		for i, old := range stored { // of all other tables
			if old.Game == g.Info().Name && old.Network != "" {
				stored[i].Network = c.Hash
			}
		}
		if err == nil {
			fitted, stored = append(fitted, *l), append(stored, *l)
		}
		if o.out != "" { // after each table, since it may take long
			if err := writeLadders(o.out, stored); err != nil {
				return err
			}
		}
	}
	if o.asJSON {
		return agents.WriteLadders(w, fitted)
	}
	return nil
}

// tables are those of a game for which levels are to be fitted: the one that is named, or, of a name alone, all at
// which the network's card measures it.
func (o *calibrateOptions) tables(text string) ([]env.Game, error) {
	g, err := o.game.open(text)
	if err != nil {
		return nil, err
	}
	c, err := shipped.Network(g.Info().Name)
	if errors.Is(err, shipped.ErrNone) {
		return nil, fmt.Errorf("no network comes with the program for %s, so that its levels are made of bots", g.Info().Name)
	}
	if err != nil || strings.Contains(text, ":") {
		return []env.Game{g}, err
	}
	var list []env.Game
	for _, text := range c.Tables() {
		g, err := o.game.open(text)
		if err != nil {
			return nil, fmt.Errorf("a game of the network's card: %w", err)
		}
		list = append(list, g)
	}
	return list, nil
}

func fitTable(ctx context.Context, stderr io.Writer, g env.Game, o calibrate.Options) (*agents.Ladder, error) {
	o.Search = cmp.Or(o.Search, shipped.TuningOf(g.Info().Name).Highest)
	if o.SearchGames == 0 {
		o.Search = ""
	}
	o.Measured = calibrate.Cheaper(o.Search)
	var bar *progress // of the match that is played
	o.Progress = func(match string, done, total int) {
		if bar == nil {
			bar = newProgress(stderr, match)
		}
		bar.set(done, total)
		if done == total {
			bar.done()
			bar = nil
		}
	}
	return calibrate.Fit(ctx, g, o)
}

// readLadders reads the levels of a file; none if there is no file yet.
func readLadders(name string) ([]agents.Ladder, error) {
	if name == "" {
		return nil, nil
	}
	if err := disk.CheckFile(name); err != nil {
		return nil, fmt.Errorf("--out: %w", err)
	}
	f, err := disk.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("--out: %w", err)
	}
	defer f.Close()
	list, err := agents.ReadLadders(f)
	if err != nil {
		return nil, fmt.Errorf("--out %s: %w", name, err)
	}
	return list, nil
}

func writeLadders(name string, list []agents.Ladder) error {
	slices.SortFunc(list, func(a, b agents.Ladder) int {
		return cmp.Or(cmp.Compare(a.Game, b.Game), cmp.Compare(a.Network, b.Network))
	})
	return disk.WriteFile(name, func(w io.Writer) error { return agents.WriteLadders(w, list) })
}

// writeLadder writes levels as a table.
func writeLadder(w io.Writer, g env.Game, l *agents.Ladder) error {
	fmt.Fprintf(w, "%s, network %s\n", g.Info().Short, l.Network[:12])
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i, made := range l.Levels {
		fmt.Fprintf(t, "level:%d\t%s\t%s\n", i+1, made.Agent, made.Strength(i+1))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}
