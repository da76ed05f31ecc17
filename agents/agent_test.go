package agents_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/env/record"
	"earthgym/env/referee"
	"earthgym/games"
)

// What a text leaves open is said, and tells agents of one text apart.
func TestIdentity(t *testing.T) {
	for _, test := range []struct{ game, text, begins string }{
		{"resilience-earth:players=2", "random", "random"},
		{"resilience-earth:players=2", "script:strong", "script:strong script:strong@1"},
		{"resilience-earth:players=2", "script:greedy@1", "script:greedy@1"},
		{"resilience-earth:players=2", "script:strong,temperature=2",
			"script:strong,temperature=2 script:strong@1,temperature=2"},
		{"resilience-earth:players=2", "script:varied@3", "script:varied@3 script:varied@3 of script:strong@1"},
		{"resilience-earth:players=2", "background:steward", "background:steward"},
		{"resilience-earth:players=2", "mcts:sims=20", "mcts:sims=20 mcts:sims=20,mode=flat,rollout=script:strong,"},
		{"one-earth:players=3", "level:5", "level:5 mcts:sims=1000,mode=flat,rollout=argmax,"},
		{"resilience-earth:players=2", "level:1", "level:1 net:,temperature="},
	} {
		g := must.Have(games.Open(test.game))(t)
		m := must.Have(agents.Open(test.text, g))(t)
		if got := m.Identity(); !strings.HasPrefix(got, test.begins) {
			t.Errorf("%s is %q, which does not begin with %q", test.text, got, test.begins)
		}
	}
}

// stub is an agent that does as it is told.
type stub struct {
	seed uint64
	act  func(v *env.View) (env.Action, error)
}

func (*stub) Name() string                          { return "stub" }
func (s *stub) Reset(seed uint64)                   { s.seed = seed }
func (s *stub) Act(v *env.View) (env.Action, error) { return s.act(v) }

func table(t testing.TB, text string, g env.Game) []agents.Agent {
	t.Helper()
	m, err := agents.Open(text, g)
	if err != nil {
		t.Fatal(err)
	}
	seats := make([]agents.Agent, g.Info().Players)
	for p := range seats {
		if seats[p], err = m.New(); err != nil {
			t.Fatal(err)
		}
		if got := seats[p].Name(); got != text {
			t.Fatalf("agent %q is called %q", text, got)
		}
	}
	return seats
}

func play(t testing.TB, g env.Game, seed uint64, seats []agents.Agent) *record.Record {
	t.Helper()
	ref := must.Have(referee.New(g, seed))(t)
	must.Do(t, agents.Play(context.Background(), ref, seats, nil))
	return ref.Record(nil)
}

// A game depends on its seed and the agents alone, not on what the instances played before.
func TestPlayDependsOnTheSeedAlone(t *testing.T) {
	g := kuhn.Open(3)
	used := table(t, "random", g)
	games := map[string]bool{}
	for seed := range uint64(50) {
		got, want := play(t, g, seed, used), play(t, g, seed, table(t, "random", g))
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: instances that have played before play\n%v\nnew ones\n%v", seed, got.Moves, want.Moves)
		}
		if got.Footer == nil {
			t.Fatalf("seed %d: the game isn't over", seed)
		}
		var texts []string
		for _, m := range got.Moves {
			texts = append(texts, m.Action)
		}
		games[strings.Join(texts, " ")] = true
	}
	if len(games) < 8 { // of 13
		t.Errorf("50 seeds gave only the games %v", games)
	}
}

func TestPlayEndsWithAClearError(t *testing.T) {
	g := kuhn.Open(2)
	broken := errors.New("the pipe is broken")
	ctx, cancel := context.WithCancel(context.Background())
	bet := &stub{act: func(*env.View) (env.Action, error) { return kuhn.Bet, nil }}
	for _, test := range []struct {
		name   string
		second func(*env.View) (env.Action, error)
		want   string
		is     error
	}{
		{"illegal", func(*env.View) (env.Action, error) { return 7, nil },
			`stub, decision 1: player 1: illegal action "7": kuhn has actions 0 to 1`, nil},
		{"failure", func(*env.View) (env.Action, error) { return 0, broken },
			"stub, seat 1, decision 1: the pipe is broken", broken},
		{"cancelled", func(*env.View) (env.Action, error) { cancel(); return 0, ctx.Err() },
			"stub, seat 1, decision 1: context canceled", context.Canceled},
		{"cancelled before", nil, "context canceled", context.Canceled},
	} {
		ref := must.Have(referee.New(g, 1))(t)
		err := agents.Play(ctx, ref, []agents.Agent{bet, &stub{act: test.second}}, nil)
		if err == nil || err.Error() != test.want || test.is != nil && !errors.Is(err, test.is) {
			t.Errorf("%s: error %v, want %s", test.name, err, test.want)
		}
	}
	ref := must.Have(referee.New(g, 1))(t)
	err := agents.Play(context.Background(), ref, []agents.Agent{bet}, nil)
	if want := "1 agent for the 2 seats of kuhn"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// The seeds of agents are pinned, as results of matches depend on them.
func TestSeatSeed(t *testing.T) {
	seen := map[uint64]bool{}
	for game := range uint64(100) {
		for seat := range env.Player(env.MaxPlayers) {
			seen[env.SeatSeed(game, seat)] = true
		}
	}
	if len(seen) != 100*env.MaxPlayers {
		t.Errorf("%d different seeds of %d", len(seen), 100*env.MaxPlayers)
	}
	if got, want := env.SeatSeed(1, 2), uint64(0x5c8c3d8d0f1d08d4); got != want {
		t.Errorf("SeatSeed(1, 2) = %#x, want %#x", got, want)
	}
	g := kuhn.Open(2)
	seats := []agents.Agent{}
	for range 2 {
		seats = append(seats, &stub{act: func(*env.View) (env.Action, error) { return kuhn.Bet, nil }})
	}
	play(t, g, 9, seats)
	for p, a := range seats {
		if got, want := a.(*stub).seed, env.SeatSeed(9, env.Player(p)); got != want {
			t.Errorf("seat %d was given seed %#x, want %#x", p, got, want)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{
			"",
			`unknown agent "": there are: random, script:naive, script:greedy, script:strong, script:varied, net:, mcts:, level:1, level:2, level:3, level:4, level:5, remote:, llm:`},
		{
			"rnadom",
			`unknown agent "rnadom": did you mean "random"? there are: random, script:naive, script:greedy, script:strong, script:varied, net:, mcts:, level:1, level:2, level:3, level:4, level:5, remote:, llm:`},
		{
			"strong",
			`unknown agent "strong": did you mean "script:strong"? there are: random, script:naive, script:greedy, script:strong, script:varied, net:, mcts:, level:1, level:2, level:3, level:4, level:5, remote:, llm:`},
		{
			"gredy",
			`unknown agent "gredy": did you mean "script:greedy"? there are: random, script:naive, script:greedy, script:strong, script:varied, net:, mcts:, level:1, level:2, level:3, level:4, level:5, remote:, llm:`},
		{
			"scrpt:strong",
			`unknown agent "scrpt:strong": did you mean "script:strong"? there are: random, script:naive, script:greedy, script:strong, script:varied, net:, mcts:, level:1, level:2, level:3, level:4, level:5, remote:, llm:`},
		{"random:7", `agent "random:7": random takes nothing after its name, not "7"`},
		{"random:", `agent "random:": random takes nothing after its name, not ""`},
		{"script:strong", `agent "script:strong": kuhn has no scripted bots`},
		{"net:runs/\x1b[2Jx", `agent "net:runs/\x1b[2Jx": its name has a control character or is no UTF-8`},
		{"net:runs/\xff", `agent "net:runs/\xff": its name has a control character or is no UTF-8`},
	} {
		if _, err := agents.Open(test.text, kuhn.Open(2)); err == nil || err.Error() != test.want {
			t.Errorf("%q: error %v, want %s", test.text, err, test.want)
		}
	}
}

// Random agents choose every action alike.
func TestRandomIsUniform(t *testing.T) {
	g := kuhn.Open(2)
	seats := table(t, "random", g)
	bets := 0
	for seed := range uint64(4000) {
		if play(t, g, seed, seats).Moves[0].Action == "bet" {
			bets++
		}
	}
	if bets < 1840 || bets > 2160 { // 5 standard deviations
		t.Errorf("%d bets of 4000", bets)
	}
}

func BenchmarkPlayRandom(b *testing.B) {
	g := kuhn.Open(2)
	seats := table(b, "random", g)
	b.ReportAllocs()
	for seed := uint64(0); b.Loop(); seed++ {
		play(b, g, seed, seats)
	}
}
