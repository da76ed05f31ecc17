package earthman

import (
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/envtest/must"
)

// changed opens the game on the built-in data with one text replaced.
func changed(t *testing.T, old, new string) error {
	t.Helper()
	text := string(builtIn)
	if !strings.Contains(text, old) {
		t.Fatalf("data.toml has no %q", old)
	}
	_, err := Rulebook().Open("", datafile.File{Name: "own.toml", Bytes: []byte(strings.Replace(text, old, new, 1))})
	return err
}

var faultyData = []struct{ old, new, want string }{
	{`game = "earthmans-burden"`, `game = "one-earth"`,
		`own.toml:1: game "one-earth"; these are data for "earthmans-burden"`},
	{"resource = 3", "resource = 21", "own.toml:5: start.resource 21 is not in 0 to 20"},
	{"resource = 3", "resorce = 3", "own.toml:5: unknown key start.resorce"},
	{"resource = 3", "resource = 2.5", "own.toml:5: "},
	{"fleets   = 3", "fleets   = 4", "start.fleets 4 is not in 1 to 3"},
	{"score      = 5", "score      = 1", "track.score 1 is not in 2 to 6"},
	{"hit       = 5", "hit       = 4", "roll.hit 4 is not in 5 to 6"},
	{"twice     = 3", "twice     = 4", "roll.twice 4 equals roll.once; the number needed must tell the two Risk " +
		"rolls apart"},
	{"expand    = [4, 3, 1]", "expand    = [4, 5, 1]", "roll.expand rises to 5; a larger group needs no more than a " +
		"smaller one"},
	{"expand    = [4, 3, 1]", "expand    = [4, 3]", "roll.expand has 2 numbers; it has 3"},
	{"{ fleets = 3, need = 5 }", "{ fleets = 2, need = 5 }", "roll.influence.0.fleets 2 is not in 3 to 3"},
	{"{ fleets = 7, need = 3 }", "{ fleets = 7, need = 5 }", "roll.influence.2.need rises to 5; more fleets need no " +
		"more than fewer"},
	{"home  = 2", "home  = 3", "capacity.home 3 is not in 1 to 2"},
	{`home = "earth"`, `home = "eart"`, `map.home: unknown id "eart": did you mean "earth"?`},
	{`home = "earth"`, `home = "mars"`, `"mars" is home, where UN developments lie and no Devastation`},
	{`id = "venus"`, `id = "vulcan"`, `unknown id "vulcan"`},
	{`id = "venus"`, `id = "mercury"`, `map.worlds.1.id: "mercury" comes twice`},
	{`name = "Venus"`, `name = "Mars"`, `the name "Mars" is used twice`},
	{`approach = "mars-approach"`, `approach = "belt-approach"`, `the Approach "mars-approach" has no world below it`},
	{`approach = "mars-approach"`, `approach = "mars"`, `map.worlds.4.approach: unknown id "mars"`},
	{`skyward = ["middle"]`, `skyward = []`, "map.approaches.3.skyward is empty; every Approach has an Interplanetary " +
		"place above it"},
	{`skyward = ["far"]`, `skyward = ["solar"]`, `map.approaches.8.skyward.0: unknown id "solar"`},
	{"devastation = [2, 2, 1, 1, 1]", "devastation = [3, 2, 1, 1, 1]", "map.worlds.1.devastation.0 3 is not in 0 to 2"},
	{"devastation = [2, 2, 1, 1, 1]", "devastation = [2]", "map.worlds.1.devastation has 1 numbers, one per region; a " +
		"world has 2 to 7 regions"},
	{`id = "attack"`, `id = "atack"`, `unknown technology "atack": did you mean "attack"?`},
	{`id = "attack"`, `id = "ai"`, `"ai" or its name "Attack" comes twice`},
	{"levels = 1\n", "levels = 2\n", "technologies.8.levels 2 is not in 1 to 1"},
	{"levels = 0", "levels = 3", "technologies.0.levels 3 is not in 0 to 0"},
	{"steps = 7", "steps = 21", "technologies.0.steps 21 is not in 1 to 20"},
	{`or = "nanotech"`, `or = "vonneumann"`, `"vonneumann" is no other technology`},
	{"symbols = 3", "symbols = 4", "cards.15.symbols 4 is not in 0 to 3"},
	{"skynet     = 15", "skynet     = 31", "the cards have 30 Rogue symbols, fewer than the 31 of track.skynet: the " +
		"deck would run out"},
	{"[[cards]]\ntitle = \"Polite Refusal\"\nsymbols = 0\n", "[[cards]]\ntitle = \"The Perfect Pun\"\nsymbols = 0\n",
		`the title "The Perfect Pun" is used twice`},
}

func TestFaultyData(t *testing.T) {
	for _, f := range faultyData {
		err := changed(t, f.old, f.new)
		if err == nil || !strings.Contains(err.Error(), f.want) || !strings.HasPrefix(err.Error(), "own.toml:") {
			t.Errorf("%q for %q: %v, want %s", f.new, f.old, err, f.want)
		}
	}
}

// A smaller map, fewer technologies and other numbers are played as well.
func TestOwnData(t *testing.T) {
	text := string(builtIn)
	cut := func(from, to string) {
		i := strings.Index(text, from)
		j := i + strings.Index(text[i:], to)
		text = text[:i] + text[j:]
	}
	cut("[[map.worlds]]\nid = \"triton\"", "[[map.approaches]]")
	cut("[[map.approaches]]\nid = \"neptune-approach\"", "[[map.interplanetary]]")
	cut("[[technologies]]\nid = \"vonneumann\"", "# Unexpected")
	text = strings.Replace(text, "resource = 3", "resource = 5", 1)
	text = strings.Replace(text, "sanctions  = 5", "sanctions  = 2", 1)
	g := must.Have(Rulebook().Open("players=3,claims=0,peace=0,espionage=on",
		datafile.File{Name: "own.toml", Bytes: []byte(text)}))(t)
	usual := openGame(t, "players=3")
	if g.Info().ActionHash() != usual.Info().ActionHash() || g.Info().ObservationHash() != usual.Info().ObservationHash() {
		t.Error("the tables differ")
	}
	if g.Info().DataHash == usual.Info().DataHash {
		t.Error("the data have the same hash")
	}
	s, read := g.New().(*State), g.New().(*State)
	for seed := range uint64(4) {
		p := newPlayer(g.(*Game), seed)
		for s.Reset(seed, nil); s.Actor() != env.Over; {
			must.Do(t, s.Check())
			if s.made%16 == 0 {
				read.luck = s.luck
				if err := read.ReadPosition(s.AppendPosition(nil)); err != nil || !read.Equal(s) {
					t.Fatalf("it is read otherwise: %v\n%s", err, s.AppendPosition(nil))
				}
			}
			a := p.choose(s)
			if a == TechAct(VonNeumann) || a == At(Triton) || a == At(NeptuneApproach) {
				t.Fatalf("%s is left out, and played", g.Info().Actions[a].Text)
			}
			s.Apply(a, nil)
		}
	}
}

func TestOptions(t *testing.T) {
	for options, want := range map[string]string{
		"first=4":                "option first cannot be 4: with 4 players the seats are 0 to 3, or random",
		"players=2,first=2":      "with 2 players the seats are 0 to 1",
		"skynet=maybe":           "option skynet cannot be \"maybe\": it is on, off",
		"un=surrender":           "hold, yield",
		"fleet_cap=61":           "a whole number from 9 to 60",
		"max_decisions=99":       "a whole number from 100 to 1000000",
		"thought=all":            `unknown option "thought": did you mean "thoughts"?`,
		"rounds=3,rounds=4":      "option rounds is given twice",
		"accord_from=0":          "a whole number from 1 to 200",
		"discontent_cap=sixty":   "a whole number from 0 to 60",
		"late_fleets=1,points=0": "a whole number from 1 to 200",
	} {
		if _, err := Rulebook().Open(options, datafile.File{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", options, err, want)
		}
	}
	if traits := openGame(t, "skynet=on").Info().Traits; traits[0] != env.Mixed {
		t.Errorf("with Skynet all may lose, but the game is %v", traits)
	}
}

// The text view and the words about a study count a level's successes as the rules do, with bulbs=1 too (EB-167).
func TestStepsOfALevel(t *testing.T) {
	for bulbs, want := range []string{"colonisation (3): ", "colonisation (4): "} {
		s := openGame(t, "first=0,bulbs="+digits[bulbs]).New().(*State)
		s.Reset(1, nil)
		if text := string(s.AppendText(nil, 0)); !strings.Contains(text, want) {
			t.Errorf("bulbs=%d: the text view does not say %q:\n%s", bulbs, want, text)
		}
		if _, _, of := s.study(Colonisation); of != 3+bulbs {
			t.Errorf("bulbs=%d: a study is said to be one of %d", bulbs, of)
		}
	}
}

// The worlds with free regions that the HOWTO names are those of the data (EB-022).
func TestHowToNamesFreeRegions(t *testing.T) {
	s := openGame(t, "first=0").New().(*State)
	s.Reset(1, nil)
	free := map[int][]string{}
	for w := range s.game.Worlds().Each {
		n := 0
		for r := range s.game.regions[w].Count() {
			if s.Owner(w, r) == None && s.Devastation(w, r) == 0 {
				n++
			}
		}
		free[n] = append(free[n], s.game.names[w])
	}
	words := strings.Join(strings.Fields(howTo), " ")
	named := words[strings.Index(words, "Mars and Titan have three regions"):]
	three, two, _ := strings.Cut(named[:strings.Index(named, ".")], "without Devastation")
	for n, where := range map[int]string{3: three, 2: two} {
		for _, name := range free[n] {
			if !strings.Contains(where, name) {
				t.Errorf("HOWTO.md does not name %s among the worlds with %d free regions", name, n)
			}
		}
		if named := strings.Count(where, ",") + 2*strings.Count(where, " and "); named != len(free[n]) && n == 3 {
			t.Errorf("HOWTO.md names %d worlds with %d free regions; there are %d", named, n, len(free[n]))
		}
	}
}
