// Package games is the shelf of all games.
//
//	g, err := games.Open("one-earth:players=4,mode=advanced")
//
// A game is its package and one line in [All].
package games

import (
	"earthgym/env"
	"earthgym/games/earthman"
	"earthgym/games/earthrising"
	"earthgym/games/newearth"
	"earthgym/games/oneearth"
	"earthgym/games/resilience"
)

// All lists the rulebooks of all games.
func All() env.Shelf {
	return env.Shelf{
		oneearth.Rulebook(),
		earthrising.Rulebook(),
		newearth.Rulebook(),
		resilience.Rulebook(),
		earthman.Rulebook(),
	}
}

// Find is the rulebook of a name; an unknown name is an error with the near miss and all names.
func Find(name string) (*env.Rulebook, error) { return All().Find(name) }

// Open makes the Game of a text, "name" or "name:option=value,…", with its own one of the data files,
// if there is one (env.Shelf.Open).
func Open(text string, data ...env.DataFile) (env.Game, error) { return All().Open(text, data...) }

// ReadData reads component data files of any of the games, at most one for each.
func ReadData(files []string) ([]env.DataFile, error) { return All().ReadData(files) }
