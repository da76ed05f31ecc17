package env

// An Onlooker follows a game for one viewer, a seat or Spectator: it says what that viewer is told of it, and when.
// What it can't know leaves no trace, not even in a number of things told: decisions that it doesn't witness are not
// counted, and while it may not know that anybody is asked (Unasked) it is told nothing. All that has happened by then
// is one step, as if nobody had been asked.
type Onlooker struct {
	viewer Player
	// Live tells the viewer of a decision of its own at once, whatever follows: it sits at the table, and waits.
	Live bool

	held  Step // that it hasn't been told yet
	holds bool
}

// NewOnlooker makes the Onlooker of a viewer.
func NewOnlooker(viewer Player) *Onlooker { return &Onlooker{viewer: viewer} }

// Hear takes the next step of the game, from the set-up on. It gives what the viewer is told now, nil if that is
// nothing, and whether it has witnessed the decision: those that it has are what it can count. What it is told is
// valid as long as the step.
func (o *Onlooker) Hear(step *Step) (told *Step, witnessed bool) {
	first := step.Before == nil
	own := !first && step.Before.Actor() == o.viewer
	if o.holds {
		o.held.Events, o.held.After = append(o.held.Events, step.Events...), step.After
		step = &o.held
	}
	if ActorSeenBy(step.After, o.viewer) == Unasked && !first && !(o.Live && own) {
		o.hold(step)
		return nil, false
	}
	o.holds = false
	if step.Before != nil {
		_, witnessed = Witnessed(step.Before, o.viewer, step.Action)
	}
	return step, witnessed
}

// hold keeps a step for later.
func (o *Onlooker) hold(step *Step) {
	if o.holds {
		return
	}
	o.holds = true
	if o.held.Before == nil {
		o.held.Before = step.Before.Game().New()
	}
	o.held.Before.CopyFrom(step.Before)
	o.held.Action, o.held.Events = step.Action, append(o.held.Events[:0], step.Events...)
}
