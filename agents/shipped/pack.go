package shipped

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"earthgym/agents/checkpoint"
	"earthgym/agents/neural/safetensors"
	"earthgym/env/half"
)

// A packed file is a checkpoint whose bytes stand so that gzip makes them small: the header with its length, and then
// parts. A part is its kind (a byte), how many bytes it stands for (four, little-endian) and its content. The float16
// numbers of a part that are whole multiples n of one power of two stand as its exponent and the n, zigzag: all low
// bytes and then all high ones.
const (
	asIs  = 0
	whole = 1
)

// maxUnpacked bounds what a packed file may stand for.
const maxUnpacked = 4 * MaxSize

// rounding is how many steps are in the root mean square of a matrix of weights. A seventh, made a power of
// two, changes a weight by 2.5 to 5 % of that on average, which a network's play hardly shows (TestPack).
const rounding = 7

// smallest is how many numbers a tensor has that is worth rounding.
const smallest = 2000

// Pack packs a network for the page without a server, its larger matrices rounded to whole steps: about a third
// of what gzip makes of the network itself.
func Pack(c *checkpoint.Checkpoint) ([]byte, error) {
	rounded := *c
	rounded.Network, rounded.Half = c.Network.Clone(), true
	for _, l := range rounded.Network.Layers() {
		if len(l.Weight) >= smallest {
			round(l.Weight)
		}
	}
	data, err := checkpoint.Encode(&rounded)
	if err != nil {
		return nil, err
	}
	f, err := safetensors.Decode(data)
	if err != nil {
		return nil, err
	}
	size := 0
	for _, t := range f.Tensors {
		size += len(t.Data)
	}
	packed := appendPart(nil, asIs, len(data)-size, data[:len(data)-size])
	for _, t := range f.Tensors {
		packed = appendTensor(packed, t)
	}
	return packed, nil
}

// round makes numbers whole multiples of a power of two.
func round(x []float32) {
	sum := 0.0
	for _, v := range x {
		sum += float64(v) * float64(v)
	}
	if sum == 0 {
		return
	}
	step := math.Exp2(math.Round(math.Log2(math.Sqrt(sum/float64(len(x))) / rounding)))
	for i, v := range x {
		x[i] = float32(math.Round(float64(v)/step)*step) + 0 // no -0
	}
}

func appendPart(packed []byte, kind byte, size int, content []byte) []byte {
	packed = append(packed, kind)
	packed = binary.LittleEndian.AppendUint32(packed, uint32(size))
	return append(packed, content...)
}

func appendTensor(packed []byte, t safetensors.Tensor) []byte {
	if x, err := safetensors.Floats(t); err == nil && t.Type == safetensors.F16 {
		if exponent, n, ok := multiples(x); ok {
			low, high := make([]byte, 0, 2*len(n)), make([]byte, 0, len(n))
			for _, v := range n {
				low, high = append(low, byte(v)), append(high, byte(v>>8))
			}
			return appendPart(packed, whole, len(t.Data), append(append([]byte{byte(exponent)}, low...), high...))
		}
	}
	return appendPart(packed, asIs, len(t.Data), t.Data)
}

// multiples are float16 numbers as multiples of 2 to the exponent, zigzag; false if they take more than 16 bits.
func multiples(x []float32) (exponent int8, n []uint16, ok bool) {
	const least = -24 // of float16
	e := 15
	for _, v := range x {
		for e > least && v != float32(math.Ldexp(math.Trunc(math.Ldexp(float64(v), -e)), e)) {
			e--
		}
	}
	for _, v := range x {
		k := math.Ldexp(float64(v), -e)
		if math.IsNaN(k) || math.Abs(k) > math.MaxInt16 || v == 0 && math.Signbit(float64(v)) {
			return 0, nil, false
		}
		i := int16(k)
		n = append(n, uint16(i<<1)^uint16(i>>15))
	}
	return int8(e), n, true
}

// Unpack is the file of the checkpoint that Pack has packed.
func Unpack(packed []byte) ([]byte, error) {
	short := errors.New("the packed network is cut off")
	var data []byte
	for len(packed) > 0 {
		if len(packed) < 5 {
			return nil, short
		}
		kind, size := packed[0], int64(binary.LittleEndian.Uint32(packed[1:]))
		packed = packed[5:]
		if int64(len(data))+size > maxUnpacked {
			return nil, fmt.Errorf("the packed network has more than %d bytes", maxUnpacked)
		}
		content := size
		if kind == whole {
			content++
		}
		switch {
		case kind != asIs && kind != whole || kind == whole && size%2 != 0:
			return nil, fmt.Errorf("the packed network has a part of kind %d with %d bytes, which nobody writes", kind, size)
		case int64(len(packed)) < content:
			return nil, short
		case kind == asIs:
			data = append(data, packed[:size]...)
		default:
			data = appendWhole(data, int(int8(packed[0])), packed[1:content])
		}
		packed = packed[content:]
	}
	return data, nil
}

// appendWhole appends the float16 numbers of multiples.
func appendWhole(data []byte, exponent int, planes []byte) []byte {
	low, high := planes[:len(planes)/2], planes[len(planes)/2:]
	step := math.Ldexp(1, exponent)
	for i := range low {
		z := uint16(low[i]) | uint16(high[i])<<8
		n := int16(z>>1) ^ -int16(z&1)
		data = binary.LittleEndian.AppendUint16(data, half.From(float32(float64(n)*step)))
	}
	return data
}
