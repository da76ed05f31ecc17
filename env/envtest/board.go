package envtest

import (
	"fmt"
	"image/color"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"earthgym/env"
	"earthgym/env/board"
	"earthgym/env/internal/raster"
)

// checkBoard tests that pictures and text views can be read, for those who look on, who decide, and one who waits.
func checkBoard(s *subject) error {
	return s.look(func(st env.State, _ *play, _ int) error { return Lint(st) })
}

// Lint reports what cannot be read in a State's pictures and text views. In pictures that is text outside the page,
// across an edge, under a shape or on other text, or cut; text smaller than board.Smallest, or with less contrast
// than WCAG asks for (4.5, large text 3); text that names a seat without saying how much room there is; players'
// colours that a deuteranope cannot tell apart, and pieces in such a colour that don't carry the mark of their
// player. In text views it is lines longer than board.Columns, and one thing counted as several are.
func Lint(st env.State) error {
	info := st.Game().Info()
	viewers := []env.Player{env.Spectator, 0}
	if p := st.Actor(); p > 0 {
		viewers = append(viewers, p)
	}
	read := map[string]bool{"": true} // where nothing is hidden, all see one picture
	for _, p := range viewers {
		faults := lintText(env.TextView(st, p))
		if svg := env.Drawing(st, p); !read[svg] {
			read[svg] = true
			faults = append(faults, lintDrawing(svg, info.Players)...)
		}
		if len(faults) > 0 {
			return fmt.Errorf("as viewer %d sees the board (position %s):\n\t%s", p, st.AppendPosition(nil),
				strings.Join(faults, "\n\t"))
		}
	}
	return nil
}

// manyOf finds one thing that is counted as several are.
var manyOf = regexp.MustCompile(`(?:^|[^-+/.,\d])1 (?:card|development|election|fleet|good|machine|point|promise|` +
	`round|stone|token|turn|unit|zone)s\b`)

func lintText(text string) []string {
	var faults []string
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if n := utf8.RuneCountInString(line); n > board.Columns {
			faults = append(faults, fmt.Sprintf("a line of the text view has %d columns: %s", n, line))
		}
		if many := manyOf.FindString(line); many != "" {
			faults = append(faults, fmt.Sprintf("a line of the text view says %q: %s", many, line))
		}
		if i := strings.IndexFunc(line, unicode.IsControl); i >= 0 {
			faults = append(faults, fmt.Sprintf("a line of the text view has the control character %q: %s", line[i], line))
		}
	}
	return faults
}

// A sheet is a drawing that is being looked at.
type sheet struct {
	*raster.Picture
	boxes  []box  // of each mark
	quads  []quad // of each text
	faults []string
}

// lintDrawing gives the faults of a drawing of a table with so many players.
func lintDrawing(svg string, players int) []string {
	picture, err := raster.Read([]byte(svg))
	if err != nil {
		return []string{err.Error()}
	}
	s := &sheet{Picture: picture}
	for i := range s.Marks {
		m := &s.Marks[i]
		q := quad{}
		if m.Text != "" {
			q = textQuad(m)
			s.boxes = append(s.boxes, boxOf(q[:]))
		} else {
			b := box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
			for _, line := range m.Lines {
				b = b.and(boxOf(line.Points))
			}
			s.boxes = append(s.boxes, b)
		}
		s.quads = append(s.quads, q)
	}
	for i := range s.Marks {
		b := s.boxes[i]
		const slack = 1
		if b.left < s.X-slack || b.top < s.Y-slack || b.right > s.X+s.Width+slack || b.bottom > s.Y+s.Height+slack {
			s.fault(i, "is not on the page")
		}
		if s.Marks[i].Text != "" {
			s.lintWriting(i)
		}
	}
	s.lintPieces(players)
	return s.faults
}

// fault reports what is wrong with a mark.
func (s *sheet) fault(i int, format string, args ...any) {
	b := s.boxes[i]
	what := "a shape"
	if text := s.Marks[i].Text; text != "" {
		what = fmt.Sprintf("the text %q", text)
	}
	s.faults = append(s.faults, fmt.Sprintf("%s at %.0f,%.0f to %.0f,%.0f ", what, b.left, b.top, b.right, b.bottom)+
		fmt.Sprintf(format, args...))
}

// lintWriting looks at a text, and at what lies below and above it.
func (s *sheet) lintWriting(i int) {
	m := &s.Marks[i]
	if size := m.Size * min(board.Wide/s.Width, board.High/s.Height); size < board.Smallest {
		s.fault(i, "has the size %.1f on a board of %d × %d, less than %d", size, board.Wide, board.High, board.Smallest)
	}
	if board.NamesSeat(m.Text) && m.Room == 0 {
		s.fault(i, "names a seat without saying how wide the name of who sits there may be: write it with Fit or Lines")
	}
	if strings.HasSuffix(m.Text, "…") {
		s.fault(i, "is cut")
	}
	middle := s.quads[i].middle()
	for k := range s.Marks {
		other := &s.Marks[k]
		switch {
		case k == i || !s.boxes[i].meets(s.boxes[k].wider(other.Width/2)):
		case other.Text != "":
			if k > i && s.quads[i].meets(s.quads[k]) {
				s.fault(i, "meets the text %q", other.Text)
			}
		case k > i && other.Fill.Any() && inside(other, middle):
			s.fault(i, "lies under a shape")
		case s.crosses(k, i):
			s.fault(i, "lies across the edge of the shape at %.0f,%.0f to %.0f,%.0f",
				s.boxes[k].left, s.boxes[k].top, s.boxes[k].right, s.boxes[k].bottom)
		}
	}
	least := 4.5
	if m.Size >= 24 || m.Bold && m.Size >= 18.66 {
		least = 3
	}
	for _, night := range []bool{false, true} {
		for _, ground := range s.grounds(i, middle, night) {
			if c := contrast(over(ground, shade(m.Fill.Colour, night), m.Fill.Opacity), ground); c < least-0.005 {
				s.fault(i, "has a contrast of %.2f on #%02x%02x%02x, less than %v", c, ground.R, ground.G, ground.B, least)
				return
			}
		}
	}
}

// crosses says whether an edge of the shape k that can be seen lies on the text i.
func (s *sheet) crosses(k, i int) bool {
	m := &s.Marks[k]
	stroked := m.Stroke.Any() && m.Width > 0
	if !stroked && !m.Fill.Any() {
		return false
	}
	q := s.quads[i]
	if stroked {
		q = q.grown(m.Width / 2)
	}
	for _, line := range m.Lines {
		for j := range line.Points {
			a, b := line.Points[j], line.Points[(j+1)%len(line.Points)]
			if j == len(line.Points)-1 && !line.Closed && (stroked && !m.Fill.Any() || len(line.Points) < 3) {
				break
			}
			if at, ok := q.clip(a, b); ok && !(k < i && s.hidden(k, i, at)) {
				return true
			}
		}
	}
	return false
}

// hidden says whether a point of the shape k is covered by what is painted between it and the text i.
func (s *sheet) hidden(k, i int, at raster.Point) bool {
	for j := k + 1; j < i; j++ {
		if m := &s.Marks[j]; m.Text == "" && m.Fill.Opacity >= 0.99 && m.Fill.Gradient == nil && s.boxes[j].has(at) &&
			(m.Fill.Hatching == nil || !m.Fill.Hatching.Gaps()) && inside(m, at) {
			return true
		}
	}
	return false
}

// shade is a colour as a page shows it.
func shade(c color.RGBA, night bool) color.RGBA {
	if night {
		if dark, ok := nights[c]; ok {
			return dark
		}
	}
	return c
}

var nights = func() map[color.RGBA]color.RGBA {
	read := func(text string) color.RGBA {
		x, _ := strconv.ParseUint(text[1:], 16, 32)
		return color.RGBA{byte(x >> 16), byte(x >> 8), byte(x), 255}
	}
	nights := map[color.RGBA]color.RGBA{}
	for light, dark := range board.Night {
		nights[read(light)] = read(dark)
	}
	return nights
}()

// grounds are the colours on which a text stands: several if there is a pattern below it.
func (s *sheet) grounds(i int, at raster.Point, night bool) []color.RGBA {
	grounds := []color.RGBA{{255, 255, 255, 255}}
	for k := range i {
		m := &s.Marks[k]
		if m.Text != "" || !m.Fill.Any() || !s.boxes[k].has(at) || !inside(m, at) {
			continue
		}
		colours, opacity := []color.RGBA{shade(m.Fill.Colour, night)}, m.Fill.Opacity
		var next []color.RGBA
		if g := m.Fill.Gradient; g != nil {
			c, share := g.At(at)
			colours, opacity = []color.RGBA{c}, opacity*share
		}
		if h := m.Fill.Hatching; h != nil {
			colours = h.Colours
			if h.Gaps() {
				next = grounds
			}
		}
		for _, c := range colours {
			for _, g := range grounds {
				next = append(next, over(g, c, opacity))
			}
		}
		grounds = next
	}
	return grounds
}

// leastDistance is how far the colours of two players must be apart (CIE 1976), as most people and as deuteranopes
// see them: 2.3 can just be told side by side; pieces lie apart and among other colours.
const leastDistance = 20

// lintPieces looks at the groups that belong to players.
func (s *sheet) lintPieces(players int) {
	type look struct {
		colour color.RGBA
		known  bool
		label  bool
		mark   int // of Marks
	}
	looks := make([]look, len(s.Pieces))
	for i := range s.Marks {
		m := &s.Marks[i]
		if m.Piece < 0 {
			continue
		}
		l := &looks[m.Piece]
		l.mark = i
		switch p := m.Fill; {
		case m.Text != "":
			words := strings.FieldsFunc(m.Text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
			l.label = l.label || slices.Contains(words, s.Pieces[m.Piece])
		case !l.known:
			if !p.Any() || p.Hatching != nil || p.Gradient != nil {
				p = m.Stroke
			}
			if p.Opacity > 0.5 {
				l.colour, l.known = p.Colour, true
			}
		}
	}
	colours := map[color.RGBA]string{}
	var order []color.RGBA
	for k, l := range looks {
		if l.known && colours[l.colour] == "" {
			colours[l.colour] = s.Pieces[k]
			order = append(order, l.colour)
		}
		switch {
		case !l.known:
			s.fault(l.mark, "is of a piece of %s without a colour", s.Pieces[k])
		case !l.label:
			s.fault(l.mark, "is of a piece of %s that doesn't bear that mark", s.Pieces[k])
		case colours[l.colour] != s.Pieces[k]:
			s.fault(l.mark, "is of a piece of %s in the colour of %s", s.Pieces[k], colours[l.colour])
		}
	}
	var marks []string
	for i, a := range order {
		if !slices.Contains(marks, colours[a]) {
			marks = append(marks, colours[a])
		}
		for _, b := range order[:i] {
			if colours[a] == colours[b] {
				s.faults = append(s.faults, fmt.Sprintf("pieces of %s have two colours, %x and %x", colours[a], a, b))
			} else if d := distance(a, b); d < leastDistance {
				s.faults = append(s.faults, fmt.Sprintf("the colours of %s and %s are %.1f apart for a deuteranope, less than %d",
					colours[a], colours[b], d, leastDistance))
			}
		}
	}
	if len(marks) < players {
		s.faults = append(s.faults, fmt.Sprintf("of %d players only %d have a piece with their mark (data-seat): %q", players,
			len(marks), marks))
	}
	for i := range s.Marks {
		if m := &s.Marks[i]; m.Piece < 0 && m.Text == "" && m.Fill.Hatching == nil && m.Fill.Gradient == nil &&
			m.Fill.Opacity > 0.5 &&
			colours[m.Fill.Colour] != "" {
			s.fault(i, "has the colour of %s, but is no piece with that mark", colours[m.Fill.Colour])
		}
	}
}

// A box is a part of the page.
type box struct{ left, top, right, bottom float64 }

func boxOf(points []raster.Point) box {
	b := box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, p := range points {
		b = b.and(box{p.X, p.Y, p.X, p.Y})
	}
	return b
}

func (b box) and(o box) box {
	return box{min(b.left, o.left), min(b.top, o.top), max(b.right, o.right), max(b.bottom, o.bottom)}
}

func (b box) wider(by float64) box { return box{b.left - by, b.top - by, b.right + by, b.bottom + by} }

func (b box) meets(o box) bool {
	return b.left < o.right && o.left < b.right && b.top < o.bottom && o.top < b.bottom
}

func (b box) has(p raster.Point) bool {
	return b.left <= p.X && p.X <= b.right && b.top <= p.Y && p.Y <= b.bottom
}

// A quad is the rectangle of a text, turned as it is, clockwise from the start of its top.
type quad [4]raster.Point

// textQuad is what the letters of a text cover: up to the height of capitals, down to the baseline or, if some of
// them reach lower, as far as those do.
func textQuad(m *raster.Mark) quad {
	width := board.Width(m.Text, 2048, m.Bold) * m.Size / 2048
	left, top, bottom := -m.Anchor*width, -0.72*m.Size, 0.01*m.Size
	if strings.ContainsAny(m.Text, "gjpqyQ,;()[]|/@çşţ") {
		bottom = 0.21 * m.Size
	}
	sin, cos := math.Sincos(m.Angle)
	at := func(x, y float64) raster.Point {
		return raster.Point{X: m.At.X + x*cos - y*sin, Y: m.At.Y + x*sin + y*cos}
	}
	const air = 0.4 // that letters leave
	return quad{at(left+air, top+air), at(left+width-air, top+air), at(left+width-air, bottom-air),
		at(left+air, bottom-air)}
}

func (q quad) middle() raster.Point {
	return raster.Point{X: (q[0].X + q[2].X) / 2, Y: (q[0].Y + q[2].Y) / 2}
}

// grown moves the sides outwards.
func (q quad) grown(by float64) quad {
	m := q.middle()
	along := unit(q[0], q[1])
	down := unit(q[1], q[2])
	for i, p := range q {
		sx, sy := by, by
		if (p.X-m.X)*along.X+(p.Y-m.Y)*along.Y < 0 {
			sx = -by
		}
		if (p.X-m.X)*down.X+(p.Y-m.Y)*down.Y < 0 {
			sy = -by
		}
		q[i] = raster.Point{X: p.X + sx*along.X + sy*down.X, Y: p.Y + sx*along.Y + sy*down.Y}
	}
	return q
}

func unit(a, b raster.Point) raster.Point {
	d := math.Hypot(b.X-a.X, b.Y-a.Y)
	if d == 0 {
		return raster.Point{}
	}
	return raster.Point{X: (b.X - a.X) / d, Y: (b.Y - a.Y) / d}
}

// meets says whether two quads have a point in common: no side of either separates them.
func (q quad) meets(o quad) bool {
	for _, pair := range [2][2]quad{{q, o}, {o, q}} {
		for i := range 4 {
			a, b := pair[0][i], pair[0][(i+1)%4]
			apart := true
			for _, p := range pair[1] {
				apart = apart && (b.X-a.X)*(p.Y-a.Y)-(b.Y-a.Y)*(p.X-a.X) <= 0
			}
			if apart {
				return false
			}
		}
	}
	return true
}

// clip is the middle of the part of a line within the quad, if there is one.
func (q quad) clip(a, b raster.Point) (raster.Point, bool) {
	from, to := 0.0, 1.0
	for i := range 4 {
		c, d := q[i], q[(i+1)%4]
		side := func(p raster.Point) float64 { return (d.X-c.X)*(p.Y-c.Y) - (d.Y-c.Y)*(p.X-c.X) }
		sa, sb := side(a), side(b)
		switch {
		case sa < 0 && sb < 0:
			return raster.Point{}, false
		case sa < 0:
			from = max(from, sa/(sa-sb))
		case sb < 0:
			to = min(to, sa/(sa-sb))
		}
	}
	if from >= to {
		return raster.Point{}, false
	}
	t := (from + to) / 2
	return raster.Point{X: a.X + t*(b.X-a.X), Y: a.Y + t*(b.Y-a.Y)}, true
}

// inside says whether a point lies within the filling of a shape (nonzero rule).
func inside(m *raster.Mark, at raster.Point) bool {
	winding := 0
	for _, line := range m.Lines {
		for j, a := range line.Points {
			b := line.Points[(j+1)%len(line.Points)]
			side := (b.X-a.X)*(at.Y-a.Y) - (b.Y-a.Y)*(at.X-a.X)
			switch {
			case a.Y <= at.Y && b.Y > at.Y && side > 0:
				winding++
			case a.Y > at.Y && b.Y <= at.Y && side < 0:
				winding--
			}
		}
	}
	return winding != 0
}

// over is a colour painted on another.
func over(ground, c color.RGBA, opacity float64) color.RGBA {
	mix := func(g, c uint8) uint8 { return uint8(math.Round(float64(g) + (float64(c)-float64(g))*opacity)) }
	return color.RGBA{mix(ground.R, c.R), mix(ground.G, c.G), mix(ground.B, c.B), 255}
}

// linear are the shares of red, green and blue light.
func linear(c color.RGBA) [3]float64 {
	var light [3]float64
	for i, v := range [3]uint8{c.R, c.G, c.B} {
		x := float64(v) / 255
		if x <= 0.04045 {
			light[i] = x / 12.92
		} else {
			light[i] = math.Pow((x+0.055)/1.055, 2.4)
		}
	}
	return light
}

// contrast is that of WCAG 2: from 1 to 21.
func contrast(a, b color.RGBA) float64 {
	luminance := func(c color.RGBA) float64 {
		l := linear(c)
		return 0.2126*l[0] + 0.7152*l[1] + 0.0722*l[2]
	}
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// deuteranope is how red, green and blue light look to people without the middle cones (Machado, Oliveira and
// Fernandes 2009).
var deuteranope = [3][3]float64{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413},
	{-0.011820, 0.042940, 0.968881}}

// distance is the lesser one of two colours as most people and as deuteranopes see them, in CIE L*a*b*.
func distance(a, b color.RGBA) float64 {
	x, y := linear(a), linear(b)
	return min(apart(x, y), apart(seen(x), seen(y)))
}

func seen(light [3]float64) (as [3]float64) {
	for i, row := range deuteranope {
		for k, share := range row {
			as[i] += share * light[k]
		}
		as[i] = max(0, min(1, as[i]))
	}
	return as
}

func apart(x, y [3]float64) float64 {
	lab := func(l [3]float64) (lab [3]float64) {
		f := func(t float64) float64 {
			if t > 0.008856 {
				return math.Cbrt(t)
			}
			return 7.787*t + 16./116
		}
		fx := f((0.4124564*l[0] + 0.3575761*l[1] + 0.1804375*l[2]) / 0.95047)
		fy := f(0.2126729*l[0] + 0.7151522*l[1] + 0.0721750*l[2])
		fz := f((0.0193339*l[0] + 0.1191920*l[1] + 0.9503041*l[2]) / 1.08883)
		return [3]float64{116*fy - 16, 500 * (fx - fy), 200 * (fy - fz)}
	}
	a, b := lab(x), lab(y)
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
}
