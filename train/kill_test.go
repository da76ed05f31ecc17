package train

import (
	"bytes"
	"context"
	"flag"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"earthgym/env"
	"earthgym/env/disk"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
)

var kills = flag.Int("kills", 4, "how often TestKills kills a run")

// What TestMain is told when the test binary is to be a run: its folder, and one with its config.
const (
	killedRun    = "EARTHGYM_TEST_RUN"
	killedConfig = "EARTHGYM_TEST_CONFIG"
)

// TestMain is the tests, or, if a folder is named, a run in it.
func TestMain(m *testing.M) {
	if dir := os.Getenv(killedRun); dir != "" {
		if err := startOrResume(dir, os.Getenv(killedConfig)); err != nil {
			println(err.Error())
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// startOrResume makes a run of Kuhn poker, or goes on with it, to its end, and saves it after every update.
func startOrResume(dir, config string) error {
	games, o := []env.Game{kuhn.Open(3)}, Options{Workers: 1, Program: "test"}
	c, err := ReadConfig(config)
	if err != nil {
		return err
	}
	var r *Run
	if _, missing := os.Stat(filepath.Join(dir, ConfigFile)); missing != nil {
		r, err = Start(dir, c, games, o)
	} else {
		r, err = Resume(dir, games, o)
	}
	if err != nil {
		return err
	}
	defer r.Close()
	r.saveEvery = 0
	return r.Train(context.Background(), nil)
}

// A run that is killed at any moment, in cloning or in the league, and resumed ends in the same files, to
// the byte.
func TestKills(t *testing.T) {
	c := teacherConfig(t)
	c.CloneDecisions, c.Decisions = 2000, 2000
	config, want := t.TempDir(), t.TempDir()
	must.Do(t, c.write(config))
	run := func(dir string, limit time.Duration) (killed bool) {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), killedRun+"="+dir, killedConfig+"="+config)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		must.Do(t, cmd.Start())
		timer := time.AfterFunc(limit, func() { _ = cmd.Process.Kill() }) // it may have ended by itself
		err := cmd.Wait()
		if killed = !timer.Stop(); err != nil && !killed {
			t.Fatalf("%v: %s", err, &out)
		}
		return err != nil
	}
	began := time.Now()
	run(want, time.Hour)
	whole := time.Since(began)
	seed := uint64(began.UnixNano())
	t.Logf("seed of the moments: %d; a whole run takes %v", seed, whole)
	luck := rand.New(rand.NewPCG(seed, 0))
	phases := map[string]int{}
	for n := 0; n < *kills; {
		dir := t.TempDir()
		for run(dir, time.Duration(luck.Float64()*float64(whole))) {
			n++
			phase := "start"
			if updates, err := ReadMetrics(dir); err == nil && len(updates) > 0 {
				phase = updates[len(updates)-1].Phase
			}
			phases[phase]++
		}
		sameFiles(t, want, dir)
	}
	t.Logf("killed in: %v", phases)
}

// sameFiles holds that two runs have left the same: networks and what is needed to go on to the byte, metrics but for
// the seconds.
func sameFiles(t *testing.T, want, got string) {
	t.Helper()
	files := func(dir string) map[string]string {
		all := map[string]string{}
		must.Do(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			name, err := filepath.Rel(dir, path)
			if err != nil || name == MetricsFile || name == EventsFile || name == disk.LockFile {
				return err
			}
			b, err := os.ReadFile(path)
			all[name] = string(b)
			return err
		}))
		return all
	}
	a, b := files(want), files(got)
	for name, text := range a {
		if b[name] != text {
			t.Errorf("%s is another one than that of the run that went through", name)
		}
		delete(b, name)
	}
	for name := range b {
		t.Errorf("%s: the run that went through has no such file", name)
	}
	if diff := cmp.Diff(metrics(t, want), metrics(t, got)); diff != "" {
		t.Errorf("other metrics than those of the run that went through: %s", diff)
	}
}
