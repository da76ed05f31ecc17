package web_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"earthgym/cmd/earthgym/web"
	"earthgym/env"
	"earthgym/env/disk"
	"earthgym/env/record"
	"earthgym/env/referee"
	"earthgym/games"
)

// unpacked is a page's data as its script unpacks them.
type unpacked struct {
	Seats, Lines []string
	Views        []struct {
		Viewer env.Player
		Boards []*struct{ All, Set []int }
		Actors []env.Player
		Story  [][]string
	}
	Scores [][]float64
}

// board is the board of a view at a position.
func (u *unpacked) board(v, n int) string {
	var lines []int
	for _, edit := range u.Views[v].Boards[:n+1] {
		switch {
		case edit == nil:
		case edit.All != nil:
			lines = slices.Clone(edit.All)
		default:
			for i := 0; i < len(edit.Set); i += 2 {
				lines[edit.Set[i]] = edit.Set[i+1]
			}
		}
	}
	var b strings.Builder
	for _, k := range lines {
		b.WriteString(u.Lines[k])
	}
	return b.String()
}

// played is a game of which the middle action is always chosen.
func played(t *testing.T, text string) (env.Game, *record.Record) {
	t.Helper()
	g, err := games.Open(text)
	if err != nil {
		t.Fatal(err)
	}
	ref, err := referee.New(g, 3)
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; ref.Actor() != env.Over && n < 60; n++ {
		m := ref.View().Mask()
		if err := ref.Play(m.Nth(m.Count() / 2)); err != nil {
			t.Fatal(err)
		}
	}
	return g, ref.Record([]string{"</script><b>mallory", "b"})
}

func write(t *testing.T, g env.Game, rec *record.Record, o web.ReplayOptions) (string, *unpacked) {
	t.Helper()
	var b bytes.Buffer
	if err := web.WriteReplay(&b, rec, g, o); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	data := regexp.MustCompile(`(?s)<script id="data"[^>]*>(.*?)</script>`).FindStringSubmatch(page)
	if data == nil {
		t.Fatal("the page has no data")
	}
	packed, err := base64.StdEncoding.DecodeString(data[1])
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	u := &unpacked{}
	if err := json.NewDecoder(z).Decode(u); err != nil {
		t.Fatal(err)
	}
	return page, u
}

// Every game's page has each position's board and story for everybody who looks, and stays small.
func TestReplay(t *testing.T) {
	for _, rb := range games.All() {
		g, rec := played(t, rb.Name)
		page, u := write(t, g, rec, web.ReplayOptions{Report: "report.html"})
		players := g.Info().Players
		if len(u.Views) != players+1 || len(u.Scores) != len(rec.Moves)+1 || len(u.Seats) != players {
			t.Fatalf("%s: %d views, %d scores, %d seats", rb.Name, len(u.Views), len(u.Scores), len(u.Seats))
		}
		err := rec.Replay(g, func(n int, s env.State) error {
			for v, view := range u.Views {
				if want := string(s.(env.Drawer).AppendSVG(nil, view.Viewer)); u.board(v, n) != want {
					t.Fatalf("%s: the board of view %d at %d is another", rb.Name, v, n)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(page) > 600<<10 {
			t.Errorf("%s: a page of %d bytes for %d decisions", rb.Name, len(page), len(rec.Moves))
		}
		if i := strings.Index(page, "://"); i >= 0 && !strings.Contains(page[i-4:i+30], "www.w3.org") {
			t.Errorf("%s: the page has an address: %s", rb.Name, page[i-4:i+30])
		}
		if strings.Contains(page, "mallory") {
			t.Errorf("%s: a name stands in the page as it is", rb.Name)
		}
	}
}

// A seat's page has nothing of what the seat did not see.
func TestReplayOfSeat(t *testing.T) {
	g, rec := played(t, "earth-rising:players=2,hands=closed")
	seat := env.Player(1)
	page, u := write(t, g, rec, web.ReplayOptions{Seat: &seat})
	if strings.Contains(page, "seed") {
		t.Error("the page tells the seed, and with it all hands")
	}
	if len(u.Views) != 1 || u.Views[0].Viewer != seat || u.Scores != nil {
		t.Fatalf("views %d, scores %v", len(u.Views), u.Scores)
	}
	err := rec.Replay(g, func(n int, s env.State) error {
		redealt := g.New()
		redealt.CopyFrom(s)
		redealt.Redeal(seat, 5)
		if want := string(redealt.(env.Drawer).AppendSVG(nil, seat)); u.board(0, n) != want {
			t.Fatalf("the board at %d shows what the seat can't know", n)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The page runs in a browser, from a file.
func TestReplayInBrowser(t *testing.T) {
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil && browser == "" {
			browser = path
		}
	}
	if browser == "" {
		t.Skip("no chromium on this machine")
	}
	g, rec := played(t, "resilience-earth:players=2")
	file := filepath.Join(t.TempDir(), "game.html")
	err := disk.WriteFile(file, func(w io.Writer) error { return web.WriteReplay(w, rec, g, web.ReplayOptions{}) })
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+t.TempDir(),
		"--virtual-time-budget=5000", "--dump-dom", "file://"+file+"#7")
	dom, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`>7 of 60</output>`, `aria-current="step"`, `<title>Resilience Earth: `,
		`<polyline points="`, `b&gt;mallory`} {
		if !strings.Contains(string(dom), want) {
			t.Errorf("the page at decision 7 lacks %s", want)
		}
	}
}
