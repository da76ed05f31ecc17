package oneearth_test

import (
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/envtest/must"
	"earthgym/games/oneearth"
)

// OE-201 and W42: the Prosperity targets; OE-001: 1 and 2 players are always advanced.
func TestTargets(t *testing.T) {
	for text, want := range map[string]int{
		"players=3": 20, "players=4": 20, "players=5": 17, "players=4,difficulty=easy": 17,
		"players=3,mode=advanced": 25, "players=4,mode=advanced": 20, "players=5,mode=advanced": 17,
		"players=4,mode=advanced,difficulty=easy": 17, "players=2": 30, "players=1": 30, "players=3,target=9": 9,
		"players=5,difficulty=easy": 17, "players=3,difficulty=easy": 20,
	} {
		g := open(t, text).(*oneearth.Game)
		if g.Target != want {
			t.Errorf("%s: target %d, want %d", text, g.Target, want)
		}
		if g.Advanced != (g.Players <= 2 || strings.Contains(text, "mode=advanced")) {
			t.Errorf("%s: advanced is %v", text, g.Advanced)
		}
	}
}

// OE-240: Global Emissions at the start with 1 and 2 players.
func TestStartGlobal(t *testing.T) {
	for text, want := range map[string]int16{
		"players=2": 5, "players=1,difficulty=easy": 0, "players=1": 3, "players=1,difficulty=hard": 5,
	} {
		s := open(t, text).New().(*oneearth.State)
		if s.Reset(1, nil); s.Global != want {
			t.Errorf("%s: Global Emissions %d, want %d", text, s.Global, want)
		}
	}
}

// The bounds of section 5.5 of RULES.md; OE-286.
func TestBounds(t *testing.T) {
	for text, want := range map[string]int{
		"players=3,mode=advanced": 1158, "players=4,mode=advanced": 1813, "players=5,mode=advanced": 2628,
	} {
		if got := open(t, text).Info().MaxDecisions; got != want {
			t.Errorf("%s: at most %d decisions, want %d", text, got, want)
		}
	}
}

func TestOptionErrors(t *testing.T) {
	for options, want := range map[string]string{
		"players=6":                                `option players cannot be "6"`,
		"players=3,first_player=3":                 "the seats of 3 players are 0 to 2",
		"players=3,leaders=random":                 "standard mode has no leaders (OE-020)",
		"players=3,mode=advanced,leaders=tycoon":   "it names 1, and there are 3 seats",
		"players=2,leaders=general+tycoon":         "with 2 players there is no general (OE-017)",
		"players=2,leaders=tycoon+tycoon":          "each leader has one seat",
		"players=2,leaders=draft+tycoon":           `"draft" stands alone`,
		"players=2,leaders=tycoon+king":            `option leaders cannot contain "king"`,
		"target=4":                                 `option target cannot be "4"`,
		"max_rounds=41":                            `option max_rounds cannot be "41"`,
		"pyrrhic=2":                                `option pyrrhic cannot be "2"`,
		"talk=maybe":                               `option talk cannot be "maybe"`,
		"speed=9":                                  `unknown option "speed"`,
		"players=3,mode=advanced,leaders=scientis": `did you mean "scientist"?`,
	} {
		_, err := oneearth.Rulebook().Open(options, datafile.File{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want an error with %q", options, err, want)
		}
	}
}

// OE-011, OE-066, OE-136, OE-281, OE-286 and others: why an action is not legal.
func TestWhy(t *testing.T) {
	advanced := "players=3,mode=advanced,leaders=tycoon+scientist+general"
	for _, tt := range []struct{ game, patch, action, want string }{
		{advanced, `{"m":[0,0,0]}`, "fund 1", "(OE-050)"},
		{advanced, `{"m":[9,0,0],"turn":{"funded":2}}`, "fund 1", "(OE-031)"},
		{advanced, `{}`, "tech agritech", "owns no plain Project for agritech (OE-060)"},
		{advanced, `{"tech":{"agritech":1}}`, "tech agritech", "not in the deck (OE-060)"},
		{advanced, `{"turn":{"tech":1}}`, "tech vr", "(OE-031)"},
		{advanced, `{"turn":{"policy":1}}`, "policy transit", "(OE-031)"},
		{advanced, `{"m":[1,0,0]}`, "policy transit", "(OE-080)"},
		{advanced, `{"policy":{"transit":2}}`, "policy transit", "not in the deck (OE-080)"},
		{advanced, `{}`, "apply vr", "no loose use of vr (OE-069)"},
		{advanced, `{"m":[1,0,0]}`, "refresh", "(OE-085)"},
		{advanced, `{"turn":{"refreshes":5}}`, "refresh", "(OE-087)"}, // the cap, OE-286
		{advanced, `{}`, "ability", "(OE-091, OE-092)"},
		{"players=3,mode=advanced,leaders=entertainer+scientist+general", `{"ability_used":[true,false,false]}`, "ability",
			"(OE-090)"},
		{advanced, `{}`, "mars", "(OE-172)"},
		{advanced, `{"turn":{"asked":[1]}}`, "ask +1", "(OE-102)"},
		{advanced, `{"m":[7,0,7]}`, "ask +1", "no money (OE-100)"},
		{advanced, `{}`, "ask +3", "nobody sits at +3 (OE-100)"},
		{advanced + ",aid=off", `{}`, "ask +1", "(option aid, OE-100)"},
		{advanced, `{}`, "yes", "(OE-030)"},
		{advanced, `{}`, "propose mars", "(OE-030)"},
		{"players=3,mode=advanced", `{}`, "pass", "(OE-017)"},
		{"players=2", `{}`, "leader general", "with 1 or 2 players there is no general (OE-017)"},
		{advanced, `{"phase":"propose","turns_done":3,"resolution":{"mars":"failed"}}`, "propose mars", "(OE-154)"},
		{advanced, `{"phase":"propose","turns_done":3}`, "propose foreignaid", "(OE-141)"},
		{advanced, `{"phase":"accuse","turns_done":3,"e":[3,3,2],"g":8}`, "accuse +2", "(OE-132)"},
		{advanced, `{"phase":"discuss","turns_done":3,"proposal":"edutech"}`, "yes", "say … (OE-143, OE-281)"},
		{advanced, `{"phase":"vote","turns_done":3,"proposal":"edutech"}`, "pass", "(OE-144)"},
		{advanced, `{"phase":"pledge","turns_done":3,"proposal":"mars"}`, "amount 8", "pledges are 0 to 7"},
		{advanced, `{"phase":"bid","turns_done":3,"proposal":"edutech","votes":["yes","yes","no"]}`, "bid yes 8", "(OE-147)"},
	} {
		s := open(t, tt.game).New().(*oneearth.State)
		s.Reset(1, nil)
		patch(t, s, tt.patch)
		a := must.Have(s.Game().Info().Parse(tt.action))(t)
		if why := s.Why(a); !strings.Contains(why, tt.want) {
			t.Errorf("%s, %s: %q is illegal because %q, want %q", tt.game, tt.patch, tt.action, why, tt.want)
		}
	}
}

// OE-046: income follows the Prosperity of the moment; what is gained later in the turn brings nothing
// before the next one. OE-136: a sanction vote costs no tokens, and needs none.
func TestIncomeAtItsMoment(t *testing.T) {
	s := open(t, "players=3,mode=advanced,leaders=entertainer+scientist+general").New().(*oneearth.State)
	s.Reset(1, nil)
	before := s.Countries[0].Money
	s.Apply(oneearth.UseAbility, nil)
	if c := s.Countries[0]; c.Prosperity != 2 || c.Money != before {
		t.Errorf("a festival gives Prosperity %d and money %d, want 2 and %d", c.Prosperity, c.Money, before)
	}
	patch(t, s, `{"phase":"sanction","turns_done":3,"accused":0,"tokens":[4,4,4]}`)
	for range 3 {
		s.Apply(oneearth.Yes, nil)
	}
	for p, c := range s.Countries[:3] {
		if c.Tokens != 4 {
			t.Errorf("OE-136: seat %d has %d tokens after a sanction vote, want 4", p, c.Tokens)
		}
	}
	if s.Sanctioned != 0 {
		t.Errorf("seat %d is sanctioned, want 0", s.Sanctioned)
	}
}

// OE-066: an upgraded Project takes no second Technology. OE-011: what is left in the decks is seen.
func TestOneTechnologyEach(t *testing.T) {
	s := open(t, "players=3,mode=advanced,leaders=entertainer+scientist+general").New().(*oneearth.State)
	var tape env.Tape
	tape.Force("deal = farm", "deal = coal", "deal = oil", "deal = gas", "deal = solar", "deal = film")
	s.Reset(1, &tape)
	patch(t, s,
		`{"row":["","","","","",""],"deck":{"farm":2,"coal":2,"oil":2,"gas":1,"solar":1,"film":1},"tab":[{"farm":[0,1]},{},{}],"tech":{"agritech":0}}`)
	if s.Targets(0, 0) != 0 {
		t.Error("OE-066: agritech can be used on an upgraded farm")
	}
	seen := make([]float32, s.Game().Info().Observation())
	for p := range env.Player(3) {
		s.Observe(seen, p)
		for _, f := range s.Game().Info().Features {
			if f.Name == "technology_deck" && (seen[f.Offset] != 0 || seen[f.Offset+1] != 1) {
				t.Errorf("OE-011: seat %d sees the Technology deck as %v", p, seen[f.Offset:f.Offset+f.Size()])
			}
		}
	}
}

// OE-200: which ends a variant can have. OE-284: money moves between seats only by aid that was asked
// for: no action gives, or trades.
func TestEndsAndFamilies(t *testing.T) {
	for _, a := range open(t, "players=4").Info().Actions {
		switch a.Family {
		case "leader", "fund", "tech", "policy", "on", "discard plain", "discard upgraded", "apply", "refresh", "ability",
			"mars",
			"ask", "share", "save", "amount", "say", "yes", "no", "bid nothing", "bid yes", "bid no", "propose", "accuse",
			"pass":
		default:
			t.Errorf("OE-284: action family %q", a.Family)
		}
	}
	for text, ends := range map[string]string{
		"players=3": "target deck rounds ruin critical",
		"players=3,mode=advanced,leaders=tycoon+scientist+general": "final rounds ruin critical",
		"players=2,leaders=tycoon+scientist":                       "final rounds ruin",
		"players=1,leaders=tycoon":                                 "npc final rounds ruin",
	} {
		for _, end := range []string{"target", "deck", "rounds", "ruin", "critical", "final", "npc"} {
			s := open(t, text).New().(*oneearth.State)
			s.Reset(1, nil)
			culprits := "[]"
			if text == "players=3" && (end == "ruin" || end == "critical") {
				culprits = "[1]"
			}
			err := patchError(s, `{"phase":"over","seat":-1,"over":"`+end+`","reach":[0],"culprits":`+culprits+`}`)
			if allowed := strings.Contains(ends, end); (err == nil) != allowed {
				t.Errorf("OE-200: %s ends by %s: %v, allowed %v", text, end, err, allowed)
			}
		}
	}
}
