package web

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"earthgym/agents/table"
	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// A plan is tried by those who have the seat alone, and sent whole.
func TestPlanRequests(t *testing.T) {
	s := openSite(t, "resilience-earth:players=2", "")
	k := s.server.o.Keys
	now := s.look(0)
	number := func(text string) env.Action {
		return must.Have(s.game.Info().Parse(text))(t)
	}
	body := func(texts ...string) string {
		var list []env.Action
		for _, text := range texts {
			list = append(list, number(text))
		}
		return string(must.Have(json.Marshal(map[string]any{"seat": 0, "step": now.Step, "actions": list}))(t))
	}
	for _, test := range []struct {
		name, path, key, body string
		status                int
		says                  string
	}{
		{"a draft", "/api/draft", k.Seats[0], body("settle 11"), 200, `"story":["You settle field 11: RES -2"]`},
		{"a draft that ends", "/api/draft", k.Host, body("settle 11", "done"), 200, `"open":false,"end":"Player 2 decides"`},
		{"somebody else's draft", "/api/draft", k.Seats[1], body("settle 11"), 403, "does not open that seat"},
		{"a spectator's draft", "/api/draft", k.Watch, body("settle 11"), 403, "does not open"},
		{"an illegal draft", "/api/draft", k.Seats[0], body("dismantle 11"), 422, "illegal"},
		{"somebody else's plan", "/api/send", k.Seats[1], body("settle 11"), 403, "does not open"},
		{"an empty plan", "/api/send", k.Seats[0], body(), 422, "1 to 200"},
		{"a plan that is cut short", "/api/send", k.Seats[0], body("settle 11", "dismantle 12"), 409,
			"1 of 2 decisions are played"},
		{"the same once more", "/api/send", k.Seats[0], body("settle 11", "dismantle 12"), 409, "gone on meanwhile"},
	} {
		if status, text := s.ask("POST", test.path, test.key, test.body); status != test.status ||
			!strings.Contains(text, test.says) {
			t.Errorf("%s: %d %s", test.name, status, text)
		}
	}
	if n := s.look(0).Decision; n != 1 {
		t.Errorf("%d decisions were played", n)
	}
}

// TestPlan composes a plan in the browser, takes a part of it back, and sends the rest.
func TestPlan(t *testing.T) {
	ctx := browser(t)
	s := openSite(t, "resilience-earth:players=2", "", "script:greedy")
	w := openWindow(t, ctx, s, s.server.o.Keys.Seats[0], 0, 1280, 720)
	w.until(`document.querySelector("#choices button")`)
	w.press("p")
	w.until(`!document.querySelector("#plan").hidden`)
	choose := func(text string, planned int) {
		t.Helper()
		a := must.Have(s.game.Info().Parse(text))(t)
		w.until(fmt.Sprintf(`document.querySelector('#choices [data-action="%d"]')`, a))
		eval[bool](w, fmt.Sprintf(`(document.querySelector('#choices [data-action="%d"]').click(), true)`, a))
		w.until(fmt.Sprintf(`document.querySelectorAll("#planned > li").length === %d`, planned))
	}
	choose("settle 11", 1)
	if eval[bool](w, `document.querySelector("#plan").scrollHeight > document.querySelector("#plan").clientHeight + 1`) {
		t.Error("the plan is not shown whole")
	}
	choose("dismantle 11", 2)
	if board := eval[string](w, `document.querySelector("#board svg").outerHTML`); board == s.look(0).Board {
		t.Error("the board does not show what is planned")
	}
	w.press("u")
	w.until(`document.querySelectorAll("#planned > li").length === 1`)
	if text := eval[string](w, `document.querySelector("#plan").textContent`); !strings.Contains(text, "RES -2") ||
		!strings.Contains(text, "Send this decision") {
		t.Errorf("the plan says %s", text)
	}
	if n := s.look(0).Decision; n != 0 {
		t.Fatalf("%d decisions were played before anything was sent", n)
	}
	choose("done", 2)
	w.until(`document.querySelector("#planend").textContent.includes("Then Player 2 decides")`)
	w.press("s")
	s.passed(1)
	w.catchUp()
	if last := s.look(0).Log; !strings.Contains(last[1].Text, "field 11") {
		t.Errorf("the plan was not played: %v", last)
	}
	w.until(`document.querySelectorAll("#planned > li").length === 0`)

	// What a choice would bring stands beside the list while it is pointed at.
	s.settled(0)
	w.catchUp()
	w.until(`document.querySelector("#choices button")`)
	eval[bool](w, `(document.querySelector("#choices button").focus(), true)`)
	w.until(`document.querySelector("#preview li")`)
	w.press("p")
	eval[bool](w, `(new MutationObserver(() => { window.stale = !document.querySelector("#preview").hidden; }).observe(document.body, { attributeFilter: ["data-step"] }), true)`)
	eval[bool](w, `(document.querySelector("#choices button").focus(), true)`)
	w.until(`!document.querySelector("#preview").hidden`)
	eval[bool](w, `(document.querySelector("#hint").click(), true)`)
	w.until(`document.querySelector("#hints .bars")`)
	if asked := eval[string](w, `(() => { // A form is begun, too, before the table has told of the choice.
		const { fetch } = window, asked = [];
		window.fetch = (...of) => { asked.push(of[0]); return fetch(...of); };
		for (const of of ["", ".more"]) document.querySelector("#choices button" + of).click();
		window.fetch = fetch;
		return asked.join();
	})()`); asked != "api/play" {
		t.Errorf("asked was %s", asked)
	}
	w.until(`window.stale !== undefined`)
	if eval[bool](w, `!document.querySelector("#hints").hidden`) {
		t.Error("an agent is said to think that nobody has asked")
	}
	if eval[bool](w, `window.stale`) {
		t.Error("what a choice would have brought stands beside the choices after it")
	}
}

// TestLesson learns in the browser: what the lesson wants is shown, and nothing else is played.
func TestLesson(t *testing.T) {
	ctx := browser(t)
	sc := must.Have(games.Lesson("resilience-earth"))(t)
	s := openSite(t, sc.Game, "", "script:greedy")
	lesson, err := table.NewLesson(sc, s.game.Info())
	if err != nil {
		t.Fatal(err)
	}
	if s.table, err = table.New(s.game, uint64(sc.Seed), seatsOf(s, 2), table.Options{Lesson: lesson}); err != nil {
		t.Fatal(err)
	}
	done, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() { _ = s.table.Run(done) }()
	s.server.table = s.table
	w := openWindow(t, ctx, s, s.server.o.Keys.Seats[0], 0, 1280, 900)
	w.until(
		`document.querySelector("#lessonhead").textContent.endsWith("(1 of 15)") && document.querySelector("#say").textContent.includes("field 12")`)
	eval[bool](w, `(document.querySelector("#choices button").click(), true)`)
	w.until(`document.querySelector("#toast").textContent.includes('it wants “Settle for 2 RES: 12”')`)
	w.press("w")
	w.until(`document.activeElement.textContent === "12"`)
	eval[bool](w, `(document.activeElement.click(), true)`)
	w.until(
		`document.querySelector("#lessonhead").textContent.endsWith("(2 of 15)") && document.querySelector("#came").textContent.includes("The field is yours")`)
}

// TestPlainPage plays on the page without pictures: by numbers, by words, and with questions.
func TestPlainPage(t *testing.T) {
	ctx := browser(t)
	s := openSite(t, "resilience-earth:players=2", "", "script:greedy")
	w := newWindow(t, ctx, s, 0, 360, 740)
	w.begins(`{ // The table is out of reach at first.
		const { fetch } = window;
		let asked = 0;
		window.fetch = async (...of) => (asked++ ? fetch(...of) : Promise.reject(new TypeError("out of reach")));
	}`)
	w.do(chromedp.Navigate(s.http.URL + "/plain.html#" + s.server.o.Keys.Seats[0]))
	w.until(`document.querySelectorAll("#choices button").length > 10`)
	w.axe("the page without pictures")
	says := func(line, want string) {
		t.Helper()
		eval[bool](w, `(document.querySelector("#said").replaceChildren(), document.querySelector("#line").focus(), true)`)
		w.do(chromedp.KeyEvent(line), chromedp.KeyEvent(kb.Enter))
		w.until(fmt.Sprintf(`document.querySelector("#said").textContent.includes(%q)`, want))
	}
	says("help", "why NUMBER")
	says("choices dismantle", "> choices dismantle")
	says("hand", "(you)")
	says("player 2", "Player 2")
	says("try settle 21", "You settle field 21: RES -2")
	says("why city 11", "RE-")
	says("why 2", "Settle for 2 RES: 12 can be chosen")
	says("why industry 36", "industry 36: ")
	says("rules tower falls", "RE-")
	says("nonsense", "Nothing at the table is")
	says("settle", "1. Settle for 2 RES: 11")
	says("2", "You settle field 12")
	says("undo", "It is taken back.")
	says("settle 21", "You settle field 21")
	says("since my last turn", "You settle field 21")
	says("end the turn", "Player 2")
	if n := s.settled(0).Decision; n < 3 {
		t.Errorf("%d decisions were made", n)
	}

	// At one keyboard nobody is read what another one holds.
	s = openSite(t, "resilience-earth:players=2", "")
	w.do(chromedp.Navigate(s.http.URL + "/plain.html#" + s.server.o.Keys.Host))
	for _, name := range []string{"Player 1", "Player 2"} {
		const cover = "It is the decision of %s. Press Enter when nobody else looks."
		w.until(fmt.Sprintf(`document.querySelector("#said").textContent === "`+cover+`"`, name))
		if eval[bool](w, `document.querySelector("#choices").childElementCount > 0`) {
			t.Error("there are choices before somebody is there")
		}
		eval[bool](w, `(document.querySelector("#line").focus(), true)`)
		w.do(chromedp.KeyEvent(kb.Enter))
		w.until(`document.querySelectorAll("#choices button").length > 10`)
		w.do(chromedp.KeyEvent("end the turn"), chromedp.KeyEvent(kb.Enter))
	}
}

// The links that skip to a part of the page leave the key in the address.
func TestSkip(t *testing.T) {
	ctx := browser(t)
	s := openSite(t, "resilience-earth:players=2", "", "script:greedy")
	w := openWindow(t, ctx, s, s.server.o.Keys.Seats[0], 0, 1280, 900)
	w.until(`document.querySelector("#choices button")`)
	eval[bool](w, `(document.querySelector(".skip").click(), true)`)
	w.until(`document.activeElement.closest("#choices")`)
	if hash := eval[string](w, `location.hash`); hash != "#"+s.server.o.Keys.Seats[0] {
		t.Errorf("the key in the address is %s", hash)
	}
}

// TestForm opens a form in every game, on every screen: its answers lie in one place with what is asked next, nothing
// is played before it is confirmed, and it is cancelled by a key.
func TestForm(t *testing.T) {
	ctx := browser(t)
	for _, game := range layoutGames {
		name, _, _ := strings.Cut(game.text, ":")
		t.Run(name, func(t *testing.T) {
			var s *site
			var more env.Action = -1
			for share := 0.3; more < 0; share += 0.03 {
				s = layoutAt(t, game.text, game.bot, share)
				for _, c := range s.settled(0).Choices {
					if c.More {
						more = c.Action
					}
				}
			}
			w := openWindow(t, ctx, s, s.server.o.Keys.Host, 0, 1280, 720)
			begins := fmt.Sprintf(`#choices [data-action="%d"]`, more)
			step := s.look(0).Step
			w.until(fmt.Sprintf(`document.querySelector('%s.more')`, begins))
			eval[bool](w, fmt.Sprintf(`(document.querySelector('%s').focus(), true)`, begins))
			w.do(chromedp.KeyEvent(kb.Enter))
			w.until(`document.querySelectorAll("#planned > li").length === 1`)
			w.fits(name + ", form")
			for _, screen := range screens {
				w.resize(screen.width, screen.height)
				for _, id := range []string{"#plandrop", "#planned b"} {
					if len(w.pointAt(id, 0)) != 2 {
						t.Errorf("%s is not to be seen on a %s", id, screen.name)
					}
				}
			}
			w.do(chromedp.KeyEvent(kb.Escape))
			w.until(fmt.Sprintf(`document.querySelector("#plan").hidden && document.querySelector('%s')`, begins))
			if s.look(0).Step != step {
				t.Fatal("something was played before it was confirmed")
			}
			eval[bool](w, fmt.Sprintf(`(document.querySelector('%s').click(), true)`, begins))
			w.until(`document.querySelectorAll("#planned > li").length === 1`)
			first := true
			w.played(step, func() {
				if !first {
					eval[bool](w, `(document.querySelector("#choices button").click(), true)`)
					return
				}
				first = false
				eval[bool](w, `((document.querySelector("#plansame:not([hidden])") ?? document.querySelector("#choices button")).click(), true)`)
			})
			w.catchUp()
			w.until(`document.querySelector("#plan").hidden`)
		})
	}
}
