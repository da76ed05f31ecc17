package train

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// lockFile is locked by the process that works on a run's folder, and says which one that is. The lock is
// the operating system's: it ends with the process, however that ends, and the file stays.
const lockFile = "run.lock"

// The lock is on the first byte, where Windows lets nobody else read; the holder stands behind it.
const holderOffset, holderLength = 1, 256

// lockRun takes the lock of a run's folder, which exists.
func lockRun(dir string) (*flock.Flock, error) {
	name := filepath.Join(dir, lockFile)
	lock := flock.New(name, flock.SetPermissions(0o644))
	locked, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("cannot lock %s against other runs: %w", dir, err)
	}
	if !locked {
		return nil, fmt.Errorf("%s is in use by %s: wait for its end, or choose another folder", dir, holder(name))
	}
	if err := writeHolder(name); err != nil {
		_ = lock.Close()
		return nil, fmt.Errorf("cannot lock %s against other runs: %w", dir, err)
	}
	return lock, nil
}

func writeHolder(name string) error {
	host, err := os.Hostname()
	if err != nil {
		host = "this machine"
	}
	text := fmt.Sprintf("process %d on %s, since %s", os.Getpid(), host, time.Now().Format(time.DateTime))
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt([]byte(fmt.Sprintf("%-*s\n", holderLength-1, text)), holderOffset)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// holder is what the process that holds the lock has written of itself.
func holder(name string) string {
	f, err := os.Open(name)
	if err == nil {
		defer f.Close()
		b := make([]byte, holderLength)
		n, _ := f.ReadAt(b, holderOffset)
		if text := strings.TrimSpace(string(bytes.ToValidUTF8(b[:n], nil))); text != "" {
			return text
		}
	}
	return "another process"
}
