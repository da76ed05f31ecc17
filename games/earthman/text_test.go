package earthman_test

import (
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
	"earthgym/games/earthman"
)

// shown are the tables of golden views: options, weighted decisions played, what is changed then, viewer.
var shown = []struct {
	name, options string
	decisions     int
	patch         map[string]any
	viewer        env.Player
}{
	{"set-up", "players=4,first=0", 0, nil, 0},
	{"middle", "players=4,first=0,claims=0,peace=0", 400, nil, 1},
	{"late", "players=6,first=0,claims=0,peace=0,skynet=on,prelude=on", 1500, nil, env.Spectator},
	{"crowded", "players=6,first=1,skynet=on,collab=on,territory=on,espionage=on", 0, crowded, 2},
	{"roll", "players=2,first=0,thoughts=key", 0, roll, 1},
	{"end", "players=2,first=0", 1 << 30, nil, 0},
}

// fleets of a seat, place by place, and land of a world, region by region.
type (
	fleets = map[string]any
	land   = map[string]any
)

func held(owner, devs int, atRisk bool) map[string]any {
	return map[string]any{"owner": owner, "devs": devs, "at_risk": atRisk, "devastation": 0}
}

// crowded is the board at its fullest: all seats at Earth and in the Solar System, with the end triggered.
var crowded = map[string]any{
	"round": 27, "phase": "fleet", "point": "fleet_jobs", "seat": 2, "actor": 2, "trigger": true, "rogue": 11,
	"undrawn": []any{1, 2, 5, 9, 12, 16}, "vp": []any{31, 28, 17, 9, 30, 4}, "power": []any{24, 19, 15, 11, 24, 6},
	"e": []any{12, 0, 7, 3, 25, 1}, "x": []any{0, 3, 1, 8, 0, 14}, "aside": []any{0, 0, 0, 0, 0, 0},
	"thoughts": []any{2, 0, 1, 0, 3, 0}, "sanction": []any{false, true, false, true, false, true},
	"token": []any{0, 4, 0, 1, 0, 0},
	"level": []any{
		map[string]any{"ai": 2, "attack": 3, "durability": 1, "nanotech": 2},
		map[string]any{"attack": 2, "unity": 1, "launch": 1},
		map[string]any{"ai": 1, "vonneumann": 2, "nanotech": 1, "colonisation": 2},
		map[string]any{"spaceflight": 2, "influence": 2},
		map[string]any{"ai": 3, "research": 3, "nanotech": 1}, map[string]any{"defences": 1},
	},
	"counter": []any{
		map[string]any{"ai": 6, "stability": 2}, map[string]any{"defences": 2, "research": 4},
		map[string]any{"attack": 1, "spaceflight": 6},
		map[string]any{"unity": 4}, map[string]any{"ai": 3, "launch": 5}, map[string]any{"stability": 1},
	},
	"pi": []any{[]any{"luna", "mars", "titan"}, []any{"mars", "titan"}, []any{"mars", "ganymede"}, []any{"mars"},
		[]any{"venus", "luna"}, []any{"mars"}},
	"fleet": []any{
		fleets{"earth": []any{12, 3}, "luna": []any{1, 1}, "mars": []any{4, 1}, "solar": []any{2, 0}, "inner": []any{3, 1},
			"titan": []any{2, 2}},
		fleets{"earth": []any{5, 11}, "luna": []any{2, 1}, "mars": []any{7, 0}, "solar": []any{1, 1}, "inner": []any{1, 1},
			"triton": []any{1, 1}},
		fleets{"earth": []any{3, 1}, "luna": []any{1, 10}, "mars": []any{6, 2}, "solar": []any{4, 0}, "middle": []any{2, 1},
			"venus-approach": []any{3, 0}},
		fleets{"earth": []any{0, 2}, "luna": []any{12, 1}, "solar": []any{1, 0}, "far": []any{2, 0},
			"belt-approach": []any{5, 5}},
		fleets{"earth": []any{10, 10}, "luna": []any{3, 3}, "mars": []any{1, 0}, "solar": []any{10, 1}, "outer": []any{8, 0},
			"venus": []any{1, 3}},
		fleets{"earth": []any{1, 0}, "luna": []any{0, 1}, "solar": []any{2, 2}, "far": []any{1, 1},
			"neptune-approach": []any{2, 0}},
	},
	"region": map[string]any{
		"earth": land{"1": held(0, 4, true), "2": held(1, 2, false), "3": held(4, 3, false), "4": held(2, 3, true)},
		"luna":  land{"1": held(4, 2, true), "2": held(0, 3, false)},
		"mars": land{"1": held(0, 3, false), "2": held(1, 1, true), "4": held(2, 2, false), "5": held(3, 1, true),
			"6": held(5, 1, false)},
		"venus":    land{"2": held(4, 2, false), "4": held(4, 1, true)},
		"titan":    land{"1": held(0, 1, false), "3": held(1, 1, false)},
		"ganymede": land{"3": held(2, 2, false), "4": held(2, 1, true)},
		"triton":   land{"1": held(5, 1, true)}, "europa": land{"2": held(3, 1, false), "3": held(3, 1, false)},
		"mercury": land{"1": held(4, 1, false), "2": held(4, 2, false), "3": held(1, 1, false)},
	},
	"pending": map[string]any{"step": "jobs", "at": "mars", "worlds": []any{"mars"}, "last": "fire",
		"fire": []any{[]any{0, 2, 1}}},
}

// roll is W41b as a person sees it: the dice, who may spend a Thought, and what may be done.
var roll = map[string]any{
	"phase": "fleet", "point": "thought", "seat": 1,
	"fleet": []any{fleets{"mars": []any{3, 0}}, fleets{"mars": []any{2, 0}}},
	"level": []any{map[string]any{}, map[string]any{"durability": 2}}, "thoughts": []any{0, 1},
	"pending": map[string]any{"step": "fire", "at": "mars", "worlds": []any{"mars"}, "target": 1},
	"lot": map[string]any{"event": "fire", "roller": 0, "hurt": []any{1}, "need": 7, "bounds": []any{7, 7},
		"dice": []any{7, 6, 5}},
}

// table plays a game at random, towards expansion, for a number of decisions or to its end.
func table(t *testing.T, options string, decisions int) *earthman.State {
	t.Helper()
	return walk(t, options, decisions, func(*earthman.State) {})
}

// walk is table with a look at the position before each decision.
func walk(t *testing.T, options string, decisions int, look func(*earthman.State)) *earthman.State {
	t.Helper()
	g := must.Have(earthman.Rulebook().Open(options, datafile.File{}))(t)
	s := g.New().(*earthman.State)
	s.Reset(3, nil)
	rng := env.NewStream(1, "table")
	m := make(env.Mask, g.Info().MaskWords())
	for n := 0; n < decisions && s.Actor() != env.Over; n++ {
		look(s)
		s.Legal(m)
		best, top := m.Nth(0), -1.0
		for _, a := range m.Append(nil) {
			w, ok := config.Weights[g.Info().Actions[a].Family]
			if !ok {
				w = 1
			}
			if x := w * rng.Float64(); x > top {
				best, top = a, x
			}
		}
		s.Apply(best, nil)
	}
	return s
}

func TestViews(t *testing.T) {
	for _, v := range shown {
		s := table(t, v.options, v.decisions)
		if v.patch != nil {
			if err := env.PatchPosition(s, v.patch); err != nil {
				t.Fatalf("%s: %v", v.name, err)
			}
		}
		if err := envtest.Lint(s); err != nil {
			t.Errorf("%s: %v", v.name, err)
		}
		svg := s.AppendSVG(nil, v.viewer)
		envtest.GoldenFile(t, v.name+".txt", s.AppendText(nil, v.viewer))
		envtest.GoldenFile(t, v.name+".svg", svg)
		for dec := xml.NewDecoder(strings.NewReader(string(svg))); ; {
			if _, err := dec.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: the drawing is no XML: %v", v.name, err)
			}
		}
	}
}

func TestText(t *testing.T) {
	text := string(table(t, "players=4,first=2", 0).AppendText(nil, 0))
	for _, want := range []string{
		"The Earthman's Burden: round 1 of 60, seat 2's turn: Movement\n",
		"\n>   p2   0     0       3          0        0      3    0     0         -      1     1 +0\n",
		"\nEach level (steps) gives: ai (7): a Score die, 5+ for 1 VP, and a Thought a turn;\n",
		"\nearth     1:UNx1 2:UNx1 3:UNx1 4:UNx1 5:UNx1 6:UNx1 7:UNx1 | fleets p0:3 p1:3 p2:3 p3:3\n",
		"\nmars      1:#1 2:#1 3:#1 4:- 5:- 6:-\n",
		"\nSeat 2 decides.\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
}

// The end that is triggered can be read, in text and picture.
func TestTriggerIsShown(t *testing.T) {
	s := table(t, "players=3,first=1", 0)
	must.Do(t, env.PatchPosition(s, map[string]any{"trigger": true}))
	if text := string(s.AppendText(nil, 0)); !strings.Contains(text, "\nThe end is triggered: seat 0 plays last.\n") {
		t.Errorf("the text doesn't say who plays last:\n%s", text)
	}
	if svg := string(s.AppendSVG(nil, 0)); !strings.Contains(svg, ">The end is triggered:<") ||
		!strings.Contains(svg, ">seat 0 plays last<") {
		t.Error("the drawing doesn't say who plays last")
	}
}

func TestChoices(t *testing.T) {
	s := table(t, "players=6,first=1,skynet=on,collab=on,territory=on,espionage=on", 0)
	must.Do(t, env.PatchPosition(s, crowded))
	text := string(s.AppendText(nil, 2))
	for _, want := range []string{
		"  Open Fire, steady fleets, 5+ (1 in 3): fire +1 (seat 3), +2 (seat 4), +3 (seat 5), +5 (seat 1)\n",
		"  Open Fire, steady fleets, 6+ (1 in 6): fire +4 (seat 0)\n",
		"  Expansion by groups, no roll (certain) per group: expand 3, 2, 1\n",
		"  Nothing more: done\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
}

// All legal actions can be read off the text, each once, and each has words for what it does.
func TestChoicesAreComplete(t *testing.T) {
	for _, options := range []string{
		"players=2,claims=0,peace=0", "players=6,first=1,skynet=on,collab=on,territory=on,prelude=on,espionage=on",
	} {
		walk(t, options, 1200, func(s *earthman.State) {
			must.Do(t, envtest.Listed(s))
		})
	}
}

// The smallest map, with long names, fits the picture.
func TestSmallMap(t *testing.T) {
	text := string(earthman.Rulebook().Data)
	keep := regexp.MustCompile(`id = "(earth|luna|earth-approach|inner|solar)"`)
	blocks := strings.Split(text, "\n\n")
	text = strings.Join(slices.DeleteFunc(blocks, func(block string) bool {
		return regexp.MustCompile(`^\[\[map\.`).MatchString(block) && !keep.MatchString(block)
	}), "\n\n")
	text = strings.Replace(text, `skyward = ["inner", "middle"]`, `skyward = ["inner"]`, 1)
	for _, name := range []string{"Earth", "Luna", "Earth Approach", "Inner System", "Artificial Intelligence"} {
		text = strings.Replace(text, `"`+name+`"`, fmt.Sprintf(`"%.40s"`, name+" of Mighty Wonders and of Many Winters"), 1)
	}
	g := must.Have(earthman.Rulebook().Open("players=6", datafile.File{Name: "own.toml", Bytes: []byte(text)}))(t)
	s := g.New()
	s.Reset(1, nil)
	if err := envtest.Lint(s); err != nil {
		for fault := range strings.SplitSeq(err.Error(), "\n\t") {
			if strings.HasPrefix(fault, "the text") && !strings.HasSuffix(fault, "is cut") { // names of 40 letters may be
				t.Error(fault)
			}
		}
	}
}

// W41b as a person sees it: the dice, who may spend a Thought, and what may be done.
func TestRollIsShown(t *testing.T) {
	s := table(t, "players=2,first=0,thoughts=key", 0)
	must.Do(t, env.PatchPosition(s, roll))
	text := string(s.AppendText(nil, 1))
	for _, want := range []string{
		`Roll "fire", 7+ needed: 7! 6 5; 1 reach it. Thoughts may still come from seat 1. Do you spend one?`,
		"\n  Spend a Thought on a die: reroll low, high\n  Spend none: done\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
	if svg := string(s.AppendSVG(nil, 1)); strings.Count(svg, `height="23" rx="5" fill="#2a7246"`) != 1 {
		t.Error("the drawing does not show one bright die")
	}
}
