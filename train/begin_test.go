package train_test

import (
	"testing"

	"earthgym/env"
	"earthgym/games"
	"earthgym/train"
)

// A run may begin with DAgger. Before its first decision is learnt from, teachers alone have played; then the network sits
// in half of their seats. (Kuhn poker would not tell: each of its actions is always legal.)
func TestBeginWithDagger(t *testing.T) {
	g, err := games.Open("resilience-earth:players=2")
	if err != nil {
		t.Fatal(err)
	}
	c := train.DefaultConfig(g.Info().Text)
	c.Minutes, c.Decisions, c.CloneDecisions, c.DaggerDecisions = 0, 0, 0, 300
	c.NumEnvs, c.NumSteps, c.Hidden, c.Opponents, c.EvalGames = 8, 20, []int{8}, []string{"random"}, 0
	c.Clone = []string{"script:greedy"}
	dir := t.TempDir()
	r, err := train.Start(dir, c, []env.Game{g}, train.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Train(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	updates, err := train.ReadMetrics(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range updates {
		if u.Phase != "dagger" {
			t.Errorf("update %d: %s", u.Update, u.Phase)
		}
	}
	if r.Cloned() < 300 {
		t.Errorf("%d decisions of teachers, want 300", r.Cloned())
	}
}
