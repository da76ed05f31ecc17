package train

import (
	"slices"
	"testing"

	"earthgym/agents/neural"
	"earthgym/env"
	"earthgym/env/envtest"
	"earthgym/env/envtest/kuhn"
)

// A network that learns from nothing but search on top of it, which plays games to the end, gets better at Kuhn poker.
func TestExpertIterationLearnsKuhn(t *testing.T) {
	envtest.NothingToRace(t) // that shorter runs have not
	c := DefaultConfig("kuhn")
	c.Minutes, c.Decisions, c.NumEnvs, c.NumSteps, c.Hidden, c.Minibatch = 0, 20_000, 64, 16, []int{32}, 512
	c.LearningRate, c.PoolShare, c.OpponentShare, c.KLCoef, c.KLCoefEnd = 3e-3, 0, 0, 0, 0
	c.Clone, c.Opponents = nil, nil
	c.Search, c.SearchShare = "sims=48,mode=tree,cut=0,explore=2", 1
	_, params := trained(t, c, 2, 2)
	policy, err := neural.NewPolicy(params)
	if err != nil {
		t.Fatal(err)
	}
	random := exploitability(func(*kuhn.State) [2]float64 { return [2]float64{0.5, 0.5} })
	learnt := exploitability(func(s *kuhn.State) [2]float64 { return probabilities(policy, s) })
	t.Logf("exploitability: random %.4f, learnt %.4f", random, learnt)
	if learnt > random/2 {
		t.Errorf("a best response gains %.4f against what was learnt; against random play it gains %.4f", learnt, random)
	}
}

// Searched lanes are spread evenly, and there is one unless the share is 0.
func TestSearchedLanes(t *testing.T) {
	for _, test := range []struct {
		share float64
		want  string
	}{
		{0, "........"}, {0.01, "x......."}, {0.25, "x...x..."}, {0.5, "x.x.x.x."}, {1, "xxxxxxxx"},
	} {
		k := collector{config: &Config{Search: "sims=4", SearchShare: test.share}, phase: leaguePlay}
		got := ""
		for lane := range 8 {
			if k.searches(lane) {
				got += "x"
			} else {
				got += "."
			}
		}
		if got != test.want {
			t.Errorf("share %v: %s, want %s", test.share, got, test.want)
		}
		k.phase = dagger
		if k.searches(0) {
			t.Errorf("share %v: searched while cloning", test.share)
		}
	}
}

// A decision that is none is not searched for: here no search is there to be asked. Nothing is drawn for it, nothing learnt.
func TestForcedDecisionsAreNotSearched(t *testing.T) {
	r := &rollout{words: 1, choices: 3, masks: []uint64{0b111, 0b100}, actions: make([]int32, 2), logProbs: []float32{-1, -1}, targets: make([]float32, 6)}
	k := collector{rollout: r, workers: make([]collectWorker, 1), luck: []env.Stream{env.NewStream(1, "actions")}}
	luck := k.luck[0]
	a, err := k.search(0, 0, 1, []float32{4, 0, -4})
	if err != nil || a != 2 || r.actions[1] != 2 || r.logProbs[1] != 0 {
		t.Errorf("action %d (%v), noted as %d with the logarithm %v of its chance; want 2 and 0", a, err, r.actions[1], r.logProbs[1])
	}
	if slices.ContainsFunc(r.targets, func(x float32) bool { return x != 0 }) {
		t.Errorf("the targets are %v; want them as they were", r.targets)
	}
	if k.luck[0].Uint64() != luck.Uint64() {
		t.Error("it has drawn something")
	}
}
