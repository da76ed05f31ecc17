package eval

import "earthgym/env"

// A Study watches the games of a match, one after the other: what agents choose ([UsageCounter]), what that does to
// what the seats share, and whatever else somebody wants to know ([Options.Study]). It belongs to one goroutine, and is
// shown the true State, which it neither changes nor keeps.
type Study interface {
	// Begin comes when a game is set up, before the first decision. It comes again, without an End, if the game has to be
	// begun again (agents.AgainError).
	Begin(o *Outcome, s env.State)
	// Decide comes before each decision is played.
	Decide(d Decision)
	// End comes when a game is over, with its result. What a Study has found out about the game it may keep by
	// Outcome.Block and Outcome.Seating: games come in any order, to several Studies of a match.
	End(o *Outcome, s env.State)
}

// A Decision is one of a game that a Study watches.
type Decision struct {
	Seat   env.Player
	Agent  int // as an index into MatchResult.Agents; -1 if a substitute decides for one that has forfeited
	Legal  env.Mask
	Action env.Action
}

// Begin counts a seat for each agent that is seated.
func (c *UsageCounter) Begin(o *Outcome, _ env.State) {
	for _, agent := range o.Seating {
		c.Seat(agent)
	}
}

// Decide counts a decision of an agent. It allocates nothing.
func (c *UsageCounter) Decide(d Decision) {
	if d.Agent >= 0 {
		c.Choose(d.Agent, d.Legal, d.Action)
	}
}

// End has nothing to count.
func (c *UsageCounter) End(*Outcome, env.State) {}
