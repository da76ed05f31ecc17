package newearth

import (
	"strings"
	"testing"

	"earthgym/env"
)

// Every condition on the component data: what is wrong, where, and what would do.
func TestBadData(t *testing.T) {
	for _, tt := range []struct{ old, new, want string }{
		{`game = "new-earth"`, `game = "one-earth"`, `data.toml:3: game "one-earth"; these are data for "new-earth"`},
		{"hand_limit = 7", "hand_limit = 3", "data.toml:5: hand_limit 3 is not in 4 to 10"},
		{"hand_limit = 7", "hand_limit = \"seven\"", "data.toml:5: "},
		{"hand_limit = 7\n", "", "hand_limit is missing"},
		{"hand_limit = 7", "hand_limit = 7\nluck = 1", "unknown key luck"},
		{"elections  = 2", "elections  = 5", "elections 5 is not in 0 to 4"},
		{"manufacturing = 1 }\ngoods = 10", "manufacturing = -1 }\ngoods = 10", "start.stock.manufacturing -1"},
		{"goods = 10\n", "goods = 100\n", "start.goods 100"},
		{"cash  = 6", "cash  = 100", "start.cash 100"},
		{"cards = 3", "cards = 8", "start.cards 8 is not in 0 to 7"},
		{"3 = [0, 2, 4]", "3 = [0, 2]", "board.homes.3 has 2 numbers; it has 3"},
		{"3 = [0, 2, 4]", "3 = [0, 2, 2]", "board.homes.3 has sector 2 twice"},
		{"3 = [0, 2, 4]", "3 = [0, 2, 6]", "board.homes.3.2 6 is not in 0 to 5"},
		{`2 = ["OL", "OM", "OR"]`, `2 = ["OL", "OX", "OR"]`, `unknown slot "OX"`},
		{`2 = ["OL", "OM", "OR"]`, `2 = ["OL", "OM", "OL"]`, "board.out.2 has slot OL twice"},
		{`4 = [] }`, `4 = ["I", "L", "OL", "OM", "OR", "R"] }`, ""},
		{"machine    = { mining = 1, energy = 1, manufacturing = 1", "machine    = { mining = 0, energy = 0, manufacturing = 0", "chart.machine costs no units"},
		{"plant      = { mining = 3", "plant      = { mining = 100", "chart.plant.mining 100"},
		{"automation = 1", "automation = -1", "chart.automation -1"},
		{"from    = 1", "from    = 2", "income.0.from 2 is not in 1 to 1"},
		{"from    = 7", "from    = 1", "income.1.from 1 is not in 2 to 36"},
		{"workers = 2", "workers = 0", "income.1.workers 0 is not in 1 to 9"},
		{"city    = 2", "city    = 10", "income.0.city 10"},
		{"maintenance = [0, 1, 2, 3, 4, 5]", "maintenance = [0, 1, 2, 3, 4]", "levels.maintenance has 5 numbers; it has 6"},
		{"maintenance = [0, 1, 2, 3, 4, 5]", "maintenance = [1, 1, 2, 3, 4, 5]", "level 0 costs nothing"},
		{"maintenance = [0, 1, 2, 3, 4, 5]", "maintenance = [0, 1, 3, 2, 4, 5]", "levels.maintenance falls"},
		{"raise       = [1, 1, 1, 1, 1]", "raise       = [1, 1, 1, 1, 10]", "levels.raise.4 10"},
		{"points      = [0, 1, 2, 3, 5, 8]", "points      = [0, 1, 2, 3, 5, 100]", "levels.points.5 100"},
		{"election    = [0, 1", "election    = [1, 1", "levels.election.0 1 is not in 0 to 0"},
		{"balanced   = 10", "balanced   = 100", "points.balanced 100"},
		{"cores  = 2", "cores  = 5", "conversion.cores 5"},
		{"cheap  = 1", "cheap  = 4", "conversion.cheap 4 is not in 0 to 3"},
		{"draws  = 2", "draws  = 4", "conversion.draws 4 is not in 0 to 3"},
		{"least_alone     = 1", "least_alone     = 0", "election.least_alone 0"},
		{"least_contested = 5", "least_contested = 0", "election.least_contested 0 is not in 1 to 99"},
		{"die             = [6, 6, 5, 4, 3, 2]", "die             = [6, 6, 5, 4, 5, 2]", "election.die rises"},
		{"die             = [6, 6, 5, 4, 3, 2]", "die             = [8, 6, 5, 4, 3, 2]", "election.die.0 8 is not in 1 to 7"},
		{"draws = 1 # for a move", "draws = 5 # for a move", "leader.draws 5"},
		{"cash = 2 # m per zone", "cash = -2 # m per zone", "civil_disorder.cash -2"},
		{`id       = "B"`, `id       = "C"`, "the tiles stand in the order A to F"},
		{"people   = [3, 3, 2, 3, 4, 3]", "people   = [3, 3, 1, 3, 4, 3]", "tiles.0.people.2 1 is not in 2 to 4"},
		{"machines = [3, 0, 2, 1, 2, 2]", "machines = [4, 0, 2, 1, 2, 2]", "tiles.0.machines.0 4 is not in 0 to 3"},
		{`id        = "law-order"`, `id        = "law"`, `title 3 is "law-order"`},
		{`title     = "Law & Order"`, `title     = ""`, "a title has 1 to 60"},
		{"count     = 10", "count     = 31", "city_cards.0.count 31"},
		{"count     = 10", "count     = 0", ""},
		{"value     = 2", "value     = 3", "city_cards.0.value 3 is not in 1 to 2"},
		{"initiator = 2", "initiator = 6", "city_cards.7.initiator 6"},
		{"defender  = -2", "defender  = 2", "city_cards.3.defender 2 is not in -5 to 0"},
		{`unit      = "energy"`, `unit      = "goods"`, `city_cards.4.unit "goods" is none of mining, energy, manufacturing`},
		{`id    = "anarchists"`, `id    = "anarchy"`, `kind 1 is "anarchists"`},
		{"count = 1\n", "count = 11\n", "catastrophes.3.count 11"},
		{`all   = ["public-health"]`, `all   = ["public-wealth"]`, `unknown City card "public-wealth"`},
		{`one   = ["universities"]`, `one   = ["public-health"]`, "has public-health twice"},
		{"all   = [\"transport-links\"]\none   = []", "all   = [\"transport-links\"]\none   = [\"law-order\"]", "hits no zones of which one could be saved"},
		{`all   = ["universities", "housing-land-use"]`, `all   = ["urban-planning"]`, "is what the others are played with"},
	} {
		b := strings.Replace(string(builtIn), tt.old, tt.new, 1)
		if b == string(builtIn) {
			t.Errorf("%q is not in the data", tt.old)
		}
		_, err := readData(env.DataFile{Name: "data.toml", Bytes: []byte(b)})
		if tt.want == "" {
			if err != nil {
				t.Errorf("%q for %q: %v", tt.new, tt.old, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q for %q: got error %v, want %q", tt.new, tt.old, err, tt.want)
		}
	}
	few := strings.ReplaceAll(string(builtIn), "count     = 10", "count     = 4")
	if _, err := readData(env.DataFile{Name: "data.toml", Bytes: []byte(few)}); err == nil || !strings.Contains(err.Error(), "32 City cards in all; there must be at least 38") {
		t.Errorf("too few City cards: %v", err)
	}
	if _, err := readData(env.DataFile{Name: "data.toml", Bytes: []byte(strings.Replace(string(builtIn), `[[tiles]]
id       = "F"
people   = [3, 2, 3, 3, 3, 4]
machines = [2, 3, 1, 2, 0, 2]
`, "", 1))}); err == nil || !strings.Contains(err.Error(), "5 tiles; there are 6") {
		t.Errorf("a tile too few: %v", err)
	}
}

// Other data play: games with extreme numbers keep the invariants and their bound.
func TestOtherData(t *testing.T) {
	for name, change := range map[string]*strings.Replacer{
		"cheap": strings.NewReplacer("mining = 3, energy = 2, manufacturing = 1, cash = 2", "mining = 1, energy = 0, manufacturing = 0, cash = 0",
			"automation = 1", "automation = 0", "raise       = [1, 1, 1, 1, 1]", "raise       = [0, 0, 0, 0, 0]"),
		"rich":      strings.NewReplacer("city    = 2", "city    = 9", "city    = 1", "city    = 9", "cash  = 6", "cash  = 99", "cash      = 2", "cash      = 60"),
		"dear":      strings.NewReplacer("maintenance = [0, 1, 2, 3, 4, 5]", "maintenance = [0, 2, 2, 5, 9, 9]", "cash = 2 # m per zone", "cash = 9 # m per zone"),
		"many":      strings.NewReplacer("hand_limit = 7", "hand_limit = 10", "elections  = 2", "elections  = 4", "draws           = 2", "draws           = 4", "draws = 1", "draws = 4"),
		"few":       strings.NewReplacer("hand_limit = 7", "hand_limit = 4", "elections  = 2", "elections  = 0", "count     = 10", "count     = 6", "count = 2", "count = 10"),
		"negations": strings.NewReplacer(`all   = ["law-order"]`, `all   = []`, `all   = ["transport-links"]`, `all   = ["storm-defence", "universities"]`),
	} {
		g, err := Rulebook().Open("players=3", env.DataFile{Name: "own.toml", Bytes: []byte(change.Replace(string(builtIn)))})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		s := g.New().(*State)
		var redealt State
		for seed := range uint64(4) {
			w := &walker{game: g.(*Game), state: s, rng: env.NewStream(seed, "other data"), mask: make(env.Mask, maskWords)}
			s.Reset(seed, nil)
			n := 0
			for ; s.Actor() != env.Over; n++ {
				if err := s.Check(); err != nil {
					t.Fatalf("%s, seed %d, decision %d: %v", name, seed, n, err)
				}
				redealt.CopyFrom(s)
				redealt.Redeal(env.Player(n%3), uint64(n))
				if err := redealt.Check(); err != nil {
					t.Fatalf("%s, seed %d, decision %d, redealt: %v", name, seed, n, err)
				}
				s.Apply(w.action(), nil)
			}
			if bound := g.Info().MaxDecisions; n > bound {
				t.Errorf("%s: %d decisions; the bound is %d", name, n, bound)
			}
		}
	}
}

// Options out of range are refused with what there is.
func TestBadOptions(t *testing.T) {
	for options, want := range map[string]string{
		"players=5":         "option players cannot be \"5\": it is a whole number from 2 to 4",
		"turns=0":           "a whole number from 1 to 36",
		"setup=quick":       "standard, free",
		"end=gale":          "draw, violent, super, mega",
		"offers=5":          "from 0 to 4",
		"move_limit=201":    "from 0 to 200",
		"bulk_machines=yes": "on, off",
		"storms=2":          "unknown option",
		"turns=6,turns=7":   "given twice",
	} {
		if _, err := Rulebook().Open(options, env.DataFile{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %q", options, err, want)
		}
	}
}
