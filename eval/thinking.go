package eval

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Thinking is how long agents have thought: Options.Thinking. It is no part of results, which are the same each time.
type Thinking struct{ agents []AgentThinking }

// AgentThinking is how long an agent has thought.
type AgentThinking struct {
	Agent     string        `json:"agent"`
	Decisions int           `json:"decisions"`
	Mean      time.Duration `json:"mean_ns"`    // a decision; of those asked together a part
	Longest   time.Duration `json:"longest_ns"` // the longest decision

	total time.Duration
}

// Agents lists the agents, those first that think longest.
func (t *Thinking) Agents() []AgentThinking {
	list := slices.Clone(t.agents)
	for i := range list {
		list[i].Mean = list[i].total / time.Duration(max(1, list[i].Decisions))
	}
	slices.SortStableFunc(list, func(a, b AgentThinking) int { return cmp.Compare(b.Mean, a.Mean) })
	return list
}

// thought is how long a seat's agent has thought in a game.
type thought struct {
	decisions      int
	total, longest time.Duration
}

func (t *thought) add(took time.Duration) {
	t.decisions++
	t.total += took
	t.longest = max(t.longest, took)
}

func (t *Thinking) add(name string, in thought) {
	i := slices.IndexFunc(t.agents, func(a AgentThinking) bool { return a.Agent == name })
	if i < 0 {
		i = len(t.agents)
		t.agents = append(t.agents, AgentThinking{Agent: name})
	}
	a := &t.agents[i]
	a.Decisions += in.decisions
	a.total += in.total
	a.Longest = max(a.Longest, in.longest)
}

// WriteThinking writes how long agents have thought as a table of plain text.
func WriteThinking(w io.Writer, t *Thinking) error {
	var b strings.Builder
	rows := [][]string{{"thinking", "decisions", "a decision", "the longest"}}
	for _, a := range t.Agents() {
		rows = append(rows, []string{a.Agent, fmt.Sprint(a.Decisions), brief(a.Mean), brief(a.Longest)})
	}
	b.WriteByte('\n')
	writeColumns(&b, rows)
	_, err := io.WriteString(w, b.String())
	return err
}

// brief writes a time with three digits, and whole seconds.
func brief(d time.Duration) string {
	switch {
	case d < time.Microsecond:
		return d.String()
	case d < 999500*time.Nanosecond: // what is rounded to more is 1 of the next unit
		return fmt.Sprintf("%.3g µs", float64(d)/1e3)
	case d < 999500*time.Microsecond:
		return fmt.Sprintf("%.3g ms", float64(d)/1e6)
	case d < 100*time.Second:
		return fmt.Sprintf("%.3g s", d.Seconds())
	}
	return fmt.Sprintf("%.0f s", d.Seconds())
}
