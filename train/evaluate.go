package train

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"earthgym/agents"
	"earthgym/agents/checkpoint"
	"earthgym/agents/neural"
	"earthgym/env"
	"earthgym/env/referee"
)

// Strength is measured by matches against the field, which stays what it is: on the same seeds each time, so that what
// one match says more than another comes from the network. The network has one seat, in turns, and one of the field the
// others; where all win together, each has a table of its own. At the end of a run the best network by these matches
// meets the newest, and what the league began with, in games that none was chosen by, and the strongest is the answer.

// An evaluator plays the matches of a run.
type evaluator struct {
	config *Config
	k      *collector // whose workers play
	games  []env.Game
	field  []fixedAgent
	shared bool
	seats  [][]agents.Agent // by worker, for each variant, member and seat; made when first needed
	most   int              // seats of a variant
	seeds  uint64           // keeps the seeds of matches apart from those of training

	theirs map[uint64][]evaluation // where all win together: of the members' own tables, once played, by seeds
}

// An evaluation is one game of a match.
type evaluation struct{ ours, theirs, wins, fair float64 }

func newEvaluator(c *Config, games []env.Game, k *collector) *evaluator {
	e := &evaluator{
		config: c, k: k, games: games, field: k.pool.fixed[:k.pool.field], most: k.players,
		shared: winTogether(games), seats: make([][]agents.Agent, len(k.workers)), seeds: evaluationSeeds,
		theirs: map[uint64][]evaluation{},
	}
	for w := range e.seats {
		e.seats[w] = make([]agents.Agent, len(games)*len(e.field)*e.most)
	}
	return e
}

func (e *evaluator) close() {
	for _, seats := range e.seats {
		for _, a := range seats {
			_ = agents.Close(a)
		}
	}
}

// match plays a network against all of the field, n games each, and returns how it stands by their names, and its
// strength: its mean lead over them.
func (e *evaluator) match(ctx context.Context, policy *neural.Policy, n int) (map[string]Standing, float64, error) {
	all := len(e.field) * n
	if e.shared {
		// All tables play the same games, so that the network's are those against everyone, and as many as elsewhere.
		n = all
		if e.theirs[e.seeds] == nil { // One of the field never plays them otherwise.
			played, err := e.play(ctx, nil, len(e.field)*n, n)
			if err != nil {
				return nil, 0, err
			}
			e.theirs[e.seeds] = played
		}
	}
	ours, err := e.play(ctx, policy, all, n)
	if err != nil {
		return nil, 0, err
	}
	standings, strength := map[string]Standing{}, 0.0
	for m, member := range e.field {
		s := Standing{Games: n}
		leads, wins := make([]float64, n), make([]float64, n)
		for i := range n {
			g := ours[(m*n+i)%all]
			if e.shared {
				alone := e.theirs[e.seeds][m*n+i]
				g.theirs, g.fair = alone.ours, alone.wins
			}
			leads[i], wins[i] = g.ours-g.theirs, g.wins
			s.Return += g.ours / float64(n)
			s.Theirs += g.theirs / float64(n)
			s.Fair += g.fair / float64(n)
		}
		s.Lead, s.LeadCI = interval(leads)
		s.Wins, s.WinsCI = interval(wins)
		standings[member.text] = s
		strength += s.Lead / float64(len(e.field))
	}
	return standings, strength, nil
}

// interval is the mean of independent numbers, and half of its interval of 95 %, which is 0 of a single one.
func interval(x []float64) (mean, half float64) {
	n, squares := float64(len(x)), 0.0
	for _, v := range x {
		mean += v / n
	}
	for _, v := range x {
		squares += float64((v - mean) * (v - mean))
	}
	if n > 1 {
		half = 1.96 * math.Sqrt(squares/(n-1)/n)
	}
	return mean, half
}

// play plays so many games, some against each of the field in turn. Without a policy, the field plays alone. Games
// are kept by number and their seeds come from it: the number of workers does not matter.
func (e *evaluator) play(ctx context.Context, policy *neural.Policy, games, each int) ([]evaluation, error) {
	played, errs := make([]evaluation, games), make([]error, len(e.seats))
	e.k.tables[0].Parallel(func(worker int) {
		us := &networkAgent{policy: policy}
		for i := worker; i < games && errs[worker] == nil; i += len(e.seats) {
			played[i], errs[worker] = e.game(ctx, worker, us, i/each, i%each)
		}
	})
	return played, errors.Join(errs...)
}

// game plays the i-th game against a member of the field.
func (e *evaluator) game(ctx context.Context, worker int, us *networkAgent, member, i int) (evaluation, error) {
	variant := i % len(e.games)
	g := e.games[variant]
	info := g.Info()
	own := env.Player(i / len(e.games) % info.Players)
	seats := make([]agents.Agent, info.Players)
	for p := range seats {
		if us.policy != nil && (e.shared || env.Player(p) == own) {
			seats[p] = us
			continue
		}
		at := &e.seats[worker][(variant*len(e.field)+member)*e.most+p]
		if *at == nil {
			a, err := e.field[member].makers[variant].New()
			if err != nil {
				return evaluation{}, fmt.Errorf("evaluation: %w", err)
			}
			*at = a
		}
		seats[p] = *at
	}
	ref, err := referee.New(g, env.Mix(env.Mix(uint64(e.config.Seed)^e.seeds)+uint64(i)))
	if err != nil {
		return evaluation{}, fmt.Errorf("evaluation: %w", err)
	}
	if err := agents.Play(ctx, ref, seats, nil); err != nil {
		return evaluation{}, fmt.Errorf("evaluation: %w", err)
	}
	result := ref.Result()
	out := evaluation{ours: result.Returns[own], wins: result.WinShare(own, info), fair: 1 / float64(info.Players)}
	for p, x := range result.Returns {
		if env.Player(p) != own {
			out.theirs += x / float64(info.Players-1)
		}
	}
	if info.Players == 1 && us.policy != nil && !e.shared { // Alone the other plays the same game.
		alone, err := e.game(ctx, worker, new(networkAgent), member, i)
		out.theirs, out.fair = alone.ours, alone.wins
		return out, err
	}
	return out, nil
}

// Seeds of the matches that tell which network of a run is the best, and, heat by heat, of those at its end.
const (
	evaluationSeeds = 0x65766c
	conclusionSeeds = 0x656e64
)

// A networkAgent plays by a policy as net: agents do: it draws from it.
type networkAgent struct {
	policy *neural.Policy
	work   neural.Workspace
	luck   env.Stream
}

func (a *networkAgent) Name() string      { return "the network" }
func (a *networkAgent) Reset(seed uint64) { a.luck = env.NewStream(seed, "net") }

func (a *networkAgent) Act(v *env.View) (env.Action, error) {
	logits, _ := a.policy.Evaluate(&a.work, v.Observation(), v.Mask(), 1)
	return env.Action(neural.Sample(logits, v.Mask(), a.luck.Float64())), nil
}

// judges says whether the run plays matches.
func (r *Run) judges() bool { return r.config.EvalGames > 0 && len(r.evaluator.field) > 0 }

// evaluate plays the network as it stands against the field, and keeps it if it is the best so far, or as good as far
// as such a match can tell: then it is what the run's folder stands for. (Who keeps the luckiest of many matches keeps
// an old network for its luck.)
func (r *Run) evaluate(u *Update) error {
	standings, strength, err := r.measure(context.Background(), r.learner.Params(), r.config.EvalGames)
	if err != nil {
		return err
	}
	u.Field, u.Strength = standings, &strength
	if r.best.Update > 0 && strength <= r.best.Highest-float64(doubt(standings)/2) {
		return nil
	}
	r.best = best{Update: u.Update, Highest: max(strength, r.best.Highest)}
	return r.keep(r.checkpoint(), standings)
}

// keep makes a network the run's best.
func (r *Run) keep(c *checkpoint.Checkpoint, standings map[string]Standing) error {
	c.Card.Strength = nil
	for _, name := range slices.Sorted(maps.Keys(standings)) {
		s := standings[name]
		c.Card.Strength = append(c.Card.Strength, checkpoint.Strength{
			Agent: "net", Opponent: name, Game: strings.Join(r.config.Games, " "), Program: r.program, Games: s.Games,
			Seed:   uint64(r.config.Seed),
			Return: s.Lead, ReturnCI: [2]float64{s.Lead - s.LeadCI, s.Lead + s.LeadCI},
			Wins: s.Wins, WinsCI: [2]float64{max(0, s.Wins-s.WinsCI), min(1, s.Wins+s.WinsCI)}, Fair: s.Fair,
		})
	}
	return checkpoint.Write(filepath.Join(r.dir, checkpoint.Best), c)
}

// conclude makes the run's answer, once. It is the strongest of what the league began with, the best network and the
// newest: the highest of many measurements was also the luckiest, and a league can take away more than it gives. It is
// made surer of what it thinks likeliest by the factor of its logits that is strongest: what training leaves open for
// noise to decide costs games. All this is judged by games that no network was chosen by.
func (r *Run) conclude(ctx context.Context) error {
	if r.best.Update == 0 { // It plays no matches.
		return nil
	}
	answer, err := checkpoint.Read(filepath.Join(r.dir, checkpoint.Best))
	if err != nil {
		return fmt.Errorf("conclude the run: %w", err)
	}
	if answer.Card.Sharpness != 0 { // in an end that is made again, or that was one before the run got a larger budget
		return nil
	}
	candidates := []*checkpoint.Checkpoint{answer}
	if newest := r.checkpoint(); newest.Update != answer.Update {
		candidates = append(candidates, newest)
	}
	begun := int64(r.update - r.rounds)
	if _, err := os.Stat(r.checkpointFile(begun)); err == nil && begun != answer.Update { // What was drawn leaves none.
		first, err := checkpoint.Read(r.checkpointFile(begun))
		if err != nil {
			return fmt.Errorf("conclude the run: %w", err)
		}
		candidates = append(candidates, first)
	}
	entrants := make([]*neural.Params, len(candidates))
	for i, c := range candidates {
		entrants[i] = c.Network
	}
	first, _, err := r.race(ctx, entrants)
	if err != nil {
		return err
	}
	answer = candidates[first]
	factors := [...]float64{1, 1.5, 2.5, 4}
	entrants = entrants[:0]
	for _, factor := range factors {
		params := answer.Network.Clone() // the newest is the learner's own
		params.Sharpen(float32(factor))
		entrants = append(entrants, params)
	}
	first, standings, err := r.race(ctx, entrants)
	if err != nil {
		return err
	}
	answer.Network, answer.Card.Sharpness = entrants[first], factors[first]
	return r.keep(answer, standings)
}

// finalHeat is how many times as many games as elsewhere those that may be the strongest play at the end of a race.
const finalHeat = 3

// raceShare of a budget of time is what a race may take beyond it for its final heat.
const raceShare = 0.05

// race finds the strongest of some networks, and how it stands. Those that a match shows to be behind, by two standard
// errors of the difference, are out; a longer one on other seeds decides between the rest, if there is time for it.
func (r *Run) race(ctx context.Context, entrants []*neural.Params) (first int, standings map[string]Standing,
	err error) {
	e := r.evaluator
	defer func() { e.seeds = evaluationSeeds }()
	begun := time.Now()
	in := make([]int, len(entrants))
	for i := range in {
		in[i] = i
	}
	for heat, games := range [...]int{r.config.EvalGames, finalHeat * r.config.EvalGames} {
		e.seeds = conclusionSeeds + uint64(heat)
		highest, strengths, doubts := math.Inf(-1), map[int]float64{}, map[int]float64{}
		for _, i := range in {
			found, strength, err := r.measure(ctx, entrants[i], games)
			if err != nil {
				return 0, nil, err
			}
			strengths[i], doubts[i] = strength, doubt(found)
			if strength > highest {
				first, standings, highest = i, found, strength
			}
		}
		all := len(in)
		in = slices.DeleteFunc(in, func(i int) bool {
			return highest-strengths[i] > 2*math.Hypot(doubts[first], doubts[i])
		})
		took := time.Since(begun).Seconds()
		final := took * finalHeat * float64(len(in)) / float64(all)
		if most := r.config.Minutes * 60 * raceShare; len(in) == 1 || most > 0 && took+final > most {
			break
		}
	}
	return first, standings, nil
}

// measure is a match of a network against the field, so many games each.
func (r *Run) measure(ctx context.Context, params *neural.Params, games int) (map[string]Standing, float64, error) {
	policy, err := neural.NewPolicy(params)
	if err != nil {
		return nil, 0, err
	}
	return r.evaluator.match(ctx, policy, games)
}

// doubt is the standard error of a strength as if its leads were independent. Where all win together they share the
// games of the network's own table, and so by more members than one it is too small: by a factor of √((n+1)/2) for n
// members whose tables vary as much as the network's, elsewhere by less. Who kept which network was decided by this
// figure, half of which stands for the error of the difference between two networks, which play the same games.
func doubt(standings map[string]Standing) float64 {
	squares := 0.0
	for _, name := range slices.Sorted(maps.Keys(standings)) {
		squares += float64(standings[name].LeadCI * standings[name].LeadCI)
	}
	return math.Sqrt(squares) / 1.96 / float64(len(standings))
}

// best says which network of a run did best.
type best struct {
	Update  int     `json:"update"`  // after which it stood; 0 = none has been measured
	Highest float64 `json:"highest"` // strength that was measured
}
