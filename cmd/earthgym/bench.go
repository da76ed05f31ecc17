package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"earthgym/env"
	"earthgym/env/spelling"
	"earthgym/games"
)

type benchOptions struct {
	game   gameFlags
	budget time.Duration
	lanes  int
	pipe   bool
	python string
	asJSON bool
}

func newBench() *cobra.Command {
	o := benchOptions{}
	cmd := &cobra.Command{
		Use:   "bench [GAME…]",
		Short: "Measure how fast random games are played",
		Long: `Play random legal games and print, for every variant of the games:

  one core   decisions per second through the State alone: pick, apply, mask
             and one observation per decision, resets included
  vec        the same through a Vec on all cores
  allocs     heap allocations per decision on one core
  signature  a number over games on fixed seeds, which changes if and only if
             play or encoding does

With --pipe a Python client plays instead, with full observations, and prints decisions per second for
batches of 1, 64 and 1024 over each transport, as one batch and as two halves in flight, and the median
time of a round trip for one decision.

Without a game every variant of all games is measured, which takes minutes. The best of several short runs
counts, since whatever else runs on the machine only slows it down.`,
		Example: `  earthgym bench resilience-earth
  earthgym bench resilience-earth:players=2 --time 3s --json
  earthgym bench   # every variant of every game: minutes
  earthgym bench --pipe resilience-earth:players=2 new-earth:players=2`,
		Args: wordsAllowed(0, -1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runBench(cmd.Context(), cmd.OutOrStdout(), args, o)
		},
	}
	o.game.add(cmd)
	o.game.several = true
	f := cmd.Flags()
	f.DurationVar(&o.budget, "time", time.Second, "time for each figure")
	f.IntVar(&o.lanes, "lanes", 1024, "environments of the Vec; with few, the cores wait for each other")
	f.BoolVar(&o.pipe, "pipe", false, "measure what a Python client gets")
	f.StringVar(&o.python, "python", "python3", "`PROGRAM` that --pipe starts; it must find the package earthgym")
	f.BoolVar(&o.asJSON, "json", false, "for programs")
	return cmd
}

type benchRow struct {
	Game      string  `json:"game"`
	PerSecond float64 `json:"decisions_per_second"`
	Allocs    float64 `json:"allocs_per_decision"`
	Vec       float64 `json:"vec_decisions_per_second"`
	Signature string  `json:"signature"`
}

func runBench(ctx context.Context, w io.Writer, texts []string, o benchOptions) error {
	if o.budget <= 0 || o.lanes < 1 {
		return usagef("--time and --lanes must be positive")
	}
	if o.pipe {
		return runPipeBench(ctx, w, texts, o)
	}
	if len(texts) == 0 {
		for _, rb := range games.All() {
			texts = append(texts, rb.Variants...)
		}
	}
	opened, err := o.game.openAll(texts)
	if err != nil {
		return err
	}
	if o.asJSON {
		rows := []benchRow{}
		for i, g := range opened {
			row, err := benchGame(ctx, g, texts[i], o)
			if err != nil {
				return err
			}
			rows = append(rows, row)
		}
		return writeJSON(w, map[string]any{"games": rows})
	}
	// Every row is written as soon as it is there: all games together take minutes.
	width := 0
	for _, text := range texts {
		width = max(width, len(text))
	}
	took := time.Duration(len(opened)) * (2*o.budget + signatureTime)
	fmt.Fprintf(w, "%s, about %v: name games to measure those alone, and --time for each figure\n\n",
		spelling.Counted(len(opened), "variant"), took.Round(time.Second))
	vec := fmt.Sprintf("vec (%s) /s", spelling.Counted(runtime.GOMAXPROCS(0), "core"))
	fmt.Fprintf(w, "%-*s  %12s  %*s  %5s  %6s  %s\n", width, "game", "one core /s", len(vec), vec, "ratio", "allocs",
		"signature")
	for i, g := range opened {
		r, err := benchGame(ctx, g, texts[i], o)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%-*s  %12.0f  %*.0f  %5.2f  %6.3g  %s\n", width, r.Game, r.PerSecond, len(vec), r.Vec,
			r.Vec/r.PerSecond, r.Allocs, r.Signature)
	}
	return nil
}

// signatureTime is about how long a signature takes.
const signatureTime = 100 * time.Millisecond

// benchRounds is the number of runs of which the best counts. Runs of the State and of the Vec take turns,
// so that what else happens on the machine meets both.
const benchRounds = 5

func benchGame(ctx context.Context, g env.Game, text string, o benchOptions) (benchRow, error) {
	row := benchRow{Game: text, Signature: signature(g)}
	one := newPlayer(g)
	one.play(1000)
	all, err := newVecPlayer(g, o.lanes)
	if err != nil {
		return row, err
	}
	defer all.vec.Close()
	var before, after runtime.MemStats
	decisions, mallocs := 0, uint64(0)
	for range benchRounds {
		if ctx.Err() != nil {
			return row, ctx.Err()
		}
		runtime.ReadMemStats(&before)
		n, rate := timed(o.budget/benchRounds, func() int { return one.play(2000) })
		runtime.ReadMemStats(&after)
		decisions += n
		mallocs += after.Mallocs - before.Mallocs
		row.PerSecond = max(row.PerSecond, rate)

		_, rate = timed(o.budget/benchRounds, all.step)
		if all.err != nil {
			return row, all.err
		}
		row.Vec = max(row.Vec, rate)
	}
	// Reading the statistics allocates a little by itself.
	row.Allocs = math.Floor(float64(mallocs)/float64(decisions)*1000) / 1000
	return row, nil
}

// vecPlayer plays random games through a Vec. Each worker looks and picks for its lanes, one after the other.
type vecPlayer struct {
	vec     *env.Vec
	luck    []env.Stream
	actions []env.Action
	rows    [][]float32      // by worker: what is seen in a lane
	share   func(worker int) // pick
	err     error
}

func newVecPlayer(g env.Game, lanes int) (*vecPlayer, error) {
	v, err := env.NewVec(g, env.VecOptions{Lanes: lanes, Seed: 1, Autoreset: env.SameStep})
	if err != nil {
		return nil, err
	}
	p := &vecPlayer{vec: v, luck: make([]env.Stream, lanes), actions: make([]env.Action, lanes),
		rows: make([][]float32, v.Workers())}
	for lane := range p.luck {
		p.luck[lane] = env.NewStream(uint64(lane), "bench")
	}
	for w := range p.rows {
		p.rows[w] = make([]float32, g.Info().Observation())
	}
	p.share = p.pick
	return p, nil
}

func (p *vecPlayer) pick(worker int) {
	n, workers := len(p.actions), len(p.rows)
	for lane := n * worker / workers; lane < n*(worker+1)/workers; lane++ {
		p.vec.Observe(lane, p.rows[worker])
		m := p.vec.Mask(lane)
		p.actions[lane] = m.Nth(p.luck[lane].Below(m.Count()))
	}
}

// step plays one decision in each lane and gives their number.
func (p *vecPlayer) step() int {
	p.vec.Parallel(p.share)
	if err := p.vec.Step(p.actions); err != nil {
		p.err = err
	}
	return len(p.actions)
}

// timed calls f, which says how much it did, until the time is over, and gives the sum and the rate.
func timed(budget time.Duration, f func() int) (n int, rate float64) {
	start := time.Now()
	for time.Since(start) < budget {
		n += f()
	}
	return n, float64(n) / time.Since(start).Seconds()
}

// player plays random games through the State alone.
type player struct {
	state       env.State
	mask        env.Mask
	observation []float32
	luck        env.Stream
	seed        uint64
}

func newPlayer(g env.Game) *player {
	info := g.Info()
	p := &player{state: g.New(), mask: make(env.Mask, info.MaskWords()), observation: make([]float32, info.Observation()),
		luck: env.NewStream(1, "bench")}
	p.reset()
	return p
}

func (p *player) reset() {
	p.seed++
	p.state.Reset(p.seed, nil)
}

// play plays so many decisions and gives their number.
func (p *player) play(decisions int) int {
	for range decisions {
		if p.state.Actor() == env.Over {
			p.reset()
		}
		p.state.Legal(p.mask)
		p.state.Observe(p.observation, p.state.Actor())
		p.state.Apply(p.mask.Nth(p.luck.Below(p.mask.Count())), nil)
	}
	return decisions
}

// signatureGames are played for a signature: half with every action alike, half with every kind of
// action alike, which sees more of most games.
const signatureGames = 40

// signature is a number over games on fixed seeds: every decision, observation and result goes into it.
func signature(g env.Game) string {
	info := g.Info()
	families := familiesOf(info)
	p := newPlayer(g)
	legal := make([]env.Action, 0, len(info.Actions))
	h := fnv.New64a()
	number := func(x uint64) {
		var b [8]byte
		for i := range b {
			b[i] = byte(x >> (8 * i))
		}
		h.Write(b[:])
	}
	for seed := range uint64(signatureGames) {
		p.state.Reset(seed, nil)
		luck := env.NewStream(seed, "signature")
		for p.state.Actor() != env.Over {
			p.state.Legal(p.mask)
			p.state.Observe(p.observation, p.state.Actor())
			legal = p.mask.Append(legal[:0])
			a := legal[luck.Below(len(legal))]
			if seed%2 == 1 {
				a = byFamily(legal, families, &luck)
			}
			number(uint64(p.state.Actor())<<32 | uint64(a))
			for _, x := range p.observation {
				if x != 0 {
					number(uint64(math.Float32bits(x)))
				}
			}
			p.state.Apply(a, nil)
		}
		r := env.ResultOf(p.state, 0)
		number(uint64(r.Winners))
		for i := range r.Returns {
			number(math.Float64bits(r.Returns[i]))
			number(math.Float64bits(r.Scores[i]))
		}
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

// familiesOf numbers the families of the action table.
func familiesOf(info *env.Info) []int {
	numbers := map[string]int{}
	families := make([]int, len(info.Actions))
	for a, action := range info.Actions {
		if _, ok := numbers[action.Family]; !ok {
			numbers[action.Family] = len(numbers)
		}
		families[a] = numbers[action.Family]
	}
	return families
}

// byFamily draws a family among those that are legal, then one of its actions.
func byFamily(legal []env.Action, families []int, luck *env.Stream) env.Action {
	var kinds []int
	for _, a := range legal {
		if n := len(kinds); n == 0 || kinds[n-1] != families[a] {
			kinds = append(kinds, families[a])
		}
	}
	kind := kinds[luck.Below(len(kinds))]
	var those []env.Action
	for _, a := range legal {
		if families[a] == kind {
			those = append(those, a)
		}
	}
	return those[luck.Below(len(those))]
}
