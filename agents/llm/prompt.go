//go:build !js

package llm

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"earthgym/env"
)

// system is what a model is told once, before each decision: the game, and how to answer.
func system(info *env.Info, legal string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "You play a seat of %s, a board game (%s). Play to win.\n\n", info.Title, info.Short)
	if info.HowTo != "" {
		b.WriteString(digest(info.HowTo) + "\n\n")
	}
	if options := inForce(info); options != nil {
		fmt.Fprintf(&b, "Options of this game:\n%s\n\n", strings.Join(options, "\n"))
	}
	b.WriteString("Answer with one JSON object and nothing else: {\"reason\": why, in a sentence or two, \"action\": " +
		"the exact text of one legal action}.\n")
	if legal != legalList {
		b.WriteString("\nActions are written like these (first and last of each kind, of which not all are legal at a " +
			"time):\n")
		for from := 0; from < len(info.Actions); {
			to := from + 1
			for to < len(info.Actions) && info.Actions[to].Family == info.Actions[from].Family {
				to++
			}
			b.WriteString(info.Actions[from].Text)
			if to > from+1 {
				b.WriteString(" … " + info.Actions[to-1].Text)
			}
			b.WriteByte('\n')
			from = to
		}
	}
	return b.String()
}

// digest is an introduction without its pictures and their captions, and without the table of options, which stands at
// its end.
func digest(howTo string) string {
	var kept []string
	for paragraph := range strings.SplitSeq(howTo, "\n\n") {
		text := strings.TrimSpace(paragraph)
		if text == "## Options" {
			break
		}
		if strings.HasPrefix(text, "![") || strings.HasPrefix(text, "*") && strings.HasSuffix(text, "*") &&
			!strings.HasPrefix(text, "**") {
			continue
		}
		kept = append(kept, text)
	}
	return strings.Join(kept, "\n\n")
}

// inForce are the options of a game with their values, and what they mean by the table of its introduction.
func inForce(info *env.Info) (lines []string) {
	_, list, _ := strings.Cut(info.Text, ":")
	values := map[string]string{}
	for option := range strings.SplitSeq(list, ",") {
		name, value, _ := strings.Cut(option, "=")
		values[name] = value
	}
	for line := range strings.Lines(info.HowTo) {
		cells := strings.Split(line, "|") // "", name, default, what it is, values
		if len(cells) < 5 {
			continue
		}
		name := strings.Trim(cells[1], " `")
		if value, ok := values[name]; ok {
			lines = append(lines, fmt.Sprintf("- %s=%s: %s", name, value, strings.TrimSpace(cells[3])))
		}
	}
	return lines
}

// prompt is what a model is told of a decision.
func prompt(v *env.View, s env.State, legal string) string {
	var b strings.Builder
	if lines := happened(v); len(lines) > 0 {
		fmt.Fprintf(&b, "Since your last decision:\n%s\n\n", strings.Join(lines, "\n"))
	}
	b.WriteString(env.WithoutActions(v.Text()) + "\n\n")
	fmt.Fprintf(&b, "You are seat %d.", v.Player())
	if asker, ok := s.(env.Asker); ok {
		b.WriteString(" " + asker.Question(v.Player()))
	}
	b.WriteByte('\n')
	switch actions := v.Mask().Append(nil); legal {
	case legalList:
		fmt.Fprintf(&b, "Legal actions (%d), by what they do:\n", len(actions))
		for _, group := range groups(v, s, actions) {
			fmt.Fprintf(&b, "- %s: %s\n", group.what, strings.Join(group.texts, "; "))
		}
	case legalFamilies:
		fmt.Fprintf(&b, "Kinds of legal actions, with how many there are:\n")
		for _, family := range groups(v, nil, actions) {
			fmt.Fprintf(&b, "- %s: %d\n", family.what, len(family.texts))
		}
	}
	return b.String()
}

// happened is what the seat has seen since its last decision: in sentences, or as the plain texts of a game that tells
// no story.
func happened(v *env.View) []string {
	if story := v.Story(); story != nil {
		return story
	}
	var lines []string
	for _, e := range v.Seen() {
		text := e.Text
		if e.Kind == env.SeenAction && e.Player >= 0 {
			text = fmt.Sprintf("seat %d: %s", e.Player, text)
		}
		lines = append(lines, text)
	}
	return lines
}

// A group is actions that do the same thing.
type group struct {
	what  string
	texts []string
}

// groups are the actions by what the game's questions say of them, or by family without a state.
func groups(v *env.View, s env.State, actions []env.Action) []group {
	asker, asks := s.(env.Asker)
	var all []group
	for _, a := range actions {
		what := v.Info().Actions[a].Family
		if asks {
			what, _ = asker.About(a)
		}
		i := slices.IndexFunc(all, func(g group) bool { return g.what == what })
		if i < 0 {
			i = len(all)
			all = append(all, group{what: what})
		}
		all[i].texts = append(all[i].texts, v.ActionText(a))
	}
	return all
}

// maxRead is how much of an answer is searched for a decision: its end, where the decision stands.
const maxRead = 1 << 14

// spoken is what of an answer is searched for a decision, and what the model is reminded of: not what it has thought,
// and of a thought that was cut off nothing either.
func spoken(text string) string {
	const thought = "</think>"
	if at := strings.LastIndex(text, thought); at >= 0 {
		text = text[at+len(thought):]
	}
	text, _, _ = strings.Cut(text, "<think>")
	return text[max(0, len(text)-maxRead):]
}

// plain is the action that is the whole of an answer, quotes and a full stop left out.
func plain(info *env.Info, text string) (string, bool) {
	text = strings.Trim(text, " \t\r\n`\"'“”*.")
	_, err := info.Parse(text)
	return text, err == nil
}

// named is the action that an answer names: that of the last JSON object in it that has one and is in no other.
func named(text string) (action string, ok bool) {
	found := 0
	for at := strings.LastIndexByte(text, '{'); at >= 0; at = strings.LastIndexByte(text[:at], '{') {
		var said struct {
			Action *string `json:"action"`
		}
		object := json.NewDecoder(strings.NewReader(text[at:]))
		if object.Decode(&said) == nil && said.Action != nil && (!ok || at+int(object.InputOffset()) > found) {
			action, ok, found = *said.Action, true, at
		}
	}
	return action, ok
}
