package envtest

import (
	"errors"
	"fmt"
	"slices"

	"earthgym/env"
)

// A view is all that a seat gets to see of a position.
type view struct {
	observation []float32
	actor       env.Player // as far as the seat knows
	public      env.Player // as far as everybody knows
	potential   float64
	texts       [6]string // text, drawing and question, of the seat and of a spectator

	// If the seat acts:
	legal []env.Action
	names []string // of the legal actions
	about []string // what is said about them
	why   []string // of every action
}

var viewTexts = [6]string{"text view", "drawing", "spectator's text view", "spectator's drawing", "question",
	"spectator's question"}

func (s *subject) views(st env.State) []*view {
	public := onlookersTexts(st)
	var views []*view
	for p := range env.Player(s.info.Players) {
		views = append(views, s.viewWith(st, p, public))
	}
	return views
}

// onlookersTexts are what a spectator reads: the same beside each seat's view, and drawing takes long.
func onlookersTexts(st env.State) [3]string {
	return [3]string{env.TextView(st, env.Spectator), env.Drawing(st, env.Spectator), env.Question(st, env.Spectator)}
}

func (s *subject) viewWith(st env.State, p env.Player, public [3]string) *view {
	v := &view{
		observation: make([]float32, s.info.Observation()),
		actor:       env.ActorSeenBy(st, p),
		public:      env.ActorSeenBy(st, env.Spectator),
		texts:       [6]string{env.TextView(st, p), env.Drawing(st, p), public[0], public[1], env.Question(st, p), public[2]},
	}
	st.Observe(v.observation, p)
	if pot, ok := st.(env.Potential); ok {
		v.potential = pot.Potential(p)
	}
	if st.Actor() == p {
		v.legal = env.LegalActions(st)
		for _, a := range v.legal {
			v.names = append(v.names, env.ActionText(st, a))
			v.about = append(v.about, about(st, a))
		}
		for a := range env.Action(len(s.info.Actions)) {
			v.why = append(v.why, st.Why(a))
		}
	}
	return v
}

// sameView says where two views differ.
func (s *subject) sameView(a, b *view) error {
	for i, x := range a.observation {
		if y := b.observation[i]; x != y {
			f, at := s.feature(i)
			return fmt.Errorf("observation %s%v is %v, was %v", f.Name, at, y, x)
		}
	}
	switch {
	case a.actor != b.actor:
		return fmt.Errorf("the actor it is told is %d, was %d", b.actor, a.actor)
	case a.public != b.public:
		return fmt.Errorf("the actor that everybody is told is %d, was %d", b.public, a.public)
	case a.potential != b.potential:
		return fmt.Errorf("the potential is %v, was %v", b.potential, a.potential)
	case (a.why == nil) != (b.why == nil):
		return errors.New("whether it acts has changed")
	case !slices.Equal(a.legal, b.legal):
		return fmt.Errorf("its legal actions are %v, were %v", b.legal, a.legal)
	case !slices.Equal(a.names, b.names):
		return fmt.Errorf("its legal actions are written %q, were %q", b.names, a.names)
	case !slices.Equal(a.about, b.about):
		return fmt.Errorf("of its legal actions it is told %q, was told %q", b.about, a.about)
	}
	for i, x := range a.texts {
		if y := b.texts[i]; x != y {
			return fmt.Errorf("the %s differs:\n%s\nwas\n%s", viewTexts[i], y, x)
		}
	}
	for i, x := range a.why {
		if y := b.why[i]; x != y {
			return fmt.Errorf("why %q is not legal reads %q, was %q", s.info.Actions[i].Text, y, x)
		}
	}
	return nil
}

// checkSecrets tests that what a player is told never depends on what it cannot know: all hidden parts
// are drawn anew, and it must not notice.
func checkSecrets(s *subject) error {
	other, again := s.game.New(), s.game.New()
	hidden := false
	err := s.look(func(st env.State, p *play, n int) error {
		views := s.views(st)
		for me, before := range views {
			me := env.Player(me)
			other.CopyFrom(st)
			other.Redeal(me, uint64(n)*64+uint64(me))
			if err := s.sameView(before, s.viewWith(other, me, onlookersTexts(other))); err != nil {
				return fmt.Errorf("player %d learns what it cannot know; in a redealt State %w", me, err)
			}
			if err := s.sameWitness(st, other, me); err != nil {
				return fmt.Errorf("player %d learns what it cannot know: %w", me, err)
			}
			if err := s.sameOutcome(st, other); err != nil {
				return err
			}
			hidden = hidden || !other.EqualPosition(st)

			position := other.AppendPosition(nil)
			if err := again.ReadPosition(position); err != nil {
				return fmt.Errorf("the position redealt for player %d is refused: %w\n\t%s", me, err, position)
			}
			if err := s.playOn(other, p.seed+uint64(n), 120); err != nil {
				return fmt.Errorf("the State redealt for player %d: %w\n\tredealt: %s", me, err, position)
			}
		}
		return nil
	})
	if err == nil && s.variant && s.info.Has(env.HiddenInfo) && !hidden && !s.hides() {
		return fmt.Errorf("the game has %s, but no redeal has changed anything", env.HiddenInfo)
	}
	return err
}

// hides searches whole games for a secret: a redeal that changes something. Some games keep one only for
// a few decisions, such as a sealed bid.
func (s *subject) hides() bool {
	const games = 200
	st, other := s.game.New(), s.game.New()
	mask := make(env.Mask, s.info.MaskWords())
	for seed := range uint64(games) {
		st.Reset(seed, nil)
		pick := newPicker(s.info, s.config.Weights, seed)
		for n := uint64(0); st.Actor() != env.Over; n++ {
			for me := range env.Player(s.info.Players) {
				other.CopyFrom(st)
				other.Redeal(me, n)
				if !other.EqualPosition(st) {
					return true
				}
			}
			st.Legal(mask)
			st.Apply(pick.action(mask), nil)
		}
	}
	return false
}

// sameWitness tests that p sees the same of each decision that is possible in both States, if it may
// know who decides.
func (s *subject) sameWitness(a, b env.State, p env.Player) error {
	if env.ActorSeenBy(a, p) != a.Actor() || a.Actor() == p || a.Actor() != b.Actor() {
		return nil
	}
	for _, act := range env.LegalActions(a) {
		if !slices.Contains(env.LegalActions(b), act) {
			continue
		}
		if x, y := witnessed(a, p, act), witnessed(b, p, act); x != y {
			return fmt.Errorf("it sees %q as %q, and as %q in a redealt State", s.info.Actions[act].Text, x, y)
		}
	}
	return nil
}

// witnessed is what p sees of an action of somebody else.
func witnessed(st env.State, p env.Player, a env.Action) string {
	if w, ok := st.(env.Witness); ok {
		return w.WitnessedBy(p, a)
	}
	return env.ActionText(st, a)
}

// sameOutcome tests that a redeal neither ends a game nor changes how it ended.
func (s *subject) sameOutcome(st, redealt env.State) error {
	switch over := st.Actor() == env.Over; {
	case over != (redealt.Actor() == env.Over):
		return errors.New("a redeal has changed whether the game is over")
	case over && !redealt.EqualPosition(st):
		return errors.New("a redeal has changed a finished game, which has no secrets left")
	}
	return nil
}

// checkRedeal tests what comes out of a redeal: it depends on the key and on what the player knows, and
// on nothing else, true streams least of all.
func checkRedeal(s *subject) error {
	one, two, three := s.game.New(), s.game.New(), s.game.New()
	return s.look(func(st env.State, _ *play, n int) error {
		for p := range env.Player(s.info.Players) {
			key := uint64(n)*64 + uint64(p)
			one.CopyFrom(st)
			one.Redeal(p, key)
			two.CopyFrom(st)
			two.Redeal(p, key)
			if !one.Equal(two) {
				return fmt.Errorf("two redeals for player %d with one key differ:\n\t%s\n\t%s", p, snapshot(one), snapshot(two))
			}
			if i, j := sharedStream(st, one, false); i >= 0 {
				return fmt.Errorf("after a redeal for player %d the stream %q is the true stream %q", p, s.info.Streams[j],
					s.info.Streams[i])
			}
			if i, j := sharedStream(one, one, true); i >= 0 {
				return fmt.Errorf("after a redeal for player %d the streams %q and %q are alike", p, s.info.Streams[i],
					s.info.Streams[j])
			}
			three.CopyFrom(one)
			three.Redeal(p, key+1)
			two.CopyFrom(st)
			two.Redeal(p, key+1)
			if !two.Equal(three) {
				return fmt.Errorf("a redeal for player %d depends on what it cannot know: from the true State and from another "+
					"that it cannot tell apart, one key gives\n\t%s\n\t%s",
					p, snapshot(two), snapshot(three))
			}
			if i, j := sharedStream(one, two, false); i >= 0 {
				return fmt.Errorf("redeals for player %d with two keys share the stream %q (%q)", p, s.info.Streams[i],
					s.info.Streams[j])
			}
		}
		return nil
	})
}
