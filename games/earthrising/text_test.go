package earthrising

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
	"earthgym/env/registry"
)

// crowded is a position with something of everything.
func crowded(t testing.TB, options string) *State {
	t.Helper()
	return at(t, options, tabled(map[string]any{
		"turn": 9, "year": 9, "strain": []int{3, 13, 9, 1, 4, 0}, "collapses": 2, "startups": 1, "actions": 3,
		"major": []string{"politics", "energy", "industry"}, "minor": []string{"energy"},
		"circle": map[string]any{
			"agriculture": []string{"X", "U:soil-depletion", "S:crop-diversity"},
			"culture":     []string{"U:mass-tourism", "U:throwaway-culture", "U:fast-fashion", "S:climate-education"},
			"politics":    []string{"S:fair-trade-deals", "U:unfair-representation", "", "S:carbon-pricing", "", "X"},
			"energy": []string{"S:wind-power", "S:solar-power", "U:centralised-grid", "S:tidal-power",
				"S:energy-conservation", "S:geothermal-heat", "S:energy-storage"},
			"industry": []string{"", "S:circular-production", "U:e-waste-dumping"},
		},
		"protest":      []string{"fast-fashion", "unfair-representation"},
		"regeneration": []string{"crop-diversity", "wind-power"},
		"hand": map[string]any{
			"politician": []string{"fair-representation", "natural-capital-accounting", "clean-manufacturing", "soil-care",
				"plant-rich-diets"},
			"climatologist": []string{"decentralised-grid"},
			"activist":      []string{"slow-fashion", "sharing-economy", "rent-control"},
		},
		"deck": []string{"repair-culture", "sqs-energy", "rest"}, "discard": []string{"sqs-culture", "home-retrofit"},
		"kind": []string{"", "sqs"}, "known": map[string]any{"repair-culture": []int{0, 1, 2}, "sqs-culture": []int{0, 1, 2}},
	}))
}

const crowdedCast = "players=3,characters=politician+climatologist+activist"

// What each viewer sees: the seat that decides, one that waits, and a spectator.
func TestViews(t *testing.T) {
	golden := func(name string, s *State, p env.Player) {
		t.Helper()
		envtest.GoldenFile(t, name+".txt", s.AppendText(nil, p))
		svg := s.AppendSVG(nil, p)
		envtest.GoldenFile(t, name+".svg", svg)
		for d := xml.NewDecoder(strings.NewReader(string(svg))); ; {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
	s := crowded(t, crowdedCast)
	golden("actions", s, 0)
	closed := crowded(t, crowdedCast+",hands=closed")
	golden("closed-waiting", closed, 2)
	golden("closed-spectator", closed, env.Spectator)
	s.Apply(parse(t, s, "consult"), nil)
	golden("order", s, 0)
	s.Apply(parse(t, s, "keep"), nil)
	s.Apply(parse(t, s, "ask"), nil)
	golden("window", s, 1)
	choosing := at(t, "players=2,cast=3,characters=choose,hands=closed", nil)
	golden("choose", choosing, 0)
	s.end(outOfTime)
	golden("over", s, env.Spectator)
}

// Only the Ecologist, or who trims, is told that a token comes off (ER-402, ER-432, ER-460).
func TestTokenWords(t *testing.T) {
	s := at(t, "players=2,characters=ecologist+activist", tabled(map[string]any{
		"circle":       map[string]any{"agriculture": []string{"S:soil-care", "S:agroforestry"}},
		"regeneration": []string{"soil-care"},
	}))
	for action, want := range map[string]string{
		"token soil-care": "Take the token off", "token agroforestry": "Put a token on",
	} {
		if what, _ := s.About(parse(t, s, action)); !strings.HasPrefix(what, want) {
			t.Errorf("%s is told as %q, want %q", action, what, want)
		}
	}
}

// What a spectator or another seat sees of closed hands names no card in them.
func TestViewsKeepSecrets(t *testing.T) {
	s := crowded(t, crowdedCast+",hands=closed")
	for _, p := range []env.Player{1, 2, env.Spectator} {
		for what, b := range map[string][]byte{"text": s.AppendText(nil, p), "drawing": s.AppendSVG(nil, p)} {
			if strings.Contains(string(b), "Natural Capital Accounting") || strings.Contains(string(b), "Plant-Rich Diets") {
				t.Errorf("ER-008: the %s for %d shows a card in another's closed hand", what, p)
			}
		}
	}
}

// All legal actions can be read off the text, each once, and each has words for what it does.
func TestChoicesAreComplete(t *testing.T) {
	for seed, options := range []string{"players=3", "variant=quickplay,players=6,talk=on", "variant=solo",
		"players=2,characters=choose,hands=closed"} {
		rb := Rulebook()
		g := must.Have(registry.Registry{rb}.Open(rb.Name + ":" + options))(t)
		s, luck := g.New(), env.NewStream(uint64(seed), "choices")
		legal := make(env.Mask, g.Info().MaskWords())
		for s.Reset(uint64(seed), nil); s.Actor() != env.Over; {
			must.Do(t, envtest.Listed(s))
			s.Legal(legal)
			s.Apply(legal.Nth(luck.Below(legal.Count())), nil)
		}
	}
}
