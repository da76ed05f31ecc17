package pipe

import (
	"errors"
	"fmt"
	"slices"

	"earthgym/env"
)

// A Maker makes the instances of an agent, for one seat of one lane each.
type Maker struct {
	New    func() (env.Agent, error)
	Memory int64 // bytes that they share, about: those of a network
}

// OpenAgent finds the agent of a text to play g.
type OpenAgent func(text string, g env.Game) (Maker, error)

// together is how many decisions a Deputy is asked for at once, which bounds what it needs for them.
const together = 256

// seatAgents finds who plays which seat, and gives the makers of the agents, one for each text.
func (b *batch) seatAgents(r *makeRequest, open OpenAgent) ([]Maker, error) {
	b.names = slices.Repeat([]string{"client"}, b.info.Players)
	b.maker = slices.Repeat([]int{-1}, b.info.Players)
	if r.Seat == nil {
		if len(r.Opponents) > 0 {
			return nil, errorf(BadRequest, "opponents without a seat: name the client's own")
		}
		return nil, nil
	}
	seat, err := b.player(*r.Seat)
	if err != nil {
		return nil, err
	}
	b.seat = seat
	if b.info.Players > 1 && len(r.Opponents) == 0 || len(r.Opponents) > b.info.Players-1 {
		return nil, errorf(BadRequest, "%d opponents for the %d other seats of %s: one to all of them, the last one in all that are left", len(r.Opponents), b.info.Players-1, b.info.Short)
	}
	var makers []Maker
	next := 0
	for p := range b.maker {
		if env.Player(p) == seat {
			continue
		}
		text := r.Opponents[min(next, len(r.Opponents)-1)]
		next++
		if same := slices.Index(b.names, text); same >= 0 && b.maker[same] >= 0 {
			b.maker[p] = b.maker[same]
		} else {
			maker, err := open(text, b.game)
			if own := (*Error)(nil); errors.As(err, &own) {
				return nil, own
			} else if err != nil {
				return nil, errorf(UnknownAgent, "%v", err)
			}
			b.maker[p] = len(makers)
			makers = append(makers, maker)
		}
		b.names[p] = text
	}
	return makers, nil
}

// hireDeputies gives each worker Deputies of its own, where the agents are such.
func (b *batch) hireDeputies(makers []Maker) error {
	for i := range b.workers {
		b.workers[i].deputies = make([]env.Deputy, len(makers))
	}
	for p, m := range b.maker {
		if m < 0 {
			continue
		}
		if _, ok := b.lanes[0].agents[p].(env.Deputy); !ok {
			continue
		}
		for i := range b.workers {
			a, err := makers[m].New()
			if err != nil {
				return errorf(UnknownAgent, "agent %q: %v", b.names[p], err)
			}
			b.workers[i].deputies[m] = a.(env.Deputy)
		}
	}
	return nil
}

// play lets the server's agents play in some lanes up to the client's next decision or the end. A lane whose
// agent could not go on has failed then.
func (b *batch) play(w *worker, lanes []int) {
	w.playing = append(w.playing[:0], lanes...)
	for {
		waiting := w.playing[:0]
		for _, i := range w.playing {
			if b.playAlone(w, &b.lanes[i]) {
				waiting = append(waiting, i)
			}
		}
		if w.playing = waiting; len(waiting) == 0 {
			return
		}
		for m := range w.deputies {
			b.playTogether(w, m)
		}
	}
}

// playAlone lets agents that choose one by one play in a lane. It says whether a Deputy decides next.
func (b *batch) playAlone(w *worker, l *lane) bool {
	for l.failed == nil {
		p := l.Env().Actor()
		if p == env.Over || l.Env().Truncated() || l.agents[p] == nil {
			return false
		}
		if w.deputies[b.maker[p]] != nil {
			return true
		}
		b.decide(l)
	}
	return false
}

// decide lets the agent whose turn it is choose and play.
func (b *batch) decide(l *lane) {
	p := l.Env().Actor()
	l.Env().View(&l.view, nil, nil)
	a, err := l.agents[p].Act(&l.view)
	if err == nil {
		err = b.apply(l, a)
	}
	b.blame(l, p, err)
}

// blame says whose error it was.
func (b *batch) blame(l *lane, p env.Player, err error) {
	if err != nil {
		l.failed = fmt.Errorf("agent %q, seat %d: %w", b.names[p], p, err)
	}
}

// playTogether plays one decision in each of the worker's lanes in which an agent of maker m decides.
func (b *batch) playTogether(w *worker, m int) {
	if w.deputies[m] == nil {
		return
	}
	w.asked = w.asked[:0]
	for _, i := range w.playing {
		l := &b.lanes[i] // which another agent may have played on in this round
		if p := l.Env().Actor(); p != env.Over && b.maker[p] == m && l.failed == nil && !l.Env().Truncated() {
			w.asked = append(w.asked, i)
		}
	}
	for asked := range slices.Chunk(w.asked, together) {
		w.agents, w.views = w.agents[:0], w.views[:0]
		for _, i := range asked {
			l := &b.lanes[i]
			l.Env().View(&l.view, nil, nil)
			w.agents, w.views = append(w.agents, l.agents[l.Env().Actor()]), append(w.views, &l.view)
		}
		w.out = slices.Grow(w.out[:0], len(asked))[:len(asked)]
		err := w.deputies[m].ActFor(w.agents, w.views, w.out)
		for k, i := range asked {
			l := &b.lanes[i]
			if err != nil {
				b.decide(l) // Which tells whose fault it is.
			} else {
				p := l.Env().Actor()
				b.blame(l, p, b.apply(l, w.out[k]))
			}
		}
	}
}
