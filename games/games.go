// Package games is the registry of all games.
//
//	g, err := games.Open("one-earth:players=4,mode=advanced")
//
// A game is its package and one line of the registry.
package games

import (
	"embed"
	"fmt"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/registry"
	"earthgym/env/scenario"
	"earthgym/games/earthman"
	"earthgym/games/earthrising"
	"earthgym/games/newearth"
	"earthgym/games/oneearth"
	"earthgym/games/resilience"
)

// all lists the games, each with the folder of its package.
var all = []struct {
	rulebook func() *registry.Rulebook
	folder   string
}{
	{oneearth.Rulebook, "oneearth"},
	{earthrising.Rulebook, "earthrising"},
	{newearth.Rulebook, "newearth"},
	{resilience.Rulebook, "resilience"},
	{earthman.Rulebook, "earthman"},
}

// All lists the rulebooks of all games.
func All() registry.Registry {
	var list registry.Registry
	for _, g := range all {
		list = append(list, g.rulebook())
	}
	return list
}

//go:embed */RULES.md */lesson.toml
var texts embed.FS

// Rules is the specification of a game, its RULES.md; an unknown name is an error as of Find.
func Rules(name string) (string, error) { return text(name, "RULES.md") }

// Lesson is the first lesson of a game, a scenario that tells what to play and why; an unknown name is an error as of
// Find.
func Lesson(name string) (*scenario.Scenario, error) {
	text, err := text(name, "lesson.toml")
	if err != nil {
		return nil, err
	}
	return scenario.Parse(name+": lesson.toml", []byte(text))
}

func text(name, file string) (string, error) {
	for _, g := range all {
		if g.rulebook().Name != name {
			continue
		}
		b, err := texts.ReadFile(g.folder + "/" + file)
		if err != nil {
			return "", fmt.Errorf("%s has no %s", name, file)
		}
		return string(b), nil
	}
	_, err := Find(name)
	return "", err
}

// HowTo is the introduction to a game for people, its HOWTO.md; an unknown name is an error as of Find.
func HowTo(name string) (string, error) {
	if _, err := Find(name); err != nil {
		return "", err
	}
	g, err := Open(name)
	if err != nil {
		return "", err
	}
	return g.Info().HowTo, nil
}

// Book is what Rules and HowTo are of a game.
func Book(name string) (rules, howTo string, err error) {
	if rules, err = Rules(name); err == nil {
		howTo, err = HowTo(name)
	}
	return rules, howTo, err
}

// Find is the rulebook of a name; an unknown name is an error with the near miss and all names.
func Find(name string) (*registry.Rulebook, error) { return All().Find(name) }

// Open makes the Game of a text, "name" or "name:option=value,…", with its own one of the data files,
// if there is one (registry.Registry.Open).
func Open(text string, data ...datafile.File) (env.Game, error) { return All().Open(text, data...) }

// ReadData reads component data files of any of the games, at most one for each.
func ReadData(files []string) ([]datafile.File, error) { return All().ReadData(files) }
