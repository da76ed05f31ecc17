package tune

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"earthgym/agents"
	"earthgym/agents/scripted"
	"earthgym/env"
)

// A player makes instances of one of those who play.
type player func() (seat, error)

// A seat is somebody at a table. It gets the State itself: a scripted bot makes no use of what is hidden, and any other
// agent is shown a view.
type seat interface {
	Reset(seed uint64)
	choose(s env.State, legal env.Mask) (env.Action, error)
	close() error
}

type botSeat struct{ *scripted.Bot }

func (b botSeat) choose(s env.State, legal env.Mask) (env.Action, error) {
	return b.Choose(s, legal), nil
}
func (b botSeat) close() error { return nil }

type agentSeat struct{ agents.Agent }

func (a agentSeat) choose(s env.State, legal env.Mask) (env.Action, error) {
	choice, err := a.Act(env.ViewOf(s))
	if err == nil && !legal.Has(choice) {
		err = fmt.Errorf("chooses %d, which is not legal: %s", choice, s.Why(choice))
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w", a.Name(), err)
	}
	return choice, nil
}

func (a agentSeat) close() error { return agents.Close(a.Agent) }

// bot is the bot of a level with such weights.
func bot(g env.Game, level string, weights []float64) (player, error) {
	create, err := scripted.OpenWeighted(g, level, weights)
	if err != nil {
		return nil, err
	}
	return func() (seat, error) { return botSeat{create()}, nil }, nil
}

// standing is the bot as it is.
func standing(g env.Game, level string) player {
	return func() (seat, error) {
		create, err := scripted.Open(g, level)
		if err != nil {
			return nil, err
		}
		return botSeat{create()}, nil
	}
}

// agent is any agent.
func agent(g env.Game, m *agents.Maker) player {
	for _, level := range scripted.Levels() {
		if m.Text == "script:"+level {
			return standing(g, level)
		}
	}
	return func() (seat, error) {
		a, err := m.New()
		return agentSeat{a}, err
	}
}

// play is the mean return of one player among others, for each seed: over all seats that it can have, or, where whole
// tables are compared, with the player in all of them.
func play(ctx context.Context, workers int, g env.Game, one, among player, seeds []uint64) ([]float64, error) {
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, len(seeds))
	returns, errs := make([]float64, len(seeds)), make([]error, len(seeds)+workers) // of the games, and of ends
	var finished sync.WaitGroup
	next := make(chan int)
	for w := range workers {
		finished.Go(func() {
			t, err := newTable(g, one, among)
			for i := range next {
				if errs[i] = err; err == nil {
					returns[i], errs[i] = t.block(ctx, seeds[i])
				}
			}
			errs[len(seeds)+w] = t.close()
		})
	}
	for i := range seeds {
		next <- i
	}
	close(next)
	finished.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return returns, nil
}

// table is where one worker plays.
type table struct {
	state   env.State
	legal   env.Mask
	returns []float64
	whole   bool
	ones    []seat // an instance of the player for each seat
	others  []seat
	seated  []seat
}

func newTable(g env.Game, one, among player) (*table, error) {
	n := g.Info().Players
	t := &table{
		state: g.New(), legal: make(env.Mask, g.Info().MaskWords()), returns: make([]float64, n), whole: wholeTables(g),
		seated: make([]seat, n),
	}
	for range n {
		for _, side := range []struct {
			of   player
			list *[]seat
		}{{one, &t.ones}, {among, &t.others}} {
			s, err := side.of()
			if err != nil {
				return t, err
			}
			*side.list = append(*side.list, s)
		}
	}
	return t, nil
}

func (t *table) close() error {
	var first error
	for _, list := range [][]seat{t.ones, t.others} {
		for _, s := range list {
			if err := s.close(); first == nil {
				first = err
			}
		}
	}
	return first
}

// block plays all games of a seed.
func (t *table) block(ctx context.Context, seed uint64) (float64, error) {
	n := len(t.seated)
	sum := 0.0
	if t.whole {
		copy(t.seated, t.ones)
		if err := t.game(ctx, seed); err != nil {
			return 0, err
		}
		for _, r := range t.returns {
			sum += r
		}
		return sum / float64(n), nil
	}
	for p := range n {
		copy(t.seated, t.others)
		t.seated[p] = t.ones[p]
		if err := t.game(ctx, seed); err != nil {
			return 0, err
		}
		sum += t.returns[p]
	}
	return sum / float64(n), nil
}

// game plays one game.
func (t *table) game(ctx context.Context, seed uint64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for p, s := range t.seated {
		s.Reset(env.SeatSeed(seed, env.Player(p)))
	}
	t.state.Reset(seed, nil)
	for p := t.state.Actor(); p != env.Over; p = t.state.Actor() {
		t.state.Legal(t.legal)
		a, err := t.seated[p].choose(t.state, t.legal)
		if err != nil {
			return err
		}
		t.state.Apply(a, nil)
	}
	t.state.Returns(t.returns)
	return nil
}
