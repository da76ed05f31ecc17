//go:build unix && !linux

package agents

import (
	"os/exec"
	"syscall"
)

// ownGroup gives a program a process group, so that what it starts ends with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// awaitEnd waits for the end of a program, ends what is left of its group, and says how it has ended.
func awaitEnd(cmd *exec.Cmd) error {
	err := cmd.Wait()
	kill(cmd)
	return err
}
