package env

import (
	"fmt"
	"slices"
	"strings"
)

// The story of a game: every event in a sentence of the game's own words. A game tells Facts, its catalogue
// (Words) puts them into sentences of a language, and a Narrator does both for one viewer at a time.

// A Step is one decision with all that came of it, or the set-up of a game.
type Step struct {
	Before State  // nil for the set-up
	Action Action // of Before's actor; meaningless for the set-up
	Events []Event
	After  State
}

// Seen is what a viewer (a seat or Spectator) has seen of the step, in order.
func (s *Step) Seen(viewer Player) []Seen {
	var seen []Seen
	if s.Before != nil {
		seen = appendAction(seen, s.Before, viewer, s.Action)
	}
	return appendEvents(seen, s.Events, viewer)
}

// Witnessed is what a viewer (a seat or Spectator) may see of action a, which the actor of s is about to play; false
// if it sees nothing of it.
func Witnessed(s State, viewer Player, a Action) (Seen, bool) {
	text, actor := ActionText(s, a), s.Actor()
	if w, ok := s.(Witness); ok && viewer != actor {
		if text = w.WitnessedBy(viewer, a); text == "" {
			return Seen{}, false
		}
	}
	if viewer != actor {
		actor = ActorSeenBy(s, viewer)
	}
	return Seen{SeenAction, actor, text}, true
}

// appendAction appends what a viewer may see of an action that is played in s.
func appendAction(dst []Seen, s State, viewer Player, a Action) []Seen {
	if seen, ok := Witnessed(s, viewer, a); ok {
		dst = append(dst, seen)
	}
	return dst
}

// appendEvents appends what a viewer may see of events.
func appendEvents(dst []Seen, events []Event, viewer Player) []Seen {
	for _, e := range events {
		if e.To.Has(viewer) {
			dst = append(dst, e.Seen())
		}
	}
	return dst
}

// Storied is a Game that tells its story: its States are Tellers. StoryWords is its catalogue, as ReadWords
// reads it.
type Storied interface {
	StoryWords() []byte
}

// Teller is a State that tells how it came about. AppendStory appends the facts of the step from before (nil
// for the set-up) to this State, of which the viewer has seen the given things. The Tells of all facts are the
// things seen, each once and in their order. The Narrator gives it States in which all that the viewer can't know
// is drawn at random, so that no fact can be made of it; the true ones once the game is over.
type Teller interface {
	AppendStory(dst []Fact, before State, seen []Seen, viewer Player) []Fact
}

// A Fact is a sentence before it is put into words.
type Fact struct {
	Key     string // of the sentence in the catalogue
	Player  Player // whom it is about; Over for nobody. In the sentence it is {player}
	Args    Args   // what else stands in the sentence
	Changes []Change
	Tells   int // how many of the things seen, from the first untold one on, it tells; 0 for what follows from them
}

// Args are what fills the places of a sentence, by their names: a Player, a whole number, a Name, a text that is
// the same in every language, or a list of these ([]any).
type Args map[string]any

// A Name is something on the table that a catalogue may name in its own language.
type Name struct {
	Kind string // table of the catalogue
	ID   string // key in it
	Text string // the name where the catalogue has none; "" = ID
}

// A Change is a public number that a step has changed.
type Change struct {
	Player Player // whose it is; Over for the table's
	What   string // key in the catalogue
	By     int    // not 0
	Now    int
}

// A Counter is a public number of a position: those of two positions make Changes.
type Counter struct {
	Player Player
	What   string
	Value  int
}

// Changes are the differences between the counters of two positions, which list the same numbers in the same order.
func Changes(before, after []Counter) []Change {
	var changes []Change
	for i, e := range after {
		if by := e.Value - before[i].Value; by != 0 {
			changes = append(changes, Change{e.Player, e.What, by, e.Value})
		}
	}
	return changes
}

// A Story is the facts of a step as a Teller puts them together.
type Story struct {
	Facts   []Fact
	Changes []Change // of the step that no fact has yet
}

// Say appends a fact about p that tells so many of the things seen.
func (s *Story) Say(key string, p Player, tells int, args Args, changes ...Change) {
	s.Facts = append(s.Facts, Fact{key, p, args, changes, tells})
}

// Take gives the changes of some kinds, or of all if none is named, to a fact that is about to be said: they are no
// others' then.
func (s *Story) Take(kinds ...string) []Change {
	return s.TakeIf(func(c Change) bool { return len(kinds) == 0 || slices.Contains(kinds, c.What) })
}

// TakeIf is Take of the changes for which it holds.
func (s *Story) TakeIf(holds func(Change) bool) (taken []Change) {
	s.Changes = slices.DeleteFunc(s.Changes, func(c Change) bool {
		if holds(c) {
			taken = append(taken, c)
			return true
		}
		return false
	})
	return taken
}

// Claim is Take of a part of a change, or of one that another change has made up for.
func (s *Story) Claim(p Player, what string, by int) Change {
	claimed := Change{Player: p, What: what, By: by}
	for _, c := range s.TakeIf(func(c Change) bool { return c.Player == p && c.What == what }) {
		claimed.Now = c.Now
		by -= c.By
	}
	if by != 0 {
		s.Changes = append(s.Changes, Change{Player: p, What: what, By: -by, Now: claimed.Now})
	}
	return claimed
}

// TakeRest gives all changes that no fact has yet to the last one.
func (s *Story) TakeRest() {
	if last := len(s.Facts) - 1; last >= 0 {
		s.Facts[last].Changes = append(s.Facts[last].Changes, s.Take()...)
	}
}

// Winners tells who wins, or shares the win, each with its points: the sentences "wins" and "shares".
func (s *Story) Winners(winners Seats, points func(p Player) int) {
	key := "wins"
	if winners.Count() > 1 {
		key = "shares"
	}
	for _, p := range winners.List() {
		s.Say(key, Player(p), 0, Args{"n": points(Player(p))})
	}
}

// A Sentence is a fact in words.
type Sentence struct {
	Fact
	Text string // with its changes, without a full stop
}

// A Narrator tells steps of one game to its viewers. It belongs to one goroutine.
type Narrator struct {
	words         *Words
	players       int
	before, after State // samples for the viewer
	err           error
}

// NewNarrator makes a Narrator that speaks with the given words, or with the game's own if they are nil. A game
// that tells no story is an error.
func NewNarrator(g Game, words *Words) (*Narrator, error) {
	if words == nil {
		var err error
		if words, err = WordsOf(g); err != nil {
			return nil, err
		}
	} else if _, ok := g.(Storied); !ok {
		return nil, fmt.Errorf("%s tells no story", g.Info().Name)
	}
	return &Narrator{words: words, players: g.Info().Players, before: g.New(), after: g.New()}, nil
}

// WordsOf is the catalogue of a game. A game that tells no story is an error.
func WordsOf(g Game) (*Words, error) {
	storied, ok := g.(Storied)
	if !ok {
		return nil, fmt.Errorf("%s tells no story", g.Info().Name)
	}
	return ReadWords(DataFile{Name: g.Info().Name + ": words of the story", Bytes: storied.StoryWords()}, nil)
}

// Words is what the Narrator speaks with.
func (n *Narrator) Words() *Words { return n.words }

// Tell is the step as a viewer (a seat or Spectator) may know it. It changes nothing and doesn't depend on what
// has been told before.
func (n *Narrator) Tell(step *Step, viewer Player) []Sentence {
	const key = 0x7374_6f72_79
	return n.tell(step, viewer, key)
}

// tell is Tell with the key of the samples.
func (n *Narrator) tell(step *Step, viewer Player, key uint64) []Sentence {
	var before State
	if step.Before != nil {
		before = n.sample(n.before, step.Before, viewer, key)
	}
	teller, ok := n.sample(n.after, step.After, viewer, key).(Teller)
	if !ok {
		n.fail(fmt.Errorf("%s: its State is no Teller", step.After.Game().Info().Name))
		return nil
	}
	seen := step.Seen(viewer)
	facts := teller.AppendStory(nil, before, seen, viewer)
	sentences := make([]Sentence, len(facts))
	for i, f := range facts {
		if f.Tells > len(seen) {
			n.fail(fmt.Errorf("sentence %q tells more than has been seen", f.Key))
			f.Tells = len(seen)
		}
		text, err := n.words.Sentence(&f)
		if err != nil { // A defect of the game: better its plain texts than no story.
			n.fail(err)
			var plain []string
			for _, s := range seen[:f.Tells] {
				plain = append(plain, s.Text)
			}
			text = strings.Join(plain, ", ")
		}
		seen = seen[f.Tells:]
		sentences[i] = Sentence{f, text}
	}
	if len(seen) > 0 {
		n.fail(fmt.Errorf("no sentence tells %q", seen[0].Text))
	}
	return sentences
}

// sample makes dst what a viewer may take s for. A spectator knows what every seat knows: all is drawn anew that one
// of them doesn't.
func (n *Narrator) sample(dst, s State, viewer Player, key uint64) State {
	dst.CopyFrom(s)
	if viewer != Spectator {
		dst.Redeal(viewer, key)
		return dst
	}
	for p := range n.players {
		dst.Redeal(Player(p), key+uint64(p))
	}
	return dst
}

func (n *Narrator) fail(err error) {
	if n.err == nil {
		n.err = err
	}
}

// Err is the first defect of the game's story that the Narrator has met: a sentence that its catalogue doesn't
// have, or something seen that was not told. The story was told as well as it could be.
func (n *Narrator) Err() error { return n.err }

// Check says whether the step's story tells the viewer only what it may know: it is the same whatever the rest is
// drawn to be. It is for tests.
func (n *Narrator) Check(step *Step, viewer Player, keys ...uint64) error {
	want := n.Tell(step, viewer)
	for _, key := range keys {
		got := n.tell(step, viewer, key)
		for i := range max(len(want), len(got)) {
			if i >= len(want) || i >= len(got) || got[i].Text != want[i].Text {
				return fmt.Errorf("viewer %d hears %q, and with everything that it can't know redealt %q", viewer, texts(want), texts(got))
			}
		}
	}
	return n.err
}

func texts(story []Sentence) []string {
	list := make([]string, len(story))
	for i, s := range story {
		list[i] = s.Text
	}
	return list
}

// grouped are the changes of the player whom the fact is about, the table's, and those of other players, by seat.
func (f *Fact) grouped() []Change {
	changes := slices.Clone(f.Changes)
	order := func(c Change) int {
		switch c.Player {
		case f.Player:
			return -2
		case Over:
			return -1
		}
		return int(c.Player)
	}
	slices.SortStableFunc(changes, func(a, b Change) int { return order(a) - order(b) })
	return changes
}
