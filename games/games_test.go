package games_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"earthgym/env/envtest/must"
	"earthgym/games"
)

// Every action belongs to a family, by which usage is counted; a family is one block of the table.
func TestFamilies(t *testing.T) {
	for _, rb := range games.All() {
		g := must.Have(games.Open(rb.Name))(t)
		seen, last := map[string]bool{}, ""
		for i, a := range g.Info().Actions {
			if a.Family == "" || a.Family != last && seen[a.Family] {
				t.Errorf("%s: action %d, %q, is of the family %q", rb.Name, i, a.Text, a.Family)
			}
			seen[a.Family], last = true, a.Family
		}
	}
}

func TestFindAndOpen(t *testing.T) {
	for _, rb := range games.All() {
		if found, err := games.Find(rb.Name); err != nil || found.Name != rb.Name {
			t.Errorf("%s is not found by its name: %v", rb.Name, err)
		}
		g, err := games.Open(rb.Name)
		if err != nil {
			t.Errorf("%s does not open at its defaults: %v", rb.Name, err)
		} else if g.Info().Name != rb.Name {
			t.Errorf("%s opens as %s", rb.Name, g.Info().Name)
		}
	}
	for name, text := range map[string]func(string) (string, error){"RULES.md": games.Rules, "HOWTO.md": games.HowTo} {
		for _, rb := range games.All() {
			dir := must.Have(gameDir(rb))(t)
			want := must.Have(os.ReadFile(filepath.Join("..", filepath.FromSlash(dir), name)))(t)
			if got, err := text(rb.Name); err != nil || got != string(want) {
				t.Errorf("%s of %s is not that of %s: %v", name, rb.Name, dir, err)
			}
		}
		if _, err := text("khun"); err == nil || !strings.Contains(err.Error(), `unknown game "khun"`) {
			t.Errorf("%s of khun: %v", name, err)
		}
	}
	// The test game is not for players.
	if _, err := games.Open("kuhn"); err == nil || !strings.Contains(err.Error(), `unknown game "kuhn"`) {
		t.Errorf("opening kuhn gives %v", err)
	}
	if _, err := games.ReadData([]string{"missing.toml"}); err == nil {
		t.Error("a missing data file is no error")
	}
}
