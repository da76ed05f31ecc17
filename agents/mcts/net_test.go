package mcts

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"earthgym/agents/checkpoint"
	"earthgym/agents/neural"
	"earthgym/env"
	"earthgym/env/envtest/kuhn"
)

// writeNet writes a checkpoint of an untrained network whose parameters fill changes, and returns its path.
func writeNet(t *testing.T, g env.Game, fill func(flat []float32)) string {
	t.Helper()
	p, err := neural.NewParams(neural.Spec{Inputs: g.Info().Observation(), Actions: len(g.Info().Actions), Hidden: []int{8}})
	if err != nil {
		t.Fatal(err)
	}
	p.Init(3)
	fill(p.Flat())
	path := filepath.Join(t.TempDir(), "net.safetensors")
	if err := checkpoint.Write(path, checkpoint.New(g.Info(), p)); err != nil {
		t.Fatal(err)
	}
	return path
}

// A network guides both kinds of search, alone or with bots, and search still folds and calls as every solution does
// where games are played to the end.
func TestNet(t *testing.T) {
	g := kuhn.Open(2)
	path := writeNet(t, g, func([]float32) {})
	state := g.New()
	for _, options := range []string{"", ",mode=flat", ",cut=2", ",cut=0", ",cut=0,mode=flat", ",rollout=random,cut=0", ",mode=flat,opponents=random+net"} {
		s := newSearch(t, "sims=1500,net="+path+options, g)
		observation := make([]float32, g.Info().Observation())
		for seed := range uint64(12) {
			state.Reset(seed, nil)
			state.Apply(kuhn.Bet, nil)
			state.Observe(observation, 1)
			r := find(t, s, state)
			wrong := observation[0] == 1 && r.Action != kuhn.Pass || observation[2] == 1 && r.Action != kuhn.Bet
			if r.Action < 0 || r.Simulations == 0 || strings.Contains(options, "cut=0") && wrong {
				t.Errorf("%q, seed %d, %s: %d of values %v", options, seed, state.AppendPosition(nil), r.Action, r.Values)
			}
		}
	}
}

// A network of another game and one that has diverged are refused in words.
func TestBadNets(t *testing.T) {
	g := kuhn.Open(2)
	if _, _, err := Open("net="+writeNet(t, newNim(mostStones, 0), func([]float32) {}), g); err == nil || !strings.Contains(err.Error(), "nim") {
		t.Errorf("a network of another game: %v", err)
	}
	huge := writeNet(t, g, func(flat []float32) {
		for i := range flat {
			flat[i] = 1e20
		}
	})
	create, _, err := Open("sims=10,net="+huge, g)
	if err != nil {
		return // refused when it is opened is as good
	}
	state := g.New()
	state.Reset(1, nil)
	if _, err := create().Search(context.Background(), env.ViewOf(state)); err == nil {
		t.Error("a diverged network searches")
	}
}
