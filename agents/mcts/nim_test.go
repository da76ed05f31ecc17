package mcts

import (
	"fmt"

	"earthgym/env"
)

// Nim is a game with a known answer: from a pile two players take one to three stones in turn, and whoever takes the
// last one wins. With wind, after each turn a stone may be blown away, which nobody has taken: if it was the last, the
// one who has just played wins. By dynamic programming every position has a value.

const mostStones = 24

type nim struct {
	info *env.Info
	pile int8
	wind int // of four, how often a stone is blown away
}

func newNim(pile, wind int) *nim {
	g := &nim{pile: int8(pile), wind: wind}
	var actions []env.ActionInfo
	for n := 1; n <= 3; n++ {
		actions = append(actions, env.ActionInfo{Family: "take", Args: []string{fmt.Sprint(n)}, Text: fmt.Sprint("take ", n)})
	}
	info, err := env.NewInfo(env.Info{
		Name: "nim", Title: "Nim", Text: "nim", Rules: 1, Players: 2, Traits: []string{env.Competitive},
		Streams: []string{"wind"}, Actions: actions, MaxDecisions: mostStones,
		Features: []env.Feature{{Name: "pile", Shape: []int{1}, High: mostStones, Help: "stones"}},
	})
	if err != nil {
		panic(err)
	}
	g.info = info
	return g
}

func (g *nim) Info() *env.Info { return g.info }
func (g *nim) New() env.State  { return &nimState{game: g} }

// value is what the player to move may expect, and take the number of stones that gets it.
func (g *nim) value(pile int) (value float64, take int) {
	value = -2
	for n := 1; n <= min(3, pile); n++ {
		x := 1.0
		if left := pile - n; left > 0 {
			after := func(left int) float64 {
				if left == 0 {
					return 1
				}
				v, _ := g.value(left)
				return -v
			}
			w := float64(g.wind) / 4
			x = w*after(left-1) + (1-w)*after(left)
		}
		if x > value {
			value, take = x, n
		}
	}
	return value, take
}

type nimState struct {
	env.State // what search doesn't ask
	game      *nim
	pile      int8
	actor     env.Player
	last      env.Player
	luck      [1]env.Stream
}

func (s *nimState) Game() env.Game { return s.game }
func (s *nimState) Reset(seed uint64, _ *env.Tape) {
	s.pile, s.actor = s.game.pile, 0
	env.SeedStreams(s.luck[:], s.game.info.Streams, seed)
}
func (s *nimState) Actor() env.Player {
	if s.pile == 0 {
		return env.Over
	}
	return s.actor
}
func (s *nimState) Legal(m env.Mask) {
	m.Clear()
	for n := int8(1); n <= min(3, s.pile); n++ {
		m.Set(env.Action(n - 1))
	}
}
func (s *nimState) Apply(a env.Action, tape *env.Tape) {
	s.pile -= int8(a) + 1
	s.last = s.actor
	if s.pile > 0 && s.luck[0].Below(4) < s.game.wind {
		s.pile--
	}
	s.actor = 1 - s.actor
}
func (s *nimState) Observe(dst []float32, _ env.Player) { dst[0] = float32(s.pile) }
func (s *nimState) Returns(dst []float64) {
	dst[s.last], dst[1-s.last] = 1, -1
}
func (s *nimState) Luck() []env.Stream         { return s.luck[:] }
func (s *nimState) Equal(other env.State) bool { return *s == *other.(*nimState) }
func (s *nimState) CopyFrom(src env.State)     { *s = *src.(*nimState) }
func (s *nimState) Redeal(_ env.Player, key uint64) {
	env.RedealStreams(s.luck[:], s.game.info.Streams, key)
}

// A coin is a game in which who is forced is a secret: seat 1 begins, by anything; seat 0, who knows how the coin lies,
// passes or, only if it shows heads, may show it, which loses; and seat 1 guesses.
type coin struct{ info *env.Info }

func newCoin() *coin {
	info, err := env.NewInfo(env.Info{
		Name: "coin", Title: "Coin", Text: "coin", Rules: 1, Players: 2, Traits: []string{env.Competitive, env.HiddenInfo},
		Streams: []string{"coin"},
		Actions: []env.ActionInfo{{Family: "say", Args: []string{"0"}, Text: "say 0"},
			{Family: "say", Args: []string{"1"}, Text: "say 1"}},
		Features:     []env.Feature{{Name: "said", Shape: []int{1}, High: 3, Help: "how much was said"}},
		MaxDecisions: 3,
	})
	if err != nil {
		panic(err)
	}
	return &coin{info}
}

func (g *coin) Info() *env.Info { return g.info }
func (g *coin) New() env.State  { return &coinState{game: g} }

type coinState struct {
	env.State // what search doesn't ask
	game      *coin
	tails     bool
	said      int8
	won       float64 // by seat 1, once it is over
	luck      [1]env.Stream
}

func (s *coinState) Game() env.Game { return s.game }
func (s *coinState) Reset(seed uint64, _ *env.Tape) {
	env.SeedStreams(s.luck[:], s.game.info.Streams, seed)
	s.tails, s.said, s.won = s.luck[0].Below(2) == 1, 0, 0
}
func (s *coinState) Actor() env.Player {
	return [...]env.Player{1, 0, 1, env.Over}[s.said]
}
func (s *coinState) Legal(m env.Mask) {
	m.Clear()
	m.Set(0)
	if s.said != 1 || !s.tails {
		m.Set(1)
	}
}
func (s *coinState) Apply(a env.Action, _ *env.Tape) {
	s.said++
	switch {
	case s.said == 2 && a == 1:
		s.said, s.won = 3, 1
	case s.said == 3 && (a == 1) == s.tails:
		s.won = 1
	case s.said == 3:
		s.won = -1
	}
}
func (s *coinState) Observe(dst []float32, _ env.Player) { dst[0] = float32(s.said) }
func (s *coinState) Returns(dst []float64)               { dst[0], dst[1] = -s.won, s.won }
func (s *coinState) Luck() []env.Stream                  { return s.luck[:] }
func (s *coinState) Equal(other env.State) bool          { return *s == *other.(*coinState) }
func (s *coinState) CopyFrom(src env.State)              { *s = *src.(*coinState) }
func (s *coinState) Redeal(p env.Player, key uint64) {
	env.RedealStreams(s.luck[:], s.game.info.Streams, key)
	if p == 1 && s.said < 3 {
		s.tails = s.luck[0].Below(2) == 1
	}
}
