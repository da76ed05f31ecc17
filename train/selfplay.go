package train

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"earthgym/agents"
	"earthgym/agents/neural"
	"earthgym/agents/neural/gemm"
	"earthgym/env"
)

// A collector plays the games of a run (train.go and clone.go say how) and fills the rollout with the decisions to
// learn from. Learner and collector share nothing but the policy that goes in and the rollout that comes out.
type collector struct {
	config  *Config
	games   []env.Game // the variants
	tables  []*env.Vec // by variant of the game: every lane has one at each, and plays at one of them
	usual   []int32    // the variants that differ from the first in the number of seats alone
	forms   []form     // of the network, at each variant
	info    *env.Info  // of the first variant: what all have in common
	players int        // the most seats of a variant
	pool    *pool
	rollout *rollout
	phase   phase
	kernels gemm.Kernels // that find what isn't 0, which is the same with all

	// By lane. Every lane has its own luck, so that nothing depends on who computes what.
	luck     []env.Stream // of the actions
	seating  []env.Stream // of who plays what
	variant  []int32      // of the running game
	opponent []int32      // in the running game, for the statistics
	teacher  []int32      // whose decisions are learnt in the running game, when cloning

	driver []int32 // by lane*players + seat: who decides, the network or a member of the pool

	actions []env.Action
	ours    []int // lanes in which a decision is made in this step that is learnt from
	theirs  []int // lanes in which another is
	workers []collectWorker

	stats collectStats
}

type collectWorker struct {
	ws    neural.Workspace
	row   []float32   // what is seen in one lane
	seen  gemm.Sparse // in some lanes
	masks []uint64    // of these lanes
	lanes []int
	view  env.View
	err   error
}

func newCollector(c *Config, games []env.Game, workers int) (*collector, error) {
	p, err := newPool(c, games, workers)
	if err != nil {
		return nil, err
	}
	k := &collector{
		config: c, games: games, info: games[0].Info(), pool: p, kernels: gemm.All()[0],
		luck:     make([]env.Stream, c.NumEnvs),
		seating:  make([]env.Stream, c.NumEnvs),
		variant:  make([]int32, c.NumEnvs),
		opponent: make([]int32, c.NumEnvs),
		teacher:  make([]int32, c.NumEnvs),
		actions:  make([]env.Action, c.NumEnvs),
		ours:     make([]int, 0, c.NumEnvs),
		theirs:   make([]int, 0, c.NumEnvs),
		workers:  make([]collectWorker, workers),
	}
	for i, g := range games {
		vec, err := env.NewVec(g, env.VecOptions{
			Options: env.Options{Gamma: c.Gamma},
			Lanes:   c.NumEnvs, Seed: env.Mix(uint64(c.Seed) + uint64(i)), Autoreset: env.NoReset, Workers: workers,
		})
		if err != nil {
			k.close()
			return nil, err
		}
		k.tables = append(k.tables, vec)
		if butSeats(g.Info()) == butSeats(games[0].Info()) {
			k.usual = append(k.usual, int32(i))
		}
		k.players = max(k.players, g.Info().Players)
	}
	k.forms = make([]form, len(games))
	k.driver = make([]int32, c.NumEnvs*k.players)
	k.rollout = newRollout(k.info, winTogether(games), k.players, workers, c)
	for lane := range c.NumEnvs {
		seed := env.Mix(uint64(c.Seed) ^ env.Mix(uint64(lane)))
		k.luck[lane] = env.NewStream(seed, "actions")
		k.seating[lane] = env.NewStream(seed, "seating")
	}
	for w := range k.workers {
		k.workers[w].row = make([]float32, k.info.Observation())
	}
	k.stats.measures = make([]float64, len(k.info.Measures))
	k.stats.clear()
	return k, nil
}

func (k *collector) close() {
	for _, t := range k.tables {
		t.Close()
	}
	k.pool.close()
}

func (k *collector) table(lane int) *env.Vec { return k.tables[k.variant[lane]] }

// drivers are who decides for the seats of a lane's game.
func (k *collector) drivers(lane int) []int32 {
	return k.driver[lane*k.players:][:k.table(lane).Info().Players]
}

// beginAll begins a game in every lane.
func (k *collector) beginAll() {
	for _, t := range k.tables[1:] {
		for lane := range k.variant {
			t.Rest(lane)
		}
	}
	for lane := range k.variant {
		k.begin(lane)
	}
}

// begin begins a game in a lane, of a variant that is drawn, and decides who plays it.
func (k *collector) begin(lane int) {
	luck := &k.seating[lane]
	if len(k.tables) > 1 {
		k.table(lane).Rest(lane)
		k.variant[lane] = k.drawVariant(luck)
	}
	k.table(lane).ResetLane(lane)
	if k.phase == leaguePlay {
		k.seatLeague(lane)
	} else {
		k.seatTeachers(lane)
	}
}

// butSeats is the short text of a game without its number of seats.
func butSeats(info *env.Info) string {
	name, options, _ := strings.Cut(info.Short, ":")
	list := slices.DeleteFunc(strings.Split(options, ","), func(option string) bool {
		return option == "" || strings.HasPrefix(option, "players=")
	})
	return name + ":" + strings.Join(list, ",")
}

// drawVariant draws the variant of a game. Half of the games are of those that differ from the first that the run names
// in the number of seats alone, however many others there are; the rest are of any, the harder the oftener, as
// opponents are.
func (k *collector) drawVariant(luck *env.Stream) int32 {
	if n := len(k.usual); luck.Below(2) == 0 {
		return k.usual[luck.Below(n)]
	}
	sum := 0.0
	for _, f := range k.forms {
		sum += f.need()
	}
	u := float64(sum * luck.Float64())
	for i, f := range k.forms {
		if u -= f.need(); u < 0 {
			return int32(i)
		}
	}
	return int32(len(k.forms) - 1)
}

// seatLeague gives the network 1 to all but one seat, or as many as the config says, every set of that size alike, and
// the others to one opponent; or all to the network.
func (k *collector) seatLeague(lane int) {
	luck, drivers, info := &k.seating[lane], k.drivers(lane), k.table(lane).Info()
	for p := range drivers {
		drivers[p] = network
	}
	k.opponent[lane] = noOpponent
	if info.Players == 1 {
		return
	}
	if k.opponent[lane] = k.pool.draw(k.config, info, luck); k.opponent[lane] == noOpponent {
		return
	}
	wanted := 1 + luck.Below(info.Players-1)
	if k.config.Exploit {
		wanted = 1
	}
	for p := range drivers {
		if luck.Below(info.Players-p) < wanted {
			wanted--
		} else {
			drivers[p] = k.opponent[lane]
		}
	}
}

// step plays one decision in every lane: those that are learnt from, and the others.
func (k *collector) step(policy *neural.Policy) error {
	r, first := k.rollout, k.rollout.n
	k.ours, k.theirs = k.ours[:0], k.theirs[:0]
	for lane := range k.actions {
		t := k.table(lane)
		actor := int(t.Actors[lane])
		if k.learns(lane, k.drivers(lane)[actor]) {
			r.add(lane, actor, t.Mask(lane))
			k.ours = append(k.ours, lane)
		} else {
			k.theirs = append(k.theirs, lane)
		}
	}
	return k.play(func(worker int) { k.decide(worker, policy, first) })
}

// play lets the workers decide and answer, and steps every lane.
func (k *collector) play(decide func(worker int)) error {
	k.tables[0].Parallel(func(worker int) {
		w := &k.workers[worker]
		w.err = nil
		decide(worker)
		k.answer(worker)
	})
	for w := range k.workers {
		if err := k.workers[w].err; err != nil {
			return err
		}
	}
	for _, t := range k.tables {
		if err := t.Step(k.actions); err != nil {
			return fmt.Errorf("collecting: %w", err)
		}
	}
	for lane := range k.actions {
		t, players := k.table(lane), k.table(lane).Info().Players
		over := t.Terminated[lane]
		k.rollout.reward(lane, t.Rewards[lane*players:(lane+1)*players], over)
		if over {
			k.count(lane)
			k.begin(lane)
		}
	}
	return nil
}

// learns says whether the decisions of a driver are learnt from: the network's own, and those of who teaches it.
func (k *collector) learns(lane int, driver int32) bool {
	return driver == network || k.phase != leaguePlay && driver == k.teacher[lane]
}

// decide makes a worker's share of the decisions that are learnt from, those of the rollout from first on. The network
// draws them from the policy, with the luck of their lane. When cloning, a teacher says what it would do, and does so
// itself in its own seats.
func (k *collector) decide(worker int, policy *neural.Policy, first int) {
	from, to := share(len(k.ours), worker, len(k.workers))
	if from == to {
		return
	}
	for ; from < to; from += rowsTogether {
		if err := k.decideFew(worker, policy, first, from, min(to, from+rowsTogether)); err != nil {
			k.workers[worker].err = fmt.Errorf("teacher %w", err)
			return
		}
	}
}

// rowsTogether is how many observations are gathered at a time, for a network to be asked about.
const rowsTogether = 96

// decideFew is decide for the lanes [from, to) of those that are learnt from.
func (k *collector) decideFew(worker int, policy *neural.Policy, first, from, to int) error {
	r, w, n := k.rollout, &k.workers[worker], len(k.info.Actions)
	w.seen.Begin(r.inputs)
	for row := from; row < to; row++ {
		marks, numbers := w.look(k, k.ours[row])
		r.observations.put(worker, first+row, marks, numbers)
	}
	logits, values := policy.EvaluateSparse(&w.ws, &w.seen, 0, to-from, r.masks[(first+from)*r.words:(first+to)*r.words])
	for row := from; row < to; row++ {
		i, lane := first+row, k.ours[row]
		z := logits[(row-from)*n : (row-from+1)*n]
		copy(r.of(r.values, i), values[(row-from)*r.seats:])
		a, logProb := neural.SampleLogProb(z, r.mask(i), k.luck[lane].Float64())
		k.actions[lane] = env.Action(a)
		if k.phase == leaguePlay {
			r.actions[i], r.logProbs[i] = int32(a), float32(logProb)
			continue
		}
		taught, err := k.ask(worker, lane, k.teacher[lane])
		if err != nil {
			return err
		}
		r.teach(i, z, taught)
		if k.drivers(lane)[k.table(lane).Actors[lane]] != network {
			k.actions[lane] = taught
		}
	}
	return nil
}

// look adds what is seen in a lane. One row after the other is written in the same place, which so stays near.
func (w *collectWorker) look(k *collector, lane int) (marks []uint64, numbers []float32) {
	k.table(lane).Observe(lane, w.row)
	return w.seen.Add(k.kernels, w.row)
}

// answer makes a worker's share of the decisions that are not learnt from.
func (k *collector) answer(worker int) {
	from, to := share(len(k.theirs), worker, len(k.workers))
	w := &k.workers[worker]
	for member := range int32(k.pool.members()) {
		w.lanes = w.lanes[:0]
		for _, lane := range k.theirs[from:to] {
			if k.drivers(lane)[k.table(lane).Actors[lane]] == member {
				w.lanes = append(w.lanes, lane)
			}
		}
		if len(w.lanes) == 0 {
			continue
		}
		if past := int(member) - len(k.pool.fixed); past >= 0 {
			k.answerPast(w, k.pool.past[past].policy)
			continue
		}
		for _, lane := range w.lanes {
			a, err := k.ask(worker, lane, member)
			if err != nil {
				w.err = errors.Join(w.err, fmt.Errorf("opponent %w", err))
				return
			}
			k.actions[lane] = a
		}
	}
}

func (k *collector) answerPast(w *collectWorker, policy *neural.Policy) {
	n := len(k.info.Actions)
	for lanes := range slices.Chunk(w.lanes, rowsTogether) {
		w.masks = w.masks[:0]
		w.seen.Begin(k.rollout.inputs)
		for _, lane := range lanes {
			w.masks = append(w.masks, k.table(lane).Mask(lane)...)
			w.look(k, lane)
		}
		logits, _ := policy.EvaluateSparse(&w.ws, &w.seen, 0, len(lanes), w.masks)
		for i, lane := range lanes {
			k.actions[lane] = env.Action(neural.Sample(logits[i*n:(i+1)*n], k.table(lane).Mask(lane), k.luck[lane].Float64()))
		}
	}
}

// ask has an agent of the pool decide in a lane. It is reset before each decision, so that a run can be resumed between
// any two.
func (k *collector) ask(worker, lane int, member int32) (env.Action, error) {
	o := &k.pool.fixed[member]
	agent, w := o.seats[k.variant[lane]][worker], &k.workers[worker]
	t := k.table(lane)
	t.View(lane, &w.view)
	return decideFor(agent, o.text, &w.view, k.luck[lane].Uint64())
}

// decideFor is what an agent chooses, which has to be legal, begun anew with a seed.
func decideFor(agent agents.Agent, text string, view *env.View, seed uint64) (env.Action, error) {
	agent.Reset(seed)
	a, err := agent.Act(view)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", text, err)
	}
	if !view.Mask().Has(a) {
		return 0, fmt.Errorf("%s: it chose action %d, which is not legal", text, a)
	}
	return a, nil
}

// collectorState is what is left to say of a collector besides the state of its lanes, the open decisions and
// the past selves, which are tensors.
type collectorState struct {
	Choice env.Stream `json:"choice"`
	Taken  uint64     `json:"taken"`
	Past   []int      `json:"past"`  // update of each past self
	Form   []form     `json:"form"`  // against each of the field
	Forms  []form     `json:"forms"` // at each variant
}

func (k *collector) state() collectorState {
	s := collectorState{Choice: k.pool.choice, Taken: k.pool.taken, Past: []int{}, Form: k.pool.form, Forms: k.forms}
	for _, self := range k.pool.past {
		s.Past = append(s.Past, self.update)
	}
	return s
}

func (k *collector) restore(s collectorState, past []pastSelf) error {
	switch {
	case len(past) > k.pool.size:
		return fmt.Errorf("%d past selves in a pool of %d", len(past), k.pool.size)
	case len(s.Form) != k.pool.field:
		return fmt.Errorf("form against %d opponents, not %d", len(s.Form), k.pool.field)
	case len(s.Forms) != len(k.forms):
		return fmt.Errorf("form at %d variants, not %d", len(s.Forms), len(k.forms))
	}
	copy(k.forms, s.Forms)
	k.pool.choice, k.pool.taken, k.pool.past = s.Choice, s.Taken, past
	copy(k.pool.form, s.Form)
	return nil
}

// collectStats counts what happened since the last update.
type collectStats struct {
	games, decisions int
	score, wins      float64 // sums over the network's seats
	seats            int     // of the network
	measures         []float64
	ends             map[string]int
	against          map[string]*tally // of the network, by opponent
}

// tally sums up what seats of the network have got in games with one opponent.
type tally struct {
	seats         int
	returns, wins float64
	fair          float64 // wins if all seats were alike
}

func (s *collectStats) clear() {
	clear(s.measures)
	*s = collectStats{ends: map[string]int{}, against: map[string]*tally{}, measures: s.measures}
}

// count keeps the statistics of the game that a lane has just finished.
func (k *collector) count(lane int) {
	ep, s, info := k.table(lane).Episode(lane), &k.stats, k.table(lane).Info()
	s.games++
	s.decisions += ep.Decisions
	s.ends[ep.Reason]++
	for i, x := range ep.Measures {
		s.measures[i] += x
	}
	var ours, theirs tally
	for p, x := range ep.Returns {
		seat := &theirs
		if k.learns(lane, k.drivers(lane)[p]) {
			seat = &ours
			s.score += ep.Scores[p]
		}
		seat.seats++
		seat.returns += x
		seat.wins += ep.WinShare(env.Player(p), info)
	}
	s.wins += ours.wins
	s.seats += ours.seats
	opponent := k.opponent[lane]
	if info.Players == 1 && k.phase == leaguePlay {
		k.forms[k.variant[lane]].add(ours.wins, 1-ours.wins)
	}
	if opponent == mixed || ours.seats == 0 {
		return
	}
	name := k.pool.name(opponent)
	against := s.against[name]
	if against == nil {
		against = &tally{}
		s.against[name] = against
	}
	against.seats += ours.seats
	against.returns += ours.returns
	against.wins += ours.wins
	against.fair += float64(ours.seats) / float64(info.Players)
	if opponent >= 0 && int(opponent) < k.pool.field && theirs.seats > 0 {
		won, lost := ours.wins/float64(ours.seats), theirs.wins/float64(theirs.seats)
		if info.Shared() {
			lost = 1 - won
		}
		k.pool.form[opponent].add(won, lost)
		k.forms[k.variant[lane]].add(won, lost)
	}
}

// A phase is a stage of a run.
type phase uint8

const (
	cloning phase = iota
	dagger
	leaguePlay
)

func (p phase) String() string { return [...]string{"cloning", "dagger", "league"}[p] }
