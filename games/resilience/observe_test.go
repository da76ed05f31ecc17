package resilience

import (
	"math"
	"testing"

	"earthgym/env"
	"earthgym/env/form"
)

// What a seat sees of a position, feature by feature.
func TestObservation(t *testing.T) {
	s := crowded(t)
	info := s.game.info
	for _, tt := range []struct {
		observer env.Player
		feature  string
		at       int // in the feature
		want     float64
	}{
		{0, "owner", int(field("11")), 1},               // own seat first
		{1, "owner", 2*NumFields + int(field("11")), 1}, // seat 0 sits two places clockwise of seat 1
		{0, "owner", 3 * NumFields, 0},                  // nobody sits there
		{0, "level", int(field("12")), 1},
		{0, "level", NumFields + int(field("11")), 1},
		{0, "level", 2*NumFields + int(field("31")), 1},
		{0, "smog", int(field("31")), 1},
		{0, "cover", int(field("64")), 1},
		{0, "cover", NumFields + int(field("25")), 1},
		{0, "cover_left", int(field("64")), 2.0 / 16},
		{0, "cover_left", int(field("25")), 1},
		{0, "credit", int(field("11")), 1},
		{1, "credit", int(field("11")), 0},
		{0, "price", int(field("13")), 2.0 / 16}, // beside 11
		{0, "price", int(field("55")), 4.0 / 16}, // far
		{0, "price", int(field("24")), 0},        // covered
		{2, "price", int(field("13")), 4.0 / 16},
		{0, "smog_own", int(field("12")), 1.0 / 8},   // 11 has not paid
		{0, "smog_own", int(field("21")), 1.0 / 8},   // 11; 31 has paid
		{0, "smog_own", int(field("44")), 0},         // covered: nothing can be built there
		{1, "smog_others", int(field("32")), 0},      // 31 has paid
		{0, "near_own", int(field("13")), 3.0 / 8},   // 11, 12, 21
		{0, "near_free", int(field("13")), 3.0 / 8},  // 15, 16, 22
		{0, "near_free", int(field("15")), 3.0 / 8},  // 13, 14, 16
		{0, "near_free", int(field("12")), 0},        // occupied
		{0, "near_smoke", int(field("32")), 2.0 / 8}, // 31, 33
		{0, "near_smoke", int(field("55")), 0},
		{0, "res", 0, 11.0 / 32},
		{0, "res_count", 11, 1},
		{0, "res_count", 25 + 16, 1}, // seat 1
		{0, "res_count", 2 * 25, 1},  // seat 2 has none
		{0, "res_count", 3*25 + 0, 0},
		{1, "lq_count", 3, 1},
		{0, "lq_count", 9, 1},
		{1, "res", 2, 11.0 / 32},
		{0, "lq_far", 1, 3.0 / 256},
		{0, "income", 0, 7.0 / 64}, // 2 + 1 + 1 + 3, 44 blocked
		{0, "lq_due", 0, 1.0 / 16}, // 12
		{0, "lq_due", 2, 8.0 / 16}, // seat 2: the sabbatical; 64 is blocked
		{0, "settlements_left", 0, 9.0 / 14},
		{0, "cities_left", 0, 9.0 / 10},
		{0, "industries_left", 1, 6.0 / 7},
		{0, "lq_share", 0, 9.0 / 20},
		{0, "unequal", 0, 0},
		{0, "unequal", 1, 1}, // 16 and 3
		{0, "on_sabbatical", 2, 1},
		{0, "sabbaticals", 2, 2.0 / 16},
		{0, "promise", 0, 1},                // calm
		{0, "promise", 2*maxPlayers + 2, 1}, // seat 2: rest
		{0, "kept", 0, 2.0 / 16},
		{0, "broken", 1, 3.0 / 16},
		{0, "total", 0, 20.0 / 128},
		{0, "total", 1, 14.0 / 128},
		{0, "ahead", 0, 1},
		{0, "ahead", 1, 0.5},
		{0, "ahead", 2, 0},
		{0, "leader", 2, 1},
		{0, "active", 0, 1},
		{1, "acting", 2, 1},
		{0, "plays", 3, 0},
		{0, "tower", 0, 15.0 / 31},
		{0, "tower_stones", 14, 1},
		{0, "tower_stones", 15, 0},
		{0, "fall", 0, 0.0087},
		{0, "fall", 1, 0.0135},
		{0, "until_event", 0, 1.0 / 16},
		{0, "event_next", 0, 1},
		{0, "event_next", 1, 0},
		{0, "deck", 2, 1},
		{0, "deck", 3, 0},
		{0, "deck_left", 0, 0.25},
		{0, "covers_left", 0, 17.0 / 21},
		{0, "clock", 0, 1580.0 / 4200},
		{0, "round", 0, 6.0 / 32},
		{0, "end_chance", 0, 0},
		{0, "rounds_left", 0, (3600 - 1580) / 300.0 / 16},
		{0, "turn", 1, 1},
		{0, "decision", 0, 1},
		{0, "players", 1, 1},
		{0, "length", 0, 50.0 / 240},
		{0, "deals", 0, 1},
		{0, "collapse_win", 0, 1},
	} {
		obs := make([]float32, info.Observation())
		s.Observe(obs, tt.observer)
		for _, f := range info.Features {
			if f.Name != tt.feature {
				continue
			}
			if got := float64(obs[f.Offset+tt.at]); math.Abs(got-tt.want) > 1e-6 {
				t.Errorf("player %d: %s[%d] = %v, want %v", tt.observer, tt.feature, tt.at, got, tt.want)
			}
		}
	}
}

// What is to be expected is the mean over all lengths that the clock leaves, and what seats will have follows from it.
func TestObservedOutlook(t *testing.T) {
	for _, options := range []string{"players=3", "players=3,timer=fixed", "players=3,minutes_min=20,minutes_max=31"} {
		s := start(t, options)
		g := s.game
		row := make([]float32, g.info.Observation())
		o := form.Observation[observation](row)
		for clock := int32(0); clock < int32(60*g.minutesMax); clock += 130 {
			s.clock, s.turn = clock, int8(clock%3)
			s.res, s.lq = [maxPlayers]int32{11, 40, 2}, [maxPlayers]int32{9, 1, 2}
			s.land = [maxPlayers]Fields{0b111, 0b1000, 0}
			s.tower = 20
			sum, next, lengths := 0, 0, 0
			for minutes := max(g.minutesMin, int(clock)/60+1); minutes <= g.minutesMax; minutes++ {
				lengths++
				played := 0
				for at := int(clock) + (g.players-int(s.turn))*int(g.turnTime); at < 60*minutes; at += g.RoundTime() {
					played++
				}
				sum += played
				if played > 0 {
					next++
				}
			}
			s.Observe(row, 0)
			check := func(what string, got float32, want float64) {
				t.Helper()
				if math.Abs(float64(got)-want) > 1e-5 {
					t.Fatalf("%s, clock %d: %s is %v, want %v", options, clock, what, got, want)
				}
			}
			expected := float64(sum) / float64(lengths)
			check("allocations", o.Allocations.Expected, expected/8)
			check("the next", o.Allocations.Next, float64(next)/float64(lengths))
			check("their number", o.Allocations.Count[min(int(expected+0.5), 16)], 1)
			pace := float32(21) / (float32(s.RoundsDone()) + 1.5)
			check("the fall", o.Allocations.Falls, s.FallWithin(int(pace*float32(expected)+0.5)))
			due := float64(next) / float64(lengths)
			check("own RES then", o.RESThen[0], (11+3*expected)/32)
			check("own LQ then", o.LQThen[0], (9+3*due)/32)
			check("seat 1 is unequal", o.UnequalThen[1], 1)
			check("seat 2 is not", o.UnequalThen[2], 0)
			for i, level := range []Level{Settlement, City, Industry} {
				b := &o.Builds[i]
				check("RES left", b.Left[min(11-g.Cost(level)+mostShort, numSpare-1)], 1)
				yield := float64(g.Production(level))
				if level > Settlement {
					yield -= float64(g.Production(Settlement))
				}
				check("worth", b.Worth, (yield*expected-float64(g.Cost(level)))/16)
				check("danger", b.Falls, s.FallWithin(g.BuildingStones(level)))
				event := 0.0
				if until := s.UntilEvent(); until > 0 && until <= g.BuildingStones(level) {
					event = 1
				}
				check("event", b.Event, event)
				check("a piece", b.Piece, 1)
			}
		}
	}
}

// Free neighbours come out the same, counted from above or from below.
func TestFreeNeighbours(t *testing.T) {
	s := crowded(t)
	for n := range NumFields {
		free := allFields &^ (1<<n - 1) // ever fewer, and not in a row
		free = free&0x555555555 | free>>1&0xaaaaaaaaa
		var plane perField
		s.observeFree(&plane, free)
		for f := range Field(NumFields) {
			want := float32(0)
			if free.Has(f) {
				want = float32((s.game.neighbours[f] & free).Count()) / 8
			}
			if got := plane[f]; got != want {
				t.Fatalf("free %b: %s has %v, want %v", free, f, got, want)
			}
		}
	}
}

// The potential is bounded, grows with what counts, and turns to LQ as the tower gets dangerous.
func TestPotential(t *testing.T) {
	s := start(t, "players=2")
	if got := s.Potential(0); got != 0 {
		t.Errorf("at the start it is %v, want 0", got)
	}
	s.res[0], s.lq[1] = 40, 10
	if got := s.Potential(0); got <= 0.2 || got >= 1 || s.Potential(1) != -got {
		t.Errorf("26 points ahead, with a flat tower: %v and %v", got, s.Potential(1))
	}
	safe := s.Potential(0)
	s.tower, s.round = 30, 8
	if got := s.Potential(0); got >= safe || got < -1 {
		t.Errorf("it is %v below a swaying tower and was %v before", got, safe)
	}
}
