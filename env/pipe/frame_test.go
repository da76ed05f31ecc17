package pipe

import (
	"bytes"
	"encoding/binary"
	"testing"
)

func TestFrameLimits(t *testing.T) {
	const most = 2 << 20
	for _, tt := range []struct {
		what       string
		size, head uint32
		want       Code // "" = it is read
	}{
		{"the smallest frame", 4, 0, ""},
		{"no room for the length of the head", 3, 0, BadFrame},
		{"the largest frame", most, 0, ""},
		{"a larger frame", most + 1, 0, FrameTooLarge},
		{"a frame that is all head", 104, 100, ""},
		{"a head longer than its frame", 104, 101, BadFrame},
		{"the largest head", maxHead + 4, maxHead, ""},
		{"a larger head", maxHead + 5, maxHead + 1, FrameTooLarge},
	} {
		b := binary.LittleEndian.AppendUint32(nil, tt.size)
		b = binary.LittleEndian.AppendUint32(b, tt.head)
		b = append(b, make([]byte, max(tt.size, 4)-4)...)
		f, _, err := readFrame(bytes.NewReader(b), nil, most, nil)
		switch {
		case tt.want != "":
			if e := asError(err); err == nil || e.Code != tt.want || !e.Fatal {
				t.Errorf("%s: got %v, want a fatal %s", tt.what, err, tt.want)
			}
		case err != nil || len(f.head) != int(tt.head) || len(f.payload) != int(tt.size-4-tt.head):
			t.Errorf("%s: a head of %d bytes and %d others, %v", tt.what, len(f.head), len(f.payload), err)
		}
	}
}
