package pipe

import (
	"encoding/binary"
	"slices"
	"unsafe"

	"earthgym/env"
	"earthgym/env/half"
	"earthgym/env/spelling"
)

// The forms of numbers in payloads, little-endian, in NumPy's words.
const (
	typeFloat32 = "float32"
	typeFloat16 = "float16"
	typeUint8   = "uint8"
	typeInt32   = "int32"
)

// The forms of masks.
const (
	maskBytes = "bytes" // one byte an action, 0 or 1
	maskBits  = "bits"  // bit a%8 of byte a/8 stands for action a; whole words of 64 bits
)

// An encoding is what a client has chosen in its hello.
type encoding struct {
	observation string
	mask        string
}

func (r *helloRequest) encoding() (encoding, error) {
	e := encoding{typeFloat32, maskBytes}
	if r.Observation != "" {
		e.observation = r.Observation
	}
	if r.Mask != "" {
		e.mask = r.Mask
	}
	if types := []string{typeFloat32, typeFloat16, typeUint8}; !slices.Contains(types, e.observation) {
		return e, errorf(BadRequest, "observation %q: %s", e.observation, spelling.Suggest(e.observation, types))
	}
	if forms := []string{maskBytes, maskBits}; !slices.Contains(forms, e.mask) {
		return e, errorf(BadRequest, "mask %q: %s", e.mask, spelling.Suggest(e.mask, forms))
	}
	return e, nil
}

func (e encoding) width() int {
	switch e.observation {
	case typeFloat16:
		return 2
	case typeUint8:
		return 1
	}
	return 4
}

func (e encoding) maskSize(info *env.Info) int {
	if e.mask == maskBits {
		return 8 * info.MaskWords()
	}
	return len(info.Actions)
}

// A block is one array of a payload.
type block struct {
	Name   string `msgpack:"name"`
	Type   string `msgpack:"type"`
	Shape  []int  `msgpack:"shape"`
	Offset int    `msgpack:"offset"` // from the start of the payload, a multiple of 64
	size   int
}

// layOut places blocks one after the other and gives the bytes of all.
func layOut(blocks []block) int {
	at := 0
	for i := range blocks {
		b := &blocks[i]
		b.size = map[string]int{typeFloat32: 4, typeFloat16: 2, typeUint8: 1, typeInt32: 4}[b.Type]
		for _, n := range b.Shape {
			b.size *= n
		}
		b.Offset = at
		at += (b.size + 63) &^ 63
	}
	return at
}

// An encoder writes observations and masks of one game in one encoding. It is read-only.
type encoder struct {
	encoding
	info       *env.Info
	low, scale []float32 // by number, for uint8
}

func newEncoder(e encoding, info *env.Info) *encoder {
	enc := &encoder{encoding: e, info: info}
	if e.observation != typeUint8 {
		return enc
	}
	for _, f := range info.Features {
		scale := float32(0)
		if f.High > f.Low {
			scale = 255 / (f.High - f.Low)
		}
		for range f.Size() {
			enc.low, enc.scale = append(enc.low, f.Low), append(enc.scale, scale)
		}
	}
	return enc
}

// observation is the bytes of one observation.
func (e *encoder) observationSize() int { return e.width() * e.info.Observation() }

// floats views the bytes of float32 numbers as such: the machines that this runs on are little-endian
// (littleEndian), and buffers start at multiples of 64.
func floats(b []byte) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/4)
}

// bytesOf is the other way round.
func bytesOf(numbers []float32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(numbers))), 4*len(numbers))
}

// littleEndian says whether the machine stores numbers as they travel.
func littleEndian() bool {
	x := uint16(1)
	return *(*byte)(unsafe.Pointer(&x)) == 1
}

// observe writes what p sees in s to dst, by way of scratch if it is not float32.
func (e *encoder) observe(dst []byte, s env.State, p env.Player, scratch []float32) {
	if e.encoding.observation == typeFloat32 {
		s.Observe(floats(dst), p)
		return
	}
	s.Observe(scratch, p)
	e.put(dst, scratch)
}

func (e *encoder) put(dst []byte, observation []float32) {
	switch e.encoding.observation {
	case typeFloat32:
		copy(floats(dst), observation)
	case typeFloat16:
		for i, x := range observation {
			binary.LittleEndian.PutUint16(dst[2*i:], half.From(x))
		}
	default:
		for i, x := range observation {
			dst[i] = uint8(float32((x-e.low[i])*e.scale[i]) + 0.5)
		}
	}
}

// spread turns eight bits into eight bytes, the lowest first.
func spread(b byte) uint64 {
	each := uint64(b) * 0x0101010101010101 & 0x8040201008040201 // bit i alone in byte i
	return (each + 0x7f7f7f7f7f7f7f7f) >> 7 & 0x0101010101010101
}

func (e *encoder) putMask(dst []byte, m env.Mask) {
	if e.mask == maskBits {
		for i, w := range m {
			binary.LittleEndian.PutUint64(dst[8*i:], w)
		}
		return
	}
	for i, w := range m {
		row := dst[64*i : min(64*i+64, len(dst))]
		if w == 0 {
			clear(row)
			continue
		}
		for ; len(row) >= 8; row = row[8:] {
			binary.LittleEndian.PutUint64(row, spread(byte(w)))
			w >>= 8
		}
		for k := range row {
			row[k] = byte(w >> k & 1)
		}
	}
}
