package registry_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"earthgym/env/datafile"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/env/registry"
)

// kuhnAndAnother holds Kuhn poker, and a second game beside it.
func kuhnAndAnother() registry.Registry {
	other := kuhn.Rulebook()
	other.Name = "whist"
	return registry.Registry{kuhn.Rulebook(), other}
}

func dataFile(t *testing.T, name, content string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	must.Do(t, os.WriteFile(file, []byte(content), 0o644))
	return file
}

func TestRegistryOpen(t *testing.T) {
	const stakes = "game = \"kuhn\"\nante = 2\nbet = 1\n"
	own := datafile.File{Name: "own.toml", Bytes: []byte(stakes)}
	whist := datafile.File{Name: "whist.toml", Bytes: []byte("game = \"whist\"\n")}
	for _, tt := range []struct {
		text string
		data []datafile.File
		want string // the game's text, or what the error says
	}{
		{"kuhn", nil, "kuhn:players=2"},
		{"kuhn:players=3", nil, "kuhn:players=3"},
		{"kuhn:", nil, "kuhn:players=2"},
		{"kuhn", []datafile.File{own, whist}, "kuhn:players=2"},
		{"khun", nil, `unknown game "khun": did you mean "kuhn"? there are: kuhn, whist`},
		{"kuhn,players=3", nil, `unknown game "kuhn,players=3": did you mean "kuhn:players=3"? options follow a colon`},
		{"kuhn players=3, bet=1", nil, `did you mean "kuhn:players=3,bet=1"?`},
		{"khun,players=3", nil, `unknown game "khun,players=3": there are: kuhn, whist`},
		{"kuhn:player=3", nil, `unknown option "player": did you mean "players"?`},
		{"kuhn", []datafile.File{own, {Name: "b.toml", Bytes: own.Bytes}}, "own.toml and b.toml are both component data " +
			"of kuhn"},
		{"kuhn", []datafile.File{{Name: "x.toml", Bytes: []byte("game = \"kuhm\"\n")}},
			`x.toml: unknown game "kuhm": did you mean "kuhn"?`},
		{"kuhn", []datafile.File{{Name: "x.toml", Bytes: []byte("ante = 1\n")}}, "x.toml: the first key must say whose " +
			"data these are"},
		{"kuhn", []datafile.File{{Name: "x.toml", Bytes: []byte{}}}, "x.toml: the first key must say whose data these are"},
	} {
		g, err := kuhnAndAnother().Open(tt.text, tt.data...)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = g.Info().Text
		}
		if !strings.Contains(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.text, got, tt.want)
		}
	}
	built := must.Have(kuhnAndAnother().Open("kuhn"))(t)
	changed, err := kuhnAndAnother().Open("kuhn", own)
	if err != nil || changed.Info().DataHash == built.Info().DataHash {
		t.Errorf("a data file of its own gives the game the built-in data (%v)", err)
	}
}

func TestRegistryReadData(t *testing.T) {
	a := dataFile(t, "a.toml", "game = \"kuhn\"\nante = 1\nbet = 1\n")
	b := dataFile(t, "b.toml", "# whose?\ngame = \"whist\"\n")
	data, err := kuhnAndAnother().ReadData([]string{a, b})
	if err != nil || len(data) != 2 || data[1].Name != b {
		t.Errorf("got %v, %v", data, err)
	}
	for _, tt := range []struct {
		files []string
		want  string
	}{
		{[]string{a, a}, "both component data of kuhn"},
		{[]string{dataFile(t, "c.toml", "game = \"chess\"\n")}, `unknown game "chess"`},
		{[]string{"missing.toml"}, "data file: "},
	} {
		if _, err := kuhnAndAnother().ReadData(tt.files); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: got %v, want %q", tt.files, err, tt.want)
		}
	}
}

func TestRulebookJSON(t *testing.T) {
	rb := &registry.Rulebook{
		Name: "go", Title: "Go",
		Options: []registry.Option{
			{Name: "size", Kind: registry.Int, Min: 0, Max: 19, Default: "19", Help: "lines"},
			{Name: "rules", Kind: registry.Choice, Values: []string{"area", "territory"}, Default: "area", Help: "counting"},
		},
	}
	b, err := json.Marshal(rb)
	want := `{"name":"go","title":"Go","options":[` +
		`{"name":"size","kind":"int","values":[],"min":0,"max":19,"default":"19","help":"lines"},` +
		`{"name":"rules","kind":"choice","values":["area","territory"],"min":null,"max":null,"default":"area","help":"counting"}],` +
		`"variants":[],"traits":[]}`
	if err != nil || string(b) != want {
		t.Errorf("got  %s, %v\nwant %s", b, err, want)
	}
}
