//go:build unix

package agents

import (
	"os/exec"
	"syscall"
)

// kill ends a program and its process group.
func kill(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // It may have ended.
