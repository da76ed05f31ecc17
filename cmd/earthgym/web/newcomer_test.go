package web

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"earthgym/agents"
	"earthgym/agents/table"
	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// lessonSite is the table of a game's lesson, where greedy bots sit beside who learns.
func lessonSite(t *testing.T, name string) (*site, *table.Lesson) {
	t.Helper()
	sc := must.Have(games.Lesson(name))(t)
	g := must.Have(games.Open(sc.Game))(t)
	lesson := must.Have(table.NewLesson(sc, g.Info()))(t)
	bot := must.Have(agents.Open("script:greedy", g))(t)
	seats := make([]table.Seat, g.Info().Players)
	for p := range seats {
		if env.Player(p) != lesson.Seat {
			seats[p].Agent = bot
		}
	}
	tab := must.Have(table.New(g, uint64(sc.Seed), seats, table.Options{Lesson: lesson, Names: table.FromOne}))(t)
	s := serveTable(t, g, tab)
	s.settled(lesson.Seat)
	return s, lesson
}

// TestNewcomer learns every game on a laptop and on a phone, which of their kind have the least room, with nothing but
// what the page shows: it presses Show me, then what is marked, both where they are to be seen, until the lesson ends.
func TestNewcomer(t *testing.T) {
	ctx := browser(t)
	for _, game := range layoutGames {
		name, _, _ := strings.Cut(game.text, ":")
		for _, screen := range screens[:2] {
			t.Run(name+"/"+screen.name, func(t *testing.T) {
				s, lesson := lessonSite(t, name)
				w := openWindow(t, ctx, s, s.server.o.Keys.Host, lesson.Seat, screen.width, screen.height)
				point := func(selector string) {
					t.Helper()
					w.until(fmt.Sprintf(`document.querySelector(%q)`, selector))
					at := w.pointAt(selector, 0)
					if len(at) != 2 {
						w.keep("lost " + name + " " + screen.name)
						t.Fatalf("%s is not to be seen; the lesson says: %s", selector,
							eval[string](w, `document.querySelector("#lesson").textContent`))
					}
					w.do(chromedp.MouseClickXY(at[0], at[1]))
				}
				for steps := 0; ; steps++ {
					now := s.settled(lesson.Seat)
					if now.Lesson.Finished {
						break
					}
					if steps > 60 {
						t.Fatal("the lesson does not end")
					}
					w.catchUp()
					w.until(`document.querySelector("#choices button")`)
					point("#showme:not([hidden])")
					point(fmt.Sprintf(`#choices [data-action="%d"]`, now.Lesson.Action))
					deadline := time.Now().Add(time.Minute)
					for ; s.look(lesson.Seat).Step == now.Step; time.Sleep(5 * time.Millisecond) {
						if time.Now().After(deadline) {
							t.Fatalf("what was shown was not played at step %d: %s", steps,
								eval[string](w, `document.querySelector("#toast").textContent`))
						}
					}
				}
				w.catchUp()
				w.until(`document.querySelector("#say").textContent.includes("The lesson is over")`)
			})
		}
	}
}

// TestKeyboardGames plays a whole game of each kind with the keyboard alone: to the choices, along them, Enter; and at
// the end Tab leads to what may come next.
func TestKeyboardGames(t *testing.T) {
	ctx := browser(t)
	for _, text := range []string{
		"resilience-earth:players=2,minutes_min=10,minutes_max=15", "one-earth:players=3,max_rounds=5",
		"earth-rising:players=2,variant=quickplay", "new-earth:players=2,turns=1", "earthmans-burden:players=2,rounds=3",
	} {
		name, _, _ := strings.Cut(text, ":")
		t.Run(name, func(t *testing.T) {
			s := openSite(t, text, "", "script:greedy")
			w := openWindow(t, ctx, s, s.server.o.Keys.Seats[0], 0, 1280, 720)
			for n := 0; ; n++ {
				now := s.settled(0)
				w.catchUp()
				if now.Result != nil {
					break
				}
				if n > 400 {
					t.Fatal("the game does not end")
				}
				w.until(`document.querySelector("#choices button") && !document.body.classList.contains("sending")`)
				w.do(chromedp.KeyEvent("/"))
				w.until(`document.activeElement.id === "find"`)
				// The protocol types the key even where the page has taken it.
				w.do(chromedp.KeyEvent(kb.Escape), chromedp.KeyEvent(kb.ArrowDown))
				for range n % 3 {
					w.do(chromedp.KeyEvent(kb.ArrowRight))
				}
				w.until(`document.activeElement.dataset.action`)
				w.do(chromedp.KeyEvent(kb.Enter))
				w.played(now.Step, func() {
					w.until(`document.activeElement.dataset.action`)
					w.do(chromedp.KeyEvent(kb.Enter))
				})
			}
			w.until(`document.querySelector("#result .buttons button, #review")`)
			for range 40 {
				if eval[bool](w, `document.activeElement.id === "review"`) {
					return
				}
				w.do(chromedp.KeyEvent(kb.Tab))
			}
			t.Error("Tab does not lead to what the decisions have cost")
		})
	}
}

// TestSounds hears nothing until sounds are wanted, then the moves of others and whose turn it is.
func TestSounds(t *testing.T) {
	ctx := browser(t)
	s := openSite(t, "resilience-earth:players=2", "", "script:greedy")
	s.settled(0)
	w := openWindow(t, ctx, s, s.server.o.Keys.Host, 0, 1280, 720)
	w.until(`document.querySelector("#choices button")`)
	eval[bool](w, `(() => {
		window.heard = [];
		const create = AudioContext.prototype.createOscillator;
		AudioContext.prototype.createOscillator = function () { const o = create.call(this); window.audio = this; setTimeout(() => window.heard.push(o.frequency.value)); return o; };
		return true;
	})()`)
	w.choose(0, false)
	w.catchUp()
	if n := eval[int](w, `window.heard.length`); n > 0 {
		t.Errorf("%d tones that nobody has asked for", n)
	}
	w.do(chromedp.Click("#people"))
	w.until(`document.querySelector("#table").open`)
	w.do(chromedp.Click("#sounds"))
	w.until(`window.heard.length === 2 && window.audio.state === "running"`)
	w.do(chromedp.Click("#tableclose"))
	eval[bool](w, endTurn)
	w.until(`window.heard.length >= 4`)
	w.do(chromedp.Reload())
	w.catchUp()
	if !eval[bool](w, `document.querySelector("#sounds").checked`) {
		t.Error("that sounds are wanted is forgotten")
	}
}
