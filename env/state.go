package env

import (
	"slices"
	"strings"
	"unicode"
)

// A Game is one configuration of one rulebook: its options and its component data. It is read-only
// and may be used from many goroutines.
type Game interface {
	// Info says everything static.
	Info() *Info
	// New makes a State. Reset, CopyFrom or ReadPosition must come before any other use of it.
	New() State
}

// A State is one position of a Game with its luck: all that play needs to go on from here. It is a
// flat value behind this interface, so a copy is one assignment and a step allocates nothing. It
// belongs to one goroutine, and no method keeps a slice that it is given.
//
// What comes from outside is checked before it gets here: Apply trusts that its action is legal.
type State interface {
	// Game is the configuration that the State belongs to.
	Game() Game

	// Reset sets up the game as the rulebook says, with the luck of the seed.
	Reset(seed uint64, tape *Tape)
	// Actor is who decides now, or Over.
	Actor() Player
	// Legal overwrites m (Info.MaskWords words) with the actions that the actor may choose. While the
	// game runs there is at least one; after it there is none.
	Legal(m Mask)
	// Why says why the action is not legal now: a sentence with the rule's id, made of what the actor
	// knows. It is "" exactly if the action is legal.
	Why(a Action) string
	// Apply plays a legal action of the actor, and everything after it in which nobody decides.
	Apply(a Action, tape *Tape)

	// Observe writes what p can see, p's own seat first, into dst (Info.Observation numbers). Any
	// player may be asked for at any time.
	Observe(dst []float32, p Player)

	// Returns writes each seat's return, in [-1, 1], once the game is over; before that, zeros.
	Returns(dst []float64)
	// Scores writes each seat's raw score in the rulebook's points, as if the game ended now.
	Scores(dst []float64)
	// Winners is who has won; nobody while the game runs, and possibly nobody after it.
	Winners() Seats
	// Reason says in one word how the game ended; "" while it runs.
	Reason() string

	// CopyFrom makes the State equal to src, a State of the same rulebook.
	CopyFrom(src State)
	// Equal compares everything, luck included.
	Equal(other State) bool
	// EqualPosition compares everything but the luck.
	EqualPosition(other State) bool
	// Luck gives the chance streams themselves, in the order of Info.Streams, to be saved and restored.
	Luck() []Stream
	// Redeal resamples, consistently, all that p cannot know, and gives every stream a new seed
	// (RedealStreams). The outcome depends on the key and on what p knows, and on nothing else. A
	// finished game only gets new streams.
	Redeal(p Player, key uint64)

	// AppendPosition appends the position as JSON in the rulebook's terms, hidden parts included.
	AppendPosition(dst []byte) []byte
	// AppendKnown is AppendPosition with what seat p may know, while the game runs. Fields that it can't know are left
	// out, and in a list whose length everybody knows null stands for what it can't know. It is the same in all positions
	// that p can't tell from this one (Redeal).
	AppendKnown(dst []byte, p Player) []byte
	// ReadPosition replaces the position by one in that form, and leaves the luck. What the rules do
	// not allow is an error that names the field; the State is unchanged then.
	ReadPosition(data []byte) error
}

// ActionTexter is a State in which some actions are written after what lies on the table now. The
// texts must be among the action's aliases.
type ActionTexter interface {
	ActionText(a Action) string
}

// Witness is a State with decisions that not everybody may see. WitnessedBy is asked before the
// action is applied: the text that viewer p gets to see of it, "" for nothing at all.
type Witness interface {
	WitnessedBy(p Player, a Action) string
}

// ActorHider is a State that does not always show who acts. ActorSeenBy is the actor as viewer p (a seat or Spectator)
// may know it, or Hidden, or Unasked where p may not know that anybody is asked: then p is to be told of the game what
// it is told if nobody is (Onlooker).
type ActorHider interface {
	ActorSeenBy(p Player) Player
}

// Potential is a State with a potential for reward shaping: how well p stands, by what p may know, in
// about [-1, 1].
type Potential interface {
	Potential(p Player) float64
}

// Outlook is a State that foresees how its game ends, so that search need not play it to the end. Outlook writes the
// return that each seat may expect if all go on as well as bots do, in [-1, 1], everything that is still to come
// counted. It is false, and dst untouched, where that can't be said: in the middle of something whose outcome must be
// seen first, or after the game. It is asked about samples and may go by all of the State, hidden parts included.
type Outlook interface {
	Outlook(dst []float64) bool
}

// Measurer is a State that measures how the game went beyond returns and scores. Measures writes the
// numbers that Info.Measures lists, as if the game ended now.
type Measurer interface {
	Measures(dst []float64)
}

// Commons is a State of a game whose seats share something that they can lose together: a climate, a tower, the Earth.
// Those who run a table ask it; players are not told.
type Commons interface {
	// Depletion is how much of what is shared is used up, from 0 to 1, where it is, or may be, lost. It may also recover.
	Depletion() float64
	// LostBy says whether it is lost, and which seats have pushed it over: nobody in particular before, and where the
	// rules blame nobody.
	LostBy() (lost bool, culprits Seats)
}

// Checker is a State that can check the invariants of its rulebook.
type Checker interface {
	Check() error
}

// Texter is a State that can be read: the whole table as p (a seat or Spectator) sees it, and, if p
// acts, what it may do and what comes of it, below a line "Legal actions:". How the table came about is no part of a
// State: whoever shows the text tells that too, from View.Story or a Narrator.
type Texter interface {
	AppendText(dst []byte, p Player) []byte
}

// WithoutActions is a text view without its list of legal actions, for those who list them in their own way.
func WithoutActions(text string) string {
	text = strings.TrimRight(text, "\n")
	if i := strings.LastIndex(text, "\nLegal actions:"); i >= 0 {
		text = text[:i]
	}
	return text
}

// Asker is a State that puts what it asks into words.
type Asker interface {
	// Question is what p (a seat or Spectator) is told of the decision that is asked for: what it is about, with the
	// rule's id, and of whom, as far as p may know. It is "" once the game is over.
	Question(p Player) string
	// About says what a legal action does, the same words for actions that are read together, and which one of them
	// it is: "Settle for 2 RES" and "21". Which is "" where what says all.
	About(a Action) (what, which string)
	// Inside names the decision where it goes on with what its seat has begun, by the decision before or by one of the
	// same name: where to, how many, one more of them. It is "" where something begins.
	Inside() string
	// Effects are the numbers in those words, and in those of the question: what they say that the action does at once.
	// They are nil where the words have none, and where more follows in the same step, which may hang on what the actor
	// can't know: they are for those who hold the State, to test the words by.
	Effects(a Action) []Effect
	// Counters are the numbers that Effects speak of, always the same ones in the same order. They may be hidden ones.
	Counters() []Counter
}

// An Effect is what the words about an action say that it does to a number on the table.
type Effect struct {
	Player Player // whose number it is; Over for the table's
	What   string // which number
	By     int    // 0 says that it stays as it is
	UpTo   bool   // the words say "up to": it changes by what lies between 0 and By
	// Unless is of words that hold as things stand: something that comes to light may come between, or the end.
	Unless bool
}

// A Counter is a public number of a position: of those of two positions the difference is what has changed.
type Counter struct {
	Player Player
	What   string
	Value  int
	Said   bool // its changes are said in sentences of their own, such as who holds what; Player and What only name it
}

// Counted is a State of which a story can be told (package story). AppendCounters appends the public numbers that its
// stories tell of, in any position the same ones in the same order.
type Counted interface {
	AppendCounters(dst []Counter) []Counter
}

// Drawer is a State that can be drawn: the board as p (a seat or Spectator) sees it, as one SVG document.
type Drawer interface {
	AppendSVG(dst []byte, p Player) []byte
}

// PositionPatcher is a State that patches its own position, as one does that declares its fields (package
// env/form). The patch is a JSON object: objects are patched key by key, everything else is replaced. Like a position
// that is read it may be refused, and then leaves the State as it is. Other States have no scenarios that begin with a
// position.
type PositionPatcher interface {
	PatchPosition(patch []byte) error
}

// ActionText is the text of action a as it is written in state s.
func ActionText(s State, a Action) string {
	if t, ok := s.(ActionTexter); ok {
		return t.ActionText(a)
	}
	return s.Game().Info().Actions[a].Text
}

// InWords is what a legal action does, as people choose it: in the words of an Asker, or as it is written. Where it
// lies in a row is left out, which the table shows, and a word that has been said.
func InWords(s State, a Action) string {
	asker, ok := s.(Asker)
	if !ok {
		return ActionText(s, a)
	}
	what, which := asker.About(a)
	said := strings.FieldsFunc(strings.ToLower(what),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if which == "" || strings.HasPrefix(which, "place ") || slices.Contains(said, which) {
		return what
	}
	return what + ": " + which
}

// TextView is the table as viewer p reads it, "" in a game without text views.
func TextView(s State, p Player) string {
	if t, ok := s.(Texter); ok {
		return string(t.AppendText(nil, p))
	}
	return ""
}

// Drawing is the board as viewer p sees it, as SVG, "" in a game without drawings.
func Drawing(s State, p Player) string {
	if d, ok := s.(Drawer); ok {
		return string(d.AppendSVG(nil, p))
	}
	return ""
}

// Question is what viewer p is told of the decision, "" in a game that has no words for it.
func Question(s State, p Player) string {
	if asker, ok := s.(Asker); ok {
		return asker.Question(p)
	}
	return ""
}

// LegalActions lists the legal actions of s, in the order of the action table.
func LegalActions(s State) []Action {
	m := make(Mask, s.Game().Info().MaskWords())
	s.Legal(m)
	return m.Append(nil)
}

// LegalTexts lists the legal actions of s as texts, in the order of the action table.
func LegalTexts(s State) []string {
	texts := []string{}
	for _, a := range LegalActions(s) {
		texts = append(texts, ActionText(s, a))
	}
	return texts
}

// ActorSeenBy is who acts, as far as viewer p may know.
func ActorSeenBy(s State, p Player) Player {
	if h, ok := s.(ActorHider); ok {
		return h.ActorSeenBy(p)
	}
	return s.Actor()
}

// A Result is the outcome of a finished game.
type Result struct {
	Returns   []float64
	Scores    []float64
	Measures  []float64 // in the order of Info.Measures
	Winners   Seats
	Reason    string
	Decisions int

	// Lost and Culprits are those of a Commons.
	Lost     bool
	Culprits Seats
}

// Verdict is who has won, in words: "nobody wins", "won by seat 1", "won by seats 1, 3".
func (r *Result) Verdict() string {
	switch r.Winners.Count() {
	case 0:
		return "nobody wins"
	case 1:
		return "won by seat " + r.Winners.String()
	}
	return "won by seats " + strings.ReplaceAll(r.Winners.String(), " ", ", ")
}

func newResult(info *Info) Result {
	return Result{Returns: make([]float64, info.Players), Scores: make([]float64, info.Players),
		Measures: make([]float64, len(info.Measures))}
}

// ResultOf reads the outcome of s after the given number of decisions.
func ResultOf(s State, decisions int) Result {
	r := newResult(s.Game().Info())
	r.read(s, decisions)
	return r
}

// read makes r the outcome of s, without allocating.
func (r *Result) read(s State, decisions int) {
	s.Returns(r.Returns)
	s.Scores(r.Scores)
	if m, ok := s.(Measurer); ok {
		m.Measures(r.Measures)
	}
	r.Winners, r.Reason, r.Decisions = s.Winners(), s.Reason(), decisions
	if c, ok := s.(Commons); ok {
		r.Lost, r.Culprits = c.LostBy()
	}
}

// Forfeit makes r the result of a game that a seat has forfeited: it loses, and the others share the win; where
// all win together, all lose.
func (r *Result) Forfeit(loser Player, info *Info) {
	r.Reason, r.Winners = "forfeit", Nobody
	for p := range r.Returns {
		switch {
		case Player(p) == loser || info.Shared():
			r.Returns[p] = -1
		default:
			r.Returns[p] = 1 / float64(len(r.Returns)-1)
			r.Winners = r.Winners.With(Player(p))
		}
	}
}

// WinShare is what p has of the win: 1/k as one of k winners, or, where all win together, 1 on success.
func (r *Result) WinShare(p Player, info *Info) float64 {
	switch {
	case !r.Winners.Has(p):
		return 0
	case info.Shared():
		return 1
	}
	return 1 / float64(r.Winners.Count())
}
