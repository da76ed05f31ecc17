package eval

import (
	"math"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/referee"
)

// Kuhn poker has 6 deals of two cards, and 5 ways to bet on each.
func TestBranches(t *testing.T) {
	var deals, ends int
	sum := 0.0
	known := map[string]int{} // decisions by what the deciding seat knows
	var follow func(b *branch, p float64) error
	follow = func(b *branch, p float64) error {
		if b.state.Actor() == env.Over {
			ends++
			sum += p
			return nil
		}
		v := b.view()
		known[b.known[v.Player()]]++
		if n := len(v.Seen()); n == 0 {
			t.Errorf("seat %d decides and has seen nothing", v.Player())
		}
		for _, a := range v.Mask().Append(nil) {
			if err := b.play(a, func(next *branch, q float64) error { return follow(next, p*q) }); err != nil {
				return err
			}
		}
		return nil
	}
	err := branches(kuhn.Open(2), func(b *branch, p float64) error {
		deals++
		if math.Abs(p-1.0/6) > 1e-12 {
			t.Errorf("a deal has probability %v", p)
		}
		return follow(b, p)
	})
	if err != nil {
		t.Fatal(err)
	}
	if deals != 6 || ends != 30 || math.Abs(sum-6*5.0/6) > 1e-9 {
		t.Errorf("%d deals, %d ends of weight %v", deals, ends, sum)
	}
	// 3 cards: the first decides at the start, and after pass-bet; the second after a pass and after a bet. Each knows its
	// card, so that two deals look alike.
	if len(known) != 12 {
		t.Errorf("%d information sets, want 12", len(known))
	}
	for k, n := range known {
		if n != 2 {
			t.Errorf("%d decisions look like\n%s", n, k)
		}
	}
}

// What a branch shows a seat is what a Referee shows it.
func TestBranchSeesAsReferee(t *testing.T) {
	g := kuhn.Open(3)
	ref, err := referee.New(g, 5)
	if err != nil {
		t.Fatal(err)
	}
	var now *branch
	same := func(b *branch, _ float64) error {
		if b.state.EqualPosition(ref.State()) {
			now = b
		}
		return nil
	}
	if err := branches(g, same); err != nil {
		t.Fatal(err)
	}
	for ref.Actor() != env.Over {
		got, want := now.view(), ref.View()
		if len(got.Seen()) != len(want.Seen()) {
			t.Fatalf("the branch shows seat %d %v, the referee %v", got.Player(), got.Seen(), want.Seen())
		}
		for i := range got.Seen() {
			if got.Seen()[i] != want.Seen()[i] {
				t.Errorf("the branch shows seat %d %v, the referee %v", got.Player(), got.Seen(), want.Seen())
			}
		}
		a := want.Mask().Nth(0)
		if err := ref.Play(a); err != nil {
			t.Fatal(err)
		}
		if err := now.play(a, same); err != nil {
			t.Fatal(err)
		}
	}
}
