package shipped

import (
	"fmt"
	"io/fs"
)

// files are those that the page has fetched: it loads the network of the game that is played, and no other.
var files = fetched{}

// Put makes a packed network (Pack) the one that comes with the page for a game, by the name of its rulebook. It comes
// before anything else is asked.
func Put(game string, packed []byte) error {
	data, err := Unpack(packed)
	if err != nil {
		return fmt.Errorf("the network of %s: %w", game, err)
	}
	files[dir+"/"+game+suffix] = data
	return nil
}

// fetched are files by their names.
type fetched map[string][]byte

func (f fetched) ReadFile(name string) ([]byte, error) {
	if data, ok := f[name]; ok {
		return data, nil
	}
	return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
}

// Open finds nothing: files are read whole.
func (f fetched) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}
