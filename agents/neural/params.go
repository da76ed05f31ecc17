package neural

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"earthgym/agents/neural/safetensors"
)

// Spec is the shape of a network: hidden layers with ReLU, then one linear layer with a column for the logit of every
// action and a last column for the value of the position.
type Spec struct {
	Inputs  int   // features of an observation
	Actions int   // actions of the game
	Hidden  []int // width of each hidden layer
}

// maxParams bounds what a spec may ask for, so that a broken file can't ask for all memory.
const maxParams = 1 << 28

// Check returns an error if s isn't the shape of a network.
func (s Spec) Check() error {
	if s.Inputs < 1 || s.Actions < 1 {
		return fmt.Errorf("a network needs inputs and actions, not %d and %d", s.Inputs, s.Actions)
	}
	count, in := 0, s.Inputs
	for i, out := range append(slices.Clone(s.Hidden), s.Actions+1) {
		if out < 1 {
			return fmt.Errorf("hidden layer %d has width %d; at least 1 is needed", i, out)
		}
		if in >= maxParams || out >= maxParams || (in+1)*out > maxParams-count {
			return fmt.Errorf("a network of %d inputs, %v and %d actions is too large; at most %d parameters are allowed",
				s.Inputs, s.Hidden, s.Actions, maxParams)
		}
		count += (in + 1) * out
		in = out
	}
	return nil
}

// Layer is one linear layer: Weight [In, Out] row-major and Bias [Out], both parts of a flat vector.
type Layer struct {
	Name    string // "trunk.0", "trunk.1", …, "head"
	In, Out int
	Weight  []float32
	Bias    []float32
}

// Params are the weights of one network in one flat vector: for each layer the weight, then the bias. As tensors
// they are called trunk.0.weight, trunk.0.bias, …, head.weight, head.bias. (PyTorch keeps the transpose of a weight.)
type Params struct {
	spec   Spec
	flat   []float32
	layers []Layer
}

// NewParams returns the parameters of a network of that shape, all 0.
func NewParams(s Spec) (*Params, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	s.Hidden = slices.Clone(s.Hidden)
	size, in := 0, s.Inputs
	widths := append(slices.Clone(s.Hidden), s.Actions+1)
	for _, out := range widths {
		size += (in + 1) * out
		in = out
	}
	p := &Params{spec: s, flat: make([]float32, size)}
	p.layers = p.Split(p.flat)
	return p, nil
}

// Split returns the layers of a flat vector laid out as the parameters are: gradients, say.
func (p *Params) Split(flat []float32) []Layer {
	if len(flat) != len(p.flat) {
		panic(fmt.Sprintf("neural: a vector of %d numbers for a network of %d parameters", len(flat), len(p.flat)))
	}
	var layers []Layer
	in := p.spec.Inputs
	add := func(name string, out int) {
		l := Layer{Name: name, In: in, Out: out}
		l.Weight, flat = flat[:in*out:in*out], flat[in*out:]
		l.Bias, flat = flat[:out:out], flat[out:]
		layers = append(layers, l)
		in = out
	}
	for i, out := range p.spec.Hidden {
		add("trunk."+strconv.Itoa(i), out)
	}
	add("head", p.spec.Actions+1)
	return layers
}

// Spec is the shape of the network.
func (p *Params) Spec() Spec {
	s := p.spec
	s.Hidden = slices.Clone(s.Hidden)
	return s
}

// Flat is the vector itself, not a copy.
func (p *Params) Flat() []float32 { return p.flat }

// Layers are the layers as parts of the vector, first to last.
func (p *Params) Layers() []Layer { return slices.Clone(p.layers) }

// Clone returns a copy.
func (p *Params) Clone() *Params {
	c := &Params{spec: p.Spec(), flat: slices.Clone(p.flat)}
	c.layers = c.Split(c.flat)
	return c
}

// Init sets the parameters to where training starts. Biases are 0. Weights are normal with a variance that keeps the
// size of the activations: 2/In for the hidden layers (He, Zhang, Ren and Sun, Delving Deep into Rectifiers, 2015), 1/In
// for the value (LeCun et al., Efficient BackProp, 1998). Those of the logits are hundred times narrower, so that all
// legal actions are about equally likely at first (Andrychowicz et al., What Matters in On-Policy Reinforcement
// Learning?, 2021). The seed alone decides.
func (p *Params) Init(seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 0x6561727468)) // its own stream for this use of the seed
	for i, l := range p.layers {
		clear(l.Bias)
		scale := math.Sqrt(2 / float64(l.In))
		head := i == len(p.layers)-1
		if head {
			scale = math.Sqrt(1 / float64(l.In))
		}
		for j := range l.Weight {
			w := scale * rng.NormFloat64()
			if head && j%l.Out != l.Out-1 {
				w *= 0.01
			}
			l.Weight[j] = float32(w)
		}
	}
}

// TakeOver makes p, as [Params.Init] left it, give the answers of another network with as many layers, none of which is
// wider. What p has more of listens to the same inputs as it was drawn to and is not listened to yet: training finds a
// use for it (Chen, Goodfellow and Shlens, Net2Net, 2016, without the copies).
func (p *Params) TakeOver(from *Params) error {
	mine, theirs := p.layers, from.layers
	fits := len(mine) == len(theirs) && p.spec.Inputs == from.spec.Inputs && p.spec.Actions == from.spec.Actions
	for i := 0; fits && i < len(mine); i++ {
		fits = mine[i].In >= theirs[i].In && mine[i].Out >= theirs[i].Out
	}
	if !fits {
		return fmt.Errorf("a network of %d inputs, hidden layers %v and %d actions can't take over one of %d inputs, %v and %d: it needs as many layers, none narrower",
			p.spec.Inputs, p.spec.Hidden, p.spec.Actions, from.spec.Inputs, from.spec.Hidden, from.spec.Actions)
	}
	for i, l := range mine {
		was := theirs[i]
		for in := range l.In {
			row := l.Weight[in*l.Out:][:was.Out]
			if in < was.In {
				copy(row, was.Weight[in*was.Out:])
			} else {
				clear(row)
			}
		}
		copy(l.Bias, was.Bias)
	}
	return nil
}

// Append adds the parameters as tensors to what a file is to hold.
func (p *Params) Append(tensors []safetensors.Tensor) []safetensors.Tensor {
	for _, l := range p.layers {
		tensors = append(tensors,
			safetensors.New(l.Name+".weight", l.Weight, l.In, l.Out),
			safetensors.New(l.Name+".bias", l.Bias, l.Out))
	}
	return tensors
}

// FromFile returns the parameters that f holds; their shapes say the spec. Tensors of other names are left alone.
func FromFile(f *safetensors.File) (*Params, error) {
	p, err := fromFile(f)
	if err != nil {
		return nil, fmt.Errorf("read network: %w", err)
	}
	return p, nil
}

func fromFile(f *safetensors.File) (*Params, error) {
	var s Spec
	tensors := map[string]safetensors.Tensor{}
	for _, t := range f.Tensors {
		tensors[t.Name] = t
	}
	// What is allocated below is then no more than the file holds.
	last := 0
	shape := func(name string) (in, out int, err error) {
		t, ok := tensors[name]
		if !ok {
			return 0, 0, fmt.Errorf("there is no tensor %q", name)
		}
		if len(t.Shape) != 2 || len(t.Data) == 0 {
			return 0, 0, fmt.Errorf("tensor %q has shape %v, want two dimensions of at least 1", name, t.Shape)
		}
		if in, out = t.Shape[0], t.Shape[1]; last > 0 && in != last {
			return 0, 0, fmt.Errorf("tensor %q has %d rows, but the layer before it has %d outputs", name, in, last)
		}
		last = out
		return in, out, nil
	}
	for i := 0; ; i++ {
		name := fmt.Sprintf("trunk.%d.weight", i)
		if _, ok := tensors[name]; !ok {
			break
		}
		in, out, err := shape(name)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			s.Inputs = in
		}
		s.Hidden = append(s.Hidden, out)
	}
	in, out, err := shape("head.weight")
	if err != nil {
		return nil, err
	}
	if len(s.Hidden) == 0 {
		s.Inputs = in
	}
	s.Actions = out - 1
	p, err := NewParams(s)
	if err != nil {
		return nil, err
	}
	for _, l := range p.layers {
		err = errors.Join(err,
			fill(l.Weight, tensors, l.Name+".weight", l.In, l.Out),
			fill(l.Bias, tensors, l.Name+".bias", l.Out))
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// fill copies a tensor of that shape to dst.
func fill(dst []float32, tensors map[string]safetensors.Tensor, name string, shape ...int) error {
	t, ok := tensors[name]
	if !ok {
		return fmt.Errorf("there is no tensor %q", name)
	}
	if !slices.Equal(t.Shape, shape) {
		return fmt.Errorf("tensor %q has shape %v, want %v", name, t.Shape, shape)
	}
	v, err := safetensors.Values[float32](t)
	if err != nil {
		return err
	}
	if len(v) != len(dst) {
		return fmt.Errorf("tensor %q has %d numbers, want %d", name, len(v), len(dst))
	}
	for i, x := range v {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return fmt.Errorf("tensor %q: number %d is %v; weights must be finite", name, i, x)
		}
	}
	copy(dst, v)
	return nil
}
