package games_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// gameRooms are the files that all games have, each for the same thing and of the same kind. Beside them stands a file
// for each chapter of the rules, which doc.go lists.
var gameRooms = map[string]string{
	"flow.go": "rules", "hidden.go": "rules",
	"position.go": "position", "check.go": "position",
	"observation.go": "observation", "observe.go": "observation", "outlook.go": "observation",
	"ask.go": "view", "story.go": "view", "svg.go": "view", "text.go": "view",
	"data.go":    "data",
	"actions.go": "plumbing", "doc.go": "plumbing", "game.go": "plumbing", "state.go": "plumbing",
}

// sideRooms are files that some games have, by kind.
var sideRooms = map[string]string{
	"decisions.go": "rules", "legal.go": "rules", "technology.go": "rules", "hands.go": "rules", "board.go": "rules",
	"stages.go": "rules", "scenes.go": "rules",
	"fits.go": "position", "lacks.go": "position", "pending.go": "position",
	"prospects.go": "observation",
	"choices.go":   "view", "why.go": "view", "panel.go": "view", "svg_side.go": "view", "svg_counter.go": "view",
	"words.go":      "view",
	"components.go": "data",
}

// lineKinds are the kinds of lines in the order of the table.
var lineKinds = []string{"rules", "position", "observation", "view", "data", "plumbing"}

// longest is the most lines of a file of a game, of at most 120 columns each.
const longest = 620

func TestRooms(t *testing.T) {
	envtest.NothingToRace(t)
	for _, rb := range games.All() {
		dir, err := gameDir(rb)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, fault := range roomFaults(filepath.Join("..", filepath.FromSlash(dir))) {
			t.Errorf("%s: %s", rb.Name, fault)
		}
	}
}

// roomFaults reports rooms that a game lacks, files that are too long, and what is wrong with the chapters in doc.go:
// every rule belongs to one of them.
func roomFaults(dir string) []string {
	var faults []string
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	files, _ := filepath.Glob(filepath.Join(dir, "*.go")) // The pattern is well-formed.
	text := map[string]string{}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			fault("%v", err)
			continue
		}
		text[filepath.Base(file)] = string(b)
		if n := strings.Count(string(b), "\n"); n > longest {
			fault("%s has %d lines; split what does more than one thing (at most %d)", filepath.Base(file), n, longest)
		}
	}
	for _, room := range slices.Sorted(maps.Keys(gameRooms)) {
		if _, ok := text[room]; !ok {
			fault("there is no %s", room)
		}
	}
	coverage, err := envtest.RuleCoverage(dir)
	if err != nil {
		fault("%v", err)
		return faults
	}
	chapter := map[string]string{} // by rule
	for _, c := range chapters(text["doc.go"]) {
		if _, ok := text[c.file]; !ok {
			fault("doc.go lists %s, which is not there", c.file)
		}
		for _, rule := range coverage.Rules {
			id := rule.ID
			if !c.has(id) {
				continue
			}
			if other, ok := chapter[id]; ok {
				fault("doc.go puts rule %s into %s and %s", id, other, c.file)
			}
			chapter[id] = c.file
		}
	}
	var homeless []string
	for _, rule := range coverage.Rules {
		if chapter[rule.ID] == "" {
			homeless = append(homeless, rule.ID)
		}
	}
	if homeless != nil {
		fault("doc.go puts these rules into no file: %s", strings.Join(homeless, ", "))
	}
	return faults
}

// TestLines shows with -v what the lines of the games are for: comments count, blank lines and tests don't. A file that
// is neither a room nor a chapter of doc.go has no kind.
func TestLines(t *testing.T) {
	table := fmt.Sprintf("%-18s%7s", "game", "lines")
	for _, kind := range lineKinds {
		table += fmt.Sprintf("%13s", kind)
	}
	all := map[string]int{}
	for _, rb := range games.All() {
		dir := must.Have(gameDir(rb))(t)
		lines, err := linesByKind(filepath.Join("..", filepath.FromSlash(dir)))
		if err != nil {
			t.Error(err)
		}
		for kind, n := range lines {
			all[kind] += n
		}
		table += lineRow(rb.Name, lines)
	}
	t.Log("\n" + table + lineRow("all", all))
}

func linesByKind(dir string) (map[string]int, error) {
	doc, err := os.ReadFile(filepath.Join(dir, "doc.go"))
	if err != nil {
		return nil, err
	}
	kinds := map[string]string{}
	for _, c := range chapters(string(doc)) {
		kinds[c.file] = "rules"
	}
	maps.Copy(kinds, sideRooms)
	maps.Copy(kinds, gameRooms)
	files, _ := filepath.Glob(filepath.Join(dir, "*.go")) // The pattern is well-formed.
	lines := map[string]int{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		kind, ok := kinds[filepath.Base(file)]
		if !ok {
			return nil, fmt.Errorf("%s is of no kind: list it in doc.go as a chapter, or among the rooms", file)
		}
		b, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(b)) {
			if strings.TrimSpace(line) != "" {
				lines[kind]++
			}
		}
	}
	return lines, nil
}

func lineRow(name string, lines map[string]int) string {
	sum := 0
	for _, n := range lines {
		sum += n
	}
	row := fmt.Sprintf("\n%-18s%7d", name, sum)
	for _, kind := range lineKinds {
		row += fmt.Sprintf("%7d %3.0f %%", lines[kind], 100*float64(lines[kind])/float64(sum))
	}
	return row
}

// chapterFile is a file of doc.go's list, with the ranges of its rules.
type chapterFile struct {
	file   string
	ranges [][2]string // first and last id
}

var (
	chapterLine = regexp.MustCompile(`(?m)^//\t(\w+\.go) .*\(([A-Z]+-[^)]*)\)$`)
	rangeText   = regexp.MustCompile(`([A-Z]+-\d+)(?: to ([A-Z]+-\d+))?`)
)

func chapters(doc string) []chapterFile {
	var list []chapterFile
	for _, line := range chapterLine.FindAllStringSubmatch(doc, -1) {
		c := chapterFile{file: line[1]}
		for _, r := range rangeText.FindAllStringSubmatch(line[2], -1) {
			last := r[2]
			if last == "" {
				last = r[1]
			}
			c.ranges = append(c.ranges, [2]string{r[1], last})
		}
		list = append(list, c)
	}
	return list
}

// has says whether a rule is in the chapter. Ids have the same number of digits all through a rulebook.
func (c chapterFile) has(id string) bool {
	return slices.ContainsFunc(c.ranges, func(r [2]string) bool { return r[0] <= id && id <= r[1] })
}

func TestRoomFaults(t *testing.T) {
	dir := t.TempDir()
	for file, text := range map[string]string{
		"doc.go": "// Package p\n//\n//\tflow.go  order (PP-001 to PP-003, PP-005)\n//\tgone.go  what is gone (PP-003, " +
			"PP-004)\npackage p\n",
		"flow.go":  "package p\n" + strings.Repeat("\n", longest),
		"RULES.md": "| PP-001 | a |\n| PP-003 | b |\n| PP-004 | c |\n| PP-006 | d |\n",
	} {
		must.Do(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644))
	}
	got := strings.Join(roomFaults(dir), "\n")
	for _, want := range []string{
		"flow.go has 621 lines", "there is no story.go", "doc.go lists gone.go, which is not there",
		"doc.go puts rule PP-003 into flow.go and gone.go", "doc.go puts these rules into no file: PP-006",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not among\n%s", want, got)
		}
	}
	for _, fine := range []string{"there is no flow.go", "PP-001", "PP-004"} {
		if strings.Contains(got, fine) {
			t.Errorf("%q is among\n%s", fine, got)
		}
	}
}
