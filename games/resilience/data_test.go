package resilience

import (
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/envtest/must"
)

// Every condition of RULES.md 2.9: what is wrong, where, and what would do.
func TestBadData(t *testing.T) {
	for _, tt := range []struct{ old, new, want string }{
		{`game = "resilience-earth"`, `game = "one-earth"`,
			`data.toml:3: game "one-earth"; these are data for "resilience-earth"`},
		{"cost       = 2 # RES", "cost       = 0 # RES", "data.toml:41: buildings.0.cost 0 is not in 1 to 99"},
		{"cost       = 2 # RES", "cost       = \"two\"", "data.toml:41: "},
		{"cost       = 2 # RES", "", "buildings.0.cost is missing"},
		{"stones     = 0 ", "stones     = 1 ", "a settlement puts none on the tower"},
		{"production = 2", "production = 0", "buildings.1.production 0 is less than the 1 of the level below"},
		{"stones     = 2", "stones     = 0", "buildings.2.stones 0 is less than the 1 of the level below"},
		{"pieces     = 14", "pieces     = 37", "buildings.0.pieces 37 is not in 0 to 36"},
		{`name       = "city"`, `name       = ""`, "is not one line of 1 to 40"},
		{"travel         = 2", "travel         = -1", "data.toml:5: travel -1 is not in 0 to 99"},
		{"start_res      = 3", "start_res      = 100", "start_res 100 is not in 0 to 99"},
		{"penalty        = 5", "penalty        = 5\nluck = 1", "unknown key luck"},
		{"penalty        = 5", "penalty        = 500", "penalty 500"},
		{"settlement_lq  = 1", "settlement_lq  = 100", "settlement_lq 100"},
		{"sabbatical_lq  = 8", "sabbatical_lq  = -8", "sabbatical_lq -8"},
		{"sabbatical_res = 1", "sabbatical_res = 100", "sabbatical_res 100"},
		{"smog_lq        = 1", "smog_lq        = 100", "smog_lq 100"},
		{"stacks = [5, 4,", "stacks = [0, 4,", "stacks.0 0 is not in 1 to 63"},
		{"stacks = [5, 4,", "stacks = [50, 4,", "the stacks have 76 stones; at most 63"},
		{"stacks = [5, 4,", "stacks = [6, 4,", "fall has 32 numbers; it has one per height from 0 to 32"},
		{"stacks = [5, 4, 4, 3, 3, 3, 2, 2, 2, 1, 1, 1]", "stacks = []", "0 stacks; there are 1 to 12"},
		{"2, 2, 2, 1, 1, 1]", "2, 2, 2, 1, 1, 1, 1]", "13 stacks; there are 1 to 12"},
		{"  1755,", "  10001,", "fall.31 10001 is not in 0 to 10000"},
		{"markers = 21", "markers = 37", "markers 37 is not in 0 to 36"},
		{"res = 96", "res = -1", "supply.res -1"},
		{"2 = [0, 3]", "2 = [0]", "rotation.2 has 1 numbers; it has one per seat: 2"},
		{"4 = [0, 1, 3, 4]", "4 = [0, 1, 3, 6]", "rotation.4.3 6 is not in 0 to 5"},
		{"3 = 80", "3 = 0", "seconds.turn.3 0 is not in 1 to 3600"},
		{"allocation = 60", "allocation = 0", "seconds.allocation 0"},
		{`id    = "drought"`, `id    = "heatwave"`, `"heatwave" is used twice`},
		{`id    = "drought"`, `id    = "the drought"`, "an id is a word"},
		{`path = ["NE", "SE"]`, `path = ["NE", "E"]`, `unknown direction "E"`},
		{`path = ["NE", "SE"]`, `path = ["N", "N", "N", "N", "N", "N"]`, "has 6 steps; at most 5"},
		{`kind = "D"`, `kind = "X"`, `kind "X"; it is B or D`},
		{`rounds = 3`, `rounds = 99`, "rounds 99 is not in 1 to 98"},
		{`rounds = 3`, `rounds = 0`, "rounds 0 is not in 1 to 98"},
		{`rounds = 3`, `rounds = "all"`, `rounds is neither 1 to 98 nor "whole"`},
		{`rounds = 3`, `rounds = 1.5`, `rounds is neither 1 to 98`},
	} {
		b := strings.Replace(string(builtIn), tt.old, tt.new, 1)
		if b == string(builtIn) {
			t.Errorf("%q is not in the data", tt.old)
		}
		_, err := readData(datafile.File{Name: "data.toml", Bytes: []byte(b)})
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q for %q: got error %v, want %q", tt.new, tt.old, err, tt.want)
		}
	}
}

func TestDataThatCannotStart(t *testing.T) {
	b := strings.Replace(string(builtIn), "res = 96", "res = 11", 1)
	_, err := Rulebook().Open("supply=tight", datafile.File{Name: "poor.toml", Bytes: []byte(b)})
	if want := "4 players cannot start with 3 RES each: the bank has 11"; err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("got error %v, want %q", err, want)
	}
}

// Games with extreme data keep the invariants and their bound.
func TestExtremeData(t *testing.T) {
	for _, changes := range [][]string{
		{"production = 3", "production = 99", "sabbatical_lq  = 8", "sabbatical_lq  = 99"},
		{"markers = 21", "markers = 0"},
		{"markers = 21", "markers = 36", "travel         = 2", "travel         = 0"},
		{"smog_lq        = 1", "smog_lq        = 7", "sabbatical_res = 1", "sabbatical_res = 0"},
		{"pieces     = 14", "pieces     = 36", "stones     = 1\n", "stones     = 0\n"},
		{"stacks = [5, 4, 4, 3, 3, 3, 2, 2, 2, 1, 1, 1]", "stacks = [31]"},
		{"turn       = { 2 = 120", "turn       = { 2 = 3600"},
	} {
		b := strings.NewReplacer(changes...).Replace(string(builtIn))
		for _, options := range []string{"players=2", "players=4,supply=tight,smog=rounds",
			"players=3,tower=limit,align=seat"} {
			game := must.Have(Rulebook().Open(options, datafile.File{Name: "extreme.toml", Bytes: []byte(b)}))(t)
			g := game.(*Game)
			s, read := g.New().(*State), g.New().(*State)
			p := newPlayer(g, 1)
			obs := make([]float32, g.info.Observation())
			for seed := range uint64(4) {
				n := 0
				for s.Reset(seed, nil); s.Actor() != env.Over; n++ {
					s.Apply(p.weighted(s), nil)
					if err := s.Check(); err != nil {
						t.Fatalf("%v, %s: %v", changes, options, err)
					}
					if n%16 > 0 && s.Actor() != env.Over {
						continue
					}
					if err := read.ReadPosition(s.AppendPosition(nil)); err != nil || read.position != s.position {
						t.Fatalf("%v, %s: the position read back differs: %v", changes, options, err)
					}
					s.Observe(obs, 0)
					for _, f := range g.info.Features {
						for i := range f.Size() {
							if x := obs[f.Offset+i]; !(x >= f.Low && x <= f.High) {
								t.Fatalf("%v, %s: %s %d is %v", changes, options, f.Name, i, x)
							}
						}
					}
				}
				if n > g.info.MaxDecisions {
					t.Fatalf("%v, %s: %d decisions; the bound is %d", changes, options, n, g.info.MaxDecisions)
				}
			}
		}
	}
}
