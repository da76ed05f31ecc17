// Package nim is the subtraction game: two players take one, two or three stones in turn from a heap of random
// size, and whoever takes the last one wins. It is all that a game without secrets needs to be.
package nim

import (
	_ "embed"
	"fmt"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/form"
	"earthgym/env/registry"
)

//go:embed data.toml
var data []byte

const (
	mostTaken = 3
	mostHeap  = 60
)

// Rulebook is the game as it stands in a registry.
func Rulebook() *registry.Rulebook {
	return &registry.Rulebook{
		Name:   "nim",
		Title:  "Nim",
		Traits: []string{env.Competitive},
		Options: []registry.Option{{Name: "heap", Kind: registry.Int, Min: 4, Max: mostHeap, Default: "21",
			Help: "stones, at most"}},
		Variants: []string{"nim", "nim:heap=60"},
		Data:     data,
		New:      open,
	}
}

type decision = form.Decision[State, struct{}]

// act is the action table: take [stones - 1].
var act = newActions()

func newActions() (t struct {
	form.Actions
	take form.Block
}) {
	t.take = t.Each("take", "take", "", form.Numerals(1, mostTaken))
	return t
}

// decisions is the table of what is asked: a turn, and nothing once the heap is gone.
func decisions() [2]decision {
	return [...]decision{
		{
			Name: "turn", Asks: "how many stones are taken",
			Seat: func(s *State) env.Player { return env.Player(s.position.next) },
			Moves: []form.Move[State, struct{}]{{
				Block: act.take,
				Needs: []form.Need[State]{{
					Each: func(s *State, _ env.Player) uint64 { return form.Below(int(s.position.heap)) },
					Why:  func(s *State, _ env.Player, _ int) string { return fmt.Sprintf("there are %d stones", s.position.heap) },
				}},
				Play: (*State).take,
			}},
		},
		{Name: "over", Asks: "the heap is gone"},
	}
}

// Game is one configuration.
type Game struct {
	info      *env.Info
	heap      int
	decisions [2]decision
}

func open(v registry.Values, file datafile.File) (env.Game, error) {
	var sheet struct {
		Game string `toml:"game"`
	}
	if _, err := file.Decode(&sheet); err != nil {
		return nil, err
	}
	features, err := form.Features[observation](form.Axes{"left": {"nothing", "one", "two", "three"}})
	if err != nil {
		return nil, err
	}
	g := &Game{heap: v.Int("heap"), decisions: decisions()}
	g.info, err = env.NewInfo(env.Info{
		Name: "nim", Title: "Nim", Text: Rulebook().GameText(v), Short: Rulebook().ShortText(v), Rules: 1, Encoding: 1,
		DataHash: datafile.Hash(sheet), Players: 2, Traits: []string{env.Competitive}, Streams: []string{"heap"},
		Actions: act.ActionTable, Features: features, Ends: []env.Ending{{Name: "empty", Help: "the heap is gone"}},
		MaxDecisions: g.heap,
	})
	return g, err
}

// Info is static.
func (g *Game) Info() *env.Info { return g.info }

// New makes a State.
func (g *Game) New() env.State { return &State{game: g} }

// State is a heap and who takes next.
type State struct {
	game     *Game
	position position
	luck     [1]env.Stream
}

type position struct{ heap, next int8 }

// Game is the configuration.
func (s *State) Game() env.Game { return s.game }

// Reset makes a heap.
func (s *State) Reset(seed uint64, tape *env.Tape) {
	env.SeedStreams(s.luck[:], s.game.info.Streams, seed)
	less := tape.Uniform(&s.luck[0], env.Everybody, "heap", mostTaken+1,
		func(i int) string { return fmt.Sprint(s.game.heap - i) })
	s.position = position{heap: int8(s.game.heap - less)}
}

func (s *State) row() *decision {
	if s.position.heap == 0 {
		return &s.game.decisions[1]
	}
	return &s.game.decisions[0]
}

// Actor takes next, as long as there is something to take.
func (s *State) Actor() env.Player { return s.row().Actor(s) }

// Legal is what there is to take.
func (s *State) Legal(m env.Mask) { s.row().Mask(s, s.Actor(), m) }

// Why says what there is not.
func (s *State) Why(a env.Action) string { return s.row().Refusal(s, s.Actor(), a, s.game.info) }

// Apply takes stones.
func (s *State) Apply(a env.Action, tape *env.Tape) { s.row().Apply(s, s.Actor(), a, tape) }

func (s *State) take(_ env.Player, i int, _ *env.Tape) {
	s.position.heap -= int8(i) + 1
	s.position.next = 1 - s.position.next
}

// observation declares what is seen.
type observation struct {
	Heap float32                `help:"stones / 60"`
	Left [mostTaken + 1]float32 `axes:"left" help:"stones modulo 4, one-hot"`
}

// Observe writes the heap: both see the same.
func (s *State) Observe(dst []float32, _ env.Player) {
	o := form.Observation[observation](dst)
	*o = observation{Heap: float32(s.position.heap) / mostHeap}
	o.Left[s.position.heap%(mostTaken+1)] = 1
}

// Winners is who took the last stone.
func (s *State) Winners() env.Seats {
	if s.position.heap > 0 {
		return env.Nobody
	}
	return env.Only(env.Player(1 - s.position.next))
}

// Returns are 1 and -1.
func (s *State) Returns(dst []float64) {
	clear(dst)
	for p := range dst {
		if w := s.Winners(); w != env.Nobody {
			dst[p] = -1
			if w.Has(env.Player(p)) {
				dst[p] = 1
			}
		}
	}
}

// Scores are 1 for the winner.
func (s *State) Scores(dst []float64) {
	for p := range dst {
		dst[p] = 0
		if s.Winners().Has(env.Player(p)) {
			dst[p] = 1
		}
	}
}

// Reason is that nothing is left.
func (s *State) Reason() string {
	if s.position.heap > 0 {
		return ""
	}
	return "empty"
}

// CopyFrom is one assignment.
func (s *State) CopyFrom(src env.State) { *s = *src.(*State) }

// Equal compares everything.
func (s *State) Equal(other env.State) bool { return *s == *other.(*State) }

// EqualPosition compares all but the luck.
func (s *State) EqualPosition(other env.State) bool {
	o := other.(*State)
	return s.game == o.game && s.position == o.position
}

// Luck is the stream of the heap.
func (s *State) Luck() []env.Stream { return s.luck[:] }

// Redeal has nothing to deal: all is seen.
func (s *State) Redeal(_ env.Player, key uint64) {
	env.RedealStreams(s.luck[:], s.game.info.Streams, key)
}

// form declares the position.
func (s *State) form(f *form.Position) {
	form.Int(f, "heap", &s.position.heap, 0, s.game.heap)
	form.Int(f, "next", &s.position.next, 0, 1)
}

// AppendPosition writes it.
func (s *State) AppendPosition(dst []byte) []byte { return form.AppendPosition(dst, s.form) }

// AppendKnown writes what a seat may know of it.
func (s *State) AppendKnown(dst []byte, p env.Player) []byte { return form.AppendKnown(dst, p, s.form) }

// ReadPosition reads it.
func (s *State) ReadPosition(b []byte) error {
	return form.ReadPosition(b, s, State{game: s.game, luck: s.luck}, (*State).form, func(*State) error { return nil })
}
