//go:build unix

package agents

import (
	"os"
	"os/exec"
	"syscall"
)

// A group is a process group: a program, what it starts, and its keeper, a shell that waits for the end of this
// process. The system closes our end of its input then, whatever has ended us (SIGKILL too), and the keeper ends the
// group. Systems have means of their own, such as Linux's PR_SET_PDEATHSIG, but none that reaches what a program has
// started.
type group struct {
	id      int
	program *exec.Cmd
	keeper  *exec.Cmd // nil where there is no shell: then the program leads the group, which may outlive us
	hold    *os.File  // our end of its input
}

// startGroup starts a program in a group of its own.
func startGroup(cmd *exec.Cmd) (*group, error) {
	g := startKeeper()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: g.id}
	if err := cmd.Start(); err != nil {
		g.end()
		return nil, err
	}
	g.program = cmd
	if g.keeper == nil {
		g.id = cmd.Process.Pid
	}
	return g, nil
}

// startKeeper is a group of a keeper alone, or an empty one where none can be started.
func startKeeper() *group {
	in, hold, err := os.Pipe()
	if err != nil {
		return &group{}
	}
	defer in.Close()
	keeper := exec.Command("/bin/sh", "-c", "read -r _; kill -9 0")
	keeper.Stdin, keeper.Env, keeper.Dir = in, []string{}, "/"
	keeper.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if keeper.Start() != nil {
		hold.Close()
		return &group{}
	}
	return &group{id: keeper.Process.Pid, keeper: keeper, hold: hold}
}

// kill ends all of the group, and the program if it has left it. They may have ended.
func (g *group) kill() {
	if g.program != nil {
		_ = g.program.Process.Kill()
	}
	if g.id > 0 {
		_ = syscall.Kill(-g.id, syscall.SIGKILL)
	}
}

// end ends what is left of the group once its program has been waited for. The number is its own until the keeper has
// been waited for, too.
func (g *group) end() {
	g.kill()
	if g.keeper != nil {
		_ = g.keeper.Wait() // It was killed.
		g.hold.Close()
	}
}
