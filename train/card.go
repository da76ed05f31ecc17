package train

import (
	"errors"
	"io/fs"
	"slices"

	"earthgym/agents/checkpoint"
)

// CompleteCard adds to the card of a network of the run in dir what its metrics know: how long its training took, and
// all that it has met.
func CompleteCard(dir string, c *checkpoint.Checkpoint) error {
	if c.Card == nil {
		c.Card = new(checkpoint.Card)
	}
	updates, err := ReadMetrics(dir)
	if errors.Is(err, fs.ErrNotExist) { // a run needs none
		return nil
	}
	if err != nil {
		return err
	}
	updates = slices.DeleteFunc(updates, func(u Update) bool { return int64(u.Update) > c.Update })
	c.Card.Opponents = slices.DeleteFunc(Opponents(updates), func(name string) bool { return name == Self })
	c.Card.Seconds, c.Card.CPUSeconds = 0, 0
	for _, u := range updates {
		c.Card.Seconds += u.Seconds()
		c.Card.CPUSeconds += u.CPUSeconds
	}
	return nil
}
