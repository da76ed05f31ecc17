package agents_test

import (
	"slices"
	"strings"
	"testing"

	"earthgym/agents"
	"earthgym/agents/scripted"
	"earthgym/agents/shipped"
	"earthgym/env/datafile"
	"earthgym/env/envtest"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/games"
)

// Every game with bots has five levels, in every variant, and they are called by their own names.
func TestLevels(t *testing.T) {
	envtest.NothingToRace(t)
	for _, rb := range games.All() {
		for _, variant := range rb.Variants {
			g := must.Have(games.Open(variant))(t)
			list := agents.Levels(g)
			if !scripted.Plays(g) && list == nil {
				continue
			}
			if len(list) != agents.NumLevels {
				t.Fatalf("%s has %d levels", variant, len(list))
			}
			made, identities := map[string]bool{}, map[string]bool{}
			for _, l := range list {
				m, err := agents.Open(l.Text, g)
				if err != nil {
					t.Fatalf("%s: %v", variant, err)
				}
				a := must.Have(m.New())(t)
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

// Levels that were fitted to a network were fitted to the one that comes with the program, and to the component data
// that do, and each is clearly ahead of the one before. Every table that the network was trained at has its own.
func TestLaddersAreOfTheShippedNetworks(t *testing.T) {
	envtest.NothingToRace(t)
	list := must.Have(agents.Ladders())(t)
	for _, l := range list {
		g, err := games.Open(l.Game)
		if err != nil {
			t.Error(err)
			continue
		}
		info := g.Info()
		c, err := shipped.Network(info.Name)
		if err != nil {
			t.Errorf("%s: %v", l.Game, err)
			continue
		}
		if l.Network != "" && c.Hash != l.Network {
			t.Errorf("%s: its levels were fitted to network %.12s, and %.12s comes with the program now: make levels",
				info.Short, l.Network, c.Hash)
		}
		if l.Data != info.DataHash {
			t.Errorf("%s: its levels were fitted to component data %s, and %s come with the program now", info.Short, l.Data,
				info.DataHash)
		}
		if l.Game == info.Name {
			continue // of other tables
		}
		if l.Network == "" || l.Game != info.Text {
			t.Errorf("%s: levels of one table are fitted to a network, and name every option: %s", info.Short, info.Text)
		}
		for i, made := range agents.Levels(g) {
			if made.Agent != l.Levels[i].Agent {
				t.Errorf("%s: %s is %s, not %s", info.Short, made.Text, made.Agent, l.Levels[i].Agent)
			}
			if lead := l.Levels[i].Lead; i > 0 && (lead == nil || lead.ReturnCI[0] <= 0) {
				t.Errorf("%s: %s is not clearly ahead of the level before: %+v", info.Short, made.Text, lead)
			}
		}
	}
	for _, name := range shipped.Games() {
		c := must.Have(shipped.Network(name))(t)
		for _, table := range c.Tables() {
			if !slices.ContainsFunc(list, func(l agents.Ladder) bool { return l.Game == table && l.Network == c.Hash }) {
				t.Errorf("%s: the card measures the network there, and it has no levels: make levels", table)
			}
		}
	}
}

// Where the network was not trained it is a level only if matches have shown that it may be; no level has the strength
// of another table.
func TestLevelsOffTheNetworksTables(t *testing.T) {
	for text, best := range map[string]string{
		"resilience-earth:players=2,tower=limit":                    "mcts:sims=5000,workers=2",
		"one-earth:players=1":                                       "mcts:sims=2000,workers=2",
		"one-earth:players=2,aid=off":                               "mcts:sims=2000,workers=2",
		"one-earth:mode=advanced,leaders=random":                    "mcts:sims=2000,workers=2",
		"earthmans-burden:prelude=on":                               "net:,argmax",
		"earthmans-burden:points=50":                                "net:,argmax",
		"earthmans-burden:points=40":                                "net:,argmax",
		"earthmans-burden:players=2,skynet=on":                      "net:,argmax",
		"earthmans-burden:bulbs=1":                                  "net:,argmax",
		"earthmans-burden:prelude=on,bulbs=1":                       "net:,argmax",
		"earthmans-burden:territory=on,prelude=on":                  "net:,argmax",
		"earthmans-burden:players=6,territory=on,espionage=on":      "net:,argmax",
		"earthmans-burden:points=200":                               "script:strong", // not measured so far out
		"earthmans-burden:players=3,first=2,rounds=40,thoughts=off": "net:,argmax",
	} {
		g := must.Have(games.Open(text))(t)
		list := agents.Levels(g)
		if got := list[agents.NumLevels-1].Agent; got != best {
			t.Errorf("%s: level:5 is %s, want %s", text, got, best)
		}
		home := shipped.AtHome(g.Info())
		for _, l := range list {
			if l.Strength != "not measured at this table" {
				t.Errorf("%s: %s has strength %q", text, l.Text, l.Strength)
			}
			if net := strings.HasPrefix(l.Agent, "net:") || strings.Contains(l.Agent, "net="); net && !home {
				t.Errorf("%s: %s is %s, and the network is not at home there", text, l.Text, l.Agent)
			}
		}
		told := agents.Caveats(g, "random", "net:,argmax")
		if home == (len(told) > 0) || !home && !strings.Contains(told[0], "at "+g.Info().Short) {
			t.Errorf("%s: it is told %q", text, told)
		}
		if told := agents.Caveats(g, "level:5", "net:runs/x", "mcts:sims=64"); told != nil {
			t.Errorf("%s: of others it is told %q", text, told)
		}
	}
}

// With other component data nothing is known of levels, and that is told; the network, which does not know them, is
// none.
func TestLevelsWithOtherData(t *testing.T) {
	rb := must.Have(games.All().Find("resilience-earth"))(t)
	data := datafile.File{Name: "data.toml",
		Bytes: []byte(strings.Replace(string(rb.Data), "rounds = 3", "rounds = 4", 1))}
	g := must.Have(games.All().Open("resilience-earth", data))(t)
	for _, l := range agents.Levels(g) {
		if strings.Contains(l.Agent, "net") || l.Strength != "not measured at this table" {
			t.Errorf("%s is %s, %s", l.Text, l.Agent, l.Strength)
		}
	}
	told := agents.Caveats(g, "level:2", "mcts:sims=10,net=")
	if len(told) != 2 || !strings.HasPrefix(told[0], "level:1 to level:5 were fitted to other component data of "+
		"resilience-earth (hash ") ||
		!strings.HasPrefix(told[1], "the network that comes with the program is not known to be ahead of") {
		t.Errorf("it is told %q", told)
	}
	// Who asks for the network gets what is known to play well.
	for text, want := range map[string]string{
		"net:": "script:strong@", "net:,argmax": "script:strong@", "net:,temperature=2": "script:strong@",
		"mcts:sims=12,net=":          "mcts:sims=12,mode=flat,rollout=script:strong",
		"mcts:ms=5,net=,rollout=net": "mcts:ms=5,mode=flat,rollout=script:strong",
	} {
		m := must.Have(agents.Open(text, g))(t)
		if m.Text != text || m.Hash != "" || !strings.HasPrefix(m.Said(), want) || strings.Contains(m.Said(), "net=") {
			t.Errorf("%s is %q, made of %q, want %q", text, m.Said(), m.Hash, want)
		}
	}
	for _, text := range []string{"net:,best", "mcts:sims=x,net="} {
		if _, err := agents.Open(text, g); err == nil {
			t.Errorf("%s is an agent", text)
		}
	}
}

func TestReadLaddersRefuses(t *testing.T) {
	for _, text := range []string{"", "{}", `[{"game": 7}]`, `[{"gmae": "x"}]`} {
		if _, err := agents.ReadLadders(strings.NewReader(text)); err == nil ||
			!strings.HasPrefix(err.Error(), "read levels: ") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestLevelErrors(t *testing.T) {
	g := must.Have(games.Open("one-earth"))(t)
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
	g := must.Have(games.Open("one-earth"))(t)
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

// Whom people may choose among are the levels and the tempers of every game, each with a manner that is its own.
func TestCharacters(t *testing.T) {
	envtest.NothingToRace(t)
	for _, rb := range games.All() {
		g := must.Have(games.Open(rb.Name))(t)
		names := map[string]bool{}
		for _, c := range agents.Characters(g) {
			if _, err := agents.Open(c.Agent, g); err != nil {
				t.Error(err)
			}
			if c.Name == "" || c.Manner == "" || names[c.Name] {
				t.Errorf("%s: %+v", rb.Name, c)
			}
			names[c.Name] = true
		}
		if len(names) < agents.NumLevels {
			t.Errorf("%s: %v", rb.Name, names)
		}
	}
	for _, text := range []string{"one-earth:players=4", "one-earth:players=1", "earth-rising"} {
		g := must.Have(games.Open(text))(t)
		all := agents.Characters(g)
		for i, l := range agents.Levels(g) {
			kind, _, _ := strings.Cut(l.Agent, ":")
			says := map[string]string{
				"net":  "goes by what a great many games have taught",
				"mcts": "plays the game on many times in its head",
			}[kind]
			if m := all[i].Manner; !strings.HasPrefix(m, l.Help+": ") || !strings.Contains(m, says) ||
				strings.HasSuffix(m, ", and slips by chance") != strings.Contains(l.Agent, "temperature=") {
				t.Errorf("%s of %s, which is %s, is %q", l.Text, text, l.Agent, m)
			}
		}
	}
}
