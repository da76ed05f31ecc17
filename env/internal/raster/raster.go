// Package raster reads the boards that the games draw as SVG and turns them into pixels, texts included. No library
// at hand draws text in SVG; this one knows what the games use of it and no more.
package raster

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"git.sr.ht/~sbinet/gg"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
)

// Draw draws a game's own SVG: [height, width, 3] bytes, red, green, blue, one pixel for each unit. It is an error
// for what Read does not know.
func Draw(doc []byte) (pixels []byte, shape []int, err error) {
	picture, err := Read(doc)
	if err != nil {
		return nil, nil, err
	}
	c := &canvas{
		Context: gg.NewContext(int(picture.Width), int(picture.Height)),
		fonts:   map[bool]*opentype.Font{}, faces: map[pen]font.Face{},
	}
	c.SetRGB(1, 1, 1)
	c.Clear()
	c.Translate(-picture.X, -picture.Y)
	for i := range picture.Marks {
		if err := c.paint(&picture.Marks[i]); err != nil {
			return nil, nil, fmt.Errorf("svg: %w", err)
		}
	}
	img := c.Image().(*image.RGBA)
	pixels = make([]byte, 0, 3*c.Width()*c.Height())
	for p := img.Pix; len(p) > 0; p = p[4:] { // nothing of it is transparent
		pixels = append(pixels, p[0], p[1], p[2])
	}
	return pixels, []int{c.Height(), c.Width(), 3}, nil
}

type canvas struct {
	*gg.Context
	fonts map[bool]*opentype.Font // by whether bold
	faces map[pen]font.Face
}

// paint paints a mark over those before it.
func (c *canvas) paint(m *Mark) error {
	if m.Text != "" {
		return c.write(m)
	}
	defer c.ClearPath()
	for _, line := range m.Lines {
		c.NewSubPath()
		for _, at := range line.Points {
			c.LineTo(at.X, at.Y)
		}
		if line.Closed {
			c.ClosePath()
		}
	}
	if m.Fill.Any() {
		if m.Fill.Hatching != nil || m.Fill.Gradient != nil {
			c.SetFillStyle(pattern{&m.Fill})
		} else {
			c.colour(m.Fill)
		}
		c.FillPreserve()
	}
	if !m.Stroke.Any() || m.Width == 0 {
		return nil
	}
	c.colour(m.Stroke)
	c.SetLineWidth(m.Width)
	c.SetDash(m.dash...)
	c.SetLineCap(gg.LineCapButt)
	c.SetLineJoin(gg.LineJoinBevel)
	if m.round {
		c.SetLineJoin(gg.LineJoinRound)
	}
	c.Stroke()
	return nil
}

func (c *canvas) colour(p Paint) {
	c.SetRGBA255(int(p.Colour.R), int(p.Colour.G), int(p.Colour.B), int(255*p.Opacity+0.5))
}

// A pattern is paint of many colours.
type pattern struct{ *Paint }

// ColorAt implements gg.Pattern.
func (p pattern) ColorAt(px, py int) color.Color {
	at := Point{float64(px) + 0.5, float64(py) + 0.5}
	c, opacity := color.RGBA{}, 0.0
	if p.Gradient != nil {
		c, opacity = p.Gradient.At(at)
	} else if c = p.Hatching.at(at.X, at.Y); c.A > 0 {
		opacity = 1
	}
	return color.NRGBA{c.R, c.G, c.B, uint8(255*opacity*p.Opacity + 0.5)}
}

// at is the colour at a point of the page; it is transparent where nothing covers it.
func (h *Hatching) at(x, y float64) color.RGBA {
	x, y = math.Mod(x*h.cos+y*h.sin, h.width), math.Mod(y*h.cos-x*h.sin, h.height)
	if x < 0 {
		x += h.width
	}
	if y < 0 {
		y += h.height
	}
	for i := len(h.rects) - 1; i >= 0; i-- {
		if r := h.rects[i]; x >= r[0] && x < r[0]+r[2] && y >= r[1] && y < r[1]+r[3] {
			return h.Colours[i]
		}
	}
	return color.RGBA{}
}

func (c *canvas) write(m *Mark) error {
	face, err := c.face(pen{m.Size, m.Bold})
	if err != nil {
		return err
	}
	c.SetFontFace(face)
	c.colour(m.Fill)
	c.Push()
	defer c.Pop()
	c.Translate(m.At.X, m.At.Y)
	c.Rotate(m.Angle)
	c.DrawStringAnchored(m.Text, 0, 0, m.Anchor, 0)
	return nil
}

// face is a font that has the widths of Helvetica, for which the games ask.
func (c *canvas) face(p pen) (font.Face, error) {
	if c.faces[p] != nil {
		return c.faces[p], nil
	}
	if c.fonts[p.bold] == nil {
		ttf := liberationsansregular.TTF
		if p.bold {
			ttf = liberationsansbold.TTF
		}
		parsed, err := opentype.Parse(ttf)
		if err != nil {
			return nil, err
		}
		c.fonts[p.bold] = parsed
	}
	face, err := opentype.NewFace(c.fonts[p.bold], &opentype.FaceOptions{Size: p.size, DPI: 72})
	c.faces[p] = face
	return face, err
}
