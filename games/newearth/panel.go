package newearth

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"earthgym/env"
	"earthgym/env/board"
)

// Beside the board: seats, table, hand, piles and legend.

// drawSeats draws the mats, two in a row.
func (s *State) drawSeats(d *drawing, p env.Player) float64 {
	const width, height = 306.0, 138.0
	for q := range env.Player(s.game.players) {
		x, y := panelX+float64(q%2)*(width+8), 14+float64(q/2)*(height+8)
		s.drawSeat(d, x, y, width, height, q, p)
		if places := (int(q) - int(s.seat) + s.game.players) % s.game.players; p == env.Player(s.seat) && places > 0 {
			d.Touch(s.game.info, OfferTo(places))
			d.Rect(x, y, width, height, 8, board.Paint{})
			d.End()
		}
	}
	return 14 + float64((s.game.players+1)/2)*(height+8) + 12
}

func (s *State) drawSeat(d *drawing, x, y, width, height float64, q, p env.Player) {
	seat := &s.seats[q]
	frame := board.Paint{Fill: board.White, Stroke: board.Edge, Width: 1.5}
	if s.activeSeenBy(p) == q {
		frame.Stroke, frame.Width = board.Ink, 4
	}
	d.Rect(x, y, width, height, 8, frame)
	d.Piece(seatLetters[q])
	d.Circle(x+20, y+20, 13, board.Paint{Fill: looks[q].Fill})
	d.Text(x+20, y+25.5, board.Font{Size: 16, Fill: looks[q].Ink, Bold: true}.Middle(), seatLetters[q])
	d.End()
	name := seatTitle(q, p)
	if i := s.order.place(q); i >= 0 {
		name += fmt.Sprintf(", %s", [...]string{"1st", "2nd", "3rd", "4th"}[i])
	}
	d.Fit(x+40, y+26, width-52, headFont, name)
	left := x + 12
	d.Text(left, y+54, headFont.Sized(18), fmt.Sprintf("%dm", seat.has[Cash]))
	for i, k := range []Kind{Mining, Energy, Manufacturing} {
		at := left + 72 + 56*float64(i)
		d.Rect(at, y+41, 14, 14, 2, board.Paint{Fill: [...]string{black, red, board.White}[i], Stroke: "#59626b", Width: 1})
		d.Text(at+19, y+54, headFont, strconv.Itoa(int(seat.has[k])))
	}
	d.Fit(left, y+76, width-24, bodyFont, fmt.Sprintf("goods %d, levels need %d", seat.has[Goods], s.need(q)))
	if s.turn == 0 {
		return
	}
	made := s.Output(q)
	d.Fit(left, y+94, width-24, paleFont, fmt.Sprintf("output M %d, E %d, F %d; income %dm; %d zones", made[Mining],
		made[Energy], made[Manufacturing], s.Income(q), s.owned[q].Count()))
	d.Fit(left, y+111, width-24, paleFont, fmt.Sprintf("elections %d of %d; points %s", seat.electionsUsed,
		s.game.data.Elections, s.pointsText(q)))
	d.Fit(left, y+128, width-24, paleFont, s.handText(q, p))
}

// drawTable draws what lies in the middle: piles, what is being resolved, the end.
func (s *State) drawTable(d *drawing, p env.Player, y float64) float64 {
	y = d.Lines(panelX, y, panelWidth, 1, paleFont, fmt.Sprintf("Deck %d cards, discard pile %d", s.decked, s.discards))
	if s.target != NoZone {
		y = s.drawElection(d, p, y-4)
	}
	for _, text := range s.pending() {
		if s.target == NoZone {
			y = d.Lines(panelX, y+4, panelWidth, 0, headFont.Sized(15), text)
		}
	}
	switch {
	case s.decision == Over:
		return s.drawEnd(d, y)
	case env.Player(s.seat) != p:
		y = d.Lines(panelX, y+4, panelWidth, 0, bodyFont, s.waiting(p)+".")
	}
	return y
}

// drawElection draws the election panel: the zone, who takes part, the table of results, and of the secret
// commitments the viewer's own alone.
func (s *State) drawElection(d *drawing, p env.Player, y float64) float64 {
	const height = 138.0
	d.Rect(panelX, y, panelWidth, height, 8, board.Paint{Fill: board.White, Stroke: board.Ink, Width: 2})
	x := panelX + 14
	d.Text(x, y+24, headFont.Sized(18), fmt.Sprintf("Election in %s", s.target))
	d.Text(panelX+panelWidth-14, y+24, bodyFont.End(), fmt.Sprintf("value %dm, %d workers: up to %d cards a side",
		s.game.zoneValue[s.sl[s.target]], s.raw[s.target]+s.makers[s.target], s.cardLimit(s.target)))
	list := s.participants()
	list = s.inOrder(&list)
	at := x
	word := func(text string) {
		d.Text(at, y+52, bodyFont, text)
		at += bodyFont.Width(text) + 18
	}
	disc := func(q env.Player) {
		d.Piece(seatLetters[q])
		d.Circle(at, y+47, 12, board.Paint{Fill: looks[q].Fill})
		d.Text(at, y+52, board.Font{Size: 15, Fill: looks[q].Ink, Bold: true}.Middle(), seatLetters[q])
		d.End()
		at += 30
	}
	word("claims:")
	for _, q := range list.slice() {
		disc(env.Player(q))
	}
	if s.defender >= 0 {
		word("against")
		disc(env.Player(s.defender))
	}
	secret := "cash and cards are secret"
	if p >= 0 && (list.has(p) || int8(p) == s.defender) {
		switch mine := &s.seats[p]; {
		case mine.commitCash >= 0:
			secret = fmt.Sprintf("your secret: %dm and %s", mine.commitCash, titles(mine.commitCards))
		case int8(p) != s.defender && !s.claimants.has(p):
			secret += "; you have withdrawn"
		default:
			secret += "; you have not committed yet"
		}
	}
	d.Fit(at, y+52, panelX+panelWidth-14-at, paleFont, secret)
	d.Text(x, y+82, paleFont, "Excess (bid - value - defence)")
	d.Text(x, y+104, paleFont, "wins from a die of")
	d.Text(x, y+126, paleFont, "chance without cards")
	for excess := int32(1); excess <= maxExcess; excess++ {
		cell := panelX + 216 + 66*float64(excess-1)
		label := fmt.Sprintf("%dm", excess)
		if excess == maxExcess {
			label = "6m or more"
		}
		d.Text(cell+33, y+82, paleFont.Sized(12).Middle(), label)
		d.Text(cell+33, y+104, headFont.Sized(15).Middle(), fmt.Sprintf("%d+", s.game.data.Election.Die[excess-1]))
		d.Text(cell+33, y+126, bodyFont.Middle(), fmt.Sprintf("%.0f %%", 100*s.game.chance(excess, 0)))
	}
	return y + height + 22
}

// drawEnd draws El Gigante and the score sheet.
func (s *State) drawEnd(d *drawing, y float64) float64 {
	y += 12
	d.Text(panelX, y, headFont.Sized(20), fmt.Sprintf("El Gigante: a %s storm", stormNames[s.storm]))
	y += 14
	if s.stormCards[0] != NoCard {
		for i, c := range s.stormCards {
			s.drawCard(d, c, 1, panelX+float64(i)*(cardWidth+8), y)
		}
		y += cardHeight + 12
	}
	for p := range env.Player(s.game.players) {
		f := bodyFont.Sized(15)
		if s.winners.Has(p) {
			f = f.Strong()
		}
		d.Piece(seatLetters[p])
		d.Circle(panelX+13, y+9, 12, board.Paint{Fill: looks[p].Fill})
		d.Text(panelX+13, y+14, board.Font{Size: 15, Fill: looks[p].Ink, Bold: true}.Middle(), seatLetters[p])
		d.End()
		d.Fit(panelX+34, y+14, panelWidth-34, f, seatNames[p]+": "+s.scoreText(p))
		y += 30
	}
	return d.Lines(panelX, y+18, panelWidth, 0, headFont.Sized(18), "Won by "+s.winnersText())
}

const (
	cardWidth  = 150.0
	cardHeight = 58.0
)

// drawHand draws the viewer's cards, one for each title with its number.
func (s *State) drawHand(d *drawing, p env.Player, y float64) float64 {
	y += 8
	d.Text(panelX, y, headFont, "Your hand")
	x := panelX
	y += 8
	if s.held[p] == 0 {
		d.Text(panelX+100, y-8, bodyFont, "no cards")
		return y + 14
	}
	for set := s.held[p]; set != 0; set = set.Rest() {
		if x+cardWidth > panelX+panelWidth+1 {
			x = panelX
			y += cardHeight + 6
		}
		s.drawCard(d, set.First(), s.seats[p].hand[set.First()], x, y)
		x += cardWidth + 6
	}
	y += cardHeight + 24
	if seat := &s.seats[p]; seat.commitCash >= 0 {
		y = d.Lines(panelX, y, panelWidth, 2, headFont.Sized(14),
			fmt.Sprintf("You have committed %dm and %s", seat.commitCash, titles(seat.commitCards)))
	}
	return y
}

// touchCard lets a card of the hand stand for what is done with it.
func (s *State) touchCard(d *drawing, c Card, x, y float64) {
	if c.IsCity() {
		d.Touch(s.game.info, Play(c), Discard(c), Sell(c), TradeIn(c))
	} else {
		d.Touch(s.game.info, Strike(c))
	}
	d.Rect(x, y, cardWidth, cardHeight, 6, board.Paint{})
	d.End()
}

func (s *State) drawCard(d *drawing, c Card, n int8, x, y float64) {
	paint := board.Paint{Fill: "#e8f0f7", Stroke: "#7b8794", Width: 1.2}
	if !c.IsCity() {
		paint.Fill = "#efe3f5"
	}
	d.Rect(x, y, cardWidth, cardHeight, 6, paint)
	s.touchCard(d, c, x, y)
	d.Circle(x+cardWidth-14, y+14, 10, board.Paint{Fill: board.Ink})
	d.Text(x+cardWidth-14, y+18.5, board.Font{Size: 13, Fill: board.White, Bold: true}.Middle(),
		strconv.Itoa(int(s.game.value[c])))
	name := s.game.titleOf(c)
	if n > 1 {
		name = fmt.Sprintf("%d x %s", n, name)
	}
	d.Lines(x+7, y+18, cardWidth-36, 2, board.Font{Size: 12, Fill: board.Ink, Bold: true}, name)
	if !c.IsCity() {
		return
	}
	extra := ""
	switch {
	case s.game.sellable.Has(c):
		extra = fmt.Sprintf(", %dm", s.game.sale[c])
	case s.game.tradable.Has(c):
		extra = ", 1 " + [...]string{"M", "E", "F"}[s.game.unit[c]]
	}
	d.Fit(x+7, y+50, cardWidth-14, board.Font{Size: 12, Fill: board.Pale},
		fmt.Sprintf("In %s, Def %s%s", modifierText(s.game.initiator[c]), modifierText(s.game.defending[c]), extra))
}

// drawChoice shows the question to the seat that decides, with what comes of the answers, and what it may do.
func (s *State) drawChoice(d *drawing, p env.Player, y float64) float64 {
	y = d.Lines(panelX, y+6, panelWidth, 0, headFont, "Your decision: "+s.row().Brief)
	texts := s.prospects(p)
	for _, c := range s.choices() {
		texts = append(texts, c.about+": "+strings.Join(c.actions, ", "))
	}
	f := bodyFont
	var lines []string
	for ; f.Size >= board.Smallest; f.Size-- {
		lines = nil
		for _, text := range texts {
			lines = append(lines, board.Wrap(text, panelWidth, f.Size, f.Bold)...)
		}
		if y+1.32*float64(f.Size*len(lines)) < pictureHeight {
			break
		}
	}
	f.Size = max(f.Size, board.Smallest)
	for i, line := range lines {
		if y > pictureHeight-28 && i < len(lines)-1 {
			d.Text(panelX, y, f, fmt.Sprintf("… and %d lines more in the text view", len(lines)-i))
			return pictureHeight
		}
		d.Text(panelX, y, f, line)
		y += math.Round(1.32 * float64(f.Size))
	}
	return y
}

// drawPiles lists the discard pile, and the cards that the viewer can't see, where there is room for them.
func (s *State) drawPiles(d *drawing, p env.Player, y float64) {
	unseen := s.unseen(p)
	f := paleFont
	for _, text := range []string{
		"Discarded: " + strings.Join(pileTexts(&s.discard), ", "), "Not seen: " + strings.Join(pileTexts(&unseen), ", "),
	} {
		y += 8
		if n := len(board.Wrap(text, panelWidth, f.Size, f.Bold)); y+17*float64(n) < pictureHeight {
			y = d.Lines(panelX, y, panelWidth, 0, f, text)
		}
	}
}

// drawLegend says in the corners what the pieces mean.
func (s *State) drawLegend(d *drawing) {
	f := paleFont.Sized(12)
	x, y := 16.0, 860.0
	entry := func(text string, draw func(x, y float64)) {
		draw(x+20, y)
		d.Text(x+46, y+4, f, text)
		y += 25
	}
	entry("owner, level", func(x, y float64) { d.marker(x-2, y, 0, 3) })
	entry("leader of BLUE", func(x, y float64) { d.leader(x, y, 0) })
	entry("mining zone and worker", func(x, y float64) {
		d.mine(x-9, y)
		d.Rect(x+3, y-7, 14, 14, 2, board.Paint{Fill: black})
	})
	entry("energy zone and worker", func(x, y float64) {
		d.flash(x-9, y)
		d.Rect(x+3, y-7, 14, 14, 2, board.Paint{Fill: red})
	})
	entry("in manufacturing; free", func(x, y float64) {
		d.Rect(x-15, y-7, 14, 14, 2, board.Paint{Fill: board.White, Stroke: "#59626b", Width: 1})
		d.Rect(x+3, y-7, 14, 14, 2, board.Paint{Stroke: "#59626b", Width: 1})
	})
	entry("machine; free place", func(x, y float64) {
		d.Circle(x-8, y, 6.5, board.Paint{Fill: gold, Stroke: "#6d5a3a", Width: 1.2})
		d.Circle(x+10, y, 6.5, board.Paint{Stroke: "#6d5a3a", Width: 1.2})
	})
	entry("Manufacturing Plant", func(x, y float64) { d.plant(x, y) })
	x, y = 864.0, 886.0
	entry("city, Storm-fortified city", func(x, y float64) {
		d.city(x-14, y, false)
		d.city(x+9, y, true)
	})
	entry("struck by a catastrophe", func(x, y float64) { d.struck(x, y) })
	entry("had its election", func(x, y float64) { d.ballot(x, y) })
	entry("raised this turn", func(x, y float64) { d.raised(x, y) })
	entry("you can choose it", func(x, y float64) {
		d.Line(x-18, y, x+18, y, board.Paint{Stroke: pick, Width: 3, Dash: "2 5"})
	})
	entry("in question", func(x, y float64) {
		d.Line(x-18, y, x+18, y, board.Paint{Stroke: pick, Width: 5, Dash: "10 6"})
	})
}
