package env

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strings"
)

// A Stream is one source of chance, by value: copying it copies its future. It is the PCG generator
// of math/rand/v2.
type Stream struct {
	pcg rand.PCG
}

// NewStream seeds a stream from a seed and the stream's name.
func NewStream(seed uint64, name string) Stream {
	return newStream(0, seed, name)
}

func newStream(domain, seed uint64, name string) Stream {
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a
	h := offset ^ domain
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * prime
	}
	high := Mix(seed ^ Mix(h))
	return Stream{*rand.NewPCG(high, Mix(high^seed+h))}
}

// Mix is the finaliser of SplitMix64: it turns neighbouring numbers into unrelated ones.
func Mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// SeedStreams seeds the streams of a game that is reset.
func SeedStreams(dst []Stream, names []string, seed uint64) {
	for i := range dst {
		dst[i] = newStream(0, seed, names[i])
	}
}

// RedealStreams seeds the streams of a State that is redealt. No key gives the streams of any seed.
func RedealStreams(dst []Stream, names []string, key uint64) {
	const redealt = 0x7265_6465_616c_7421
	for i := range dst {
		dst[i] = newStream(redealt, key, names[i])
	}
}

// Uint64 draws 64 bits.
func (s *Stream) Uint64() uint64 { return s.pcg.Uint64() }

// Below draws a whole number from 0 to n-1, all equally likely; n must be positive. (Lemire, Fast
// random integer generation in an interval, 2019.)
func (s *Stream) Below(n int) int {
	high, low := bits.Mul64(s.pcg.Uint64(), uint64(n))
	if low < uint64(n) {
		for threshold := -uint64(n) % uint64(n); low < threshold; {
			high, low = bits.Mul64(s.pcg.Uint64(), uint64(n))
		}
	}
	return int(high)
}

// Float64 draws a number from [0, 1).
func (s *Stream) Float64() float64 { return float64(s.pcg.Uint64()>>11) / (1 << 53) }

// MarshalText writes the stream's state as 32 hexadecimal digits.
func (s Stream) MarshalText() ([]byte, error) {
	b, err := s.pcg.MarshalBinary()
	if err != nil {
		return nil, err
	}
	return []byte(hex.EncodeToString(b[len("pcg:"):])), nil
}

// UnmarshalText reads what MarshalText wrote.
func (s *Stream) UnmarshalText(text []byte) error {
	b, err := hex.DecodeString(string(text))
	if err != nil || len(b) != 16 {
		return fmt.Errorf("a chance stream is 32 hexadecimal digits, not %q", text)
	}
	return s.pcg.UnmarshalBinary(append([]byte("pcg:"), b...))
}

// An Event is something that happened inside a step: a draw of chance, a note, or a reveal.
type Event struct {
	Kind EventKind
	// Name and Outcome make the text of a chance event, "name = outcome". Of a note or a reveal, Name
	// is the whole text.
	Name, Outcome string
	// Outcomes are those that a chance event had, with their weights; nil for a shuffle.
	Outcomes []Outcome
	// To is who may see it.
	To Seats

	About    Player    // that of a Mark
	Counters []Counter // the public numbers as it happened, if the tape counts
}

// EventKind tells the kinds of Event apart.
type EventKind uint8

const (
	// Chance is a draw: recorded, forced by a tape.
	Chance EventKind = iota
	// Note is a card shown: recorded and checked, never forced.
	Note
	// Reveal makes an earlier secret public: seen at the table, not recorded, as it follows from what
	// is.
	Reveal
	// Mark is where a rule begins of which a story tells: nobody sees it.
	Mark
)

// Outcome is one way that a chance event can come out.
type Outcome struct {
	Text   string
	Weight int
}

// String is the text of the event as records and scenarios write it.
func (e Event) String() string {
	if e.Kind != Chance {
		return e.Name
	}
	return e.Name + " = " + e.Outcome
}

// Seen is the event as those whom it is told see it.
func (e Event) Seen() Seen {
	kind := SeenNote
	if e.Kind == Chance {
		kind = SeenChance
	}
	return Seen{kind, Over, e.String()}
}

// A Tape stands at the one place that all chance passes. It logs every event and, before the streams
// decide, gives forced outcomes in order. A nil Tape is plain play: it does nothing and costs
// nothing. The zero Tape logs.
//
// A forced outcome uses up the draws that a free one would, so that forcing one event does not shift
// the luck of the others.
type Tape struct {
	events  []Event
	forced  []string
	err     error
	counted Counted // nil: nobody is told the story
	marked  []Event // with the marks and counters, if it counts
	numbers int     // how many it counts
}

// Count has the tape take what stories are made of: the public numbers of s at each event, and at the beginning of
// each rule that is marked. Of a State that is not Counted (nil too) it takes nothing any more.
func (t *Tape) Count(s State) { t.counted, _ = s.(Counted) }

// Mark says that a rule begins here of which a story tells, and about whom, or about what as the game numbers it: what
// changes from now to the next event or mark is its doing. It is no event itself, and is free where nobody is told the
// story. Stories are told of it to everybody, so that it may say nothing that somebody must not know.
func (t *Tape) Mark(rule string, about Player) {
	if t != nil && t.counted != nil {
		t.marked = append(t.marked, Event{Kind: Mark, Name: rule, About: about, Counters: t.count()})
	}
}

// count gives the public numbers.
func (t *Tape) count() []Counter {
	now := t.counted.AppendCounters(make([]Counter, 0, t.numbers))
	t.numbers = len(now)
	return now
}

// add puts an event on the tape.
func (t *Tape) add(e Event) {
	t.events = append(t.events, e)
	if t.counted != nil {
		e.Counters = t.count()
		t.marked = append(t.marked, e)
	}
}

// Marked are the Events with the marks between them, for a Step, if the tape counts.
func (t *Tape) Marked() []Event {
	if t.counted == nil {
		return t.events
	}
	return t.marked
}

// Force puts event texts, "name = outcome", at the end of the list of forced outcomes.
func (t *Tape) Force(texts ...string) { t.forced = append(t.forced, texts...) }

// Events are those since the last Rewind. They are valid until the next one.
func (t *Tape) Events() []Event { return t.events }

// Texts are the chance events since the last Rewind, as text.
func (t *Tape) Texts() []string { return t.texts(Chance) }

// Notes are the notes since the last Rewind.
func (t *Tape) Notes() []string { return t.texts(Note) }

func (t *Tape) texts(kind EventKind) []string {
	texts := []string{}
	for _, e := range t.events {
		if e.Kind == kind {
			texts = append(texts, e.String())
		}
	}
	return texts
}

// Rewind forgets the events, the forced outcomes and the error.
func (t *Tape) Rewind() {
	t.events, t.marked, t.forced, t.err = t.events[:0], t.marked[:0], t.forced[:0], nil
}

// Err reports a forced outcome that could not be: another event came, the outcome was impossible, or
// it was left over. It is asked after the step.
func (t *Tape) Err() error {
	if t.err == nil && len(t.forced) > 0 {
		return fmt.Errorf("forced chance %q was never drawn", t.forced[0])
	}
	return t.err
}

// Uniform draws one of n equally likely outcomes, named by text, and tells it to the seats that may
// see it.
func (t *Tape) Uniform(src *Stream, to Seats, name string, n int, text func(int) string) int {
	i := src.Below(n)
	if t == nil {
		return i
	}
	return t.log(to, name, n, i, func(int) int { return 1 }, text)
}

// Weighted draws one of n outcomes, each in proportion to its weight, which is 0 or more and not 0 for
// all.
func (t *Tape) Weighted(src *Stream, to Seats, name string, n int, weight func(int) int, text func(int) string) int {
	total := 0
	for i := range n {
		total += weight(i)
	}
	r, i := src.Below(total), 0
	for ; r >= weight(i); i++ {
		r -= weight(i)
	}
	if t == nil {
		return i
	}
	return t.log(to, name, n, i, weight, text)
}

// Shuffle puts the n elements that swap exchanges into an order drawn uniformly (Fisher and Yates).
// The outcome is the order as text; a tape may force it by naming the first elements, and the rest
// follows as it lay before.
func (t *Tape) Shuffle(src *Stream, to Seats, name string, n int, swap func(i, j int), text func(int) string) {
	if t == nil {
		for i := n - 1; i > 0; i-- {
			swap(i, src.Below(i+1))
		}
		return
	}
	before := make([]string, n)
	for i := range before {
		before[i] = text(i)
	}
	draws := make([]int, n)
	for i := n - 1; i > 0; i-- {
		draws[i] = src.Below(i + 1)
	}
	if words, ok := t.take(name); ok {
		t.forceOrder(name, strings.Fields(words), before, swap)
	} else {
		for i := n - 1; i > 0; i-- {
			swap(i, draws[i])
		}
	}
	order := make([]string, n)
	for i := range order {
		order[i] = text(i)
	}
	t.add(Event{Kind: Chance, Name: name, Outcome: strings.Join(order, " "), To: to})
}

// forceOrder brings the named elements to the front, in their order, by moving each one up past those
// before it, so that the rest keeps its order.
func (t *Tape) forceOrder(name string, words, now []string, swap func(i, j int)) {
	for at, word := range words {
		from := at
		for from < len(now) && now[from] != word {
			from++
		}
		if from == len(now) {
			t.fail(fmt.Errorf("forced chance %q: %q is not among what is left to order: %s",
				name+" = "+strings.Join(words, " "), word, strings.Join(now[min(at, len(now)):], " ")))
			return
		}
		for ; from > at; from-- {
			swap(from, from-1)
			now[from], now[from-1] = now[from-1], now[from]
		}
	}
}

// Note shows a card: it is recorded and checked on replay.
func (t *Tape) Note(to Seats, text string) {
	if t != nil {
		t.add(Event{Kind: Note, Name: text, To: to})
	}
}

// Reveal tells an earlier secret.
func (t *Tape) Reveal(to Seats, text string) {
	if t != nil {
		t.add(Event{Kind: Reveal, Name: text, To: to})
	}
}

func (t *Tape) fail(err error) {
	if t.err == nil {
		t.err = err
	}
}

// log settles a draw: outcome i came from the stream, unless the tape forces another.
func (t *Tape) log(to Seats, name string, n, i int, weight func(int) int, text func(int) string) int {
	outcomes := make([]Outcome, 0, n)
	place := make([]int, 0, n)
	for k := range n {
		if w := weight(k); w > 0 {
			outcomes = append(outcomes, Outcome{text(k), w})
			place = append(place, k)
		}
	}
	if word, ok := t.take(name); ok {
		found := false
		for k, o := range outcomes {
			if o.Text == word {
				i, found = place[k], true
			}
		}
		if !found {
			var texts []string
			for _, o := range outcomes {
				texts = append(texts, o.Text)
			}
			t.fail(fmt.Errorf("forced chance %q is impossible: %s can be %s", name+" = "+word, name, strings.Join(texts, ", ")))
		}
	}
	t.add(Event{Kind: Chance, Name: name, Outcome: text(i), Outcomes: outcomes, To: to})
	return i
}

// take gives the next forced outcome, if there is one, for the event that is drawn now.
func (t *Tape) take(name string) (string, bool) {
	if len(t.forced) == 0 || t.err != nil {
		return "", false
	}
	next := t.forced[0]
	forced, word, ok := strings.Cut(next, " = ")
	switch {
	case !ok:
		t.fail(fmt.Errorf("forced chance %q is not of the form \"name = outcome\"", next))
		return "", false
	case forced != name:
		t.fail(fmt.Errorf("forced chance %q, but %q was drawn", next, name))
		return "", false
	}
	t.forced = t.forced[1:]
	return word, true
}

// ErrBound is returned for a game that goes on past its proven bound on decisions: a defect of the game.
var ErrBound = errors.New("the game has passed its bound on decisions; this is a defect of the game, please report " +
	"it with its record")
