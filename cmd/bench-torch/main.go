//go:build unix

// Command bench-torch takes training steps and says what processor time they took, for compare.py, which has PyTorch
// take the same.
//
//	bench-torch NETWORK BATCH
//
// NETWORK is a checkpoint, BATCH a safetensors file of a minibatch (train.Minibatch: obs, mask, action, log_prob,
// advantage, return, reference). For each number on standard input so many steps are taken on one worker; a line of
// standard output then says what processor time the process took for them, in seconds, and the loss of the last one.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"earthgym/agents/checkpoint"
	"earthgym/agents/neural/gemm"
	"earthgym/agents/neural/safetensors"
	"earthgym/train"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: bench-torch NETWORK BATCH")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench-torch:", err)
		os.Exit(1)
	}
}

// The numbers of compare.py's loss and optimiser.
var options = train.StepOptions{LearningRate: 1e-4, ClipCoef: 0.2, ValueCoef: 0.5, KLCoef: 0.05, MaxGradNorm: 1}

func run(network, batch string, in io.Reader, out io.Writer) error {
	c, err := checkpoint.Read(network)
	if err != nil {
		return err
	}
	b, err := readBatch(batch)
	if err != nil {
		return fmt.Errorf("%s: %w", batch, err)
	}
	l, err := train.NewLearner(c.Network.Clone(), 1)
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var steps int
		if _, err := fmt.Sscan(lines.Text(), &steps); err != nil || steps < 1 {
			return fmt.Errorf("%q is no number of steps", lines.Text())
		}
		var stats train.StepStats
		before, err := cpuSeconds()
		if err != nil {
			return err
		}
		for range steps {
			if stats, err = l.Step(*b, options); err != nil {
				return err
			}
		}
		after, err := cpuSeconds()
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintln(out, after-before, stats.Loss); err != nil {
			return err
		}
	}
	return lines.Err()
}

func readBatch(file string) (*train.Minibatch, error) {
	f, err := safetensors.Read(file)
	if err != nil {
		return nil, err
	}
	b := &train.Minibatch{}
	actions, err := values[int64](f, "action")
	for _, a := range actions {
		b.Action = append(b.Action, int32(a))
	}
	b.Rows = len(actions)
	var errs [6]error
	var obs []float32
	obs, errs[0] = values[float32](f, "obs")
	b.Mask, errs[1] = values[uint64](f, "mask")
	b.LogProb, errs[2] = values[float32](f, "log_prob")
	b.Advantage, errs[3] = values[float32](f, "advantage")
	b.Return, errs[4] = values[float32](f, "return")
	b.Reference, errs[5] = values[float32](f, "reference")
	if err := errors.Join(append(errs[:], err)...); err != nil || b.Rows == 0 {
		return b, err
	}
	b.Obs = new(gemm.Sparse) // as rollouts keep what is seen
	b.Obs.Gather(gemm.Kernels{}, obs, len(obs)/b.Rows, b.Rows, len(obs)/b.Rows, len(obs))
	return b, nil
}

func values[E safetensors.Number](f *safetensors.File, name string) ([]E, error) {
	t, err := f.Lookup(name)
	if err != nil {
		return nil, err
	}
	return safetensors.Values[E](t)
}

func cpuSeconds() (float64, error) {
	var u syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9, err
}
