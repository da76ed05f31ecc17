package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"text/tabwriter"
)

// pipeRow is one figure of the Python client (module earthgym.bench).
type pipeRow struct {
	Game      string  `json:"game"`
	Transport string  `json:"transport"`
	Lanes     int     `json:"lanes"`
	PerSecond float64 `json:"decisions_per_second"`
	Pipelined float64 `json:"pipelined_per_second,omitempty"`
	RoundTrip float64 `json:"round_trip_us,omitempty"`
}

// runPipeBench lets a Python client measure what it gets from this program.
func runPipeBench(ctx context.Context, w io.Writer, texts []string, o benchOptions) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if _, err := o.game.openAll(texts); err != nil {
		return err
	}
	args := append([]string{"-m", "earthgym.bench", "--seconds", fmt.Sprint(o.budget.Seconds())}, texts...)
	cmd := exec.CommandContext(ctx, o.python, args...)
	cmd.Env = append(os.Environ(), "EARTHGYM_BINARY="+self)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
		return fmt.Errorf("%s: %w: %s (it needs the Python package earthgym: make wheel, or PYTHONPATH)", o.python, err,
			lines[len(lines)-1])
	}
	rows := []pipeRow{}
	for dec := json.NewDecoder(&stdout); ; {
		var row pipeRow
		if err := dec.Decode(&row); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return fmt.Errorf("the Python client's figures: %w", err)
		}
		rows = append(rows, row)
	}
	if o.asJSON {
		return writeJSON(w, map[string]any{"pipe": rows})
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "game\ttransport\tbatch\tone batch /s\ttwo halves /s\tround trip µs\n")
	for _, r := range rows {
		two, trip := "", ""
		if r.Pipelined > 0 {
			two = fmt.Sprintf("%.0f", r.Pipelined)
		}
		if r.RoundTrip > 0 {
			trip = fmt.Sprintf("%.0f", r.RoundTrip)
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%.0f\t%s\t%s\n", r.Game, r.Transport, r.Lanes, r.PerSecond, two, trip)
	}
	return t.Flush()
}
