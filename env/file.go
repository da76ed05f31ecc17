package env

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// WriteFile writes a file whole or not at all: into a temporary file beside it, to the disk, and then
// under its name. If anything fails (a full disk, say) an older file of that name stays as it was.
func WriteFile(name string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", name, err)
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
			if path := new(fs.PathError); errors.As(err, &path) {
				err = path.Err // without the name of the temporary file
			}
			err = fmt.Errorf("cannot write %s, which is left as it was: %w", name, err)
		}
	}()
	w := bufio.NewWriterSize(f, 1<<16)
	if err = write(w); err != nil {
		return err
	}
	if err = w.Flush(); err != nil {
		return err
	}
	if err = f.Chmod(0o644); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	if err = os.Rename(f.Name(), name); err != nil {
		return err
	}
	// The new name is on the disk once its folder is. Not every system can flush one.
	if d, e := os.Open(filepath.Dir(name)); e == nil {
		_ = d.Sync()
		_ = d.Close()
	}
	return nil
}
