package table

import (
	"fmt"
	"slices"

	"earthgym/agents"
	"earthgym/env"
)

// A Moment is the table as a viewer saw it.
type Moment struct {
	Board string `json:"board"`
	Text  string `json:"text"`
	Why   string `json:"why"` // why who had decided did so, as far as that is sure by what the viewer knows; or ""
}

// Past is the table as a viewer saw it once one of the decisions that it has witnessed, numbered as in its log, was
// made; -1 is the set-up.
func (t *Table) Past(viewer env.Player, decision int) (*Moment, error) {
	if err := t.checkSeat(viewer); viewer != env.Spectator && err != nil {
		return nil, err
	}
	t.mu.Lock()
	all, seed := t.eye(viewer).decisions, t.ref.Seed()
	moves, log := slices.Clone(t.moves), slices.Clip(t.eye(viewer).log)
	t.mu.Unlock()
	if decision < -1 || decision >= all {
		return nil, fmt.Errorf("there is no decision %d: there have been %d", decision, all)
	}
	ref, err := t.referee(seed)
	if err != nil {
		return nil, err
	}
	e, before, last := newEye(t.game, viewer), t.game.New(), t.game.New()
	e.hear(&env.Step{Events: ref.Events(), After: ref.State()})
	moment := &Moment{}
	for _, m := range moves {
		last.CopyFrom(e.shown)
		before.CopyFrom(ref.State())
		if err := ref.Play(m.action); err != nil {
			return nil, err
		}
		heard := e.decisions
		e.hear(&env.Step{Before: before, Action: m.action, Events: ref.Marked(), After: ref.State()})
		if e.decisions > heard && heard == decision {
			moment.Why = t.why(last, viewer, &m, log, decision)
		}
		if e.decisions > decision+1 {
			e.shown = last
			break
		}
	}
	moment.Board = env.Drawing(e.shown, viewer)
	moment.Text = t.Speaker().Spoken(env.TextView(e.shown, viewer), nobody)
	return moment, nil
}

// why says what the temper of a character has to do with a move, which a viewer has seen whole from where the table
// stood for it: what is sure in all that the viewer can't tell apart, so that it tells nothing that the move does not.
func (t *Table) why(before env.State, viewer env.Player, m *move, log []Line, decision int) string {
	const samples = 4
	seen := slices.ContainsFunc(log, func(l Line) bool {
		return l.Decision == decision && l.Kind == ActionLine && l.Action == m.action && l.Player == m.player
	})
	if m.by == "" || !seen || env.ActorSeenBy(before, viewer) != m.player {
		return ""
	}
	var known []env.State
	for key := range uint64(samples) {
		s := t.game.New()
		t.hide(s, before, viewer, key)
		if s.Actor() != m.player {
			return ""
		}
		known = append(known, s)
	}
	c, instead, ok := agents.Motive(t.game, m.by, known, m.action)
	if !ok {
		return ""
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return fmt.Sprintf("%s %s; without that it would have chosen “%s”.", c.Name, c.Manner,
		t.spoken(env.InWords(known[0], instead), viewer))
}

// hear lets the eye see a step, and says what it is told of it, nil if nothing.
func (e *eye) hear(step *env.Step) (told *env.Step, witnessed bool) {
	if told, witnessed = e.onlooker.Hear(step); told == nil {
		return nil, false
	}
	if witnessed {
		e.decisions++
	}
	e.shown.CopyFrom(step.After)
	return told, witnessed
}
