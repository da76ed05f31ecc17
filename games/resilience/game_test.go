package resilience

import (
	"slices"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/envtest/must"
)

func TestImpossibleOptions(t *testing.T) {
	for options, want := range map[string]string{
		"players=5":                     "option players cannot be \"5\": it is a whole number from 2 to 4", // RE-001
		"players=1":                     "players",                                                          // RE-001
		"players=2,first=2":             "option first cannot be 2: with 2 players the seats are 0 to 1, or random",
		"first=youngest":                "or random",
		"minutes_min=71":                "minutes_min 71 is above minutes_max 70",
		"minutes=4":                     "5 to 240",
		"collapse_win=1.5":              "0 to 1",
		"tower_limit=0":                 "1 to 32",
		"tower=brick":                   "hazard, limit",
		"sabbaticals=15":                "0 to 14",
		"deals=maybe":                   "on, off",
		"colour=red":                    "unknown option",
		"minutes_min=80,minutes_max=70": "minutes_min 80 is above minutes_max 70",
	} {
		if _, err := Rulebook().Open(options, datafile.File{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got error %v, want %q", options, err, want)
		}
	}
}

// The defaults of RULES.md 1.1: RE-001, RE-010, RE-016, RE-081, RE-082, RE-094, RE-066, RE-054, RE-070, RE-075,
// RE-130, RE-140, RE-122.
func TestDefaults(t *testing.T) {
	want := map[string]string{
		"players": "4", "first": "0", "timer": "random", "minutes_min": "50", "minutes_max": "70", "minutes": "60",
		"tower": "hazard", "tower_limit": "24", "align": "board", "supply": "open", "sabbaticals": "0",
		"smog": "once", "deals": "on", "talk": "on", "collapse_win": "1",
	}
	for _, o := range Rulebook().Options {
		if o.Default != want[o.Name] {
			t.Errorf("option %s is %q if nothing is said, want %q", o.Name, o.Default, want[o.Name])
		}
		delete(want, o.Name)
	}
	for name := range want {
		t.Errorf("there is no option %s", name)
	}
	g := mustOpen(t, "")
	if least, most := g.Lengths(); g.players != 4 || g.first != 0 || least != 3000 || most != 4200 || g.towerLimit != 0 ||
		g.alignSeat || g.tight || g.sabbaticals != 0 || g.smogRounds || !g.deals || !g.talk || g.collapseWin != 1 {
		t.Errorf("the game opened without options is %+v", g.info.Text)
	}
}

// RE-150, RE-151: every turn takes time and every building costs RES, so a game is bounded (5.5).
func TestBounds(t *testing.T) {
	for _, tt := range []struct {
		options           string
		rounds, decisions int
	}{
		{"players=4", 14, 1654},
		{"players=3", 14, 1286},
		{"players=2", 14, 1032},
		{"players=2,timer=fixed,minutes=5", 1, 12 + 6},
		{"players=4,timer=fixed,minutes=70", 14, 1654},
		{"players=4,timer=fixed,minutes=71", 15, 15*56 + 12 + 14*66},
	} {
		g := mustOpen(t, tt.options)
		if g.rounds() != tt.rounds || g.info.MaxDecisions != tt.decisions {
			t.Errorf("%s: at most %d rounds and %d decisions, want %d and %d", tt.options, g.rounds(), g.info.MaxDecisions,
				tt.rounds, tt.decisions)
		}
	}
}

// With other data the greatest production may bind, or the stones.
func TestBoundOfOtherData(t *testing.T) {
	for _, tt := range []struct {
		old, new string
		want     int
	}{
		{"production = 2", "production = 3", 28*6 + 2*((6+13*96)/2)},                 // 36 + 2 x 30 = 96, less than 108
		{"stones     = 1\n", "stones     = 0\n", 28*6 + 2*((6+13*108)/2)},            // a city pollutes nothing: 36 x 3
		{"cost       = 2\n", "cost       = 1\n", 28*6 + 2*((6+13*66)/1)},             // the city
		{"allocation = 60", "allocation = 360", 7*2*6 + 2*((6+6*66)/2)},              // rounds of ten minutes, 7 in 70
		{"start_res      = 3", "start_res      = 13", 28*6 + 2*((26+13*66)/2)},       // RES to begin with
		{"production = 3", "production = 2", 28*6 + 2*((6+13*66)/2)},                 // a city's RES for each stone
		{"turn       = { 2 = 120", "turn       = { 2 = 1", 68*2*6 + 2*((6+67*66)/2)}, // 62 seconds a round
		{"settlement_lq  = 1 ", "settlement_lq  = 9 ", 1032},                         // LQ buys nothing
		{"markers = 21 ", "markers = 0 ", 1032},
	} {
		b := strings.Replace(string(builtIn), tt.old, tt.new, 1)
		g, err := Rulebook().Open("players=2", datafile.File{Name: "other.toml", Bytes: []byte(b)})
		switch {
		case err != nil:
			t.Errorf("%q for %q: %v", tt.new, tt.old, err)
		case g.Info().MaxDecisions != tt.want:
			t.Errorf("%q for %q: bound %d, want %d", tt.new, tt.old, g.Info().MaxDecisions, tt.want)
		}
	}
}

func TestTraits(t *testing.T) {
	for options, want := range map[string][]string{
		"":                           {env.Mixed, env.HiddenInfo},
		"players=2":                  {env.Competitive, env.HiddenInfo},
		"players=2,timer=fixed":      {env.Competitive},
		"players=2,collapse_win=0.5": {env.Mixed, env.HiddenInfo},
	} {
		if got := mustOpen(t, options).info.Traits; !slices.Equal(got, want) {
			t.Errorf("%q: traits %v, want %v", options, got, want)
		}
	}
}

// What a table has come to: the mean of RES and LQ less the penalties (RE-113, RE-114), stones, the tower's fall
// (RE-084), broken promises.
func TestMeasures(t *testing.T) {
	for position, want := range map[string][]float64{
		`{"res":[6,9],"lq":[4,1],"broken":[2,1],"tower":12}`:                                             {(10 + 10 - 5) / 2.0, 12, 0, 3},
		`{"res":[6,4],"lq":[4,4],"broken":[0,1],"tower":0,"phase":"over","over":"collapse","culprit":0}`: {9, 0, 1, 1},
	} {
		s := start(t, "players=2")
		must.Do(t, s.PatchPosition([]byte(position)))
		got := make([]float64, 4)
		if s.Measures(got); !slices.Equal(got, want) {
			t.Errorf("%s: measures %v, want %v", position, got, want)
		}
		lost := s.ending == Collapse
		if d := s.Depletion(); lost != (d == 1) || !lost && d != 12.0/31 {
			t.Errorf("%s: depletion %v", position, d)
		}
	}
}
