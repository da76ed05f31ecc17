package train

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"earthgym/agents/neural"
	"earthgym/agents/neural/gemm"
	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
	"earthgym/train/ops"
)

var small = neural.Spec{Inputs: 37, Actions: 70, Hidden: []int{24, 18}}

// pointing is small with objects that actions point at, and with the values of three seats.
var pointing = neural.Spec{Inputs: 37, Actions: 70, Hidden: []int{24, 18}, Values: 3, Objects: []neural.Objects{
	{Name: "bed", Features: [][]int{{0, 1, 2, 20}, {3, 4, 5, 21}, {6, 7, 8, 22}}, Width: 8, Pointers: []neural.Pointer{
		{Family: "plant", Actions: []int{64, 65, 66}, Objects: []int{2, 1, 0}},
		{Family: "carry", Actions: []int{3, 4}, Objects: []int{0, 1}},
		{Family: "carry", Actions: []int{3, 4}, Objects: []int{1, 1}},
	}},
	{Name: "shed", Features: [][]int{{10, 11}, {12, 13}}, Width: 3,
		Pointers: []neural.Pointer{{Family: "fetch", Actions: []int{9}, Objects: []int{1}}}},
}}

// deep has residual layers.
var deep = neural.Spec{Inputs: 37, Actions: 70, Hidden: []int{16, 18, 18}, Residual: true}

var options = StepOptions{LearningRate: 1e-3, ClipCoef: 0.2, ValueCoef: 0.5, EntropyCoef: 0.01, MaxGradNorm: 0.5}

func initial(t testing.TB, s neural.Spec) *neural.Params {
	t.Helper()
	p := must.Have(neural.NewParams(s))(t)
	p.Init(1)
	return p
}

func learner(t testing.TB, s neural.Spec, workers int, k gemm.Kernels) *Learner {
	t.Helper()
	return must.Have(newLearner(initial(t, s), workers, k))(t)
}

// minibatch draws rows with observations of which about the given share is set.
func minibatch(seed uint64, s neural.Spec, rows int, share float64) Minibatch {
	rng := rand.New(rand.NewPCG(seed, 2))
	words := (s.Actions + 63) / 64
	b := Minibatch{
		Rows: rows, Decisions: ops.Decisions{Mask: make([]uint64, rows*words), Action: make([]int32, rows),
			LogProb: make([]float32, rows), Advantage: make([]float32, rows), Return: make([]float32, rows)},
	}
	obs := make([]float32, rows*s.Inputs)
	for i := range obs {
		if rng.Float64() < share {
			obs[i] = rng.Float32()*2 - 0.5
		}
	}
	b.Obs = sparse(obs, s.Inputs)
	for r := range rows {
		b.Action[r] = int32(rng.IntN(s.Actions))
		legal := 1
		for a := range s.Actions {
			if a == int(b.Action[r]) {
				b.Mask[r*words+a/64] |= 1 << (a % 64)
			} else if rng.IntN(4) == 0 {
				b.Mask[r*words+a/64] |= 1 << (a % 64)
				legal++
			}
		}
		b.LogProb[r] = float32(-math.Log(float64(legal)) + 0.2*rng.NormFloat64())
		b.Advantage[r] = float32(rng.NormFloat64())
		b.Return[r] = float32(rng.NormFloat64())
	}
	for range rows * (s.Outputs() - s.Actions - 1) { // every other seat's
		b.Return = append(b.Return, float32(rng.NormFloat64()))
	}
	return b
}

// sparse are observations of so many inputs as a learner takes them, and dense is the reverse.
func sparse(obs []float32, inputs int) *gemm.Sparse {
	var s gemm.Sparse
	s.Gather(gemm.Kernels{}, obs, inputs, len(obs)/inputs, inputs, len(obs))
	return &s
}

func dense(s *gemm.Sparse) []float32 {
	obs := make([]float32, s.Rows*s.Cols)
	for r := range s.Rows {
		s.Write(obs[r*s.Cols:], r)
	}
	return obs
}

func step(t testing.TB, l *Learner, b Minibatch) StepStats {
	t.Helper()
	return must.Have(l.Step(b, options))(t)
}

func TestStepLearns(t *testing.T) {
	envtest.NothingToRace(t) // with one worker
	for i, k := range slices.Repeat(gemm.All(), 3) {
		s := []neural.Spec{small, pointing, deep}[i/len(gemm.All())]
		l := learner(t, s, 1, k)
		b := minibatch(3, s, 200, 0.3)
		first := step(t, l, b)
		var last StepStats
		for range 60 {
			last = step(t, l, b)
		}
		if !(last.Loss < first.Loss-0.1) || !(last.ValueLoss < first.ValueLoss) {
			t.Errorf("%s: the loss went from %+v to %+v", k.Name(), first, last)
		}
		if last.KL <= 0 || last.ClipFraction <= 0 || last.GradNorm <= 0 {
			t.Errorf("%s: %+v", k.Name(), last)
		}
	}
}

// TestSameLogitsAsPolicy: self-play acts by the policy, and PPO compares what the graph says with what was acted on.
func TestSameLogitsAsPolicy(t *testing.T) {
	for _, c := range []struct {
		spec  neural.Spec
		share float64
	}{{small, 0.1}, {small, 1}, {pointing, 0.1}, {pointing, 1}, {deep, 0.1}, {deep, 1}} {
		l := must.Have(NewLearner(initial(t, c.spec), 2))(t)
		b := minibatch(1, c.spec, 150, c.share)
		for range 3 {
			step(t, l, b)
		}
		p := must.Have(neural.NewPolicy(l.Params()))(t)
		step(t, l, b) // the graph computes its output before the parameters move
		out := l.output.Value().Data().([]float32)
		var ws neural.Workspace
		logits, values := p.Evaluate(&ws, dense(b.Obs), b.Mask, b.Rows)
		actions, seats, words := c.spec.Actions, p.Spec().Values, len(b.Mask)/b.Rows
		for r := range b.Rows {
			row := out[r*c.spec.Outputs():][:c.spec.Outputs()]
			for a := range actions {
				if b.Mask[r*words+a/64]>>(a%64)&1 != 0 && row[a] != logits[r*actions+a] {
					t.Fatalf("row %d of %d: action %d has the logit %v in the graph, %v of the policy", r, b.Rows, a, row[a],
						logits[r*actions+a])
				}
			}
			if !slices.Equal(row[actions:], values[r*seats:][:seats]) {
				t.Fatalf("row %d of %d has other values in the graph than of the policy", r, b.Rows)
			}
		}
	}
}

func TestWorkersDoNotChangeTheResult(t *testing.T) {
	for _, k := range gemm.All() {
		for _, spec := range []neural.Spec{small, pointing, deep} {
			for _, share := range []float64{0.1, 1} {
				var want []float32
				for _, workers := range []int{1, 2, 3, 7} {
					l := learner(t, spec, workers, k)
					for i, rows := range []int{130, 1, 64, 257} {
						step(t, l, minibatch(uint64(i), spec, rows, share))
					}
					if want == nil {
						want = l.Params().Flat()
					}
					if !slices.Equal(want, l.Params().Flat()) {
						t.Errorf("%s: %d workers give other parameters than 1", k.Name(), workers)
					}
				}
			}
		}
	}
}

func TestResume(t *testing.T) {
	batches := make([]Minibatch, 6)
	for i := range batches {
		batches[i] = minibatch(uint64(i), small, 90, 0.3)
	}
	through := learner(t, small, 1, gemm.All()[0])
	for _, b := range batches {
		step(t, through, b)
	}

	first := learner(t, small, 1, gemm.All()[0])
	for _, b := range batches[:3] {
		step(t, first, b)
	}
	state, params := first.State(), first.Params().Clone()
	step(t, first, batches[0]) // what is done afterwards must not show in the state
	second := must.Have(newLearner(params, 1, gemm.All()[0]))(t)
	must.Do(t, second.Restore(state))
	for _, b := range batches[3:] {
		step(t, second, b)
	}
	if !slices.Equal(through.Params().Flat(), second.Params().Flat()) ||
		fmt.Sprint(through.State()) != fmt.Sprint(second.State()) {
		t.Error("3 steps, saving, and 3 steps aren't the same as 6 steps")
	}
}

// TestScaleInputs: learning with factors is learning from inputs that are multiplied by them, also when it is resumed.
func TestScaleInputs(t *testing.T) {
	for _, spec := range []neural.Spec{small, pointing, deep, {Inputs: 37, Actions: 70}} {
		scale := make([]float32, len(spec.InputScale(nil)))
		for i := range scale {
			scale[i] = float32(1 + i/3%4)
		}
		for kind, at := 0, spec.Inputs; kind < len(spec.Objects); kind++ { // an object's features as the inputs that they are
			for f, place := range spec.Objects[kind].Features[0] {
				for _, places := range spec.Objects[kind].Features {
					scale[places[f]] = scale[place]
				}
				scale[at] = scale[place]
				at++
			}
		}
		plain, factors := learner(t, spec, 1, gemm.All()[0]), learner(t, spec, 1, gemm.All()[0])
		factors.Params().ScaleInputs(scale)
		factors.ScaleInputs(scale)
		for i := range uint64(6) {
			if i == 3 {
				resumed := must.Have(newLearner(factors.Params(), 1, gemm.All()[0]))(t)
				must.Do(t, resumed.Restore(factors.State()))
				factors = resumed
			}
			b := minibatch(i, spec, 100, 0.3)
			got := step(t, factors, b)
			obs := dense(b.Obs)
			for k := range obs {
				obs[k] *= scale[k%spec.Inputs]
			}
			b.Obs = sparse(obs, spec.Inputs)
			want := step(t, plain, b)
			if math.Abs(got.Loss-want.Loss) > 1e-4 || math.Abs(got.GradNorm-want.GradNorm) > 1e-3*want.GradNorm {
				t.Fatalf("%v: step %d: loss %v and gradient %v with factors, %v and %v of multiplied inputs", spec, i, got.Loss,
					got.GradNorm, want.Loss, want.GradNorm)
			}
		}
	}
}

func TestRestoreRefuses(t *testing.T) {
	l := learner(t, small, 1, gemm.Kernels{})
	for _, c := range []struct {
		err    string
		change func(s *AdamState)
	}{
		{"the network has", func(s *AdamState) { s.M = s.M[1:] }},
		{"must be finite", func(s *AdamState) { s.M[5] = float32(math.NaN()) }},
		{"must be finite", func(s *AdamState) { s.V[5] = -1 }},
		{"factors of 2 inputs, the network has 37", func(s *AdamState) { s.Scale = []float32{1, 2} }},
		{"the factor of input 3 is 0", func(s *AdamState) { s.Scale = append([]float32{1, 1, 1}, make([]float32, 34)...) }},
	} {
		s := l.State()
		c.change(&s)
		if err := l.Restore(s); err == nil || !strings.Contains(err.Error(), c.err) {
			t.Errorf("error %v, want %q", err, c.err)
		}
	}
}

func TestStepRefuses(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		what, err string
		change    func(b *Minibatch, o *StepOptions)
	}{
		{"no rows", "at least 1 is needed", func(b *Minibatch, o *StepOptions) { *b = Minibatch{} }},
		{"short", "a minibatch of 10 rows, but not as many observations of 37 numbers", func(b *Minibatch, o *StepOptions) {
			b.Obs = sparse(dense(b.Obs)[:9*37], 37)
		}},
		{"narrow", "not as many observations of 37 numbers", func(b *Minibatch, o *StepOptions) {
			b.Obs = sparse(make([]float32, 10*36), 36)
		}},
		{"long", "elements in Return, want 10", func(b *Minibatch, o *StepOptions) { b.Return = append(b.Return, 1) }},
		{"illegal", "row 3 of the minibatch: action", func(b *Minibatch, o *StepOptions) { b.Mask[6], b.Mask[7] = 0, 0 }},
		{"range", "row 2 of the minibatch: action 70 isn't legal", func(b *Minibatch, o *StepOptions) { b.Action[2] = 70 }},
		{"negative", "row 2 of the minibatch: action -1 isn't legal", func(b *Minibatch, o *StepOptions) {
			b.Action[2] = -1
		}},
		{"rate", "LearningRate is 0; it must be a number above 0", func(b *Minibatch, o *StepOptions) { o.LearningRate = 0 }},
		{"clip", "ClipCoef is NaN", func(b *Minibatch, o *StepOptions) { o.ClipCoef = math.NaN() }},
		{"norm", "MaxGradNorm is +Inf", func(b *Minibatch, o *StepOptions) { o.MaxGradNorm = math.Inf(1) }},
		{"NaN observation", "the loss is NaN", func(b *Minibatch, o *StepOptions) {
			obs := dense(b.Obs)
			obs[4] = nan
			b.Obs = sparse(obs, 37)
		}},
		{"NaN advantage", "the loss is NaN", func(b *Minibatch, o *StepOptions) { b.Advantage[4] = nan }},
		{"infinite return", "the loss is +Inf", func(b *Minibatch, o *StepOptions) { b.Return[4] = inf }},
		{"huge return", "isn't finite", func(b *Minibatch, o *StepOptions) { b.Return[4] = 3e38; o.ValueCoef = 1e3 }},
	} {
		for _, k := range gemm.All() {
			l := learner(t, small, 1, k)
			before, state := slices.Clone(l.Params().Flat()), fmt.Sprint(l.State())
			b, o := minibatch(1, small, 10, 1), options
			c.change(&b, &o)
			_, err := l.Step(b, o)
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s, %s: error %v, want %q", c.what, k.Name(), err, c.err)
			}
			if !slices.Equal(before, l.Params().Flat()) || state != fmt.Sprint(l.State()) {
				t.Errorf("%s, %s: the parameters or the state changed", c.what, k.Name())
			}
			step(t, l, minibatch(1, small, 10, 1)) // and it goes on afterwards
		}
	}
	if _, err := NewLearner(initial(t, small), 0); err == nil || !strings.Contains(err.Error(), "at least 1 is needed") {
		t.Errorf("0 workers: %v", err)
	}
}

// vectorGrad is a parameter without a graph.
type vectorGrad struct{ w, g *tensor.Dense }

func (v vectorGrad) Value() G.Value         { return v.w }
func (v vectorGrad) Grad() (G.Value, error) { return v.g, nil }

func TestAdamIsGorgonias(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	sizes := []int{40, 7, 1}
	total := 48
	theirs := G.NewAdamSolver(G.WithLearnRate(3e-3), G.WithEps(adamEpsilon))
	ours := newAdam(gemm.All()[0], total)
	ours.rate = 3e-3
	var a, b []G.ValueGrad
	for _, n := range sizes {
		w := make([]float32, n)
		for i := range w {
			w[i] = rng.Float32()
		}
		for _, model := range []*[]G.ValueGrad{&a, &b} {
			*model = append(*model, vectorGrad{
				tensor.New(tensor.WithShape(n), tensor.WithBacking(slices.Clone(w))),
				tensor.New(tensor.WithShape(n), tensor.WithBacking(make([]float32, n))),
			})
		}
	}
	for s := range 20 {
		for i := range a { // Gorgonia's solver sets the gradients to 0 after its step
			ga, gb := a[i].(vectorGrad).g.Data().([]float32), b[i].(vectorGrad).g.Data().([]float32)
			for j := range ga {
				ga[j] = float32(rng.NormFloat64())
				gb[j] = ga[j]
			}
		}
		must.Do(t, errors.Join(theirs.Step(a), ours.Step(b)))
		for i := range a {
			wa, wb := a[i].Value().Data().([]float32), b[i].Value().Data().([]float32)
			for j := range wa {
				if math.Abs(float64(wa[j]-wb[j])) > 2e-6 {
					t.Fatalf("step %d, tensor %d, element %d: %v, Gorgonia has %v", s, i, j, wb[j], wa[j])
				}
			}
		}
	}
}

func TestMaxGradNorm(t *testing.T) {
	// Adam is nearly blind to the gradient's scale, so look at the first moment after one step: a tenth of the gradient.
	b := minibatch(1, small, 50, 1)
	norm := func(maximum float64) (moment, reported float64) {
		l := learner(t, small, 1, gemm.All()[0])
		o := options
		o.MaxGradNorm = maximum
		s := must.Have(l.Step(b, o))(t)
		return math.Sqrt(gemm.Kernels{}.SumSquares(l.State().M)) * 10, s.GradNorm
	}
	free, reported := norm(0)
	if math.Abs(free-reported) > 1e-5*free {
		t.Errorf("norm %v, reported %v", free, reported)
	}
	for _, c := range []struct{ maximum, want float64 }{{free / 3, free / 3}, {free * 3, free}} {
		if got, r := norm(c.maximum); math.Abs(got-c.want) > 1e-5*free || r != reported {
			t.Errorf("at most %v: norm %v, want %v; reported %v, want %v", c.maximum, got, c.want, r, reported)
		}
	}
}

// TestStepAllocatesLittle: what is left is the tape's bookkeeping, which doesn't grow with the batch.
func TestStepAllocatesLittle(t *testing.T) {
	for _, rows := range []int{10, 500} {
		l := learner(t, small, 1, gemm.All()[0])
		b := minibatch(1, small, rows, 0.3)
		if n := testing.AllocsPerRun(20, func() { step(t, l, b) }); n > 400 {
			t.Errorf("%v allocations for a step of %d rows", n, rows)
		}
	}
}

func Example() {
	params, err := neural.NewParams(neural.Spec{Inputs: 2, Actions: 3, Hidden: []int{8}})
	if err != nil {
		fmt.Println(err)
		return
	}
	params.Init(1)
	l, err := NewLearner(params, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	b := Minibatch{ // two positions: action 1 was better than expected in one, worse in the other
		Rows: 2,
		Obs:  new(gemm.Sparse),
		Decisions: ops.Decisions{
			Mask:      []uint64{0b111, 0b110},
			Action:    []int32{1, 1},
			LogProb:   []float32{float32(math.Log(1. / 3)), float32(math.Log(1. / 2))},
			Advantage: []float32{1, -1},
			Return:    []float32{1, -1},
		},
	}
	b.Obs.Gather(gemm.Kernels{}, []float32{1, 0, 0, 1}, 2, 2, 2, 4)
	o := StepOptions{LearningRate: 0.01, ClipCoef: 0.2, ValueCoef: 0.5, EntropyCoef: 0.01, MaxGradNorm: 0.5}
	before, err := l.Step(b, o)
	if err != nil {
		fmt.Println(err)
		return
	}
	after, err := l.Step(b, o)
	fmt.Println(after.Loss < before.Loss, err)
	// Output: true <nil>
}

func BenchmarkStep(b *testing.B) {
	s := neural.Spec{Inputs: 512, Actions: 300, Hidden: []int{256, 256}}
	kernels := must.Have(gemm.Select())(b)
	for _, share := range []float64{1, 0.1} {
		for _, rows := range []int{256, 1024, 4096} {
			for _, workers := range []int{1, 2} {
				b.Run(fmt.Sprintf("set=%v/B=%d/workers=%d", share, rows, workers), func(b *testing.B) {
					l := learner(b, s, workers, kernels)
					batch := minibatch(1, s, rows, share)
					step(b, l, batch) // makes the buffers
					b.ReportAllocs()
					for b.Loop() {
						step(b, l, batch)
					}
					b.ReportMetric(float64(rows)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
				})
			}
		}
	}
}
