package table

import (
	"fmt"

	"earthgym/env"
)

// Past is the board and the text of the table as a viewer saw them once one of the decisions that it has witnessed,
// numbered as in its log, was made; -1 is the set-up.
func (t *Table) Past(viewer env.Player, decision int) (board, text string, err error) {
	if viewer != env.Spectator && (viewer < 0 || int(viewer) >= t.info.Players) {
		return "", "", fmt.Errorf("there is no seat %d: the game has seats 0 to %d", viewer, t.info.Players-1)
	}
	t.mu.Lock()
	all, seed := t.eye(viewer).decisions, t.ref.Seed()
	var actions []env.Action
	for _, m := range t.moves {
		actions = append(actions, m.action)
	}
	t.mu.Unlock()
	if decision < -1 || decision >= all {
		return "", "", fmt.Errorf("there is no decision %d: they are 0 to %d", decision, all-1)
	}
	ref, err := t.referee(seed)
	if err != nil {
		return "", "", err
	}
	e, before, last := newEye(t.game, viewer), t.game.New(), t.game.New()
	e.hear(&env.Step{Events: ref.Events(), After: ref.State()})
	for _, a := range actions {
		last.CopyFrom(e.shown)
		before.CopyFrom(ref.State())
		if err := ref.Play(a); err != nil {
			return "", "", err
		}
		e.hear(&env.Step{Before: before, Action: a, Events: ref.Marked(), After: ref.State()})
		if e.decisions > decision+1 {
			e.shown = last
			break
		}
	}
	if d, ok := e.shown.(env.Drawer); ok {
		board = string(d.AppendSVG(nil, viewer))
	}
	if s, ok := e.shown.(env.Texter); ok {
		t.mu.Lock()
		text = t.spoken(string(s.AppendText(nil, viewer)), nobody)
		t.mu.Unlock()
	}
	return board, text, nil
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
