package train

import (
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"earthgym/agents/checkpoint"
	"earthgym/env"
	"earthgym/env/envtest/kuhn"
)

// Who sees all cards says more of what a game is going to bring; the networks that are left behind are what they would be
// without.
func TestCentralCritic(t *testing.T) {
	c := criticConfig(t)
	c.CloneDecisions, c.DaggerDecisions = 6000, 0
	explained := func() (share float64, network *checkpoint.Checkpoint) {
		dir, _ := trained(t, c, 3, 1)
		updates := metrics(t, dir)
		last := slices.IndexFunc(updates, func(u Update) bool { return u.Phase == "league" }) - 1
		for _, file := range []string{checkpoint.Best, filepath.Join(checkpoint.Dir, checkpoint.FileName(int64(len(updates))))} {
			var err error
			if network, err = checkpoint.Read(filepath.Join(dir, file)); err != nil {
				t.Fatal(err)
			}
			if len(network.Tensors) > 0 {
				t.Errorf("%s has tensors besides its network, the first of them %s", file, network.Tensors[0].Name)
			}
		}
		return updates[last].Explained, network
	}
	with, network := explained()
	c.CentralCritic = false
	without, want := explained()
	if with < without+0.1 {
		t.Errorf("the critic explains %.2f of the returns, the network %.2f", with, without)
	}
	if !reflect.DeepEqual(network.Network.Spec(), want.Network.Spec()) {
		t.Errorf("a run with a critic ends with a network %+v, without it %+v", network.Network.Spec(), want.Network.Spec())
	}
}

// A critic is asked about what the actor sees, then what the others see clockwise.
func TestObserveAll(t *testing.T) {
	c := smallConfig()
	c.CentralCritic = true
	three, two := kuhn.Open(3), kuhn.Open(2)
	r := newRollout(three.Info(), 3, &c)
	for _, g := range []env.Game{three, two} {
		s := g.New()
		s.Reset(7, nil)
		s.Apply(kuhn.Bet, nil)
		actor, n := s.Actor(), r.inputs
		s.Observe(r.observation(1), actor)
		r.observeAll(1, s, actor)
		want := make([]float32, 3*n)
		for k := range g.Info().Players {
			s.Observe(want[k*n:(k+1)*n], (actor+env.Player(k))%env.Player(g.Info().Players))
		}
		if got := r.seenByAll(1); !slices.Equal(got, want) {
			t.Errorf("%d seats see %v, want %v", g.Info().Players, got, want)
		}
	}
}

func TestCriticNeedsSecrets(t *testing.T) {
	info := *kuhn.Open(3).Info()
	info.Traits = []string{env.Competitive}
	c := smallConfig()
	if _, err := newCritic(&c, &info, 3, 1); err == nil || !strings.Contains(err.Error(), "nothing is hidden in") {
		t.Errorf("error %v", err)
	}
}
