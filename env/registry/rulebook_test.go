package registry_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/datafile"
	"earthgym/env/envtest/must"
	"earthgym/env/registry"
)

func options() *registry.Rulebook {
	return &registry.Rulebook{
		Name: "chess",
		Options: []registry.Option{
			{Name: "players", Kind: registry.Int, Min: 1, Max: 4, Default: "2"},
			{Name: "first", Kind: registry.Int, Values: []string{"random"}, Min: 0, Max: 3, Default: "0"},
			{Name: "clock", Kind: registry.Bool, Default: "off"},
			{Name: "komi", Kind: registry.Number, Min: -0.5, Max: 7.5, Default: "6.5"},
			{Name: "setup", Kind: registry.Choice, Values: []string{"normal", "mirrored"}, Default: "normal"},
			{Name: "pieces", Kind: registry.List, Values: []string{"draft", "rook", "knight"}, Default: "draft"},
			{Name: "length", Kind: registry.Int, Min: 1, Max: 9, Default: ""},
		},
		New: func(v registry.Values, d datafile.File) (env.Game, error) { return nil, nil },
	}
}

func TestParseValues(t *testing.T) {
	rb := options()
	for _, tt := range []struct{ text, want string }{
		{"", "chess:players=2,first=0,clock=off,komi=6.5,setup=normal,pieces=draft,length="},
		{"setup=mirrored,players=3", "chess:players=3,first=0,clock=off,komi=6.5,setup=mirrored,pieces=draft,length="},
		{"players=+03,komi=6.50", "chess:players=3,first=0,clock=off,komi=6.5,setup=normal,pieces=draft,length="},
		{"komi=-0", "chess:players=2,first=0,clock=off,komi=0,setup=normal,pieces=draft,length="},
		{"komi=5e-1,first=random", "chess:players=2,first=random,clock=off,komi=0.5,setup=normal,pieces=draft,length="},
		{"clock=on,length=9", "chess:players=2,first=0,clock=on,komi=6.5,setup=normal,pieces=draft,length=9"},
		{"pieces=rook+rook+knight",
			"chess:players=2,first=0,clock=off,komi=6.5,setup=normal,pieces=rook+rook+knight,length="},
	} {
		v, err := rb.ParseValues(tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		got := rb.GameText(v)
		if got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.text, got, tt.want)
		}
		_, again, _ := strings.Cut(got, ":")
		if v, err = rb.ParseValues(again); err != nil || rb.GameText(v) != got {
			t.Errorf("%s is read as %s, %v", got, rb.GameText(v), err)
		}
	}
}

func TestParseValuesErrors(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"players", `chess: "players" is not of the form option=value`},
		{"player=2", `chess: unknown option "player": did you mean "players"? there are: players, first,`},
		{"players=2,players=3", "chess: option players is given twice"},
		{"players=5", `option players cannot be "5": it is a whole number from 1 to 4`},
		{"players=0", `option players cannot be "0"`},
		{"players=two", `option players cannot be "two"`},
		{"players=2.0", `option players cannot be "2.0"`},
		{"players=", `option players cannot be ""`},
		{"first=rnd", `it is a whole number from 0 to 3 or random`},
		{"clock=yes", `option clock cannot be "yes": it is on, off`},
		{"komi=nan", `option komi cannot be "nan": it is a number from -0.5 to 7.5`},
		{"komi=inf", `option komi cannot be "inf"`},
		{"komi=8", `option komi cannot be "8"`},
		{"setup=mirored", `option setup cannot be "mirored": did you mean "mirrored"? there are: normal, mirrored`},
		{"pieces=rook+nite", `option pieces cannot contain "nite": there are: draft, rook, knight`},
		{"pieces=rook+", `option pieces cannot contain ""`},
		{"players=2,", `chess: "" is not of the form option=value`},
	} {
		if _, err := options().ParseValues(tt.text); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.text, err, tt.want)
		}
		if _, err := options().Open(tt.text, datafile.File{}); err == nil {
			t.Errorf("%s opens", tt.text)
		}
	}
}

func TestValues(t *testing.T) {
	v := must.Have(options().ParseValues("first=random,komi=0.5,clock=on,players=4"))(t)
	if v.Int("players") != 4 || v.Int("first") != -1 || v.Int("length") != -1 || math.Abs(v.Number("komi")-0.5) > 0 ||
		!v.Bool("clock") || v.Text("setup") != "normal" {
		t.Errorf("values are read wrongly: %s", options().GameText(v))
	}
	w := v.With("length", "7")
	if w.Int("length") != 7 || v.Text("length") != "" {
		t.Errorf("With gives %q and leaves %q", w.Text("length"), v.Text("length"))
	}
}

// The text for people names what differs from the defaults, also from those that follow from others.
func TestShortText(t *testing.T) {
	rb := options()
	for _, tt := range []struct{ text, want string }{
		{"", "chess"},
		{"players=2,komi=6.50,clock=off", "chess"},
		{"setup=mirrored,players=3", "chess:players=3,setup=mirrored"},
		{"length=4", "chess"}, // as it follows below
		{"length=5", "chess:length=5"},
		{"first=2", "chess"}, // set below
	} {
		v := must.Have(rb.ParseValues(tt.text))(t)
		v = v.WithDefault("length", "4").With("first", "1")
		if got := rb.ShortText(v); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.text, got, tt.want)
		}
		if v.Int("first") != 1 || v.Text("length") == "" {
			t.Errorf("%s: the game is %s", tt.text, rb.GameText(v))
		}
	}
}

func TestOpenTakesBuiltInData(t *testing.T) {
	rb := options()
	rb.Data = []byte("game = \"chess\"\n")
	var got datafile.File
	rb.New = func(_ registry.Values, d datafile.File) (env.Game, error) {
		got = d
		return nil, nil
	}
	for _, own := range []datafile.File{{}, {Name: "own.toml", Bytes: []byte("x")}} {
		must.Have(rb.Open("", own))(t)
		want := own
		if own.Bytes == nil {
			want = datafile.File{Name: "built-in chess data.toml", Bytes: rb.Data}
		}
		if got.Name != want.Name || string(got.Bytes) != string(want.Bytes) {
			t.Errorf("got %s %q, want %s", got.Name, got.Bytes, want.Name)
		}
	}
}

func TestNewInfo(t *testing.T) {
	honest := env.Info{
		Name: "chess",
		Actions: []env.ActionInfo{{Family: "move", Text: "move 1", Aliases: []string{"move king"}},
			{Family: "pass", Text: "pass"}},
		Features: []env.Feature{{Name: "board", Shape: []int{2, 3}}, {Name: "clock", Shape: []int{1}}},
	}
	i := must.Have(env.NewInfo(honest))(t)
	if i.Observation() != 7 || i.Features[1].Offset != 6 || i.MaskWords() != 1 || honest.Features[1].Offset != 0 {
		t.Errorf("observation %d, features %v, mask words %d", i.Observation(), i.Features, i.MaskWords())
	}
	for text, want := range map[string]env.Action{"move 1": 0, "move king": 0, "  move   king ": 0, "pass": 1} {
		if a, err := i.Parse(text); err != nil || a != want {
			t.Errorf("%q is parsed as %d, %v", text, a, err)
		}
	}
	for text, want := range map[string]string{
		"move 2": `unknown action "move 2": did you mean "move 1"? there are: move 1`,
		"pas":    `unknown action "pas": did you mean "pass"? there are: move, pass`,
		"":       `unknown action "": there are: move, pass`,
	} {
		if _, err := i.Parse(text); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
	twice := honest
	twice.Features = []env.Feature{{Name: "board", Shape: []int{1}}, {Name: "board", Shape: []int{1}}}
	if _, err := env.NewInfo(twice); err == nil || !strings.Contains(err.Error(), `feature "board" is listed twice`) {
		t.Errorf("a feature twice: %v", err)
	}
	for _, ends := range [][]env.Ending{{{Name: "win"}, {Name: "win"}}, {{Help: "nobody knows"}}} {
		ended := honest
		ended.Ends = ends
		if _, err := env.NewInfo(ended); err == nil || !strings.Contains(err.Error(), "is listed twice, or has no name") {
			t.Errorf("ends %v: error %v", ends, err)
		}
	}
	alike := honest
	alike.Actions = []env.ActionInfo{{Text: "move 1"}, {Text: "pass", Aliases: []string{"move 1"}}}
	if _, err := env.NewInfo(alike); err == nil ||
		!strings.Contains(err.Error(), `actions 0 and 1 are both written "move 1"`) {
		t.Errorf("two actions of one text: %v", err)
	}
	other := honest
	other.Features = []env.Feature{{Name: "board", Shape: []int{3, 2}}, {Name: "clock", Shape: []int{1}}}
	if j, err := env.NewInfo(other); err != nil || j.ObservationHash() == i.ObservationHash() ||
		j.ActionHash() != i.ActionHash() {
		t.Errorf("another layout has the same hash, or another action hash (%v)", err)
	}
}

// The features of an object are its part of each feature named, whether the objects are the first or the last
// dimension.
func TestObjects(t *testing.T) {
	garden := func() env.Info {
		return env.Info{
			Name: "garden", Players: 2, MostPlayers: 4,
			Actions: []env.ActionInfo{
				{Family: "plant", Text: "plant 0", Objects: []env.ObjectRef{{Kind: "bed", Index: 0}}},
				{Family: "plant", Text: "plant 2", Objects: []env.ObjectRef{{Kind: "bed", Index: 2}}},
				{Family: "carry", Text: "carry 1 0", Objects: []env.ObjectRef{{Kind: "bed", Index: 1}, {Kind: "shed", Index: 0}}},
				{Family: "rest", Text: "rest"},
			},
			Features: []env.Feature{{Name: "sun", Shape: []int{1}}, {Name: "beds", Shape: []int{3, 2}},
				{Name: "owner", Shape: []int{2, 3}}, {Name: "shed", Shape: []int{2}}},
			Objects: []env.Objects{{Name: "bed", Count: 3, Features: []string{"beds", "owner"}},
				{Name: "shed", Count: 2, Features: []string{"shed"}}},
		}
	}
	i := must.Have(env.NewInfo(garden()))(t)
	if got, want := fmt.Sprint(i.ObjectFeatures(0), i.ObjectFeatures(1)),
		"[[1 2 7 10] [3 4 8 11] [5 6 9 12]] [[13] [14]]"; got != want {
		t.Errorf("the features of beds and sheds are at %s, want %s", got, want)
	}
	text := must.Have(json.Marshal(i))(t)
	for _, part := range []string{
		`"objects":[{"kind":"bed","index":1},{"kind":"shed","index":0}]}`, `"text":"rest"}`, `"most_players":4`,
		`"objects":[{"name":"bed","count":3,"features":["beds","owner"]},{"name":"shed","count":2,"features":["shed"]}]`,
	} {
		if !strings.Contains(string(text), part) {
			t.Errorf("%s has no %s", text, part)
		}
	}
	plain := garden()
	plain.Objects = nil
	for a := range plain.Actions {
		plain.Actions[a].Objects = nil
	}
	if j, err := env.NewInfo(plain); err != nil || j.ActionHash() != i.ActionHash() ||
		j.ObservationHash() != i.ObservationHash() {
		t.Errorf("without objects a hash is another (%v)", err)
	}
	for want, change := range map[string]func(i *env.Info){
		`garden: objects without a name`: func(i *env.Info) {
			i.Objects[0].Name = ""
		},
		`objects "bed" are listed twice`: func(i *env.Info) {
			i.Objects[1].Name = "bed"
		},
		`objects "shed": there are 0, with 1 features`: func(i *env.Info) {
			i.Objects[1].Count = 0
		},
		`objects "shed": there are 2, with 0 features`: func(i *env.Info) {
			i.Objects[1].Features = nil
		},
		`objects "bed": there is no feature "moon"`: func(i *env.Info) {
			i.Objects[0].Features = []string{"moon"}
		},
		`objects "bed": feature "beds" is listed twice`: func(i *env.Info) {
			i.Objects[0].Features = []string{"beds", "beds"}
		},
		`feature "shed" has the shape [2]; its first or last dimension must be 3`: func(i *env.Info) {
			i.Objects[0].Features = []string{"shed"}
		},
		`action "carry 1 0" points at a "shed", but there are no such objects`: func(i *env.Info) {
			i.Objects = i.Objects[:1]
		},
		`action "plant 2" points at bed 3; there are 0 to 2`: func(i *env.Info) {
			i.Actions[1].Objects[0].Index = 3
		},
		`"plant 0" and "plant 2" of one family point at different kinds`: func(i *env.Info) {
			i.Actions[1].Objects = nil
		},
	} {
		i := garden()
		change(&i)
		if _, err := env.NewInfo(i); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
