// Package term is a table in a terminal: line by line, for pipes, screen readers and scripts (Plain), or on the full
// screen (Screen); and a recorded game to walk through (Walk). It shows what table.Sight shows and holds no State.
package term

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"earthgym/agents"
	"earthgym/agents/table"
	"earthgym/env"
	"earthgym/env/spelling"
)

// Options say what a player in a terminal can call for.
type Options struct {
	Agents []string                                 // who can be asked for hints; the first one if nobody is named
	Open   func(text string) (*agents.Maker, error) // an agent by its text
	File   string                                   // that the game is saved in, "" for none
	Again  string                                   // the command that goes on with it
	Rules  func(words []string) (string, error)     // how to play, or the rules with these words; nil where there are none
	// what is read comes from no terminal: it is written too, and nobody looks on
	Script bool
}

// whereSaved says how the game is gone on with.
func (o *Options) whereSaved(t *table.Table) string {
	switch {
	case o.File == "":
		return "Nothing is saved."
	case t.Save() != nil:
		return "The last decisions are not saved."
	}
	return fmt.Sprintf("The game is saved in %s; go on with: %s", o.File, o.Again)
}

// hint asks an agent about a decision, the first one if the text names none.
func (o *Options) hint(ctx context.Context, t *table.Table, s *table.Sight, agent string) (string, error) {
	if agent == "" {
		if len(o.Agents) == 0 {
			return "", fmt.Errorf("name an agent: hint AGENT")
		}
		agent = o.Agents[0]
	}
	m, err := o.Open(agent)
	if err != nil {
		return "", err
	}
	h, err := t.Hint(ctx, s.Viewer, s.Step, m)
	if err != nil {
		return "", err
	}
	return hintText(h, s), nil
}

// hintText is what an agent thinks, its best choices first.
func hintText(h *table.Hint, s *table.Sight) string {
	const shown = 5
	var b strings.Builder
	fmt.Fprintf(&b, "%s", h.Agent)
	if h.Value != nil {
		fmt.Fprintf(&b, " expects a return of %+.2f", *h.Value)
	}
	b.WriteString(":")
	best := slices.Clone(h.Choices)
	slices.SortStableFunc(best, func(x, y table.HintChoice) int { return cmp.Compare(y.Probability, x.Probability) })
	for _, c := range best[:min(shown, len(best))] {
		if c.Probability < 0.005 {
			break
		}
		i := slices.IndexFunc(s.Choices, func(x table.Choice) bool { return x.Action == c.Action })
		if i < 0 {
			continue
		}
		fmt.Fprintf(&b, "\n  %3.0f %%  %d %s", 100*c.Probability, i+1, s.Choices[i].InWords())
		if c.Value != nil {
			fmt.Fprintf(&b, " (%+.2f)", *c.Value)
		}
	}
	return b.String()
}

// viewer is whose eyes the terminal has: the person's who decides, otherwise those that it had; at first a spectator's,
// or those of the only person.
func viewer(t *table.Table, before env.Player) env.Player {
	for p := range env.Player(t.Info().Players) {
		s, err := t.Look(p)
		if err != nil || !s.Seats[p].Person {
			continue
		}
		if s.Deciding || before == env.Spectator && people(s) == 1 {
			return p
		}
	}
	return before
}

func people(s *table.Sight) int {
	n := 0
	for _, seat := range s.Seats {
		if seat.Person {
			n++
		}
	}
	return n
}

// called is how a seat is spoken of, counted from 1: player 2 (Ada).
func called(s *table.Sight, p env.Player) string {
	text := fmt.Sprintf("player %d", p+1)
	if name := s.Seats[p].Name; name != "" {
		text += " (" + spelling.Printable(name) + ")"
	}
	return text
}

// boardText is the table in text without its list of actions, which the terminal numbers itself.
func boardText(t *table.Table, viewer env.Player) string {
	return env.WithoutActions(t.Text(viewer))
}

// A group is choices that are read together, with their places in the list.
type group struct {
	what   string
	places []int
}

// groups are the choices that match all words of a search, by what they do.
func groups(choices []table.Choice, search string) []group {
	var list []group
	for i, c := range choices {
		if !matches(c, search) {
			continue
		}
		k := slices.IndexFunc(list, func(g group) bool { return g.what == c.What })
		if k < 0 {
			k = len(list)
			list = append(list, group{what: c.What})
		}
		list[k].places = append(list[k].places, i)
	}
	return list
}

// matches says whether a choice has all words of a search.
func matches(c table.Choice, search string) bool {
	text := strings.ToLower(c.What + " " + c.Which + " " + c.Text)
	for _, word := range strings.Fields(strings.ToLower(search)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// writeChoices writes those that match a search, a line for each group.
func writeChoices(w io.Writer, choices []table.Choice, search string) {
	found := groups(choices, search)
	if found == nil {
		fmt.Fprintf(w, "no choice is %q\n", spelling.Printable(search))
	}
	for _, g := range found {
		if first := g.places[0]; len(g.places) == 1 && choices[first].Which == "" {
			fmt.Fprintf(w, "%d) %s\n", first+1, g.what)
			continue
		}
		var each []string
		for _, i := range g.places {
			each = append(each, fmt.Sprintf("%d) %s", i+1, which(choices[i])))
		}
		fmt.Fprintf(w, "%s: %s\n", g.what, strings.Join(each, ", "))
	}
}

// which is how a choice is told from the others of its group.
func which(c table.Choice) string {
	if c.Which != "" {
		return c.Which
	}
	return c.Text
}

// find is the choice that a text names: by its number from 1, by its action text, or by words that only it has. The
// text of another action is an error, whatever else has its words.
func find(info *env.Info, choices []table.Choice, text string) (table.Choice, error) {
	if n, err := strconv.Atoi(text); err == nil {
		if n < 1 || n > len(choices) {
			return table.Choice{}, fmt.Errorf("there is no choice %d: they are 1 to %d", n, len(choices))
		}
		return choices[n-1], nil
	}
	var found []table.Choice
	for _, c := range choices {
		if c.Text == text {
			return c, nil
		}
		if matches(c, text) {
			found = append(found, c)
		}
	}
	_, err := info.Parse(text)
	switch {
	case err == nil:
		return table.Choice{}, fmt.Errorf("%s can't be chosen now", text)
	case len(found) == 0:
		return table.Choice{}, fmt.Errorf("no choice is %q", spelling.Printable(text))
	case len(found) == 1:
		return found[0], nil
	}
	return table.Choice{}, fmt.Errorf("%d choices are %q: list %s shows them", len(found), spelling.Printable(text),
		spelling.Printable(text))
}

// why says why an action can't be chosen, after what is planned: one that is named by its text, by the number of a
// choice, or by words that stand in it.
func why(t *table.Table, s *table.Sight, planned []env.Action, text string) string {
	const most = 8 // actions that have the words
	var asked []env.Action
	a, err := t.Info().Parse(text)
	if err == nil {
		asked = []env.Action{a}
	} else if n, numberErr := strconv.Atoi(text); numberErr == nil && n >= 1 && n <= len(s.Choices) {
		asked = []env.Action{s.Choices[n-1].Action}
	} else if words := strings.Fields(strings.ToLower(text)); len(words) > 0 {
		for a, info := range t.Info().Actions {
			own := strings.FieldsFunc(info.Text, func(r rune) bool { return r == ' ' || r == '-' })
			if !slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(own, word) }) {
				asked = append(asked, env.Action(a))
			}
		}
	}
	if len(asked) == 0 {
		return err.Error()
	}
	var lines []string
	for _, a := range asked[:min(most, len(asked))] {
		reason, err := reasonOf(t, s, planned, a)
		if err != nil {
			return err.Error()
		}
		text := t.Info().Actions[a].Text + ": " + reason
		if i := slices.IndexFunc(s.Choices, func(c table.Choice) bool { return c.Action == a }); i >= 0 {
			text = s.Choices[i].InWords() + " can be chosen"
		}
		lines = append(lines, text)
	}
	return strings.Join(lines, "\n")
}

// rules is what the rules say of some words, or how the game is played.
func (o *Options) rules(words string) string {
	if o.Rules == nil {
		return "there are no rules here"
	}
	text, err := o.Rules(strings.Fields(words))
	if err != nil {
		return err.Error()
	}
	return strings.TrimRight(text, "\n")
}

// reasonOf is why an action can't be chosen after what is planned, "" if it can.
func reasonOf(t *table.Table, s *table.Sight, planned []env.Action, a env.Action) (string, error) {
	if len(planned) == 0 {
		return t.Why(s.Viewer, a)
	}
	reasons, err := t.WhyAfter(s.Viewer, s.Step, planned, []env.Action{a})
	if err != nil {
		return "", err
	}
	return reasons[0], nil
}

// lessonLines tell where a lesson stands: what came of the last decision, and what to do now.
func lessonLines(l *table.LessonSight) (lines []string) {
	if l.Said != "" {
		lines = append(lines, l.Said)
	}
	switch {
	case l.Finished:
		lines = append(lines, "The lesson is over: play on as you like.")
	case l.Say != "":
		lines = append(lines, fmt.Sprintf("%d of %d: %s", l.At+1, l.Of, l.Say))
	}
	return lines
}

// shown is what the lesson wants now.
func shown(s *table.Sight) string {
	for i, c := range s.Choices {
		if c.Action == s.Lesson.Action {
			return fmt.Sprintf("The lesson wants %d) %s", i+1, c.InWords())
		}
	}
	return "the lesson wants what can't be chosen now"
}

// recorded says where the finished game is; "" if nowhere.
func (o *Options) recorded(t *table.Table) string {
	if o.File == "" || t.Save() != nil {
		return ""
	}
	return fmt.Sprintf("The game is recorded in %s\n", o.File)
}

// resultText is how the game has ended.
func resultText(info *env.Info, s *table.Sight) string {
	var b strings.Builder
	fmt.Fprintf(&b, "The game is over: %s", s.Result.Reason)
	for _, end := range info.Ends {
		if end.Name == s.Result.Reason {
			fmt.Fprintf(&b, " (%s)", end.Help)
		}
	}
	b.WriteString(".")
	for p := range s.Seats {
		who, won := called(s, env.Player(p)), ""
		if env.Player(p) == s.Viewer {
			who = "you, " + who
		}
		if s.Result.Winners.Has(env.Player(p)) {
			won = ", wins"
		}
		fmt.Fprintf(&b, "\n  %s: score %g%s", who, s.Result.Scores[p], won)
	}
	return b.String()
}
