package main

import (
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"earthgym/cmd/earthgym/internal/headless"
	"earthgym/cmd/earthgym/web"
	"earthgym/env/envtest/must"
)

// The puzzles of the day are begun where games are, by whoever plays in the browser: each is solved there, and its game
// goes on against agents.
func TestPuzzlesInBrowser(t *testing.T) {
	t.Chdir(t.TempDir())
	var program headless.Program
	defer program.Close()
	ctx := program.Browser(t)
	all := must.Have(web.Puzzles())(t)
	see := func(expression string) string {
		t.Helper()
		text, err := chromedp.Run(ctx, chromedp.Evaluate[string]("String("+expression+")"))
		if err != nil && !strings.Contains(err.Error(), "target navigated") {
			t.Fatalf("%s: %v", expression, err)
		}
		return text
	}
	wait := func(expression string) {
		t.Helper()
		deadline := time.Now().Add(5 * time.Minute)
		for ; see("Boolean("+expression+")") != "true"; time.Sleep(20 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%s does not come; %s", expression, see(`location.href + document.body.innerText.slice(0, 600)`))
			}
		}
	}
	go func() {
		for m, err := range chromedp.Console(ctx) {
			if err == nil && (m.IsException() || string(m.Type) == "error" && m.Source != "network") {
				t.Errorf("the page says: %s", m)
			}
		}
	}()
	line := regexp.MustCompile(`: (http://\S+/)#(\S+)\n`)
	serveWeb(t, []string{"play", "--web", "--no-browser"}, line, func(address, key string) {
		start := address + "#" + key
		for i := range web.Covers() {
			must.Do(t, chromedp.Do(ctx, chromedp.EmulateViewport(390, 844), chromedp.Navigate("about:blank"),
				chromedp.Navigate(start)))
			wait(`document.querySelectorAll("#daily button").length === ` + fmt.Sprint(len(web.Covers())))
			button := fmt.Sprintf(`document.querySelectorAll("#daily button")[%d]`, i)
			number := must.Have(strconv.Atoi(see(button + `.dataset.puzzle`)))(t)
			p := all[number]
			see(button + `.click()`)
			wait(`document.querySelector("#playon") && document.querySelector("#choices button")`)
			game, step := see(`document.title`), see(`document.body.dataset.step`)
			offered := see(`[...document.querySelectorAll("#choices [data-action]")].map((b) => b.dataset.action).sort().join()`)
			if !offers(offered, p) {
				t.Errorf("%s: the page offers %s in puzzle %d", game, offered, number)
				continue
			}
			best, worst := int(p.Choices[0].Action), int(p.Choices[len(p.Choices)-1].Action)
			press := func(action int) {
				see(fmt.Sprintf(`document.querySelector('#choices [data-action="%d"]').click()`, action))
			}
			for action, mark := range map[int]string{worst: "✗", best: "✓"} {
				press(action)
				if said := see(`document.querySelector("#came").textContent`); !strings.HasPrefix(said, mark) {
					t.Errorf("%s: of action %d the page says %q, not %s", game, action, said, mark)
				}
			}
			if now := see(`document.body.dataset.step`); now != step {
				t.Errorf("%s: an answer is played", game)
			}
			see(`document.querySelector("#playon").click()`)
			press(best)
			// Where more is asked of it, a form has the answers, and is confirmed.
			wait(`document.body.dataset.step !== "` + step + `" || (document.body.classList.contains("forming") &&
				(document.querySelector("#plansend:enabled") ?? document.querySelector("#choices [data-action]"))?.click(), false)`)
		}
	})
}

// offers says whether a page offers the choices of a puzzle.
func offers(offered string, p web.Puzzle) bool {
	want := map[string]bool{}
	for _, c := range p.Choices {
		want[fmt.Sprint(c.Action)] = true
	}
	for _, a := range strings.Split(offered, ",") {
		if !want[a] {
			return false
		}
		delete(want, a)
	}
	return len(want) == 0
}

// A report fits into a window of any width.
func TestReportInBrowser(t *testing.T) {
	file := filepath.Join(t.TempDir(), "match.html")
	args := []string{"match", "resilience-earth:players=2", "script:greedy", "random", "--games", "8", "--report", file}
	if code := run(t.Context(), args, io.Discard, io.Discard); code != exitOK {
		t.Fatalf("exit code %d", code)
	}
	var program headless.Program
	defer program.Close()
	ctx := program.Browser(t)
	must.Do(t, chromedp.Do(ctx, chromedp.Navigate("file://"+file)))
	for _, width := range []int64{360, 720, 800, 1024} {
		must.Do(t, chromedp.Do(ctx, chromedp.EmulateViewport(width, 720)))
		wide, err := chromedp.Run(ctx, chromedp.Evaluate[int64]("document.documentElement.scrollWidth"))
		if err != nil || wide > width {
			t.Errorf("a page %d wide in a window of %d: %v", wide, width, err)
		}
	}
}
