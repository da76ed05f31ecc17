package earthrising

import (
	"math/bits"
	"strconv"

	"earthgym/env"
	"earthgym/env/form"
)

const (
	maxSeats = 6
	deckEnds = 10 // places at the top and at the bottom of the deck that are shown one by one
)

type (
	practiceOnes [numPractices]float32
	cardOnes     [numCards]float32 // practices, then strikes
	sectorOnes   [NumSectors]float32
)

// observation declares the layout, which is the same for every configuration, and takes the numbers. Sectors and
// characters stand in the order of the rules, seats clockwise from the observer.
type observation struct {
	Circles    [NumSectors][perCircle]circleRow `axes:"sector,circle" help:"each circle, 0 where covered without a token"`
	Practices  [numPractices]practiceRow        `axes:"practice" help:"each practice"`
	Sectors    [NumSectors]sectorRow            `axes:"sector" scope:"own" help:"each sector"`
	Characters [NumCharacters]characterRow      `axes:"character" scope:"own" help:"each character"`
	Hands      [NumCharacters]practiceOnes      `axes:"character,practice" scope:"own" help:"cards known in each character's hand"`
	Discard    cardOnes                         `axes:"card" scope:"own" help:"cards known in the discard pile"`
	Unseen     cardOnes                         `axes:"card" scope:"own" help:"cards whose place is not known"`
	DeckTop    cardOnes                         `axes:"card" scope:"own" help:"cards known in the first ten places of the deck: 1 on top, 0.1 less for each place below"`
	DeckBottom cardOnes                         `axes:"card" scope:"own" help:"cards known in the last ten places of the deck: 1 at the bottom, 0.1 less for each place above"`
	Kinds      [deckEnds]struct {
		Influence float32 `help:"Influence card"`
		Strike    float32
	} `axes:"place" help:"each of the first ten places of the deck, as far as known to all"`
	Looked practiceOnes `axes:"practice" scope:"own" help:"the extra card that the Eco Investor holds; while characters are chosen, the hand that goes with the pick"`
	Order  [maxLooked]struct {
		Sector    sectorOnes `axes:"sector"`
		Strike    float32
		NotPlaced float32 `help:"not placed yet"`
	} `axes:"place" scope:"own" help:"each card that the Politician puts back, as it lay"`
	OrderCards cardOnes `axes:"card" scope:"own" help:"the same by card: (place + 1) / 9"`
	Pending    struct {
		Kind     [numPendingKinds]float32 `axes:"pending" help:"its kind, one-hot"`
		Sector   sectorOnes               `axes:"sector" help:"its sector"`
		Practice practiceOnes             `axes:"practice" help:"its practice or card"`
	} `scope:"own" help:"the action being paid or placed"`
	Touched practiceOnes           `axes:"practice" help:"practices touched in this token action"`
	Phase   [numPhases]float32     `axes:"phase" help:"what is decided, one-hot"`
	Window  [numWindows]float32    `axes:"window" help:"the Climatologist's window, one-hot"`
	Drawing [numDrawings]float32   `axes:"drawing" help:"the drawing that goes on, one-hot"`
	After   [numAfterTrims]float32 `axes:"after" help:"where the flow goes on after tokens are taken off, one-hot"`
	Table   struct {
		Poverty      float32 `help:"poverty / 42"`
		MeepleStrain float32 `help:"strain of Phase 1 / 20"`
		Temperature  float32 `help:"temperature / 6"`
		Collapses    float32 `help:"collapses / 4"`
		StartUps     float32 `name:"start-ups" help:"Start-Ups / 8"`
		Year         float32 `help:"year of the limit"`
		YearsLeft    float32 `help:"years left / 20"`
		Actions      float32 `help:"actions left / 4"`
		MovesLeft    float32 `help:"moves left / 8"`
		Moves        float32 `help:"moves made / 8"`
		Asked        float32
		Collapsed    float32 `help:"a collapse in this turn"`
		Signals      float32 `help:"signals made / 2"`
		Credits      float32 `help:"strain left to clean / 4"`
		Normals      float32 `help:"normal cards left to draw / 4"`
		Looks        float32 `help:"looks / 8"`
		Deck         float32 `help:"deck / 48"`
		Discard      float32 `help:"discard pile / 48"`
		Strikes      float32 `help:"strikes in the deck / 6"`
		UntilStrike  float32 `help:"cards to the next certain strike / 15"`
		StrikeKnown  float32 `help:"whether there is one"`
		Strain       float32 `help:"all strain / 84"`
		Segments     float32 `help:"segments of those required"`
		TokensLeft   float32 `help:"tokens of the active character left / 8"`
	} `help:"the table as a whole"`
	Struck  sectorOnes `axes:"sector" help:"strikes resolved in this turn, by sector"`
	Signals [maxSeats]struct {
		Signal [2 * NumSectors]float32 `axes:"signal" help:"want and plan, by sector"`
	} `axes:"seat" help:"by seat: its last signal"`
	Options optionRow `help:"options"`
}

// circleRow is what lies on an open circle.
type circleRow struct {
	Vacant        float32 `help:"open and vacant"`
	Unsustainable float32 `help:"unsustainable counter"`
	Sustainable   float32 `help:"sustainable counter"`
	Collapse      float32 `help:"Collapse token"`
}

// practiceRow is a practice on the board.
type practiceRow struct {
	Unsustainable float32
	Sustainable   float32
	OnMajor       float32 `help:"on a Major's circle"`
	OnMinor       float32 `help:"on a Minor's circle"`
	Protest       float32 `help:"Protest token"`
	Regeneration  float32 `help:"Regeneration token"`
}

// sectorRow is what a sector bears now, and after the strain phases as far as they can be seen from the sector alone.
type sectorRow struct {
	burdenRow
	MajorReady float32 `help:"Major ready to flip"`
	MinorReady float32 `help:"Minor ready"`
	Housed     float32 `help:"housed / 7"`
	Support    float32 `low:"-1" help:"support without a place / 14"`
	VacantHere float32 `name:"vacant" help:"vacant circles / 7"`
	Net        float32 `low:"-1" help:"net of Phase 2 / 8"`
	Share      float32 `help:"share of Phase 1 / 6"`
	Then       float32 `help:"strain after the phases / 14"`
	Over       float32 `help:"more than the tolerance then"`
	OfActive   float32 `help:"home of the active character"`
	OfDeciding float32 `help:"of the deciding one"`
	OfInPlay   float32 `help:"of one in play"`
	OfOwn      float32 `help:"of an own one"`
}

// burdenRow follows from strain and segments.
type burdenRow struct {
	Strain    float32 `help:"strain / 14"`
	OnMinor   float32 `help:"on the Minor / 5"`
	OnMajor   float32 `help:"on the Major / 9"`
	Tolerance float32 `help:"tolerance / 14"`
	Major     float32 `help:"Major in the centre"`
	Minor     float32 `help:"Minor in the centre"`
}

// characterRow is what is known of a character in play.
type characterRow struct {
	InPlay   float32
	Active   float32
	Deciding float32
	Seat     [maxSeats]float32 `axes:"seat" help:"seat, one-hot"`
	Hand     float32           `help:"cards in hand / 10"`
	Turns    float32           `help:"turns until its turn / 6"`
	Limit    float32           `help:"limit of its ability / 9"`
}

// optionRow follows from the options.
type optionRow struct {
	Variant    [len(variantIDs)]float32 `axes:"variant" help:"variant, one-hot"`
	Players    [maxSeats]float32        `axes:"number" help:"players, one-hot"`
	Characters [NumCharacters]float32   `axes:"number" help:"characters, one-hot"`
	Closed     float32                  `help:"closed hands"`
	Sustained  float32                  `help:"sustained win"`
	Hold       float32                  `help:"held calendar"`
	Return     float32                  `help:"returned tokens"`
	Talk       float32
}

// The kinds of pending actions, in the order of the action table.
const (
	pendingCreate = iota
	pendingDisband
	pendingFlip
	pendingMajor
	pendingMinor
	pendingGive
	numPendingKinds
)

// features are those of the observation.
func features() ([]env.Feature, error) {
	practices := make([]string, 0, numCards)
	for _, ids := range practiceIDs {
		practices = append(practices, ids[0])
	}
	var signals []string
	for _, verb := range []string{"want ", "plan "} {
		for _, id := range sectorIDs {
			signals = append(signals, verb+id)
		}
	}
	return form.Features[observation](form.Axes{
		"sector": sectorIDs[:], "character": characterIDs[:], "practice": practices, "card": append(practices, strikeIDs[:]...),
		"circle": numbers(0, perCircle), "place": numbers(1, deckEnds), "number": numbers(1, NumCharacters), "signal": signals,
		"pending": {"create", "disband", "flip", "major", "minor", "give"}, "phase": phaseIDs[:],
		"window": named("none", windowIDs[:]), "drawing": named("none", drawingIDs[:]), "after": named("nowhere", afterTrimIDs[:]),
		"variant": variantIDs[:],
	})
}

// numbers are the words of n numbers.
func numbers(first, n int) []string {
	words := make([]string, n)
	for i := range words {
		words[i] = strconv.Itoa(first + i)
	}
	return words
}

// named are ids with a word for the first, which is empty.
func named(first string, ids []string) []string { return append([]string{first}, ids[1:]...) }

// optionRow is what an observation says of the options.
func (g *Game) optionRow() optionRow {
	row := optionRow{Closed: flag(g.closed), Sustained: flag(g.sustained), Hold: flag(g.hold), Return: flag(g.tokensBack), Talk: flag(g.talk)}
	row.Variant[g.variant] = 1
	row.Players[g.players-1] = 1
	row.Characters[g.cast-1] = 1
	return row
}

// Observe writes what p sees.
func (s *State) Observe(dst []float32, p env.Player) {
	o := form.Observation[observation](dst)
	*o = observation{}
	known := s.knownTo[p]
	s.observeBoard(o)
	s.observeSectors(o, p)
	s.observeCharacters(o, p)
	for k, hand := range &s.hand {
		ones(o.Hands[k][:], hand&known)
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
func (s *State) observeSectors(o *observation, p env.Player) {
	m := s.meepleStrain()
	each, more := m/NumSectors, m%NumSectors
	first := s.active
	if s.phase != inChoose {
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
		row.MajorReady = flag(s.majorClear(x))
		row.MinorReady = flag(s.minorClear(x))
		row.Housed = float32(s.housed[x]) * (1.0 / 7)
		supported := int8(s.game.data.People.Support * bits.OnesCount8(s.filled[x]&^s.craters[x]))
		row.Support = min(float32(supported-s.housed[x])*(1.0/14), 1)
		row.VacantHere = float32(bits.OnesCount8(s.vacantCircles(x))) * (1.0 / 7)
		row.Net = max(-1, min(float32(net)*(1.0/8), 1))
		row.Share = min(float32(share)*(1.0/6), 1)
		row.Then = min(float32(then)*(1.0/14), 1)
		row.Over = flag(then > tolerance)
		if k := Character(x); s.inPlay.plays(k) {
			row.OfInPlay = 1
			row.OfOwn = flag(env.Player(s.seat[k]) == p)
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
func (s *State) observeCharacters(o *observation, p env.Player) {
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
		row.Hand = min(float32(s.hand[k].Count())*0.1, 1)
		turns := i - turnAt
		if turns < 0 {
			turns += int(s.castSize)
		}
		row.Turns = float32(turns) * (1.0 / 6)
		row.Limit = float32(s.limit(k)) * (1.0 / 9)
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
			value := 1 - float32(i)*(1.0/deckEnds)
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

// observeInside writes phase and compound decision.
func (s *State) observeInside(o *observation, p env.Player, known Set) {
	in := &s.inside
	o.Phase[s.phase] = 1
	o.Window[in.window] = 1
	o.Drawing[in.drawing] = 1
	o.After[in.after] = 1
	switch s.phase {
	case inChoose:
		ones(o.Looked[:], s.dealt[s.castSize]&known)
	case inLooked:
		if known.Has(in.card) {
			o.Looked[in.card] = 1
		}
	case inOrder:
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
			}
			o.OrderCards[c] = float32(j+1) / maxLooked
		}
	case inTokens:
		ones(o.Touched[:], in.touched)
	case inPay, inCircle, inTo:
		s.observePending(o, p)
	}
}

func (s *State) observePending(o *observation, p env.Player) {
	a, pending := env.Action(s.inside.pending), &o.Pending
	card := practiceOf(a)
	switch {
	case a >= major:
		kind := pendingMajor
		if a >= minor {
			kind = pendingMinor
		}
		pending.Kind[kind] = 1
		pending.Sector[pendingSector(a)] = 1
		return
	case a >= give:
		pending.Kind[pendingGive] = 1
		if s.hidden(p) {
			return
		}
		card = Card(a - give)
	default:
		pending.Kind[pendingCreate+int(a-create)/numPractices] = 1
	}
	pending.Sector[card.Sector()] = 1
	pending.Practice[card] = 1
}

// observeTable writes the numbers of the whole table.
func (s *State) observeTable(o *observation) {
	t := &o.Table
	t.Poverty = float32(s.poverty) * (1.0 / numMeeple)
	t.MeepleStrain = part(s.meepleStrain(), 20)
	t.Temperature = part(s.temperature(), 6)
	t.Collapses = float32(s.collapses) * (1.0 / (maxCollapses + 1))
	t.StartUps = float32(s.startups) * (1.0 / 8)
	t.Year = float32(s.year) / float32(s.game.limit)
	t.YearsLeft = part(s.game.limit-s.year, 20)
	t.Actions = part(s.actions, 4)
	if s.inPlay.plays(Climatologist) {
		t.MovesLeft = float32(s.allowance()) * (1.0 / 8)
	}
	t.Moves = float32(s.moves) * (1.0 / 8)
	t.Asked = flag(s.asked)
	t.Collapsed = flag(s.collapsed)
	t.Signals = float32(s.signals) * (1.0 / maxSignals)
	t.Credits = float32(s.inside.credits) * (1.0 / maxCleanUp)
	t.Normals = part(s.inside.normals, 4)
	t.Looks = float32(s.inside.looks) * (1.0 / 8)
	t.Deck = float32(s.deckSize) * (1.0 / numCards)
	t.Discard = float32(s.discard.Count()) * (1.0 / numCards)
	t.Strikes = float32(NumSectors-(s.discard&allStrikes).Count()) * (1.0 / NumSectors)
	if n := s.untilStrike(); n >= 0 {
		t.UntilStrike = part(int8(n), 15)
		t.StrikeKnown = 1
	}
	t.Strain = float32(s.total()) * (1.0 / 84)
	t.Segments = float32(s.segments()) / float32(s.game.required)
	if s.phase == inChoose {
		return
	}
	switch s.active {
	case Activist:
		t.TokensLeft = float32(max(0, s.limit(Activist)-int8(s.protest.Count()))) * (1.0 / 8)
	case Ecologist:
		t.TokensLeft = float32(max(0, s.limit(Ecologist)-int8(s.regeneration.Count()))) * (1.0 / 8)
	case Innovator:
		t.TokensLeft = float32(s.limit(Innovator)-s.startups) * (1.0 / 8)
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
