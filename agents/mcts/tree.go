package mcts

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"earthgym/env"
)

// A tree is a search tree for each seat, grown together (multiple-observer information-set search): a node is what its
// seat has seen of the actions since the root, so that nobody's choice depends on what they can't know. Chance has no
// nodes: each simulation draws anew, and statistics are means over it (open loop); so the nodes of others don't tell
// what they hold either.
type tree struct {
	config   *Config
	players  int
	nodes    []node
	children map[step]int32
	at       []int32 // by seat: its node
	path     []move
	low      []float64 // by seat: the least return seen
	high     []float64
	probs    []float32

	simulations int
}

type node struct {
	edges  []edge
	visits int32
}

// An edge is an action of the seat that a node belongs to, in the order of actions.
type edge struct {
	action    env.Action
	visits    int32
	available int32 // visits of the node in which it was legal
	prior     float32
	sum       float64 // of the seat's returns
	squares   float64
}

// A step leads from a node to the next by what the node's seat has seen.
type step struct {
	node int32
	seen uint64
}

// A move is an edge on the way of a simulation.
type move struct {
	node, edge int32
	seat       env.Player
}

func newTree(c *Config, info *env.Info) *tree {
	return &tree{
		config: c, players: info.Players, children: map[step]int32{},
		at:    make([]int32, info.Players),
		low:   make([]float64, info.Players),
		high:  make([]float64, info.Players),
		probs: make([]float32, len(info.Actions)),
	}
}

// clear makes the tree a root for each seat, numbered as the seats.
func (t *tree) clear() {
	t.nodes = t.nodes[:0]
	clear(t.children)
	t.simulations = 0
	for p := range t.players {
		t.newNode()
		t.low[p], t.high[p] = math.Inf(1), math.Inf(-1)
	}
}

func (t *tree) newNode() int32 {
	if len(t.nodes) == cap(t.nodes) {
		t.nodes = append(t.nodes, node{})
	} else {
		t.nodes = t.nodes[:len(t.nodes)+1]
		n := &t.nodes[len(t.nodes)-1]
		n.edges, n.visits = n.edges[:0], 0
	}
	return int32(len(t.nodes) - 1)
}

// grow searches with the tree and chooses the action with most visits, if it isn't within the margin of the
// incumbent's value.
func (s *Search) grow(ctx context.Context, v *env.View, incumbent env.Action) error {
	base := s.luck.Uint64()
	if s.tree == nil {
		s.tree = newTree(&s.config, s.info)
	}
	s.tree.clear()
	err := s.parallel(ctx, 1, func(m *simulator, _ int) {
		for k := 0; s.config.Time == 0 && k < s.config.Simulations || s.config.Time > 0 && (k == 0 || !s.late()); k++ {
			if ctx.Err() != nil {
				return
			}
			s.tree.simulate(m, v, env.Mix(base+uint64(k)))
			s.advance(ctx, k+1, s.config.Simulations)
			m.breathe()
		}
	})
	if err != nil && (!hurried(ctx) || s.tree.simulations == 0) {
		return err
	}
	s.harvest(v)
	s.settle(v, incumbent)
	return nil
}

// harvest is what the tree has found at its root.
func (s *Search) harvest(v *env.View) {
	r := &s.result
	for i := range v.Mask().Count() {
		a := v.Mask().Nth(i)
		n, total, _ := s.sums(a)
		r.Visits[a] = int32(n)
		if n > 0 {
			r.Values[a] = total / n
		}
	}
	r.Simulations = s.tree.simulations
}

// sums are those of an action of the root: visits, returns and their squares.
func (s *Search) sums(a env.Action) (n, sum, squares float64) {
	for _, e := range s.tree.nodes[s.seat].edges {
		if e.action == a {
			return float64(e.visits), e.sum, e.squares
		}
	}
	return 0, 0, 0
}

// settle chooses the action with most visits, unless it is within the margin of the incumbent, or was hardly tried.
func (s *Search) settle(v *env.View, incumbent env.Action) {
	r := &s.result
	best := incumbent
	if best < 0 {
		best = v.Mask().Nth(0)
	}
	for i := range v.Mask().Count() {
		a := v.Mask().Nth(i)
		if r.Visits[a] > r.Visits[best] || r.Visits[a] == r.Visits[best] && r.Values[a] > r.Values[best] {
			best = a
		}
	}
	if incumbent >= 0 && best != incumbent && r.Visits[incumbent] > 0 {
		if lead, deviation := s.apart(best, incumbent); r.Visits[best] < leastReturns || lead < s.config.Margin*deviation {
			best = incumbent
		}
	}
	r.Action, r.Value = best, r.Values[best]
}

// apart is the difference of the mean returns of two actions of the root, and its standard error.
func (s *Search) apart(a, b env.Action) (mean, deviation float64) {
	var means, variances [2]float64
	for k, action := range [...]env.Action{a, b} {
		n, x, xx := s.sums(action)
		means[k], variances[k] = x/n, (max(xx/n-x/n*x/n, 0)+1e-4)/n
	}
	return means[0] - means[1], math.Sqrt(variances[0] + variances[1])
}

// simulate plays one simulation: down the tree, on from its edge by the players, and back up.
func (t *tree) simulate(m *simulator, v *env.View, key uint64) {
	m.sample(v, key)
	t.path = t.path[:0]
	t.simulations++
	for p := range t.at {
		t.at[p] = int32(p)
	}
	for {
		p := m.state.Actor()
		if p == env.Over {
			m.state.Returns(m.returns)
			break
		}
		m.state.Legal(m.legal)
		if m.legal.Nth(1) < 0 && len(t.path) > 0 {
			a := m.legal.Nth(0)
			t.witness(m, p, a) // that there was no choice may be a secret
			m.state.Apply(a, nil)
			continue
		}
		at := t.at[p]
		fresh := t.nodes[at].visits == 0 && len(t.path) > 0
		t.nodes[at].visits++
		if fresh {
			if m.policy != nil && m.cut == 1 {
				t.nodes[at].offer(m.legal)
				t.priors(m, &t.nodes[at], p) // and returns
			} else {
				m.playOn()
			}
			break
		}
		i := t.choose(m, at, p)
		t.path = append(t.path, move{at, i, p})
		a := t.nodes[at].edges[i].action
		t.witness(m, p, a)
		m.state.Apply(a, nil)
	}
	t.back(m)
}

// witness moves every seat on by what it sees of the action.
func (t *tree) witness(m *simulator, actor env.Player, a env.Action) {
	w, hides := m.state.(env.Witness)
	for p := range t.at {
		seen := uint64(a)
		if hides && env.Player(p) != actor {
			text := w.WitnessedBy(env.Player(p), a)
			if text == "" {
				continue
			}
			seen = 1<<63 | hash(text)
		}
		t.at[p] = t.next(step{t.at[p], seen})
	}
}

// next is the node that a step leads to.
func (t *tree) next(s step) int32 {
	to, ok := t.children[s]
	if !ok {
		to = t.newNode()
		t.children[s] = to
	}
	return to
}

// hash is FNV-1a.
func hash(text string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * 1099511628211
	}
	return h
}

// back adds the returns to the edges of the path.
func (t *tree) back(m *simulator) {
	for _, s := range t.path {
		x := m.returns[s.seat]
		t.low[s.seat], t.high[s.seat] = min(t.low[s.seat], x), max(t.high[s.seat], x)
		e := &t.nodes[s.node].edges[s.edge]
		e.visits++
		e.sum += x
		e.squares += float64(x * x)
	}
}

// explore is the weight of exploration in a tree, in units of the spread of returns.
const explore = 0.7

// botPrior is the share of a node's prior that the bot's choice gets; the rest is spread evenly.
const botPrior = 0.5

// choose picks an edge of a node among the legal actions of the sample: the highest mean return, in units of the spread
// of the seat's returns, and a bonus for what is likely and seldom tried (PUCT: Silver et al. 2017; availability in
// place of visits: Cowling, Powley, Whitehouse 2012).
func (t *tree) choose(m *simulator, at int32, p env.Player) int32 {
	n := &t.nodes[at]
	if n.offer(m.legal) {
		t.priors(m, n, p)
	}
	low, spread := t.low[p], t.high[p]-t.low[p]
	if !(spread > 1e-9) {
		low, spread = 0, 1
	}
	sum, visits := 0.0, 0
	for i := range n.edges {
		if e := &n.edges[i]; m.legal.Has(e.action) {
			sum += e.sum
			visits += int(e.visits)
		}
	}
	untried := 0.5
	if visits > 0 {
		untried = (sum/float64(visits) - low) / spread
	}
	best, top := int32(-1), math.Inf(-1)
	for i := range n.edges {
		e := &n.edges[i]
		if !m.legal.Has(e.action) {
			continue
		}
		value := untried
		if e.visits > 0 {
			value = (e.sum/float64(e.visits) - low) / spread
		}
		value += explore * float64(e.prior) * math.Sqrt(float64(e.available)) / float64(1+e.visits)
		if value > top {
			best, top = int32(i), value
		}
	}
	return best
}

// offer merges the legal actions into the node's edges, and says whether there are new ones.
func (n *node) offer(legal env.Mask) bool {
	added := false
	k := 0
	for w, word := range legal {
		for ; word != 0; word &= word - 1 {
			a := env.Action(w*64 + bits.TrailingZeros64(word))
			for k < len(n.edges) && n.edges[k].action < a {
				k++
			}
			if k == len(n.edges) || n.edges[k].action != a {
				n.edges = slices.Insert(n.edges, k, edge{action: a})
				added = true
			}
			n.edges[k].available++
			k++
		}
	}
	return added
}

// priors says how likely the legal actions are: what the network thinks, which sets returns to what it expects, or the
// bot's choice before all others alike.
func (t *tree) priors(m *simulator, n *node, p env.Player) {
	legal := float32(m.legal.Count())
	if t.config.Rollout == "random" {
		for i := range n.edges {
			t.probs[n.edges[i].action] = 1 / legal
		}
	} else if m.policy != nil {
		m.likely(t.probs, p)
	} else {
		a := m.choose()
		for i := range n.edges {
			t.probs[n.edges[i].action] = (1 - botPrior) / legal
		}
		t.probs[a] += botPrior
	}
	for i := range n.edges {
		if e := &n.edges[i]; m.legal.Has(e.action) {
			e.prior = t.probs[e.action]
		}
	}
}
