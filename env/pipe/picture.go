package pipe

import (
	"fmt"
	"image"
	"image/color"
	"strings"
	"unicode/utf8"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

const (
	pictureSize   = 14 // points at 72 dots an inch: pixels
	pictureMargin = 8
)

// draw draws a text in a fixed-width font, dark on light: [height, width, 3] bytes, red, green, blue.
func draw(text string) ([]byte, []int, error) {
	parsed, err := opentype.Parse(gomono.TTF)
	if err != nil {
		return nil, nil, fmt.Errorf("font: %w", err)
	}
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: pictureSize, DPI: 72})
	if err != nil {
		return nil, nil, fmt.Errorf("font: %w", err)
	}
	defer face.Close()
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	columns := 1
	for _, line := range lines {
		columns = max(columns, utf8.RuneCountInString(line))
	}
	advance, _ := face.GlyphAdvance('m')
	height := face.Metrics().Height.Ceil()
	bounds := image.Rect(0, 0, columns*advance.Ceil()+2*pictureMargin, len(lines)*height+2*pictureMargin)
	canvas := image.NewGray(bounds)
	for i := range canvas.Pix {
		canvas.Pix[i] = 0xfa
	}
	d := font.Drawer{Dst: canvas, Src: image.NewUniform(color.Gray{0x20}), Face: face}
	for i, line := range lines {
		d.Dot = fixed.P(pictureMargin, pictureMargin+i*height+face.Metrics().Ascent.Ceil())
		d.DrawString(line)
	}
	pixels := make([]byte, 0, 3*len(canvas.Pix))
	for _, g := range canvas.Pix {
		pixels = append(pixels, g, g, g)
	}
	return pixels, []int{bounds.Dy(), bounds.Dx(), 3}, nil
}
