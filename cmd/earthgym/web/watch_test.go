package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"earthgym/agents"
	"earthgym/agents/table"
	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/env/record"
	"earthgym/env/referee"
	"earthgym/env/scenario"
	"earthgym/games"
)

// played is a game between bots, with so many decisions at most.
func played(t testing.TB, text string, decisions int) (env.Game, *record.Record) {
	t.Helper()
	g := must.Have(games.Open(text))(t)
	ref := must.Have(referee.New(g, 3))(t)
	m := must.Have(agents.Open("script:greedy", g))(t)
	bot := must.Have(m.New())(t)
	for n := 0; n < decisions && ref.Actor() != env.Over; n++ {
		a := must.Have(bot.Act(ref.View()))(t)
		must.Do(t, ref.Play(a))
	}
	return g, ref.Record([]string{"script:greedy", "<b>mallory"})
}

// watching serves a game, and says where.
func watching(t *testing.T, g env.Game, rec *record.Record, o WatchOptions) (*Watch, *httptest.Server) {
	t.Helper()
	o.Key = "secret"
	o.Rules = func(game string) (string, string, error) {
		rules, err := games.Rules(game)
		return rules, "# How\n\nPlay.", err
	}
	o.Open = agents.Open
	w := NewWatch(o)
	if rec != nil {
		must.Do(t, w.Show(rec, g, []string{"script:greedy", "mcts:sims=40", "random"}))
	}
	server := httptest.NewServer(w.Handler())
	t.Cleanup(server.Close)
	return w, server
}

// ask sends a request with a key, and gives status and body.
func ask(t *testing.T, server *httptest.Server, method, path, key string) (int, string) {
	t.Helper()
	s := &site{t: t, http: server}
	return s.ask(method, path, key, "")
}

// The scenario of a game that begins from a position begins there, too.
func TestScenarioFromAPosition(t *testing.T) {
	g, whole := played(t, "resilience-earth:players=2", 12)
	var position []byte
	must.Do(t, whole.Replay(g, func(n int, s env.State) error {
		if n == 8 {
			position = s.AppendPosition(nil)
		}
		return nil
	}))
	begin := record.Record{Header: whole.Header}
	begin.Header.Chance, begin.Header.Position = nil, position
	ref := must.Have(referee.Resume(&begin, g))(t)
	for range 6 {
		must.Do(t, ref.Play(ref.Mask().Nth(0)))
	}
	rec := ref.Record(whole.Header.Agents)
	f := must.Have(newRecording(rec, g))(t)
	for _, n := range []int{0, 3} {
		b := must.Have(f.scenario(n))(t)
		sc := must.Have(scenario.Parse("got", b))(t)
		reached := g.New()
		reached.Reset(rec.Header.Seed, nil)
		if err := env.PatchPosition(reached, sc.Position); err != nil || len(sc.Step) > 0 ||
			!reached.EqualPosition(f.states[n]) {
			t.Errorf("decision %d: %v\n%s", n, err, b)
		}
	}
	head := fmt.Sprintf("game = %q\nseed = %d\n", g.Info().Text, rec.Header.Seed)
	steps := ""
	for _, m := range rec.Moves[:3] {
		steps += fmt.Sprintf("[[step]]\nplay = %q\n", m.Action)
	}
	for n, text := range map[int]string{0: head, 3: head + steps} {
		if f.leadsTo([]byte(text), n, true) {
			t.Errorf("without the position it is said to lead to decision %d:\n%s", n, text)
		}
	}
}

// Every game can be looked at: each position's board, text and story as each seat may know them, and every position
// as a file that leads there.
func TestWatchEveryGame(t *testing.T) {
	for _, rb := range games.All() {
		g, rec := played(t, rb.Name, 60)
		_, server := watching(t, g, rec, WatchOptions{})
		n := len(rec.Moves) / 2
		must.Do(t, rec.Replay(g, func(at int, s env.State) error {
			if at != n {
				return nil
			}
			redealt := g.New()
			redealt.CopyFrom(s)
			redealt.Redeal(1, 9)
			_, text := ask(t, server, "GET", fmt.Sprintf("/api/at?version=1&as=1&n=%d", n), "secret")
			var shown struct{ Board, Text string }
			if err := json.Unmarshal([]byte(text), &shown); err != nil {
				return err
			}
			if want := string(redealt.(env.Drawer).AppendSVG(nil, 1)); shown.Board != want {
				t.Errorf("%s: seat 1 is shown more than it may know", rb.Name)
			}
			text = string(redealt.(env.Texter).AppendText(nil, 1))
			speaker := table.SpeakerOf(table.FromOne, g.Info(), rec.Header.Agents)
			if want := speaker.Spoken(text, env.Over); shown.Text != want {
				t.Errorf("%s: seat 1 reads more than it may know", rb.Name)
			}
			_, file := ask(t, server, "GET", fmt.Sprintf("/api/file?form=scenario&n=%d", n), "secret")
			sc, err := scenario.Parse("got", []byte(file))
			if err != nil {
				return err
			}
			reached := g.New()
			reached.Reset(rec.Header.Seed, nil)
			if len(sc.Position) > 0 {
				if err := env.PatchPosition(reached, sc.Position); err != nil {
					return err
				}
			}
			for _, step := range sc.Step {
				a, err := g.Info().Parse(step.Play)
				if err != nil {
					return err
				}
				reached.Apply(a, nil)
			}
			if !reached.EqualPosition(s) {
				t.Errorf("%s: the scenario leads elsewhere", rb.Name)
			}
			if _, file := ask(t, server, "GET", fmt.Sprintf("/api/file?form=json&n=%d", n),
				"secret"); file != string(s.AppendPosition(nil))+"\n" {
				t.Errorf("%s: another position is downloaded", rb.Name)
			}
			return nil
		}))
		var again bytes.Buffer
		must.Do(t, rec.Write(&again))
		if _, file := ask(t, server, "GET", "/api/file?form=record", "secret"); file != again.String() {
			t.Errorf("%s: another record is downloaded", rb.Name)
		}
	}
}

func TestWatchRequests(t *testing.T) {
	g, rec := played(t, "resilience-earth:players=2", 20)
	asked := 0
	var w *Watch
	w, server := watching(t, g, rec, WatchOptions{Next: func(context.Context) error {
		if asked++; asked > 1 {
			return errors.New("there is no network yet")
		}
		return w.Show(rec, g, nil)
	}})
	if status, text := ask(t, server, "GET", "/api/curve?version=1&from=0&agent=mcts:sims=40", "secret"); status != 200 ||
		!strings.Contains(text, `"points":[{"n":0,`) {
		t.Errorf("a curve: %d %s", status, text)
	}
	for _, test := range []struct {
		name, method, path, key string
		status                  int
		says                    string
	}{
		{"the page needs no key", "GET", "/", "", 200, "watch.js"},
		{"no key", "GET", "/api/film", "", 401, "this link opens nothing"},
		{"a wrong key", "GET", "/api/film", "secre", 401, "this link opens nothing"},
		{"the game", "GET", "/api/film", "secret", 200, `"decisions":20`},
		{"nothing new", "GET", "/api/film?version=1", "secret", 200, `{"version":1,"trained":0,"more":true}`},
		{"no position", "GET", "/api/at?n=21", "secret", 400, "they are 0 to 20"},
		{"no seat", "GET", "/api/at?n=1&as=2", "secret", 400, "there is no seat"},
		{"what an agent thinks", "GET", "/api/think?n=0&agent=script:greedy", "secret", 200, `"played":true`},
		{"of the end", "GET", "/api/think?n=20&agent=script:greedy", "secret", 400, "nothing is decided here"},
		{"an agent that is not offered", "GET", "/api/think?n=0&agent=remote:touch+x", "secret", 403, "not among the agents"},
		{"a curve of one that is not offered", "GET", "/api/curve?from=0&agent=remote:touch+x", "secret", 403,
			"not among the agents"},
		{"an agent that does not think", "GET", "/api/think?n=0&agent=random", "secret", 422, "can't say what it thinks"},
		{"no form", "GET", "/api/file?n=0&form=exe", "secret", 400, "svg, json, scenario and record"},
		{"no training", "GET", "/api/run", "secret", 404, "no training"},
		{"another game", "POST", "/api/next", "secret", 200, "{}"},
		{"the game before", "GET", "/api/at?n=1&version=1", "secret", 409, "another game is shown"},
		{"no other game", "POST", "/api/next", "secret", 422, "no network yet"},
	} {
		status, text := ask(t, server, test.method, test.path, test.key)
		if status != test.status || !strings.Contains(text, test.says) {
			t.Errorf("%s: %d %s", test.name, status, text)
		}
	}
	w.Train(&Training{Folder: "runs/x", Status: "update 3",
		Charts: []any{map[string]any{"title": "Loss"}}})
	if _, text := ask(t, server, "GET", "/api/run", "secret"); !strings.Contains(text, `"title":"Loss"`) {
		t.Errorf("the training: %s", text)
	}
	other := *rec // What is shown may still be drawn.
	other.Moves = slices.Clone(rec.Moves)
	other.Header.Listed, other.Header.Seed = true, 0
	must.Do(t, w.Show(&other, g, nil))
	if _, text := ask(t, server, "GET", "/api/film", "secret"); !strings.Contains(text, `"seed":""`) {
		t.Errorf("a game without a seed has one: %s", text)
	}
	other.Moves[3].Player = 1 - other.Moves[3].Player
	if err := w.Show(&other, g, nil); err == nil {
		t.Error("a record that does not verify is shown")
	}
	if _, empty := watching(t, g, nil, WatchOptions{}); true {
		if status, text := ask(t, empty, "GET", "/api/at?n=0", "secret"); status != http.StatusNotFound {
			t.Errorf("nothing to see: %d %s", status, text)
		}
	}
}

// Those who look on wait for each other's questions as players do for each other's hints.
func TestTooManyThoughts(t *testing.T) {
	g, rec := played(t, "resilience-earth:players=2", 5)
	w, _ := watching(t, g, rec, WatchOptions{})
	think := func(ctx context.Context) error {
		_, err := w.seen(w.think)(&request{ctx: ctx, query: url.Values{"n": {"0"}, "agent": {"script:greedy"}}})
		return err
	}
	for range cap(w.thoughts) {
		w.thoughts <- struct{}{}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := think(ctx); err == nil || statusOf(err) != full {
		t.Errorf("one more than may be thought about at once: %v", err)
	}
	<-w.thoughts
	for range 2 {
		if err := think(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// TestWatch looks at a game in the browser.
func TestWatch(t *testing.T) {
	ctx := browser(t)
	g, rec := played(t, "resilience-earth:players=2", 400)
	watch, server := watching(t, g, rec, WatchOptions{})
	w := newWindow(t, ctx, nil, 0, 1280, 900)
	w.do(chromedp.Navigate(server.URL + "/#secret"))
	w.until(`document.querySelector("#board svg") && document.querySelectorAll("#log li").length > 20`)
	at := func(n int) {
		t.Helper()
		w.until(fmt.Sprintf(`document.querySelector("#place").textContent === "%d of %d"`, n, len(rec.Moves)))
	}
	w.press(kb.ArrowRight)
	at(1)
	w.press(kb.End)
	at(len(rec.Moves))
	w.until(`!document.querySelector("#result").hidden`)
	w.press(kb.PageUp)
	at(len(rec.Moves) - 10)
	w.until(`document.querySelector("#bars .played")`)

	// From the story to the position, and as a seat saw it.
	eval[bool](w, `(document.querySelectorAll("#log button")[7].click(), true)`)
	w.until(`document.querySelectorAll("#log button")[7].getAttribute("aria-current") === "step"`)
	eval[bool](w,
		`(() => { const s = document.querySelector("#viewer"); s.value = "1"; return s.dispatchEvent(new Event("change")); })()`)
	w.until(
		`document.querySelector("#status").textContent === "You decide" || document.querySelector("#status").textContent.startsWith("Player 1 (script:greedy) decides")`)

	// A search's curve, and what it holds for mistakes.
	eval[bool](w,
		`(() => { const s = document.querySelector("#agent"); s.value = "mcts:sims=40"; return s.dispatchEvent(new Event("change")); })()`)
	w.until(
		`document.querySelectorAll("#curve polyline").length === 2 && document.querySelector("#curve polyline").points.length > 5`)
	w.until(`document.querySelector("#worst button, #worst .none")`)

	// The board as a picture.
	eval[bool](w,
		`(() => { const create = URL.createObjectURL; let blob; URL.createObjectURL = (b) => { blob = b; return create.call(URL, b); }; HTMLAnchorElement.prototype.click = function () { const name = this.download; blob.arrayBuffer().then((b) => { window.saved = [name, [...new Uint8Array(b)]]; }); }; return true; })()`)
	w.do(chromedp.Click("#getpng"))
	w.until(`window.saved`)
	if name := eval[string](w, `window.saved[0]`); !strings.HasSuffix(name, ".png") || strings.Contains(name, ":") {
		t.Errorf("the picture is called %s", name)
	}
	var b []byte
	for _, x := range eval[[]int](w, `window.saved[1]`) {
		b = append(b, byte(x))
	}
	if picture, err := png.Decode(bytes.NewReader(b)); err != nil || picture.Bounds().Dx() < 1200 {
		t.Errorf("the picture: %v", err)
	}
	if name := eval[string](w, `document.querySelector("#viewer").textContent`); !strings.Contains(name, "<b>mallory") {
		t.Errorf("the seats are %s", name)
	}

	// A training that goes on, and the game with it.
	watch.Train(&Training{Folder: "runs/x", Status: "update 3",
		Charts: []any{map[string]any{"title": "Loss", "help": "Less is better.",
			"series": []any{map[string]any{"name": "x", "x": []float64{1, 2}, "y": []float64{2, 1}}}}}})
	w.until(`document.querySelector("#charts polyline")`)
	shorter := *rec
	shorter.Moves, shorter.Footer = rec.Moves[:10], nil
	must.Do(t, watch.Show(&shorter, g, []string{"script:greedy"}))
	w.until(`document.querySelector("#place").textContent.endsWith("of 10")`)
	if faults := eval[[]string](w, nameless); len(faults) > 0 {
		t.Errorf("these have no name for those who hear the page: %q", faults)
	}
}
