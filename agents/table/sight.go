package table

import (
	"cmp"
	"errors"
	"reflect"
	"slices"
	"time"

	"earthgym/env"
	"earthgym/env/record"
)

// A Sight is the table as a viewer, a seat or a spectator, may see it at one moment. It is shared by all who look
// from there and must not be changed. Pages get what has a name in JSON as it stands.
type Sight struct {
	Viewer env.Player `json:"viewer"`
	// Step names this moment to Play and Undo. It grows with each decision that the viewer has witnessed, and with
	// each of them that is taken back.
	Step     int        `json:"step"`
	Edition  int        `json:"-"`        // grows whenever anything else in the Sight has changed
	Decision int        `json:"decision"` // decisions that the viewer has witnessed so far
	Actor    env.Player `json:"actor"`    // who decides, as far as the viewer may know: perhaps env.Hidden, or env.Over
	Deciding bool       `json:"-"`        // a person in the viewer's seat is asked
	Thinking bool       `json:"thinking"` // the agent of a seat that may be known is at work
	// Searching says that it can be asked to move now (Table.MoveNow) and how far it is (Table.Thought).
	Searching bool     `json:"searching"`
	Board     string   `json:"-"`        // as SVG; "" if the game has no drawing
	Question  string   `json:"question"` // what is asked of the actor, in the game's words; "" if it has none for it
	Choices   []Choice `json:"-"`        // of a viewer that is Deciding
	// Sealed says that what is chosen now stays in an envelope until all have chosen. Envelopes are the seats, as far as
	// the viewer may know, that have chosen; so many are still ToCome, 0 if the viewer can't know.
	Sealed    bool        `json:"sealed"`
	Envelopes env.Seats   `json:"-"`
	ToCome    int         `json:"toCome"`
	CanUndo   bool        `json:"canUndo"` // the viewer may take its last decision back
	Seats     []SeatSight `json:"seats"`
	Log       []Line      `json:"-"`       // all that the viewer has seen happen
	Due       time.Time   `json:"-"`       // when the stand-in decides; zero if nobody is in a hurry
	Trouble   string      `json:"trouble"` // what keeps the game from going on, or from being saved, as everybody may know
	Result    *env.Result `json:"-"`
	// Standing are the scores as they stand, of seats whose scores the viewer knows all; nil where it doesn't.
	Standing []float64    `json:"standing"`
	Lesson   *LessonSight `json:"lesson"` // nil if nobody learns here
}

// A Choice is a legal action.
type Choice struct {
	Action env.Action `json:"action"`
	Family string     `json:"-"`     // the verb
	Text   string     `json:"text"`  // as it is written now
	What   string     `json:"what"`  // what it does; the same for choices that are read together
	Which  string     `json:"which"` // which of those it is, "" if What says all
	More   bool       `json:"more"`  // it begins something, or goes on with it, of which more is asked at once
}

// InWords is a choice by what it does and which it is.
func (c *Choice) InWords() string {
	if c.Which == "" {
		return c.What
	}
	return c.What + ": " + c.Which
}

// A SeatSight is who sits in a seat.
type SeatSight struct {
	Name   string `json:"name"` // of a person "", if it has none
	Person bool   `json:"person"`
	Called string `json:"called"` // in what is told
}

// LineKind tells lines of a log apart.
type LineKind string

// The kinds of lines.
const (
	ActionLine LineKind = "action" // a decision
	EventLine  LineKind = "event"  // chance
	NoteLine   LineKind = "note"   // a card shown, or a secret that came to light
)

// A Line is one thing that a viewer has seen happen.
type Line struct {
	// Decision is that of those which the viewer has witnessed, the last one before it, from 0; -1 in the set-up.
	Decision int      `json:"decision"`
	Kind     LineKind `json:"kind"`
	// who decided; env.Hidden if that is not known, env.Over for what happened by itself
	Player env.Player `json:"player"`
	Text   string     `json:"text"`
	Action env.Action `json:"action"` // of a decision that the viewer has seen whole, otherwise -1
}

// Look is the table as a viewer sees it now.
func (t *Table) Look(viewer env.Player) (*Sight, error) {
	if err := t.checkSeat(viewer); viewer != env.Spectator && err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	e := t.eye(viewer)
	if e.looked == t.edition {
		return e.sight, nil
	}
	now, last := t.look(e), e.sight
	if last != nil {
		if now.Edition = last.Edition; reflect.DeepEqual(now, last) {
			now = last
		} else {
			now.Edition++
		}
	}
	e.sight, e.looked = now, t.edition
	return now, nil
}

// Changed is closed when Look may show something else than now.
func (t *Table) Changed() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.changed
}

func (t *Table) look(e *eye) *Sight {
	viewer := e.viewer
	s := &Sight{
		Viewer: viewer, Step: t.step(viewer), Decision: e.decisions, Actor: e.actor(),
		CanUndo: t.canUndo(viewer), Log: slices.Clip(e.log), Trouble: cmp.Or(t.trouble, t.unsaved), Seats: t.seated(),
		Board: env.Drawing(e.shown, viewer),
	}
	if t.o.Lesson != nil {
		s.Lesson = t.lessonSight(viewer)
	}
	if s.Actor == env.Over {
		r := t.ref.Result()
		s.Result = &r
		return s
	}
	s.Question = t.spoken(env.Question(e.shown, viewer), viewer)
	if s.Actor >= 0 {
		s.Thinking = t.seats[s.Actor].Agent != nil
		s.Searching = searches(t.seats[s.Actor].Agent)
		if t.o.Limit > 0 && !s.Thinking {
			s.Due = e.since.Add(t.o.Limit)
		}
	}
	t.seal(s, e)
	s.Standing = t.standing(e)
	if t.asks(viewer) {
		s.Deciding = true
		s.Choices = t.choices(e.shown, viewer)
	}
	return s
}

// standing are the scores as a viewer knows them: nil if they depend on what it can't know.
func (t *Table) standing(e *eye) []float64 {
	const samples = 3
	scores, other := make([]float64, t.info.Players), make([]float64, t.info.Players)
	e.shown.Scores(scores)
	s := t.game.New()
	for key := range uint64(samples) {
		t.hide(s, e.shown, e.viewer, key)
		if s.Scores(other); !slices.Equal(scores, other) {
			return nil
		}
	}
	return scores
}

// Seats are who sits at the table.
func (t *Table) Seats() []SeatSight {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.seated()
}

func (t *Table) seated() (seats []SeatSight) {
	for p, seat := range t.seats {
		name := seat.Name
		if seat.Agent != nil {
			name = seat.Agent.Text
		}
		seats = append(seats, SeatSight{name, seat.Agent == nil, t.called(p)})
	}
	return seats
}

// Asks says whether the person in seat p is to decide: what Look tells that seat as Deciding, without drawing anything.
// Who asks for another seat learns what that seat alone may know.
func (t *Table) Asks(p env.Player) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.asks(p)
}

func (t *Table) asks(p env.Player) bool {
	return p >= 0 && t.ref.Actor() == p && t.seats[p].Agent == nil
}

// Text is the table as a viewer can read it: "" if the game has no text view.
func (t *Table) Text(viewer env.Player) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.spoken(env.TextView(t.eye(viewer).shown, viewer), nobody)
}

// Why says why seat p, which must be asked, can't choose an action now; "" if it can.
func (t *Table) Why(p env.Player, a env.Action) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case p < 0 || t.ref.Actor() != p:
		return "", ErrNotAsked
	}
	if err := t.checkAction(a); err != nil {
		return "", err
	}
	return t.spoken(t.shown.Why(a), p), nil
}

// Game is the game that is played; its states are no business of those who look on.
func (t *Table) Game() env.Game { return t.game }

// Info is the Info of the game.
func (t *Table) Info() *env.Info { return t.info }

// Record is the whole game once it is over; before that it would tell the luck to come.
func (t *Table) Record() (*record.Record, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ref.Actor() != env.Over {
		return nil, errors.New("the record is to be had when the game is over: it holds the seed, and with it the luck " +
			"to come")
	}
	return t.ref.Record(t.names()), nil
}
