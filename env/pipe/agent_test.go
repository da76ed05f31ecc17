package pipe

import (
	"encoding/json"
	"errors"
	"net"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/kuhn"
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
	g, err := kuhn.Rulebook().Open("players=2", env.DataFile{})
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := net.Pipe()
	policy := &curious{t: t}
	ended := make(chan error, 1)
	go func() { ended <- ServeAgent(theirs, "curious", policy) }()
	seat, err := NewSeat(ours, g.Info(), "test", 0)
	if err != nil {
		t.Fatal(err)
	}
	if seat.Client() != "curious" {
		t.Errorf("it calls itself %q", seat.Client())
	}
	if err := seat.Reset(5); err != nil {
		t.Fatal(err)
	}
	s, other := g.New(), g.New()
	s.Reset(1, nil)
	other.Reset(2, nil)
	other.Apply(env.ViewOf(other).Mask().Nth(0), nil)
	views := []*env.View{env.ViewOf(s), env.ViewOf(other)}
	out := make([]env.Action, 2)
	if err := seat.Act(views, out); err != nil {
		t.Fatal(err)
	}
	for i, v := range views {
		if want := v.Mask().Nth(v.Mask().Count() - 1); out[i] != want {
			t.Errorf("decision %d is %d, not %d", i, out[i], want)
		}
	}
	policy.tired = true
	var said *Error
	if err := seat.Act(views[:1], out[:1]); !errors.As(err, &said) || said.Code != AgentFailed || said.Message != "tired of it" {
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
