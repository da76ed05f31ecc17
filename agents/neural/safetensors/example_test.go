package safetensors_test

import (
	"fmt"

	"earthgym/agents/neural/safetensors"
)

func Example() {
	data, err := safetensors.Encode(&safetensors.File{
		Metadata: map[string]string{"update": "12"},
		Tensors:  []safetensors.Tensor{safetensors.New("head.bias", []float32{0.5, -1}, 2)},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := safetensors.Decode(data)
	if err != nil {
		fmt.Println(err)
		return
	}
	bias, err := safetensors.Values[float32](f.Tensors[0])
	fmt.Println(f.Metadata["update"], f.Tensors[0].Name, f.Tensors[0].Shape, bias, err)
	// Output: 12 head.bias [2] [0.5 -1] <nil>
}
