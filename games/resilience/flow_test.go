package resilience

import (
	"fmt"
	"testing"

	"earthgym/env"
)

// Rotating the seats commutes with play (RULES.md 12, invariant 17): no seat is special but the first
// leader (RE-002, RE-016). The observation of a seat rotates with it.
func TestRotatedSeats(t *testing.T) {
	for players := 2; players <= maxPlayers; players++ {
		for k := 1; k < players; k++ {
			g := mustOpen(t, fmt.Sprintf("players=%d", players))
			other := mustOpen(t, fmt.Sprintf("players=%d,first=%d", players, k))
			s, r := g.New().(*State), other.New().(*State)
			one, two := make([]float32, g.info.Observation()), make([]float32, g.info.Observation())
			for seed := range uint64(6) {
				p := newPlayer(g, seed)
				s.Reset(seed, nil)
				r.Reset(seed, nil)
				for s.Actor() != env.Over {
					a := p.weighted(s)
					s.Apply(a, nil)
					r.Apply(a, nil)
					if rotate(s.position, players, k) != r.position {
						t.Fatalf("%d players, rotated by %d, seed %d: %q does not commute", players, k, seed, g.info.Actions[a].Text)
					}
					s.Observe(one, 0)
					r.Observe(two, env.Player(k))
					for i := range one {
						if one[i] != two[i] {
							t.Fatalf("%d players, rotated by %d, seed %d: number %d of the observation is %v, and %v rotated", players, k,
								seed, i, one[i], two[i])
						}
					}
				}
				if rotateSeats(s.Winners(), players, k) != r.Winners() {
					t.Fatalf("winners %v, and %v rotated by %d", s.Winners(), r.Winners(), k)
				}
			}
		}
	}
}

func rotate(p position, players, k int) position {
	q := p
	for i := range players {
		j := (i + k) % players
		q.land[j], q.credit[j] = p.land[i], p.credit[i]
		q.res[j], q.lq[j] = p.res[i], p.lq[i]
		q.sabbaticals[j], q.resting[j] = p.sabbaticals[i], p.resting[i]
		q.promise[j], q.kept[j], q.broken[j] = p.promise[i], p.kept[i], p.broken[i]
		q.asked[j] = p.asked[i]
	}
	for _, seat := range []*int8{&q.leader, &q.partner, &q.culprit} {
		if *seat >= 0 {
			*seat = int8((int(*seat) + k) % players)
		}
	}
	return q
}

func rotateSeats(s env.Seats, players, k int) env.Seats {
	rotated := env.Nobody
	for _, p := range s.List() {
		rotated = rotated.With(env.Player((p + k) % players))
	}
	return rotated
}

// What one position can't show (RULES.md 12, invariants 9 to 13): RES grows only in allocations, deals
// conserve it (RE-134), nobody settles or develops and takes a sabbatical in one turn (RE-051), events come
// exactly when a stack runs out (RE-086) and never with the last stone (RE-085), and there is no chance
// where no stone is placed, least of all in taking stones off (RE-048).
func TestPlayInvariants(t *testing.T) {
	for _, options := range []string{"players=2", "players=3,tower=limit", "players=4,supply=tight"} {
		g := mustOpen(t, options)
		s := g.New().(*State)
		p := newPlayer(g, 9)
		var tape env.Tape
		for seed := range uint64(60) {
			s.Reset(seed, nil)
			for s.Actor() != env.Over {
				before := *s
				a := p.weighted(s)
				tape.Rewind()
				s.Apply(a, &tape)
				text := g.info.Actions[a].Text
				if allocated := s.round > before.round || s.ending == Time; !allocated && hands(s) > hands(&before) {
					t.Fatalf("%s: %q makes RES", options, text)
				}
				if a == Yes && hands(s) != hands(&before) {
					t.Fatalf("%s: a deal changes the RES of all", options)
				}
				if a == Sabbatical && before.built {
					t.Fatalf("%s: a sabbatical after building", options)
				}
				events, emptied := 0, 0
				for _, e := range tape.Events() {
					if e.Kind != env.Reveal && s.tower <= before.tower && s.ending != Collapse {
						t.Fatalf("%s: %q draws %q without a stone on the tower (RE-048)", options, text, e)
					}
					if e.Name == "event" {
						events++
					}
					if e.Name == "stone" && g.towerLimit > 0 {
						t.Fatalf("%s: %q draws a stone (RE-082)", options, text)
					}
				}
				for k := before.tower + 1; k <= s.tower; k++ {
					if g.empties>>k&1 != 0 {
						emptied++
					}
				}
				if events != emptied {
					t.Fatalf("%s: %q takes the tower from %d to %d with %d events, want %d", options, text, before.tower, s.tower,
						events, emptied)
				}
			}
		}
	}
}

func hands(s *State) int32 {
	sum := int32(0)
	for _, res := range s.res {
		sum += res
	}
	return sum
}

// RE-010: the signal of a hidden timer comes at every whole minute of its range alike, and a redeal
// draws among those that the clock leaves.
func TestHiddenLength(t *testing.T) {
	s := start(t, "players=2,minutes_min=50,minutes_max=53")
	count := map[int32]int{}
	for seed := range uint64(400) {
		s.Reset(seed, nil)
		count[s.limit]++
	}
	for _, minutes := range []int32{50, 51, 52, 53} {
		if n := count[60*minutes]; n < 60 || n > 140 {
			t.Errorf("%d minutes come %d times in 400, want about 100", minutes, n)
		}
	}
	if s.clock = 51 * 60; s.EndChance() != 1 {
		t.Errorf("at 51 minutes of at most 53 the game ends with this turn by chance %v, want 1", s.EndChance())
	}
	s.clock = 49*60 + 1
	if got := s.EndChance(); got != 0.5 { // 50 and 51 of 50 to 53
		t.Errorf("the chance to end before 51:01 is %v, want 0.5", got)
	}
	s.clock = 51 * 60
	count = map[int32]int{}
	for key := range uint64(400) {
		s.Redeal(0, key)
		count[s.limit]++
	}
	if len(count) != 2 || count[52*60] < 140 || count[53*60] < 140 {
		t.Errorf("redealt lengths %v, want 52 and 53 minutes alike", count)
	}
}

func TestRoundsLeft(t *testing.T) {
	s := start(t, "players=2")
	if got := s.RoundsLeft(); got != 12 { // 60 minutes at 5
		t.Errorf("at the start %v rounds are expected, want 12", got)
	}
	s.clock = 60 * 60
	if got := s.RoundsLeft(); got != 1 { // 65 minutes are
		t.Errorf("after 60 minutes %v rounds are expected, want 1", got)
	}
}
