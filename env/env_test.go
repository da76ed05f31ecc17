package env_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
)

func newEnv(t *testing.T, g env.Game, o env.Options) *env.Env {
	t.Helper()
	e := must.Have(env.New(g, o))(t)
	e.Reset(1)
	return e
}

func step(t *testing.T, e *env.Env, actions ...env.Action) {
	t.Helper()
	for _, a := range actions {
		must.Do(t, e.Step(a))
	}
}

// Shaping adds scale * (gamma * potential after - potential before); the end has the potential 0.
func TestShaping(t *testing.T) {
	const scale, gamma = 0.5, 0.9
	plain := newEnv(t, kuhn.Open(2), env.Options{})
	e := newEnv(t, kuhn.Open(2), env.Options{Shaping: scale, Gamma: gamma})
	potential := e.State().(env.Potential)
	standing := []float64{potential.Potential(0), potential.Potential(1)}
	for _, a := range []env.Action{kuhn.Pass, kuhn.Bet, kuhn.Bet} {
		step(t, e, a)
		step(t, plain, a)
		for p, got := range e.Rewards() {
			now := potential.Potential(env.Player(p)) // of the card: the same all game long
			if e.Terminated() {
				now = 0
			}
			if want := plain.Rewards()[p] + scale*(gamma*now-standing[p]); math.Abs(got-want) > 1e-12 {
				t.Errorf("after %d decisions the reward of player %d is %v, want %v", e.Decisions(), p, got, want)
			}
		}
	}
	if !e.Terminated() || plain.Rewards()[0] == 0 {
		t.Error("the game has not been played to its end")
	}
	e.Reset(1)
	if !slices.Equal(e.Rewards(), []float64{0, 0}) || e.Decisions() != 0 {
		t.Errorf("after a reset: rewards %v, %d decisions", e.Rewards(), e.Decisions())
	}
}

// flat is Kuhn poker without a potential, and with a bound that is too low.
type flat struct {
	*kuhn.Game
	info *env.Info
}

type flatState struct{ env.State }

func (g flat) Info() *env.Info { return g.info }
func (g flat) New() env.State  { return flatState{g.Game.New()} }

func newFlat(t *testing.T, bound int) flat {
	t.Helper()
	g := kuhn.Open(2)
	i := g.Info()
	info := must.Have(env.NewInfo(env.Info{Name: i.Name, Text: i.Text, Players: i.Players, Streams: i.Streams,
		Actions: i.Actions, Features: i.Features, MaxDecisions: bound}))(t)
	return flat{g, info}
}

func TestShapingNeedsAPotential(t *testing.T) {
	if _, err := env.New(newFlat(t, 3), env.Options{Shaping: 1}); err == nil ||
		!strings.Contains(err.Error(), "no potential") {
		t.Errorf("got %v", err)
	}
	if _, err := env.NewVec(newFlat(t, 3), env.VecOptions{Lanes: 1, Options: env.Options{Shaping: 1}}); err == nil {
		t.Error("a Vec shapes without a potential")
	}
}

func TestBoundIsADefect(t *testing.T) {
	e := newEnv(t, newFlat(t, 1), env.Options{})
	step(t, e, kuhn.Pass)
	if err := e.Step(kuhn.Pass); !errors.Is(err, env.ErrBound) || !strings.Contains(err.Error(), "decision 1") {
		t.Errorf("got %v", err)
	}
}

func TestTruncation(t *testing.T) {
	e := newEnv(t, kuhn.Open(2), env.Options{MaxDecisions: 2})
	step(t, e, kuhn.Pass)
	if e.Truncated() {
		t.Error("cut off too early")
	}
	step(t, e, kuhn.Bet)
	if !e.Truncated() || e.Terminated() || e.Rewards()[0] != 0 {
		t.Errorf("truncated %v, terminated %v, rewards %v", e.Truncated(), e.Terminated(), e.Rewards())
	}
	var illegal *env.IllegalActionError
	if err := e.Step(kuhn.Bet); !errors.As(err, &illegal) ||
		!strings.Contains(err.Error(), "cut off at the limit of 2 decisions; reset it") {
		t.Errorf("after the limit: %v", err)
	}
	// A game that ends by its rules in the last decision is not cut off.
	e.Reset(1)
	step(t, e, kuhn.Pass, kuhn.Pass)
	if e.Truncated() || !e.Terminated() {
		t.Errorf("truncated %v, terminated %v", e.Truncated(), e.Terminated())
	}
}

func TestIllegalActions(t *testing.T) {
	e := newEnv(t, kuhn.Open(2), env.Options{})
	for _, a := range []env.Action{-1, 2, 64} {
		want := fmt.Sprintf("player 0: illegal action %q: kuhn has actions 0 to 1", fmt.Sprint(int(a)))
		if err := e.Step(a); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	step(t, e, kuhn.Pass, kuhn.Pass)
	if err := e.Step(kuhn.Bet); err == nil || err.Error() != `illegal action "bet": the game is over (checked); reset it` {
		t.Errorf("got %v", err)
	}
}

func TestVecErrors(t *testing.T) {
	if _, err := env.NewVec(kuhn.Open(2), env.VecOptions{}); err == nil {
		t.Error("a Vec without lanes")
	}
	for _, workers := range []int{1, 3} {
		v := must.Have(env.NewVec(kuhn.Open(2), env.VecOptions{Lanes: 3, Workers: workers}))(t)
		if err := v.Step([]env.Action{0}); err == nil || err.Error() != "1 actions for 3 lanes" {
			t.Errorf("got %v", err)
		}
		before := v.State(1).Game().New()
		before.CopyFrom(v.State(1))
		if err := v.Step([]env.Action{kuhn.Bet, 7, kuhn.Bet}); err == nil ||
			!strings.Contains(err.Error(), "lane 1: player 0: illegal action") {
			t.Errorf("got %v", err)
		}
		if !v.State(1).Equal(before) || v.Actors[0] != 1 || v.Actors[1] != 0 || v.Actors[2] != 1 {
			t.Errorf("an illegal action has changed its lane, or stopped others: actors %v", v.Actors)
		}
		if err := v.Step([]env.Action{kuhn.Bet, kuhn.Bet, kuhn.Bet}); err != nil {
			t.Errorf("after an illegal action: %v", err)
		}
		v.Close()
	}
}

// Every lane and game has a seed of its own.
func TestVecSeeds(t *testing.T) {
	v := must.Have(env.NewVec(kuhn.Open(2), env.VecOptions{Lanes: 2, Workers: 1, Seed: 9}))(t)
	defer v.Close()
	seen := map[uint64]bool{}
	for lane := range 300 {
		for k := range uint64(300) {
			seed := v.Seed(lane, k)
			if seen[seed] {
				t.Fatalf("game %d of lane %d has the seed of another", k, lane)
			}
			seen[seed] = true
		}
	}
}

func TestWinShare(t *testing.T) {
	for _, tt := range []struct {
		winners env.Seats
		traits  []string
		want    float64
	}{
		{env.Only(0), []string{env.Competitive}, 1},
		{env.Only(0).With(2), []string{env.Mixed}, 0.5},
		{env.Only(1), []string{env.Mixed}, 0},
		{env.Only(0).With(1), []string{env.Cooperative}, 1},
		{env.Nobody, []string{env.Cooperative}, 0},
	} {
		r := env.Result{Winners: tt.winners}
		if got := r.WinShare(0, &env.Info{Traits: tt.traits}); got != tt.want {
			t.Errorf("winners %v, %v: %v, want %v", tt.winners.List(), tt.traits, got, tt.want)
		}
	}
}

func TestRestoreErrors(t *testing.T) {
	s := kuhn.Open(2).New()
	s.Reset(1, nil)
	b := must.Have(env.Snapshot(s))(t)
	for _, tt := range []struct{ old, new, want string }{
		{"players=2", "players=3", "snapshot is of kuhn:players=3"},
		{`"data":"`, `"data":"0`, "snapshot is of kuhn:players=2 with data 0"},
		{`"streams":{"cards"`, `"streams":{"dice"`, `snapshot has no stream "cards"`},
		{`"streams":{`, `"streams":{"dice":"00000000000000000000000000000000",`, "snapshot has 2 streams; kuhn has 1"},
		{`"streams":{"cards":"`, `"streams":{"cards":"x`, "32 hexadecimal digits"},
		{`"history":[]`, `"history":["raise"]`, "snapshot: history"},
		{`"game"`, `"gaem"`, "snapshot: unknown field"},
		{`}}`, `}`, "snapshot: "},
	} {
		changed := strings.Replace(string(b), tt.old, tt.new, 1)
		if changed == string(b) {
			t.Fatalf("no %q in %s", tt.old, b)
		}
		other := kuhn.Open(2).New()
		other.Reset(2, nil)
		before := kuhn.Open(2).New()
		before.Reset(2, nil)
		if err := env.Restore(other, []byte(changed)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.new, err, tt.want)
		}
		if string(other.AppendPosition(nil)) != string(before.AppendPosition(nil)) ||
			!slices.Equal(other.Luck(), before.Luck()) {
			t.Errorf("%s: a refused snapshot has changed the State", tt.new)
		}
	}
}

// A lane at rest does nothing until it is reset.
func TestVecRest(t *testing.T) {
	v := must.Have(env.NewVec(kuhn.Open(2), env.VecOptions{Lanes: 2, Workers: 1, Autoreset: env.NoReset}))(t)
	defer v.Close()
	v.Rest(1)
	for range 3 {
		if err := v.Step([]env.Action{1, -7}); err != nil { // no action is looked at
			t.Fatal(err)
		}
	}
	if !v.Terminated[0] || v.Terminated[1] || v.Episode(1).Number != 0 {
		t.Errorf("over: %v, the resting lane has finished %d games", v.Terminated, v.Episode(1).Number)
	}
	saved := must.Have(v.Snapshot())(t)
	v.ResetLane(1)
	if err := v.Step([]env.Action{0, -7}); err == nil {
		t.Error("after its reset the lane still rests")
	}
	must.Do(t, v.Restore(saved))
	if err := v.Step([]env.Action{0, -7}); err != nil {
		t.Errorf("a lane that rested when the Vec was saved plays on: %v", err)
	}
}

func BenchmarkVec(b *testing.B) {
	v := must.Have(env.NewVec(kuhn.Open(3), env.VecOptions{Lanes: 256, Workers: 1, Autoreset: env.SameStep}))(b)
	defer v.Close()
	actions := make([]env.Action, v.Lanes())
	rng := env.NewStream(1, "actions")
	b.ReportAllocs()
	for b.Loop() {
		for i := range actions {
			actions[i] = env.Action(rng.Below(2))
		}
		if err := v.Step(actions); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*v.Lanes()), "ns/decision")
}

func TestEnvView(t *testing.T) {
	e := must.Have(env.New(kuhn.Open(2), env.Options{}))(t)
	e.Reset(3)
	var v env.View
	e.View(&v, nil, nil)
	want := make([]float32, e.Info().Observation())
	e.Observe(want, 0)
	if v.Player() != 0 || v.Mask().Count() != 2 || !slices.Equal(v.Observation(), want) {
		t.Errorf("got seat %d, mask %v, observation %v; want seat 0, two actions, %v", v.Player(), v.Mask(), v.Observation(),
			want)
	}
	must.Do(t, e.Step(kuhn.Bet))
	e.View(&v, nil, nil)
	e.Observe(want, 1)
	if v.Player() != 1 || !slices.Equal(v.Observation(), want) {
		t.Errorf("after a step: got seat %d, observation %v; want seat 1, %v", v.Player(), v.Observation(), want)
	}
	if n := testing.AllocsPerRun(100, func() { e.View(&v, nil, nil); v.Observation() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestVerdict(t *testing.T) {
	for winners, want := range map[env.Seats]string{
		env.Nobody:                      "nobody wins",
		env.Only(1):                     "won by seat 1",
		env.Only(1).With(env.Player(3)): "won by seats 1, 3",
	} {
		if got := (&env.Result{Winners: winners}).Verdict(); got != want {
			t.Errorf("%v: got %q, want %q", winners, got, want)
		}
	}
}
