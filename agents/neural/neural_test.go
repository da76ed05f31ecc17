package neural

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"earthgym/agents/neural/gemm"
	"earthgym/agents/neural/safetensors"
	"earthgym/env"
	"earthgym/env/envtest/must"
)

func testParams(t testing.TB, s Spec, seed uint64) *Params {
	t.Helper()
	p := must.Have(NewParams(s))(t)
	p.Init(seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	for _, l := range p.Layers() { // biases that aren't 0
		for i := range l.Bias {
			l.Bias[i] = rng.Float32() - 0.5
		}
	}
	return p
}

// observations returns rows of which about the given share isn't 0.
func observations(rng *rand.Rand, rows, inputs int, share float64) []float32 {
	x := make([]float32, rows*inputs)
	for i := range x {
		if rng.Float64() < share {
			x[i] = float32(rng.IntN(5)+1) / 4
		}
	}
	return x
}

// forward64 is the network in float64: for each row its logits and values.
func forward64(p *Params, obs []float32, rows int) []float64 {
	linear := func(l Layer, x []float64, relu bool) []float64 {
		y := make([]float64, l.Out)
		for o := range y {
			s := float64(l.Bias[o])
			for j := range l.In {
				s += x[j] * float64(l.Weight[j*l.Out+o])
			}
			if relu {
				s = max(s, 0)
			}
			y[o] = s
		}
		return y
	}
	var out []float64
	spec, layers := p.Spec(), p.Layers()
	for r := range rows {
		var x []float64
		for _, v := range obs[r*spec.Inputs:][:spec.Inputs] {
			x = append(x, float64(v))
		}
		head := x
		for i := range len(spec.Hidden) + 1 {
			seen := head
			if spec.Residual && i > 0 {
				seen = normal64(head)
			}
			y := linear(layers[i], seen, i < len(spec.Hidden))
			if spec.Residual && i > 0 && i < len(spec.Hidden) && len(y) == len(head) {
				for j := range y {
					y[j] += head[j]
				}
			}
			head = y
		}
		row, queries := head[:spec.Outputs()], head[spec.Outputs():]
		for kind, o := range spec.Objects {
			for i, pointer := range o.Pointers {
				for n, a := range pointer.Actions {
					var features []float64
					for _, j := range o.Features[pointer.Objects[n]] {
						features = append(features, x[j])
					}
					for w, e := range linear(layers[len(spec.Hidden)+1+kind], features, true) {
						row[a] += e * queries[w*len(o.Pointers)+i]
					}
				}
			}
			queries = queries[o.Width*len(o.Pointers):]
		}
		out = append(out, row...)
	}
	return out
}

// normal64 shifts and scales to mean 0 and variance 1.
func normal64(x []float64) []float64 {
	var mean, variance float64
	n := float64(len(x))
	for _, v := range x {
		mean += v / n
	}
	for _, v := range x {
		variance += (v - mean) * (v - mean) / n
	}
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = (v - mean) / math.Sqrt(variance+1e-5)
	}
	return y
}

// garden has two kinds of objects, actions that point at none, one or two of them, and three values.
var garden = Spec{Inputs: 40, Actions: 70, Hidden: []int{20}, Values: 3, Objects: []Objects{
	{Name: "bed", Features: [][]int{{3, 4, 39}, {5, 6, 0}, {7, 8, 1}}, Width: 18, Pointers: []Pointer{
		{Family: "plant", Actions: []int{2, 65, 4}, Objects: []int{2, 1, 0}},
		{Family: "carry", Actions: []int{66, 67}, Objects: []int{0, 1}},
		{Family: "carry", Actions: []int{66, 67}, Objects: []int{1, 1}},
	}},
	{Name: "shed", Features: [][]int{{10, 11}, {12, 13}}, Width: 3,
		Pointers: []Pointer{{Family: "plant", Actions: []int{2, 65, 4}, Objects: []int{0, 0, 1}}}},
}}

var specs = []Spec{
	{Inputs: 30, Actions: 7, Hidden: []int{20, 12}},
	{Inputs: 5, Actions: 70},
	{Inputs: 64, Actions: 1, Hidden: []int{33}, Values: 6},
	{Inputs: 401, Actions: 185, Hidden: []int{64, 48, 32}},
	garden,
	{Inputs: 30, Actions: 7, Hidden: []int{16, 20, 20}, Residual: true, Values: 2},
	{Inputs: 30, Actions: 7, Hidden: []int{20}, Residual: true},
}

func TestForward(t *testing.T) {
	for _, k := range gemm.All() {
		for _, s := range specs {
			for _, share := range []float64{0.05, 0.3, 1} {
				rng := rand.New(rand.NewPCG(1, 2))
				p := testParams(t, s, 3)
				const rows = 101
				obs := observations(rng, rows, s.Inputs, share)
				want := forward64(p, obs, rows)
				var ws Workspace
				n := newPolicy(p, k)
				logits, values := n.Evaluate(&ws, obs, nil, rows)
				seats := n.Spec().Values
				for r := range rows {
					for a, got := range append(slices.Clone(logits[r*s.Actions:][:s.Actions]), values[r*seats:][:seats]...) {
						if w := want[r*s.Outputs()+a]; math.Abs(float64(got)-w) > 1e-5*(1+math.Abs(w)) {
							t.Fatalf("%s %v: row %d column %d is %v, want %v", k.Name(), s, r, a, got, w)
						}
					}
				}
				all, every := slices.Clone(logits), slices.Clone(values)
				if _, own := n.Forward(&ws, obs, rows); len(own) != rows || own[7] != every[7*seats] {
					t.Errorf("%s %v: the values of the observers are not those of seat 0", k.Name(), s)
				}
				words := (s.Actions + 63) / 64
				mask := make([]uint64, rows*words)
				for i := range mask {
					mask[i] = rng.Uint64() & rng.Uint64()
				}
				logits, values = n.Evaluate(&ws, obs, mask, rows)
				for i := range logits {
					if r, a := i/s.Actions, i%s.Actions; mask[r*words+a/64]>>(a%64)&1 != 0 && logits[i] != all[i] {
						t.Fatalf("%s %v: row %d: action %d has the logit %v among the legal ones, %v among all", k.Name(), s, r, a,
							logits[i], all[i])
					}
				}
				if !slices.Equal(values, every) {
					t.Errorf("%s %v: a mask changes values", k.Name(), s)
				}
				var sparse gemm.Sparse
				sparse.Gather(k, obs, s.Inputs, rows, s.Inputs, len(obs))
				legal := slices.Clone(logits)
				const from = 2
				logits, values = n.EvaluateSparse(&ws, &sparse, from, rows, mask[from*words:])
				if !slices.Equal(values, every[from*seats:]) {
					t.Errorf("%s %v: sparse rows change values", k.Name(), s)
				}
				for i, z := range logits {
					if r, a := from+i/s.Actions, i%s.Actions; mask[r*words+a/64]>>(a%64)&1 != 0 && z != legal[r*s.Actions+a] {
						t.Fatalf("%s %v: row %d: action %d has another logit with sparse rows", k.Name(), s, r, a)
					}
				}
			}
		}
	}
}

// TestForwardIsTheSameInEveryBatch mixes sparse and dense observations, so that the way through the first layer
// differs from batch to batch.
func TestForwardIsTheSameInEveryBatch(t *testing.T) {
	for _, s := range []Spec{{Inputs: 401, Actions: 185, Hidden: []int{64, 48}}, garden,
		{Inputs: 401, Actions: 70, Hidden: []int{48, 48}, Residual: true}} {
		for _, k := range gemm.All() {
			sameInEveryBatch(t, s, k)
		}
	}
}

func sameInEveryBatch(t *testing.T, s Spec, k gemm.Kernels) {
	rng := rand.New(rand.NewPCG(4, 5))
	const rows = 230
	var obs []float32
	for r := range rows {
		obs = append(obs, observations(rng, 1, s.Inputs, []float64{0.1, 0.1, 0.9}[r/2%3])...)
	}
	n := newPolicy(testParams(t, s, 6), k)
	var all, part Workspace
	logits, values := n.Forward(&all, obs, rows)
	for _, size := range []int{1, 2, 3, 5, 7, 31, 96, 97, 200} {
		for from := 0; from < rows; from += size {
			to := min(rows, from+size)
			l, v := n.Forward(&part, obs[from*s.Inputs:to*s.Inputs], to-from)
			if !slices.Equal(l, logits[from*s.Actions:to*s.Actions]) || !slices.Equal(v, values[from:to]) {
				t.Fatalf("%s: rows %d to %d differ from the same rows in a batch of %d", k.Name(), from, to, rows)
			}
		}
	}
}

// What networks answer is stored: one value for all fused kernels, on every processor, and one for the portable ones.
func TestGoldenLogits(t *testing.T) {
	for _, k := range gemm.All() {
		h := fnv.New64a()
		for _, s := range append(specs[:len(specs):len(specs)], garden) {
			n, rng := newPolicy(testParams(t, s, 9), k), rand.New(rand.NewPCG(9, 9))
			var ws Workspace
			for _, rows := range []int{1, 3, 40} {
				for _, share := range []float64{0.1, 0.9} {
					logits, values := n.Forward(&ws, observations(rng, rows, s.Inputs, share), rows)
					binary.Write(h, binary.LittleEndian, logits)
					binary.Write(h, binary.LittleEndian, values)
					mask := make([]uint64, (s.Actions+63)/64)
					for a := 0; a < s.Actions; a += 1 + rng.IntN(3) {
						mask[a/64] |= 1 << (a % 64)
					}
					action, logProb := SampleLogProb(logits[:s.Actions], mask, rng.Float64())
					binary.Write(h, binary.LittleEndian, []float64{float64(action), logProb})
				}
			}
		}
		want := "b975a53822b411a2"
		if k.Name() == "portable" {
			want = "f08af615cbd80fc8"
		}
		if got := fmt.Sprintf("%016x", h.Sum64()); got != want {
			t.Errorf("%s: the bits are %s, want %s", k.Name(), got, want)
		}
	}
}

func TestForwardInParallel(t *testing.T) {
	s := specs[3]
	n := must.Have(NewPolicy(testParams(t, s, 1)))(t)
	obs := observations(rand.New(rand.NewPCG(1, 1)), 50, s.Inputs, 0.2)
	var first Workspace
	want, _ := n.Forward(&first, obs, 50)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			var ws Workspace
			for range 20 {
				if got, _ := n.Forward(&ws, obs, 50); !slices.Equal(got, want) {
					t.Error("another goroutine got other logits")
				}
			}
		})
	}
	wg.Wait()
}

func TestForwardDoesNotAllocate(t *testing.T) {
	for _, s := range []Spec{specs[3], garden, specs[5]} {
		for _, share := range []float64{0.1, 1} {
			n := newPolicy(testParams(t, s, 1), gemm.All()[0])
			obs := observations(rand.New(rand.NewPCG(1, 1)), 100, s.Inputs, share)
			mask := []uint64{5, 5, 1 << 20}[:(s.Actions+63)/64]
			dst := make([]float32, s.Actions)
			var ws Workspace
			n.Forward(&ws, obs, 100)
			if a := testing.AllocsPerRun(100, func() {
				logits, _ := n.Forward(&ws, obs, 100)
				n.Evaluate(&ws, obs[:s.Inputs], mask, 1)
				Probabilities(dst, logits[:s.Actions], mask)
				SampleLogProb(logits[:s.Actions], mask, 0.5)
				Argmax(logits[:s.Actions], mask)
			}); a != 0 {
				t.Errorf("%v: %v allocations", s, a)
			}
		}
	}
}

func TestNewPolicyRefusesWeightsThatAreNotFinite(t *testing.T) {
	p := testParams(t, specs[0], 1)
	p.Flat()[100] = float32(math.NaN())
	if _, err := NewPolicy(p); err == nil || !strings.Contains(err.Error(), "isn't finite") {
		t.Errorf("error %v", err)
	}
}

func TestInit(t *testing.T) {
	s := Spec{Inputs: 200, Actions: 50, Hidden: []int{100}}
	a, b, c := testParams(t, s, 1), testParams(t, s, 1), testParams(t, s, 2)
	a.Init(7)
	b.Init(7)
	c.Init(8)
	if !slices.Equal(a.Flat(), b.Flat()) || slices.Equal(a.Flat(), c.Flat()) {
		t.Error("the seed must decide, and nothing else")
	}
	spread := func(w []float32, from, step int) float64 {
		var sum float64
		n := 0
		for i := from; i < len(w); i += step {
			sum += float64(w[i]) * float64(w[i])
			n++
		}
		return math.Sqrt(sum / float64(n))
	}
	l := a.Layers()
	if got := spread(l[0].Weight, 0, 1); math.Abs(got-0.1) > 0.002 { // √(2/200)
		t.Errorf("trunk weights are spread by %v", got)
	}
	if got := spread(l[1].Weight, 50, 51); math.Abs(got-0.1) > 0.03 { // √(1/100)
		t.Errorf("value weights are spread by %v", got)
	}
	if got := spread(l[1].Weight, 3, 51); math.Abs(got-0.001) > 0.0003 {
		t.Errorf("logit weights are spread by %v", got)
	}
}

// TestInputScale: an input that never moves is left alone, little moves are brought to a spread of a half, up to eight
// times; a feature of objects has one factor for all of them.
func TestInputScale(t *testing.T) {
	s := Spec{Inputs: 5, Actions: 2, Hidden: []int{3}, Objects: []Objects{{
		Name: "bed", Features: [][]int{{2, 0}, {3, 1}}, Width: 2,
		Pointers: []Pointer{{Actions: []int{0, 1}, Objects: []int{0, 1}}},
	}}}
	obs := []float32{
		1, 0, 0.25, 0, 0.01,
		1, 4, 0, 0.25, 0,
	}
	got := s.InputScale(obs)
	// Features: place 2 and 3 together have the spread 0.125, place 0 and 1 together more than a half.
	if want := []float32{1, 1, 4, 4, 8, 4, 1}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	p, q := testParams(t, s, 1), testParams(t, s, 1)
	p.ScaleInputs(got)
	for i, l := range p.Layers() {
		for j, w := range l.Weight {
			factor := float32(1)
			switch i {
			case 0:
				factor = got[j/l.Out]
			case 2:
				factor = got[5+j/l.Out]
			}
			if want := q.Layers()[i].Weight[j] * factor; w != want {
				t.Errorf("layer %s: weight %d is %v, want %v", l.Name, j, w, want)
			}
		}
		if !slices.Equal(l.Bias, q.Layers()[i].Bias) {
			t.Errorf("layer %s has other biases", l.Name)
		}
	}
	if n := len(s.InputScale(nil)); n != 7 {
		t.Errorf("%d factors without observations", n)
	}
}

// withObjects is garden with a change of its first objects.
func withObjects(change func(o *Objects)) Spec {
	s, o := garden, garden.Objects[0]
	o.Features = slices.Clone(o.Features)
	for i := range o.Features {
		o.Features[i] = slices.Clone(o.Features[i])
	}
	o.Pointers = slices.Clone(o.Pointers)
	o.Pointers[0].Actions, o.Pointers[0].Objects = slices.Clone(o.Pointers[0].Actions), slices.Clone(o.Pointers[0].Objects)
	change(&o)
	s.Objects = []Objects{o, garden.Objects[1]}
	return s
}

func TestSpecCheck(t *testing.T) {
	for _, c := range []struct {
		spec Spec
		err  string
	}{
		{Spec{Inputs: 0, Actions: 5}, "needs inputs and actions"},
		{Spec{Inputs: 5, Actions: -1}, "needs inputs and actions"},
		{Spec{Inputs: 5, Actions: 5, Hidden: []int{4, 0}}, "hidden layer 1 has width 0"},
		{Spec{Inputs: 1 << 40, Actions: 5}, "too large"},
		{Spec{Inputs: 1 << 20, Actions: 5, Hidden: []int{1 << 20}}, "too large"},
		{Spec{Inputs: 1, Actions: math.MaxInt - 1}, "too large"},
		{Spec{Inputs: 5, Actions: 5, Hidden: []int{4}}, ""},
		{Spec{Inputs: 5, Actions: 5, Values: env.MaxPlayers + 1}, "gives the values of 1 to"},
		{withObjects(func(o *Objects) { o.Width = 0 }), "a width and pointers are needed"},
		{withObjects(func(o *Objects) { o.Features = nil }), "features, a width and pointers are needed"},
		{withObjects(func(o *Objects) { o.Width = 1 << 27 }), "too large"},
		{withObjects(func(o *Objects) { o.Features[1][0] = 40 }),
			`objects "bed": all have the same number of features, each one of 40 inputs`},
		{withObjects(func(o *Objects) { o.Features[1] = o.Features[1][:1] }), "all have the same number of features"},
		{withObjects(func(o *Objects) { o.Pointers[0].Objects[0] = 3 }),
			`family "plant" points with each of its actions, of 70, at one object, of 3`},
		{withObjects(func(o *Objects) { o.Pointers[0].Actions[0] = 70 }), `family "plant" points`},
		{withObjects(func(o *Objects) { o.Pointers[0].Actions = o.Pointers[0].Actions[:2] }), `family "plant" points`},
		{withObjects(func(o *Objects) { o.Name = "shed" }), `objects "shed" are listed twice`},
		{withObjects(func(*Objects) {}), ""},
	} {
		_, err := NewParams(c.spec)
		if (c.err == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%v: error %v, want %q", c.spec, err, c.err)
		}
	}
}

func TestFileRoundTrip(t *testing.T) {
	for _, s := range specs {
		p := testParams(t, s, 9)
		extra := []safetensors.Tensor{safetensors.New("optimiser.step", []uint64{5})}
		f := &safetensors.File{Tensors: p.Append(extra)}
		b, err := safetensors.Encode(f)
		if err != nil {
			t.Fatal(err)
		}
		if f, err = safetensors.Decode(b); err != nil {
			t.Fatal(err)
		}
		q := must.Have(FromFile(f, s))(t)
		if !slices.Equal(p.Flat(), q.Flat()) || fmt.Sprint(p.Spec()) != fmt.Sprint(q.Spec()) {
			t.Errorf("%v came back as %v", p.Spec(), q.Spec())
		}
	}
}

func TestFromFileRefuses(t *testing.T) {
	p := testParams(t, specs[0], 1)
	for _, c := range []struct {
		what, err string
		change    func(m map[string]*safetensors.Tensor)
	}{
		{"no head", `no tensor "head.weight"`, func(m map[string]*safetensors.Tensor) { m["head.weight"].Name = "x" }},
		{"no bias", `no tensor "trunk.1.bias"`, func(m map[string]*safetensors.Tensor) { m["trunk.1.bias"].Name = "x" }},
		{"vector", "has shape [600], want [30 20]", func(m map[string]*safetensors.Tensor) {
			m["trunk.0.weight"].Shape = []int{600}
		}},
		{"transposed", `tensor "trunk.1.weight" has shape [12 20], want [20 12]`, func(m map[string]*safetensors.Tensor) {
			m["trunk.1.weight"].Shape = []int{12, 20}
			m["trunk.1.bias"].Shape = []int{20}
		}},
		{"empty", `tensor "trunk.0.weight" has shape [0 134217728], want [30 20]`, func(m map[string]*safetensors.Tensor) {
			m["trunk.0.weight"].Shape, m["trunk.0.weight"].Data = []int{0, 1 << 27}, nil
		}},
		{"type", "holds F64, want F32", func(m map[string]*safetensors.Tensor) {
			*m["head.bias"] = safetensors.New("head.bias", make([]float64, 8), 8)
		}},
		{"NaN", "weights must be finite", func(m map[string]*safetensors.Tensor) {
			*m["head.bias"] = safetensors.New("head.bias", []float32{7: float32(math.NaN())}, 8)
		}},
		{"no numbers", `tensor "trunk.0.weight" has shape [30 20], want`, func(m map[string]*safetensors.Tensor) {
			m["trunk.0.weight"].Data = nil
		}},
		{"short", "has 8 numbers", func(m map[string]*safetensors.Tensor) { m["trunk.0.weight"].Data = make([]byte, 32) }},
	} {
		ts := p.Append(nil)
		m := map[string]*safetensors.Tensor{}
		for i := range ts {
			m[ts[i].Name] = &ts[i]
		}
		c.change(m)
		if _, err := FromFile(&safetensors.File{Tensors: ts}, specs[0]); err == nil || !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: error %v, want %q", c.what, err, c.err)
		}
	}
}

// Sharpening is for the logits alone, those that point at objects too.
func TestSharpen(t *testing.T) {
	for _, s := range specs {
		p := testParams(t, s, 3)
		obs := observations(rand.New(rand.NewPCG(1, 2)), 20, s.Inputs, 0.3)
		want := forward64(p, obs, 20)
		p.Sharpen(2.5)
		for i, got := range forward64(p, obs, 20) {
			w := want[i]
			if i%s.Outputs() < s.Actions {
				w *= 2.5
			}
			if math.Abs(got-w) > 1e-5*(1+math.Abs(w)) {
				t.Fatalf("%v: output %d is %v, want %v", s, i, got, w)
			}
		}
	}
}

// A wider network takes over a narrower one's answers, and has room to learn.
func TestTakeOver(t *testing.T) {
	from := testParams(t, Spec{Inputs: 30, Actions: 7, Hidden: []int{20, 12}, Values: 1}, 3)
	wide := testParams(t, Spec{Inputs: 30, Actions: 7, Hidden: []int{33, 12}, Values: 1}, 4)
	must.Do(t, wide.TakeOver(from))
	obs := observations(rand.New(rand.NewPCG(1, 2)), 50, 30, 0.3)
	want, got := forward64(from, obs, 50), forward64(wide, obs, 50)
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-6*(1+math.Abs(want[i])) {
			t.Fatalf("output %d is %v, want %v", i, got[i], want[i])
		}
	}
	// A residual one takes over copies, which are told apart.
	deep := testParams(t, Spec{Inputs: 30, Actions: 7, Hidden: []int{12, 12, 6}, Values: 1, Residual: true}, 3)
	deeper := testParams(t, Spec{Inputs: 30, Actions: 7, Hidden: []int{36, 36, 12}, Values: 1, Residual: true}, 4)
	must.Do(t, deeper.TakeOver(deep))
	want, got = forward64(deep, obs, 50), forward64(deeper, obs, 50)
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-5*(1+math.Abs(want[i])) {
			t.Fatalf("residual: output %d is %v, want %v", i, got[i], want[i])
		}
	}
	if l := deeper.Layers()[1]; l.Weight[0] == l.Weight[12*l.Out] {
		t.Error("copies are listened to alike, and will always be the same")
	}
	idle := true
	for r, l := 0, wide.Layers()[0]; r < l.In; r++ {
		for _, w := range l.Weight[r*l.Out+20 : (r+1)*l.Out] {
			idle = idle && w == 0
		}
	}
	if idle {
		t.Error("what is wider listens to nothing, and will never learn")
	}
	if err := testParams(t, Spec{Inputs: 30, Actions: 7, Hidden: []int{30, 30, 12}, Values: 1, Residual: true}, 1).
		TakeOver(deep); err == nil {
		t.Error("a residual network took over one whose layers don't divide its own")
	}
	for _, s := range []Spec{
		{Inputs: 30, Actions: 7, Hidden: []int{19, 12}, Values: 1}, {Inputs: 30, Actions: 7, Hidden: []int{20}, Values: 1},
		{Inputs: 31, Actions: 7, Hidden: []int{20, 12}, Values: 1},
		{Inputs: 30, Actions: 8, Hidden: []int{20, 12}, Values: 1},
		{Inputs: 30, Actions: 7, Hidden: []int{20, 12}, Values: 2}, {Inputs: 30, Actions: 7, Hidden: []int{20, 12}, Values: 1,
			Residual: true},
	} {
		if err := testParams(t, s, 1).TakeOver(from); err == nil || !strings.Contains(err.Error(), "can't take over") {
			t.Errorf("%v took over %v: %v", s, from.Spec(), err)
		}
	}
}

func BenchmarkForward(b *testing.B) {
	s := Spec{Inputs: 512, Actions: 300, Hidden: []int{256, 256}}
	for _, k := range gemm.All() {
		for _, share := range []float64{1, 0.1} {
			for _, rows := range []int{1, 32, 256, 1024} {
				b.Run(fmt.Sprintf("%s/set=%v/B=%d", k.Name(), share, rows), func(b *testing.B) {
					n := newPolicy(testParams(b, s, 1), k)
					obs := observations(rand.New(rand.NewPCG(1, 1)), rows, s.Inputs, share)
					var ws Workspace
					n.Forward(&ws, obs, rows) // makes the buffers
					b.ReportAllocs()
					for b.Loop() {
						n.Forward(&ws, obs, rows)
					}
					b.ReportMetric(float64(rows)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
				})
			}
		}
	}
}
