//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"earthgym/agents/checkpoint"
	"earthgym/agents/neural"
	"earthgym/agents/neural/safetensors"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
)

func TestRun(t *testing.T) {
	info, dir := kuhn.Open(2).Info(), t.TempDir()
	params := must.Have(neural.NewParams(neural.NewSpec(info, []int{8, 8})))(t)
	params.Init(1)
	network, batch := filepath.Join(dir, "network.safetensors"), filepath.Join(dir, "batch.safetensors")
	must.Do(t, checkpoint.Write(network, checkpoint.New(info, params)))
	const rows = 2
	inputs, seats := info.Observation(), info.MostPlayers
	file := &safetensors.File{Tensors: []safetensors.Tensor{
		safetensors.New("obs", make([]float32, rows*inputs), rows, inputs),
		safetensors.New("mask", []uint64{3, 3}, rows, 1),
		safetensors.New("action", []int64{0, 1}, rows),
		safetensors.New("log_prob", []float32{-0.7, -0.7}, rows),
		safetensors.New("advantage", []float32{1, -1}, rows),
		safetensors.New("return", []float32{1, -1, 1, -1, 1, -1, 1, -1}[:rows*seats], rows, seats),
		safetensors.New("reference", make([]float32, rows*len(info.Actions)), rows, len(info.Actions)),
	}}
	must.Do(t, os.WriteFile(batch, must.Have(safetensors.Encode(file))(t), 0o600))
	var out strings.Builder
	must.Do(t, run(network, batch, strings.NewReader("1\n200\n"), &out))
	var seconds, before, after float64
	if _, err := fmt.Sscan(out.String(), &seconds, &before, &seconds, &after); err != nil || seconds <= 0 ||
		after >= before {
		t.Errorf("it says %q (%v)", out.String(), err)
	}
	if err := run(network, batch, strings.NewReader("many\n"), &out); err == nil ||
		!strings.Contains(err.Error(), `"many" is no number of steps`) {
		t.Errorf("many steps: %v", err)
	}
	file.Tensors = file.Tensors[1:]
	must.Do(t, os.WriteFile(batch, must.Have(safetensors.Encode(file))(t), 0o600))
	if err := run(network, batch, strings.NewReader(""), &out); err == nil || !strings.Contains(err.Error(), "obs") {
		t.Errorf("without observations: %v", err)
	}
}
