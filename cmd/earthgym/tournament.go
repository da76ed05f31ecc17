package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/record"
	"earthgym/eval"
)

type tournamentOptions struct {
	sharedFlags
	game     gameFlags
	games    int
	seed     uint64
	again    []string
	programs bool // that the folder names are started
	onward   bool // to where it was to go before
	until    string
	anchor   string
	forfeit  string
	floor    int
	given    []string // flags that are said at the beginning
	records  bool
	times    bool
	report   []string
}

func newTournament() *cobra.Command {
	o := tournamentOptions{}
	cmd := &cobra.Command{
		Use:   "tournament GAME AGENT… --out FOLDER",
		Short: "Play a field of agents against each other, with ratings",
		Long: `Play a tournament: every mix of the agents that a table has room for, in turns, each in all
rotations on a seed of its own, so that every agent meets every other one equally often in every
seat. Every game is kept in the folder: one that is stopped or killed goes on by the same command, or
without GAME by what the folder says; nothing is played twice, and the table is the same to the last
digit. A larger --games adds games to a
finished one; without --games and --until it goes on to where it was to go before. --again AGENT plays
the games of an agent again that has changed under its name, such as a network that was trained on,
and those of others stay: the table is that of a tournament played anew.

In cooperative and solo games each agent holds whole tables, on the same seeds as the others; where
motives are mixed, agents also play among themselves. Agents that are programs start anew for the
games of each seed, and have 10 s to say hello and for each decision (see match); one that ends, hangs or
answers nonsense loses the game, is counted, and stops nobody.

Ratings are strengths of the Plackett-Luce model, ties included, on Elo's scale, with the anchor's
at 0 (the first agent's if left out). They say little where who beats whom goes in a circle: the
table of pairs, deviation ratings (0 for those whom it is hardest to replace, copies don't count)
and soft Condorcet (who beats each other one comes first) say more. Misfits name the pairs whose results
the ratings don't explain, and where other methods disagree with clear ratings the table says so.

After the field the first agent that does anything by chance plays against a copy of itself, with luck
of its own, at tables of these two: the noise floor, how large a difference looks where there is none.
Its games are kept and gone on with as all others are, and ratings know nothing of them. They are a
quarter of the field's at the most, and take half as many seats as that agent does there; --floor 400
says how many, --floor 0 plays none. --until asks for the intervals of the field alone.`,
		Example: `  earthgym tournament new-earth random script:naive script:strong --out cup
  earthgym tournament --out cup --games 10000
  earthgym tournament --out cup --again net:runs/a
  earthgym tournament one-earth script:strong net:runs/a --until ±0.03 --out a
  earthgym tournament --out cup --record --report cup.html`,
		Args: wordsAllowed(0, -1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("games") && o.until != "" {
				o.games = sequentialGames
			}
			o.onward = len(args) == 0 && !cmd.Flags().Changed("games") && !cmd.Flags().Changed("until")
			if there, err := eval.ReadTournament(o.out); err == nil && !cmd.Flags().Changed("seed") {
				o.seed = there.Seed
			} else {
				o.seed = tableSeed(cmd, o.seed, args...)
			}
			for _, name := range []string{"seed", "forfeit", "floor", "record"} {
				if cmd.Flags().Changed(name) {
					o.given = append(o.given, "--"+name)
				}
			}
			return runTournament(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), args, o)
		},
	}
	o.game.add(cmd)
	cmd.ValidArgsFunction = completeGameAndAgents
	f := cmd.Flags()
	f.IntVar(&o.games, "games", 1000, "games in all, at least")
	seedVar(f, &o.seed, "all chance of the tournament"+seedHelp)
	f.StringVar(&o.out, "out", "", "the `FOLDER` of the tournament")
	f.BoolVar(&o.programs, "start-programs", false, fmt.Sprintf(startProgramsHelp, "the folder"))
	f.StringArrayVar(&o.again, "again", nil, "where a tournament goes on, an `AGENT` whose games are played again; "+
		"repeatable")
	f.StringVar(&o.until, "until", "", "stop when the interval of every agent's return is no wider than ±`WIDTH`, such "+
		"as ±0.02")
	f.StringVar(&o.anchor, "anchor", "", "the `AGENT` whose rating is 0; the first if left out")
	forfeitVar(cmd, &o.forfeit)
	addFloor(f, &o.floor, "field's")
	f.BoolVar(&o.records, "record", false, "keep the record of every game in the folder; forfeits are among its "+
		"header's meta")
	f.BoolVar(&o.times, "times", false, "also show how long agents think")
	reportVar(cmd, &o.report, "; with --record a page leads to games")
	o.add(cmd)
	_ = cmd.MarkFlagRequired("out")
	rare(cmd, "again", "anchor", "floor", "start-programs", "times")
	return cmd
}

func runTournament(ctx context.Context, w, stderr io.Writer, args []string, o tournamentOptions) error {
	if err := cmp.Or(checkGames(o.games), checkWorkers(o.workers), checkFloor(o.floor)); err != nil {
		return err
	}
	width, err := readHalfWidth(o.until)
	if err != nil {
		return err
	}
	if err := checkReport(o.report...); err != nil {
		return err
	}
	switch _, err := os.Stat(filepath.Join(o.out, eval.TournamentFile)); {
	case len(args) == 0 && o.share.shard != "":
		return usagef("--shard is for a tournament that is named: a game and at least two agents are missing")
	case len(args) == 0 && o.given != nil:
		return usagef("without GAME the tournament in %s goes on; leave out what is said at its beginning: %s", o.out,
			strings.Join(o.given, ", "))
	case len(args) == 0 && err == nil:
	case len(args) == 0:
		return usagef("a tournament has a game and at least two agents, and there is none in %s to go on with", o.out)
	case len(args) < 3:
		return usagef("a tournament has a game and at least two agents; without any of them one in %s goes on", o.out)
	case o.again != nil && err != nil:
		return usagef("--again is for a tournament that goes on: there is none in %s", o.out)
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return err
	}
	settings := eval.TournamentSettings{Seed: o.seed, Floor: o.floor, Records: o.records}
	if len(args) == 0 {
		if settings, err = eval.ReadTournament(o.out); err != nil {
			return err
		}
		if err := checkPrograms(o.out, append(settings.Agents, settings.Substitute), o.programs); err != nil {
			return err
		}
		if o.onward && settings.Games > 0 {
			o.games, width = settings.Games, settings.HalfWidth
		}
	} else {
		settings.Game, settings.Agents = args[0], args[1:]
	}
	if o.anchor != "" && !slices.Contains(settings.Agents, o.anchor) {
		return usagef("--anchor %s: it is none of the agents %s", o.anchor, strings.Join(settings.Agents, " "))
	}
	g, err := o.game.open(settings.Game)
	if err != nil {
		return err
	}
	makers, err := openAgents(g, settings.Agents...)
	if err != nil {
		return err
	}
	defer writeSpending(stderr, makers)
	writeCaveats(stderr, []env.Game{g}, settings.Agents)
	substitute, err := tournamentSubstitute(g, settings, o, len(args) == 0)
	if err != nil {
		return err
	}
	if err := o.share.begin(ctx, o.out); err != nil {
		return err
	}
	t, err := eval.OpenTournament(o.out, g, makers, eval.TournamentOptions{
		Seed: settings.Seed, Substitute: substitute, Floor: settings.Floor, Records: settings.Records, Program: programText(),
		Most: mostGames(), Again: o.again, Share: o.share.Share,
	})
	if changed := new(eval.ChangedError); errors.As(err, &changed) {
		for _, text := range changed.Agents {
			err = fmt.Errorf("%w; to play their games again: --again %s", err, quote(text))
		}
	}
	if err != nil {
		return asked(err)
	}
	err = playTournament(ctx, w, stderr, g, t, o, width)
	return errors.Join(err, t.Close())
}

// tournamentSubstitute is what takes over forfeited seats: in a tournament that goes on, what has done so before.
func tournamentSubstitute(g env.Game, settings eval.TournamentSettings, o tournamentOptions,
	onward bool) (*agents.Maker, error) {
	switch {
	case !onward:
		return openSubstitute(g, o.forfeit)
	case settings.Substitute == "":
		return nil, nil
	}
	return agents.Open(settings.Substitute, g)
}

func playTournament(ctx context.Context, w, stderr io.Writer, g env.Game, t *eval.Tournament, o tournamentOptions,
	width float64) error {
	report := newReport(g.Info().Title+": tournament", []eval.Setting{
		{Name: "game", Value: g.Info().Text}, {Name: "games", Value: fmt.Sprint(o.games)},
		{Name: "seed", Value: fmt.Sprint(t.Seed())},
	})
	live := newLiveStandings(stderr, t)
	err := t.Play(ctx, o.games, width, eval.Options{Workers: o.workers, Progress: live.set})
	live.done()
	if done, err := o.share.end(ctx, w, o.asJSON, err); done {
		return err
	}
	if err != nil {
		if ctx.Err() != nil {
			var names []string
			for _, s := range t.Standings() {
				names = append(names, s.Agent)
			}
			return fmt.Errorf("%w, which are kept; go on with: earthgym tournament --out %s%s", err, quote(o.out),
				startPrograms(names))
		}
		return err
	}
	r, err := t.Result(o.anchor)
	if err != nil {
		return err
	}
	report.Tournament, report.Took = r, time.Since(report.Date)
	if o.times {
		report.Thinking = t.Thinking()
	}
	var filed error
	for _, name := range o.report {
		filed = cmp.Or(filed, linkRecords(name, o.out, r), writeReport(name, []env.Game{g}, report))
	}
	if o.asJSON {
		return cmp.Or(writeTournamentJSON(w, r, t, o.times), filed)
	}
	if err := eval.WriteTournament(w, r); err != nil {
		return err
	}
	if o.times {
		if err := eval.WriteThinking(w, t.Thinking()); err != nil {
			return err
		}
	}
	return tellReports(w, o.report, filed)
}

// linkedForfeits is how many games that somebody has forfeited a report leads to.
const linkedForfeits = 5

// linkRecords lets a report lead to the records of games that stand out, as seen from the report, and reads those of
// the first games, of which it shows pages. It does nothing where none are kept.
func linkRecords(report, dir string, r *eval.TournamentResult) error {
	if r.Records == "" {
		return nil
	}
	from, err := filepath.Abs(filepath.Dir(report))
	if err != nil {
		return err
	}
	to, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	longest, shortest, forfeits := 0, 0, 0
	var linked []int
	for i, o := range r.Outcomes {
		if o.Decisions > r.Outcomes[longest].Decisions {
			longest = i
		}
		if o.Decisions < r.Outcomes[shortest].Decisions {
			shortest = i
		}
		if o.Forfeits != nil && forfeits < linkedForfeits {
			forfeits++
			linked = append(linked, i)
		}
	}
	for _, i := range append(linked, longest, shortest) {
		file, err := filepath.Rel(from, filepath.Join(to, eval.RecordFile(i)))
		if err != nil {
			return err
		}
		r.Outcomes[i].File = (&url.URL{Path: filepath.ToSlash(file)}).String()
	}
	for i := range r.Outcomes[:min(shownGames, len(r.Outcomes))] {
		if r.Outcomes[i].Record, err = record.ReadFile(filepath.Join(dir, eval.RecordFile(i))); err != nil {
			return err
		}
	}
	return nil
}

// writeTournamentJSON writes the result, with how long agents think, if that is asked for, as a further field.
func writeTournamentJSON(w io.Writer, r *eval.TournamentResult, t *eval.Tournament, times bool) error {
	with := struct {
		*eval.TournamentResult
		Thinking []eval.AgentThinking `json:"thinking,omitempty"`
	}{TournamentResult: r}
	if times {
		with.Thinking = t.Thinking().Agents()
	}
	return writeJSON(w, with)
}

// readHalfWidth reads ±0.02; 0 is none.
func readHalfWidth(text string) (float64, error) {
	if text == "" {
		return 0, nil
	}
	width, err := strconv.ParseFloat(strings.TrimPrefix(text, "±"), 64)
	if err != nil || !(width > 0) || math.IsInf(width, 1) {
		return 0, usagef("--until %s: it is a number above 0 such as ±0.02", text)
	}
	return width, nil
}
