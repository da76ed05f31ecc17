package web

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/games"

	"github.com/chromedp/chromedp"
)

// otherWords are a game's words with other texts for pages.
func otherWords(t *testing.T, game string, texts map[string]string) *env.Words {
	t.Helper()
	g, err := games.Open(game)
	if err != nil {
		t.Fatal(err)
	}
	own, err := env.WordsOf(g)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	b.WriteString("language = \"xx\"\n[page]\n")
	for text, other := range texts {
		fmt.Fprintf(&b, "%q = %q\n", text, other)
	}
	words, err := env.ReadWords(env.DataFile{Name: "xx.toml", Bytes: b.Bytes()}, own)
	if err != nil {
		t.Fatal(err)
	}
	return words
}

func TestLabels(t *testing.T) {
	labels, err := Labels()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Your decision", "Rules", "Waiting for {name}", "Find a choice, or why not ( / )", "The connection to the table is lost. Trying again …"} {
		if !slices.Contains(labels, want) {
			t.Errorf("the pages don't say %q", want)
		}
	}
	for _, label := range labels {
		if len(label) > 180 { // Keys of data files are short.
			t.Errorf("%q is too long for a catalogue", label)
		}
		if strings.ContainsAny(label, "`\n") || strings.Contains(label, "${") {
			t.Errorf("%q is no text", label)
		}
	}
	for _, test := range []struct{ text, other, says string }{
		{"Your decision", "Deine Entscheidung", ""},
		{"Waiting for {name}", "{name} ist dran", ""},
		{"Your decisions", "x", `did you mean "Your decision"`},
		{"Waiting for {name}", "{nam} ist dran", "nothing fills {nam}"},
	} {
		err := CheckLabels(map[string]string{test.text: test.other})
		if (err == nil) != (test.says == "") || err != nil && !strings.Contains(err.Error(), test.says) {
			t.Errorf("%q = %q: %v", test.text, test.other, err)
		}
	}
}

// TestOtherWords has a page speak another language, and everything that it does not know English.
func TestOtherWords(t *testing.T) {
	ctx := browser(t)
	s := openSite(t, "resilience-earth:players=2", "", "script:greedy")
	s.server.o.Words = otherWords(t, "resilience-earth", map[string]string{
		"Your decision": "Deine Entscheidung", "Rules": "Regeln", "you are {name}": "du bist {name}", "Seat {seat}": "Platz {seat}",
		"Find a choice, or why not ( / )": "Finde eine Wahl ( / )",
	})
	w := openWindow(t, ctx, s, s.server.o.Keys.Seats[0], 0, 1280, 900)
	w.until(`document.querySelector("#choices button")`)
	for selector, want := range map[string]string{"#status": "Deine Entscheidung", "#rules": "Regeln", "#who": "du bist Platz 0", "#undo": "Undo"} {
		if got := eval[string](w, fmt.Sprintf(`document.querySelector(%q).textContent`, selector)); got != want {
			t.Errorf("%s says %q, not %q", selector, got, want)
		}
	}
	if got := eval[string](w, `document.querySelector("#find").placeholder`); got != "Finde eine Wahl ( / )" {
		t.Errorf("the field says %q", got)
	}
	if got := eval[string](w, `document.documentElement.lang`); got != "xx" {
		t.Errorf("the page is in %q", got)
	}
	if !eval[bool](w, `!document.querySelector("#first").hidden`) {
		t.Error("nobody who is new is welcomed")
	}
	w.choose(0, false)
	w.until(`document.querySelector("#first").hidden`)
	s.settled(0)
	w.catchUp()
	if !eval[bool](w, `document.querySelector("#first").hidden`) {
		t.Error("who has decided is still taken for new")
	}

	g, rec := played(t, "resilience-earth:players=2", 10)
	_, server := watching(t, g, rec, WatchOptions{Words: otherWords(t, "resilience-earth", map[string]string{"Mistakes": "Fehler"})})
	w = newWindow(t, ctx, nil, 0, 1280, 900)
	w.do(chromedp.Navigate(server.URL + "/#secret"))
	w.until(`document.querySelector("#mistakeshead").textContent === "Fehler"`)
}
