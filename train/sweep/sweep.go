package sweep

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"

	"github.com/pelletier/go-toml/v2"

	"earthgym/agents"
	"earthgym/agents/neural/gemm"
	"earthgym/env"
	"earthgym/env/decode"
	"earthgym/env/disk"
	"earthgym/env/farm"
	"earthgym/env/seal"
	"earthgym/eval"
	"earthgym/train"
)

// The files of a folder, beside those of the candidates' runs.
const (
	PlanFile    = "plan.toml"
	ResultsFile = "results.json"
)

// Results are what a sweep has found so far.
type Results struct {
	Games      []string    `json:"games"` // texts of the variants
	Candidates []Candidate `json:"candidates"`
	Judged     []Judgement `json:"judged"` // in the order in which it came
	Done       bool        `json:"done"`
	Best       int         `json:"best,omitempty"` // number of the candidate that is left, once it is done
}

// A Judgement is what a candidate is worth after a round.
type Judgement struct {
	Round      int                `json:"round"` // from 1
	Candidate  int                `json:"candidate"`
	Decisions  int                `json:"decisions"`   // in the league, since the start
	CPUSeconds float64            `json:"cpu_seconds"` // of training, since the start; 0 where it is unknown
	Leads      map[string]float64 `json:"leads"`       // mean over the games of how much more it returns, by agent
	Strength   float64            `json:"strength"`    // mean of them
	CI         eval.Interval      `json:"strength_ci"` // 95 %
}

// Options are what a sweep may be given besides its plan, without being another one.
type Options struct {
	Train    train.Options
	Progress func(s State) // if not nil, is told where the sweep is, never twice at once
	// Share, if not nil, has candidates judged that are this shard's, or those of all shards put together. A round that
	// lacks some of others is where the sweep ends for now.
	Share *farm.Share
}

// A State is where a sweep is.
type State struct {
	Round, Rounds int
	Candidate     *Candidate
	Of            int // candidates of the round
	At            int // which of them, from 1
	Judgement     *Judgement
}

// A Sweep is a folder that is open. It belongs to one goroutine.
type Sweep struct {
	dir     string
	plan    *Plan
	text    []byte // of the plan
	games   []env.Game
	options Options
	results Results
	folder  *disk.Folder // dir, which is held
}

// Open begins a sweep in dir, or goes on with the one that it holds, which must have the same plan and games, variants
// of one rulebook.
func Open(dir string, p *Plan, games []env.Game, o Options) (*Sweep, error) {
	s := &Sweep{dir: dir, plan: p, games: games, options: o}
	var err error
	if s.text, err = toml.Marshal(p); err != nil {
		return nil, err
	}
	if s.results.Candidates, err = p.candidates(games); err != nil {
		return nil, fmt.Errorf("%s: %w", p.name, err)
	}
	for _, g := range games {
		s.results.Games = append(s.results.Games, g.Info().Text)
		for _, text := range p.Against {
			if _, err := agents.Open(text, g); err != nil {
				return nil, fmt.Errorf("%s: against: %w", p.name, err)
			}
		}
	}
	if s.folder, err = disk.Hold(dir); err != nil {
		return nil, err
	}
	if err := s.begin(); err != nil {
		return nil, errors.Join(err, s.folder.Close())
	}
	return s, nil
}

// begin writes the plan, or reads what an earlier process has found by it.
func (s *Sweep) begin() error {
	name := filepath.Join(s.dir, PlanFile)
	before, err := disk.ReadFile(name, mostPlan)
	if errors.Is(err, fs.ErrNotExist) {
		return disk.Write(name, s.text)
	}
	if err != nil {
		return err
	}
	if d := disk.Difference(before, s.text); d != "" {
		return fmt.Errorf("%s holds a sweep by another plan, with %s: choose another folder", s.dir, d)
	}
	file, err := disk.ReadFile(filepath.Join(s.dir, ResultsFile), 1<<24)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var found Results
	chain := seal.Begin(string(s.text))
	if file, err = chain.Open(file); err == nil {
		err = decode.JSON(file, &found)
	}
	if err == nil && !slices.Equal(found.Games, s.results.Games) {
		return fmt.Errorf("%s holds a sweep of other games: choose another folder", s.dir)
	}
	for i := 0; err == nil && i < len(found.Judged); i++ {
		err = s.check(found.Judged[:i], found.Judged[i])
	}
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(s.dir, ResultsFile), err)
	}
	s.results.Judged = found.Judged
	return nil
}

// check finds what is wrong with a judgement that follows others.
func (s *Sweep) check(before []Judgement, j Judgement) error {
	candidates := len(s.results.Candidates)
	rounds := len(s.plan.rounds(candidates))
	same := func(other Judgement) bool { return other.Round == j.Round && other.Candidate == j.Candidate }
	switch {
	case j.Round < 1 || j.Round > rounds || j.Candidate < 1 || j.Candidate > candidates:
		return fmt.Errorf("a judgement of candidate %d in round %d: there are %d candidates and %d rounds", j.Candidate,
			j.Round, candidates, rounds)
	case slices.ContainsFunc(before, same):
		return fmt.Errorf("candidate %d is judged twice in round %d", j.Candidate, j.Round)
	case j.Decisions < 0 || !(j.CPUSeconds >= 0):
		return fmt.Errorf("candidate %d has made %d decisions in %v s", j.Candidate, j.Decisions, j.CPUSeconds)
	case len(j.Leads) != len(s.plan.Against):
		return fmt.Errorf("candidate %d is judged by %d agents, not by %d", j.Candidate, len(j.Leads),
			len(s.plan.Against))
	}
	for _, text := range s.plan.Against {
		if lead, there := j.Leads[text]; !there || math.Abs(lead) > mostLead || math.Abs(j.Strength) > mostLead ||
			!j.CI.Holds(j.Strength) {
			return fmt.Errorf("candidate %d: a lead of %v over %s, a strength of %v", j.Candidate, lead, text, j.Strength)
		}
	}
	return nil
}

// mostLead is the most that one agent can return more than another, but for rounding.
const mostLead = 2 + 1e-9

// Close ends the sweep's hold on its folder.
func (s *Sweep) Close() error { return s.folder.Close() }

// Results are what has been found so far.
func (s *Sweep) Results() *Results { return &s.results }

func (p *Plan) rounds(candidates int) []int {
	sizes := []int{candidates}
	for n := candidates; n > p.Eta; {
		n = (n + p.Eta - 1) / p.Eta
		sizes = append(sizes, n)
	}
	return sizes
}

// Run plays all rounds that are left. A context that is done stops it with its error, after which another Open goes on.
func (s *Sweep) Run(ctx context.Context) (*Results, error) {
	left := slices.Clone(s.results.Candidates)
	sizes := s.plan.rounds(len(left))
	for i, size := range sizes {
		left = left[:size]
		strength, lacks := map[int]float64{}, 0
		for at := range left {
			state := State{Round: i + 1, Rounds: len(sizes), Candidate: &left[at], Of: size, At: at + 1}
			j, err := s.judgement(ctx, state)
			if err != nil {
				return nil, err
			}
			if j == nil {
				lacks++
				continue
			}
			strength[j.Candidate] = j.Strength
		}
		if lacks > 0 {
			if err := s.options.Share.Missing(); err != nil {
				return nil, fmt.Errorf("round %d of %d: %w; machines go on with it in copies of that folder", i+1, len(sizes), err)
			}
			return &s.results, nil
		}
		slices.SortStableFunc(left, func(a, b Candidate) int { return cmp.Compare(strength[b.Number], strength[a.Number]) })
	}
	s.results.Done, s.results.Best = true, left[0].Number
	return &s.results, s.save()
}

// judgement is that of a candidate in a round: what is known, or else it is trained and judged; nil if another shard is
// to do that.
func (s *Sweep) judgement(ctx context.Context, state State) (*Judgement, error) {
	known := func(j Judgement) bool { return j.Round == state.Round && j.Candidate == state.Candidate.Number }
	if i := slices.IndexFunc(s.results.Judged, known); i >= 0 {
		return &s.results.Judged[i], nil
	}
	ground, err := s.ground()
	if err != nil {
		return nil, err
	}
	j, number := &Judgement{}, state.Candidate.Number
	own := []string{fmt.Sprintf("round: %d", state.Round), fmt.Sprintf("candidate: %d", number)}
	done, err := s.options.Share.Do(ground, state.At-1, own, j, candidateFolder(number), func() error {
		s.tell(state)
		if err := s.train(ctx, state); err != nil {
			return err
		}
		judged, err := s.judge(ctx, state)
		if err == nil {
			*j = *judged
		}
		return err
	})
	if err != nil || !done {
		return nil, err
	}
	s.results.Judged = append(s.results.Judged, *j)
	if err := s.save(); err != nil {
		return nil, err
	}
	state.Judgement = j
	s.tell(state)
	return j, nil
}

// ground is what all judgements depend on.
func (s *Sweep) ground() (farm.Ground, error) {
	k, err := gemm.Select()
	if err != nil {
		return nil, err
	}
	g := farm.Ground{"kind: candidate of a sweep", "kernels: " + k.Class(), fmt.Sprintf("plan: %q", s.text)}
	for _, game := range s.games {
		info := game.Info()
		g = append(g, fmt.Sprintf("game: %s, rules %d, data %s", info.Text, info.Rules, info.DataHash))
	}
	return g, nil
}

func (s *Sweep) tell(state State) {
	if s.options.Progress != nil {
		s.options.Progress(state)
	}
}

// Folder is the folder of a candidate's run.
func (s *Sweep) Folder(candidate int) string {
	return filepath.Join(s.dir, candidateFolder(candidate))
}

func candidateFolder(candidate int) string { return fmt.Sprintf("candidate-%d", candidate) }

// train brings a candidate to the budget of a round.
func (s *Sweep) train(ctx context.Context, state State) error {
	dir, c := s.Folder(state.Candidate.Number), state.Candidate.config
	factor := math.Pow(float64(s.plan.Eta), float64(state.Round-1))
	if s.plan.Minutes > 0 {
		c.Minutes *= factor
	} else {
		c.Decisions *= int(factor)
	}
	run, err := s.open(dir, c)
	if err == nil {
		defer run.Close()
		err = run.Train(ctx, nil)
	}
	if err != nil {
		return fmt.Errorf("candidate %d: %w", state.Candidate.Number, err)
	}
	return nil
}

// open starts the run of a candidate, or goes on with it up to the budget of c.
func (s *Sweep) open(dir string, c train.Config) (*train.Run, error) {
	before, err := train.ReadConfig(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return train.Start(dir, c, s.games, s.options.Train)
	}
	if err != nil {
		return nil, err
	}
	o := s.options.Train
	if s.plan.Minutes == 0 {
		o.Decisions = c.Decisions
	} else if before.Minutes < c.Minutes {
		o.Minutes = c.Minutes - before.Minutes
	}
	return train.Resume(dir, s.games, o)
}

// judge plays a candidate's matches, each on seeds of its own, so that their intervals are independent; all candidates
// have the same ones.
func (s *Sweep) judge(ctx context.Context, state State) (*Judgement, error) {
	dir := s.Folder(state.Candidate.Number)
	j := &Judgement{Round: state.Round, Candidate: state.Candidate.Number, Leads: map[string]float64{}}
	updates, err := train.ReadMetrics(dir)
	if err != nil {
		return nil, err
	}
	for _, u := range updates {
		j.Decisions, j.CPUSeconds = u.Decisions, j.CPUSeconds+u.CPUSeconds
	}
	seeds := env.NewStream(uint64(s.plan.Seed), "judgement")
	variance, matches := 0.0, float64(len(s.games)*len(s.plan.Against))
	for _, g := range s.games {
		net, err := agents.Open("net:"+dir, g)
		if err != nil {
			return nil, err
		}
		for _, text := range s.plan.Against {
			other, err := agents.Open(text, g)
			if err != nil {
				return nil, err
			}
			d, err := eval.Lead(ctx, g, net, other, eval.Options{Games: s.plan.Games, Seed: seeds.Uint64(),
				Workers: s.options.Train.Workers})
			if err != nil {
				return nil, err
			}
			j.Leads[text] += d.MeanReturn / float64(len(s.games))
			j.Strength += d.MeanReturn / matches
			half := (d.ReturnCI[1] - d.ReturnCI[0]) / 2 / matches
			variance += float64(half * half)
		}
	}
	half := math.Sqrt(variance)
	j.CI = eval.Interval{j.Strength - half, j.Strength + half}
	return j, nil
}

func (s *Sweep) save() error {
	text, err := json.MarshalIndent(s.results, "", "\t")
	if err != nil {
		return err
	}
	chain := seal.Begin(string(s.text))
	return disk.Write(filepath.Join(s.dir, ResultsFile), chain.Seal(append(text, '\n')))
}
