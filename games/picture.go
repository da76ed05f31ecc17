//go:build !js

package games

import (
	"bytes"
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

// Picture is the board of a game, SVG, as its HOWTO.md shows it, with seats that count from 1, as people do; an unknown
// name is an error as of Find.
func Picture(name string) ([]byte, error) {
	howTo, err := HowTo(name)
	if err != nil {
		return nil, err
	}
	file := pictured.FindStringSubmatch(howTo)
	for _, g := range all {
		if g.rulebook().Name == name && file != nil {
			svg, err := pictures.ReadFile(g.folder + "/" + file[1])
			return fromOne(svg), err
		}
	}
	return nil, fmt.Errorf("%s: its HOWTO.md has no picture", name)
}

var (
	numbered = regexp.MustCompile(`\b(?:[Pp]layer |[Ss]eat |p)\d\b`)
	piece    = regexp.MustCompile(`(?s)<g data-seat="\d">.*?</g>`)
)

// fromOne counts the seats of a picture from 1, in what it says and on their pieces: games count them from 0.
func fromOne(svg []byte) []byte {
	svg = numbered.ReplaceAllFunc(svg, func(seat []byte) []byte {
		last := len(seat) - 1
		return append(seat[:last:last], seat[last]+1)
	})
	return piece.ReplaceAllFunc(svg, func(all []byte) []byte {
		seat := all[len(`<g data-seat="`)]
		return bytes.ReplaceAll(all, fmt.Appendf(nil, ">%c</text>", seat), fmt.Appendf(nil, ">%c</text>", seat+1))
	})
}
