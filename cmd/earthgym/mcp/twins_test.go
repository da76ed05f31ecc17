package mcp

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"earthgym/agents/table"
	"earthgym/env"
	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// Whoever can't tell two games apart by the rules gets the same answers in both, and as many.
func TestTwinsLookAlike(t *testing.T) {
	for i, game := range []struct {
		text string
		seed uint64
	}{{"one-earth:players=3,mode=advanced", 0}, {"new-earth:players=4,turns=5", 0}, {"new-earth:players=2,turns=5", 5},
		{"earth-rising:players=3,hands=closed", 0}, {"resilience-earth:players=3", 0}} {
		if i > 0 && testing.Short() {
			break // What goes on at the same time is the same in every game.
		}
		g := must.Have(games.Open(game.text))(t)
		twins := must.Have(envtest.FindTwins(g, game.seed, 1))(t)
		if testing.Short() {
			twins = twins[:min(3, len(twins))] // that the race detector sees some
		}
		if len(twins) == 0 {
			t.Errorf("%s: no twins", game.text)
		}
		for _, tw := range twins {
			var heard [2][]string
			for i := range heard {
				synctest.Test(t, func(t *testing.T) { heard[i] = playTwin(t, g, tw, i) })
			}
			for k, v := range tw.Viewers {
				a, b := strings.Split(heard[0][k], "\n"), strings.Split(heard[1][k], "\n")
				for n := range max(len(a), len(b)) {
					if n >= len(a) || n >= len(b) || a[n] != b[n] {
						t.Errorf("%s, seed %d, %s: viewer %d gets, from answer %d of %d on,\n%s\nand in the other game, of %d,\n%s",
							game.text, game.seed, tw.Secret, v, n, len(a), strings.Join(a[n:min(n+1, len(a))], ""), len(b),
							strings.Join(b[n:min(n+1, len(b))], ""))
						break
					}
				}
			}
		}
	}
}

// playTwin plays one of two games, with a client for each of the viewers, and gives what they have got.
func playTwin(t *testing.T, g env.Game, tw *envtest.Twins, i int) []string {
	t.Cleanup(func() { time.Sleep(time.Minute) }) // until all connections have been closed
	s := newTestServer(t)
	at := &sitting{id: "TWIN", game: g, ended: make(chan struct{}), used: time.Now()}
	for p := range g.Info().Players {
		at.keys, at.open = append(at.keys, fmt.Sprint("seat", p)), append(at.open, false)
	}
	at.table = must.Have(table.Resume(g, tw.Start[i], make([]table.Seat, len(at.keys)), table.Options{}))(t)
	must.Do(t, s.lobby.add(at, func() error { return nil }))
	var clients []*listener
	for _, v := range tw.Viewers {
		fromClient, toServer := io.Pipe()
		fromServer, toClient := io.Pipe()
		go func() { _ = s.ServeStdio(t.Context(), fromClient, toClient) }()
		l := &listener{session: connect(t, &sdk.IOTransport{Reader: fromServer, Writer: toServer}),
			view: map[string]any{"table": at.id}}
		if v >= 0 {
			l.view["key"] = at.keys[v]
		}
		clients = append(clients, l)
		if v == env.Spectator {
			go l.watch(t)
		}
	}
	synctest.Wait()
	const moment, pause = 20 * time.Second, 50 * time.Millisecond
	begun, played := time.Now(), 0
	for n, end := range tw.Moments {
		for ; played < end[i]; played++ {
			m := tw.Moves[i][played]
			now, err := at.table.Look(m.Player)
			if err == nil {
				err = at.table.Play(m.Player, now.Step, m.Action)
			}
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(pause)
		}
		time.Sleep(time.Until(begun.Add(moment * time.Duration(n+1))))
		synctest.Wait()
		for _, l := range clients {
			l.askAll(t)
		}
	}
	var heard []string
	for _, l := range clients {
		l.mu.Lock()
		heard = append(heard, l.heard.String()+l.watched.String())
		l.mu.Unlock()
	}
	return heard
}

// A listener keeps what a client is told.
type listener struct {
	session *sdk.ClientSession
	view    map[string]any
	mu      sync.Mutex
	heard   strings.Builder
	watched strings.Builder
}

// watch waits for whatever happens, until the test is over.
func (l *listener) watch(t *testing.T) {
	for t.Context().Err() == nil {
		if r, err := l.session.CallTool(t.Context(),
			&sdk.CallToolParams{Name: "wait", Arguments: map[string]any{"table": l.view["table"], "seconds": 50}}); err == nil {
			l.keep(&l.watched, r)
		}
	}
}

func (l *listener) keep(b *strings.Builder, answer any) {
	text, _ := json.Marshal(answer) // It came as JSON.
	l.mu.Lock()
	defer l.mu.Unlock()
	b.Write(text)
	b.WriteByte('\n')
}

// askAll asks all that a client can ask and changes nothing.
func (l *listener) askAll(t *testing.T) {
	for _, tool := range []string{"look", "board", "legal_actions", "why_not", "wait", "act", "finish"} {
		arguments := map[string]any{"table": l.view["table"]}
		for what, x := range map[string]any{"key": l.view["key"], "seconds": 1, "history": 500, "action": "done", "step": 1} {
			uses := map[string]string{"key": "look board legal_actions why_not wait act finish", "seconds": "wait",
				"history": "look", "action": "why_not act", "step": "act"}[what]
			if x != nil && strings.Contains(uses, tool) {
				arguments[what] = x
			}
		}
		r, err := l.session.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
		if err != nil {
			l.keep(&l.heard, err.Error())
			continue
		}
		l.keep(&l.heard, r)
	}
	uri := "earthgym://tables/TWIN/board.svg"
	if key, ok := l.view["key"]; ok {
		uri = fmt.Sprintf("earthgym://tables/TWIN/keys/%s/board.svg", key)
	}
	for _, uri := range []string{uri, recordURI("TWIN")} {
		r, err := l.session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if err != nil {
			l.keep(&l.heard, err.Error())
			continue
		}
		l.keep(&l.heard, r)
	}
}
