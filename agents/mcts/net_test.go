package mcts

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"earthgym/agents/checkpoint"
	"earthgym/agents/neural"
	"earthgym/agents/neural/gemm"
	"earthgym/env"
	"earthgym/env/envtest"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// writeNet writes a checkpoint of an untrained network whose parameters fill changes, and returns its path.
func writeNet(t *testing.T, g env.Game, fill func(flat []float32)) string {
	t.Helper()
	return writeParams(t, g, func(p *neural.Params) {
		p.Init(3)
		fill(p.Flat())
	})
}

// writeParams is writeNet for what makes all of the parameters, which are 0.
func writeParams(t *testing.T, g env.Game, make func(p *neural.Params)) string {
	t.Helper()
	p := must.Have(neural.NewParams(neural.Spec{Inputs: g.Info().Observation(), Actions: len(g.Info().Actions),
		Hidden: []int{8}}))(t)
	make(p)
	path := filepath.Join(t.TempDir(), "net.safetensors")
	must.Do(t, checkpoint.Write(path, checkpoint.New(g.Info(), p)))
	return path
}

// A network guides both kinds of search, alone or with bots, and search still folds and calls as every solution does
// where games are played to the end.
func TestNet(t *testing.T) {
	g := kuhn.Open(2)
	path := writeNet(t, g, func([]float32) {})
	state := g.New()
	for _, options := range []string{"", ",mode=flat", ",cut=2", ",cut=0", ",cut=0,mode=flat", ",rollout=random,cut=0",
		",mode=flat,opponents=random+net", ",mode=flat,cut=0,rollout=argmax", ",cut=0,workers=3"} {
		s := newSearch(t, "sims=1500,net="+path+options, g)
		observation := make([]float32, g.Info().Observation())
		for seed := range uint64(12) {
			state.Reset(seed, nil)
			state.Apply(kuhn.Bet, nil)
			state.Observe(observation, 1)
			r := find(t, s, state)
			total := int32(0)
			for _, n := range r.Visits {
				total += n
			}
			if r.Simulations != int(total) || r.Simulations > 1500 || r.Simulations < 1400 {
				t.Errorf("%q: %d simulations, %d visits", options, r.Simulations, total)
			}
			wrong := observation[0] == 1 && r.Action != kuhn.Pass || observation[2] == 1 && r.Action != kuhn.Bet
			if r.Action < 0 || r.Simulations == 0 || strings.Contains(options, "cut=0") && wrong {
				t.Errorf("%q, seed %d, %s: %d of values %v", options, seed, state.AppendPosition(nil), r.Action, r.Values)
			}
		}
	}
}

// What search makes of networks is stored: one value for all fused kernels, on every processor, and one for the
// portable ones.
func TestGoldenSearches(t *testing.T) {
	envtest.NothingToRace(t)
	for _, k := range gemm.All() {
		t.Setenv(gemm.Env, k.Name())
		h := fnv.New64a()
		for _, game := range []string{"resilience-earth", "earthmans-burden"} {
			g := must.Have(games.Open(game))(t)
			path := writeNet(t, g, func([]float32) {})
			for _, options := range []string{",mode=tree", ",mode=flat,opponents=net+script:greedy", ",mode=flat,cut=2"} {
				state := g.New()
				state.Reset(5, nil)
				s := newSearch(t, "sims=12,net="+path+options, g)
				for range 2 {
					r := find(t, s, state)
					fmt.Fprintln(h, r.Action, r.Visits, r.Value, r.Values)
					state.Apply(r.Action, nil)
				}
			}
		}
		want := "7589528f4f0a3193"
		if k.Name() == "portable" {
			want = "7833570739e1ddea"
		}
		if got := fmt.Sprintf("%016x", h.Sum64()); got != want {
			t.Errorf("%s: the bits are %s, want %s", k.Name(), got, want)
		}
	}
}

// Simulations that go on side by side find what they find one by one, whoever the others are, on any number of workers.
func TestLots(t *testing.T) {
	seeds := uint64(10)
	if testing.Short() { // enough for the race detector
		seeds = 2
	}
	g := kuhn.Open(3)
	path := writeNet(t, g, func([]float32) {})
	state := g.New()
	for _, rollout := range []string{"net", "argmax"} {
		for _, opponents := range []string{"", ",opponents=random", ",opponents=net", ",opponents=argmax+random+net"} {
			for _, cut := range []string{"0", "1", "2"} {
				options := "sims=300,mode=flat,net=" + path + ",rollout=" + rollout + opponents + ",cut=" + cut
				for seed := range seeds {
					state.Reset(seed, nil)
					batched := find(t, newSearch(t, options, g), state)
					single := newSearch(t, options, g)
					single.batched = false
					for how, s := range map[string]*Search{"one by one": single, "on three workers": newSearch(t, options+",workers=3",
						g)} {
						r := find(t, s, state)
						if batched.Action != r.Action || !slices.Equal(batched.Values, r.Values) || batched.Decisions != r.Decisions {
							t.Fatalf("%s, seed %d: %+v in batched, %s %+v", options, seed, batched, how, r)
						}
					}
				}
			}
		}
	}
}

// With a network, too, a search allocates no more for more simulations.
func TestAllocationsWithNet(t *testing.T) {
	envtest.NothingToRace(t)
	g := kuhn.Open(3)
	path := writeNet(t, g, func([]float32) {})
	state := g.New()
	state.Reset(1, nil)
	v := env.ViewOf(state)
	for _, mode := range []string{"mode=flat", "mode=tree"} {
		count := func(sims string) float64 {
			s := newSearch(t, mode+",net="+path+",sims="+sims, g)
			return testing.AllocsPerRun(20, func() {
				s.Reset(3)
				if _, err := s.Search(context.Background(), v); err != nil {
					t.Fatal(err)
				}
			})
		}
		if few, many := count("100"), count("3000"); many > few+2 {
			t.Errorf("%s: %v allocations with 100 simulations, %v with 3000", mode, few, many)
		}
	}
}

// With a network games are played on to the end by it, or in some by the bots; in the longest ones, and in training,
// its values stand for the rest. What is named stays.
func TestDefaultsWithNet(t *testing.T) {
	for _, test := range []struct {
		game, options   string
		tree            bool
		rollout         string
		cut, candidates int
		opponents       []string
	}{
		{"one-earth", "net=", false, "argmax", 0, 125, []string{"argmax", "script:strong"}},
		{"one-earth", "net=,opponents=argmax,sims=64", false, "argmax", 0, 8, []string{"argmax"}},
		{"one-earth", "net=,sims=10", false, "argmax", 0, 2, []string{"argmax", "script:strong"}},
		{"one-earth", "net=,mode=tree", true, "argmax", 1, 0, nil},
		{"one-earth", "net=,mode=tree,cut=2", true, "argmax", 2, 0, nil},
		{"one-earth", "net=,rollout=script:strong,cut=3,width=5", false, "script:strong", 3, 5, nil},
		{"new-earth", "net=,sims=10", false, "script:strong", 0, 0, nil},
		{"new-earth:players=2", "net=,ms=50", false, "script:strong", 0, 0, nil},
		{"one-earth", "net=,ms=50", false, "argmax", 0, 8, []string{"argmax", "script:strong"}},
		{"new-earth", "net=,rollout=argmax,width=0", false, "argmax", 0, 0, nil},
		{"new-earth", "net=,opponents=argmax", false, "script:strong", 0, 0, []string{"argmax"}},
		{"new-earth", "net=,mode=tree", true, "argmax", 1, 0, nil},
		{"earth-rising", "net=", false, "script:strong", 8, 5, nil},
		{"earth-rising", "net=,cut=3", false, "script:strong", 3, 5, nil},
		{"earth-rising", "net=,rollout=argmax", false, "argmax", 0, 5, nil},
		{"earthmans-burden", "net=", true, "argmax", 1, 0, nil},
		{"earthmans-burden", "net=,mode=flat,width=3", false, "argmax", 0, 3, []string{"argmax", "script:strong"}},
	} {
		g := must.Have(games.Open(test.game))(t)
		c, err := Parse(test.options, g)
		if err != nil || c.Tree != test.tree || c.Rollout != test.rollout || c.Cut != test.cut ||
			c.Width != test.candidates || !slices.Equal(c.Opponents, test.opponents) {
			t.Errorf("%s, %s: %+v, %v", test.game, test.options, c, err)
		}
	}
}

// A tree leaves the network's choice for nothing that it has tried but a few times: the deviation of so few says
// nothing.
func TestFewVisitsLeaveTheIncumbent(t *testing.T) {
	g := kuhn.Open(2)
	path := writeNet(t, g, func([]float32) {})
	state := g.New()
	for _, sims := range []string{"1", "2", "3", "4", "5", "6", "7"} {
		s := newSearch(t, "mode=tree,cut=0,margin=1,net="+path+",sims="+sims, g)
		for seed := range uint64(30) {
			state.Reset(seed, nil)
			if r := find(t, s, state); r.Visits[r.Action] < 4 && r.Action != r.Incumbent {
				t.Errorf("%s simulations, seed %d: %d is left for %d: %v of %v", sims, seed, r.Incumbent, r.Action, r.Values,
					r.Visits)
			}
		}
	}
}

// A search by a network that nobody waits for ends at once, and one with a limit of time keeps it.
func TestLimitsWithNet(t *testing.T) {
	g := kuhn.Open(2)
	path := writeNet(t, g, func([]float32) {})
	state := g.New()
	state.Reset(1, nil)
	for _, mode := range []string{"flat", "tree"} {
		s := newSearch(t, "sims=3000000,mode="+mode+",net="+path, g)
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		begin := time.Now()
		if _, err := s.Search(ctx, env.ViewOf(state)); !errors.Is(err, context.DeadlineExceeded) ||
			time.Since(begin) > 5*time.Minute {
			t.Errorf("%s: %v after %v", mode, err, time.Since(begin))
		}
		cancel()
		begin = time.Now()
		r := find(t, newSearch(t, "ms=30,mode="+mode+",net="+path, g), state)
		if took := time.Since(begin); r.Simulations < 1 || took < 25*time.Millisecond || took > 5*time.Minute {
			t.Errorf("%s: %d simulations in %v of 30 ms", mode, r.Simulations, took)
		}
	}
}

// A tree whose new nodes the network values plays nothing on, so that nobody can be named who would.
func TestNothingIsPlayedOn(t *testing.T) {
	g := kuhn.Open(2)
	net := "net=" + writeNet(t, g, func([]float32) {}) + ",mode=tree"
	for options, want := range map[string]string{
		",rollout=net":            "rollout=net does nothing: the network values new nodes with cut=1",
		",opponents=random":       "opponents=random does nothing: the network values new nodes with cut=1",
		",cut=0,opponents=random": "",
		",cut=2,rollout=net":      "",
		",margin=3":               "",
		",cut=1":                  "",
	} {
		_, err := openText(net+options, g)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", options, err, want)
		}
	}
}

// A network's values of all seats serve the searcher as those of a network that only values its own seat do.
func TestValuesOfAllSeats(t *testing.T) {
	g := kuhn.Open(3)
	values := func(seats int) []float64 {
		p, err := neural.NewParams(neural.Spec{Inputs: g.Info().Observation(), Actions: 2, Hidden: []int{4}, Values: seats})
		if err != nil {
			t.Fatal(err)
		}
		for k := range max(seats, 1) {
			p.Layers()[1].Bias[2+k] = 0.25 * float32(k+1)
		}
		policy := must.Have(neural.NewPolicy(p))(t)
		open := must.Have(openPlayer("net", g, true, policy))(t)
		m := newSimulator(g, 1, policy, open, nil)
		m.state.Reset(1, nil)
		m.state.Apply(kuhn.Bet, nil)
		m.state.Legal(m.legal)
		m.evaluate(m.state.Actor())
		return m.returns
	}
	if got := values(3); !slices.Equal(got, []float64{0.75, 0.25, 0.5}) { // seat 1 decides, and is given first
		t.Errorf("the values of all seats are %v", got)
	}
	if got := values(0); !slices.Equal(got, []float64{0.25, 0.25, 0.25}) {
		t.Errorf("the seats' own values are %v", got)
	}
}

// A network of another game and one that has diverged are refused in words.
func TestBadNets(t *testing.T) {
	g := kuhn.Open(2)
	if _, err := openText("net="+writeNet(t, newNim(mostStones, 0), func([]float32) {}), g); err == nil ||
		!strings.Contains(err.Error(), "nim") {
		t.Errorf("a network of another game: %v", err)
	}
	huge := writeNet(t, g, func(flat []float32) {
		for i := range flat {
			flat[i] = 1e20
		}
	})
	create, err := openText("sims=10,net="+huge, g)
	if err != nil {
		return // refused when it is opened is as good
	}
	state := g.New()
	state.Reset(1, nil)
	if _, err := create().Search(context.Background(), env.ViewOf(state)); err == nil {
		t.Error("a diverged network searches")
	}
}

// A network that values positions, but whose policy has diverged, at the root or only further on, is refused in words
// too.
func TestBadPolicies(t *testing.T) {
	g := kuhn.Open(2)
	state, n := g.New(), g.Info().Observation()
	root, after := make([]float32, n), make([]float32, n)
	state.Reset(1, nil)
	state.Observe(root, 0)
	state.Apply(kuhn.Pass, nil)
	state.Observe(after, 1)
	told := -1 // what is seen after the root only, the last of it: the cards come first
	for i := range root {
		if root[i] == 0 && after[i] != 0 {
			told = i
		}
	}
	state.Reset(1, nil)
	for where, path := range map[string]string{
		"at the root": writeParams(t, g, func(p *neural.Params) {
			p.Layers()[0].Bias[0] = 1e20
			p.Layers()[1].Weight[0], p.Layers()[1].Weight[1] = 1e20, 1e20
		}),
		"further on": writeParams(t, g, func(p *neural.Params) {
			p.Layers()[0].Weight[told*p.Layers()[0].Out] = 1e20
			p.Layers()[1].Weight[0], p.Layers()[1].Weight[1] = 1e20, 1e20
		}),
	} {
		for _, options := range []string{"mode=tree", "mode=tree,cut=0", "mode=flat"} {
			if where == "further on" && options == "mode=flat" {
				continue // it plays on by what it gets: the lowest of unknown logits
			}
			s := newSearch(t, "sims=40,"+options+",net="+path, g)
			if _, err := s.Search(context.Background(), env.ViewOf(state)); !errors.Is(err, errDiverged) {
				t.Errorf("%s, %s: %v", where, options, err)
			}
		}
	}
}

// A Config is read from its text as it was, whatever is set in it, and no option is left out.
func TestText(t *testing.T) {
	for _, test := range []struct{ game, options string }{
		{"resilience-earth:players=2", ""},
		{"earth-rising:players=2", "ms=40,margin=0.5,workers=2"},
		{"new-earth:players=2", "mode=tree,margin=0.25"},
		{"resilience-earth:players=4", "opponents=random"},
		{"new-earth:players=3", "net=,mode=tree"},
		{"one-earth:players=3", "sims=50,net=,rollout=net,opponents=argmax+script:greedy,width=3"},
		{"earthmans-burden:players=2", "net=runs/a,margin=0.5"},
	} {
		g := must.Have(games.Open(test.game))(t)
		want := must.Have(Parse(test.options, g))(t)
		if got, err := Parse(want.Text(), g); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s mcts:%s is written %s and read as %+v, %v, want %+v", test.game, test.options, want.Text(), got, err,
				want)
		}
	}
	all := Config{Guided: true, Opponents: []string{"random"}}
	for _, s := range settings() {
		if s.name != "ms" && !strings.Contains(","+all.Text(), ","+s.name+"=") {
			t.Errorf("%s is not in %s", s.name, all.Text())
		}
	}
}
