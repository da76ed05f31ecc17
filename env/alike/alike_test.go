package alike_test

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"golang.org/x/sys/cpu"

	"earthgym/env/alike"
)

// numbers are some of all sizes that matter, and the special ones.
func numbers(n int) []float64 {
	rng := rand.New(rand.NewPCG(1, 2))
	list := []float64{
		0, math.Copysign(0, -1), 1, math.E, math.Sqrt2 / 2, 1e-320, 709.78, 709.79, -708.3, -708.4, -745.1, -745.2, -1e9,
		math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, math.SmallestNonzeroFloat64,
	}
	for range n {
		x := rng.Float64() - 0.5
		list = append(list, x, 20*x, -100*rng.Float64(), 1600*x, 1+x, 1e5*rng.Float64())
	}
	return list
}

// The values are those of the standard library on amd64 with FMA, which other processors' are near.
func TestLibrary(t *testing.T) {
	exact := runtime.GOARCH == "amd64" && cpu.X86.HasAVX && cpu.X86.HasFMA
	for _, f := range []struct {
		name      string
		got, want func(float64) float64
	}{{"Exp", alike.Exp, math.Exp}, {"Log", alike.Log, math.Log}} {
		for _, x := range numbers(100_000) {
			got, want := f.got(x), f.want(x)
			switch {
			case math.IsNaN(want) && math.IsNaN(got), f.name == "Log" && x < 1e-300: // there the library errs on amd64
			case exact && (f.name == "Log" || x < 709.4) && got != want: // and there too
				t.Fatalf("%s(%v) is %v, want %v", f.name, x, got, want)
			case got != want && !(math.Abs(got-want) <= 1e-15*math.Abs(want)+1e-320):
				t.Fatalf("%s(%v) is %v, far from %v", f.name, x, got, want)
			}
		}
	}
}

// Draws are those of the standard library on amd64.
func TestNormal(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("other processors may round otherwise")
	}
	ours, theirs := rand.New(rand.NewPCG(3, 4)), rand.New(rand.NewPCG(3, 4))
	for i := range 1_000_000 {
		if got, want := alike.Normal(ours), theirs.NormFloat64(); got != want {
			t.Fatalf("draw %d is %v, want %v", i, got, want)
		}
	}
}

// The bits are stored, for all processors.
func TestBits(t *testing.T) {
	h := fnv.New64a()
	rng := rand.New(rand.NewPCG(5, 6))
	for _, x := range numbers(2000) {
		for _, y := range []float64{alike.Exp(x), alike.Log(x), alike.Normal(rng)} {
			if !math.IsNaN(y) {
				binary.Write(h, binary.LittleEndian, y)
			}
		}
	}
	if got := fmt.Sprintf("%016x", h.Sum64()); got != "a3ebe194a487bc0a" {
		t.Errorf("the bits are %s", got)
	}
}
