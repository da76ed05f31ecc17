package train

import (
	"math"
	"slices"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
)

// Whoever is hard to beat is met more often, and nobody is forgotten.
func TestDrawField(t *testing.T) {
	lost, even, won := form{0, 98}, form{49, 49}, form{98, 0}
	for _, test := range []struct {
		name   string
		form   []form
		floor  float64
		shared bool
		want   []float64
	}{
		{"alike", []form{even, even, even, even}, 0.05, false, []float64{0.25, 0.25, 0.25, 0.25}},
		{"at first", []form{{}, {}}, 0, false, []float64{0.5, 0.5}},
		{"fourth powers", []form{lost, even}, 0, false, []float64{0.9606 / (0.9606 + 0.0625), 0.0625 / (0.9606 + 0.0625)}},
		{"floor", []form{lost, won, won, won}, 0.05, false, []float64{0.85, 0.05, 0.05, 0.05}},
		{"floor too high", []form{lost, won}, 0.9, false, []float64{0.5, 0.5}},
		{"partners", []form{lost, even, won}, 0, true, []float64{0.0366, 0.9267, 0.0366}},
	} {
		p := &pool{field: len(test.form), form: test.form, weights: make([]float64, len(test.form))}
		const draws = 10000
		got := make([]float64, len(test.form))
		for i := range draws {
			got[p.drawField(test.floor, test.shared, (float64(i)+0.5)/draws)] += 1.0 / draws
		}
		for i, want := range test.want {
			if math.Abs(got[i]-want) > 1e-3 {
				t.Errorf("%s: opponents are drawn with %.3f, want %.3f", test.name, got, test.want)
				break
			}
		}
	}
}

func TestFormFades(t *testing.T) {
	var f form
	for range 2000 {
		f.add(0, 1)
	}
	if f.won() > 0.01 {
		t.Errorf("who always loses is said to win %.3f", f.won())
	}
	for range 600 {
		f.add(1, 0)
	}
	if f.won() < 0.9 {
		t.Errorf("who has won the last 600 games is said to win %.3f", f.won())
	}
}

// The network has any number of seats against an opponent, or one where it exploits, and any place at the table.
func TestNetworkSeats(t *testing.T) {
	g := kuhn.Open(3)
	for _, test := range []struct {
		exploit bool
		want    []int // how often each number of seats comes, of 64
	}{{false, []int{0, 1, 1, 0}}, {true, []int{0, 64, 0, 0}}} {
		c := DefaultConfig(g.Info().Text)
		c.NumEnvs, c.NumSteps, c.Clone, c.Opponents = 64, 4, nil, []string{"random"}
		c.OpponentShare, c.PoolShare, c.Exploit = 1, 0, test.exploit
		k := must.Have(newCollector(&c, []env.Game{g}, 1))(t)
		k.phase = leaguePlay
		counts, places := make([]int, 4), make([]int, 3)
		for lane := range c.NumEnvs {
			k.seatLeague(lane)
			n := 0
			for p, driver := range k.drivers(lane) {
				if driver == network {
					n++
					places[p]++
				}
			}
			counts[n]++
		}
		k.close()
		for n, want := range test.want {
			if !test.exploit && (counts[n] > 0) != (want > 0) || test.exploit && counts[n] != want {
				t.Errorf("exploit %v: numbers of seats %v", test.exploit, counts)
			}
		}
		if slices.Contains(places, 0) {
			t.Errorf("exploit %v: the network sits at %v", test.exploit, places)
		}
	}
}

// Half of the games are of the usual variants, and the rest of all, mostly of those that are hard.
func TestDrawVariant(t *testing.T) {
	const hard = 30
	k := &collector{usual: []int32{0, 7}, forms: make([]form, 50)}
	for i := range k.forms {
		k.forms[i] = form{98, 0}
	}
	k.forms[hard] = form{0, 98}
	luck := env.NewStream(1, "variants")
	counts := make([]int, len(k.forms))
	const draws = 20000
	for range draws {
		counts[k.drawVariant(&luck)]++
	}
	for variant, want := range map[int]float64{0: 0.257, 7: 0.257, hard: 0.148, 49: 0.0072} {
		if share := float64(counts[variant]) / draws; math.Abs(share-want) > 0.15*want {
			t.Errorf("variant %d is %.4f of the games, not %.4f", variant, share, want)
		}
	}
	for a, b := range map[string]string{
		"one-earth:players=2,aid=off": "one-earth:aid=off", "one-earth:players=5": "one-earth",
	} {
		if one, other := butSeats(&env.Info{Short: a}), butSeats(&env.Info{Short: b}); one != other {
			t.Errorf("%s and %s differ in more than seats: %q, %q", a, b, one, other)
		}
	}
	if butSeats(&env.Info{Short: "one-earth:players=2,aid=off"}) == butSeats(&env.Info{Short: "one-earth:players=2"}) {
		t.Error("an option counts for nothing")
	}
}

// Where all win together, most tables are teachers' alone; elsewhere half of them have strangers.
func TestSeatTeachers(t *testing.T) {
	for _, test := range []struct {
		traits    []string
		low, high float64 // share of tables with teachers alone
	}{{nil, 0.35, 0.6}, {[]string{env.Cooperative}, 0.8, 0.95}} {
		g := kuhn.Open(3)
		c := DefaultConfig(g.Info().Text)
		c.NumEnvs, c.NumSteps, c.Clone, c.Opponents = 400, 4, nil, []string{"random"}
		k := must.Have(newCollector(&c, []env.Game{g}, 1))(t)
		info := *k.info
		info.Traits = test.traits
		k.rollout.together = info.Shared()
		const teacher = 4
		k.pool.fixed = append(k.pool.fixed, make([]fixedAgent, teacher)...)
		k.pool.teachers = []int32{teacher}
		alone := 0
		for lane := range c.NumEnvs {
			k.seatTeachers(lane)
			if !slices.ContainsFunc(k.drivers(lane), func(driver int32) bool { return driver != teacher }) {
				alone++
			}
			if !slices.Contains(k.drivers(lane), teacher) {
				t.Errorf("%v: lane %d has nobody to learn from", test.traits, lane)
			}
		}
		k.close()
		if share := float64(alone) / float64(c.NumEnvs); share < test.low || share > test.high {
			t.Errorf("%v: teachers alone at %.2f of the tables", test.traits, share)
		}
	}
}
