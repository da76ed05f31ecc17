package main

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"earthgym/cmd/earthgym/web"
	"earthgym/env"
	"earthgym/games"

	"github.com/pelletier/go-toml/v2"
)

// A second language is a file: one that has all of a game's story, of the pages all that a table shows, and nearly all
// that the table itself says.
func TestSecondLanguage(t *testing.T) {
	const file = "testdata/german.toml"
	g, err := games.Open("resilience-earth:players=2")
	if err != nil {
		t.Fatal(err)
	}
	words, err := openWords(file, g)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var has struct{ Sentences, Changes, Page, Table map[string]string }
	if err := toml.Unmarshal(b, &has); err != nil {
		t.Fatal(err)
	}
	for _, key := range words.Keys() {
		if has.Sentences[key] == "" {
			t.Errorf("it has no sentence %q", key)
		}
	}
	for _, key := range words.ChangeKeys() {
		if has.Changes[key] == "" {
			t.Errorf("it has no change %q", key)
		}
	}
	page, err := os.ReadFile("web/page/index.html")
	if err != nil {
		t.Fatal(err)
	}
	labels, err := web.Labels()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`>([^<>]*[A-Za-z][^<>]*)<|(?:title|aria-label|placeholder|data-empty)="([^"]+)"`).FindAllSubmatch(page, -1) {
		text := strings.TrimSpace(string(m[1]) + string(m[2]))
		if slices.Contains(labels, text) && has.Page[text] == "" && !strings.Contains(text, "JavaScript") && text != "Pages" {
			t.Errorf("it has no %q", text)
		}
	}
	texts, missing := tableTexts(g), 0
	for _, text := range texts {
		if has.Table[text] == "" {
			missing++
			t.Logf("the table still says %q", text)
		}
	}
	if 10*missing > len(texts) {
		t.Errorf("%d of %d texts of the table are missing", missing, len(texts))
	}

	ref, err := env.NewReferee(g, 3)
	if err != nil {
		t.Fatal(err)
	}
	for ref.Actor() != env.Over {
		m := ref.View().Mask()
		if err := ref.Play(m.Nth(ref.Decisions() * 7 % m.Count())); err != nil {
			t.Fatal(err)
		}
	}
	var told bytes.Buffer
	if err := writeLog(&told, ref.Record(nil), g, words, env.Spectator); err != nil {
		t.Fatal(err)
	}
	for _, english := range []string{"player", "round", "field", "tower", "wins"} {
		if strings.Contains(told.String(), english+" ") {
			t.Errorf("the story still says %q", english)
		}
	}
	if !strings.Contains(told.String(), "Spieler 0") || !strings.Contains(told.String(), "Runde 2 beginnt") {
		t.Errorf("the story is\n%s", told.String())
	}
}
