package raster

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"strconv"
	"strings"
)

// A Picture is what a document paints.
type Picture struct {
	X, Y, Width, Height float64  // of the page
	Marks               []Mark   // one over the other
	Pieces              []string // the players' marks of the groups with data-seat, in the order of the document
}

// A Mark is a shape or a text, in the units of the page.
type Mark struct {
	Piece int // of Pieces, or -1

	Lines  []Line // of a shape
	Stroke Paint
	Width  float64 // of the stroke
	dash   []float64
	round  bool // joins

	Fill Paint // of a shape or text

	Text   string  // "" for a shape
	At     Point   // where the text is on its baseline
	Angle  float64 // by which it is turned, in radians clockwise
	Size   float64
	Bold   bool
	Anchor float64 // the share of the text before At: 0, 0.5 or 1
	Room   float64 // the width that it may have with other names in it; 0 if it says none
}

// A Point is one of the page.
type Point struct{ X, Y float64 }

// A Line is a part of an outline; curves are many short straight pieces.
type Line struct {
	Points []Point
	Closed bool
}

// Paint is a colour, a pattern or a gradient.
type Paint struct {
	Colour   color.RGBA
	Hatching *Hatching // instead of the colour, if it is not nil
	Gradient *Gradient // likewise
	Opacity  float64   // from 0, none, to 1
}

// Any says whether the paint can be seen.
func (p Paint) Any() bool { return p.Opacity > 0 }

// Read reads a game's own SVG. It knows the elements and attributes that the games use, which is a small part of SVG,
// and is an error for any other.
func Read(doc []byte) (*Picture, error) {
	picture, err := read(doc)
	if err != nil {
		return nil, fmt.Errorf("svg: %w", err)
	}
	return picture, nil
}

func read(doc []byte) (*Picture, error) {
	root, err := readSVG(doc)
	if err != nil {
		return nil, err
	}
	box := numbers(root.attr["viewBox"])
	if root.name != "svg" || len(box) != 4 || box[2] < 1 || box[3] < 1 || box[2]*box[3] > 1<<24 {
		return nil, fmt.Errorf("a %s with the viewBox %q", root.name, root.attr["viewBox"])
	}
	r := &reader{picture: Picture{X: box[0], Y: box[1], Width: box[2], Height: box[3]}, named: map[string]*element{}}
	r.name(root)
	plain := style{fill: "#000000", stroke: "none", width: 1, fillOpacity: 1, strokeOpacity: 1, piece: -1,
		frame: frame{cos: 1}}
	if fill := root.attr["fill"]; fill != "" {
		plain.fill = fill
	}
	if err := r.children(root, plain); err != nil {
		return nil, err
	}
	return &r.picture, nil
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
	piece                      int
	frame                      frame
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
		// of the element itself, or always the same
		case "opacity", "transform", "dominant-baseline", "font-family", "data-seat", "data-actions", "data-room":
		case "x", "y", "width", "height", "rx", "cx", "cy", "r", "x1", "y1", "x2", "y2", "points", "d", "href", "id",
			"viewBox":
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

// A frame is how an element lies on the page: turned, then moved.
type frame struct{ sin, cos, x, y float64 }

func (f frame) at(x, y float64) Point {
	return Point{f.x + x*f.cos - y*f.sin, f.y + x*f.sin + y*f.cos}
}

// from is the point within the frame that lies at a point of the page.
func (f frame) from(p Point) Point {
	x, y := p.X-f.x, p.Y-f.y
	return Point{x*f.cos + y*f.sin, y*f.cos - x*f.sin}
}

func (f frame) translate(x, y float64) frame {
	p := f.at(x, y)
	f.x, f.y = p.X, p.Y
	return f
}

func (f frame) rotate(degrees float64) frame {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	f.sin, f.cos = f.sin*cos+f.cos*sin, f.cos*cos-f.sin*sin
	return f
}

// transform is a frame within f.
func (f frame) transform(text string) (frame, error) {
	for text != "" {
		name, args, rest, err := function(text)
		switch {
		case err != nil:
			return f, err
		case name == "translate" && len(args) == 2:
			f = f.translate(args[0], args[1])
		case name == "rotate" && len(args) == 1:
			f = f.rotate(args[0])
		case name == "rotate" && len(args) == 3:
			f = f.translate(args[1], args[2]).rotate(args[0]).translate(-args[1], -args[2])
		default:
			return f, fmt.Errorf("the transform %q is not known here", text)
		}
		text = rest
	}
	return f, nil
}

type reader struct {
	picture Picture
	named   map[string]*element
	deep    int // uses within uses
}

// name finds the elements that others may refer to.
func (r *reader) name(e *element) {
	if id := e.attr["id"]; id != "" {
		r.named[id] = e
	}
	for _, child := range e.children {
		r.name(child)
	}
}

func (r *reader) children(e *element, s style) error {
	for _, child := range e.children {
		if err := r.element(child, s); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) element(e *element, s style) error {
	if e.name == "defs" || e.name == "title" {
		return nil
	}
	s, err := s.with(e.attr)
	if err != nil {
		return fmt.Errorf("%s: %w", e.name, err)
	}
	if s.frame, err = s.frame.transform(e.attr["transform"]); err != nil {
		return err
	}
	if mark, ok := e.attr["data-seat"]; ok {
		s.piece = len(r.picture.Pieces)
		r.picture.Pieces = append(r.picture.Pieces, mark)
	}
	at := func(key string) float64 {
		x, _ := strconv.ParseFloat(e.attr[key], 64) // What isn't there is 0.
		return x
	}
	p := &plotter{frame: s.frame}
	switch e.name {
	case "g":
		return r.children(e, s)
	case "view": // of a part, not drawn
		return nil
	case "use":
		named := r.named[strings.TrimPrefix(e.attr["href"], "#")]
		if named == nil || named == e || named.name == "use" || r.deep > 4 {
			return fmt.Errorf("use of %q", e.attr["href"])
		}
		s.frame = s.frame.translate(at("x"), at("y"))
		r.deep++
		defer func() { r.deep-- }()
		return r.element(named, s)
	case "text":
		return r.write(e, s, at("x"), at("y"))
	case "rect":
		p.rect(at("x"), at("y"), at("width"), at("height"), min(at("rx"), at("width")/2, at("height")/2))
	case "circle":
		p.moveTo(at("cx")+at("r"), at("cy"))
		p.turn(at("cx"), at("cy"), at("r"), at("r"), 0, 2*math.Pi)
		p.close()
	case "line":
		p.moveTo(at("x1"), at("y1"))
		p.lineTo(at("x2"), at("y2"))
	case "polygon":
		for points := numbers(e.attr["points"]); len(points) >= 2; points = points[2:] {
			p.lineTo(points[0], points[1])
		}
		p.close()
	case "path":
		if err := p.path(e.attr["d"]); err != nil {
			return err
		}
	default:
		return fmt.Errorf("the element %s is not known here", e.name)
	}
	m := Mark{Piece: s.piece, Lines: p.lines, Width: s.width, dash: s.dash, round: s.round}
	if m.Fill, err = r.paint(s.fill, s.fillOpacity); err != nil {
		return err
	}
	if m.Stroke, err = r.paint(s.stroke, s.strokeOpacity); err != nil {
		return err
	}
	if m.Stroke.Hatching != nil || m.Stroke.Gradient != nil {
		return errors.New("a stroke with a pattern")
	}
	if m.Fill.Gradient != nil {
		m.Fill.Gradient.over(s.frame, m.Lines)
	}
	r.picture.Marks = append(r.picture.Marks, m)
	return nil
}

// paint reads a colour or the reference to a pattern.
func (r *reader) paint(text string, opacity float64) (Paint, error) {
	if text == "none" {
		return Paint{}, nil
	}
	p := Paint{Opacity: max(0, min(1, opacity))}
	var err error
	if id, ok := strings.CutPrefix(text, "url(#"); ok {
		id = strings.TrimSuffix(id, ")")
		if e := r.named[id]; e != nil && e.name != "pattern" {
			p.Gradient, err = gradient(e)
		} else {
			p.Hatching, err = r.hatching(id)
		}
	} else {
		p.Colour, err = parseColour(text)
	}
	return p, err
}

func (r *reader) write(e *element, s style, x, y float64) error {
	fill, err := r.paint(s.fill, s.fillOpacity)
	if err != nil || e.text == "" {
		return err
	}
	room := 0.0
	if text, ok := e.attr["data-room"]; ok {
		if room, err = strconv.ParseFloat(text, 64); err != nil {
			return err
		}
	}
	if e.attr["dominant-baseline"] == "middle" {
		y += 0.26 * s.font.size // half the height of an x
	}
	r.picture.Marks = append(r.picture.Marks, Mark{
		Piece: s.piece, Fill: fill, Text: e.text, At: s.frame.at(x, y), Angle: math.Atan2(s.frame.sin, s.frame.cos),
		Size: s.font.size, Bold: s.font.bold, Anchor: map[string]float64{"middle": 0.5, "end": 1}[s.anchor], Room: room,
	})
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

// Hatching is a pattern of rectangles, the later ones above, on tiles that may be turned.
type Hatching struct {
	width, height float64
	sin, cos      float64
	rects         [][4]float64
	Colours       []color.RGBA
}

func (r *reader) hatching(id string) (*Hatching, error) {
	e := r.named[id]
	if e == nil || e.name != "pattern" {
		return nil, fmt.Errorf("there is no pattern %q", id)
	}
	h := &Hatching{cos: 1}
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
	for _, tile := range e.children {
		x, err := parseColour(tile.attr["fill"])
		if err != nil || tile.name != "rect" {
			return nil, fmt.Errorf("a %s in the pattern %q: %w", tile.name, id, err)
		}
		var rect [4]float64
		for i, key := range []string{"x", "y", "width", "height"} {
			rect[i], _ = strconv.ParseFloat(tile.attr[key], 64)
		}
		h.rects, h.Colours = append(h.rects, rect), append(h.Colours, x)
	}
	return h, nil
}

// Gaps says whether something shows through the pattern.
func (h *Hatching) Gaps() bool {
	for _, r := range h.rects {
		if r[0] <= 0 && r[1] <= 0 && r[0]+r[2] >= h.width && r[1]+r[3] >= h.height {
			return false
		}
	}
	return true
}

// A Gradient goes from colour to colour along a line or, if it is radial, from a point outwards, in shares of the
// shape's width and height.
type Gradient struct {
	radial         bool
	x1, y1, x2, y2 float64 // from, to; radial: the middle, the radius
	stops          []stop

	frame      frame // of the shape, within which it takes left and top, width and height
	left, top  float64
	wide, high float64
}

type stop struct {
	offset     float64
	r, g, b, a float64 // each up to 255
}

func gradient(e *element) (*Gradient, error) {
	g := &Gradient{radial: e.name == "radialGradient", x2: 1}
	if !g.radial && e.name != "linearGradient" {
		return nil, fmt.Errorf("a %s as paint", e.name)
	}
	number := func(attr map[string]string, key string, missing float64) float64 {
		if x, err := strconv.ParseFloat(attr[key], 64); err == nil {
			return x
		}
		return missing
	}
	if g.radial {
		g.x1, g.y1, g.x2 = number(e.attr, "cx", 0.5), number(e.attr, "cy", 0.5), number(e.attr, "r", 0.5)
	} else {
		g.x1, g.y1 = number(e.attr, "x1", 0), number(e.attr, "y1", 0)
		g.x2, g.y2 = number(e.attr, "x2", 1), number(e.attr, "y2", 0)
	}
	for _, child := range e.children {
		c, err := parseColour(child.attr["stop-color"])
		if err != nil || child.name != "stop" {
			return nil, fmt.Errorf("a %s in a gradient: %w", child.name, err)
		}
		g.stops = append(g.stops, stop{number(child.attr, "offset", 0), float64(c.R), float64(c.G), float64(c.B),
			255 * number(child.attr, "stop-opacity", 1)})
	}
	if len(g.stops) == 0 {
		return nil, errors.New("a gradient without colours")
	}
	return g, nil
}

// over lays the gradient over a shape in a frame.
func (g *Gradient) over(f frame, lines []Line) {
	left, top, right, bottom := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, line := range lines {
		for _, p := range line.Points {
			p = f.from(p)
			left, top, right, bottom = min(left, p.X), min(top, p.Y), max(right, p.X), max(bottom, p.Y)
		}
	}
	g.frame, g.left, g.top, g.wide, g.high = f, left, top, max(right-left, 1e-9), max(bottom-top, 1e-9)
}

// At is the colour at a point of the page, and how much it covers, from 0 to 1.
func (g *Gradient) At(p Point) (c color.RGBA, opacity float64) {
	p = g.frame.from(p)
	x, y := (p.X-g.left)/g.wide-g.x1, (p.Y-g.top)/g.high-g.y1
	var t float64
	if g.radial {
		t = math.Hypot(x, y) / g.x2
	} else {
		dx, dy := g.x2-g.x1, g.y2-g.y1
		t = (x*dx + y*dy) / (dx*dx + dy*dy)
	}
	at := g.stops[0]
	for i, next := range g.stops {
		if t < next.offset {
			if i > 0 {
				share := (t - at.offset) / (next.offset - at.offset)
				mix := func(a, b float64) float64 { return a + (b-a)*share }
				at.r, at.g, at.b, at.a = mix(at.r, next.r), mix(at.g, next.g), mix(at.b, next.b), mix(at.a, next.a)
			}
			break
		}
		at = next
	}
	return color.RGBA{byte(at.r + 0.5), byte(at.g + 0.5), byte(at.b + 0.5), 255}, at.a / 255
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
