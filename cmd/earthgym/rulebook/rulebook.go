// Package rulebook takes the rules of a game, its RULES.md, apart: what a rule of an id says, what a section holds,
// where words stand.
package rulebook

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"earthgym/env/spelling"
)

// A Book is a RULES.md taken apart.
type Book []passage

// A Printer prints a head and a text after it, on as many lines as it takes.
type Printer func(w io.Writer, head, text string) error

// Plain is the Printer that breaks no lines: for programs.
func Plain(w io.Writer, head, text string) error {
	_, err := fmt.Fprintf(w, "%s%s\n", head, text)
	return err
}

// A passage is a row of a table, or a paragraph or picture in text.
type passage struct {
	section string   // its heading: "6.2 Setup"
	text    string   // as it stands there
	cells   []string // of a row
	head    []string // of the row's table
	picture bool     // keeps its lines
}

// Read takes Markdown apart: headings, paragraphs, tables, and what is fenced.
func Read(text string) Book {
	var book Book
	var paragraph []string
	var head []string
	section, fenced := "", false
	end := func(picture bool) {
		if len(paragraph) > 0 {
			sep := " "
			if picture {
				sep = "\n"
			}
			book = append(book, passage{section: section, text: strings.Join(paragraph, sep), picture: picture})
		}
		paragraph = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case strings.HasPrefix(line, "```"):
			end(fenced)
			fenced = !fenced
		case fenced:
			paragraph = append(paragraph, line)
		case strings.HasPrefix(line, "#"):
			end(false)
			section = strings.Replace(strings.TrimLeft(line, "# "), ". ", " ", 1)
			book = append(book, passage{section: section})
		case strings.HasPrefix(line, "|"):
			end(false)
			switch cells := cellsOf(line); {
			case head == nil:
				head = cells
			case strings.Trim(line, "|-: ") == "":
			default:
				book = append(book, passage{section: section, text: line, cells: cells, head: head})
			}
			continue // within the table
		case strings.TrimSpace(line) == "":
			end(false)
		default:
			if item.MatchString(line) {
				end(false)
			}
			paragraph = append(paragraph, strings.TrimSpace(line))
		}
		head = nil
	}
	end(false)
	return book
}

// item is the beginning of an item of a list.
var item = regexp.MustCompile(`^\s*([-*]|[0-9]+\.) `)

// cellsOf splits a row of a table; a bar behind a backslash belongs to its cell.
func cellsOf(line string) []string {
	const bar = "\x00"
	line = strings.ReplaceAll(line, `\|`, bar)
	cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
	for i, c := range cells {
		cells[i] = strings.ReplaceAll(strings.TrimSpace(c), bar, "|")
	}
	return cells
}

// Sections are all headings: "6.2 Setup".
func (book Book) Sections() []string {
	var all []string
	for _, p := range book {
		if p.text == "" {
			all = append(all, p.section)
		}
	}
	return all
}

// IDs are the names of the rules that have one: OE-031, R-07, 11-20.
func (book Book) IDs() []string {
	var all []string
	for _, p := range book {
		if id := p.id(); id != "" && !slices.Contains(all, id) {
			all = append(all, id)
		}
	}
	return all
}

var (
	anID      = regexp.MustCompile(`(?i)^([A-Z]{1,2}|11)-?[0-9]+$`)
	aSection  = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?\.?$`)
	reference = regexp.MustCompile(`\b([A-Z]{1,2}|11)-[0-9]+\b`)
)

// id is the name of a row, "" if it has none.
func (p passage) id() string {
	if len(p.cells) == 0 || !reference.MatchString(p.cells[0]) || !anID.MatchString(p.cells[0]) {
		return ""
	}
	return p.cells[0]
}

// announces says whether a row is a rule whose table follows it.
func (p passage) announces() bool { return len(p.cells) > 1 && strings.HasSuffix(p.cells[1], ":") }

// An UnknownError is that of words that the rules don't have; it says what there is.
type UnknownError struct{ text string }

func (e *UnknownError) Error() string { return e.text }

func unknown(format string, args ...any) error { return &UnknownError{fmt.Sprintf(format, args...)} }

// Find prints what the words ask for: the rule of an id and where it is named, a section of a number, or every passage
// that holds all of them. game is for errors; words that there are not are an *UnknownError.
func (book Book) Find(w io.Writer, print Printer, game string, words []string) error {
	if len(words) == 1 {
		switch word := words[0]; {
		case anID.MatchString(word) && !aSection.MatchString(word):
			return book.writeID(w, print, game, strings.ToUpper(word))
		case aSection.MatchString(word):
			return book.writeSection(w, print, game, strings.TrimSuffix(word, "."))
		}
	}
	return book.writeSearch(w, print, game, words)
}

// writeID prints the rows of an id, and names where else it stands.
func (book Book) writeID(w io.Writer, print Printer, game, id string) error {
	ids := book.IDs()
	if padded := pad(id); !slices.Contains(ids, id) && slices.Contains(ids, padded) {
		id = padded
	}
	var rows []passage
	var also []string
	for i, p := range book {
		switch where := p.id(); {
		case where == id:
			rows = append(rows, p)
			for j := i + 1; p.announces() && j < len(book) && book[j].section == p.section && book[j].id() == ""; j++ {
				rows = append(rows, book[j])
			}
		case strings.Contains(p.text, id) && slices.Contains(reference.FindAllString(p.text, -1), id):
			if where == "" {
				where = "section " + p.section
			}
			if !slices.Contains(also, where) {
				also = append(also, where)
			}
		}
	}
	if len(rows) == 0 {
		hint := fmt.Sprintf("%s has %s", game, ranges(ids))
		if near := spelling.Nearest(id, ids); near != "" {
			hint = fmt.Sprintf("did you mean %s? %s", near, hint)
		}
		return unknown("unknown rule %s: %s", id, hint)
	}
	fmt.Fprintf(w, "%s\n", rows[0].section)
	for _, p := range rows {
		if err := p.write(w, print); err != nil {
			return err
		}
	}
	if len(also) == 0 {
		return nil
	}
	return print(w, "named by: ", strings.Join(also, ", "))
}

// pad writes the number of an id with three digits: OE-31 is OE-031.
func pad(id string) string {
	prefix, number, _ := strings.Cut(id, "-")
	return fmt.Sprintf("%s-%03s", prefix, number)
}

// ranges tells ids by the lowest and the highest of each kind.
func ranges(ids []string) string {
	split := func(id string) (kind string, number int) {
		kind, digits, _ := strings.Cut(id, "-")
		number, _ = strconv.Atoi(digits)
		return kind, number
	}
	ids = slices.Clone(ids)
	slices.SortStableFunc(ids, func(a, b string) int {
		kindA, numberA := split(a)
		kindB, numberB := split(b)
		return cmp.Or(cmp.Compare(len(kindB), len(kindA)), cmp.Compare(kindB, kindA), cmp.Compare(numberA, numberB))
	})
	var parts []string
	for i := 0; i < len(ids); {
		last := i
		for last+1 < len(ids) && strings.HasPrefix(ids[last+1], ids[i][:strings.Index(ids[i], "-")+1]) {
			last++
		}
		parts = append(parts, ids[i]+" to "+ids[last])
		i = last + 1
	}
	return strings.Join(parts, ", ")
}

func (book Book) writeSection(w io.Writer, print Printer, game, number string) error {
	found := false
	for _, p := range book {
		n, _, _ := strings.Cut(p.section, " ")
		if n != number && !strings.HasPrefix(n, number+".") {
			continue
		}
		if found && p.text == "" {
			fmt.Fprintln(w)
		}
		found = true
		if err := p.write(w, print); err != nil {
			return err
		}
	}
	if found {
		return nil
	}
	var numbers []string
	for _, s := range book.Sections() {
		if n, _, _ := strings.Cut(s, " "); aSection.MatchString(n) {
			numbers = append(numbers, n)
		}
	}
	return unknown("%s has no section %s: there are %s (see --contents)", game, number, strings.Join(numbers, ", "))
}

// writeSearch prints every passage that holds all words, below the heading of its section.
func (book Book) writeSearch(w io.Writer, print Printer, game string, words []string) error {
	section := ""
	for _, p := range book {
		if p.text == "" || !p.holds(words) {
			continue
		}
		if p.section != section {
			if section != "" {
				fmt.Fprintln(w)
			}
			section = p.section
			fmt.Fprintln(w, section)
		}
		if err := p.write(w, print); err != nil {
			return err
		}
	}
	if section != "" {
		return nil
	}
	for _, word := range words {
		if slices.ContainsFunc(book, func(p passage) bool { return p.holds([]string{word}) }) {
			continue
		}
		hint := ""
		if near := spelling.Nearest(word, book.vocabulary()); near != "" {
			hint = fmt.Sprintf(": did you mean %q?", near)
		}
		return unknown("the rules of %s do not have %q%s", game, word, hint)
	}
	return unknown("the rules of %s have no passage with all of: %s", game, strings.Join(words, ", "))
}

// holds says whether a passage has all words, whatever their case.
func (p passage) holds(words []string) bool {
	text := strings.ToLower(p.text)
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, strings.ToLower(word)) })
}

var aWord = regexp.MustCompile(`\pL{3,}`)

// vocabulary is every word of the rules.
func (book Book) vocabulary() []string {
	seen := map[string]bool{}
	var all []string
	for _, p := range book {
		for _, word := range aWord.FindAllString(strings.ToLower(p.text), -1) {
			if !seen[word] {
				seen[word] = true
				all = append(all, word)
			}
		}
	}
	return all
}

// write prints a passage for a screen: a row as its cells, each behind the head of its column but the first
// two, a paragraph on lines of their width.
func (p passage) write(w io.Writer, print Printer) error {
	switch {
	case p.text == "":
		_, err := fmt.Fprintf(w, "%s\n", p.section)
		return err
	case p.picture:
		_, err := fmt.Fprintf(w, "%s\n", p.text)
		return err
	case len(p.cells) == 0:
		return print(w, "  ", p.text)
	}
	var parts []string
	for i, cell := range p.cells {
		switch {
		case i == 0 || cell == "":
		case i == 1 || i >= len(p.head) || p.head[i] == "":
			parts = append(parts, cell)
		default:
			parts = append(parts, fmt.Sprintf("[%s: %s]", strings.ToLower(p.head[i]), cell))
		}
	}
	const most = 24 // of a first cell that others are indented by
	head := "  " + p.cells[0] + "  "
	if utf8.RuneCountInString(head) > most {
		head, parts = "  ", append([]string{p.cells[0] + ":"}, parts...)
	}
	return print(w, head, strings.Join(parts, " "))
}
