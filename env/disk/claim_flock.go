//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package disk

import (
	"errors"
	"os"
	"syscall"
)

// claim locks a temporary file, which tells it from abandoned ones: the operating system ends the lock with the last
// descriptor, however the process ends. It fails where another process has locked it to remove it. Some network folders
// have no locks: what is abandoned there stays.
func claim(f *os.File) bool { return !errors.Is(tryLock(f), syscall.EWOULDBLOCK) }

func tryLock(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err != syscall.EINTR {
			return err
		}
	}
}

// place gives a temporary file the name that it was made for. Until it has it, it stays claimed.
func place(f *os.File, target string) error {
	if err := os.Rename(f.Name(), target); err != nil {
		return err
	}
	_ = f.Close() // Its bytes are on the disk.
	return nil
}

// removeUnclaimed removes a temporary file that no process has claimed.
func removeUnclaimed(name string) {
	f, err := os.OpenFile(name, os.O_RDWR|nonblocking, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if tryLock(f) == nil && named(f) {
		_ = os.Remove(name)
	}
}
