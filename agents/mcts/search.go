package mcts

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"earthgym/agents/neural"
	"earthgym/agents/shipped"
	"earthgym/env"
)

// A Search chooses actions for one seat. It belongs to one goroutine.
type Search struct {
	config  Config
	info    *env.Info
	policy  *neural.Policy
	guide   player // whose choice is the incumbent; nil where roll-outs are random
	scorer  scorer // the guide, if it scores actions
	batched bool   // simulations go on side by side

	luck    env.Stream
	workers []*simulator
	tree    *tree
	probs   []float32
	scores  []float64
	work    neural.Workspace

	// of the search under way
	seat       env.Player
	asked      env.Action // about this one in particular, or -1
	scored     bool       // scores are those of the decision
	candidates []candidate
	ordered    []*candidate
	field      []*candidate // of a round
	begin      time.Time
	round      int // of so many rounds
	rounds     int
	result     Result
}

// A Result is what a search has found out about a decision. It is valid until the next one.
type Result struct {
	Action env.Action // the choice
	// the choice of the network or the roll-out bot, played unless another is better; -1 if there is none
	Incumbent   env.Action
	Value       float64   // the return that the deciding seat may expect of it, in [-1, 1]
	Visits      []int32   // by action: simulations that tried it
	Values      []float64 // by action: the mean return of those, NaN without any
	Simulations int
	// Decisions is how many were played in all roll-outs, after the actions that are compared and below trees. One that
	// comes to where another has been is not played on, so that with more workers, who don't know of each other's, there
	// may be more.
	Decisions int
}

// Opened is a search that is ready to be used.
type Opened struct {
	New    func() *Search // makes independent searches, which share the network, if there is one
	Memory int64          // about how many bytes that takes
	Hash   string         // of the network (checkpoint.Checkpoint.Hash); "" without one
}

// Open reads the network that guides the search, if there is one.
func (c Config) Open(g env.Game) (o Opened, err error) {
	var policy *neural.Policy
	if c.Guided {
		if policy, o.Memory, o.Hash, err = shipped.Policy(c.Net, g.Info()); err != nil {
			return Opened{}, err
		}
	}
	o.New, err = open(c, g, policy)
	return o, err
}

func open(c Config, g env.Game, policy *neural.Policy) (func() *Search, error) {
	own, err := openPlayer(c.Rollout, g, c.Guided, policy)
	if err != nil {
		return nil, err
	}
	var others []opener
	for _, text := range c.Opponents {
		other, err := openPlayer(text, g, c.Guided, policy)
		if err != nil {
			return nil, err
		}
		others = append(others, other)
	}
	return func() *Search {
		info := g.Info()
		s := &Search{
			config: c, info: info, policy: policy, batched: c.batched(), asked: -1,
			probs: make([]float32, len(info.Actions)), scores: make([]float64, len(info.Actions)),
			result: Result{
				Visits: make([]int32, len(info.Actions)),
				Values: make([]float64, len(info.Actions)),
			},
		}
		if c.Rollout != "random" {
			s.guide = own()
			s.scorer, _ = s.guide.(scorer)
		}
		for range c.Workers {
			m := newSimulator(g, c.Cut, policy, own, others)
			m.argmax = c.Rollout == "argmax"
			if c.meets(g) {
				m.transpositions = new(transpositions)
			}
			s.workers = append(s.workers, m)
		}
		return s
	}, nil
}

// Reset comes before each game: all chance of the searches in it comes from the seed.
func (s *Search) Reset(seed uint64) {
	s.luck = env.NewStream(seed, "mcts")
	if s.guide != nil {
		s.guide.Reset(s.luck.Uint64())
	}
}

// Search looks for the best legal action of v. It is cut short, with the context's error, soon after the context is
// done, or with its best so far if that is for ErrNow. A search with a time limit finishes the simulations that it is
// at, and does one at least.
func (s *Search) Search(ctx context.Context, v *env.View) (*Result, error) {
	s.begin, s.seat, s.round, s.rounds = time.Now(), v.Player(), 0, 1
	s.clear()
	incumbent, err := s.incumbent(v)
	if err != nil {
		return nil, err
	}
	s.result.Incumbent = incumbent
	if s.config.Tree {
		err = s.grow(ctx, v, incumbent)
	} else {
		err = s.compareActions(ctx, v, incumbent)
	}
	if err != nil && hurried(ctx) {
		if err, s.result.Action = nil, incumbent; incumbent < 0 {
			s.result.Action = v.Mask().Nth(0)
		}
	}
	if err != nil {
		return nil, err
	}
	for _, m := range s.workers {
		s.result.Decisions += m.played
		if m.err != nil {
			return nil, m.err
		}
	}
	return &s.result, nil
}

// Compare is Search that gives the legal action a as much thought as the incumbent: it is tried in all rounds, so that
// its Lead says something. In a tree it is tried as often as in any other search.
func (s *Search) Compare(ctx context.Context, v *env.View, a env.Action) (*Result, error) {
	s.asked = a
	defer func() { s.asked = -1 }()
	return s.Search(ctx, v)
}

// Lead is by how much more an action returned in the last Search than its choice, and the standard error of that: in
// flat search over the samples that tried both, in a tree over all that tried either. Both are NaN where that says
// nothing: for the choice itself, and where one of them was tried less than four times.
func (s *Search) Lead(a env.Action) (mean, deviation float64) {
	r := &s.result
	if a == r.Action || r.Visits[a] < leastReturns || r.Visits[r.Action] < leastReturns {
		return math.NaN(), math.NaN()
	}
	if s.config.Tree {
		return s.apart(a, r.Action)
	}
	return paired(s.candidateOf(a).returns, s.candidateOf(r.Action).returns)
}

// candidateOf is the candidate of an action, nil if there is none.
func (s *Search) candidateOf(a env.Action) *candidate {
	if i := slices.IndexFunc(s.candidates, func(c candidate) bool { return c.action == a }); i >= 0 {
		return &s.candidates[i]
	}
	return nil
}

// Act is the choice of Search. A single legal action is not searched.
func (s *Search) Act(ctx context.Context, v *env.View) (env.Action, error) {
	if v.Mask().Nth(1) < 0 {
		return v.Mask().Nth(0), nil
	}
	r, err := s.Search(ctx, v)
	if err != nil {
		return -1, err
	}
	return r.Action, nil
}

func (s *Search) clear() {
	r := &s.result
	r.Action, r.Value, r.Simulations, r.Decisions = -1, 0, 0, 0
	for a := range r.Visits {
		r.Visits[a], r.Values[a] = 0, math.NaN()
	}
	for _, m := range s.workers { // those of a search that was cut short are nobody's
		m.played = 0
	}
}

// incumbent is the action that is played unless search finds a better one: the network's likeliest, or the roll-out
// bot's; -1 where there is none.
func (s *Search) incumbent(v *env.View) (env.Action, error) {
	switch {
	case s.policy == nil && s.guide == nil:
		return -1, nil
	case s.policy == nil:
		m := s.workers[0]
		v.SampleInto(m.state, 0) // The key does not matter: the bot reads nothing hidden.
		a := s.guide.Choose(m.state, v.Mask())
		s.scored = s.scorer != nil && s.scorer.Scores(m.state, v.Mask(), s.scores)
		return a, nil
	}
	logits, values := s.policy.Forward(&s.work, v.Observation(), 1)
	if neural.Probabilities(s.probs, logits, v.Mask()); !finite(values[0]) || !finite(s.probs[v.Mask().Nth(0)]) {
		return -1, errDiverged
	}
	return env.Action(neural.Argmax(logits, v.Mask())), nil
}

// parallel calls do for each task from 0 to n-1, on all workers, unless the context ends before. What a task does must
// not depend on the worker.
func (s *Search) parallel(ctx context.Context, n int, do func(m *simulator, task int)) error {
	var next, finished atomic.Int64
	work := func(m *simulator) {
		for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
			do(m, i)
			s.advance(ctx, int(finished.Add(1)), n)
		}
	}
	workers := min(len(s.workers), n)
	if workers < 2 || alone {
		work(s.workers[0])
		return ctx.Err()
	}
	var done sync.WaitGroup
	for _, m := range s.workers[:workers] {
		done.Go(func() { work(m) })
	}
	done.Wait()
	return ctx.Err()
}

// Line is how the game may go on after the result's action: what the roll-out bots would do in one sample, at most n
// decisions, the choice first, each as "seat P: ACTION", and told to people as "player P: what it does".
func (s *Search) Line(v *env.View, n int) (line, told []string) {
	m := s.workers[0]
	m.sample(v, s.luck.Uint64())
	tell := func(a env.Action) {
		line = append(line, fmt.Sprintf("seat %d: %s", m.state.Actor(), env.ActionText(m.state, a)))
		told = append(told, fmt.Sprintf("player %d: %s", m.state.Actor(), env.InWords(m.state, a)))
		m.state.Apply(a, nil)
	}
	tell(s.result.Action)
	for len(line) < n && m.state.Actor() != env.Over {
		m.state.Legal(m.legal)
		tell(m.choose())
	}
	return line, told
}

// A candidate is an action of the moment in a flat search.
type candidate struct {
	action  env.Action
	prior   float64   // how soon it is tried
	tie     float64   // of equal ones the lowest
	returns []float64 // by sample
	mean    float64
}

// compareActions is flat Monte Carlo: sequential halving (Karnin, Koren, Somekh 2013) over the legal actions on common
// samples. The incumbent plays in all rounds and is left only for what is better by the margin.
func (s *Search) compareActions(ctx context.Context, v *env.View, incumbent env.Action) error {
	alive, bot := s.line(v, incumbent)
	base := s.luck.Uint64()
	asked := s.candidateOf(s.asked)
	rounds := max(bits.Len(uint(len(alive)-1)), 1) // each leaves half
	samples := 0
	for round := range rounds {
		if round > 0 && s.late() {
			break
		}
		s.round, s.rounds = round, rounds
		field := s.with(alive, bot, asked)
		share := float64(round+1) / float64(rounds)
		n, err := s.play(ctx, v, field, base, samples, share)
		if err != nil && hurried(ctx) {
			for _, c := range field {
				c.returns = c.returns[:samples]
			}
			break
		}
		if err != nil {
			return err
		}
		samples = n
		slices.SortStableFunc(alive, func(a, b *candidate) int { return cmp.Compare(b.mean, a.mean) })
		alive = alive[:(len(alive)+1)/2]
	}
	best := alive[0]
	if bot != nil && best != bot && !s.beats(best.returns, bot.returns) {
		best = bot
	}
	r := &s.result
	r.Action, r.Value = best.action, best.mean
	for i := range s.candidates {
		c := &s.candidates[i]
		r.Visits[c.action] = int32(len(c.returns))
		if len(c.returns) > 0 {
			r.Values[c.action] = c.mean
		}
		r.Simulations += len(c.returns)
	}
	return nil
}

// late says whether the time that the search may take is over.
func (s *Search) late() bool { return s.config.Time > 0 && time.Since(s.begin) >= s.config.Time }

// with is the field together with those that stay in it whatever they are worth; nil is nobody.
func (s *Search) with(field []*candidate, staying ...*candidate) []*candidate {
	s.field = append(s.field[:0], field...)
	for _, c := range staying {
		if c != nil && !slices.Contains(field, c) {
			s.field = append(s.field, c)
		}
	}
	return s.field
}

// line lines the candidates up, the incumbent first and then the likeliest by the network or the bot's scores: as many
// as the width allows and the budget can try.
func (s *Search) line(v *env.View, incumbent env.Action) (alive []*candidate, bot *candidate) {
	n := v.Mask().Count()
	if cap(s.candidates) < n {
		s.candidates = make([]candidate, len(s.info.Actions))
	}
	s.candidates = s.candidates[:n]
	s.ordered = s.ordered[:0]
	for i := range s.candidates {
		c := &s.candidates[i]
		c.action, c.mean, c.returns = v.Mask().Nth(i), 0, c.returns[:0]
		c.prior, c.tie = 0, s.luck.Float64()
		switch {
		case c.action == incumbent:
			c.prior, bot = math.Inf(1), c
		case s.policy != nil:
			c.prior = float64(s.probs[c.action])
		case s.scored:
			c.prior = s.scores[c.action]
		}
		s.ordered = append(s.ordered, c)
	}
	slices.SortStableFunc(s.ordered, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.prior, a.prior), cmp.Compare(a.tie, b.tie))
	})
	if s.config.Time == 0 {
		n = min(n, max(s.config.Simulations/2, 1))
	}
	if s.config.Width > 0 {
		n = min(n, s.config.Width)
	}
	return s.ordered[:n], bot
}

// play gives each of the field the samples from number from on, until the share of the budget is used up: one at least.
// It returns how many samples there are then.
func (s *Search) play(ctx context.Context, v *env.View, field []*candidate, base uint64, from int,
	share float64) (int, error) {
	at := from
	for more := true; more; {
		n := len(s.workers) // so many at a time under a time limit
		if s.config.Time == 0 {
			n = max(1, (int(share*float64(s.config.Simulations))-s.spent())/len(field))
		}
		for _, c := range field {
			c.returns = slices.Grow(c.returns, n)[:at+n]
		}
		if err := s.playSamples(ctx, v, field, base, at, n); err != nil {
			return 0, err
		}
		at += n
		more = s.config.Time > 0 && time.Since(s.begin) < time.Duration(share*float64(s.config.Time))
	}
	for _, c := range field {
		sum := 0.0
		for _, x := range c.returns {
			sum += x
		}
		c.mean = sum / float64(len(c.returns))
	}
	return at, nil
}

// playSamples plays the samples from number at on, n of them.
func (s *Search) playSamples(ctx context.Context, v *env.View, field []*candidate, base uint64, at, n int) error {
	if s.batched {
		tasks := n * len(field)
		each := max(leastBatch, min(batchSize, (tasks+1)/2))
		return s.parallel(ctx, (tasks+each-1)/each, func(m *simulator, task int) {
			m.playBatch(ctx, v, base, field, at, task*each, min(tasks, (task+1)*each))
		})
	}
	parts := 1 // of a sample: more only where there are too few samples for all workers
	if len(s.workers) > 1 {
		parts = min(len(field), (3*len(s.workers)+n-1)/n)
	}
	return s.parallel(ctx, n*parts, func(m *simulator, task int) {
		number, part := at+task/parts, task%parts
		m.playSample(ctx, v, env.Mix(base+uint64(number)), field[part*len(field)/parts:(part+1)*len(field)/parts], number)
	})
}

// spent is how many simulations there have been.
func (s *Search) spent() int {
	n := 0
	for i := range s.candidates {
		n += len(s.candidates[i].returns)
	}
	return n
}

// leastReturns is of how few simulations the mean return of an action, and how much it varies, still say something.
const leastReturns = 4

// beats says whether the returns x are better than y, sample by sample, by the margin.
func (s *Search) beats(x, y []float64) bool {
	mean, deviation := paired(x, y)
	return len(x) >= leastReturns && mean > 0 && mean >= s.config.Margin*deviation
}

// paired is the mean difference of x and y over the samples that both have, and its standard error.
func paired(x, y []float64) (mean, deviation float64) {
	n := min(len(x), len(y))
	sum, squares := 0.0, 0.0
	for i := range n {
		d := x[i] - y[i]
		sum += d
		squares += float64(d * d)
	}
	mean = sum / float64(n)
	return mean, math.Sqrt(max(squares/float64(n)-float64(mean*mean), 0) / float64(n-1))
}
