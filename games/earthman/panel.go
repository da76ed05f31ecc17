package earthman

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"earthgym/env"
	"earthgym/env/board"
)

// What lies beside the main board: legend, victory board, player boards, technology board, and the decision.

// drawLegend says in the corners what pieces and marks mean.
func (s *State) drawLegend(d *picture) {
	sample := env.Player(1)
	x, y := 22.0, 1056.0
	entry := func(text string, draw func(x, y float64)) {
		draw(x+38, y)
		d.Text(x+88, y+5, softFont, text)
		y += 28
	}
	d.Text(x, y-20, softFont.Strong(), "Pieces of seat 1")
	entry("7 steady fleets", func(x, y float64) { d.chip(x, y, 0.9, sample, Fleets{Steady: 7}, false) })
	entry("and 2 fleets At Risk", func(x, y float64) { d.chip(x, y, 0.9, sample, Fleets{Steady: 7, Risk: 2}, false) })
	entry("fleets that have just arrived", func(x, y float64) { d.chip(x, y, 0.9, sample, Fleets{Steady: 3}, true) })
	entry("Political Influence on a world", func(x, y float64) { d.flag(x, y, sample) })
	entry("developments, and room for more", func(x, y float64) {
		seat := board.Seats[sample]
		d.Piece(digits[sample])
		d.Rect(x-30, y-11, 60, 22, 4, board.Paint{Fill: seat.Fill, Stroke: bright, Width: 1})
		d.Text(x-20, y+6, board.Font{Size: 16, Fill: seat.Ink, Bold: true}.Middle(), digits[sample])
		d.dome(x-3, y, board.Paint{Fill: seat.Ink})
		d.dome(x+17, y, board.Paint{Stroke: seat.Ink, Width: 1.2})
		d.End()
	})
	entry("region At Risk: its rim is striped", func(x, y float64) {
		d.Rect(x-20, y-7, 40, 14, 0, board.Paint{Fill: "url(#risk)"})
	})
	entry("Devastation, so many counters", func(x, y float64) { d.heap(x, y-1, 1) })

	x, y = 960.0, 1164.0
	entry("a link, both ways", func(x, y float64) {
		d.Path(x, y, "M0 -10l6 8h-12ZM0 10l6 -8h-12Z", board.Paint{Fill: "#7f93c4"})
	})
	entry("a legal action names it", func(x, y float64) {
		d.Rect(x-18, y-9, 36, 18, 3, board.Paint{Stroke: glow, Width: 4})
	})
	entry("the place in hand", func(x, y float64) {
		d.Rect(x-18, y-9, 36, 18, 3, board.Paint{Stroke: bright, Width: 3, Dash: "7 5"})
	})
}

const cardGap = 10.0 // between the cards of the panel

// drawTracks draws the victory board: a lane for each seat on each track.
func (s *State) drawTracks(d *picture, y float64) float64 {
	g := s.game
	vp := make([]int, g.players)
	power := make([]int, g.players)
	for q := range g.players {
		vp[q], power[q] = int(s.seats[q].vp), int(s.seats[q].power)
	}
	y = d.track(y, "Victory Track", fmt.Sprintf("more than %d, or a lead of more than %d, triggers the end", g.points,
		g.lead),
		vp, max(50, g.points), g.points, -1, 0)
	rogue, skynet := -1, 0
	note := fmt.Sprintf("%d or more score: 1 VP above half of the others, 2 above all", g.data.Track.Power)
	if g.skynet {
		rogue, skynet = int(s.rogue), g.data.Track.Skynet
		note = fmt.Sprintf("%d or more score; Skynet at %d ends the game for all", g.data.Track.Power, skynet)
	}
	return d.track(y, "Power Track", note, power, max(100, g.data.Track.Power), g.data.Track.Power, rogue, skynet)
}

// track draws a track up to a number, with its threshold; a rogue counter of 0 or more has a lane of its own.
func (d *picture) track(y float64, name, note string, values []int, full, threshold, rogue, skynet int) float64 {
	const left, right = panelX + 26.0, panelX + panelWidth - 58.0
	lanes := len(values)
	if rogue >= 0 {
		lanes++
	}
	top := y + 44
	laneHeight := min(30, 147/float64(lanes))
	height := float64(lanes) * laneHeight
	d.Rect(panelX, y, panelWidth, height+52, 8, board.Paint{Fill: card, Stroke: line, Width: 1})
	d.Text(panelX+12, y+20, headFont, name)
	d.Text(panelX+panelWidth-12, y+20, softFont.End(), note)
	at := func(v int) float64 { return left + (right-left)*float64(min(v, full))/float64(full) }
	d.Rect(left, top, right-left, height, 0, board.Paint{Fill: lane})
	d.Rect(at(threshold), top, right-at(threshold), height, 0, board.Paint{Fill: "#2f4270"})
	step := max(1, full/10)
	for v := 0; v <= full; v += step {
		d.Line(at(v), top-3, at(v), top+height, board.Paint{Stroke: line, Width: 1})
		if full-v < step && v != full {
			continue
		}
		d.Text(at(v), top-6, board.Font{Size: 12, Fill: soft}.Middle(), strconv.Itoa(v))
	}
	d.Line(at(threshold), top-3, at(threshold), top+height+3, board.Paint{Stroke: glow, Width: 2.5})
	for q, v := range values {
		seat := board.Seats[q]
		middle := top + (float64(q)+0.5)*laneHeight
		d.Piece(digits[q])
		d.Rect(left, middle-3, at(v)-left, 6, 0, board.Paint{Fill: seat.Fill})
		d.Circle(at(v), middle, min(12, laneHeight/2-0.5), board.Paint{Fill: seat.Fill, Stroke: bright, Width: 1.5})
		d.Text(at(v), middle+4.7, board.Font{Size: 13, Fill: seat.Ink, Bold: true}.Middle(), digits[q])
		d.End()
		d.Text(panelX+panelWidth-12, middle+6, headFont.End(), strconv.Itoa(v))
	}
	if rogue >= 0 {
		middle := top + (float64(len(values))+0.5)*laneHeight
		d.Rect(left, middle-laneHeight/2, right-left, laneHeight, 0, board.Paint{Fill: lane})
		d.Rect(left, middle-laneHeight/2, at(skynet)-left, laneHeight, 0, board.Paint{Fill: "#7a1f1f"})
		d.Path(at(rogue)-9, middle+8, "M0 0l4 -9l3 2l3 -6l4 6l4 7Z", board.Paint{Fill: rubble, Stroke: rubbleBy, Width: 1})
		d.Text(at(max(skynet, rogue+2))+12, middle+5, softFont, fmt.Sprintf("Skynet: Rogue symbols, %d of %d", rogue, skynet))
		d.Text(panelX+panelWidth-12, middle+6, headFont.End(), strconv.Itoa(rogue))
	}
	return y + height + 52 + cardGap
}

// columns of the player boards: where each ends, and its head.
var columns = [...]struct {
	end  float64
	head [2]string
}{
	{152, [2]string{"Economy", "Pool"}}, {210, [2]string{"Discon-", "tent"}}, {268, [2]string{"AI", "Thoughts"}},
	{316, [2]string{"Fleets", ""}},
	{370, [2]string{"Develop-", "ments"}}, {402, [2]string{"Put", "aside"}}, {466, [2]string{"UN", "Sanctions"}},
	{512, [2]string{"Claims,", "peace"}}, {588, [2]string{"Next", "Score"}},
}

// drawSeats draws the player boards as a table.
func (s *State) drawSeats(d *picture, y float64) float64 {
	g := s.game
	const head, row = 40.0, 30.0
	d.Rect(panelX, y, panelWidth, head+row*float64(g.players)+4, 8, board.Paint{Fill: card, Stroke: line, Width: 1})
	d.Text(panelX+12, y+26, headFont, "Seats")
	small := board.Font{Size: 12, Fill: soft}.End()
	for i, c := range columns {
		lines := c.head
		if i == 3 {
			lines[1] = fmt.Sprintf("of %d", g.fleetCap)
		}
		d.Text(panelX+c.end, y+17, small, lines[0])
		d.Text(panelX+c.end, y+32, small, lines[1])
	}
	for q := range env.Player(g.players) {
		s.drawSeat(d, y+head+row*float64(q), row, q)
	}
	return y + head + row*float64(g.players) + 4 + cardGap
}

func (s *State) drawSeat(d *picture, y, row float64, q env.Player) {
	my := &s.seats[q]
	if int8(q) == s.actor && s.phase != IsOver {
		d.Rect(panelX+3, y, panelWidth-6, row, 4, board.Paint{Fill: "#2a3d68"})
	}
	if m := s.legal(); s.seat >= 0 && m.Has(Seat(s.places(env.Player(s.seat), q))) {
		d.Rect(panelX+3, y+1, panelWidth-6, row-2, 4, board.Paint{Stroke: glow, Width: 2})
	}
	s.touchSeat(d, y+1, row-2, q)
	d.Disc(panelX+22, y+row/2, 11, int(q), digits[q])
	var tags []string
	if s.winners.Has(q) {
		tags = append(tags, "wins")
	}
	if int8(q) == s.first {
		tags = append(tags, "first")
	}
	if int8(q) == s.seat {
		tags = append(tags, "decides")
	}
	d.Fit(panelX+40, y+row/2+4, 62, board.Font{Size: 12, Fill: glow, Bold: true}, strings.Join(tags, ", "))
	token := "–"
	if my.sanction {
		token = fmt.Sprintf("%d of %d", my.token, s.game.data.Track.Sanctions)
	}
	left := columns[0].end - 56
	for i, text := range []string{
		strconv.Itoa(int(my.resource)), strconv.Itoa(int(my.discontent)), strconv.Itoa(int(my.thoughts)),
		strconv.Itoa(int(my.fleets)),
		strconv.Itoa(int(my.developments)), strconv.Itoa(int(my.aside)), token, fmt.Sprintf("%d, %d", my.claims, my.peace),
		s.scoreText(q),
	} {
		d.Fit(panelX+columns[i].end, y+row/2+6, columns[i].end-left-8, headFont.Sized(16).End(), text)
		left = columns[i].end
	}
}

// touchSeat lets the row of a seat stand for what is done with the seat or to it.
func (s *State) touchSeat(d *picture, y, height float64, q env.Player) {
	if s.phase == IsOver {
		return
	}
	places := s.places(env.Player(s.seat), q)
	actions := []env.Action{Seat(places)}
	if places > 0 {
		target := env.Action(places - 1)
		actions = append(actions, act.fire.First+target, act.fireRisk.First+target, act.overthrow.First+target,
			act.overthrowRisk.First+target)
	}
	d.Touch(s.game.info, actions...)
	d.Rect(panelX+3, y, panelWidth-6, height, 4, board.Paint{})
	d.End()
}

// drawTechnologies draws the technology board: for each seat its level, and its counter on the research track.
func (s *State) drawTechnologies(d *picture, y float64) float64 {
	g := s.game
	const head, row, names = 30.0, 20.0, 190.0
	rows := 0
	for _, tech := range g.techs {
		if tech.levels > 0 {
			rows++
		}
	}
	height := head + row*float64(rows) + 6
	d.Rect(panelX, y, panelWidth, height, 8, board.Paint{Fill: card, Stroke: line, Width: 1})
	d.Text(panelX+12, y+21, headFont, "Technologies")
	width := (panelWidth - names - 8) / float64(g.players)
	for q := range g.players {
		d.Disc(panelX+names+(float64(q)+0.5)*width, y+15, 10, q, digits[q])
	}
	top := y + head
	for t, tech := range g.techs {
		if tech.levels == 0 {
			continue
		}
		f := softFont
		if m := s.legal(); m.Has(TechAct(Tech(t))) {
			f = f.In(glow).Strong()
		}
		d.Line(panelX+8, top, panelX+panelWidth-8, top, board.Paint{Stroke: lane, Width: 1})
		d.Fit(panelX+12, top+15, names-16, f, tech.name)
		d.Touch(g.info, TechAct(Tech(t)))
		d.Rect(panelX+4, top+1, panelWidth-8, row-2, 3, board.Paint{})
		d.End()
		for q := range env.Player(g.players) {
			s.drawTrack(d, panelX+names+float64(q)*width+4, top, width-8, q, Tech(t))
		}
		top += row
	}
	return y + height + cardGap
}

// drawTrack draws a seat's level in a technology and its counter on the way to the next.
func (s *State) drawTrack(d *picture, x, y, width float64, q env.Player, t Tech) {
	my, tech := &s.seats[q], &s.game.techs[t]
	level, most := my.level[t], int(tech.levels)
	if level > 0 {
		text := strconv.Itoa(int(level))
		d.Text(x+10, y+16, headFont.Sized(15).Middle(), text)
	}
	if int(level) == most && t != AI {
		d.Text(x+20, y+15, board.Font{Size: 12, Fill: soft}, "complete")
		return
	}
	steps := int(tech.steps)
	room := width - 22
	part := min(room/float64(steps), 14)
	for i := range steps {
		p := board.Paint{Stroke: line, Width: 1}
		if i < int(my.counter[t]) {
			p.Fill = glow
		}
		d.Rect(x+20+float64(i)*part, y+6, part-1.5, 9, 0, p)
	}
}

// drawDecision shows the question, what is nominated, the dice, and to who decides the legal actions.
func (s *State) drawDecision(d *picture, y float64, p env.Player) {
	const inside = panelWidth - 24
	bottom := drawHeight - 14.0
	d.Rect(panelX, y, panelWidth, bottom-y, 8, board.Paint{Fill: card, Stroke: line, Width: 1})
	x := panelX + 12.0
	y += 24
	if s.phase == IsOver {
		d.Lines(x, y, inside, 0, headFont.Sized(19), s.endText())
		return
	}
	d.Disc(x+11, y-5, 11, int(s.seat), digits[s.seat])
	d.Text(x+30, y, headFont.In(glow), fmt.Sprintf("Seat %d decides", s.seat))
	y += 26
	if s.decision == AtThought {
		y = s.drawDice(d, x, y)
	}
	y = d.Lines(x, y, inside, 0, headFont.Sized(16), s.question())
	if nominated := s.nominatedText(); nominated != "" {
		y = d.Lines(x, y, inside, 0, bodyFont.In(soft), "Nominated: "+nominated)
	}
	if env.Player(s.seat) != p {
		return
	}
	f := bodyFont
	var lines []string
	for ; f.Size >= board.Smallest; f.Size-- {
		lines = nil
		for _, c := range s.choices() {
			lines = append(lines, board.Wrap(c.about+": "+strings.Join(c.actions, ", "), inside, f.Size, f.Bold)...)
		}
		if y+1.32*float64(f.Size*(len(lines)-1)) < bottom-6 {
			break
		}
	}
	for _, line := range lines {
		d.Text(x, y, f, line)
		y += math.Round(1.32 * float64(f.Size))
	}
}

// drawDice draws the lot of a Thought window; dice that reach the number are bright.
func (s *State) drawDice(d *picture, x, y float64) float64 {
	l := &s.lot
	const most, step = 34, 34.0
	for i, reach := range l.dice[:min(int(l.n), most)] {
		fill, ink := line, bright
		if atLeast(reach, l.need) == 1 {
			fill, ink = bright, dark
		}
		left, top := x+float64(i%17)*step, y-14+float64(i/17)*step
		d.Rect(left, top, 28, 28, 5, board.Paint{Fill: fill, Stroke: soft, Width: 1})
		d.Text(left+14, top+20, board.Font{Size: 17, Fill: ink, Bold: true}.Middle(), strconv.Itoa(int(reach)))
	}
	y += step * float64((min(int(l.n), most)+16)/17)
	if int(l.n) > most {
		d.Text(x, y, softFont, fmt.Sprintf("and %d dice more", int(l.n)-most))
		y += 20
	}
	return y + 6
}
