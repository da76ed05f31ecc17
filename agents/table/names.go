package table

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"earthgym/env"
)

// Games number seats from 0 in all their texts. What people read at a table has the names of those who sit there, and
// says "you" to its reader.

// Names say how what is told at a table calls its seats.
type Names int

// The ways to call seats.
const (
	AsPlayed Names = iota // as the game has it in its texts, which programs read: "player 0"
	FromZero              // by name, or by number as in the game's texts
	FromOne               // by name, or by number from 1: where all that is shown counts so
)

// called is what a seat is called: the name of its person, otherwise its number.
func (t *Table) called(p int) string {
	if s := t.seats[p]; s.Agent == nil && s.Name != "" && s.Name != Person {
		return s.Name
	}
	if t.o.Names == FromOne {
		p++
	}
	return fmt.Sprintf("Player %d", p)
}

// spokenAll are sentences as a viewer reads them.
func (t *Table) spokenAll(texts []string, viewer env.Player) {
	for i := range texts {
		texts[i] = t.spoken(texts[i], viewer)
	}
}

// nobody is no viewer: what it reads has names, and no "you".
const nobody = env.Over

// mention is a seat in a game's sentence: what stands before it, its number, a possessive, and the word after it.
var mention = regexp.MustCompile(`(^|.)\b(?:[Pp]layer|[Ss]eat) (\d+)\b('s)?( [a-z]+)?`)

// changing are words behind which a sentence tells what a seat's numbers become: "player 0 fleets -1".
var changing = regexp.MustCompile(`^( [A-Za-z]+)+ [+−-]\d`)

// asked are verbs by which a seat in the middle of a sentence acts.
var asked = map[string]bool{
	" decides": true, " gives": true, " asks": true, " pays": true, " dismantles": true, " has": true, " is": true,
	" plays": true, " wins": true, " leads": true, " offers": true, " helps": true, " acts": true, " goes": true,
	" begins": true, " loses": true, " gets": true, " takes": true, " places": true, " may": true,
}

// spoken is a game's sentence as a viewer reads it.
func (t *Table) spoken(text string, viewer env.Player) string {
	if t.o.Names == AsPlayed {
		return text
	}
	found := mention.FindAllStringSubmatchIndex(text, -1)
	if found == nil {
		return text
	}
	var b strings.Builder
	from, subject := 0, false
	for _, m := range found {
		part := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return text[m[2*i]:m[2*i+1]]
		}
		p, err := strconv.Atoi(part(2))
		if err != nil || p >= len(t.seats) {
			continue
		}
		start := m[2] == m[3]
		b.WriteString(text[from:m[3]])
		from = m[1]
		verb, owns := part(4), part(3) != ""
		switch {
		case env.Player(p) != viewer:
			b.WriteString(t.called(p) + part(3) + verb)
		case owns, !start && !asked[verb] && changing.MatchString(text[m[1]-len(verb):]):
			b.WriteString(capital("your", start) + verb)
		case start, asked[verb]:
			subject = subject || start
			b.WriteString(capital("you", start) + toYou(verb))
		default:
			b.WriteString("you" + verb)
		}
	}
	rest := text[from:]
	if subject && len(found) == 1 { // What is said of the subject alone is said to the reader.
		rest = own.Replace(rest)
	}
	b.WriteString(rest)
	return b.String()
}

// own turns what is said of the one who acts to the reader.
var own = strings.NewReplacer(" its ", " your ", " that it ", " that you ", " and is ", " and are ",
	" and has ", " and have ")

// toYou is a verb of the third person as it is said to the reader: " settles" is " settle".
func toYou(verb string) string {
	switch {
	case verb == " is":
		return " are"
	case verb == " has":
		return " have"
	case verb == " does", verb == " goes":
		return strings.TrimSuffix(verb, "es")
	case strings.HasSuffix(verb, "ies") && len(verb) > 5:
		return strings.TrimSuffix(verb, "ies") + "y"
	}
	for _, end := range []string{"sses", "ches", "shes", "xes"} {
		if strings.HasSuffix(verb, end) {
			return strings.TrimSuffix(verb, "es")
		}
	}
	return strings.TrimSuffix(verb, "s")
}

// capital is a word, as it begins a sentence.
func capital(word string, begins bool) string {
	if begins {
		return strings.ToUpper(word[:1]) + word[1:]
	}
	return word
}
