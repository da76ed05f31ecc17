package earthman

import (
	"fmt"
	"strconv"

	"earthgym/env"
	"earthgym/env/board"
)

// What lies beside the main board: legend, victory board, player boards, technology board, and the decision.

// drawLegend says in the lower corners what pieces and marks mean.
func (s *State) drawLegend(d *picture) {
	sample := env.Player(1)
	x, y := 10.0, 764.0
	entry := func(text string, draw func(x, y float64)) {
		draw(x+28, y)
		d.Text(x+60, y+5, softFont, text)
		y += 25
	}
	entry("fleets", func(x, y float64) { d.chip(x, y, 1, sample, Fleets{Steady: 7}, false) })
	entry("also At Risk", func(x, y float64) { d.chip(x, y, 1, sample, Fleets{Steady: 7, Risk: 2}, false) })
	entry("just arrived", func(x, y float64) { d.chip(x, y, 1, sample, Fleets{Steady: 3}, true) })
	entry("Political Influence", func(x, y float64) { d.Disc(x, y, 9, int(sample), digits[sample]) })
	entry("Devastation counters", func(x, y float64) { d.heap(x, y-1, 1) })

	x, y = 702.0, 764.0
	entry("built, free", func(x, y float64) {
		d.Rect(x-22, y-9, 44, 18, 4, board.Paint{Fill: soil})
		d.dome(x-10, y, board.Paint{Fill: bright})
		d.dome(x+10, y, board.Paint{Stroke: bright, Width: 1.2})
	})
	entry("At Risk", func(x, y float64) { d.Rect(x-20, y-7, 40, 14, 0, board.Paint{Fill: risk}) })
	entry("link", func(x, y float64) { d.Use("link", x, y) })
	entry("can be named", func(x, y float64) {
		d.Rect(x-20, y-9, 40, 18, 3, board.Paint{Fill: soil, Stroke: glow, Width: 3})
	})
	entry("in hand", func(x, y float64) {
		d.Rect(x-20, y-9, 40, 18, 3, board.Paint{Fill: soil, Stroke: bright, Width: 3, Dash: "7 5"})
	})
}

const (
	cardGap   = 8.0 // between the cards of the panel
	laneHigh  = 20.0
	rowHigh   = 19.5
	trackWide = panelWidth/2 - 6
)

// drawTracks draws the victory board: a lane for each seat on each track, side by side.
func (s *State) drawTracks(d *picture, y float64) float64 {
	g := s.game
	vp, power := make([]int, g.players), make([]int, g.players)
	for q := range g.players {
		vp[q], power[q] = int(s.seats[q].vp), int(s.seats[q].power)
	}
	lanes := float64(g.players)
	rogue, skynet := -1, 0
	if g.skynet {
		rogue, skynet = int(s.rogue), g.data.Track.Skynet
		lanes += 1.4
	}
	height := 50 + laneHigh*lanes
	d.Sheet(panelX, y, panelWidth, height)
	d.track(panelX+10, y, fmt.Sprintf("Victory: over %d", g.points), vp, max(50, g.points), g.points)
	d.track(panelX+trackWide+10, y, fmt.Sprintf("Power: from %d", g.data.Track.Power), power,
		max(100, g.data.Track.Power), g.data.Track.Power)
	if rogue >= 0 {
		d.Use("heap", panelX+30, y+height-16)
		d.Text(panelX+58, y+height-10, bodyFont, fmt.Sprintf("Rogue symbols %d; Skynet at %d ends all", rogue, skynet))
	}
	return y + height + cardGap
}

// track draws a track up to a number, with its threshold.
func (d *picture) track(x, y float64, name string, values []int, full, threshold int) {
	const length = trackWide - 48
	top, height := y+44, float64(len(values))*laneHigh
	d.Text(x, y+20, headFont, name)
	at := func(v int) float64 { return x + 10 + (length-10)*float64(min(v, full))/float64(full) }
	d.Rect(x, top, length+9, height, 5, board.Paint{Fill: board.Well, Stroke: board.Edge})
	d.Rect(at(threshold), top, x+length+9-at(threshold), height, 0, board.Paint{Fill: board.Lit, Opacity: 0.7})
	d.Line(at(threshold), top-4, at(threshold), top+height, board.Paint{Stroke: board.Alarm, Width: 2})
	for _, v := range []int{0, full / 2, full} {
		d.Text(at(v), top-6, softFont.Middle(), strconv.Itoa(v))
	}
	for q, v := range values {
		seat := board.Seats[q]
		middle := top + (float64(q)+0.5)*laneHigh
		d.Piece(digits[q])
		d.Rect(x, middle-3, at(v)-x, 6, 0, board.Paint{Fill: seat.Fill})
		d.Ball(at(v), middle, 9, board.Paint{Fill: seat.Fill, Stroke: bright, Width: 1})
		d.Text(at(v), middle+5.4, board.Font{Size: board.Smallest, Fill: seat.Ink, Bold: true}.Middle(), digits[q])
		d.End()
		d.Text(x+trackWide-8, middle+6, headFont.End(), strconv.Itoa(v))
	}
}

// drawTable draws the player boards and the technology board: a column for each seat.
func (s *State) drawTable(d *picture, y float64) float64 {
	g := s.game
	rows := 9
	for _, tech := range g.techs {
		if tech.levels > 0 {
			rows++
		}
	}
	height := 36 + rowHigh*float64(rows)
	d.Sheet(panelX, y, panelWidth, height)
	seatWide := s.seatWide()
	first := panelX + panelWidth - 8 - seatWide*float64(g.players)
	labels := first - panelX - 12
	d.Text(panelX+10, y+22, headFont, "Seats")
	for q := range env.Player(g.players) {
		x := first + seatWide*float64(q)
		if int8(q) == s.actor && s.phase != IsOver {
			d.Rect(x+1, y+3, seatWide-2, height-6, 6, board.Paint{Fill: board.Lit, Opacity: 0.55})
		}
		if m := s.legal(); s.seat >= 0 && m.Has(Seat(s.places(env.Player(s.seat), q))) {
			d.Rect(x+3, y+5, seatWide-6, 24, 6, board.Paint{Stroke: board.Alarm, Width: 2})
		}
		d.Disc(x+seatWide/2, y+17, 11, int(q), digits[q])
	}
	top := y + 32
	for i, label := range []string{"Economy Pool", "Discontent", "AI Thoughts", fmt.Sprintf("Fleets, of %d", g.fleetCap),
		"Developments", "Put aside", "UN Sanctions", "Claims, peace", "Next Score"} {
		d.Fit(panelX+10, top+15, labels, softFont, label)
		for q := range env.Player(g.players) {
			text := s.seatNumber(q, i)
			d.Fit(first+seatWide*(float64(q)+0.5), top+15, seatWide-2, bodyFont.Strong().Middle(), text)
		}
		top += rowHigh
	}
	for q := range env.Player(g.players) {
		s.touchSeat(d, first+seatWide*float64(q)+1, y+3, top-y-4, q)
	}
	d.Line(panelX+8, top+1, panelX+panelWidth-8, top+1, board.Paint{Stroke: board.Edge, Width: 1.5})
	for t, tech := range g.techs {
		if tech.levels == 0 {
			continue
		}
		f := softFont
		if m := s.legal(); m.Has(TechAct(Tech(t))) {
			f = bodyFont.Strong()
		}
		d.Fit(panelX+10, top+16, labels, f, tech.name)
		d.TouchRect(g.info, panelX+4, top+2, panelWidth-8, rowHigh-2, 3, TechAct(Tech(t)))
		for q := range env.Player(g.players) {
			s.drawLevel(d, first+seatWide*float64(q)+3, top+2, q, Tech(t))
		}
		top += rowHigh
	}
	return y + height + cardGap
}

// seatWide is the width of a column of the table.
func (s *State) seatWide() float64 { return min(60, 216/float64(s.game.players)) }

// seatNumber is what stands in a row of the table.
func (s *State) seatNumber(q env.Player, row int) string {
	my := &s.seats[q]
	switch row {
	case 6:
		if my.sanction {
			return fmt.Sprintf("%d/%d", my.token, s.game.data.Track.Sanctions)
		}
		return "–"
	case 7:
		return fmt.Sprintf("%d, %d", my.claims, my.peace)
	case 8:
		return fmt.Sprintf("+%d", s.PowerVP(q)) // the dice besides are the level of Artificial Intelligence
	}
	return strconv.Itoa([...]int{int(my.resource), int(my.discontent), int(my.thoughts), int(my.fleets),
		int(my.developments), int(my.aside)}[row])
}

// touchSeat lets the column of a seat stand for what is done with the seat or to it.
func (s *State) touchSeat(d *picture, x, y, height float64, q env.Player) {
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
	d.TouchRect(s.game.info, x, y, s.seatWide()-2, height, 5, actions...)
}

// drawLevel draws a seat's level in a technology, and on a bar its counter on the way to the next.
func (s *State) drawLevel(d *picture, x, y float64, q env.Player, t Tech) {
	const bar = 16.5
	wide := s.seatWide() - 24
	my, tech := &s.seats[q], &s.game.techs[t]
	if my.level[t] > 0 {
		d.Text(x+7, y+14, bodyFont.Strong().Middle(), strconv.Itoa(int(my.level[t])))
	}
	if my.level[t] == tech.levels && t != AI {
		d.Rect(x+bar, y+5, wide, 8, 4, board.Paint{Fill: "#2a8a5c"})
		return
	}
	d.Rect(x+bar, y+5, wide, 8, 0, board.Paint{Fill: board.Well, Stroke: board.Edge})
	step := wide / float64(tech.steps)
	if my.counter[t] > 0 {
		d.Rect(x+bar, y+5, step*float64(my.counter[t]), 8, 0, board.Paint{Fill: "#2a8a5c"})
	}
	var ticks []byte
	for i := 1; i < int(tech.steps); i++ {
		ticks = fmt.Appendf(ticks, "M%.1f 0v8", step*float64(i))
	}
	d.Path(x+bar, y+5, string(ticks), board.Paint{Stroke: board.Edge})
}

// drawDecision says who decides what, with what is nominated and the dice.
func (s *State) drawDecision(d *picture, y float64) {
	const inside, bottom = panelWidth - 24, board.High - 12.0
	d.Sheet(panelX, y, panelWidth, bottom-y)
	x := panelX + 12.0
	y += 25
	room := func() int { return max(1, int((bottom-y+12)/20)) }
	if s.phase == IsOver {
		d.Lines(x, y, inside, room(), headFont, s.endText())
		return
	}
	d.Disc(x+11, y-5, 11, int(s.seat), digits[s.seat])
	d.Fit(x+30, y, inside-30, headFont, fmt.Sprintf("Seat %d decides", s.seat))
	y += 24
	if s.decision == AtThought {
		y = s.drawDice(d, x, y)
	}
	y = d.Lines(x, y, inside, room(), bodyFont, s.question())
	if nominated := s.nominatedText(); nominated != "" && y < bottom-4 {
		d.Lines(x, y, inside, room(), softFont, "Nominated: "+nominated)
	}
}

// drawDice draws the lot of a Thought window; dice that reach the number are bright.
func (s *State) drawDice(d *picture, x, y float64) float64 {
	l := &s.lot
	const most, row, step = 28, 14, 27.0
	for i, reach := range l.dice[:min(int(l.n), most)] {
		fill, ink := board.Well, board.Ink
		if atLeast(reach, l.need) == 1 {
			fill, ink = "#2a7246", bright
		}
		left, top := x+float64(i%row)*step, y-15+float64(i/row)*step
		d.Block(left, top, 23, 23, 5, fill)
		d.Text(left+11.5, top+17, bodyFont.Strong().In(ink).Middle(), strconv.Itoa(int(reach)))
	}
	y += step * float64((min(int(l.n), most)+row-1)/row)
	if int(l.n) > most {
		d.Text(x, y, softFont, fmt.Sprintf("and %d dice more", int(l.n)-most))
		y += 20
	}
	return y + 3
}
