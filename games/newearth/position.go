package newearth

import (
	"fmt"
	"slices"
	"strings"

	"earthgym/env"
	"earthgym/env/form"
)

const (
	// maxNumber bounds the numbers of a position that is read; no game comes near it.
	maxNumber = 30000
	// maxCopies bounds the cards of a list or pile.
	maxCopies = 127
)

// AppendPosition appends the position as the JSON object of RULES.md 3. The source of chance is not in
// it: a snapshot keeps the streams beside the position.
func (s *State) AppendPosition(dst []byte) []byte { return form.AppendPosition(dst, s.form) }

// AppendKnown writes what a seat may know of it.
func (s *State) AppendKnown(dst []byte, p env.Player) []byte { return form.AppendKnown(dst, p, s.form) }

// ReadPosition replaces the position by one in the form of RULES.md 3, and leaves the luck. What is read is
// not moved on: even an only action has to be played.
func (s *State) ReadPosition(data []byte) error {
	empty := State{game: s.game, luck: s.luck}
	empty.clear()
	return form.ReadPosition(data, s, empty, (*State).form, (*State).complete)
}

// PatchPosition lays a patch on the position. An object that stands for none at present can be given in part; the deck
// "rest" is every card that lies nowhere else (in the set-up every City card).
func (s *State) PatchPosition(patch []byte) error {
	return form.PatchPosition(patch, s, (*State).form, (*State).complete)
}

// complete works out what follows from a position that has been read, and checks it.
func (s *State) complete() error {
	s.derive()
	if err := s.checkPosition(); err != nil {
		return err
	}
	s.findLegal()
	return s.Check()
}

// form declares the position: RULES.md 3, line by line.
func (s *State) form(f *form.Position) {
	words, n := &s.game.words, s.game.players
	s.formSectors(f)
	form.Int(f, "turn", &s.turn, 0, s.game.turns)
	form.Int(f, "phase", &s.phase, 0, phaseOver)
	know := s.knowers()
	form.Secret(f, know.question, "node", func() { form.Word(f, "node", &s.decision, decisionNames) })
	form.Secret(f, know.asked, "seat", func() { form.Int(f, "seat", &s.seat, -1, n-1) })
	form.Secret(f, know.active, "active", func() { form.Int(f, "active", &s.active, -1, n-1) })
	form.Secret(f, know.queue, "queue", func() { s.formOrder(f, "queue", &s.queue) })
	s.formOrder(f, "setup_order", &s.setupOrder)
	s.formOrder(f, "order", &s.order)
	form.By(f, "zones", words.zoneKeys, func(k form.Key) {
		form.Object(f, k.Name, func() { s.formZone(f, Zone(k.Index)) })
	})
	form.By(f, "seats", words.seats, func(k form.Key) {
		form.Object(f, k.Name, func() { s.formSeat(f, env.Player(k.Index), &know) })
	})
	rest := form.Shorthand(f, "deck", "rest")
	s.formDeck(f)
	form.IntsBy(f, "discard", words.cards, s.discard[:], 0, maxCopies)
	s.formCatastrophe(f)
	s.formElection(f, &know)
	s.formOffer(f)
	form.Secret(f, know.running, "running", func() { form.Int(f, "running", &s.running, 0, maxNumber) })
	form.Int(f, "assigned", &s.assigned, 0, maxNumber)
	form.Int(f, "placing", &s.placing, 0, bulkSize)
	s.formChosen(f)
	s.formPicks(f)
	s.formResult(f)
	if f.Reads() {
		var random string // which may be there, and is not used
		form.Optional(f, "random", func() { form.Text(f, "random", &random) })
	}
	if rest {
		s.deckRest(f)
	}
}

// formSectors declares which tile lies where; the zones out of play follow from it.
func (s *State) formSectors(f *form.Position) {
	form.List(f, "sectors", NumTiles, func(k int) {
		form.Object(f, form.Element, func() {
			form.Word(f, "tile", &s.sectors[k].tile, tileNames[:])
			form.Int(f, "rotation", &s.sectors[k].rotation, 0, 2)
		})
	})
	if !f.Reads() {
		return
	}
	for k, here := range s.sectors {
		if slices.ContainsFunc(s.sectors[:k], func(p place) bool { return p.tile == here.tile }) {
			f.Fail("sectors", "tile %s lies in two of them", tileNames[here.tile])
			return
		}
	}
	s.inPlay = allZones &^ s.game.outOf(&s.sectors)
}

// formOrder declares an ordered list of seats.
func (s *State) formOrder(f *form.Position, name string, l *seatList) {
	form.Distinct(f, name, l.seat[:s.game.players], &l.n, 0, s.game.players-1)
}

// typeNames are the types of a zone.
var typeNames = [...]string{"none", "mining", "energy"}

// typeOf is the index of a zone's type in typeNames.
func (s *State) typeOf(z Zone) int { return int(s.mining>>z&1 | s.energy>>z&1<<1) }

// formZone declares the fields of a zone.
func (s *State) formZone(f *form.Position, z Zone) {
	out, owner, kind, city := !s.inPlay.Has(z), s.Owner(z), s.typeOf(z), s.city(z)
	flag := func(name string, set *Zones) {
		on := set.Has(z)
		if form.Flag(f, name, &on); f.Reads() {
			form.Put(set, z, on)
		}
	}
	form.Flag(f, "out", &out)
	form.Int(f, "owner", &owner, -1, s.game.players-1)
	form.Word(f, "type", &kind, typeNames[:])
	form.Int(f, "raw", &s.raw[z], 0, maxPeople)
	form.Int(f, "mfg", &s.makers[z], 0, maxPeople)
	form.Int(f, "machines", &s.machines[z], 0, maxMachines)
	flag("plant", &s.plants)
	form.Int(f, "sl", &s.sl[z], 0, maxLevel)
	form.Int(f, "city", &city, 0, 2)
	flag("affected", &s.affected)
	flag("elected", &s.elected)
	flag("converted", &s.converted)
	flag("raised", &s.raised)
	form.Ints(f, "arrived", s.arrived[z][:], 0, maxPeople)
	if !f.Reads() {
		return
	}
	if out == s.inPlay.Has(z) {
		f.Fail("out", "with %d players and the tiles so laid the zones out of play are %s", s.game.players,
			zoneList(allZones&^s.inPlay))
	}
	for p := range s.owned {
		form.Put(&s.owned[p], z, p == int(owner))
	}
	form.Put(&s.mining, z, kind == 1)
	form.Put(&s.energy, z, kind == 2)
	form.Put(&s.cities, z, city > 0)
	form.Put(&s.forts, z, city == 2)
}

func zoneList(set Zones) string {
	if set == 0 {
		return "none"
	}
	return strings.Join(ids(set), ", ")
}

// formSeat declares the fields of a seat.
func (s *State) formSeat(f *form.Position, p env.Player, know *knowers) {
	g, seat := s.game, &s.seats[p]
	own := func(known env.Seats) env.Seats { return known.With(p) }
	commitments := env.Everybody
	if know.committing.Has(p) {
		commitments = env.Only(p)
	}
	for i, kind := range [...]Kind{Cash, Mining, Energy, Manufacturing, Goods} {
		form.Int(f, [...]string{"cash", "m", "e", "f", "goods"}[i], &seat.has[kind], 0, maxNumber)
	}
	form.Secret(f, commitments, "hand", func() {
		form.FaceDown(f, own(know.hands), "hand", int(s.size[p]), func() { formCopies(f, "hand", &seat.hand) })
	})
	form.WordOrNone(f, "leader", &seat.leader, g.words.zones)
	form.Int(f, "elections_used", &seat.electionsUsed, 0, g.data.Elections)
	form.Int(f, "offers_used", &seat.offersUsed, 0, int(g.offers))
	form.Int(f, "moves_used", &seat.movesUsed, 0, int(g.moveLimit))
	form.Int(f, "expended", &seat.expended, 0, maxNumber)
	form.Flag(f, "finished_production", &seat.finished)
	form.Flag(f, "reopened", &seat.reopened)
	form.Secret(f, commitments, "commit_cash", func() { form.Int(f, "commit_cash", &seat.commitCash, -1, maxNumber) })
	form.Secret(f, commitments, "commit_cards", func() {
		form.Set(f, "commit_cards", &seat.commitCards, cardNames[:NumTitles])
	})
	form.Set(f, "known", &seat.known, cardNames[:NumTitles])
	form.Secret(f, own(know.totals), "announced", func() { form.Int(f, "announced", &seat.announced, 0, maxNumber) })
	form.Int(f, "announced_size", &seat.announcedSize, 0, maxCopies)
	form.Int(f, "drawn_since", &seat.drawn, 0, maxNumber)
	formCopies(f, "shown_since", &seat.shown)
}

// formCopies declares a list that names each copy in a pile.
func formCopies(f *form.Position, name string, pile *Pile) {
	var cards [maxCopies]Card
	n := 0
	for c, copies := range pile {
		for range copies {
			cards[n] = Card(c)
			n++
		}
	}
	form.ListUpTo(f, name, &n, maxCopies, func(i int) { form.Word(f, form.Element, &cards[i], cardNames[:]) })
	if f.Reads() {
		*pile = Pile{}
		for _, c := range cards[:n] {
			pile[c]++
		}
	}
}

// formCatastrophe declares the Catastrophe card that is being resolved.
func (s *State) formCatastrophe(f *form.Position) {
	there := s.catastrophe != NoCard
	form.Maybe(f, "catastrophe", &there, func() {
		form.Word(f, "card", &s.catastrophe, cardNames[:])
		form.Set(f, "zones", &s.hit, s.game.words.zones)
		form.Sparse(f, "used", s.game.words.seats, func(p int) bool { return s.used[p] != 0 }, func(k form.Key) {
			form.Set(f, k.Name, &s.used[k.Index], cardNames[:NumTitles])
		})
	})
}

// formElection declares the running election.
func (s *State) formElection(f *form.Position, know *knowers) {
	there := s.target != NoZone
	form.Maybe(f, "election", &there, func() {
		form.Word(f, "zone", &s.target, s.game.words.zones)
		form.Int(f, "defender", &s.defender, -1, s.game.players-1)
		form.Secret(f, know.claimants, "claimants", func() { s.formOrder(f, "claimants", &s.claimants) })
		form.Secret(f, know.election, "contested", func() { form.Flag(f, "contested", &s.contested) })
	})
}

// formOffer declares the offer that is being made.
func (s *State) formOffer(f *form.Position) {
	there := s.offer.partner >= 0
	form.Maybe(f, "offer", &there, func() {
		form.Int(f, "partner", &s.offer.partner, 0, s.game.players-1)
		form.IntsBy(f, "give", s.game.words.kindsOwned, s.offer.give[:], 0, maxNumber)
		form.IntsBy(f, "want", s.game.words.kindsOwned, s.offer.want[:], 0, maxNumber)
		form.Int(f, "give_terms", &s.offer.giveTerms, 0, maxTerms)
		form.Int(f, "want_terms", &s.offer.wantTerms, 0, maxTerms)
	})
}

// chosen is what has been chosen in the question before: a zone, a title, or a piece and its zone.
type chosen struct {
	zone Zone
	card Card
	unit Unit
}

func (s *State) formChosen(f *form.Position) {
	c := chosen{s.chosenZone, s.chosenCard, s.chosenUnit}
	if form.Parsed(f, "chosen", &c, chosen.String, parseChosen); f.Reads() {
		s.chosenZone, s.chosenCard, s.chosenUnit = c.zone, c.card, c.unit
	}
}

// chosenText is what has been chosen as the position has it.
func (s *State) chosenText() string { return chosen{s.chosenZone, s.chosenCard, s.chosenUnit}.String() }

func (c chosen) String() string {
	switch {
	case c.unit != noUnit:
		return unitNames[c.unit] + " " + c.zone.String()
	case c.card != NoCard:
		return c.card.String()
	}
	return c.zone.String()
}

func parseChosen(text string) (chosen, error) {
	c := chosen{NoZone, NoCard, noUnit}
	if text == "" {
		return c, nil
	}
	unit, id, ok := strings.Cut(text, " ")
	if !ok {
		unit, id = "", text
	}
	c.zone, ok = zoneOf(id)
	switch {
	case unit != "":
		if c.unit = Unit(slices.Index(unitNames[:], unit)); !ok || c.unit < 0 {
			return c, fmt.Errorf("%q is no piece and zone such as \"worker A4\"", text)
		}
	case !ok:
		if c.card = Card(slices.Index(cardNames[:NumTitles], id)); c.card < 0 {
			return c, fmt.Errorf("%q is neither a zone nor a City card", text)
		}
	}
	return c, nil
}

// formPicks declares the zones, or the titles, that have been picked.
func (s *State) formPicks(f *form.Position) {
	picks := uint64(s.pickedZones) | uint64(s.pickedCards)<<NumZones
	if form.Set(f, "picks", &picks, s.game.words.picks); !f.Reads() {
		return
	}
	s.pickedZones, s.pickedCards = Zones(picks)&allZones, Cards(picks>>NumZones)
	if s.pickedZones != 0 && s.pickedCards != 0 {
		f.Fail("picks", "picks are either zones or City cards")
	}
}

// formResult declares the end of the game.
func (s *State) formResult(f *form.Position) {
	there := s.decision == Over
	form.Maybe(f, "result", &there, func() {
		form.Word(f, "storm", &s.storm, stormNames[:])
		cards := 0
		if s.stormCards[0] != NoCard {
			cards = len(s.stormCards)
		}
		form.ListUpTo(f, "cards", &cards, len(s.stormCards), func(i int) {
			form.Word(f, form.Element, &s.stormCards[i], cardNames[:])
		})
		if f.Reads() && cards == 1 {
			f.Fail("cards", "El Gigante draws 2 cards, or none if the storm was agreed")
		}
		form.Ints(f, "totals", s.totals[:s.game.players], 0, maxNumber)
		form.Seats(f, "winners", &s.winners, s.game.players)
	})
}

// formDeck declares how many of each card the deck has.
func (s *State) formDeck(f *form.Position) {
	known := s.knowDeck(f)
	form.By(f, "deck", s.game.words.cards, func(k form.Key) {
		form.Secret(f, known(Card(k.Index)), k.Name, func() { form.Int(f, k.Name, &s.deck[k.Index], 0, maxCopies) })
	})
}

// deckRest makes the deck of all cards that lie nowhere else.
func (s *State) deckRest(f *form.Position) {
	for c := range Card(NumCards) {
		left := int(s.game.printed[c]) - int(s.discard[c])
		if s.turn == 0 && !c.IsCity() {
			left = 0 // the Catastrophe cards lie apart until the deal
		}
		for p := range s.game.players {
			left -= int(s.seats[p].hand[c]) + int(s.seats[p].commitCards>>c&1)
		}
		if left < 0 {
			f.Fail("deck", "there are only %d of %s", s.game.printed[c], c)
		}
		s.deck[c] = int8(left)
	}
}

// formWords are the ids of a Game's positions.
type formWords struct {
	zones                              []string
	zoneKeys, seats, cards, kindsOwned []form.Key
	picks                              []string // zones, then titles
}

func (g *Game) newFormWords() (n formWords) {
	n.zones = ids(allZones)
	n.zoneKeys = form.Keys(n.zones, nil)
	n.seats = form.Counted(0, g.players-1)
	n.cards = form.Keys(cardNames[:], nil)
	n.kindsOwned = form.Keys(kindNames[:], nil)
	n.picks = slices.Concat(n.zones, cardNames[:NumTitles])
	return n
}
