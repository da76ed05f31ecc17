package neural

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestProbabilities(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 63, 64, 65, 300, 1500} {
		for _, share := range []float64{0.02, 0.5, 1} {
			logits, mask := make([]float32, n), make([]uint64, (n+63)/64)
			mask[0] |= 1
			for i := range logits {
				logits[i] = float32(rng.IntN(3)-1) * 50
				if rng.Float64() < share {
					mask[i/64] |= 1 << (i % 64)
				}
			}
			p := make([]float32, n)
			for i := range p {
				p[i] = 7
			}
			Probabilities(p, logits, mask)
			var sum float64
			for i, v := range p {
				ok := mask[i/64]>>(i%64)&1 != 0
				if !ok && v != 0 || v < 0 || v > 1 {
					t.Fatalf("%d actions: action %d, legal %v, has probability %v", n, i, ok, v)
				}
				sum += float64(v)
			}
			if math.Abs(sum-1) > 1e-6 {
				t.Errorf("%d actions: the sum is %v", n, sum)
			}
			Probabilities(logits, logits, mask) // in place
			for i := range p {
				if p[i] != logits[i] {
					t.Fatalf("in place, action %d has %v instead of %v", i, logits[i], p[i])
				}
			}
		}
	}
}

func TestSample(t *testing.T) {
	logits := []float32{0, 9, float32(math.Log(3)), -2000, 5}
	mask := []uint64{0b01101}
	for _, c := range []struct {
		u    float64
		want int
	}{{0, 0}, {0.2499, 0}, {0.2501, 2}, {0.999999, 2}, {math.Nextafter(1, 0), 2}} {
		if got := Sample(logits, mask, c.u); got != c.want {
			t.Errorf("u = %v: action %d, want %d", c.u, got, c.want)
		}
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for range 2000 { // whatever the numbers, the action is legal
		n := 1 + rng.IntN(200)
		logits, mask := make([]float32, n), make([]uint64, (n+63)/64)
		for i := range logits {
			logits[i] = float32(rng.NormFloat64() * 50)
		}
		mask[(n-1)/64] |= 1 << ((n - 1) % 64)
		mask[0] |= rng.Uint64() & (1<<min(n, 63) - 1)
		for _, u := range []float64{0, rng.Float64(), math.Nextafter(1, 0)} {
			a, lp := SampleLogProb(logits, mask, u)
			if mask[a/64]>>(a%64)&1 == 0 || a != Sample(logits, mask, u) {
				t.Fatalf("u = %v: action %d isn't legal, or isn't Sample's", u, a)
			}
			p := make([]float32, n)
			if Probabilities(p, logits, mask); math.Abs(math.Exp(lp)-float64(p[a])) > 1e-6 {
				t.Fatalf("u = %v: action %d has logarithm %v and probability %v", u, a, lp, p[a])
			}
		}
	}
}

func TestArgmax(t *testing.T) {
	for _, c := range []struct {
		logits []float32
		mask   uint64
		want   int
	}{
		{[]float32{1, 3, 3, 9}, 0b0111, 1},
		{[]float32{1, 3, 3, 9}, 0b1111, 3},
		{[]float32{1, 3, 3, 9}, 0b0101, 2},
		{[]float32{-5, -6, -7, -8}, 0b1000, 3},
	} {
		if got := Argmax(c.logits, []uint64{c.mask}); got != c.want {
			t.Errorf("%v, mask %b: action %d, want %d", c.logits, c.mask, got, c.want)
		}
	}
}

func TestNoLegalAction(t *testing.T) {
	logits, mask, p := []float32{1, 2}, []uint64{0}, []float32{7, 7}
	Probabilities(p, logits, mask)
	if a, b := Sample(logits, mask, 0.5), Argmax(logits, mask); a != -1 || b != -1 || p[0] != 0 || p[1] != 0 {
		t.Errorf("sample %d, argmax %d, probabilities %v", a, b, p)
	}
	if a, lp := SampleLogProb(logits, mask, 0.5); a != -1 || !math.IsInf(lp, -1) {
		t.Errorf("action %d: logarithm %v", a, lp)
	}
}

func Example() {
	params, err := NewParams(Spec{Inputs: 4, Actions: 3, Hidden: []int{8}})
	if err != nil {
		fmt.Println(err)
		return
	}
	params.Init(1)
	policy, err := NewPolicy(params)
	if err != nil {
		fmt.Println(err)
		return
	}
	var ws Workspace
	logits, values := policy.Forward(&ws, []float32{0, 1, 0, 0}, 1)
	mask := []uint64{0b110} // action 0 isn't legal
	p := make([]float32, 3)
	Probabilities(p, logits, mask)
	fmt.Printf("%d value, probabilities %.1f\n", len(values), p)
	// Output: 1 value, probabilities [0.0 0.5 0.5]
}

func BenchmarkSample(b *testing.B) {
	logits, mask := make([]float32, 300), []uint64{0xf0, 0xf, 1 << 40, 0xff, 0xff}
	b.ReportAllocs()
	for b.Loop() {
		Sample(logits, mask, 0.7)
	}
}

// Out of temperature 2 each logit is half as far below the highest, and what lies more than the loss below is never
// chosen; what is not legal says nothing.
func TestSoften(t *testing.T) {
	mask := []uint64{0b11101}
	for _, tt := range []struct {
		temperature, loss float64
		want              []float32 // of the legal actions: infinite for never
	}{
		{1, math.Inf(1), []float32{-4, 0, -1, -3}},
		{2, math.Inf(1), []float32{-2, 0, -0.5, -1.5}},
		{0.5, 3, []float32{float32(math.Inf(-1)), 0, -2, -6}},
		{4, 0.5, []float32{float32(math.Inf(-1)), 0, float32(math.Inf(-1)), float32(math.Inf(-1))}},
	} {
		logits := []float32{1, 1000, 5, 4, 2}
		Soften(logits, mask, tt.temperature, tt.loss)
		if got := []float32{logits[0], logits[2], logits[3], logits[4]}; !slices.Equal(got, tt.want) {
			t.Errorf("temperature %v, loss %v: %v, want %v", tt.temperature, tt.loss, got, tt.want)
		}
		p := make([]float32, len(logits))
		Probabilities(p, logits, mask)
		for u := 0.0; u < 1; u += 0.01 {
			if a := Sample(logits, mask, u); a == 1 || p[a] == 0 {
				t.Fatalf("temperature %v, loss %v: %v draws action %d", tt.temperature, tt.loss, u, a)
			}
		}
	}
}
