package newearth

import (
	"fmt"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/envtest/must"
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
		{"machine    = { mining = 1, energy = 1, manufacturing = 1", "machine    = { mining = 0, energy = 0, " +
			"manufacturing = 0", "chart.machine costs no units"},
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
		{`title     = "Law & Order"`, `title     = ""`, "is not one line of 1 to 60"},
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
		{"all   = [\"transport-links\"]\none   = []", "all   = [\"transport-links\"]\none   = [\"law-order\"]",
			"hits no zones of which one could be saved"},
		{`all   = ["universities", "housing-land-use"]`, `all   = ["urban-planning"]`, "is what the others are played with"},
	} {
		b := strings.Replace(string(builtIn), tt.old, tt.new, 1)
		if b == string(builtIn) {
			t.Errorf("%q is not in the data", tt.old)
		}
		_, err := readData(datafile.File{Name: "data.toml", Bytes: []byte(b)})
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
	if _, err := readData(datafile.File{Name: "data.toml", Bytes: []byte(few)}); err == nil ||
		!strings.Contains(err.Error(), "32 City cards in all; there must be at least 38") {
		t.Errorf("too few City cards: %v", err)
	}
	if _, err := readData(datafile.File{Name: "data.toml", Bytes: []byte(strings.Replace(string(builtIn), `[[tiles]]
id       = "F"
people   = [3, 2, 3, 3, 3, 4]
machines = [2, 3, 1, 2, 0, 2]
`, "", 1))}); err == nil || !strings.Contains(err.Error(), "5 tiles; there are 6") {
		t.Errorf("a tile too few: %v", err)
	}
}

// The printed numbers are those of RULES.md 2: the board (NE-002, NE-004), the start (NE-006), the hand limit
// (NE-031), elections (NE-060, NE-063, NE-065, NE-069, NE-070, NE-075), points (NE-091, NE-092), the production chart
// (NE-103, NE-104), income (NE-110), levels (NE-120, NE-122), cities (NE-123), and the cards: what each is worth
// (NE-020), adds to a die (NE-070), brings (NE-036, NE-037) and negates (NE-044, NE-050).
func TestPrintedNumbers(t *testing.T) {
	d := must.Have(readData(datafile.File{Name: "data.toml", Bytes: builtIn}))(t)
	same := func(what string, got, want any) {
		t.Helper()
		if g, w := fmt.Sprintf("%+v", got), fmt.Sprint(want); g != w {
			t.Errorf("%s: %s, want %s", what, g, w)
		}
	}
	same("homes", d.Board.Homes, "{Two:[0 3] Three:[0 2 4] Four:[0 1 3 4]}")
	same("slots out of play", d.Board.Out, "{Two:[OL OM OR] Three:[] Four:[]}")
	for i, want := range [NumTiles]string{
		"3-3 3-0 2-2 3-1 4-2 3-2", "2-2 4-2 3-1 3-3 3-2 3-0", "4-1 3-2 3-0 2-3 3-3 3-1",
		"3-1 3-3 4-2 3-0 2-1 3-3", "3-0 3-1 3-3 4-3 3-2 2-1", "3-2 2-3 3-1 3-2 3-0 4-2",
	} {
		var limits []string
		for z := range tileZones {
			limits = append(limits, fmt.Sprintf("%d-%d", d.Tiles[i].People[z], d.Tiles[i].Machines[z]))
		}
		same("tile "+tileNames[i], strings.Join(limits, " "), want)
	}
	same("start", d.Start, "{Stock:{Mining:0 Energy:0 Manufacturing:1} Goods:10 Cash:6 Cards:3}")
	same("hand limit and elections", []int{d.HandLimit, d.Elections}, "[7 2]")
	same("chart", d.Chart, "{Goods5:{Mining:2 Energy:1 Manufacturing:1 Cash:2} Goods10:{Mining:3 Energy:2 "+
		"Manufacturing:2 Cash:3} "+
		"Machine:{Mining:1 Energy:1 Manufacturing:1 Cash:0} Bulk:{Mining:4 Energy:2 Manufacturing:2 Cash:0} "+
		"Plant:{Mining:3 Energy:2 Manufacturing:1 Cash:2} Automation:1}")
	same("income", d.Income, "[{From:1 Workers:1 City:2} {From:7 Workers:2 City:1}]")
	same("levels", d.Levels, "{Maintenance:[0 1 2 3 4 5] Raise:[1 1 1 1 1] Points:[0 1 2 3 5 8] Election:[0 1 2 3 4 5]}")
	same("points", d.Points, "{Machine:1 Plant:2 City:3 Fortified:4 Balanced:10 MostZones:10}")
	same("conversion", d.Conversion, "{Cores:2 Cash:3 Cheap:1 Draws:2}")
	same("election", d.Election, "{LeastAlone:1 LeastContested:5 Goods:2 Cash:3 Draws:2 Die:[6 6 5 4 3 2]}")
	same("leader", d.Leader, "{Draws:1}")
	same("civil disorder", d.CivilDisorder, "{Cash:2}")
	for i, want := range [NumTitles]string{
		"urban-planning 10 2 +1 0 0m ", "storm-defence 10 2 +0 -1 0m ", "housing-land-use 10 2 +1 -1 2m ",
		"law-order 10 1 +0 -2 2m ",
		"universities 10 1 +1 0 0m energy", "technology-research 10 1 +0 -1 0m manufacturing", "public-health 10 1 +1 -1 2m ",
		"transport-links 10 1 +2 0 0m mining",
	} {
		c := d.CityCards[i]
		same("City card", fmt.Sprintf("%s %d %d %+d %d %dm %s", c.ID, c.Count, c.Value, c.Initiator, c.Defender, c.Cash,
			c.Unit), want)
	}
	for i, want := range [numCatastrophes]string{
		"civil-disorder 2 [law-order] [housing-land-use]", "anarchists 2 [law-order] []",
		"virus-local 2 [public-health] [universities]",
		"virus-pandemic 1 [public-health] [universities]", "flood-local 2 [storm-defence] [technology-research]",
		"flood-general 2 [storm-defence] [technology-research]", "stock-loss-mining 1 [transport-links] []",
		"stock-loss-energy 1 [transport-links] []",
		"stock-loss-manufacturing 1 [transport-links] []", "state-of-independence 2 [universities housing-land-use] []",
	} {
		c := d.Catastrophes[i]
		same("Catastrophe card", fmt.Sprintf("%s %d %v %v", c.ID, c.Count, c.All, c.One), want)
	}
}

// Other data play: games with extreme numbers keep the invariants and their bound.
func TestOtherData(t *testing.T) {
	for name, change := range map[string]*strings.Replacer{
		"cheap": strings.NewReplacer("mining = 3, energy = 2, manufacturing = 1, cash = 2",
			"mining = 1, energy = 0, manufacturing = 0, cash = 0",
			"automation = 1", "automation = 0", "raise       = [1, 1, 1, 1, 1]", "raise       = [0, 0, 0, 0, 0]"),
		"rich": strings.NewReplacer("city    = 2", "city    = 9", "city    = 1", "city    = 9", "cash  = 6",
			"cash  = 99", "cash      = 2", "cash      = 60"),
		"dear": strings.NewReplacer("maintenance = [0, 1, 2, 3, 4, 5]", "maintenance = [0, 2, 2, 5, 9, 9]",
			"cash = 2 # m per zone", "cash = 9 # m per zone"),
		"many": strings.NewReplacer("hand_limit = 7", "hand_limit = 10", "elections  = 2", "elections  = 4",
			"draws           = 2", "draws           = 4", "draws = 1", "draws = 4"),
		"few": strings.NewReplacer("hand_limit = 7", "hand_limit = 4", "elections  = 2", "elections  = 0",
			"count     = 10", "count     = 6", "count = 2", "count = 10"),
		"negations": strings.NewReplacer(`all   = ["law-order"]`, `all   = []`, `all   = ["transport-links"]`,
			`all   = ["storm-defence", "universities"]`),
	} {
		g, err := Rulebook().Open("players=3",
			datafile.File{Name: "own.toml", Bytes: []byte(change.Replace(string(builtIn)))})
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
		if _, err := Rulebook().Open(options, datafile.File{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %q", options, err, want)
		}
	}
}
