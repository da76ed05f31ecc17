package web

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// axe looks for what keeps people from using the page, in the state in which it is, and fails the test for all that is
// serious or worse.
func (w *window) axe(state string) {
	w.t.Helper()
	if !eval[bool](w, `!!window.axe`) {
		f, err := os.Open("testdata/axe/axe.min.js.gz")
		if err != nil {
			w.t.Fatal(err)
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			w.t.Fatal(err)
		}
		script, err := io.ReadAll(z)
		if err != nil {
			w.t.Fatal(err)
		}
		eval[bool](w, string(script)+"; true")
	}
	eval[bool](w, `(window.faults = null, axe.run(document, { resultTypes: ["violations"] }).then((r) => {
		window.faults = r.violations.filter((v) => v.impact === "serious" || v.impact === "critical")
			.map((v) => v.id + ": " + v.help + ": " + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + " (" + n.any.map((c) => c.message).join(" ") + ")").join(" | "));
	}, (error) => { window.faults = [String(error)]; }), true)`)
	w.until(`window.faults`)
	for _, fault := range eval[[]string](w, `window.faults`) {
		w.t.Errorf("%s: %s", state, fault)
	}
}

// TestAxe has axe-core look at the table of every game, in its states.
func TestAxe(t *testing.T) {
	ctx := browser(t)
	for i, text := range short {
		name, _, _ := strings.Cut(text, ":")
		t.Run(name, func(t *testing.T) {
			s := openSite(t, text, "", "script:greedy")
			s.settled(0)
			w := openWindow(t, ctx, s, s.server.o.Keys.Host, 0, 1280, 900)
			w.until(`document.querySelector("#choices button")`)
			w.axe("deciding")
			eval[bool](w, `(document.querySelector("#theme").click(), true)`)
			w.axe("in the other colours")
			if i > 0 {
				return
			}
			w.press("h")
			w.until(`document.querySelectorAll("#hints .bar").length > 1`)
			w.axe("with a hint")
			eval[bool](w,
				`(document.querySelector("#find").value = "city", document.querySelector("#find").dispatchEvent(new Event("input")), true)`)
			w.until(`document.querySelector(".not")`)
			w.axe("asking why not")
			eval[bool](w,
				`(document.querySelector("#find").value = "", document.querySelector("#find").dispatchEvent(new Event("input")), true)`)
			w.press("p")
			eval[bool](w, `(document.querySelector("#choices button").click(), true)`)
			w.until(`document.querySelectorAll("#planned > li").length === 1`)
			w.axe("planning")
			w.press("t")
			w.axe("as text")
			w.press("t")
			w.press("r")
			w.until(`document.querySelector("#book").open`)
			w.axe("the rules")
			eval[bool](w, `(document.querySelector("#bookclose").click(), document.querySelector("#people").click(), true)`)
			w.until(`document.querySelector("#table").open`)
			w.axe("who sits where")
			eval[bool](w,
				`(() => { document.querySelector("#tableclose").click(); document.querySelector("#planning").click(); const s = document.querySelector("#chairs select"); s.value = "script:greedy"; return s.dispatchEvent(new Event("change")); })()`)
			w.until(`document.querySelector("#result .won")`)
			w.axe("the end")
		})
	}
}

// TestAxeElsewhere has axe-core look at a phone, a cover, and the pages of records and runs.
func TestAxeElsewhere(t *testing.T) {
	ctx := browser(t)
	s := openSite(t, "one-earth:players=2", "")
	w := openWindow(t, ctx, s, s.server.o.Keys.Host, 0, 360, 740, chromedp.EmulateMobile)
	w.until(`document.querySelector("#cover").open`)
	w.axe("behind the cover, on a phone")
	w.do(chromedp.Click("#uncover"))
	w.until(`document.querySelector("#choices button")`)
	w.axe("on a phone")

	g, rec := played(t, "resilience-earth:players=2", 400)
	watch, server := watching(t, g, rec, WatchOptions{Next: func(context.Context) error { return nil }})
	watch.Train(&Training{Folder: "runs/x", Status: "update 3",
		Charts: []any{map[string]any{"title": "Loss", "help": "Less is better.",
			"series": []any{map[string]any{"name": "x", "x": []float64{1, 2}, "y": []float64{2, 1}}}}}})
	w = newWindow(t, ctx, nil, 0, 1280, 900)
	w.do(chromedp.Navigate(server.URL + "/#secret"))
	w.until(`document.querySelector("#bars .bar") && document.querySelector("#charts polyline")`)
	eval[bool](w,
		`(() => { document.querySelector("#play").click(); document.querySelector("#play").click(); const s = document.querySelector("#agent"); s.value = "mcts:sims=40"; return s.dispatchEvent(new Event("change")); })()`)
	w.until(`document.querySelector("#worst button") && document.querySelector("#progress").textContent === ""`)
	w.axe("a record")
	w.press("End")
	time.Sleep(300 * time.Millisecond)
	w.axe(fmt.Sprintf("the end of a record of %d decisions", len(rec.Moves)))
	w = newWindow(t, ctx, nil, 0, 360, 740, chromedp.EmulateMobile)
	w.do(chromedp.Navigate(server.URL + "/#secret"))
	w.until(`document.querySelector("#bars .bar") && document.querySelector("#charts polyline")`)
	w.axe("a record on a phone")
	if wide := eval[float64](w, `document.documentElement.scrollWidth`); wide > 360 {
		t.Errorf("the page of a record is %v wide on a phone", wide)
	}
}
