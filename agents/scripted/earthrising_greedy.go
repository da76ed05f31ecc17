package scripted

import (
	"earthgym/env"
	er "earthgym/games/earthrising"
)

// risingGreedy takes whatever is worth most at once.
type risingGreedy struct {
	risingTable
}

func newRisingGreedy(g env.Game) policy {
	return &risingGreedy{newRisingTable(g, risingMarks(g))}
}

// Choose plays the best single action, and draws when none is better than nothing.
func (b *risingGreedy) Choose(state env.State, legal env.Mask) env.Action {
	return b.rank(state, legal, nil)
}

// Scores are the values of the positions that the actions lead to.
func (b *risingGreedy) Scores(state env.State, legal env.Mask, dst []float64) {
	b.rank(state, legal, dst)
}

// rank scores the legal actions into all, if that is given, and chooses the best.
func (b *risingGreedy) rank(state env.State, legal env.Mask, all []float64) env.Action {
	t := &b.risingTable
	t.look(state, legal)
	s := t.state
	var r ranking
	r.begin(legal, all)
	a := env.Action(-1) // what a rule of thumb decides, or what is done if no action is better than nothing
	switch s.Decision() {
	case "choose":
		a = t.mask.Nth(0)
	case "draw", "looked":
		a = t.drawing()
	case "order":
		a = t.ordering()
	case "window":
		a = er.Done
	case "actions":
		if a = er.EndTurn; t.mask.Has(er.Draw) {
			a = er.Draw
		}
	default:
		a, _ = t.inside(s)
	}
	r.put(a, t.value(s)+1e-9)
	if phase := s.Decision(); phase == "actions" || phase == "window" {
		t.rankSteps(&r)
	}
	return r.best
}
