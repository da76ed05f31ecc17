package newearth

import "earthgym/env"

// Hands drawn anew: deals that fit what is known of them, each as often as every other.

// The classes of cards: what is known of a hand tells no more of them apart (agrees).
const (
	ones   = iota // City cards of value 1; all City cards where no totals are announced
	twos          // City cards of value 2
	losses        // Stock Losses
	others        // the other Catastrophe cards
	numClasses
)

// A split is a number of cards of each class.
type split [numClasses]int16

func (s *split) add(o *split) {
	for class, n := range o {
		s[class] += n
	}
}

func (s *split) without(o *split) split {
	rest := *s
	for class, n := range o {
		rest[class] -= n
	}
	return rest
}

func (s *split) size() int16 { return s[ones] + s[twos] + s[losses] + s[others] }

func (g *Game) class(c Card) int {
	switch {
	case stockLosses.Has(c):
		return losses
	case !c.IsCity():
		return others
	case g.announce && g.value[c] == 2:
		return twos
	}
	return ones
}

func (g *Game) split(p *Pile) split {
	var of split
	for c, n := range p {
		of[g.classes[c]] += int16(n)
	}
	return of
}

// ways is the number of ways to draw a split out of so many cards of each class.
func (g *Game) ways(left, of *split) float64 {
	w := 1.0
	for class, n := range left {
		k := of[class]
		if k > n {
			return 0
		}
		w = float64(w * g.binomials[n][k])
	}
	return w
}

// workOutSplits makes the tables for split and ways: the classes, and binomial coefficients.
func (g *Game) workOutSplits() {
	for c := range g.classes {
		g.classes[c] = int8(g.class(Card(c)))
	}
	most := int16(0)
	for _, n := range g.split(&g.printed) {
		most = max(most, n)
	}
	g.binomials = make([][]float64, most+1)
	for n := range g.binomials {
		row := make([]float64, n+1)
		row[0], row[n] = 1, 1
		for k := 1; k < n; k++ {
			row[k] = g.binomials[n-1][k-1] + g.binomials[n-1][k]
		}
		g.binomials[n] = row
	}
}

const (
	maxSplits = 256  // more need a hand far above any limit
	maxDrawn  = 1024 // for two seats' splits of up to 15 cards with 3 Stock Losses
)

// A share is what one seat gets in a deal, beside the cards that it must hold.
type share struct {
	seat   env.Player
	free   int16 // cards that it lacks
	n      int   // of splits; 0 if any will do
	splits [maxSplits]split
	got    split
	hand   Pile
}

// A dealing draws the hands of a redeal. Each deal that fits what is known of the hands comes up as often
// as every other: it is first drawn how many cards of each class each seat gets, by the number of deals that
// this leaves, and then which cards.
type dealing struct {
	*redeal
	left   split             // in the pool
	cards  [6 * 127]Card     // of the pool, class by class
	begins [numClasses]int16 // where each class begins
	shares [maxPlayers - 1]share
	n      int // of seats
	fitted int // seats of which something is known; they come first
	upTo   [maxSplits]float64
	// The deals for the last of three fitted seats, by what the others have drawn; -1 if it is not worked out.
	last        [maxDrawn]float64
	most, loses int16 // cards that the others draw, and Stock Losses among them
}

// prepare lists the seats and what they can get. If it need not fit what is known of a hand, or nothing fits,
// anything will do.
func (d *dealing) prepare(fitting bool) {
	d.left = d.game.split(&d.pool)
	d.sortCards()
	struck := d.struck()
	for i := range d.game.players {
		q := d.order.at(i)
		if q == d.me {
			continue
		}
		s := &d.shares[d.n]
		s.seat, s.free = q, int16(d.hand[q]-d.must[q].size())
		if fitting {
			d.listSplits(s, i < struck)
		}
		if d.n++; s.n > 0 {
			d.shares[d.fitted], *s = *s, d.shares[d.fitted]
			d.fitted++
		}
	}
	if d.fitted < maxPlayers-1 {
		return
	}
	d.most = d.shares[0].free + d.shares[1].free
	d.loses = min(d.most, d.left[losses])
	for i := range min(maxDrawn, int(d.most+1)*int(d.most+1)*int(d.loses+1)) {
		d.last[i] = -1
	}
}

// sortCards lays out the pool by class.
func (d *dealing) sortCards() {
	var at [numClasses]int16
	for class := 1; class < numClasses; class++ {
		d.begins[class] = d.begins[class-1] + d.left[class-1]
		at[class] = d.begins[class]
	}
	for c, n := range d.pool {
		class := d.game.classes[c]
		for range n {
			d.cards[at[class]] = Card(c)
			at[class]++
		}
	}
}

// listSplits lists the splits with which a seat's hand fits what is known of it.
func (d *dealing) listSplits(s *share, struck bool) {
	must, shown := d.game.split(&d.must[s.seat]), d.game.split(&d.seats[s.seat].shown)
	all := true
	for a := range min(s.free, d.left[ones]) + 1 {
		for b := range min(s.free-a, d.left[twos]) + 1 {
			for c := range min(s.free-a-b, d.left[losses]) + 1 {
				of := split{a, b, c, s.free - a - b - c}
				hand := of
				hand.add(&must)
				if of[others] > d.left[others] {
					continue
				}
				if !d.agrees(s.seat, &hand, &shown, struck) {
					all = false
					continue
				}
				if s.n == maxSplits {
					s.n = 0
					return
				}
				s.splits[s.n] = of
				s.n++
			}
		}
	}
	if all {
		s.n = 0
	}
}

// deals is the number of ways to give the fitted seats from a place of the list on what they lack, out of
// what is left. The other seats can always be served in as many ways, whatever is left.
func (d *dealing) deals(from int, left split) float64 {
	if from == d.fitted {
		return 1
	}
	at := maxDrawn
	if from == maxPlayers-2 {
		drawn := d.left.without(&left)
		at = (int(drawn[ones])*int(d.most+1)+int(drawn[twos]))*int(d.loses+1) + int(drawn[losses])
	}
	if at < maxDrawn && d.last[at] >= 0 {
		return d.last[at]
	}
	sum := 0.0
	for i := range d.shares[from].n {
		sum += d.dealsWith(from, &left, &d.shares[from].splits[i])
	}
	if at < maxDrawn {
		d.last[at] = sum
	}
	return sum
}

// dealsWith are those of deals in which the first of the seats gets a split.
func (d *dealing) dealsWith(from int, left, of *split) float64 {
	w := d.game.ways(left, of)
	if w == 0 || from == d.fitted-1 {
		return w
	}
	return float64(w * d.deals(from+1, left.without(of)))
}

// drawSplits draws the split of each seat. It is false if no deal fits.
func (d *dealing) drawSplits() bool {
	left := d.left
	for i := range d.n {
		s := &d.shares[i]
		if i >= d.fitted {
			s.got = d.anySplit(left, s.free)
			left = left.without(&s.got)
			continue
		}
		sum := 0.0
		for k := range s.n {
			sum += d.dealsWith(i, &left, &s.splits[k])
			d.upTo[k] = sum
		}
		if sum == 0 {
			return false
		}
		x, k := d.rng.Float64()*sum, 0
		for k < s.n-1 && d.upTo[k] <= x {
			k++
		}
		s.got = s.splits[k]
		left = left.without(&s.got)
	}
	return true
}

// anySplit is that of so many cards drawn from all that is left.
func (d *dealing) anySplit(left split, n int16) split {
	var got split
	for range n {
		j, class := int16(d.rng.Below(int(left.size()))), ones
		for ; j >= left[class]; class++ {
			j -= left[class]
		}
		left[class]--
		got[class]++
	}
	return got
}

// drawCards draws the cards of each split, and says whether the question fits the hands.
func (d *dealing) drawCards() bool {
	at := d.begins
	fits := true
	for i := range d.n {
		s := &d.shares[i]
		s.hand = d.must[s.seat]
		for class, n := range s.got {
			for range n {
				rest := d.cards[at[class] : d.begins[class]+d.left[class]]
				j := d.rng.Below(len(rest))
				rest[0], rest[j] = rest[j], rest[0]
				s.hand[rest[0]]++
				at[class]++
			}
		}
		fits = fits && (int8(s.seat) != d.seat || d.asks(s.seat, &s.hand))
	}
	return fits
}

// giveOut gives the seats their hands. What is left of the pool is the deck.
func (d *dealing) giveOut() {
	d.deck = d.pool
	for i := range d.n {
		s := &d.shares[i]
		for c, n := range s.hand {
			d.deck[c] -= n - d.must[s.seat][c]
			for range n {
				d.gain(s.seat, Card(c))
			}
		}
	}
	d.decked = int16(d.deck.size())
}

// tries is how often a draw that does not fit is made again, before it is given up.
const tries = 400

// dealHands draws the other hands from the pool, and the rest is the deck: evenly among the deals that fit
// what the seats have shown and the question that is asked, or, if it needs no fitting one, among all. It is
// false if it found none.
func (r *redeal) dealHands(fitting bool) bool {
	d := dealing{redeal: r}
	d.prepare(fitting)
	for range tries {
		if !d.drawSplits() {
			return false
		}
		if d.drawCards() || !fitting {
			d.giveOut()
			return true
		}
	}
	return false
}

// struck is how many seats, in order, have surely had their chance to play a Catastrophe card this turn.
func (r *redeal) struck() int {
	switch {
	case r.phase != phaseCatastrophes:
		return r.game.players
	case r.decision == AtReceive || r.decision == AtOverflow:
		return 0
	}
	return r.order.place(env.Player(r.active))
}

// agrees says whether a hand fits what the seat has shown: its hand total at the start of the turn, and
// that it has played no Catastrophe card though it had to play any that it could.
func (r *redeal) agrees(q env.Player, hand, shown *split, struck bool) bool {
	seat := &r.seats[q]
	if r.game.announce {
		of := *hand
		of.add(shown)
		if !of.canTotal(int16(seat.announcedSize), seat.announced) {
			return false
		}
	}
	if !struck || shown[losses]+shown[others] > 0 {
		return true
	}
	held, since := hand[others], seat.drawn
	switch {
	case r.turn == 1: // the first cards are City cards
		held += hand[losses]
	case int(seat.announcedSize) < r.game.data.HandLimit: // one was drawn before
		since--
	}
	return held <= since
}

// canTotal says whether a number of cards of the split can have a total.
func (s *split) canTotal(size, total int16) bool {
	none := s[losses] + s[others]
	least := max(0, (total-s[ones]+1)/2, total-size)
	return least <= min(s[twos], total/2, total-size+none)
}

// drawTotals draws hidden hand totals of the others that fit the order of the turn. If a hundred do not, it
// makes some that do.
func (r *redeal) drawTotals() {
	var drawn [maxPlayers]int16
	for range 100 {
		falls, last := true, int16(maxNumber)
		for i := range r.game.players {
			q := r.order.at(i)
			drawn[i] = r.seats[q].announced
			if q != r.me {
				drawn[i] = r.drawTotal(q)
			}
			falls = falls && drawn[i] <= last
			last = drawn[i]
		}
		if falls {
			r.announce(&drawn)
			return
		}
	}
	// None fitted: those before p have at least its total, and none more than the seat before.
	me := r.order.place(r.me)
	for i := range r.game.players {
		if i < me {
			drawn[i] = max(drawn[i], drawn[me])
		}
		if i > 0 && i != me {
			drawn[i] = min(drawn[i], drawn[i-1])
		}
	}
	r.announce(&drawn)
}

func (r *redeal) announce(totals *[maxPlayers]int16) {
	for i := range r.game.players {
		r.seats[r.order.at(i)].announced = totals[i]
	}
}

// drawTotal is the total of as many cards as the seat had at the start of the turn, out of those it has
// and has shown since.
func (r *redeal) drawTotal(q env.Player) int16 {
	var values [256]int8
	n := 0
	seat := &r.seats[q]
	for c := range Card(NumCards) {
		k := int(seat.hand[c]) + int(seat.shown[c])
		if seat.commitCards.Has(c) {
			k++
		}
		for ; k > 0 && n < len(values); k-- {
			values[n] = r.game.value[c]
			n++
		}
	}
	total := int16(0)
	for k := range min(int(seat.announcedSize), n) {
		j := k + r.rng.Below(n-k)
		values[k], values[j] = values[j], values[k]
		total += int16(values[k])
	}
	return total
}
