package eval_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"earthgym/agents"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/eval"
)

var kills = flag.Int("kills", 3, "times that TestKills kills a tournament")

// playCup plays a tournament in a folder to its end, and gives its result as JSON.
func playCup(dir string) ([]byte, error) {
	g := kuhn.Open(3)
	random, err := agents.Open("random", g)
	if err != nil {
		return nil, err
	}
	t, err := eval.OpenTournament(dir, g, []*agents.Maker{random, honest("honest"), honest("honest, too")},
		eval.TournamentOptions{Seed: 5, Floor: eval.DefaultFloor, Records: true})
	if err != nil {
		return nil, err
	}
	defer t.Close()
	if err := t.Play(context.Background(), 400, 0, eval.Options{Workers: 2}); err != nil {
		return nil, err
	}
	r, err := t.Result("honest")
	if err != nil {
		return nil, err
	}
	return json.Marshal(r)
}

// A tournament that is killed again and again, at any moment, ends in the same table to the digit.
func TestKills(t *testing.T) {
	want := must.Have(playCup(t.TempDir()))(t)
	self := must.Have(os.Executable())(t)
	dir, ended := t.TempDir(), 0
	for range *kills {
		cmd := exec.Command(self, "cup", dir)
		must.Do(t, cmd.Start())
		time.Sleep(time.Duration(rand.IntN(400)) * time.Millisecond)
		_ = cmd.Process.Kill() // It may have ended.
		if cmd.Wait() != nil {
			continue
		}
		// It has played all games: another one begins.
		ended++
		got, err := playCup(dir)
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%v: got\n%s, want\n%s", err, got, want)
		}
		dir = t.TempDir()
	}
	killed, _ := os.ReadFile(filepath.Join(dir, "games.jsonl"))
	if got, err := playCup(dir); err != nil || !bytes.Equal(got, want) {
		t.Fatalf("%v: got\n%s, want\n%s", err, got, want)
	}
	t.Logf("%d processes, of which %d came to the end, and the last one to %d games", *kills, ended,
		bytes.Count(killed, []byte("\n")))
}
