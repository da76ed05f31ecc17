package resilience

import (
	"fmt"
	"math"
	"strings"

	"earthgym/env"
)

// The board as a picture: 36 hexagons with the tower in their middle, the stacks below, the tower's
// gauge and a panel for each seat beside it.

const (
	pictureWidth  = 1080
	pictureHeight = 760
	boardX        = 310.0 // middle of the board
	boardY        = 352.0
	hexSize       = 47.0 // middle to corner
	gaugeX        = 636.0
	panelX        = 740.0
)

var seatColours = [maxPlayers]string{"#c8443c", "#2b6cb0", "#d99a08", "#7a4aa0"}

// AppendSVG draws the table as p sees it.
func (s *State) AppendSVG(dst []byte, p env.Player) []byte {
	d := drawing{dst}
	d.add(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="Helvetica, Arial, sans-serif">`, pictureWidth, pictureHeight)
	d.add(`<defs><pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">` +
		`<rect width="3.2" height="7" fill="#5d6266"/></pattern></defs>`)
	d.add(`<rect width="%d" height="%d" fill="#f4f1e8"/>`, pictureWidth, pictureHeight)
	s.drawHead(&d)
	for f := range Field(NumFields) {
		s.drawField(&d, f)
	}
	s.drawTower(&d)
	s.drawStacks(&d)
	s.drawGauge(&d)
	for q := range env.Player(s.game.players) {
		s.drawSeat(&d, q, p)
	}
	s.drawFoot(&d)
	d.add(`</svg>`)
	return d.dst
}

// drawing appends elements.
type drawing struct{ dst []byte }

func (d *drawing) add(format string, args ...any) {
	d.dst = append(fmt.Appendf(d.dst, format, args...), '\n')
}

// text writes a text, which is our own and needs no escape; anchor is start, middle or end, and style
// further attributes.
func (d *drawing) text(x, y float64, size int, anchor, style, text string) {
	d.add(`<text x="%.1f" y="%.1f" font-size="%d" text-anchor="%s" %s>%s</text>`, x, y, size, anchor, style, text)
}

const (
	ink  = `fill="#22303a"`
	pale = `fill="#6c757d"`
	bold = `fill="#22303a" font-weight="bold"`
)

// centre is where a place of the board lies in the picture.
func centre(at hex) (x, y float64) {
	return boardX + 1.5*hexSize*float64(at.q), boardY + math.Sqrt(3)*hexSize*(float64(at.r)+float64(at.q)/2)
}

// Hexagons of hexSize and a little less, with their points at the sides.
const (
	hexagon = "47,0 23.5,40.7 -23.5,40.7 -47,0 -23.5,-40.7 23.5,-40.7"
	within  = "43,0 21.5,37.2 -21.5,37.2 -43,0 -21.5,-37.2 21.5,-37.2"
)

func (s *State) drawHead(d *drawing) {
	d.text(24, 34, 22, "start", bold, title)
	d.text(24, 58, 14, "start", ink, fmt.Sprintf("Round %d, turn %d of %d", s.round, s.turn+1, s.game.players))
	d.text(596, 34, 14, "end", ink, s.clockText())
	least, most := s.game.Lengths()
	if s.phase == Over {
		least, most = int(s.limit), int(s.limit)
	}
	// The time used, on a bar up to the latest end; the part where the signal may sound is hatched.
	const x, width = 336.0, 260.0
	unit := width / float64(max(most, s.Clock()))
	d.add(`<rect x="%.1f" y="44" width="%.1f" height="12" rx="6" fill="#dcd6c4"/>`, x, width)
	d.add(`<rect x="%.1f" y="44" width="%.1f" height="12" rx="6" fill="#2a9d8f"/>`, x, unit*float64(s.Clock()))
	d.add(`<rect x="%.1f" y="44" width="%.1f" height="12" fill="url(#hatch)" opacity="0.45"/>`, x+unit*float64(least), max(unit*float64(most-least), 2))
}

func (s *State) drawField(d *drawing, f Field) {
	x, y := centre(f.place())
	owner := s.Owner(f)
	d.add(`<g transform="translate(%.1f %.1f)">`, x, y)
	d.add(`<polygon points="` + hexagon + `" fill="#dfe7c9" stroke="#f4f1e8" stroke-width="2"/>`)
	if owner >= 0 {
		d.add(`<polygon points="`+within+`" fill="%s" fill-opacity="0.30" stroke="%s" stroke-width="3"/>`, seatColours[owner], seatColours[owner])
	}
	name := pale
	switch {
	case s.destroyed.Has(f):
		d.add(`<polygon points="` + within + `" fill="#23272b" fill-opacity="0.88"/>`)
		name = `fill="#ced4da"`
	case s.blocked.Has(f):
		d.add(`<polygon points="` + within + `" fill="url(#hatch)" fill-opacity="0.55"/>`)
	}
	d.add(`<text y="-25" font-size="12" text-anchor="middle" %s>%s</text>`, name, f.String())
	if owner >= 0 {
		drawBuilding(d, s.Level(f), owner)
	}
	if s.smogged.Has(f) {
		d.add(`<path d="M-34,-8 a5,5 0 0 1 1,-9 a7,7 0 0 1 12,-1 a5,5 0 0 1 3,10 Z" fill="#868e96" stroke="#ffffff" stroke-width="1.2"/>`)
	}
	if s.left[f] > 0 {
		colour := "#5d6266"
		if s.destroyed.Has(f) {
			colour = "#000000"
		}
		d.add(`<rect x="-17" y="17" width="34" height="18" rx="9" fill="%s" stroke="#ffffff" stroke-width="1.5"/>`, colour)
		d.text(0, 31, 13, "middle", `fill="#ffffff" font-weight="bold"`, s.coverLetter(f)+roundsText(int(s.left[f]), "∞"))
	}
	d.add(`</g>`)
}

// drawBuilding draws a house, three towers, or a factory, with its owner's number.
func drawBuilding(d *drawing, level Level, owner env.Player) {
	shape := [numLevels]string{
		Settlement: "M-15,13 V-3 L0,-17 L15,-3 V13 Z",
		City:       "M-22,13 V-6 H-10 V-18 H6 V-10 H22 V13 Z",
		Industry:   "M-23,14 V-10 L-9,-2 V-10 L5,-2 V-10 L11,-6 V-23 H21 V14 Z",
	}[level]
	d.add(`<path d="%s" fill="%s" stroke="#ffffff" stroke-width="2" stroke-linejoin="round"/>`, shape, seatColours[owner])
	d.text(0, 10, 13, "middle", `fill="#ffffff" font-weight="bold"`, fmt.Sprint(owner))
}

// danger is the colour of a stone: from calm to red with the chance that it falls.
func danger(chance float64) string {
	t := math.Min(chance/0.16, 1)
	mix := func(from, to float64) int { return int(from + (to-from)*t) }
	return fmt.Sprintf("#%02x%02x%02x", mix(226, 200), mix(222, 48), mix(208, 40))
}

// drawTower lets a column of stones grow in the middle of the board.
func (s *State) drawTower(d *drawing) {
	x, y := centre(hex{})
	d.add(`<polygon transform="translate(%.1f %.1f)" points="`+hexagon+`" fill="#cfe3ea" stroke="#8fb3c0" stroke-width="2"/>`, x, y)
	each := 70 / float64(s.game.stones)
	if s.ending == Collapse {
		for i, at := range [][3]float64{{-26, 14, 40}, {-4, 20, -12}, {17, 12, 65}, {8, -2, 20}, {-14, -4, -35}} {
			d.add(`<rect x="-10" y="-4" width="20" height="8" rx="2" transform="translate(%.1f %.1f) rotate(%.0f)" fill="%s" stroke="#5d6266"/>`,
				x+at[0], y+at[1], at[2], danger(0.03*float64(i+1)))
		}
		return
	}
	for k := range int(s.tower) {
		lean := 1.6 * math.Sin(2.4*float64(k))
		d.add(`<rect x="%.1f" y="%.2f" width="26" height="%.2f" fill="%s" stroke="#5d6266" stroke-width="0.5"/>`,
			x-13+lean, y+36-each*float64(k+1), each, danger(s.game.FallChance(k+1)))
	}
	d.text(x-30, y+6, 15, "middle", bold, fmt.Sprint(s.tower))
}

// drawStacks shows the stones at the edge; an empty stack shows its event field.
func (s *State) drawStacks(d *drawing) {
	const y = 728.0
	step := 560.0 / float64(maxStacks)
	current := -1
	for i, size := range s.game.data.Stacks {
		x := 52 + step*float64(i)
		left := s.Stack(i)
		style := `fill="#e7e1cf" stroke="#c9c1a8"`
		if left > 0 && current < 0 {
			current = i
			style = `fill="#fff6d6" stroke="#d99a08" stroke-width="2.5"`
		}
		d.add(`<rect x="%.1f" y="%.1f" width="38" height="38" rx="6" %s/>`, x-19, y-22, style)
		if left == 0 {
			d.add(`<circle cx="%.1f" cy="%.1f" r="14" fill="#c83028"/>`, x, y-3)
			d.add(`<path transform="translate(%.1f %.1f)" d="M2,-10 L-6,2 H-1 L-3,10 L6,-3 H1 Z" fill="#ffffff"/>`, x, y-3)
			continue
		}
		each := math.Min(30/float64(size), 8)
		for k := range left {
			d.add(`<rect x="%.1f" y="%.1f" width="24" height="%.1f" rx="1.5" fill="#ffffff" stroke="#5d6266" stroke-width="0.8"/>`,
				x-12, y+13-each*float64(k+1), each-1)
		}
	}
}

// drawGauge is the tower as a scale: stones placed, where events come, and the danger of those to come.
func (s *State) drawGauge(d *drawing) {
	const top, room = 84.0, 600.0
	each := room / float64(s.game.stones)
	d.text(gaugeX+16, 34, 15, "middle", bold, "Tower")
	d.text(gaugeX+16, 54, 13, "middle", ink, fmt.Sprintf("%d of %d", s.tower, s.game.stones))
	for k := range int(s.game.stones) {
		y := top + room - each*float64(k+1)
		style := fmt.Sprintf(`fill="%s" fill-opacity="0.35" stroke="#b9b29c"`, danger(s.game.FallChance(k+1)))
		if k < int(s.tower) {
			style = fmt.Sprintf(`fill="%s" stroke="#3d454b"`, danger(s.game.FallChance(k+1)))
		}
		d.add(`<rect x="%.1f" y="%.1f" width="32" height="%.1f" rx="2" %s/>`, gaugeX, y+1, each-2, style)
		if s.game.empties>>(k+1)&1 != 0 {
			colour := "#c83028"
			if k < int(s.tower) {
				colour = "#b9b29c"
			}
			d.add(`<path d="M%.1f,%.1f l-9,-5 v10 Z" fill="%s"/>`, gaugeX-2, y+each/2, colour)
		}
		if k == int(s.tower) && s.ending == Running {
			d.text(gaugeX+37, y+each/2+4, 12, "start", `fill="#c83028" font-weight="bold"`, percent(s.NextFall(0)))
		}
	}
	d.text(gaugeX+16, 706, 11, "middle", pale, fmt.Sprintf("deck %d of %d", s.DeckLeft(), len(s.game.events)))
	d.text(gaugeX+16, 722, 11, "middle", pale, fmt.Sprintf("covers %d left", s.game.data.Markers-s.Covered().Count()))
	d.text(gaugeX+16, 738, 11, "middle", pale, s.nextEvent())
}

func (s *State) nextEvent() string {
	switch left := s.game.Stones() - s.Tower(); {
	case left == 0 || s.phase == Over:
		return ""
	case s.UntilEvent() == left:
		return fmt.Sprintf("last stone in %d", left)
	}
	return fmt.Sprintf("event in %d", s.UntilEvent())
}

// drawSeat is the panel of a seat.
func (s *State) drawSeat(d *drawing, q, viewer env.Player) {
	const width, height = 316.0, 148.0
	y := 20 + 160*float64(q)
	border := `stroke="#d8d0ba" stroke-width="1.5"`
	if s.Active() == q {
		border = fmt.Sprintf(`stroke="%s" stroke-width="4"`, seatColours[q])
	}
	d.add(`<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="10" fill="#ffffff" %s/>`, panelX, y, width, height, border)
	d.add(`<rect x="%.1f" y="%.1f" width="12" height="%.1f" rx="6" fill="%s"/>`, panelX+8, y+10, height-20, seatColours[q])
	x := panelX + 32
	head := fmt.Sprintf("Player %d", q)
	if q == viewer {
		head += " (you)"
	}
	d.text(x, y+26, 16, "start", bold, head)
	if s.Leader() == q {
		d.add(`<circle cx="%.1f" cy="%.1f" r="9" fill="#d99a08" stroke="#7d5b05"/>`, panelX+width-26, y+21)
		d.text(panelX+width-26, y+25, 11, "middle", `fill="#ffffff" font-weight="bold"`, "L")
	}
	if s.resting[q] {
		d.add(`<rect x="%.1f" y="%.1f" width="84" height="20" rx="10" fill="#2a9d8f"/>`, panelX+width-128, y+11)
		d.text(panelX+width-86, y+25, 12, "middle", `fill="#ffffff"`, "sabbatical")
	}
	d.text(x, y+54, 20, "start", bold, fmt.Sprintf("%d RES", s.RES(q)))
	d.text(x+92, y+54, 20, "start", bold, fmt.Sprintf("%d LQ", s.LQ(q)))
	d.text(panelX+width-14, y+54, 16, "end", ink, fmt.Sprintf("total %d", s.Total(q)))
	s.drawRatio(d, x, y+64, width-46, q)
	d.text(x, y+98, 13, "start", ink, fmt.Sprintf("income %d RES · LQ due %d · sabbaticals %d", s.Income(q), s.LQDue(q), s.sabbaticals[q]))
	d.text(x, y+117, 12, "start", ink, fmt.Sprintf("pieces left: %d settlements, %d cities, %d industries",
		s.PiecesLeft(q, Settlement), s.PiecesLeft(q, City), s.PiecesLeft(q, Industry)))
	kept, broken := s.Kept(q)
	word := "no promise"
	if s.promise[q] != NoWord {
		word = "promise: " + wordTexts[s.promise[q]]
	}
	d.text(x, y+136, 13, "start", pale, fmt.Sprintf("%s · kept %d, broken %d", word, kept, broken))
}

// drawRatio is a bar of RES and LQ with marks at 20 % and 80 %: outside of them five points are lost.
func (s *State) drawRatio(d *drawing, x, y, width float64, q env.Player) {
	d.add(`<rect x="%.1f" y="%.1f" width="%.1f" height="12" fill="#e9ecef"/>`, x, y, width)
	if sum := s.RES(q) + s.LQ(q); sum > 0 {
		res := width * float64(s.RES(q)) / float64(sum)
		d.add(`<rect x="%.1f" y="%.1f" width="%.1f" height="12" fill="#a98b5d"/>`, x, y, res)
		d.add(`<rect x="%.1f" y="%.1f" width="%.1f" height="12" fill="#5aa469"/>`, x+res, y, width-res)
	}
	colour := "#22303a"
	if s.Unequal(q) {
		colour = "#c83028"
	}
	for _, share := range []float64{0.2, 0.8} {
		d.add(`<rect x="%.1f" y="%.1f" width="2" height="18" fill="%s"/>`, x+share*width-1, y-3, colour)
	}
}

// drawFoot says what is going on.
func (s *State) drawFoot(d *drawing) {
	line, more := "", ""
	switch {
	case s.ending == Collapse:
		line = fmt.Sprintf("The tower fell in player %d's turn", s.culprit)
	case s.ending == Stones:
		line = "All stones are used, the tower stands"
	case s.ending == Time:
		line = "Time is up, the tower stands"
	case s.phase == Turn:
		line = fmt.Sprintf("Player %d's turn", s.Active())
	default:
		line = fmt.Sprintf("Player %d decides on an offer", s.Actor())
		more = fmt.Sprintf("%s of player %d to player %d", kindTexts[s.kind], s.Active(), s.partner)
		if s.amount > 0 {
			more += fmt.Sprintf(": %d RES", s.amount)
		}
	}
	if s.ending != Running {
		more = "won by player " + strings.ReplaceAll(s.Winners().String(), " ", " and ") + "; set to " + minutesText(s.limit)
	}
	d.text(panelX+8, 694, 16, "start", bold, line)
	d.text(panelX+8, 718, 14, "start", ink, more)
}
