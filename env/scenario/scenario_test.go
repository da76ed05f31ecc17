package scenario_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/env/registry"
	"earthgym/env/scenario"
)

func openKuhn(game string, data []datafile.File) (env.Game, error) {
	return registry.Registry{kuhn.Rulebook()}.Open(game, data...)
}

const text = `game = "kuhn:players=2"
seed = 3
chance = ["card 0 = jack", "card 1 = queen"]

[[step]]
player = 0
legal_only = ["bet", "pass"]
want = { history = [], "cards.1" = "queen" }
over = false

[[step]]
play = "bet"
legal = ["pass"]
want = { history = ["bet"] }
winners = []
reason = ""
returns = [0, 0]

[[step]]
play = "pass"
over = true
reason = "fold"
winners = [0]
returns = [0.5, -0.5]
scores = [1, -1]
`

func TestScenario(t *testing.T) {
	for _, tt := range []struct{ what, old, new, want string }{
		{"honest", "", "", ""},
		{"a seed that is a text", "seed = 3", `seed = "18446744073709551615"`, ""},
		{"position", "seed = 3", "position = { cards = [\"jack\", \"queen\"] }", ""},
		{"unknown game", "kuhn:players=2", "whist", `s.toml: unknown game "whist"`},
		{"impossible options", "players=2", "players=7", `s.toml: kuhn: option players cannot be "7"`},
		{"impossible set-up", "card 1 = queen", "card 1 = jack",
			`s.toml: set-up: forced chance "card 1 = jack" is impossible`},
		{"chance left over", `"card 1 = queen"`, `"card 1 = queen", "die = 6"`,
			`s.toml: set-up: forced chance "die = 6" was never drawn`},
		{"unknown field of the position", "seed = 3", "position = { hands = 1 }", `s.toml: position: unknown field hands`},
		{"no number in the position", "seed = 3", "position = { history = [nan] }", "s.toml: position: a number is infinite"},
		{"impossible position", "seed = 3", `position = { cards = ["jack", "jack"] }`,
			"s.toml: position: cards: player 1 holds the jack"},
		{"player", "player = 0", "player = 1", "s.toml: step 1: player: got 0, want 1"},
		{"legal_only", `["bet", "pass"]`, `["bet"]`, `s.toml: step 1: legal_only: got ["pass","bet"], want ["bet"]`},
		{"legal", `legal = ["pass"]`, `illegal = ["pass"]`, `s.toml: step 2 (bet): illegal: "pass" is legal`},
		{"legal after the end", "scores = [1, -1]", "[[step]]\nlegal = [\"bet\"]",
			`s.toml: step 4: legal: "bet" is not: the game is over`},
		{"unknown legal action", `legal = ["pass"]`, `legal = ["pas"]`, `s.toml: step 2 (bet): unknown action "pas"`},
		{"unknown illegal action", `legal = ["pass"]`, `illegal = ["pas"]`, `s.toml: step 2 (bet): unknown action "pas"`},
		{"unknown only action", `["bet", "pass"]`, `["bet", "pas"]`, `s.toml: step 1: unknown action "pas"`},
		{"unknown action", `play = "bet"`, `play = "bett"`,
			`s.toml: step 2 (bett): unknown action "bett": did you mean "bet"?`},
		{"illegal action", "scores = [1, -1]", "[[step]]\nplay = \"bet\"",
			`s.toml: step 4 (bet): illegal action "bet": the game is over (fold)`},
		{"chance of a play", `play = "bet"`, "play = \"bet\"\nchance = [\"die = 6\"]",
			`s.toml: step 2 (bet): forced chance "die = 6" was never drawn`},
		{"chance without a play", "player = 0", `chance = ["die = 6"]`, "s.toml: step 1: chance needs a play"},
		{"want", `history = ["bet"]`, `history = ["pass"]`, `s.toml: step 2 (bet): history: got ["bet"], want ["pass"]`},
		{"unknown want", `history = ["bet"]`, `hist = ["bet"]`, "s.toml: step 2 (bet): there is no hist"},
		{"over", "over = true", "over = false", "s.toml: step 3 (pass): over: got true, want false"},
		{"reason", `reason = "fold"`, `reason = "showdown"`, `s.toml: step 3 (pass): reason: got "fold", want "showdown"`},
		{"winners", "winners = [0]", "winners = [1]", "s.toml: step 3 (pass): winners: got [0], want [1]"},
		{"returns", "[0.5, -0.5]", "[0.5, -0.502]", "s.toml: step 3 (pass): returns: got [0.5 -0.5], want [0.5 -0.502]"},
		{"scores", "[1, -1]", "[1]", "s.toml: step 3 (pass): scores: got [1 -1], want [1]"},
		{"missing data", "seed = 3", `data = "missing.toml"`, "s.toml: data file: "},
	} {
		if !strings.Contains(text, tt.old) {
			t.Fatalf("no %q in the scenario", tt.old)
		}
		sc, err := scenario.Parse("s.toml", []byte(strings.Replace(text, tt.old, tt.new, 1)))
		if err != nil {
			t.Errorf("%s: %v", tt.what, err)
			continue
		}
		err = sc.Run(openKuhn)
		if (err == nil) != (tt.want == "") || err != nil && !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.what, err, tt.want)
		}
	}
}

func TestParseScenarioErrors(t *testing.T) {
	for _, tt := range []struct{ old, new, want string }{
		{"seed = 3", "sead = 3", "s.toml:2: unknown key sead"},
		{`play = "bet"`, `plya = "bet"`, "s.toml:12: unknown key step.1.plya"},
		{"seed = 3", `seed = "three"`,
			`s.toml:2: seed: a seed cannot be "three": it is a whole number from 0 to 18446744073709551615`},
		{"seed = 3", "seed = -3", "s.toml:2: "},
		{"seed = 3", "seed = ", "s.toml:2: "},
		{"player = 0", `player = "0"`, "s.toml:6: "},
		{`game = "kuhn:players=2"`, "", "s.toml: a scenario must say its game"},
	} {
		_, err := scenario.Parse("s.toml", []byte(strings.Replace(text, tt.old, tt.new, 1)))
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.new, err, tt.want)
		}
	}
	if _, err := scenario.Read("missing.toml"); err == nil || !strings.HasPrefix(err.Error(), "scenario: ") {
		t.Errorf("a missing file: %v", err)
	}
}

// A data file lies beside the scenario, wherever the program runs.
func TestScenarioWithData(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"stakes.toml": "game = \"kuhn\"\nante = 2\nbet = 3\n",
		"s.toml": "game = \"kuhn\"\ndata = \"stakes.toml\"\n[[step]]\nplay = \"bet\"\n[[step]]\nplay = " +
			"\"pass\"\nscores = [2, -2]\n",
	} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
	}
	sc := must.Have(scenario.Read(filepath.Join(dir, "s.toml")))(t)
	if err := sc.Run(openKuhn); err != nil {
		t.Error(err)
	}
}

func FuzzParseScenario(f *testing.F) {
	f.Add([]byte(text))
	f.Add([]byte("game = \"kuhn\"\nposition = { cards = [], history = [nan] }\n[[step]]\nwant = { \"\" = 1979-05-27 }\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		sc, err := scenario.Parse("s.toml", b)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "s.toml") {
				t.Errorf("the error does not name the file: %v", err)
			}
			return
		}
		sc.Data = "" // No fuzzing of file names.
		if err := sc.Run(openKuhn); err != nil && !strings.HasPrefix(err.Error(), "s.toml: ") {
			t.Errorf("the error does not name the file: %v", err)
		}
	})
}
