//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package disk

import (
	"os"
	"time"
)

// claim does nothing: what a process has open, nobody else can remove on Windows.
func claim(*os.File) bool { return true }

// place gives a temporary file the name that it was made for, once it is closed: Windows renames no file that is open.
func place(f *os.File, target string) error {
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), target)
}

// removeUnclaimed removes a temporary file that nobody has open. One that was written a moment ago may be closed and on
// its way to its name.
func removeUnclaimed(name string) {
	if info, err := os.Lstat(name); err == nil && time.Since(info.ModTime()) > 10*time.Minute {
		_ = os.Remove(name)
	}
}
