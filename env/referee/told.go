package referee

import (
	"earthgym/env"
	"earthgym/env/story"
)

// told is what seats of a Referee's game are told of it, in sentences. Seats that never ask cost nothing.
type told struct {
	narrator  *story.Narrator
	asked     env.Seats       // who has asked, and is told from then on
	onlookers []*env.Onlooker // by seat
	lines     [][]string      // by seat: since its last decision, that decision included
}

// story is what the seat has seen since its last decision in sentences of the game's story; nil if there is none. A
// seat that asks for the first time is told by playing the game so far again.
func (r *Referee) story(p env.Player) []string {
	if !r.told.asked.Has(p) && !r.listen(p) {
		return nil
	}
	return r.told.lines[p]
}

// listen begins to tell a seat the story, and says whether there is one.
func (r *Referee) listen(p env.Player) bool {
	g := r.State().Game()
	if _, ok := g.(story.Storied); !ok || r.quiet {
		return false
	}
	if r.told.narrator == nil {
		narrator, err := story.NewNarrator(g)
		if err != nil {
			return false
		}
		r.told.narrator, r.told.lines, r.told.onlookers = narrator, make([][]string, r.Info().Players),
			make([]*env.Onlooker, r.Info().Players)
		if r.before == nil {
			r.before = g.New()
		}
	}
	again, err := r.restarted()
	if err != nil {
		return false
	}
	r.told.lines[p], r.told.onlookers[p] = []string{}, env.NewOnlooker(p)
	again.Follow(func(step *env.Step) { r.told.hear(step, p) })
	for _, m := range r.moves {
		a, err := r.Info().Parse(m.Action)
		if err != nil || again.Play(a) != nil {
			return false
		}
	}
	r.told.asked = r.told.asked.With(p)
	return true
}

// hearAll tells a step to all who have asked.
func (t *told) hearAll(step *env.Step) {
	for p := range t.lines {
		if t.asked.Has(env.Player(p)) {
			t.hear(step, env.Player(p))
		}
	}
}

func (t *told) hear(step *env.Step, p env.Player) {
	if step.Before != nil && step.Before.Actor() == p {
		t.lines[p] = t.lines[p][:0]
	}
	step, _ = t.onlookers[p].Hear(step)
	if step == nil {
		return
	}
	for _, s := range t.narrator.Tell(step, p) {
		t.lines[p] = append(t.lines[p], s.Text)
	}
}
