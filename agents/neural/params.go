package neural

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"earthgym/agents/neural/safetensors"
	"earthgym/env"
	"earthgym/env/alike"
)

// Spec is the shape of a network: hidden layers with ReLU, then one linear layer, the head, with a column for the logit
// of every action and one for the value of every seat. If there are objects, further columns of the head are queries,
// whose products with the embeddings of objects are added to the logits (see [Objects]).
type Spec struct {
	Inputs  int   `json:"inputs"`  // features of an observation
	Actions int   `json:"actions"` // actions of the game
	Hidden  []int `json:"hidden"`  // width of each hidden layer
	// Residual hidden layers behind the first see what is before them normalised to mean 0 and variance 1, row by row,
	// and add what they make of it where the widths are equal; the head sees it normalised too. (Xiong et al., On Layer
	// Normalization in the Transformer Architecture, 2020, where this order is called pre-norm.)
	Residual bool `json:"residual,omitempty"`
	// Values are the seats that a value is given for, clockwise from the observer; 0 stands for 1, its own alone.
	Values  int       `json:"values,omitempty"`
	Objects []Objects `json:"objects,omitempty"` // that actions point at
}

// NewSpec is the shape of a network with those hidden layers for every configuration of a game's rulebook.
func NewSpec(info *env.Info, hidden []int) Spec {
	return Spec{
		Inputs: info.Observation(), Actions: len(info.Actions), Hidden: slices.Clone(hidden),
		Values: info.MostPlayers, Objects: objectsOf(info),
	}
}

// maxParams bounds what a spec may ask for, so that a broken file can't ask for all memory.
const maxParams = 1 << 28

// Check returns an error if s isn't the shape of a network.
func (s Spec) Check() error {
	if s.Inputs < 1 || s.Actions < 1 {
		return fmt.Errorf("a network needs inputs and actions, not %d and %d", s.Inputs, s.Actions)
	}
	if s.Values < 0 || s.Values > env.MaxPlayers {
		return fmt.Errorf("a network gives the values of 1 to %d seats, not of %d", env.MaxPlayers, s.Values)
	}
	for i, out := range s.Hidden {
		if out < 1 {
			return fmt.Errorf("hidden layer %d has width %d; at least 1 is needed", i, out)
		}
	}
	for i, o := range s.Objects {
		if err := o.check(s); err != nil {
			return err
		}
		if slices.ContainsFunc(s.Objects[:i], func(other Objects) bool { return other.Name == o.Name }) {
			return fmt.Errorf("objects %q are listed twice", o.Name)
		}
	}
	count := 0
	for _, l := range s.shapes() {
		if l.In >= maxParams || l.Out < 1 || l.Out >= maxParams || (l.In+1)*l.Out > maxParams-count {
			return fmt.Errorf("a network of %d inputs, %v and %d actions is too large; at most %d parameters are allowed",
				s.Inputs, s.Hidden, s.Actions, maxParams)
		}
		count += (l.In + 1) * l.Out
	}
	return nil
}

// Fits says why a network of shape s can't play a game. One without objects plays any game of its inputs and actions.
func (s Spec) Fits(info *env.Info) error {
	switch {
	case s.Inputs != info.Observation() || s.Actions != len(info.Actions):
		return fmt.Errorf("its network has %d inputs and %d actions; %s has %d and %d", s.Inputs, s.Actions, info.Name,
			info.Observation(), len(info.Actions))
	case s.values() != 1 && s.Values != info.MostPlayers:
		return fmt.Errorf("its network gives the values of %d seats; %s has up to %d", s.Values, info.Name, info.MostPlayers)
	}
	if len(s.Objects) > 0 && !slices.EqualFunc(s.Objects, objectsOf(info), Objects.pointsAs) {
		return fmt.Errorf("its network points at other objects, or by other actions, than %s declares now; train another",
			info.Name)
	}
	return nil
}

// Skips says whether hidden layer i adds to what is before it.
func (s Spec) Skips(i int) bool {
	return s.Residual && i > 0 && i < len(s.Hidden) && s.Hidden[i] == s.Hidden[i-1]
}

// clone is a copy with Values set.
func (s Spec) clone() Spec {
	s.Hidden, s.Values = slices.Clone(s.Hidden), s.values()
	s.Objects = slices.Clone(s.Objects) // what they hold is never changed
	return s
}

func (s Spec) values() int { return max(1, s.Values) }

// Outputs is the number of logits and values of a row.
func (s Spec) Outputs() int { return s.Actions + s.values() }

// shapes are the layers without their numbers, in the order of the flat vector.
func (s Spec) shapes() []Layer {
	var layers []Layer
	in := s.Inputs
	for i, out := range s.Hidden {
		layers = append(layers, Layer{Name: "trunk." + strconv.Itoa(i), In: in, Out: out})
		in = out
	}
	head := s.Outputs()
	for _, o := range s.Objects {
		head += o.queries()
	}
	layers = append(layers, Layer{Name: "head", In: in, Out: head})
	for _, o := range s.Objects {
		layers = append(layers, Layer{Name: "embed." + o.Name, In: o.features(), Out: o.Width})
	}
	return layers
}

// Layer is one linear layer: Weight [In, Out] row-major and Bias [Out], both parts of a flat vector.
type Layer struct {
	Name    string // "trunk.0", "trunk.1", …, "head", and "embed.zone", say, for each kind of objects
	In, Out int
	Weight  []float32
	Bias    []float32
}

// Params are the weights of one network in one flat vector: for each layer the weight, then the bias. As tensors they
// are called trunk.0.weight, trunk.0.bias, …, head.weight, head.bias, embed.zone.weight, …. (PyTorch keeps the
// transpose of a weight.)
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
	s = s.clone()
	size := 0
	for _, l := range s.shapes() {
		size += (l.In + 1) * l.Out
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
	layers := p.spec.shapes()
	for i := range layers {
		l := &layers[i]
		l.Weight, flat = flat[:l.In*l.Out:l.In*l.Out], flat[l.In*l.Out:]
		l.Bias, flat = flat[:l.Out:l.Out], flat[l.Out:]
	}
	return layers
}

// Spec is the shape of the network.
func (p *Params) Spec() Spec { return p.spec.clone() }

// Flat is the vector itself, not a copy.
func (p *Params) Flat() []float32 { return p.flat }

// Layers are the layers as parts of the vector: the hidden ones first to last, the head, the embeddings of objects.
func (p *Params) Layers() []Layer { return slices.Clone(p.layers) }

// Clone returns a copy.
func (p *Params) Clone() *Params {
	c := &Params{spec: p.Spec(), flat: slices.Clone(p.flat)}
	c.layers = c.Split(c.flat)
	return c
}

// Init sets the parameters to where training starts. Biases are 0. Weights are normal with a variance that keeps the
// size of the activations: 2/In for the layers with a ReLU (He, Zhang, Ren and Sun, Delving Deep into Rectifiers,
// 2015), 1/In for the values (LeCun et al., Efficient BackProp, 1998). Those of the logits and queries are hundred
// times narrower, so that all legal actions are about equally likely at first (Andrychowicz et al., What Matters in
// On-Policy Reinforcement Learning?, 2021). The seed alone decides.
func (p *Params) Init(seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 0x6561727468)) // its own stream for this use of the seed
	for i, l := range p.layers {
		clear(l.Bias)
		scale := math.Sqrt(2 / float64(l.In))
		head := i == len(p.spec.Hidden)
		if head {
			scale = math.Sqrt(1 / float64(l.In))
		}
		for j := range l.Weight {
			w := scale * alike.Normal(rng)
			if column := j % l.Out; head && (column < p.spec.Actions || column >= p.spec.Outputs()) {
				w *= 0.01
			}
			l.Weight[j] = float32(w)
		}
	}
}

// Sharpen multiplies all logits by a factor above 0, and leaves the values: above 1 the policy is surer of what it
// thinks likeliest, and the more so the greater the factor.
func (p *Params) Sharpen(factor float32) {
	head := &p.layers[len(p.spec.Hidden)]
	for row := 0; row < len(head.Weight); row += head.Out {
		p.sharpen(head.Weight[row:][:head.Out], factor)
	}
	p.sharpen(head.Bias, factor)
}

// sharpen is for a row of the head: logits, values and queries, which logits are linear in.
func (p *Params) sharpen(row []float32, factor float32) {
	for i := range row {
		if i < p.spec.Actions || i >= p.spec.Outputs() {
			row[i] *= factor
		}
	}
}

// TakeOver makes p, as [Params.Init] left it, give the answers of another network with as many layers, none of which is
// wider. What p has more of listens to the same inputs as it was drawn to and is not listened to yet: training finds a
// use for it. In residual networks, where every unit counts in what is normalised, layers are a multiple as wide, and
// units are copied: each copy is listened to a little more than the one before it, so that training tells them apart.
// (Chen, Goodfellow and Shlens, Net2Net, 2016.)
func (p *Params) TakeOver(from *Params) error {
	mine, theirs := p.layers, from.layers
	fits := len(mine) == len(theirs) && p.spec.Residual == from.spec.Residual && p.spec.Inputs == from.spec.Inputs &&
		p.spec.Actions == from.spec.Actions
	for i := 0; fits && i < len(mine); i++ {
		fits = mine[i].In >= theirs[i].In && mine[i].Out >= theirs[i].Out
		if i >= len(p.spec.Hidden) { // the head and the embeddings
			fits = fits && mine[i].Out == theirs[i].Out
		}
		if p.spec.Residual {
			fits = fits && mine[i].Out%theirs[i].Out == 0
		}
	}
	if !fits {
		return fmt.Errorf("a network of %d inputs, hidden layers %v and %d actions can't take over one of %d inputs, %v "+
			"and %d: it needs as many layers, none narrower (residual ones a multiple as wide), and the same objects and values",
			p.spec.Inputs, p.spec.Hidden, p.spec.Actions, from.spec.Inputs, from.spec.Hidden, from.spec.Actions)
	}
	for i, l := range mine {
		if p.spec.Residual {
			l.copies(theirs[i])
		} else {
			l.widened(theirs[i])
		}
	}
	return nil
}

// widened makes l what was is, beside units that are not listened to.
func (l Layer) widened(was Layer) {
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

// copies makes l copies of what was is, one behind the other.
func (l Layer) copies(was Layer) {
	n := l.In / was.In
	for in := range l.In {
		share := float32(2*(in/was.In+1)) / float32(n*(n+1)) // of all copies together 1
		for out := range l.Out {
			l.Weight[in*l.Out+out] = share * was.Weight[in%was.In*was.Out+out%was.Out]
		}
	}
	for out := range l.Out {
		l.Bias[out] = was.Bias[out%was.Out]
	}
}

// Append adds the parameters as tensors to what a file is to hold.
func (p *Params) Append(tensors []safetensors.Tensor) []safetensors.Tensor {
	return p.append(tensors, safetensors.New[float32])
}

// AppendHalf is Append with numbers rounded to float16, which take half of the room.
func (p *Params) AppendHalf(tensors []safetensors.Tensor) []safetensors.Tensor {
	return p.append(tensors, safetensors.NewHalf)
}

func (p *Params) append(tensors []safetensors.Tensor,
	tensor func(name string, data []float32, shape ...int) safetensors.Tensor) []safetensors.Tensor {
	for _, l := range p.layers {
		tensors = append(tensors, tensor(l.Name+".weight", l.Weight, l.In, l.Out), tensor(l.Name+".bias", l.Bias, l.Out))
	}
	return tensors
}

// FromFile returns the parameters of a network of shape s that f holds. Other tensors are left alone.
func FromFile(f *safetensors.File, s Spec) (*Params, error) {
	p, err := fromFile(f, s)
	if err != nil {
		return nil, fmt.Errorf("read network: %w", err)
	}
	return p, nil
}

func fromFile(f *safetensors.File, s Spec) (*Params, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	tensors := map[string]safetensors.Tensor{}
	for _, t := range f.Tensors {
		tensors[t.Name] = t
	}
	for _, l := range s.shapes() { // What is allocated below is then no more than the file holds.
		if err := holds(tensors, l.Name+".weight", l.In, l.Out); err != nil {
			return nil, err
		}
		if err := holds(tensors, l.Name+".bias", l.Out); err != nil {
			return nil, err
		}
	}
	p, err := NewParams(s)
	if err != nil {
		return nil, err
	}
	for _, l := range p.layers {
		if err := fill(l.Weight, tensors[l.Name+".weight"]); err != nil {
			return nil, err
		}
		if err := fill(l.Bias, tensors[l.Name+".bias"]); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// holds reports a tensor that isn't there or has another shape.
func holds(tensors map[string]safetensors.Tensor, name string, shape ...int) error {
	t, ok := tensors[name]
	if !ok {
		return fmt.Errorf("there is no tensor %q", name)
	}
	if !slices.Equal(t.Shape, shape) || len(t.Data) == 0 {
		return fmt.Errorf("tensor %q has shape %v, want %v", name, t.Shape, shape)
	}
	return nil
}

// fill copies a tensor to dst.
func fill(dst []float32, t safetensors.Tensor) error {
	v, err := safetensors.Floats(t)
	if err != nil {
		return err
	}
	if len(v) != len(dst) {
		return fmt.Errorf("tensor %q has %d numbers, want %d", t.Name, len(v), len(dst))
	}
	for i, x := range v {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return fmt.Errorf("tensor %q: number %d is %v; weights must be finite", t.Name, i, x)
		}
	}
	copy(dst, v)
	return nil
}
