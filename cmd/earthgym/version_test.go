package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"earthgym/env/envtest/must"
)

// The program, the Python package and CHANGELOG.md say the same version.
func TestVersions(t *testing.T) {
	read := func(name string) string {
		t.Helper()
		return string(must.Have(os.ReadFile("../../" + name))(t))
	}
	want := must.Have(changelogVersion(read("CHANGELOG.md")))(t)
	if version != want {
		t.Errorf("the program is version %s, CHANGELOG.md says %s", version, want)
	}
	// PEP 440 spells 0.2.0-dev as 0.2.0.dev0.
	python := strings.Replace(want, "-dev", ".dev0", 1)
	for name, line := range map[string]string{
		"env/pipe/python/pyproject.toml":           fmt.Sprintf("version = %q", python),
		"env/pipe/python/src/earthgym/__init__.py": fmt.Sprintf("__version__ = %q", python),
	} {
		if !strings.Contains(read(name), "\n"+line+"\n") {
			t.Errorf("%s: want the line %s", name, line)
		}
	}
}

var section = regexp.MustCompile(`(?m)^## (.*)$`)

// changelogVersion is the version that a program has whose changes are these: the sections are "## 0.2.0, not
// released" or "## 0.1.0, 2026-11-21", newest first, and only the first may wait for its release.
func changelogVersion(text string) (string, error) {
	heading := regexp.MustCompile(`^([0-9]+)\.([0-9]+)\.([0-9]+), (not released|[0-9]{4}-[0-9]{2}-[0-9]{2})$`)
	version, last := "", ""
	for i, s := range section.FindAllStringSubmatch(text, -1) {
		m := heading.FindStringSubmatch(s[1])
		if m == nil {
			return "", fmt.Errorf("CHANGELOG.md: section %q is not of the form 0.2.0, not released or 0.1.0, 2026-11-21", s[1])
		}
		number := fmt.Sprintf("%06s.%06s.%06s", m[1], m[2], m[3])
		switch waits := m[4] == "not released"; {
		case i == 0:
			version = strings.Join(m[1:4], ".")
			if waits {
				version += "-dev"
			}
		case waits:
			return "", fmt.Errorf("CHANGELOG.md: %s waits for its release, and a newer version is above it", s[1])
		case number >= last:
			return "", fmt.Errorf("CHANGELOG.md: %s is below an older version", s[1])
		}
		last = number
	}
	if version == "" {
		return "", fmt.Errorf("CHANGELOG.md has no section")
	}
	return version, nil
}

func TestChangelogVersion(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"# Changes\n\n## 0.2.0, not released\n\n### Games\n\n## 0.1.0, 2026-11-21\n", "0.2.0-dev"},
		{"## 0.10.0, 2027-01-01\n\n## 0.9.0, 2026-11-21\n", "0.10.0"},
		{"## Unreleased\n", ""},
		{"## 0.1.0, 2026-11-21\n\n## 0.2.0, 2026-11-22\n", ""},
		{"## 0.2.0, 2026-11-22\n\n## 0.1.0, not released\n", ""},
		{"# Changes\n", ""},
	} {
		if got, err := changelogVersion(tt.text); got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%q: got %q, %v", tt.text, got, err)
		}
	}
}
