//go:build unix

package disk

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"earthgym/env/envtest/must"
)

// Only regular files of a size that was looked at before are read: no device without end, no pipe that waits
// for a writer.
func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	fifo, file, link := filepath.Join(dir, "fifo"), filepath.Join(dir, "file"), filepath.Join(dir, "link")
	must.Do(t, syscall.Mkfifo(fifo, 0o600))
	must.Do(t, os.WriteFile(file, []byte("twelve bytes"), 0o600))
	must.Do(t, os.Symlink("/dev/zero", link))
	for name, want := range map[string]string{
		"/dev/zero": "it is a device, not a regular file", fifo: "it is a named pipe, not", dir: "it is a folder, not",
		link:                       "it is a device, not",
		filepath.Join(dir, "none"): "no such file", file: "12 bytes; at most 11 are read",
	} {
		if b, err := ReadFile(name, 11); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %d bytes, %v; want %q", name, len(b), err, want)
		}
	}
	if b, err := ReadFile(file, 12); err != nil || string(b) != "twelve bytes" {
		t.Errorf("got %q, %v", b, err)
	}
}
