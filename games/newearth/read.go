package newearth

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"earthgym/env"
)

// maxNumber bounds the numbers of a position that is read; no game comes near it.
const maxNumber = 30000

// ReadPosition replaces the position by one in the form of RULES.md 3, and leaves the luck. What is read is
// not moved on: even an only action has to be played.
func (s *State) ReadPosition(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var all any
	if err := dec.Decode(&all); err != nil {
		return fmt.Errorf("position: %w", err)
	}
	if dec.More() {
		return fmt.Errorf("position: something follows after the object")
	}
	read := State{game: s.game, luck: s.luck}
	read.clear()
	r := reader{}
	read.read(&r, r.object(all, ""))
	if r.err != nil {
		return fmt.Errorf("position: %w", r.err)
	}
	read.derive()
	err := read.checkPosition()
	if err == nil {
		read.findLegal()
		err = read.Check()
	}
	if err != nil {
		return fmt.Errorf("position: %w", err)
	}
	*s = read
	return nil
}

func (s *State) read(r *reader, o object) {
	s.readSectors(r, o)
	s.turn = int8(o.int("turn", 0, s.game.turns))
	s.phase = int8(o.int("phase", 0, phaseOver))
	s.node = Node(o.word("node", nodeNames[:]))
	n := s.game.players
	s.seat = int8(o.int("seat", -1, n-1))
	s.active = int8(o.int("active", -1, n-1))
	s.queue = o.seats("queue", n)
	s.setupOrder = o.seats("setup_order", n)
	s.order = o.seats("order", n)
	zones := o.object("zones")
	for z := range Zone(NumZones) {
		s.readZone(zones.object(z.String()), z)
	}
	zones.done()
	seats := o.object("seats")
	for p := range n {
		s.readSeat(seats.object(strconv.Itoa(p)), &s.seats[p])
	}
	seats.done()
	s.deck = o.pile("deck")
	s.discard = o.pile("discard")
	s.readPending(o)
	s.running = int32(o.int("running", 0, maxNumber))
	s.assigned = int32(o.int("assigned", 0, maxNumber))
	s.placing = int8(o.int("placing", 0, bulkSize))
	s.readChosen(o)
	s.readPicks(o)
	s.readResult(o)
	o.optionalText("random")
	o.done()
}

func (s *State) readSectors(r *reader, o object) {
	list := o.list("sectors")
	if r.err == nil && len(list) != NumTiles {
		r.fail("sectors", "%d of them; there are %d", len(list), NumTiles)
		return
	}
	for k, v := range list {
		e := r.object(v, "sectors."+strconv.Itoa(k))
		s.sectors[k] = place{int8(e.word("tile", tileNames[:])), int8(e.int("rotation", 0, 2))}
		e.done()
		for j := range k {
			if s.sectors[j].tile == s.sectors[k].tile {
				r.fail(e.path, "tile %s lies in sector %d already", tileNames[s.sectors[k].tile], j)
			}
		}
	}
	if r.err != nil {
		return
	}
	s.inPlay = allZones &^ s.game.outOf(&s.sectors)
}

func (s *State) readZone(o object, z Zone) {
	if o.flag("out") == s.inPlay.Has(z) {
		o.fail("out", "with %d players and the tiles so laid the zones out of play are %s", s.game.players, zoneList(allZones&^s.inPlay))
	}
	if p := o.int("owner", -1, s.game.players-1); p >= 0 {
		s.owned[p] |= only(z)
	}
	switch o.word("type", typeNames[:]) {
	case 1:
		s.mining |= only(z)
	case 2:
		s.energy |= only(z)
	}
	s.raw[z] = int8(o.int("raw", 0, maxPeople))
	s.makers[z] = int8(o.int("mfg", 0, maxPeople))
	s.machines[z] = int8(o.int("machines", 0, maxMachines))
	o.zoneFlag("plant", &s.plants, z)
	s.sl[z] = int8(o.int("sl", 0, maxLevel))
	if city := o.int("city", 0, 2); city > 0 {
		s.cities |= only(z)
		if city == 2 {
			s.forts |= only(z)
		}
	}
	o.zoneFlag("affected", &s.affected, z)
	o.zoneFlag("elected", &s.elected, z)
	o.zoneFlag("converted", &s.converted, z)
	o.zoneFlag("raised", &s.raised, z)
	list := o.list("arrived")
	if len(list) != int(numPieces) {
		o.fail("arrived", "%d numbers; there are %d: machines, raw workers, manufacturing workers", len(list), numPieces)
		return
	}
	for u, v := range list {
		s.arrived[z][u] = int8(o.r.int(v, o.at("arrived."+strconv.Itoa(u)), 0, maxPeople))
	}
	o.done()
}

func zoneList(set Zones) string {
	if set == 0 {
		return "none"
	}
	var ids []string
	for ; set != 0; set = set.Rest() {
		ids = append(ids, set.First().String())
	}
	return strings.Join(ids, ", ")
}

func (s *State) readSeat(o object, seat *seat) {
	g := s.game
	for k, name := range [numKinds]string{"m", "e", "f", "goods", "cash"} {
		seat.has[k] = int32(o.int(name, 0, maxNumber))
	}
	seat.hand = o.cards("hand")
	seat.leader = o.zone("leader")
	seat.electionsUsed = int8(o.int("elections_used", 0, g.data.Elections))
	seat.offersUsed = int8(o.int("offers_used", 0, int(g.offers)))
	seat.movesUsed = int16(o.int("moves_used", 0, int(g.moveLimit)))
	seat.expended = int32(o.int("expended", 0, maxNumber))
	seat.finished = o.flag("finished_production")
	seat.reopened = o.flag("reopened")
	seat.commitCash = int32(o.int("commit_cash", -1, maxNumber))
	seat.commitCards = o.titles("commit_cards")
	seat.known = o.titles("known")
	seat.announced = int16(o.int("announced", 0, maxNumber))
	seat.announcedSize = int8(o.int("announced_size", 0, 127))
	seat.drawn = int16(o.int("drawn_since", 0, maxNumber))
	seat.shown = o.cards("shown_since")
	o.done()
}

func (s *State) readPending(o object) {
	if c := o.object("catastrophe"); len(c.fields) > 0 {
		s.catastrophe = Card(c.word("card", cardNames[:]))
		s.hit = c.zones("zones")
		used := c.object("used")
		for p := range s.game.players {
			if id := strconv.Itoa(p); used.fields[id] != nil {
				s.used[p] = used.titles(id)
			}
		}
		used.done()
		c.done()
	}
	if e := o.object("election"); len(e.fields) > 0 {
		if s.target = e.zone("zone"); s.target == NoZone {
			e.fail("zone", "an election needs a zone")
		}
		s.defender = int8(e.int("defender", -1, s.game.players-1))
		s.claimants = e.seats("claimants", s.game.players)
		s.contested = e.flag("contested")
		e.done()
	}
	if f := o.object("offer"); len(f.fields) > 0 {
		s.offer.partner = int8(f.int("partner", 0, s.game.players-1))
		s.offer.give = f.holdings("give")
		s.offer.want = f.holdings("want")
		s.offer.giveTerms = int8(f.int("give_terms", 0, maxTerms))
		s.offer.wantTerms = int8(f.int("want_terms", 0, maxTerms))
		f.done()
	}
}

// readChosen reads a zone, a title, or a piece and its zone.
func (s *State) readChosen(o object) {
	text := o.text("chosen")
	if text == "" {
		return
	}
	if unit, id, ok := strings.Cut(text, " "); ok {
		u := slices.Index(unitNames[:], unit)
		z, ok := zoneOf(id)
		if u < 0 || !ok {
			o.fail("chosen", "%q is no piece and zone such as \"worker A4\"", text)
			return
		}
		s.chosenUnit, s.chosenZone = Unit(u), z
	} else if z, ok := zoneOf(text); ok {
		s.chosenZone = z
	} else if c := slices.Index(cardNames[:NumTitles], text); c >= 0 {
		s.chosenCard = Card(c)
	} else {
		o.fail("chosen", "%q is neither a zone nor a City card", text)
	}
}

func (s *State) readPicks(o object) {
	for i, v := range o.list("picks") {
		path := o.at("picks." + strconv.Itoa(i))
		text := o.r.text(v, path)
		if z, ok := zoneOf(text); ok {
			if s.pickedZones.Has(z) {
				o.r.fail(path, "%s is picked twice", text)
			}
			s.pickedZones |= only(z)
		} else if c := slices.Index(cardNames[:NumTitles], text); c >= 0 {
			if s.pickedCards.Has(Card(c)) {
				o.r.fail(path, "%s is picked twice", text)
			}
			s.pickedCards |= 1 << c
		} else {
			o.r.fail(path, "%q is neither a zone nor a City card", text)
		}
	}
	if s.pickedZones != 0 && s.pickedCards != 0 {
		o.fail("picks", "picks are either zones or City cards")
	}
}

func (s *State) readResult(o object) {
	res := o.object("result")
	if len(res.fields) == 0 {
		return
	}
	s.storm = Storm(res.word("storm", stormNames[:]))
	cards := res.list("cards")
	if len(cards) != 0 && len(cards) != 2 {
		res.fail("cards", "%d cards; El Gigante draws 2, or none if the storm was agreed", len(cards))
		return
	}
	for i, v := range cards {
		s.stormCards[i] = Card(o.r.word(v, res.at("cards."+strconv.Itoa(i)), cardNames[:]))
	}
	totals := res.list("totals")
	if len(totals) != s.game.players {
		res.fail("totals", "%d totals for %d players", len(totals), s.game.players)
		return
	}
	for p, v := range totals {
		s.totals[p] = int32(o.r.int(v, res.at("totals."+strconv.Itoa(p)), 0, maxNumber))
	}
	winners := res.seats("winners", s.game.players)
	for _, p := range winners.slice() {
		s.winners = s.winners.With(env.Player(p))
	}
	res.done()
}

// A reader reads decoded JSON and keeps the first error.
type reader struct {
	err error
}

func (r *reader) fail(path, format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%s: %s", path, fmt.Sprintf(format, args...))
	}
}

func (r *reader) int(v any, path string, low, high int) int {
	number, ok := v.(json.Number)
	n, err := strconv.Atoi(string(number))
	if !ok || err != nil {
		r.fail(path, "%v is not a whole number", v)
		return max(low, 0)
	}
	if n < low || n > high {
		r.fail(path, "%d is not in %d to %d", n, low, high)
		return max(low, 0)
	}
	return n
}

func (r *reader) text(v any, path string) string {
	text, ok := v.(string)
	if !ok {
		r.fail(path, "%v is not a text", v)
	}
	return text
}

// word is the index of a text in a list.
func (r *reader) word(v any, path string, words []string) int {
	text := r.text(v, path)
	i := slices.Index(words, text)
	if i < 0 {
		r.fail(path, "%q is unknown: %s", text, env.Suggest(text, words))
		return 0
	}
	return i
}

func (r *reader) object(v any, path string) object {
	fields, ok := v.(map[string]any)
	if !ok {
		r.fail(strings.TrimPrefix(path, "."), "%v is not an object", v)
	}
	return object{r, path, fields, map[string]bool{}}
}

// An object is one of JSON, with the names that have been asked for.
type object struct {
	r      *reader
	path   string
	fields map[string]any
	asked  map[string]bool
}

func (o object) at(name string) string {
	if o.path == "" {
		return name
	}
	return o.path + "." + name
}

func (o object) fail(name, format string, args ...any) { o.r.fail(o.at(name), format, args...) }

func (o object) field(name string) any {
	o.asked[name] = true
	v, ok := o.fields[name]
	if !ok {
		o.fail(name, "is missing")
	}
	return v
}

// done reports fields that nobody asked for.
func (o object) done() {
	if o.r.err != nil {
		return
	}
	var unknown, known []string
	for name := range o.fields {
		if !o.asked[name] {
			unknown = append(unknown, name)
		}
	}
	if unknown == nil {
		return
	}
	for name := range o.asked {
		known = append(known, name)
	}
	slices.Sort(unknown)
	slices.Sort(known)
	o.fail(unknown[0], "is unknown: %s", env.Suggest(unknown[0], known))
}

func (o object) int(name string, low, high int) int {
	return o.r.int(o.field(name), o.at(name), low, high)
}

func (o object) flag(name string) bool { return o.int(name, 0, 1) == 1 }

func (o object) zoneFlag(name string, set *Zones, z Zone) {
	if o.flag(name) {
		*set |= only(z)
	}
}

func (o object) text(name string) string { return o.r.text(o.field(name), o.at(name)) }

// optionalText is a text that may be missing and isn't used.
func (o object) optionalText(name string) {
	o.asked[name] = true
	if v, ok := o.fields[name]; ok {
		o.r.text(v, o.at(name))
	}
}

func (o object) word(name string, words []string) int {
	return o.r.word(o.field(name), o.at(name), words)
}

func (o object) object(name string) object { return o.r.object(o.field(name), o.at(name)) }

func (o object) list(name string) []any {
	v := o.field(name)
	list, ok := v.([]any)
	if !ok {
		o.fail(name, "%v is not a list", v)
	}
	return list
}

func (o object) seats(name string, n int) seatList {
	var l seatList
	list := o.list(name)
	if len(list) > n {
		o.fail(name, "%d seats; there are %d", len(list), n)
		return l
	}
	for i, v := range list {
		p := env.Player(o.r.int(v, o.at(name+"."+strconv.Itoa(i)), 0, n-1))
		if l.has(p) {
			o.fail(name, "seat %d is listed twice", p)
			return l
		}
		l.add(p)
	}
	return l
}

func (o object) zone(name string) Zone {
	text := o.text(name)
	z, ok := zoneOf(text)
	if !ok && text != "" {
		o.fail(name, "%q is no zone; zones are A1 to F6", text)
	}
	return z
}

func (o object) zones(name string) Zones {
	var set Zones
	for i, v := range o.list(name) {
		text := o.r.text(v, o.at(name+"."+strconv.Itoa(i)))
		z, ok := zoneOf(text)
		switch {
		case !ok:
			o.fail(name, "%q is no zone; zones are A1 to F6", text)
			return 0
		case set.Has(z):
			o.fail(name, "%s is listed twice", text)
		}
		set |= only(z)
	}
	return set
}

func (o object) cards(name string) Pile {
	var pile Pile
	list := o.list(name)
	if len(list) > 127 {
		o.fail(name, "%d cards are more than there are", len(list))
		return pile
	}
	for i, v := range list {
		pile[o.r.word(v, o.at(name+"."+strconv.Itoa(i)), cardNames[:])]++
	}
	return pile
}

func (o object) titles(name string) Cards {
	var set Cards
	for i, v := range o.list(name) {
		c := o.r.word(v, o.at(name+"."+strconv.Itoa(i)), cardNames[:NumTitles])
		if set.Has(Card(c)) {
			o.fail(name, "%s is listed twice", cardNames[c])
		}
		set |= 1 << c
	}
	return set
}

func (o object) pile(name string) Pile {
	var pile Pile
	p := o.object(name)
	for c := range pile {
		pile[c] = int8(p.int(cardNames[c], 0, 127))
	}
	p.done()
	return pile
}

func (o object) holdings(name string) holdings {
	var h holdings
	p := o.object(name)
	for k := range h {
		h[k] = int32(p.int(kindNames[k], 0, maxNumber))
	}
	p.done()
	return h
}

// PatchPosition lays a patch on a position: objects are merged, everything else is replaced. An object that
// stands for none at present can be given in part; the deck "rest" is every card that lies nowhere else.
func (g *Game) PatchPosition(base, patch map[string]any) (map[string]any, error) {
	none := map[string]map[string]any{
		"catastrophe": {"card": "", "zones": []any{}, "used": map[string]any{}},
		"election":    {"zone": "", "defender": -1, "claimants": []any{}, "contested": 0},
		"offer":       {"partner": 0, "give": noHoldings(), "want": noHoldings(), "give_terms": 0, "want_terms": 0},
		"result":      {"storm": "", "cards": []any{}, "totals": []any{}, "winners": []any{}},
	}
	for name, empty := range none {
		given, _ := patch[name].(map[string]any)
		if old, _ := base[name].(map[string]any); len(given) > 0 && len(old) == 0 {
			base[name] = empty
		}
	}
	if c, ok := patch["catastrophe"].(map[string]any); ok {
		if used, ok := c["used"].(map[string]any); ok {
			old := base["catastrophe"].(map[string]any)["used"].(map[string]any)
			for p := range used {
				if old[p] == nil {
					old[p] = []any{}
				}
			}
		}
	}
	rest := patch["deck"] == "rest"
	if rest {
		patch["deck"] = map[string]any{}
	}
	merged, err := env.MergePatch(base, patch)
	if err != nil || !rest {
		return merged, err
	}
	return merged, g.deckRest(merged)
}

func noHoldings() map[string]any {
	h := map[string]any{}
	for _, kind := range kindNames {
		h[kind] = 0
	}
	return h
}

// deckRest makes the deck of all cards that lie nowhere else in a decoded position.
func (g *Game) deckRest(position map[string]any) error {
	r := reader{}
	o := r.object(position, "")
	left := g.printed
	take := func(pile Pile) {
		for c, n := range pile {
			left[c] -= n
		}
	}
	take(o.pile("discard"))
	seats := o.object("seats")
	for p := range g.players {
		seat := seats.object(strconv.Itoa(p))
		take(seat.cards("hand"))
		take(seat.cards("commit_cards"))
	}
	deck := map[string]any{}
	for c, n := range left {
		if n < 0 {
			r.fail("deck", "there are only %d of %s", g.printed[c], cardNames[c])
		}
		deck[cardNames[c]] = json.Number(strconv.Itoa(int(n)))
	}
	position["deck"] = deck
	return r.err
}
