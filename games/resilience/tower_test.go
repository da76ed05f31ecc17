package resilience

import (
	"math"
	"slices"
	"testing"

	"earthgym/env"
)

// RE-012, RE-015 and the table of 2.5: thirty-one stones, and an event at each of these heights.
func TestStacks(t *testing.T) {
	s := start(t, "")
	if got, want := s.game.data.Stacks, []int{5, 4, 4, 3, 3, 3, 2, 2, 2, 1, 1, 1}; !slices.Equal(got, want) {
		t.Errorf("stacks %v, want %v", got, want)
	}
	var heights []int
	for k := range s.game.Stones() {
		if s.tower = int8(k); s.UntilEvent() == 1 {
			heights = append(heights, k+1)
		}
	}
	if want := []int{5, 9, 13, 16, 19, 22, 24, 26, 28, 29, 30, 31}; !slices.Equal(heights, want) {
		t.Errorf("stacks run out at %v, want %v", heights, want)
	}
	for level, pieces := range map[Level]int{Settlement: 14, City: 10, Industry: 7} {
		if got := s.PiecesLeft(3, level); got != pieces {
			t.Errorf("a seat has %d pieces of level %d, want %d (RE-015)", got, level, pieces)
		}
	}
}

// RE-081: the printed chances are those of the formula in 2.6.
func TestFallTable(t *testing.T) {
	g := mustOpen(t, "")
	for k := 1; k <= g.Stones(); k++ {
		want := math.Round(10000 * math.Erfc(42/float64(k)/math.Sqrt2))
		if got := math.Round(10000 * g.FallChance(k)); got != want {
			t.Errorf("fall[%d] = %v, want %v", k, got, want)
		}
	}
}

// RE-081: drawn as a number r from 0 to 9,999, the stone falls if r < fall[k].
func TestStoneDraw(t *testing.T) {
	s := start(t, "players=2")
	s.tower = 30
	fell, border := 0, int(s.game.fall[31])
	const draws = 20000
	for seed := range uint64(draws) {
		s.luck[stoneStream] = env.NewStream(seed, "stones")
		number := s.luck[stoneStream]
		want := number.Below(10000) < border
		if got := s.stoneFalls(nil); got != want {
			t.Fatalf("seed %d: falls %v, want %v", seed, got, want)
		}
		if want {
			fell++
		}
	}
	if share := float64(fell) / draws; math.Abs(share-0.1755) > 0.01 {
		t.Errorf("%.4f of the stones at height 31 fall, want 0.1755", share)
	}
}

// RE-082, RE-083: what is certain is no event, and draws nothing.
func TestCertainStones(t *testing.T) {
	for _, tt := range []struct {
		options string
		tower   int8
		falls   bool
		events  int
	}{
		{"", 9, false, 0},
		{"", 10, false, 1}, // fall[11] = 1: the seed's stone stands, but it is drawn
		{"tower=limit,tower_limit=7", 5, false, 0},
		{"tower=limit,tower_limit=7", 6, true, 0},
		{"tower=limit,tower_limit=32", 30, false, 0},
		{"tower=limit,tower_limit=1", 0, true, 0},
	} {
		s := start(t, tt.options)
		s.tower = tt.tower
		before := s.luck
		var tape env.Tape
		if got := s.stoneFalls(&tape); got != tt.falls {
			t.Errorf("%q, stone %d: falls %v, want %v", tt.options, tt.tower+1, got, tt.falls)
		}
		if got := len(tape.Events()); got != tt.events {
			t.Errorf("%q, stone %d: %d events, want %d", tt.options, tt.tower+1, got, tt.events)
		}
		if drawn := s.luck != before; drawn != (tt.events > 0) {
			t.Errorf("%q, stone %d: it was drawn: %v", tt.options, tt.tower+1, drawn)
		}
	}
}

func TestFallWithin(t *testing.T) {
	s := start(t, "")
	for height, want := range map[int]float64{16: 0.02, 20: 0.11, 24: 0.31, 28: 0.57, 31: 0.75} {
		if got := s.FallWithin(height); math.Abs(got-want) > 0.006 {
			t.Errorf("a tower has fallen by height %d with chance %.3f, want about %v", height, got, want)
		}
	}
}
