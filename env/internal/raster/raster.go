// Package raster turns the boards that the games draw as SVG into pixels, texts included. No library at hand
// draws text in SVG; this one knows what the games use of it and no more.
package raster

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"strconv"
	"strings"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"git.sr.ht/~sbinet/gg"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
)

// Draw draws a game's own SVG: [height, width, 3] bytes, red, green, blue, one pixel for each unit. It knows
// the elements and attributes that the games use, which is a small part of SVG, and is an error for any other.
func Draw(doc []byte) (pixels []byte, shape []int, err error) {
	root, err := readSVG(doc)
	if err != nil {
		return nil, nil, fmt.Errorf("svg: %w", err)
	}
	box := numbers(root.attr["viewBox"])
	if root.name != "svg" || len(box) != 4 || box[2] < 1 || box[3] < 1 || box[2]*box[3] > 1<<24 {
		return nil, nil, fmt.Errorf("svg: a %s with the viewBox %q", root.name, root.attr["viewBox"])
	}
	c := &canvas{
		Context: gg.NewContext(int(box[2]), int(box[3])), named: map[string]*element{},
		fonts: map[bool]*opentype.Font{}, faces: map[pen]font.Face{},
	}
	c.SetRGB(1, 1, 1)
	c.Clear()
	c.Translate(-box[0], -box[1])
	c.name(root)
	if err := c.children(root, style{fill: "#000000", stroke: "none", width: 1, fillOpacity: 1, strokeOpacity: 1}); err != nil {
		return nil, nil, fmt.Errorf("svg: %w", err)
	}
	img := c.Image().(*image.RGBA)
	pixels = make([]byte, 0, 3*c.Width()*c.Height())
	for p := img.Pix; len(p) > 0; p = p[4:] { // nothing of it is transparent
		pixels = append(pixels, p[0], p[1], p[2])
	}
	return pixels, []int{c.Height(), c.Width(), 3}, nil
}

// element is one of a document.
type element struct {
	name     string
	attr     map[string]string
	text     string
	children []*element
}

func readSVG(doc []byte) (*element, error) {
	dec := xml.NewDecoder(bytes.NewReader(doc))
	open := []*element{{}}
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		top := open[len(open)-1]
		switch t := token.(type) {
		case xml.StartElement:
			e := &element{name: t.Name.Local, attr: map[string]string{}}
			for _, a := range t.Attr {
				e.attr[a.Name.Local] = a.Value
			}
			top.children = append(top.children, e)
			open = append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			top.text += string(t)
		}
	}
	if len(open[0].children) != 1 {
		return nil, errors.New("it has no root")
	}
	return open[0].children[0], nil
}

// style is what elements inherit.
type style struct {
	fill, stroke               string
	width                      float64
	dash                       []float64
	round                      bool // joins
	fillOpacity, strokeOpacity float64
	font                       pen
	anchor                     string
}

// pen is what text is written with.
type pen struct {
	size float64
	bold bool
}

// with is the style of an element inside another.
func (s style) with(attr map[string]string) (style, error) {
	for key, value := range attr {
		number := func(dst *float64) error {
			x, err := strconv.ParseFloat(value, 64)
			*dst = x
			return err
		}
		var err error
		switch key {
		case "fill":
			s.fill = value
		case "stroke":
			s.stroke = value
		case "stroke-width":
			err = number(&s.width)
		case "stroke-dasharray":
			s.dash = numbers(value)
		case "stroke-linejoin":
			s.round = value == "round"
		case "fill-opacity":
			err = number(&s.fillOpacity)
		case "stroke-opacity":
			err = number(&s.strokeOpacity)
		case "font-size":
			err = number(&s.font.size)
		case "font-weight":
			s.font.bold = value == "bold"
		case "text-anchor":
			s.anchor = value
		case "opacity", "transform", "dominant-baseline", "font-family", "data-seat": // of the element itself, or always the same
		case "x", "y", "width", "height", "rx", "cx", "cy", "r", "x1", "y1", "x2", "y2", "points", "d", "href", "id":
		default:
			return s, fmt.Errorf("the attribute %s is not known here", key)
		}
		if err != nil {
			return s, fmt.Errorf("%s: %w", key, err)
		}
	}
	if o, err := strconv.ParseFloat(attr["opacity"], 64); err == nil {
		s.fillOpacity *= o
		s.strokeOpacity *= o
	}
	return s, nil
}

type canvas struct {
	*gg.Context
	named map[string]*element
	fonts map[bool]*opentype.Font // by whether bold
	faces map[pen]font.Face
}

// name finds the elements that others may refer to.
func (c *canvas) name(e *element) {
	if id := e.attr["id"]; id != "" {
		c.named[id] = e
	}
	for _, child := range e.children {
		c.name(child)
	}
}

func (c *canvas) children(e *element, s style) error {
	for _, child := range e.children {
		if err := c.element(child, s); err != nil {
			return err
		}
	}
	return nil
}

func (c *canvas) element(e *element, s style) error {
	if e.name == "defs" || e.name == "title" {
		return nil
	}
	s, err := s.with(e.attr)
	if err != nil {
		return fmt.Errorf("%s: %w", e.name, err)
	}
	c.Push()
	defer c.Pop()
	if err := c.transform(e.attr["transform"]); err != nil {
		return err
	}
	at := func(key string) float64 {
		x, _ := strconv.ParseFloat(e.attr[key], 64) // What isn't there is 0.
		return x
	}
	switch e.name {
	case "g":
		return c.children(e, s)
	case "use":
		named := c.named[strings.TrimPrefix(e.attr["href"], "#")]
		if named == nil || named == e || named.name == "use" {
			return fmt.Errorf("use of %q", e.attr["href"])
		}
		c.Translate(at("x"), at("y"))
		return c.element(named, s)
	case "text":
		return c.write(e, s, at("x"), at("y"))
	case "rect":
		if r := min(at("rx"), at("width")/2, at("height")/2); r > 0 {
			c.DrawRoundedRectangle(at("x"), at("y"), at("width"), at("height"), r)
		} else {
			c.DrawRectangle(at("x"), at("y"), at("width"), at("height"))
		}
	case "circle":
		c.DrawCircle(at("cx"), at("cy"), at("r"))
	case "line":
		c.DrawLine(at("x1"), at("y1"), at("x2"), at("y2"))
	case "polygon":
		points := numbers(e.attr["points"])
		for ; len(points) >= 2; points = points[2:] {
			c.LineTo(points[0], points[1])
		}
		c.ClosePath()
	case "path":
		if err := c.path(e.attr["d"]); err != nil {
			return err
		}
	default:
		return fmt.Errorf("the element %s is not known here", e.name)
	}
	return c.paint(s)
}

// paint fills and strokes the shape that has been laid out.
func (c *canvas) paint(s style) error {
	defer c.ClearPath()
	if s.fill != "none" {
		if id, ok := strings.CutPrefix(s.fill, "url(#"); ok {
			h, err := c.hatching(strings.TrimSuffix(id, ")"))
			if err != nil {
				return err
			}
			c.SetFillStyle(h)
		} else if err := c.colour(s.fill, s.fillOpacity); err != nil {
			return err
		}
		c.FillPreserve()
	}
	if s.stroke == "none" || s.width == 0 {
		return nil
	}
	if err := c.colour(s.stroke, s.strokeOpacity); err != nil {
		return err
	}
	c.SetLineWidth(s.width)
	c.SetDash(s.dash...)
	c.SetLineCap(gg.LineCapButt)
	c.SetLineJoin(gg.LineJoinBevel)
	if s.round {
		c.SetLineJoin(gg.LineJoinRound)
	}
	c.Stroke()
	return nil
}

func (c *canvas) colour(text string, opacity float64) error {
	x, err := parseColour(text)
	if err != nil {
		return err
	}
	c.SetRGBA255(int(x.R), int(x.G), int(x.B), int(255*max(0, min(1, opacity))+0.5))
	return nil
}

// parseColour reads #rgb and #rrggbb.
func parseColour(text string) (color.RGBA, error) {
	digits, ok := strings.CutPrefix(text, "#")
	if len(digits) == 3 {
		digits = string([]byte{digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]})
	}
	x, err := strconv.ParseUint(digits, 16, 32)
	if !ok || err != nil || len(digits) != 6 {
		return color.RGBA{}, fmt.Errorf("the colour %q: it is #rgb or #rrggbb", text)
	}
	return color.RGBA{byte(x >> 16), byte(x >> 8), byte(x), 255}, nil
}

// hatching is a pattern of rectangles, the later ones above, on tiles that may be turned.
type hatching struct {
	width, height float64
	sin, cos      float64
	rects         [][4]float64
	colours       []color.RGBA
}

func (c *canvas) hatching(id string) (*hatching, error) {
	e := c.named[id]
	if e == nil || e.name != "pattern" {
		return nil, fmt.Errorf("there is no pattern %q", id)
	}
	h := &hatching{cos: 1}
	h.width, _ = strconv.ParseFloat(e.attr["width"], 64)
	h.height, _ = strconv.ParseFloat(e.attr["height"], 64)
	if h.width <= 0 || h.height <= 0 {
		return nil, fmt.Errorf("the pattern %q has no size", id)
	}
	if t := e.attr["patternTransform"]; t != "" {
		name, args, rest, err := function(t)
		if err != nil || name != "rotate" || len(args) != 1 || rest != "" {
			return nil, fmt.Errorf("patternTransform %q", t)
		}
		h.sin, h.cos = math.Sincos(args[0] * math.Pi / 180)
	}
	for _, r := range e.children {
		x, err := parseColour(r.attr["fill"])
		if err != nil || r.name != "rect" {
			return nil, fmt.Errorf("a %s in the pattern %q: %w", r.name, id, err)
		}
		var rect [4]float64
		for i, key := range []string{"x", "y", "width", "height"} {
			rect[i], _ = strconv.ParseFloat(r.attr[key], 64)
		}
		h.rects, h.colours = append(h.rects, rect), append(h.colours, x)
	}
	return h, nil
}

// ColorAt implements gg.Pattern.
func (h *hatching) ColorAt(px, py int) color.Color {
	x, y := float64(px)+0.5, float64(py)+0.5
	x, y = math.Mod(x*h.cos+y*h.sin, h.width), math.Mod(y*h.cos-x*h.sin, h.height)
	if x < 0 {
		x += h.width
	}
	if y < 0 {
		y += h.height
	}
	for i := len(h.rects) - 1; i >= 0; i-- {
		if r := h.rects[i]; x >= r[0] && x < r[0]+r[2] && y >= r[1] && y < r[1]+r[3] {
			return h.colours[i]
		}
	}
	return color.RGBA{}
}

// function takes one like "rotate(15 608 345)" from the front of a text.
func function(text string) (name string, args []float64, rest string, err error) {
	name, rest, ok := strings.Cut(text, "(")
	inside, rest, closed := strings.Cut(rest, ")")
	if !ok || !closed {
		return "", nil, "", fmt.Errorf("%q is not of the form name(numbers)", text)
	}
	return strings.Trim(name, " ,"), numbers(inside), strings.TrimSpace(rest), nil
}

func (c *canvas) transform(text string) error {
	for text != "" {
		name, args, rest, err := function(text)
		switch {
		case err != nil:
			return err
		case name == "translate" && len(args) == 2:
			c.Translate(args[0], args[1])
		case name == "rotate" && len(args) == 1:
			c.Rotate(gg.Radians(args[0]))
		case name == "rotate" && len(args) == 3:
			c.RotateAbout(gg.Radians(args[0]), args[1], args[2])
		default:
			return fmt.Errorf("the transform %q is not known here", text)
		}
		text = rest
	}
	return nil
}

// write writes a text.
func (c *canvas) write(e *element, s style, x, y float64) error {
	face, err := c.face(s.font)
	if err != nil {
		return err
	}
	c.SetFontFace(face)
	if err := c.colour(s.fill, s.fillOpacity); err != nil {
		return err
	}
	if e.attr["dominant-baseline"] == "middle" {
		y += 0.26 * s.font.size // half the height of an x
	}
	left := map[string]float64{"middle": 0.5, "end": 1}[s.anchor]
	c.DrawStringAnchored(e.text, x, y, left, 0)
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

// numbers reads what is between blanks and commas; a sign or a second point begins a number too. It ends at
// what is no number.
func numbers(text string) []float64 {
	var list []float64
	for {
		x, rest, ok := number(text)
		if !ok {
			return list
		}
		list, text = append(list, x), rest
	}
}

// number takes one number from the front of a text.
func number(text string) (x float64, rest string, ok bool) {
	text = strings.TrimLeft(text, " \t\n\r,")
	n, point := 0, false
	for ; n < len(text); n++ {
		c := text[n]
		if c == '.' && point || (c == '-' || c == '+') && n > 0 || c != '.' && c != '-' && c != '+' && (c < '0' || c > '9') {
			break
		}
		point = point || c == '.'
	}
	x, err := strconv.ParseFloat(text[:n], 64)
	return x, text[n:], err == nil
}

// path lays out the data of a path.
func (c *canvas) path(d string) error {
	var x, y, fromX, fromY float64 // where the pen is, and where its line began
	var command byte
	for {
		d = strings.TrimLeft(d, " \t\n\r,")
		if d == "" {
			return nil
		}
		if letter := d[0] | 0x20; letter >= 'a' && letter <= 'z' {
			command, d = d[0], d[1:]
		}
		letter := command | 0x20
		count := map[byte]int{'m': 2, 'l': 2, 'h': 1, 'v': 1, 'q': 4, 'c': 6, 'a': 7, 'z': 0}
		n, known := count[letter]
		if !known {
			return fmt.Errorf("the path command %q is not known here", command)
		}
		args := make([]float64, n)
		for i := range args {
			var ok bool
			if letter == 'a' && (i == 3 || i == 4) { // Flags need no blanks around them.
				if d = strings.TrimLeft(d, " \t\n\r,"); d != "" && (d[0] == '0' || d[0] == '1') {
					args[i], d, ok = float64(d[0]-'0'), d[1:], true
				}
			} else {
				args[i], d, ok = number(d)
			}
			if !ok {
				return fmt.Errorf("the path command %q lacks a number before %q", command, d)
			}
		}
		oldX, oldY := x, y
		ox, oy := 0.0, 0.0
		if command == letter {
			ox, oy = x, y // relative
		}
		switch letter {
		case 'h':
			x = ox + args[0]
		case 'v':
			y = oy + args[0]
		case 'z':
			x, y = fromX, fromY
		default:
			x, y = ox+args[n-2], oy+args[n-1]
		}
		switch letter {
		case 'm':
			c.MoveTo(x, y)
			fromX, fromY = x, y
			command -= 'm' - 'l' // More numbers are lines.
		case 'l', 'h', 'v':
			c.LineTo(x, y)
		case 'q':
			c.QuadraticTo(ox+args[0], oy+args[1], x, y)
		case 'c':
			c.CubicTo(ox+args[0], oy+args[1], ox+args[2], oy+args[3], x, y)
		case 'a':
			c.arc(oldX, oldY, args[0], args[1], args[3] != 0, args[4] != 0, x, y)
		case 'z':
			c.ClosePath()
			command = 0
		}
	}
}

// arc goes from one point to another along an ellipse that is not turned (SVG 1.1, F.6.5).
func (c *canvas) arc(x1, y1, rx, ry float64, large, sweep bool, x2, y2 float64) {
	rx, ry = math.Abs(rx), math.Abs(ry)
	if rx == 0 || ry == 0 || x1 == x2 && y1 == y2 {
		c.LineTo(x2, y2)
		return
	}
	dx, dy := (x1-x2)/2, (y1-y2)/2
	if far := dx*dx/(rx*rx) + dy*dy/(ry*ry); far > 1 { // too small to reach
		rx, ry = rx*math.Sqrt(far), ry*math.Sqrt(far)
	}
	a := rx*rx*dy*dy + ry*ry*dx*dx
	k := math.Sqrt(max(0, (rx*rx*ry*ry-a)/a))
	if large == sweep {
		k = -k
	}
	cx, cy := k*rx*dy/ry, -k*ry*dx/rx
	from := math.Atan2((dy-cy)/ry, (dx-cx)/rx)
	to := math.Atan2((-dy-cy)/ry, (-dx-cx)/rx)
	if sweep && to < from {
		to += 2 * math.Pi
	}
	if !sweep && to > from {
		to -= 2 * math.Pi
	}
	const steps = 24
	for i := 1; i <= steps; i++ {
		sin, cos := math.Sincos(from + (to-from)*float64(i)/steps)
		c.LineTo(cx+(x1+x2)/2+rx*cos, cy+(y1+y2)/2+ry*sin)
	}
}
