// Package engine has agents decide in many games at once: those that choose for many (env.Deputy) are asked together
// for all the decisions that wait for one of them, all others one by one. Matches, tournaments and records are played
// by it (package eval), and so are the opponents that a server seats (package pipe).
package engine

import (
	"slices"
	"time"

	"earthgym/env"
)

// A Game is played by agents. It belongs to one Engine.
type Game interface {
	// Next is the agent that decides next; nil if none does here, for now. Agents of one kind, from 0 on, are asked
	// together; one of kind Alone is asked at once.
	Next() (agent env.Agent, kind int)
	// View is what the agent is shown.
	View() *env.View
	// Decide plays what the agent has chosen in some time, or notes its error.
	Decide(a env.Action, err error, took time.Duration)
}

// Alone is the kind of agents that are asked one by one.
const Alone = -1

// Most is how many decisions an agent is asked for at once, which bounds what it needs for them.
const Most = 256

// An Engine asks agents for one goroutine.
type Engine[G Game] struct {
	Deputies []env.Deputy // by kind: who is asked for all; nil for the first agent that waits
	Opened   time.Time    // decisions are timed by the time since then, at half the price of the time; zero for not at all

	waiting []decision[G]
	asked   []decision[G]
	agents  []env.Agent
	views   []*env.View
	out     []env.Action
}

// A decision waits for an agent that is asked together with others.
type decision[G Game] struct {
	game  G
	agent env.Agent
	kind  int
}

// Round has agents play on in games up to a decision that is asked together, and then asks for all of these once. It
// says in how many games there was one.
func (e *Engine[G]) Round(games []G) int {
	e.waiting = e.waiting[:0]
	kinds := 0
	for _, g := range games {
		if agent, kind := e.Advance(g); agent != nil {
			e.waiting = append(e.waiting, decision[G]{g, agent, kind})
			kinds = max(kinds, kind+1)
		}
	}
	for kind := range kinds {
		e.asked = e.asked[:0]
		for _, d := range e.waiting {
			if d.kind == kind {
				e.asked = append(e.asked, d)
			}
		}
		for together := range slices.Chunk(e.asked, Most) {
			e.together(together)
		}
	}
	return len(e.waiting)
}

// Play has agents play on in games until none decides in any of them.
func (e *Engine[G]) Play(games []G) {
	for e.Round(games) > 0 {
		games = games[:0]
		for _, d := range e.waiting {
			games = append(games, d.game)
		}
	}
}

// Advance has agents that are asked one by one play on in a game. It gives the agent that is asked together with others
// then; nil if none decides.
func (e *Engine[G]) Advance(g G) (env.Agent, int) {
	for {
		agent, kind := g.Next()
		if agent == nil || kind != Alone {
			return agent, kind
		}
		e.ask(g, agent)
	}
}

func (e *Engine[G]) ask(g G, agent env.Agent) {
	start := e.clock()
	a, err := agent.Act(g.View())
	g.Decide(a, err, e.clock()-start)
}

// together asks an agent for decisions of its kind, each of which takes its part of the time. Where that fails each
// agent is asked for its own, which tells whose fault it is.
func (e *Engine[G]) together(asked []decision[G]) {
	e.agents, e.views = e.agents[:0], e.views[:0]
	for _, d := range asked {
		e.agents, e.views = append(e.agents, d.agent), append(e.views, d.game.View())
	}
	e.out = slices.Grow(e.out[:0], len(asked))[:len(asked)]
	deputy := asked[0].agent.(env.Deputy)
	if e.Deputies != nil {
		deputy = e.Deputies[asked[0].kind]
	}
	start := e.clock()
	err := deputy.ActFor(e.agents, e.views, e.out)
	each := (e.clock() - start) / time.Duration(len(asked))
	for i, d := range asked {
		if err != nil {
			e.ask(d.game, d.agent)
		} else {
			d.game.Decide(e.out[i], nil, each)
		}
	}
}

// clock is the time, where decisions are timed.
func (e *Engine[G]) clock() time.Duration {
	if e.Opened.IsZero() {
		return 0
	}
	return time.Since(e.Opened)
}
