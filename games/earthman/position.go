package earthman

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"earthgym/env"
)

// The position as JSON (RULES.md 3). It is written by hand, so that places, worlds and technologies
// stand in the order of the board, and read into positionJSON.

// writer appends JSON.
type writer struct{ b []byte }

// key begins a field of the running object.
func (w *writer) key(name string) {
	if last := w.b[len(w.b)-1]; last != '{' {
		w.b = append(w.b, ',')
	}
	w.b = strconv.AppendQuote(w.b, name)
	w.b = append(w.b, ':')
}

func (w *writer) num(key string, n int) {
	w.key(key)
	w.b = strconv.AppendInt(w.b, int64(n), 10)
}

func (w *writer) text(key, text string) {
	w.key(key)
	w.b = strconv.AppendQuote(w.b, text)
}

func (w *writer) flag(key string, on bool) {
	w.key(key)
	w.b = strconv.AppendBool(w.b, on)
}

// list writes n elements, each by its own function.
func (w *writer) list(key string, n int, element func(i int)) {
	w.key(key)
	w.elements(n, element)
}

func (w *writer) elements(n int, element func(i int)) {
	w.b = append(w.b, '[')
	for i := range n {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		element(i)
	}
	w.b = append(w.b, ']')
}

func (w *writer) nums(key string, list ...int) {
	w.list(key, len(list), func(i int) { w.int(list[i]) })
}

func (w *writer) int(n int) { w.b = strconv.AppendInt(w.b, int64(n), 10) }

func (w *writer) ints(list ...int) { w.elements(len(list), func(i int) { w.int(list[i]) }) }

func (w *writer) object(key string, fields func()) {
	w.key(key)
	w.braces(fields)
}

func (w *writer) braces(fields func()) {
	w.b = append(w.b, '{')
	fields()
	w.b = append(w.b, '}')
}

func (w *writer) places(key string, set Places) {
	var ids []string
	for at := range set.Each {
		ids = append(ids, at.ID())
	}
	w.list(key, len(ids), func(i int) { w.b = strconv.AppendQuote(w.b, ids[i]) })
}

// The UN is -2 in JSON.
const jsonUN = -2

func ownerNumber(owner env.Player) int {
	if owner == UN {
		return jsonUN
	}
	return int(owner)
}

// clockwiseList are the owners of a set, seats clockwise from the actor, then the UN.
func (s *State) clockwiseList(set owners) []int {
	list := []int{}
	if set == 0 { // also once nobody acts
		return list
	}
	for i := range s.game.players {
		if p := s.clockwise(env.Player(s.actor), i); set.has(p) {
			list = append(list, int(p))
		}
	}
	if set.has(UN) {
		list = append(list, jsonUN)
	}
	return list
}

// AppendPosition writes the position.
func (s *State) AppendPosition(dst []byte) []byte {
	w := &writer{append(dst, '{')}
	n := s.game.players
	w.num("round", int(s.round))
	w.num("first", int(s.first))
	w.num("actor", int(s.actor))
	w.text("phase", phaseNames[s.phase])
	w.text("point", pointNames[s.point])
	w.num("seat", int(s.seat))
	w.flag("trigger", s.trigger)
	w.num("rogue", int(s.rogue))
	var undrawn []int
	for c := range NumCards {
		if s.undrawn>>c&1 != 0 {
			undrawn = append(undrawn, c+1)
		}
	}
	w.nums("undrawn", undrawn...)
	w.num("decisions", int(s.decisions))
	w.text("over", endingNames[s.end])
	w.nums("winners", s.winners.List()...)
	seats := func(key string, value func(my *seat) int) {
		w.list(key, n, func(p int) { w.int(value(&s.seats[p])) })
	}
	seats("vp", func(my *seat) int { return int(my.vp) })
	seats("power", func(my *seat) int { return int(my.power) })
	seats("e", func(my *seat) int { return int(my.e) })
	seats("x", func(my *seat) int { return int(my.x) })
	seats("aside", func(my *seat) int { return int(my.aside) })
	w.list("sanction", n, func(p int) { w.b = strconv.AppendBool(w.b, s.seats[p].sanction) })
	seats("token", func(my *seat) int { return int(my.token) })
	seats("thoughts", func(my *seat) int { return int(my.thoughts) })
	seats("claims_left", func(my *seat) int { return int(my.claims) })
	seats("peace_left", func(my *seat) int { return int(my.peace) })
	seats("b", func(my *seat) int { return int(my.b) })
	w.list("level", n, func(p int) {
		w.braces(func() {
			for t, id := range techIDs {
				w.num(id, int(s.seats[p].level[t]))
			}
		})
	})
	w.list("counter", n, func(p int) {
		w.braces(func() {
			for t, id := range techIDs {
				w.num(id, int(s.seats[p].counter[t]))
			}
		})
	})
	w.list("pi", n, func(p int) {
		var ids []string
		for at := range s.seats[p].counters.Each {
			ids = append(ids, at.ID())
		}
		w.elements(len(ids), func(i int) { w.b = strconv.AppendQuote(w.b, ids[i]) })
	})
	w.list("fleet", n, func(p int) {
		w.braces(func() {
			for at := range s.game.places.Each {
				f := s.seats[p].fleet[at]
				w.nums(at.ID(), int(f.Steady), int(f.Risk))
			}
		})
	})
	w.object("arrived", func() {
		for at := range s.game.Worlds().Each {
			w.nums(at.ID(), int(s.arrived[at].Steady), int(s.arrived[at].Risk))
		}
	})
	w.object("region", func() {
		for at := range s.game.Worlds().Each {
			w.object(at.ID(), func() { s.appendRegions(w, at) })
		}
	})
	w.object("pending", func() { s.appendPending(w) })
	w.object("lot", func() { s.appendLot(w) })
	w.object("pay", func() {
		w.num("seat", int(s.pay.seat))
		w.num("due", int(s.pay.due))
	})
	return append(w.b, '}')
}

func (s *State) appendRegions(w *writer, at Place) {
	for r := range s.game.regions[at].Count() {
		w.object(strconv.Itoa(r+1), func() {
			w.num("owner", ownerNumber(s.Owner(at, r)))
			w.num("devs", int(s.devs[at][r]))
			w.flag("at_risk", s.shaken[at]>>r&1 != 0)
			w.num("devastation", s.Devastation(at, r))
		})
	}
}

// Owner is that of a region (from 0): a seat, the UN, or None.
func (s *State) Owner(w Place, r int) env.Player {
	for owner := range s.land {
		if s.land[owner][w]>>r&1 != 0 {
			return env.Player(owner)
		}
	}
	return None
}

func (s *State) appendPending(w *writer) {
	pd := &s.pending
	w.num("pass", int(pd.pass))
	w.text("step", stepNames[pd.step])
	w.text("at", pd.at.ID())
	w.text("to", pd.to.ID())
	w.num("count", int(pd.count))
	w.num("extra", int(pd.extra))
	w.places("before", pd.before)
	w.places("came", pd.came)
	w.nums("firing", s.clockwiseList(pd.firing)...)
	w.places("worlds", pd.worlds)
	w.text("last", jobNames[pd.last])
	action := ""
	if pd.action >= 0 {
		action = s.game.info.Actions[pd.action].Text
	}
	w.text("action", action)
	targets := func(key string, list *[numTargets]Fleets) {
		var rows [][3]int
		for i, f := range list {
			if f != (Fleets{}) {
				rows = append(rows, [3]int{ownerNumber(s.targetOwner(i)), int(f.Steady), int(f.Risk)})
			}
		}
		w.list(key, len(rows), func(i int) { w.ints(rows[i][:]...) })
	}
	targets("fire", &pd.fire)
	targets("overthrow", &pd.overthrow)
	w.nums("expand", int(pd.expand[0]), int(pd.expand[1]), int(pd.expand[2]))
	w.num("pacify", int(pd.pacify))
	w.num("replicate", int(pd.replicate))
	defending := 0
	for _, d := range pd.defend {
		if d.region > 0 {
			defending++
		}
	}
	w.list("defend", defending, func(i int) { w.ints(int(pd.defend[i].region), int(pd.defend[i].target)) })
	w.nums("research", int(pd.research.Steady), int(pd.research.Risk))
	w.nums("build", int(pd.build[0]), int(pd.build[1]), int(pd.build[2]), int(pd.build[3]))
	w.num("target", ownerNumber(env.Player(pd.target)))
	w.num("region", int(pd.region))
	w.nums("hits", int(pd.hits[0]), int(pd.hits[1]))
	w.num("left", int(pd.left))
	w.num("add", int(pd.add))
	w.nums("offered", env.Seats(pd.offered).List()...)
	w.num("transfers", int(pd.transfers))
	w.flag("at_risk", pd.atRisk)
	w.num("devs", int(pd.devs))
}

func (s *State) appendLot(w *writer) {
	l := &s.lot
	w.text("event", eventNames[l.event])
	w.num("roller", ownerNumber(env.Player(l.roller)))
	w.nums("hurt", l.hurt.List()...)
	w.num("need", int(l.need))
	w.nums("bounds", int(l.bounds[0]), int(l.bounds[1]))
	w.list("dice", int(l.n), func(i int) { w.int(int(l.dice[i])) })
	w.nums("passed", s.clockwiseList(owners(l.passed))...)
}

// positionJSON is a position as it is read.
type positionJSON struct {
	Round      int                              `json:"round"`
	First      int                              `json:"first"`
	Actor      int                              `json:"actor"`
	Phase      string                           `json:"phase"`
	Point      string                           `json:"point"`
	Seat       int                              `json:"seat"`
	Trigger    bool                             `json:"trigger"`
	Rogue      int                              `json:"rogue"`
	Undrawn    []int                            `json:"undrawn"`
	Decisions  int                              `json:"decisions"`
	Over       string                           `json:"over"`
	Winners    []int                            `json:"winners"`
	VP         []int                            `json:"vp"`
	Power      []int                            `json:"power"`
	E          []int                            `json:"e"`
	X          []int                            `json:"x"`
	Aside      []int                            `json:"aside"`
	Sanction   []bool                           `json:"sanction"`
	Token      []int                            `json:"token"`
	Thoughts   []int                            `json:"thoughts"`
	ClaimsLeft []int                            `json:"claims_left"`
	PeaceLeft  []int                            `json:"peace_left"`
	B          []int                            `json:"b"`
	Level      []map[string]int                 `json:"level"`
	Counter    []map[string]int                 `json:"counter"`
	PI         [][]string                       `json:"pi"`
	Fleet      []map[string][]int               `json:"fleet"`
	Arrived    map[string][]int                 `json:"arrived"`
	Region     map[string]map[string]regionJSON `json:"region"`
	Pending    pendingJSON                      `json:"pending"`
	Lot        lotJSON                          `json:"lot"`
	Pay        payJSON                          `json:"pay"`
}

type regionJSON struct {
	Owner       *int  `json:"owner"`
	Devs        *int  `json:"devs"`
	AtRisk      *bool `json:"at_risk"`
	Devastation *int  `json:"devastation"`
}

type pendingJSON struct {
	Pass      int      `json:"pass"`
	Step      string   `json:"step"`
	At        string   `json:"at"`
	To        string   `json:"to"`
	Count     int      `json:"count"`
	Extra     int      `json:"extra"`
	Before    []string `json:"before"`
	Came      []string `json:"came"`
	Firing    []int    `json:"firing"`
	Worlds    []string `json:"worlds"`
	Last      string   `json:"last"`
	Action    string   `json:"action"`
	Fire      [][]int  `json:"fire"`
	Overthrow [][]int  `json:"overthrow"`
	Expand    []int    `json:"expand"`
	Pacify    int      `json:"pacify"`
	Replicate int      `json:"replicate"`
	Defend    [][]int  `json:"defend"`
	Research  []int    `json:"research"`
	Build     []int    `json:"build"`
	Target    int      `json:"target"`
	Region    int      `json:"region"`
	Hits      []int    `json:"hits"`
	Left      int      `json:"left"`
	Add       int      `json:"add"`
	Offered   []int    `json:"offered"`
	Transfers int      `json:"transfers"`
	AtRisk    bool     `json:"at_risk"`
	Devs      int      `json:"devs"`
}

type lotJSON struct {
	Event  string `json:"event"`
	Roller int    `json:"roller"`
	Hurt   []int  `json:"hurt"`
	Need   int    `json:"need"`
	Bounds []int  `json:"bounds"`
	Dice   []int  `json:"dice"`
	Passed []int  `json:"passed"`
}

type payJSON struct {
	Seat int `json:"seat"`
	Due  int `json:"due"`
}

// PatchPosition is RULES.md 3.4: a patch that names its point starts with nothing pending.
func (g *Game) PatchPosition(base, patch map[string]any) (map[string]any, error) {
	if _, ok := patch["point"]; ok {
		empty := State{game: g, position: position{actor: int8(None), seat: int8(None), pending: nothing, lot: noLot, pay: noPayment}}
		var fields map[string]any
		dec := json.NewDecoder(bytes.NewReader(empty.AppendPosition(nil)))
		dec.UseNumber()
		if err := dec.Decode(&fields); err != nil {
			return nil, err
		}
		for _, key := range []string{"pending", "lot", "pay"} {
			base[key] = fields[key]
		}
	}
	return env.MergePatch(base, patch)
}

// ReadPosition reads a position and checks all that RULES.md 3.4 names.
func (s *State) ReadPosition(data []byte) error {
	j := &positionJSON{}
	if err := s.game.decodeAll(data, j); err != nil {
		return fmt.Errorf("position: %w", err)
	}
	r := &reader{State: State{game: s.game, luck: s.luck}, j: j}
	r.read()
	if r.err != nil {
		return r.err
	}
	*s = r.State
	return nil
}

// decodeAll decodes one JSON object that has every field of a position and no other, at the top and in
// its objects pending, lot, pay and arrived, and no null, which is no value of any field.
func (g *Game) decodeAll(data []byte, dst any) error {
	if bytes.Contains(data, []byte("null")) {
		return errors.New("null is no value of any field")
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(dst); err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("more than one JSON value")
	}
	var got map[string]json.RawMessage
	if err := json.Unmarshal(data, &got); err != nil {
		return err
	}
	for _, f := range g.fields {
		value, ok := got[f.key]
		if !ok {
			return fmt.Errorf("%s is missing", f.key)
		}
		if f.inner == nil {
			continue
		}
		var inner map[string]json.RawMessage
		if err := json.Unmarshal(value, &inner); err != nil {
			return err
		}
		for _, key := range f.inner {
			if _, ok := inner[key]; !ok {
				return fmt.Errorf("%s.%s is missing", f.key, key)
			}
		}
	}
	return nil
}

// A field of a position that must be there, with the fields in it that must be, too.
type field struct {
	key   string
	inner []string
}

// positionFields lists the fields of the written set-up position.
func (g *Game) positionFields() ([]field, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal((&State{game: g, position: g.start}).AppendPosition(nil), &all); err != nil {
		return nil, err
	}
	var fields []field
	for _, key := range sortedKeys(all) {
		f := field{key: key}
		if slices.Contains([]string{"pending", "lot", "pay", "arrived"}, key) {
			var inner map[string]json.RawMessage
			if err := json.Unmarshal(all[key], &inner); err != nil {
				return nil, err
			}
			f.inner = sortedKeys(inner)
		}
		fields = append(fields, f)
	}
	return fields, nil
}

// reader turns what was read into a State and keeps the first error.
type reader struct {
	State
	j   *positionJSON
	err error
}

func (r *reader) fail(path, format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%s: %s", path, fmt.Sprintf(format, args...))
	}
}

// in gives a number if it is in a range, otherwise the low end and an error.
func (r *reader) in(path string, n, low, high int) int {
	if n < low || n > high {
		r.fail(path, "%d is not in %d to %d", n, low, high)
		return low
	}
	return n
}

// word finds a text in a list.
func (r *reader) word(path, text string, list []string) int {
	i := slices.Index(list, text)
	if i < 0 {
		r.fail(path, "unknown %q: %s", text, env.Suggest(text, slices.DeleteFunc(slices.Clone(list), func(t string) bool { return t == "" })))
		return 0
	}
	return i
}

// place finds a place of a set; "" is Nowhere.
func (r *reader) place(path, id string, among Places) Place {
	if id == "" {
		return Nowhere
	}
	at := placeOf(id)
	if at < 0 || !among.Has(at) {
		var ids []string
		for at := range among.Each {
			ids = append(ids, at.ID())
		}
		r.fail(path, "unknown place %q: %s", id, env.Suggest(id, ids))
		return Nowhere
	}
	return at
}

// worldSet reads a list of worlds in place order.
func (r *reader) worldSet(path string, ids []string) Places {
	var set Places
	last := Nowhere
	for i, id := range ids {
		at := r.place(index(path, i), id, r.game.Worlds())
		if at == Nowhere || at <= last {
			r.fail(index(path, i), "%q; a list of worlds is in place order", id)
			return 0
		}
		last = at
		set |= only(at)
	}
	return set
}

// owner reads a seat, the UN or none, as far as it may be.
func (r *reader) owner(path string, n int, un, none bool) env.Player {
	switch {
	case n == jsonUN && un:
		return UN
	case n == int(None) && none:
		return None
	case n < 0 || n >= r.game.players:
		r.fail(path, "%d is no seat that can stand here", n)
		return 0
	}
	return env.Player(n)
}

// ascending reads a set of seats in ascending order.
func (r *reader) ascending(path string, list []int) env.Seats {
	set := env.Nobody
	for i, n := range list {
		p := r.owner(index(path, i), n, false, false)
		if set>>p != 0 {
			r.fail(path, "%v; a set of seats is ascending", list)
		}
		set = set.With(p)
	}
	return set
}

// clockwiseSet reads owners in the order of the table, from the actor on, the UN last.
func (r *reader) clockwiseSet(path string, list []int, un bool) owners {
	var set owners
	for i, n := range list {
		set |= 1 << r.owner(index(path, i), n, un, false)
	}
	if !slices.Equal(r.clockwiseList(set), list) && len(list) > 0 {
		r.fail(path, "%v; seats stand clockwise from the actor, each once", list)
	}
	return set
}

// pair reads two numbers, at most the given ones.
func (r *reader) pair(path string, list []int, most int) (int, int) {
	if len(list) != 2 {
		r.fail(path, "%v; there are two numbers", list)
		return 0, 0
	}
	return r.in(path+".0", list[0], 0, most), r.in(path+".1", list[1], 0, most)
}

// row reads exactly n numbers, each from 0 to most.
func (r *reader) row(path string, list []int, n, most int) []uint8 {
	row := make([]uint8, n)
	if len(list) != n {
		r.fail(path, "%v; there are %d numbers", list, n)
		return row
	}
	for i, v := range list {
		row[i] = uint8(r.in(index(path, i), v, 0, most))
	}
	return row
}

// bySeat checks the length of a list by seat.
func bySeat[T any](r *reader, path string, list []T) []T {
	if len(list) != r.game.players {
		r.fail(path, "%d entries; there is one per seat: %d", len(list), r.game.players)
		return make([]T, r.game.players)
	}
	return list
}

// much is the most that is read of numbers without a limit of their own, so that play can't overflow
// them.
const much = 1_000_000_000

func (r *reader) read() {
	r.pending, r.lot, r.pay = nothing, noLot, noPayment
	j, g := r.j, r.game
	r.round = int16(r.in("round", j.Round, 1, g.rounds))
	r.first = int8(r.owner("first", j.First, false, false))
	if g.first >= 0 && j.First != g.first {
		r.fail("first", "%d; option first is %d", j.First, g.first)
	}
	r.actor = int8(r.owner("actor", j.Actor, false, false))
	r.seat = int8(r.owner("seat", j.Seat, false, true))
	r.phase = Phase(r.word("phase", j.Phase, phaseNames[:]))
	r.point = Point(r.word("point", j.Point, pointNames[:]))
	r.trigger = j.Trigger
	r.decisions = int32(r.in("decisions", j.Decisions, 0, g.maxDecisions))
	r.end = ending(r.word("over", j.Over, endingNames[:]))
	r.winners = r.ascending("winners", j.Winners)
	r.readCards()
	for p := range g.players {
		r.readSeat(p)
	}
	r.readRegions()
	if r.err != nil {
		return
	}
	r.readPending()
	r.readLot()
	r.pay.seat = int8(r.owner("pay.seat", j.Pay.Seat, false, true))
	r.pay.due = uint16(r.in("pay.due", j.Pay.Due, 0, 2*maxDevs))
	if r.err == nil {
		r.checkOver()
	}
	if r.err == nil && r.phase != IsOver {
		r.checkDecision()
	}
	for p := range env.Player(g.players) {
		my := &r.seats[p]
		my.short = min(0, my.power-r.leastPower(p))
		if r.phase != IsOver {
			my.off = r.ledger(p)
		}
	}
}

func (r *reader) readCards() {
	j, g := r.j, r.game
	r.rogue = uint8(r.in("rogue", j.Rogue, 0, g.data.Track.Skynet+2))
	last := 0
	for i, c := range j.Undrawn {
		if r.in(index("undrawn", i), c, 1, NumCards); c <= last {
			r.fail("undrawn", "%v; the cards are in ascending order", j.Undrawn)
		}
		last = c
		if r.err == nil {
			r.undrawn |= 1 << (c - 1)
		}
	}
	if !g.skynet && (r.undrawn != 0 || r.rogue != 0) {
		r.fail("undrawn", "the game is played without Skynet (EB-023)")
	}
	left := 0
	for c := range NumCards {
		if r.undrawn>>c&1 != 0 {
			left += g.data.Cards[c].Symbols
		}
	}
	if g.skynet && r.end == running && int(r.rogue)+left < g.data.Track.Skynet {
		r.fail("undrawn", "the cards have %d Rogue symbols left and %d are drawn; the deck would run out (EB-272)", left, r.rogue)
	}
}

func (r *reader) readSeat(p int) {
	j, g := r.j, r.game
	my := &r.seats[p]
	number := func(key string, list []int, low, high int) int {
		return r.in(index(key, p), bySeat(r, key, list)[p], low, high)
	}
	my.vp = int32(number("vp", j.VP, 0, much))
	my.power = int32(number("power", j.Power, 0, much))
	my.e = int32(number("e", j.E, 0, much))
	my.x = int32(number("x", j.X, 0, much))
	my.b = int32(number("b", j.B, -much, much))
	my.aside = uint8(number("aside", j.Aside, 0, maxFleets))
	if my.aside > 0 && (int8(p) != r.actor || r.phase < InDev || r.phase > InSpy) && r.phase != IsOver {
		r.fail(index("aside", p), "%d; fleets are aside only from Political Influence to the end of Espionage (EB-184)", my.aside)
	}
	my.sanction = bySeat(r, "sanction", j.Sanction)[p]
	my.token = uint8(number("token", j.Token, 0, g.data.Track.Sanctions-1))
	if my.token > 0 && !my.sanction {
		r.fail(index("token", p), "%d resource, but there is no Sanctions token", my.token)
	}
	r.setThoughts(env.Player(p), number("thoughts", j.Thoughts, 0, maxLevel))
	my.claims = uint8(number("claims_left", j.ClaimsLeft, 0, g.claims))
	my.peace = uint8(number("peace_left", j.PeaceLeft, 0, g.peace))
	r.readTechs(p)
	for i, id := range bySeat(r, "pi", j.PI)[p] {
		path := index(index("pi", p), i)
		if at := r.place(path, id, g.Worlds()); at == Nowhere || my.counters>>uint(max(at, 0)) != 0 {
			r.fail(path, "%q; a list of worlds is in place order", id)
		} else {
			my.counters |= only(at)
		}
	}
	fleets := bySeat(r, "fleet", j.Fleet)[p]
	for _, id := range sortedKeys(fleets) {
		path := index("fleet", p) + "." + id
		at := r.place(path, id, g.places)
		steady, risk := r.pair(path, fleets[id], g.fleetCap)
		if at == Nowhere || int(my.fleets)+steady+risk > g.fleetCap {
			r.fail(path, "seat %d has more than %d fleets (EB-320)", p, g.fleetCap)
			return
		}
		my.move(at, steady, risk)
	}
}

func (r *reader) readTechs(p int) {
	j, my := r.j, &r.seats[p]
	levels, counters := bySeat(r, "level", j.Level)[p], bySeat(r, "counter", j.Counter)[p]
	for _, id := range sortedKeys(levels) {
		path := index("level", p) + "." + id
		t := r.word(path, id, techIDs[:])
		my.level[t] = uint16(r.in(path, levels[id], 0, int(r.game.techs[t].levels)))
		if my.level[t] > 0 {
			my.known |= 1 << t
		}
	}
	for _, id := range sortedKeys(counters) {
		path := index("counter", p) + "." + id
		t := r.word(path, id, techIDs[:])
		my.counter[t] = uint8(r.in(path, counters[id], 0, max(0, int(r.game.techs[t].steps)-1)))
		if my.counter[t] > 0 {
			my.studied |= 1 << t
			if my.level[t] == r.game.techs[t].levels {
				r.fail(path, "%d, but the technology is complete", my.counter[t])
			}
		}
	}
}

func (r *reader) readRegions() {
	g := r.game
	for _, id := range sortedKeys(r.j.Arrived) {
		path := "arrived." + id
		w := r.place(path, id, g.Worlds())
		steady, risk := r.pair(path, r.j.Arrived[id], g.fleetCap)
		if w == Nowhere || r.err != nil {
			continue
		}
		r.arrived[w] = Fleets{uint8(steady), uint8(risk)}
		f := r.seats[r.actor].fleet[w]
		if r.arrived[w] != (Fleets{}) && (r.phase != InMove || steady > int(f.Steady) || risk > int(f.Risk)) {
			r.fail(path, "[%d %d]; these are fleets in orbit that have arrived in this Movement (EB-063)", steady, risk)
		}
	}
	for _, id := range sortedKeys(r.j.Region) {
		r.place("region", id, g.Worlds())
	}
	for w := range g.Worlds().Each {
		regions := r.j.Region[w.ID()]
		if n := g.regions[w].Count(); len(regions) != n {
			r.fail("region."+w.ID(), "%d regions; the world has %d", len(regions), n)
		}
		for k := range g.regions[w].Count() {
			path := "region." + w.ID() + "." + strconv.Itoa(k+1)
			region, ok := regions[strconv.Itoa(k+1)]
			if !ok || region.Owner == nil || region.Devs == nil || region.AtRisk == nil || region.Devastation == nil {
				r.fail(path, "the region, its owner, devs, at_risk or devastation is missing")
				return
			}
			r.readRegion(path, w, k, region)
		}
	}
	for p := range g.players {
		if lost := r.seats[p].counters &^ r.settled[p]; lost != 0 {
			r.fail(index("pi", p), "%q; Political Influence needs own developments (EB-205)", lost.first().ID())
		}
	}
}

func (r *reader) readRegion(path string, w Place, k int, region regionJSON) {
	owner := r.owner(path+".owner", *region.Owner, true, true)
	devs := r.in(path+".devs", *region.Devs, 0, maxDevs)
	devastation := r.in(path+".devastation", *region.Devastation, 0, 2)
	switch {
	case (owner == None) != (devs == 0):
		r.fail(path, "%d developments of owner %d; a region has an owner exactly if it has developments (EB-006)", devs, *region.Owner)
	case devs > 0 && devastation > 0:
		r.fail(path, "developments and Devastation never lie together (EB-006)")
	case *region.AtRisk && owner == None:
		r.fail(path+".at_risk", "a region without developments is not At Risk (EB-005)")
	}
	if r.err != nil {
		return
	}
	if devs > 0 {
		r.put(owner, w, k, devs)
	}
	if *region.AtRisk {
		r.shaken[w] |= 1 << k
	}
	for more := range devastation {
		r.rubble[w][more] |= 1 << k
	}
}

func (r *reader) readPending() {
	j, pd, g := &r.j.Pending, &r.pending, r.game
	pd.pass = uint8(r.in("pending.pass", j.Pass, 0, preludePasses))
	pd.step = step(r.word("pending.step", j.Step, stepNames[:]))
	pd.at = r.place("pending.at", j.At, g.places)
	pd.to = r.place("pending.to", j.To, g.places)
	pd.count = uint8(r.in("pending.count", j.Count, 0, maxFleets))
	pd.extra = int8(r.in("pending.extra", j.Extra, -1, maxLevels[Spaceflight]))
	pd.before = r.worldSet("pending.before", j.Before)
	pd.came = r.worldSet("pending.came", j.Came)
	pd.firing = r.clockwiseSet("pending.firing", j.Firing, true)
	pd.worlds = r.worldSet("pending.worlds", j.Worlds)
	pd.last = jobKind(r.word("pending.last", j.Last, jobNames[:]))
	if j.Action != "" {
		a, err := g.info.Parse(j.Action)
		if err != nil {
			r.fail("pending.action", "%v", err)
		}
		pd.action = a
	}
	r.readTargets("pending.fire", j.Fire, &pd.fire)
	r.readTargets("pending.overthrow", j.Overthrow, &pd.overthrow)
	copy(pd.expand[:], r.row("pending.expand", j.Expand, 3, maxFleets))
	pd.pacify = uint8(r.in("pending.pacify", j.Pacify, 0, maxFleets))
	pd.replicate = uint8(r.in("pending.replicate", j.Replicate, 0, maxFleets))
	if len(j.Defend) > MaxRegions {
		r.fail("pending.defend", "%d regions; a world has at most %d", len(j.Defend), MaxRegions)
		return
	}
	for i, d := range j.Defend {
		path := index("pending.defend", i)
		if len(d) != 2 {
			r.fail(path, "%v; it is a region and a seat", d)
			return
		}
		pd.defend[i] = defence{uint8(r.in(path+".0", d[0], 1, MaxRegions)), uint8(r.owner(path+".1", d[1], false, false))}
	}
	research := r.row("pending.research", j.Research, 2, maxDevs*MaxRegions)
	pd.research = Fleets{research[0], research[1]}
	copy(pd.build[:], r.row("pending.build", j.Build, 4, maxDevs*MaxRegions))
	pd.target = int8(r.owner("pending.target", j.Target, true, true))
	pd.region = uint8(r.in("pending.region", j.Region, 0, MaxRegions))
	copy(pd.hits[:], r.row("pending.hits", j.Hits, 2, maxFleets))
	pd.left = uint8(r.in("pending.left", j.Left, 0, maxDice))
	pd.add = uint8(r.in("pending.add", j.Add, 0, maxFleets))
	pd.offered = owners(r.ascending("pending.offered", j.Offered))
	pd.transfers = uint8(r.in("pending.transfers", j.Transfers, 0, g.transfers))
	pd.atRisk = j.AtRisk
	pd.devs = uint8(r.in("pending.devs", j.Devs, 0, maxDevs))
}

// readTargets reads fleets by target, in the order of EB-101.
func (r *reader) readTargets(path string, rows [][]int, list *[numTargets]Fleets) {
	last := -1
	for i, row := range rows {
		at := index(path, i)
		if len(row) != 3 {
			r.fail(at, "%v; it is a target, its steady and its At Risk fleets", row)
			return
		}
		owner := r.owner(at+".0", row[0], true, false)
		f := Fleets{uint8(r.in(at+".1", row[1], 0, maxFleets)), uint8(r.in(at+".2", row[2], 0, maxFleets))}
		if int8(owner) == r.actor {
			r.fail(at, "the actor is no target")
			return
		}
		target := r.targetOf(owner)
		if target <= last || f == (Fleets{}) {
			r.fail(at, "%v; targets stand in the order +1, +2, …, UN, without empty ones (EB-101)", row)
			return
		}
		last = target
		list[target] = f
	}
}

func (r *reader) readLot() {
	j, l := &r.j.Lot, &r.lot
	l.event = event(r.word("lot.event", j.Event, eventNames[:]))
	l.roller = int8(r.owner("lot.roller", j.Roller, true, true))
	l.hurt = r.ascending("lot.hurt", j.Hurt)
	l.need = int8(r.in("lot.need", j.Need, 0, impossible-1))
	bounds := r.row("lot.bounds", j.Bounds, 2, impossible)
	l.bounds = [2]int8{int8(bounds[0]), int8(bounds[1])}
	if len(j.Dice) > maxDice {
		r.fail("lot.dice", "%d dice; a lot has at most %d", len(j.Dice), maxDice)
		return
	}
	l.n = uint8(len(j.Dice))
	for i, d := range j.Dice {
		l.dice[i] = uint8(r.in(index("lot.dice", i), d, 1, 8))
	}
	l.passed = env.Seats(r.clockwiseSet("lot.passed", j.Passed, false))
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// checkOver checks the end of a game, and that a running one has none.
func (r *reader) checkOver() {
	if r.phase != IsOver {
		if r.end != running || r.winners != 0 {
			r.fail("over", "%q with winners %v in phase %q", endingNames[r.end], r.j.Winners, r.j.Phase)
		}
		if int(r.decisions) >= r.game.maxDecisions {
			r.fail("decisions", "%d; the game ends after %d (EB-333)", r.decisions, r.game.maxDecisions)
		}
		return
	}
	noWinner := r.end == endPeace || r.end == endSkynet
	switch {
	case r.end == running:
		r.fail("over", "it is empty in phase \"over\"")
	case r.point != NoPoint || r.seat >= 0:
		r.fail("point", "%q of seat %d, but the game is over", r.point, r.seat)
	case r.pending != nothing || r.lot != noLot || r.pay != noPayment:
		r.fail("pending", "something is pending, but the game is over")
	case noWinner != (r.winners == env.Nobody):
		r.fail("winners", "%v with over = %q", r.j.Winners, r.j.Over)
	case r.end == endSkynet != (r.game.skynet && int(r.rogue) >= r.game.data.Track.Skynet):
		r.fail("over", "%q with %d Rogue symbols (EB-271)", r.j.Over, r.rogue)
	case (r.end == endPoints || r.end == endLimit) && r.winners != r.leaders():
		r.fail("winners", "%v; the highest VP wins (EB-260)", r.j.Winners)
	case (r.end == endAlone || r.end == endClaim) && r.winners != env.Only(env.Player(r.actor)):
		r.fail("winners", "%v; with over = %q the actor wins alone", r.j.Winners, r.j.Over)
	}
}
