package checkpoint

import (
	"reflect"
	"slices"
	"testing"

	"earthgym/agents/neural"
	"earthgym/agents/neural/safetensors"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
)

// Any bytes are a checkpoint or an error, and what is read is written and read again.
func FuzzCheckpoint(f *testing.F) {
	info := kuhn.Open(2).Info()
	network, err := neural.NewParams(neural.Spec{Inputs: info.Observation(), Actions: len(info.Actions), Hidden: []int{2}})
	if err != nil {
		f.Fatal(err)
	}
	c := New(info, network)
	c.Tensors = []safetensors.Tensor{safetensors.New("adam.m", []float32{1, 2, 3}, 3)}
	c.Texts = map[string]string{"league": "random"}
	data := must.Have(encode(c))(f)
	f.Add(data)
	f.Add(data[:len(data)-1])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Decode(data)
		if err != nil {
			return
		}
		again := must.Have(encode(c))(t)
		d := must.Have(Decode(again))(t)
		if !slices.Equal(c.Network.Flat(), d.Network.Flat()) || c.Update != d.Update || c.Seed != d.Seed ||
			!reflect.DeepEqual(c.Texts, d.Texts) {
			t.Errorf("read %+v, and then %+v", c, d)
		}
	})
}

func encode(c *Checkpoint) ([]byte, error) {
	f, err := c.file()
	if err != nil {
		return nil, err
	}
	data, err := safetensors.Encode(f)
	if err == nil {
		seal(data)
	}
	return data, err
}
