package mcp

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/env/referee"
	"earthgym/games"
)

// A tap keeps what is read through it.
type tap struct {
	io.ReadCloser
	mu    sync.Mutex
	heard bytes.Buffer
}

func (t *tap) Read(b []byte) (int, error) {
	n, err := t.ReadCloser.Read(b)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.heard.Write(b[:n])
	return n, err
}

// In every game, all that crosses the wire to a seat could be said of any position that the seat can't tell from the
// true one; and no other seat's key, no seed and no position crosses it.
func TestNoSecretsCross(t *testing.T) {
	for _, rb := range games.All() {
		if testing.Short() && rb.Name != "one-earth" {
			continue // What goes on at the same time is the same in every game.
		}
		t.Run(rb.Name, func(t *testing.T) { noSecretsCross(t, rb.Name) })
	}
}

func noSecretsCross(t *testing.T, game string) {
	const (
		seed   = 6_184_306_277_915_522_841
		looks  = 12 // decisions at which every seat looks
		spaced = 25 // decisions between them
	)
	s := newTestServer(t)
	luckOf := uint64(seed)
	sitting, seats, err := s.lobby.start("", game, []string{"me"}, &luckOf, "")
	if err != nil {
		t.Fatal(err)
	}
	ref := must.Have(referee.New(sitting.game, seed))(t)
	taps, clients := make([]*tap, len(seats)), make([]*sdk.ClientSession, len(seats))
	for p := range seats {
		fromClient, toServer := io.Pipe()
		fromServer, toClient := io.Pipe()
		go func() { _ = s.ServeStdio(t.Context(), fromClient, toClient) }()
		taps[p] = &tap{ReadCloser: fromServer}
		clients[p] = connect(t, &sdk.IOTransport{Reader: taps[p], Writer: toServer})
	}
	luck, secrets := env.NewStream(1, "secrets"), 0
	other := sitting.game.New()
	var onlookers []*env.Onlooker
	var shown []env.State // to each seat, which may not know that somebody is asked
	for p := range seats {
		onlookers, shown = append(onlookers, env.NewOnlooker(env.Player(p))), append(shown, sitting.game.New())
		onlookers[p].Live = true
	}
	ref.Follow(func(step *env.Step) {
		for p, o := range onlookers {
			if told, _ := o.Hear(step); told != nil {
				shown[p].CopyFrom(step.After)
			}
		}
	})
	for n := 0; ref.Actor() != env.Over && n < looks*spaced; n++ {
		if n%spaced == spaced/2 {
			for p, c := range clients {
				other.CopyFrom(shown[p])
				other.Redeal(env.Player(p), luck.Uint64())
				if !other.EqualPosition(shown[p]) {
					secrets++
				}
				saysNoMore(t, c, sitting, seats[p], other)
			}
		}
		a := ref.View().Mask().Nth(luck.Below(ref.View().Mask().Count()))
		p := ref.Actor()
		now := must.Have(sitting.table.Look(p))(t)
		if n%spaced == spaced/2 { // over the wire, so that others hear of it
			called(t, clients[p], "act", map[string]any{"table": sitting.id, "key": seats[p].Key, "step": now.Step,
				"action": env.ActionText(ref.State(), a)})
		} else if err := sitting.table.Play(p, now.Step, a); err != nil {
			t.Fatal(err)
		}
		must.Do(t, ref.Play(a))
	}
	if secrets == 0 && ref.Info().Has(env.HiddenInfo) {
		t.Error("there was nothing to hide at any time")
	}
	for p, heard := range taps {
		heard.mu.Lock()
		wire := heard.heard.String()
		heard.mu.Unlock()
		for q, seat := range seats {
			if q != p && strings.Contains(wire, seat.Key) {
				t.Errorf("seat %d has heard the key of seat %d", p, q)
			}
		}
		for what, secret := range map[string]string{"the seed": fmt.Sprint(uint64(seed)),
			"the seed in hexadecimal": fmt.Sprintf("%x", uint64(seed)), "a position": `"luck":`} {
			if strings.Contains(wire, secret) {
				t.Errorf("seat %d has heard %s", p, what)
			}
		}
	}
}

// saysNoMore holds what a seat hears against a State that looks the same to it, in which all else is drawn anew.
func saysNoMore(t *testing.T, c *sdk.ClientSession, s *sitting, seat newSeat, other env.State) {
	t.Helper()
	p := env.Player(seat.Seat)
	view := map[string]any{"table": s.id, "key": seat.Key}
	text, st := called(t, c, "look", view)
	if table := string(other.(env.Texter).AppendText(nil, p)); !strings.Contains(text, "\n"+table+"\n") {
		t.Errorf("seat %d is told\n%s\nand in a position that looks the same\n%s", p, text, table)
	}
	if question := other.(env.Asker).Question(p); st["your_decision"] == true && !strings.HasSuffix(text, question) {
		t.Errorf("seat %d is asked %q, not %q", p, text, question)
	}
	actor := -1
	if st["decides"] != nil {
		actor = int(st["decides"].(float64))
	}
	if want := env.ActorSeenBy(other, p); env.Player(actor) != max(want, -1) {
		t.Errorf("seat %d hears that %d decides; it may know %d", p, actor, want)
	}
	shown := must.Have(c.CallTool(t.Context(), &sdk.CallToolParams{Name: "board", Arguments: view}))(t)
	if want := string(other.(env.Drawer).AppendSVG(nil, p)); shown.Meta[boardKey] != want {
		t.Errorf("seat %d is shown another board than that of a position that looks the same", p)
	}
	if text, legal, wrong := call(t, c, "legal_actions", view); wrong == (other.Actor() == p) {
		t.Errorf("seat %d is told what is legal: %s", p, text)
	} else if list, ok := legal["actions"].([]any); ok {
		var texts []string
		for _, a := range list {
			texts = append(texts, a.(map[string]any)["text"].(string))
		}
		if want := env.LegalTexts(other); strings.Join(texts, "|") != strings.Join(want, "|") {
			t.Errorf("seat %d may do %q, not %q", p, texts, want)
		}
	}
}
