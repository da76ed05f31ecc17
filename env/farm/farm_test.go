package farm

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"earthgym/env/envtest/must"
)

func TestReadShard(t *testing.T) {
	for text, want := range map[string]Shard{"1/1": {1, 1}, "2/3": {2, 3}, "100000/100000": {100_000, 100_000}} {
		if got, err := ReadShard(text); err != nil || got != want || got.String() != text {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "1", "0/3", "4/3", "1/0", "-1/3", "1/-3", "a/b", "1/3/5", "1/100001", "1 /3", "/"} {
		if got, err := ReadShard(text); err == nil ||
			!strings.Contains(err.Error(), "it is K/N, the K-th of N, such as 2/3") {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}

type result struct {
	Score int    `json:"score"`
	Why   string `json:"why"`
}

// ground is what the pieces of the tests are of.
var ground = Ground{"game: chess", "agent 0: a"}

// do does a shard of blocks blocks, whose results are as score says.
func do(t *testing.T, dir, program string, command []string, shard Shard, g Ground, blocks int,
	score func(block int) int) *Share {
	t.Helper()
	s := must.Have(Begin(dir, program, command, shard))(t)
	for b := range blocks {
		p := s.Piece(g, b, fmt.Sprintf("seed: %d", b))
		if _, there := s.Find(p, 0); there || !s.Mine(p) {
			continue
		}
		must.Do(t, s.Keep(p, 0, result{score(b), "won"}, []int{b}, ""))
	}
	must.Do(t, s.Close())
	return s
}

func double(b int) int { return 2 * b }

// All pieces are there once shards are put together, and each belongs to one shard.
func TestMerge(t *testing.T) {
	for n := 1; n <= 5; n++ {
		root, dirs, added := t.TempDir(), []string{}, 0
		for k := 1; k <= n; k++ {
			dirs = append(dirs, filepath.Join(root, fmt.Sprint(k)))
			// It goes on from a part of it, with more games.
			do(t, dirs[k-1], "p", []string{"match", "--games=7"}, Shard{k, n}, ground, 7, double)
			added += do(t, dirs[k-1], "p", []string{"match", "--games=13"}, Shard{k, n}, ground, 13, double).Summary().Done
		}
		if added != 13 {
			t.Errorf("%d shards have done %d of 13 blocks", n, added)
		}
		slices.Reverse(dirs)
		s := must.Have(Merge(filepath.Join(root, "all"), "p", dirs...))(t)
		for b := range 13 {
			var r result
			done, err := s.Do(ground, b, []string{fmt.Sprintf("seed: %d", b)}, &r, "",
				func() error { return errors.New("done anew") })
			if !done || err != nil || r.Score != 2*b {
				t.Errorf("block %d: %v, %v, %+v", b, done, err, r)
			}
		}
		if err := s.Missing(); err != nil {
			t.Errorf("%v", err)
		}
		if s.Mine(s.Piece(ground, 13, "seed: 13")); s.Missing() == nil {
			t.Error("a block that nobody has done is not missing")
		}
	}
}

// Shards that don't belong together are refused in one sentence, with both values; and so is what is no shard.
func TestRefusals(t *testing.T) {
	cup, first, second := []string{"tournament", "chess", "a"}, Shard{1, 2}, Shard{2, 2}
	overlap := func(t *testing.T, dir string) { // the other shard's folder, done once more by a machine that is broken
		do(t, dir, "p", cup, first, ground, 4, func(b int) int { return 2*b + 1 })
	}
	for name, tt := range map[string]struct {
		other func(t *testing.T, dir string)
		want  string
	}{
		"another build": {func(t *testing.T, dir string) { do(t, dir, "q", cup, second, ground, 4, double) },
			`ROOT/a and ROOT/b are shards of different work: by "p" and by "q"`},
		"another command": {func(t *testing.T, dir string) {
			do(t, dir, "p", []string{"tournament", "go", "a"}, second, ground, 4, double)
		}, `of "tournament chess a" and of "tournament go a"`},
		"another number of shards": {func(t *testing.T, dir string) { do(t, dir, "p", cup, Shard{2, 3}, ground, 4, double) },
			"one of 2 shards and one of 3"},
		"other agents": {func(t *testing.T, dir string) {
			do(t, dir, "p", cup, second, Ground{"game: chess", "agent 0: b"}, 4, double)
		}, "ROOT/b was done with other things than ROOT/a: agent 0: b, and agent 0: a"},
		"more in the ground": {func(t *testing.T, dir string) {
			do(t, dir, "p", cup, second, Ground{"game: chess", "agent 0: a", "agent 1: b"}, 4, double)
		}, "agent 1: b, and nothing more"},
		"other results": {overlap,
			"ROOT/a and ROOT/b have different results of game 0 of block 0: score is 0, and 1"},
		"no shard": {func(t *testing.T, dir string) { _ = os.MkdirAll(dir, 0o755) }, "ROOT/b is no folder of a shard"},
		"nothing":  {func(*testing.T, string) {}, "ROOT/b is no folder of a shard"},
	} {
		root := t.TempDir()
		a, b := filepath.Join(root, "a"), filepath.Join(root, "b")
		do(t, a, "p", cup, first, ground, 4, double)
		tt.other(t, b)
		out := filepath.Join(root, "out")
		_, err := Merge(out, "p", a, b)
		request := new(RequestError)
		if !errors.As(err, &request) || !strings.Contains(err.Error(), strings.ReplaceAll(tt.want, "ROOT", root)) {
			t.Errorf("%s: %v; want %q", name, err, tt.want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: the folder was made", name)
		}
	}
	root := t.TempDir()
	a := filepath.Join(root, "a")
	do(t, a, "p", cup, first, ground, 4, double)
	if _, err := Merge(filepath.Join(root, "out"), "q", a); err == nil ||
		!strings.Contains(err.Error(), `by "p"; this is "q"`) {
		t.Errorf("by another build: %v", err)
	}
	if _, err := Merge(a, "p", a); err == nil || !strings.Contains(err.Error(), "in itself") {
		t.Errorf("in itself: %v", err)
	}
	for name, tt := range map[string]struct {
		program string
		command []string
		shard   Shard
		want    string
	}{
		"another shard":   {"p", cup, second, "is of shard 1/2, not of 2/2"},
		"of more":         {"p", cup, Shard{1, 3}, "one of 2 shards and one of 3"},
		"another build":   {"q", cup, first, `by "p" and by "q"`},
		"another command": {"p", []string{"match"}, first, `of "tournament chess a" and of "match"`},
	} {
		s, err := Begin(a, tt.program, tt.command, tt.shard)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v; want %q", name, err, tt.want)
		}
		if s != nil {
			_ = s.Close()
		}
	}
}

// What a disk has spoilt, or a hand has changed, is refused.
func TestSpoiltShards(t *testing.T) {
	for _, file := range []string{piecesFile, headerFile} {
		root := t.TempDir()
		a := filepath.Join(root, "a")
		do(t, a, "p", []string{"match"}, Shard{1, 1}, ground, 4, double)
		name := filepath.Join(a, folderName, file)
		text := must.Have(os.ReadFile(name))(t)
		for from, to := range map[string]string{`"score":6`: `"score":7`, `"block":3`: `"block":2`, `"of": 1`: `"of": 2`} {
			changed := strings.Replace(string(text), from, to, 1)
			if changed == string(text) {
				continue
			}
			must.Do(t, os.WriteFile(name, []byte(changed), 0o644))
			if _, err := Merge(filepath.Join(root, "out"), "p", a); err == nil || !strings.Contains(err.Error(), "checksum") {
				t.Errorf("%s with %s: %v", file, to, err)
			}
		}
	}
}

// What pieces have left is copied from the shard that has done most for it.
func TestWhatIsLeft(t *testing.T) {
	root := t.TempDir()
	leave := func(dir string, shard Shard, rounds int) {
		s := must.Have(Begin(dir, "p", []string{"sweep"}, shard))(t)
		defer s.Close()
		for r := range rounds {
			var x result
			own := []string{"by: " + shard.String(), fmt.Sprintf("round: %d", r)}
			if _, err := s.Do(ground, shard.K-1, own, &x, "run", func() error {
				x.Score = r
				return os.MkdirAll(filepath.Join(dir, "run", "deep"), 0o755)
			}); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"deep/net", "run.lock"} {
				must.Do(t, os.WriteFile(filepath.Join(dir, "run", name), []byte(dir), 0o644))
			}
		}
	}
	a, b, out := filepath.Join(root, "a"), filepath.Join(root, "b"), filepath.Join(root, "out")
	leave(a, Shard{1, 2}, 1)
	leave(b, Shard{2, 2}, 2)
	must.Have(Merge(out, "p", a, b))(t)
	if text, err := os.ReadFile(filepath.Join(out, "run", "deep", "net")); string(text) != b {
		t.Errorf("left by %s: %v", text, err)
	}
	if _, err := os.Stat(filepath.Join(out, "run", "run.lock")); err == nil {
		t.Error("the lock was copied")
	}
}
