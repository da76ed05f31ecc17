//go:build !unix && !js

package agents

import "os/exec"

// A group is a program alone: what it starts is out of reach here, and outlives it, as it outlives us if we are killed.
type group struct{ cmd *exec.Cmd }

func startGroup(cmd *exec.Cmd) (*group, error) { return &group{cmd}, cmd.Start() }

func (g *group) kill() { _ = g.cmd.Process.Kill() } // It may have ended.

func (g *group) end() {}
