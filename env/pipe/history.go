package pipe

import (
	"bytes"

	"earthgym/env"
)

// summary is the last finished game as it travels.
func (l *lane) summary() episode {
	e := l.Episode()
	return episode{e.Number, e.Seed, e.Returns, e.Scores, e.Measures, e.Winners.List(), e.Reason, e.Decisions, l.ended.steps}
}

// put makes lane i show a position that does not come from its seed, and plays to the client's decision.
// How much of the game was truncated or counted before is forgotten.
func (b *batch) put(i int, s env.State) error {
	l := &b.lanes[i]
	l.Put(s)
	l.failed, l.running = nil, history{log: l.running.log[:0]}
	l.resetAgents()
	b.play(&b.workers[0], []int{i})
	if l.failed != nil || l.Env().Terminated() || l.Env().Truncated() {
		l.Abandon()
	}
	clear(b.row(b.reward, i))
	b.end[i] = running
	b.show(i)
	if l.failed != nil {
		return inLane(i, AgentFailed, l.failed)
	}
	return nil
}

// copyLane makes lane i of b what another lane is, record included.
func (b *batch) copyLane(i int, from *lane) error {
	l := &b.lanes[i]
	if l == from {
		return nil
	}
	if err := b.put(i, from.Env().State()); err != nil {
		return err
	}
	if l.Env().State().Equal(from.Env().State()) {
		l.Join(from.Lane)
		l.running.take(&from.running)
		b.show(i)
	}
	return nil
}

// record is the game that a lane shows, or the last one that it has finished.
func (b *batch) record(l *lane, over bool) ([]byte, error) {
	if !b.keep {
		return nil, errorf(NoRecord, "the batch was made without record")
	}
	seed, game := l.Seed(), &l.running
	if over {
		if l.Episode().Number == 0 {
			return nil, errorf(NoRecord, "the lane has not finished a game yet")
		}
		seed, game = l.Episode().Seed, &l.ended
	}
	if !game.whole {
		return nil, errorf(NoRecord, "the game does not come from its seed: it was restored or redealt")
	}
	ref, err := env.NewReferee(b.game, seed)
	if err != nil {
		return nil, err
	}
	for _, a := range game.log {
		if err := ref.Play(env.Action(a)); err != nil {
			return nil, err
		}
	}
	var text bytes.Buffer
	if err := ref.Record(b.names).Write(&text); err != nil {
		return nil, err
	}
	return text.Bytes(), nil
}
