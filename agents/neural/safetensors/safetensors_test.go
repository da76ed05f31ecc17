package safetensors

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"earthgym/env/envtest/must"
)

func sample() *File {
	return &File{
		Metadata: map[string]string{"game": "Erde \"1\"", "update": "7"},
		Tensors: []Tensor{
			New("b", []float32{1, -2, 3.5, float32(math.Inf(1)), 0, 6}, 2, 3),
			New("a", []float32{9}, 1),
			New("step", []uint64{math.MaxUint64}),
			New("seeds", []int64{-1, 5}, 2),
			New("exact", []float64{math.Pi, 1e-300}, 2, 1),
			New("none", []float32{}, 0, 4),
		},
	}
}

func TestWriteThenRead(t *testing.T) {
	dir := t.TempDir()
	path, data := filepath.Join(dir, "x.safetensors"), must.Have(Encode(sample()))(t)
	must.Do(t, os.WriteFile(path, data, 0o600))
	f := must.Have(Read(path))(t)
	if !reflect.DeepEqual(f.Metadata, sample().Metadata) {
		t.Errorf("metadata %v", f.Metadata)
	}
	for _, want := range sample().Tensors {
		got := must.Have(f.Lookup(want.Name))(t)
		if got.Type != want.Type || !bytes.Equal(got.Data, want.Data) || len(got.Shape) != len(want.Shape) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	b := must.Have(f.Lookup("b"))(t)
	if v, err := Values[float32](b); err != nil ||
		!reflect.DeepEqual(v, []float32{1, -2, 3.5, float32(math.Inf(1)), 0, 6}) {
		t.Errorf("b is %v, %v", v, err)
	}
	if _, err := Values[float64](b); err == nil || !strings.Contains(err.Error(), `tensor "b" holds F32, want F64`) {
		t.Errorf("b as float64: %v", err)
	}
	if _, err := f.Lookup("c"); err == nil {
		t.Error("found a tensor that isn't there")
	}
	if _, err := Read(filepath.Join(dir, "missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	if again := must.Have(Encode(f))(t); !bytes.Equal(again, data) {
		t.Error("writing what was read gives other bytes")
	}
}

// TestBytes pins the format: other programs read it.
func TestBytes(t *testing.T) {
	got := must.Have(Encode(&File{Metadata: map[string]string{"format": "pt"},
		Tensors: []Tensor{New("w", []float32{1, 2}, 1, 2)}}))(t)
	header := `{"__metadata__":{"format":"pt"},"w":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}}`
	header += strings.Repeat(" ", (8-len(header)%8)%8)
	want := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	want = append(append(want, header...), 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40)
	if !bytes.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func raw(header, data string) []byte {
	return append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header+data...)
}

func TestDecodeRefuses(t *testing.T) {
	const w = `"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}`
	for _, c := range []struct {
		file []byte
		err  string
	}{
		{nil, "no safetensors file: 0 bytes"},
		{[]byte{1, 0, 0, 0, 0, 0, 0}, "no safetensors file: 7 bytes"},
		{[]byte{1, 0, 0, 0, 0, 0, 0, 0}, "it is shorter than its header"},
		{[]byte{0, 0, 0, 0, 0, 0, 0, 255}, "it does not begin with the length of a header"},
		{raw("", ""), "its header is no JSON"},
		{raw("[]", ""), "where an object should start"},
		{raw("{} x", ""), "its header is no JSON"},
		{raw(`{"w":{"dtype":1}}`, ""), "its dtype is not a text"},
		{raw("{", ""), "its header is no JSON"},
		{raw(`{`+w+`,`+w+`}`, "abcd"), `"w" comes twice`},
		{raw(`{`+w+`}`, "abcde"), "1 bytes follow the last tensor"},
		{raw(`{`+w+`}`, "abc"), "the data go from 0 to 3"},
		{raw(`{}`, "a"), "1 bytes follow"},
		{raw(`{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}`, "abcd"), "wants 8 bytes of data, has 4"},
		{raw(`{"w":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}`, "abcd"), "negative"},
		{raw(`{"w":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,4]}}`, "abcd"), "too large"},
		{raw(`{"w":{"dtype":"F32","shape":[99999999999999999999],"data_offsets":[0,4]}}`, "abcd"),
			"isn't a whole number of 64 bits"},
		{raw(`{"w":{"dtype":"F32","shape":[1.0],"data_offsets":[0,4]}}`, "abcd"), "isn't a whole number of 64 bits"},
		{raw(`{"w":{"dtype":"F32","shape":[null],"data_offsets":[0,4]}}`, "abcd"), "where a whole number should be"},
		{raw(`{"w":{"dtype":"F32","shape":null,"data_offsets":[0,4]}}`, "abcd"),
			"where a list of whole numbers should start"},
		{raw(`{"w":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]}}`, "abcd"),
			`holds "BF16"; F16, F32, F64, I64, U64 and U8 are known`},
		{raw(`{"w":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}}`, "abcd"), "lies at 4 to 0"},
		{raw(`{"w":{"dtype":"F32","shape":[1],"data_offsets":[-4,0]}}`, "abcd"), "lies at -4 to 0"},
		{raw(`{"w":{"dtype":"F32","shape":[1],"data_offsets":[0]}}`, "abcd"), "has 1 numbers, want 2"},
		{raw(`{"w":{"dtype":"F32","shape":[1]}}`, "abcd"), "are all needed"},
		{raw(`{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"x":1}}`, "abcd"), `unknown field "x"`},
		{raw(`{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"x":{"dtype":"F32","shape":[1],"data_offsets":[2,6]}}`,
			"abcdef"), "inside the tensor before it"},
		{raw(`{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"x":{"dtype":"F32","shape":[1],"data_offsets":[8,12]}}`,
			"abcdefghijkl"), "gaps aren't allowed"},
		{raw(`{"__metadata__":{"a":1}}`, ""), `metadata "a" isn't a string`},
		{raw(`{"__metadata__":[]}`, ""), "where an object should start"},
	} {
		if _, err := Decode(c.file); err == nil || !strings.Contains(err.Error(), c.err) {
			t.Errorf("%q: error %v, want %q", c.file, err, c.err)
		}
	}
}

// Of a file that is none of the format, errors tell nothing: it may be any file of the machine.
func TestErrorsQuoteNothing(t *testing.T) {
	for _, files := range [][2][]byte{
		{[]byte("root:*:20000:0:99999:7:::"), []byte("# ~/.bashrc: executed by bash")},
		{append([]byte{20}, "\x00\x00\x00secret"...), append([]byte{9}, "\x00\x00\x00other"...)},
		{raw("secret", ""), raw("xyz", "")},
		{raw(`["secret"]`, ""), raw(`"xyz"`, "")},
		{raw(`{"w":{"dtype":17}}`, ""), raw(`{"w":{"dtype":["secret"]}}`, "")},
		{raw(`{"w":{"shape":"secret"}}`, ""), raw(`{"w":{"shape":17}}`, "")},
		{raw(`{"w":{"shape":["secret"]}}`, ""), raw(`{"w":{"shape":[true]}}`, "")},
		{raw(`{"w":{"shape":[1.7]}}`, ""), raw(`{"w":{"shape":[4e99]}}`, "")},
	} {
		_, one := Decode(files[0])
		_, other := Decode(files[1])
		if one == nil || other == nil || one.Error() != other.Error() {
			t.Errorf("%q and %q are told apart: %v, %v", files[0], files[1], one, other)
		}
	}
}

func TestEncodeRefuses(t *testing.T) {
	for _, c := range []struct {
		file File
		err  string
	}{
		{File{Tensors: []Tensor{New("a", []float32{1}), New("a", []float32{1})}}, "already taken"},
		{File{Tensors: []Tensor{New("__metadata__", []float32{1})}}, "already taken"},
		{File{Tensors: []Tensor{New("a", []float32{1}, 2)}}, "wants 8 bytes of data, has 4"},
		{File{Tensors: []Tensor{{Name: "a", Type: "I8"}}}, `holds "I8"`},
		{File{Tensors: []Tensor{New("\xff", []float32{1})}}, "UTF-8"},
		{File{Metadata: map[string]string{"a": "\xff"}}, "UTF-8"},
		{File{Metadata: map[string]string{"a": strings.Repeat("x", MaxHeader)}}, "at most"},
	} {
		if _, err := Encode(&c.file); err == nil || !strings.Contains(err.Error(), c.err) {
			t.Errorf("error %v, want %q", err, c.err)
		}
	}
}

// FuzzRead: any bytes are refused or read, and what is read can be written and read again.
func FuzzRead(f *testing.F) {
	good := must.Have(Encode(sample()))(f)
	f.Add(good)
	f.Add(raw(`{"w":{"dtype":"F32","shape":[],"data_offsets":[0,4]}}`, "abcd"))
	f.Add(raw(`{"__metadata__":{}}`, ""))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Decode(data)
		if err != nil {
			return
		}
		out, err := Encode(file)
		if err != nil {
			t.Fatalf("read but not written: %v", err)
		}
		again, err := Decode(out)
		if err != nil {
			t.Fatalf("written but not read: %v", err)
		}
		if len(again.Tensors) != len(file.Tensors) || !maps.Equal(again.Metadata, file.Metadata) {
			t.Fatalf("%d tensors became %d, metadata %v %v", len(file.Tensors), len(again.Tensors), file.Metadata,
				again.Metadata)
		}
		for _, want := range file.Tensors {
			if got, err := again.Lookup(want.Name); err != nil || got.Type != want.Type ||
				!slices.Equal(got.Shape, want.Shape) || !bytes.Equal(got.Data, want.Data) {
				t.Fatalf("%v became %v, %v", want, got, err)
			}
		}
	})
}

func TestHalf(t *testing.T) {
	h := NewHalf("w", []float32{1, -0.1, 70000}, 3)
	b := must.Have(Encode(&File{Tensors: []Tensor{h, New("x", []float32{2})}}))(t)
	f := must.Have(Decode(b))(t)
	for name, want := range map[string][]float32{"w": {1, -0.099975586, float32(math.Inf(1))}, "x": {2}} {
		tensor := must.Have(f.Lookup(name))(t)
		if got, err := Floats(tensor); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s holds %v (%v), want %v", name, got, err, want)
		}
	}
	h.Data = h.Data[:3]
	if _, err := Floats(h); err == nil || !strings.Contains(err.Error(), "isn't a whole number of F16") {
		t.Errorf("error %v", err)
	}
}
