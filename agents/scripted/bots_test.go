package scripted

import (
	"testing"

	"earthgym/env"
	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
	"earthgym/env/registry"
)

// open makes one bot, of today's version.
func (s *script) open(g env.Game, level int) *Bot { return s.bots[level].open(g) }

// TestBots plays every bot of every game at every variant: what it chooses is legal, the same again, and
// the same for any two redeals of what it sees.
func TestBots(t *testing.T) {
	envtest.NothingToRace(t)
	for _, script := range scripts() {
		rb := script.rulebook()
		for _, variant := range rb.Variants {
			t.Run(variant, func(t *testing.T) {
				t.Parallel()
				g := must.Have(registry.Registry{rb}.Open(variant))(t)
				for seed := range uint64(4) {
					playBots(t, g, script, seed)
				}
			})
		}
	}
}

// playBots plays one game in which every decision is made by a bot or at random, and asks every bot about
// every decision.
func playBots(t *testing.T, g env.Game, script script, seed uint64) {
	s, redealt := g.New(), g.New()
	s.Reset(seed, nil)
	var bots, others [len(levels)]*Bot
	for i := range script.bots {
		bots[i], others[i] = script.open(g, i), script.open(g, i)
	}
	luck := env.NewStream(seed, "table")
	for n := 0; s.Actor() != env.Over; n++ {
		view, p, key := env.ViewOf(s), s.Actor(), luck.Uint64()
		redealt.CopyFrom(s)
		redealt.Redeal(p, luck.Uint64())
		var choice [len(levels)]env.Action
		for i, bot := range bots {
			bot.Reset(key)
			choice[i] = bot.Act(view)
			if !view.Mask().Has(choice[i]) {
				t.Fatalf("%s, seed %d, decision %d: %s chooses %d: %s", g.Info().Text, seed, n, levels[i], choice[i],
					s.Why(choice[i]))
			}
			others[i].Reset(key)
			if a := others[i].Choose(s, view.Mask()); a != choice[i] {
				t.Fatalf("%s, seed %d, decision %d: %s chooses %q of a view, and %q of the State", g.Info().Text, seed, n,
					levels[i],
					view.ActionText(choice[i]), view.ActionText(a))
			}
			if others[i].Reset(key + 1); bot.Steady() && others[i].Act(view) != choice[i] {
				t.Fatalf("%s, seed %d, decision %d: %s does nothing by chance, and chooses otherwise with another seed",
					g.Info().Text, seed, n, levels[i])
			}
			others[i].Reset(key)
			if a := others[i].Act(env.ViewOf(redealt)); a != choice[i] {
				t.Fatalf("%s, seed %d, decision %d: %s chooses %q, and %q after a redeal of what it cannot know",
					g.Info().Text, seed, n, levels[i], view.ActionText(choice[i]), view.ActionText(a))
			}
		}
		m := view.Mask()
		a := m.Nth(luck.Below(m.Count()))
		if k := luck.Below(2 * len(levels)); k < len(levels) {
			a = choice[k]
		}
		s.Apply(a, nil)
	}
}
