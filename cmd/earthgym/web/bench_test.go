package web

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"earthgym/env"
	"earthgym/env/envtest/must"
)

// The marks, which no time may exceed on an idle machine of two cores.
const (
	paintMark = time.Second
	shownMark = 100 * time.Millisecond
	stallMark = 200 * time.Millisecond
)

// report reports the middle, the last hundredth and the worst of some times, in milliseconds, and whether they hold a
// mark; 0 is none.
func report(b *testing.B, what string, mark time.Duration, times []time.Duration) {
	b.Helper()
	if len(times) == 0 {
		b.Fatal("nothing was measured")
	}
	slices.Sort(times)
	for _, at := range []struct {
		name string
		of   int
	}{{"p50", len(times) / 2}, {"p99", len(times) * 99 / 100}, {"max", len(times) - 1}} {
		b.ReportMetric(float64(times[at.of].Microseconds())/1000, "ms-"+what+"-"+at.name)
	}
	b.ReportMetric(0, "ns/op")
	if worst := times[len(times)-1]; mark > 0 {
		verdict := "holds"
		if worst > mark {
			late, _ := slices.BinarySearch(times, mark+1)
			verdict = fmt.Sprintf("MISSED by %d of %d", len(times)-late, len(times))
		}
		b.Logf("%s: mark %v, worst %v: %s", what, mark, worst.Round(time.Millisecond), verdict)
	}
}

// BenchmarkFirstPaint is how long a browser on this machine takes from the link to the first paint with a picture or
// text in it, and to the board and its choices.
func BenchmarkFirstPaint(b *testing.B) {
	ctx := browser(b)
	s := openSite(b, "earthmans-burden:players=4", "", "script:greedy")
	s.settled(0)
	w := newWindow(b, ctx, s, 0, 1280, 900)
	var paints, boards []time.Duration
	for b.Loop() {
		w.do(chromedp.Navigate("about:blank"), chromedp.Navigate(s.http.URL+"/#"+s.server.o.Keys.Seats[0]))
		w.until(
			`document.querySelector("#choices button") && document.querySelector("#board svg") && performance.getEntriesByName("first-contentful-paint").length`)
		paints = append(paints,
			time.Duration(eval[float64](w, `performance.getEntriesByName("first-contentful-paint")[0].startTime`)*1e6))
		boards = append(boards, time.Duration(eval[float64](w, `performance.now()`)*1e6))
	}
	report(b, "paint", paintMark, paints)
	report(b, "board", 0, boards)
}

// BenchmarkDecisionShown is how long it takes from a click to the board after it, the answers of bots that need no time
// included, as the page itself sees it; the server gathers changes for a part of it.
func BenchmarkDecisionShown(b *testing.B) {
	ctx := browser(b)
	s := openSite(b, "earthmans-burden:players=4", "", "random")
	s.settled(0)
	w := openWindow(b, ctx, s, s.server.o.Keys.Seats[0], 0, 1280, 900)
	eval[bool](w, `(window.decide = () => new Promise((shown) => {
		const begun = performance.now();
		const watch = new MutationObserver(() => requestAnimationFrame(() => { watch.disconnect(); shown(performance.now() - begun); }));
		watch.observe(document.body, { attributes: true, attributeFilter: ["data-step"] });
		const b = document.querySelector("#choices button:not(.more)"); // What opens a form is played as its parts are.
		if (b) b.click();
		else import("./wire.js").then(({ post }) => post("play", { seat: 0, step: Number(document.body.dataset.step), action: Number(document.querySelector("#choices button").dataset.action) }));
	}), true)`)
	var times []time.Duration
	for b.Loop() {
		if s.settled(0).Result != nil {
			b.Fatal("the game is over before the benchmark is")
		}
		w.catchUp()
		w.until(`document.querySelector("#choices button")`)
		eval[bool](w, `(window.took = null, window.decide().then((t) => { window.took = t; }), true)`)
		w.until(`window.took !== null`)
		times = append(times, time.Duration(eval[float64](w, `window.took`)*1e6))
	}
	report(b, "shown", shownMark, times)
}

// follower is a page that looks on, without its browser.
type follower struct {
	body *bufio.Reader
	stop func() error
}

func follow(tb testing.TB, client *http.Client, url, key, query string) *follower {
	tb.Helper()
	r := must.Have(http.NewRequest("GET", url+"/api/events"+query, nil))(tb)
	r.Header.Set("Authorization", "Bearer "+key)
	answer := must.Have(client.Do(r))(tb)
	if answer.StatusCode != http.StatusOK {
		tb.Fatal(answer.Status)
	}
	return &follower{bufio.NewReaderSize(answer.Body, 1<<12), answer.Body.Close}
}

// step reads on to the next sight, and gives its step; false at the end of the stream.
func (f *follower) step() (int, bool) {
	for {
		line, err := f.body.ReadSlice('\n')
		begins := bytes.HasPrefix(line, []byte("data: "))
		step := -1
		if begins {
			if at := bytes.Index(line, []byte(`"step":`)); at >= 0 {
				_, _ = fmt.Sscanf(string(line[at:min(len(line), at+20)]), `"step":%d`, &step)
			}
		}
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = f.body.ReadSlice('\n')
		}
		if err != nil {
			return 0, false
		}
		if begins {
			return step, true
		}
	}
}

// BenchmarkSpectators is how long it takes until the last of 1,000 who look on at one table has been told of a
// decision.
func BenchmarkSpectators(b *testing.B) {
	const many = 1000
	s := openSite(b, "resilience-earth:players=2", "")
	s.server.o.MaxStreams = many
	client := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 0}}
	var last time.Duration
	var told sync.WaitGroup
	var mu sync.Mutex
	var begun time.Time
	told.Add(many)
	want := s.look(0).Step
	var all []*follower
	for range many {
		f := follow(b, client, s.http.URL, s.server.o.Keys.Watch, "")
		all = append(all, f)
		go func() {
			for {
				step, ok := f.step()
				if !ok {
					return
				}
				mu.Lock()
				if step == want {
					last = time.Since(begun)
					told.Done()
				}
				mu.Unlock()
			}
		}()
	}
	told.Wait()
	var times []time.Duration
	for b.Loop() {
		told.Add(many)
		p := s.look(env.Spectator).Actor
		now := s.look(p)
		mu.Lock()
		begun, want = time.Now(), now.Step+1
		mu.Unlock()
		if err := s.table.Play(p, now.Step, now.Choices[len(now.Choices)/2].Action); err != nil {
			b.Fatal(err)
		}
		told.Wait()
		mu.Lock()
		times = append(times, last)
		mu.Unlock()
		if s.look(0).Result != nil {
			b.Fatal("the game is over before the benchmark is")
		}
	}
	for _, f := range all {
		_ = f.stop()
	}
	report(b, "told", stallMark, times)
}

// BenchmarkTables has 50 tables of all games at once, a person and bots at each; a person decides every half second.
// What counts is how long a person's page waits to be told, and how long its request takes, which is answered when the
// decision is on the disk.
func BenchmarkTables(b *testing.B) {
	const tables, pause = 50, 500 * time.Millisecond
	client := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 0, MaxIdleConnsPerHost: 2}}
	var mu sync.Mutex
	var asked, told []time.Duration
	ctx, cancel := context.WithCancel(context.Background())
	var people sync.WaitGroup
	for i := range tables {
		name, _, _ := strings.Cut(short[i%len(short)], ":")
		s := openSite(b, name+":players=3", "", "script:strong")
		key := s.server.o.Keys.Seats[0]
		people.Go(func() {
			f := follow(b, client, s.http.URL, key, "?seat=0")
			defer f.stop()
			type seen struct {
				step int
				at   time.Time
			}
			steps := make(chan seen, 1000)
			go func() {
				defer close(steps)
				for {
					step, ok := f.step()
					if !ok {
						return
					}
					steps <- seen{step, time.Now()}
				}
			}()
			luck := env.NewStream(uint64(i), "person")
			for ctx.Err() == nil {
				select {
				case <-ctx.Done():
				case <-time.After(pause/2 + time.Duration(luck.Below(int(pause)))):
				}
				now := s.look(0)
				if now.Result != nil {
					return
				}
				if !now.Deciding {
					continue
				}
				for len(steps) > 0 {
					<-steps
				}
				body, err := json.Marshal(map[string]any{"seat": 0, "step": now.Step,
					"action": now.Choices[luck.Below(len(now.Choices))].Action})
				if err != nil {
					b.Error(err)
					return
				}
				r, err := http.NewRequest("POST", s.http.URL+"/api/play", bytes.NewReader(body))
				if err != nil {
					b.Error(err)
					return
				}
				r.Header.Set("Authorization", "Bearer "+key)
				begun := time.Now()
				answer, err := client.Do(r)
				if err != nil {
					b.Error(err)
					return
				}
				_ = answer.Body.Close()
				took := time.Since(begun)
				shown := time.Duration(0)
				for told := range steps {
					if told.step > now.Step {
						shown = told.at.Sub(begun)
						break
					}
				}
				mu.Lock()
				asked = append(asked, took)
				if shown > 0 {
					told = append(told, shown)
				}
				mu.Unlock()
			}
		})
	}
	for b.Loop() {
		time.Sleep(time.Second)
	}
	cancel()
	people.Wait()
	report(b, "asked", stallMark, asked)
	report(b, "told", stallMark, told)
}
