package agents_test

import (
	"strings"
	"testing"

	"earthgym/agents"
	"earthgym/agents/shipped"
	"earthgym/env/envtest"
	"earthgym/env/envtest/kuhn"
	"earthgym/games"
)

// Every game has five levels, in every variant, and they are called by their own names.
func TestLevels(t *testing.T) {
	envtest.NothingToRace(t)
	for _, rb := range games.All() {
		for _, variant := range rb.Variants {
			g, err := games.Open(variant)
			if err != nil {
				t.Fatal(err)
			}
			list := agents.Levels(g)
			if len(list) != agents.NumLevels {
				t.Fatalf("%s has %d levels", variant, len(list))
			}
			made, identities := map[string]bool{}, map[string]bool{}
			for _, l := range list {
				m, err := agents.Open(l.Text, g)
				if err != nil {
					t.Fatalf("%s: %v", variant, err)
				}
				a, err := m.New()
				if err != nil {
					t.Fatal(err)
				}
				if m.Text != l.Text || a.Name() != l.Text {
					t.Errorf("%s: %s is called %q and %q", variant, l.Text, m.Text, a.Name())
				}
				made[l.Agent], identities[strings.TrimPrefix(m.Identity(), m.Text)] = true, true
			}
			if len(made) != agents.NumLevels || len(identities) != agents.NumLevels {
				t.Errorf("%s: two levels are the same agent: %+v", variant, list)
			}
		}
	}
}

// Levels that are made of a network name the one that comes with the program, and each is clearly ahead of the one before.
func TestLaddersAreOfTheShippedNetworks(t *testing.T) {
	envtest.NothingToRace(t)
	list, err := agents.Ladders()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range list {
		g, err := games.Open(l.Game)
		if err != nil {
			t.Error(err)
			continue
		}
		name := g.Info().Name
		c, err := shipped.Network(name)
		if err != nil {
			t.Errorf("%s: %v", l.Game, err)
			continue
		}
		if c.Hash != l.Network || g.Info().DataHash != l.Data || g.Info().Text != l.Game {
			t.Errorf("%s: its levels were fitted to network %.12s, and %.12s comes with the program now: make levels", g.Info().Short, l.Network, c.Hash)
		}
		for i, made := range agents.Levels(g) {
			if made.Agent != l.Levels[i].Agent {
				t.Errorf("%s: %s is %s, not %s", g.Info().Short, made.Text, made.Agent, l.Levels[i].Agent)
			}
			if lead := l.Levels[i].Lead; i > 0 && (lead == nil || lead.ReturnCI[0] <= 0) {
				t.Errorf("%s: %s is not clearly ahead of the level before: %+v", g.Info().Short, made.Text, lead)
			}
		}
	}
}

// Tables that have no ladder keep bots.
func TestLevelsOffTheNetworksTables(t *testing.T) {
	g, err := games.Open("resilience-earth:players=2,tower=limit")
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range agents.Levels(g) {
		if strings.HasPrefix(l.Agent, "net:") || strings.Contains(l.Agent, "net=") {
			t.Errorf("%s is %s", l.Text, l.Agent)
		}
	}
}

func TestReadLaddersRefuses(t *testing.T) {
	for _, text := range []string{"", "{}", `[{"game": 7}]`, `[{"gmae": "x"}]`} {
		if _, err := agents.ReadLadders(strings.NewReader(text)); err == nil || !strings.HasPrefix(err.Error(), "read levels: ") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestLevelErrors(t *testing.T) {
	g, err := games.Open("one-earth")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"level", "level:", "level:0", "level:6", "level:03", "level:+3", "level:strong"} {
		want := `agent "` + text + `": there are level:1 to level:5`
		if _, err := agents.Open(text, g); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if _, err := agents.Open("level:1", kuhn.Open(2)); err == nil || !strings.Contains(err.Error(), "kuhn has no levels") {
		t.Errorf("a game without levels: %v", err)
	}
}

func TestSoftBotErrors(t *testing.T) {
	g, err := games.Open("one-earth")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ options, want string }{
		{"strong,", `unknown option "" of script`},
		{"strong,heat=1", `unknown option "heat" of script: there are: temperature, loss`},
		{"strong,temperature", "temperature=: it is a number above 0"},
		{"strong,temperature=0", "temperature=0: it is a number above 0"},
		{"strong,temperature=NaN", "temperature=NaN: it is a number above 0"},
		{"strong,temperature=+Inf", "it is a number above 0"},
		{"strong,temperature=1,temperature=2", "option temperature is given twice"},
		{"strong,loss=1", "loss needs temperature"},
		{"naive,temperature=1", "script:naive of one-earth does not work by scores, which temperature needs"},
		{"clever,temperature=1", `unknown level "clever"`},
	} {
		if _, err := agents.Open("script:"+tt.options, g); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("script:%s: %v, want %q", tt.options, err, tt.want)
		}
	}
}
