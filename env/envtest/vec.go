package envtest

import (
	"fmt"
	"math"
	"slices"

	"earthgym/env"
)

// vecSteps bounds the steps of one comparison of Vec and Env. Short games need fewer.
const vecSteps = 400

// checkVec tests that a lane of a Vec is an Env: same rows, rewards, flags and episodes, in each mode of
// autoreset, whatever the number of workers, with and without a caller's limit.
func checkVec(s *subject) error {
	if !s.variant {
		return nil // Nothing of it depends on options.
	}
	for _, mode := range []env.Autoreset{env.NextStep, env.SameStep, env.NoReset} {
		for _, workers := range []int{1, 2} {
			for _, limit := range []int{0, 7} {
				o := env.VecOptions{Lanes: 3, Seed: 5, Autoreset: mode, Workers: workers}
				o.MaxDecisions = limit
				if _, ok := s.game.New().(env.Potential); ok {
					o.Shaping, o.Gamma = 0.5, 0.9
				}
				if err := s.vec(o); err != nil {
					return fmt.Errorf("a Vec with autoreset %d, %d workers, limit %d: %w", mode, workers, limit, err)
				}
			}
		}
	}
	return nil
}

// A lane is what one lane of a Vec should be.
type lane struct {
	env      *env.Env
	game     uint64
	last     env.Player
	rewards  []float64
	ended    bool // as shown: the last step ended the game
	cut      bool
	episode  env.Result
	finished uint64 // number of the game that the episode is of
	final    env.State
	steps    int          // at which the final position has been shown
	rows     [2][]float32 // to compare observations
}

func (s *subject) lane(e *env.Env) *lane {
	n := s.info.Observation()
	return &lane{env: e, final: s.game.New(), rows: [2][]float32{make([]float32, n), make([]float32, n)}}
}

func (s *subject) vec(o env.VecOptions) error {
	v, err := env.NewVec(s.game, o)
	if err != nil {
		return err
	}
	defer v.Close()
	lanes := make([]*lane, o.Lanes)
	for i := range lanes {
		e, err := env.New(s.game, o.Options)
		if err != nil {
			return err
		}
		lanes[i] = s.lane(e)
		lanes[i].begin(v, i, s.info.Players)
	}
	rng := env.NewStream(o.Seed, "vec")
	actions := make([]env.Action, o.Lanes)
	steps := 20
	for _, p := range s.plays {
		steps = max(steps, 4*len(p.actions))
	}
	for step := range min(steps, vecSteps) {
		finished := uint64(0)
		for i, l := range lanes {
			if err := s.sameLane(v, i, l); err != nil {
				return fmt.Errorf("step %d, lane %d: %w", step, i, err)
			}
			finished += l.finished
			actions[i] = -1 // of no meaning where the lane ignores it
			if o.Autoreset == env.SameStep || !l.ended && !l.cut {
				m := l.env.Mask()
				if m.Count() == 0 {
					return fmt.Errorf("step %d, lane %d: the mask is empty", step, i)
				}
				actions[i] = m.Nth(rng.Below(m.Count()))
			}
		}
		if o.Autoreset == env.NoReset && finished > 0 && rng.Below(4) == 0 {
			for i, l := range lanes {
				if l.ended || l.cut {
					v.ResetLane(i)
					l.begin(v, i, s.info.Players)
				}
			}
			continue
		}
		if err := v.Step(actions); err != nil {
			return fmt.Errorf("step %d: %w", step, err)
		}
		for i, l := range lanes {
			if err := l.step(v, i, o.Autoreset, actions[i], s.info.Players); err != nil {
				return fmt.Errorf("step %d, lane %d: %w", step, i, err)
			}
		}
	}
	return nil
}

// begin starts the lane's next game.
func (l *lane) begin(v *env.Vec, i, players int) {
	l.game++
	l.env.Reset(v.Seed(i, l.game))
	l.rewards, l.ended, l.cut = make([]float64, players), false, false
}

func (l *lane) step(v *env.Vec, i int, mode env.Autoreset, a env.Action, players int) error {
	if l.ended || l.cut {
		switch mode {
		case env.NextStep:
			l.begin(v, i, players)
			return nil
		case env.NoReset:
			clear(l.rewards)
			return nil
		}
	}
	l.last = l.env.Actor()
	if err := l.env.Step(a); err != nil {
		return err
	}
	rewards := slices.Clone(l.env.Rewards())
	ended, cut := l.env.Terminated(), l.env.Truncated()
	if ended || cut {
		l.finished, l.steps = l.game, 0
		l.episode = env.ResultOf(l.env.State(), l.env.Decisions())
		if cut {
			l.episode.Reason = "truncated"
		}
		l.final.CopyFrom(l.env.State())
		if mode == env.SameStep {
			l.begin(v, i, players)
		}
	}
	l.rewards, l.ended, l.cut = rewards, ended, cut
	return nil
}

// sameLane compares what a lane shows with what it should be.
func (s *subject) sameLane(v *env.Vec, i int, l *lane) error {
	e := l.env
	if v.Actors[i] != int32(e.Actor()) || v.Terminated[i] != l.ended || v.Truncated[i] != l.cut {
		return fmt.Errorf("actor %d, terminated %v, truncated %v; the Env has %d, %v, %v",
			v.Actors[i], v.Terminated[i], v.Truncated[i], e.Actor(), l.ended, l.cut)
	}
	if !slices.Equal(v.Mask(i), e.Mask()) {
		return fmt.Errorf("mask %x; the Env has %x", v.Mask(i), e.Mask())
	}
	viewer := e.Actor()
	if viewer == env.Over {
		viewer = l.last
	}
	got, want := l.rows[0], l.rows[1]
	v.Observe(i, got)
	if e.Observe(want, viewer); !slices.Equal(got, want) {
		return fmt.Errorf("its observation is not that of player %d", viewer)
	}
	if !v.State(i).Equal(e.State()) {
		return fmt.Errorf("its State differs from that of the Env")
	}
	for p, r := range l.rewards {
		if got := v.Rewards[i*s.info.Players+p]; math.Abs(float64(got)-r) > 1e-6 {
			return fmt.Errorf("the reward of player %d is %v; the Env gives %v", p, got, r)
		}
	}
	return s.sameEpisode(v, i, l)
}

func (s *subject) sameEpisode(v *env.Vec, i int, l *lane) error {
	got, want := v.Episode(i), &l.episode
	if got.Number != l.finished {
		return fmt.Errorf("its last episode is number %d, not %d", got.Number, l.finished)
	}
	if l.finished == 0 {
		return nil
	}
	if got.Seed != v.Seed(i, l.finished) || got.Winners != want.Winners || got.Reason != want.Reason ||
		got.Decisions != want.Decisions ||
		!slices.Equal(got.Returns, want.Returns) || !slices.Equal(got.Scores, want.Scores) {
		return fmt.Errorf("its last episode is %+v, not %+v", got, want)
	}
	if l.steps++; l.steps&(l.steps-1) != 0 { // once the game has ended, and ever more seldom while the next goes on
		return nil
	}
	final, row := l.rows[0], l.rows[1]
	for p := range env.Player(s.info.Players) {
		v.ObserveFinal(i, p, row)
		l.final.Observe(final, p)
		if !slices.Equal(row, final) {
			return fmt.Errorf("the last observation of player %d is not that of the end of the game", p)
		}
	}
	return nil
}
