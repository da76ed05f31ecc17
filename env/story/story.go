// Package story tells a game: every event in a sentence of the game's own words.
//
// A State that is a [Teller] says of each step ([env.Step]) what happened in it, as Facts. [Words], a catalogue that
// the game brings ([Storied]), makes Sentences of them. A [Narrator] does both for one viewer at a time, and tells it
// what it may know: it shows the Teller States in which all else is drawn anew.
package story

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"earthgym/env"
	"earthgym/env/datafile"
)

// Storied is a Game that tells its story: its States are Tellers. StoryWords is its catalogue, as ReadWords
// reads it.
type Storied interface {
	StoryWords() []byte
}

// Teller is a State that tells how it came about: its stories tell of its counters. AppendStory appends the facts of
// the step from before (nil for the set-up) to this State, of which the viewer has seen the given beats. The Tells of
// all facts are the things seen, each once and in their order. The Narrator gives it States in which all that the
// viewer can't know is drawn at random, so that no fact can be made of it; the true ones once the game is over.
type Teller interface {
	env.Counted
	AppendStory(dst []Fact, before env.State, beats []Beat, viewer env.Player) []Fact
}

// A Beat is a moment of a step: something that a viewer sees, or a rule that begins (Tape.Mark).
type Beat struct {
	env.Seen
	Rule    string   // that begins; "" for something seen
	Changes []Change // from now to the next beat: what it has brought about
}

// unseen is the Rule of the beat of a decision that the viewer does not see, if something has changed with it.
const unseen = "unseen"

// A Fact is a sentence before it is put into words.
type Fact struct {
	Key     string     // of the sentence in the catalogue
	Player  env.Player // whom it is about; Over for nobody. In the sentence it is {player}
	Args    Args       // what else stands in the sentence
	Changes []Change
	Tells   int // how many of the things seen, from the first untold one on, it tells; 0 for what follows from them

	from, to int // the beats that it is told with
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
	Player env.Player // whose it is; Over for the table's
	What   string     // key in the catalogue
	By     int        // not 0
	Now    int
	Said   bool // the fact says it itself
}

// Changes are the differences between the counters of two positions.
func Changes(before, after []env.Counter) []Change {
	var changes []Change
	for i, e := range after {
		if by := e.Value - before[i].Value; by != 0 {
			changes = append(changes, Change{e.Player, e.What, by, e.Value, e.Said})
		}
	}
	return changes
}

// Beats are what a viewer sees of a step, with the rules that have begun in it and what changed with each.
func Beats(s *env.Step, viewer env.Player) []Beat {
	after, ok := s.After.(env.Counted)
	if !ok {
		return nil
	}
	var beats []Beat
	var last []env.Counter // at the last beat; nil in the set-up, of which no change is told
	if s.Before != nil {
		action, ok := env.Witnessed(s.Before, viewer, s.Action)
		beat := Beat{Seen: action}
		if !ok {
			beat.Rule, beat.Player = unseen, env.Hidden
		}
		beats, last = append(beats, beat), s.Before.(env.Counted).AppendCounters(nil)
	}
	settle := func(now []env.Counter) {
		if last != nil && now != nil {
			beats[len(beats)-1].Changes, last = Changes(last, now), now
		}
	}
	for _, e := range s.Events {
		switch {
		case e.Kind == env.Mark:
			settle(e.Counters)
			beats = append(beats, Beat{Seen: env.Seen{Player: e.About}, Rule: e.Name})
		case e.To.Has(viewer):
			settle(e.Counters)
			beats = append(beats, Beat{Seen: e.Seen()})
		}
	}
	settle(after.AppendCounters(nil))
	if len(beats) > 0 && beats[0].Rule == unseen && beats[0].Changes == nil {
		return beats[1:]
	}
	return beats
}

// A Story is the facts of a step as a Teller puts them together.
type Story struct {
	Facts   []Fact
	Changes []Change // of the running beats that no fact has yet

	beats    []Beat
	from, to int // those that run
}

// Tell goes through beats: tell says facts of the first of those it is given, and how many it has told. What has
// changed with them and no fact has taken goes to the last of these facts. What is said after it follows from the last
// beat.
func (s *Story) Tell(beats []Beat, tell func(beats []Beat) int) {
	s.beats = beats
	for s.from < len(beats) {
		s.Changes, s.to = slices.Clone(beats[s.from].Changes), s.from+1
		first := len(s.Facts)
		s.Join(tell(beats[s.from:]))
		for i := first; i < len(s.Facts); i++ {
			s.Facts[i].from, s.Facts[i].to = s.from, s.to
		}
		if last := len(s.Facts) - 1; last >= first {
			s.Facts[last].Changes = append(s.Facts[last].Changes, s.Take()...)
		}
		s.from = s.to
	}
}

// Join has so many beats told together, from the first of those that run.
func (s *Story) Join(n int) {
	for ; s.to < s.from+n; s.to++ {
		s.join(s.beats[s.to].Changes)
	}
}

// join adds later changes to those that no fact has yet.
func (s *Story) join(later []Change) {
	for _, c := range later {
		i := slices.IndexFunc(s.Changes, func(x Change) bool { return x.Player == c.Player && x.What == c.What })
		switch {
		case i < 0:
			s.Changes = append(s.Changes, c)
		case s.Changes[i].By+c.By == 0:
			s.Changes = slices.Delete(s.Changes, i, i+1)
		default:
			s.Changes[i].By += c.By
			s.Changes[i].Now = c.Now
		}
	}
}

// Say appends a fact about p that tells so many of the things seen.
func (s *Story) Say(key string, p env.Player, tells int, args Args, changes ...Change) {
	fact := Fact{Key: key, Player: p, Args: args, Changes: changes, Tells: tells, from: s.from, to: s.from}
	s.Facts = append(s.Facts, fact)
}

// Take gives the changes of the running beats of some kinds, or all but those with sentences of their own if none is
// named, to a fact that is about to be said: they are no others' then.
func (s *Story) Take(kinds ...string) []Change {
	return s.take(func(c Change) bool { return slices.Contains(kinds, c.What) || len(kinds) == 0 && !c.Said })
}

// TakeSaid is Take of those with sentences of their own.
func (s *Story) TakeSaid() []Change { return s.take(func(c Change) bool { return c.Said }) }

func (s *Story) take(holds func(Change) bool) (taken []Change) {
	s.Changes = slices.DeleteFunc(s.Changes, func(c Change) bool {
		if holds(c) {
			taken = append(taken, c)
			return true
		}
		return false
	})
	return taken
}

// Winners tells who wins, or shares the win, each with its points: the sentences "wins" and "shares".
func (s *Story) Winners(winners env.Seats, points func(p env.Player) int) {
	key := "wins"
	if winners.Count() > 1 {
		key = "shares"
	}
	for _, p := range winners.List() {
		s.Say(key, env.Player(p), 0, Args{"n": points(env.Player(p))})
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
	before, after env.State // samples for the viewer
	err           error
}

// NewNarrator makes a Narrator, which speaks with the game's words. A game that tells no story is an error.
func NewNarrator(g env.Game) (*Narrator, error) {
	words, err := WordsOf(g)
	if err != nil {
		return nil, err
	}
	return &Narrator{words: words, players: g.Info().Players, before: g.New(), after: g.New()}, nil
}

// WordsOf is the catalogue of a game. A game that tells no story is an error.
func WordsOf(g env.Game) (*Words, error) {
	storied, ok := g.(Storied)
	if !ok {
		return nil, fmt.Errorf("%s tells no story", g.Info().Name)
	}
	return ReadWords(datafile.File{Name: g.Info().Name + ": words of the story", Bytes: storied.StoryWords()})
}

// Words is what the Narrator speaks with.
func (n *Narrator) Words() *Words { return n.words }

// Tell is the step as a viewer (a seat or Spectator) may know it. It changes nothing and doesn't depend on what
// has been told before.
func (n *Narrator) Tell(step *env.Step, viewer env.Player) []Sentence {
	const key = 0x7374_6f72_79
	return n.tell(step, viewer, key)
}

// tell is Tell with the key of the samples.
func (n *Narrator) tell(step *env.Step, viewer env.Player, key uint64) []Sentence {
	var before env.State
	if step.Before != nil {
		before = n.sample(n.before, step.Before, viewer, key)
	}
	teller, ok := n.sample(n.after, step.After, viewer, key).(Teller)
	if !ok {
		n.fail(fmt.Errorf("%s: its State is no Teller", step.After.Game().Info().Name))
		return nil
	}
	for _, e := range step.Events {
		if step.Before != nil && e.Counters == nil {
			n.fail(errors.New("the step has been taken without Tape.Count, so that nobody knows what changed when"))
		}
	}
	seen := step.Seen(viewer)
	facts := teller.AppendStory(nil, before, Beats(step, viewer), viewer)
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
func (n *Narrator) sample(dst, s env.State, viewer env.Player, key uint64) env.State {
	dst.CopyFrom(s)
	if viewer != env.Spectator {
		dst.Redeal(viewer, key)
		return dst
	}
	for p := range n.players {
		dst.Redeal(env.Player(p), key+uint64(p))
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

// Check says whether the step's story tells the viewer only what it may know, which is the same whatever the rest is
// drawn to be by some keys, and whether it is true: what is told of each number adds up to what each beat has changed
// of it, beside the sentences of that beat, and who is said to have acted has. It is for tests.
func (n *Narrator) Check(step *env.Step, viewer env.Player, keys ...uint64) error {
	want := n.Tell(step, viewer)
	if err := n.addsUp(step, viewer, want); err != nil {
		return fmt.Errorf("viewer %d hears %q: %w", viewer, texts(want), err)
	}
	for _, key := range keys {
		got := n.tell(step, viewer, key)
		for i := range max(len(want), len(got)) {
			if i >= len(want) || i >= len(got) || got[i].Text != want[i].Text {
				return fmt.Errorf("viewer %d hears %q, and with everything that it can't know redealt %q", viewer, texts(want),
					texts(got))
			}
		}
	}
	return n.err
}

// addsUp compares the changes of sentences with those of the beats that they tell.
func (n *Narrator) addsUp(step *env.Step, viewer env.Player, story []Sentence) error {
	if n.err != nil {
		return n.err
	}
	public, seen := step.After.(Teller).AppendCounters(nil), n.after.(Teller).AppendCounters(nil)
	if !slices.Equal(public, seen) {
		return fmt.Errorf("the public numbers %v are %v in what the viewer may take for the position", public, seen)
	}
	var now, told []env.Counter // as they are, and as they are told to be
	if step.Before != nil {
		now = step.Before.(Teller).AppendCounters(nil)
		told = slices.Clone(now)
	}
	number := func(of []env.Counter, c Change) *env.Counter {
		i := slices.IndexFunc(of, func(e env.Counter) bool { return e.Player == c.Player && e.What == c.What })
		if i < 0 {
			return &env.Counter{}
		}
		return &of[i]
	}
	beats := Beats(step, viewer)
	for at := 0; at < len(beats); {
		to := at + 1
		for _, f := range story {
			if f.from != at || f.to == at {
				continue
			}
			to = f.to
			if e := beats[at]; f.Tells > 0 && e.Rule == "" && e.Kind == env.SeenAction && f.Player != e.Player {
				return fmt.Errorf("%q is about player %d, and player %d acted", f.Text, f.Player, e.Player)
			}
			for _, c := range f.Changes {
				k := number(told, c)
				if k.Value += c.By; k.Value != c.Now || c.By == 0 || k.What != c.What {
					return fmt.Errorf("%q has player %d's %s %+d at %d, and it is told to be at %d",
						f.Text, c.Player, c.What, c.By, c.Now, k.Value)
				}
			}
		}
		for _, beat := range beats[at:to] {
			for _, c := range beat.Changes {
				number(now, c).Value = c.Now
			}
		}
		for i, e := range now {
			if told[i] != e {
				return fmt.Errorf("player %d's %s is told to be at %d with %v",
					e.Player, e.What, told[i].Value, beats[at:to])
			}
		}
		at = to
	}
	for _, f := range story {
		if f.from == f.to && f.Changes != nil {
			return fmt.Errorf("%q tells changes of nothing that has happened", f.Text)
		}
		if err := n.known(f.Player, f.Args); err != nil {
			return fmt.Errorf("%q: %w", f.Text, err)
		}
	}
	return nil
}

// known says whether the players that a fact names are at the table.
func (n *Narrator) known(about env.Player, args Args) error {
	players := []any{about}
	for _, v := range args {
		players = append(players, v)
		if list, ok := v.([]any); ok {
			players = append(players, list...)
		}
	}
	for _, v := range players {
		if p, ok := v.(env.Player); ok && int(p) >= n.players {
			return fmt.Errorf("there is no player %d", p)
		}
	}
	return nil
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
	changes := slices.DeleteFunc(slices.Clone(f.Changes), func(c Change) bool { return c.Said })
	order := func(c Change) int {
		switch c.Player {
		case f.Player:
			return -2
		case env.Over:
			return -1
		}
		return int(c.Player)
	}
	slices.SortStableFunc(changes, func(a, b Change) int { return order(a) - order(b) })
	return changes
}
