package main

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"earthgym/env"
	"earthgym/games"

	"github.com/spf13/cobra"
)

func newRules() *cobra.Command {
	var howTo, contents bool
	cmd := &cobra.Command{
		Use:   "rules GAME [ID|SECTION|WORD…]",
		Short: "Print the rules of a game, one of them, or those with given words",
		Long: `Print the rules of a game: all of RULES.md, which numbers them; the rule of an id, and where it is named;
a section by its number; or every rule and paragraph that holds all of the given words. With --howto, print
the introduction for people instead: the aim, a turn, advice, the options.`,
		Example: `  earthgym rules one-earth --howto
  earthgym rules one-earth OE-031
  earthgym rules new-earth --contents
  earthgym rules new-earth 6.6
  earthgym rules resilience-earth industry smog`,
		Args: wordsAllowed(1, -1, "the game"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runRules(cmd.OutOrStdout(), args[0], args[1:], howTo, contents)
		},
	}
	cmd.Flags().BoolVar(&howTo, "howto", false, "the introduction for people")
	cmd.Flags().BoolVar(&contents, "contents", false, "the sections")
	cmd.ValidArgsFunction = completeName
	return cmd
}

func runRules(w io.Writer, game string, words []string, howTo, contents bool) error {
	name, _, _ := strings.Cut(game, ":") // The rules are those of all variants.
	text, err := games.Rules(name)
	if howTo {
		text, err = games.HowTo(name)
	}
	if err != nil {
		return usage(err)
	}
	switch {
	case (howTo || contents) && len(words) > 0 || howTo && contents:
		return usagef("--howto, --contents and words exclude each other")
	case contents:
		for _, s := range readRules(text).sections() {
			fmt.Fprintln(w, s)
		}
		return nil
	case len(words) == 0:
		_, err := io.WriteString(w, text)
		return err
	}
	return readRules(text).find(w, name, words)
}

// rules is a RULES.md taken apart.
type rules []passage

// A passage is a row of a table, or a paragraph or picture in text.
type passage struct {
	section string   // its heading: "6.2 Setup"
	text    string   // as it stands there
	cells   []string // of a row
	head    []string // of the row's table
	picture bool     // keeps its lines
}

// readRules takes Markdown apart: headings, paragraphs, tables, and what is fenced.
func readRules(text string) rules {
	var book rules
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

// sections are all headings.
func (book rules) sections() []string {
	var all []string
	for _, p := range book {
		if p.text == "" {
			all = append(all, p.section)
		}
	}
	return all
}

// ids are the names of the rows that have one: OE-031, R-07, 11-20.
func (book rules) ids() []string {
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

// find prints what the words ask for.
func (book rules) find(w io.Writer, game string, words []string) error {
	if len(words) == 1 {
		switch word := words[0]; {
		case anID.MatchString(word) && !aSection.MatchString(word):
			return book.writeID(w, game, strings.ToUpper(word))
		case aSection.MatchString(word):
			return book.writeSection(w, game, strings.TrimSuffix(word, "."))
		}
	}
	return book.writeSearch(w, game, words)
}

// writeID prints the rows of an id, and names where else it stands.
func (book rules) writeID(w io.Writer, game, id string) error {
	ids := book.ids()
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
		if near := env.Nearest(id, ids); near != "" {
			hint = fmt.Sprintf("did you mean %s? %s", near, hint)
		}
		return usagef("unknown rule %s: %s", id, hint)
	}
	fmt.Fprintf(w, "%s\n", rows[0].section)
	for _, p := range rows {
		if err := p.write(w); err != nil {
			return err
		}
	}
	if len(also) == 0 {
		return nil
	}
	return writeWrapped(w, "named by: ", strings.Join(also, ", "))
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

// writeSection prints a section and those below it.
func (book rules) writeSection(w io.Writer, game, number string) error {
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
		if err := p.write(w); err != nil {
			return err
		}
	}
	if found {
		return nil
	}
	var numbers []string
	for _, s := range book.sections() {
		if n, _, _ := strings.Cut(s, " "); aSection.MatchString(n) {
			numbers = append(numbers, n)
		}
	}
	return usagef("%s has no section %s: there are %s (see --contents)", game, number, strings.Join(numbers, ", "))
}

// writeSearch prints every passage that holds all words, below the heading of its section.
func (book rules) writeSearch(w io.Writer, game string, words []string) error {
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
		if err := p.write(w); err != nil {
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
		if near := env.Nearest(word, book.vocabulary()); near != "" {
			hint = fmt.Sprintf(": did you mean %q?", near)
		}
		return usagef("the rules of %s do not have %q%s", game, word, hint)
	}
	return usagef("the rules of %s have no passage with all of: %s", game, strings.Join(words, ", "))
}

// holds says whether a passage has all words, whatever their case.
func (p passage) holds(words []string) bool {
	text := strings.ToLower(p.text)
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, strings.ToLower(word)) })
}

var aWord = regexp.MustCompile(`\pL{3,}`)

// vocabulary is every word of the rules.
func (book rules) vocabulary() []string {
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
func (p passage) write(w io.Writer) error {
	switch {
	case p.text == "":
		_, err := fmt.Fprintf(w, "%s\n", p.section)
		return err
	case p.picture:
		_, err := fmt.Fprintf(w, "%s\n", p.text)
		return err
	case len(p.cells) == 0:
		return writeWrapped(w, "  ", p.text)
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
	return writeWrapped(w, head, strings.Join(parts, " "))
}
