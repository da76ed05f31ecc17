package board

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"earthgym/env"
)

// Columns are those of a text view.
const Columns = 100

// A Page is a text view that is being written. Its lines end before column Columns: what is longer goes on below,
// further to the right.
type Page struct{ dst []byte }

// NewPage begins a page after what is in dst.
func NewPage(dst []byte) *Page { return &Page{dst} }

// Bytes is the page, after what was in dst.
func (t *Page) Bytes() []byte { return t.dst }

// Mark is a seat in a column or a list of a text view: p0. A table where people count from 1 shows it as p1.
func Mark(q env.Player) string { return fmt.Sprint("p", int(q)) }

// Marks are the marks of seats: p0 p2.
func Marks(seats env.Seats) string {
	var marks []string
	for _, q := range seats.List() {
		marks = append(marks, Mark(env.Player(q)))
	}
	return strings.Join(marks, " ")
}

// Named are seats in a sentence: seat 0, seat 2 and seat 3.
func Named(seats env.Seats) string {
	text := ""
	list := seats.List()
	for i, q := range list {
		switch {
		case i > 0 && i == len(list)-1:
			text += " and "
		case i > 0:
			text += ", "
		}
		text += fmt.Sprint("seat ", q)
	}
	return text
}

// When is a text where something holds, and nothing elsewhere.
func When(is bool, format string, args ...any) string {
	if !is {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

// AppendWhen appends a text where something holds.
func AppendWhen(texts []string, is bool, format string, args ...any) []string {
	if !is {
		return texts
	}
	return append(texts, fmt.Sprintf(format, args...))
}

// Line writes a line. One that is too long is broken between words, and goes on four columns further to the right
// than it began.
func (t *Page) Line(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	rest := strings.TrimLeft(line, " ")
	indent := len(line) - len(rest)
	for columns(line) > Columns {
		end := breakAt(line, indent)
		t.add(strings.TrimRight(line[:end], " "))
		line = strings.Repeat(" ", indent+4) + strings.TrimLeft(line[end:], " ")
	}
	t.add(line)
}

// breakAt is where a line is broken: after the last blank that leaves the rest of the line on the page, or within a
// word that is too long itself.
func breakAt(line string, indent int) int {
	column, blank := 0, 0
	for i, r := range line {
		if column == Columns {
			if blank > 0 {
				return blank
			}
			return i
		}
		if r == ' ' && column > indent+4 {
			blank = i
		}
		column++
	}
	return len(line)
}

// List writes a head, which ends with a blank if it should, and items between separators, on as many lines as
// they need: items are not broken unless they are longer than a line. Without items it writes nothing.
func (t *Page) List(head, separator string, items []string) {
	if len(items) == 0 {
		return
	}
	hang := columns(head)
	if hang > Columns/3 {
		hang = hang - columns(strings.TrimLeft(head, " ")) + 4
	}
	end, between := strings.TrimRight(separator, " "), separator
	line := head
	if columns(head) > 3*Columns/4 { // no room for items beside it
		t.Line("%s", strings.TrimRight(head, " "))
		line = strings.Repeat(" ", hang)
	}
	for i, item := range items {
		if i < len(items)-1 {
			item += end
		}
		switch {
		case i == 0:
			line += item
		case columns(line)+columns(between)-columns(end)+columns(item) > Columns:
			t.Line("%s", line)
			line = strings.Repeat(" ", hang) + item
		default:
			line += between[len(end):] + item
		}
	}
	t.Line("%s", line)
}

func (t *Page) add(line string) { t.dst = append(append(t.dst, line...), '\n') }

func columns(text string) int { return utf8.RuneCountInString(text) }

// Choices lists what may be done: after what the State says of them, the actions in a row of which it says the same.
func (t *Page) Choices(s interface {
	env.State
	env.Asker
}) {
	t.Line("Legal actions:")
	said, texts := "", []string(nil)
	flush := func() {
		t.List("  "+said+": ", ", ", Group(texts))
		texts = texts[:0]
	}
	for _, a := range env.LegalActions(s) {
		if what, _ := s.About(a); what != said {
			flush()
			said = what
		}
		texts = append(texts, env.ActionText(s, a))
	}
	flush()
}

// A Choice is legal actions that do the same: what they do, and how they are written, several together where only their
// last words differ: "fire +1 (seat 2), +3 (seat 0)", "count 1-12".
type Choice struct {
	About   string
	Actions []string
	plain   []string // actions without a note, until they are written together
	head    string   // the words before the last of the latest action with a note
}

// Choices are the legal actions by what is said of each, which a note may follow; what ends the asking comes last.
func Choices(info *env.Info, legal env.Mask, ends env.Action, about, note func(env.Action) string) []Choice {
	var list []Choice
	for _, a := range legal.Append(nil) {
		what := about(a)
		i := slices.IndexFunc(list, func(c Choice) bool { return c.About == what })
		if i < 0 {
			i = len(list)
			list = append(list, Choice{About: what})
		}
		list[i].add(info, info.Actions[a].Text, note(a))
	}
	for i := range list {
		list[i].Actions = append(list[i].Actions, Group(list[i].plain)...)
	}
	if legal.Has(ends) {
		i := slices.IndexFunc(list, func(c Choice) bool { return slices.Contains(c.Actions, info.Actions[ends].Text) })
		list = append(slices.Delete(slices.Clone(list), i, i+1), list[i])
	}
	return list
}

// add adds an action, with what it names in brackets and without the words that it shares with the one before,
// unless what is left would be another action.
func (c *Choice) add(info *env.Info, text, note string) {
	head, tail := "", text
	if i := strings.LastIndexByte(text, ' ') + 1; i > 0 {
		head, tail = text[:i], text[i:]
	}
	_, err := info.Parse(tail)
	switch alone := err == nil; {
	case alone && note == "":
		c.Actions = append(c.Actions, text)
	case note == "":
		c.plain = append(c.plain, text)
	default:
		if c.head == head && !alone {
			text = tail
		}
		c.head = head
		c.Actions = append(c.Actions, fmt.Sprintf("%s (%s)", text, note))
	}
}

// Group writes actions shorter: texts that differ in their last word alone become one, "ask 1, 2 or 3" as
// "ask 1-3", "offer +1 gift" and "offer +1 hire" as "offer +1 gift, hire". The order is that of the first of each.
func Group(texts []string) []string {
	var heads []string
	tails := map[string][]string{}
	for _, text := range texts {
		head, tail := "", text
		if i := strings.LastIndexByte(text, ' '); i >= 0 {
			head, tail = text[:i+1], text[i+1:]
		}
		if head == "" { // a single word has nothing to share
			head, tail = text, ""
		}
		if _, ok := tails[head]; !ok {
			heads = append(heads, head)
		}
		tails[head] = append(tails[head], tail)
	}
	for i, head := range heads {
		heads[i] = head + strings.Join(runs(tails[head]), ", ")
	}
	return heads
}

// runs writes three or more numbers in a row as "3-9".
func runs(words []string) []string {
	var list []string
	for i := 0; i < len(words); {
		end := i + 1
		if n, err := strconv.Atoi(words[i]); err == nil && words[i] == strconv.Itoa(n) {
			for end < len(words) && words[end] == strconv.Itoa(n+end-i) {
				end++
			}
		}
		if end-i < 3 {
			list = append(list, words[i])
			i++
			continue
		}
		list = append(list, words[i]+"-"+words[end-1])
		i = end
	}
	return list
}
