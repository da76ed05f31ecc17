package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	browse "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"earthgym/agents"
	"earthgym/agents/table"
	"earthgym/cmd/earthgym/internal/headless"
	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/env/record"
)

var program headless.Program

func TestMain(m *testing.M) {
	code := m.Run()
	program.Close()
	os.Exit(code)
}

func browser(t testing.TB) context.Context {
	t.Helper()
	return program.Browser(t)
}

// A window is one page in the browser. A script error, or something that the page's policy forbids, fails the test.
type window struct {
	t   testing.TB
	ctx context.Context
	s   *site
	p   env.Player // whose seat it shows
}

// openWindow opens a link, and waits until the page shows the table.
func openWindow(t testing.TB, parent context.Context, s *site, key string, p env.Player, width, height int64,
	options ...chromedp.EmulateViewportOption) *window {
	t.Helper()
	w := newWindow(t, parent, s, p, width, height, options...)
	w.do(chromedp.Navigate(s.http.URL + "/#" + key))
	w.catchUp()
	return w
}

// newWindow opens an empty page, in a tab: what a browser draws around windows of its own takes a quarter of the time.
func newWindow(t testing.TB, parent context.Context, s *site, p env.Player, width, height int64,
	options ...chromedp.EmulateViewportOption) *window {
	t.Helper()
	ctx, cancel := chromedp.NewContext(parent, chromedp.WithNewWindow(false))
	w := &window{t, ctx, s, p}
	must.Do(t, chromedp.Do(ctx, chromedp.EmulateViewport(width, height, options...)))
	listening := make(chan struct{})
	go func() {
		defer close(listening)
		for m, err := range chromedp.Console(ctx) {
			if err != nil {
				return
			}
			if m.IsException() || string(m.Type) == "error" && m.Source != "network" {
				t.Errorf("the page says: %s", m)
			}
		}
	}()
	t.Cleanup(func() { cancel(); <-listening })
	return w
}

func (w *window) do(steps ...chromedp.Action[chromedp.Void]) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, 10*time.Minute)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		w.t.Fatal(err)
	}
}

// begins runs a script in every document from now on, before any of its own.
func (w *window) begins(script string) {
	w.t.Helper()
	if _, err := chromedp.Call(w.ctx, browse.AddScriptToEvaluateOnNewDocument,
		browse.AddScriptToEvaluateOnNewDocumentParams{Source: script}); err != nil {
		w.t.Fatal(err)
	}
}

// press presses a key outside of every field.
func (w *window) press(key string) {
	w.t.Helper()
	eval[bool](w, `(document.activeElement.blur(), true)`)
	w.do(chromedp.KeyEvent(key))
}

// eval is the value of an expression in the page.
func eval[T any](w *window, expression string) T {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, 10*time.Minute)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		w.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// until waits for an expression to be true in the page.
func (w *window) until(expression string) {
	w.t.Helper()
	w.untilNow(func() string { return expression })
}

// untilNow waits for an expression to be true in the page that is another one as time goes by.
func (w *window) untilNow(now func() string) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, 10*time.Minute)
	defer cancel()
	for {
		expression := now()
		ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("!!("+expression+")"))
		if ok {
			return
		}
		// A page that another takes the place of in this moment can't be asked; the other can.
		if err != nil && !strings.Contains(err.Error(), "target navigated") {
			state, _ := chromedp.Run(w.ctx,
				chromedp.Evaluate[string](
					`[document.body.dataset.step, document.querySelector("#banner")?.textContent, document.querySelector("#status")?.textContent, document.querySelector("#toast")?.textContent, document.readyState].join(" | ")`))
			w.t.Fatalf("waiting for %s: %v; the page shows %q", expression, err, state)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// settled waits until a seat is asked, or the game is over, and gives what the seat sees.
func (s *site) settled(p env.Player) *table.Sight {
	s.t.Helper()
	for {
		changed := s.table.Changed()
		now := s.look(p)
		if now.Deciding || now.Result != nil {
			return now
		}
		select {
		case <-changed:
		case <-time.After(10 * time.Minute):
			s.t.Fatalf("seat %d waits in vain: %s", p, now.Trouble)
		}
	}
}

// catchUp waits until the page shows what its seat sees, even if others play on meanwhile.
func (w *window) catchUp() {
	w.t.Helper()
	w.untilNow(func() string { return fmt.Sprintf(`document.body.dataset.step === "%d"`, w.s.look(w.p).Step) })
}

// pointAt is a point in the page at which something of a selector would be met, none if there is none.
func (w *window) pointAt(selector string, nth int) []float64 {
	w.t.Helper()
	return eval[[]float64](w, fmt.Sprintf(`(() => {
		const all = [...document.querySelectorAll(%q)];
		for (let k = 0; k < all.length; k++) {
			const t = all[(k + %d) %% all.length], b = t.getBoundingClientRect();
			for (const i of [5, 3, 7, 2, 8, 1, 9]) for (const j of [5, 3, 7, 2, 8, 1, 9]) {
				const x = b.left + b.width * i / 10, y = b.top + b.height * j / 10;
				if (x > 0 && y > 0 && x < innerWidth && y < innerHeight && t.contains(document.elementFromPoint(x, y))) return [x, y];
			}
		}
		return [];
	})()`, selector, nth))
}

// choose makes a decision with the mouse: on the board if that is wanted and something is marked there, otherwise in
// the list. It says whether it was on the board.
func (w *window) choose(n int, onBoard bool) bool {
	w.t.Helper()
	now := w.s.settled(w.p)
	if now.Result != nil {
		w.t.Fatal("the game is over before the test is")
	}
	w.catchUp()
	w.until(`document.querySelector("#choices button")`)
	if at := w.pointAt("#board .can", n); onBoard && len(at) == 2 {
		w.do(chromedp.MouseClickXY(at[0], at[1]))
		w.until(`!document.querySelector("#menu").hidden`)
		at = w.pointAt("#menu button", 0)
		w.do(chromedp.MouseClickXY(at[0], at[1]))
	} else {
		onBoard = false
		at := w.pointAt("#choices button", 7*n)
		w.do(chromedp.MouseClickXY(at[0], at[1]))
	}
	w.played(now.Step, func() { eval[bool](w, `(document.querySelector("#choices button").click(), true)`) })
	return onBoard
}

// played waits until a choice made at a step is played. Where it has opened a form, answer answers what is asked, one
// by one, and the move is confirmed.
func (w *window) played(step int, answer func()) {
	w.t.Helper()
	const (
		answers = `document.querySelectorAll("#planned > li").length`
		open    = `document.querySelector("#plan").hidden ? "" : document.querySelector("#plansend").disabled ? "asks" : "whole"`
	)
	confirmed := false
	for deadline := time.Now().Add(10 * time.Minute); w.s.look(w.p).Step == step; time.Sleep(5 * time.Millisecond) {
		switch form := eval[string](w, open); {
		case time.Now().After(deadline):
			w.t.Fatal("the choice was not played")
		case form == "asks":
			n := eval[int](w, answers)
			answer()
			w.until(fmt.Sprintf(`%s > %d || document.querySelector("#plan").hidden`, answers, n))
		case form == "whole" && !confirmed:
			confirmed = true
			w.until(`document.activeElement.id === "plansend"`)
			w.do(chromedp.KeyEvent(kb.Enter))
		}
	}
}

// short games of all five.
var short = []string{
	"resilience-earth:players=3", "one-earth:players=3,max_rounds=6", "earth-rising:players=2,variant=quickplay",
	"new-earth:players=3,turns=2", "earthmans-burden:players=3,rounds=8",
}

// TestPlayInBrowser sits down at every game: ten decisions on the board and in the list, the page loaded anew and the
// connection lost on the way, and the rest of the game left to a bot.
func TestPlayInBrowser(t *testing.T) {
	ctx := browser(t)
	for i, text := range short {
		name, _, _ := strings.Cut(text, ":")
		t.Run(name, func(t *testing.T) {
			s := openSite(t, text, "", "script:greedy")
			key := s.server.o.Keys.Host
			if i%2 == 1 {
				key = s.server.o.Keys.Seats[0]
			}
			s.settled(0)
			w := openWindow(t, ctx, s, key, 0, 1280, 900)
			onBoard := 0
			for n := range 10 {
				switch n {
				case 4:
					w.do(chromedp.Reload())
					w.catchUp()
				case 7:
					s.http.CloseClientConnections()
				}
				if w.choose(n, n%3 > 0) {
					onBoard++
				}
			}
			if onBoard == 0 {
				t.Error("nothing could be chosen on the board")
			}
			if faults := eval[[]string](w, nameless); len(faults) > 0 {
				t.Errorf("these have no name for those who hear the page: %q", faults)
			}
			if before := s.settled(0); before.Result == nil {
				w.do(chromedp.Click("#people"))
				w.until(`document.querySelector("#table").open`)
				eval[bool](w,
					`(() => { const s = document.querySelector("#chairs select"); s.value = "script:greedy"; return s.dispatchEvent(new Event("change")); })()`)
				w.do(chromedp.Click("#tableclose"))
			}
			w.until(`document.querySelector("#result .winner, #result .won")`)
			if result := eval[string](w, `document.querySelector("#result").textContent`); !strings.Contains(result,
				why(s.game.Info(), s.look(0).Result.Reason)) {
				t.Errorf("the page says of the end: %s", result)
			}
		})
	}
}

// nameless lists the controls without a name.
const nameless = `[...document.querySelectorAll("button, input, select, [role=button], dialog, section, [tabindex='0']")].filter((e) => {
	if (e.closest("[hidden], dialog:not([open])") || e.id === "menu") return false;
	const by = e.getAttribute("aria-labelledby");
	return !(e.getAttribute("aria-label") || by && document.getElementById(by) || e.textContent.trim() || e.title || e.labels?.length);
}).map((e) => e.outerHTML.slice(0, 80))`

// TestKeyboard plays without a mouse.
func TestKeyboard(t *testing.T) {
	ctx := browser(t)
	s := openSite(t, "resilience-earth:players=2", "", "script:greedy")
	w := openWindow(t, ctx, s, s.server.o.Keys.Seats[0], 0, 1280, 900)
	decided := func(what string, before int) {
		t.Helper()
		must.Come(t, what+": nothing was played", func() bool { return s.look(0).Step != before })
		w.catchUp()
	}
	w.until(`document.querySelector("#choices button")`)

	// By Tab to the board, and on it by arrows.
	for range 60 {
		if eval[bool](w, `!!document.activeElement.closest(".can")`) {
			break
		}
		w.do(chromedp.KeyEvent(kb.Tab))
	}
	w.do(chromedp.KeyEvent(kb.ArrowLeft)) // from the seats to the fields
	first := eval[string](w, `document.activeElement.getAttribute("aria-label") ?? ""`)
	w.do(chromedp.KeyEvent(kb.ArrowDown))
	second := eval[string](w, `document.activeElement.getAttribute("aria-label") ?? ""`)
	if !strings.HasPrefix(first, "Settle for 2 RES") || first == second || !strings.HasPrefix(second, "Settle for 2 RES") {
		t.Fatalf("Tab leads to %q and the arrow from there to %q", first, second)
	}
	step := s.look(0).Step
	w.do(chromedp.KeyEvent(kb.Enter))
	w.until(`document.activeElement.closest("#menu")`)
	w.do(chromedp.KeyEvent(kb.Enter))
	decided("on the board", step)

	// Taken back by its key.
	step = s.look(0).Step
	w.do(chromedp.KeyEvent("u"))
	decided("undo", step)
	if n := s.look(0).Decision; n != 0 {
		t.Errorf("%d decisions stand after undo", n)
	}

	// By the field above the list: what is possible, and why something is not.
	w.do(chromedp.KeyEvent("/"))
	w.until(`document.activeElement.id === "find"`)
	eval[string](w, `document.activeElement.value = ""`) // The protocol types the key even where the page has taken it.
	w.do(chromedp.KeyEvent("industry 11"))
	w.until(`document.querySelector(".not")?.textContent.includes("RE-")`)
	w.do(chromedp.KeyEvent(kb.Escape), chromedp.KeyEvent("2 RES"), chromedp.KeyEvent(kb.ArrowDown),
		chromedp.KeyEvent(kb.ArrowRight))
	step = s.look(0).Step
	w.do(chromedp.KeyEvent(kb.Enter))
	decided("in the list", step)
	if last := s.look(0).Log; !strings.Contains(last[len(last)-1].Text, "12") {
		t.Errorf("the second of the list was to be played, not: %s", last[len(last)-1].Text)
	}

	// Hints are there only when they are asked for.
	if eval[bool](w, `!document.querySelector("#hints").hidden`) {
		t.Error("a hint that nobody has asked for")
	}
	eval[bool](w, `(document.activeElement.blur(), true)`)
	w.do(chromedp.KeyEvent("h"))
	w.until(`document.querySelectorAll("#hints .bar").length > 1`)

	// The rules open at the rule that asks.
	w.do(chromedp.KeyEvent("r"))
	w.until(`document.querySelector("#book").open && document.querySelector("#rule-RE-020.here")`)
	const find = `(document.querySelector("#bookfind").value = "smog", document.querySelector("#bookfind").dispatchEvent(new Event("input")), true)`
	eval[bool](w, find)
	const shown = `[...document.querySelectorAll("#pages > *")].filter((e) => e.getClientRects().length > 0)`
	if empty := eval[string](w, shown+`.find((e) => e.querySelector("thead") && !e.textContent.toLowerCase().includes("smog"))?.textContent ?? ""`); empty != "" {
		t.Errorf("below no rule about smog stands %q", empty)
	}
	if last := eval[string](w, shown+`.at(-1).nodeName`); last == "H2" || last == "H3" || last == "H4" {
		t.Error("nothing stands below the last heading of what was found")
	}
	eval[bool](w, `(document.querySelector("#bookparts button").click(), true)`)
	if all := eval[bool](w, shown+`.every((e) => /^H/.test(e.nodeName) || e.textContent.toLowerCase().includes("smog"))`); !all {
		t.Error("the other part of the book shows what has not the words that are looked for")
	}
	w.do(chromedp.KeyEvent(kb.Escape))
	w.until(`!document.querySelector("#book").open`)
	w.press("r")
	w.until(`document.querySelector("#rule-RE-020.here")?.getClientRects().length > 0`)
	w.do(chromedp.KeyEvent(kb.Escape))
	w.until(`!document.querySelector("#book").open`)
	if live := eval[string](w, `document.querySelector("#live").textContent`); !strings.Contains(live,
		"You settle field") {
		t.Errorf("those who listen were told %q", live)
	}

	// A name that changes meanwhile takes away neither the focus nor what is typed.
	named := 0
	hold := func(what, has string) {
		t.Helper()
		eval[bool](w, fmt.Sprintf(`(window.held = %s, window.held.focus(), window.held.value = "fie", true)`, has))
		named++
		name := fmt.Sprintf("Ada %d", named)
		if status, body := s.ask("POST", "/api/sit", s.server.o.Keys.Seats[0], `{"seat":0,"name":"`+name+`"}`); status != 200 {
			t.Fatal(body)
		}
		w.until(fmt.Sprintf(`document.querySelector("#who").textContent === "you are %s"`, name))
		if !eval[bool](w, fmt.Sprintf(`document.activeElement === %s`, has)) ||
			eval[bool](w, `window.held.isConnected && window.held.value !== "fie"`) {
			t.Errorf("after another name the focus is no longer %s, or what was typed there is gone", what)
		}
	}
	hold("on the third choice", `document.querySelectorAll("#choices button")[2]`)
	hold("in the field above them", `document.querySelector("#find")`)
	w.do(chromedp.Click("#people"))
	hold("on who plays", `document.querySelector("#chairs select")`)

	// Where a table is not to be had, its buttons wait.
	w.do(chromedp.Navigate("about:blank"), chromedp.Navigate(s.http.URL+"/table.html#wrong"))
	w.until(`!document.querySelector("#banner").hidden`)
	eval[bool](w, `(["planning", "reading", "people"].forEach((id) => document.getElementById(id).click()), true)`)
}

// tap keeps what goes to each key.
type tap struct {
	next http.Handler
	mu   sync.Mutex
	to   map[string]*bytes.Buffer
}

func (p *tap) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r.Header.Del("Accept-Encoding") // so that it can be read
	p.next.ServeHTTP(&tapped{w, p, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")}, r)
}

type tapped struct {
	http.ResponseWriter
	p   *tap
	key string
}

func (w *tapped) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *tapped) Write(b []byte) (int, error) {
	w.p.mu.Lock()
	if w.p.to[w.key] == nil {
		w.p.to[w.key] = &bytes.Buffer{}
	}
	w.p.to[w.key].Write(b)
	w.p.mu.Unlock()
	return w.ResponseWriter.Write(b)
}

// TestTwoPeople lets two people play in two windows, and reads the bytes that each of them gets.
func TestTwoPeople(t *testing.T) {
	ctx := browser(t)
	s := openSite(t, "new-earth:players=2,announce_totals=off,turns=1", "")
	wire := &tap{next: s.server.handler(), to: map[string]*bytes.Buffer{}}
	s.http.Close()
	s.http = httptest.NewServer(wire)
	k := s.server.o.Keys
	windows := []*window{openWindow(t, ctx, s, k.Seats[0], 0, 1100, 800), openWindow(t, ctx, s, k.Seats[1], 1, 1100, 800)}
	for n := range 24 {
		for p, w := range windows {
			if now := s.look(env.Player(p)); now.Deciding {
				w.choose(n, false)
				break
			}
		}
	}
	for _, w := range windows {
		w.catchUp()
	}
	lines := [2]map[string]bool{}
	for p := range lines {
		lines[p] = map[string]bool{}
		for _, l := range s.look(env.Player(p)).Log {
			lines[p][l.Text] = true
		}
	}
	secrets := 0
	wire.mu.Lock()
	defer wire.mu.Unlock()
	for p, key := range k.Seats {
		got := wire.to[key].String()
		for text := range lines[1-p] {
			if lines[p][text] {
				continue
			}
			secrets++
			if strings.Contains(got, strconv.Quote(text)) {
				t.Errorf("seat %d gets what only seat %d may know: %s", p, 1-p, text)
			}
		}
		if strings.Contains(got, fmt.Sprintf(`"viewer":%d`, 1-p)) {
			t.Errorf("seat %d gets the view of seat %d", p, 1-p)
		}
		for q, other := range k.Seats {
			if q != p && strings.Contains(got, other) || strings.Contains(got, k.Host) {
				t.Errorf("seat %d gets the key of another seat", p)
			}
		}
	}
	if secrets == 0 {
		t.Error("the two were told the same: there was nothing to hide")
	}
}

// TestOneScreen lets two people share a screen: a cover lies between them, and what is behind it is not even sent.
func TestOneScreen(t *testing.T) {
	ctx := browser(t)
	s := openSite(t, "resilience-earth:players=2", "")
	w := openWindow(t, ctx, s, s.server.o.Keys.Host, 0, 1280, 900)
	plans := func(n int) {
		eval[bool](w, endTurn)
		w.until(`!document.querySelector("#plansend").disabled`)
		eval[bool](w, `(document.querySelector("#plansend").click(), true)`)
		s.passed(n)
	}
	before := env.Over
	for n := range 4 {
		p := s.look(env.Spectator).Actor
		if p == before { // Who ends a round leads the next one.
			plans(n)
			continue
		}
		before = p
		w.until(`document.querySelector("#cover").open`)
		if text := eval[string](w, `document.querySelector("#cover").textContent`); !strings.Contains(text,
			fmt.Sprintf("Player %d decides", p+1)) {
			t.Fatalf("turn %d: the cover says %q", n, text)
		}
		w.resize(390, 844) // A phone that is turned, before there is a board too.
		w.resize(1280, 900)
		if eval[bool](w, `document.querySelectorAll("#choices button, #board svg").length > 0`) {
			t.Fatal("something can be seen behind the cover")
		}
		w.do(chromedp.Click("#uncover"))
		w.until(
			fmt.Sprintf(
				`document.querySelector("#who").textContent === "you are Player %d" && document.querySelector("#choices button")`,
				p+1))
		if planned := eval[string](w, `document.querySelector("#planned").textContent`); planned != "" {
			t.Fatalf("Player %d is shown a plan: %s", p+1, planned)
		}
		if n == 0 {
			eval[bool](w, `(document.querySelector("#planning").click(), true)`)
		}
		plans(n)
		w.catchUp()
	}
}

const endTurn = `([...document.querySelectorAll("#choices button")].find((b) => b.textContent.startsWith("End the turn")).click(), true)`

// passed waits until a decision more has been played.
func (s *site) passed(decided int) {
	s.t.Helper()
	for {
		changed := s.table.Changed()
		if s.look(env.Spectator).Decision > decided {
			return
		}
		select {
		case <-changed:
		case <-time.After(10 * time.Minute):
			s.t.Fatal("the turn does not end")
		}
	}
}

// TestPhone holds the page to a phone's width.
func TestPhone(t *testing.T) {
	ctx := browser(t)
	for _, text := range short {
		s := openSite(t, text, "", "script:greedy")
		s.settled(0)
		w := openWindow(t, ctx, s, s.server.o.Keys.Host, 0, 360, 740, chromedp.EmulateMobile, chromedp.EmulateTouch)
		w.until(`document.querySelector("#choices button")`)
		if wide := eval[float64](w, `document.documentElement.scrollWidth`); wide > 360 {
			t.Errorf("%s: the page is %v wide", text, wide)
		}
		if n := eval[int](w, `document.querySelectorAll("#panes button").length`); n < 2 {
			t.Errorf("%s: the board is not shown in parts", text)
		}
		if small := eval[[]string](w,
			`[...document.querySelectorAll("button")].filter((b) => b.getClientRects().length && b.className !== "rule" && b.getBoundingClientRect().height < 24).map((b) => b.outerHTML)`); len(small) > 0 {
			t.Errorf("%s: too small for a thumb: %q", text, small)
		}
		// Long texts of few choices scroll, no word of the title breaks, and the links of the seats fit.
		if out := eval[[]string](w,
			`(document.querySelector("#people").click(), document.querySelector("#choosing").classList.add("few"), document.querySelector("h1").style.overflowWrap = "normal", [...document.querySelectorAll("html, h1, #table")].filter((e) => e.scrollWidth > e.clientWidth || e.nodeName === "HTML" && e.scrollHeight > e.clientHeight).map((e) => e.nodeName))`); len(out) > 0 {
			t.Errorf("%s: these are too large: %q", text, out)
		}
		eval[bool](w, `(document.querySelector("#tableclose").click(), true)`)
		eval[bool](w,
			`(document.querySelector("#planning").click(), document.querySelector("#choices button").click(), true)`)
		w.until(`document.querySelectorAll("#planned > li").length === 1`)
		if hidden := eval[bool](w,
			`document.querySelector("#plan").scrollHeight > document.querySelector("#plan").clientHeight + 1`); hidden {
			t.Errorf("%s: the plan is not shown whole", text)
		}
		eval[bool](w, `(document.querySelector("#planning").click(), true)`)
		w.until(`document.querySelector("#choices button")`)
		step := s.look(0).Step
		w.do(chromedp.Tap("#choices button"))
		must.Come(t, text+": a tap plays nothing", func() bool { return s.look(0).Step != step })
	}
}

// TestServerRestarts kills the server under a page, which goes on with the game when there is one again.
func TestServerRestarts(t *testing.T) {
	ctx := browser(t)
	s := openSite(t, "one-earth:players=2", "", "script:greedy")
	file := filepath.Join(t.TempDir(), "game.jsonl")
	first := must.Have(table.New(s.game, 8, seatsOf(s, 2), table.Options{File: file}))(t)
	listener := must.Have(net.Listen("tcp", "127.0.0.1:0"))(t)
	start := func(tab *table.Table, l net.Listener) (stop func()) {
		s.table = tab
		server := NewServer(tab, s.server.o)
		ctx, cancel := context.WithCancel(context.Background())
		var both sync.WaitGroup
		both.Go(func() {
			if err := tab.Run(ctx); err != nil && !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
		both.Go(func() {
			if err := Serve(ctx, l, server.handler()); err != nil {
				t.Error(err)
			}
		})
		return func() { cancel(); both.Wait() }
	}
	stop := start(first, listener)
	s.http.URL = "http://" + listener.Addr().String()
	w := openWindow(t, ctx, s, s.server.o.Keys.Seats[0], 0, 1280, 900)
	w.choose(0, false)
	w.choose(1, false)
	before := s.settled(0)
	stop()
	w.until(`!document.querySelector("#banner").hidden`)
	w.do(chromedp.Click("#rules"))
	w.until(`document.querySelector("#toast").textContent === "The program can't be reached."`)

	b := must.Have(os.ReadFile(file))(t)
	rec := must.Have(record.Read(file, bytes.NewReader(b)))(t)
	second, err := table.Resume(s.game, rec, seatsOf(s, 2), table.Options{File: file})
	if err != nil {
		t.Fatal(err)
	}
	if listener, err = net.Listen("tcp", listener.Addr().String()); err != nil {
		t.Fatal(err)
	}
	defer start(second, listener)()
	w.until(`document.querySelector("#banner").hidden`)
	if now := s.settled(0); now.Decision != before.Decision {
		t.Errorf("decision %d after the restart, %d before", now.Decision, before.Decision)
	}
	w.choose(2, false)
}

// TestStart begins games from the covers, and ends one: a lesson, a game, and again from a decision of it.
func TestStart(t *testing.T) {
	ctx := browser(t)
	key, laid := NewKey(), make(chan *Begin, 8)
	start := NewStartPage(nil, StartOptions{
		Key: key, Hosts: []string{"127.0.0.1"}, Saved: func() ([]Saved, error) {
			return []Saved{{Name: "x.jsonl", Title: "One Earth", Decisions: 3}}, nil
		},
		Begin: func(b *Begin) (*Server, error) {
			laid <- b
			s := openSite(t, "resilience-earth:players=2,minutes_min=5,minutes_max=6", "", "script:greedy")
			keys := s.server.o.Keys
			keys.Host = key
			s.server.o.Keys = keys
			return s.server, nil
		},
	})
	served := httptest.NewServer(start.Handler())
	defer served.Close()
	w := newWindow(t, ctx, nil, 0, 1280, 720)
	w.do(chromedp.Navigate(served.URL + "/#" + key))
	w.until(`document.querySelectorAll("#games .learn").length === 5 && document.querySelector("#savedlist button")`)
	w.until(`[...document.querySelectorAll("#games img")].every((i) => i.complete && i.naturalWidth > 0)`)
	w.axe("the start page")
	for _, screen := range screens {
		w.do(chromedp.EmulateViewport(screen.width, screen.height))
		const out = `[...document.querySelectorAll("main *")].filter((e) => e.nodeName !== "OPTION" && e.getBoundingClientRect().right > innerWidth || e.closest("section") && e.nodeName !== "IMG" && e.getBoundingClientRect().right > e.closest("section").getBoundingClientRect().right + 1).map((e) => e.outerHTML.slice(0, 60))`
		if faults := eval[[]string](w, out); len(faults) > 0 {
			t.Errorf("on a %s these stick out: %q", screen.name, faults)
		}
		if rows := eval[int](w, `new Set([...document.querySelectorAll("#games section")].map((e) => e.offsetTop)).size`); rows > 1 && screen.width >= 1280 {
			t.Errorf("on a %s the covers take %d rows", screen.name, rows)
		}
		w.keep("start " + screen.name)
	}
	w.do(chromedp.EmulateViewport(1280, 720))
	eval[bool](w, `(document.querySelector("#games .learn").click(), true)`)
	if b := <-laid; b.Lesson != "resilience-earth" {
		t.Errorf("the lesson begins %+v", b)
	}
	w.until(
		`location.pathname === "/table.html" && document.querySelector("#choices button") && !document.querySelector("#home").hidden`)
	eval[bool](w, `(document.querySelector("#home").click(), true)`)
	w.until(`document.querySelector("#going a") && document.querySelector("#games .go")`)
	eval[bool](w, `(document.querySelectorAll("#games .go")[1].click(), true)`)
	if b := <-laid; b.Game != "one-earth:players=4" || len(b.Seats) != 2 || b.Seats[1] != "level:3" {
		t.Errorf("the game begins %+v", b)
	}
	w.until(`location.pathname === "/table.html" && document.querySelector("#choices button")`)
	eval[bool](w,
		`(async () => { while (!document.querySelector("#result .won")) { [...document.querySelectorAll("#choices button")].find((b) => b.textContent.startsWith("End the turn"))?.click(); await new Promise((r) => setTimeout(r, 50)); } return true; })()`)
	w.until(`document.querySelector("#result polyline") && document.querySelector("#review")`)
	w.axe("the end")
	for _, screen := range screens {
		w.do(chromedp.EmulateViewport(screen.width, screen.height))
		w.keep("end " + screen.name)
	}
	eval[bool](w, `(document.querySelector("#review").click(), true)`)
	w.until(`/^Of |sure of no/.test(document.querySelector("#result h3 + p")?.textContent)`)
	if eval[bool](w, `!!document.querySelector("#result .worst button:last-child")`) {
		eval[bool](w, `(document.querySelector("#result .worst button").click(), true)`)
		w.until(`!document.querySelector("#caption").hidden`)
		eval[bool](w,
			`(document.querySelector("#captionend").click(), document.querySelector("#result .worst li button:last-child").click(), true)`)
		if b := <-laid; b.At == nil {
			t.Errorf("trying again begins %+v", b)
		}
	}
}

// TestMoveNow waits for a search, sees how far it is on every screen, and has it move.
func TestMoveNow(t *testing.T) {
	ctx := browser(t)
	s := openSite(t, "resilience-earth:players=2", "", "mcts:sims=1000000")
	w := openWindow(t, ctx, s, s.server.o.Keys.Seats[0], 0, 1280, 720)
	w.until(`document.querySelector("#choices button")`)
	if eval[bool](w, `!document.querySelector("#pondering").hidden`) {
		t.Error("a person is asked to move now")
	}
	w.do(chromedp.Click("#people"))
	w.until(`document.querySelector("#table").open`)
	w.do(chromedp.Click("#tableclose"))
	step := s.look(0).Step
	eval[bool](w, endTurn)
	w.until(`document.querySelector("#movenow").getClientRects().length > 0 && document.querySelector("#thought").max === 1000`)
	w.fits("a search")
	w.axe("a search")
	for !s.look(0).Deciding {
		eval[bool](w, `(document.querySelector("#movenow").click(), true)`)
		time.Sleep(100 * time.Millisecond)
	}
	s.settled(0)
	w.catchUp()
	w.until(`document.querySelector("#pondering").hidden && document.querySelector("#choices button")`)
	if s.look(0).Step <= step {
		t.Error("nothing was played")
	}
}

// TestCharacters plays against a temper: its face and manner are at the table, and a sentence of what it did says why,
// as far as that is sure.
func TestCharacters(t *testing.T) {
	ctx := browser(t)
	s := openSite(t, "resilience-earth:players=3", "", "background:grabber", "level:2")
	w := openWindow(t, ctx, s, s.server.o.Keys.Host, 0, 1280, 720)
	why := -1
	for n := 0; why < 0; n++ {
		if s.settled(0).Result != nil {
			t.Fatal("the grabber has never said why")
		}
		w.catchUp()
		w.until(`document.querySelector("#choices button")`)
		step := s.look(0).Step
		eval[bool](w, endTurn)
		w.played(step, nil)
		now := s.settled(0)
		for _, l := range now.Log {
			if moment, err := s.table.Past(0, l.Decision); err == nil && l.Player == 1 && moment.Why != "" {
				why = l.Decision
			}
		}
	}
	w.catchUp()
	w.until(fmt.Sprintf(`document.querySelector("#caption").hidden && document.querySelector("#log button[data-decision='%d']")`, why))
	eval[bool](w, fmt.Sprintf(`(document.querySelector("#log button[data-decision='%d']").click(), true)`, why))
	w.until(`document.querySelector("#captiontext").textContent.includes("Grabber takes the safe stones before others do, whatever falls; without that it would have chosen “")`)
	w.fits("why a character moved")
	eval[bool](w, `(document.querySelector("#captionend").click(), document.querySelector("#people").click(), true)`)
	w.until(`document.querySelectorAll("#chairs .met svg.face").length === 2`)
	w.fits("characters at the table")
	if sits := eval[string](w, `[...document.querySelectorAll("#chairs select")].map((s) => s.value).join()`); sits !=
		",background:grabber,level:2" {
		t.Errorf("who sits there is said to be %s", sits)
	}
	if text := eval[string](w, `document.querySelector("#chairs").textContent`); !strings.Contains(text, "Rosa") {
		t.Errorf("at the table sit %s", text)
	}
}

// TestPlacement meets the opponents, and finds the level that fits once three games against levels have been finished.
func TestPlacement(t *testing.T) {
	ctx := browser(t)
	key := NewKey()
	start := NewStartPage(nil, StartOptions{Key: key, Hosts: []string{"127.0.0.1"},
		Saved: func() ([]Saved, error) { return nil, nil }})
	served := httptest.NewServer(start.Handler())
	defer served.Close()
	w := newWindow(t, ctx, nil, 0, 1280, 720)
	w.do(chromedp.Navigate(served.URL + "/#" + key))
	w.until(`document.querySelectorAll("#games .met .face").length === 5`)
	for _, c := range Covers() {
		if n := eval[int](w, fmt.Sprintf(`document.querySelectorAll("#%s-level option").length`, c.Game)); n != len(
			c.Characters)+1 || len(c.Characters) < agents.NumLevels {
			t.Errorf("%s: %d opponents to choose among, of %v", c.Game, n, c.Characters)
		}
	}
	met := `(() => { const s = document.querySelector("#resilience-earth-level"); s.value = "background:steward"; s.dispatchEvent(new Event("change")); return document.querySelector("#games .met span").textContent; })()`
	if text := eval[string](w, met); text != "Steward keeps the tower low and its word" {
		t.Errorf("the steward is %q", text)
	}
	// A game counts once, if all others in it were of one level, and nobody was taught.
	counted := eval[string](w, `import("./placement.js").then(({ finished, games }) => {
		const about = { game: "one-earth", players: 3, together: false, puzzle: null };
		const over = (names, more) => ({ seats: [{ person: true, name: "" }, ...names.map((name) => ({ person: !name, name }))], decision: 9, result: { scores: names, winners: [0] }, lesson: null, ...more });
		finished(about, over(["level:2", "level:2"]), 0);
		finished(about, over(["level:2", "level:2"]), 0);
		finished(about, over(["level:4", "level:4"], { result: { scores: [1], winners: [1] } }), 0);
		finished(about, over(["level:2", "level:3"]), 0);
		finished(about, over(["level:5", ""]), 0);
		finished(about, over(["net:", "net:"]), 0);
		finished(about, over(["level:5", "level:5"], { lesson: {} }), 0);
		finished(about, over(["level:5", "level:5"]), null);
		finished({ ...about, together: true }, over(["level:5", "level:5"]), 0);
		finished({ ...about, puzzle: 3 }, over(["level:5", "level:5"]), 0);
		return games().map((g) => g.level + (g.won ? "+" : "-") + g.seats).join(" ");
	})`)
	if counted != "2+3 4-3" {
		t.Errorf("these games count: %s", counted)
	}
	for _, played := range []struct {
		games string
		fits  int
	}{
		{"2+ 2+", 0}, {"2+ 3+ 3+", 5}, {"3- 3- 3-", 2}, {"3+ 3- 3-", 3}, {"1- 1- 1-", 1}, {"5+ 5+ 5+", 5}, {"1+ 2+ 3-", 3},
		{"nonsense", 0},
	} {
		var games []string
		for i, g := range strings.Fields(played.games) {
			games = append(games, fmt.Sprintf(`{"id":"%d","level":%s,"seats":3,"won":%v}`, i, g[:1], g[1:] == "+"))
		}
		eval[bool](w, fmt.Sprintf(`(localStorage.setItem("games", %q), true)`, "["+strings.Join(games, ",")+"]"))
		w.do(chromedp.Reload())
		w.until(`document.querySelectorAll("#games .met .face").length === 5`)
		want := max(played.fits, 0)
		got := eval[int](w, `Number(/level (\d)/.exec(document.querySelector("#fits:not([hidden])")?.textContent)?.[1] ?? 0)`)
		chosen := eval[string](w, `document.querySelector("#one-earth-level").value`)
		if got != want || want > 0 && chosen != fmt.Sprintf("level:%d", want) {
			t.Errorf("after %s level %d is offered, and %s chosen; want %d", played.games, got, chosen, want)
		}
		for _, screen := range screens {
			w.resize(screen.width, screen.height)
			if wide := eval[int](w, `document.documentElement.scrollWidth`); wide > int(screen.width) {
				t.Errorf("the start is %d wide on a %s", wide, screen.name)
			}
			if played.fits == 5 {
				w.keep("start " + screen.name)
			}
		}
	}
}

// TestPace shows what others do one by one, and what was.
func TestPace(t *testing.T) {
	ctx := browser(t)
	s := openSite(t, "resilience-earth:players=4", "", "script:greedy")
	s.settled(0)
	w := openWindow(t, ctx, s, s.server.o.Keys.Host, 0, 1280, 720)
	w.until(`document.querySelector("#choices button")`)
	eval[bool](w,
		`(localStorage.setItem("pace", "200"), window.captions = new Set(), new MutationObserver(() => { if (!document.querySelector("#caption").hidden) window.captions.add(document.querySelector("#captiontext").textContent); }).observe(document.querySelector("#caption"), { subtree: true, childList: true, attributes: true }), true)`)
	eval[bool](w, endTurn)
	w.until(
		`window.captions.size >= 3 && document.querySelector("#caption").hidden && document.querySelector("#board .can")`)
	before := eval[string](w, `document.querySelector("#board svg").outerHTML`)
	eval[bool](w, `(document.querySelector("#log button[data-decision='0']").click(), true)`)
	w.until(
		`document.querySelector("#captiontext").textContent.startsWith("Looking back") && !document.querySelector("#board .can")`)
	if eval[string](w, `document.querySelector("#board svg").outerHTML`) == before {
		t.Error("the board is not as it was")
	}
	w.do(chromedp.KeyEvent(kb.Escape))
	w.until(`document.querySelector("#caption").hidden && document.querySelector("#board .can")`)
	if after := eval[string](w, `document.querySelector("#board svg").outerHTML`); after != before {
		t.Error("Escape does not lead back to what stands now")
	}
	// Whoever acts sees what stands now, and whoever wants no motion always does.
	now := s.settled(0)
	eval[bool](w, `(document.querySelector("#log button[data-decision='0']").click(), true)`)
	w.until(`!document.querySelector("#caption").hidden`)
	eval[bool](w, `(localStorage.removeItem("pace"), window.captions.clear(), true)`)
	if !eval[bool](w, endTurn+` && document.querySelector("#caption").hidden`) {
		t.Error("what was stands before what somebody has just done")
	}
	must.Come(t, "nothing is played", func() bool { return s.settled(0).Step != now.Step })
	w.catchUp()
	if n := eval[int](w, `window.captions.size`); n > 0 {
		t.Errorf("%d moves are shown one by one to somebody who wants no motion", n)
	}
}

// TestSite plays on the page without a server, where make site has built it.
func TestSite(t *testing.T) {
	const folder = "../../../site"
	if _, err := os.Stat(filepath.Join(folder, "earthgym.wasm")); err != nil {
		t.Skip("make site has not been run here")
	}
	ctx := browser(t)
	files := httptest.NewServer(http.FileServer(http.Dir(folder)))
	defer files.Close()
	w := newWindow(t, ctx, nil, 0, 1280, 900)
	w.do(chromedp.Navigate(files.URL))
	w.until(`document.querySelectorAll("#games .learn").length === 5`)
	w.axe("the start page")
	w.do(chromedp.SetValue("#resilience-earth-level", "level:1"), chromedp.Click("#games .go"))
	for n := range 3 {
		w.until(`document.querySelector("#choices button")`)
		step := eval[string](w, `document.body.dataset.step`)
		w.do(chromedp.Click("#choices button"))
		w.until(fmt.Sprintf(`document.body.dataset.step !== %q`, step))
		if n == 1 {
			eval[bool](w, `(() => {
				document.querySelector("#people").click();
				const input = document.querySelector("#chairs input");
				input.value = "Ada, B.";
				input.dispatchEvent(new Event("change"));
				return document.querySelector("#tableclose").click() ?? true;
			})()`)
			w.until(`location.hash.includes("Ada") && document.querySelector("#who").textContent.includes("Ada, B.")`)
			moves := eval[string](w, `new URLSearchParams(location.hash.slice(1)).get("moves")`)
			w.do(chromedp.Reload())
			w.until(`document.querySelector("#choices button") && document.querySelector("#who").textContent.includes("Ada, B.")`)
			if again := eval[string](w, `new URLSearchParams(location.hash.slice(1)).get("moves")`); !strings.HasPrefix(again,
				moves) || moves == "" {
				t.Errorf("after %q the page goes on from %q", moves, again)
			}
		}
	}
	for _, link := range []string{"#plainly", "#pictures"} { // lead to the game as far as it has come
		moves := eval[string](w, `new URLSearchParams(location.hash.slice(1)).get("moves")`)
		eval[bool](w, fmt.Sprintf(`(document.querySelector(%q).click(), true)`, link))
		w.until(fmt.Sprintf(`!document.querySelector(%q) && document.querySelector("#choices button")`, link))
		if again := eval[string](w, `new URLSearchParams(location.hash.slice(1)).get("moves")`); !strings.HasPrefix(again, moves) {
			t.Errorf("%s leads from %q to %q", link, moves, again)
		}
	}
	w.do(chromedp.Navigate(files.URL))
	w.until(`document.querySelector("#games .learn") && document.querySelector("#savedlist button")`)
	w.do(chromedp.Click("#games .learn"))
	w.until(
		`document.querySelector("#lessonhead")?.textContent.endsWith("(1 of 15)") && document.querySelector("#choices button")`)
	// A lesson that is played to the end of its game is looked at as others are.
	eval[bool](w, `(async () => {
		for (; !document.body.classList.contains("over"); await new Promise((resume) => setTimeout(resume, 20))) {
			if (document.body.classList.contains("learning")) document.querySelector("#showme").click();
			else [...document.querySelectorAll("#choices button")].at(-1)?.focus();
			document.activeElement.closest("#choices")?.contains(document.activeElement) && document.activeElement.click();
			document.querySelector("#plansend:not([disabled])")?.click();
		}
		return true;
	})()`)
	w.until(`new URLSearchParams(location.hash.slice(1)).get("moves")`)
	w.do(chromedp.Navigate(files.URL))
	w.until(`document.querySelector("#savedlist li")`)
	if first := eval[string](w, `document.querySelector("#savedlist li").textContent`); !strings.Contains(first, "over after") {
		t.Errorf("the game that is over is called %q", first)
	}
}

// TestSiteRecords looks at games on the page without a server: one of a link, and one of a record's file.
func TestSiteRecords(t *testing.T) {
	const folder = "../../../site"
	if _, err := os.Stat(filepath.Join(folder, "watch.html")); err != nil {
		t.Skip("make site has not been run here")
	}
	ctx := browser(t)
	files := httptest.NewServer(http.FileServer(http.Dir(folder)))
	defer files.Close()
	_, rec := played(t, "resilience-earth:players=2", 20)
	var text bytes.Buffer
	must.Do(t, rec.Write(&text))
	w := newWindow(t, ctx, nil, 0, 1280, 900)
	w.do(chromedp.Navigate(files.URL))
	w.until(`document.querySelectorAll("#games .learn").length === 5 && !document.querySelector("#upload").hidden`)
	upload := func(text string) {
		eval[bool](w, fmt.Sprintf(`(() => {
			const files = new DataTransfer();
			files.items.add(new File([%q], "game.jsonl"));
			const input = document.querySelector("#record");
			input.files = files.files;
			return input.dispatchEvent(new Event("change"));
		})()`, text))
	}
	upload("no record")
	w.until(`document.querySelector("#toast").textContent.includes("it is no record")`)
	upload(text.String())
	w.until(
		`location.pathname.endsWith("/watch.html") && document.querySelector("#place")?.textContent === "0 of 20" && document.querySelector("#bars .played")`)
	link := eval[string](w, `location.href`)
	if !strings.Contains(link, "moves=") {
		t.Fatalf("the address does not hold the game: %s", link)
	}
	again := newWindow(t, ctx, nil, 0, 1280, 900)
	again.do(chromedp.Navigate(link))
	again.until(
		`document.querySelector("#place")?.textContent === "0 of 20" && document.querySelector("#viewer").textContent.includes("script:greedy")`)
	// The chance of a game without a seed is in the file alone.
	rec.Header.Listed, rec.Header.Seed = true, 0
	text.Reset()
	must.Do(t, rec.Write(&text))
	w.do(chromedp.Navigate(files.URL))
	w.until(`document.querySelector("#upload:not([hidden])")`)
	upload(text.String())
	w.until(`document.querySelector("#place")?.textContent === "0 of 20"`)
	if at := eval[string](w, `location.hash`); at != "#record" {
		t.Errorf("the address holds a game without a seed: %s", at)
	}
	w.begins(storeless)
	w.do(chromedp.Navigate(files.URL), chromedp.Click("#games .go"))
	w.until(`location.hash.includes("seed=") && document.querySelector("#choices button")`)
}

// seatsOf are a person, and bots in the other seats.
func seatsOf(s *site, n int) []table.Seat {
	s.t.Helper()
	bot, err := s.server.open("script:greedy")
	if err != nil {
		s.t.Fatal(err)
	}
	seats := make([]table.Seat, n)
	for p := 1; p < n; p++ {
		seats[p].Agent = bot
	}
	return seats
}
