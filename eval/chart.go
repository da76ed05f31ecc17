package eval

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"earthgym/env/spelling"
)

// The colours tell series apart for the colour-blind too. (Okabe and Ito, Color universal design, 2008.) They
// are names of what the page sets for light and dark screens: see inPage.
var (
	ink     = color.RGBA{0x33, 0x3a, 0x42, 0xff}
	rule    = color.RGBA{0xe3, 0xe6, 0xe9, 0xff}
	palette = [...]color.RGBA{
		{0x00, 0x72, 0xb2, 0xff}, {0xd5, 0x5e, 0x00, 0xff}, {0x00, 0x9e, 0x73, 0xff}, {0xcc, 0x79, 0xa7, 0xff},
		{0xe6, 0x9f, 0x00, 0xff}, {0x56, 0xb4, 0xe9, 0xff}, {0x7f, 0x5a, 0xb5, 0xff}, {0x80, 0x80, 0x80, 0xff},
	}
)

// inPage writes each colour as the page's style sheet calls it, and names fonts that other machines have.
func inPage(picture string) string {
	hex := func(c color.RGBA) string { return fmt.Sprintf(":#%02X%02X%02X", c.R, c.G, c.B) }
	names := []string{
		hex(ink), ":var(--ink)", hex(rule), ":var(--rule)",
		"font-family:Liberation Sans", "font-family:Liberation Sans,Arial,Helvetica,sans-serif",
	}
	for i, c := range palette {
		names = append(names, hex(c), fmt.Sprintf(":var(--series%d)", i))
	}
	return strings.NewReplacer(names...).Replace(picture)
}

// The sizes of a chart in points. On the screen of a telephone a chart is about as many pixels wide.
const (
	chartWidth = 340
	lineHeight = 210
	textSize   = 10
	maxBins    = 30
	maxLabel   = 28 // characters of a name
)

// newPlot is an empty plot in the report's manner.
func newPlot(x, y string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil // the page's
	p.X.Label.Text, p.Y.Label.Text = x, y
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Color, axis.Tick.Color, axis.Label.TextStyle.Color, axis.Tick.Label.Color = ink, ink, ink, ink
		axis.Label.TextStyle.Font.Variant, axis.Tick.Label.Font.Variant = "Sans", "Sans"
		axis.Label.TextStyle.Font.Size, axis.Tick.Label.Font.Size = textSize, textSize
		axis.Label.Padding = 4
	}
	p.Legend.TextStyle.Font.Variant, p.Legend.TextStyle.Font.Size, p.Legend.TextStyle.Color = "Sans", textSize, ink
	p.Legend.Top, p.Legend.Padding, p.Legend.ThumbnailWidth = true, 2, 12
	return p
}

// svg draws the plot as an element of an HTML page, which says what it shows to those who can't see it.
func svg(p *plot.Plot, height vg.Length, label string) (template.HTML, error) {
	c := vgsvg.New(chartWidth, height)
	p.Draw(draw.Crop(draw.New(c), 2, -14, 2, -6)) // the last tick's text reaches beyond its axis
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return "", err
	}
	// Inside a page, a picture has no prologue and needs no namespace.
	_, picture, ok := strings.Cut(b.String(), "<svg ")
	if !ok {
		return "", fmt.Errorf("draw %q: the picture has no svg element", label)
	}
	_, picture, _ = strings.Cut(picture, ">")
	return template.HTML(fmt.Sprintf(`<svg role="img" aria-label="%s" viewBox="0 0 %d %.0f">`,
		html.EscapeString(label), chartWidth, float64(height)) + inPage(picture)), nil
}

// A bar is a value with its interval, and both as text. Where both ends are the value, no interval is drawn.
type bar struct {
	label string
	value float64
	ci    Interval
	text  string
}

// bars are horizontal bars that the page draws, the first on top. Places are per cent of the width.
type bars struct {
	Axis, Low, High string
	Zero, Mark      float64 // Mark, a dashed line to compare with, is 0 if there is none
	Rows            []barRow
}

type barRow struct {
	Label, Text string
	From, Wide  float64 // the bar
	Low, Span   float64 // the interval
}

// newBars are bars on an axis from low to high or farther. Where low is below 0, 0 is in the middle.
func newBars(axis string, low, high, mark float64, list []bar) *bars {
	for _, b := range list {
		low, high = min(low, b.ci[0]), max(high, b.ci[1])
	}
	if low < 0 {
		high = max(high, -low)
		low = -high
	}
	at := func(x float64) float64 { return math.Round(1000*(x-low)/(high-low)) / 10 }
	b := &bars{Axis: axis, Low: fmt.Sprint(math.Round(100*low) / 100), High: fmt.Sprint(math.Round(100*high) / 100),
		Zero: at(0)}
	if mark != 0 {
		b.Mark = at(mark)
	}
	for _, x := range list {
		from, to := at(min(x.value, 0)), at(max(x.value, 0))
		b.Rows = append(b.Rows, barRow{spelling.Printable(x.label), x.text, from, to - from, at(x.ci[0]),
			at(x.ci[1]) - at(x.ci[0])})
	}
	return b
}

// dashes are those of a line to compare with.
var dashes = []vg.Length{4, 3}

// lineChart draws the series of a chart over one axis.
func lineChart(x string, c Chart) (template.HTML, error) {
	p, height, err := lines(x, "", c.Series, plotter.NoStep)
	if err != nil {
		return "", err
	}
	if c.Mark != 0 {
		p.Y.Min, p.Y.Max = min(p.Y.Min, c.Mark), max(p.Y.Max, c.Mark)
		line, err := plotter.NewLine(plotter.XYs{{X: p.X.Min, Y: c.Mark}, {X: p.X.Max, Y: c.Mark}})
		if err != nil {
			return "", err
		}
		line.Color, line.Width, line.Dashes = ink, 1, dashes
		p.Add(line)
	}
	return svg(p, height, c.Title)
}

// lines is a plot of series, with a legend if there are several, and its height.
func lines(x, y string, series []Series, steps plotter.StepKind) (*plot.Plot, vg.Length, error) {
	p := newPlot(x, y)
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = rule, rule
	p.Add(grid)
	for i, s := range series {
		points := s.finite()
		if len(points) == 0 {
			continue
		}
		line, err := plotter.NewLine(points)
		if err != nil {
			return nil, 0, err
		}
		line.Color, line.Width, line.StepStyle = palette[i%len(palette)], 1.25, steps
		p.Add(line)
		if len(series) > 1 {
			p.Legend.Add(cut(spelling.Printable(s.Name), maxLabel), line)
		}
	}
	height := vg.Length(lineHeight)
	if len(series) > 1 { // room for the legend above the lines
		p.Y.Max += (p.Y.Max - p.Y.Min) * 0.09 * float64(len(series))
		height += 12 * vg.Length(len(series))
	}
	return p, height, nil
}

// finite gives the points that can be drawn: of far larger numbers, no scale can be computed.
func (s Series) finite() plotter.XYs {
	const most = 1e30
	var points plotter.XYs
	for i := range min(len(s.X), len(s.Y)) {
		if math.Abs(s.X[i]) <= most && math.Abs(s.Y[i]) <= most { // not NaN either
			points = append(points, plotter.XY{X: s.X[i], Y: s.Y[i]})
		}
	}
	return points
}

// histogram draws how many of the samples of each series are in each of the same bins, in per cent of the
// series. Whole numbers get bins of whole width.
func histogram(label, x, of string, series []Series) (template.HTML, error) {
	low, high, whole := math.Inf(1), math.Inf(-1), true
	for _, s := range series {
		for _, v := range s.X {
			low, high = min(low, v), max(high, v)
			whole = whole && v == math.Trunc(v)
		}
	}
	width := (high - low) / maxBins
	switch {
	case whole:
		width = math.Floor((high-low)/maxBins) + 1
	case low == high:
		width = 1
	}
	if whole {
		low -= 0.5 // a bin is centred on its numbers
	}
	bins := int(math.Ceil((high - low) / width))
	bins = max(bins, 1)
	shares := make([]Series, len(series))
	for i, s := range series {
		counts := make([]float64, bins)
		for _, v := range s.X {
			counts[min(int((v-low)/width), bins-1)] += 100 / float64(len(s.X))
		}
		share := Series{Name: s.Name, X: []float64{low}, Y: []float64{0}}
		for b, n := range counts {
			share.X, share.Y = append(share.X, low+float64(b)*width), append(share.Y, n)
		}
		share.X, share.Y = append(share.X, low+float64(bins)*width), append(share.Y, 0)
		shares[i] = share
	}
	p, height, err := lines(x, "% of "+of, shares, plotter.PostStep)
	if err != nil {
		return "", err
	}
	if whole {
		p.X.Tick.Marker = plot.TickerFunc(wholeTicks)
	}
	return svg(p, height, label)
}

// wholeTicks are at most ten labelled multiples of 1, 2 or 5 times a power of ten.
func wholeTicks(from, to float64) []plot.Tick {
	step := 1.0
	for factors := [...]float64{2, 2.5, 2}; (to-from)/step > 9; {
		step *= factors[0]
		factors = [...]float64{factors[1], factors[2], factors[0]}
	}
	var ticks []plot.Tick
	for v := math.Ceil(from/step) * step; v <= to; v += step {
		ticks = append(ticks, plot.Tick{Value: v, Label: fmt.Sprintf("%.0f", v+0)})
	}
	return ticks
}
