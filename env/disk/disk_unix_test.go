//go:build unix

package disk_test

import (
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"earthgym/env/disk"
	"earthgym/env/envtest/must"
	"earthgym/env/seal"
)

// Where no file can be made, nothing is begun whose result would be lost.
func TestCheckFileTriesTheFolder(t *testing.T) {
	dir := t.TempDir()
	locked := filepath.Join(dir, "locked")
	must.Do(t, os.Mkdir(locked, 0o555))
	folders := []string{"/proc/"} // where root can make none either
	if os.Geteuid() != 0 {
		folders = append(folders, locked)
	}
	for _, folder := range folders {
		if _, err := os.Stat(folder); err != nil {
			continue
		}
		name := filepath.Join(folder, "report.html")
		if err := disk.CheckFile(name); err == nil || !strings.HasPrefix(err.Error(), "cannot write "+name+": ") ||
			strings.Contains(err.Error(), ".tmp") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := disk.CheckFile(filepath.Join(dir, "report.html")); err != nil {
		t.Error(err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("it leaves %v, %v", files, err)
	}
}

func TestWriteFileLeavesPipesAndSockets(t *testing.T) {
	dir := t.TempDir()
	pipe, socket := filepath.Join(dir, "pipe"), filepath.Join(dir, "socket")
	must.Do(t, syscall.Mkfifo(pipe, 0o600))
	l := must.Have(net.Listen("unix", socket))(t)
	defer l.Close()
	for name, want := range map[string]string{pipe: "it is a named pipe, not a regular file",
		socket: "it is a socket, not a regular file"} {
		before := must.Have(os.Lstat(name))(t)
		if err := disk.WriteFile(name, func(io.Writer) error { return nil }); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
		if after, err := os.Lstat(name); err != nil || after.Mode() != before.Mode() {
			t.Errorf("%s is replaced by %v, %v", name, after, err)
		}
	}
	elsewhere, lock := filepath.Join(dir, "elsewhere"), filepath.Join(dir, disk.LockFile)
	must.Do(t, os.Symlink(elsewhere, lock))
	if _, err := disk.Hold(dir); err == nil || !strings.Contains(err.Error(), lock+": it is a link, not a regular file") {
		t.Errorf("a lock that leads elsewhere: %v", err)
	}
	if _, err := os.Lstat(elsewhere); err == nil {
		t.Error("the lock is written elsewhere")
	}
	const precious = "a line without an end"
	log := filepath.Join(dir, "games.jsonl")
	must.Do(t, errors.Join(os.WriteFile(elsewhere, []byte(precious), 0o600), os.Symlink(elsewhere, log)))
	if _, err := disk.OpenLog(log, seal.Begin("log"), func(any) error { return nil }); err == nil ||
		!strings.Contains(err.Error(), log+": it is a link, not a regular file") {
		t.Errorf("a log that leads elsewhere: %v", err)
	}
	if kept, err := os.ReadFile(elsewhere); err != nil || string(kept) != precious {
		t.Errorf("what a log led to is %q, %v", kept, err)
	}
}
