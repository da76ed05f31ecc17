package earthrising

import (
	"math/bits"

	"earthgym/env"
	"earthgym/env/form"
)

// optionRow is what an observation says of the options.
func (g *Game) optionRow() optionRow {
	row := optionRow{Closed: form.Bit(g.closed), Sustained: form.Bit(g.sustained), Hold: form.Bit(g.hold),
		Return: form.Bit(g.tokensBack), Talk: form.Bit(g.talk)}
	row.Variant[g.variant] = 1
	row.Players[g.players-1] = 1
	row.Characters[g.cast-1] = 1
	return row
}

// Observe writes what p sees.
func (s *State) Observe(dst []float32, p env.Player) {
	o := form.Cleared[observation](dst)
	known := s.knownTo[p]
	s.observeBoard(o)
	s.observeCharacters(o, p, known)
	s.observeSectors(o, p, known)
	s.observePractices(o, known)
	for k, hand := range &s.hand {
		form.Ones(o.Hands[k][:], hand&known)
	}
	s.observeDeck(o, known)
	s.observeInside(o, p, known)
	s.observeTable(o)
	for t := s.struck; t != 0; t = t.rest() {
		o.Struck[t.first()] = 1
	}
	if s.game.talk {
		n := s.game.players
		for q, v := range s.signal[:n] {
			if v != 0 {
				o.Signals[(q-int(p)+n)%n].Signal[v-1] = 1
			}
		}
	}
	o.Options = s.game.options
}

// observeBoard writes circles and practices.
func (s *State) observeBoard(o *observation) {
	boardCircles := int8(s.game.data.Circles.Board)
	minorCircles := boardCircles + int8(s.game.data.Circles.Major)
	for x := range s.circle {
		circles := &o.Circles[x]
		for vacantHere := s.vacantCircles(Sector(x)); vacantHere != 0; vacantHere &= vacantHere - 1 {
			circles[bits.TrailingZeros8(vacantHere)].Vacant = 1
		}
		for filled := s.filled[x]; filled != 0; filled &= filled - 1 {
			i := bits.TrailingZeros8(filled)
			v := s.circle[x][i]
			if v == crater {
				circles[i].Collapse = 1
				continue
			}
			c := x*perSector + int(v) - 1
			row := &o.Practices[c]
			if s.sustainable.Has(Card(c)) {
				circles[i].Sustainable, row.Sustainable = 1, 1
			} else {
				circles[i].Unsustainable, row.Unsustainable = 1, 1
			}
			switch {
			case int8(i) >= minorCircles:
				row.OnMinor = 1
			case int8(i) >= boardCircles:
				row.OnMajor = 1
			}
		}
	}
	for t := s.protest; t != 0; t = t.Rest() {
		o.Practices[t.First()].Protest = 1
	}
	for t := s.regeneration; t != 0; t = t.Rest() {
		o.Practices[t.First()].Regeneration = 1
	}
}

// observeSectors writes what sectors bear.
func (s *State) observeSectors(o *observation, p env.Player, known Set) {
	m := s.meepleStrain()
	hand := s.activeHand(known)
	each, more := m/NumSectors, m%NumSectors
	first := s.active
	if s.decision != atChoose {
		o.Sectors[first].OfActive = 1
	}
	if k, ok := s.decider(); ok {
		o.Sectors[k].OfDeciding = 1
	}
	for i, x := range &s.game.ring[first] {
		row := &o.Sectors[x]
		strain, tolerance := s.strain[x], s.tolerance(x)
		share := each
		if int8(i) < more {
			share++
		}
		net := s.net(x)
		then := max(0, strain+share+net)
		row.burdenRow = s.game.burdens[s.major>>uint(x)&1][s.minor>>uint(x)&1][strain]
		row.MajorReady = form.Bit(s.majorClear(x))
		row.MinorReady = form.Bit(s.minorClear(x))
		row.Housed = form.Part(s.housed[x], 7)
		supported := int8(s.game.data.People.Support * bits.OnesCount8(s.filled[x]&^s.craters[x]))
		row.Support = form.Part(supported-s.housed[x], 14)
		row.VacantHere = form.Part(bits.OnesCount8(s.vacantCircles(x)), 7)
		row.Net = form.Scaled(net, 8, 1)
		row.Share = form.Part(share, 6)
		row.Then = form.Part(then, 14)
		row.Over = form.Bit(then > tolerance)
		form.Count(row.StrainCount[:], strain)
		form.Count(row.Spare[:], int(tolerance-then)+mostOver)
		row.Overflows = form.Bit(strain+share+max(0, net) > s.game.full)
		row.Rate = max(-2, min((float32(float32(m)*(1.0/NumSectors))+float32(net))*(1.0/4), 2))
		row.MajorsBeside = (form.Bit(s.major.has(s.game.next[x])) + form.Bit(s.major.has(s.game.before[x]))) * 0.5
		form.Count(row.Cards[:], (hand & Of(x)).Count())
		if s.decision == atActions || s.decision == atClean {
			s.observeCleanUps(o, x, share, net)
		}
		if k := Character(x); s.inPlay.plays(k) {
			row.OfInPlay = 1
			row.OfOwn = form.Bit(env.Player(s.seat[k]) == p)
		}
	}
}

// activeHand is what is known of the active character's hand; nothing while characters are chosen.
func (s *State) activeHand(known Set) Set {
	if s.decision == atChoose {
		return 0
	}
	return s.hand[s.active] & known
}

// observeCleanUps writes what Clean Ups of a sector would change, which the phases add so much to.
func (s *State) observeCleanUps(o *observation, x Sector, share, net int8) {
	rows, sector := o.CleanUps[int(x)*maxCleanUp:][:maxCleanUp], &o.Sectors[x]
	strain, tolerance, growth := s.strain[x], s.tolerance(x), share+net
	beside := sectorSet(s.game.beside[x])
	major, minor := s.major.has(x), s.minor.has(x)
	home, needed, most, more := form.Bit(x == s.active.Home()), form.Bit(strain+growth > tolerance), s.CleanUps(),
		share+max(0, net)
	turns := o.Characters[x].Turns
	for i := range min(int(strain), maxCleanUp) {
		left := strain - int8(i) - 1
		row := &rows[i]
		row.Possible = 1
		form.Count(row.Left[:], left)
		row.MajorReady = form.Bit(!major && left == s.game.onMinor[0][left])
		row.MinorReady = form.Bit(!minor && left == 0 && s.major&beside == beside)
		row.Over = form.Bit(left+growth > tolerance)
		row.Needed = needed
		row.Wasted = float32(max(0, min(-growth-left, int8(i)+1))) * (1.0 / 4)
		row.Home = home
		row.Number = form.Part(i+1, maxCleanUp)
		row.All = form.Bit(i+1 == most)
		form.Count(row.Then[:], left+growth)
		row.Major, row.Minor, row.Rate, row.Turns = sector.Major, sector.Minor, sector.Rate, turns
		row.Overflows = form.Bit(left+more > s.game.full)
	}
}

// observePractices writes what sector and hand mean for each practice.
func (s *State) observePractices(o *observation, known Set) {
	hand := s.activeHand(known)
	for t := hand; t != 0; t = t.Rest() {
		o.Practices[t.First()].Held = 1
	}
	for x := range Sector(NumSectors) {
		sector := &o.Sectors[x]
		same := min((hand & Of(x)).Count(), 2)
		home := form.Bit(s.decision != atChoose && x == s.active.Home())
		rows := o.Practices[int(x)*perSector:][:perSector]
		for i := range rows {
			row := &rows[i]
			row.Same[same] = 1
			row.Home = home
			row.Vacant, row.Net, row.Over = sector.VacantHere, sector.Net, sector.Over
			row.Strain, row.MajorIn = sector.Strain, sector.Major
		}
	}
}

// burdenRow is what an observation says of a sector's burdens.
func (g *Game) burdenRow(major, minor, strain int) burdenRow {
	tolerance := []int{int(g.full), g.data.Burden.Minor, 0, 0}[major+2*minor]
	onMinor := g.onMinor[major][strain]
	return burdenRow{
		Strain: float32(strain) / 14, OnMinor: float32(onMinor) / 5, OnMajor: float32(int8(strain)-onMinor) / 9,
		Tolerance: float32(tolerance) / 14, Major: float32(major), Minor: float32(minor),
	}
}

// observeCharacters writes who is in play, and who plays whom.
func (s *State) observeCharacters(o *observation, p env.Player, known Set) {
	n := s.game.players
	turnAt := 0 // of the active character in the cast
	for i, k := range s.cast[:s.castSize] {
		if k == s.active {
			turnAt = i
		}
	}
	for i, k := range s.cast[:s.castSize] {
		row := &o.Characters[k]
		row.InPlay = 1
		distance := int(s.seat[k]) - int(p)
		if distance < 0 {
			distance += n
		}
		row.Seat[distance] = 1
		row.Hand = form.Part(s.hand[k].Count(), 10)
		turns := i - turnAt
		if turns < 0 {
			turns += int(s.castSize)
		}
		row.Turns = form.Part(turns, 6)
		o.Sectors[k.Home()].Turns[turns] = 1
		for x := range row.Cards {
			row.Cards[x] = form.Share((s.hand[k] & known & Of(Sector(x))).Count(), 3)
		}
		row.Limit = form.Part(s.limit(k), 9)
	}
	if k, ok := s.decider(); ok {
		o.Characters[s.active].Active = 1
		o.Characters[k].Deciding = 1
	}
}

// observeDeck writes what is known of deck and discard pile.
func (s *State) observeDeck(o *observation, known Set) {
	s.game.spread(&o.Discard, s.discard&known)
	s.game.spread(&o.Unseen, allCards&^known)
	size := int(s.deckSize)
	ends := min(size, deckEnds)
	if s.undrawn()&^s.discard&known != 0 {
		for i := range ends {
			value := 1 - float32(float32(i)*(1.0/deckEnds))
			if c := s.deck[size-1-i]; known.Has(c) {
				o.DeckTop[c] = value
			}
			if c := s.deck[i]; known.Has(c) {
				o.DeckBottom[c] = value
			}
		}
	}
	if s.public != 0 {
		for i := range ends {
			at := size - 1 - i
			switch {
			case s.public>>at&1 == 0:
			case s.deck[at].IsStrike():
				o.Kinds[i].Strike = 1
			default:
				o.Kinds[i].Influence = 1
			}
		}
	}
}

// spread writes 1 for each element, eight at a time.
func (g *Game) spread(dst *cardOnes, t Set) {
	for i := range numCards / 8 {
		*(*[8]float32)(dst[8*i:]) = g.ones[byte(t>>(8*i))]
	}
}

// observeInside writes what is decided, and the compound decision that it is part of.
func (s *State) observeInside(o *observation, p env.Player, known Set) {
	in := &s.inside
	o.Decision[s.decision] = 1
	o.Window[in.window] = 1
	o.Drawing[in.drawing] = 1
	o.After[in.after] = 1
	switch s.decision {
	case atChoose:
		form.Ones(o.Looked[:], s.dealt[s.castSize]&known)
	case atLooked:
		if known.Has(in.card) {
			o.Looked[in.card] = 1
			o.Characters[in.card.Sector()].Fits = 1
		}
	case atOrder:
		left := s.unordered()
		for j, c := range in.order[:in.orderSize] {
			row := &o.Order[j]
			if !s.hidden(p) {
				row.NotPlaced = float32(left >> j & 1)
			}
			if !known.Has(c) {
				continue
			}
			if c.IsStrike() {
				row.Strike = 1
			} else {
				row.Sector[c.Sector()] = 1
				home := Character(c.Sector())
				row.InPlay, row.Turns = o.Characters[home].InPlay, o.Characters[home].Turns
			}
			o.OrderCards[c] = float32(j+1) / maxLooked
		}
	case atTokens:
		form.Ones(o.Touched[:], in.touched)
	case atPay, atCircle, atTo:
		s.observePending(o, p)
	}
}

func (s *State) observePending(o *observation, p env.Player) {
	a, pending := env.Action(s.inside.pending), &o.Pending
	card := practiceOf(a)
	switch {
	case act.major.Has(a):
		pending.Kind[pendingMajor] = 1
		pending.Sector[act.major.Index(a)] = 1
		return
	case act.minor.Has(a):
		pending.Kind[pendingMinor] = 1
		pending.Sector[act.minor.Index(a)] = 1
		return
	case act.give.Has(a):
		pending.Kind[pendingGive] = 1
		if s.hidden(p) {
			return
		}
		card = Card(act.give.Index(a))
		o.Characters[card.Sector()].Fits = 1
	default:
		pending.Kind[pendingCreate+act.create.Index(a)/numPractices] = 1
	}
	pending.Sector[card.Sector()] = 1
	pending.Practice[card] = 1
}

// observeTable writes the numbers of the whole table.
func (s *State) observeTable(o *observation) {
	t := &o.Table
	t.Poverty = form.Part(s.poverty, numMeeple)
	t.MeepleStrain = form.Share(s.meepleStrain(), 20)
	t.Temperature = form.Share(s.temperature(), 6)
	t.Collapses = form.Part(s.collapses, maxCollapses+1)
	t.StartUps = form.Part(s.startups, 8)
	t.Year = float32(s.year) / float32(s.game.limit)
	t.YearsLeft = form.Share(s.game.limit-s.year, 20)
	t.Actions = form.Share(s.actions, 4)
	form.Count(t.ActionCount[:], s.actions)
	form.Count(t.YearCount[:], s.game.limit-s.year)
	form.Count(t.CreditCount[:], s.inside.credits)
	if s.inPlay.plays(Climatologist) {
		t.MovesLeft = form.Part(s.allowance(), 8)
	}
	t.Moves = form.Part(s.moves, 8)
	t.Asked = form.Bit(s.asked)
	t.Collapsed = form.Bit(s.collapsed)
	t.Signals = form.Part(s.signals, maxSignals)
	t.Credits = form.Part(s.inside.credits, maxCleanUp)
	t.Normals = form.Share(s.inside.normals, 4)
	t.Looks = form.Part(s.inside.looks, 8)
	t.Deck = form.Part(s.deckSize, numCards)
	t.Discard = form.Part(s.discard.Count(), numCards)
	t.Strikes = form.Part(NumSectors-(s.discard&allStrikes).Count(), NumSectors)
	if n := s.CardsUntilStrike(); n >= 0 {
		t.UntilStrike = form.Share(n, 15)
		t.StrikeKnown = 1
	}
	t.Strain = form.Part(s.total(), 84)
	t.Segments = float32(s.Segments()) / float32(s.game.required)
	if s.decision == atChoose {
		return
	}
	switch s.active {
	case Activist:
		t.TokensLeft = float32(max(0, s.limit(Activist)-int8(s.protest.Count()))) * (1.0 / 8)
	case Ecologist:
		t.TokensLeft = float32(max(0, s.limit(Ecologist)-int8(s.regeneration.Count()))) * (1.0 / 8)
	case Innovator:
		t.TokensLeft = form.Part(s.limit(Innovator)-s.startups, 8)
	}
}

// CardsUntilStrike is the number of cards above the next place of the deck that everybody knows to hold a strike; -1 if
// there is none.
func (s *State) CardsUntilStrike() int {
	for places := s.public; places != 0; {
		at := bits.Len64(places) - 1
		if s.deck[at].IsStrike() {
			return int(s.deckSize) - 1 - at
		}
		places &^= 1 << at
	}
	return -1
}
