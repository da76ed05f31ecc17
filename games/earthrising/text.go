package earthrising

import (
	"fmt"
	"strings"

	"earthgym/env"
	"earthgym/env/board"
	"earthgym/env/spelling"
)

// The table as people read it: RULES.md, section 14.

// sees is what a viewer knows of where cards lie. A spectator of closed hands sees none.
func (s *State) sees(p env.Player) Set {
	switch {
	case p >= 0:
		return s.knownTo[p]
	case s.game.closed:
		return 0
	}
	return s.knownTo[0] // all know the same
}

// AppendText shows the table to p, and, if p decides, what it may do.
func (s *State) AppendText(dst []byte, p env.Player) []byte {
	t := board.NewPage(dst)
	s.textHead(t)
	for _, x := range s.game.ring[0] {
		s.textSector(t, x)
	}
	s.textForecast(t)
	s.textDeck(t, s.sees(p))
	s.textHands(t, p)
	s.textDecision(t, p)
	return t.Bytes()
}

// names of the component data.
func (g *Game) sectorName(x Sector) string       { return g.data.Sectors[x].Name }
func (g *Game) characterName(k Character) string { return g.data.Sectors[k].Character }

func (g *Game) cardName(c Card) string {
	if c.IsStrike() {
		return "Status Quo Strikes! (" + g.sectorName(c.Sector()) + ")"
	}
	return g.practiceName(c, true)
}

func (g *Game) practiceName(c Card, sustainable bool) string {
	side := 1
	if sustainable {
		side = 0
	}
	return g.data.Sectors[c.Sector()].Practices[c.place()][side]
}

func (s *State) textHead(t *board.Page) {
	g := s.game
	t.Line("%s, %s   year %d of %d, turn %d   %d of %d segments in the centre", title, variantIDs[g.variant], s.year,
		g.limit, s.turn, s.Segments(), g.required)
	if s.decision != atChoose {
		t.Line("%s's turn   actions left %d   %s", g.characterName(s.active), s.actions, s.movesText())
	}
	t.Line("Poverty %d -> strain %d (%d + %d degrees)   Start-Ups %d   collapses %d of %d", s.poverty, s.meepleStrain(),
		s.meepleStrain()-s.temperature(), s.temperature(), s.startups, s.collapses, maxCollapses+1)
	t.Line("(Sectors, round the ring: T strain, on the Minor + on the Major/tolerated; circles [. vacant,")
	t.Line("S sustainable, U unsustainable, X Collapse token, - not open]; people housed/places, %d to a",
		g.data.People.Support)
	t.Line("practice; the coming change of strain, and strain then. A Major is ready without strain on it, a")
	t.Line("Minor without any in the sector, and with the Majors of it and both neighbours in.)")
}

func (s *State) movesText() string {
	if !s.inPlay.plays(Climatologist) {
		return "no Climatologist"
	}
	return fmt.Sprintf("%s's moves left %d", s.game.characterName(Climatologist), s.allowance())
}

// textSector is a line of numbers, and one of names.
func (s *State) textSector(t *board.Page, x Sector) {
	var circles strings.Builder
	var names []string
	for i, v := range s.circle[x] {
		mark := " ."
		switch {
		case v == crater:
			mark = " X"
		case v != vacant:
			p := Card(int(x)*perSector + int(v) - 1)
			mark = " U"
			if s.sustainable.Has(p) {
				mark = " S"
			}
			names = append(names, fmt.Sprintf("%d %s%s", i, s.game.practiceName(p, s.sustainable.Has(p)), s.tokenText(p)))
		case s.openCircles(x)>>i&1 == 0:
			mark = " -"
		}
		circles.WriteString(mark)
	}
	f := s.forecast()
	t.Line("%-14s T %2d (%d+%d)/%-2d [%s ] %d/%d people  net %+d, then %2d%s%s", s.game.sectorName(x), s.strain[x],
		s.onMinor(x), s.strain[x]-s.onMinor(x),
		s.tolerance(x), circles.String(), s.housed[x], s.places(x), s.net(x), f.strain[x], s.fateText(x, f), s.segmentText(x))
	if k := Character(x); s.inPlay.plays(k) {
		t.Line("    %s, player %d: %s", s.game.characterName(k), s.seat[k], s.abilityText(k))
	}
	t.List("    ", ", ", names)
}

func (s *State) tokenText(p Card) string {
	switch {
	case s.protest.Has(p):
		return " (protest)"
	case s.regeneration.Has(p):
		return " (regeneration)"
	}
	return ""
}

// segmentText says where the segments are, and whether they are ready to be transformed.
func (s *State) segmentText(x Sector) string {
	one := func(name string, in, clear bool) string {
		switch {
		case in:
			return ", " + name + " in"
		case clear:
			return ", " + name + " ready"
		}
		return ""
	}
	return one("Major", s.major.has(x), s.majorClear(x)) + one("Minor", s.minor.has(x), s.minorClear(x))
}

// fateText says what becomes of a sector if the turn ends now.
func (s *State) fateText(x Sector, f *State) string {
	switch {
	case s.major.has(x) && !f.major.has(x):
		return " RECEDES"
	case s.minor.has(x) && !f.minor.has(x):
		return " Minor RECEDES"
	}
	return ""
}

// forecast is the position after the strain phases of this turn, as far as it can be foreseen.
func (s *State) forecast() *State {
	f := &State{}
	s.Forecast(f)
	return f
}

func (s *State) textForecast(t *board.Page) {
	if s.decision == atChoose || s.decision == over {
		t.Line("")
		return
	}
	f := s.forecast()
	text := fmt.Sprintf("If the turn ended now: strain %d -> %d", s.total(), f.total())
	if n := f.collapses - s.collapses; n > 0 {
		text += ", " + spelling.Counted(int(n), "COLLAPSE")
	}
	t.Line("%s", text)
	t.Line("")
}

func (s *State) textDeck(t *board.Page, seen Set) {
	text := fmt.Sprintf("Deck %d", s.deckSize)
	if n := s.CardsUntilStrike(); n >= 0 {
		text += ", " + spelling.Counted(n, "card") + " above the next certain strike"
	}
	t.Line("%s   discard pile %d, strikes in it %d", text, s.discard.Count(), (s.discard & allStrikes).Count())
	t.List("  on top: ", ", ", s.knownTop(seen))
	t.Line("")
}

// knownTop lists the cards known on top of the deck.
func (s *State) knownTop(seen Set) []string {
	var names []string
	for i := s.deckSize - 1; i >= 0 && seen.Has(s.deck[i]); i-- {
		names = append(names, s.game.cardName(s.deck[i]))
	}
	return names
}

func (s *State) textHands(t *board.Page, p env.Player) {
	seen := s.sees(p)
	if s.castSize > 0 {
		t.Line("Cards, and what they are good for now (+: another card of the sector, which pays, goes with it):")
	}
	for _, k := range s.cast[:s.castSize] {
		own := board.When(env.Player(s.seat[k]) == p, ", you")
		t.Line("%s (player %d%s), %s", s.game.characterName(k), s.seat[k], own, spelling.Counted(s.hand[k].Count(), "card"))
		for c := range (s.hand[k] & seen).Each {
			t.Line("    %-28s %-16s %s", s.game.cardName(c), s.game.sectorName(c.Sector()), s.useOf(k, c, s.hand[k]&seen))
		}
	}
	for i := int(s.castSize); s.decision == atChoose && i < s.game.cast; i++ {
		t.Line("Place %d (player %d), %s", i, i%s.game.players, spelling.Counted(s.dealt[i].Count(), "card"))
		for cards := s.dealt[i] & seen; cards != 0; cards = cards.Rest() {
			t.Line("    %-28s %s", s.game.cardName(cards.First()), s.game.sectorName(cards.First().Sector()))
		}
	}
	for q, v := range s.signal[:s.game.players] {
		if v != 0 {
			t.Line("Player %d signals: %s", q, signalText(v))
		}
	}
	t.Line("")
}

// useOf is what a card could do now in a hand of which the viewer knows some cards.
func (s *State) useOf(k Character, c Card, hand Set) string {
	x := c.Sector()
	var uses []string
	second, with := x == k.Home() || (hand&Of(x)).Rest() != 0, ""
	if x != k.Home() {
		with = "+"
	}
	bad := s.game.practiceName(c, false)
	switch {
	case s.sustainable.Has(c):
	case s.unsustainable.Has(c) && second && s.protest.Has(c):
		uses = append(uses, "disband"+with+" or flip"+with+" "+bad)
	case s.unsustainable.Has(c) && second:
		uses = append(uses, "disband"+with+" "+bad)
	case !s.unsustainable.Has(c) && second && s.vacantCircles(x) != 0:
		uses = append(uses, "create"+with)
	}
	if x != k.Home() {
		uses = board.AppendWhen(uses, s.majorClear(x), "Major")
		uses = board.AppendWhen(uses, s.minorClear(x), "Minor")
		uses = board.AppendWhen(uses, (hand&Of(x)).Rest() != 0, "pays")
	}
	if len(uses) == 0 {
		return "useless now"
	}
	return strings.Join(uses, ", ")
}

// textDecision says who is asked what, and lists what p may do if it is asked.
func (s *State) textDecision(t *board.Page, p env.Player) {
	if s.decision == over {
		t.Line("The game is over: %s. Score %d.", resultIDs[s.result], s.score())
		return
	}
	t.Line("Player %d: %s", s.Actor(), s.row().Question())
	for _, what := range s.subject(s.sees(p)) {
		t.Line("  %s", what)
	}
	if s.Actor() == p {
		t.Choices(s)
	}
}

// familyWords say what the actions of a family do.
var familyWords = map[string]string{
	"end turn": "End the turn", "done": "Nothing more", "create": "Create a practice", "disband": "Disband a practice",
	"flip": "Flip a practice under protest", "give": "Give a card away (1 action)",
	"to": "Give the card to", "refresh": "Shuffle deck and discard pile together (1 action)", "draw": "Draw a card",
	"token": "Put a token on", "look": "Look at an extra card",
	"bottom": "Put the card under the deck", "top": "Put on top next the card of place",
	"keep": "Leave the rest as it lies", "move": "Move strain from one sector to another (free)",
	"ask":   "Let the Climatologist move strain now (free)",
	"major": "Transform the Major", "minor": "Transform the Minor", "discard": "Discard", "circle": "Use the circle",
	"want": "Signal a wish for cards of", "plan": "Signal a plan for",
}
