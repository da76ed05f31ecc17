package mcts

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"earthgym/agents/neural"
	"earthgym/agents/scripted"
	"earthgym/env"
	"earthgym/env/spelling"
)

// A player plays one seat of roll-outs.
type player interface {
	Reset(seed uint64)
	// Choose chooses one of the legal actions of the seat that decides in s, by what that seat may know.
	Choose(s env.State, legal env.Mask) env.Action
	// Remembers says whether what it chooses from s on may depend on anything but its seed and what it is asked then.
	Remembers(s env.State) bool
}

// A scorer is a player that can say what it thinks of all actions.
type scorer interface {
	Scores(s env.State, legal env.Mask, dst []float64) bool
}

// opener makes players of one kind.
type opener func() player

// openPlayer finds who is meant by a roll-out's text. In a guided search that may be the network, the policy.
func openPlayer(text string, g env.Game, guided bool, policy *neural.Policy) (opener, error) {
	kind, level, _ := strings.Cut(text, ":")
	switch {
	case text == "random":
		return func() player { return &randomPlayer{} }, nil
	case guided && network(text):
		return func() player {
			return &netPlayer{policy: policy, seen: make([]float32, policy.Spec().Inputs), argmax: text == "argmax"}
		}, nil
	case kind == "script":
		create, err := scripted.Open(g, level)
		if err != nil {
			return nil, err
		}
		return func() player { return create() }, nil
	case kind == scripted.Varied:
		return nil, fmt.Errorf("roll-out %q: a bot with another character in each sample is script:%s", text, scripted.Varied)
	}
	known := []string{"random", "script:LEVEL"}
	if guided {
		known = append(known, "net", "argmax")
	}
	return nil, fmt.Errorf("unknown roll-out %q: %s", text, spelling.Suggest(text, known))
}

// randomPlayer takes any legal action, all alike.
type randomPlayer struct{ luck env.Stream }

func (h *randomPlayer) Reset(seed uint64) { h.luck = env.NewStream(seed, "random") }
func (h *randomPlayer) Choose(_ env.State, legal env.Mask) env.Action {
	return legal.Nth(h.luck.Below(legal.Count()))
}
func (h *randomPlayer) Remembers(env.State) bool { return true }

// netPlayer draws from a network's policy, or takes its likeliest action.
type netPlayer struct {
	policy *neural.Policy
	argmax bool
	work   neural.Workspace
	seen   []float32
	luck   env.Stream
}

// netLuck names the stream that a network draws its actions by.
const netLuck = "net"

func (h *netPlayer) Reset(seed uint64) { h.luck = env.NewStream(seed, netLuck) }
func (h *netPlayer) Choose(s env.State, legal env.Mask) env.Action {
	s.Observe(h.seen, s.Actor())
	logits, _ := h.policy.Evaluate(&h.work, h.seen, legal, 1)
	if h.argmax {
		return env.Action(neural.Argmax(logits, legal))
	}
	return env.Action(neural.Sample(logits, legal, h.luck.Float64()))
}
func (h *netPlayer) Remembers(env.State) bool { return !h.argmax }

var errDiverged = errors.New("the network's answer is not finite: its training has diverged")

func finite(x float32) bool { return !math.IsNaN(float64(x)) && !math.IsInf(float64(x), 0) }

// A simulator plays games on from samples. It belongs to one goroutine.
type simulator struct {
	game    env.Game
	cut     int
	argmax  bool // the network plays its likeliest action on
	state   env.State
	legal   env.Mask
	breath  time.Time // when others had the thread last
	me      env.Player
	own     []player   // by seat: the searcher's model of itself
	others  [][]player // by model and seat
	openers []opener   // of the others
	model   int        // of the others, in this sample

	transpositions *transpositions // where roll-outs of a sample meet, nil where they don't look out for one another

	policy  *neural.Policy
	work    neural.Workspace
	seen    []float32 // observations [seats, inputs]
	returns []float64
	err     error // of the network, for good
	played  int   // decisions, over all simulations
	batch   batch
}

func newSimulator(g env.Game, cut int, policy *neural.Policy, own opener, others []opener) *simulator {
	players := g.Info().Players
	m := &simulator{
		game: g, cut: cut, state: g.New(), legal: make(env.Mask, g.Info().MaskWords()), policy: policy,
		returns: make([]float64, players),
		own:     table([]opener{own}, players)[0], openers: others, others: table(others, players),
	}
	if policy != nil {
		m.seen = make([]float32, players*policy.Spec().Inputs)
	}
	return m
}

// table makes players by model and seat.
func table(models []opener, players int) [][]player {
	var byModel [][]player
	for _, open := range models {
		seats := make([]player, players)
		for p := range seats {
			seats[p] = open()
		}
		byModel = append(byModel, seats)
	}
	return byModel
}

// sample makes the state one that fits what v's seat knows. The key decides everything that is drawn from here on, the
// chance of the players included, so that one key gives all actions the same luck.
func (m *simulator) sample(v *env.View, key uint64) {
	v.SampleInto(m.state, key)
	m.me = v.Player()
	m.model = modelOf(key, len(m.others))
	for p := range m.own {
		m.player(env.Player(p)).Reset(playerSeed(key, p))
	}
}

// modelOf is which of n models the others are in the sample of a key.
func modelOf(key uint64, n int) int {
	if n < 2 {
		return 0
	}
	return int(env.Mix(key+1) % uint64(n))
}

// playerSeed is the luck of a seat's player in the sample of a key.
func playerSeed(key uint64, p int) uint64 { return env.Mix(key ^ uint64(p+1)*0x9e3779b97f4a7c15) }

// player is who plays a seat in this sample.
func (m *simulator) player(p env.Player) player {
	if p == m.me || len(m.others) == 0 {
		return m.own[p]
	}
	return m.others[m.model][p]
}

// act lets the player of the seat that decides play one of m.legal.
func (m *simulator) act() {
	a := m.legal.Nth(0)
	if m.legal.Nth(1) >= 0 {
		a = m.choose()
	}
	m.state.Apply(a, nil)
	m.played++
}

// choose asks the player of the seat that decides about m.legal.
func (m *simulator) choose() env.Action { return m.player(m.state.Actor()).Choose(m.state, m.legal) }

// playSample plays roll-outs of the sample of a key, and notes under its number what the searcher returns in them.
func (m *simulator) playSample(ctx context.Context, v *env.View, key uint64, field []*candidate, number int) {
	if m.transpositions != nil {
		m.transpositions.clear()
	}
	for _, c := range field {
		if m.breathe(); ctx.Err() != nil {
			return
		}
		m.sample(v, key)
		m.state.Apply(c.action, nil)
		m.playOn()
		c.returns[number] = m.returns[m.me]
		if m.transpositions != nil {
			m.transpositions.end(m.returns[m.me])
		}
	}
}

// playOn plays until the game is over, or the network or the game's outlook takes over, and sets returns; with
// transpositions, until it meets a roll-out whose return is known, and sets that of the searcher.
func (m *simulator) playOn() {
	last, visits := env.Player(env.Over), mostVisits
	if m.transpositions == nil {
		visits = 0
	}
	for mine := 0; ; {
		p := m.state.Actor()
		if p == env.Over {
			m.state.Returns(m.returns)
			return
		}
		if p == m.me {
			mine++
		}
		if m.cut > 0 && mine >= m.cut && m.foresee(p) {
			return
		}
		m.state.Legal(m.legal)
		if visits > 0 && (p != last || len(m.own) == 1) && !m.remembers() {
			last = p
			visits--
			if value, met := m.meet(p, mine); met {
				m.returns[m.me] = value
				return
			}
		}
		m.act()
	}
}

// foresee sets returns to what the network expects, when the searcher is to decide, or the game's outlook.
func (m *simulator) foresee(p env.Player) bool {
	if m.policy == nil {
		return m.state.(env.Outlook).Outlook(m.returns)
	}
	if p == m.me {
		m.state.Legal(m.legal)
		m.evaluate(p)
	}
	return p == m.me
}

// evaluate asks the network as the seat that decides, about m.legal: it sets returns to what all seats may expect, and
// returns the logits. A network that gives a value for each seat is asked once, another one for each of them.
func (m *simulator) evaluate(p env.Player) []float32 {
	players, inputs, seats := len(m.returns), m.policy.Spec().Inputs, m.policy.Spec().Values
	rows, legal := 1, m.legal
	if seats < players {
		rows, legal = players, nil
	}
	seat := func(k int) int { return (int(p) + k) % players }
	for k := range rows {
		m.state.Observe(m.seen[k*inputs:(k+1)*inputs], env.Player(seat(k)))
	}
	logits, values := m.policy.Evaluate(&m.work, m.seen[:rows*inputs], legal, rows)
	step := 1
	if rows > 1 {
		step = seats
	}
	for k := range players {
		m.returns[seat(k)] = m.trusted(values[k*step])
	}
	return logits[:m.policy.Spec().Actions]
}

// likely sets dst to how likely the network takes m.legal to be, as the seat that decides, and returns to what it
// expects (evaluate).
func (m *simulator) likely(dst []float32, p env.Player) {
	neural.Probabilities(dst, m.evaluate(p), m.legal)
	if first := m.legal.Nth(0); !finite(dst[first]) { // then none is
		m.err = errDiverged
		clear(dst)
		dst[first] = 1
	}
}

// trusted is a value of the network as a return.
func (m *simulator) trusted(value float32) float64 {
	if !finite(value) {
		m.err = errDiverged
		return 0
	}
	return max(-1, min(1, float64(value)))
}
