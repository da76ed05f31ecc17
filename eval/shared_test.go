package eval_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"earthgym/agents"
	"earthgym/env"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/env/farm"
	"earthgym/eval"
	"earthgym/games"
)

// A sharedRun does the same work for a shard, for all shards put together, or, by nil, for itself.
type sharedRun func(ctx context.Context, share *farm.Share, dir string) (any, error)

// shardOf does one shard of a run in a folder, or goes on with it.
func shardOf(ctx context.Context, dir string, shard farm.Shard, run sharedRun) (sum farm.Summary, err error) {
	s, err := farm.Begin(dir, "test", []string{"run"}, shard)
	if err != nil {
		return sum, err
	}
	_, err = run(ctx, s, dir)
	return s.Summary(), errors.Join(err, s.Close())
}

// together puts shards together, and gives what they show.
func together(t testing.TB, run sharedRun, out string, dirs ...string) ([]byte, error) {
	t.Helper()
	s, err := farm.Merge(out, "test", dirs...)
	if err != nil {
		return nil, err
	}
	return shown(run(t.Context(), s, out))
}

func shown(result any, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return json.Marshal(result)
}

// The work of a test, of agents that forfeit now and then.
func flaky(t testing.TB, g env.Game) (field []*agents.Maker) {
	for i, share := range []float64{0.02, 0, 0} {
		name := fmt.Sprintf("flaky %d", i)
		random := opened(t, g, "random")
		field = append(field, &agents.Maker{Text: name, New: func() (agents.Agent, error) {
			inner, err := random.New()
			return &flakes{Agent: inner, share: share, name: name}, err
		}})
	}
	return field
}

type flakes struct {
	agents.Agent
	share float64
	name  string
	luck  env.Stream
}

func (f *flakes) Name() string { return f.name }
func (f *flakes) Reset(seed uint64) {
	f.luck = env.NewStream(seed, f.name)
	f.Agent.Reset(seed)
}
func (f *flakes) Act(v *env.View) (env.Action, error) {
	if f.luck.Float64() < f.share {
		return -1, &agents.ForfeitError{Agent: f.name, Seat: v.Player(), Kind: agents.Timeout, Err: errors.New("asleep")}
	}
	return f.Agent.Act(v)
}

// kinds of work that is shared, by name.
func sharedRuns(t testing.TB, g env.Game, games, workers int, void bool) map[string]sharedRun {
	field := flaky(t, g)
	options := func(s *farm.Share) eval.Options {
		o := eval.Options{Games: games, Seed: 11, Workers: workers, Share: s}
		if !void {
			o.Substitute = field[1]
		}
		return o
	}
	runs := map[string]sharedRun{
		"match": func(ctx context.Context, s *farm.Share, _ string) (any, error) {
			seated := field[:min(3, g.Info().Players)]
			r, err := eval.Match(ctx, g, seated, options(s))
			if err != nil {
				return nil, err
			}
			r.Floor, err = eval.Floor(ctx, g, seated, r, options(s), eval.DefaultFloor)
			return r, err
		},
		"until": func(ctx context.Context, s *farm.Share, _ string) (any, error) {
			o := options(s)
			if v, err := agents.OpenValue("potential", g); err == nil {
				o.Value = v
			}
			a, b, err := eval.Until(ctx, g, field[:1], field[1:2], o, eval.Precision{HalfWidth: 0.3})
			return []any{a, b}, err
		},
		"tournament": func(ctx context.Context, s *farm.Share, dir string) (any, error) {
			return playShared(ctx, g, field, s, dir, games, 0, options(nil))
		},
		"until tournament": func(ctx context.Context, s *farm.Share, dir string) (any, error) {
			return playShared(ctx, g, field, s, dir, games, 0.5, options(nil))
		},
	}
	if g.Info().Players > 1 {
		runs["crossplay"] = func(ctx context.Context, s *farm.Share, _ string) (any, error) {
			o := options(s)
			o.Games /= 4
			return eval.PlayCrossPlay(ctx, g, field[:2], o)
		}
	}
	return runs
}

func playShared(ctx context.Context, g env.Game, field []*agents.Maker, s *farm.Share, dir string, games int,
	halfWidth float64, o eval.Options) (any, error) {
	t, err := eval.OpenTournament(dir, g, field, eval.TournamentOptions{Seed: 5, Floor: eval.DefaultFloor,
		Records: o.Records > 0, Substitute: o.Substitute, Share: s})
	if err != nil {
		return nil, err
	}
	defer t.Close()
	if err := t.Play(ctx, games, halfWidth, o); err != nil || s.Partial() {
		return nil, err
	}
	return t.Result("")
}

// Whatever is shared, among how many machines, and in whatever order their folders are put together: what they show is
// what one machine shows, to the digit.
func TestShards(t *testing.T) {
	const cases = 25
	kinds := []string{"match", "until", "tournament", "until tournament", "crossplay"}
	rng := rand.New(rand.NewPCG(3, 6))
	for i := range cases {
		g := kuhn.Open(2 + rng.IntN(2))
		order := numbers(1 + rng.IntN(5))
		rng.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
		games, workers, void := 40+rng.IntN(50), 1+rng.IntN(3), rng.IntN(2) == 0
		kind := kinds[i%len(kinds)]
		compareShards(t, sharedRuns(t, g, games, workers, void)[kind], order,
			fmt.Sprintf("%s at %d seats, %d games, void %v", kind, g.Info().Players, games, void))
	}
}

// So it is in all games.
func TestShardsOfGames(t *testing.T) {
	for i, text := range []string{"one-earth:players=2", "resilience-earth:players=3",
		"earth-rising:players=2,variant=quickplay", "new-earth:players=2", "earthmans-burden:players=2"} {
		g := must.Have(games.Open(text))(t)
		runs := sharedRuns(t, g, 16, 2, i%2 == 0)
		for _, kind := range []string{"tournament", []string{"match", "until", "crossplay"}[i%3]} {
			compareShards(t, runs[kind], numbers(2+i%2), text+" "+kind)
		}
	}
}

// numbers are 1 to n.
func numbers(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i + 1
	}
	return list
}

func compareShards(t testing.TB, run sharedRun, order []int, what string) {
	t.Helper()
	want, err := shown(run(t.Context(), nil, t.TempDir()))
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	root, all := t.TempDir(), 0
	var dirs []string
	for _, k := range order {
		dir := filepath.Join(root, fmt.Sprint(k))
		sum, err := shardOf(t.Context(), dir, farm.Shard{K: k, N: len(order)}, run)
		if err != nil {
			t.Fatalf("%s: shard %d: %v", what, k, err)
		}
		dirs, all = append(dirs, dir), all+sum.Added
	}
	if got, err := together(t, run, filepath.Join(root, "whole"), dirs...); err != nil || !bytes.Equal(got, want) {
		t.Fatalf("%s in %d shards: %v: got\n%s, want\n%s", what, len(order), err, got, want)
	}
	// Those of the first ones alone, and then all.
	if half := len(order) / 2; half > 0 {
		some := filepath.Join(root, "some")
		if _, err := together(t, run, some, dirs[:half]...); err == nil && !strings.Contains(what, "until") {
			t.Errorf("%s: %d of %d shards show it all", what, half, len(order))
		}
		got, err := together(t, run, filepath.Join(root, "more"), append([]string{some}, dirs[half:]...)...)
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%s, put together twice: %v: got\n%s, want\n%s", what, err, got, want)
		}
	}
	if n := countResults(t, filepath.Join(root, "whole")); n != all {
		t.Errorf("%s: %d results of %d games that were played", what, n, all)
	}
}

func countResults(t testing.TB, dir string) int {
	text := must.Have(os.ReadFile(filepath.Join(dir, "shard", "pieces.jsonl")))(t)
	return bytes.Count(text, []byte(`"is":`))
}

// What lacks is named. A verdict that the first games bring is not kept from by games behind it that nobody has played.
func TestShardsLack(t *testing.T) {
	g := kuhn.Open(2)
	long := sharedRuns(t, g, 4000, 2, false)["until"]
	want := must.Have(shown(long(t.Context(), nil, "")))(t)
	root := t.TempDir()
	a, b := filepath.Join(root, "a"), filepath.Join(root, "b")
	for k, dir := range []string{a, b} {
		ctx, stop := context.WithCancel(t.Context())
		run := func(ctx context.Context, s *farm.Share, _ string) (any, error) {
			o := eval.Options{Games: 4000, Seed: 11, Workers: 2, Share: s, Substitute: flaky(t, g)[1],
				Progress: func(done, _ int) {
					if done%1500 == 0 { // of the first table; both are played to here
						stop()
					}
				}}
			if v, err := agents.OpenValue("potential", g); err == nil {
				o.Value = v
			}
			field := flaky(t, g)
			for _, table := range [][]*agents.Maker{field[:1], field[1:2]} {
				o.Games = 2000
				if _, err := eval.Match(ctx, g, table, o); err != nil {
					return nil, err
				}
			}
			o.Games = 4000
			_, _, err := eval.Until(ctx, g, field[:1], field[1:2], o, eval.Precision{HalfWidth: 0.3})
			return nil, err
		}
		_, err := shardOf(ctx, dir, farm.Shard{K: k + 1, N: 2}, run)
		stop()
		if interrupted := new(eval.InterruptedError); !errors.As(err, &interrupted) {
			t.Fatalf("it was not interrupted: %v", err)
		}
	}
	if _, err := together(t, long, filepath.Join(root, "one"), a); err == nil ||
		!strings.Contains(err.Error(), "missing: shard 2/2") {
		t.Errorf("one shard: %v", err)
	}
	got, err := together(t, long, filepath.Join(root, "both"), a, b)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v: got\n%s, want\n%s", err, got, want)
	}
	whole := sharedRuns(t, g, 4000, 2, false)["match"]
	if _, err := together(t, whole, filepath.Join(root, "match"), a, b); err == nil {
		t.Error("unfinished shards show a match")
	}
}

// The cup that a process plays a shard of, to be killed.
func cupShard(dir string) error {
	g := kuhn.Open(3)
	random, err := agents.Open("random", g)
	if err != nil {
		return err
	}
	field := []*agents.Maker{random, honest("honest"), honest("honest, too")}
	_, err = shardOf(context.Background(), dir, farm.Shard{K: 1, N: 2}, cupRun(g, field))
	return err
}

func cupRun(g env.Game, field []*agents.Maker) sharedRun {
	return func(ctx context.Context, s *farm.Share, dir string) (any, error) {
		return playShared(ctx, g, field, s, dir, 60, 0, eval.Options{Workers: 2, Records: 1})
	}
}

// A shard that is killed again and again goes on each time, and all shows the same to the digit.
func TestKilledShards(t *testing.T) {
	g := kuhn.Open(3)
	field := []*agents.Maker{opened(t, g, "random"), honest("honest"), honest("honest, too")}
	run := cupRun(g, field)
	want := must.Have(shown(run(t.Context(), nil, t.TempDir())))(t)
	self := must.Have(os.Executable())(t)
	root := t.TempDir()
	a, b := filepath.Join(root, "a"), filepath.Join(root, "b")
	must.Have(shardOf(t.Context(), b, farm.Shard{K: 2, N: 2}, run))(t)
	killed := 0
	for range *kills {
		cmd := exec.Command(self, "shard", a)
		must.Do(t, cmd.Start())
		time.Sleep(time.Duration(rand.IntN(250)) * time.Millisecond)
		_ = cmd.Process.Kill() // It may have ended.
		if cmd.Wait() != nil {
			killed++
		}
	}
	must.Do(t, cupShard(a))
	got, err := together(t, run, filepath.Join(root, "whole"), a, b)
	if err != nil || !bytes.Equal(got, want) {
		t.Fatalf("%v: got\n%s, want\n%s", err, got, want)
	}
	t.Logf("%d processes, of which %d were killed", *kills, killed)
}

// What was put together is gone on with as if one machine had played it, records and all.
func TestMergedTournamentGoesOn(t *testing.T) {
	g := kuhn.Open(3)
	field := []*agents.Maker{opened(t, g, "random"), honest("honest"), honest("honest, too")}
	run, root := cupRun(g, field), t.TempDir()
	var dirs []string
	for k := range 3 {
		dirs = append(dirs, filepath.Join(root, fmt.Sprint(k)))
		must.Have(shardOf(t.Context(), dirs[k], farm.Shard{K: k + 1, N: 3}, run))(t)
	}
	whole, alone := filepath.Join(root, "whole"), filepath.Join(root, "alone")
	must.Have(together(t, run, whole, dirs...))(t)
	must.Have(run(t.Context(), nil, alone))(t)
	var results [2][]byte
	for i, dir := range []string{whole, alone} {
		var err error
		results[i], err = shown(playShared(t.Context(), g, field, nil, dir, 90, 0, eval.Options{Workers: 1, Records: 1}))
		if err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(results[0], results[1]) {
		t.Errorf("got\n%s, want\n%s", results[0], results[1])
	}
	for game := range 90 {
		one, err := os.ReadFile(filepath.Join(whole, eval.RecordFile(game)))
		other, wrong := os.ReadFile(filepath.Join(alone, eval.RecordFile(game)))
		if err != nil || wrong != nil || !bytes.Equal(one, other) {
			t.Fatalf("the record of game %d: %v, %v", game, err, wrong)
		}
	}
}
