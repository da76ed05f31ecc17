package newearth

import (
	"strconv"

	"earthgym/env"
)

// AppendPosition appends the position as the JSON object of RULES.md 3. The source of chance is not in
// it: a snapshot keeps the streams beside the position.
func (s *State) AppendPosition(dst []byte) []byte {
	w := writer{dst}
	w.open('{')
	w.key("sectors").open('[')
	for _, place := range s.sectors {
		w.sep().open('{')
		w.text("tile", tileNames[place.tile])
		w.int("rotation", int(place.rotation))
		w.close('}')
	}
	w.close(']')
	w.int("turn", int(s.turn))
	w.int("phase", int(s.phase))
	w.text("node", s.node.String())
	w.int("seat", int(s.seat))
	w.int("active", int(s.active))
	w.seats("queue", &s.queue)
	w.seats("setup_order", &s.setupOrder)
	w.seats("order", &s.order)
	w.key("zones").open('{')
	for z := range Zone(NumZones) {
		s.writeZone(&w, z)
	}
	w.close('}')
	w.key("seats").open('{')
	for p := range env.Player(s.game.players) {
		s.writeSeat(&w, p)
	}
	w.close('}')
	w.pile("deck", &s.deck)
	w.pile("discard", &s.discard)
	s.writePending(&w)
	w.int("running", int(s.running))
	w.int("assigned", int(s.assigned))
	w.int("placing", int(s.placing))
	w.text("chosen", s.chosenText())
	s.writePicks(&w)
	s.writeResult(&w)
	w.close('}')
	return w.b
}

func (s *State) writeZone(w *writer, z Zone) {
	w.key(z.String()).open('{')
	w.flag("out", !s.inPlay.Has(z))
	w.int("owner", int(s.owner(z)))
	w.text("type", typeNames[s.typeOf(z)])
	w.int("raw", int(s.raw[z]))
	w.int("mfg", int(s.makers[z]))
	w.int("machines", int(s.machines[z]))
	w.flag("plant", s.plants.Has(z))
	w.int("sl", int(s.sl[z]))
	w.int("city", s.city(z))
	w.flag("affected", s.affected.Has(z))
	w.flag("elected", s.elected.Has(z))
	w.flag("converted", s.converted.Has(z))
	w.flag("raised", s.raised.Has(z))
	w.key("arrived").open('[')
	for _, n := range s.arrived[z] {
		w.sep().b = strconv.AppendInt(w.b, int64(n), 10)
	}
	w.close(']')
	w.close('}')
}

// typeNames are the types of a zone.
var typeNames = [...]string{"none", "mining", "energy"}

// typeOf is the index of a zone's type in typeNames.
func (s *State) typeOf(z Zone) int {
	switch {
	case s.mining.Has(z):
		return 1
	case s.energy.Has(z):
		return 2
	}
	return 0
}

func (s *State) writeSeat(w *writer, p env.Player) {
	seat := &s.seats[p]
	w.key(strconv.Itoa(int(p))).open('{')
	w.int("cash", int(seat.has[Cash]))
	w.int("m", int(seat.has[Mining]))
	w.int("e", int(seat.has[Energy]))
	w.int("f", int(seat.has[Manufacturing]))
	w.int("goods", int(seat.has[Goods]))
	w.cards("hand", &seat.hand)
	w.text("leader", seat.leader.String())
	w.int("elections_used", int(seat.electionsUsed))
	w.int("offers_used", int(seat.offersUsed))
	w.int("moves_used", int(seat.movesUsed))
	w.int("expended", int(seat.expended))
	w.flag("finished_production", seat.finished)
	w.flag("reopened", seat.reopened)
	w.int("commit_cash", int(seat.commitCash))
	w.titles("commit_cards", seat.commitCards)
	w.titles("known", seat.known)
	w.int("announced", int(seat.announced))
	w.int("announced_size", int(seat.announcedSize))
	w.int("drawn_since", int(seat.drawn))
	w.cards("shown_since", &seat.shown)
	w.close('}')
}

// writePending writes what is being resolved: catastrophe, election, offer.
func (s *State) writePending(w *writer) {
	w.key("catastrophe").open('{')
	if s.catastrophe != NoCard {
		w.text("card", s.catastrophe.String())
		w.zones("zones", s.hit)
		w.key("used").open('{')
		for p := range s.game.players {
			if s.used[p] != 0 {
				w.titles(strconv.Itoa(p), s.used[p])
			}
		}
		w.close('}')
	}
	w.close('}')
	w.key("election").open('{')
	if s.target != NoZone {
		w.text("zone", s.target.String())
		w.int("defender", int(s.defender))
		w.seats("claimants", &s.claimants)
		w.flag("contested", s.contested)
	}
	w.close('}')
	w.key("offer").open('{')
	if s.offer.partner >= 0 {
		w.int("partner", int(s.offer.partner))
		w.holdings("give", &s.offer.give)
		w.holdings("want", &s.offer.want)
		w.int("give_terms", int(s.offer.giveTerms))
		w.int("want_terms", int(s.offer.wantTerms))
	}
	w.close('}')
}

// chosenText is what has been chosen in the question before.
func (s *State) chosenText() string {
	switch {
	case s.chosenUnit != noUnit:
		return unitNames[s.chosenUnit] + " " + s.chosenZone.String()
	case s.chosenCard != NoCard:
		return s.chosenCard.String()
	}
	return s.chosenZone.String()
}

func (s *State) writePicks(w *writer) {
	if s.pickedCards != 0 {
		w.titles("picks", s.pickedCards)
		return
	}
	w.zones("picks", s.pickedZones)
}

func (s *State) writeResult(w *writer) {
	w.key("result").open('{')
	if s.node == Over {
		w.text("storm", stormNames[s.storm])
		w.key("cards").open('[')
		for _, c := range s.stormCards {
			if c != NoCard {
				w.sep().quote(c.String())
			}
		}
		w.close(']')
		w.key("totals").open('[')
		for _, total := range s.totals[:s.game.players] {
			w.sep().b = strconv.AppendInt(w.b, int64(total), 10)
		}
		w.close(']')
		w.key("winners").open('[')
		for p := range env.Player(s.game.players) {
			if s.winners.Has(p) {
				w.sep().b = strconv.AppendInt(w.b, int64(p), 10)
			}
		}
		w.close(']')
	}
	w.close('}')
}

// A writer appends JSON. All texts are ids, which need no escapes.
type writer struct {
	b []byte
}

// sep puts a comma between elements.
func (w *writer) sep() *writer {
	if last := w.b[len(w.b)-1]; last != '{' && last != '[' && last != ':' {
		w.b = append(w.b, ',')
	}
	return w
}

func (w *writer) open(bracket byte)  { w.b = append(w.b, bracket) }
func (w *writer) close(bracket byte) { w.b = append(w.b, bracket) }

func (w *writer) quote(text string) { w.b = append(append(append(w.b, '"'), text...), '"') }

func (w *writer) key(name string) *writer {
	w.sep().quote(name)
	w.b = append(w.b, ':')
	return w
}

func (w *writer) int(name string, n int) { w.b = strconv.AppendInt(w.key(name).b, int64(n), 10) }

func (w *writer) text(name, text string) { w.key(name).quote(text) }

func (w *writer) flag(name string, set bool) {
	n := 0
	if set {
		n = 1
	}
	w.int(name, n)
}

func (w *writer) seats(name string, l *seatList) {
	w.key(name).open('[')
	for _, p := range l.slice() {
		w.sep().b = strconv.AppendInt(w.b, int64(p), 10)
	}
	w.close(']')
}

func (w *writer) zones(name string, set Zones) {
	w.key(name).open('[')
	for ; set != 0; set = set.Rest() {
		w.sep().quote(set.First().String())
	}
	w.close(']')
}

func (w *writer) titles(name string, set Cards) {
	w.key(name).open('[')
	for ; set != 0; set = set.Rest() {
		w.sep().quote(set.First().String())
	}
	w.close(']')
}

// cards lists each copy.
func (w *writer) cards(name string, pile *Pile) {
	w.key(name).open('[')
	for c, n := range pile {
		for range n {
			w.sep().quote(cardNames[c])
		}
	}
	w.close(']')
}

// pile writes the count of every sort.
func (w *writer) pile(name string, pile *Pile) {
	w.key(name).open('{')
	for c, n := range pile {
		w.int(cardNames[c], int(n))
	}
	w.close('}')
}

func (w *writer) holdings(name string, h *holdings) {
	w.key(name).open('{')
	for k, n := range h {
		w.int(kindNames[k], int(n))
	}
	w.close('}')
}
