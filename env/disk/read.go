package disk

import (
	"fmt"
	"io"
	"os"
)

// ReadFile reads a regular file of at most most bytes. Its size is looked at before anything is read; a folder,
// a device, a pipe or a socket is refused without opening it.
func ReadFile(name string, most int64) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if err := readable(name, info, most); err != nil {
		return nil, err
	}
	// Should it be a pipe by now, opening it waits for nobody.
	f, err := os.OpenFile(name, os.O_RDONLY|nonblocking, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, err
	}
	if err := readable(name, info, most); err != nil {
		return nil, err
	}
	b := make([]byte, info.Size())
	if _, err := io.ReadFull(f, b); err != nil {
		return nil, fmt.Errorf("read %s: it changes while it is read: %w", name, err)
	}
	return b, nil
}

func readable(name string, info os.FileInfo, most int64) error {
	switch {
	case !info.Mode().IsRegular():
		return fmt.Errorf("read %s: it is no regular file", name)
	case info.Size() > most:
		return fmt.Errorf("read %s: %d bytes; at most %d are read", name, info.Size(), most)
	}
	return nil
}
