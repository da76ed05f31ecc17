//go:build unix

package agents_test

import (
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"earthgym/agents"
	"earthgym/env/envtest/must"
)

// squat holds what it has inherited, and a socket by which a test sees that it is there, for much longer than a
// test takes.
func squat() {
	if path := os.Getenv("EARTHGYM_TEST_SOCKET"); path != "" {
		if _, err := net.Listen("unix", path); err != nil {
			panic(err)
		}
	}
	time.Sleep(10 * time.Minute)
	os.Exit(0)
}

// startChild starts another process of this program, in a session of its own or not, which holds our
// standard input and output.
func startChild(how string, session bool) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "EARTHGYM_TEST_AGENT="+how)
	cmd.Stdin, cmd.Stdout = os.Stdin, os.Stdout
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: session}
	if err := cmd.Start(); err != nil {
		panic(err)
	}
}

// watch names a socket to squatters and gives what says whether one of them is there.
func watch(t *testing.T) (there func() bool) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s")
	t.Setenv("EARTHGYM_TEST_SOCKET", path)
	return func() bool {
		c, err := net.Dial("unix", path)
		if err == nil {
			c.Close()
		}
		return err == nil
	}
}

// Whatever an agent and its children do, in a session of their own or not, it forfeits in time.
func TestRemoteForfeitsInTime(t *testing.T) {
	for _, how := range []string{"escape and hang", "escape and end", "escape and stop halfway", "ask for ever"} {
		m := must.Have(openBehaviour(t, how, "limit=300ms,"))(t)
		a := must.Have(m.New())(t)
		start := time.Now()
		err := playAgainstRandom(t, a, 1)
		if _, ok := errors.AsType[*agents.ForfeitError](err); !ok ||
			!strings.Contains(err.Error(), "no answer within 300ms") {
			t.Errorf("%s: got %v", how, err)
		}
		if err := a.(io.Closer).Close(); err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took > 5*time.Minute {
			t.Errorf("%s: it took %v", how, took)
		}
	}
}

// What an agent has started ends with it, even if it ends by itself and politely.
func TestRemoteChildrenEnd(t *testing.T) {
	there := watch(t)
	m := must.Have(openBehaviour(t, "play with a child", ""))(t)
	a := must.Have(m.New())(t)
	must.Come(t, "there is no child", there)
	if err := playAgainstRandom(t, a, 1); err != nil {
		t.Error(err)
	}
	if err := a.(io.Closer).Close(); err != nil {
		t.Error(err)
	}
	must.Come(t, "the child has outlived the match", func() bool { return !there() })
}

// An agent and what it has started end with us, even if we are killed.
func TestRemoteEndsWithUs(t *testing.T) {
	there := watch(t)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "EARTHGYM_TEST_AGENT=earthgym")
	must.Do(t, cmd.Start())
	must.Come(t, "there is no child of the agent", there)
	must.Do(t, cmd.Process.Kill())
	_ = cmd.Wait() // It was killed.
	must.Come(t, "the child of the agent has outlived us", func() bool { return !there() })
}
