//go:build !js

package games

import (
	"embed"
	"fmt"
	"regexp"
)

// The pictures are no part of the page that plays without a server: they lie beside it.
//
//go:embed oneearth/testdata/golden/turn-actor.svg earthrising/testdata/golden/actions.svg
//go:embed newearth/testdata/golden/commit.svg resilience/testdata/golden/turn-actor.svg
//go:embed earthman/testdata/golden/middle.svg
var pictures embed.FS

var pictured = regexp.MustCompile(`(?m)^!\[.*\]\((.*\.svg)\)$`)

// Picture is the board of a game, SVG, as its HOWTO.md shows it; an unknown name is an error as of Find.
func Picture(name string) ([]byte, error) {
	howTo, err := HowTo(name)
	if err != nil {
		return nil, err
	}
	file := pictured.FindStringSubmatch(howTo)
	for _, g := range all {
		if g.rulebook().Name == name && file != nil {
			return pictures.ReadFile(g.folder + "/" + file[1])
		}
	}
	return nil, fmt.Errorf("%s: its HOWTO.md has no picture", name)
}
