package table

import (
	"fmt"

	"earthgym/env"
	"earthgym/env/scenario"
)

// A Lesson guides the one who learns through some decisions of a game: those of its seat are told, and only they can be
// made; those of the others are made as the lesson has them. When it is over, the game goes on.
type Lesson struct {
	Title string
	Seat  env.Player   // of the one who learns
	Steps []LessonStep // a decision each, of whichever seat
	// Position is where it begins, as a patch on the set-up of its seed (env.PatchPosition); nil is the set-up itself.
	Position map[string]any
}

// A LessonStep is a decision of a Lesson.
type LessonStep struct {
	Action env.Action
	Say    string // before it, to the seat that makes it
	Then   string // after it
}

// NewLesson reads the lesson that a scenario tells, which leaves all chance to its seed. Who learns is the seat of the
// decisions that are told (say); each of them names it (player), unless it is seat 0.
func NewLesson(sc *scenario.Scenario, info *env.Info) (*Lesson, error) {
	l := &Lesson{Title: sc.Title, Position: sc.Position}
	if len(sc.Chance) > 0 {
		return nil, fmt.Errorf("a lesson can't force chance, which its seed decides")
	}
	found := false
	for i, step := range sc.Step {
		a, err := info.Parse(step.Play)
		if err != nil {
			return nil, fmt.Errorf("step %d of the lesson: %w", i+1, err)
		}
		if len(step.Chance) > 0 {
			return nil, fmt.Errorf("step %d of the lesson: it can't force chance, which its seed decides", i+1)
		}
		if step.Say != "" {
			seat := env.Player(0)
			if step.Player != nil {
				seat = env.Player(*step.Player)
			}
			if found && seat != l.Seat {
				return nil, fmt.Errorf("step %d of the lesson: it is said to seat %d, others to seat %d", i+1, seat, l.Seat)
			}
			l.Seat, found = seat, true
		}
		l.Steps = append(l.Steps, LessonStep{a, step.Say, step.Then})
	}
	if !found {
		return nil, fmt.Errorf("a lesson tells somebody what to do: none of its steps has a text (say)")
	}
	if l.Seat < 0 || int(l.Seat) >= info.Players {
		return nil, fmt.Errorf("the lesson is for seat %d: %s has seats 0 to %d", l.Seat, info.Short, info.Players-1)
	}
	return l, nil
}

// A LessonSight is where a lesson stands.
type LessonSight struct {
	Title    string     `json:"title"`
	At       int        `json:"at"`       // decisions of the viewer that have been made
	Of       int        `json:"of"`       // decisions of the viewer that there are
	Said     string     `json:"said"`     // after its last decision
	Say      string     `json:"say"`      // about the one that it is asked for, "" if it is not
	Action   env.Action `json:"action"`   // that the lesson wants now, -1 if the viewer is not asked
	Finished bool       `json:"finished"` // the game goes on as people like
}

// A LessonError refuses a decision that the lesson does not want.
type LessonError struct{ Wanted string } // in the game's words

func (e *LessonError) Error() string {
	return fmt.Sprintf("the lesson goes another way: it wants “%s”", e.Wanted)
}

// recite is the table's next decision in the lesson, if there is one.
func (t *Table) recite() (env.Action, bool) {
	n := len(t.moves)
	if t.o.Lesson == nil || n >= len(t.o.Lesson.Steps) {
		return 0, false
	}
	return t.o.Lesson.Steps[n].Action, true
}

func (t *Table) lessonSight(viewer env.Player) *LessonSight {
	steps := t.o.Lesson.Steps
	n := len(t.moves)
	v := &LessonSight{Title: t.o.Lesson.Title, Action: -1, Finished: n >= len(steps)}
	for i := range steps {
		if steps[i].Say == "" {
			continue
		}
		v.Of++
		if i < n {
			v.At++
			v.Said = t.spoken(steps[i].Then, nobody)
		}
	}
	if !v.Finished && t.ref.Actor() == viewer {
		v.Say, v.Action = t.spoken(steps[n].Say, nobody), steps[n].Action
	}
	return v
}
