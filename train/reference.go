package train

import "earthgym/agents/neural"

const (
	valueCoef   = 0.5 // weight of the value loss
	maxGradNorm = 1   // gradients are scaled down to this global norm
)

// klCoefEnd is the weight of the divergence at the end of the league. Who exploits is to leave what it begins as.
func (c *Config) klCoefEnd() float64 {
	if c.Exploit {
		return 0
	}
	return c.KLCoef / 5
}

// A reference is a network that the learning one stays near.
type reference struct {
	params *neural.Params
	policy *neural.Policy
	work   []neural.Workspace // by worker
	z      []float32          // logits of a minibatch
}

func newReference(params *neural.Params, workers int) (*reference, error) {
	params = params.Clone()
	policy, err := neural.NewPolicy(params)
	if err != nil {
		return nil, err
	}
	return &reference{params: params, policy: policy, work: make([]neural.Workspace, workers)}, nil
}

// logits are what the reference says of the legal actions to rows of observations. They hold until the next call.
func (f *reference) logits(k *collector, observations []float32, masks []uint64, rows int) []float32 {
	n, in, words := len(k.info.Actions), k.info.Observation(), k.info.MaskWords()
	f.z = resized(f.z, rows*n)
	k.tables[0].Parallel(func(worker int) {
		if from, to := share(rows, worker, len(f.work)); from < to {
			logits, _ := f.policy.Evaluate(&f.work[worker], observations[from*in:to*in], masks[from*words:to*words], to-from)
			copy(f.z[from*n:to*n], logits)
		}
	})
	return f.z
}
