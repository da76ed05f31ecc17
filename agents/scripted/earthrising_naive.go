package scripted

import (
	"earthgym/env"
	er "earthgym/games/earthrising"
)

// risingNaive transforms what it can at home, and otherwise does something useful half of the time.
type risingNaive struct {
	luck  env.Stream
	legal []env.Action
}

// Seed seeds its chance.
func (b *risingNaive) Seed(seed uint64) { b.luck = env.NewStream(seed, "naive") }

// Remembers says that it goes on drawing where it has stopped.
func (b *risingNaive) Remembers(env.State) bool { return true }

// Choose draws among what is useful, or among everything.
func (b *risingNaive) Choose(state env.State, legal env.Mask) env.Action {
	s, m := state.(*er.State), legal
	switch s.Decision() {
	case "window", "tokens":
		return er.Done
	case "trim", "circle":
		return m.Nth(0)
	case "draw":
		if m.Has(er.Draw) {
			return er.Draw
		}
		return er.Done
	case "actions":
	default:
		return m.Nth(b.luck.Below(m.Count()))
	}
	home := s.Active().Home()
	if m.Has(er.Major(home)) {
		return er.Major(home)
	}
	if m.Has(er.Minor(home)) {
		return er.Minor(home)
	}
	if s.ActionsLeft() == 0 {
		return er.EndTurn
	}
	b.legal = b.legal[:0]
	if b.luck.Below(2) == 0 {
		for c := range er.Card(er.NumPractices) {
			for _, a := range [...]env.Action{er.Create(c), er.Disband(c), er.Flip(c)} {
				if m.Has(a) {
					b.legal = append(b.legal, a)
				}
			}
		}
		worst := er.Sector(0)
		for x := range er.Sector(er.NumSectors) {
			if s.Strain(x) > s.Strain(worst) {
				worst = x
			}
		}
		for n := 4; n > 0; n-- {
			if a := er.Clean(worst, n); m.Has(a) {
				b.legal = append(b.legal, a)
				break
			}
		}
	}
	if len(b.legal) == 0 {
		for _, a := range m.Append(nil) {
			if a != er.Ask && a != er.EndTurn {
				b.legal = append(b.legal, a)
			}
		}
	}
	return b.legal[b.luck.Below(len(b.legal))]
}
