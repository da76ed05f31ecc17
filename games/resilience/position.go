package resilience

import (
	"slices"

	"earthgym/env"
	"earthgym/env/form"
)

// Greatest numbers that are read. Play stays far below them: with any data file a seat gets less than
// 20 million points.
const (
	maxPoints = 100_000_000
	maxCount  = 30_000
)

var coverTexts = [...]string{"", "B", "D"}

// AppendPosition writes the position, hidden length included.
func (s *State) AppendPosition(dst []byte) []byte { return form.AppendPosition(dst, s.form) }

// AppendKnown writes what a seat may know of it.
func (s *State) AppendKnown(dst []byte, p env.Player) []byte { return form.AppendKnown(dst, p, s.form) }

// ReadPosition reads what AppendPosition writes, whatever follows from the rest left aside.
func (s *State) ReadPosition(data []byte) error {
	return form.ReadPosition(data, s, State{game: s.game, luck: s.luck}, (*State).form, (*State).Check)
}

// PatchPosition lays a patch on the position.
func (s *State) PatchPosition(patch []byte) error {
	return form.PatchPosition(patch, s, (*State).form, (*State).Check)
}

// form declares the position: RULES.md 3.1, line by line.
func (s *State) form(f *form.Position) {
	g, n := s.game, s.game.players
	form.Int(f, "round", &s.round, 1, g.rounds())
	form.Int(f, "leader", &s.leader, 0, n-1)
	form.Int(f, "turn", &s.turn, 0, n-1)
	form.Word(f, "phase", &s.decision, g.words.decisions)
	form.Object(f, "deal", func() { s.formDeal(f) })
	s.formBoard(f)
	form.List(f, "credit", n, func(p int) { form.Numbers(f, form.Element, &s.credit[p], g.words.numbers) })
	form.Ints(f, "res", s.res[:n], 0, maxPoints)
	form.Ints(f, "lq", s.lq[:n], 0, maxPoints)
	form.Int(f, "tower", &s.tower, 0, int(g.stones))
	form.Set(f, "deck", &s.deck, g.words.events)
	form.Int(f, "clock", &s.clock, 0, 60*g.minutesMax+2*3600)
	form.Secret(f, s.knowLimit(), "limit", func() { form.Int(f, "limit", &s.limit, 60*g.minutesMin, 60*g.minutesMax) })
	form.Ints(f, "sabbaticals", s.sabbaticals[:n], 0, maxCount)
	form.Bools(f, "on_sabbatical", s.resting[:n])
	form.Bool(f, "built", &s.built)
	form.Bool(f, "placed", &s.placed)
	form.Bool(f, "cut", &s.cut)
	form.Bool(f, "said", &s.said)
	form.Bools(f, "asked", s.asked[:n])
	form.Word(f, "promise_new", &s.promiseNew, wordTexts[:Warn])
	form.Words(f, "promise", s.promise[:n], wordTexts[:Warn])
	form.Ints(f, "kept", s.kept[:n], 0, maxCount)
	form.Ints(f, "broken", s.broken[:n], 0, maxCount)
	form.Word(f, "over", &s.ending, endingTexts[:])
	form.Int(f, "culprit", &s.culprit, -1, n-1)
	form.Derived(f, "seat", func() any { return s.Actor() })
	form.Derived(f, "stack", func() any { return counted(len(g.data.Stacks), s.Stack) })
	form.Derived(f, "income", func() any { return counted(n, func(p int) int { return s.Income(env.Player(p)) }) })
	form.Derived(f, "total", func() any { return counted(n, func(p int) int { return s.Total(env.Player(p)) }) })
}

// formDeal declares the offer. It has no kind while there is no partner.
func (s *State) formDeal(f *form.Position) {
	kind := int8(s.kind)
	if s.partner < 0 {
		kind = -1
	}
	form.Int(f, "partner", &s.partner, -1, s.game.players-1)
	form.WordOrNone(f, "kind", &kind, kindTexts[:])
	form.Int(f, "amount", &s.amount, 0, maxAmount)
	if !f.Reads() {
		return
	}
	if s.kind = Kind(max(kind, 0)); (s.partner < 0) != (kind < 0) || s.partner < 0 && s.amount != 0 {
		f.Fail("", "without a partner the kind is \"\" and the amount 0, with one it is a %s", kindTexts)
	}
}

// formBoard declares what lies on each field, which the State keeps as sets of fields.
func (s *State) formBoard(f *form.Position) {
	var (
		owner [NumFields]env.Player
		level [NumFields]Level
		smog  [NumFields]bool
		mark  [NumFields]int
	)
	for at := range Field(NumFields) {
		owner[at], level[at], smog[at] = s.Owner(at), s.Level(at), s.smogged.Has(at)
		mark[at] = slices.Index(coverTexts[:], s.coverLetter(at))
	}
	keys := s.game.words.fields
	form.IntsBy(f, "owner", keys, owner[:], -1, s.game.players-1)
	form.IntsBy(f, "level", keys, level[:], 0, int(Industry))
	form.By(f, "smog", keys, func(k form.Key) { form.Bool(f, k.Name, &smog[k.Index]) })
	form.WordsBy(f, "mark", keys, mark[:], coverTexts[:])
	form.IntsBy(f, "marktime", keys, s.left[:], 0, wholeGame)
	if !f.Reads() {
		return
	}
	s.land = [maxPlayers]Fields{}
	for at := range Field(NumFields) {
		p := owner[at]
		switch {
		case (p >= 0) != (level[at] != Empty):
			f.Fail("level."+at.String(), "%d, where owner.%s is %d: a building has an owner, an empty field none", level[at], at,
				p)
		case (mark[at] != 0) != (s.left[at] != 0):
			f.Fail("marktime."+at.String(), "%d, where mark.%s is %q: a cover has rounds left, an open field none", s.left[at],
				at, coverTexts[mark[at]])
		}
		if p >= 0 {
			s.land[p] |= form.Only(at)
		}
		form.Put(&s.cities, at, level[at] == City)
		form.Put(&s.industries, at, level[at] == Industry)
		form.Put(&s.smogged, at, smog[at])
		form.Put(&s.blocked, at, mark[at] == 1)
		form.Put(&s.destroyed, at, mark[at] == 2)
	}
}

func counted[E any](n int, of func(int) E) []E {
	list := make([]E, n)
	for i := range list {
		list[i] = of(i)
	}
	return list
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

// formWords are the names of a Game's positions.
type formWords struct {
	fields    []form.Key
	numbers   []int // of the fields
	events    []string
	decisions []string
}

func (g *Game) newFormWords() formWords {
	w := formWords{fields: form.Keys(fieldNames[:], nil),
		numbers:   counted(NumFields, func(f int) int { return Field(f).number() }),
		decisions: form.DecisionNames(g.decisions[:])}
	for _, card := range g.data.Events {
		w.events = append(w.events, card.ID)
	}
	return w
}
