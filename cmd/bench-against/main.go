// Command bench-against compares the speed of two builds of earthgym: stepping, the pipe to Python, and
// training, in turns, so that what else happens on the machine meets both.
//
// It is what make bench-against runs. It prints how many times as long the first build takes as the second,
// with a 95 % interval over the rounds, and fails if that is above the limit anywhere (see judge).
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"

	"earthgym/eval"
)

// A side is one of the two builds.
type side struct {
	program string // earthgym
	python  string // folder of the Python package's modules
}

// A measurement runs one build once and gives seconds per decision, by what is measured.
type measurement func(ctx context.Context, s side) (map[string]float64, error)

type options struct {
	fresh, old side
	python     string
	rounds     int
	limit      float64
	games      []string
}

func main() {
	var o options
	flag.StringVar(&o.fresh.program, "new", "bin/earthgym", "the program that is judged")
	flag.StringVar(&o.fresh.python, "new-python", "env/pipe/python/src", "its Python modules")
	flag.StringVar(&o.old.program, "old", "", "the program that it is compared with")
	flag.StringVar(&o.old.python, "old-python", "", "its Python modules")
	flag.StringVar(&o.python, "python", "python3", "the Python for the pipe, with NumPy and msgpack")
	flag.IntVar(&o.rounds, "rounds", 4, "runs of each build, at least 2")
	flag.Float64Var(&o.limit, "limit", 1.3, "the ratio above which it fails")
	flag.Parse()
	o.games = flag.Args()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Stdout, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench-against:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, w io.Writer, o options) error {
	switch {
	case o.old.program == "":
		return errors.New("say what to compare with: -old PROGRAM")
	case o.rounds < 2:
		return fmt.Errorf("-rounds %d: an interval takes at least 2", o.rounds)
	case len(o.games) == 0:
		return errors.New("name the games to step")
	}
	measurements := []measurement{
		func(ctx context.Context, s side) (map[string]float64, error) { return stepping(ctx, s, o.games) },
		func(ctx context.Context, s side) (map[string]float64, error) { return piping(ctx, s, o.python) },
		training,
	}
	var all []row
	for _, measure := range measurements {
		rows, err := compare(ctx, measure, o)
		if err != nil {
			return err
		}
		for _, r := range rows {
			fmt.Fprintf(w, "%-44s %5.2f [%.2f, %.2f]\n", r.name, r.ratio, r.ci[0], r.ci[1])
		}
		all = append(all, rows...)
	}
	return judge(all, o.limit)
}

// judge fails if something takes more than limit times as long, unless the rounds differ so much that it may as
// well be no slower at all.
func judge(rows []row, limit float64) error {
	var slow []string
	for _, r := range rows {
		if r.ratio > limit && r.ci.Above(1) {
			slow = append(slow, r.name)
		}
	}
	if len(slow) > 0 {
		return fmt.Errorf("more than %.2g times as slow: %q", limit, slow)
	}
	return nil
}

// row is how many times as long the new build takes.
type row struct {
	name  string
	ratio float64
	ci    eval.Interval
}

// compare measures both builds in turns, now the one first and now the other. What is measured is compared
// within a round, by the logarithm of the ratio.
func compare(ctx context.Context, measure measurement, o options) ([]row, error) {
	logs := map[string][]float64{}
	for round := range o.rounds {
		first, second := o.fresh, o.old
		if round%2 == 1 {
			first, second = o.old, o.fresh
		}
		a, err := measure(ctx, first)
		if err != nil {
			return nil, err
		}
		b, err := measure(ctx, second)
		if err != nil {
			return nil, err
		}
		if round%2 == 1 {
			a, b = b, a
		}
		for name, seconds := range a {
			if _, ok := b[name]; !ok {
				return nil, fmt.Errorf("%s has no %q", o.old.program, name)
			}
			logs[name] = append(logs[name], math.Log(seconds/b[name]))
		}
	}
	var rows []row
	for _, name := range slices.Sorted(maps.Keys(logs)) {
		mean, ci := eval.Estimate(logs[name], math.Inf(-1), math.Inf(1))
		rows = append(rows, row{name, math.Exp(mean), eval.Interval{math.Exp(ci[0]), math.Exp(ci[1])}})
	}
	return rows, nil
}

// stepping is earthgym bench of the games: one core, and a Vec on all.
func stepping(ctx context.Context, s side, games []string) (map[string]float64, error) {
	var result struct {
		Games []struct {
			Game string  `json:"game"`
			One  float64 `json:"decisions_per_second"`
			Vec  float64 `json:"vec_decisions_per_second"`
		} `json:"games"`
	}
	if err := ask(ctx, s, &result, append([]string{"bench", "--json", "--time", "300ms"}, games...)...); err != nil {
		return nil, err
	}
	seconds := map[string]float64{}
	for _, g := range result.Games {
		seconds["step "+g.Game] = 1 / g.One
		seconds["step "+g.Game+", Vec"] = 1 / g.Vec
	}
	return seconds, nil
}

// piping is what earthgym bench --pipe runs: what a Python client gets, one lane and many, by memory that both share
// and by a stream. Sockets cost what streams do.
func piping(ctx context.Context, s side, python string) (map[string]float64, error) {
	program, err := filepath.Abs(s.program)
	if err != nil {
		return nil, err
	}
	client := s
	client.program = python
	b, err := execute(ctx, client, []string{"EARTHGYM_BINARY=" + program},
		"-m", "earthgym.bench", "--seconds", "0.3", "--lanes", "1", "1024", "--transport", "shared", "stdio", "--",
		"resilience-earth:players=2")
	if err != nil {
		return nil, err
	}
	return pipeSeconds(b)
}

// pipeSeconds reads what the client prints.
func pipeSeconds(printed []byte) (map[string]float64, error) {
	seconds := map[string]float64{}
	for dec := json.NewDecoder(bytes.NewReader(printed)); dec.More(); {
		var r struct {
			Transport string  `json:"transport"`
			Lanes     int     `json:"lanes"`
			PerSecond float64 `json:"decisions_per_second"`
		}
		if err := dec.Decode(&r); err != nil {
			return nil, fmt.Errorf("figures of the pipe: %w", err)
		}
		seconds[fmt.Sprintf("pipe, %s, %d lanes", r.Transport, r.Lanes)] = 1 / r.PerSecond
	}
	return seconds, nil
}

// training is a short run on one goroutine, without teachers, where the build has such: collecting, and the gradient
// steps.
func training(ctx context.Context, s side) (map[string]float64, error) {
	dir, err := os.MkdirTemp("", "bench-against-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "run")
	words := []string{"train", "resilience-earth:players=2", "--out", out, "--decisions", "32768", "--workers", "1"}
	help, err := execute(ctx, s, nil, "train", "--help")
	if err != nil {
		return nil, err
	}
	if bytes.Contains(help, []byte("--clone ")) {
		words = append(words, "--clone=")
	}
	if _, err := execute(ctx, s, nil, words...); err != nil {
		return nil, err
	}
	b, err := os.ReadFile(filepath.Join(out, "metrics.jsonl"))
	if err != nil {
		return nil, err
	}
	return trainingSeconds(b)
}

// trainingSeconds reads what a run took from its metrics.
func trainingSeconds(metrics []byte) (map[string]float64, error) {
	var collect, learn float64
	decisions := 0
	for lines := bufio.NewScanner(bytes.NewReader(metrics)); lines.Scan(); {
		var u struct {
			Decisions int     `json:"decisions"`
			Collect   float64 `json:"collect_seconds"`
			Learn     float64 `json:"learn_seconds"`
		}
		if err := json.Unmarshal(lines.Bytes(), &u); err != nil {
			return nil, fmt.Errorf("metrics: %w", err)
		}
		collect, learn, decisions = collect+u.Collect, learn+u.Learn, u.Decisions
	}
	if decisions == 0 || collect <= 0 || learn <= 0 {
		return nil, errors.New("the metrics of the training run have no decisions or no seconds")
	}
	return map[string]float64{
		"train, collect": collect / float64(decisions),
		"train, learn":   learn / float64(decisions),
	}, nil
}

// ask runs a build and reads the JSON that it prints.
func ask(ctx context.Context, s side, result any, words ...string) error {
	b, err := execute(ctx, s, nil, words...)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, result); err != nil {
		return fmt.Errorf("%s %s: %w", s.program, words[0], err)
	}
	return nil
}

// execute runs a build, with some more in its environment, and gives what it prints.
func execute(ctx context.Context, s side, environment []string, words ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, s.program, words...)
	cmd.Env = append(append(os.Environ(), "PYTHONPATH="+s.python), environment...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	b, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w: %s", s.program, words[0], err, bytes.TrimSpace(stderr.Bytes()))
	}
	return b, nil
}
