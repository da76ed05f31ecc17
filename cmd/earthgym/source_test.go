package main

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"earthgym/env/envtest"
)

const columns = 120 // that a line of the program may have; a tab is one

// TestSource holds how all files of Go are laid out, beyond what gofmt does.
func TestSource(t *testing.T) {
	envtest.NothingToRace(t)
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root {
			// What is not the program's own is not looked at: environments, runs, what was built.
			if name := d.Name(); strings.HasPrefix(name, ".") || name == "bin" || name == "runs" || name == "dist" {
				return filepath.SkipDir
			}
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if bytes.HasPrefix(text, []byte("// Code generated ")) {
			return nil
		}
		for _, fault := range sourceFaults(text) {
			t.Errorf("%s:%s", path, fault)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// sourceFaults are lines that are too long, but for texts in backquotes, which nothing can break, and imports that do
// not stand in their order: those of Go, others', the program's own.
func sourceFaults(text []byte) (faults []string) {
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(text))
	raw := map[int]bool{} // lines of texts in backquotes
	var s scanner.Scanner
	s.Init(file, text, nil, 0)
	for pos, tok, lit := s.Scan(); tok != token.EOF; pos, tok, lit = s.Scan() {
		if tok == token.STRING && lit[0] == '`' {
			for n := range strings.Count(lit, "\n") + 1 {
				raw[file.Line(pos)+n] = true
			}
		}
	}
	for i, line := range strings.Split(string(text), "\n") {
		if n := utf8.RuneCountInString(line); n > columns && !raw[i+1] {
			faults = append(faults, fmt.Sprintf("%d: the line has %d columns, and may have %d", i+1, n, columns))
		}
	}
	parsed, err := parser.ParseFile(fset, "", text, parser.ImportsOnly)
	if err != nil {
		return append(faults, "1: "+err.Error())
	}
	last, line := "", 0
	for _, spec := range parsed.Imports {
		path, _ := strconv.Unquote(spec.Path.Value) // The parser has read it.
		first, _, _ := strings.Cut(path, "/")
		group := "0 "
		switch {
		case first == "earthgym":
			group = "2 "
		case strings.Contains(first, "."):
			group = "1 "
		}
		at := fset.Position(spec.Pos()).Line
		switch {
		case group+path < last:
			faults = append(faults, fmt.Sprintf("%d: %s comes before %s: Go's, others', own, each by name", at, path, last[2:]))
		case last != "" && last[:2] != group && at == line+1:
			faults = append(faults, fmt.Sprintf("%d: a blank line stands before %s", at, path))
		}
		last, line = group+path, at
	}
	return faults
}

func TestSourceFaults(t *testing.T) {
	long := strings.Repeat("x", columns)
	for _, tt := range []struct{ text, want string }{
		{"package p\n// " + long + "\n", "2: the line has 123 columns, and may have 120"},
		{"package p\nconst a = `\n" + long + "x`\n", ""},
		{"package p\n// " + strings.Repeat("ü", columns-3) + "\n", ""},
		{"package p\nimport (\n\t\"fmt\"\n\t\"errors\"\n)\n", "4: errors comes before fmt: Go's, others', own, each by name"},
		{"package p\nimport (\n\t\"fmt\"\n\t\"earthgym/env\"\n)\n", "4: a blank line stands before earthgym/env"},
		{"package p\nimport (\n\t\"fmt\"\n\n\t\"earthgym/env\"\n\n\t\"x.org/y\"\n)\n",
			"7: x.org/y comes before earthgym/env: Go's, others', own, each by name"},
		{"package p\nimport (\n\t\"fmt\"\n\n\t\"x.org/y\"\n\n\t\"earthgym/env\"\n)\n", ""},
	} {
		if got := strings.Join(sourceFaults([]byte(tt.text)), "; "); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.text, got, tt.want)
		}
	}
}
