package eval

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/envtest"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
)

// sequence feeds a rule with drawn blocks, in the groups of a match.
func sequence(m monitor, most int, draw func() float64) (Stop, int) {
	done := 0
	for done < most {
		for next := min(most, nextGroup(done)); done < next; done++ {
			m.add(draw())
		}
		if s := m.stop(); s.Decided {
			return s, done
		}
	}
	return m.stop(), done
}

// The errors of a sequential test are what it says, for pairs of games and for differences that are anything.
func TestErrorRates(t *testing.T) {
	envtest.NothingToRace(t)
	const trials = 600
	test := SPRT{Return0: 0, Return1: 0.3, Alpha: 0.05, Beta: 0.1}
	pair := func(rng *rand.Rand, mean float64) float64 { // each game: drawn in 3 of 10
		game := func() float64 {
			switch u := rng.Float64(); {
			case u < 0.3:
				return 0
			case u < 0.65+mean/4:
				return 1
			}
			return -1
		}
		return game() + game()
	}
	skewed := func(rng *rand.Rand, mean float64) float64 { // bounded, with a long side
		return mean + min(rng.ExpFloat64(), 2) - (1 - math.Exp(-2))
	}
	for _, tt := range []struct {
		name   string
		counts bool
		draw   func(rng *rand.Rand, mean float64) float64
	}{{"pairs", true, pair}, {"skewed", false, skewed}} {
		for _, h := range []struct {
			truth, wrong float64
			verdict      string
		}{
			{0, test.Alpha, "+0.3 or more"}, {-0.1, test.Alpha, "+0.3 or more"},
			{0.3, test.Beta, "+0 or less"}, {0.4, test.Beta, "+0 or less"},
		} {
			rng := rand.New(rand.NewPCG(7, math.Float64bits(h.truth)))
			wrong, length := 0, 0
			for range trials {
				m := &sprtMonitor{test: test}
				if tt.counts {
					m.counts = pairs(0, 0, 0, 0, 0)
				}
				stop, blocks := sequence(m, 100_000, func() float64 { return tt.draw(rng, h.truth) })
				if !stop.Decided {
					t.Fatalf("%s, %v: still open after %d blocks", tt.name, h.truth, blocks)
				}
				if stop.Verdict == h.verdict {
					wrong++
				}
				length += blocks
			}
			rate := float64(wrong) / trials
			t.Logf("%s, truth %+.1f: %.1f %% wrong, %.0f blocks", tt.name, h.truth, 100*rate, float64(length)/trials)
			if most := h.wrong + 2.5*math.Sqrt(h.wrong*(1-h.wrong)/trials); rate > most {
				t.Errorf("%s, truth %+.1f: %.1f %% wrong; want at most %.1f %%", tt.name, h.truth, 100*rate, 100*h.wrong)
			}
		}
	}
}

// An interval at whose width a match stops covers the truth as often as it says.
func TestPrecisionCovers(t *testing.T) {
	envtest.NothingToRace(t)
	const trials = 600
	rng := rand.New(rand.NewPCG(3, 4))
	covered := 0
	for range trials {
		var samples []float64
		m := Precision{0.1}.begin(nil, true)
		stop, _ := sequence(m, 100_000, func() float64 {
			x := -1.0
			if rng.Float64() < 0.7 {
				x = 1
			}
			samples = append(samples, x)
			return x
		})
		_, ci := Estimate(samples, -1, 1)
		if !stop.Decided || (ci[1]-ci[0])/2 > 0.1 {
			t.Fatalf("stopped with %v at %v", stop, ci)
		}
		if ci[0] <= 0.4 && 0.4 <= ci[1] {
			covered++
		}
	}
	if share := float64(covered) / trials; share < 0.93 {
		t.Errorf("%.1f %% of the intervals cover the truth", 100*share)
	}
}

// What is said to be reached is: no interval that ends a match is wider.
func TestPrecisionReached(t *testing.T) {
	m := &precisionMonitor{}
	var samples []float64
	for i := range 16 {
		samples = append(samples, float64(4*(i%2)-2))
		m.add(samples[i])
	}
	for m.rule.HalfWidth = 1; !m.stop().Decided; m.rule.HalfWidth += 0.001 {
	}
	if _, ci := Estimate(samples, math.Inf(-1), math.Inf(1)); ci[1] > m.rule.HalfWidth {
		t.Errorf("±%.3f is reached with the interval %v", m.rule.HalfWidth, ci)
	}
}

// The ratio of the counts agrees with the normal approximation where that holds, and with the direct search for the
// likeliest distributions everywhere.
func TestPentanomial(t *testing.T) {
	test := SPRT{Return0: 0, Return1: 0.1, Alpha: 0.05, Beta: 0.05}
	judge := func(counts ...float64) float64 { return (&sprtMonitor{test: test, counts: pairs(counts...)}).llr() }
	for _, counts := range [][]float64{{100, 220, 310, 240, 130}, {3, 10, 25, 40, 30}, {50, 0, 0, 0, 0}, {0, 0, 7, 0, 0},
		{20, 0, 30, 0, 50}} {
		got, want := judge(counts...), likeliest(counts, test.Return1)-likeliest(counts, test.Return0)
		if math.Abs(got-want) > 1e-3*(1+math.Abs(want)) {
			t.Errorf("%v: %v; direct search: %v", counts, got, want)
		}
	}
	var sum moments
	for i, n := range []int{100, 220, 310, 240, 130} {
		for range n {
			sum.add(float64(i - 2))
		}
	}
	normal := (&sprtMonitor{test: test, n: 1000, sum: sum}).llr()
	if got := judge(100, 220, 310, 240, 130); math.Abs(got-normal) > 0.02*math.Abs(normal) {
		t.Errorf("pentanomial %v, normal %v", got, normal)
	}
	for _, tt := range []struct {
		test SPRT
		want string
	}{
		{SPRT{0.1, 0, 0.05, 0.05}, "return0 = 0.1 is not below return1 = 0"},
		{SPRT{0, 3, 0.05, 0.05}, "differences of return lie between -2 and 2"},
		{SPRT{0, 0.1, 0.5, 0.05}, "alpha = 0.5, beta = 0.05: they lie between 0 and 0.5"},
		{SPRT{math.NaN(), 0.1, 0.05, 0.05}, "return0 = NaN is not below"},
	} {
		if err := tt.test.check(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: error %v, want %s", tt.test, err, tt.want)
		}
	}
}

// likeliest is the greatest log-likelihood of the counts under distributions of the given mean, by the dual problem
// on a fine grid.
func likeliest(counts []float64, mean float64) float64 {
	best := math.Inf(1)
	for theta := -5.0; theta < 5; theta += 2e-5 {
		sum, ok := 0.0, true
		n := 0.0
		for i, c := range counts {
			c = max(c, 1e-3)
			w := 1 + theta*(float64(i-2)-mean)
			if w <= 0 {
				ok = false
				break
			}
			n += c
			sum += c * math.Log(c/w)
		}
		if ok {
			best = min(best, sum-n*math.Log(n))
		}
	}
	return best
}

// A match that ends when it has shown enough ends in the same way with any number of workers, and is a match of that
// many games.
func TestUntil(t *testing.T) {
	g := kuhn.Open(2)
	bet := &agents.Maker{Text: "bets", New: func() (agents.Agent, error) { return always{"bets", kuhn.Bet}, nil }}
	random := must.Have(agents.Open("random", g))(t)
	makers := []*agents.Maker{bet, random}
	for _, rule := range []StopRule{SPRT{-0.1, 0.1, 0.05, 0.05}, Precision{0.08}} {
		var first string
		for _, workers := range []int{1, 3} {
			o := Options{Games: 100_000, Seed: 5, Workers: workers}
			result, other, err := Until(context.Background(), g, makers, nil, o, rule)
			if err != nil {
				t.Fatal(err)
			}
			stop := *result.Stop
			if other != nil || !stop.Decided || stop.Of != "bets minus random" {
				t.Fatalf("%+v", stop)
			}
			if got := fmt.Sprintf("%+v %d %v", stop, result.Games, result.Differences); first == "" {
				first = got
			} else if got != first {
				t.Errorf("%d workers: %s\n1: %s", workers, got, first)
			}
			o.Games = result.Games
			whole := must.Have(Match(context.Background(), g, makers, o))(t)
			if result.Stop = nil; !reflect.DeepEqual(whole, result) {
				t.Errorf("a match of %d games is another:\n%+v\n%+v", o.Games, whole, result)
			}
		}
		result, _, err := Until(context.Background(), g, makers, nil, Options{Games: 40, Seed: 5}, rule)
		if err != nil || result.Stop.Decided || result.Games != 40 {
			t.Errorf("40 games decide: %+v, %v", result.Stop, err)
		}
	}
	result, other, err := Until(context.Background(), g, makers[:1], makers[1:], Options{Games: 1000, Seed: 5},
		Precision{0.5})
	if err != nil || !result.Stop.Decided || result.Games != other.Games || result.Agents[0].Agent != "bets" ||
		other.Agents[0].Agent != "random" {
		t.Errorf("two tables: %+v, %v", result, err)
	}
	for _, tt := range []struct {
		makers []*agents.Maker
		rule   StopRule
		want   string
	}{
		{makers[:1], SPRT{0, 0.1, 0.05, 0.05}, "compares two agents, or two tables; this is one agent"},
		{makers, Precision{0}, "±0: it is above 0"},
		{makers, SPRT{0, 0, 0.05, 0.05}, "return0 = 0 is not below return1 = 0"},
	} {
		if _, _, err := Until(context.Background(), g, tt.makers, nil, Options{Games: 10}, tt.rule); err == nil ||
			!strings.Contains(err.Error(), tt.want) {
			t.Errorf("error %v, want %s", err, tt.want)
		}
	}
}

// always chooses one action.
type always struct {
	name   string
	action env.Action
}

func (a always) Name() string                      { return a.name }
func (a always) Reset(uint64)                      {}
func (a always) Act(*env.View) (env.Action, error) { return a.action, nil }
