package gemm_test

import (
	"fmt"

	"earthgym/agents/neural/gemm"
)

func Example() {
	k, err := gemm.Select()
	if err != nil {
		fmt.Println(err)
		return
	}
	var b gemm.Panels
	b.Resize(2, 3)
	b.Pack([]float32{
		1, 2, 3,
		4, 5, 6,
	}, 3, 0, 2)
	c := make([]float32, 3)
	k.Mul(c, 3, []float32{10, -1}, 2, 1, &b, []float32{0, 0, -100}, true)
	fmt.Println(c)
	// Output: [6 15 0]
}
