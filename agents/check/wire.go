//go:build !js

package check

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vmihailenco/msgpack/v5"

	"earthgym/env/pipe"
)

// maxFrame bounds what is read of a program's frame.
const maxFrame = 16 << 20

// lonely is how many pieces of a frame arrive apart for certain: those of its length.
const lonely = 5

// wireOptions are how a program is spoken to: in every way that the protocol allows.
type wireOptions struct {
	split   bool   // a few bytes at a time
	wide    bool   // whole numbers in the widest form
	unknown bool   // fields and capabilities of later minor versions
	ids     uint64 // added to the ids of requests
	late    bool   // the first answers come late
}

// A head is a frame's, decoded.
type head map[string]any

// id is the id of a head; false if it has none, or one that can't be.
func (h head) id() (uint64, bool) {
	switch n := h["id"].(type) {
	case int64:
		return uint64(n), n >= 0
	case uint64:
		return n, true
	}
	return 0, false
}

func (h head) op() string {
	op, _ := h["op"].(string)
	return op
}

// A wire lies between our side of a conversation and a program. Our side reads and writes it; it hands on what the
// program says once it has been looked at, and says it to the program by its options.
type wire struct {
	program io.ReadWriter
	o       wireOptions
	look    func(h head, payload []byte, err error) // at each frame of the program
	// hear is told of each frame before it goes to the program.
	hear func(h head, payload []byte)

	preamble func(b []byte) error // looks at that of the program; nil once it has come

	// Where answers come late, the program is read ahead of our side, to see how many requests it sends meanwhile.
	ahead   chan piece
	waiting atomic.Int64 // requests of the program without an answer
	delayed int          // answers that have come late

	mu     sync.Mutex // of what goes to the program
	toward []byte     // what our side has begun to write
	ready  []byte     // for our side to read
	broken error
}

// A piece is what the program has sent: a frame, or what there was before an error.
type piece struct {
	bytes []byte
	err   error
}

const (
	// lateAnswers is how many answers come late, and lateness how late.
	lateAnswers = 10
	lateness    = 30 * time.Millisecond
	// readAhead is how many frames are read ahead.
	readAhead = 64
)

// goAhead reads what the program sends, ahead of our side, until it ends or ctx does.
func (w *wire) goAhead(ctx context.Context) {
	w.ahead = make(chan piece, readAhead)
	go func() {
		defer close(w.ahead)
		for {
			b, err := w.next()
			select {
			case w.ahead <- piece{b, err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
}

// Read implements io.Reader for our side: whole frames, as the program has sent them.
func (w *wire) Read(b []byte) (int, error) {
	for len(w.ready) == 0 {
		if w.broken != nil {
			return 0, w.broken
		}
		if w.ahead == nil {
			w.ready, w.broken = w.next()
			continue
		}
		p, ok := <-w.ahead
		if !ok {
			p.err = io.EOF
		}
		w.ready, w.broken = p.bytes, p.err
	}
	n := copy(b, w.ready)
	w.ready = w.ready[n:]
	return n, nil
}

// preambleSize is that without a token.
const preambleSize = 12

// next reads the preamble or a frame; of one that breaks off what there is, with the error.
func (w *wire) next() ([]byte, error) {
	if w.preamble != nil {
		b := make([]byte, preambleSize)
		n, err := io.ReadFull(w.program, b)
		if fault := w.preamble(b[:n]); fault != nil {
			return nil, fault
		}
		if err != nil {
			return nil, err
		}
		token := make([]byte, binary.LittleEndian.Uint16(b[10:]))
		if _, err := io.ReadFull(w.program, token); err != nil {
			return nil, err
		}
		w.preamble = nil
		return append(b, token...), nil
	}
	size := make([]byte, 4)
	if n, err := io.ReadFull(w.program, size); err != nil {
		return size[:n], err
	}
	n := binary.LittleEndian.Uint32(size)
	if n > maxFrame {
		return nil, fmt.Errorf("a frame of %d bytes, more than %d", n, maxFrame)
	}
	b := make([]byte, n)
	if m, err := io.ReadFull(w.program, b); err != nil {
		return append(size, b[:m]...), err
	}
	h, payload, err := decode(b)
	if err != nil {
		w.look(nil, nil, err)
		return append(size, b...), nil // Our side has words for it.
	}
	if h.op() != "" {
		w.waiting.Add(1)
	}
	w.look(h, payload, nil)
	if id, ok := h.id(); ok && h.op() == "" && w.o.ids > 0 {
		h["id"] = id - w.o.ids
		b = encode(h, payload, wireOptions{})[4:]
	}
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(b))), b...), nil
}

// Write implements io.Writer for our side.
func (w *wire) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.toward = append(w.toward, b...)
	for len(w.toward) >= 4 {
		n := int(binary.LittleEndian.Uint32(w.toward)) + 4
		if len(w.toward) < n {
			break
		}
		h, payload, err := decode(w.toward[4:n])
		if err != nil {
			return 0, err
		}
		w.toward = append([]byte(nil), w.toward[n:]...)
		if w.hear != nil {
			w.hear(h, payload)
		}
		if id, ok := h.id(); ok && h.op() != "" {
			h["id"] = id + w.o.ids
		}
		if w.o.late && w.delayed < lateAnswers {
			w.delayed++
			time.Sleep(lateness)
		}
		if h.op() == "" {
			w.waiting.Add(-1)
		}
		if err := w.say(encode(h, payload, w.o)); err != nil {
			return 0, err
		}
	}
	return len(b), nil
}

// say sends a frame to the program.
func (w *wire) say(b []byte) error {
	if !w.o.split {
		_, err := w.program.Write(b)
		return err
	}
	for i := 0; len(b) > 0; i++ {
		n := min(len(b), 1+i/40*997) // bytes one by one at first: lengths and the beginning of the head
		if _, err := w.program.Write(b[:n]); err != nil {
			return err
		}
		b = b[n:]
		if i < lonely {
			time.Sleep(time.Millisecond) // so that they arrive apart
		}
	}
	return nil
}

// decode takes a frame, without its length, apart.
func decode(b []byte) (head, []byte, error) {
	if len(b) < 4 {
		return nil, nil, fmt.Errorf("a frame of %d bytes has no place for the length of its head", len(b))
	}
	n := binary.LittleEndian.Uint32(b)
	if uint64(n) > uint64(len(b)-4) {
		return nil, nil, fmt.Errorf("a head of %d bytes in a frame of %d", n, len(b))
	}
	if err := pipe.WellFormed(b[4 : 4+n]); err != nil {
		return nil, nil, err
	}
	d := msgpack.NewDecoder(bytes.NewReader(b[4 : 4+n]))
	d.UseLooseInterfaceDecoding(true)
	v, err := d.DecodeInterfaceLoose()
	if err != nil {
		return nil, nil, fmt.Errorf("the head is no msgpack: %w", err)
	}
	h, ok := v.(map[string]any)
	if !ok {
		return nil, nil, fmt.Errorf("the head is a %T, not a map with text keys", v)
	}
	return h, b[4+n:], nil
}

// encode makes a frame, with its length, by wireOptions.
func encode(h head, payload []byte, o wireOptions) []byte {
	if o.unknown && h.op() == "" {
		h = maps.Clone(h)
		h["of_a_later_version"] = map[string]any{"list": []any{int64(1), "two", nil, 3.5}, "flag": true}
		if known, ok := h["capabilities"].([]any); ok {
			h["capabilities"] = append(slices.Clone(known), "of-a-later-version")
		}
	}
	var b bytes.Buffer
	e := msgpack.NewEncoder(&b)
	e.SetSortMapKeys(true)
	e.UseCompactInts(!o.wide)
	if err := e.EncodeMap(h); err != nil {
		panic("check: a head that was decoded can't be encoded: " + err.Error())
	}
	frame := binary.LittleEndian.AppendUint32(nil, uint32(4+b.Len()+len(payload)))
	frame = binary.LittleEndian.AppendUint32(frame, uint32(b.Len()))
	return append(append(frame, b.Bytes()...), payload...)
}
