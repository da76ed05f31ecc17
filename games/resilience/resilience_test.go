package resilience

import (
	"fmt"
	"testing"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/envtest/must"
)

// mustOpen opens a game that is there.
func mustOpen(t testing.TB, options string) *Game {
	t.Helper()
	return must.Have(Rulebook().Open(options, datafile.File{}))(t).(*Game)
}

// start is a game at its set-up.
func start(t testing.TB, options string) *State {
	t.Helper()
	s := mustOpen(t, options).New().(*State)
	s.Reset(1, nil)
	return s
}

// field is the field of a name.
func field(name string) Field {
	for f := range Field(NumFields) {
		if f.String() == name {
			return f
		}
	}
	panic("no field " + name)
}

// weights are those of RULES.md 12: drawn evenly, games hardly build.
var weights = map[string]int{
	"city": 80, "industry": 80, "settle": 50, "done": 20, "yes": 10, "no": 10, "amount": 10,
	"sabbatical": 5, "offer": 5, "say": 5, "dismantle": 4,
}

// player draws actions.
type player struct {
	rng  env.Stream
	mask env.Mask
	info *env.Info
}

func newPlayer(g *Game, seed uint64) *player {
	return &player{env.NewStream(seed, "player"), make(env.Mask, g.info.MaskWords()), g.info}
}

// even draws among all legal actions.
func (p *player) even(s *State) env.Action {
	s.Legal(p.mask)
	return p.mask.Nth(p.rng.Below(p.mask.Count()))
}

// weighted draws a family first.
func (p *player) weighted(s *State) env.Action {
	s.Legal(p.mask)
	var families [12][]env.Action
	var names []string
	total := 0
	for _, a := range p.mask.Append(nil) {
		name := p.info.Actions[a].Family
		if len(names) == 0 || names[len(names)-1] != name { // families are blocks of the table
			names = append(names, name)
			total += weights[name]
		}
		families[len(names)-1] = append(families[len(names)-1], a)
	}
	r := p.rng.Below(total)
	for i, name := range names {
		if r -= weights[name]; r < 0 {
			return families[i][p.rng.Below(len(families[i]))]
		}
	}
	panic("no family")
}

// TestFigures compares random play with what a simulation of the rules file, written apart from this
// package, gave: decisions a game, drawn evenly and weighted, and the share of weighted games that the
// tower ended (RE-111, RE-112).
func TestFigures(t *testing.T) {
	const games = 300
	for _, tt := range []struct {
		players                    int
		even, weighted, endByTower float64
	}{
		{2, 63, 69, 0.15},
		{3, 112, 102, 0.36},
		{4, 165, 131, 0.46},
	} {
		g := mustOpen(t, fmt.Sprintf("players=%d", tt.players))
		s := g.New().(*State)
		p := newPlayer(g, 1)
		play := func(pick func(*State) env.Action) (decisions, towers float64) {
			for seed := range uint64(games) {
				for s.Reset(seed, nil); s.Actor() != env.Over; decisions++ {
					s.Apply(pick(s), nil)
				}
				if s.ending != Time {
					towers++
				}
			}
			return decisions / games, towers / games
		}
		near := func(what string, got, want, within float64) {
			t.Helper()
			if got < want-within || got > want+within {
				t.Errorf("%d players, %s: got %.2f, want %.2f within %.2f", tt.players, what, got, want, within)
			}
		}
		even, _ := play(p.even)
		near("decisions drawn evenly", even, tt.even, 0.05*tt.even)
		weighted, towers := play(p.weighted)
		near("weighted decisions", weighted, tt.weighted, 0.05*tt.weighted)
		near("ended by the tower", towers, tt.endByTower, 0.07)
	}
}
