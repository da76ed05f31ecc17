package web

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"earthgym/agents"
	"earthgym/agents/table"
	"earthgym/env"
	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// twinGames are all games, in variants with something to hide, and the seeds of games in which it is at stake.
var twinGames = []struct {
	text  string
	seeds []uint64
}{
	{"new-earth:players=4,turns=5", []uint64{0, 3}}, {"new-earth:players=3,turns=5", []uint64{0, 1}},
	{"new-earth:players=2,turns=5", []uint64{5}}, {"new-earth:players=3,turns=3,announce_totals=off", []uint64{1}},
	{"one-earth:players=3,mode=advanced", []uint64{0, 1}}, {"earth-rising:players=3,hands=closed", []uint64{0, 1}},
	{"earth-rising:players=2", []uint64{0}}, {"resilience-earth:players=3", []uint64{0}},
	{"earthmans-burden:players=3", []uint64{0}},
}

// Whoever can't tell two games apart by the rules gets the same bytes of both, event by event and answer by answer:
// what others have chosen or hold in secret moves no number, no event, and not even the moment at which a page is told
// that all stands.
func TestTwinsLookAlike(t *testing.T) {
	if testing.Short() {
		twinGames = twinGames[4:5] // what goes on at the same time is the same in every game
	}
	longer := 0 // in which one game has more decisions than the other
	for _, game := range twinGames {
		g := must.Have(games.Open(game.text))(t)
		t.Run(game.text, func(t *testing.T) {
			found := 0
			for _, seed := range game.seeds {
				twins := must.Have(envtest.FindTwins(g, seed, 1))(t)
				for _, tw := range twins {
					found++
					if last := tw.Moments[len(tw.Moments)-1]; last[0] != last[1] {
						longer++
					}
					twinsLookAlike(t, g, tw)
				}
			}
			if hides := g.Info().Has(env.HiddenInfo); (found > 0) != hides {
				t.Errorf("%d twins; the game hides something: %v", found, hides)
			}
		})
	}
	if longer < 6 && !testing.Short() {
		t.Errorf("%d twins only in which one game has more decisions than the other", longer)
	}
}

func twinsLookAlike(t *testing.T, g env.Game, tw *envtest.Twins) {
	var heard [2][]string
	for i := range heard {
		synctest.Test(t, func(t *testing.T) { heard[i] = playTwin(t, g, tw, i) })
	}
	for k, v := range tw.Viewers {
		a, b := strings.Split(heard[0][k], "\n"), strings.Split(heard[1][k], "\n")
		for n := range max(len(a), len(b)) {
			if n >= len(a) || n >= len(b) || a[n] != b[n] {
				at := func(list []string) string {
					if n < len(list) {
						return list[n]
					}
					return "nothing"
				}
				t.Errorf("%s, from decision %d on: viewer %d gets, as message %d,\n%s\nand in the other game\n%s", tw.Secret,
					len(tw.Start[0].Moves), v, n, at(a), at(b))
				break
			}
		}
	}
}

// playTwin plays one of two games, with people in all seats, and gives what each of the viewers has got.
func playTwin(t *testing.T, g env.Game, tw *envtest.Twins, i int) []string {
	players := g.Info().Players
	tab := must.Have(table.Resume(g, tw.Start[i], make([]table.Seat, players), table.Options{}))(t)
	keys := Keys{Host: "host", Watch: "watch"}
	for p := range players {
		keys.Seats = append(keys.Seats, fmt.Sprint("seat", p))
	}
	open := func(text string) (*agents.Maker, error) { return agents.Open(text, g) }
	api := NewServer(tab, Options{Keys: keys, Agents: []string{"script:greedy"}, Open: open}).API()
	ctx, cancel := context.WithCancel(t.Context())
	defer synctest.Wait()
	defer cancel()
	begun := time.Now()
	var pages []*listener
	for _, v := range tw.Viewers {
		l := &listener{seat: v, key: keys.Watch, query: url.Values{}}
		if v >= 0 {
			l.key = keys.Seats[v]
			l.query.Set("seat", fmt.Sprint(v))
		}
		pages = append(pages, l)
		go api.Ask(ctx, &Question{"GET", "/api/events", l.query, nil, l.key}, l)
	}
	synctest.Wait()
	// Longer than a page may wait for a sign of life, so that what puts it off shows.
	const moment, pause = 20 * time.Second, 50 * time.Millisecond
	at := 0
	for n, played := range tw.Moments {
		for ; at < played[i]; at++ {
			m := tw.Moves[i][at]
			now, err := tab.Look(m.Player)
			if err == nil {
				err = tab.Play(m.Player, now.Step, m.Action)
			}
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(pause)
		}
		time.Sleep(time.Until(begun.Add(moment * time.Duration(n+1))))
		synctest.Wait()
		for _, l := range pages {
			l.askAll(ctx, t, api, tab)
		}
	}
	var heard []string
	for _, l := range pages {
		heard = append(heard, l.heard.String())
	}
	return heard
}

// A listener keeps what a page is told, and what it asks.
type listener struct {
	seat  env.Player
	key   string
	query url.Values
	mu    sync.Mutex
	heard strings.Builder
}

// Begin implements Reply.
func (l *listener) Begin(status int, kind string) { _ = l.Send(fmt.Appendln(nil, status, kind)) }

// Send implements Reply.
func (l *listener) Send(piece []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.heard.Write(piece)
	return nil
}

// askAll asks all that a page can ask and changes nothing.
func (l *listener) askAll(ctx context.Context, t *testing.T, api *API, tab *table.Table) {
	now := must.Have(tab.Look(l.seat))(t)
	action := 0
	if len(now.Choices) > 0 {
		action = int(now.Choices[len(now.Choices)/2].Action)
	}
	for _, ask := range []struct{ what, query, body string }{
		{"GET /api/table", "", ""},
		{"GET /api/text", "", ""},
		{"GET /api/record", "", ""},
		{"GET /api/find", "question=hand", ""},
		{"GET /api/find", "question=since", ""},
		{"GET /api/find", "question=threats", ""},
		{"GET /api/why", "action=0&action=1&action=2", ""},
		{"GET /api/why", fmt.Sprintf("after=%d&action=0&action=1&step=%d", action, now.Step), ""},
		{"POST /api/draft", "", fmt.Sprintf(`{"seat":%d,"step":%d,"actions":[%d]}`, l.seat, now.Step, action)},
		{"POST /api/draft", "", fmt.Sprintf(`{"seat":%d,"step":%d,"actions":[%d]}`, l.seat, now.Step-1, action)},
		{"POST /api/hint", "", fmt.Sprintf(`{"seat":%d,"step":%d,"agent":"script:greedy"}`, l.seat, now.Step)},
		{"POST /api/undo", "", fmt.Sprintf(`{"seat":%d,"step":%d}`, l.seat, now.Step-1)},
		{"POST /api/play", "", fmt.Sprintf(`{"seat":%d,"step":%d,"action":9999}`, l.seat, now.Step)},
		{"POST /api/send", "", fmt.Sprintf(`{"seat":%d,"step":%d,"actions":[9999]}`, l.seat, now.Step)},
	} {
		query := must.Have(url.ParseQuery(ask.query))(t)
		if seat := l.query.Get("seat"); seat != "" {
			query.Set("seat", seat)
		}
		method, path, _ := strings.Cut(ask.what, " ")
		_ = l.Send(fmt.Appendln(nil, ask.what, ask.query, ask.body))
		api.Ask(ctx, &Question{method, path, query, strings.NewReader(ask.body), l.key}, l)
		_ = l.Send([]byte("\n"))
	}
}
