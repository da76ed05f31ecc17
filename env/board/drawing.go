package board

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"earthgym/env"
)

// The size of a board, in units, and the least size of its texts. The page for playing leaves it 854 × 588 pixels on a
// screen of 1280 × 720, which makes that size ten pixels.
const (
	Wide     = 1280
	High     = 880
	Smallest = 15
)

// Colours that the games share. Those in Night have another shade on a dark page.
const (
	Cloth = "#e9e4d6" // below all
	Card  = "#fffdf8" // what lies on it
	Well  = "#d9d2c0" // what is cut into it
	Edge  = "#cbc3ae" // of both
	Ink   = "#22303a" // texts
	Pale  = "#4b5660" // texts that matter less
	Alarm = "#9f110b" // texts that warn
	Lit   = "#ffe08a" // ground of what matters now
	Land  = "#cddcae" // ground that nobody has
	Sea   = "#8fbcd4" // and water
	White = "#ffffff" // texts on dark ground
	Black = "#1c262e" // texts on light pieces
	shade = "#000"
)

// Night has the shades that a page puts in place of others when it is dark. Whatever is not in it stays as it is.
var Night = map[string]string{
	Cloth: "#18212a", Card: "#263340", Well: "#0f161d", Edge: "#465664", Ink: "#eef3f6", Pale: "#b4c0ca",
	Alarm: "#ff9c90", Lit: "#6a5210", Land: "#2c3d28", Sea: "#1c4259",
	// a track's spaces: that one is on, beyond its aim, and from well to lost
	"#c9e2cf": "#33513f", "#f3d36b": "#7d6216", "#a9cf9d": "#3c5f36", "#f1dd7a": "#6d6124", "#f3b27c": "#7f4b22",
	"#e58f86": "#8f322a",
}

// kit is what all boards have at hand: the weave of the cloth, the light of a lamp on it, light on round and on flat
// pieces, and stripes.
const kit = `<defs><pattern id="weave" width="4" height="4" patternUnits="userSpaceOnUse"><rect width="2" height="2" ` +
	`fill="#000"/><rect x="2" y="2" width="2" height="2" fill="#000"/></pattern>` +
	`<radialGradient id="lamp" r=".75">` + stops + `<radialGradient id="ball" cx=".36" cy=".3" r=".75">` +
	`<stop stop-color="#fff" stop-opacity=".6"/><stop offset=".32" stop-color="#fff" stop-opacity="0"/>` +
	`<stop offset=".45" stop-color="#000" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity=".42"/>` +
	`</radialGradient><linearGradient id="sheen" x2="0" y2="1"><stop stop-color="#fff" stop-opacity=".38"/>` +
	`<stop offset=".4" stop-color="#fff" stop-opacity="0"/><stop offset=".6" stop-color="#000" stop-opacity="0"/>` +
	`<stop offset="1" stop-color="#000" stop-opacity=".26"/></linearGradient>` +
	`<pattern id="stripes" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">` +
	`<rect width="8" height="8" fill="#ffd54a"/><rect width="4" height="8" fill="#2b2b2b"/></pattern></defs>`

const stops = `<stop stop-color="#fff" stop-opacity=".16"/><stop offset=".5" stop-color="#000" stop-opacity="0"/>` +
	`<stop offset="1" stop-color="#000" stop-opacity=".1"/></radialGradient>`

// Seat is how the pieces of a player look: their colour, and that of what is written on them.
type Seat struct{ Fill, Ink string }

// Seats are the colours of players 0 to 5 in every game. People with any colour vision can tell them apart, and each
// bears its Ink with a contrast of 4.5 or more.
var Seats = [6]Seat{
	{"#cf3a24", White}, // vermilion
	{"#1f4ed8", White}, // blue
	{"#ffbf1f", Black}, // amber
	{"#4a1259", White}, // purple
	{"#2fb58c", Black}, // green
	{"#8ecdf5", Black}, // sky
}

// InkOn is black or white, whichever can be read better on a colour written as #rrggbb: with a contrast of 4.5 or more.
func InkOn(fill string) string {
	rgb, err := strconv.ParseUint(strings.TrimPrefix(fill, "#"), 16, 32)
	if err != nil {
		return Ink
	}
	light := 0.0
	for i, share := range [3]float64{0.0722, 0.7152, 0.2126} { // blue, green, red
		x := float64(rgb>>(8*i)&0xff) / 255
		if x <= 0.04045 {
			light += share * x / 12.92
		} else {
			light += share * math.Pow((x+0.055)/1.055, 2.4)
		}
	}
	if light > 0.179 { // where black and white are equally far
		return "#000000"
	}
	return White
}

// Font is how a text is written. The zero Anchor is the start.
type Font struct {
	Size   int
	Fill   string
	Bold   bool
	Anchor string // start, middle or end: where x is in the text
}

// Middle is the font for texts that stand on both sides of x.
func (f Font) Middle() Font { f.Anchor = "middle"; return f }

// End is the font for texts that end at x.
func (f Font) End() Font { f.Anchor = "end"; return f }

// Strong is the font in bold letters.
func (f Font) Strong() Font { f.Bold = true; return f }

// In is the font in another colour.
func (f Font) In(fill string) Font { f.Fill = fill; return f }

// Sized is the font in another size.
func (f Font) Sized(size int) Font { f.Size = size; return f }

// Width is how wide a text is in the font.
func (f Font) Width(text string) float64 { return Width(text, f.Size, f.Bold) }

// leading is from one line of a paragraph to the next.
func (f Font) leading() float64 { return math.Round(1.32 * float64(f.Size)) }

// Paint is how a shape is filled and outlined. Empty colours are none; a Width of 0 stands for 1, an Opacity of 0 of
// the filling for all of it.
type Paint struct {
	Fill, Stroke string
	Width        float64
	Opacity      float64
	Dash         string // as in SVG: "4 3"
}

// A Drawing is an SVG document that is being written.
type Drawing struct{ dst []byte }

// NewDrawing begins a document of a size after what is in dst, with the cloth on all of it; its title is for those who
// hear it read.
func NewDrawing(dst []byte, title string, width, height float64) *Drawing {
	d := &Drawing{dst}
	d.Add(
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %v %v" role="img" fill="none" `+
			`font-family="Helvetica, Arial, sans-serif">`,
		width, height)
	d.put("<title>").escaped(title).put("</title>\n").put(kit)
	for _, p := range []Paint{{Fill: Cloth}, {Fill: "url(#weave)", Opacity: 0.025}, {Fill: "url(#lamp)"}} {
		d.Rect(0, 0, width, height, 0, p)
	}
	return d
}

// Bytes ends the document and gives it, after what was in dst.
func (d *Drawing) Bytes() []byte { return append(d.dst, "</svg>\n"...) }

// Add writes an element or more of the caller's own. Names from data files must not be in it: see Text.
func (d *Drawing) Add(format string, args ...any) {
	d.dst = append(fmt.Appendf(d.dst, format, args...), '\n')
}

// Text writes a text whose baseline is y.
func (d *Drawing) Text(x, y float64, f Font, text string) { d.text(x, y, f, "", text) }

// Turned writes a text that is turned about x, y by an angle in degrees, clockwise.
func (d *Drawing) Turned(x, y, angle float64, f Font, text string) {
	d.text(0, 0, f, fmt.Sprintf(` transform="translate(%.1f %.1f) rotate(%.1f)"`, x, y, angle), text)
}

func (d *Drawing) text(x, y float64, f Font, attributes, text string) {
	d.put(`<text x="`).number(x).put(`" y="`).number(y).put(`" font-size="`).number(float64(f.Size)).put(`"`)
	if f.Anchor != "" {
		d.put(` text-anchor="`).put(f.Anchor).put(`"`)
	}
	d.put(` fill="`).put(f.Fill).put(`"`)
	if f.Bold {
		d.put(` font-weight="bold"`)
	}
	d.put(attributes).put(">").escaped(text).put("</text>\n")
}

// Fit writes a text on one line that is at most so wide: smaller if need be, down to Smallest, and then shortened. One
// that names a seat says how much room there is, in which a page writes the name of who sits there.
func (d *Drawing) Fit(x, y, width float64, f Font, text string) {
	for f.Size > Smallest && f.Width(text) > width {
		f.Size--
	}
	d.text(x, y, f, room(text, width), Shorten(text, width, f.Size, f.Bold))
}

// room is the attribute of a text that names a seat, as Fit has it; "" of any other.
func room(text string, width float64) string {
	if !NamesSeat(text) {
		return ""
	}
	return fmt.Sprintf(` data-room="%.0f"`, math.Floor(width))
}

// NamesSeat says whether a text has a seat's number, in the place of which a page writes a name: "player 2", "Seat 0".
func NamesSeat(text string) bool {
	for _, word := range []string{"layer ", "eat "} {
		for rest := text; ; {
			_, after, ok := strings.Cut(rest, word)
			if !ok {
				break
			}
			if after != "" && after[0] >= '0' && after[0] <= '9' {
				return true
			}
			rest = after
		}
	}
	return false
}

// Lines writes a text on lines of a width at most, the first with its baseline at y, and gives the y of the line
// after the last. If most is not 0, no more lines are written, and an ellipsis says that there is more.
func (d *Drawing) Lines(x, y, width float64, most int, f Font, text string) float64 {
	lines := Wrap(text, width, f.Size, f.Bold)
	if most > 0 && len(lines) > most {
		lines = lines[:most]
		lines[most-1] = Shorten(lines[most-1]+" …", width, f.Size, f.Bold)
	}
	for _, line := range lines {
		d.text(x, y, f, room(line, width), line)
		y += f.leading()
	}
	return y
}

// Rect draws a rectangle with round corners of a radius.
func (d *Drawing) Rect(x, y, width, height, radius float64, p Paint) {
	d.put(`<rect x="`).number(x).put(`" y="`).number(y).put(`" width="`).number(width).put(`" height="`).number(height)
	if radius > 0 {
		d.put(`" rx="`).number(radius)
	}
	d.put(`"`).paint(p)
}

// Circle draws a circle.
func (d *Drawing) Circle(x, y, radius float64, p Paint) {
	d.put(`<circle cx="`).number(x).put(`" cy="`).number(y).put(`" r="`).number(radius).put(`"`).paint(p)
}

// Line draws a straight line.
func (d *Drawing) Line(x1, y1, x2, y2 float64, p Paint) {
	d.put(`<line x1="`).number(x1).put(`" y1="`).number(y1).put(`" x2="`).number(x2).put(`" y2="`).number(y2).put(`"`).
		paint(p)
}

// Polygon draws a closed line through points.
func (d *Drawing) Polygon(points []Point, p Paint) {
	d.put(`<polygon points="`)
	for i, at := range points {
		if i > 0 {
			d.put(" ")
		}
		d.number(at.X).put(",").number(at.Y)
	}
	d.put(`"`).paint(p)
}

// Point is a point of a picture.
type Point struct{ X, Y float64 }

// Path draws what SVG's path data say, from a point as their origin.
func (d *Drawing) Path(x, y float64, data string, p Paint) {
	d.put(`<path d="`).put(data).put(`"`)
	if x != 0 || y != 0 {
		d.put(` transform="translate(`).number(x).put(" ").number(y).put(`)"`)
	}
	d.paint(p)
}

// Use draws what an element of the caller's own with an id shows, with a point as its origin. What has no paint of its
// own has none.
func (d *Drawing) Use(id string, x, y float64) {
	d.put(`<use href="#`).put(id).put(`" x="`).number(x).put(`" y="`).number(y).put("\"/>\n")
}

// Piece begins a group of shapes and texts that belong to a player, End ends it. The mark is the player's digit or
// letter, and must be written on the piece as a word.
func (d *Drawing) Piece(mark string) { d.put(`<g data-seat="`).escaped(mark).put("\">\n") }

// Touch begins a group of shapes by which actions can be chosen, of which several may stand for one thing on the board;
// End ends it. The shapes are drawn like any other, so an unpainted one can't be seen: a page that lets people play
// marks it. Of Info it takes the actions' texts.
func (d *Drawing) Touch(info *env.Info, actions ...env.Action) {
	d.put(`<g data-actions="`)
	for i, a := range actions {
		if i > 0 {
			d.put("; ")
		}
		d.escaped(info.Actions[a].Text)
	}
	d.put("\">\n")
}

// TouchRect is Touch with an unpainted rectangle, over what is drawn there.
func (d *Drawing) TouchRect(info *env.Info, x, y, width, height, radius float64, actions ...env.Action) {
	d.Touch(info, actions...)
	d.Rect(x, y, width, height, radius, Paint{})
	d.End()
}

// Pane names a part of the picture that can be shown alone, where there is no room for the whole: "board", "seats".
func (d *Drawing) Pane(name string, x, y, width, height float64) {
	d.put(`<view id="`).escaped(name).put(`" viewBox="`).number(x).put(" ").number(y).put(" ").number(width).put(" ").
		number(height).put("\"/>\n")
}

// At begins a group that lies at a point; End ends it.
func (d *Drawing) At(x, y float64) {
	d.put(`<g transform="translate(`).number(x).put(" ").number(y).put(")\">\n")
}

// End ends a group.
func (d *Drawing) End() { d.put("</g>\n") }

// Sheet draws a card that lies on the cloth.
func (d *Drawing) Sheet(x, y, width, height float64) {
	d.Rect(x+1, y+3, width, height, 9, Paint{Fill: shade, Opacity: 0.16})
	d.Rect(x, y, width, height, 9, Paint{Fill: Card, Stroke: Edge})
}

// Block draws a flat piece of a colour, with light on it.
func (d *Drawing) Block(x, y, width, height, radius float64, fill string) {
	d.Rect(x+1, y+2, width, height, radius, Paint{Fill: shade, Opacity: 0.22})
	d.Rect(x, y, width, height, radius, Paint{Fill: fill})
	d.Rect(x, y, width, height, radius, Paint{Fill: "url(#sheen)"})
}

// Ball draws a round piece of a colour, with light on it.
func (d *Drawing) Ball(x, y, radius float64, p Paint) {
	if radius >= 12 { // a shadow that can be seen
		d.Circle(x+1, y+2, radius, Paint{Fill: shade, Opacity: 0.25})
	}
	d.Circle(x, y, radius, p)
	d.Circle(x, y, radius, Paint{Fill: "url(#ball)"})
}

// Raised draws a path as Path does, with light on it and a shadow below.
func (d *Drawing) Raised(x, y float64, data string, p Paint) {
	d.Path(x+1.5, y+3, data, Paint{Fill: shade, Opacity: 0.28})
	d.Path(x, y, data, p)
	d.Path(x, y, data, Paint{Fill: "url(#sheen)"})
}

// Disc draws a round piece of a player with a mark.
func (d *Drawing) Disc(x, y, radius float64, seat int, mark string) {
	colours := Seats[seat]
	d.Piece(mark)
	d.Ball(x, y, radius, Paint{Fill: colours.Fill, Stroke: White, Width: 1.5})
	size := max(Smallest, int(1.35*radius))
	d.Text(x, y+0.36*float64(size), Font{Size: size, Fill: colours.Ink, Bold: true}.Middle(), mark)
	d.End()
}

// put, escaped and number append without the cost of formats: a picture has hundreds of elements.
func (d *Drawing) put(text string) *Drawing {
	d.dst = append(d.dst, text...)
	return d
}

func (d *Drawing) escaped(text string) *Drawing {
	for _, r := range text {
		switch r {
		case '&':
			d.put("&amp;")
		case '<':
			d.put("&lt;")
		case '>':
			d.put("&gt;")
		case '"':
			d.put("&quot;")
		default:
			d.dst = utf8.AppendRune(d.dst, r)
		}
	}
	return d
}

// number appends a number with one decimal at most.
func (d *Drawing) number(v float64) *Drawing {
	tenths := int64(math.Round(10 * v))
	if tenths < 0 {
		d.dst = append(d.dst, '-')
		tenths = -tenths
	}
	d.dst = strconv.AppendInt(d.dst, tenths/10, 10)
	if tenths%10 != 0 {
		d.dst = append(d.dst, '.', byte('0'+tenths%10))
	}
	return d
}

// paint ends an element with its colours.
func (d *Drawing) paint(p Paint) {
	if p.Fill != "" {
		d.put(` fill="`).put(p.Fill).put(`"`)
	}
	if p.Opacity > 0 {
		d.put(` fill-opacity="`)
		d.dst = strconv.AppendFloat(d.dst, p.Opacity, 'g', 3, 64)
		d.put(`"`)
	}
	if p.Stroke != "" {
		d.put(` stroke="`).put(p.Stroke).put(`"`)
		if p.Width > 0 {
			d.put(` stroke-width="`).number(p.Width).put(`"`)
		}
		if p.Dash != "" {
			d.put(` stroke-dasharray="`).put(p.Dash).put(`"`)
		}
	}
	d.put("/>\n")
}
