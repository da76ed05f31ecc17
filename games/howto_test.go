package games_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"earthgym/env/envtest/must"
	"earthgym/env/registry"
	"earthgym/games"
)

// Every game has an introduction of two pages, with the options that there are.
func TestHowTo(t *testing.T) {
	for _, rb := range games.All() {
		dir := must.Have(gameDir(rb))(t)
		file := filepath.Join("..", filepath.FromSlash(dir), "HOWTO.md")
		b, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
			continue
		}
		if flag.Lookup("update").Value.String() == "true" {
			b = []byte(withOptions(string(b), optionTable(rb)))
			must.Do(t, os.WriteFile(file, b, 0o644))
		}
		for _, fault := range howToFaults(string(b), rb, filepath.Dir(file)) {
			t.Errorf("%s: %s", file, fault)
		}
	}
}

var (
	picture  = regexp.MustCompile(`!\[[^\]]+\]\(([^)]+)\)`)
	optioned = regexp.MustCompile(`(?s)(<!-- options: written by make golden -->\n).*?(<!-- end of options -->)`)
	named    = regexp.MustCompile("`((?:" + strings.Join(games.All().Names(), "|") + ")(?::[^` ]*)?)`")
)

// withOptions puts the table of options where it belongs.
func withOptions(text, table string) string {
	return optioned.ReplaceAllString(text, "${1}"+strings.ReplaceAll(table, "$", "$$")+"${2}")
}

// howToFaults reports what a HOWTO.md lacks, where it is out of step with its game, and links to nothing.
func howToFaults(text string, rb *registry.Rulebook, dir string) []string {
	const twoPages = 110 // lines without the options
	var faults []string
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	at := 0
	for _, part := range []string{"# How to play " + rb.Title, "## The aim", "## A turn", "## Three pieces of advice",
		"## What differs from the box", "## Options"} {
		next := strings.Index(text[at:], part+"\n")
		if next < 0 {
			fault("no part %q, or not in its place", part)
			continue
		}
		at += next
	}
	if n := strings.Count(optioned.ReplaceAllString(text, ""), "\n"); n > twoPages {
		fault("%d lines, more than two pages", n)
	}
	for line := range strings.Lines(optioned.ReplaceAllString(text, "")) {
		if n := utf8.RuneCountInString(line); n > 121 {
			fault("a line of %d characters: %s", n, line)
		}
	}
	pictures := picture.FindAllStringSubmatch(text, -1)
	if len(pictures) != 1 {
		fault("%d boards, not one", len(pictures))
	}
	for _, p := range pictures {
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(p[1]))); err != nil {
			fault("no board: %v", err)
		}
	}
	for _, m := range named.FindAllStringSubmatch(text, -1) {
		if _, err := games.Open(m[1]); err != nil {
			fault("%v", err)
		}
	}
	if m := optioned.FindString(text); m != optioned.FindString(withOptions(text, optionTable(rb))) || m == "" {
		fault("the table of options is not that of the game: make golden")
	}
	return faults
}

// optionTable is the options of a game as a table in Markdown.
func optionTable(rb *registry.Rulebook) string {
	var b strings.Builder
	b.WriteString("\n| option | default | what it is | values |\n|---|---|---|---|\n")
	cell := func(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
	for _, o := range rb.Options {
		def := "follows"
		if o.Default != "" {
			def = "`" + o.Default + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", o.Name, cell(def), cell(o.Help), cell(o.Allowed()))
	}
	b.WriteString("\n")
	return b.String()
}

func TestHowToFaults(t *testing.T) {
	rb := games.All()[0]
	b := must.Have(os.ReadFile(filepath.Join("oneearth", "HOWTO.md")))(t)
	good := string(b)
	for _, tt := range []struct{ what, old, new, want string }{
		{"an option that is gone", "| `target` |", "| `trget` |", "make golden"},
		{"another default", "| `20` |", "| `21` |", "make golden"},
		{"no marks", "<!-- end of options -->", "", "make golden"},
		{"a part missing", "## The aim", "## Aim", `no part "## The aim"`},
		{"no board", "testdata/golden/turn-actor.svg", "testdata/golden/none.svg", "no board"},
		{"an option that there is not", "mode=advanced", "mod=advanced", "unknown option"},
		{"three pages", "## A turn\n", "## A turn\n" + strings.Repeat("\n", 60), "more than two pages"},
	} {
		bad := strings.Replace(good, tt.old, tt.new, 1)
		faults := strings.Join(howToFaults(bad, rb, "oneearth"), "\n")
		if bad == good || !strings.Contains(faults, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.what, faults, tt.want)
		}
	}
	if faults := howToFaults(good, rb, "oneearth"); len(faults) > 0 {
		t.Errorf("%q", faults)
	}
}
