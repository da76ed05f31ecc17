// Package shipped holds the networks that come with the program, at most one for each game, which the agent "net:"
// plays by. The static page (js/wasm) does not hold them: it fetches the one of the game that is played (Put).
//
// They are checkpoints whose numbers are float16, with a card that says how they were trained and what they are worth;
// "earthgym export" writes them from a training run, and "earthgym agents net:" shows their cards.
package shipped

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"earthgym/agents/checkpoint"
	"earthgym/agents/neural"
	"earthgym/env"
)

// MaxSize is the most bytes that a network takes.
const MaxSize = 2 << 20

const (
	dir    = "networks"
	suffix = ".safetensors"
)

// ErrNone says that there is no network for a game.
var ErrNone = errors.New("no network comes with the program")

// Network reads the network for a game, by the name of its rulebook. Where there is none the error is ErrNone.
func Network(game string) (*checkpoint.Checkpoint, error) { return read(files, game) }

// Has says whether there is a network for a game.
func Has(game string) bool {
	_, err := fs.ReadFile(files, path.Join(dir, game+suffix))
	return err == nil
}

// Policy reads the network of the checkpoint or run at path, or, without a path, the one that comes with the program,
// for the game of info; memory is about how many bytes it takes, and the hash names it (checkpoint.Checkpoint.Hash).
// Without a path and a network the error is ErrNone.
func Policy(path string, info *env.Info) (policy *neural.Policy, memory int64, hash string, err error) {
	c, err := Checkpoint(path, info)
	if err != nil {
		return nil, 0, "", err
	}
	policy, memory, err = c.Policy(info)
	return policy, memory, c.Hash, err
}

// Checkpoint reads what Policy plays by.
func Checkpoint(path string, info *env.Info) (c *checkpoint.Checkpoint, err error) {
	what := "the network that comes with the program"
	if path == "" {
		c, err = Network(info.Name)
	} else if path, err = checkpoint.Find(path); err == nil {
		what = "checkpoint " + path
		c, err = checkpoint.Read(path)
	}
	if err != nil {
		return nil, err
	}
	if err := c.Check(info); err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return c, nil
}

// Games are the names of the games for which there is a network.
func Games() []string { return list(files) }

func read(files fs.FS, game string) (*checkpoint.Checkpoint, error) {
	data, err := fs.ReadFile(files, path.Join(dir, game+suffix))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w for %s; name a checkpoint or a run directory: net:runs/x", ErrNone, game)
	}
	if err != nil {
		return nil, fmt.Errorf("read the network that comes with the program for %s: %w", game, err)
	}
	c, err := checkpoint.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("read the network that comes with the program for %s: %w", game, err)
	}
	return c, nil
}

func list(files fs.FS) []string {
	found, err := fs.ReadDir(files, dir)
	if err != nil {
		return nil // an embedded folder that isn't there holds nothing
	}
	var games []string
	for _, f := range found {
		if game, ok := strings.CutSuffix(f.Name(), suffix); ok {
			games = append(games, game)
		}
	}
	return games
}
