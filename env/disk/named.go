package disk

import (
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"sync"
)

// names are the files that texts name, such as the network of an agent or the data of a game, and where they are.
var names struct {
	mu    sync.Mutex
	at    map[string]string
	below string // not "" where nothing but these files and what is below this folder may be named
}

// Named is where the file is that a text names: there, but for a process that does the work of others (OnlyNamed).
func Named(name string) (string, error) {
	names.mu.Lock()
	defer names.mu.Unlock()
	if names.below == "" {
		return name, nil
	}
	if at, there := names.at[name]; there {
		return at, nil
	}
	if clean := filepath.Clean(name); strings.HasPrefix(clean, names.below+string(filepath.Separator)) {
		return clean, nil
	}
	return "", fmt.Errorf("%s is none of the files that came with the work", name)
}

// FoundNamed notes where a file is that a text names.
func FoundNamed(name, at string) {
	names.mu.Lock()
	defer names.mu.Unlock()
	if names.at == nil {
		names.at = map[string]string{}
	}
	names.at[name] = at
}

// NamedSoFar are the files that texts have named in this process, and where they are.
func NamedSoFar() map[string]string {
	names.mu.Lock()
	defer names.mu.Unlock()
	return maps.Clone(names.at)
}

// OnlyNamed has texts name these files from now on, which stand where at says, those below a folder, and no others:
// what a stranger's text names is found by no path of the stranger's.
func OnlyNamed(at map[string]string, below string) {
	names.mu.Lock()
	defer names.mu.Unlock()
	names.at, names.below = maps.Clone(at), filepath.Clean(below)
	for _, file := range at {
		names.at[file] = file // What was found is looked for again.
	}
}
