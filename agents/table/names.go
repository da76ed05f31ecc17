package table

import (
	"fmt"
	"strconv"
	"strings"

	"earthgym/env"
	"earthgym/env/spelling"
)

// Games number seats from 0 in all their texts. What people read at a table has the names of those who sit there, and
// says "you" to its reader.

// Names say how what is told at a table calls its seats.
type Names int

// The ways to call seats.
const (
	AsPlayed Names = iota // as the game has it in its texts, which programs read: "player 0"
	FromOne               // by name, or by number from 1, as people count
)

// A Speaker tells people what a game says.
type Speaker struct {
	Names Names
	Seats []string // the names of those who sit there, "" for who is called by number
	Own   []string // the game's own names for them; nil if it numbers them
}

// SpeakerOf tells what is in a record of a game, in which each seat is an agent's text or a person's.
func SpeakerOf(names Names, info *env.Info, seats []string) *Speaker {
	s := &Speaker{names, make([]string, len(seats)), info.Seats}
	for p, text := range seats {
		if name, ok := strings.CutPrefix(text, Person+":"); ok {
			s.Seats[p] = spelling.Printable(name)
		}
	}
	return s
}

// Called is what a seat is called: the name of its person, otherwise its number.
func (s *Speaker) Called(p env.Player) string {
	if name := s.Seats[p]; name != "" {
		return name
	}
	if s.Names == FromOne {
		p++
	}
	return fmt.Sprintf("Player %d", p)
}

// Speaker tells people at the table what the game says.
func (t *Table) Speaker() *Speaker {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.speaker()
}

func (t *Table) speaker() *Speaker {
	s := &Speaker{t.o.Names, make([]string, len(t.seats)), t.info.Seats}
	for p, seat := range t.seats {
		if seat.Agent == nil && seat.Name != Person {
			s.Seats[p] = seat.Name
		}
	}
	return s
}

func (t *Table) called(p int) string { return t.speaker().Called(env.Player(p)) }

// spoken is a game's sentence as a viewer reads it.
func (t *Table) spoken(text string, viewer env.Player) string {
	return t.speaker().Spoken(text, viewer)
}

// spokenAll are sentences as a viewer reads them.
func (t *Table) spokenAll(texts []string, viewer env.Player) {
	s := t.speaker()
	for i := range texts {
		texts[i] = s.Spoken(texts[i], viewer)
	}
}

// nobody is no viewer: what it reads has names, and no "you".
const nobody = env.Over

// A mention is a seat in a game's sentence, at text[from:to], and what follows it: a possessive, and a word.
type mention struct {
	from, to   int
	seat       int
	named      bool // by the game's own name for it
	owns, verb string
}

// mentions are those of a text. (The page without a server carries no regular expressions.)
func (s *Speaker) mentions(text string) (found []mention) {
	for i := 0; i < len(text); i++ {
		if i > 0 && inWord(text[i-1]) {
			continue
		}
		seat, named, length := s.seatAt(text[i:])
		end := i + length
		if length == 0 || end < len(text) && inWord(text[end]) {
			continue
		}
		m := mention{from: i, to: end, seat: seat, named: named}
		if strings.HasPrefix(text[end:], "'s") {
			m.owns, m.to = "'s", end+2
		}
		if n := wordAfter(text[m.to:]); n > 0 && isLower(text[m.to+1]) {
			m.verb = text[m.to : m.to+n]
			m.to += n
		}
		found = append(found, m)
		i = m.to - 1
	}
	return found
}

// seatAt is the seat with which a text begins, whether by a name of the game's own, and how long that is; 0 if there is
// none.
func (s *Speaker) seatAt(text string) (seat int, named bool, length int) {
	for p, name := range s.Own {
		if strings.HasPrefix(text, name) {
			return p, true, len(name)
		}
	}
	for _, word := range []string{"player ", "Player ", "seat ", "Seat "} {
		digits, ok := strings.CutPrefix(text, word)
		if !ok {
			continue
		}
		n := 0
		for n < len(digits) && digits[n] >= '0' && digits[n] <= '9' {
			n++
		}
		if seat, err := strconv.Atoi(digits[:n]); err == nil {
			return seat, false, len(word) + n
		}
	}
	return 0, false, 0
}

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }

func inWord(c byte) bool {
	return isLower(c) || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

// wordAfter is the length of a space and a word of letters at the head of a text, 0 if there are none.
func wordAfter(text string) int {
	n := 0
	for n+1 < len(text) && text[0] == ' ' && inWord(text[n+1]) {
		n++
	}
	if n == 0 {
		return 0
	}
	return n + 1
}

// changing says whether a text goes on with what becomes of a seat's numbers: " fleets At Risk -1".
func changing(text string) bool {
	words := 0
	for n := wordAfter(text); n > 0; n = wordAfter(text) {
		text = text[n:]
		words++
	}
	text, space := strings.CutPrefix(text, " ")
	return words > 0 && space && len(text) > 1 && strings.ContainsAny(text[:1], "+-") && text[1] >= '0' && text[1] <= '9'
}

// asked are verbs by which a seat in the middle of a sentence acts.
var asked = map[string]bool{
	" decides": true, " gives": true, " asks": true, " pays": true, " dismantles": true, " has": true, " is": true,
	" plays": true, " wins": true, " leads": true, " offers": true, " helps": true, " acts": true, " goes": true,
	" begins": true, " loses": true, " gets": true, " takes": true, " places": true, " may": true,
}

// Spoken is a game's sentence as a viewer reads it; to env.Over, who is nobody, nobody is "you".
func (s *Speaker) Spoken(text string, viewer env.Player) string {
	if s.Names == AsPlayed {
		return text
	}
	found := s.mentions(text)
	if found == nil {
		return s.marked(text)
	}
	var b strings.Builder
	from, subject := 0, false
	for _, m := range found {
		if m.seat >= len(s.Seats) {
			continue
		}
		start := m.from == 0
		b.WriteString(s.marked(text[from:m.from]))
		from = m.to
		switch {
		case env.Player(m.seat) != viewer && m.named:
			b.WriteString(text[m.from:m.to])
		case env.Player(m.seat) != viewer:
			b.WriteString(s.Called(env.Player(m.seat)) + m.owns + m.verb)
		case m.owns != "", !start && !asked[m.verb] && changing(m.verb+text[m.to:]):
			b.WriteString(capital("your", start) + m.verb)
		case start, asked[m.verb]:
			subject = subject || start
			b.WriteString(capital("you", start) + toYou(m.verb))
		default:
			b.WriteString("you" + m.verb)
		}
	}
	rest := s.marked(text[from:])
	if subject && len(found) == 1 { // What is said of the subject alone is said to the reader.
		rest = own.Replace(rest)
	}
	b.WriteString(rest)
	return b.String()
}

// marked is a text with the marks of seats that board.Mark writes, counted as people do: p0 is p1.
func (s *Speaker) marked(text string) string {
	var b []byte
	for i := 1; i < len(text); i++ {
		mark := text[i-1] == 'p' && int(text[i]) < '0'+len(s.Seats) && text[i] >= '0' &&
			(i == 1 || !inWord(text[i-2])) && (i+1 == len(text) || text[i+1] < '0' || text[i+1] > '9')
		if mark {
			if b == nil {
				b = []byte(text)
			}
			b[i]++
		}
	}
	if b == nil {
		return text
	}
	return string(b)
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
