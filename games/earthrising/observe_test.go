package earthrising

import (
	"fmt"
	"math"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest"
	"earthgym/env/form"
)

func BenchmarkRandomPlay(b *testing.B) {
	envtest.BenchmarkPlay(b, Rulebook(), "players=4", "players=6", "variant=quickplay,players=4", "variant=solo",
		"players=4,hands=closed")
}

// TestObserveCards shows that an observation tells the acting seat's cards and not another's closed hand.
func TestObserveCards(t *testing.T) {
	g := openGame(t, "players=3,cast=4,characters=choose,hands=closed")
	s := g.New().(*State)
	s.Reset(3, nil)
	row := make([]float32, g.info.Observation())
	obs := form.Observation[observation](row)
	count := func(cards practiceOnes) int {
		n := 0
		for _, v := range cards {
			if v != 0 {
				n++
			}
		}
		return n
	}
	for p := range env.Player(3) {
		s.Observe(row, p)
		want := 0
		if p == 0 {
			want = 2
		}
		if got := count(obs.Looked); got != want {
			t.Errorf("seat %d sees %d cards of the hand that goes with the first pick, want %d", p, got, want)
		}
	}
	for _, k := range []Character{Activist, Politician, Innovator, Ecologist} {
		s.Apply(choose+env.Action(k), nil)
	}
	for p := range env.Player(3) {
		s.Observe(row, p)
		for _, k := range s.cast[:s.castSize] {
			want := 0
			if env.Player(s.seat[k]) == p {
				want = s.hand[k].Count()
			}
			if got := count(obs.Hands[k]); got != want {
				t.Errorf("seat %d sees %d cards of the %s, want %d", p, got, k, want)
			}
		}
	}
}

// What an observation says of Clean Ups is what they do, and what it gathers about sectors, practices and characters is
// what lies on the table and in the hands that the seat knows.
func TestObserveOutlook(t *testing.T) {
	for _, options := range []string{"players=4", "variant=quickplay,players=2", "players=3,hands=closed",
		"variant=solo"} {
		g := openGame(t, options)
		s, next := g.New().(*State), g.New().(*State)
		legal, row := make(env.Mask, g.info.MaskWords()), make([]float32, g.info.Observation())
		o := form.Observation[observation](row)
		pick := env.NewStream(1, "pick")
		cleaned := 0
		for seed := range uint64(12) {
			s.Reset(seed, nil)
			for s.Actor() != env.Over {
				for p := range env.Player(g.players) {
					s.Observe(row, p)
					if err := checkGathered(s, o, p); err != nil {
						t.Fatalf("%s, seed %d, seat %d: %v\n%s", options, seed, p, err, s.AppendPosition(nil))
					}
				}
				s.Legal(legal)
				for a := clean; a < give; a++ {
					if !legal.Has(a) {
						continue
					}
					next.CopyFrom(s)
					next.BeginPlan()
					next.Plan(a)
					if err := checkCleanUp(s, next, &o.CleanUps[a-clean], Sector(int(a-clean)/maxCleanUp)); err != nil {
						t.Fatalf("%s, seed %d, %s: %v\n%s", options, seed, g.info.Actions[a].Text, err, s.AppendPosition(nil))
					}
					cleaned++
				}
				s.Apply(legal.Nth(pick.Below(legal.Count())), nil)
			}
		}
		if cleaned == 0 {
			t.Errorf("%s: no Clean Up was possible", options)
		}
	}
}

func checkCleanUp(s, next *State, row *cleanUpRow, x Sector) error {
	b := Board{State: *next}
	b.Survey()
	growth := int8(b.Growth(x))
	then := next.strain[x] + growth
	overflows := then+max(0, -next.net(x)) > next.game.full // what people add, and the net only if it adds
	for _, c := range []struct {
		what string
		got  float32
		want bool
	}{
		{"possible", row.Possible, true},
		{"strain left", row.Left[min(next.strain[x], 4)], true},
		{"strain then", row.Then[min(max(0, then), 11)], true},
		{"Major ready", row.MajorReady, next.majorClear(x)},
		{"Minor ready", row.MinorReady, next.minorClear(x)},
		{"too much then", row.Over, then > next.tolerance(x)},
		{"needed", row.Needed, s.strain[x]+growth > s.tolerance(x)},
		{"overflows", row.Overflows, overflows},
		{"nothing wasted", row.Wasted, then < 0},
		{"all", row.All, int(s.strain[x]-next.strain[x]) == s.CleanUps()},
	} {
		if (c.got > 0) != c.want {
			return fmt.Errorf("%s: %v, want %v", c.what, c.got, c.want)
		}
	}
	return nil
}

func checkGathered(s *State, o *observation, p env.Player) error {
	known := s.knownTo[p]
	for x := range Sector(NumSectors) {
		row, k := &o.Sectors[x], Character(x)
		cards := 0
		if s.decision != atChoose {
			cards = (s.Hand(s.active, p) & Of(x)).Count()
		}
		turns := -1
		if s.decision != atChoose && s.decision != over && s.InPlay(k) {
			turns = s.TurnsUntil(k)
		}
		for n, at := range row.Turns {
			if s.decision != atChoose && s.decision != over && at != form.Bit(n == turns) {
				return fmt.Errorf("%s: turns until its character's: %v, want %d", x, row.Turns, turns)
			}
		}
		if row.StrainCount[min(s.strain[x], 14)] != 1 || row.Cards[min(cards, 3)] != 1 {
			return fmt.Errorf("%s: strain %v, cards %v", x, row.StrainCount, row.Cards)
		}
		for i := range perSector {
			c := Card(int(x)*perSector + i)
			held := s.decision != atChoose && s.hand[s.active].Has(c) && known.Has(c)
			if r := &o.Practices[c]; r.Held != form.Bit(held) || r.Same[min(cards, 2)] != 1 || r.Strain != row.Strain {
				return fmt.Errorf("%s: %+v", c, r)
			}
		}
		if s.decision != atChoose {
			for of, n := range o.Characters[k].Cards {
				if want := min(float32((s.Hand(k, p)&Of(Sector(of))).Count())/3, 1); s.InPlay(k) &&
					math.Abs(float64(n-want)) > 1e-6 {
					return fmt.Errorf("%s has %v cards of %s, want %v", k, n, Sector(of), want)
				}
			}
		}
	}
	return nil
}
