package mcts

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"earthgym/agents/scripted"
	"earthgym/env"
	"earthgym/env/envtest"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// openText is how an agent's text is opened.
func openText(options string, g env.Game) (func() *Search, error) {
	c, err := Parse(options, g)
	if err != nil {
		return nil, err
	}
	o, err := c.Open(g)
	return o.New, err
}

func newSearch(t testing.TB, options string, g env.Game) *Search {
	t.Helper()
	create := must.Have(openText(options, g))(t)
	s := create()
	s.Reset(1)
	return s
}

func find(t testing.TB, s *Search, state env.State) *Result {
	t.Helper()
	return must.Have(s.Search(context.Background(), env.ViewOf(state)))(t)
}

// In games that can be solved, the tree finds the best action, with and without chance, and without chance its value.
// With chance, whose outcomes have no nodes, players in the tree don't see what came of it, so that values differ.
func TestTreeSolvesNim(t *testing.T) {
	envtest.NothingToRace(t) // with one worker
	for _, wind := range []int{0, 1} {
		g := newNim(mostStones, wind)
		for pile := 2; pile <= 12; pile++ {
			want, take := g.value(pile)
			s := g.New().(*nimState)
			s.Reset(5, nil)
			s.pile = int8(pile)
			r := find(t, newSearch(t, "sims=40000,mode=tree", g), s)
			if wind == 0 && math.Abs(r.Value-want) > 0.12 {
				t.Errorf("wind %d, %d stones: value %.3f, want %.3f (visits %v, values %.3f)", wind, pile, r.Value, want, r.Visits,
					r.Values)
			}
			if second := g.loss(pile, int(r.Action)+1); second > 0.02 {
				t.Errorf("wind %d, %d stones: takes %d, which loses %.3f against taking %d", wind, pile, r.Action+1, second, take)
			}
		}
	}
}

// loss is what taking n of the pile gives away.
func (g *nim) loss(pile, n int) float64 {
	best, _ := g.value(pile)
	if n == pile {
		return best - 1
	}
	after := func(left int) float64 {
		if left == 0 {
			return 1
		}
		v, _ := g.value(left)
		return -v
	}
	w := float64(g.wind) / 4
	return best - w*after(pile-n-1) - (1-w)*after(pile-n)
}

// Kuhn poker, whose solution is known: with a jack nobody calls, with a king everybody does, and bets after a pass.
// Random play does not.
func TestTreePlaysKuhn(t *testing.T) {
	envtest.NothingToRace(t) // with one worker
	g := kuhn.Open(2)
	for _, test := range []struct {
		options string // "" for random play
		plays   bool   // as solutions do
	}{{"sims=1000", true}, {"", false}} {
		var act func(v *env.View) (env.Action, error)
		if luck := env.NewStream(1, "random"); test.options == "" {
			act = func(v *env.View) (env.Action, error) { return env.Action(luck.Below(2)), nil }
		} else {
			s := newSearch(t, test.options, g)
			act = func(v *env.View) (env.Action, error) { return s.Act(context.Background(), v) }
		}
		state := g.New().(*kuhn.State)
		wrong := 0
		for seed := range uint64(200) {
			state.Reset(seed, nil)
			last := env.Action(-1)
			for first := true; state.Actor() != env.Over; first = false {
				card := state.Card(state.Actor())
				a := must.Have(act(env.ViewOf(state)))(t)
				if last == kuhn.Bet && card == 0 && a == kuhn.Bet || !first && card == 2 && a == kuhn.Pass {
					wrong++
				}
				last = a
				state.Apply(a, nil)
			}
		}
		if plays := wrong == 0; plays != test.plays {
			t.Errorf("%q: %d decisions that no solution has", test.options, wrong)
		}
	}
}

// With a card that decides, search plays as every solution does.
func TestTreeKnowsDominatedActionsOfKuhn(t *testing.T) {
	g := kuhn.Open(2)
	for _, mode := range []string{"tree", "flat"} {
		s := newSearch(t, "sims=3000,mode="+mode, g)
		state := g.New()
		observation := make([]float32, g.Info().Observation())
		for seed := range uint64(60) {
			state.Reset(seed, nil)
			state.Apply(kuhn.Bet, nil)
			state.Observe(observation, 1)
			r := find(t, s, state)
			if observation[0] == 1 && r.Action != kuhn.Pass { // the jack, listed first
				t.Errorf("%s, seed %d: calls with the lowest card: %v of %v", mode, seed, r.Values, r.Visits)
			}
			if observation[2] == 1 && r.Action != kuhn.Bet { // the king, the highest of two players' cards
				t.Errorf("%s, seed %d: folds the highest card: %v of %v", mode, seed, r.Values, r.Visits)
			}
		}
	}
}

// Whether somebody had a choice may be a secret, which nobody in a tree acts on: seat 0 passes where it must and where
// it had better, so that what seat 1 has to guess stays as likely as not.
func TestTreeDoesNotSeeWhoIsForced(t *testing.T) {
	g := newCoin()
	state := g.New()
	state.Reset(1, nil)
	if r := find(t, newSearch(t, "sims=3000", g), state); r.Value > 0.6 {
		t.Errorf("seat 1 expects %.3f", r.Value)
	}
}

// What is found is the same on any number of workers, and with any other position that the seat can't tell from the
// true one.
func TestSearchIsDeterministic(t *testing.T) {
	g := kuhn.Open(3)
	state, other := g.New(), g.New()
	for _, options := range []string{"sims=300,mode=flat,rollout=random", "sims=300,mode=tree"} {
		first := newSearch(t, options, g)
		for seed := range uint64(20) {
			state.Reset(seed, nil)
			first.Reset(seed)
			want := find(t, first, state)
			for _, workers := range []string{"2", "5"} {
				s := newSearch(t, options+",workers="+workers, g)
				s.Reset(seed)
				other.CopyFrom(state)
				other.Redeal(0, seed+100)
				got := find(t, s, other)
				if got.Action != want.Action || !slices.Equal(got.Visits, want.Visits) || got.Value != want.Value {
					t.Fatalf("%s, seed %d, %s workers: %+v, want %+v", options, seed, workers, got, want)
				}
			}
		}
	}
}

// A search does what its budget says: so many simulations, at most; one at least, however little time there is.
func TestBudget(t *testing.T) {
	g := newNim(mostStones, 1)
	state := g.New()
	state.Reset(1, nil)
	for _, mode := range []string{"flat", "tree"} {
		for _, sims := range []string{"1", "2", "3", "5", "17", "100", "1000"} {
			r := find(t, newSearch(t, "rollout=random,mode="+mode+",sims="+sims, g), state)
			n := 0
			for _, v := range r.Visits {
				n += int(v)
			}
			if n != r.Simulations || n < 1 || r.Action < 0 || sims != "1" && n > atoi(sims) || n < atoi(sims)*2/3 {
				t.Errorf("%s: %d simulations (%d visits) of %s, action %d", mode, r.Simulations, n, sims, r.Action)
			}
		}
		begin := time.Now()
		r := find(t, newSearch(t, "rollout=random,mode="+mode+",ms=30", g), state)
		if took := time.Since(begin); r.Simulations < 1 || took < 25*time.Millisecond {
			t.Errorf("%s: %d simulations in %v of 30 ms", mode, r.Simulations, took)
		}
	}
}

// Under a time limit a search begins no round after the limit.
func TestTimeIsShared(t *testing.T) {
	g := must.Have(games.Open("earth-rising"))(t)
	state := g.New()
	state.Reset(7, nil)
	s := newSearch(t, "ms=1,cut=0,width=0", g)
	for tries := 1; ; tries++ { // Where other programs have the cores, time may pass between a round's begin and its end.
		begin := time.Now()
		r := find(t, s, state)
		most, took := slices.Max(r.Visits), time.Since(begin)
		if most == 1 || took <= 3*time.Millisecond { // to try all once takes so long
			break
		}
		if tries == 50 {
			t.Fatalf("1 ms took %v, for %d simulations of one action", took, most)
		}
	}
}

func atoi(text string) int {
	n := 0
	for _, c := range text {
		n = 10*n + int(c-'0')
	}
	return n
}

// A search that nobody waits for ends at once, with the context's error, and the next one is as good as ever.
func TestCancel(t *testing.T) {
	for _, test := range []struct{ game, options string }{
		{"nim", "sims=10000000,mode=flat,rollout=random"},
		{"nim", "ms=3600000,mode=tree"},
		{"nim", "sims=10000000,mode=tree,workers=2"},
		{"earth-rising", "sims=1000000,cut=0"},
		{"earthmans-burden", "sims=1000000"},
		{"new-earth", "sims=1000000,net=,workers=2"}, // the network plays on to the end
	} {
		var g env.Game = newNim(mostStones, 1)
		if test.game != "nim" {
			g = must.Have(games.Open(test.game))(t)
		}
		options := test.game + " " + test.options
		state := g.New()
		state.Reset(1, nil)
		s := newSearch(t, test.options, g)
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
		begin := time.Now()
		_, err := s.Search(ctx, env.ViewOf(state))
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) > 5*time.Minute {
			t.Errorf("%s: %v after %v", options, err, time.Since(begin))
		}
		cancel()
	}
}

// A search that is to move now chooses by what it has found so far, tells how far it has come, and the next one is as
// good as ever.
func TestNow(t *testing.T) {
	for _, test := range []struct{ game, options string }{
		{"nim", "sims=10000000,mode=flat,rollout=random"},
		{"nim", "sims=10000000,mode=tree,workers=2"},
		{"earth-rising", "sims=1000000,cut=0"},
		{"new-earth", "sims=1000000,net=,workers=2"},
		{"resilience-earth", "sims=3000,workers=2"},
	} {
		var g env.Game = newNim(mostStones, 1)
		if test.game != "nim" {
			g = must.Have(games.Open(test.game))(t)
		}
		options := test.game + " " + test.options
		state := g.New()
		state.Reset(1, nil)
		s := newSearch(t, test.options, g)
		for _, wait := range []time.Duration{0, 50 * time.Millisecond} {
			var progress atomic.Int32
			ctx, cancel := context.WithCancelCause(WithProgress(context.Background(), &progress))
			time.AfterFunc(wait, func() { cancel(ErrNow) })
			v := env.ViewOf(state)
			r, err := s.Search(ctx, v)
			if err != nil || !v.Mask().Has(r.Action) {
				t.Errorf("%s: %v after %v, %v", options, r, wait, err)
			}
			if p := progress.Load(); p < 0 || p > 1000 {
				t.Errorf("%s: %d thousandths are done", options, p)
			}
		}
	}
	g := newNim(7, 1)
	state := g.New()
	state.Reset(1, nil)
	var progress atomic.Int32
	hurried := newSearch(t, "sims=400,mode=flat,rollout=random", g)
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(ErrNow)
	must.Have(hurried.Search(ctx, env.ViewOf(state)))(t)
	hurried.Reset(1)
	r := must.Have(hurried.Search(WithProgress(context.Background(), &progress), env.ViewOf(state)))(t)
	if want := find(t, newSearch(t, "sims=400,mode=flat,rollout=random", g), state); r.Action != want.Action ||
		r.Value != want.Value || r.Decisions != want.Decisions {
		t.Errorf("after a search that was to move now: %v, want %v", r, want)
	}
	if progress.Load() != 1000 {
		t.Errorf("a search is over at %d thousandths", progress.Load())
	}
}

// giveUp is a context that is done when it has been asked so often.
type giveUp struct {
	context.Context
	asked, until int
}

func (c *giveUp) Err() error {
	if c.asked++; c.asked > c.until {
		return context.Canceled
	}
	return nil
}

// A search that was cut short leaves nothing behind: the next one finds, and counts, what a new one does.
func TestAfterCancel(t *testing.T) {
	g := newNim(mostStones, 1)
	state := g.New()
	state.Reset(1, nil)
	for _, options := range []string{"sims=90,mode=flat,rollout=random", "sims=90,mode=tree"} {
		want, s := find(t, newSearch(t, options, g), state), newSearch(t, options, g)
		if _, err := s.Search(&giveUp{Context: context.Background(), until: 20}, env.ViewOf(state)); !errors.Is(err,
			context.Canceled) {
			t.Fatal(err)
		}
		s.Reset(1)
		if got := find(t, s, state); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v after one that was cut short, else %+v", options, got, want)
		}
	}
}

// After warm-up a search allocates no more, however many simulations it makes.
func TestAllocations(t *testing.T) {
	envtest.NothingToRace(t)
	g := newNim(mostStones, 1)
	state := g.New()
	state.Reset(1, nil)
	v := env.ViewOf(state)
	for _, mode := range []string{"flat", "tree"} {
		count := func(options string) float64 {
			s := newSearch(t, options, g)
			return testing.AllocsPerRun(20, func() {
				s.Reset(3)
				if _, err := s.Search(context.Background(), v); err != nil {
					t.Fatal(err)
				}
			})
		}
		few, many := count("rollout=random,mode="+mode+",sims=100"), count("rollout=random,mode="+mode+",sims=3000")
		if many > few+2 {
			t.Errorf("%s: %v allocations with 100 simulations, %v with 3000", mode, few, many)
		}
	}
}

// With a width only the bot's choice and what it scores best are compared, and with a cut the game's outlook stands for
// the rest of it.
func TestWidthAndCut(t *testing.T) {
	g := must.Have(games.Open("earth-rising"))(t)
	create := must.Have(scripted.Open(g, scripted.Strong))(t)
	bot, state := create(), g.New()
	scores := make([]float64, len(g.Info().Actions))
	state.Reset(7, nil)
	whole := find(t, newSearch(t, "sims=40,cut=0,width=4", g), state)
	cut := find(t, newSearch(t, "sims=40,cut=1,width=4", g), state)
	if cut.Decisions*3 > whole.Decisions {
		t.Errorf("%d decisions with cut=1, %d to the end", cut.Decisions, whole.Decisions)
	}
	v := env.ViewOf(state)
	bot.Scores(state, v.Mask(), scores)
	tried := 0
	for a, n := range cut.Visits {
		if n == 0 {
			continue
		}
		tried++
		above := 0
		for _, score := range scores {
			if score > scores[a] {
				above++
			}
		}
		if above >= 4 {
			t.Errorf("%q is compared, and %d others score higher", v.ActionText(env.Action(a)), above)
		}
	}
	if tried != 4 {
		t.Errorf("%d actions are compared", tried)
	}
	for _, options := range []string{"sims=4,opponents=script:varied", "sims=4,mode=tree", "sims=4,cut=0",
		"sims=4,rollout=random"} {
		find(t, newSearch(t, options, g), state)
	}
}

// The defaults of every game go together, also with what somebody asks for instead.
func TestDefaults(t *testing.T) {
	for _, rb := range games.All() {
		g := must.Have(games.Open(rb.Name))(t)
		for _, options := range []string{"", "mode=tree", "rollout=random", "opponents=random", "cut=0", "width=0", "ms=5"} {
			if _, err := openText(options, g); err != nil {
				t.Errorf("%s, %q: %v", rb.Name, options, err)
			}
		}
		if !scripted.Plays(g) {
			continue
		}
		c, err := Parse("rollout=script:greedy", g)
		if err != nil || len(c.Opponents) > 0 {
			t.Errorf("%s: with a roll-out that was named the others are %v (%v)", rb.Name, c.Opponents, err)
		}
	}
}

// In New Earth few simulations, and those by bots in a network's place, leave the incumbent for less only if told to.
func TestCautious(t *testing.T) {
	for _, test := range []struct {
		game, options string
		margin        float64
	}{
		{"new-earth", "", 1.5},
		{"new-earth:players=2", "sims=300", 1.5},
		{"new-earth", "sims=299", 2.5},
		{"new-earth", "sims=100,margin=1", 1},
		{"new-earth", "ms=50", 1.5},
		{"new-earth", "ms=49", 2.5},
		{"new-earth", "net=", 2.5},
		{"new-earth", "net=,margin=1.5", 1.5},
		{"one-earth", "sims=100", 1},
		{"earth-rising", "sims=100", 2},
	} {
		g := must.Have(games.Open(test.game))(t)
		if c, err := Parse(test.options, g); err != nil || c.Margin != test.margin {
			t.Errorf("%s, %q: margin %v, %v", test.game, test.options, c.Margin, err)
		}
	}
}

// Where nobody says which actions are promising, all are compared.
func TestWidthNeedsScores(t *testing.T) {
	for _, game := range []string{"earth-rising", "earthmans-burden"} {
		g := must.Have(games.Open(game))(t)
		for _, rollout := range []string{"random", "script:naive"} {
			if c, err := Parse("rollout="+rollout, g); err != nil || c.Width != 0 {
				t.Errorf("%s, %s: width %d (%v)", game, rollout, c.Width, err)
			}
			if _, err := Parse("width=5,rollout="+rollout, g); err == nil ||
				!strings.Contains(err.Error(), "width needs net= or a bot that scores actions") {
				t.Errorf("%s, %s: %v", game, rollout, err)
			}
		}
		if c, err := Parse("rollout=script:strong", g); err != nil || c.Width == 0 {
			t.Errorf("%s, strong: width %d (%v)", game, c.Width, err)
		}
	}
}

func TestOptions(t *testing.T) {
	g := kuhn.Open(2)
	for _, tt := range []struct{ options, want string }{
		{"sims=0", "sims=0: it is a whole number from 1 to 10000000"},
		{"sims=1.5", "whole number"},
		{"ms=0", "ms=0: it is a whole number from 1 to 3600000"},
		{"sims=10,ms=10", "sims= or ms=, not both"},
		{"sims=10,sims=20", "option sims of mcts is given twice"},
		{"simz=10", `unknown option "simz" of mcts: did you mean "sims"?`},
		{"100", `option "100" of mcts is not of the form NAME=VALUE`},
		{"sims=10,", `option "" of mcts`},
		{"mode=deep", "there are: flat, tree"},
		{"rollout=script:strong", "kuhn has no scripted bots"},
		{"rollout=best", `unknown roll-out "best": there are: random, script:LEVEL`},
		{"rollout=script:stong", "kuhn has no scripted bots"},
		{"opponents=varied:strong", `roll-out "varied:strong": a bot with another character in each sample is script:varied`},
		{"rollout=net", "rollout=net needs net="},
		{"cut=3", "cut needs net=, the network that values positions: kuhn has no outlook of its own"},
		{"rollout=argmax", "rollout=argmax needs net="},
		{"mode=tree,width=3", "width is for mode=flat"},
		{"mode=tree,net=,width=3", "width is for mode=flat"},
		{"opponents=random+bad", `unknown roll-out "bad"`},
		{"opponents=random+argmax", "opponents=random+argmax needs net=, the network"},
		{"margin=NaN", "it is a number from 0 to 10"},
		{"margin=2", "margin=2 does nothing: it is for searches that have an incumbent"},
		{"mode=flat,width=1", "width needs net= or a bot that scores actions"},
		{"net=", "no network comes with the program for kuhn; name a checkpoint or a run directory"},
		{"net=nosuch", "nosuch"},
	} {
		if _, err := openText(tt.options, g); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.options, err, tt.want)
		}
	}
}

// What is told of the actions' leads over the choice is what the search itself goes by: the mean of the differences on
// common samples, which the incumbent's rival must clear.
func TestLead(t *testing.T) {
	envtest.NothingToRace(t)
	g := newNim(mostStones, 1)
	s := g.New().(*nimState)
	s.Reset(5, nil)
	s.pile = 7
	for _, options := range []string{"sims=3000,mode=flat,rollout=random", "sims=3000,mode=tree"} {
		search := newSearch(t, options, g)
		r := find(t, search, s)
		if lead, deviation := search.Lead(r.Action); !math.IsNaN(lead) || !math.IsNaN(deviation) {
			t.Errorf("%s: the choice leads itself by %v ± %v", options, lead, deviation)
		}
		if r.Incumbent != -1 {
			t.Errorf("%s: incumbent %d of random roll-outs", options, r.Incumbent)
		}
		for a := range env.Action(len(r.Visits)) {
			if a == r.Action {
				continue
			}
			lead, deviation := search.Lead(a)
			apart := r.Values[a] - r.Values[r.Action]
			if !(deviation > 0 && deviation < 0.3) || math.Abs(lead-apart) > 3*deviation {
				t.Errorf("%s: %d leads %d by %.3f ± %.3f; their values are %.3f apart", options, a, r.Action, lead, deviation,
					apart)
			}
		}
	}
	g2 := must.Have(games.Open("resilience-earth"))(t)
	state, kept := g2.New(), 0
	search := newSearch(t, "sims=200,rollout=script:greedy,margin=1", g2)
	for seed := range uint64(12) {
		state.Reset(seed, nil)
		r := find(t, search, state)
		if r.Incumbent < 0 {
			t.Fatal("a bot's choice is no incumbent")
		}
		for a := range env.Action(len(r.Visits)) {
			lead, deviation := search.Lead(a)
			switch {
			case r.Action == r.Incumbent && lead > deviation && r.Visits[a] == r.Visits[r.Action]:
				t.Errorf("seed %d: %d is kept, and %d is %.3f ± %.3f ahead", seed, r.Action, a, lead, deviation)
			case r.Action != r.Incumbent && a == r.Incumbent && -lead < deviation:
				t.Errorf("seed %d: %d is left for %d, at %.3f ± %.3f", seed, a, r.Action, lead, deviation)
			}
		}
		if r.Action == r.Incumbent {
			kept++
		}
	}
	if kept == 0 || kept == 12 {
		t.Errorf("the bot's choice is kept %d times of 12", kept)
	}
}

// The deviation of two or three returns is no error bar: more often than not it is 0 where games are won or lost.
func TestLeadOfFew(t *testing.T) {
	g := must.Have(games.Open("one-earth"))(t)
	state, few, told := g.New(), 0, 0
	s := newSearch(t, "sims=100,rollout=script:greedy", g)
	for seed := range uint64(8) {
		state.Reset(seed, nil)
		r := find(t, s, state)
		for a, n := range r.Visits {
			lead, deviation := s.Lead(env.Action(a))
			switch {
			case n > 3 && !math.IsNaN(lead):
				told++
			case n == 2 || n == 3:
				few++
				if !math.IsNaN(lead) || !math.IsNaN(deviation) {
					t.Errorf("seed %d: %d, tried %d times, leads by %v ± %v", seed, a, n, lead, deviation)
				}
			}
		}
	}
	if few == 0 || told == 0 {
		t.Errorf("%d actions are tried two or three times, %d often", few, told)
	}
}

// An action that is asked about is tried as often as the choice, however bad it is.
func TestCompare(t *testing.T) {
	envtest.NothingToRace(t)
	g, err := games.Open("resilience-earth")
	if err != nil {
		t.Fatal(err)
	}
	state, asked := g.New(), 0
	s := newSearch(t, "sims=150,rollout=script:greedy", g)
	for seed := range uint64(6) {
		state.Reset(seed, nil)
		s.Reset(seed)
		r := find(t, s, state)
		choice, worst := r.Action, env.Action(-1)
		for a, n := range r.Visits {
			if n > 0 && (worst < 0 || n < r.Visits[worst]) {
				worst = env.Action(a)
			}
		}
		if r.Visits[worst] >= r.Visits[choice] {
			continue
		}
		asked++
		s.Reset(seed)
		if r, err = s.Compare(context.Background(), env.ViewOf(state), worst); err != nil {
			t.Fatal(err)
		}
		if lead, _ := s.Lead(worst); r.Visits[worst] != r.Visits[r.Action] || r.Action != worst && math.IsNaN(lead) {
			t.Errorf("seed %d: %d tried %d times, the choice %d", seed, worst, r.Visits[worst], r.Visits[r.Action])
		}
		s.Reset(seed)
		if again := find(t, s, state); again.Action != choice {
			t.Errorf("seed %d: after a question %d is chosen in place of %d", seed, again.Action, choice)
		}
	}
	if asked == 0 {
		t.Error("all actions are tried alike")
	}
}
