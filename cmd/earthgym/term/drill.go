package term

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"earthgym/agents"
	"earthgym/agents/table"
	"earthgym/env"
	"earthgym/env/record"
	"earthgym/env/spelling"
	"earthgym/env/story"
)

// A Task is a decision of a record that cost a seat return, as search values it.
type Task struct {
	Decision int        `json:"decision"` // from 0
	Player   env.Player `json:"player"`
	Chosen   string     `json:"chosen"` // what was chosen
	Best     string     `json:"best"`   // what search would choose
	// Loss is the return that it expects of the best above that of the chosen one, on the samples that tried both.
	Loss  float64  `json:"loss"`
	Error float64  `json:"error"` // the standard error of Loss
	Line  []string `json:"line"`

	value   float64               // of the chosen one
	leads   []float64             // of each action over the chosen one
	text    string                // the table as the seat saw it
	words   map[env.Action]string // for people: what each choice does
	chosen  env.Action
	best    env.Action
	told    []string // Line, for people
	story   []string
	ask     string
	choices []table.Choice
}

// Losses are what the decisions of a seat lost of expected return, as a search values them.
type Losses struct {
	Decisions []int // of the seat, from 0
	Losses    []float64
	Tasks     []Task // those that lost at least so much, the worst first
}

// Drill values the decisions of a seat by an agent, a search. Progress, if not nil, is called after each decision of
// the record.
func Drill(ctx context.Context, rec *record.Record, g env.Game, seat env.Player, m *agents.Maker, least float64,
	progress func(done, total int)) (*Losses, error) {
	agent, err := m.New()
	if err != nil {
		return nil, err
	}
	defer agents.Close(agent)
	search, ok := agent.(agents.Explainer)
	if !ok {
		return nil, fmt.Errorf("%s can't say what it thinks; a search can, such as mcts:sims=200", m.Text)
	}
	if f, ok := agent.(agents.Follower); ok {
		f.Follow(ctx)
	}
	narrator, err := story.NewNarrator(g)
	if err != nil {
		return nil, err
	}
	tells := table.SpeakerOf(table.FromOne, g.Info(), rec.Header.Agents)
	found := &Losses{}
	var heard []string // since the seat's last decision
	err = rec.Follow(g, func(n int, step *env.Step) error {
		if progress != nil {
			progress(n, len(rec.Moves))
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if step.Before != nil && step.Before.Actor() == seat {
			agent.Reset(env.SeatSeed(rec.Header.Seed, seat) + uint64(n))
			e, err := agents.Compare(search, env.ViewOf(step.Before), step.Action)
			if err != nil {
				return fmt.Errorf("%s: %w", m.Text, err)
			}
			if e.Values == nil {
				return fmt.Errorf("%s gives no value to single actions; a search does, such as mcts:sims=200", m.Text)
			}
			t, ok := newTask(step, &e, tells)
			found.Decisions, found.Losses = append(found.Decisions, n-1), append(found.Losses, max(0, t.Loss))
			if ok && t.Loss >= least {
				t.Decision, t.story = n-1, heard
				found.Tasks = append(found.Tasks, t)
			}
			heard = nil
		}
		for _, s := range narrator.Tell(step, seat) {
			heard = append(heard, spelling.Printable(tells.Spoken(s.Text, seat)))
		}
		return nil
	})
	slices.SortStableFunc(found.Tasks, func(a, b Task) int { return cmp.Compare(b.Loss, a.Loss) })
	return found, err
}

// Curve writes the losses over the game as a row of bars, each the mean of some decisions, with what they add up to.
func (l *Losses) Curve(w io.Writer) error {
	const width = 60
	bars := []rune(" ▁▂▃▄▅▆▇█")
	n := min(width, len(l.Losses))
	if n == 0 {
		return nil
	}
	means, most, all, worst := make([]float64, n), 0.0, 0.0, 0
	for i := range means {
		from, to := i*len(l.Losses)/n, (i+1)*len(l.Losses)/n
		for _, loss := range l.Losses[from:to] {
			means[i] += loss / float64(to-from)
			all += loss
		}
		if means[i] > most {
			most, worst = means[i], from
		}
	}
	var row strings.Builder
	for _, mean := range means {
		k := 0
		if mean > 0 {
			k = 1 + int(mean/most*float64(len(bars)-2)+0.5)
		}
		row.WriteRune(bars[min(k, len(bars)-1)])
	}
	_, err := fmt.Fprintf(w, "%s lost %.2f of expected return in all, most of it around decision %d:\n%d |%s| %d\n\n",
		spelling.Counted(len(l.Losses), "decision"), all, l.Decisions[worst], l.Decisions[0], row.String(),
		l.Decisions[len(l.Decisions)-1])
	return err
}

// leastTried is how often a search must have tried what was chosen for its loss to say something.
const leastTried = 4

// newTask compares what was chosen with what a search would choose, if that is ahead by more than luck.
func newTask(step *env.Step, e *agents.Explanation, tells *table.Speaker) (Task, bool) {
	best := env.Action(0)
	for a, p := range e.Probabilities {
		if p > e.Probabilities[best] {
			best = env.Action(a)
		}
	}
	loss, deviation := -e.Leads[step.Action], e.Errors[step.Action]
	if best == step.Action || e.Visits[step.Action] < leastTried || !(loss > deviation) {
		return Task{}, false
	}
	leads := slices.Clone(e.Leads)
	leads[best] = 0
	for a := range leads {
		leads[a] += loss
	}
	s := step.Before
	p := s.Actor()
	t := Task{
		Player: p, Chosen: env.ActionText(s, step.Action), Best: env.ActionText(s, best), Loss: loss, Error: deviation,
		Line: append([]string{}, e.Line...), value: e.Values[step.Action], leads: leads,
		chosen: step.Action, best: best, words: map[env.Action]string{},
	}
	for _, move := range e.Told {
		t.told = append(t.told, tells.Spoken(move, p))
	}
	t.text = tells.Spoken(env.WithoutActions(env.TextView(s, p)), env.Over)
	t.ask = tells.Spoken(env.Question(s, p), p)
	for _, a := range env.LegalActions(s) {
		t.choices, t.words[a] = append(t.choices, tells.Choice(s, a, p)), tells.Spoken(env.InWords(s, a), p)
	}
	return t, true
}

// Try asks for a better decision at each task, and says what search thinks of the answer.
func Try(ctx context.Context, in io.Reader, out io.Writer, info *env.Info, tasks []Task) error {
	lines := readLines(ctx, in)
	w := bufio.NewWriter(out)
	better := 0
	for i := range tasks {
		t := &tasks[i]
		fmt.Fprintf(w, "%d of %d: decision %d\n", i+1, len(tasks), t.Decision)
		for _, text := range t.story {
			fmt.Fprintf(w, "%s\n", text)
		}
		text := strings.TrimSuffix(strings.TrimRight(t.text, "\n"), t.ask) // Some games end their text with it.
		fmt.Fprintf(w, "\n%s\n\n%s\n", strings.TrimRight(text, "\n"), t.ask)
		writeChoices(w, t.choices, "")
		fmt.Fprintf(w, "“%s” was chosen, which is worth %+.2f. What is better? ", t.words[t.chosen], t.value)
		for answered := false; !answered; {
			if err := w.Flush(); err != nil {
				return err
			}
			var line string
			var ok bool
			select {
			case line, ok = <-lines:
			case <-ctx.Done():
			}
			line = strings.TrimSpace(line)
			if !ok || line == "quit" {
				fmt.Fprintln(w)
				return w.Flush()
			}
			c, err := find(info, t.choices, line)
			switch {
			case line == "":
				answered = true
			case strings.HasPrefix(line, "list"):
				writeChoices(w, t.choices, strings.TrimSpace(strings.TrimPrefix(line, "list")))
			case err != nil:
				fmt.Fprintf(w, "%v (list WORDS shows choices, Enter the answer, quit leaves)\n", err)
			default:
				answered = true
				if lead := t.leads[c.Action]; math.IsNaN(lead) {
					fmt.Fprintf(w, "“%s”: the search has hardly tried it.\n", t.words[c.Action])
				} else {
					fmt.Fprintf(w, "“%s” is worth %+.2f, %+.2f against what was chosen.\n", t.words[c.Action], t.value+lead, lead)
					if lead > 0 {
						better++
					}
				}
			}
		}
		fmt.Fprintf(w, "The search would choose “%s”, which is worth %+.2f.\n", t.words[t.best], t.value+t.Loss)
		for _, move := range t.told {
			fmt.Fprintf(w, "  %s\n", move)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "%d of %d answers were better than what was chosen.\n", better, len(tasks))
	return errors.Join(w.Flush(), ctx.Err())
}
