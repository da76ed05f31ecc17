package web

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"earthgym/agents"
	"earthgym/agents/table"
	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/env/record"
	"earthgym/env/referee"
	"earthgym/games"
)

var pictures = flag.String("pictures", "", "also keep pictures of the pages in this folder, to be looked at")

type screen struct {
	name          string
	width, height int64
}

// screens are those on which the page must fit, the lowest and the narrowest first.
var screens = []screen{{"laptop", 1280, 720}, {"phone", 390, 844}, {"desktop", 1440, 900}, {"tablet", 768, 1024}}

// layoutGames are the games as they are played, and those who play them.
var layoutGames = []struct{ text, bot string }{
	{"resilience-earth:players=3", "script:strong"}, {"one-earth", "script:strong"},
	{"earth-rising:players=2", "script:greedy"},
	{"new-earth:players=3", "script:greedy"}, {"earthmans-burden:players=3", "random"},
}

// measure lists what is wrong with the page as it lies.
const measure = `(() => {
	const faults = [];
	const seen = (e) => e.getClientRects().length > 0 && getComputedStyle(e).visibility === "visible";
	const box = (e) => e.getBoundingClientRect();
	const root = document.documentElement;
	if (root.scrollWidth > innerWidth) faults.push("the page is " + root.scrollWidth + " wide");
	if (root.scrollHeight > innerHeight) faults.push("the page is " + root.scrollHeight + " high");
	const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
	for (const id of ids.filter((id, i) => ids.indexOf(id) !== i)) faults.push("two things are called " + id);
	const log = document.querySelector("#log"), list = document.querySelector("#choices");
	if (list) {
		const clip = box(list), all = [...list.querySelectorAll("button")];
		const inView = all.filter((b) => { const r = box(b); return r.top >= clip.top - 1 && r.bottom <= Math.min(clip.bottom, innerHeight) + 1 && r.right <= innerWidth; }).length;
		if (inView < Math.min(6, all.length)) faults.push(inView + " of " + all.length + " choices are in view");
		if (log.scrollHeight - log.scrollTop - log.clientHeight > 2) faults.push("the log is " + Math.round(log.scrollHeight - log.scrollTop - log.clientHeight) + " from its end");
	} else {
		const now = log.querySelector("[aria-current]"), clip = box(log);
		if (!now || box(now).bottom < clip.top || box(now).top > clip.bottom) faults.push("the log does not show what has happened now");
		for (const e of document.querySelectorAll(".timeline > *, #status")) if (box(e).bottom > innerHeight || box(e).height === 0) faults.push("is out of view: " + e.outerHTML.slice(0, 80));
		if (box(document.querySelector("#board")).height < 0.3 * innerHeight) faults.push("the board is " + box(document.querySelector("#board")).height + " high");
	}
	const lesson = document.querySelector("#lesson");
	if (lesson && seen(lesson) && lesson.clientHeight < Math.min(lesson.scrollHeight, innerHeight * (innerWidth > 700 ? 0.35 : 0.2))) faults.push("the lesson has " + lesson.clientHeight + " of " + lesson.scrollHeight);
	for (const e of document.querySelectorAll("h1, .who")) if (seen(e) && e.textContent.length < 30 && (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 2)) faults.push("is cut off: " + e.textContent);
	for (const e of document.querySelectorAll("dialog[open] label:has([type=checkbox])")) {
		const words = document.createRange();
		words.selectNodeContents(e);
		if (Math.abs(box(e.querySelector("input")).top - [...words.getClientRects()].at(1).top) > 12) faults.push("the words stand below their box: " + e.textContent);
	}
	const caption = document.querySelector("#caption"), end = document.querySelector("#captionend");
	if (caption && seen(caption) && (box(caption).height > 0.4 * box(caption.parentElement).height || box(end).height > 45)) faults.push("the caption covers " + box(caption).height + ", its button " + box(end).height);
	const seenOn = (e, property) => {
		const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
		const lights = [getComputedStyle(document.documentElement).getPropertyValue("--paper"), getComputedStyle(e)[property]].map((colour) => {
			canvas.fillStyle = colour;
			canvas.fillRect(0, 0, 1, 1);
			const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
			return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
		}).sort();
		return lights[1] / lights[0];
	};
	for (const e of document.querySelectorAll("#result polyline")) if (seenOn(e, "stroke") < 2.9) faults.push("a line of the chart has a contrast of " + seenOn(e, "stroke").toFixed(2) + ": " + getComputedStyle(e).stroke);
	const question = document.querySelector("#question")?.textContent ?? "";
	if (/ [.,;:](?: |$)/.test(question)) faults.push("a sign stands alone in: " + question);
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let n = walker.nextNode(); n; n = walker.nextNode()) {
		const e = n.parentElement, text = n.data.trim();
		if (!text || !seen(e) || e.closest("noscript, .unseen, pre, code")) continue;
		if (/\x60|\*\*|<!--|-->|^\|.*\||\]\(|: place \d|undefined|NaN|\[object/.test(text)) faults.push("markup: " + text.slice(0, 60));
		if (e.closest("svg")) continue;
		const size = parseFloat(getComputedStyle(e).fontSize);
		if (size < 11) faults.push(size + " px: " + text.slice(0, 40));
	}
	for (const e of document.querySelectorAll("[aria-label]")) if (/: place \d/.test(e.getAttribute("aria-label"))) faults.push("label " + e.getAttribute("aria-label"));
	for (const e of document.querySelectorAll("header *, aside > *, aside button, .seat, #boardside > *, dialog[open], dialog[open] *, .first *")) {
		if (!seen(e) || e.closest("svg, .unseen, .log, .pages")) continue;
		const r = box(e);
		if (r.right > innerWidth + 1 || r.left < -1) faults.push("sticks out: " + e.outerHTML.slice(0, 80));
		if (e.nodeName === "BUTTON" && e.scrollWidth > e.clientWidth + 1) faults.push("is cut off: " + e.outerHTML.slice(0, 80));
	}
	for (const [a, b] of [["#boardside", "#sheet"], ["#now", "#choosing"], ["#lesson", "#choosing"], ["#hints", "#choices"], ["#choosing", "#story"], ["#now", "#story"], ["#boardside", "aside"]]) {
		const [x, y] = [a, b].map((s) => document.querySelector(s));
		if (!x || !y || !seen(x) || !seen(y)) continue;
		const [r, s] = [box(x), box(y)];
		if (r.left < s.right - 1 && s.left < r.right - 1 && r.top < s.bottom - 1 && s.top < r.bottom - 1) faults.push(a + " lies over " + b);
	}
	return [...new Set(faults)].slice(0, 8);
})()`

// layoutRecord is a whole game of bots.
func layoutRecord(t *testing.T, text, bot string) (env.Game, *record.Record) {
	t.Helper()
	g := must.Have(games.Open(text))(t)
	m := must.Have(agents.Open(bot, g))(t)
	agent := must.Have(m.New())(t)
	ref := must.Have(referee.New(g, 5))(t)
	for ref.Actor() != env.Over {
		a, err := agent.Act(ref.View())
		if err == nil {
			err = ref.Play(a)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return g, ref.Record(nil)
}

// layoutAt is a table at a share of a game of bots, at which the first seat is a person's who decides, or at its end.
// Where people are named, they have all seats.
func layoutAt(t *testing.T, text, bot string, share float64, people ...string) *site {
	t.Helper()
	g, rec := layoutRecord(t, text, bot)
	m := must.Have(agents.Open(bot, g))(t)
	var asked []int // decisions of the first seat
	for n, move := range rec.Moves {
		if move.Player == 0 {
			asked = append(asked, n)
		}
	}
	if share < 1 {
		rec.Moves, rec.Footer = rec.Moves[:asked[int(share*float64(len(asked)-1))]], nil
	}
	seats := make([]table.Seat, g.Info().Players)
	for p := range seats {
		if people != nil {
			seats[p].Name = people[p%len(people)]
		} else if p > 0 {
			seats[p].Agent = m
		}
	}
	tab := must.Have(table.Resume(g, rec, seats, table.Options{Names: table.FromOne}))(t)
	return serveTable(t, g, tab)
}

// fits has the page measured on the lowest and the narrowest screen, in a state that it has been brought into.
func (w *window) fits(state string) {
	w.t.Helper()
	w.fitsOn(screens[:2], state)
}

func (w *window) fitsOn(screens []screen, state string) {
	w.t.Helper()
	for _, screen := range screens {
		w.resize(screen.width, screen.height)
		for _, fault := range eval[[]string](w, measure) {
			w.t.Errorf("%s, %s: %s", state, screen.name, fault)
		}
		w.keep(state + " " + screen.name)
	}
}

// resize gives the window a size, and waits until the page has it and has been laid out by it.
func (w *window) resize(width, height int64) {
	w.t.Helper()
	w.do(chromedp.EmulateViewport(width, height))
	w.until(fmt.Sprintf(`innerWidth === %d && innerHeight === %d`, width, height))
	eval[bool](w, `new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(true), 30)))`)
}

// letters fails where letters of the board are less than ten pixels high on a laptop, or nine on a phone where somebody
// has asked for a larger board. What boards there are besides is held by envtest.Lint, by the size of the place.
func (w *window) letters(state string) {
	w.t.Helper()
	const smallest = `new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(
		Math.min(...[...document.querySelectorAll("#board svg text")].filter((e) => e.getClientRects().length > 0)
			.map((e) => parseFloat(getComputedStyle(e).fontSize) * Math.hypot(e.getScreenCTM().a, e.getScreenCTM().b)))), 30)))`
	w.resize(1280, 720)
	if size := eval[float64](w, smallest); size < 10 {
		w.t.Errorf("%s: letters of %.2f pixels on a laptop, less than 10", state, size)
	}
	w.resize(390, 844)
	w.until(`document.querySelectorAll("#panes button").length > 1`)
	eval[bool](w, `(document.querySelector("#larger").click(), true)`)
	if size := eval[float64](w, smallest); size < 9 {
		w.t.Errorf("%s: letters of %.2f pixels on a phone, enlarged, less than 9", state, size)
	}
	w.keep(state + ", enlarged")
	for range 6 {
		eval[bool](w, `(document.querySelector("#smaller").click(), true)`)
	}
}

// keep keeps a picture of the page, where that is wanted.
func (w *window) keep(name string) {
	if *pictures == "" {
		return
	}
	png, err := chromedp.Run(w.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.MkdirAll(*pictures, 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(*pictures, strings.NewReplacer(" ", "-", ",", "", "/", "-").Replace(name)+".png"),
			png, 0o644)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// TestLayout looks at every game at its beginning, in its middle and late, with a hint and in a lesson, on every
// screen.
func TestLayout(t *testing.T) {
	ctx := browser(t)
	for _, game := range layoutGames {
		name, _, _ := strings.Cut(game.text, ":")
		t.Run(name, func(t *testing.T) {
			for _, at := range []struct {
				name  string
				share float64
			}{{"start", 0}, {"middle", 0.5}, {"late", 0.9}} {
				s := layoutAt(t, game.text, game.bot, at.share)
				s.settled(0)
				w := openWindow(t, ctx, s, s.server.o.Keys.Host, 0, 1280, 720)
				w.until(`document.querySelector("#choices button")`)
				if at.share == 0.5 {
					w.fitsOn(screens, name+", "+at.name)
				} else {
					w.fits(name + ", " + at.name)
				}
				w.letters(name + ", " + at.name)
				if at.share == 0.5 {
					w.press("h")
					w.until(`document.querySelector(".advised") && document.querySelector(".advice")`)
					w.fits(name + ", hint")
					if eval[bool](w,
						`(document.querySelector("#hints summary").click(), document.querySelector("#story").checkVisibility())`) {
						t.Errorf("%s: on a phone the story takes the room of the choices below an open hint", name)
					}
					if pad := eval[string](w,
						`(document.querySelector("#hints summary").click(), document.querySelector("#menu").innerHTML = "<p><button class=rule>§</button>", getComputedStyle(document.querySelector("#menu .rule")).padding)`); pad != "0px" {
						t.Errorf("%s: on a phone the link of a rule in a menu has a padding of %s", name, pad)
					}
					w.do(chromedp.EmulateViewport(1280, 720))
					w.follows(name)
				}
			}
			s, lesson := lessonSite(t, name)
			w := openWindow(t, ctx, s, s.server.o.Keys.Host, lesson.Seat, 1280, 720)
			w.until(`document.querySelector("#choices button")`)
			w.fits(name + ", lesson")
		})
	}
}

// TestEnds looks at the end of every game on every screen, light and dark.
func TestEnds(t *testing.T) {
	ctx := browser(t)
	for _, game := range layoutGames {
		name, _, _ := strings.Cut(game.text, ":")
		t.Run(name, func(t *testing.T) {
			s := layoutAt(t, game.text, game.bot, 1)
			w := openWindow(t, ctx, s, s.server.o.Keys.Host, 0, 1280, 720)
			w.until(`document.querySelector("#result polyline")`)
			w.fitsOn(screens, name+", end, light")
			eval[bool](w, `(document.querySelector("#theme").click(), true)`)
			w.fits(name + ", end, dark")
			eval[bool](w, `(document.querySelector("#theme").click(), true)`)
			if eval[bool](w, `(document.querySelector("#result :is(th[scope=row], p + p)").append("W".repeat(40)), document.querySelector("#result").scrollWidth > document.querySelector("#result").clientWidth)`) {
				t.Errorf("%s, end: a long name is wider than the result", name)
			}
			if seats := eval[int](w, `document.querySelectorAll("#result :is(th[scope=row], .legend li)").length`); (seats == 0) !=
				(name == "earth-rising") {
				t.Errorf("%s, end: %d scores of seats; one stands for all where all win together", name, seats)
			}
			w.do(chromedp.Navigate("about:blank"), chromedp.Navigate(s.http.URL+"/#"+s.server.o.Keys.Watch))
			w.until(`document.querySelector("#result polyline")`)
			if eval[bool](w, `(document.querySelector("#reveal").hidden = false, document.querySelector("#reveal").checkVisibility())`) {
				t.Errorf("%s, end: what was sealed last takes the result's room", name)
			}
			if text := eval[string](w, `document.querySelector("#result").innerText`); strings.Contains(text, "null") {
				t.Errorf("%s, end, to a spectator: %s", name, text)
			}
		})
	}
}

// follows presses what the page has, and goes where its links lead.
func (w *window) follows(state string) {
	w.t.Helper()
	eval[bool](w, `(document.querySelector("#rules").click(), true)`)
	w.until(`document.querySelector("#book").open && document.querySelector("#bookparts button")`)
	for n := range eval[int](w, `document.querySelectorAll("#bookparts button").length`) {
		eval[bool](w, fmt.Sprintf(`(document.querySelectorAll("#bookparts button")[%d].click(), true)`, n))
		for _, fault := range eval[[]string](w, measure) {
			w.t.Errorf("%s, book %d: %s", state, n, fault)
		}
		w.keep(fmt.Sprintf("%s, book %d", state, n))
	}
	if broken := eval[[]string](w,
		`[...document.querySelectorAll("#pages img")].filter((i) => i.complete && !i.naturalWidth).map((i) => i.src)`); len(
		broken) > 0 {
		w.t.Errorf("%s: pictures are missing: %q", state, broken)
	}
	eval[bool](w, `(document.querySelector("#bookclose").click(), document.querySelector("#people").click(), true)`)
	w.until(`document.querySelector("#table").open`)
	w.fits(state + ", the table")
	w.do(chromedp.EmulateViewport(1280, 720))
	dead := `(async () => {
		const dead = [];
		for (const a of document.querySelectorAll("a[href]:not(.skip)")) if (!a.closest("[hidden]") && !(await fetch(a.href)).ok) dead.push(a.href);
		for (const i of document.querySelectorAll("#links input")) {
			const [page, key] = i.value.split("#");
			if (!(await fetch(page)).ok || !(await fetch(new URL("api/table", page), { headers: { Authorization: "Bearer " + key } })).ok) dead.push(i.value);
		}
		return dead;
	})()`
	for _, link := range eval[[]string](w, dead) {
		w.t.Errorf("%s: a dead link: %s", state, link)
	}
	eval[bool](w, `(document.querySelector("#tableclose").click(), document.querySelector("#reading").click(), true)`)
	w.until(`!document.querySelector("#text").hidden`)
	eval[bool](w,
		`(document.querySelector("#reading").click(), document.querySelector("#larger").click(), document.querySelector("#smaller").click(), document.querySelector("#theme").click(), document.querySelector("#theme").click(), true)`)
	eval[bool](w, `(document.querySelector("#log button[data-decision]:last-child").click(), true)`)
	w.until(`!document.querySelector("#caption").hidden`)
	w.fits(state + ", looking back")
	eval[bool](w, `(document.querySelector("#captionend").click(), true)`)
	w.until(`document.querySelector("#caption").hidden && document.querySelector("#board .can, #choices button")`)
}

// longNames are those of people, in letters of several widths and directions, as long as they may be.
var longNames = []string{"Maximiliane-Wilhelmine von Hohenstein-Au", strings.Repeat("漢字", 20),
	"محمد عبد الرحمن بن عبد العزيز آل سعود", strings.Repeat("W", 40)}

// outOfPlace lists the texts of a board that name a seat and don't stay in their place.
const outOfPlace = `[...document.querySelectorAll("#board text")].flatMap((t) => {
	if (!t.dataset.room) return [];
	const wide = t.getComputedTextLength();
	return wide > Number(t.dataset.room) * 1.03 + 1 ? [t.textContent + " is " + wide + " wide, for " + t.dataset.room] : [];
})`

// TestLongNames looks at tables of people with long names on every screen: no name leaves its place on the board, no
// choice and no line of the standings the page.
func TestLongNames(t *testing.T) {
	ctx := browser(t)
	for _, game := range layoutGames {
		name, _, _ := strings.Cut(game.text, ":")
		t.Run(name, func(t *testing.T) {
			s := layoutAt(t, game.text, game.bot, 0.5, longNames...)
			s.settled(0)
			w := openWindow(t, ctx, s, s.server.o.Keys.Seats[0], 0, 1280, 720)
			w.until(`document.querySelector("#choices button")`)
			w.fits(name + ", long names")
			for _, fault := range eval[[]string](w, outOfPlace) {
				t.Errorf("%s: %s", name, fault)
			}
			if name == "one-earth" { // The board names who sits there, also who has come since.
				w.until(`document.querySelector("#board").textContent.includes("Maxi")`)
				must.Do(t, s.table.Sit(1, table.Seat{Name: "Zoë"}))
				w.until(`document.querySelector("#board").textContent.includes("Zoë")`)
			}
			// A line that the seat's number fills has room for a name that is hardly longer.
			const full = `seat 0: 35 VP: prosperity 13, technology 1, policy`
			if got := eval[string](w, `import("/board.js").then(({ nameSeats }) => {
				const box = document.querySelector("#board svg").appendChild(document.createElementNS("http://www.w3.org/2000/svg", "g"));
				const t = box.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "text"));
				t.setAttribute("font-size", "15"), t.dataset.room = "332", t.textContent = "`+full+`";
				nameSeats(box, () => "Player 1");
				return t.getComputedTextLength() > 333 ? "too wide" : t.textContent;
			})`); got != strings.Replace(full, "seat 0", "Player 1", 1) {
				t.Errorf("with a name the line is %q", got)
			}
		})
	}
}
