package pipe

import (
	"encoding/json"
	"errors"
	"net"
	"slices"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
)

// curious asks for all that it may, and takes the last legal action.
type curious struct {
	t     *testing.T
	seeds []uint64
	tired bool
}

func (c *curious) Reset(seed uint64) { c.seeds = append(c.seeds, seed) }

func (c *curious) Act(d *Decision) (env.Action, error) {
	if c.tired {
		return -1, errors.New("tired of it")
	}
	text, err := d.Text()
	if err != nil || text == "" {
		c.t.Errorf("text: %q, %v", text, err)
	}
	texts, err := d.Texts()
	if err != nil || len(texts) != len(d.Legal) {
		c.t.Errorf("legal: %q for %v, %v", texts, d.Legal, err)
	}
	if view, err := d.View(); err != nil || !json.Valid(view) {
		c.t.Errorf("view: %s, %v", view, err)
	}
	samples, err := d.Sample(3, 7)
	if err != nil || len(samples) != 6 || len(samples[0]) != len(d.Observation) {
		c.t.Errorf("%d samples, %v", len(samples), err)
	}
	if _, err := d.Sample(-1, 7); err == nil || !strings.Contains(err.Error(), "samples") {
		c.t.Errorf("-1 samples: %v", err)
	}
	if !strings.Contains(string(d.Info()), `"actions"`) || !strings.HasPrefix(d.Game(), "kuhn") {
		c.t.Errorf("the game is %s, %s", d.Game(), d.Info())
	}
	return d.Legal[len(d.Legal)-1], nil
}

// A program in Go sits at a table as one in any other language does.
func TestServeAgent(t *testing.T) {
	g := must.Have(kuhn.Rulebook().Open("players=2", datafile.File{}))(t)
	ours, theirs := net.Pipe()
	policy := &curious{t: t}
	ended := make(chan error, 1)
	go func() { ended <- ServeAgent(theirs, "curious", policy) }()
	seat := must.Have(NewSeat(ours, g.Info(), "test", 0))(t)
	if seat.Client() != "curious" {
		t.Errorf("it calls itself %q", seat.Client())
	}
	must.Do(t, seat.Reset(5))
	s, other := g.New(), g.New()
	s.Reset(1, nil)
	other.Reset(2, nil)
	other.Apply(env.ViewOf(other).Mask().Nth(0), nil)
	views := []*env.View{env.ViewOf(s), env.ViewOf(other)}
	out := make([]env.Action, 2)
	must.Do(t, seat.Act(views, out))
	for i, v := range views {
		if want := v.Mask().Nth(v.Mask().Count() - 1); out[i] != want {
			t.Errorf("decision %d is %d, not %d", i, out[i], want)
		}
	}
	policy.tired = true
	var said *Error
	if err := seat.Act(views[:1], out[:1]); !errors.As(err, &said) || said.Code != AgentFailed ||
		said.Message != "tired of it" {
		t.Errorf("got %v", err)
	}
	ours.Close()
	if err := <-ended; err != nil {
		t.Errorf("it ends with %v", err)
	}
	if len(policy.seeds) != 1 || policy.seeds[0] != 5 {
		t.Errorf("its seeds are %v", policy.seeds)
	}
}

// numbered plays at three tables, and takes at each the action that the table's seed names.
type numbered struct {
	seeds [3]uint64
	asked [][]int
}

func (n *numbered) Tables() int { return len(n.seeds) }

func (n *numbered) Reset(table int, seed uint64) { n.seeds[table] = seed }

func (n *numbered) Act(decisions []*Decision) ([]env.Action, error) {
	var out []env.Action
	var tables []int
	for _, d := range decisions {
		out, tables = append(out, d.Legal[n.seeds[d.Table]]), append(tables, d.Table)
	}
	n.asked = append(n.asked, tables)
	return out, nil
}

// A program that sits at many tables is told which of them each game and each decision is at.
func TestServeTables(t *testing.T) {
	g := kuhn.Open(2)
	ours, theirs := net.Pipe()
	policy := &numbered{}
	ended := make(chan error, 1)
	go func() { ended <- ServeTables(theirs, "numbered", policy) }()
	seat := must.Have(NewSeat(ours, g.Info(), "test", 0))(t)
	if seat.Tables() != 3 {
		t.Errorf("it sits at %d tables, not 3", seat.Tables())
	}
	s := g.New()
	s.Reset(1, nil)
	v := env.ViewOf(s)
	for table, seed := range []uint64{1, 0, 1} {
		must.Do(t, seat.ResetAt(table, seed))
	}
	out := make([]env.Action, 3)
	if err := seat.ActAt([]int{2, 1, 0}, []*env.View{v, v, v}, out); err != nil ||
		!slices.Equal(out, []env.Action{1, 0, 1}) {
		t.Errorf("got %v, %v", out, err)
	}
	must.Do(t, seat.ResetAt(1, 1))
	if err := seat.ActAt([]int{1}, []*env.View{v}, out[:1]); err != nil || out[0] != 1 {
		t.Errorf("in the second game at a table got %v, %v", out[0], err)
	}
	ours.Close()
	if err := <-ended; err != nil {
		t.Errorf("it ends with %v", err)
	}
	if want := [][]int{{2, 1, 0}, {1}}; !slices.EqualFunc(policy.asked, want, slices.Equal) {
		t.Errorf("it was asked at %v, not %v", policy.asked, want)
	}
}
