package table

import (
	"time"

	"earthgym/env"
)

// An eye is a viewer's: where the game stands for it, and what it has been told. Others' secrets move nothing in it:
// decisions that it doesn't witness are not counted, and while it may not know that anybody is asked it sees the table
// as it was before.
type eye struct {
	viewer    env.Player
	onlooker  *env.Onlooker
	shown     env.State
	log       []Line
	decisions int       // that it has witnessed
	undone    int       // those of them that were taken back
	since     time.Time // when who is asked, as far as it knows, was asked

	sight  *Sight // as it was looked at last; nil until then
	looked int    // the edition of the table at which that was
}

func newEye(g env.Game, viewer env.Player) *eye {
	e := &eye{viewer: viewer, onlooker: env.NewOnlooker(viewer), shown: g.New()}
	e.onlooker.Live = true
	return e
}

// actor is who decides, as far as the viewer may know.
func (e *eye) actor() env.Player {
	if actor := env.ActorSeenBy(e.shown, e.viewer); actor != env.Unasked {
		return actor
	}
	return env.Hidden // It has decided itself, and waits.
}

// tell lets a viewer know of a step what it may, and writes that into its log.
func (t *Table) tell(e *eye, step *env.Step) {
	before := env.Over
	if step.Before != nil {
		before = e.actor()
	}
	told, witnessed := e.hear(step)
	if told == nil {
		return
	}
	e.log = t.appendLines(e.log, e.decisions-1, told, e.viewer)
	if witnessed || e.actor() != before {
		e.since = t.since
	}
}

// A mark is how much a viewer has been told.
type mark struct {
	lines, decisions int
	since            time.Time
}

// takeBack takes back what the viewer has been told since, and shows where the game stands again. Nothing can be taken
// back of what it was not told at once.
func (e *eye) takeBack(to mark, s env.State) {
	e.log = e.log[:to.lines:to.lines] // What is told from here on must not change what was handed out.
	e.undone += e.decisions - to.decisions
	e.decisions, e.since = to.decisions, to.since
	if env.ActorSeenBy(s, e.viewer) != env.Unasked {
		e.shown.CopyFrom(s)
	}
}
