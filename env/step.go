package env

// A Step is one decision with all that came of it, or the set-up of a game.
type Step struct {
	Before State  // nil for the set-up
	Action Action // of Before's actor; meaningless for the set-up
	Events []Event
	After  State
}

// Seen is what a viewer (a seat or Spectator) has seen of the step, in order.
func (s *Step) Seen(viewer Player) []Seen {
	var seen []Seen
	if s.Before != nil {
		if action, ok := Witnessed(s.Before, viewer, s.Action); ok {
			seen = append(seen, action)
		}
	}
	return AppendSeen(seen, s.Events, viewer)
}

// Witnessed is what a viewer (a seat or Spectator) may see of action a, which the actor of s is about to play; false
// if it sees nothing of it.
func Witnessed(s State, viewer Player, a Action) (Seen, bool) {
	text, actor := ActionText(s, a), s.Actor()
	if w, ok := s.(Witness); ok && viewer != actor {
		if text = w.WitnessedBy(viewer, a); text == "" {
			return Seen{}, false
		}
	}
	if viewer != actor {
		actor = ActorSeenBy(s, viewer)
	}
	return Seen{SeenAction, actor, text}, true
}

// AppendSeen appends what a viewer (a seat or Spectator) may see of events.
func AppendSeen(dst []Seen, events []Event, viewer Player) []Seen {
	for _, e := range events {
		if e.To.Has(viewer) {
			dst = append(dst, e.Seen())
		}
	}
	return dst
}
