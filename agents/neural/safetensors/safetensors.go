// Package safetensors reads and writes named arrays of numbers in the safetensors format, which PyTorch and others
// read too.
//
// A file is the length of its header (8 bytes, little-endian), the header (a JSON object that gives the type, the
// shape and the place of each tensor, and under __metadata__ a map of strings) and the numbers (little-endian, one
// tensor after the other without gaps). Reading is strict: a file with anything else in it is refused.
package safetensors

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"earthgym/env/disk"
	"earthgym/env/half"
)

// MaxHeader is the largest header in bytes that is read or written.
const MaxHeader = 16 << 20

const metadataKey = "__metadata__"

// Type is the type of a tensor's numbers, as the header calls it.
type Type string

// The types that are known here; the format has more.
const (
	F16 Type = "F16"
	F32 Type = "F32"
	F64 Type = "F64"
	I64 Type = "I64"
	U64 Type = "U64"
	U8  Type = "U8"
)

// size is the number of bytes of one number, 0 if the type isn't known.
func (t Type) size() int {
	switch t {
	case F32:
		return 4
	case F64, I64, U64:
		return 8
	case F16:
		return 2
	case U8:
		return 1
	}
	return 0
}

// Number is what a tensor may hold.
type Number interface {
	float32 | float64 | int64 | uint64 | uint8
}

// typeOf is the type of tensors of E; float16 has none in Go.
func typeOf[E Number]() Type {
	switch any(*new(E)).(type) {
	case float32:
		return F32
	case float64:
		return F64
	case int64:
		return I64
	case uint64:
		return U64
	}
	return U8
}

// Tensor is one named array, row-major. Data holds its numbers as they stand in the file; [New] and [Values]
// convert them.
type Tensor struct {
	Name  string
	Type  Type
	Shape []int // empty for a single number
	Data  []byte
}

// New returns a tensor with a copy of data. Without a shape, it is a single number.
func New[E Number](name string, data []E, shape ...int) Tensor {
	t := Tensor{Name: name, Type: typeOf[E](), Shape: slices.Clone(shape)}
	t.Data = make([]byte, len(data)*t.Type.size())
	// A byte slice of the right length can't fail to take numbers of a fixed size.
	_, _ = binary.Encode(t.Data, binary.LittleEndian, data)
	return t
}

// Values returns a copy of the numbers of t, which must be of type E.
func Values[E Number](t Tensor) ([]E, error) {
	if want := typeOf[E](); t.Type != want {
		return nil, fmt.Errorf("tensor %q holds %s, want %s", t.Name, t.Type, want)
	}
	if len(t.Data)%t.Type.size() != 0 {
		return nil, fmt.Errorf("tensor %q has %d bytes, which isn't a whole number of %s", t.Name, len(t.Data), t.Type)
	}
	data := make([]E, len(t.Data)/t.Type.size())
	_, _ = binary.Decode(t.Data, binary.LittleEndian, data)
	return data, nil
}

// NewHalf returns a tensor of float16, the nearest to data.
func NewHalf(name string, data []float32, shape ...int) Tensor {
	t := Tensor{Name: name, Type: F16, Shape: slices.Clone(shape), Data: make([]byte, 0, 2*len(data))}
	for _, x := range data {
		t.Data = binary.LittleEndian.AppendUint16(t.Data, half.From(x))
	}
	return t
}

// Floats returns a copy of the numbers of t, which must be float32 or float16.
func Floats(t Tensor) ([]float32, error) {
	if t.Type != F16 {
		return Values[float32](t)
	}
	if len(t.Data)%2 != 0 {
		return nil, fmt.Errorf("tensor %q has %d bytes, which isn't a whole number of %s", t.Name, len(t.Data), t.Type)
	}
	data := make([]float32, len(t.Data)/2)
	for i := range data {
		data[i] = half.To(binary.LittleEndian.Uint16(t.Data[2*i:]))
	}
	return data, nil
}

// File is what a file holds. Decoded tensors are in the order of their data.
type File struct {
	Metadata map[string]string
	Tensors  []Tensor
}

// Lookup returns the tensor of that name.
func (f *File) Lookup(name string) (Tensor, error) {
	for _, t := range f.Tensors {
		if t.Name == name {
			return t, nil
		}
	}
	return Tensor{}, fmt.Errorf("there is no tensor %q", name)
}

// MaxFile is the largest file in bytes that is read: 2^28 numbers of 4 bytes, which a network may have, and a header.
const MaxFile = 1<<30 + MaxHeader + 8

// Read reads the regular file at path, of at most MaxFile bytes. Errors name it.
func Read(path string) (*File, error) {
	data, err := disk.ReadFile(path, MaxFile)
	if err != nil {
		return nil, fmt.Errorf("read safetensors: %w", err)
	}
	f, err := Decode(data)
	if err != nil {
		return nil, fmt.Errorf("read safetensors: %s: %w", path, err)
	}
	return f, nil
}

// Encode returns f as the bytes of a file. Tensors are stored by size of their numbers, then by name, so that the
// same tensors always give the same bytes.
func Encode(f *File) ([]byte, error) {
	tensors := slices.Clone(f.Tensors)
	slices.SortFunc(tensors, func(a, b Tensor) int {
		return cmp.Or(cmp.Compare(b.Type.size(), a.Type.size()), cmp.Compare(a.Name, b.Name))
	})
	var header bytes.Buffer
	field := func(name string, value any) error {
		if !utf8.ValidString(name) {
			return fmt.Errorf("the name %q isn't valid UTF-8", name)
		}
		if header.Len() > 0 {
			header.WriteByte(',')
		}
		k, err := json.Marshal(name)
		if err != nil {
			return err
		}
		v, err := json.Marshal(value)
		if err != nil {
			return err
		}
		header.Write(k)
		header.WriteByte(':')
		header.Write(v)
		return nil
	}
	if len(f.Metadata) > 0 {
		for k, v := range f.Metadata {
			if !utf8.ValidString(k) || !utf8.ValidString(v) {
				return nil, fmt.Errorf("metadata %q: %q isn't valid UTF-8", k, v)
			}
		}
		if err := field(metadataKey, f.Metadata); err != nil {
			return nil, err
		}
	}
	seen := map[string]bool{metadataKey: true}
	at := 0
	for _, t := range tensors {
		if seen[t.Name] {
			return nil, fmt.Errorf("tensor %q: the name is already taken", t.Name)
		}
		seen[t.Name] = true
		if err := t.check(); err != nil {
			return nil, err
		}
		shape := t.Shape
		if shape == nil {
			shape = []int{}
		}
		err := field(t.Name, struct {
			Type    Type   `json:"dtype"`
			Shape   []int  `json:"shape"`
			Offsets [2]int `json:"data_offsets"`
		}{t.Type, shape, [2]int{at, at + len(t.Data)}})
		if err != nil {
			return nil, err
		}
		at += len(t.Data)
	}
	n := header.Len() + 2
	padded := (n + 7) &^ 7 // spaces at the end keep the numbers aligned
	if padded > MaxHeader {
		return nil, fmt.Errorf("the header has %d bytes, at most %d are allowed", padded, MaxHeader)
	}
	out := make([]byte, 0, 8+padded+at)
	out = binary.LittleEndian.AppendUint64(out, uint64(padded))
	out = append(out, '{')
	out = append(out, header.Bytes()...)
	out = append(out, '}')
	out = append(out, bytes.Repeat([]byte{' '}, padded-n)...)
	for _, t := range tensors {
		out = append(out, t.Data...)
	}
	return out, nil
}

// check refuses a type that isn't known and a shape that doesn't go with the data.
func (t Tensor) check() error {
	size := t.Type.size()
	if size == 0 {
		return fmt.Errorf("tensor %q holds %q; F16, F32, F64, I64, U64 and U8 are known", t.Name, string(t.Type))
	}
	bytes := size
	for _, n := range t.Shape {
		switch {
		case n < 0:
			return fmt.Errorf("tensor %q has shape %v, which is negative", t.Name, t.Shape)
		case n > 0 && bytes > math.MaxInt/n:
			return fmt.Errorf("tensor %q has shape %v, which is too large", t.Name, t.Shape)
		}
		bytes *= n
	}
	if len(t.Data) != bytes {
		return fmt.Errorf("tensor %q of shape %v in %s wants %d bytes of data, has %d", t.Name, t.Shape, t.Type, bytes,
			len(t.Data))
	}
	return nil
}

// Decode reads the bytes of a file. The tensors keep parts of data. An error quotes nothing of a file that isn't laid
// out as the format is: it may be any file of the machine, and whoever is told the error may be anybody.
func Decode(data []byte) (*File, error) {
	if len(data) < 8 {
		return nil, fmt.Errorf("no safetensors file: %d bytes, less than the 8 of its header's length", len(data))
	}
	n := binary.LittleEndian.Uint64(data)
	data = data[8:]
	switch {
	case n > MaxHeader:
		return nil, errors.New("no safetensors file, or a broken one: it does not begin with the length of a header")
	case n > uint64(len(data)):
		return nil, errors.New("no safetensors file, or a broken one: it is shorter than its header")
	}
	f, places, err := decodeHeader(data[:n])
	if errors.Is(err, errNoJSON) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	data = data[n:]
	order := make([]int, len(places))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return slices.Compare(places[a][:], places[b][:]) })
	sorted := make([]Tensor, 0, len(order))
	at := int64(0)
	for _, i := range order {
		t, from, to := f.Tensors[i], places[i][0], places[i][1]
		switch {
		case from < 0 || to < from || to > int64(len(data)):
			return nil, fmt.Errorf("tensor %q lies at %d to %d, the data go from 0 to %d", t.Name, from, to, len(data))
		case from < at:
			return nil, fmt.Errorf("tensor %q starts at %d, inside the tensor before it, which ends at %d", t.Name, from, at)
		case from > at:
			return nil, fmt.Errorf("tensor %q starts at %d, but the tensor before it ends at %d; gaps aren't allowed", t.Name,
				from, at)
		}
		t.Data = data[from:to:to]
		if err := t.check(); err != nil {
			return nil, err
		}
		sorted = append(sorted, t)
		at = to
	}
	if at != int64(len(data)) {
		return nil, fmt.Errorf("%d bytes follow the last tensor; nothing may", int64(len(data))-at)
	}
	f.Tensors = sorted
	return f, nil
}

var errNoJSON = errors.New("no safetensors file, or a broken one: its header is no JSON")

// decodeHeader returns the file without data, and where the data of each tensor lie.
func decodeHeader(header []byte) (*File, [][2]int64, error) {
	if !json.Valid(header) { // What stands there instead is not said: it may be a file of secrets.
		return nil, nil, errNoJSON
	}
	f := new(File)
	var places [][2]int64
	d := json.NewDecoder(bytes.NewReader(header))
	d.UseNumber()
	err := object(d, func(name string) error {
		if name == metadataKey {
			f.Metadata = map[string]string{}
			return object(d, func(key string) error {
				v, err := d.Token()
				s, ok := v.(string)
				if err == nil && !ok {
					err = fmt.Errorf("metadata %q isn't a string", key)
				}
				f.Metadata[key] = s
				return err
			})
		}
		t, place, err := decodeTensor(d)
		if err != nil {
			return fmt.Errorf("tensor %q: %w", name, err)
		}
		t.Name = name
		f.Tensors = append(f.Tensors, t)
		places = append(places, place)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return f, places, nil
}

func decodeTensor(d *json.Decoder) (t Tensor, place [2]int64, err error) {
	has := 0
	err = object(d, func(key string) error {
		has++
		switch key {
		case "dtype":
			if d.Decode(&t.Type) != nil {
				return errors.New("its dtype is not a text")
			}
			return nil
		case "shape":
			sizes, err := integers(d)
			t.Shape = make([]int, len(sizes))
			for i, n := range sizes {
				t.Shape[i] = int(n)
				if int64(t.Shape[i]) != n {
					return fmt.Errorf("a dimension of %d is too large", n)
				}
			}
			return err
		case "data_offsets":
			offsets, err := integers(d)
			if err == nil && len(offsets) != 2 {
				return fmt.Errorf("data_offsets has %d numbers, want 2", len(offsets))
			}
			copy(place[:], offsets)
			return err
		}
		return fmt.Errorf("unknown field %q; dtype, shape and data_offsets are known", key)
	})
	if err == nil && has != 3 {
		err = errors.New("dtype, shape and data_offsets are all needed")
	}
	return t, place, err
}

// integers reads a JSON array of whole numbers.
func integers(d *json.Decoder) ([]int64, error) {
	open, err := d.Token()
	if err != nil {
		return nil, err
	}
	if open != json.Delim('[') {
		return nil, errors.New("something else stands where a list of whole numbers should start")
	}
	var list []int64
	for d.More() {
		v, err := d.Token()
		if err != nil {
			return nil, err
		}
		number, ok := v.(json.Number)
		if !ok {
			return nil, errors.New("something else stands where a whole number should be")
		}
		n, err := number.Int64()
		if err != nil {
			return nil, errors.New("a number of the list isn't a whole number of 64 bits")
		}
		list = append(list, n)
	}
	_, err = d.Token()
	return list, err
}

// object reads a JSON object and calls value for every key, which may come only once, to read what it stands for.
func object(d *json.Decoder, value func(key string) error) error {
	open, err := d.Token()
	if err != nil {
		return err
	}
	if open != json.Delim('{') {
		return errors.New("something else stands where an object should start")
	}
	seen := map[string]bool{}
	for d.More() {
		k, err := d.Token()
		if err != nil {
			return err
		}
		key, ok := k.(string)
		if !ok {
			return errors.New("something else stands where a name should be")
		}
		if seen[key] {
			return fmt.Errorf("%q comes twice", key)
		}
		seen[key] = true
		if err := value(key); err != nil {
			return err
		}
	}
	_, err = d.Token()
	return err
}
