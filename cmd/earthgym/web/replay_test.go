package web

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"earthgym/env"
	"earthgym/env/disk"
	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
	"earthgym/env/record"
	"earthgym/games"
)

// unpacked is a page's data as its script unpacks them.
type unpacked struct {
	Recording *recordingSight `json:"film"`
	Lines     []string
	Views     []*eyes
}

// board is the board of a view at a position.
func (u *unpacked) board(v, n int) string {
	var lines []int
	edit := func(e *boardEdit) {
		if e.All != nil {
			lines = slices.Clone(e.All)
		}
		for i := 0; i < len(e.Set); i += 2 {
			lines[e.Set[i]] = e.Set[i+1]
		}
	}
	for _, e := range u.Views[0].Boards[:n+1] {
		if e != nil {
			edit(e)
		}
	}
	for ; v > 0 && n >= 0; n-- {
		if e := u.Views[v].Boards[n]; e != nil {
			edit(e)
			break
		}
	}
	var b strings.Builder
	for _, k := range lines {
		b.WriteString(u.Lines[k])
	}
	return b.String()
}

// write writes a page, whose data it gives too.
func write(t *testing.T, g env.Game, rec *record.Record, o ReplayOptions) (string, *unpacked) {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, WriteReplay(&b, rec, g, o))
	page := b.String()
	data := regexp.MustCompile(`(?s)<script id="data"[^>]*>(.*?)</script>`).FindStringSubmatch(page)
	if data == nil {
		t.Fatal("the page has no data")
	}
	packed := must.Have(base64.StdEncoding.DecodeString(data[1]))(t)
	z := must.Have(gzip.NewReader(bytes.NewReader(packed)))(t)
	u := &unpacked{}
	must.Do(t, json.NewDecoder(z).Decode(u))
	return page, u
}

// Every game's page has each position's board and story for everybody who looks, and stays small.
func TestReplay(t *testing.T) {
	envtest.NothingToRace(t)
	for _, rb := range games.All() {
		g, rec := played(t, rb.Name, 60)
		page, u := write(t, g, rec, ReplayOptions{Report: "report.html"})
		players := g.Info().Players
		if len(u.Views) != players+1 || len(u.Recording.Scores) != len(rec.Moves)+1 || len(u.Recording.Seats) != players {
			t.Fatalf("%s: %d views, %d scores, %d seats", rb.Name, len(u.Views), len(u.Recording.Scores), len(u.Recording.Seats))
		}
		must.Do(t, rec.Replay(g, func(n int, s env.State) error {
			for v, view := range u.Views {
				if want := string(s.(env.Drawer).AppendSVG(nil, view.Viewer)); u.board(v, n) != want {
					t.Fatalf("%s: the board of view %d at %d is another", rb.Name, v, n)
				}
			}
			return nil
		}))
		if len(page) > 300<<10 {
			t.Errorf("%s: a page of %d bytes for %d decisions", rb.Name, len(page), len(rec.Moves))
		}
		if i := strings.Index(page, "://"); i >= 0 {
			t.Errorf("%s: the page has an address: %s", rb.Name, page[i-4:i+30])
		}
		if strings.Contains(page, "mallory") {
			t.Errorf("%s: a name stands in the page as it is", rb.Name)
		}
	}
}

// A seat's page has nothing of what the seat did not see.
func TestReplayOfSeat(t *testing.T) {
	g, rec := played(t, "earth-rising:players=2,hands=closed", 60)
	seat := env.Player(1)
	_, u := write(t, g, rec, ReplayOptions{Seat: &seat})
	if u.Recording.Seed != "" {
		t.Error("the page tells the seed, and with it all hands")
	}
	if len(u.Views) != 1 || u.Views[0].Viewer != seat || u.Recording.Scores != nil {
		t.Fatalf("views %d, scores %v", len(u.Views), u.Recording.Scores)
	}
	must.Do(t, rec.Replay(g, func(n int, s env.State) error {
		redealt := g.New()
		redealt.CopyFrom(s)
		redealt.Redeal(seat, 5)
		if want := string(redealt.(env.Drawer).AppendSVG(nil, seat)); u.board(0, n) != want {
			t.Fatalf("the board at %d shows what the seat can't know", n)
		}
		return nil
	}))
}

// openReplay writes a game as a page, and opens the file.
func openReplay(t *testing.T, w *window, g env.Game, rec *record.Record, o ReplayOptions, at int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "game.html")
	must.Do(t, disk.WriteFile(file, func(w io.Writer) error { return WriteReplay(w, rec, g, o) }))
	w.do(chromedp.Navigate(fmt.Sprintf("file://%s#%d", file, at)))
	w.until(fmt.Sprintf(`document.querySelector("#place")?.textContent.startsWith("%d of ") && document.querySelector("#board svg")`, at))
}

// TestReplayInBrowser looks at a page from a file: without a network, by the keyboard, and as a seat saw it.
func TestReplayInBrowser(t *testing.T) {
	ctx := browser(t)
	g, rec := played(t, "resilience-earth:players=2", 60)
	rec.Header.Agents[1] = "human:<b>mallory"
	w := newWindow(t, ctx, nil, 0, 1280, 720)
	openReplay(t, w, g, rec, ReplayOptions{Made: "earthgym 7", Report: "./report.html"}, 7)
	shows := func(what, expression string) {
		t.Helper()
		if !eval[bool](w, "!!("+expression+")") {
			t.Errorf("the page does not show %s: %s", what, eval[string](w, "document.body.innerText"))
		}
	}
	shows("where it is in the story", `document.querySelector("#log [aria-current=step]")`)
	shows("the curve of each seat", `document.querySelectorAll("#curve polyline").length === 2`)
	shows("who plays", `document.querySelector("#viewer").textContent.includes("Player 1 (script:greedy)<b>mallory")`)
	shows("the seed, the program and the report", `document.querySelector("#who").textContent.includes("seed 3 · earthgym 7 · the report") && document.querySelector("#who a").getAttribute("href") === "./report.html"`)
	shows("nothing that needs a program", `["rules", "reading", "getjson", "thoughts", "mistakes", "agent"].every((id) => document.getElementById(id).getClientRects().length === 0)`)
	shows("names instead of numbers from 0", `!document.body.innerText.includes("layer 0")`)
	w.press(kb.ArrowRight)
	w.until(`document.querySelector("#place").textContent === "8 of 60" && location.hash === "#8"`)
	w.press(kb.End)
	w.until(`document.querySelector("#place").textContent === "60 of 60"`)
	eval[bool](w, `(() => { const s = document.querySelector("#viewer"); s.value = "1"; return s.dispatchEvent(new Event("change")); })()`)
	w.until(`[...document.querySelectorAll("#log button")].some((b) => b.textContent.includes("You "))`)
	eval[bool](w, `(document.querySelectorAll("#log button")[5].click(), true)`)
	w.until(`document.querySelectorAll("#log button")[5].getAttribute("aria-current") === "step"`)
	if faults := eval[[]string](w, nameless); len(faults) > 0 {
		t.Errorf("these have no name for those who hear the page: %q", faults)
	}
	w.axe("a replay")
	eval[bool](w, `(document.querySelector("#theme").click(), true)`)
	w.axe("a replay in the other colours")
	openReplay(t, w, g, rec, ReplayOptions{Seat: new(env.Player)}, 0)
	shows("one seat alone", `document.querySelector("#viewer").textContent === "Player 1 (script:greedy)"`)
	shows("no scores", `document.querySelector("#course").getClientRects().length === 0`)
	shows("no seed", `!document.querySelector("#who").textContent.includes("seed")`)
}

// TestReplayLayout looks at every game's page on every screen.
func TestReplayLayout(t *testing.T) {
	ctx := browser(t)
	for _, game := range layoutGames {
		name, _, _ := strings.Cut(game.text, ":")
		g, rec := layoutRecord(t, game.text, game.bot)
		w := newWindow(t, ctx, nil, 0, 1280, 720)
		openReplay(t, w, g, rec, ReplayOptions{Made: "earthgym"}, len(rec.Moves)/2)
		w.fits(name + ", replay")
		w.letters(name + ", replay")
		w.press(kb.End)
		w.until(`!document.querySelector("#result").hidden`)
		w.fits(name + ", end of replay")
		eval[bool](w, `(document.querySelector("#theme").click(), true)`)
		w.keep(name + ", replay in the other colours")
	}
}
