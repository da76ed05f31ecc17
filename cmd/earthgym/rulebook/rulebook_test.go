package rulebook

import (
	"path/filepath"
	"strings"
	"testing"

	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// Every rule is found by its id, whatever its case, and every section by its number.
func TestRulesFindsEverything(t *testing.T) {
	for game, dir := range map[string]string{
		"one-earth": "oneearth", "earth-rising": "earthrising", "new-earth": "newearth", "resilience-earth": "resilience",
		"earthmans-burden": "earthman",
	} {
		coverage := must.Have(envtest.RuleCoverage(filepath.Join("..", "..", "..", "games", dir)))(t)
		text := must.Have(games.Rules(game))(t)
		book := Read(text)
		look := func(word string) string {
			t.Helper()
			var b strings.Builder
			if err := book.Find(&b, Plain, game, []string{word}); err != nil {
				t.Fatalf("%s: %v", game, err)
			}
			return b.String()
		}
		for _, rule := range coverage.Rules {
			got := look(strings.ToLower(rule.ID))
			if !strings.Contains(got, "\n  "+rule.ID+"  ") {
				t.Errorf("%s: %s: got %q", game, rule.ID, got)
			}
		}
		numbers := 0
		for _, section := range book.Sections() {
			if number, _, _ := strings.Cut(section, " "); aSection.MatchString(number) {
				numbers++
				if got := look(number); !strings.HasPrefix(got, section+"\n") {
					t.Errorf("%s: section %s: got %.100q", game, number, got)
				}
			}
		}
		if numbers < 10 {
			t.Errorf("%s: only %d sections", game, numbers)
		}
	}
}

func TestReadRules(t *testing.T) {
	book := Read(`# A game

Text
goes on.

- one
* two

## 1. Tables

| id | rule | | source |
|---|---|---|---|
| AB-001 | Move \| stay. | Move | L1 |
| AB-002 | See AB-001. | | |
| AB-003 | As here: | | |

| n | target |
|---|---|
| 2 | 20 |

After it.

` + "```\na | board\n  of text\n```\n")
	var got []string
	for _, p := range book {
		got = append(got, p.section+": "+p.text)
	}
	want := []string{
		"A game: ", "A game: Text goes on.", "A game: - one", "A game: * two", "1 Tables: ",
		`1 Tables: | AB-001 | Move \| stay. | Move | L1 |`, "1 Tables: | AB-002 | See AB-001. | | |",
		"1 Tables: | AB-003 | As here: | | |", "1 Tables: | 2 | 20 |", "1 Tables: After it.",
		"1 Tables: a | board\n  of text",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, tt := range []struct{ words, want, err string }{
		{"AB-001", "1 Tables\n  AB-001  Move | stay. Move [source: L1]\nnamed by: AB-002\n", ""},
		{"ab-1", "1 Tables\n  AB-001  Move | stay. Move [source: L1]\nnamed by: AB-002\n", ""},
		{"1", "1 Tables\n  AB-001  Move | stay. Move [source: L1]\n  AB-002  See AB-001.\n  AB-003  As here:\n  2  20\n  " +
			"After it.\na | board\n  of text\n", ""},
		{"STAY move", "1 Tables\n  AB-001  Move | stay. Move [source: L1]\n", ""},
		{"AB-3", "1 Tables\n  AB-003  As here:\n  2  20\n  After it.\na | board\n  of text\n", ""},
		{"AB-009", "", "unknown rule AB-009: did you mean AB-001? game has AB-001 to AB-003"},
		{"7", "", "game has no section 7: there are 1 (see --contents)"},
		{"stay mvoe", "", `the rules of game do not have "mvoe": did you mean "move"?`},
		{"stay text", "", "the rules of game have no passage with all of: stay, text"},
		{"xylophone", "", `the rules of game do not have "xylophone"`},
	} {
		var b strings.Builder
		err := book.Find(&b, Plain, "game", strings.Fields(tt.words))
		if b.String() != tt.want || tt.err == "" != (err == nil) || err != nil && err.Error() != tt.err {
			t.Errorf("%s: got %q, %v", tt.words, b.String(), err)
		}
	}
}
