package earthrising

import (
	"math/bits"

	"earthgym/env"
)

// The layout of an observation: where each feature begins. The features come from features(), which a
// test compares with these.
const (
	obsCircles    = 0
	obsPractices  = obsCircles + NumSectors*perCircle*circleStates
	obsSectors    = obsPractices + numPractices*practiceNumbers
	obsCharacters = obsSectors + NumSectors*sectorNumbers
	obsHands      = obsCharacters + NumCharacters*characterNumbers
	obsDiscard    = obsHands + NumCharacters*numPractices
	obsUnseen     = obsDiscard + numCards
	obsDeckTop    = obsUnseen + numCards
	obsDeckBottom = obsDeckTop + numCards
	obsKinds      = obsDeckBottom + numCards
	obsLooked     = obsKinds + deckEnds*2
	obsOrder      = obsLooked + numPractices
	obsOrderCards = obsOrder + maxLooked*orderNumbers
	obsPending    = obsOrderCards + numCards
	obsTouched    = obsPending + pendingNumbers
	obsPhase      = obsTouched + numPractices
	obsWindow     = obsPhase + int(numPhases)
	obsDrawing    = obsWindow + int(numWindows)
	obsAfter      = obsDrawing + int(numDrawings)
	obsTable      = obsAfter + int(numAfterTrims)
	obsStruck     = obsTable + tableNumbers
	obsSignals    = obsStruck + NumSectors
	obsOptions    = obsSignals + maxSeats*2*NumSectors
	obsSize       = obsOptions + optionNumbers
)

const (
	circleStates     = 4
	practiceNumbers  = 6
	sectorNumbers    = 19
	characterNumbers = 12
	orderNumbers     = NumSectors + 2
	pendingFamilies  = 6
	pendingNumbers   = pendingFamilies + NumSectors + numPractices
	tableNumbers     = 24
	optionNumbers    = 3 + maxSeats + NumCharacters + 5
	maxSeats         = 6
	deckEnds         = 10 // places at the top and at the bottom of the deck that are shown one by one
)

// features is the observation layout, the same for every configuration. Sectors and characters stand in
// the order of the rules, seats clockwise from the observer.
func features() []env.Feature {
	return []env.Feature{
		{Name: "circles", Shape: []int{NumSectors, perCircle, circleStates}, High: 1, Help: "each circle: open and vacant, unsustainable counter, sustainable counter, Collapse token; covered circles without a token 0"},
		{Name: "practices", Shape: []int{numPractices, practiceNumbers}, High: 1, Help: "each practice: on the board unsustainable, sustainable, on a Major's circle, on a Minor's circle, Protest token, Regeneration token"},
		{Name: "sectors", Shape: []int{NumSectors, sectorNumbers}, Low: -1, High: 1, Help: "each sector: strain /14, on the Minor /5, on the Major /9, tolerance /14, Major in the centre, Minor in the centre, Major ready to flip, Minor ready, housed /7, support without a place /14, vacant circles /7, net of Phase 2 /8, share of Phase 1 /6, strain after the phases /14, more than the tolerance then, home of the active character, of the deciding one, of one in play, of an own one"},
		{Name: "characters", Shape: []int{NumCharacters, characterNumbers}, High: 1, Help: "each character: in play, active, deciding, seat as one-hot distance from the own, cards in hand /10, turns until its turn /6, limit of its ability /9"},
		{Name: "hands", Shape: []int{NumCharacters, numPractices}, High: 1, Help: "cards known in each character's hand"},
		{Name: "discard", Shape: []int{numCards}, High: 1, Help: "cards known in the discard pile"},
		{Name: "unseen", Shape: []int{numCards}, High: 1, Help: "cards whose place is not known"},
		{Name: "deck_top", Shape: []int{numCards}, High: 1, Help: "cards known in the first ten places of the deck: 1 on top, 0.1 less for each place below"},
		{Name: "deck_bottom", Shape: []int{numCards}, High: 1, Help: "cards known in the last ten places of the deck: 1 at the bottom, 0.1 less for each place above"},
		{Name: "kinds", Shape: []int{deckEnds, 2}, High: 1, Help: "each of the first ten places of the deck: known to all as Influence card, as strike"},
		{Name: "looked", Shape: []int{numPractices}, High: 1, Help: "the extra card that the Eco Investor holds; while characters are chosen, the hand that goes with the pick"},
		{Name: "order", Shape: []int{maxLooked, orderNumbers}, High: 1, Help: "each card that the Politician puts back, as it lay: sector, strike, not placed yet"},
		{Name: "order_cards", Shape: []int{numCards}, High: 1, Help: "the same by card: (place + 1) /9"},
		{Name: "pending", Shape: []int{pendingNumbers}, High: 1, Help: "the action being paid or placed: create, disband, flip, major, minor, give; its sector; its practice or card"},
		{Name: "touched", Shape: []int{numPractices}, High: 1, Help: "practices touched in this token action"},
		{Name: "phase", Shape: []int{int(numPhases)}, High: 1, Help: "what is decided, one-hot: choose, window, draw, looked, trim, discard, actions, pay, circle, clean, to, tokens, order, over"},
		{Name: "window", Shape: []int{int(numWindows)}, High: 1, Help: "the Climatologist's window, one-hot: none, A, B, C"},
		{Name: "drawing", Shape: []int{int(numDrawings)}, High: 1, Help: "the drawing that goes on, one-hot: none, start of the turn, action"},
		{Name: "after", Shape: []int{int(numAfterTrims)}, High: 1, Help: "where the flow goes on after tokens are taken off, one-hot: nowhere, drawing, Phase 2, calendar"},
		{Name: "table", Shape: []int{tableNumbers}, High: 1, Help: "poverty /42, strain of Phase 1 /20, temperature /6, collapses /4, Start-Ups /8, year of the limit, years left /20, actions left /4, moves left /8, moves made /8, asked, a collapse in this turn, signals made /2, strain left to clean /4, normal cards left to draw /4, looks /8, deck /48, discard pile /48, strikes in the deck /6, cards to the next certain strike /15, whether there is one, all strain /84, segments of those required, tokens of the active character left /8"},
		{Name: "struck", Shape: []int{NumSectors}, High: 1, Help: "strikes resolved in this turn, by sector"},
		{Name: "signals", Shape: []int{maxSeats, 2 * NumSectors}, High: 1, Help: "each seat's last signal, clockwise from the own: want and plan, by sector"},
		{Name: "options", Shape: []int{optionNumbers}, High: 1, Help: "variant, players, characters as one-hots; closed hands, sustained win, held calendar, returned tokens, talk"},
	}
}

// optionRow is the feature "options" of a Game.
func (g *Game) optionRow() []float32 {
	row := make([]float32, optionNumbers)
	row[g.variant] = 1
	row[3+g.players-1] = 1
	row[3+maxSeats+g.cast-1] = 1
	for i, on := range []bool{g.closed, g.sustained, g.hold, g.tokensBack, g.talk} {
		if on {
			row[3+maxSeats+NumCharacters+i] = 1
		}
	}
	return row
}

// Observe writes what p sees.
func (s *State) Observe(dst []float32, p env.Player) {
	dst = dst[:obsSize]
	clear(dst)
	known := s.knownTo[p]
	s.observeBoard(dst)
	s.observeSectors(dst[obsSectors:], p)
	s.observeCharacters(dst[obsCharacters:], p)
	for k, hand := range &s.hand {
		ones(dst[obsHands+k*numPractices:], hand&known)
	}
	s.observeDeck(dst, known)
	s.observeInside(dst, p, known)
	s.observeTable(dst[obsTable:])
	for t := s.struck; t != 0; t = t.rest() {
		dst[obsStruck+t.first()] = 1
	}
	if s.game.talk {
		n := s.game.players
		for q, v := range s.signal[:n] {
			if v != 0 {
				dst[obsSignals+(q-int(p)+n)%n*2*NumSectors+int(v)-1] = 1
			}
		}
	}
	copy(dst[obsOptions:], s.game.options)
}

// ones writes 1 for each element of a set.
func ones(dst []float32, t Set) {
	for ; t != 0; t &= t - 1 {
		dst[bits.TrailingZeros64(uint64(t))] = 1
	}
}

// part is n of most, at most 1.
func part(n int8, most float32) float32 { return min(float32(n)/most, 1) }

func flag(on bool) float32 {
	if on {
		return 1
	}
	return 0
}

// observeBoard writes circles and practices.
func (s *State) observeBoard(dst []float32) {
	boardCircles := int8(s.game.data.Circles.Board)
	minorCircles := boardCircles + int8(s.game.data.Circles.Major)
	circles, practices := dst[obsCircles:obsPractices], dst[obsPractices:obsSectors]
	for x := range s.circle {
		vacantHere := s.vacantCircles(Sector(x))
		for ; vacantHere != 0; vacantHere &= vacantHere - 1 {
			circles[(x*perCircle+bits.TrailingZeros8(vacantHere))*circleStates] = 1
		}
		for filled := s.filled[x]; filled != 0; filled &= filled - 1 {
			i := bits.TrailingZeros8(filled)
			at := (x*perCircle + i) * circleStates
			v := s.circle[x][i]
			if v == crater {
				circles[at+3] = 1
				continue
			}
			c := x*perSector + int(v) - 1
			row := practices[c*practiceNumbers : (c+1)*practiceNumbers]
			if s.sustainable.Has(Card(c)) {
				circles[at+2], row[1] = 1, 1
			} else {
				circles[at+1], row[0] = 1, 1
			}
			switch {
			case int8(i) >= minorCircles:
				row[3] = 1
			case int8(i) >= boardCircles:
				row[2] = 1
			}
		}
	}
	for t := s.protest; t != 0; t = t.Rest() {
		practices[int(t.First())*practiceNumbers+4] = 1
	}
	for t := s.regeneration; t != 0; t = t.Rest() {
		practices[int(t.First())*practiceNumbers+5] = 1
	}
}

// observeSectors writes what each sector bears now, and after the strain phases as far as they can be
// seen from the sector alone.
func (s *State) observeSectors(dst []float32, p env.Player) {
	m := s.meepleStrain()
	each, more := m/NumSectors, m%NumSectors
	first := s.active
	if s.phase != inChoose {
		dst[int(first)*sectorNumbers+15] = 1
	}
	if k, ok := s.decider(); ok {
		dst[int(k)*sectorNumbers+16] = 1
	}
	for i, x := range &s.game.ring[first] {
		row := dst[int(x)*sectorNumbers : (int(x)+1)*sectorNumbers]
		strain, tolerance := s.strain[x], s.tolerance(x)
		share := each
		if int8(i) < more {
			share++
		}
		net := s.net(x)
		then := max(0, strain+share+net)
		*(*[8]float32)(row) = s.game.burdens[s.major>>uint(x)&1][s.minor>>uint(x)&1][strain]
		row[6] = flag(s.majorClear(x))
		row[7] = flag(s.minorClear(x))
		row[8] = float32(s.housed[x]) * (1.0 / 7)
		supported := int8(s.game.data.People.Support * bits.OnesCount8(s.filled[x]&^s.craters[x]))
		row[9] = min(float32(supported-s.housed[x])*(1.0/14), 1)
		row[10] = float32(bits.OnesCount8(s.vacantCircles(x))) * (1.0 / 7)
		row[11] = max(-1, min(float32(net)*(1.0/8), 1))
		row[12] = min(float32(share)*(1.0/6), 1)
		row[13] = min(float32(then)*(1.0/14), 1)
		row[14] = flag(then > tolerance)
		if k := Character(x); s.inPlay.plays(k) {
			row[17] = 1
			row[18] = flag(env.Player(s.seat[k]) == p)
		}
	}
}

// burdenRow is what an observation says of a sector's burdens; the last two numbers depend on more.
func (g *Game) burdenRow(major, minor, strain int) [8]float32 {
	tolerance := []int{int(g.full), g.data.Burden.Minor, 0, 0}[major+2*minor]
	onMinor := g.onMinor[major][strain]
	return [8]float32{
		float32(strain) / 14, float32(onMinor) / 5, float32(int8(strain)-onMinor) / 9, float32(tolerance) / 14,
		float32(major), float32(minor),
	}
}

// observeCharacters writes who is in play, and who plays whom.
func (s *State) observeCharacters(dst []float32, p env.Player) {
	n := s.game.players
	turnAt := 0 // of the active character in the cast
	for i, k := range s.cast[:s.castSize] {
		if k == s.active {
			turnAt = i
		}
	}
	for i, k := range s.cast[:s.castSize] {
		row := dst[int(k)*characterNumbers : (int(k)+1)*characterNumbers]
		row[0] = 1
		distance := int(s.seat[k]) - int(p)
		if distance < 0 {
			distance += n
		}
		row[3+distance] = 1
		row[9] = min(float32(s.hand[k].Count())*0.1, 1)
		turns := i - turnAt
		if turns < 0 {
			turns += int(s.castSize)
		}
		row[10] = float32(turns) * (1.0 / 6)
		row[11] = float32(s.limit(k)) * (1.0 / 9)
	}
	if k, ok := s.decider(); ok {
		dst[int(s.active)*characterNumbers+1] = 1
		dst[int(k)*characterNumbers+2] = 1
	}
}

// observeDeck writes what is known of deck and discard pile.
func (s *State) observeDeck(dst []float32, known Set) {
	s.game.spread(dst[obsDiscard:], s.discard&known)
	s.game.spread(dst[obsUnseen:], allCards&^known)
	size := int(s.deckSize)
	ends := min(size, deckEnds)
	if s.undrawn()&^s.discard&known != 0 {
		for i := range ends {
			value := 1 - float32(i)*(1.0/deckEnds)
			if c := s.deck[size-1-i]; known.Has(c) {
				dst[obsDeckTop+int(c)] = value
			}
			if c := s.deck[i]; known.Has(c) {
				dst[obsDeckBottom+int(c)] = value
			}
		}
	}
	if s.public != 0 {
		for i := range ends {
			at := size - 1 - i
			if s.public>>at&1 != 0 {
				dst[obsKinds+2*i+int(kindOf(s.deck[at])-influenceCard)] = 1
			}
		}
	}
}

// spread writes 48 numbers, 1 for each element, eight at a time.
func (g *Game) spread(dst []float32, t Set) {
	for i := range numCards / 8 {
		*(*[8]float32)(dst[8*i:]) = g.ones[byte(t>>(8*i))]
	}
}

// observeInside writes phase and compound decision.
func (s *State) observeInside(dst []float32, p env.Player, known Set) {
	in := &s.inside
	dst[obsPhase+int(s.phase)] = 1
	dst[obsWindow+int(in.window)] = 1
	dst[obsDrawing+int(in.drawing)] = 1
	dst[obsAfter+int(in.after)] = 1
	switch s.phase {
	case inChoose:
		ones(dst[obsLooked:], s.dealt[s.castSize]&known)
	case inLooked:
		if known.Has(in.card) {
			dst[obsLooked+int(in.card)] = 1
		}
	case inOrder:
		left := s.unordered()
		for j, c := range in.order[:in.orderSize] {
			row := dst[obsOrder+j*orderNumbers : obsOrder+(j+1)*orderNumbers]
			row[NumSectors+1] = float32(left >> j & 1)
			if s.hidden(p) {
				row[NumSectors+1] = 0
			}
			if !known.Has(c) {
				continue
			}
			if c.IsStrike() {
				row[NumSectors] = 1
			} else {
				row[c.Sector()] = 1
			}
			dst[obsOrderCards+int(c)] = float32(j+1) / maxLooked
		}
	case inTokens:
		ones(dst[obsTouched:], in.touched)
	case inPay, inCircle, inTo:
		s.observePending(dst[obsPending:], p)
	}
}

func (s *State) observePending(dst []float32, p env.Player) {
	a := env.Action(s.inside.pending)
	family, card := 5, Card(a-give)
	switch {
	case a >= minor:
		family = 4
	case a >= major:
		family = 3
	case a >= give:
		if s.hidden(p) {
			dst[family] = 1
			return
		}
	default:
		family, card = int(a-create)/numPractices, practiceOf(a)
	}
	dst[family] = 1
	if family == 3 || family == 4 {
		dst[pendingFamilies+int(pendingSector(a))] = 1
		return
	}
	dst[pendingFamilies+int(card.Sector())] = 1
	dst[pendingFamilies+NumSectors+int(card)] = 1
}

// observeTable writes the numbers of the whole table.
func (s *State) observeTable(dst []float32) {
	dst = dst[:tableNumbers]
	dst[0] = float32(s.poverty) * (1.0 / numMeeple)
	dst[1] = part(s.meepleStrain(), 20)
	dst[2] = part(s.temperature(), 6)
	dst[3] = float32(s.collapses) * (1.0 / (maxCollapses + 1))
	dst[4] = float32(s.startups) * (1.0 / 8)
	dst[5] = float32(s.year) / float32(s.game.limit)
	dst[6] = part(s.game.limit-s.year, 20)
	dst[7] = part(s.actions, 4)
	if s.inPlay.plays(Climatologist) {
		dst[8] = float32(s.allowance()) * (1.0 / 8)
	}
	dst[9] = float32(s.moves) * (1.0 / 8)
	dst[10] = flag(s.asked)
	dst[11] = flag(s.collapsed)
	dst[12] = float32(s.signals) * (1.0 / maxSignals)
	dst[13] = float32(s.inside.credits) * (1.0 / maxCleanUp)
	dst[14] = part(s.inside.normals, 4)
	dst[15] = float32(s.inside.looks) * (1.0 / 8)
	dst[16] = float32(s.deckSize) * (1.0 / numCards)
	dst[17] = float32(s.discard.Count()) * (1.0 / numCards)
	dst[18] = float32(NumSectors-(s.discard&allStrikes).Count()) * (1.0 / NumSectors)
	if n := s.untilStrike(); n >= 0 {
		dst[19] = part(int8(n), 15)
		dst[20] = 1
	}
	dst[21] = float32(s.total()) * (1.0 / 84)
	dst[22] = float32(s.segments()) / float32(s.game.required)
	if s.phase == inChoose {
		return
	}
	switch s.active {
	case Activist:
		dst[23] = float32(max(0, s.limit(Activist)-int8(s.protest.Count()))) * (1.0 / 8)
	case Ecologist:
		dst[23] = float32(max(0, s.limit(Ecologist)-int8(s.regeneration.Count()))) * (1.0 / 8)
	case Innovator:
		dst[23] = float32(s.limit(Innovator)-s.startups) * (1.0 / 8)
	}
}

// untilStrike is the number of cards above the next place that everybody knows to hold a strike; -1 if
// there is none.
func (s *State) untilStrike() int {
	for places := s.public; places != 0; {
		at := bits.Len64(places) - 1
		if s.deck[at].IsStrike() {
			return int(s.deckSize) - 1 - at
		}
		places &^= 1 << at
	}
	return -1
}
