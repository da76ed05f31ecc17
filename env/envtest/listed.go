package envtest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"earthgym/env"
)

// Listed tests that the text view of the seat that decides in st lists all its legal actions, each once, below a
// line "Legal actions:", as lines of what they do, a colon, and actions between commas. Of actions in a row only
// the first needs its first words, numbers in a row may be written "count 1-9", and notes stand in brackets.
func Listed(st env.State) error {
	text := env.TextView(st, st.Actor())
	got, err := listed(st.Game().Info(), text)
	if err != nil {
		return fmt.Errorf("%w in\n%s", err, text)
	}
	var want []string
	for _, a := range env.LegalActions(st) {
		want = append(want, st.Game().Info().Actions[a].Text)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		return fmt.Errorf("the text lists %q, legal are %q:\n%s", got, want, text)
	}
	return nil
}

var (
	continued = regexp.MustCompile(`\n {4,}`)
	numbers   = regexp.MustCompile(`^(.* )?(\d+)-(\d+)$`)
)

func listed(info *env.Info, text string) (texts []string, err error) {
	_, list, _ := strings.Cut(text, "\nLegal actions:\n")
	for line := range strings.Lines(continued.ReplaceAllString(list, " ")) {
		about, actions, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || strings.TrimSpace(about) == "" {
			return nil, fmt.Errorf("no words for what is done by %q", line)
		}
		head := ""
		for _, item := range strings.Split(actions, ", ") {
			item, _, _ = strings.Cut(item, " (")
			from, to := item, item
			if m := numbers.FindStringSubmatch(item); m != nil {
				from, to = m[1]+m[2], m[1]+m[3]
			}
			if _, err := info.Parse(from); err != nil {
				from, to = head+from, head+to
			}
			first, err := info.Parse(from)
			if err != nil {
				return nil, fmt.Errorf("%q of %q: %w", item, line, err)
			}
			last, err := info.Parse(to)
			if err != nil {
				return nil, fmt.Errorf("%q of %q: %w", item, line, err)
			}
			for a := first; a <= last; a++ {
				texts = append(texts, info.Actions[a].Text)
			}
			head = from[:strings.LastIndexByte(from, ' ')+1]
		}
	}
	return texts, nil
}
