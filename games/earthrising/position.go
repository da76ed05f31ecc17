package earthrising

import (
	"earthgym/env"
	"earthgym/env/form"
)

// AppendPosition writes the position.
func (s *State) AppendPosition(dst []byte) []byte { return form.AppendPosition(dst, s.form) }

// AppendKnown writes what a seat may know of it.
func (s *State) AppendKnown(dst []byte, p env.Player) []byte { return form.AppendKnown(dst, p, s.form) }

// ReadPosition reads a position and checks it whole.
func (s *State) ReadPosition(data []byte) error {
	return form.ReadPosition(data, s, State{game: s.game, luck: s.luck}, (*State).form, (*State).Check)
}

// PatchPosition lays a patch on the position. Where the cast changes, hands and seats are those of the new one.
func (s *State) PatchPosition(patch []byte) error {
	return form.PatchPosition(patch, s, (*State).form, (*State).Check)
}

// form declares the position: RULES.md, section 3, line by line.
func (s *State) form(f *form.Position) {
	g := s.game
	s.formCircles(f)
	sides := s.sideIDs()
	form.Ints(f, "strain", s.strain[:], 0, int(g.full))
	form.Set(f, "major", &s.major, sectorIDs[:])
	form.Set(f, "minor", &s.minor, sectorIDs[:])
	form.Set(f, "protest", &s.protest, sides)
	form.Set(f, "regeneration", &s.regeneration, sides)
	form.Int(f, "startups", &s.startups, 0, 1+perSector)
	form.Int(f, "collapses", &s.collapses, 0, maxCollapses+1)
	form.Int(f, "turn", &s.turn, 1, int(g.limit)+maxCollapses)
	form.Int(f, "year", &s.year, 1, int(g.limit))
	s.formCast(f)
	l := s.lying(s.seenBy(f))
	s.formCards(f, &l)
	form.Word(f, "phase", &s.decision, decisionIDs)
	form.Int(f, "actions", &s.actions, 0, g.data.Turn.Actions)
	form.Int(f, "moves", &s.moves, 0, 1+perSector)
	form.Bool(f, "asked", &s.asked)
	form.Set(f, "struck", &s.struck, strikeIDs[:])
	form.Bool(f, "collapsed", &s.collapsed)
	form.Words(f, "signal", s.signal[:g.players], g.words.signals)
	form.Int(f, "signals", &s.signals, 0, maxSignals)
	form.Word(f, "result", &s.result, resultIDs[:])
	s.formInside(f, sides)
	form.Derived(f, "derived", func() any { return s.derived() })
	if f.Reads() {
		s.lie(f, &l)
		for x := range Sector(NumSectors) {
			s.settle(x)
		}
	}
}

// formWords are the ids of a Game's positions.
type formWords struct {
	circles    [NumSectors][]string // what may lie on a circle of each sector, see circleWord
	sectors    []form.Key
	characters []form.Key
	cards      []string // the last one is rest
	known      []form.Key
	hands      []form.Key // places that are not taken while characters are chosen, then characters
	signals    []string
}

// rest stands, at the end of deck or discard pile, for all cards named nowhere, in number order.
const rest = "rest"

func newFormWords() (w formWords) {
	for x := range w.circles {
		of := practiceIDs[x*perSector : (x+1)*perSector]
		w.circles[x] = append(w.circles[x], "")
		for _, ids := range of {
			w.circles[x] = append(w.circles[x], "U:"+ids[1])
		}
		w.circles[x] = append(w.circles[x], "X")
		for _, ids := range of {
			w.circles[x] = append(w.circles[x], "S:"+ids[0])
		}
	}
	w.sectors = form.Sorted(form.Keys(sectorIDs[:], nil))
	w.characters = form.Sorted(form.Keys(characterIDs[:], nil))
	for c := range Card(numCards) {
		w.cards = append(w.cards, c.String())
	}
	w.known = form.Sorted(form.Keys(w.cards, nil))
	w.cards = append(w.cards, rest)
	w.hands = form.Counted(0, NumCharacters-1)
	for _, k := range w.characters {
		w.hands = append(w.hands, form.Key{Name: k.Name, Index: NumCharacters + k.Index})
	}
	for v := range int8(1 + 2*NumSectors) {
		w.signals = append(w.signals, signalText(v))
	}
	return w
}

// circleWord is what lies on a circle as a place in the words of its sector: nothing, an unsustainable practice, a
// crater, a sustainable one.
func (s *State) circleWord(x Sector, v int8) int8 {
	if v != vacant && v != crater && s.sustainable.Has(Card(int(x)*perSector+int(v)-1)) {
		return crater + v
	}
	return v
}

// formCircles declares what lies on the circles. Empty ones at the end may be left out.
func (s *State) formCircles(f *form.Position) {
	var circles [NumSectors][perCircle]int8
	for x := range circles {
		for i, v := range s.circle[x] {
			circles[x][i] = s.circleWord(Sector(x), v)
		}
	}
	form.By(f, "circle", s.game.words.sectors, func(k form.Key) {
		n := perCircle
		form.ListUpTo(f, k.Name, &n, perCircle, func(i int) {
			form.Word(f, form.Element, &circles[k.Index][i], s.game.words.circles[k.Index])
		})
	})
	if !f.Reads() {
		return
	}
	s.circle, s.filled, s.craters = [NumSectors][perCircle]int8{}, [NumSectors]uint8{}, [NumSectors]uint8{}
	s.sustainable, s.unsustainable = 0, 0
	for x := range Sector(NumSectors) {
		for i, v := range circles[x] {
			if v == vacant {
				continue
			}
			s.filled[x] |= 1 << i
			if v == crater {
				s.circle[x][i] = crater
				s.craters[x] |= 1 << i
				continue
			}
			s.circle[x][i] = v
			counters := &s.unsustainable
			if v > crater {
				s.circle[x][i] -= crater
				counters = &s.sustainable
			}
			p := Card(int(x)*perSector + int(s.circle[x][i]) - 1)
			if s.onBoard().Has(p) {
				f.Fail("circle."+x.String(), "the counter of %s lies on two circles", p)
			}
			*counters |= Only(p)
		}
	}
}

// sideIDs are the practices by the side that lies on the board; those that don't lie there have none.
func (s *State) sideIDs() []string {
	ids := make([]string, numPractices)
	for t := s.onBoard(); t != 0; t = t.Rest() {
		ids[t.First()] = s.side(t.First())
	}
	return ids
}

// formCast declares who is in play, and who plays them.
func (s *State) formCast(f *form.Position) {
	before := s.inPlay
	form.ListUpTo(f, "cast", &s.castSize, NumCharacters, func(i int) {
		form.Word(f, form.Element, &s.cast[i], characterIDs[:])
	})
	if f.Reads() {
		s.inPlay = 0
		for _, k := range s.cast[:s.castSize] {
			if s.inPlay.plays(k) {
				f.Fail("cast", "the %s is there twice", k)
			}
			s.inPlay |= bit(k)
		}
		for k := range NumCharacters {
			if !s.inPlay.plays(Character(k)) {
				s.seat[k], s.hand[k] = 0, 0
			}
		}
		if s.inPlay != before {
			s.dealt = [NumCharacters]Set{}
		}
	}
	form.Object(f, "seat", func() {
		for _, k := range s.game.words.characters {
			if s.inPlay.plays(Character(k.Index)) {
				form.Int(f, k.Name, &s.seat[k.Index], 0, s.game.players-1)
			}
		}
	})
}

// lying is how a position writes what follows from the phase or has an order of its own.
type lying struct {
	active        int8 // character; -1 while they are chosen
	deck, discard cardList
	kinds         [numCards]kind // of the deck's places, the top first, as far as they are public
	kindsSize     int8
	places        uint8 // not yet taken, whose hands are named
}

// cardList is a list of cards; numCards stands for the rest.
type cardList struct {
	card [numCards + 1]Card
	size int8
}

// lying writes the cards of the discard pile that are seen first, so that the places of the others tell nothing of
// them.
func (s *State) lying(seen Set) (l lying) {
	l.active = int8(s.active)
	if s.decision == atChoose {
		l.active = -1
	}
	for i := s.deckSize - 1; i >= 0; i-- {
		l.deck.card[l.deck.size] = s.deck[i]
		if s.public>>i&1 != 0 {
			l.kinds[l.deck.size] = kindOf(s.deck[i])
		}
		l.deck.size++
	}
	l.kindsSize = l.deck.size
	for _, t := range [...]Set{s.discard & seen, s.discard &^ seen} {
		for ; t != 0; t = t.Rest() {
			l.discard.card[l.discard.size] = t.First()
			l.discard.size++
		}
	}
	return l
}

// formCards declares where the cards lie, and who knows it.
func (s *State) formCards(f *form.Position, l *lying) {
	w := &s.game.words
	form.WordOrNone(f, "active", &l.active, characterIDs[:])
	list := func(name string, c *cardList) {
		form.ListUpTo(f, name, &c.size, len(c.card), func(i int) { s.formCard(f, form.Element, &c.card[i], w.cards) })
	}
	list("deck", &l.deck)
	list("discard", &l.discard)
	hand := func(i int) (hand *Set, there bool) {
		if k := i - NumCharacters; k >= 0 {
			return &s.hand[k], s.inPlay.plays(Character(k))
		}
		return &s.dealt[i], s.decision == atChoose && i >= int(s.castSize) && i < s.game.cast
	}
	form.Sparse(f, "hand", w.hands, func(i int) bool { _, there := hand(i); return there }, func(k form.Key) {
		if k.Index < NumCharacters {
			l.places |= 1 << k.Index
		}
		set, _ := hand(k.Index)
		form.FaceDownSet(f, k.Name, set, w.cards[:numCards], func(c int) env.Seats { return s.knowing(Card(c)) })
	})
	form.Optional(f, "known", func() { s.formKnown(f) })
	form.Optional(f, "kind", func() {
		form.ListUpTo(f, "kind", &l.kindsSize, numCards, func(i int) { form.Word(f, form.Element, &l.kinds[i], kindIDs[:]) })
	})
}

// formCard declares a card, which those know that know where it lies.
func (s *State) formCard(f *form.Position, name string, c *Card, words []string) {
	form.Secret(f, s.knowing(*c), name, func() { form.Word(f, name, c, words) })
}

// formKnown declares which seats know where a card lies; cards known to nobody are left out.
func (s *State) formKnown(f *form.Position) {
	seen := s.seenBy(f)
	form.Sparse(f, "known", s.game.words.known, func(c int) bool { return s.knowing(Card(c)) != 0 && seen.Has(Card(c)) },
		func(k form.Key) {
			var seats [env.MaxPlayers]int8
			n := 0
			for _, p := range s.knowing(Card(k.Index)).List() {
				seats[n] = int8(p)
				n++
			}
			form.ListUpTo(f, k.Name, &n, len(seats), func(i int) { form.Int(f, form.Element, &seats[i], 0, s.game.players-1) })
			if f.Reads() {
				s.forget(Only(Card(k.Index)))
				for _, p := range seats[:n] {
					s.learn(env.Only(env.Player(p)), Card(k.Index))
				}
			}
		})
}

var kindIDs = [...]string{anyCard: "", influenceCard: "influence", strikeCard: "sqs"}

// lie puts the cards where they have been read to lie. Those in a hand are known to the seats that see it.
func (s *State) lie(f *form.Position, l *lying) {
	choosing := s.decision == atChoose
	if choosing != (l.active < 0) {
		f.Fail("active", "there is an active character exactly if none is being chosen")
	}
	for i := range NumCharacters {
		if l.places>>i&1 != 0 && (!choosing || i < int(s.castSize) || i >= s.game.cast) {
			f.Fail("hand", "there is no place %d to be taken", i)
		}
	}
	deck, deckRest := l.deck.named(f, "deck")
	pile, pileRest := l.discard.named(f, "discard")
	if deckRest && pileRest {
		f.Fail("deck, discard", "%q may stand once", rest)
	}
	if !f.Reads() {
		return
	}
	s.active = Character(max(l.active, 0))
	held := Set(0)
	holds := func(t Set, p int8) {
		held |= t
		for ; t != 0; t = t.Rest() {
			s.learn(s.holders(env.Player(p)), t.First())
		}
	}
	for i := range NumCharacters {
		holds(s.hand[i], s.seat[i])
		holds(s.dealt[i], int8(i%s.game.players))
	}
	if s.decision == atLooked {
		holds(Only(s.inside.card), s.seat[s.active])
	}
	for _, c := range s.inside.order[:s.inside.orderSize] {
		holds(Only(c), s.seat[s.active])
	}
	left := allCards &^ (held | deck | pile)
	for ; deckRest && left != 0; left = left.Rest() {
		l.deck.card[l.deck.size] = left.First()
		l.deck.size++
	}
	pile |= form.When(pileRest, left)
	s.discard, s.deck, s.deckSize, s.public = pile, [numCards]Card{}, l.deck.size, 0
	for i, c := range l.deck.card[:l.deck.size] {
		at := int(l.deck.size) - 1 - i
		s.deck[at] = c
		if l.kinds[i] == kindOf(c) {
			s.public |= 1 << at
		}
	}
}

// named are the cards of a list, and whether the rest lies there, too; that is cut off.
func (l *cardList) named(f *form.Position, name string) (named Set, all bool) {
	if all = l.size > 0 && l.card[l.size-1] == numCards; all {
		l.size--
	}
	for _, c := range l.card[:l.size] {
		if c == numCards || named.Has(c) {
			f.Fail(name, "each card stands there once, and %q at the end", rest)
			return 0, false
		}
		named |= Only(c)
	}
	return named, all
}

// formInside declares the inside of a compound decision; each field means something in its phases alone.
func (s *State) formInside(f *form.Position, sides []string) {
	in, g := &s.inside, s.game
	draws := s.decision == atDraw || s.decision == atLooked || s.decision == atTrim
	form.If(f, s.decision == atWindow, "window", func() { form.Word(f, "window", &in.window, windowIDs[:]) })
	form.If(f, draws, "drawing", func() { form.Word(f, "drawing", &in.drawing, drawingIDs[:]) })
	most := 1
	if in.drawing == startDrawing {
		most = int(g.drawn)
	}
	form.If(f, draws, "normals", func() { form.Int(f, "normals", &in.normals, 0, most) })
	form.If(f, draws, "looks", func() { form.Int(f, "looks", &in.looks, 0, 1+perSector) })
	form.If(f, s.decision == atTrim, "after", func() { form.Word(f, "after", &in.after, afterTrimIDs[:]) })
	if f.Reads() && s.decision == atTrim && in.after != thenDraw {
		in.drawing, in.normals, in.looks = noDrawing, 0, 0
	}
	form.If(f, s.decision == atPay || s.decision == atCircle || s.decision == atTo, "pending", func() {
		form.Secret(f, s.knowPending(), "pending", func() {
			form.Parsed(f, "pending", &in.pending, g.pendingText, g.parsePending)
		})
	})
	card := int8(in.card)
	if s.decision != atLooked {
		card = -1
	}
	form.If(f, s.decision == atLooked, "card", func() {
		form.Secret(f, s.knowLooked(), "card", func() { form.WordOrNone(f, "card", &card, g.words.cards[:numCards]) })
	})
	if f.Reads() {
		if in.card = Card(max(card, 0)); s.decision == atLooked && card < 0 {
			f.Fail("card", "it is missing in phase %q", s.row().Name)
		}
	}
	form.If(f, s.decision == atClean, "credits", func() { form.Int(f, "credits", &in.credits, 1, g.data.Turn.CleanUp-1) })
	form.If(f, s.decision == atOrder, "order", func() {
		form.ListUpTo(f, "order", &in.orderSize, maxLooked, func(i int) {
			s.formCard(f, form.Element, &in.order[i], g.words.cards[:numCards])
		})
	})
	form.If(f, s.decision == atOrder, "ordered", func() {
		form.Distinct(f, "ordered", in.ordered[:], &in.orderedSize, 0, int(in.orderSize)-1)
	})
	form.If(f, s.decision == atTokens, "touched", func() { form.Set(f, "touched", &in.touched, sides) })
}

// pendingText is the action that is being paid or placed, "" for none.
func (g *Game) pendingText(a int16) string {
	if a == 0 {
		return ""
	}
	return g.info.Actions[a].Text
}

func (g *Game) parsePending(text string) (int16, error) {
	a, err := g.info.Parse(text)
	return int16(a), err
}

// side is a practice by the side that lies on the board.
func (s *State) side(p Card) string {
	if s.sustainable.Has(p) {
		return practiceIDs[p][0]
	}
	return practiceIDs[p][1]
}

// signalText is a signal as the position writes it.
func signalText(v int8) string {
	switch {
	case v == 0:
		return ""
	case v <= NumSectors:
		return "want " + sectorIDs[v-1]
	}
	return "plan " + sectorIDs[v-1-NumSectors]
}

// derivedJSON is what follows from the rest; it is written for readers and tests.
type derivedJSON struct {
	Actor        string         `json:"actor"`
	Poverty      int            `json:"poverty"`
	MeepleStrain int            `json:"meeple_strain"`
	Temperature  int            `json:"temperature"`
	Housed       map[string]int `json:"housed"`
	MinorLoad    []int          `json:"minor_load"`
	MajorLoad    []int          `json:"major_load"`
	Tolerance    []int          `json:"tolerance"`
	Allowance    int            `json:"allowance"`
	Limit        int            `json:"limit"`
	DeckSize     int            `json:"deck_size"`
	DiscardSize  int            `json:"discard_size"`
	Score        int            `json:"score"`
}

func (s *State) derived() derivedJSON {
	d := derivedJSON{
		Poverty: int(s.poverty), MeepleStrain: int(s.meepleStrain()), Temperature: int(s.temperature()),
		Housed: map[string]int{}, Allowance: int(s.allowance()), Limit: int(s.game.limit),
		DeckSize: int(s.deckSize), DiscardSize: s.discard.Count(),
	}
	if k, ok := s.decider(); ok {
		d.Actor = k.String()
	}
	for x := range Sector(NumSectors) {
		d.Housed[x.String()] = int(s.housed[x])
		d.MinorLoad = append(d.MinorLoad, int(s.onMinor(x)))
		d.MajorLoad = append(d.MajorLoad, int(s.strain[x]-s.onMinor(x)))
		d.Tolerance = append(d.Tolerance, int(s.tolerance(x)))
	}
	if s.result != running {
		d.Score = s.score()
	}
	return d
}
