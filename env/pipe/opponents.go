package pipe

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"earthgym/env"
	"earthgym/env/engine"
	"earthgym/env/spelling"
)

// A Maker makes the instances of an agent, for one seat of one lane each.
type Maker struct {
	New    func() (env.Agent, error)
	Memory int64 // bytes that they share, about: those of a network
}

// OpenAgent finds the agent of a text to play g.
type OpenAgent func(text string, g env.Game) (Maker, error)

// seatAgents finds who plays which seat of a variant, and adds the makers of the agents, one for each text, to those of
// other variants. A solo game has no other seats, whatever plays them elsewhere.
func (b *batch) seatAgents(v *variant, makers []Maker, r *makeRequest, open OpenAgent) ([]Maker, error) {
	v.names = slices.Repeat([]string{"client"}, v.info.Players)
	v.maker = slices.Repeat([]int{-1}, v.info.Players)
	if r.Seat == nil {
		if len(r.Opponents) > 0 {
			return nil, errorf(BadRequest, "opponents without a seat: name the client's own")
		}
		return makers, nil
	}
	seat, err := v.player(*r.Seat)
	if err != nil {
		return nil, err
	}
	b.seat = seat
	if others := v.info.Players - 1; others > 0 && (len(r.Opponents) == 0 || len(r.Opponents) > others) {
		return nil, errorf(BadRequest, "%d opponents for the %s of %s: one to all of them, the last one in "+
			"all that are left", len(r.Opponents), spelling.Counted(others, "other seat"), v.info.Short)
	}
	next := 0
	for p := range v.maker {
		if env.Player(p) == seat {
			continue
		}
		text := r.Opponents[min(next, len(r.Opponents)-1)]
		next++
		if same := slices.Index(v.names, text); same >= 0 && v.maker[same] >= 0 {
			v.maker[p] = v.maker[same]
		} else {
			maker, err := open(text, v.game)
			if own, ok := errors.AsType[*Error](err); ok {
				return nil, own
			} else if err != nil {
				return nil, errorf(UnknownAgent, "%v", err)
			}
			v.maker[p] = len(makers)
			makers = append(makers, maker)
		}
		v.names[p] = text
	}
	return makers, nil
}

// hireDeputies gives each worker Deputies of its own, where the agents of a variant, of which l is a lane, are such.
func (b *batch) hireDeputies(l *lane, makers []Maker) error {
	for i := range b.workers {
		if b.workers[i].engine.Deputies == nil {
			b.workers[i].engine = engine.Engine[*lane]{Deputies: make([]env.Deputy, len(makers))}
		}
	}
	for p, m := range l.maker {
		if m < 0 {
			continue
		}
		if _, ok := l.agents[p].(env.Deputy); !ok {
			continue
		}
		for i := range b.workers {
			a, err := makers[m].New()
			if err != nil {
				return errorf(UnknownAgent, "agent %q: %v", l.names[p], err)
			}
			b.workers[i].engine.Deputies[m] = a.(env.Deputy)
		}
	}
	return nil
}

// play lets the server's agents play in some lanes up to the client's next decision or the end. A lane whose
// agent could not go on has failed then.
func (b *batch) play(w *worker, lanes []int) {
	w.playing = w.playing[:0]
	for _, i := range lanes {
		w.playing = append(w.playing, &b.lanes[i])
	}
	w.engine.Play(w.playing)
}

// Next is the server's agent that decides next.
func (l *lane) Next() (env.Agent, int) {
	p := l.Env().Actor()
	if p == env.Over || l.failed != nil || l.agents[p] == nil || l.Env().Truncated() {
		return nil, 0
	}
	if m := l.maker[p]; l.batch.workers[0].engine.Deputies[m] != nil {
		return l.agents[p], m
	}
	return l.agents[p], engine.Alone
}

// View is what the agent whose turn it is may know.
func (l *lane) View() *env.View {
	l.Env().View(&l.view, nil, nil)
	return &l.view
}

// Decide plays an action of the seat whose turn it is, or says whose error it was.
func (l *lane) Decide(a env.Action, err error, _ time.Duration) {
	p := l.Env().Actor()
	if err == nil {
		err = l.batch.apply(l, a)
	}
	if err != nil {
		l.failed = fmt.Errorf("agent %q, seat %d: %w", l.names[p], p, err)
	}
}
