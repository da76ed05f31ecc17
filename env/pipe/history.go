package pipe

import (
	"bytes"
	"slices"

	"earthgym/env"
	"earthgym/env/referee"
	"earthgym/env/story"
)

// summary is the last finished game as it travels.
func (l *lane) summary() episode {
	e := l.Episode()
	return episode{e.Number, e.Seed, e.Returns, e.Scores, e.Measures, e.Winners.List(), e.Reason, e.Decisions,
		l.ended.steps, e.Lost, e.Culprits.List()}
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

// kept is a game of which the actions are kept, the one that a lane shows or the last one that it has finished, and
// its seed.
func (b *batch) kept(l *lane, over bool) (*history, uint64, error) {
	if !b.keep {
		return nil, 0, errorf(NoRecord, "the batch was made without record")
	}
	game, seed := &l.running, l.Seed()
	if over {
		if l.Episode().Number == 0 {
			return nil, 0, errorf(NoRecord, "the lane has not finished a game yet")
		}
		game, seed = &l.ended, l.Episode().Seed
	}
	if !game.whole {
		return nil, 0, errorf(NoRecord, "the game does not come from its seed: it was restored or redealt")
	}
	return game, seed, nil
}

// record is the game that a lane shows, or the last one that it has finished.
func (b *batch) record(l *lane, over bool) ([]byte, error) {
	game, seed, err := b.kept(l, over)
	if err != nil {
		return nil, err
	}
	ref, err := referee.New(l.game, seed)
	if err != nil {
		return nil, err
	}
	for _, a := range game.log {
		if err := ref.Play(env.Action(a)); err != nil {
			return nil, err
		}
	}
	var text bytes.Buffer
	if err := ref.Record(l.names).Write(&text); err != nil {
		return nil, err
	}
	return text.Bytes(), nil
}

// story tells a viewer, a sentence a line, the steps of a game from one on, and how many there were: step 0 is the
// set-up, the others are the decisions.
func (b *batch) story(l *lane, viewer env.Player, since int64, over bool) ([]byte, int, error) {
	game, seed, err := b.kept(l, over)
	if err != nil {
		return nil, 0, err
	}
	steps := 1 + len(game.log)
	if since < 0 || since > int64(steps) {
		return nil, 0, errorf(BadRequest, "since step %d: the game has had %d", since, steps)
	}
	if game.tale == nil || game.tale.of(viewer) == nil {
		if err := b.beginTale(l, game, seed, viewer); err != nil {
			return nil, 0, err
		}
	}
	if err := game.tale.goOn(game.log); err != nil {
		return nil, 0, err
	}
	return game.tale.of(viewer).from(int(since)), steps, game.tale.narrator.Err()
}

// maxTales is how many games of a batch keep their story at hand.
const maxTales = 16

// beginTale begins the story of a game of l for a viewer, and anew for those who have been told it before.
func (b *batch) beginTale(l *lane, game *history, seed uint64, viewer env.Player) error {
	narrator, err := story.NewNarrator(l.game)
	if err != nil {
		return errorf(NotSupported, "%v", err)
	}
	t := &tale{narrator: narrator, hearers: []hearer{{viewer: viewer, onlooker: env.NewOnlooker(viewer)}}}
	if t.ref, err = referee.New(l.game, seed); err != nil {
		return err
	}
	if game.tale != nil {
		for _, h := range game.tale.hearers {
			t.hearers = append(t.hearers, hearer{viewer: h.viewer, onlooker: env.NewOnlooker(h.viewer)})
		}
	}
	t.ref.Follow(t.tell)
	b.told = slices.DeleteFunc(b.told, func(h *history) bool { return h.tale == nil || h == game })
	if len(b.told) == maxTales {
		b.told[0].tale = nil
		b.told = slices.Delete(b.told, 0, 1)
	}
	game.tale, b.told = t, append(b.told, game)
	return nil
}

// A tale is the story of a game for those who have asked for it, told as the game goes on.
type tale struct {
	ref      *referee.Referee
	narrator *story.Narrator
	hearers  []hearer
}

// A hearer is what a viewer is told.
type hearer struct {
	viewer   env.Player
	onlooker *env.Onlooker
	text     []byte // a sentence a line
	ends     []int  // of each step in the text
}

// of is what a viewer is told; nil if it has not asked.
func (t *tale) of(viewer env.Player) *hearer {
	for i := range t.hearers {
		if t.hearers[i].viewer == viewer {
			return &t.hearers[i]
		}
	}
	return nil
}

// goOn tells the decisions that have come since.
func (t *tale) goOn(log []int32) error {
	for _, a := range log[t.ref.Decisions():] {
		if err := t.ref.Play(env.Action(a)); err != nil {
			return err
		}
	}
	return nil
}

func (t *tale) tell(step *env.Step) {
	for i := range t.hearers {
		h := &t.hearers[i]
		if told, _ := h.onlooker.Hear(step); told != nil {
			for _, s := range t.narrator.Tell(told, h.viewer) {
				h.text = append(append(h.text, s.Text...), '\n')
			}
		}
		h.ends = append(h.ends, len(h.text))
	}
}

// from is the text of the steps from one on.
func (h *hearer) from(step int) []byte {
	if step == 0 {
		return h.text
	}
	return h.text[h.ends[step-1]:]
}
