// Package tune looks for better weights of a scripted bot by play.
//
// # How
//
// Simultaneous perturbation stochastic approximation (Spall 1992): at each step every weight is moved a little, up or
// down by lot, and the bot with these moves plays against the bot with all of them turned round: at one table, and each
// of them among the bot as it stands and among other agents, on the same game seeds. By the difference of their returns
// all weights then move at once, the less the more steps there have been. What is found is the running mean of the
// weights. Where all seats win together, or there is one seat, the two play the seeds as whole tables.
//
// A step depends on the settings, its number and the weights before it alone, and each is a line of the folder's log: a
// run that is interrupted at any moment goes on as if it had not been. What is found is judged on seeds that no step
// has seen.
package tune

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"earthgym/agents"
	"earthgym/agents/scripted"
	"earthgym/env"
	"earthgym/eval"
)

// A Config says what is tuned, and how.
type Config struct {
	Variants []Variant `toml:"variants"` // of one game; all count alike
	Bot      string    `toml:"bot"`      // level of the scripted bot
	Against  []string  `toml:"against"`  // agents beside the bot as it stands
	Steps    int       `toml:"steps"`    // may be raised later
	Games    int       `toml:"games"`    // of each match of a step, in each variant, at least
	Seed     uint64    `toml:"seed"`     // of all chance
}

// A Variant is a game that a run was started with.
type Variant struct {
	Game  string `toml:"game"` // full text
	Rules int    `toml:"rules"`
	Data  string `toml:"data"` // hash of the component data
}

// A Step is a line of the log.
type Step struct {
	Step       int       `json:"step"`       // from 1
	Difference float64   `json:"difference"` // of the returns, of the weights moved one way and the other
	Weights    []float64 `json:"weights"`    // after it
	Mean       []float64 `json:"mean"`       // the running mean of the weights
}

// Least and most of a Config's numbers.
const (
	MaxSteps = 1_000_000
	MaxGames = 1_000_000
)

// Check finds what is wrong with a Config.
func (c *Config) Check() error {
	switch {
	case len(c.Variants) == 0:
		return errors.New("no game to tune on")
	case c.Steps < 1 || c.Steps > MaxSteps:
		return fmt.Errorf("steps %d: from 1 to %d", c.Steps, MaxSteps)
	case c.Games < 1 || c.Games > MaxGames:
		return fmt.Errorf("games %d: from 1 to %d", c.Games, MaxGames)
	}
	for _, text := range c.Against {
		if agents.IsForeign(text) {
			return fmt.Errorf("%s: tuning plays against agents of this program only", text)
		}
	}
	return nil
}

// A Run is tuning at work in a folder.
type Run struct {
	config   Config
	dir      string
	games    []env.Game
	rivals   [][]*agents.Maker // by variant
	weights  []scripted.Weight // as the bot stands
	standing []float64         // their values
	reach    []float64         // how far a step moves each weight
	now      Step              // the last one
	log      *log
}

// Weights are those of the bot as it stands.
func (r *Run) Weights() []scripted.Weight { return slices.Clone(r.weights) }

// Config is that of the run.
func (r *Run) Config() Config { return r.config }

// Done is the last step.
func (r *Run) Done() Step { return r.now }

// A BotError is that of a bot that cannot be tuned in the variants named.
type BotError struct{ Err error }

func (e *BotError) Error() string { return e.Err.Error() }
func (e *BotError) Unwrap() error { return e.Err }

func botErrorf(format string, args ...any) error { return &BotError{fmt.Errorf(format, args...)} }

// weightsOf are the weights of the bot, which must be the same in all variants.
func weightsOf(games []env.Game, level string) ([]scripted.Weight, error) {
	var all []scripted.Weight
	for i, g := range games {
		weights, err := scripted.Weights(g, level)
		switch {
		case err != nil:
			return nil, &BotError{err}
		case len(weights) == 0:
			return nil, botErrorf("script:%s of %s weighs by no declared numbers: there is nothing to tune", level,
				g.Info().Name)
		case i > 0 && g.Info().Name != games[0].Info().Name:
			return nil, botErrorf("%s and %s are two games: tune them one by one", games[0].Info().Name, g.Info().Name)
		case i > 0 && !slices.Equal(weights, all):
			return nil, botErrorf("script:%s has other weights in %s than in %s: tune these variants one by one",
				level, games[0].Info().Short, g.Info().Short)
		}
		all = weights
	}
	return all, nil
}

// reaches are how far a step moves the weights: in proportion to the weight, but not below a share of its range.
func reaches(weights []scripted.Weight) []float64 {
	const ofValue, ofRange = 0.15, 0.04
	all := make([]float64, len(weights))
	for i, w := range weights {
		all[i] = max(ofValue*math.Abs(w.Value), ofRange*(w.High-w.Low))
	}
	return all
}

// The gain of step k is gain / (1 + k/fading); the running mean forgets a share of itself with each step.
const (
	gain       = 1.2
	fading     = 150
	forgetting = 0.05
)

// Tune makes the steps that are left. progress may be nil.
func (r *Run) Tune(ctx context.Context, workers int, progress func(Step)) error {
	for r.now.Step < r.config.Steps {
		next, err := r.step(ctx, workers)
		if err != nil {
			return err
		}
		if err := r.log.Add(next); err != nil {
			return fmt.Errorf("cannot write the log: %w", err)
		}
		r.now = next
		if progress != nil {
			progress(next)
		}
	}
	return nil
}

// step tries one random direction, both ways.
func (r *Run) step(ctx context.Context, workers int) (Step, error) {
	k := r.now.Step
	luck := env.NewStream(r.config.Seed, fmt.Sprintf("tune %d", k+1))
	signs := make([]float64, len(r.weights))
	for i := range signs {
		signs[i] = float64(2*luck.Below(2) - 1)
	}
	difference, err := r.compare(ctx, workers, luck.Uint64(), r.moved(signs, 1), r.moved(signs, -1))
	if err != nil {
		return Step{}, err
	}
	next := Step{Step: k + 1, Difference: difference, Weights: r.moved(signs, gain/(1+float64(k)/fading)*difference)}
	for i, w := range next.Weights {
		next.Mean = append(next.Mean, r.now.Mean[i]+forgetting*(w-r.now.Mean[i]))
	}
	return next, nil
}

// moved are the weights moved by some of their reach, within their ranges.
func (r *Run) moved(signs []float64, by float64) []float64 {
	all := make([]float64, len(signs))
	for i, w := range r.weights {
		all[i] = min(max(r.now.Weights[i]+by*signs[i]*r.reach[i], w.Low), w.High)
	}
	return all
}

// compare is the mean difference of the returns of the bot with two sets of weights.
func (r *Run) compare(ctx context.Context, workers int, seed uint64, up, down []float64) (float64, error) {
	sum, n := 0.0, 0
	for v, g := range r.games {
		one, err := bot(g, r.config.Bot, up)
		if err != nil {
			return 0, err
		}
		other, err := bot(g, r.config.Bot, down)
		if err != nil {
			return 0, err
		}
		seeds := gameSeeds(seed, g, r.config.Games)
		add := func(a, among player, sign float64) error {
			returns, err := play(ctx, workers, g, a, among, seeds)
			if err == nil {
				mean, _ := eval.Estimate(returns, -1, 1)
				sum += sign * mean
			}
			return err
		}
		if wholeTables(g) {
			if err := errors.Join(add(one, one, 1), add(other, other, -1)); err != nil {
				return 0, err
			}
			n++
			continue
		}
		err = errors.Join(add(one, other, 1), add(other, one, -1))
		n++
		for _, rival := range r.opponents(v) {
			err = errors.Join(err, add(one, rival, 1), add(other, rival, -1))
			n++
		}
		if err != nil {
			return 0, err
		}
	}
	return sum / float64(n), nil
}

// opponents are the bot as it stands and the other agents, in a variant.
func (r *Run) opponents(variant int) []player {
	all := []player{standing(r.games[variant], r.config.Bot)}
	for _, m := range r.rivals[variant] {
		all = append(all, agent(r.games[variant], m))
	}
	return all
}

// wholeTables says whether tables of one agent each are compared.
func wholeTables(g env.Game) bool { return g.Info().Shared() || g.Info().Players == 1 }

// gameSeeds are those of so many games at least, each played by everybody in every seat.
func gameSeeds(seed uint64, g env.Game, games int) []uint64 {
	seats := g.Info().Players
	if wholeTables(g) {
		seats = 1
	}
	luck := env.NewStream(seed, "games")
	seeds := make([]uint64, (games+seats-1)/seats)
	for i := range seeds {
		seeds[i] = luck.Uint64()
	}
	return seeds
}
