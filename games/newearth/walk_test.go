package newearth

import (
	"testing"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/envtest/must"
)

// openGame opens a game by its options.
func openGame(tb testing.TB, options string) *Game {
	tb.Helper()
	return must.Have(Rulebook().Open(options, datafile.File{}))(tb).(*Game)
}

// options are those of a variant's text.
func options(variant string) string { return variant[len(name)+1:] }

// A walker plays weighted random games, so that all questions come up.
type walker struct {
	game  *Game
	state *State
	rng   env.Stream
	mask  env.Mask
	acts  []env.Action
	turn  int8
}

func newWalker(tb testing.TB, options string, seed uint64) *walker {
	g := openGame(tb, options)
	w := &walker{game: g, state: g.New().(*State), rng: env.NewStream(seed, "walk"),
		mask: make(env.Mask, g.info.MaskWords())}
	w.state.Reset(seed, nil)
	return w
}

// action draws a legal action: first its family, by weight.
func (w *walker) action() env.Action {
	w.state.Legal(w.mask)
	w.acts = w.mask.Append(w.acts[:0])
	weight := func(a env.Action) float64 {
		x, ok := config.Weights[w.game.info.Actions[a].Family]
		if !ok {
			return 1
		}
		return x
	}
	// An action's share of its family's weight.
	share := func(a env.Action) float64 {
		n := 0
		for _, b := range w.acts {
			if w.game.info.Actions[a].Family == w.game.info.Actions[b].Family {
				n++
			}
		}
		return weight(a) / float64(n)
	}
	total := 0.0
	for _, a := range w.acts {
		total += share(a)
	}
	x := w.rng.Float64() * total
	for _, a := range w.acts {
		if x -= share(a); x < 0 {
			return a
		}
	}
	return w.acts[len(w.acts)-1]
}

// gifts gives every seat units, goods and cash at the start of a turn. That is outside the rules; it makes
// rich elections, which random play seldom reaches.
func (w *walker) gifts() {
	s := w.state
	if s.turn == w.turn || s.Actor() == env.Over {
		return
	}
	w.turn = s.turn
	for p := range w.game.players {
		s.seats[p].has.receive(&holdings{3, 3, 3, 6, 14})
	}
	s.findLegal()
}

// walk visits every decision of games of all variants, every second game with gifts.
func walk(t *testing.T, games int, visit func(w *walker)) {
	t.Helper()
	for _, v := range Rulebook().Variants {
		for seed := range games {
			w := newWalker(t, options(v), uint64(seed)+100)
			for w.state.Actor() != env.Over {
				if seed%2 == 1 {
					w.gifts()
				}
				visit(w)
				if t.Failed() {
					t.Fatalf("%s, seed %d, at %s", v, seed+100, w.state.decision)
				}
				w.state.Apply(w.action(), nil)
			}
			visit(w)
		}
	}
}

func TestWalkReachesEveryDecision(t *testing.T) {
	var seen [numDecisions]int
	walk(t, 4, func(w *walker) { seen[w.state.decision]++ })
	for n, k := range seen {
		t.Logf("%s %d", Decision(n), k)
		if k == 0 {
			t.Errorf("%s never came up", Decision(n))
		}
	}
}
