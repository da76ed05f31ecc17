//go:build !unix && !js

package agents

import "os/exec"

func ownGroup(*exec.Cmd) {}

func awaitEnd(cmd *exec.Cmd) error { return cmd.Wait() }

func kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() } // It may have ended.
