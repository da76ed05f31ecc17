package scripted

import (
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/env/registry"
	"earthgym/games/earthman"
)

func openEarthman(t testing.TB, options string) env.Game {
	t.Helper()
	return must.Have(registry.Registry{earthman.Rulebook()}.Open("earthmans-burden:" + options))(t)
}

// playEarthman plays a game in which one bot decides for all seats; visit sees each decision before it is played.
func playEarthman(g env.Game, bot *Bot, seed uint64,
	visit func(s *earthman.State, legal env.Mask, a env.Action)) *earthman.State {
	s := g.New().(*earthman.State)
	s.Reset(seed, nil)
	bot.Reset(seed)
	legal := make(env.Mask, g.Info().MaskWords())
	for s.Actor() != env.Over {
		s.Legal(legal)
		a := bot.Choose(s, legal)
		if visit != nil {
			visit(s, legal, a)
		}
		s.Apply(a, nil)
	}
	return s
}

func openBot(t testing.TB, g env.Game, level string) *Bot {
	t.Helper()
	create := must.Have(Open(g, level))(t)
	return create()
}

// Four strong bots see the machines coming: under 10 % of their games end in Skynet.
func TestEarthmanSkynet(t *testing.T) {
	g := openEarthman(t, "players=4,skynet=on")
	bot := openBot(t, g, Strong)
	const games = 60
	lost := 0
	for seed := range uint64(games) {
		if playEarthman(g, bot, seed, nil).Reason() == "skynet" {
			lost++
		}
	}
	if lost*10 >= games {
		t.Errorf("%d of %d games end in Skynet", lost, games)
	}
}

// What strong chooses is what it scores highest, what is not legal has no score, and a decision allocates nothing.
func TestEarthmanScores(t *testing.T) {
	g := openEarthman(t, "players=3,skynet=on,collab=on,territory=on,prelude=on,espionage=on")
	bot, other := openBot(t, g, Strong), openBot(t, g, Strong)
	scores := make([]float64, len(g.Info().Actions))
	n := 0
	playEarthman(g, bot, 1, func(s *earthman.State, legal env.Mask, a env.Action) {
		n++
		other.Reset(1)
		if !other.Scores(s, legal, scores) {
			t.Fatal("strong does not work by scores")
		}
		for b, score := range scores {
			if score > scores[a] || legal.Has(env.Action(b)) != (score > scores[a]-1e9) {
				t.Fatalf("decision %d, point %v: %q scores %v, and %q, which is chosen, %v", n, s.Decision(),
					g.Info().Actions[b].Text, score, g.Info().Actions[a].Text, scores[a])
			}
		}
		if n%50 == 0 {
			if allocs := testing.AllocsPerRun(10, func() { other.Choose(s, legal) }); allocs > 0 {
				t.Fatalf("decision %d, point %v: %v allocations", n, s.Decision(), allocs)
			}
		}
	})
}

// Strong uses what a good player uses, in 40 games with all optional rules.
func TestEarthmanUses(t *testing.T) {
	g := openEarthman(t, "players=4,skynet=on,collab=on,territory=on,prelude=on,espionage=on")
	bot := openBot(t, g, Strong)
	used := map[string]bool{}
	for seed := range uint64(40) {
		playEarthman(g, bot, seed, func(s *earthman.State, _ env.Mask, a env.Action) {
			used[g.Info().Actions[a].Family] = true
		})
	}
	for _, family := range []string{
		"fire", "overthrow", "claim", "peace", "discontent", "influence", "replicate", "pacify", "reroll", "build3x2",
		"build2",
		"seat", "risk", "steal", "sabotage", "incite", "subvert", "study", "fleet", "research", "researchrisk",
	} {
		if !used[family] {
			t.Errorf("strong never plays %q", family)
		}
	}
	// A good player has no use for these (RULES.md 13).
	for _, family := range []string{"land", "voyage", "build3", "build1"} {
		if used[family] {
			t.Errorf("strong plays %q; RULES.md says that it does not", family)
		}
	}
}

// A claim is granted by a seat without hope, and refused by one with as good a chance as the claimant.
func TestEarthmanClaims(t *testing.T) {
	g := openEarthman(t, "players=2,accord_from=1,first=0")
	bot := openBot(t, g, Strong)
	for _, test := range []struct {
		name, patch string
		want        env.Action
	}{
		{"even", `{}`, earthman.No},
		{"behind", `{"vp": [4, 0]}`, earthman.No},
		{"hopeless", `{"vp": [29, 0], "power": [30, 0], "level": [{"ai": 9}, {}]}`, earthman.Yes},
	} {
		s := g.New().(*earthman.State)
		s.Reset(1, nil)
		patch := `{"phase": "accord", "point": "claim_vote", "seat": 1, "actor": 0}`
		for _, p := range []string{patch, test.patch} {
			if err := s.PatchPosition([]byte(p)); err != nil {
				t.Fatalf("%s: %v", test.name, err)
			}
		}
		legal := make(env.Mask, g.Info().MaskWords())
		s.Legal(legal)
		bot.Reset(1)
		if a := bot.Choose(s, legal); a != test.want {
			t.Errorf("%s: %q", test.name, g.Info().Actions[a].Text)
		}
	}
}
