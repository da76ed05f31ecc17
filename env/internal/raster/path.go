package raster

import (
	"fmt"
	"math"
	"strings"
)

// A plotter lays out the outline of a shape.
type plotter struct {
	frame frame
	lines []Line
	again *Point // where a line goes on that comes after a closed one
}

func (p *plotter) moveTo(x, y float64) {
	p.lines, p.again = append(p.lines, Line{Points: []Point{p.frame.at(x, y)}}), nil
}

func (p *plotter) lineTo(x, y float64) {
	if p.again != nil {
		p.lines, p.again = append(p.lines, Line{Points: []Point{*p.again}}), nil
	}
	if len(p.lines) == 0 {
		p.lines = append(p.lines, Line{})
	}
	line := &p.lines[len(p.lines)-1]
	line.Points = append(line.Points, p.frame.at(x, y))
}

func (p *plotter) close() {
	if len(p.lines) > 0 {
		line := &p.lines[len(p.lines)-1]
		line.Closed, p.again = true, &line.Points[0]
	}
}

func (p *plotter) rect(x, y, width, height, radius float64) {
	right, bottom := x+width, y+height
	if radius <= 0 {
		p.moveTo(x, y)
		p.lineTo(right, y)
		p.lineTo(right, bottom)
		p.lineTo(x, bottom)
		p.close()
		return
	}
	const quarter = math.Pi / 2
	p.moveTo(x+radius, y)
	p.lineTo(right-radius, y)
	p.turn(right-radius, y+radius, radius, radius, -quarter, 0)
	p.lineTo(right, bottom-radius)
	p.turn(right-radius, bottom-radius, radius, radius, 0, quarter)
	p.lineTo(x+radius, bottom)
	p.turn(x+radius, bottom-radius, radius, radius, quarter, 2*quarter)
	p.lineTo(x, y+radius)
	p.turn(x+radius, y+radius, radius, radius, 2*quarter, 3*quarter)
	p.close()
}

// turn goes along an ellipse from one angle to another, from where the pen is.
func (p *plotter) turn(x, y, rx, ry, from, to float64) {
	steps := max(2, math.Ceil(math.Abs(to-from)*math.Sqrt(max(rx, ry))*1.5))
	for i := range int(steps) {
		sin, cos := math.Sincos(from + (to-from)*float64(i+1)/steps)
		p.lineTo(x+rx*cos, y+ry*sin)
	}
}

// curve is a Bézier curve of any degree through its first and last point.
func (p *plotter) curve(points ...float64) {
	const steps = 20
	for i := range steps {
		t := float64(i+1) / steps
		work := append([]float64(nil), points...)
		for n := len(work); n > 2; n -= 2 {
			for k := range n - 2 {
				work[k] += (work[k+2] - work[k]) * t
			}
		}
		p.lineTo(work[0], work[1])
	}
}

// path lays out the data of a path.
func (p *plotter) path(d string) error {
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
			p.moveTo(x, y)
			fromX, fromY = x, y
			command -= 'm' - 'l' // More numbers are lines.
		case 'l', 'h', 'v':
			p.lineTo(x, y)
		case 'q':
			p.curve(oldX, oldY, ox+args[0], oy+args[1], x, y)
		case 'c':
			p.curve(oldX, oldY, ox+args[0], oy+args[1], ox+args[2], oy+args[3], x, y)
		case 'a':
			p.arc(oldX, oldY, args[0], args[1], args[3] != 0, args[4] != 0, x, y)
		case 'z':
			p.close()
			command = 0
		}
	}
}

// arc goes from one point to another along an ellipse that is not turned (SVG 1.1, F.6.5).
func (p *plotter) arc(x1, y1, rx, ry float64, large, sweep bool, x2, y2 float64) {
	rx, ry = math.Abs(rx), math.Abs(ry)
	if rx == 0 || ry == 0 || x1 == x2 && y1 == y2 {
		p.lineTo(x2, y2)
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
	p.turn(cx+(x1+x2)/2, cy+(y1+y2)/2, rx, ry, from, to)
}
