package eval

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"earthgym/env"
	"earthgym/env/envtest"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/eval/rating"
	"earthgym/games"
)

func TestGini(t *testing.T) {
	for _, test := range []struct {
		shares []float64
		want   float64
	}{
		{[]float64{5, 5, 5, 5}, 0},
		{[]float64{0, 0, 0, 8}, 0.75},
		{[]float64{1, 2, 3, 4}, 0.25},
		{[]float64{4, 1, 3, 2}, 0.25},
		{[]float64{-3, 0, 6}, 2.0 / 3},
		{[]float64{0, 0}, 0},
		{[]float64{7}, 0},
	} {
		if got := gini(test.shares); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("gini(%v) is %v, want %v", test.shares, got, test.want)
		}
	}
}

func TestBlockMeans(t *testing.T) {
	outcomes := []Outcome{{Block: 0}, {Block: 0}, {Block: 1}, {Block: 1, Void: true}, {Block: 2}}
	values := map[*Outcome]float64{}
	for i := range outcomes {
		values[&outcomes[i]] = float64(i + 1)
	}
	got := blockMeans(outcomes, func(o *Outcome) (float64, float64) { return values[o], 1 })
	if got[0] != 1.5 || !math.IsNaN(got[1]) || got[2] != 5 {
		t.Errorf("block means %v, want 1.5, none, 5", got)
	}
	for i := range outcomes {
		outcomes[i].Measures = []float64{10}
	}
	if m := newMeasureResult("rounds", measured(outcomes, 0)); m.Mean != 10 {
		t.Errorf("of blocks of one game and of two that all take 10 rounds: %+v", m)
	}
}

// Blocks that are all alike are not held to be certain, with luck taken away or not, and no pair is clear whose
// interval holds 0.
func TestAllAlike(t *testing.T) {
	won, luck := make([]float64, 10), make([]float64, 10)
	for i := range won {
		won[i], luck[i] = 1, float64(i%3)/3
	}
	mean, ci, _ := withoutLuck(won, luck, minReturn, maxReturn)
	if plain, want := Estimate(won, minReturn, maxReturn); mean != plain || ci != want {
		t.Errorf("10 blocks won: %v %v without luck, %v %v with it", mean, ci, plain, want)
	}
	// Without luck that was bad throughout, a mean and its interval lie beyond what is possible, and are told so.
	var bad, rest []float64
	for i := range 40 {
		bad, rest = append(bad, -0.5+0.1*float64(i%5)), append(rest, 0.9+0.025*float64(i%5)+0.001*float64(i%3))
	}
	mean, ci, _ = withoutLuck(rest, bad, minReturn, maxReturn)
	if !(ci[0] < mean && mean < ci[1]) {
		t.Errorf("40 blocks with bad luck: %v in %v", mean, ci)
	}
	// 15 blocks of +0.5 are 0.05 of an error by Estimate's bound, (2/2.5)^14, and so for one pair, but not for ten.
	half := slices.Repeat([]float64{0.5}, 15)
	half[3] = 0.1 + 0.4 - rounding/2 // but for rounding
	if _, ci := Estimate(half, -2, 2); !ci.Above(0) || !holm([][]float64{half}, 2)[0] {
		t.Errorf("15 blocks of +0.5 are not clear: %v", ci)
	}
	if slices.Contains(holm(slices.Repeat([][]float64{half}, 10), 2), true) {
		t.Error("15 blocks of +0.5 are clear for ten pairs together")
	}
	r := &TournamentResult{MatchResult: &MatchResult{}}
	for block := range 6 {
		r.Outcomes = append(r.Outcomes,
			Outcome{Block: block, Seating: []int{0, 1}, Result: env.Result{Returns: []float64{-0.02, 0.02}}})
	}
	r.setAgainst(2, false)
	if pair := r.Against[1][0]; pair.Clear || !pair.CI.Holds(0) || math.Abs(pair.Mean-0.02) > 1e-12 {
		t.Errorf("six blocks of the same small difference: %+v", pair)
	}
}

// A game is ranked by its own returns: those who share a place without having won are not ranked, whatever other games
// say.
func TestRanked(t *testing.T) {
	for _, test := range []struct {
		returns []float64
		want    []int
	}{
		{[]float64{-1, 1}, []int{-1, 0}},
		{[]float64{0, 0}, []int{0, 0}},
		{[]float64{-0.5, 1, -0.5}, []int{-1, 0, -1}},
		{[]float64{0.5, -1, 0.5}, []int{0, -1, 0}},
		{[]float64{-1, 1, -0.5}, []int{-1, 0, 1}},
		{[]float64{-1, -1, -1}, []int{0, 0, 0}},
		{[]float64{1, -1.0 / 3, -1, -1.0 / 3}, []int{0, -1, -1, -1}},
		{[]float64{1, 0.5, -1, -1}, []int{0, 1, -1, -1}},
	} {
		o := Outcome{Seating: []int{3, 2, 1, 0}[:len(test.returns)], Result: env.Result{Returns: test.returns}}
		other := Outcome{Seating: []int{0, 1, 2}, Result: env.Result{Returns: []float64{1, 0.1, -1}}}
		void := Outcome{Seating: []int{0, 1, 2}, Result: env.Result{Returns: []float64{0, 0, 0}}, Void: true}
		for _, beside := range [][]Outcome{{o}, {o, other}, {o, void}} {
			if got := ranked(beside, false)[0].Ranks; !slices.Equal(got, test.want) {
				t.Errorf("returns %v beside %d others: ranks %v, want %v", test.returns, len(beside)-1, got, test.want)
			}
		}
	}
}

// One game moves ratings by what one game can: here one with a return between among a thousand in which there are but
// winners and losers.
func TestOneGameMovesLittle(t *testing.T) {
	strengths, luck := []float64{-4, -2, 0, 0.5, 1.5}, rand.New(rand.NewPCG(1, 2))
	var outcomes []Outcome
	for block := range 1000 {
		o := Outcome{Block: block, Seating: luck.Perm(len(strengths))[:3],
			Result: env.Result{Returns: []float64{-0.5, -0.5, -0.5}}}
		best, most := 0, math.Inf(-1)
		for p, a := range o.Seating {
			if x := strengths[a] - math.Log(luck.ExpFloat64()); x > most {
				best, most = p, x
			}
		}
		o.Returns[best] = 1
		outcomes = append(outcomes, o)
	}
	fit := func(outcomes []Outcome) *rating.Fit {
		t.Helper()
		return must.Have(rating.PlackettLuce(ranked(outcomes, false), len(strengths), 2, 1))(t)
	}
	before := fit(outcomes)
	for _, returns := range [][]float64{{1, -0.5, -1}, {-1, 0.2, 0.2}, {0, 0, 0}} {
		o := Outcome{Block: 1000, Seating: []int{2, 3, 4}, Result: env.Result{Returns: returns}}
		for i, x := range fit(append(slices.Clone(outcomes), o)).Ratings {
			if was := before.Ratings[i]; math.Abs(x.Points-was.Points) > 10 || math.Abs(x.High-x.Low-was.High+was.Low) > 25 {
				t.Errorf("a game with returns %v moves agent %d from %+v to %+v", returns, i, was, x)
			}
		}
	}
}

// Taking luck away never widens intervals by much, however few the blocks are and however little the values are worth,
// and the intervals hold the truth as often as they promise.
func TestWithoutLuckCostsLittle(t *testing.T) {
	envtest.NothingToRace(t)
	rng := rand.New(rand.NewPCG(1, 2))
	const trials = 1000
	for _, n := range []int{4, 8, 12, 24, 60} {
		for _, worth := range []float64{0, 0.2, 0.8} { // correlation of luck and return
			plain, left, covered := 0.0, 0.0, 0
			for range trials {
				x, luck := make([]float64, n), make([]float64, n)
				for i := range x {
					luck[i] = rng.NormFloat64()
					x[i] = worth*luck[i] + math.Sqrt(1-worth*worth)*rng.NormFloat64()
				}
				mean, ci, _ := withoutLuck(x, luck, math.Inf(-1), math.Inf(1))
				plain, left = plain+1/float64(n), left+mean*mean
				if ci.Holds(0) {
					covered++
				}
			}
			factor, share := plain/left, float64(covered)/trials
			if factor < 0.85 || n >= 24 && worth == 0.8 && factor < 2 || math.Abs(share-confidence) > 0.03 {
				t.Errorf("%d blocks, correlation %v: as of %.2f times the games, and %v of the intervals hold the mean", n, worth,
					factor, share)
			}
		}
	}
}

// An interval of a share holds it at least as often as it promises, however rare the event and however many games of a
// block go the same way, and so do those of a collapse.
func TestSharesCover(t *testing.T) {
	envtest.NothingToRace(t)
	commons := must.Have(games.Open("resilience-earth:players=3"))(t)
	rng := rand.New(rand.NewPCG(1, 2))
	const trials, size = 400, 4
	for _, blocks := range []int{5, 20, 100} {
		for _, share := range []float64{0.005, 0.03, 0.9} {
			for _, alike := range []float64{0, 1} { // how often a game goes as the first of its block
				covered, collapses := 0, 0
				for range trials {
					samples := make([]float64, blocks)
					var outcomes []Outcome
					for b := range samples {
						first := rng.Float64() < share
						for k := range size {
							o := Outcome{Block: b, Seating: []int{0, 0}, Result: env.Result{Lost: first, Returns: []float64{0, 0},
								Scores: []float64{1, 1}}}
							if k > 0 && rng.Float64() >= alike {
								o.Lost = rng.Float64() < share
							}
							samples[b] += number(o.Lost) / size
							outcomes = append(outcomes, o)
						}
					}
					if _, ci := EstimateShare(samples); ci.Holds(share) {
						covered++
					}
					if blocks == 20 && newCommons(commons.Info(), []string{"a"}, outcomes).Lost.CI.Holds(share) {
						collapses++
					}
				}
				if held := float64(covered) / trials; held < 0.917 { // 3 standard deviations below
					t.Errorf("share %v of %d blocks, %v alike: %v of the intervals hold it", share, blocks, alike, held)
				}
				if blocks == 20 && collapses != covered {
					t.Errorf("share %v, %v alike: %d intervals of collapses hold it, and %d of shares", share, alike, collapses,
						covered)
				}
			}
		}
	}
}

func TestEstimateShare(t *testing.T) {
	for _, test := range []struct {
		name    string
		samples []float64
		mean    float64
		ci      Interval
	}{
		{"nothing", nil, 0, Interval{0, 1}},
		{"one block", []float64{1}, 1, Interval{0, 1}},
		// Clopper and Pearson's: 1 - 0.025^(1/5) = 0.5218238
		{"five of five", []float64{1, 1, 1, 1, 1}, 1, Interval{0.4781762, 1}},
		{"none of five, one void", []float64{0, 0, math.NaN(), 0, 0, 0}, 0, Interval{0, 0.5218238}},
		{"all alike", []float64{0.25, 0.25, 0.25, 0.25, 0.25}, 0.25, Interval{0.25 - 0.25*0.5271292, 0.25 + 0.75*0.5271292}},
	} {
		mean, ci := EstimateShare(test.samples)
		if mean != test.mean || math.Abs(ci[0]-test.ci[0]) > 1e-7 || math.Abs(ci[1]-test.ci[1]) > 1e-7 {
			t.Errorf("%s: %v in %v, want %v in %v", test.name, mean, ci, test.mean, test.ci)
		}
	}
	one := make([]float64, 100)
	one[7] = 1
	_, ci := EstimateShare(one)
	_, none := EstimateShare(one[8:])
	if !(ci[0] > 0 && ci[0] < 0.001 && ci[1] > none[1]) {
		t.Errorf("one of 100: %v, none of 92: %v", ci, none)
	}
}

func TestBrief(t *testing.T) {
	for _, test := range []struct {
		d    time.Duration
		want string
	}{
		{0, "0s"}, {999, "999ns"}, {1000, "1 µs"}, {999_499, "999 µs"}, {999_700, "1 ms"}, {12_340_000, "12.3 ms"},
		{999_700 * time.Microsecond, "1 s"}, {99_940 * time.Millisecond, "99.9 s"}, {1234 * time.Second, "1234 s"},
	} {
		if got := brief(test.d); got != test.want {
			t.Errorf("%d ns: %q, want %q", test.d, got, test.want)
		}
	}
}

// A report is written whatever has become of the agents: here one has forfeited its game before its first decision.
func TestReportWithoutDecisions(t *testing.T) {
	g := kuhn.Open(2)
	usage := NewUsageCounter(g.Info(), []string{"first", "second"})
	usage.Seat(0)
	usage.Seat(1)
	usage.Choose(1, env.Mask{1}, 0)
	r := summarise(g.Info(), 1, []string{"first", "second"}, []Outcome{
		{Seating: []int{0, 1}, Result: env.Result{Returns: []float64{-1, 1}, Scores: []float64{0, 1},
			Measures: make([]float64, len(g.Info().Measures))}, Wins: []float64{0, 1}},
	})
	r.Usage = usage.Usage()
	var b strings.Builder
	must.Do(t, WriteReport(&b, Report{Matches: []*MatchResult{r}}))
	if page := b.String(); strings.Contains(page, "<b>first</b>") || !strings.Contains(page, "<b>second</b>") {
		t.Error("the page does not show what was chosen by the one that has decided, and by no other")
	}
}

// Text stands in Markdown as it is, also where it looks like an entity, a line through it or a formula.
func TestPlainText(t *testing.T) {
	if got, want := plainText("a|b ~~c~~ &lt; $d$"), `a\|b \~\~c\~\~ \&lt; \$d\$`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
