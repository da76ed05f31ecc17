package train

import (
	"earthgym/agents/neural"
	"earthgym/agents/neural/gemm"
)

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

// logits are what the reference says of the legal actions to observations. They hold until the next call.
func (f *reference) logits(k *collector, observations *gemm.Sparse, masks []uint64) []float32 {
	n, words := len(k.info.Actions), k.info.MaskWords()
	f.z = resized(f.z, observations.Rows*n)
	k.tables[0].Parallel(func(worker int) {
		if from, to := share(observations.Rows, worker, len(f.work)); from < to {
			logits, _ := f.policy.EvaluateSparse(&f.work[worker], observations, from, to, masks[from*words:to*words])
			copy(f.z[from*n:to*n], logits)
		}
	})
	return f.z
}
