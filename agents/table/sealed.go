package table

import "earthgym/env"

// Sealed choices: decisions of which nobody else learns what was chosen before all have chosen. Who has an envelope on
// the table, and how many are still to come, is told as far as the viewer may know.

// sealed says whether what the actor of s chooses stays secret: whoever looks on sees the same of all that is legal.
func sealed(s env.State) bool {
	if s.Actor() == env.Over {
		return false
	}
	legal := env.LegalActions(s)
	first, shown := env.Witnessed(s, env.Spectator, legal[0])
	if len(legal) == 1 {
		return !shown || first.Text != env.ActionText(s, legal[0])
	}
	for _, a := range legal[1:] {
		if other, ok := env.Witnessed(s, env.Spectator, a); ok != shown || other.Text != first.Text {
			return false
		}
	}
	return true
}

// hide makes dst what a viewer may take s for; a spectator knows what every seat knows.
func (t *Table) hide(dst, s env.State, viewer env.Player, key uint64) {
	dst.CopyFrom(s)
	if viewer != env.Spectator {
		dst.Redeal(viewer, key)
		return
	}
	for p := range t.info.Players {
		dst.Redeal(env.Player(p), key+uint64(p))
	}
}

// Private says whether seat p knows something now that not everybody may know, such as its hand.
func (t *Table) Private(p env.Player) bool {
	const samples = 4
	t.mu.Lock()
	defer t.mu.Unlock()
	own, s := env.TextView(t.shown, p), t.game.New()
	if own == "" {
		return t.info.Has(env.HiddenInfo)
	}
	for key := range uint64(samples) {
		t.hide(s, t.shown, env.Spectator, key)
		if env.TextView(s, p) != own {
			return true
		}
	}
	return false
}

// seal fills in what a viewer may know of a sealed choice that is being made.
func (t *Table) seal(v *Sight, e *eye) {
	s := t.game.New()
	t.hide(s, e.shown, v.Viewer, 1)
	if v.Sealed = sealed(s); !v.Sealed {
		return
	}
	for i := len(t.moves) - 1; i >= 0 && t.moves[i].sealed; i-- {
		m := &t.moves[i]
		if p := m.player; (m.shown || p == v.Viewer) && p != v.Actor && !v.Envelopes.Has(p) {
			v.Envelopes = v.Envelopes.With(p)
		}
	}
	if v.Actor >= 0 { // How far they have come is as secret as who is asked.
		v.ToCome = t.toCome(s, e)
	}
}

// toCome is how many seats still choose before the envelopes are opened, 0 if samples don't agree on it.
func (t *Table) toCome(s env.State, e *eye) int {
	const samples, longest = 4, 100
	agreed := 0
	for i := range samples {
		t.hide(s, e.shown, e.viewer, uint64(1+i))
		var still env.Seats
		for n := 0; n < longest && sealed(s); n++ {
			still = still.With(s.Actor())
			legal := env.LegalActions(s)
			s.Apply(legal[i%2*(len(legal)-1)], nil)
		}
		if i > 0 && still.Count() != agreed {
			return 0
		}
		agreed = still.Count()
	}
	return agreed
}
