// Package disk reads and writes the files that users name: written whole or not at all, and read only
// where a regular file of a bounded size stands, so that a wrong name costs no data and hangs nothing.
// What grows line by line is a Log, which is gone on with after a kill, and vouches for its lines (package seal); a
// Folder is held by one process at a time.
package disk

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
// under its name. If anything fails (a full disk, say) an older file of that name stays as it was. A name
// that CheckFile refuses is an error; of a link to a file the file is replaced.
//
// A writer that is killed leaves its temporary file; the next process that writes into the folder removes it.
func WriteFile(name string, write func(io.Writer) error) error { return writeFile(name, 0o644, write) }

// WriteSecret is WriteFile for what its owner alone may read.
func WriteSecret(name string, write func(io.Writer) error) error {
	return writeFile(name, 0o600, write)
}

func writeFile(name string, mode fs.FileMode, write func(io.Writer) error) (err error) {
	target, err := replaceable(name)
	if err != nil {
		return err
	}
	removeAbandoned(filepath.Dir(target))
	f, err := createTemporary(target)
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", name, inside(err))
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
			err = fmt.Errorf("cannot write %s, which is left as it was: %w", name, inside(err))
		}
	}()
	w := bufio.NewWriterSize(f, 1<<16)
	if err = write(w); err != nil {
		return err
	}
	if err = w.Flush(); err != nil {
		return err
	}
	if err = f.Chmod(mode); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = place(f, target); err != nil {
		return err
	}
	// The new name is on the disk once its folder is. Not every system can flush one.
	if d, e := os.Open(filepath.Dir(target)); e == nil {
		_ = d.Sync()
		_ = d.Close()
	}
	return nil
}

// inside is an error without the name of a temporary file.
func inside(err error) error {
	if path := new(fs.PathError); errors.As(err, &path) {
		return path.Err
	}
	if link := new(os.LinkError); errors.As(err, &link) {
		return link.Err
	}
	return err
}

// CheckFile says why WriteFile could not write a file of this name: only regular files are replaced, never
// a folder, a device, a pipe or a link to one, and the folder that it goes into must exist and let files be made.
func CheckFile(name string) error {
	target, err := replaceable(name)
	if err != nil {
		return err
	}
	f, err := createTemporary(target)
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", name, inside(err))
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// replaceable is the path that WriteFile writes: the name, or what it links to.
func replaceable(name string) (string, error) {
	target, err := filepath.EvalSymlinks(name)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(name); err == nil {
			return "", fmt.Errorf("cannot write %s: it is a link to a file that does not exist", name)
		}
		dir := filepath.Dir(name)
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return "", fmt.Errorf("cannot write %s: there is no folder %s", name, dir)
		}
		return name, nil
	}
	if err != nil {
		return "", fmt.Errorf("cannot write %s: %w", name, err)
	}
	info, err := os.Stat(target)
	if err != nil {
		return "", fmt.Errorf("cannot write %s: %w", name, err)
	}
	if kind := kindOf(info.Mode()); kind != "" {
		return "", fmt.Errorf("cannot write %s: it is %s, not a regular file", name, kind)
	}
	return target, nil
}

// kindOf names what is not a regular file; of one it is "".
func kindOf(m fs.FileMode) string {
	switch {
	case m.IsRegular():
		return ""
	case m.IsDir():
		return "a folder"
	case m&fs.ModeDevice != 0:
		return "a device"
	case m&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case m&fs.ModeSymlink != 0:
		return "a link"
	case m&fs.ModeSocket != 0:
		return "a socket"
	}
	return "something special"
}
