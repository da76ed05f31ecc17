package pipe

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"unicode"

	"github.com/vmihailenco/msgpack/v5"
	"github.com/vmihailenco/msgpack/v5/msgpcode"

	"earthgym/env/spelling"
)

// The version of the protocol. Clients of another major version are refused.
const (
	Major = 1
	Minor = 2
)

// MaxToken is the most bytes of a token.
const MaxToken = 1024

const (
	magic = "EARTHGYM"

	prefix   = 8       // bytes of a frame before its head: the two lengths
	maxHead  = 1 << 20 // bytes of a head
	maxDepth = 8       // of nested lists and maps in a head

	// firstRead is how much memory a frame gets before any of it has arrived.
	firstRead = 1 << 16

	// rare is the size of a frame from which on its buffer is not kept for the next one.
	rare = 1 << 20
)

// A frame is one message as it travels: its length without these four bytes, the length of the head, the
// head, and the payload.
type frame struct {
	head    []byte // one msgpack map
	payload []byte
}

var errCutOff = fatalf(BadFrame, "the connection ended inside a frame")

// readFrame reads a frame of at most most bytes after the length into buf, which grows with what arrives
// and not with what is announced, and out of the share. The frame is valid until buf is used again. io.EOF is the
// end between two frames.
func readFrame(r io.Reader, buf []byte, most int, room *share) (frame, []byte, error) {
	var lengths [prefix]byte
	if _, err := io.ReadFull(r, lengths[:]); err != nil {
		if err == io.ErrUnexpectedEOF {
			err = errCutOff
		}
		return frame{}, buf, err
	}
	size, head := binary.LittleEndian.Uint32(lengths[:]), binary.LittleEndian.Uint32(lengths[4:])
	switch {
	case uint64(size) > uint64(most):
		hint := ""
		if !bytes.ContainsFunc(lengths[:], func(r rune) bool { return !unicode.IsPrint(r) && !unicode.IsSpace(r) }) {
			hint = fmt.Sprintf("; it begins with %q: was something printed to standard output?", lengths)
		}
		return frame{}, buf, fatalf(FrameTooLarge, "a frame of %d bytes; at most %d are read%s", size, most, hint)
	case size < 4 || head > size-4:
		return frame{}, buf, fatalf(BadFrame, "a frame of %d bytes cannot have a head of %d", size, head)
	case head > maxHead:
		return frame{}, buf, fatalf(FrameTooLarge, "a head of %d bytes; at most %d are read", head, maxHead)
	}
	n := int(size) - 4
	for have := 0; have < n; {
		if have == cap(buf) {
			next := min(n, max(firstRead, 2*have))
			if err := room.take(int64(next - have)); err != nil {
				err := asError(err)
				err.Fatal = true
				return frame{}, buf, err
			}
			buf = append(make([]byte, 0, next), buf[:have]...)
		}
		buf = buf[:min(n, cap(buf))]
		if _, err := io.ReadFull(r, buf[have:]); err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				err = errCutOff
			}
			return frame{}, buf, err
		}
		have = len(buf)
	}
	buf = buf[:n]
	return frame{buf[:head], buf[head:]}, buf, nil
}

// appendFrame appends a whole frame to dst. A head that is too large is an error of Limit.
func appendFrame(dst []byte, head any, payload []byte) ([]byte, error) {
	var h bytes.Buffer
	enc := msgpack.NewEncoder(&h)
	enc.UseCompactInts(true)
	if err := enc.Encode(head); err != nil {
		return dst, fmt.Errorf("cannot encode a head: %w", err)
	}
	if h.Len() > maxHead {
		return dst, errorf(Limit, "a head of %d bytes; at most %d are sent: ask for fewer lanes", h.Len(), maxHead)
	}
	if size := 4 + int64(h.Len()) + int64(len(payload)); size > math.MaxUint32 {
		return dst, fmt.Errorf("a frame of %d bytes cannot be written", size)
	}
	dst = binary.LittleEndian.AppendUint32(dst, uint32(4+h.Len()+len(payload)))
	dst = binary.LittleEndian.AppendUint32(dst, uint32(h.Len()))
	dst = append(dst, h.Bytes()...)
	return append(dst, payload...), nil
}

// decodeHead decodes a head that is WellFormed into a struct whose fields are the only ones allowed. What it accepts is
// bounded by the length of the head, however it lies about itself.
func decodeHead(head []byte, dst any) error {
	dec := msgpack.GetDecoder()
	defer msgpack.PutDecoder(dec)
	dec.Reset(bytes.NewReader(head))
	dec.DisallowUnknownFields(true)
	if err := dec.Decode(dst); err != nil || odd(head) {
		return misfit(head, reflect.TypeOf(dst).Elem(), err)
	}
	return nil
}

// odd says whether a head has a whole number that the decoder may make another one of.
func odd(head []byte) bool {
	for b := head; len(b) > 0; {
		if huge(b) || negative(b) {
			return true
		}
		skip, _, _ := measure(b)
		b = b[skip:]
	}
	return false
}

// huge says whether b begins with a whole number of 2⁶³ or more, which is negative as an int64.
func huge(b []byte) bool { return b[0] == msgpcode.Uint64 && b[1] >= 0x80 }

// negative says whether b begins with a whole number below 0, which is huge as a uint64.
func negative(b []byte) bool {
	return b[0] >= msgpcode.NegFixedNumLow || b[0] >= msgpcode.Int8 && b[0] <= msgpcode.Int64 && b[1] >= 0x80
}

// misfit names the key or field that a map can't be decoded into such a struct for; if there is none, the error stays
// err.
func misfit(head []byte, t reflect.Type, err error) error {
	var names []string
	fields := map[string]reflect.Type{}
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("msgpack"), ","); name != "" {
			names, fields[name] = append(names, name), f.Type
		}
	}
	skip, values, _ := measure(head)
	for rest := head[skip:]; values > 0; values -= 2 {
		key, value := rest, past(rest)
		rest = past(value)
		key, value = key[:len(key)-len(value)], value[:len(value)-len(rest)]
		var name string
		if err := mismatch("map key", key, reflect.TypeOf(name)); err != nil {
			return err
		}
		_ = msgpack.Unmarshal(key, &name) // It can be, now.
		if fields[name] == nil {
			return errorf(BadRequest, "unknown field %q: %s", name, spelling.Suggest(name, names))
		}
		if err := mismatch(name, value, fields[name]); err != nil {
			return err
		}
	}
	return err
}

// mismatch says why the value of a field can't be decoded into such a type, or would become another number.
func mismatch(name string, value []byte, t reflect.Type) error {
	want, other := "a whole number", false
	switch t.Kind() {
	case reflect.Pointer:
		return mismatch(name, value, t.Elem())
	case reflect.Slice:
		want = "a list"
		var parts []msgpack.RawMessage
		if msgpack.Unmarshal(value, &parts) == nil {
			for i, part := range parts {
				if mismatch(name, part, t.Elem()) != nil {
					return mismatch(fmt.Sprintf("%s[%d]", name, i), part, t.Elem())
				}
			}
			return nil
		}
	case reflect.Struct:
		want = "a map"
		if WellFormed(value) == nil {
			if err := misfit(value, t, nil); err != nil {
				return errorf(BadRequest, "%s: %s", name, asError(err).Message)
			}
			return nil
		}
	case reflect.Bool:
		want = "true or false"
	case reflect.String:
		want = "a text"
	case reflect.Float64:
		want = "a number"
	case reflect.Uint64:
		if other = negative(value); other {
			want += ", 0 or more,"
		}
	default:
		if other = huge(value); other {
			want += " below 2⁶³"
		}
	}
	if !other && msgpack.Unmarshal(value, reflect.New(t).Interface()) == nil {
		return nil
	}
	var sent any
	if len(value) <= 64 && msgpack.Unmarshal(value, &sent) == nil {
		text, _ := json.Marshal(sent) // nothing of what JSON has no words for
		if _, ok := sent.(float64); ok && !bytes.ContainsAny(text, ".e") {
			text = append(text, ".0"...)
		}
		name = strings.TrimSpace(name + " " + string(text))
	}
	return errorf(BadRequest, "%s: %s is wanted", name, want)
}

// addressOf finds id and operation in a head that is WellFormed: what it must be decoded into hangs on the operation.
// What isn't there, or is of another type, is 0 or nothing.
func addressOf(head []byte) (id uint64, op []byte) {
	skip, values, _ := measure(head)
	for b := head[skip:]; values > 0; values -= 2 {
		key, rest := textOf(b), past(b)
		switch string(key) {
		case "id":
			id = numberOf(rest)
		case "op":
			op = textOf(rest)
		}
		b = past(rest)
	}
	return id, op
}

// past is what follows the value that b begins with.
func past(b []byte) []byte {
	for left := uint64(1); left > 0; left-- {
		skip, inside, _ := measure(b)
		b, left = b[skip:], left+inside
	}
	return b
}

// textOf is the text that b begins with, or nil.
func textOf(b []byte) []byte {
	size, _, _ := measure(b)
	switch c := b[0]; {
	case msgpcode.IsFixedString(c):
		return b[1:size]
	case c == msgpcode.Str8:
		return b[2:size]
	case c == msgpcode.Str16:
		return b[3:size]
	case c == msgpcode.Str32:
		return b[5:size]
	}
	return nil
}

// numberOf is the whole number of 0 or more that b begins with, or 0.
func numberOf(b []byte) (n uint64) {
	size, _, _ := measure(b)
	switch c := b[0]; {
	case negative(b):
	case msgpcode.IsFixedNum(c):
		return uint64(c)
	case c >= msgpcode.Uint8 && c <= msgpcode.Int64:
		for _, x := range b[1:size] {
			n = n<<8 | uint64(x)
		}
	}
	return n
}

// WellFormed checks that b, a head, is one msgpack map, no deeper than maxDepth, every length in it within b. The
// decoder recurses and allocates as it is told, so this comes first.
func WellFormed(b []byte) error {
	if len(b) == 0 || !msgpcode.IsFixedMap(b[0]) && b[0] != msgpcode.Map16 && b[0] != msgpcode.Map32 {
		return errors.New("the head is not a msgpack map")
	}
	var left [maxDepth]uint64 // values to come, by depth
	left[0] = 1
	for depth := 0; depth >= 0; {
		if left[depth] == 0 {
			depth--
			continue
		}
		left[depth]--
		skip, inside, err := measure(b)
		if err != nil {
			return err
		}
		b = b[skip:]
		if inside == 0 {
			continue
		}
		if inside > uint64(len(b)) {
			return errors.New("the head is cut off")
		}
		if depth++; depth == maxDepth {
			return fmt.Errorf("the head has more than %d lists or maps inside each other", maxDepth-1)
		}
		left[depth] = inside
	}
	if len(b) != 0 {
		return fmt.Errorf("%d bytes after the map of the head", len(b))
	}
	return nil
}

// measure gives the bytes of the value that b begins with, without the values inside it, and how many
// these are.
func measure(b []byte) (skip int, inside uint64, err error) {
	if len(b) == 0 {
		return 0, 0, errors.New("the head is cut off")
	}
	c := b[0]
	number := func(width int) uint64 { // after the code
		if len(b) < 1+width {
			return math.MaxUint32
		}
		n := uint64(0)
		for _, x := range b[1 : 1+width] {
			n = n<<8 | uint64(x)
		}
		return n
	}
	size := uint64(1)
	switch {
	case msgpcode.IsFixedNum(c), c == msgpcode.Nil, c == msgpcode.False, c == msgpcode.True:
	case msgpcode.IsFixedMap(c):
		inside = 2 * uint64(c&msgpcode.FixedMapMask)
	case msgpcode.IsFixedArray(c):
		inside = uint64(c & msgpcode.FixedArrayMask)
	case msgpcode.IsFixedString(c):
		size = 1 + uint64(c&msgpcode.FixedStrMask)
	default:
		switch c {
		case msgpcode.Uint8, msgpcode.Int8:
			size = 2
		case msgpcode.Uint16, msgpcode.Int16:
			size = 3
		case msgpcode.Uint32, msgpcode.Int32, msgpcode.Float:
			size = 5
		case msgpcode.Uint64, msgpcode.Int64, msgpcode.Double:
			size = 9
		case msgpcode.Bin8, msgpcode.Str8:
			size = 2 + number(1)
		case msgpcode.Bin16, msgpcode.Str16:
			size = 3 + number(2)
		case msgpcode.Bin32, msgpcode.Str32:
			size = 5 + number(4)
		case msgpcode.Array16:
			size, inside = 3, number(2)
		case msgpcode.Array32:
			size, inside = 5, number(4)
		case msgpcode.Map16:
			size, inside = 3, 2*number(2)
		case msgpcode.Map32:
			size, inside = 5, 2*number(4)
		default:
			return 0, 0, fmt.Errorf("the head has a value of type %#02x, which is not used here", c)
		}
	}
	if size > uint64(len(b)) {
		return 0, 0, errors.New("the head is cut off")
	}
	return int(size), inside, nil
}
