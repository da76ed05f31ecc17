package env_test

import (
	"slices"
	"strings"
	"testing"

	"earthgym/env"
)

// tableWords are words with a table of texts.
func tableWords(texts string) (*env.Words, error) {
	return env.ReadWords(env.DataFile{Name: "de.toml", Bytes: []byte("language = \"de\"\n[general]\nplayer = \"Spieler {n}\"\nhidden = \"jemand\"\nand = \"und\"\n[table]\n" + texts)}, nil)
}

func TestSay(t *testing.T) {
	w, err := tableWords(`
"Tower" = "Turm"
"settlement" = "Siedlung"
"Settle for {n} RES" = "Siedeln für {n} RES"
"Dismantle a {building}, {n} off the tower" = "Abbauen ({building}), {n} vom Turm"
"{n} of {all}" = "{n} von {all}"
"{x} falls" = "{x} fällt"
"A & B" = "A & <B>"
"Board" = "Brett"
`)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"":                   "",
		"Tower":              "Turm",
		"Towers":             "Towers",
		"Settle for 2 RES":   "Siedeln für 2 RES",
		"Settle for  RES":    "Settle for  RES",
		"Settle for 2 RES !": "Settle for 2 RES !",
		"Dismantle a settlement, 0 off the tower": "Abbauen (Siedlung), 0 vom Turm",
		"Dismantle a city, 1 off the tower":       "Abbauen (city), 1 vom Turm",
		"0 of 31":                                 "0 von 31",
		"of 31":                                   "of 31",
		"Tower falls":                             "Turm fällt",
	} {
		if got := w.Say(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := (*env.Words)(nil).Say("Tower"); got != "Tower" {
		t.Errorf("without words: %q", got)
	}
	const svg = `<svg><view id="Board" viewBox="0 0 1 1"/><text x="1">Tower</text><text></text><text>A &amp; B</text><text>other</text></svg>`
	const want = `<svg><view id="Brett" viewBox="0 0 1 1"/><text x="1">Turm</text><text></text><text>A &amp; &lt;B&gt;</text><text>other</text></svg>`
	if got := w.Draw([]byte(svg)); got != want {
		t.Errorf("the picture is\n%s\nwant\n%s", got, want)
	}
	if got := env.Labels([]byte(svg)); !slices.Equal(got, []string{"Board", "Tower", "", "A & B", "other"}) {
		t.Errorf("labels %q", got)
	}
	if got := (*env.Words)(nil).Draw([]byte(svg)); got != svg {
		t.Errorf("without words the picture is\n%s", got)
	}
}

func TestTableWordsRefuse(t *testing.T) {
	for text, says := range map[string]string{
		`"{a}{b} x" = "y"`:       "side by side",
		`"{a} x {a}" = "y"`:      "twice",
		`"{a}" = "y"`:            "nothing but places",
		`"{a} x" = "{b} y"`:      "{b} is not filled here",
		`"{a|one|more} x" = "y"`: "no {name|one|more}",
		`"{a x" = "y"`:           "a { without its }",
	} {
		if _, err := tableWords(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", text, err, says)
		}
	}
}
