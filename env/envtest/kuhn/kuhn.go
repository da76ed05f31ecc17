// Package kuhn is the test game: Kuhn poker for two or three players, with chance, a hidden card each,
// and a known solution. It is not listed among the games.
//
// Each player antes and gets one card of a deck that has one card more than there are players. In
// turn a player passes or bets; once somebody has bet, each other player, clockwise, bets too (calls)
// or passes (folds), once. The highest card among those who stayed in takes the pot.
//
// With two players and the printed stakes, the first player loses 1/18 of an ante a game if both play
// well. (Kuhn, A simplified two-person poker, 1950.) Returns are chips over the most that can be won.
package kuhn

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/form"
	"earthgym/env/registry"
)

//go:embed data.toml
var data []byte

const (
	maxPlayers   = 3
	maxDecisions = 2*maxPlayers - 1
	numCards     = maxPlayers + 1
)

// The actions.
const (
	Pass env.Action = iota
	Bet
	numActions
)

var actionNames = [numActions]string{"pass", "bet"}

// act is the action table: one block, of two words.
var act = newActions()

func newActions() (t struct {
	form.Actions
	answer form.Block // [action]
}) {
	t.Words(actionNames[:]...)
	t.answer = t.From(0, 1)
	return t
}

// The decisions: there is one, until the game is over.
const (
	atTurn = iota
	over
	numDecisions
)

// decisions is the table of what is asked.
func decisions() [numDecisions]form.Decision[State, struct{}] {
	return [numDecisions]form.Decision[State, struct{}]{
		atTurn: {
			Name: "turn", Asks: "pass or bet",
			Seat:  (*State).next,
			Moves: []form.Move[State, struct{}]{{Block: act.answer, Play: (*State).answer}},
		},
		over: {Name: "over", Asks: "the game is over"},
	}
}

// Value is the return of the first of two players when both play well: -1/18 of an ante, over the two
// chips that can be won.
const Value = -1.0 / 18 / 2

var cardNames = [numCards]string{"jack", "queen", "king", "ace"}

// Rulebook is Kuhn poker.
func Rulebook() *registry.Rulebook {
	return &registry.Rulebook{
		Name:   "kuhn",
		Title:  "Kuhn poker",
		Traits: []string{env.Competitive, env.HiddenInfo},
		Options: []registry.Option{{Name: "players", Kind: registry.Int, Min: 2, Max: maxPlayers, Default: "2",
			Help: "number of seats"}},
		Variants: []string{"kuhn:players=2", "kuhn:players=3"},
		Data:     data,
		New:      open,
	}
}

// Open is the game for a number of players, with the printed stakes.
func Open(players int) *Game {
	g, err := Rulebook().Open("players="+strconv.Itoa(players), datafile.File{})
	if err != nil {
		panic(err)
	}
	return g.(*Game)
}

type stakes struct {
	Game string `toml:"game"`
	Ante int    `toml:"ante" low:"1" high:"99"`
	Bet  int    `toml:"bet" low:"1" high:"99"`
}

// Game is Kuhn poker for a number of players.
type Game struct {
	info      *env.Info
	stakes    stakes
	players   int
	decisions [numDecisions]form.Decision[State, struct{}]
}

func open(v registry.Values, d datafile.File) (env.Game, error) {
	g := &Game{players: v.Int("players"), decisions: decisions()}
	if _, err := d.Decode(&g.stakes); err != nil {
		return nil, err
	}
	features, err := form.Features[observation](form.Axes{"card": cardNames[:], "players": {"2", "3"},
		"action": actionNames[:]})
	if err != nil {
		return nil, err
	}
	g.info, err = env.NewInfo(env.Info{
		Name: "kuhn", Title: "Kuhn poker", Text: Rulebook().GameText(v), Short: Rulebook().ShortText(v),
		Rules: 1, Encoding: 1, DataHash: datafile.Hash(g.stakes), Players: g.players, MostPlayers: maxPlayers,
		Traits:   []string{env.Competitive, env.HiddenInfo},
		Streams:  []string{"cards"},
		Actions:  act.ActionTable,
		Features: features,
		Ends: []env.Ending{
			{Name: "showdown", Help: "cards are compared"},
			{Name: "fold", Help: "all but one have folded"},
			{Name: "checked", Help: "nobody has bet, and cards are compared"},
		},
		Measures:     []env.Measure{{Name: "bets", Help: "players who have bet, 0 to 3"}},
		MaxDecisions: 2*g.players - 1,
	})
	return g, err
}

// Info is static.
func (g *Game) Info() *env.Info { return g.info }

// New makes a State.
func (g *Game) New() env.State { return &State{game: g} }

// State is a deal and what has been done on it.
type State struct {
	game     *Game
	position position
	luck     [1]env.Stream
}

type position struct {
	cards   [maxPlayers]int8
	history [maxDecisions]int8 // unused places are 0
	length  int8
}

// Game is the configuration.
func (s *State) Game() env.Game { return s.game }

// Luck is the stream of the deal.
func (s *State) Luck() []env.Stream { return s.luck[:] }

// Card is the card that a player holds, 0 for the jack.
func (s *State) Card(p env.Player) int { return int(s.position.cards[p]) }

// Reset deals.
func (s *State) Reset(seed uint64, tape *env.Tape) {
	s.position = position{}
	env.SeedStreams(s.luck[:], s.game.info.Streams, seed)
	var left [numCards]int8
	n := s.game.players + 1
	for c := range n {
		left[c] = int8(c)
	}
	for p := range s.game.players {
		i := tape.Uniform(&s.luck[0], env.Only(env.Player(p)), dealNames[p], n-p,
			func(i int) string { return cardNames[left[i]] })
		s.position.cards[p] = left[i]
		copy(left[i:], left[i+1:])
	}
}

var dealNames = [maxPlayers]string{"card 0", "card 1", "card 2"}

// bettor is who bet first, and whether anybody has.
func (s *State) bettor() (env.Player, bool) {
	for i := range s.position.length {
		if s.position.history[i] == int8(Bet) {
			return env.Player(int(i) % s.game.players), true
		}
	}
	return 0, false
}

// ended says whether all have passed, or all have answered a bet.
func (s *State) ended() bool {
	n, length := s.game.players, int(s.position.length)
	p, ok := s.bettor()
	return ok && length == int(p)+n || !ok && length == n
}

// row is the kind of decision that is asked for.
func (s *State) row() *form.Decision[State, struct{}] {
	if s.ended() {
		return &s.game.decisions[over]
	}
	return &s.game.decisions[atTurn]
}

// next is the next player clockwise.
func (s *State) next() env.Player { return env.Player(int(s.position.length) % s.game.players) }

// Actor, Legal, Why and Apply go by the table.
func (s *State) Actor() env.Player { return s.row().Actor(s) }

// Legal is both actions, as long as the game runs.
func (s *State) Legal(m env.Mask) { s.row().Mask(s, s.Actor(), m) }

// Why never has anything to say while the game runs.
func (s *State) Why(a env.Action) string { return s.row().Refusal(s, s.Actor(), a, s.game.info) }

// Apply passes or bets.
func (s *State) Apply(a env.Action, tape *env.Tape) { s.row().Apply(s, s.Actor(), a, tape) }

// answer passes or bets. After the last decision the cards are shown, and the chips go over.
func (s *State) answer(_ env.Player, i int, tape *env.Tape) {
	after := *s
	after.position.history[after.position.length] = int8(i)
	after.position.length++
	if tape != nil && after.ended() {
		_, bet := after.bettor()
		for p := range s.game.players {
			if !bet || after.stayed(env.Player(p)) {
				tape.Reveal(env.Everybody, fmt.Sprintf("player %d shows the %s", p, cardNames[s.position.cards[p]]))
			}
		}
		tape.Mark("showdown", after.winner())
	}
	*s = after
}

// stayed says whether p has bet.
func (s *State) stayed(p env.Player) bool {
	for i := int(p); i < int(s.position.length); i += s.game.players {
		if s.position.history[i] == int8(Bet) {
			return true
		}
	}
	return false
}

// winner is the highest card among those who bet, or among all if nobody did.
func (s *State) winner() env.Player {
	_, bet := s.bettor()
	best := env.Player(-1)
	for p := range env.Player(s.game.players) {
		if (!bet || s.stayed(p)) && (best < 0 || s.position.cards[p] > s.position.cards[best]) {
			best = p
		}
	}
	return best
}

// Scores are the chips won and lost, as if the game ended now.
func (s *State) Scores(dst []float64) {
	pot := 0.0
	for p := range s.game.players {
		paid := float64(s.game.stakes.Ante)
		if s.stayed(env.Player(p)) {
			paid += float64(s.game.stakes.Bet)
		}
		dst[p] = -paid
		pot += paid
	}
	dst[s.winner()] += pot
}

// Measures is how many have bet.
func (s *State) Measures(dst []float64) {
	dst[0] = 0
	for p := range env.Player(s.game.players) {
		if s.stayed(p) {
			dst[0]++
		}
	}
}

// Returns are the chips over the most that can be won.
func (s *State) Returns(dst []float64) {
	clear(dst)
	if s.Actor() != env.Over {
		return
	}
	s.Scores(dst)
	most := float64((s.game.players - 1) * (s.game.stakes.Ante + s.game.stakes.Bet))
	for p := range dst {
		dst[p] /= most
	}
}

// Winners is the one who takes the pot.
func (s *State) Winners() env.Seats {
	if s.Actor() != env.Over {
		return env.Nobody
	}
	return env.Only(s.winner())
}

// Reason is showdown, fold (all but one), or checked (nobody bet).
func (s *State) Reason() string {
	if s.Actor() != env.Over {
		return ""
	}
	in := 0
	for p := range s.game.players {
		if s.stayed(env.Player(p)) {
			in++
		}
	}
	switch in {
	case 0:
		return "checked"
	case 1:
		return "fold"
	}
	return "showdown"
}

// observation declares the layout, which is the same for every number of players.
type observation struct {
	Card    [numCards]float32                 `axes:"card" scope:"own" help:"own card, one-hot: jack, queen, king, ace"`
	Players [maxPlayers - 1]float32           `axes:"players" help:"number of players, one-hot from 2"`
	Seat    [maxPlayers]float32               `scope:"own" help:"own seat from the first to act, one-hot"`
	History [maxDecisions][numActions]float32 `axes:",action" help:"decision by decision: pass, bet"`
}

// Observe writes the own card and the open history.
func (s *State) Observe(dst []float32, p env.Player) {
	o := form.Observation[observation](dst)
	*o = observation{}
	o.Card[s.position.cards[p]] = 1
	o.Players[s.game.players-2] = 1
	o.Seat[p] = 1
	for i, a := range s.position.history[:s.position.length] {
		o.History[i][a] = 1
	}
}

// Potential is how high the own card is.
func (s *State) Potential(p env.Player) float64 {
	return float64(s.position.cards[p])/float64(s.game.players)*2 - 1
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

// Redeal deals the others' cards anew.
func (s *State) Redeal(p env.Player, key uint64) {
	env.RedealStreams(s.luck[:], s.game.info.Streams, key)
	if s.Actor() == env.Over {
		return
	}
	deal := env.NewStream(key, "redeal of the cards")
	var left [numCards]int8
	n := 0
	for c := range int8(s.game.players + 1) {
		if c != s.position.cards[p] {
			left[n] = c
			n++
		}
	}
	for q := range s.game.players {
		if env.Player(q) != p {
			i := deal.Below(n)
			s.position.cards[q] = left[i]
			n--
			left[i] = left[n]
		}
	}
}

// Check is the one invariant: nobody holds another's card.
func (s *State) Check() error {
	held := s.position.cards[:s.game.players]
	for p, c := range held {
		if c < 0 || int(c) > s.game.players {
			return fmt.Errorf("cards: player %d holds card %d, which is not in the deck", p, c)
		}
		if slices.Index(held, c) < p {
			return fmt.Errorf("cards: player %d holds the %s, which another has", p, cardNames[c])
		}
	}
	return nil
}

// AppendText shows the table.
func (s *State) AppendText(dst []byte, p env.Player) []byte {
	dst = fmt.Appendf(dst, "history")
	for _, a := range s.position.history[:s.position.length] {
		dst = fmt.Appendf(dst, " %s", s.game.info.Actions[a].Text)
	}
	if p >= 0 {
		dst = fmt.Appendf(dst, "\nyour card: %s", cardNames[s.position.cards[p]])
	}
	return append(dst, '\n')
}

// form declares the position: the cards, and what has been done.
func (s *State) form(f *form.Position) {
	n := s.game.players
	form.List(f, "cards", n, func(p int) {
		form.Secret(f, env.Only(env.Player(p)), form.Element, func() {
			form.Word(f, form.Element, &s.position.cards[p], cardNames[:n+1])
		})
	})
	form.ListUpTo(f, "history", &s.position.length, 2*n-1, func(i int) {
		form.Word(f, form.Element, &s.position.history[i], actionNames[:])
	})
}

// AppendPosition writes cards and history.
func (s *State) AppendPosition(dst []byte) []byte { return form.AppendPosition(dst, s.form) }

// AppendKnown writes what a seat may know of it.
func (s *State) AppendKnown(dst []byte, p env.Player) []byte { return form.AppendKnown(dst, p, s.form) }

// ReadPosition reads cards and history.
func (s *State) ReadPosition(data []byte) error {
	return form.ReadPosition(data, s, State{game: s.game, luck: s.luck}, (*State).form, (*State).complete)
}

// complete checks a position that has been read.
func (s *State) complete() error {
	for before := *s; before.position.length > 0; {
		if before.position.length--; before.Actor() == env.Over {
			return errors.New("history: it goes on after the end")
		}
	}
	return s.Check()
}

// PatchPosition changes cards, or the history.
func (s *State) PatchPosition(patch []byte) error {
	return form.PatchPosition(patch, s, (*State).form, (*State).complete)
}
