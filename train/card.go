package train

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"earthgym/agents/checkpoint"
)

// Card says how the network of the run in dir came about: its settings, whom it has met, and how long that took.
func Card(dir string) (*checkpoint.Card, error) {
	config, err := os.ReadFile(filepath.Join(dir, ConfigFile))
	if err != nil {
		return nil, fmt.Errorf("%s is not a run: %w", dir, err)
	}
	card := &checkpoint.Card{Config: string(config)}
	updates, err := ReadMetrics(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // a run of nothing but its start has none
		return nil, err
	}
	card.Opponents = slices.DeleteFunc(Opponents(updates), func(name string) bool { return name == Self })
	for _, u := range updates {
		card.Seconds += u.CollectSeconds + u.LearnSeconds
	}
	return card, nil
}
