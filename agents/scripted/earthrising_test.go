package scripted

import (
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/env/registry"
	er "earthgym/games/earthrising"
)

func openRising(t testing.TB, options string) env.Game {
	t.Helper()
	return must.Have(registry.Registry{er.Rulebook()}.Open("earth-rising:" + options))(t)
}

// playRising plays a game of strong bots and shows each decision before it is played.
func playRising(g env.Game, seed uint64, show func(s *er.State, m env.Mask, a env.Action)) {
	_, strong, _ := find(scripts(), g, Strong)
	bot := risingBots.open(g, strong)
	s, m := g.New().(*er.State), make(env.Mask, g.Info().MaskWords())
	s.Reset(seed, nil)
	bot.Reset(seed)
	for s.Actor() != env.Over {
		s.Legal(m)
		a := bot.Choose(s, m)
		show(s, m, a)
		s.Apply(a, nil)
	}
}

// The highest score is that of the choice, and only legal actions have one.
func TestRisingScores(t *testing.T) {
	for _, options := range []string{"players=2,cast=5,characters=choose,hands=closed,talk=on",
		"variant=quickplay,players=4"} {
		g := openRising(t, options)
		dst := make([]float64, len(g.Info().Actions))
		for level := 1; level < len(levels); level++ {
			bot, other := risingBots.open(g, level), risingBots.open(g, level)
			playRising(g, 3, func(s *er.State, m env.Mask, _ env.Action) {
				if !bot.Scores(s, m, dst) {
					t.Fatalf("%s: no scores", levels[level])
				}
				best := env.Action(0)
				for a, v := range dst {
					if (v >= Unwanted) != m.Has(env.Action(a)) {
						t.Fatalf("%s: the score of %s is %v", levels[level], s.ActionText(env.Action(a)), v)
					}
					if v > dst[best] {
						best = env.Action(a)
					}
				}
				if dst[best] < Unwanted+1 {
					t.Fatalf("%s: the choice, %s, has the score %v", levels[level], s.ActionText(best), dst[best])
				}
				if want := other.Choose(s, m); best != want {
					t.Fatalf("%s: %s is chosen, and %s has the highest score", levels[level], s.ActionText(want), s.ActionText(best))
				}
			})
		}
	}
}

// A plan is followed only where the table is as planned: asked about another position in between, and about one again,
// the bot chooses as it would have.
func TestRisingPlanKept(t *testing.T) {
	g := openRising(t, "players=3,characters=climatologist+innovator+ecologist")
	_, strong, _ := find(scripts(), g, Strong)
	twice, fresh := risingBots.open(g, strong), risingBots.open(g, strong)
	elsewhere, em := g.New(), make(env.Mask, g.Info().MaskWords())
	elsewhere.Reset(99, nil)
	for elsewhere.Legal(em); !em.Has(er.EndTurn); elsewhere.Legal(em) {
		elsewhere.Apply(em.Nth(0), nil)
	}
	want := fresh.Choose(elsewhere, em)
	playRising(g, 5, func(s *er.State, m env.Mask, _ env.Action) {
		a := twice.Choose(s, m)
		if b := twice.Choose(s, m); b != a {
			t.Fatalf("turn %d: %s, and when asked again %s", s.Turn(), s.ActionText(a), s.ActionText(b))
		}
		if b := fresh.Choose(elsewhere, em); b != want {
			t.Fatalf("turn %d: another position is played by the plan of this one: %s", s.Turn(), s.ActionText(b))
		}
		fresh.Choose(s, m)
	})
}

// Steps that are played on boards, with the strain apart, come to what they come to one by one, each with all decisions
// inside it; and a total is that of the State played so, without anything remembered.
func TestRisingBoards(t *testing.T) {
	for _, options := range []string{
		"players=3,characters=climatologist+innovator+ecologist,hands=closed",
		"players=2,characters=activist+ecologist",
		"variant=quickplay,players=4", "players=6,win=sustained",
	} {
		g := openRising(t, options)
		_, strong, _ := find(scripts(), g, Strong)
		luck := env.NewStream(7, "steps")
		long, plain := risingBots.open(g, strong).policy.(*risingStrong), g.New().(*er.State)
		tried := 0
		playRising(g, 7, func(s *er.State, m env.Mask, _ env.Action) {
			if s.Decision() != "actions" {
				return
			}
			long.look(s, m)
			long.begin(s)
			for range 8 {
				plain.CopyFrom(s)
				plain.BeginPlan()
				at, c := 0, s.Course()
				for range 4 {
					plain.Legal(long.legal)
					a := long.legal.Nth(luck.Below(long.legal.Count()))
					if !plannable(a) || plain.Decision() != "actions" {
						continue
					}
					at = long.play(at, &c, a)
					other := risingBots.open(g, strong).policy.(*risingStrong)
					other.look(s, m)
					other.begin(s)
					other.step(plain, a)
					table := long.boards[at].State
					if table.Follow(&c); table != *plain {
						t.Fatalf("turn %d: %s leads to another table\n%s\nthan it does step by step\n%s", s.Turn(),
							plain.ActionText(a), table.AppendPosition(nil), plain.AppendPosition(nil))
					}
					if got, want := long.total(long.boards[at], c.Strain), other.value(plain); got != want {
						t.Fatalf("turn %d: after %s the table is worth %v, and %v anew",
							s.Turn(), plain.ActionText(a), got, want)
					}
					tried++
				}
			}
		})
		if tried < 500 {
			t.Errorf("%s: only %d steps", options, tried)
		}
	}
}

// A plan that is remembered from another sample of the same table is the one that would be made.
func TestRisingRecalls(t *testing.T) {
	for _, options := range []string{"players=4,characters=climatologist+politician+investor+activist",
		"variant=quickplay,players=2"} {
		g := openRising(t, options)
		_, strong, _ := find(scripts(), g, Strong)
		bot := risingBots.open(g, strong)
		recalling, sample := bot.policy.(*risingStrong), g.New()
		recalled := 0
		playRising(g, 6, func(s *er.State, m env.Mask, _ env.Action) {
			fresh := risingBots.open(g, strong)
			want := fresh.Choose(s, m)
			env.ViewOf(s).SampleInto(sample, 8)
			bot.Reset(1)
			bot.Choose(sample, m)
			before := recalling.next
			bot.Reset(2)
			if a := bot.Choose(s, m); a != want {
				t.Fatalf("turn %d: %s, and without what was asked before %s", s.Turn(), s.ActionText(a), s.ActionText(want))
			}
			plan, made := recalling.plan, fresh.policy.(*risingStrong).plan
			if len(plan) != len(made) {
				t.Fatalf("turn %d: a plan of %d steps, and without what was asked before of %d", s.Turn(), len(plan), len(made))
			}
			for i := range plan {
				if plan[i].action != made[i].action || plan[i].seat != made[i].seat || plan[i].state != made[i].state {
					t.Fatalf("turn %d: step %d of the plan is another one", s.Turn(), i)
				}
			}
			if len(plan) > 0 && recalling.next == before {
				recalled++
			}
		})
		if recalled < 10 {
			t.Errorf("%s: only %d plans are recalled", options, recalled)
		}
	}
}

// Every family of actions is of use in some game.
func TestRisingUses(t *testing.T) {
	unused := map[string]bool{}
	for _, info := range openRising(t, "players=4").Info().Actions {
		unused[info.Family] = true
	}
	for _, options := range []string{
		"players=6,talk=on",
		"players=3,hands=closed,characters=politician+investor+climatologist,talk=on",
		"players=3,cast=5,characters=choose,talk=on",
	} {
		g := openRising(t, options)
		for seed := range uint64(12) {
			playRising(g, seed, func(_ *er.State, _ env.Mask, a env.Action) { delete(unused, g.Info().Actions[a].Family) })
		}
	}
	for family := range unused {
		t.Errorf("never used: %s", family)
	}
}
