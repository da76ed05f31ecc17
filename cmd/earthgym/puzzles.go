package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/bits"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"earthgym/agents"
	"earthgym/cmd/earthgym/web"
	"earthgym/env"
	"earthgym/env/decode"
	"earthgym/env/disk"
	"earthgym/env/record"
	"earthgym/env/referee"
)

type puzzlesOptions struct {
	game gameFlags
	each int
	seed uint64
	out  string
}

func newPuzzles() *cobra.Command {
	var o puzzlesOptions
	cmd := &cobra.Command{
		Use:   "puzzles GAME… --out FILE",
		Short: "Find positions with one move that a search is sure of",
		Long: `Find the puzzles of the page on which games are begun. Bots of many characters play, and a search compares
all that can be chosen at some of the last decisions of each game, where it plays on to the end. A position is
a puzzle if a move, or up to three that are alike, is ahead of every other one by more than three standard
errors and a return of 0.05, twice, under other luck each time, and if the bot that played or script:greedy
missed it. The losses and their errors stand with the puzzle. FILE keeps the puzzles of other games.`,
		Example: "  earthgym dev puzzles one-earth --out puzzles.json",
		Args:    wordsAllowed(1, -1, "the game"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runPuzzles(cmd.Context(), cmd.OutOrStdout(), args, o)
		},
	}
	o.game.add(cmd)
	o.game.several = true
	f := cmd.Flags()
	f.IntVar(&o.each, "each", 30, "puzzles of each game")
	seedVar(f, &o.seed, "the first game")
	f.StringVar(&o.out, "out", "", "`FILE` of puzzles")
	_ = cmd.MarkFlagRequired("out")
	_ = cmd.MarkFlagFilename("out", "json")
	return cmd
}

func runPuzzles(ctx context.Context, w io.Writer, texts []string, o puzzlesOptions) error {
	if o.each < 1 {
		return usagef("--each %d: at least 1", o.each)
	}
	if _, err := readPuzzles(o.out); err != nil { // before hours are spent
		return err
	}
	opened, err := o.game.openAll(texts)
	if err != nil {
		return err
	}
	for _, g := range opened {
		if err := findPuzzles(ctx, w, g, o); err != nil {
			return err
		}
	}
	return nil
}

// readPuzzles reads a file of puzzles that can be written; none if it isn't there.
func readPuzzles(file string) (all []web.Puzzle, err error) {
	if err := disk.CheckFile(file); err != nil {
		return nil, fmt.Errorf("--out: %w", err)
	}
	text, err := os.ReadFile(file)
	if err == nil {
		err = decode.JSON(text, &all)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("--out %s: %w", file, err)
	}
	return all, nil
}

// keepPuzzles replaces a game's puzzles in a file.
func keepPuzzles(file, game string, found []web.Puzzle) error {
	all, err := readPuzzles(file)
	if err != nil {
		return err
	}
	name := func(p web.Puzzle) string { before, _, _ := strings.Cut(p.Game, ":"); return before }
	all = append(slices.DeleteFunc(all, func(p web.Puzzle) bool { return name(p) == game }), found...)
	slices.SortStableFunc(all, func(a, b web.Puzzle) int { return cmp.Compare(name(a), name(b)) })
	return disk.WriteFile(file, func(w io.Writer) error {
		for i := range all {
			line, err := json.Marshal(&all[i])
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintf(w, "%c%s\n", "[,"[min(i, 1)], line); err != nil {
				return err
			}
		}
		_, err := fmt.Fprintln(w, "]")
		return err
	})
}

const (
	lastDecisions  = 150  // of a game, in which puzzles are looked for: before, its end is seldom decided by a move
	triesOfGame    = 12   // decisions of a game that are searched
	leastChoices   = 3    // of a puzzle
	mostChoices    = 16   // of a puzzle: more are too many to look through
	mostTie        = 0.02 // of return that moves are apart that are as good as each other
	mostRight      = 3    // of these
	leastWrong     = 2    // others
	leastLoss      = 0.05 // of return, of all others
	standardErrors = 3    // by which the best is ahead of all others
	leastSamples   = 30   // that compare the best with another one
)

// granted are the kinds of moves that bring what others grant: how good they are tells of the bots, not of the game.
var granted = []string{"offer", "ask", "say", "promise"}

// findPuzzles plays games until it has found as many as are wanted, one of each game, and no more than a third with the
// same kind of move. What is found is kept at once.
func findPuzzles(ctx context.Context, w io.Writer, g env.Game, o puzzlesOptions) error {
	var found []web.Puzzle
	kinds := map[string]int{}
	for n := range uint64(100 * o.each) {
		if len(found) == o.each {
			return nil
		}
		rec, err := variedGame(ctx, g, o.seed+n)
		if err != nil {
			return err
		}
		p, err := puzzleOf(ctx, g, rec, func(best env.Action) bool {
			kind := g.Info().Actions[best].Family
			return kinds[kind] < max(1, o.each/3) && !slices.Contains(granted, kind)
		})
		if err != nil {
			return err
		}
		if p == nil {
			continue
		}
		best := p.Choices[0].Action
		kinds[g.Info().Actions[best].Family]++
		found = append(found, *p)
		if err := keepPuzzles(o.out, g.Info().Name, found); err != nil {
			return err
		}
		fmt.Fprintf(w, "%s %d of %d: game %d, %d decisions, %s, %.3f ± %.3f\n", g.Info().Name, len(found), o.each, n,
			strings.Count(p.Moves, ".")+1, g.Info().Actions[best].Text, p.Choices[p.Right].Loss, p.Choices[p.Right].Error)
	}
	_, err := fmt.Fprintf(w, "%s: %d of %d in %d games\n", g.Info().Name, len(found), o.each, 100*o.each)
	return err
}

// variedGame is a game of bots of many characters.
func variedGame(ctx context.Context, g env.Game, seed uint64) (*record.Record, error) {
	ref, err := referee.New(g, seed)
	if err != nil {
		return nil, err
	}
	bot, err := agents.Open("script:varied", g)
	if err != nil {
		return nil, err
	}
	seats := make([]agents.Agent, g.Info().Players)
	for p := range seats {
		if seats[p], err = bot.New(); err != nil {
			return nil, err
		}
	}
	if err := agents.Play(ctx, ref, seats, nil); err != nil {
		return nil, err
	}
	return ref.Record(nil), nil
}

// puzzleOf looks for a puzzle in a game, nil if there is none; fits says whether a move is of a kind that is wanted.
func puzzleOf(ctx context.Context, g env.Game, rec *record.Record,
	fits func(best env.Action) bool) (*web.Puzzle, error) {
	luck := env.NewStream(rec.Header.Seed, "puzzles")
	first := max(0, len(rec.Moves)-lastDecisions)
	chosen := map[int]bool{}
	for range triesOfGame {
		chosen[first+luck.Below(len(rec.Moves)-first)] = true
	}
	var found *web.Puzzle
	err := rec.Replay(g, func(n int, s env.State) error {
		if found != nil || !chosen[n] || n == len(rec.Moves) {
			return ctx.Err()
		}
		view := env.ViewOf(s)
		legal := view.Mask().Append(nil)
		if len(legal) < leastChoices || len(legal) > mostChoices {
			return nil
		}
		quick, err := compareAll(ctx, g, s, leastSamples/2, uint64(n))
		right := rightOf(quick, 0)
		if err != nil || right == 0 || !fits(quick[0].Action) {
			return err
		}
		missed, err := missedBy(ctx, g, view, rec.Moves[n].Action, quick[:right])
		if err != nil || !missed {
			return err
		}
		choices, err := compareAll(ctx, g, s, 4*leastSamples, uint64(n)+1<<32)
		if right = rightOf(choices, leastSamples); err != nil || !has(choices[:right], quick[0].Action) {
			return err
		}
		so := *rec
		so.Moves = rec.Moves[:n]
		found = &web.Puzzle{
			Game: g.Info().Text, Players: g.Info().Players, Rules: g.Info().Rules,
			Seat: int(s.Actor()), Seed: rec.Header.Seed,
			Moves: web.Moves(g.Info(), &so), Search: searchOf(4*leastSamples, len(legal)), Right: right}
		for _, c := range choices {
			found.Choices = append(found.Choices, c.PuzzleChoice)
		}
		return nil
	})
	return found, err
}

// missedBy says whether the bot that played a move, or script:greedy, misses the best ones.
func missedBy(ctx context.Context, g env.Game, v *env.View, played string, best []compared) (bool, error) {
	a, err := g.Info().Parse(played)
	if err != nil || !has(best, a) {
		return true, err
	}
	m, err := agents.Open("script:greedy", g)
	if err != nil {
		return false, err
	}
	bot, err := m.New()
	if err != nil {
		return false, err
	}
	agents.Begin(ctx, bot, 0)
	a, err = bot.Act(v)
	return !has(best, a), err
}

// compared is a choice with the samples that have compared it with the best.
type compared struct {
	web.PuzzleChoice
	samples int32
}

// searchOf is a search that tries every one of some actions on so many samples, plays games on to the end, and prefers
// none before it has seen more of it.
func searchOf(samples, actions int) string {
	rounds := bits.Len(uint(actions - 1)) // half of the actions drop out in each
	return fmt.Sprintf("mcts:sims=%d,cut=0,width=0,margin=0", samples*actions*rounds)
}

// compareAll compares all that can be chosen, the best first.
func compareAll(ctx context.Context, g env.Game, s env.State, samples int, seed uint64) (list []compared, err error) {
	view := env.ViewOf(s)
	legal := view.Mask().Append(nil)
	m, err := agents.Open(searchOf(samples, len(legal)), g)
	if err != nil {
		return nil, err
	}
	agent, err := m.New()
	if err != nil {
		return nil, err
	}
	agents.Begin(ctx, agent, seed)
	e, err := agent.(agents.Explainer).Explain(view)
	if err != nil {
		return nil, err
	}
	for _, a := range legal {
		c := compared{web.PuzzleChoice{Action: a, Loss: round3(-e.Leads[a]), Error: round3(e.Errors[a])}, e.Visits[a]}
		if e.Probabilities[a] == 1 {
			c.Loss, c.Error = 0, 0
			list = slices.Insert(list, 0, c)
			continue
		}
		list = append(list, c)
	}
	slices.SortStableFunc(list[1:], func(a, b compared) int { return cmp.Compare(a.Loss, b.Loss) })
	return list, nil
}

func round3(x float64) float64 { return math.Round(1000*x) / 1000 }

// rightOf is how many of the choices, the best first, are as good as the best, 0 unless all others are behind by more
// than chance explains, and by enough to matter.
func rightOf(list []compared, samples int32) int {
	right := 0
	for _, c := range list {
		switch {
		case c.Loss <= mostTie && right < mostRight:
			right++
		case !(c.Loss >= leastLoss && c.Loss > standardErrors*c.Error) || c.samples < samples:
			return 0
		}
	}
	if len(list)-right < leastWrong {
		return 0
	}
	return right
}

func has(list []compared, a env.Action) bool {
	return slices.ContainsFunc(list, func(c compared) bool { return c.Action == a })
}
