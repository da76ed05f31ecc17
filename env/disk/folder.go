package disk

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// LockFile is locked by the process that works in a folder, and says which one that is. The lock is the operating
// system's: it ends with the process, however that ends, and the file stays.
const LockFile = "run.lock"

// The lock is on the first byte, where Windows lets nobody else read; the holder stands behind it.
const holderOffset, holderLength = 1, 256

// A Folder is held by one process, which keeps there what it needs to go on.
type Folder struct{ lock *flock.Flock }

// Hold makes a folder, if there is none, and takes it until Close. One that another process holds is refused, and that
// process is named.
func Hold(dir string) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("cannot make the folder: %w", err)
	}
	name := filepath.Join(dir, LockFile)
	lock := flock.New(name, flock.SetPermissions(0o644))
	locked, err := false, noLink(name)
	if err == nil {
		locked, err = lock.TryLock()
	}
	if err == nil && !locked {
		return nil, fmt.Errorf("%s is in use by %s: wait for its end, or choose another folder", dir, holder(name))
	}
	if err == nil {
		err = writeHolder(name)
	}
	if err != nil {
		_ = lock.Close()
		return nil, fmt.Errorf("cannot lock %s against other processes: %w", dir, err)
	}
	return &Folder{lock}, nil
}

// noLink refuses to write into a file that is a link: a folder may be anybody's, and what its files lead to elsewhere
// is not theirs.
func noLink(name string) error {
	info, err := os.Lstat(name)
	if err != nil {
		return nil // It is made.
	}
	return regular(name, info)
}

// Close gives the folder back. A folder that is nil was never held.
func (f *Folder) Close() error {
	if f == nil {
		return nil
	}
	return f.lock.Close()
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
	_, err = f.WriteAt(fmt.Appendf(nil, "%-*s\n", holderLength-1, text), holderOffset)
	return errors.Join(err, f.Close())
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

// Write writes a text as a file, whole or not at all (WriteFile).
func Write(name string, text []byte) error {
	return WriteFile(name, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}
