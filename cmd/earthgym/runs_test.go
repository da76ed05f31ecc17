package main

import (
	"os"
	"path/filepath"
	"testing"

	"earthgym/agents/checkpoint"
	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/games"
	"earthgym/train"
)

// The strength of a run is that of the network that it stands for, and not the luckiest of its measurements.
func TestRunsTellOfTheAnswer(t *testing.T) {
	g := must.Have(games.Open("resilience-earth:players=2"))(t)
	c := train.DefaultConfig(g.Info().Text)
	c.Minutes, c.Decisions, c.Clone, c.NumEnvs, c.NumSteps, c.Hidden, c.Opponents = 0, 10, nil, 2, 2, []int{4},
		[]string{"random"}
	dir := t.TempDir()
	r := must.Have(train.Start(dir, c, []env.Game{g}, train.Options{Workers: 1}))(t)
	r.Close()
	lines := `{"update": 1, "strength": 0.9, "field": {"random": {"lead": 0.9}}}
{"update": 2, "strength": 0.8, "field": {"random": {"lead": 0.8}}}
`
	must.Do(t, os.WriteFile(filepath.Join(dir, train.MetricsFile), []byte(lines), 0o600))
	if got, err := readRun(dir); err != nil || got.Strength != nil {
		t.Errorf("without a network that was kept: %+v, %v", got, err)
	}
	name := filepath.Join(dir, checkpoint.Best)
	saveNetwork(t, g.Info().Text, name)
	best := must.Have(checkpoint.Read(name))(t)
	best.Update = 2
	best.Card = &checkpoint.Card{
		Strength: []checkpoint.Strength{{Opponent: "random", Return: 0.5}, {Opponent: "script:naive", Return: 0.3}}}
	must.Do(t, checkpoint.Write(name, best))
	got := must.Have(readRun(dir))(t)
	if got.Strength == nil || *got.Strength != 0.4 || got.Update != 2 || got.Leads["script:naive"] != 0.3 {
		t.Errorf("got %+v", got)
	}
}
