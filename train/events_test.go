package train

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
)

// event is what an events file says of one update.
type event struct {
	wall    float64
	step    uint64
	version string
	scalars map[string]float32
}

// readFields calls f for each field of a protocol buffer; of one with a length that is its bytes, of others its number.
func readFields(t *testing.T, b []byte, f func(field uint64, bits uint64, bytes []byte)) {
	t.Helper()
	for len(b) > 0 {
		key, n := binary.Uvarint(b)
		b = b[n:]
		switch key & 7 {
		case 0:
			x, n := binary.Uvarint(b)
			f(key>>3, x, nil)
			b = b[n:]
		case 1:
			f(key>>3, binary.LittleEndian.Uint64(b), nil)
			b = b[8:]
		case 2:
			size, n := binary.Uvarint(b)
			f(key>>3, 0, b[n:n+int(size)])
			b = b[n+int(size):]
		case 5:
			f(key>>3, uint64(binary.LittleEndian.Uint32(b)), nil)
			b = b[4:]
		default:
			t.Fatalf("wire type %d", key&7)
		}
	}
}

func readEvents(t *testing.T, dir string) []event {
	t.Helper()
	b := must.Have(os.ReadFile(filepath.Join(dir, EventsFile)))(t)
	var events []event
	for len(b) > 0 {
		size := binary.LittleEndian.Uint64(b)
		message := b[12 : 12+size]
		if binary.LittleEndian.Uint32(b[8:]) != checkSum(b[:8]) ||
			binary.LittleEndian.Uint32(b[12+size:]) != checkSum(message) {
			t.Fatalf("record %d: its check sums are wrong", len(events))
		}
		b = b[16+size:]
		e := event{scalars: map[string]float32{}}
		readFields(t, message, func(field, bits uint64, bytes []byte) {
			switch field {
			case 1:
				e.wall = math.Float64frombits(bits)
			case 2:
				e.step = bits
			case 3:
				e.version = string(bytes)
			case 5:
				readFields(t, bytes, func(_, _ uint64, value []byte) {
					var tag string
					readFields(t, value, func(field, bits uint64, bytes []byte) {
						if field == 1 {
							tag = string(bytes)
						} else {
							e.scalars[tag] = math.Float32frombits(uint32(bits))
						}
					})
				})
			}
		})
		events = append(events, e)
	}
	return events
}

// The check sum of a record is a CRC-32C, turned and shifted.
func TestCheckSum(t *testing.T) {
	if got := checkSum(nil); got != 0xa282ead8 {
		t.Errorf("of nothing it is %#x", got)
	}
	// CRC-32C of "123456789" is 0xe3069283.
	c := uint32(0xe3069283)
	if got, want := checkSum([]byte("123456789")), (c>>15|c<<17)+0xa282ead8; got != want {
		t.Errorf("got %#x, want %#x", got, want)
	}
}

// TensorBoard's file says what the metrics say, also after a run that was cut off.
func TestEvents(t *testing.T) {
	c := smallConfig()
	dir, _ := trained(t, c, 3, 1)
	check := func() {
		t.Helper()
		updates := must.Have(ReadMetrics(dir))(t)
		events := readEvents(t, dir)
		if len(events) != len(updates)+1 || events[0].version != "brain.Event:2" {
			t.Fatalf("%d events of %d updates, version %q", len(events), len(updates), events[0].version)
		}
		for i, u := range updates {
			e := events[i+1]
			if e.step != uint64(u.Decisions) || e.scalars["loss"] != float32(u.Loss) ||
				e.scalars["win_share"] != float32(u.WinShare) || e.wall <= events[i].wall {
				t.Errorf("update %d: %+v", u.Update, e)
			}
			for name, x := range u.Returns {
				if e.scalars["returns/"+name] != float32(x) {
					t.Errorf("update %d: return against %s is %v, want %v", u.Update, name, e.scalars["returns/"+name], x)
				}
			}
		}
	}
	check()
	// An update that was reported but not saved leaves nothing behind.
	name := filepath.Join(dir, EventsFile)
	b := must.Have(os.ReadFile(name))(t)
	must.Do(t, os.WriteFile(name, append(b, b[len(b)/2:]...), 0o644))
	r := must.Have(Resume(dir, []env.Game{kuhn.Open(3)}, Options{Decisions: c.Decisions + 2000}))(t)
	defer r.Close()
	must.Do(t, r.Train(t.Context(), nil))
	check()
}
