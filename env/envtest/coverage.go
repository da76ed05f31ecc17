package envtest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A Rule is a rule of RULES.md and the places that test it.
type Rule struct {
	ID    string   // "RE-001"
	Tests []string // "stones_test.go:41", in order; each test file and scenario line that names the id
}

// Coverage says what is tested of the rules of a game.
type Coverage struct {
	Rules []Rule // in the order of RULES.md
	// Unknown are places in tests that name an id which RULES.md does not define.
	Unknown []string
}

// Untested lists the ids that no test names.
func (c *Coverage) Untested() []string {
	var ids []string
	for _, r := range c.Rules {
		if len(r.Tests) == 0 {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

var (
	definition = regexp.MustCompile(`(?m)^\| *\*{0,2}([A-Z]{2}-\d+[a-z]?(?:\.\d+)*)\*{0,2} *\|`)
	mention    = regexp.MustCompile(`\b[A-Z]{2}-\d+[a-z]?(?:\.\d+)*\b`)
)

// RuleCoverage reads a game's package directory: the rules, which are the rows of tables in RULES.md
// that begin with an id, and the test files and scenarios that name them. Ids with other letters than
// those of RULES.md are none.
func RuleCoverage(dir string) (*Coverage, error) {
	book, err := os.ReadFile(filepath.Join(dir, "RULES.md"))
	if err != nil {
		return nil, err
	}
	c := &Coverage{}
	index, prefixes := map[string]int{}, map[string]bool{}
	for _, id := range definedRules(book) {
		if _, ok := index[id]; ok {
			return nil, fmt.Errorf("%s: rule %s is defined twice", filepath.Join(dir, "RULES.md"), id)
		}
		index[id] = len(c.Rules)
		prefixes[id[:2]] = true
		c.Rules = append(c.Rules, Rule{ID: id})
	}
	if len(c.Rules) == 0 {
		return nil, fmt.Errorf("%s defines no rule: a row of a table that begins | XX-001 |", filepath.Join(dir, "RULES.md"))
	}
	tests, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return nil, err
	}
	scenarios, err := filepath.Glob(filepath.Join(dir, "testdata", "scenarios", "*.toml"))
	if err != nil {
		return nil, err
	}
	for _, file := range append(tests, scenarios...) {
		b, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for n, line := range strings.Split(string(b), "\n") {
			place := fmt.Sprintf("%s:%d", filepath.Base(file), n+1)
			for _, id := range mention.FindAllString(line, -1) {
				switch i, ok := index[id]; {
				case !prefixes[id[:2]]:
				case !ok:
					c.Unknown = append(c.Unknown, place+" names "+id)
				case !slices.Contains(c.Rules[i].Tests, place):
					c.Rules[i].Tests = append(c.Rules[i].Tests, place)
				}
			}
		}
	}
	return c, nil
}

// String is the coverage rule by rule.
func (c *Coverage) String() string {
	var b strings.Builder
	for _, r := range c.Rules {
		where := "no test"
		if len(r.Tests) > 0 {
			where = strings.Join(r.Tests, " ")
		}
		fmt.Fprintf(&b, "%s %s\n", r.ID, where)
	}
	return b.String()
}

// Rules are the ids that a RULES.md defines, in its order. They belong to one goroutine.
type Rules struct {
	ids  []string
	read map[string]error // what is wrong with the reasons that have been read
}

// RulesOf are the rules of a RULES.md; there may be none.
func RulesOf(book []byte) *Rules { return &Rules{ids: definedRules(book), read: map[string]error{}} }

// definedRules are the ids that a book of rules defines, in its order.
func definedRules(book []byte) []string {
	var ids []string
	for _, m := range definition.FindAllSubmatch(book, -1) {
		ids = append(ids, string(m[1]))
	}
	return ids
}
