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
	fill    = color.RGBA{0x9c, 0xc3, 0xe0, 0xff}
	palette = [...]color.RGBA{
		{0x00, 0x72, 0xb2, 0xff}, {0xd5, 0x5e, 0x00, 0xff}, {0x00, 0x9e, 0x73, 0xff}, {0xcc, 0x79, 0xa7, 0xff},
		{0xe6, 0x9f, 0x00, 0xff}, {0x56, 0xb4, 0xe9, 0xff}, {0x7f, 0x5a, 0xb5, 0xff}, {0x80, 0x80, 0x80, 0xff},
	}
)

// inPage writes each colour as the page's style sheet calls it, and names fonts that other machines have.
func inPage(picture string) string {
	hex := func(c color.RGBA) string { return fmt.Sprintf(":#%02X%02X%02X", c.R, c.G, c.B) }
	names := []string{
		hex(ink), ":var(--ink)", hex(rule), ":var(--rule)", hex(fill), ":var(--fill)",
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
	barHeight  = 36 // of each bar with what is written above it
	barFrame   = 44 // of what stands below the bars
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

// barChart draws horizontal bars, the first on top, on an axis from low to high or farther, with their labels
// and texts above them. Where low is below 0, 0 is in the middle. A mark that is not 0 is a dashed line.
func barChart(label, x string, low, high, mark float64, bars []bar) (template.HTML, error) {
	const middle, thickness, textAt = -0.2, 0.34, 0.1 // of a bar and the text above it, in heights of a bar
	p := newPlot(x, "")
	values := make(plotter.Values, len(bars))
	var whiskers struct {
		plotter.XYs
		plotter.XErrors
	}
	for i, bar := range bars {
		at := len(bars) - 1 - i
		values[at] = bar.value
		if bar.ci[0] < bar.ci[1] {
			whiskers.XYs = append(whiskers.XYs, plotter.XY{X: bar.value, Y: float64(at) + middle})
			whiskers.XErrors = append(whiskers.XErrors,
				struct{ Low, High float64 }{bar.ci[0] - bar.value, bar.ci[1] - bar.value})
		}
		low, high = min(low, bar.ci[0]), max(high, bar.ci[1])
	}
	if low < 0 {
		high = max(high, -low)
		low = -high
	}
	chart, err := plotter.NewBarChart(values, barHeight*thickness)
	if err != nil {
		return "", err
	}
	chart.Horizontal, chart.XMin, chart.Color, chart.LineStyle.Width = true, middle, fill, 0
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Width = rule, 0
	p.Add(grid, chart)
	axis, err := plotter.NewLine(plotter.XYs{{X: 0, Y: -0.5}, {X: 0, Y: float64(len(bars)) - 0.5}})
	if err != nil {
		return "", err
	}
	axis.Color, axis.Width = ink, 0.5
	p.Add(axis)
	for at := range bars {
		if mark == 0 {
			break
		}
		line, err := plotter.NewLine(plotter.XYs{{X: mark, Y: float64(at) - 0.45}, {X: mark, Y: float64(at) + textAt}})
		if err != nil {
			return "", err
		}
		line.Color, line.Width, line.Dashes = ink, 1, dashes
		p.Add(line)
	}
	if len(whiskers.XYs) > 0 {
		intervals, err := plotter.NewXErrorBars(whiskers)
		if err != nil {
			return "", err
		}
		intervals.LineStyle.Color, intervals.LineStyle.Width, intervals.CapWidth = ink, 1, 5
		p.Add(intervals)
	}
	texts := plotter.XYLabels{}
	for i, bar := range bars {
		y := float64(len(bars)-1-i) + textAt
		texts.XYs = append(texts.XYs, plotter.XY{X: low, Y: y}, plotter.XY{X: high, Y: y})
		texts.Labels = append(texts.Labels, cut(spelling.Printable(bar.label), maxLabel), bar.text)
	}
	labels, err := plotter.NewLabels(texts)
	if err != nil {
		return "", err
	}
	labels.Offset.X = 3 // clear of the axis
	for i := range labels.TextStyle {
		labels.TextStyle[i] = p.X.Tick.Label
		labels.TextStyle[i].YAlign = draw.YBottom
		labels.TextStyle[i].XAlign = draw.XLeft
		if i%2 == 1 {
			labels.TextStyle[i].XAlign = draw.XRight
		}
	}
	p.Add(labels)
	p.HideY()
	p.X.Min, p.X.Max = low, high
	p.Y.Min, p.Y.Max = -0.5, float64(len(bars))-0.5
	return svg(p, vg.Length(barFrame+barHeight*len(bars)), label)
}

// The sizes of a chart of usage in points, and where its parts stand on an axis on which a family that is always
// chosen reaches 100.
const (
	usageHeight = 15 // of a family
	usageNames  = -85
	usageTexts  = 175
)

// usageChart draws what share of the decisions at which a family was legal went to it, with the counts.
func usageChart(label string, families []FamilyUsage) (template.HTML, error) {
	p := newPlot("chosen, % of the decisions at which it was legal", "")
	values := make(plotter.Values, len(families))
	texts := plotter.XYLabels{}
	for i, f := range families {
		at := len(families) - 1 - i
		values[at] = 100 * f.PerGame / f.LegalPerGame
		texts.XYs = append(texts.XYs, plotter.XY{X: usageNames, Y: float64(at)}, plotter.XY{X: usageTexts, Y: float64(at)})
		texts.Labels = append(texts.Labels, f.Family, f.text())
	}
	chart, err := plotter.NewBarChart(values, usageHeight*0.7)
	if err != nil {
		return "", err
	}
	chart.Horizontal, chart.Color, chart.LineStyle.Width = true, fill, 0
	axis, err := plotter.NewLine(plotter.XYs{{X: 0, Y: -0.5}, {X: 0, Y: float64(len(families)) - 0.5}})
	if err != nil {
		return "", err
	}
	axis.Color, axis.Width = ink, 0.5
	labels, err := plotter.NewLabels(texts)
	if err != nil {
		return "", err
	}
	for i := range labels.TextStyle {
		labels.TextStyle[i] = p.X.Tick.Label
		labels.TextStyle[i].XAlign, labels.TextStyle[i].YAlign = draw.XLeft, draw.YCenter
		if i%2 == 1 {
			labels.TextStyle[i].XAlign = draw.XRight
		}
	}
	p.Add(chart, axis, labels)
	p.HideY()
	p.X.Min, p.X.Max = usageNames, usageTexts
	p.X.Tick.Marker = plot.ConstantTicks{{Value: 0, Label: "0"}, {Value: 50, Label: "50"}, {Value: 100, Label: "100"}}
	p.Y.Min, p.Y.Max = -0.5, float64(len(families))-0.5
	return svg(p, vg.Length(barFrame+usageHeight*len(families)), label)
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
