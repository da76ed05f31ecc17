package newearth

import (
	"fmt"
	"strconv"
	"strings"

	"earthgym/env"
	"earthgym/env/board"
	"earthgym/env/spelling"
)

// Beside the board: seats, table, hand, piles and legend.

// drawSeats draws the mats, two in a row.
func (s *State) drawSeats(d *drawing, p env.Player) float64 {
	const width, height = panelWidth/2 - 4, 152.0
	for q := range env.Player(s.game.players) {
		x, y := panelX+float64(q%2)*(width+8), 14+float64(q/2)*(height+8)
		s.drawSeat(d, x, y, width, height, q, p)
		if places := (int(q) - int(s.seat) + s.game.players) % s.game.players; p == env.Player(s.seat) && places > 0 {
			d.TouchRect(s.game.info, x, y, width, height, 8, OfferTo(places))
		}
	}
	return 14 + float64((s.game.players+1)/2)*(height+8) + 12
}

func (s *State) drawSeat(d *drawing, x, y, width, height float64, q, p env.Player) {
	seat := &s.seats[q]
	d.Sheet(x, y, width, height)
	if s.activeSeenBy(p) == q {
		d.Rect(x, y, width, height, 9, board.Paint{Stroke: board.Ink, Width: 3.5})
	}
	d.disc(x+22, y+21, q)
	d.Fit(x+42, y+26, width-50, headFont, seatTitle(q, p))
	left := x + 11
	d.Text(left, y+52, headFont.Sized(17), fmt.Sprintf("%dm", seat.has[Cash]))
	for i, k := range []Kind{Mining, Energy, Manufacturing} {
		at := left + 66 + 47*float64(i)
		d.Use([...]string{"mining", "energy", "making"}[i], at, y+46)
		d.Text(at+10, y+52, headFont, strconv.Itoa(int(seat.has[k])))
	}
	lines := []string{fmt.Sprintf("goods %d, levels need %d", seat.has[Goods], s.need(q))}
	if s.turn > 0 {
		made, order := s.Output(q), ""
		if i := s.order.place(q); i >= 0 {
			order = [...]string{"1st", "2nd", "3rd", "4th"}[i] + " · "
		}
		lines = append(lines, fmt.Sprintf("%smakes %d, %d, %d +%dm", order, made[Mining], made[Energy], made[Manufacturing],
			s.Income(q)), fmt.Sprintf("zones %d · elections %d of %d", s.owned[q].Count(), seat.electionsUsed,
			s.game.data.Elections))
		for _, text := range []string{s.pointsText(q), s.handText(q, p)} {
			lines = append(lines, board.Wrap(text, width-20, bodyFont.Size, false)...)
		}
	}
	step := min(18, 75/float64(len(lines)-1))
	for i, text := range lines {
		d.Fit(left, y+72+step*float64(i), width-20, bodyFont, text)
	}
}

// disc draws the piece of a seat with its letter.
func (d *drawing) disc(x, y float64, q env.Player) {
	d.Piece(seatLetters[q])
	d.Ball(x, y, 12, board.Paint{Fill: looks[q].Fill, Stroke: board.White, Width: 1.5})
	d.Text(x, y+5.4, board.Font{Size: board.Smallest, Fill: looks[q].Ink, Bold: true}.Middle(), seatLetters[q])
	d.End()
}

// drawTable draws what lies in the middle: piles, what is being resolved, the end.
func (s *State) drawTable(d *drawing, p env.Player, y float64) float64 {
	y = d.Lines(panelX, y, panelWidth, 0, paleFont, fmt.Sprintf("Deck %s, discard pile %d",
		spelling.Counted(int(s.decked), "card"), s.discards))
	if s.target != NoZone {
		y = s.drawElection(d, p, y-4)
	}
	for _, text := range s.pending() {
		if s.target == NoZone {
			y = d.Lines(panelX, y+4, panelWidth, 0, headFont, text)
		}
	}
	switch {
	case s.decision == Over:
		return s.drawEnd(d, y)
	case env.Player(s.seat) != p:
		y = d.Lines(panelX, y+4, panelWidth, 0, bodyFont, s.waiting()+".")
	}
	return y
}

// drawElection draws the election panel: the zone, who takes part, the table of results, and of the secret
// commitments the viewer's own alone.
func (s *State) drawElection(d *drawing, p env.Player, y float64) float64 {
	const height = 172.0
	d.Sheet(panelX, y, panelWidth, height)
	x := panelX + 12
	d.Text(x, y+25, headFont.Sized(17), fmt.Sprintf("Election in %s", s.target))
	d.Text(panelX+panelWidth-12, y+25, bodyFont.End(), fmt.Sprintf("value %dm, workers %d, cards a side %d",
		s.game.zoneValue[s.sl[s.target]], s.raw[s.target]+s.makers[s.target], s.cardLimit(s.target)))
	list := s.participants()
	list = s.inOrder(0, list.has)
	at := x
	word := func(text string) {
		d.Text(at, y+52, bodyFont, text)
		at += bodyFont.Width(text) + 18
	}
	disc := func(q env.Player) {
		d.disc(at+2, y+47, q)
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
	d.Lines(x, y+73, panelWidth-24, 0, paleFont, spelling.Capital(secret))
	d.Text(x, y+110, paleFont, "excess")
	d.Text(x, y+134, paleFont, "needs a die")
	d.Text(x, y+158, paleFont, "chance")
	for excess := int32(1); excess <= maxExcess; excess++ {
		cell := panelX + 128 + 56*float64(excess-1)
		label := fmt.Sprintf("%dm", excess)
		label += board.When(excess == maxExcess, "+")
		d.Text(cell, y+110, paleFont.Middle(), label)
		d.Text(cell, y+134, headFont.Middle(), fmt.Sprintf("%d+", s.game.data.Election.Die[excess-1]))
		d.Text(cell, y+158, bodyFont.Middle(), fmt.Sprintf("%.0f %%", 100*s.game.chance(excess, 0)))
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
		f := bodyFont
		if s.winners.Has(p) {
			f = f.Strong()
		}
		d.disc(panelX+14, y+9, p)
		y = d.Lines(panelX+34, y+14, panelWidth-34, 0, f, seatNames[p]+": "+s.scoreText(p)) - 4
	}
	return d.Lines(panelX, y+18, panelWidth, 0, headFont.Sized(18), "Won by "+s.winnersText())
}

const (
	cardWidth  = 144.0
	cardHeight = 63.0
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
		y = d.Lines(panelX, y, panelWidth, 0, headFont,
			fmt.Sprintf("You have committed %dm and %s", seat.commitCash, titles(seat.commitCards)))
	}
	return y
}

// touchCard lets a card of the hand stand for what is done with it.
func (s *State) touchCard(d *drawing, c Card, x, y float64) {
	actions := []env.Action{Strike(c)}
	if c.IsCity() {
		actions = []env.Action{Play(c), Discard(c), Sell(c), TradeIn(c)}
	}
	d.TouchRect(s.game.info, x, y, cardWidth, cardHeight, 6, actions...)
}

func (s *State) drawCard(d *drawing, c Card, n int8, x, y float64) {
	band := "#1f5c91"
	if !c.IsCity() {
		band = purple
	}
	d.Sheet(x, y, cardWidth, cardHeight)
	d.Rect(x, y, 8, cardHeight, 4, board.Paint{Fill: band})
	s.touchCard(d, c, x, y)
	d.Ball(x+cardWidth-15, y+15, 11, board.Paint{Fill: band})
	d.Text(x+cardWidth-15, y+20.4, bodyFont.In(board.White).Strong().Middle(), strconv.Itoa(int(s.game.value[c])))
	f := bodyFont.Strong()
	first := board.Wrap(s.game.titleOf(c), cardWidth-44, f.Size, true)[0] // beside the value; below it there is more room
	lines := append([]string{first}, board.Wrap(s.game.titleOf(c)[len(first):], cardWidth-20, f.Size, true)...)
	for i, line := range lines {
		d.Fit(x+14, y+19+18*float64(i), cardWidth-20, f, line)
	}
	below := y + 56
	if c.IsCity() {
		below = y + 39
	}
	if n > 1 {
		d.Text(x+cardWidth-8, below, f.End(), fmt.Sprintf("×%d", n))
	}
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
	d.Fit(x+14, y+56, cardWidth-20, paleFont,
		fmt.Sprintf("In %s, Def %s%s", modifierText(s.game.initiator[c]), modifierText(s.game.defending[c]), extra))
}

// drawPiles lists the discard pile, and the cards that the viewer can't see, where there is room for them.
func (s *State) drawPiles(d *drawing, p env.Player, y float64) {
	unseen := s.unseen(p)
	f := paleFont
	for _, text := range []string{
		"Discarded: " + strings.Join(pileTexts(&s.discard, s.game.titleOf), ", "),
		"Not seen: " + strings.Join(pileTexts(&unseen, s.game.titleOf), ", "),
	} {
		y += 8
		if n := len(board.Wrap(text, panelWidth, f.Size, f.Bold)); y+20*float64(n) < board.High {
			y = d.Lines(panelX, y, panelWidth, 0, f, text)
		}
	}
}

// drawLegend says below the board what the pieces mean.
func (s *State) drawLegend(d *drawing) {
	for i, sign := range []struct {
		text string
		draw func(x, y float64)
	}{
		{"owner, level", func(x, y float64) { d.marker(x, y, 0, 3) }},
		{"leader", func(x, y float64) { d.leader(x, y-2, 0) }},
		{"mining, energy", func(x, y float64) {
			d.Use("mining", x-8, y)
			d.Use("energy", x+8, y)
		}},
		{"manufacturing, free", func(x, y float64) {
			d.Use("making", x-8, y)
			d.Use("bare", x+8, y)
		}},
		{"machine, free", func(x, y float64) {
			d.Use("machine", x-8, y)
			d.Use("slot", x+8, y)
		}},
		{"Plant", func(x, y float64) { d.Use("plant", x, y) }},
		{"city, Storm-fortified", func(x, y float64) {
			d.city(x-13, y, false)
			d.city(x+10, y, true)
		}},
		{"had its election", func(x, y float64) { d.ballot(x, y) }},
		{"raised this turn", func(x, y float64) { d.raised(x, y) }},
		{"struck", func(x, y float64) { d.struck(x, y) }},
		{"you can choose it", func(x, y float64) {
			d.Line(x-18, y, x+18, y, board.Paint{Stroke: board.Ink, Width: 3, Dash: "2 5"})
		}},
		{"in question", func(x, y float64) {
			d.Line(x-18, y, x+18, y, board.Paint{Stroke: board.Ink, Width: 5, Dash: "10 6"})
		}},
	} {
		x, y := 14+[...]float64{0, 180, 340, 590}[i%4], 812+26*float64(i/4)
		sign.draw(x+22, y)
		d.Text(x+50, y+5, paleFont, sign.text)
	}
}
