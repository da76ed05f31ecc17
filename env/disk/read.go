package disk

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"earthgym/env/spelling"
)

// ReadFile reads a regular file of at most most bytes. Its size is looked at before anything is read; a folder,
// a device, a pipe or a socket is refused without opening it.
func ReadFile(name string, most int64) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > most {
		return nil, fmt.Errorf("read %s: %d bytes; at most %d are read", name, info.Size(), most)
	}
	b := make([]byte, info.Size())
	if _, err := io.ReadFull(f, b); err != nil {
		return nil, fmt.Errorf("read %s: it changes while it is read", name)
	}
	return b, nil
}

// Open opens a regular file to be read; what ReadFile refuses, it refuses.
func Open(name string) (*os.File, error) { return OpenFile(name, os.O_RDONLY, 0) }

// OpenFile is os.OpenFile for regular files alone: it waits for nobody at the other end of a pipe.
func OpenFile(name string, flag int, mode fs.FileMode) (*os.File, error) {
	if info, err := os.Stat(name); err == nil {
		if err := regular(name, info); err != nil {
			return nil, err
		}
	}
	f, err := os.OpenFile(name, flag|nonblocking, mode)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		err = regular(name, info) // Should it be a pipe by now.
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// regular refuses what is no regular file.
func regular(name string, info fs.FileInfo) error {
	if kind := kindOf(info.Mode()); kind != "" {
		return fmt.Errorf("open %s: it is %s, not a regular file", name, kind)
	}
	return nil
}

// Difference tells the first line in which a text is not what it was; "" if it is.
func Difference(was, is []byte) string {
	before, now := strings.Split(string(was), "\n"), strings.Split(string(is), "\n")
	line := func(lines []string, i int) string {
		if i < len(lines) && lines[i] != "" {
			return strings.TrimSpace(lines[i])
		}
		return "nothing"
	}
	for i := range max(len(before), len(now)) {
		if a, b := spelling.Apart(line(before, i), line(now, i)); a != b {
			return a + ", not " + b
		}
	}
	return ""
}

// Below are the files among places, and those that end in ext in the folders among them and in theirs. A folder without
// any is an error that calls them kind.
func Below(kind, ext string, places ...string) ([]string, error) {
	var files []string
	for _, place := range places {
		at, err := os.Stat(place)
		if err != nil {
			return nil, err
		}
		if !at.IsDir() {
			files = append(files, place)
			continue
		}
		before := len(files)
		err = filepath.WalkDir(place, func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(name, ext) {
				files = append(files, name)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		if len(files) == before {
			return nil, fmt.Errorf("the folder %s holds no %s, which end in %s", place, kind, ext)
		}
	}
	return files, nil
}
