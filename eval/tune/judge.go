package tune

import (
	"context"
	"encoding/json"
	"io"
	"path/filepath"

	"earthgym/env"
	"earthgym/env/disk"
	"earthgym/eval"
)

// A Result is what a run has found, and how good it is on seeds that it was not tuned on.
type Result struct {
	Bot       string      `json:"bot"`
	Steps     int         `json:"steps"`
	Weights   []Found     `json:"weights"`
	Judgement []Judgement `json:"judgement"`
}

// Found is a weight before and after.
type Found struct {
	Name   string  `json:"name"`
	Before float64 `json:"before"`
	After  float64 `json:"after"`
	Help   string  `json:"help"`
}

// A Judgement is the mean return of one player in a variant.
type Judgement struct {
	Game     string        `json:"game"`  // for people
	Agent    string        `json:"agent"` // "tuned", "as it stands", or, on the same seeds, "tuned minus as it stands"
	Among    string        `json:"among"` // who sits in the other seats; "" where whole tables are compared
	Games    int           `json:"games"`
	Return   float64       `json:"return"`
	ReturnCI eval.Interval `json:"return_ci"`
}

// What a Judgement calls the two bots.
const (
	Tuned    = "tuned"
	Standing = "as it stands"
	Gained   = "tuned minus as it stands"
)

// Judge plays what has been found, and the bot as it stands, on fresh seeds, so many games a match at least, and writes
// the result into the folder. progress may be nil.
func (r *Run) Judge(ctx context.Context, workers, games int, progress func(done, total int)) (*Result, error) {
	result := &Result{Bot: r.config.Bot, Steps: r.now.Step}
	for i, w := range r.weights {
		result.Weights = append(result.Weights, Found{w.Name, w.Value, r.now.Mean[i], w.Help})
	}
	luck := env.NewStream(r.config.Seed, "judge")
	for v, g := range r.games {
		tuned, err := bot(g, r.config.Bot, r.now.Mean)
		if err != nil {
			return nil, err
		}
		seeds := gameSeeds(luck.Uint64(), g, games)
		stands := standing(g, r.config.Bot)
		type match struct {
			agent string
			one   player
			among string
			rest  player
		}
		matches := []match{{Tuned, tuned, Standing, stands}, {Standing, stands, Tuned, tuned}}
		for i, m := range r.rivals[v] {
			rival := agent(g, m)
			matches = append(matches, match{Tuned, tuned, r.config.Against[i], rival},
				match{Standing, stands, r.config.Against[i], rival})
		}
		if wholeTables(g) {
			matches = []match{{Tuned, tuned, "", tuned}, {Standing, stands, "", stands}}
		}
		note := func(agent, among string, returns []float64, low, high float64) {
			j := Judgement{Game: g.Info().Short, Agent: agent, Among: among, Games: len(returns)}
			if !wholeTables(g) {
				j.Games *= g.Info().Players
			}
			j.Return, j.ReturnCI = eval.Estimate(returns, low, high)
			result.Judgement = append(result.Judgement, j)
		}
		var first []float64
		for k, m := range matches {
			returns, err := play(ctx, workers, g, m.one, m.rest, seeds)
			if err != nil {
				return nil, err
			}
			note(m.agent, m.among, returns, -1, 1)
			switch {
			case !wholeTables(g):
			case k == 0:
				first = returns
			default:
				gained := make([]float64, len(returns))
				for i := range gained {
					gained[i] = first[i] - returns[i]
				}
				note(Gained, "", gained, -2, 2)
			}
			if progress != nil {
				progress(v*len(matches)+k+1, len(r.games)*len(matches))
			}
		}
	}
	return result, disk.WriteFile(filepath.Join(r.dir, ResultFile),
		func(w io.Writer) error { return json.NewEncoder(w).Encode(result) })
}
