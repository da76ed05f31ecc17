package envtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"earthgym/env"
	"earthgym/env/board"
	"earthgym/env/datafile"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/env/registry"
	"earthgym/env/story"
)

// A fault is one thing that is wrong with a game: each function, if there, stands in for that of Kuhn
// poker.
type fault struct {
	name   string
	checks string // that find it, the one that is made for it first: all of them, and no other
	says   string // what the first of them says

	rulebook      func(rb *registry.Rulebook)
	info          func(i *env.Info)
	reset         func(s *faulty, seed uint64, tape *env.Tape)
	actor         func(s *faulty) env.Player
	legal         func(s *faulty, m env.Mask)
	why           func(s *faulty, a env.Action) string
	apply         func(s *faulty, a env.Action, tape *env.Tape)
	observe       func(s *faulty, dst []float32, p env.Player)
	returns       func(s *faulty, dst []float64)
	scores        func(s *faulty, dst []float64)
	winners       func(s *faulty) env.Seats
	reason        func(s *faulty) string
	copyFrom      func(s, src *faulty)
	equal         func(s, other *faulty) bool
	equalPosition func(s, other *faulty) bool
	redeal        func(s *faulty, p env.Player, key uint64)
	write         func(s *faulty, dst []byte) []byte
	known         func(s *faulty, dst []byte, p env.Player) []byte
	read          func(s *faulty, b []byte) error
	patch         func(s *faulty, b []byte) error
	potential     func(s *faulty, p env.Player) float64
	outlook       func(s *faulty, dst []float64) bool
	measures      func(s *faulty, dst []float64)
	depletion     func(s *faulty) float64
	lostBy        func(s *faulty) (bool, env.Seats)
	check         func(s *faulty) error
	text          func(s *faulty, dst []byte, p env.Player) []byte
	svg           func(s *faulty, dst []byte, p env.Player) []byte
	witnessed     func(s *faulty, p env.Player, a env.Action) string
	actorSeen     func(s *faulty, p env.Player) env.Player
	actionText    func(s *faulty, a env.Action) string
	story         func(s *faulty, dst []story.Fact, beats []story.Beat, p env.Player) []story.Fact
	counters      func(s *faulty) []env.Counter
	question      func(s *faulty, p env.Player) string
	about         func(s *faulty, a env.Action) (what, which string)
	effects       func(s *faulty, a env.Action) []env.Effect
}

// faulty is Kuhn poker with a fault.
type faulty struct {
	*kuhn.State
	game  *faultyGame
	extra int  // for faults with something of their own in the position
	alias *int // for faults that share
}

type faultyGame struct {
	*kuhn.Game
	info  *env.Info
	fault *fault
}

func (f *fault) Rulebook() *registry.Rulebook {
	rb := kuhn.Rulebook()
	honest := rb.New
	rb.New = func(v registry.Values, d datafile.File) (env.Game, error) {
		g, err := honest(v, d)
		if err != nil {
			return nil, err
		}
		i := *g.Info()
		if f.info != nil {
			f.info(&i)
		}
		info, err := env.NewInfo(exported(i))
		return &faultyGame{Game: g.(*kuhn.Game), info: info, fault: f}, err
	}
	if f.rulebook != nil {
		f.rulebook(rb)
	}
	return rb
}

// exported is an Info with the fields that NewInfo completes left out.
func exported(i env.Info) env.Info {
	return env.Info{Name: i.Name, Title: i.Title, Text: i.Text, Short: i.Short, Rules: i.Rules, Encoding: i.Encoding,
		DataHash: i.DataHash, Players: i.Players, MostPlayers: i.MostPlayers,
		Traits: i.Traits, Streams: i.Streams, Actions: i.Actions, Features: i.Features, Objects: i.Objects, Ends: i.Ends,
		Measures: i.Measures, MaxDecisions: i.MaxDecisions}
}

func (g *faultyGame) Info() *env.Info { return g.info }
func (g *faultyGame) New() env.State {
	return &faulty{State: g.Game.New().(*kuhn.State), game: g, alias: new(int)}
}

func (s *faulty) Game() env.Game { return s.game }

func (s *faulty) Reset(seed uint64, tape *env.Tape) {
	s.extra = 0
	if f := s.game.fault.reset; f != nil {
		f(s, seed, tape)
		return
	}
	s.State.Reset(seed, tape)
}

func (s *faulty) Actor() env.Player {
	if f := s.game.fault.actor; f != nil {
		return f(s)
	}
	return s.State.Actor()
}

func (s *faulty) Legal(m env.Mask) {
	if f := s.game.fault.legal; f != nil {
		f(s, m)
		return
	}
	s.State.Legal(m)
}

func (s *faulty) Why(a env.Action) string {
	if f := s.game.fault.why; f != nil {
		return f(s, a)
	}
	return s.State.Why(a)
}

func (s *faulty) Apply(a env.Action, tape *env.Tape) {
	if f := s.game.fault.apply; f != nil {
		f(s, a, tape)
		return
	}
	s.State.Apply(a, tape)
}

func (s *faulty) Observe(dst []float32, p env.Player) {
	if f := s.game.fault.observe; f != nil {
		f(s, dst, p)
		return
	}
	s.State.Observe(dst, p)
}

func (s *faulty) Returns(dst []float64) {
	if f := s.game.fault.returns; f != nil {
		f(s, dst)
		return
	}
	s.State.Returns(dst)
}

func (s *faulty) Scores(dst []float64) {
	if f := s.game.fault.scores; f != nil {
		f(s, dst)
		return
	}
	s.State.Scores(dst)
}

func (s *faulty) Winners() env.Seats {
	if f := s.game.fault.winners; f != nil {
		return f(s)
	}
	return s.State.Winners()
}

func (s *faulty) Reason() string {
	if f := s.game.fault.reason; f != nil {
		return f(s)
	}
	return s.State.Reason()
}

func (s *faulty) CopyFrom(src env.State) {
	o := src.(*faulty)
	if f := s.game.fault.copyFrom; f != nil {
		f(s, o)
		return
	}
	s.State.CopyFrom(o.State)
	s.extra, *s.alias = o.extra, *o.alias
}

func (s *faulty) Equal(other env.State) bool {
	o := other.(*faulty)
	if f := s.game.fault.equal; f != nil {
		return f(s, o)
	}
	return s.State.Equal(o.State) && s.extra == o.extra
}

func (s *faulty) EqualPosition(other env.State) bool {
	o := other.(*faulty)
	if f := s.game.fault.equalPosition; f != nil {
		return f(s, o)
	}
	return s.State.EqualPosition(o.State) && s.extra == o.extra
}

func (s *faulty) Redeal(p env.Player, key uint64) {
	if f := s.game.fault.redeal; f != nil {
		f(s, p, key)
		return
	}
	s.State.Redeal(p, key)
}

func (s *faulty) AppendPosition(dst []byte) []byte {
	if f := s.game.fault.write; f != nil {
		return f(s, dst)
	}
	return s.State.AppendPosition(dst)
}

func (s *faulty) AppendKnown(dst []byte, p env.Player) []byte {
	if f := s.game.fault.known; f != nil {
		return f(s, dst, p)
	}
	return s.State.AppendKnown(dst, p)
}

func (s *faulty) ReadPosition(b []byte) error {
	if f := s.game.fault.read; f != nil {
		return f(s, b)
	}
	return s.State.ReadPosition(b)
}

func (s *faulty) PatchPosition(b []byte) error {
	if f := s.game.fault.patch; f != nil {
		return f(s, b)
	}
	return s.State.PatchPosition(b)
}

func (s *faulty) Outlook(dst []float64) bool {
	f := s.game.fault.outlook
	return f != nil && f(s, dst)
}

func (s *faulty) Potential(p env.Player) float64 {
	if f := s.game.fault.potential; f != nil {
		return f(s, p)
	}
	return s.State.Potential(p)
}

func (s *faulty) Measures(dst []float64) {
	if f := s.game.fault.measures; f != nil {
		f(s, dst)
		return
	}
	s.State.Measures(dst)
}

func (s *faulty) Depletion() float64 {
	f := s.game.fault.depletion
	if f == nil {
		return 1
	}
	return f(s)
}

func (s *faulty) LostBy() (bool, env.Seats) {
	f := s.game.fault.lostBy
	if f == nil {
		return false, env.Nobody
	}
	return f(s)
}

func (s *faulty) Check() error {
	if f := s.game.fault.check; f != nil {
		return f(s)
	}
	return s.State.Check()
}

func (s *faulty) AppendText(dst []byte, p env.Player) []byte {
	if f := s.game.fault.text; f != nil {
		return f(s, dst, p)
	}
	return s.State.AppendText(dst, p)
}

func (s *faulty) AppendSVG(dst []byte, p env.Player) []byte {
	if f := s.game.fault.svg; f != nil {
		return f(s, dst, p)
	}
	return s.faultless(dst)
}

// faultless is a board with a piece of each player.
func (s *faulty) faultless(dst []byte) []byte {
	d := board.NewDrawing(dst, "Kuhn poker", 120, 40)
	for q := range s.game.info.Players {
		d.Disc(20+30*float64(q), 20, 12, q, strconv.Itoa(q))
	}
	return d.Bytes()
}

func (s *faulty) AppendStory(dst []story.Fact, before env.State, beats []story.Beat, p env.Player) []story.Fact {
	if f := s.game.fault.story; f != nil {
		return f(s, dst, beats, p)
	}
	return s.State.AppendStory(dst, before, beats, p)
}

func (s *faulty) AppendCounters(dst []env.Counter) []env.Counter {
	if f := s.game.fault.counters; f != nil {
		return append(dst, f(s)...)
	}
	return s.State.AppendCounters(dst)
}

func (s *faulty) Question(p env.Player) string {
	switch f := s.game.fault.question; {
	case s.Actor() == env.Over:
		return ""
	case f != nil:
		return f(s, p)
	}
	return "Bet or pass?"
}

func (s *faulty) About(a env.Action) (what, which string) {
	if f := s.game.fault.about; f != nil {
		return f(s, a)
	}
	return s.game.info.Actions[a].Text, ""
}

func (s *faulty) Inside() string { return "" }

// Effects are that each decision is one more.
func (s *faulty) Effects(a env.Action) []env.Effect {
	if f := s.game.fault.effects; f != nil {
		return f(s, a)
	}
	return decided(env.Effect{By: 1})
}

func (s *faulty) Counters() []env.Counter {
	return []env.Counter{{Player: env.Over, What: "decisions", Value: s.length()}}
}

// decided is an effect on the number of decisions.
func decided(e env.Effect) []env.Effect {
	e.Player, e.What = env.Over, "decisions"
	return []env.Effect{e}
}

func (s *faulty) WitnessedBy(p env.Player, a env.Action) string {
	if f := s.game.fault.witnessed; f != nil {
		return f(s, p, a)
	}
	return env.ActionText(s, a)
}

func (s *faulty) ActorSeenBy(p env.Player) env.Player {
	if f := s.game.fault.actorSeen; f != nil {
		return f(s, p)
	}
	return s.Actor()
}

func (s *faulty) ActionText(a env.Action) string {
	if f := s.game.fault.actionText; f != nil {
		return f(s, a)
	}
	return s.game.info.Actions[a].Text
}

// history is the written position without the cards.
func (s *faulty) history() string {
	_, history, _ := strings.Cut(string(s.State.AppendPosition(nil)), `"history":`)
	return history
}

// length is the number of decisions so far.
func (s *faulty) length() int {
	return strings.Count(s.history(), "pass") + strings.Count(s.history(), "bet")
}

// next is the player after p.
func (s *faulty) next(p env.Player) env.Player { return (p + 1) % env.Player(s.game.info.Players) }

func twice(v float64, dst []float64) {
	for i := range dst {
		dst[i] *= v
	}
}

// faults are grouped by the check that is to find them.
func faults() []fault {
	var calls atomic.Int64 // what a game must not have: something global
	return []fault{
		{name: "none"},

		{name: "another name", checks: "info", says: "the name is",
			info: func(i *env.Info) { i.Name = "poker" }},
		{name: "text that opens another game", checks: "info", says: "its text opens another game: kuhn:players=2 is",
			info: func(i *env.Info) { i.Text = "kuhn:players=2" }},
		{name: "encoding without a version", checks: "info record", says: "encoding version 0; the first is 1",
			info: func(i *env.Info) { i.Encoding = 0 }},
		{name: "feature without help", checks: "info", says: "lacks a name or a help line",
			info: func(i *env.Info) {
				i.Features = slices.Clone(i.Features)
				i.Features[1].Help = ""
			}},
		{name: "layout by variant", checks: "info", says: "the observation layout differs",
			info: func(i *env.Info) {
				i.Features = slices.Clone(i.Features)
				i.Features[1].High = float32(i.Players)
			}},
		{name: "actions by variant", checks: "info", says: "the action table differs",
			info: func(i *env.Info) {
				i.Actions = append(slices.Clone(i.Actions), env.ActionInfo{Family: "raise", Text: fmt.Sprint("raise ", i.Players)})
			},
			why: func(s *faulty, a env.Action) string {
				if a == 2 {
					return "nobody raises"
				}
				return s.State.Why(a)
			}},
		{name: "objects by variant", checks: "info", says: "the objects, or what actions point at, differ",
			info: func(i *env.Info) {
				if i.Players == 3 {
					i.Objects = []env.Objects{{Name: "card", Count: 4, Features: []string{"card"}}}
				}
			}},
		{name: "most players by variant", checks: "info", says: "MostPlayers 2; kuhn:players=2 has MostPlayers 2: it is " +
			"the most",
			info: func(i *env.Info) { i.MostPlayers = 2 }},
		{name: "solo with two seats", checks: "info returns", says: "one seat",
			info: func(i *env.Info) { i.Traits = append([]string{env.Solo}, i.Traits...) }},
		{name: "two streams of one name", checks: "info chance snapshot", says: "each needs a name of its own",
			info: func(i *env.Info) { i.Streams = []string{"cards", "cards"} }},

		{name: "empty mask", checks: "invariants", says: "the mask is empty",
			legal: func(s *faulty, m env.Mask) {
				if s.State.Legal(m); s.length() == 1 {
					m.Clear()
				}
			}},
		{name: "mask after the end", checks: "invariants", says: "the game is over, but the mask has",
			legal: func(s *faulty, m env.Mask) {
				if s.State.Legal(m); s.Actor() == env.Over {
					m.Set(kuhn.Pass)
				}
			}},
		{name: "bit beyond the table", checks: "invariants", says: "the table ends with 1",
			legal: func(s *faulty, m env.Mask) {
				if s.State.Legal(m); s.Actor() != env.Over {
					m.Set(7)
				}
			}},
		{name: "mask that is not cleared", checks: "invariants", says: "the mask has action 63",
			legal: func(s *faulty, m env.Mask) {
				old := m[0] &^ 3
				s.State.Legal(m)
				m[0] |= old
			}},
		{name: "actor without a seat", checks: "invariants", says: "player 5 is to act",
			actor: func(s *faulty) env.Player {
				if s.State.Actor() == 1 {
					return 5
				}
				return s.State.Actor()
			}},
		{name: "broken invariant", checks: "invariants", says: "a card is lost",
			check: func(s *faulty) error {
				if s.length() == 2 {
					return fmt.Errorf("a card is lost")
				}
				return nil
			}},
		{name: "bound too low", checks: "invariants", says: "goes on after 2 decisions",
			info: func(i *env.Info) { i.MaxDecisions = 2 }},
		{name: "panic", checks: "invariants", says: "panic: no such card",
			apply: func(s *faulty, a env.Action, tape *env.Tape) {
				if s.length() == 1 {
					panic("no such card")
				}
				s.State.Apply(a, tape)
			}},

		{name: "silent Why", checks: "reasons", says: "is not in the mask, but Why is silent",
			why: func(s *faulty, a env.Action) string { return "" }},
		{name: "Why against the mask", checks: "reasons", says: "is in the mask, but Why says",
			why: func(s *faulty, a env.Action) string {
				if s.Actor() == env.Over || a == kuhn.Bet {
					return "too bold"
				}
				return ""
			}},
		{name: "Why without a rule", checks: "reasons", says: "names no rule (KU-…)",
			legal: func(s *faulty, m env.Mask) {
				if s.State.Legal(m); s.Actor() != env.Over {
					m[0] = 1 << kuhn.Pass
				}
			},
			why: func(s *faulty, a env.Action) string {
				if s.Actor() == env.Over || a == kuhn.Bet {
					return "not with that card (RE-12)"
				}
				return ""
			}},
		{name: "Why with a rule that there is not", checks: "reasons", says: "names KU-003, which RULES.md does not have",
			legal: func(s *faulty, m env.Mask) {
				if s.State.Legal(m); s.Actor() != env.Over {
					m[0] = 1 << kuhn.Pass
				}
			},
			why: func(s *faulty, a env.Action) string {
				if s.Actor() == env.Over || a == kuhn.Bet {
					return "not with that card (KU-001, KU-003)"
				}
				return ""
			}},

		{name: "Legal that draws", checks: "reading illegal determinism chance position snapshot",
			says: "Legal changes the State",
			legal: func(s *faulty, m env.Mask) {
				s.State.Legal(m)
				s.Luck()[0].Uint64()
			}},

		{name: "return out of range", checks: "returns", says: "not in [-1, 1]",
			returns: func(s *faulty, dst []float64) {
				s.State.Returns(dst)
				twice(2.5, dst)
			}},
		{name: "not zero-sum", checks: "returns", says: "add up to",
			returns: func(s *faulty, dst []float64) {
				if s.State.Returns(dst); s.Actor() == env.Over {
					dst[0] = 0.125
				}
			}},
		{name: "return not written", checks: "returns", says: "returns [0 ",
			returns: func(s *faulty, dst []float64) {
				if s.Actor() == env.Over {
					s.State.Returns(dst)
				} else {
					dst[0] = 0
				}
			}},
		{name: "winner while the game runs", checks: "returns", says: "winners 0 while the game runs",
			winners: func(s *faulty) env.Seats { return env.Only(0) }},
		{name: "winner without a seat", checks: "returns", says: "winners 7",
			winners: func(s *faulty) env.Seats {
				if s.Actor() == env.Over {
					return env.Only(7)
				}
				return env.Nobody
			}},
		{name: "no reason", checks: "returns", says: "without a reason",
			reason: func(s *faulty) string { return "" }},
		{name: "score that is no number", checks: "returns position record vec", says: "the score of player 1 is NaN",
			scores: func(s *faulty, dst []float64) {
				s.State.Scores(dst)
				dst[1] = math.NaN()
			}},
		{name: "shared returns that differ", checks: "returns", says: "all win and lose together",
			rulebook: func(rb *registry.Rulebook) { rb.Traits = []string{env.Cooperative} },
			info:     func(i *env.Info) { i.Traits = []string{env.Cooperative} }},

		{name: "observation left unwritten", checks: "observation", says: "is not written",
			observe: func(s *faulty, dst []float32, p env.Player) {
				last := dst[len(dst)-1]
				s.State.Observe(dst, p)
				dst[len(dst)-1] = last
			}},
		{name: "feature out of range", checks: "observation", says: "seat[",
			observe: func(s *faulty, dst []float32, p env.Player) {
				s.State.Observe(dst, p)
				dst[6+int(p)] = 1.5
			}},
		{name: "measure not written", checks: "observation", says: "the measure \"bets\" is NaN",
			measures: func(*faulty, []float64) {}},
		{name: "potential without end", checks: "observation", says: "the potential is +Inf",
			potential: func(s *faulty, p env.Player) float64 { return math.Inf(1) }},

		{name: "play by a global", checks: "determinism chance copies record vec", says: "two different States",
			reset: func(s *faulty, seed uint64, tape *env.Tape) {
				s.State.Reset(seed+uint64(calls.Add(1)), tape)
			}},
		{name: "reset that leaves something", checks: "determinism", says: "two different States",
			reset: func(s *faulty, seed uint64, tape *env.Tape) {
				s.State.Reset(seed, tape)
				if *s.alias++; *s.alias > 1 {
					s.Luck()[0].Uint64()
				}
			}},

		{name: "tape that shifts the luck", checks: "chance", says: "a logging tape changes the play",
			reset: func(s *faulty, seed uint64, tape *env.Tape) {
				if s.State.Reset(seed, tape); tape != nil {
					s.Luck()[0].Uint64()
				}
			}},
		{name: "chance past the tape", checks: "chance", says: "drawn past the tape",
			apply: func(s *faulty, a env.Action, tape *env.Tape) {
				s.State.Apply(a, tape)
				s.Luck()[0].Uint64()
			}},
		{name: "chance that cannot be forced", checks: "chance", says: "two of its outcomes are written",
			apply: func(s *faulty, a env.Action, tape *env.Tape) {
				s.State.Apply(a, tape)
				tape.Uniform(&s.Luck()[0], env.Everybody, "coin", 2, func(int) string { return "a side" })
			}},
		{name: "chance under a wrong name", checks: "chance record", says: "cannot be forced",
			apply: func(s *faulty, a env.Action, tape *env.Tape) {
				s.State.Apply(a, tape)
				tape.Uniform(&s.Luck()[0], env.Everybody, "a = b", 2, func(i int) string { return fmt.Sprint(i) })
			}},

		{name: "copy that shares", checks: "copies mask effects equal known snapshot secrets redeal record",
			says:     "a copy made here has changed",
			copyFrom: func(s, o *faulty) { s.State = o.State }},
		{name: "copy that forgets the luck", checks: "copies", says: "does not equal its source",
			copyFrom: func(s, o *faulty) {
				luck := slices.Clone(s.Luck())
				s.State.CopyFrom(o.State)
				copy(s.Luck(), luck)
			}},

		{name: "Equal without the luck", checks: "equal", says: "by Equal it is true, the snapshots say false",
			equal: func(s, o *faulty) bool { return s.State.EqualPosition(o.State) }},
		{name: "Equal without a field", checks: "equal", says: "by Equal it is true, the snapshots say false",
			equal: func(s, o *faulty) bool {
				return slices.Equal(s.Luck(), o.Luck()) && s.history() == o.history()
			}},
		{name: "EqualPosition with the luck", checks: "equal position secrets", says: "by EqualPosition it is false",
			equalPosition: func(s, o *faulty) bool { return s.State.Equal(o.State) }},
		{name: "decision that does nothing", checks: "equal effects", says: "could be repeated for ever",
			info: func(i *env.Info) { i.MaxDecisions = 1000 },
			apply: func(s *faulty, a env.Action, tape *env.Tape) {
				if s.length() > 0 || a == kuhn.Pass {
					s.State.Apply(a, tape)
				}
			}},

		{name: "position that loses a field", checks: "position equal known snapshot", says: "EqualPosition says no",
			write: func(s *faulty, dst []byte) []byte {
				return []byte(strings.Replace(string(s.State.AppendPosition(dst)), `,"bet"]`, `]`, 1))
			}},
		{name: "field that the position lacks", checks: "position snapshot", says: "EqualPosition says no",
			apply: func(s *faulty, a env.Action, tape *env.Tape) {
				s.State.Apply(a, tape)
				s.extra += s.length()
			}},
		{name: "position that moves the luck", checks: "position", says: "ReadPosition has changed the luck",
			read: func(s *faulty, b []byte) error {
				s.Luck()[0].Uint64()
				return s.State.ReadPosition(b)
			}},
		{name: "patch that forgets", checks: "position", says: "a patch without a change has changed the State",
			patch: func(s *faulty, _ []byte) error { return s.State.PatchPosition([]byte(`{"history":[]}`)) }},
		{name: "patch that is refused", checks: "position", says: "a patch without a change is refused",
			patch: func(s *faulty, b []byte) error { return s.State.ReadPosition(b) }},
		{name: "half a position", checks: "position", says: "half a position",
			read: func(s *faulty, b []byte) error {
				if s.State.ReadPosition(b) != nil {
					return s.State.ReadPosition(append(slices.Clone(b), '}'))
				}
				return nil
			}},

		{name: "action text that does not parse", checks: "texts record story", says: "is written \"raise\"",
			actionText: func(s *faulty, a env.Action) string { return "raise" }},
		{name: "text that does not append", checks: "texts", says: "AppendText",
			text: func(s *faulty, dst []byte, p env.Player) []byte { return s.State.AppendText(nil, p) }},
		{name: "drawing for a seat that is not closed", checks: "texts board", says: "not well-formed",
			svg: func(s *faulty, dst []byte, p env.Player) []byte {
				if p == env.Spectator {
					return s.faultless(dst)
				}
				return append(dst, "<svg><g></svg>"...)
			}},
		{name: "drawing that is not closed", checks: "board", says: "XML syntax error",
			svg: func(s *faulty, dst []byte, p env.Player) []byte { return append(dst, "<svg><g></svg>"...) }},
		{name: "drawing that cannot be read", checks: "board", says: "has the size 10.7 on a board of 1280 × 880",
			svg: func(s *faulty, dst []byte, p env.Player) []byte {
				return bytes.Replace(s.faultless(dst), []byte(`font-size="16"`), []byte(`font-size="1"`), 1)
			}},
		{name: "text view that is too wide", checks: "board", says: "has 101 columns",
			text: func(s *faulty, dst []byte, p env.Player) []byte {
				return append(s.State.AppendText(dst, p), strings.Repeat("x", 101)...)
			}},
		{name: "decision without a question", checks: "asks", says: `it is "", and the game over: false`,
			question: func(*faulty, env.Player) string { return "" }},
		{name: "question on two lines", checks: "asks", says: "more than one line",
			question: func(*faulty, env.Player) string { return "Bet\nor pass?" }},
		{name: "actions told in the same words", checks: "asks", says: "are both told as",
			about: func(*faulty, env.Action) (string, string) { return "Play", "" }},
		{name: "action without words", checks: "asks", says: "is not told about",
			about: func(*faulty, env.Action) (string, string) { return "", "" }},
		{name: "effect that does not come about", checks: "effects",
			says:    "to change decisions of player -1 by +2, and changes it by +1",
			effects: func(*faulty, env.Action) []env.Effect { return decided(env.Effect{By: 2}) }},
		{name: "effect that is left out", checks: "effects",
			says:    "to change decisions of player -1 by +0, and changes it by +1",
			effects: func(*faulty, env.Action) []env.Effect { return decided(env.Effect{}) }},
		{name: "effect beyond what it is said to be at most", checks: "effects", says: "by -1, and changes it by +1",
			effects: func(*faulty, env.Action) []env.Effect { return decided(env.Effect{By: -1, UpTo: true}) }},
		{name: "effect that nothing has come between", checks: "effects", says: "by +2, and changes it by +1",
			effects: func(*faulty, env.Action) []env.Effect { return decided(env.Effect{By: 2, Unless: true}) }},
		{name: "effect on what is not counted", checks: "effects", says: `there is no counter "money" of player 1`,
			effects: func(*faulty, env.Action) []env.Effect { return []env.Effect{{Player: 1, What: "money", By: 1}} }},
		{name: "effect that tells a secret", checks: "effects", says: "and in a redealt State",
			effects: func(s *faulty, _ env.Action) []env.Effect {
				return decided(env.Effect{By: 1, UpTo: s.Card(s.next(s.Actor())) == 2})
			}},
		{name: "leaky words about an action", checks: "secrets", says: "of its legal actions it is told",
			about: func(s *faulty, a env.Action) (string, string) {
				return s.game.info.Actions[a].Text, fmt.Sprint("against the card ", s.Card(s.next(s.Actor())))
			}},
		{name: "leaky question", checks: "secrets", says: "the question differs",
			question: func(s *faulty, p env.Player) string { return fmt.Sprint(s.Card(s.next(max(p, 0)))) }},
		{name: "notes that change", checks: "record", says: "verify",
			apply: func(s *faulty, a env.Action, tape *env.Tape) {
				s.State.Apply(a, tape)
				tape.Note(env.Everybody, fmt.Sprint("card ", calls.Add(1)))
			}},

		{name: "leaky observation", checks: "secrets", says: "observation card[",
			observe: func(s *faulty, dst []float32, p env.Player) {
				s.State.Observe(dst, p)
				dst[s.Card(s.next(p))] = 1
			}},
		{name: "leaky text", checks: "secrets", says: "the text view differs",
			text: func(s *faulty, dst []byte, p env.Player) []byte {
				if p < 0 {
					return s.State.AppendText(dst, p)
				}
				return fmt.Append(s.State.AppendText(dst, p), s.Card(s.next(p)))
			}},
		{name: "leak to the spectators", checks: "secrets", says: "the spectator's text view differs",
			text: func(s *faulty, dst []byte, p env.Player) []byte {
				if p >= 0 {
					return s.State.AppendText(dst, p)
				}
				return fmt.Append(s.State.AppendText(dst, p), s.Card(0))
			}},
		{name: "leaky drawing", checks: "secrets board", says: "the drawing differs",
			svg: func(s *faulty, dst []byte, p env.Player) []byte {
				return fmt.Appendf(dst, "<svg>%d</svg>", s.Card(s.next(max(p, 0))))
			}},
		{name: "end that is not listed", checks: "returns", says: `ended by "fold", which Info.Ends does not list`,
			info: func(i *env.Info) { i.Ends = slices.Delete(slices.Clone(i.Ends), 1, 2) }},
		{name: "loss that somebody wins", checks: "returns", says: "which Info.Ends calls a loss for all",
			info: func(i *env.Info) {
				i.Ends = slices.Clone(i.Ends)
				i.Ends[1].Loss = true
			}},
		{name: "depletion of more than all", checks: "observation", says: "depletion of what is shared is 1.5, not in [0, 1]",
			depletion: func(*faulty) float64 { return 1.5 }},
		{name: "lost before it is used up", checks: "observation", says: "lost at a depletion of 0.5",
			depletion: func(*faulty) float64 { return 0.5 },
			lostBy:    func(s *faulty) (bool, env.Seats) { return s.Actor() == env.Over, env.Nobody }},
		{name: "lost while the game runs", checks: "observation", says: "lost, and the game goes on",
			lostBy: func(*faulty) (bool, env.Seats) { return true, env.Nobody }},
		{name: "pushed over and not lost", checks: "observation", says: "have pushed over what is not lost",
			lostBy: func(*faulty) (bool, env.Seats) { return false, env.Only(0) }},
		{name: "pushed over by no seat", checks: "observation", says: "seats [7] have pushed it over",
			lostBy: func(s *faulty) (bool, env.Seats) {
				if s.Actor() != env.Over {
					return false, env.Nobody
				}
				return true, env.Only(7)
			}},
		{name: "outlook beyond all returns", checks: "observation", says: "the outlook of seat 0 is 2, not in [-1, 1]",
			outlook: func(s *faulty, dst []float64) bool { dst[0] = 2; return s.Actor() != env.Over }},
		{name: "outlook of the end", checks: "observation", says: "the outlook is that of a game that is over",
			outlook: func(s *faulty, dst []float64) bool { clear(dst); return true }},
		{name: "outlook written and withdrawn", checks: "observation", says: "the outlook of seat 1 is written though it " +
			"can't be said",
			outlook: func(s *faulty, dst []float64) bool { dst[1] = 0; return false }},
		{name: "leaky potential", checks: "secrets", says: "the potential is",
			potential: func(s *faulty, p env.Player) float64 { return float64(s.Card(s.next(p))) / 9 }},
		{name: "leaky mask", checks: "secrets", says: "its legal actions are",
			legal: func(s *faulty, m env.Mask) {
				if s.State.Legal(m); s.Actor() != env.Over && s.Card(s.next(s.Actor())) == 2 {
					m[0] = 1 << kuhn.Pass
				}
			},
			why: func(s *faulty, a env.Action) string {
				if why := s.State.Why(a); why != "" || a == kuhn.Pass || s.Card(s.next(s.Actor())) != 2 {
					return why
				}
				return "too risky"
			}},
		{name: "leaky Why", checks: "secrets", says: "why \"bet\" is not legal reads",
			legal: func(s *faulty, m env.Mask) {
				if s.State.Legal(m); s.Actor() != env.Over {
					m[0] = 1 << kuhn.Pass
				}
			},
			why: func(s *faulty, a env.Action) string {
				if s.Actor() == env.Over || a == kuhn.Bet {
					return fmt.Sprint("the other holds card ", s.Card(s.next(max(s.Actor(), 0))))
				}
				return ""
			}},
		{name: "leaky witness", checks: "secrets story", says: "it sees \"pass\" as",
			witnessed: func(s *faulty, p env.Player, a env.Action) string {
				return fmt.Sprintf("%s on card %d", s.game.info.Actions[a].Text, s.Card(s.Actor()))
			}},
		{name: "leaky actor", checks: "secrets", says: "the actor it is told",
			actorSeen: func(s *faulty, p env.Player) env.Player {
				if p >= 0 && s.Actor() != p && s.Card(s.next(p)) == 1 {
					return env.Hidden
				}
				return s.Actor()
			}},
		{name: "leaky story", checks: "story", says: "with everything that it can't know redealt",
			story: func(s *faulty, dst []story.Fact, beats []story.Beat, p env.Player) []story.Fact {
				dst = s.State.AppendStory(dst, nil, beats, p)
				return append(dst, story.Fact{Key: "wins", Player: env.Player(s.Card(0))})
			}},
		{name: "story that leaves something out", checks: "story", says: "no sentence tells",
			story: func(s *faulty, dst []story.Fact, beats []story.Beat, p env.Player) []story.Fact {
				if len(beats) == 0 {
					return dst
				}
				return s.State.AppendStory(dst, nil, beats[1:], p)
			}},
		{name: "story of somebody else", checks: "story", says: "acted",
			story: func(s *faulty, dst []story.Fact, beats []story.Beat, p env.Player) []story.Fact {
				if len(beats) > 0 && beats[0].Kind == env.SeenAction {
					beats[0].Player = s.next(beats[0].Player)
				}
				return s.State.AppendStory(dst, nil, beats, p)
			}},
		{name: "story of nobody at the table", checks: "story", says: "there is no player 7",
			story: func(s *faulty, dst []story.Fact, beats []story.Beat, p env.Player) []story.Fact {
				return append(s.State.AppendStory(dst, nil, beats, p), story.Fact{Key: "bet", Player: 7})
			}},
		{name: "change beside another sentence", checks: "story", says: "chips is told to be at",
			story: func(s *faulty, dst []story.Fact, beats []story.Beat, p env.Player) []story.Fact {
				if last := len(beats) - 1; last > 0 {
					beats[0].Changes, beats[last].Changes = beats[last].Changes, nil
				}
				return s.State.AppendStory(dst, nil, beats, p)
			}},
		{name: "change that is not told", checks: "story", says: "chips is told to be at",
			story: func(s *faulty, dst []story.Fact, beats []story.Beat, p env.Player) []story.Fact {
				for i := range beats {
					beats[i].Changes = nil
				}
				return s.State.AppendStory(dst, nil, beats, p)
			}},
		{name: "change that was another", checks: "story", says: "it is told to be at",
			story: func(s *faulty, dst []story.Fact, beats []story.Beat, p env.Player) []story.Fact {
				for _, b := range beats {
					for i := range b.Changes {
						b.Changes[i].By++
					}
				}
				return s.State.AppendStory(dst, nil, beats, p)
			}},
		{name: "story without a word for it", checks: "story", says: "the catalogue has no sentence \"deal\"",
			story: func(s *faulty, dst []story.Fact, beats []story.Beat, p env.Player) []story.Fact {
				return append(dst, story.Fact{Key: "deal", Tells: len(beats)})
			}},
		{name: "secret among the public numbers", checks: "story", says: "the public numbers",
			counters: func(s *faulty) []env.Counter { return []env.Counter{{What: "chips", Value: s.Card(0)}} }},
		{name: "redeal that deals nothing", checks: "secrets known", says: "no redeal has changed anything",
			redeal: func(s *faulty, p env.Player, key uint64) { env.RedealStreams(s.Luck(), s.game.info.Streams, key) }},
		{name: "redeal of a finished game", checks: "secrets known redeal story", says: "observation card[",
			redeal: func(s *faulty, p env.Player, key uint64) {
				if s.Actor() != env.Over {
					s.State.Redeal(p, key)
					return
				}
				env.RedealStreams(s.Luck(), s.game.info.Streams, key)
				swap(s)
			}},
		{name: "redeal to a broken game", checks: "secrets", says: "redealt",
			redeal: func(s *faulty, p env.Player, key uint64) {
				if s.State.Redeal(p, key); s.Actor() != env.Over {
					s.extra = 1
				}
			},
			equal:         func(s, o *faulty) bool { return s.State.Equal(o.State) },
			equalPosition: func(s, o *faulty) bool { return s.State.EqualPosition(o.State) },
			check: func(s *faulty) error {
				if s.extra != 0 {
					return fmt.Errorf("two kings")
				}
				return s.State.Check()
			}},

		{name: "position that tells a secret", checks: "known", says: "may not know all that it is said to know",
			known: func(s *faulty, dst []byte, _ env.Player) []byte { return s.State.AppendPosition(dst) }},
		{name: "known position that is untrue", checks: "known", says: "history is [\"bet\"], and [] in truth",
			known: func(s *faulty, dst []byte, p env.Player) []byte { return append(dst, `{"history":["bet"]}`...) }},
		{name: "position that hides what all know", checks: "known", says: "history of the position is kept from somebody",
			known: func(s *faulty, dst []byte, p env.Player) []byte { return append(dst, "{}"...) }},

		{name: "redeal by the true cards", checks: "redeal", says: "depends on what it cannot know",
			redeal: func(s *faulty, p env.Player, key uint64) {
				s.State.Redeal(p, key+uint64(s.Card(s.next(p))))
			}},
		{name: "redeal that keeps a stream", checks: "redeal", says: "is the true stream",
			redeal: func(s *faulty, p env.Player, key uint64) {
				luck := slices.Clone(s.Luck())
				s.State.Redeal(p, key)
				copy(s.Luck(), luck)
			}},
		{name: "redeal without the key", checks: "redeal", says: "redeals for player 0 with two keys share",
			redeal: func(s *faulty, p env.Player, key uint64) { s.State.Redeal(p, 1) }},
		{name: "redeal by a global", checks: "redeal", says: "with one key differ",
			redeal: func(s *faulty, p env.Player, key uint64) {
				s.State.Redeal(p, key+uint64(calls.Add(1)))
			}},

		{name: "step that allocates", checks: "allocations", says: "in Reset, Actor and Apply",
			apply: func(s *faulty, a env.Action, tape *env.Tape) {
				s.alias = new(int)
				s.State.Apply(a, tape)
			}},
		{name: "observation that allocates", checks: "allocations", says: "in Observe",
			observe: func(s *faulty, dst []float32, p env.Player) {
				s.alias = new(int)
				s.State.Observe(dst, p)
			}},
		{name: "redeal that allocates", checks: "allocations", says: "in CopyFrom and Redeal",
			redeal: func(s *faulty, p env.Player, key uint64) {
				s.alias = new(int)
				s.State.Redeal(p, key)
			}},
	}
}

// swap exchanges the cards of the first two players.
func swap(s *faulty) {
	var position struct {
		Cards   []string `json:"cards"`
		History []string `json:"history"`
	}
	if err := json.Unmarshal(s.State.AppendPosition(nil), &position); err != nil {
		panic(err)
	}
	position.Cards[0], position.Cards[1] = position.Cards[1], position.Cards[0]
	b, err := json.Marshal(position)
	if err == nil {
		err = s.State.ReadPosition(b)
	}
	if err != nil {
		panic(err)
	}
}
func TestFaults(t *testing.T) {
	NothingToRace(t) // but what Vec has tests of its own for
	for _, f := range faults() {
		t.Run(f.name, func(t *testing.T) {
			book := ""
			if strings.Contains(f.says, "KU-") {
				book = "| KU-001 |\n| KU-002 |\n"
			}
			config := Config{Weights: map[string]float64{"bet": 2}, Games: 2, rules: RulesOf([]byte(book))}
			subjects := must.Have(newSubjects(f.Rulebook(), config))(t)
			failed := failures(subjects)
			want := strings.Fields(f.checks)
			for _, c := range checks {
				// What some faults are made of allocates.
				if err := failed[c.name]; (err != nil) != slices.Contains(want, c.name) && (c.name != "allocations" || err == nil) {
					t.Errorf("%s finds: %v", c.name, err)
				}
			}
			if len(want) > 0 && failed[want[0]] != nil && !strings.Contains(failed[want[0]].Error(), f.says) {
				t.Errorf("%s says %v\nwant %q", want[0], failed[want[0]], f.says)
			}
		})
	}
}

// failures are the first ones of each check for any of the subjects.
func failures(subjects []*subject) map[string]error {
	failed := map[string]error{}
	for _, s := range subjects {
		s.conform(func(c check) bool {
			err := s.run(c)
			if failed[c.name] == nil {
				failed[c.name] = err
			}
			return err == nil
		})
	}
	if failed["known"] == nil {
		failed["known"] = subjects[0].secrets.idle(nil)
	}
	return failed
}
