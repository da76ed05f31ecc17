package oneearth_test

import (
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/envtest/must"
	"earthgym/games/oneearth"
)

// Data files with one thing wrong: one error with file, line and reason. (OE-018 for the dirtiest
// Projects of a start.)
func TestDataErrors(t *testing.T) {
	for _, tt := range []struct{ from, to, want string }{
		{`count = 2, cost = 3, prosperity = 3, emissions = 6`, `count = 2, cost = 33, prosperity = 3, emissions = 6`,
			"data.toml:5: projects.0.cost 33 is not in 0 to 20"},
		{`id = "gas", `, `id = "gaz", `, `data.toml:7: unknown id "gaz" in projects: did you mean "gas"?`},
		{`id = "gas", `, `id = "oil", `, `data.toml:7: "oil" is listed twice in projects`},
		{`sector = "health", `, `sector = "wealth", `, `unknown sector "wealth": did you mean "health"?`},
		{`tech = "vr",            dp = 1, de = 0 },` + "\n" + `  { id = "stadium"`,
			`tech = "tv",            dp = 1, de = 0 },` + "\n" + `  { id = "stadium"`, `museum: there is no Technology "tv"`},
		{`dp = 0, de = -3`, `dp = 0, de = -7`, "upgraded emissions would be -1"},
		{`count = 4, cost = 5, prosperity = 2`, `count = 4, costs = 5, prosperity = 2`, "data.toml:19: unknown key"},
		{`prosperity = 3, emissions = 6`, `prosperity = 3, emissions = 20`, "would ruin the Earth (OE-018)"},
		{`count = 2, cost = 3, prosperity = 3, emissions = 6`, `count = 3, cost = 3, prosperity = 3, emissions = 10`,
			"a start with 30 would ruin the Earth (OE-018)"},
		{`count = 2, cost = 3, prosperity = 3, emissions = 6`, `count = 2, cost = 3, prosperity = 3, emissions = 12`, ""},
		{`all  = { prosperity = 0, money = 0, income = 2 }`, `all  = { prosperity = 1, money = 0, income = 2 }`,
			"changes the income of all, and nothing else"},
		{`high = { prosperity = -2, money = 0, income = 0 }`, `high = { prosperity = -2, money = 0, income = 1 }`,
			"not income"},
		{`kind  = "fee"`, `kind  = "ban"`, `capandtrade is of kind "fee", not "ban"`},
		{`types = ["coal"]`, `types = ["cole"]`, `unknown Project "cole"`},
		{`"-ffcar"`, `"ffcar"`, "names each Project with + or -"},
		{"ability = 1\nbonus   = 2", "ability = 2\nbonus   = 2", "leaders.0.ability 2 is not in 0 to 1"},
		{`slots  = [2, 5]`, `slots  = [2, 7]`, "automa.0.slots.1 7 is not in 1 to 6"},
		{`slots  = [2, 5]`, `slots  = []`, "at least one slot"},
		{`p1     = 2`, `p1     = 0`, ""},
		{`npc_prosperity        = 30`, `npc_prosperity        = 34`, "add up to 33; the NPC must be able to reach 34"},
		{`win_below             = 25`, `win_below             = 31`, "win_below 31 is not in 0 to 30"},
		{`livability            = [0, `, `livability            = [`, "livability has 8 numbers; it needs 9"},
		{`max_pledge            = 8`, `max_pledge            = 21`, "max_pledge 21 is not in 1 to 20"},
		{`max_pledge            = 8`, ``, "constants.max_pledge is missing"},
	} {
		text := strings.Replace(string(oneearth.Rulebook().Data), tt.from, tt.to, 1)
		if text == string(oneearth.Rulebook().Data) {
			t.Errorf("data.toml has no %q", tt.from)
		}
		_, err := oneearth.Rulebook().Open("players=3", datafile.File{Name: "data.toml", Bytes: []byte(text)})
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s -> %s: got %v, want an error with %q", tt.from, tt.to, err, tt.want)
		}
	}
}

// A data file may leave ids out: their actions are never legal, their features 0, and the game goes on.
func TestSmallerBox(t *testing.T) {
	text := string(oneearth.Rulebook().Data)
	for _, line := range strings.Split(text, "\n") {
		for _, id := range []string{`"biofuel", `, `"carbontax", `, `"themepark", `} {
			if strings.HasPrefix(line, `  { id = `+id) {
				text = strings.Replace(text, line+"\n", "", 1)
			}
		}
	}
	text = strings.ReplaceAll(text, `tech = "biofuel", `, `tech = "", `)
	text = strings.ReplaceAll(text, ` Plant"`, ` Plant whose name has three lines"`)
	const warning = "[[warnings]]\nid   = "
	text = text[:strings.Index(text, warning+`"boom"`)] + text[strings.Index(text, warning+`"supply"`):]
	for _, options := range []string{"players=3", "players=4,mode=advanced", "players=1"} {
		g := must.Have(oneearth.Rulebook().Open(options, datafile.File{Name: "small.toml", Bytes: []byte(text)}))(t)
		state, mask, luck := g.New(), make(env.Mask, g.Info().MaskWords()), env.NewStream(1, "player")
		state.Reset(0, nil)
		shown := string(state.(env.Texter).AppendText(nil, 0)) + string(state.(env.Drawer).AppendSVG(nil, 0))
		if strings.Contains(shown, " ()") || strings.Contains(shown, "Green Investment Boom") ||
			options != "players=1" && !strings.Contains(shown, "Global Recession") {
			t.Errorf("%s: other events are shown than those in the box: %s", options, shown)
		}
		if !strings.Contains(shown, "…</text>") {
			t.Errorf("%s: a name is cut off without a word: %s", options, shown)
		}
		for seed := range uint64(3000) {
			if state.Actor() == env.Over {
				state.Reset(seed, nil)
			}
			state.Legal(mask)
			state.Apply(mask.Nth(luck.Below(mask.Count())), nil)
			must.Do(t, state.(env.Checker).Check())
		}
		if why := state.Why(oneearth.Tech + 7); why == "" {
			t.Error("biofuel can be funded though it is not in the box")
		}
	}
}

// A Project that could win a standard game as the one it begins with is refused, if the box has it.
func TestStartingProjects(t *testing.T) {
	for _, tt := range []struct{ count, want string }{{"1", "coal: prosperity 9 is the target"}, {"0", ""}} {
		text := strings.Replace(string(oneearth.Rulebook().Data), `count = 2, cost = 3, prosperity = 3`,
			`count = `+tt.count+`, cost = 3, prosperity = 9`, 1)
		_, err := oneearth.Rulebook().Open("players=3,target=9", datafile.File{Name: "data.toml", Bytes: []byte(text)})
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s copies: got %v, want an error with %q", tt.count, err, tt.want)
		}
	}
}
