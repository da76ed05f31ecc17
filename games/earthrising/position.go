package earthrising

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"earthgym/env"
)

// positionJSON is a position in the words of RULES.md, section 3.
type positionJSON struct {
	Circle       map[string][]string `json:"circle"`
	Strain       []int               `json:"strain"`
	Major        []string            `json:"major"`
	Minor        []string            `json:"minor"`
	Protest      []string            `json:"protest"`
	Regeneration []string            `json:"regeneration"`
	Startups     int                 `json:"startups"`
	Collapses    int                 `json:"collapses"`
	Turn         int                 `json:"turn"`
	Year         int                 `json:"year"`
	Cast         []string            `json:"cast"`
	Seat         map[string]int      `json:"seat"`
	Active       string              `json:"active"`
	Deck         []string            `json:"deck"`
	Discard      []string            `json:"discard"`
	Hand         map[string][]string `json:"hand"`
	Known        map[string][]int    `json:"known"`
	Kind         []string            `json:"kind"`
	Phase        string              `json:"phase"`
	Actions      int                 `json:"actions"`
	Moves        int                 `json:"moves"`
	Asked        bool                `json:"asked"`
	Struck       []string            `json:"struck"`
	Collapsed    bool                `json:"collapsed"`
	Signal       []string            `json:"signal"`
	Signals      int                 `json:"signals"`
	Result       string              `json:"result"`

	Window  string   `json:"window"`
	Drawing string   `json:"drawing"`
	Normals int      `json:"normals"`
	Looks   int      `json:"looks"`
	After   string   `json:"after"`
	Pending string   `json:"pending"`
	Card    string   `json:"card"`
	Credits int      `json:"credits"`
	Order   []string `json:"order"`
	Ordered []int    `json:"ordered"`
	Touched []string `json:"touched"`

	Derived any `json:"derived"`
}

// derivedJSON is what follows from the rest; it is written for readers and tests, and ignored when read.
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

// rest stands, at the end of deck or discard pile, for all cards named nowhere, in number order.
const rest = "rest"

// AppendPosition writes the position.
func (s *State) AppendPosition(dst []byte) []byte {
	in := &s.inside
	j := positionJSON{
		Circle: map[string][]string{},
		Major:  sectors(s.major), Minor: sectors(s.minor),
		Protest: s.sides(s.protest), Regeneration: s.sides(s.regeneration),
		Startups: int(s.startups), Collapses: int(s.collapses), Turn: int(s.turn), Year: int(s.year),
		Cast: []string{}, Seat: map[string]int{},
		Deck: []string{}, Discard: cards(s.discard),
		Hand: map[string][]string{}, Known: map[string][]int{}, Kind: []string{},
		Phase: phaseIDs[s.phase], Actions: int(s.actions), Moves: int(s.moves), Asked: s.asked,
		Struck: cards(Set(s.struck) << firstStrike), Collapsed: s.collapsed,
		Signal: []string{}, Signals: int(s.signals), Result: resultIDs[s.result],

		Window: windowIDs[in.window], Drawing: drawingIDs[in.drawing],
		Normals: int(in.normals), Looks: int(in.looks), After: afterTrimIDs[in.after],
		Credits: int(in.credits), Order: []string{}, Ordered: []int{}, Touched: s.sides(in.touched),
		Derived: s.derived(),
	}
	for x := range Sector(NumSectors) {
		circles := make([]string, perCircle)
		for i, v := range s.circle[x] {
			circles[i] = s.onCircle(x, v)
		}
		j.Circle[x.String()] = circles
		j.Strain = append(j.Strain, int(s.strain[x]))
	}
	for _, k := range s.cast[:s.castSize] {
		j.Cast = append(j.Cast, k.String())
		j.Seat[k.String()] = int(s.seat[k])
		j.Hand[k.String()] = cards(s.hand[k])
	}
	if s.phase == inChoose {
		for i := int(s.castSize); i < s.game.cast; i++ {
			j.Hand[strconv.Itoa(i)] = cards(s.dealt[i])
		}
	} else {
		j.Active = s.active.String()
	}
	for i := s.deckSize - 1; i >= 0; i-- {
		c := s.deck[i]
		kind := ""
		if s.public>>i&1 != 0 {
			kind = kindIDs[kindOf(c)]
		}
		j.Deck = append(j.Deck, c.String())
		j.Kind = append(j.Kind, kind)
	}
	for c := range Card(numCards) {
		if seats := s.knowing(c); seats != 0 {
			j.Known[c.String()] = seats.List()
		}
	}
	for _, v := range s.signal[:s.game.players] {
		j.Signal = append(j.Signal, signalText(v))
	}
	if in.pending != 0 {
		j.Pending = s.game.info.Actions[in.pending].Text
	}
	if s.phase == inLooked {
		j.Card = in.card.String()
	}
	for _, c := range in.order[:in.orderSize] {
		j.Order = append(j.Order, c.String())
	}
	for _, i := range in.ordered[:in.orderedSize] {
		j.Ordered = append(j.Ordered, int(i))
	}
	b, err := json.Marshal(j)
	if err != nil {
		panic(err) // texts and numbers alone
	}
	return append(dst, b...)
}

var kindIDs = [...]string{influenceCard: "influence", strikeCard: "sqs"}

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

// onCircle is what lies on a circle: "", "U:coal-power", "S:wind-power" or "X".
func (s *State) onCircle(x Sector, v int8) string {
	switch v {
	case vacant:
		return ""
	case crater:
		return "X"
	}
	p := Card(int(x)*perSector + int(v) - 1)
	if s.sustainable.Has(p) {
		return "S:" + practiceIDs[p][0]
	}
	return "U:" + practiceIDs[p][1]
}

// side is a practice by the side that lies on the board.
func (s *State) side(p Card) string {
	if s.sustainable.Has(p) {
		return practiceIDs[p][0]
	}
	return practiceIDs[p][1]
}

func (s *State) sides(t Set) []string {
	list := []string{}
	for ; t != 0; t = t.Rest() {
		list = append(list, s.side(t.First()))
	}
	return list
}

func cards(t Set) []string {
	list := []string{}
	for ; t != 0; t = t.Rest() {
		list = append(list, t.First().String())
	}
	return list
}

func sectors(t sectorSet) []string {
	list := []string{}
	for ; t != 0; t = t.rest() {
		list = append(list, sectorIDs[t.first()])
	}
	return list
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

// ReadPosition reads a position and checks it whole. RULES.md, section 3.2, has what may be left out.
func (s *State) ReadPosition(b []byte) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(b, &fields); err != nil {
		return fmt.Errorf("position: %w", err)
	}
	for _, name := range neededFields {
		if _, ok := fields[name]; !ok {
			return fmt.Errorf("position: the field %q is missing", name)
		}
	}
	var j positionJSON
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&j); err != nil {
		return fmt.Errorf("position: %w", err)
	}
	r := reader{j: &j}
	r.game, r.luck = s.game, s.luck
	for _, part := range []func() error{
		r.readBoard, r.readNumbers, r.readCast, r.readPhase, r.readCards, r.readKnowledge, r.readInside,
	} {
		if err := part(); err != nil {
			return err
		}
	}
	for x := range Sector(NumSectors) {
		r.settle(x)
	}
	if err := r.Check(); err != nil {
		return err
	}
	*s = r.State
	return nil
}

// neededFields are those of the first table of section 3, but for known and kind.
var neededFields = []string{
	"circle", "strain", "major", "minor", "protest", "regeneration", "startups", "collapses", "turn", "year",
	"cast", "seat", "active", "deck", "discard", "hand", "phase", "actions", "moves", "asked", "struck",
	"collapsed", "signal", "signals", "result",
}

// A reader is the State that is being read.
type reader struct {
	State
	j    *positionJSON
	seen Set // cards named so far
}

// find is the place of a word in a list.
func find(path, what, word string, among []string) (int, error) {
	i := slices.Index(among, word)
	if i < 0 {
		return 0, fmt.Errorf("%s: unknown %s %q: %s", path, what, word, env.Suggest(word, among))
	}
	return i, nil
}

func element(path string, i any) string { return fmt.Sprintf("%s.%v", path, i) }

// practice finds a practice by the name of one of its sides.
func practice(path, id string, side int) (Card, error) {
	for c := range Card(numPractices) {
		if practiceIDs[c][side] == id {
			return c, nil
		}
	}
	sides := make([]string, numPractices)
	for c := range sides {
		sides[c] = practiceIDs[c][side]
	}
	_, err := find(path, [...]string{"sustainable practice", "unsustainable practice"}[side], id, sides)
	return 0, err
}

// number checks the range of a number.
func number(path string, n, low, high int) (int8, error) {
	if n < low || n > high {
		return 0, fmt.Errorf("%s: %d is not in %d to %d", path, n, low, high)
	}
	return int8(n), nil
}

func (r *reader) readBoard() error {
	for id, circles := range r.j.Circle {
		path := "circle." + id
		at, err := find("circle", "sector", id, sectorIDs[:])
		if err != nil {
			return err
		}
		if len(circles) > perCircle {
			return fmt.Errorf("%s: %d circles; a sector has %d", path, len(circles), perCircle)
		}
		for i, text := range circles {
			if err := r.readCircle(element(path, i), Sector(at), i, text); err != nil {
				return err
			}
		}
	}
	if len(r.j.Strain) != NumSectors {
		return fmt.Errorf("strain: %d numbers for %d sectors", len(r.j.Strain), NumSectors)
	}
	for x, n := range r.j.Strain {
		var err error
		if r.strain[x], err = number(element("strain", x), n, 0, int(r.game.full)); err != nil {
			return err
		}
	}
	var err error
	if r.major, err = readSectors("major", r.j.Major); err != nil {
		return err
	}
	if r.minor, err = readSectors("minor", r.j.Minor); err != nil {
		return err
	}
	if r.protest, err = r.readSides("protest", r.j.Protest); err != nil {
		return err
	}
	r.regeneration, err = r.readSides("regeneration", r.j.Regeneration)
	return err
}

func (r *reader) readCircle(path string, x Sector, i int, text string) error {
	if text == "" {
		return nil
	}
	r.filled[x] |= 1 << i
	if text == "X" {
		r.circle[x][i] = crater
		r.craters[x] |= 1 << i
		return nil
	}
	side := slices.Index([]string{"S:", "U:"}, text[:min(2, len(text))])
	if side < 0 {
		return fmt.Errorf("%s: %q is neither empty, nor S: or U: with a practice, nor X", path, text)
	}
	p, err := practice(path, text[2:], side)
	if err != nil {
		return err
	}
	if p.Sector() != x {
		return fmt.Errorf("%s: %s belongs to %s", path, text[2:], p.Sector())
	}
	if r.onBoard().Has(p) {
		return fmt.Errorf("%s: the counter of %s lies on two circles", path, text[2:])
	}
	r.circle[x][i] = p.place() + 1
	if side == 0 {
		r.sustainable |= Only(p)
	} else {
		r.unsustainable |= Only(p)
	}
	return nil
}

func readSectors(path string, ids []string) (t sectorSet, err error) {
	for i, id := range ids {
		x, err := find(element(path, i), "sector", id, sectorIDs[:])
		if err != nil {
			return 0, err
		}
		if t.has(Sector(x)) {
			return 0, fmt.Errorf("%s: %s is listed twice", path, id)
		}
		t = t.with(Sector(x))
	}
	return t, nil
}

// readSides reads practices by the side that lies on the board.
func (r *reader) readSides(path string, ids []string) (t Set, err error) {
	for i, id := range ids {
		p := Card(0)
		for p < numPractices && (!r.onBoard().Has(p) || r.side(p) != id) {
			p++
		}
		if p == numPractices {
			return 0, fmt.Errorf("%s: %q is not on the board", element(path, i), id)
		}
		if t.Has(p) {
			return 0, fmt.Errorf("%s: %s is listed twice", path, id)
		}
		t |= Only(p)
	}
	return t, nil
}

func (r *reader) readNumbers() error {
	j, g := r.j, r.game
	r.asked, r.collapsed = j.Asked, j.Collapsed
	for _, f := range []struct {
		path         string
		n, low, high int
		dst          *int8
	}{
		{"startups", j.Startups, 0, 1 + perSector, &r.startups},
		{"collapses", j.Collapses, 0, maxCollapses + 1, &r.collapses},
		{"turn", j.Turn, 1, int(g.limit) + maxCollapses, &r.turn},
		{"year", j.Year, 1, int(g.limit), &r.year},
		{"actions", j.Actions, 0, g.data.Turn.Actions, &r.actions},
		{"moves", j.Moves, 0, 1 + perSector, &r.moves},
		{"signals", j.Signals, 0, maxSignals, &r.signals},
	} {
		var err error
		if *f.dst, err = number(f.path, f.n, f.low, f.high); err != nil {
			return err
		}
	}
	strikes, err := readCards("struck", j.Struck)
	if err != nil {
		return err
	}
	if strikes&allInfluence != 0 {
		return fmt.Errorf("struck: %s is no Status Quo Strikes! card", (strikes & allInfluence).First())
	}
	r.struck = sectorSet(strikes >> firstStrike)
	if len(j.Signal) != g.players {
		return fmt.Errorf("signal: %d texts for %d players", len(j.Signal), g.players)
	}
	var texts []string
	for v := range int8(1 + 2*NumSectors) {
		texts = append(texts, signalText(v))
	}
	for p, text := range j.Signal {
		v, err := find(element("signal", p), "signal", text, texts)
		if err != nil {
			return err
		}
		r.signal[p] = int8(v)
	}
	return nil
}

// readCards reads a list without repetition.
func readCards(path string, ids []string) (t Set, err error) {
	for i, id := range ids {
		c, err := readCard(element(path, i), id)
		if err != nil {
			return 0, err
		}
		if t.Has(c) {
			return 0, fmt.Errorf("%s: %s is listed twice", path, id)
		}
		t |= Only(c)
	}
	return t, nil
}

func readCard(path, id string) (Card, error) {
	for c := range Card(numCards) {
		if c.String() == id {
			return c, nil
		}
	}
	ids := make([]string, numCards)
	for c := range ids {
		ids[c] = Card(c).String()
	}
	_, err := find(path, "card", id, ids)
	return 0, err
}

func (r *reader) readCast() error {
	j, g := r.j, r.game
	for i, id := range j.Cast {
		k, err := find(element("cast", i), "character", id, characterIDs[:])
		if err != nil {
			return err
		}
		if r.inPlay.plays(Character(k)) {
			return fmt.Errorf("cast: %s is listed twice", id)
		}
		seat, ok := j.Seat[id]
		if !ok {
			return fmt.Errorf("seat: nobody plays the %s", id)
		}
		if r.seat[k], err = number(element("seat", id), seat, 0, g.players-1); err != nil {
			return err
		}
		r.cast[i] = Character(k)
		r.castSize++
		r.inPlay |= bit(Character(k))
	}
	for id := range j.Seat {
		if !slices.Contains(j.Cast, id) {
			return fmt.Errorf("seat: %q is not in the cast", id)
		}
	}
	return nil
}

func (r *reader) readPhase() error {
	j := r.j
	phaseAt, err := find("phase", "phase", j.Phase, phaseIDs[:])
	if err != nil {
		return err
	}
	resultAt, err := find("result", "result", j.Result, resultIDs[:])
	if err != nil {
		return err
	}
	r.phase, r.result = phase(phaseAt), result(resultAt)
	if (r.phase == inOver) != (r.result != running) {
		return fmt.Errorf("phase: %q with result %q; the game has a result exactly if it is over", j.Phase, j.Result)
	}
	if r.phase == inChoose {
		if j.Active != "" {
			return fmt.Errorf("active: %q, while characters are being chosen", j.Active)
		}
		return nil
	}
	k, err := find("active", "character", j.Active, characterIDs[:])
	if err != nil {
		return err
	}
	r.active = Character(k)
	return nil
}

func (r *reader) readCards() error {
	j := r.j
	// What is named everywhere comes first, as rest stands for the others.
	for id, list := range j.Hand {
		path := "hand." + id
		hand, err := readCards(path, list)
		if err != nil {
			return err
		}
		if err := r.name(path, hand); err != nil {
			return err
		}
		if i, err := strconv.Atoi(id); err == nil {
			if r.phase != inChoose || i < int(r.castSize) || i >= r.game.cast {
				return fmt.Errorf("%s: there is no such place to be taken", path)
			}
			r.dealt[i] = hand
			continue
		}
		k, err := find("hand", "character", id, characterIDs[:])
		if err != nil {
			return err
		}
		if !r.inPlay.plays(Character(k)) && hand != 0 {
			return fmt.Errorf("%s: the %s is not in play", path, id)
		}
		r.hand[k] = hand
	}
	if r.phase == inLooked {
		c, err := readCard("card", j.Card)
		if err != nil {
			return err
		}
		if err := r.name("card", Only(c)); err != nil {
			return err
		}
		r.inside.card = c
	}
	if r.phase == inOrder {
		order, err := readCards("order", j.Order)
		if err != nil {
			return err
		}
		if err := r.name("order", order); err != nil {
			return err
		}
		if len(j.Order) < 1 || len(j.Order) > maxLooked {
			return fmt.Errorf("order: %d cards are not 1 to %d", len(j.Order), maxLooked)
		}
		for i, id := range j.Order {
			c, err := readCard("order", id)
			if err != nil {
				return err
			}
			r.inside.order[i] = c
			r.inside.orderSize++
		}
	}
	deck, deckRest := cutRest(j.Deck)
	pile, pileRest := cutRest(j.Discard)
	if deckRest && pileRest {
		return fmt.Errorf("deck, discard: %q may stand once", rest)
	}
	deckSet, err := readCards("deck", deck)
	if err != nil {
		return err
	}
	if err := r.name("deck", deckSet); err != nil {
		return err
	}
	if r.discard, err = readCards("discard", pile); err != nil {
		return err
	}
	if err := r.name("discard", r.discard); err != nil {
		return err
	}
	left := allCards &^ r.seen
	switch {
	case deckRest:
		deck = append(slices.Clone(deck), cards(left)...)
	case pileRest:
		r.discard |= left
	case left != 0:
		return fmt.Errorf("deck: %s lies nowhere", left.First())
	}
	for i, id := range deck {
		if r.deck[len(deck)-1-i], err = readCard(element("deck", i), id); err != nil {
			return err
		}
	}
	r.deckSize = int8(len(deck))
	return nil
}

// name notes that cards lie somewhere, and that they don't elsewhere.
func (r *reader) name(path string, t Set) error {
	if both := r.seen & t; both != 0 {
		return fmt.Errorf("%s: %s lies elsewhere, too", path, both.First())
	}
	r.seen |= t
	return nil
}

func cutRest(list []string) ([]string, bool) {
	if n := len(list); n > 0 && list[n-1] == rest {
		return list[:n-1], true
	}
	return list, false
}

// readKnowledge reads who knows which card. A card in a hand is known to those that see the hand.
func (r *reader) readKnowledge() error {
	for id, seats := range r.j.Known {
		c, err := readCard("known", id)
		if err != nil {
			return err
		}
		for _, p := range seats {
			if _, err := number("known."+id, p, 0, r.game.players-1); err != nil {
				return err
			}
			r.learn(env.Only(env.Player(p)), c)
		}
	}
	know := func(t Set, p int) {
		for ; t != 0; t = t.Rest() {
			r.learn(r.holders(env.Player(p)), t.First())
		}
	}
	for _, k := range r.cast[:r.castSize] {
		know(r.hand[k], int(r.seat[k]))
	}
	for i, t := range r.dealt {
		know(t, i%r.game.players)
	}
	if r.phase == inLooked {
		know(Only(r.inside.card), int(r.seat[r.active]))
	}
	for _, c := range r.inside.order[:r.inside.orderSize] {
		know(Only(c), int(r.seat[r.active]))
	}
	for i, text := range r.j.Kind {
		if text != "" && text != kindIDs[influenceCard] && text != kindIDs[strikeCard] {
			_, err := find(element("kind", i), "kind", text, kindIDs[influenceCard:])
			return err
		}
		at := int(r.deckSize) - 1 - i
		if at >= 0 && text == kindIDs[kindOf(r.deck[at])] {
			r.public |= 1 << at
		}
	}
	return nil
}

// readInside reads the inside of a compound decision, in the phases that have it.
func (r *reader) readInside() error {
	j, in := r.j, &r.inside
	if r.phase == inWindow {
		i, err := find("window", "window", j.Window, windowIDs[windowA:])
		if err != nil {
			return err
		}
		in.window = windowA + window(i)
	}
	if r.phase == inTrim {
		i, err := find("after", "step", j.After, afterTrimIDs[thenDraw:])
		if err != nil {
			return err
		}
		in.after = thenDraw + afterTrim(i)
	}
	if r.phase == inDraw || r.phase == inLooked || in.after == thenDraw {
		i, err := find("drawing", "drawing", j.Drawing, drawingIDs[startDrawing:])
		if err != nil {
			return err
		}
		in.drawing = startDrawing + drawing(i)
		most := 1
		if in.drawing == startDrawing {
			most = int(r.game.drawn)
		}
		if in.normals, err = number("normals", j.Normals, 0, most); err != nil {
			return err
		}
		if in.looks, err = number("looks", j.Looks, 0, 1+perSector); err != nil {
			return err
		}
	}
	if r.phase == inPay || r.phase == inCircle || r.phase == inTo {
		a, err := r.game.info.Parse(j.Pending)
		if err != nil {
			return fmt.Errorf("pending: %w", err)
		}
		in.pending = int16(a)
	}
	if r.phase == inClean {
		var err error
		if in.credits, err = number("credits", j.Credits, 1, r.game.data.Turn.CleanUp-1); err != nil {
			return err
		}
	}
	if r.phase == inOrder {
		for i, at := range j.Ordered {
			n, err := number(element("ordered", i), at, 0, int(in.orderSize)-1)
			if err != nil {
				return err
			}
			if slices.Contains(in.ordered[:in.orderedSize], n) {
				return fmt.Errorf("ordered: place %d is named twice", n)
			}
			in.ordered[in.orderedSize] = n
			in.orderedSize++
		}
		if in.orderedSize == in.orderSize {
			return fmt.Errorf("ordered: no card is left to place")
		}
	}
	if r.phase == inTokens {
		var err error
		if in.touched, err = r.readSides("touched", j.Touched); err != nil {
			return err
		}
	}
	return nil
}

// PatchPosition lays a patch on a position: objects are merged key by key, and known and, where the cast
// changes, hand and seat take the keys that the patch needs.
func (g *Game) PatchPosition(base, patch map[string]any) (map[string]any, error) {
	if known, ok := patch["known"].(map[string]any); ok {
		old, _ := base["known"].(map[string]any)
		for id := range known {
			if _, ok := old[id]; !ok {
				old[id] = []any{}
			}
		}
	}
	if cast, ok := patch["cast"].([]any); ok {
		for field, empty := range map[string]any{"hand": []any{}, "seat": json.Number("0")} {
			old, _ := base[field].(map[string]any)
			now := map[string]any{}
			for _, id := range cast {
				id, _ := id.(string)
				if now[id] = old[id]; old[id] == nil {
					now[id] = empty
				}
			}
			base[field] = now
		}
	}
	return env.MergePatch(base, patch)
}
