package main

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"testing"

	"github.com/vmihailenco/msgpack/v5"

	"earthgym/env"
	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
	"earthgym/env/pipe"
	"earthgym/env/referee"
	"earthgym/games"
)

// listener is an agent at the other end of a pipe.Seat that asks for all that a seat may ask for before it
// answers, and keeps what it hears.
type listener struct {
	said, heard bytes.Buffer
	seat        *pipe.Seat
	id          uint64 // of the table's last request
}

func (l *listener) Read(b []byte) (int, error)  { return l.said.Read(b) }
func (l *listener) Write(b []byte) (int, error) { return l.heard.Write(b) }

// say puts a frame where the table will read it.
func (l *listener) say(t *testing.T, head map[string]any, payload []byte) {
	t.Helper()
	h := must.Have(msgpack.Marshal(head))(t)
	b := binary.LittleEndian.AppendUint32(nil, uint32(4+len(h)+len(payload)))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(h)))
	l.said.Write(append(append(b, h...), payload...))
}

func newListener(t *testing.T, info *env.Info) *listener {
	t.Helper()
	l := &listener{}
	l.said.WriteString("EARTHGYM\x01\x00\x00\x00")
	l.say(t, map[string]any{"id": 1, "op": "hello", "protocol": []int{1, 0}, "role": pipe.RoleSeat}, nil)
	l.seat = must.Have(pipe.NewSeat(l, info, "test", 0))(t)
	return l
}

// reset begins a game, which is all that has been heard then.
func (l *listener) reset(t *testing.T, seed uint64) {
	t.Helper()
	l.id++
	l.heard.Reset()
	l.say(t, map[string]any{"id": l.id}, nil)
	must.Do(t, l.seat.Reset(seed))
}

// hear gives the bytes that travel to the agent in one decision.
func (l *listener) hear(t *testing.T, v *env.View) []byte {
	t.Helper()
	l.id++
	l.heard.Reset()
	l.say(t, map[string]any{"id": 1, "op": "text"}, nil)
	l.say(t, map[string]any{"id": 2, "op": "legal"}, nil)
	l.say(t, map[string]any{"id": 3, "op": "sample", "count": 2, "key": l.id}, nil)
	l.say(t, map[string]any{"id": l.id}, binary.LittleEndian.AppendUint32(nil, uint32(v.Mask().Nth(0))))
	must.Do(t, l.seat.Act([]*env.View{v}, make([]env.Action, 1)))
	return l.heard.Bytes()
}

// spelt is how bytes on a wire could give a number away.
func spelt(name string, x uint64) map[string][]byte {
	return map[string][]byte{
		name + ", little-endian": binary.LittleEndian.AppendUint64(nil, x),
		name + ", big-endian":    binary.BigEndian.AppendUint64(nil, x),
		name + ", decimal":       []byte(fmt.Sprint(x)),
		name + ", hexadecimal":   []byte(fmt.Sprintf("%x", x)),
	}
}

// Every byte that a remote seat gets is the same in all positions that the seat cannot tell from the true one,
// in every variant of every game; and nothing that it gets holds the position, the luck to come, or the seed
// of the game.
func TestSeatSeesNoSecrets(t *testing.T) {
	envtest.NothingToRace(t)
	for _, rb := range games.All() {
		for i, text := range rb.Variants {
			g := must.Have(games.Open(text))(t)
			t.Run(g.Info().Text, func(t *testing.T) { seatSeesNoSecrets(t, g, uint64(i)) })
		}
	}
}

func seatSeesNoSecrets(t *testing.T, g env.Game, n uint64) {
	const (
		most   = 30  // decisions looked at
		played = 100 // games, at most: some keep a secret for a few decisions only, such as a sealed bid
	)
	info := g.Info()
	one, two, told := newListener(t, info), newListener(t, info), newListener(t, info)
	other, luck := g.New(), env.NewStream(n, "secrets")
	looks, secrets := 0, 0
	for game := uint64(0); game < played && (looks < most || info.Has(env.HiddenInfo) && secrets < 3); game++ {
		seed := env.Mix(n<<8 | game | 1<<60)
		ref := must.Have(referee.New(g, seed))(t)
		forbidden := spelt("the game's seed", seed)
		told.reset(t, env.SeatSeed(seed, 0))
		search(t, told.heard.Bytes(), forbidden)
		for ref.Actor() != env.Over {
			s, p := ref.State(), ref.Actor()
			other.CopyFrom(s)
			other.Redeal(p, luck.Uint64())
			hidden := !other.EqualPosition(s)
			if looks < most && luck.Below(20) == 0 || hidden && secrets < most && luck.Below(4) == 0 {
				looks++
				if hidden {
					secrets++
				}
				where := fmt.Sprintf("seed %d, player %d, %s", seed, p, s.AppendPosition(nil))
				want := one.hear(t, env.ViewOf(s))
				if got := two.hear(t, env.ViewOf(other)); !bytes.Equal(got, want) {
					t.Fatalf("%s: the seat is told something else in a position that looks the same:\n%q\nwas\n%q", where, got, want)
				}
				heard := told.hear(t, ref.View())
				search(t, heard, forbidden)
				search(t, heard, map[string][]byte{"the position": s.AppendPosition(nil)})
				for k, stream := range s.Luck() {
					text := must.Have(stream.MarshalText())(t)
					raw := must.Have(hex.DecodeString(string(text)))(t)
					search(t, heard, map[string][]byte{"luck " + info.Streams[k]: text, "luck " + info.Streams[k] + ", raw": raw})
				}
			}
			must.Do(t, ref.Play(ref.View().Mask().Nth(luck.Below(ref.View().Mask().Count()))))
		}
	}
	if looks < most || info.Has(env.HiddenInfo) && secrets == 0 {
		t.Errorf("of %d decisions looked at, %d had something to hide", looks, secrets)
	}
}

func search(t *testing.T, heard []byte, forbidden map[string][]byte) {
	t.Helper()
	for what, b := range forbidden {
		if bytes.Contains(heard, b) {
			t.Errorf("a seat is sent %s", what)
		}
	}
}
