package eval_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/eval"
)

// bot plays Kuhn poker by a rule; luck is a number from [0, 1), drawn for each decision.
type bot struct {
	name   string
	luck   env.Stream
	decide func(v *env.View, luck float64) env.Action
}

func (b *bot) Name() string                        { return b.name }
func (b *bot) Reset(seed uint64)                   { b.luck = env.NewStream(seed, b.name) }
func (b *bot) Act(v *env.View) (env.Action, error) { return b.decide(v, b.luck.Float64()), nil }

func maker(name string, decide func(v *env.View, luck float64) env.Action) *agents.Maker {
	return &agents.Maker{Text: name, New: func() (agents.Agent, error) { return &bot{name: name, decide: decide}, nil }}
}

// optimal is the best play of two, by the chance to bet with jack, queen, king. (Kuhn 1950, alpha = 0.)
func optimal(name string) *agents.Maker {
	return maker(name, func(v *env.View, luck float64) env.Action {
		opening := v.Player() == 0 && len(v.Seen()) == 1 // the own card alone
		answer := strings.HasSuffix(v.Seen()[len(v.Seen())-1].Text, "bet")
		bet := [3]float64{1.0 / 3, 0, 1}
		switch {
		case opening:
			bet = [3]float64{}
		case answer:
			bet = [3]float64{0, 1.0 / 3, 1}
		}
		if luck < bet[v.Sample(0).(*kuhn.State).Card(v.Player())] {
			return kuhn.Bet
		}
		return kuhn.Pass
	})
}

func honest(name string) *agents.Maker { // bets with the upper half of the deck
	return maker(name, func(v *env.View, _ float64) env.Action {
		if v.Sample(0).(*kuhn.State).Card(v.Player()) >= (v.Info().Players+1)/2 {
			return kuhn.Bet
		}
		return kuhn.Pass
	})
}

func opened(t testing.TB, g env.Game, text string) *agents.Maker {
	t.Helper()
	return must.Have(agents.Open(text, g))(t)
}

func match(t testing.TB, g env.Game, o eval.Options, makers ...*agents.Maker) *eval.MatchResult {
	t.Helper()
	return must.Have(eval.Match(context.Background(), g, makers, o))(t)
}

func TestSeatings(t *testing.T) {
	always := func(name string) *agents.Maker {
		return maker(name, func(*env.View, float64) env.Action { return kuhn.Bet })
	}
	a, b, c := always("a"), always("b"), always("c")
	for _, test := range []struct {
		players  int
		makers   []*agents.Maker
		games    int
		seatings [][]int
		played   int
		seats    []int // of each agent
	}{
		{2, []*agents.Maker{a}, 5, [][]int{{0, 0}}, 5, []int{10}},
		{2, []*agents.Maker{a, b}, 5, [][]int{{0, 1}, {1, 0}}, 6, []int{6, 6}},
		{2, []*agents.Maker{a, a}, 1, [][]int{{0, 0}}, 1, []int{2}},
		{3, []*agents.Maker{a, b}, 4, [][]int{{0, 1, 1}, {1, 0, 1}, {1, 1, 0}}, 6, []int{6, 12}},
		{3, []*agents.Maker{b, a, c}, 3, [][]int{{0, 1, 2}, {2, 0, 1}, {1, 2, 0}}, 3, []int{3, 3, 3}},
	} {
		r := match(t, kuhn.Open(test.players), eval.Options{Games: test.games, Seed: 1}, test.makers...)
		if r.Games != test.played || r.Blocks != test.played/len(test.seatings) || r.Seatings != len(test.seatings) {
			t.Errorf("%d games in %d blocks of %d, want %d in blocks of %d", r.Games, r.Blocks, r.Seatings, test.played,
				len(test.seatings))
		}
		for i, o := range r.Outcomes {
			if want := test.seatings[i%len(test.seatings)]; o.Block != i/len(test.seatings) || !slices.Equal(o.Seating, want) {
				t.Errorf("game %d: seating %v in block %d, want %v", i, o.Seating, o.Block, want)
			}
			if first := r.Outcomes[i-i%len(test.seatings)]; o.Seed != first.Seed {
				t.Errorf("game %d has seed %d, its block %d", i, o.Seed, first.Seed)
			}
		}
		var seats []int
		for _, row := range r.Agents {
			seats = append(seats, row.Seats)
		}
		if !slices.Equal(seats, test.seats) || r.Agents[0].Agent != test.makers[0].Text {
			t.Errorf("agents %+v took %v seats, want %v", r.Agents, seats, test.seats)
		}
	}
}

func TestWorkersDoNotMatter(t *testing.T) {
	g := kuhn.Open(3)
	makers := []*agents.Maker{opened(t, g, "random"), honest("honest")}
	var want *eval.MatchResult
	for _, workers := range []int{1, 2, 7, 0} {
		calls := 0
		o := eval.Options{Games: 100, Seed: 3, Workers: workers, Progress: func(done, total int) {
			calls++
			if done != calls || total != 102 {
				t.Errorf("progress %d of %d at call %d", done, total, calls)
			}
		}}
		got := match(t, g, o, makers...)
		if calls != 102 {
			t.Errorf("%d workers: %d calls of progress", workers, calls)
		}
		if want == nil {
			want = got
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%d workers give another result", workers)
		}
	}
	if other := match(t, g, eval.Options{Games: 100, Seed: 4}, makers...); reflect.DeepEqual(other.Outcomes,
		want.Outcomes) {
		t.Error("another seed gives the same match")
	}
}

// More games go on where fewer end.
func TestSeedsDoNotDependOnTheNumberOfGames(t *testing.T) {
	g := kuhn.Open(2)
	few := match(t, g, eval.Options{Games: 10, Seed: 3}, opened(t, g, "random"))
	many := match(t, g, eval.Options{Games: 30, Seed: 3}, opened(t, g, "random"))
	if !reflect.DeepEqual(few.Outcomes, many.Outcomes[:10]) {
		t.Error("the first ten of thirty games differ from ten")
	}
}

func TestSelfMatchIsEven(t *testing.T) {
	g := kuhn.Open(2)
	r := match(t, g, eval.Options{Games: 3000, Seed: 5}, optimal("optimal"))
	if a := r.Agents[0]; a.MeanReturn != 0 || a.ReturnCI[0] > 0 || a.ReturnCI[1] < 0 || a.WinShare != 0.5 {
		t.Errorf("an agent against itself: %+v", a)
	}
	// The known value of the game: the first seat loses by it.
	if s := r.Seats[0]; s.ReturnCI[0] > kuhn.Value || s.ReturnCI[1] < kuhn.Value || s.ReturnCI[1]-s.ReturnCI[0] > 0.05 {
		t.Errorf("the first seat: %+v, want the value %v within", s, kuhn.Value)
	}
}

func TestOptimalBeatsRandom(t *testing.T) {
	g := kuhn.Open(2)
	r := match(t, g, eval.Options{Games: 2000, Seed: 5}, optimal("optimal"), opened(t, g, "random"))
	d := r.Differences[0]
	if d.Agent != "optimal" || d.Other != "random" || !d.ReturnCI.Above(0) {
		t.Errorf("optimal against random: %+v", d)
	}
	if won, lost := r.Agents[0], r.Agents[1]; won.MeanReturn <= 0 || math.Abs(won.MeanReturn+lost.MeanReturn) > 1e-12 ||
		math.Abs(won.WinShare+lost.WinShare-1) > 1e-12 {
		t.Errorf("rows %+v", r.Agents)
	}
}

// What luck and seat give cancels within a block: agents that do the same are exactly even, block by block.
func TestBlocksCancelLuck(t *testing.T) {
	for players := 2; players <= 3; players++ {
		g := kuhn.Open(players)
		r := match(t, g, eval.Options{Games: 300, Seed: 6}, honest("honest"), honest("twin"))
		if d := r.Differences[0]; math.Abs(d.MeanReturn) > 1e-15 {
			t.Errorf("%d players: twins differ: %+v", players, d)
		}
		sums := make([]float64, r.Blocks)
		for _, o := range r.Outcomes {
			for seat, i := range o.Seating {
				sums[o.Block] += o.Returns[seat] * float64([]int{players - 1, -1}[i])
			}
		}
		for block, sum := range sums {
			if math.Abs(sum) > 1e-12 {
				t.Errorf("%d players: block %d differs by %v", players, block, sum)
			}
		}
	}
}

func TestJSON(t *testing.T) {
	g := kuhn.Open(2)
	always := func(name string, a env.Action) *agents.Maker {
		return maker(name, func(*env.View, float64) env.Action { return a })
	}
	r := match(t, g, eval.Options{Games: 4, Seed: 1}, always("bets", kuhn.Bet), always("passes", kuhn.Pass))
	got := must.Have(json.Marshal(r))(t)
	// Whoever bets takes the other's ante, in every game: a return of 1/2. Of two equal blocks, one
	// confirms the other: 0.05 of all may be as it was, and the rest anything.
	low, high := r.Agents[0].ReturnCI[0], r.Agents[1].ReturnCI[1]
	if math.Abs(low-(0.5-0.95*1.5)) > 1e-12 || math.Abs(high+low) > 1e-12 {
		t.Errorf("intervals end at %v and %v", low, high)
	}
	hidden := fmt.Sprintf(`"seed":1,"blocks":2,"seatings":2,"rules":1,"data":%q,"shared":false}`, g.Info().DataHash)
	want := []string{
		`{"game":"kuhn:players=2","games":4,"agents":[{"agent":"bets","seats":4,"mean_return":0.5,"return_ci":[`,
		`],"win_share":1,"win_ci":[`, `,1],"mean_score":1,"score_ci":[null,null]},{"agent":"passes","seats":4,"mean_return":-0.5,`,
		`,"ends":{"fold":4},"decisions":{"mean":2.5,"max":3},"differences":[{"agent":"bets","other":"passes","mean_return":1,"return_ci":[`,
		`"seats":[{"seat":0,"mean_return":0,"return_ci":[`, hidden,
	}
	rest := string(got)
	for _, part := range want {
		_, after, ok := strings.Cut(rest, part)
		if !ok {
			t.Fatalf("%s\nlacks, in this order,\n%s", got, part)
		}
		rest = after
	}
}

func TestMatchErrors(t *testing.T) {
	g := kuhn.Open(2)
	random := opened(t, g, "random")
	illegal := maker("cheat", func(_ *env.View, luck float64) env.Action {
		if luck < 0.02 {
			return 5
		}
		return kuhn.Bet
	})
	broken := &agents.Maker{Text: "broken", New: func() (agents.Agent, error) {
		return nil, errors.New("no such program")
	}}
	for _, test := range []struct {
		name   string
		makers []*agents.Maker
		games  int
		want   string
	}{
		{"no agent", nil, 1, "a match needs at least one agent"},
		{"too many", []*agents.Maker{random, random, random}, 1, "3 agents for the 2 seats of kuhn"},
		{"no game", []*agents.Maker{random}, 0, "a match has at least 1 game, not 0"},
		{"broken", []*agents.Maker{random, broken}, 4, "game 0 (seed 1424395676967615339, seats random, broken): broken: " +
			"no such program"},
		{"illegal", []*agents.Maker{illegal, random}, 1000, "illegal action"},
	} {
		var errs []string
		for _, workers := range []int{1, 2, 5} {
			_, err := eval.Match(context.Background(), g, test.makers,
				eval.Options{Games: test.games, Seed: 1, Workers: workers})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: error %v, want %s", test.name, err, test.want)
			}
			errs = append(errs, fmt.Sprint(err))
		}
		if errs[0] != errs[1] || errs[0] != errs[2] {
			t.Errorf("%s: the error depends on the number of workers:\n%s", test.name, strings.Join(errs, "\n"))
		}
	}
}

// A forfeit loses one game and not the match, and pays nobody.
func TestForfeits(t *testing.T) {
	g := kuhn.Open(3)
	honest := honest("honest")
	makers := []*agents.Maker{quitter("quitter", 1), honest}
	r, err := eval.Match(context.Background(), g, makers, eval.Options{Games: 30, Seed: 1, Substitute: honest})
	if err != nil {
		t.Fatal(err)
	}
	if a := r.Agents[0]; a.Forfeits != 30 || a.Fault != "out of ideas" || a.MeanReturn != -1 || a.WinShare != 0 {
		t.Errorf("the one who forfeits: %+v", a)
	}
	alone := match(t, g, eval.Options{Games: 30, Seed: 1}, honest) // The same games, one rotation of them.
	others, all := 0.0, 0.0
	for _, o := range r.Outcomes {
		for p, x := range alone.Outcomes[o.Block].Returns {
			all += x
			if o.Seating[p] == 1 {
				others += x
				if x != o.Returns[p] || alone.Outcomes[o.Block].Wins[p] != o.Wins[p] {
					t.Errorf("block %d, seat %d: return %v, win share %v; what it has earned is %v", o.Block, p, o.Returns[p],
						o.Wins[p], x)
				}
			}
		}
	}
	if a := r.Agents[1]; a.Forfeits != 0 || math.Abs(a.MeanReturn-others/60) > 1e-9 || all != 0 ||
		r.Ends["forfeit"] != 0 || r.Substitute != "honest" {
		t.Errorf("the others: %+v, ends %v", a, r.Ends)
	}
	var table strings.Builder
	want := "forfeits   quitter: 30 games (30 crash), the first because: out of ideas\n           honest played them " +
		"to their ends\n"
	if err := eval.WriteTable(&table, r); err != nil || !strings.Contains(table.String(), want) {
		t.Errorf("got %v and\n%s", err, table.String())
	}
}

// Without a substitute a forfeit makes the block void for the others.
func TestVoid(t *testing.T) {
	g := kuhn.Open(2)
	makers := []*agents.Maker{quitter("quitter", 0.1), honest("honest")}
	r := match(t, g, eval.Options{Games: 400, Seed: 1}, makers...)
	void := map[int]bool{}
	for _, o := range r.Outcomes {
		if o.Void {
			void[o.Block] = true
			if len(o.Forfeits) != 1 || o.Reason != "forfeit" {
				t.Errorf("block %d: forfeits %v, end %q", o.Block, o.Forfeits, o.Reason)
			}
		}
	}
	sum, games := [2]float64{}, [2]float64{}
	for _, o := range r.Outcomes {
		for p, agent := range o.Seating {
			switch {
			case o.Void && agent == 0:
				sum[0]--
				games[0]++
			case agent == 0 || !void[o.Block]:
				sum[agent] += o.Returns[p]
				games[agent]++
			}
		}
	}
	for i, a := range r.Agents {
		if math.Abs(a.MeanReturn-sum[i]/games[i]) > 1e-9 {
			t.Errorf("%s: return %v; want %v", a.Agent, a.MeanReturn, sum[i]/games[i])
		}
	}
	if n := len(void); n < 10 || n > 190 || r.Void < n || r.Agents[0].Forfeits != r.Void || r.Substitute != "" {
		t.Errorf("%d void blocks, %d void games, %d forfeits, substitute %q", n, r.Void, r.Agents[0].Forfeits, r.Substitute)
	}
	var table strings.Builder
	if err := eval.WriteTable(&table, r.First(g.Info(), 20)); err != nil ||
		!strings.Contains(table.String(), "\ntoo few ") ||
		!strings.Contains(table.String(), ", whose game seeds count for nobody else\n") {
		t.Errorf("got %v and\n%s", err, table.String())
	}
}

// The record of a game that is forfeited says by whom, when, why, and who plays on; those of other games say nothing.
func TestForfeitsAreNoted(t *testing.T) {
	g := kuhn.Open(3)
	honest := honest("honest")
	noted, silent := 0, 0
	for _, substitute := range []*agents.Maker{honest, nil} {
		r := match(t, g, eval.Options{Games: 30, Seed: 1, Records: 30, Substitute: substitute}, quitter("quitter", 0.3),
			honest)
		for i, o := range r.Outcomes {
			if err := o.Record.Replay(g, nil); err != nil {
				t.Errorf("game %d: %v", i, err)
			}
			meta := o.Record.Header.Meta
			if o.Forfeits == nil {
				silent++
				if meta != nil {
					t.Errorf("game %d: %v, and nobody has forfeited", i, meta)
				}
				continue
			}
			noted++
			seat, at := slices.Index(o.Seating, 0), 0
			before := "honest plays on from decision "
			if substitute == nil {
				before = "the game ends at decision "
			}
			note := meta[fmt.Sprint("forfeit-seat-", seat)]
			if n, err := fmt.Sscanf(note, before+"%d: crash: out of ideas", &at); n != 1 || err != nil || len(meta) != 1 {
				t.Errorf("game %d: %v", i, meta)
			}
			if moves := o.Record.Moves; substitute == nil && at != len(moves) || substitute != nil && moves[at].Player != seat {
				t.Errorf("game %d: %v of %d decisions", i, meta, len(moves))
			}
		}
	}
	if noted < 10 || silent < 10 {
		t.Errorf("%d games were forfeited, %d were not", noted, silent)
	}
}

// quitter forfeits a share of its decisions and passes otherwise.
func quitter(name string, share float64) *agents.Maker {
	return &agents.Maker{Text: name, New: func() (agents.Agent, error) { return &quits{bot{name: name}, share}, nil }}
}

type quits struct {
	bot
	share float64
}

func (q *quits) Act(v *env.View) (env.Action, error) {
	if q.luck.Float64() < q.share {
		return -1, &agents.ForfeitError{Agent: q.name, Seat: v.Player(), Kind: agents.Crash, Err: errors.New("out of ideas")}
	}
	return kuhn.Pass, nil
}

// The first games of a match show what a match of so many games shows.
func TestFirst(t *testing.T) {
	g := kuhn.Open(3)
	field := []*agents.Maker{quitter("quitter", 0.01), honest("honest"), opened(t, g, "random")}
	o := eval.Options{Games: 300, Seed: 4, Substitute: opened(t, g, "random")}
	long := match(t, g, o, field...)
	for _, games := range []int{1, 3, 100, 298, 300, 1000} {
		o.Games = min(games, 300)
		want := match(t, g, o, field...)
		want.Usage = nil
		got := long.First(g.Info(), games)
		a := must.Have(json.Marshal(got))(t)
		b := must.Have(json.Marshal(want))(t)
		if string(a) != string(b) || len(got.Outcomes) != len(want.Outcomes) {
			t.Errorf("the first %d games show\n%s, and a match of them\n%s", games, a, b)
		}
	}
}

func TestCancel(t *testing.T) {
	g := kuhn.Open(2)
	ctx, cancel := context.WithCancel(context.Background())
	_, err := eval.Match(ctx, g, []*agents.Maker{opened(t, g, "random")},
		eval.Options{Games: 1000, Workers: 1, Progress: func(done, _ int) {
			if done == 10 {
				cancel()
			}
		}})
	if want := "interrupted after 10 of 1000 games"; err == nil || err.Error() != want ||
		!errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %s", err, want)
	}
}

// A match that is interrupted tells what its whole blocks have shown, as a match of those blocks would.
func TestInterrupted(t *testing.T) {
	g := kuhn.Open(2)
	field := []*agents.Maker{opened(t, g, "random"), honest("honest")}
	for games, want := range map[int]int{1: 0, 2: 2, 41: 40, 57: 56} {
		for _, rule := range []eval.StopRule{nil, eval.SPRT{Return0: -0.01, Return1: 0.01, Alpha: 0.01, Beta: 0.01}} {
			ctx, cancel := context.WithCancel(context.Background())
			o := eval.Options{Games: 1000, Seed: 3, Workers: 1, Progress: func(done, _ int) {
				if done == games {
					cancel()
				}
			}}
			var err error
			if rule == nil {
				_, err = eval.Match(ctx, g, field, o)
			} else {
				_, _, err = eval.Until(ctx, g, field, nil, o, rule)
			}
			interrupted := new(eval.InterruptedError)
			if !errors.As(err, &interrupted) || interrupted.Played != games || interrupted.Games != 1000 {
				t.Fatalf("after %d games: %v", games, err)
			}
			r := interrupted.Result
			if want == 0 {
				if r != nil {
					t.Errorf("after %d games the result is of %d", games, r.Games)
				}
				continue
			}
			whole := match(t, g, eval.Options{Games: want, Seed: 3, Workers: 1}, field...)
			if r == nil || r.Games != want || !reflect.DeepEqual(r.Agents, whole.Agents) ||
				!reflect.DeepEqual(r.Differences, whole.Differences) {
				t.Errorf("after %d games the result is %+v, not %+v", games, r, whole)
			}
			if rule != nil && (r.Stop == nil || r.Stop.Decided || r.Stop.Verdict != "open" || r.Stop.LLR == 0) {
				t.Errorf("after %d games the test stands at %+v", games, r.Stop)
			}
		}
	}
}

func BenchmarkMatchRandom(b *testing.B) {
	g := kuhn.Open(2)
	random := opened(b, g, "random")
	b.ReportAllocs()
	const games = 1000
	for b.Loop() {
		match(b, g, eval.Options{Games: games, Seed: 1, Workers: 1}, random)
	}
	b.ReportMetric(float64(games*b.N)/b.Elapsed().Seconds(), "games/s")
}
