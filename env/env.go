package env

import "fmt"

// Options say how an Env or a Vec rewards and when it cuts off.
type Options struct {
	// Shaping adds to each reward this times the growth of the player's potential, which the game must
	// offer (Potential). It leaves optimal play unchanged. (Ng, Harada, Russell, Policy invariance
	// under reward transformations, 1999.)
	Shaping float64
	// Gamma is the discount in the growth of the potential: gamma times new minus old. 0 stands for 1.
	Gamma float64
	// MaxDecisions truncates longer games; 0 never does. It is the caller's own limit: those that the
	// rules know end a game with its winners.
	MaxDecisions int
}

// An IllegalActionError is an action that the rules forbid. Nothing has changed.
type IllegalActionError struct {
	Player Player
	Action Action
	Text   string // of the action
	Reason string // with the rule's id
}

func (e *IllegalActionError) Error() string {
	if e.Player < 0 {
		return fmt.Sprintf("illegal action %q: %s", e.Text, e.Reason)
	}
	return fmt.Sprintf("player %d: illegal action %q: %s", e.Player, e.Text, e.Reason)
}

// Env plays one State by step and reset, and checks every action. It belongs to one goroutine.
type Env struct {
	state     State
	info      *Info
	options   Options
	potential Potential
	mask      Mask
	actor     Player
	rewards   []float64
	standing  []float64 // each player's potential before the step
	decisions int
	truncated bool
}

// New makes an Env, to be Reset before anything else. Shaping a game that has no potential is an error.
func New(g Game, o Options) (*Env, error) {
	info := g.Info()
	e := &Env{}
	return e, e.init(info, o, place{g.New(), make(Mask, info.MaskWords()), make([]float64, placeNumbers*info.Players)})
}

// A place is the memory that a step of an Env, or of a Lane, goes through beside its own.
type place struct {
	state   State
	mask    Mask
	numbers []float64 // rewards and potentials of each player, and a Lane's rewards
}

// placeNumbers is how many numbers a place has for each player.
const placeNumbers = 3

// of are the k-th numbers of all players.
func (p *place) of(k, players int) []float64 { return p.numbers[k*players:][:players:players] }

func (e *Env) init(info *Info, o Options, at place) error {
	*e = Env{
		state: at.state, info: info, options: o, actor: Over, mask: at.mask,
		rewards: at.of(0, info.Players), standing: at.of(1, info.Players),
	}
	if e.options.Gamma == 0 {
		e.options.Gamma = 1
	}
	if o.Shaping != 0 {
		p, ok := e.state.(Potential)
		if !ok {
			return fmt.Errorf("%s offers no potential to shape rewards with", info.Name)
		}
		e.potential = p
	}
	return nil
}

// Reset starts a new game.
func (e *Env) Reset(seed uint64) { e.ResetOn(seed, nil) }

// ResetOn is Reset with its chance on a tape.
func (e *Env) ResetOn(seed uint64, tape *Tape) {
	e.state.Reset(seed, tape)
	e.begin()
}

// ResetTo starts from a position: the Env's State becomes a copy of s.
func (e *Env) ResetTo(s State) {
	e.state.CopyFrom(s)
	e.begin()
}

func (e *Env) begin() {
	e.decisions, e.truncated = 0, false
	e.actor = e.state.Actor()
	e.state.Legal(e.mask)
	clear(e.rewards)
	if e.potential != nil {
		for p := range e.standing {
			e.standing[p] = e.potential.Potential(Player(p))
		}
	}
}

// Step plays an action of the actor. An illegal one is an *IllegalActionError and changes nothing.
func (e *Env) Step(a Action) error { return e.StepOn(a, nil) }

// StepOn is Step with its chance on a tape.
func (e *Env) StepOn(a Action, tape *Tape) error {
	if !e.mask.Has(a) || e.truncated {
		return e.illegal(a)
	}
	if e.decisions >= e.info.MaxDecisions {
		return fmt.Errorf("%s, decision %d: %w", e.info.Short, e.decisions, ErrBound)
	}
	e.state.Apply(a, tape)
	e.decisions++
	e.actor = e.state.Actor()
	e.state.Legal(e.mask)
	if e.actor == Over {
		e.state.Returns(e.rewards)
	} else {
		clear(e.rewards)
		e.truncated = e.decisions == e.options.MaxDecisions
	}
	if e.potential != nil {
		for p := range e.standing {
			now := 0.0
			if e.actor != Over {
				now = e.potential.Potential(Player(p))
			}
			e.rewards[p] += float64(e.options.Shaping * (float64(e.options.Gamma*now) - e.standing[p]))
			e.standing[p] = now
		}
	}
	return nil
}

func (e *Env) illegal(a Action) error {
	err := &IllegalActionError{Player: e.actor, Action: a}
	switch {
	case a < 0 || int(a) >= len(e.info.Actions):
		err.Text, err.Reason = fmt.Sprint(int(a)), fmt.Sprintf("%s has actions 0 to %d", e.info.Name, len(e.info.Actions)-1)
		return err
	case e.truncated:
		err.Reason = fmt.Sprintf("the game was cut off at the limit of %d decisions; reset it", e.options.MaxDecisions)
	case e.actor == Over:
		err.Reason = "the game is over (" + e.state.Reason() + "); reset it"
	default:
		err.Reason = e.state.Why(a)
	}
	err.Text = ActionText(e.state, a)
	return err
}

// Info is the Info of the game.
func (e *Env) Info() *Info { return e.info }

// State is the true State, for the owner of the Env; agents get a View.
func (e *Env) State() State { return e.state }

// Actor is who decides, or Over.
func (e *Env) Actor() Player { return e.actor }

// Mask is the actor's legal actions. It is valid until the next step and must not be changed.
func (e *Env) Mask() Mask { return e.mask }

// View points view at the decision that the Env is at. The seat is told what it has seen; story, if not nil, tells that
// in sentences to a seat that asks. It is valid until the next step.
func (e *Env) View(view *View, seen []Seen, story func(p Player) []string) {
	view.set(e.state, e.info, e.mask, e.actor, seen)
	view.story = story
}

// Observe writes what p sees (Info.Observation numbers).
func (e *Env) Observe(dst []float32, p Player) { e.state.Observe(dst, p) }

// Rewards are those of every player for the last step: the returns when the game ends, and the
// shaping. They are valid until the next step.
func (e *Env) Rewards() []float64 { return e.rewards }

// Terminated says whether the rules have ended the game.
func (e *Env) Terminated() bool { return e.actor == Over }

// Truncated says whether the caller's limit has cut the game off.
func (e *Env) Truncated() bool { return e.truncated }

// Decisions is the number of steps since the reset.
func (e *Env) Decisions() int { return e.decisions }
