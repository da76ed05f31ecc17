package env_test

import (
	"slices"
	"testing"

	"earthgym/env"
)

func TestMaskBlock(t *testing.T) {
	for first := range env.Action(130) {
		for _, bits := range []uint64{0, 1, 0b1011, 1<<62 | 1, 1<<63 | 1<<33, 1<<64 - 1} {
			got, want := make(env.Mask, 4), make(env.Mask, 4)
			got.Set(3)
			want.Set(3)
			got.Block(first, bits)
			for i := range env.Action(64) {
				if bits>>i&1 != 0 {
					want.Set(first + i)
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("block %b from %d: %x, want %x", bits, first, got, want)
			}
		}
	}
	env.Mask{0}.Block(63, 1) // no bits beyond the words: none are needed
}

func TestMask(t *testing.T) {
	rng := env.NewStream(1, "masks")
	for _, density := range []int{1, 2, 8, 40, 64} {
		for words := range 7 {
			m := make(env.Mask, words)
			var want []env.Action
			for a := range env.Action(64 * words) {
				if rng.Below(64) < density {
					m.Set(a)
					want = append(want, a)
				}
			}
			if got := m.Append(nil); !slices.Equal(got, want) || m.Count() != len(want) {
				t.Fatalf("mask of %v: Append gives %v, Count %d", want, got, m.Count())
			}
			for n, a := range want {
				if got := m.Nth(n); got != a {
					t.Fatalf("mask of %v: Nth(%d) = %d, want %d", want, n, got, a)
				}
			}
			if got := m.Nth(len(want)); got != -1 {
				t.Errorf("mask of %v: Nth(%d) = %d, want -1", want, len(want), got)
			}
			for a := env.Action(-2); a < env.Action(64*words+2); a++ {
				if m.Has(a) != slices.Contains(want, a) {
					t.Fatalf("mask of %v: Has(%d) = %v", want, a, m.Has(a))
				}
			}
			if m.Clear(); m.Count() != 0 {
				t.Error("Clear leaves actions")
			}
		}
	}
	for n, words := range map[int]int{0: 0, 1: 1, 64: 1, 65: 2, 368: 6} {
		if got := env.MaskWords(n); got != words {
			t.Errorf("MaskWords(%d) = %d, want %d", n, got, words)
		}
	}
}

func TestSeats(t *testing.T) {
	s := env.Only(1).With(4)
	if s.Count() != 2 || !slices.Equal(s.List(), []int{1, 4}) || s.String() != "1 4" {
		t.Errorf("seats %v", s.List())
	}
	for _, tt := range []struct {
		seats env.Seats
		p     env.Player
		want  bool
	}{{s, 1, true}, {s, 0, false}, {s, env.Spectator, false}, {env.Everybody, env.Spectator, true},
		{env.Everybody, 7, true}, {env.Nobody, 0, false}} {
		if got := tt.seats.Has(tt.p); got != tt.want {
			t.Errorf("%v has %d: %v", tt.seats.List(), tt.p, got)
		}
	}
}

func BenchmarkNth(b *testing.B) {
	m := env.Mask{0x10101, 0, 0xffff0000ffff, 1, 0, 0x8000000000000001}
	n := m.Count()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		m.Nth(i % n)
	}
}
