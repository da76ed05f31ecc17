package term

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"earthgym/agents/table"
	"earthgym/env"
	"earthgym/env/spelling"
)

// A plan is decisions that somebody composes before any of them is played.
type plan struct {
	on      bool
	step    int // of the table that it is for
	actions []env.Action
	draft   *table.Draft // nil without any actions
}

// try makes the plan these decisions, if they can follow each other.
func (p *plan) try(t *table.Table, s *table.Sight, actions []env.Action) error {
	if len(actions) == 0 {
		p.actions, p.draft = nil, nil
		return nil
	}
	d, err := t.Draft(s.Viewer, s.Step, actions)
	if err == nil {
		p.step, p.actions, p.draft = s.Step, actions, d
	}
	return err
}

// add puts a decision at the end of the plan.
func (p *plan) add(t *table.Table, s *table.Sight, a env.Action) error {
	return p.try(t, s, append(p.actions[:len(p.actions):len(p.actions)], a))
}

// back takes the last decision out of the plan.
func (p *plan) back(t *table.Table, s *table.Sight) error {
	return p.try(t, s, p.actions[:max(0, len(p.actions)-1)])
}

// same has the last decision answer all that follow which ask the same.
func (p *plan) same(t *table.Table, s *table.Sight) error {
	if p.draft == nil || p.draft.Same == 0 {
		return errors.New("nothing that follows asks the same")
	}
	last := p.actions[len(p.actions)-1]
	return p.try(t, s, append(slices.Clone(p.actions), slices.Repeat([]env.Action{last}, p.draft.Same)...))
}

// preview is what a decision would bring, after those that are planned.
func (p plan) preview(t *table.Table, s *table.Sight, a env.Action) ([]string, error) {
	if err := p.add(t, s, a); err != nil {
		return nil, err
	}
	lines := moveLines(&p.draft.Moves[len(p.draft.Moves)-1])
	if !p.draft.Open {
		lines = append(lines, "Then "+p.draft.End+".")
	}
	return lines, nil
}

// clear forgets the plan, and goes on planning or not.
func (p *plan) clear(on bool) { *p = plan{on: on} }

// over is the table as the plan would leave it. A plan for another step is forgotten.
func (p *plan) over(s *table.Sight) *table.Sight {
	if p.draft != nil && (p.step != s.Step || !s.Deciding) {
		p.clear(p.on)
	}
	if p.draft == nil {
		return s
	}
	planned := *s
	planned.Choices, planned.Sealed = p.draft.Choices, p.draft.Sealed
	planned.Question = p.draft.Question
	return &planned
}

// moveLines is what would come of a decision.
func moveLines(m *table.DraftMove) (lines []string) {
	for _, text := range m.Story {
		lines = append(lines, spelling.Printable(text))
	}
	for _, p := range m.Perhaps {
		lines = append(lines, fmt.Sprintf("%s %s", percent(p.Share), spelling.Printable(p.Text)))
	}
	return lines
}

func percent(share float64) string {
	if share < 0.01 {
		return "< 1 %"
	}
	return fmt.Sprintf("%3.0f %%", 100*share)
}

func (p *plan) lines() (lines []string) {
	if p.draft == nil {
		return []string{"Choose as you would play: nothing is sent before you say so."}
	}
	for i := range p.draft.Moves {
		m := &p.draft.Moves[i]
		lines = append(lines, fmt.Sprintf("%d. %s", i+1, m.Text))
		for _, line := range moveLines(m) {
			lines = append(lines, "     "+line)
		}
	}
	if len(p.draft.Changes) > 0 {
		lines = append(lines, "In all: "+strings.Join(p.draft.Changes, ", "))
	}
	if p.draft.Same > 1 {
		lines = append(lines, fmt.Sprintf("(same, or the key a: the same for all %d that follow)", p.draft.Same))
	}
	if !p.draft.Open {
		lines = append(lines, "Then "+p.draft.End+".")
	}
	return lines
}

// sealedText tells of a sealed choice: who has chosen, and how many are to come; "" of others.
func sealedText(s *table.Sight) string {
	if !s.Sealed {
		return ""
	}
	var parts []string
	if s.Deciding {
		parts = append(parts, "What you choose is sealed: others learn it when all have chosen.")
	}
	if n := s.Envelopes.Count(); n > 0 {
		var names []string
		for _, p := range s.Envelopes.List() {
			names = append(names, called(s, env.Player(p)))
		}
		parts = append(parts, "Sealed choices so far: "+strings.Join(names, ", ")+".")
	}
	if s.ToCome > 0 && !s.Deciding {
		parts = append(parts, fmt.Sprintf("Waiting for %d more.", s.ToCome))
	}
	return strings.Join(parts, " ")
}
