//go:build unix

package disk_test

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"earthgym/env/disk"
)

func TestWriteFileLeavesPipesAndSockets(t *testing.T) {
	dir := t.TempDir()
	pipe, socket := filepath.Join(dir, "pipe"), filepath.Join(dir, "socket")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for name, want := range map[string]string{pipe: "it is a named pipe, not a regular file", socket: "it is a socket, not a regular file"} {
		before, err := os.Lstat(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := disk.WriteFile(name, func(io.Writer) error { return nil }); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
		if after, err := os.Lstat(name); err != nil || after.Mode() != before.Mode() {
			t.Errorf("%s is replaced by %v, %v", name, after, err)
		}
	}
}
