package env_test

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/must"
)

var faces = []string{"a", "b", "c", "d", "e"}

func face(i int) string { return faces[i] }

// The first numbers are pinned: a change of them changes every game, record and benchmark.
func TestStreamIsPinned(t *testing.T) {
	s := env.NewStream(1, "cards")
	text := must.Have(s.MarshalText())(t)
	got := []int{s.Below(6), s.Below(6), s.Below(52), s.Below(1000000)}
	if want := []int{1, 2, 31, 8866}; !slices.Equal(got, want) || string(text) != "a011a9d2c97076a5183614797b4097ba" {
		t.Errorf("got %v from %s, want %v", got, text, want)
	}
}

func TestStreamsDiffer(t *testing.T) {
	seen := map[env.Stream]string{}
	add := func(s env.Stream, what string) {
		if other, ok := seen[s]; ok {
			t.Errorf("%s and %s are one stream", what, other)
		}
		seen[s] = what
	}
	names := []string{"dice", "cards", "card", "", "events", "set-up"}
	streams := make([]env.Stream, len(names))
	for seed := range uint64(200) {
		env.SeedStreams(streams, names, seed)
		for i, s := range streams {
			add(s, "seeded "+names[i]+" "+strconv.Itoa(int(seed)))
			if s != env.NewStream(seed, names[i]) {
				t.Errorf("stream %q of seed %d depends on the others", names[i], seed)
			}
		}
		env.RedealStreams(streams, names, seed)
		for i, s := range streams {
			add(s, "redealt "+names[i]+" "+strconv.Itoa(int(seed)))
		}
	}
}

// Neighbouring seeds give unrelated draws: no face of a die is preferred among first draws.
func TestFirstDrawsAreUniform(t *testing.T) {
	const n = 60000
	var counts [6]int
	for seed := range uint64(n) {
		s := env.NewStream(seed, "dice")
		counts[s.Below(6)]++
	}
	uniform(t, counts[:], n)
}

func TestBelow(t *testing.T) {
	s := env.NewStream(3, "test")
	for _, n := range []int{1, 2, 3, 7, 10, 48} {
		counts := make([]int, n)
		for range 10000 * n {
			counts[s.Below(n)]++
		}
		uniform(t, counts, 10000*n)
	}
	// Plain scaling without rejection would give numbers below 3·2⁶¹ that leave 0 or 1 when divided by 3 three of
	// eight 64-bit words, and the others two.
	counts := make([]int, 3)
	for range 100000 {
		counts[s.Below(3<<61)%3]++
	}
	uniform(t, counts, 100000)
}

// uniform tests counts by chi-squared, with about 5 standard deviations of room.
func uniform(t *testing.T, counts []int, n int) {
	t.Helper()
	want := float64(n) / float64(len(counts))
	chi := 0.0
	for _, c := range counts {
		chi += (float64(c) - want) * (float64(c) - want) / want
	}
	k := float64(len(counts) - 1)
	if chi > k+5*math.Sqrt(2*k)+5 {
		t.Errorf("counts %v are not uniform: chi-squared %.1f for %v degrees of freedom", counts, chi, k)
	}
}

func TestFloat64(t *testing.T) {
	s := env.NewStream(4, "test")
	var counts [10]int
	for range 100000 {
		x := s.Float64()
		if x < 0 || x >= 1 {
			t.Fatal(x)
		}
		counts[int(x*10)]++
	}
	uniform(t, counts[:], 100000)
}

func TestStreamText(t *testing.T) {
	s := env.NewStream(5, "test")
	s.Uint64()
	text, err := s.MarshalText()
	if err != nil || len(text) != 32 {
		t.Fatal(string(text), err)
	}
	var back env.Stream
	if err := back.UnmarshalText(text); err != nil || back != s || back.Uint64() != s.Uint64() {
		t.Errorf("a stream that is read from its text goes on differently (%v)", err)
	}
	for _, bad := range []string{"", "00", strings.Repeat("0", 31), strings.Repeat("g", 32), strings.Repeat("0", 34)} {
		if err := back.UnmarshalText([]byte(bad)); err == nil || !strings.Contains(err.Error(), "32 hexadecimal digits") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestWeighted(t *testing.T) {
	weights := []int{3, 0, 1, 6, 0}
	for _, tape := range []*env.Tape{nil, {}} {
		s := env.NewStream(6, "test")
		counts := make([]int, len(weights))
		const n = 50000
		for range n {
			tape := tape
			if tape != nil {
				tape.Rewind()
			}
			counts[tape.Weighted(&s, env.Everybody, "draw", len(weights), func(i int) int { return weights[i] }, face)]++
		}
		for i, w := range weights {
			if got := float64(counts[i]) / n; math.Abs(got-float64(w)/10) > 0.01 {
				t.Errorf("outcome %d of weight %d comes in %.3f of all draws", i, w, got)
			}
		}
	}
}

func TestTapeLogs(t *testing.T) {
	s := env.NewStream(7, "test")
	var tape env.Tape
	tape.Force("draw = d", "die = b")
	tape.Weighted(&s, env.Only(1), "draw", 5, func(i int) int { return []int{3, 0, 1, 6, 0}[i] }, face)
	tape.Note(env.Everybody, "a card")
	tape.Uniform(&s, env.Everybody, "die", 2, face)
	tape.Reveal(env.Everybody, "a secret")
	must.Do(t, tape.Err())
	if got := strings.Join(tape.Texts(), "; "); got != "draw = d; die = b" {
		t.Errorf("logged %s", got)
	}
	if got := strings.Join(tape.Notes(), "; "); got != "a card" {
		t.Errorf("notes %s", got)
	}
	e := tape.Events()[0]
	want := []env.Outcome{{Text: "a", Weight: 3}, {Text: "c", Weight: 1}, {Text: "d", Weight: 6}}
	if !slices.Equal(e.Outcomes, want) || e.To != env.Only(1) {
		t.Errorf("event %+v, want outcomes %v", e, want)
	}
	tape.Rewind()
	if len(tape.Events()) != 0 {
		t.Error("Rewind keeps events")
	}
}

// Forcing one event does not shift the luck of the others, whatever it is forced to.
func TestForcingLeavesTheLuck(t *testing.T) {
	draw := func(forced ...string) (env.Stream, []string) {
		s := env.NewStream(8, "test")
		var tape env.Tape
		tape.Force(forced...)
		tape.Uniform(&s, env.Everybody, "one", 5, face)
		tape.Weighted(&s, env.Everybody, "two", 5, func(i int) int { return i }, face)
		order := []int{0, 1, 2, 3, 4}
		tape.Shuffle(&s, env.Everybody, "deck", 5, func(i, j int) { order[i], order[j] = order[j], order[i] },
			func(i int) string { return faces[order[i]] })
		must.Do(t, tape.Err())
		return s, tape.Texts()
	}
	free, texts := draw()
	for _, forced := range [][]string{{"one = a"}, {"one = e", "two = e"}, {"one = b", "two = b", "deck = e d"}, texts} {
		if after, got := draw(forced...); after != free {
			t.Errorf("forcing %q moves the stream on differently", forced)
		} else if !strings.HasPrefix(strings.Join(got, "; "), strings.Join(forced, "; ")) {
			t.Errorf("forcing %q gives %q", forced, got)
		}
	}
	var plain *env.Tape
	s := env.NewStream(8, "test")
	plain.Uniform(&s, env.Everybody, "one", 5, face)
	plain.Weighted(&s, env.Everybody, "two", 5, func(i int) int { return i }, face)
	plain.Shuffle(&s, env.Everybody, "deck", 5, func(int, int) {}, face)
	if s != free {
		t.Error("without a tape the stream moves on differently")
	}
}

func TestForcedOrder(t *testing.T) {
	for _, tt := range []struct {
		cards, force, want, err string
	}{
		{cards: "a b c d e", force: "d b", want: "d b a c e"},
		{cards: "a b c d e", force: "e d c b a", want: "e d c b a"},
		{cards: "a b c d e", force: "a", want: "a b c d e"},
		{cards: "a b a b c", force: "b b", want: "b b a a c"},
		{cards: "a b c", force: "", want: "a b c"},
		{cards: "a b c", force: "b x", err: `forced chance "deck = b x": "x" is not among what is left to order: a c`},
		{cards: "a b c", force: "b b", err: `"b" is not among what is left to order: a c`},
		{cards: "a b", force: "a b a", err: `"a" is not among what is left to order: `},
	} {
		cards := strings.Fields(tt.cards)
		s := env.NewStream(9, "test")
		var tape env.Tape
		tape.Force("deck = " + tt.force)
		tape.Shuffle(&s, env.Everybody, "deck", len(cards), func(i, j int) { cards[i], cards[j] = cards[j], cards[i] },
			func(i int) string { return cards[i] })
		got := strings.Join(cards, " ")
		switch err := tape.Err(); {
		case tt.err != "":
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s by %q: %v, want %q", tt.cards, tt.force, err, tt.err)
			}
		case err != nil || got != tt.want || tape.Texts()[0] != "deck = "+tt.want:
			t.Errorf("%s by %q: %s, %q, %v, want %s", tt.cards, tt.force, got, tape.Texts(), err, tt.want)
		}
	}
}

func TestShuffleIsUniform(t *testing.T) {
	for _, tape := range []*env.Tape{nil, {}} {
		s := env.NewStream(10, "test")
		places := map[string]int{}
		const n = 24000
		for range n {
			order := []int{0, 1, 2, 3}
			if tape != nil {
				tape.Rewind()
			}
			tape.Shuffle(&s, env.Everybody, "deck", 4, func(i, j int) { order[i], order[j] = order[j], order[i] },
				func(i int) string { return faces[order[i]] })
			places[faces[order[0]]+faces[order[1]]+faces[order[2]]+faces[order[3]]]++
		}
		if len(places) != 24 {
			t.Fatalf("%d orders of 4 cards", len(places))
		}
		uniform(t, slices.Collect(maps.Values(places)), n)
	}
}

func TestForcedChanceErrors(t *testing.T) {
	for _, tt := range []struct {
		force []string
		want  string
	}{
		{[]string{"die = z"}, `forced chance "die = z" is impossible: die can be a, b, d`},
		{[]string{"die = c"}, `forced chance "die = c" is impossible`}, // weight 0
		{[]string{"coin = a"}, `forced chance "coin = a", but "die" was drawn`},
		{[]string{"die"}, `forced chance "die" is not of the form "name = outcome"`},
		{[]string{"die = a", "die = b"}, `forced chance "die = b" was never drawn`},
		{[]string{"coin = a", "die = b"}, `forced chance "coin = a", but "die" was drawn`}, // the first one
	} {
		s := env.NewStream(11, "test")
		var tape env.Tape
		tape.Force(tt.force...)
		tape.Weighted(&s, env.Everybody, "die", 4, func(i int) int { return []int{1, 2, 0, 3}[i] }, face)
		if err := tape.Err(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: got %v, want %q", tt.force, err, tt.want)
		}
		if tape.Rewind(); tape.Err() != nil {
			t.Errorf("%q: Rewind keeps the error %v", tt.force, tape.Err())
		}
	}
}
