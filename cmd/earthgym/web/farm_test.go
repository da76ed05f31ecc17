package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/chromedp"

	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/env/farm"
	"earthgym/env/record"
)

// TestFarmPage looks at a hub's page, and at a game that it leads to, which nobody sees without the key.
func TestFarmPage(t *testing.T) {
	ctx := browser(t)
	g, rec := played(t, "resilience-earth:players=2", 400)
	long := "tournament one-earth script:strong net:runs/a-name-that-is-as-long-as-people-make-them-if-nobody-stops-them"
	status := &farm.Status{Backlog: 1, Workers: []farm.Life{{Who: "ada-1", Slots: 4, Parts: 12, Rate: 1.5, Class: "fused",
		Doing: map[string]string{"x": "strength: +0.50 on average\nupdate 2: 20 decisions\nstrength: -0.50 on average\n" +
			"update 1: 9 decisions"}}},
		Jobs: []farm.Life{{Who: "job-1", Says: long, Done: 1, Total: 3, Left: 100, Lag: 3, Parked: []string{"no arms"},
			Aside: map[string]string{"eve": "it forges"}, Games: map[string]string{"records/000/000012.jsonl": "abc"},
			Standings: []farm.Standing{{Agent: "script:strong", Rated: true, Rating: 1012, Low: -1598, High: 2319, Games: 4},
				{Agent: "random"}}}}}
	server := httptest.NewServer(FarmHandler(FarmOptions{Key: "secret",
		Programs: http.NotFoundHandler(), Status: func(context.Context) (any, error) { return status, nil },
		Rules: func(string) (string, string, error) { return "# Rules", "# How", nil },
		Record: func(_ context.Context, hash string) (*record.Record, env.Game, error) {
			if hash != "abc" {
				return nil, nil, context.Canceled
			}
			return rec, g, nil
		}}))
	t.Cleanup(server.Close)
	for _, at := range []struct {
		name          string
		width, height int64
		more          []chromedp.EmulateViewportOption
	}{
		{"a hub", 1280, 720, nil},
		{"a hub on a phone", 360, 740, []chromedp.EmulateViewportOption{chromedp.EmulateMobile}},
	} {
		w := newWindow(t, ctx, nil, 0, at.width, at.height, at.more...)
		w.do(chromedp.Navigate(server.URL + "/#secret"))
		w.until(`document.querySelector("#workers polyline") && document.querySelectorAll("#jobs tbody tr").length === 2`)
		w.axe(at.name)
		if wide := eval[int64](w, `document.documentElement.scrollWidth`); wide > at.width {
			t.Errorf("%s is %d wide", at.name, wide)
		}
		if eval[bool](w, `document.querySelector("#who").scrollWidth > document.querySelector("#who").clientWidth + 1`) {
			t.Errorf("%s: how much work there is is cut off", at.name)
		}
		if eval[float64](w, `document.querySelector("#jobs tr:last-child td").getBoundingClientRect().height`) > 30 {
			t.Errorf("%s: the name of an agent is broken within a word", at.name)
		}
		w.do(chromedp.Click(`#jobs a[href^="watch/"]`))
		w.until(`document.querySelector("#board svg") && document.querySelector("#curve polyline")`)
	}
	for path, code := range map[string]int{"/api/farm": 401, "/watch/abc/api/film": 401, "/watch/abd/": 404, "/": 200} {
		answer := must.Have(http.Get(server.URL + path))(t)
		answer.Body.Close()
		if answer.StatusCode != code {
			t.Errorf("%s without the key: %d", path, answer.StatusCode)
		}
	}
}
