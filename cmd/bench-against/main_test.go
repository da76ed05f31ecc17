package main

import (
	"context"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"earthgym/env/envtest/must"
	"earthgym/eval"
)

// clock is a measurement of builds whose speed is known, on a machine that gets slower all the time.
func clock(order *[]string) measurement {
	machine := 1.0
	return func(_ context.Context, s side) (map[string]float64, error) {
		*order = append(*order, s.program)
		machine *= 1.1
		if s.program == "new" {
			return map[string]float64{"step": 2 * machine, "learn": 0.5 * machine}, nil
		}
		return map[string]float64{"step": machine, "learn": machine}, nil
	}
}

func TestCompareTakesTurns(t *testing.T) {
	var order []string
	o := options{fresh: side{program: "new"}, old: side{program: "old"}, rounds: 4}
	rows := must.Have(compare(t.Context(), clock(&order), o))(t)
	if got := strings.Join(order, " "); got != "new old old new new old old new" {
		t.Errorf("the order is %s", got)
	}
	if len(rows) != 2 || rows[0].name != "learn" || rows[1].name != "step" {
		t.Fatalf("rows %v", rows)
	}
	for i, want := range []float64{0.5, 2} {
		if r := rows[i]; math.Abs(r.ratio-want) > 1e-9 || r.ci[0] >= want || r.ci[1] <= want {
			t.Errorf("%s: %v in %v, want %v", r.name, r.ratio, r.ci, want)
		}
	}
	if err := judge(rows, 1.3); err == nil || !strings.Contains(err.Error(), `["step"]`) {
		t.Errorf("twice as slow is judged %v", err)
	}
	if err := judge(rows, 2.5); err != nil {
		t.Errorf("within the limit: %v", err)
	}
	if err := judge([]row{{"noise", 1.5, eval.Interval{0.4, 5}}}, 1.3); err != nil {
		t.Errorf("noise is judged %v", err)
	}
}

func TestCompareFails(t *testing.T) {
	o := options{fresh: side{program: "new"}, old: side{program: "old"}, rounds: 2}
	broken := errors.New("broken")
	if _, err := compare(t.Context(), func(context.Context, side) (map[string]float64, error) { return nil, broken },
		o); !errors.Is(err, broken) {
		t.Errorf("a build that fails: %v", err)
	}
	unlike := func(_ context.Context, s side) (map[string]float64, error) {
		return map[string]float64{s.program: 1}, nil
	}
	if _, err := compare(t.Context(), unlike, o); err == nil || !strings.Contains(err.Error(), `old has no "new"`) {
		t.Errorf("builds that measure different things: %v", err)
	}
	for _, o := range []options{{rounds: 5, games: []string{"a"}},
		{old: side{program: "x"}, rounds: 1, games: []string{"a"}}, {old: side{program: "x"}, rounds: 5}} {
		if run(t.Context(), io.Discard, o) == nil {
			t.Errorf("%+v passes", o)
		}
	}
}

func TestPipeSeconds(t *testing.T) {
	got, err := pipeSeconds([]byte(`{"transport":"shared","lanes":1024,"decisions_per_second":4,"game":"g"}
{"transport":"stdio","lanes":1,"decisions_per_second":2,"round_trip_us":7}
`))
	if err != nil || len(got) != 2 || got["pipe, shared, 1024 lanes"] != 0.25 || got["pipe, stdio, 1 lanes"] != 0.5 {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := pipeSeconds([]byte("a warning\n")); err == nil {
		t.Error("what is no figure is read")
	}
}

func TestTrainingSeconds(t *testing.T) {
	got, err := trainingSeconds([]byte(`{"decisions":100,"collect_seconds":1,"learn_seconds":2}
{"decisions":200,"collect_seconds":3,"learn_seconds":4}
`))
	if err != nil || got["train, collect"] != 0.02 || got["train, learn"] != 0.03 {
		t.Errorf("got %v, %v", got, err)
	}
	for _, bad := range []string{"", "{}", "half a line"} {
		if _, err := trainingSeconds([]byte(bad)); err == nil {
			t.Errorf("%q passes", bad)
		}
	}
}
