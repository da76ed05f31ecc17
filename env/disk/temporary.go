package disk

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// temporary ends the name of a temporary file: ".NAME.DIGITS.earthgym.tmp" in the folder of NAME. No other program
// calls its files so.
const temporary = ".earthgym.tmp"

// isTemporary says whether a file of this name is one that a WriteFile made on its way: in progress, or left by a
// writer that was killed.
func isTemporary(name string) bool {
	rest, ok := strings.CutSuffix(name, temporary)
	if !ok || !strings.HasPrefix(rest, ".") {
		return false
	}
	dot := strings.LastIndexByte(rest, '.')
	return dot > 1 && dot+1 < len(rest) && strings.Trim(rest[dot+1:], "0123456789") == ""
}

// createTemporary makes the temporary file that becomes target, claimed for as long as it is open.
func createTemporary(target string) (*os.File, error) {
	for range 100 {
		f, err := os.CreateTemp(filepath.Dir(target), "."+filepath.Base(target)+".*"+temporary)
		if err != nil {
			return nil, err
		}
		// Between its making and the claim another process may have taken it for abandoned.
		if claim(f) && named(f) {
			return f, nil
		}
		f.Close()
	}
	return nil, errors.New("other processes remove its temporary files")
}

// named says whether a file stands under the name that it was opened by.
func named(f *os.File) bool {
	open, err := f.Stat()
	if err != nil {
		return false
	}
	stands, err := os.Lstat(f.Name())
	return err == nil && os.SameFile(open, stands)
}

// searched are the folders in which this process has looked for abandoned files: once each, as a folder may hold
// thousands of records and be written to as often.
var searched sync.Map

// removeAbandoned removes the temporary files of writers that were killed from a folder, once a process. One that
// cannot be removed stays: it is in nobody's way.
func removeAbandoned(dir string) {
	if _, before := searched.LoadOrStore(dir, true); before {
		return
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, f := range files {
		if isTemporary(f.Name()) && f.Type().IsRegular() {
			removeUnclaimed(filepath.Join(dir, f.Name()))
		}
	}
}
