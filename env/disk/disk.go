// Package disk reads and writes the files that users name: written whole or not at all, and read only
// where a regular file of a bounded size stands, so that a wrong name costs no data and hangs nothing.
// What grows line by line is a Log, which is gone on with after a kill, and vouches for its lines (package seal).
package disk

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// WriteFile writes a file whole or not at all: into a temporary file beside it, to the disk, and then
// under its name. If anything fails (a full disk, say) an older file of that name stays as it was. A name
// that CheckFile refuses is an error; of a link to a file the file is replaced.
//
// A writer that is killed leaves its temporary file, whose name IsTemporary knows.
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
	f, err := createBeside(name, target)
	if err != nil {
		return err
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
	if err = f.Chmod(mode); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	if err = os.Rename(f.Name(), target); err != nil {
		return err
	}
	// The new name is on the disk once its folder is. Not every system can flush one.
	if d, e := os.Open(filepath.Dir(target)); e == nil {
		_ = d.Sync()
		_ = d.Close()
	}
	return nil
}

// CheckFile says why WriteFile could not write a file of this name: only regular files are replaced, never
// a folder, a device, a pipe or a link to one, and the folder that it goes into must exist and let files be made.
func CheckFile(name string) error {
	target, err := replaceable(name)
	if err != nil {
		return err
	}
	f, err := createBeside(name, target)
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// createBeside makes the temporary file of a file.
func createBeside(name, target string) (*os.File, error) {
	f, err := os.CreateTemp(filepath.Dir(target), "."+filepath.Base(target)+".*"+temporary)
	if path := new(fs.PathError); errors.As(err, &path) {
		err = path.Err // without the name of the temporary file
	}
	if err != nil {
		return nil, fmt.Errorf("cannot write %s: %w", name, err)
	}
	return f, nil
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
	case m&fs.ModeSocket != 0:
		return "a socket"
	}
	return "something special"
}

// temporary ends the name of a temporary file: ".NAME.DIGITS.tmp" in the folder of NAME.
const temporary = ".tmp"

// IsTemporary says whether a file of this name, in a folder, is one that a WriteFile made on its way: in
// progress, or left by a writer that was killed. Whoever knows that nobody writes in a folder may remove
// them.
func IsTemporary(name string) bool {
	rest, ok := strings.CutSuffix(name, temporary)
	if !ok || !strings.HasPrefix(rest, ".") {
		return false
	}
	dot := strings.LastIndexByte(rest, '.')
	return dot > 1 && dot+1 < len(rest) && strings.Trim(rest[dot+1:], "0123456789") == ""
}
