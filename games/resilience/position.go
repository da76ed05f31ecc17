package resilience

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

// The position as JSON: RULES.md 3.1.

// Greatest numbers that are read. Play stays far below them: with any data file a seat gets less than
// 20 million points.
const (
	maxPoints = 100_000_000
	maxCount  = 30_000
)

var phaseTexts = [...]string{"turn", "amount", "reply", "pick", "over"}

// AppendPosition writes the position, hidden length included.
func (s *State) AppendPosition(dst []byte) []byte {
	n := s.game.players
	w := writer{dst: append(dst, '{')}
	w.number("round", int(s.round))
	w.number("leader", int(s.leader))
	w.number("turn", int(s.turn))
	w.text("phase", phaseTexts[s.phase])
	kind := ""
	if s.partner >= 0 {
		kind = kindTexts[s.kind]
	}
	w.key("deal")
	w.dst = fmt.Appendf(w.dst, `{"partner":%d,"kind":%q,"amount":%d}`, s.partner, kind, s.amount)
	w.fields("owner", func(f Field) string { return strconv.Itoa(int(s.Owner(f))) })
	w.fields("level", func(f Field) string { return strconv.Itoa(int(s.Level(f))) })
	w.fields("smog", func(f Field) string { return strconv.FormatBool(s.smogged.Has(f)) })
	w.fields("mark", func(f Field) string { return strconv.Quote(s.coverLetter(f)) })
	w.fields("marktime", func(f Field) string { return strconv.Itoa(int(s.left[f])) })
	w.list("credit", n, func(p int) string {
		list := writer{}
		for r := s.credit[p]; r != 0; r &= r - 1 {
			list.item(strconv.Itoa(r.First().number()))
		}
		return "[" + string(list.dst) + "]"
	})
	w.list("res", n, func(p int) string { return strconv.Itoa(int(s.res[p])) })
	w.list("lq", n, func(p int) string { return strconv.Itoa(int(s.lq[p])) })
	w.number("tower", int(s.tower))
	w.list("deck", s.DeckLeft(), func(i int) string { return strconv.Quote(s.game.data.Events[nthCard(s.deck, i)].ID) })
	w.number("clock", int(s.clock))
	w.number("limit", int(s.limit))
	w.list("sabbaticals", n, func(p int) string { return strconv.Itoa(int(s.sabbaticals[p])) })
	w.list("on_sabbatical", n, func(p int) string { return strconv.FormatBool(s.resting[p]) })
	w.bool("built", s.built)
	w.bool("placed", s.placed)
	w.bool("cut", s.cut)
	w.bool("said", s.said)
	w.list("asked", n, func(p int) string { return strconv.FormatBool(s.asked[p]) })
	w.text("promise_new", wordTexts[s.promiseNew])
	w.list("promise", n, func(p int) string { return strconv.Quote(wordTexts[s.promise[p]]) })
	w.list("kept", n, func(p int) string { return strconv.Itoa(int(s.kept[p])) })
	w.list("broken", n, func(p int) string { return strconv.Itoa(int(s.broken[p])) })
	w.text("over", endingTexts[s.ending])
	w.number("culprit", int(s.culprit))
	// Written only:
	w.number("seat", int(s.Actor()))
	w.list("stack", len(s.game.data.Stacks), func(i int) string { return strconv.Itoa(s.Stack(i)) })
	w.list("income", n, func(p int) string { return strconv.Itoa(s.Income(env.Player(p))) })
	w.list("total", n, func(p int) string { return strconv.Itoa(s.Total(env.Player(p))) })
	return append(w.dst, '}')
}

// Stack is the number of stones left in a stack, 0 for the first: they follow from the height, and a
// fallen stone is gone as well (RE-012, RE-084).
func (s *State) Stack(i int) int {
	gone := int(s.tower)
	if s.ending == Collapse {
		gone++
	}
	for _, size := range s.game.data.Stacks[:i] {
		gone -= size
	}
	size := s.game.data.Stacks[i]
	return size - min(max(gone, 0), size)
}

// coverLetter is B, D or nothing.
func (s *State) coverLetter(f Field) string {
	switch {
	case s.destroyed.Has(f):
		return "D"
	case s.blocked.Has(f):
		return "B"
	}
	return ""
}

// writer appends JSON.
type writer struct{ dst []byte }

func (w *writer) item(text string) {
	if n := len(w.dst); n > 0 && w.dst[n-1] != '{' && w.dst[n-1] != '[' {
		w.dst = append(w.dst, ',')
	}
	w.dst = append(w.dst, text...)
}

func (w *writer) key(key string)               { w.item(strconv.Quote(key) + ":") }
func (w *writer) value(key, text string)       { w.key(key); w.dst = append(w.dst, text...) }
func (w *writer) number(key string, value int) { w.value(key, strconv.Itoa(value)) }
func (w *writer) text(key, value string)       { w.value(key, strconv.Quote(value)) }
func (w *writer) bool(key string, value bool)  { w.value(key, strconv.FormatBool(value)) }

func (w *writer) list(key string, n int, text func(int) string) {
	w.value(key, "[")
	for i := range n {
		w.item(text(i))
	}
	w.dst = append(w.dst, ']')
}

func (w *writer) fields(key string, text func(Field) string) {
	w.value(key, "{")
	for f := range Field(NumFields) {
		w.value(f.String(), text(f))
	}
	w.dst = append(w.dst, '}')
}

// ReadPosition reads what AppendPosition writes, whatever follows from the rest left aside.
func (s *State) ReadPosition(data []byte) error {
	read := State{game: s.game, luck: s.luck}
	r := reader{game: s.game}
	if err := r.open(data); err != nil {
		return fmt.Errorf("position: %w", err)
	}
	r.position(&read)
	if r.err != nil {
		return fmt.Errorf("position: %w", r.err)
	}
	if err := read.Check(); err != nil {
		return fmt.Errorf("position: %w", err)
	}
	*s = read
	return nil
}

// reader takes a JSON object apart and keeps the first error.
type reader struct {
	game   *Game
	fields map[string]json.RawMessage
	err    error
}

func (r *reader) open(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(&r.fields); err != nil {
		return err
	}
	if _, err := dec.Token(); err != io.EOF {
		return errors.New("something follows the object")
	}
	if r.fields == nil {
		return errors.New("it is not an object")
	}
	return nil
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

// take decodes a field, which must be there, and notes that it is known.
func (r *reader) take(key string, dst any) {
	raw, ok := r.fields[key]
	if !ok {
		r.fail("%s is missing", key)
		return
	}
	delete(r.fields, key)
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(dst); err != nil || string(bytes.TrimSpace(raw)) == "null" {
		r.fail("%s: %s is not of the form of this field", key, shorten(raw))
	}
}

// shorten keeps an error on one readable line.
func shorten(raw []byte) string {
	if len(raw) > 60 {
		return string(raw[:60]) + "…"
	}
	return string(raw)
}

func (r *reader) in(key string, value, low, high int) int {
	if value < low || value > high {
		r.fail("%s: %d is not in %d to %d", key, value, low, high)
		return low
	}
	return value
}

func (r *reader) number(key string, low, high int) int {
	var v int
	r.take(key, &v)
	return r.in(key, v, low, high)
}

func (r *reader) bool(key string) bool {
	var v bool
	r.take(key, &v)
	return v
}

// word gives the place of a text among those allowed.
func (r *reader) word(key, text string, among []string) int {
	i := slices.Index(among, text)
	if i < 0 {
		r.fail("%s: unknown word %q: %s", key, text, env.Suggest(text, among))
		return 0
	}
	return i
}

func (r *reader) text(key string, among []string) int {
	var v string
	r.take(key, &v)
	return r.word(key, v, among)
}

// list reads a list with one element per seat.
func list[V any](r *reader, key string) []V {
	var v []V
	r.take(key, &v)
	if len(v) != r.game.players {
		r.fail("%s has %d elements; there are %d players", key, len(v), r.game.players)
		return make([]V, r.game.players)
	}
	return v
}

func (r *reader) numbers(key string, low, high int) []int {
	v := list[int](r, key)
	for i := range v {
		v[i] = r.in(index(key, i), v[i], low, high)
	}
	return v
}

func (r *reader) words(key string, among []string) []int {
	texts := list[string](r, key)
	v := make([]int, len(texts))
	for i, text := range texts {
		v[i] = r.word(index(key, i), text, among)
	}
	return v
}

// byField reads an object with all fields of the board.
func byField[V any](r *reader, key string) (v [NumFields]V) {
	var m map[string]V
	r.take(key, &m)
	for f := range Field(NumFields) {
		value, ok := m[f.String()]
		if !ok {
			r.fail("%s.%s is missing", key, f)
		}
		v[f] = value
	}
	if len(m) > NumFields {
		r.fail("%s has %d fields; the board has %d", key, len(m), NumFields)
	}
	return v
}

func (r *reader) position(s *State) {
	g := r.game
	s.round = int16(r.number("round", 1, g.rounds()))
	s.leader = int8(r.number("leader", 0, g.players-1))
	s.turn = int8(r.number("turn", 0, g.players-1))
	s.phase = Phase(r.text("phase", phaseTexts[:]))
	r.deal(s)
	r.board(s)
	for p, fields := range list[[]int](r, "credit") {
		s.credit[p] = r.credits(index("credit", p), fields)
	}
	for p, v := range r.numbers("res", 0, maxPoints) {
		s.res[p] = int32(v)
	}
	for p, v := range r.numbers("lq", 0, maxPoints) {
		s.lq[p] = int32(v)
	}
	s.tower = int8(r.number("tower", 0, int(g.stones)))
	r.deck(s)
	s.clock = int32(r.number("clock", 0, 60*g.minutesMax+2*3600))
	s.limit = int32(r.number("limit", 60*g.minutesMin, 60*g.minutesMax))
	for p, v := range r.numbers("sabbaticals", 0, maxCount) {
		s.sabbaticals[p] = int16(v)
	}
	copy(s.resting[:], list[bool](r, "on_sabbatical"))
	s.built, s.placed, s.cut, s.said = r.bool("built"), r.bool("placed"), r.bool("cut"), r.bool("said")
	copy(s.asked[:], list[bool](r, "asked"))
	s.promiseNew = Word(r.text("promise_new", wordTexts[:Warn]))
	for p, v := range r.words("promise", wordTexts[:Warn]) {
		s.promise[p] = Word(v)
	}
	for p, v := range r.numbers("kept", 0, maxCount) {
		s.kept[p] = int16(v)
	}
	for p, v := range r.numbers("broken", 0, maxCount) {
		s.broken[p] = int16(v)
	}
	s.ending = Ending(r.text("over", endingTexts[:]))
	s.culprit = int8(r.number("culprit", -1, g.players-1))
	r.nothingElse()
}

// nothingElse refuses fields that a position does not have; those that are written only are ignored.
func (r *reader) nothingElse() {
	for _, key := range []string{"seat", "stack", "income", "total"} {
		delete(r.fields, key)
	}
	var unknown []string
	for key := range r.fields {
		unknown = append(unknown, key)
	}
	if len(unknown) > 0 {
		r.fail("unknown field %q", slices.Min(unknown))
	}
}

func (r *reader) deal(s *State) {
	deal := struct {
		Partner *int    `json:"partner"`
		Kind    *string `json:"kind"`
		Amount  *int    `json:"amount"`
	}{}
	r.take("deal", &deal)
	if deal.Partner == nil || deal.Kind == nil || deal.Amount == nil {
		r.fail("deal has partner, kind and amount")
		s.partner = -1
		return
	}
	s.partner = int8(r.in("deal.partner", *deal.Partner, -1, r.game.players-1))
	s.amount = int8(r.in("deal.amount", *deal.Amount, 0, maxAmount))
	switch {
	case s.partner >= 0:
		s.kind = Kind(r.word("deal.kind", *deal.Kind, kindTexts[:]))
	case *deal.Kind != "" || s.amount != 0:
		r.fail("deal: without a partner the kind is \"\" and the amount 0")
	}
}

func (r *reader) board(s *State) {
	owner, level := byField[int](r, "owner"), byField[int](r, "level")
	smog := byField[bool](r, "smog")
	mark, left := byField[string](r, "mark"), byField[int](r, "marktime")
	for f := range Field(NumFields) {
		bit := only(f)
		p := r.in("owner."+f.String(), owner[f], -1, r.game.players-1)
		l := Level(r.in("level."+f.String(), level[f], 0, int(Industry)))
		if (p >= 0) != (l != Empty) {
			r.fail("level.%s is %d and owner.%s is %d: a building has an owner, an empty field none", f, l, f, p)
		}
		if p >= 0 {
			s.land[p] |= bit
		}
		switch l {
		case City:
			s.cities |= bit
		case Industry:
			s.industries |= bit
		}
		if smog[f] {
			s.smogged |= bit
		}
		switch r.word("mark."+f.String(), mark[f], []string{"", "B", "D"}) {
		case 1:
			s.blocked |= bit
		case 2:
			s.destroyed |= bit
		}
		s.left[f] = uint8(r.in("marktime."+f.String(), left[f], 0, wholeGame))
		if (mark[f] != "") != (left[f] != 0) {
			r.fail("marktime.%s is %d and mark.%s is %q: a cover has rounds left, an open field none", f, left[f], f, mark[f])
		}
	}
}

func (r *reader) credits(key string, numbers []int) Fields {
	var set Fields
	last := 0
	for _, number := range numbers {
		f := slices.Index(fieldNames[:], strconv.Itoa(number))
		switch {
		case f < 0:
			r.fail("%s: there is no field %d", key, number)
			return 0
		case number <= last:
			r.fail("%s: field %d after %d; they ascend", key, number, last)
		}
		set |= only(Field(f))
		last = number
	}
	return set
}

func (r *reader) deck(s *State) {
	var ids []string
	r.take("deck", &ids)
	for _, id := range ids {
		i := slices.IndexFunc(r.game.data.Events, func(c Card) bool { return c.ID == id })
		if i < 0 {
			r.fail("deck: unknown event %q", id)
			return
		}
		if s.deck>>i&1 != 0 {
			r.fail("deck: event %q is in it twice", id)
		}
		s.deck |= 1 << i
	}
}
