package agents

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// ownGroup gives a program a process group, so that what it starts ends with it, and lets it end with us,
// however we end.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// awaitEnd waits for the end of a program, ends its group while its number is still its own, and says how it
// has ended.
func awaitEnd(cmd *exec.Cmd) error {
	for {
		// Any other error comes again from Wait.
		if err := unix.Waitid(unix.P_PID, cmd.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil); err != unix.EINTR {
			break
		}
	}
	kill(cmd)
	return cmd.Wait()
}
