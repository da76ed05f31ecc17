package earthrising

import (
	"fmt"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/datafile"
)

// changed gives the built-in data with one text replaced.
func changed(t testing.TB, old, text string) datafile.File {
	t.Helper()
	if strings.Count(string(builtin), old) < 1 {
		t.Fatalf("the data have no %q", old)
	}
	return datafile.File{Name: "test.toml", Bytes: []byte(strings.Replace(string(builtin), old, text, 1))}
}

func TestDataErrors(t *testing.T) {
	for _, c := range []struct{ old, text, want string }{
		{`game = "earth-rising"`, `game = "one-earth"`, `these are data of "one-earth"`},
		{"hand_limit ", "handlimit ", "unknown key turn.handlimit"},
		{"hand_limit     = 5", "", "turn.hand_limit is missing"},
		{"hand_limit     = 5", "hand_limit = 43", "turn.hand_limit 43 is not in 0 to 42"},
		{"hand_limit     = 5", `hand_limit = "five"`, "test.toml:"},
		{"normal        = 20", "normal = 0", "calendar.normal 0 is not in 1 to 60"},
		{"minor = 5", "minor = 6", "burden.minor 6 is not in 1 to 5"},
		{"major = 9", "major = 4", "burden.major 4 is not in 5 to 9"},
		{"board = 4", "board = 5", "the circles of a sector add up to 8, not 7"},
		{"strikes      = 3", "strikes = 4", "does not divide the 42 Influence cards"},
		{"hand         = 2", "hand = 3", "past the first pile of 14"},
		{"cards       = [1, 2, 3]", "cards = [1, 2]", "collapse.cards lists 2 collapses"},
		{"temperature = [1, 2, 3]", "temperature = [1, 2, 30]", "collapse.temperature.2 30 is not in 0 to 9"},
		{"relief      = 5", "relief = 6", "collapse.relief 6 is not in 1 to 5"},
		{`"politics", "energy", "industry"]`, `"politics", "energy", "energy"]`, `ring lists "energy" twice`},
		{`"politics", "energy", "industry"]`, `"politics", "energy"]`, "ring lists 5 names, not 6"},
		{`"climatologist", "innovator"]`, `"climatologist", "inovator"]`, `did you mean "innovator"?`},
		{`id        = "culture"`, `id = "media"`, `sector 3 is "media"`},
		{`colour    = "#d9559b"`, `colour = "pink"`, `"pink" is no colour`},
		{`["Wind Power", "Coal Power"]`, `["Wind Power"]`, "has 1 names, not two"},
		{`["Wind Power", "Coal Power"]`, `["Wind Power", "Oil Power"]`, `two practices are called "Oil Power"`},
		{`  ["Wind Power", "Coal Power"],`, ``, "energy has 6 practices, not 7"},
		{`name      = "Energy"`, `name = ""`, `"" is not one line`},
	} {
		_, err := Rulebook().Open("", changed(t, c.old, c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "test.toml") {
			t.Errorf("%s: error %v, want test.toml … %q", c.text, err, c.want)
		}
	}
}

// TestDataPlay plays with other numbers, which the rules must follow.
func TestDataPlay(t *testing.T) {
	for _, c := range []struct{ old, text string }{
		{"board = 4\nmajor = 2\nminor = 1", "board = 3\nmajor = 1\nminor = 3"},
		{`"culture", "politics", "energy"`, `"energy", "culture", "politics"`},
		{"minor = 5\nmajor = 9", "minor = 3\nmajor = 4"},
		{"actions        = 4", "actions = 9"},
		{"hand_limit     = 5", "hand_limit = 0"},
		{"strikes      = 3", "strikes = 1"},
		{"support    = 2", "support = 0"},
		{"temperature = [1, 2, 3]", "temperature = [9, 9, 9]"},
		{"draw           = 2", "draw = 9"},
		{"politician    = 2", "politician = 0"},
	} {
		d := changed(t, c.old, c.text)
		if strings.Contains(c.text, "minor = 3\nmajor = 4") {
			d.Bytes = []byte(strings.Replace(string(d.Bytes), "relief      = 5", "relief = 2", 1))
		}
		g, err := Rulebook().Open("", d)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if g.Info().DataHash == openGame(t, "").Info().DataHash {
			t.Errorf("%s: the hash of the data is that of the built-in ones", c.text)
		}
		if err := playThrough(g, 6); err != nil {
			t.Errorf("%s: %v", c.text, err)
		}
	}
}

// playThrough plays random games with all invariants checked and every observation in range.
func playThrough(g env.Game, games uint64) error {
	e, err := env.New(g, env.Options{})
	if err != nil {
		return err
	}
	obs := make([]float32, g.Info().Observation())
	pick := env.NewStream(1, "pick")
	for seed := range games {
		for e.Reset(seed); !e.Terminated(); {
			s := e.State().(*State)
			if err := s.Check(); err != nil {
				return fmt.Errorf("seed %d, turn %d: %w", seed, s.turn, err)
			}
			s.Observe(obs, e.Actor())
			for _, f := range g.Info().Features {
				for _, v := range obs[f.Offset : f.Offset+f.Size()] {
					if v < f.Low || v > f.High {
						return fmt.Errorf("seed %d: feature %s is %v", seed, f.Name, v)
					}
				}
			}
			if err := e.Step(e.Mask().Nth(pick.Below(e.Mask().Count()))); err != nil {
				return err
			}
		}
	}
	return nil
}

// FuzzData reads any bytes as component data: they are refused in one line, or can be played with.
func FuzzData(f *testing.F) {
	f.Add(builtin)
	f.Add([]byte(`game = "earth-rising"`))
	f.Fuzz(func(t *testing.T, b []byte) {
		g, err := Rulebook().Open("", datafile.File{Name: "fuzz.toml", Bytes: b})
		if err != nil {
			if strings.TrimSpace(err.Error()) == "" || strings.Contains(err.Error(), "\n") {
				t.Errorf("the error %q is not one line", err)
			}
			return
		}
		if err := playThrough(g, 1); err != nil {
			t.Error(err)
		}
	})
}
