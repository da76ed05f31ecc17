package form_test

import (
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/env/form"
)

// view is an observation of the garden.
type view struct {
	Round  float32       `help:"round / 12"`
	Season [3]float32    `axes:"season" help:"one-hot"`
	Apples [2]float32    `axes:"seat" low:"-1" help:"by seat: apples / 9"`
	Grown  [2][3]float32 `axes:"seat,tree" help:"by seat: trees"`
	luck   luckView
	Basket [2]float32 `scope:"own" name:"own_basket" help:"what only the owner sees"`
	Beds   [2]bed     `axes:"seat" help:"by seat"`
	Yield  [2]float32 `axes:"seat" high:"9" help:"by seat: apples picked, however many"`
	Shed   struct {
		Rakes float32
	} `help:"the shed"`
}

// bed is a row of numbers of many kinds.
type bed struct {
	Cold   float32       `low:"-2" help:"degrees below 0 / 10"`
	SeedID [3]float32    `axes:"count" help:"seeds"`
	Trees  [1][3]float32 `name:"grows" axes:",tree"`
	soil   struct {
		Wet float32 `high:"3"`
	}
}

type luckView struct {
	UVIndex [1][2]float32 `axes:",hour" help:"a dimension without words"`
}

var axes = form.Axes{"season": seasons, "tree": trees, "hour": {"noon"}}

func gardenInfo(t *testing.T) *env.Info {
	t.Helper()
	features := must.Have(form.Features[view](axes))(t)
	return must.Have(env.NewInfo(env.Info{Name: "garden", Features: features}))(t)
}

func TestFeatures(t *testing.T) {
	info := gardenInfo(t)
	for i, want := range []struct {
		name   string
		offset int
		low    float32
		scope  env.Scope
		axes   string
	}{
		{"round", 0, 0, env.Public, ""},
		{"season", 1, 0, env.Public, "spring summer autumn"},
		{"apples", 4, -1, env.OfSeats, "own +1"},
		{"grown", 6, 0, env.OfSeats, "own +1 | oak elm yew"},
		{"uvindex", 12, 0, env.Public, " | noon"},
		{"own_basket", 14, 0, env.Own, ""},
		{"beds", 16, -2, env.OfSeats, "own +1 | cold seed id 0 seed id 1 seed id 2+ grows [0] oak grows [0] elm grows [0] " +
			"yew soil wet"},
		{"yield", 32, 0, env.OfSeats, "own +1"},
		{"shed", 34, 0, env.Public, "rakes"},
	} {
		f := info.Features[i]
		var words []string
		for _, axis := range f.Axes {
			words = append(words, strings.Join(axis, " "))
		}
		high := map[string]float32{"beds": 3, "yield": 9}[want.name]
		if high == 0 {
			high = 1
		}
		if f.Name != want.name || f.Offset != want.offset || f.Low != want.low || f.High != high || f.Scope != want.scope ||
			strings.Join(words, " | ") != want.axes || f.Help == "" {
			t.Errorf("feature %d is %+v, want %+v", i, f, want)
		}
	}
	if help := info.Features[6].Help; help != "by seat: degrees below 0 / 10; seeds; grows; soil wet" {
		t.Errorf("the row is told as %q", help)
	}
	if len(info.Features) != 9 || info.Observation() != 35 {
		t.Errorf("%d features, %d numbers", len(info.Features), info.Observation())
	}
	// Who sees a feature and its words are no part of the layout.
	plain := make([]env.Feature, len(info.Features))
	for i, f := range info.Features {
		plain[i] = env.Feature{Name: f.Name, Shape: f.Shape, Low: f.Low, High: f.High, Help: f.Help}
	}
	other, err := env.NewInfo(env.Info{Name: "garden", Features: plain})
	if err != nil || other.ObservationHash() != info.ObservationHash() {
		t.Errorf("the words are part of the hash: %v", err)
	}
}

func TestFeaturesRefuse(t *testing.T) {
	for _, tt := range []struct {
		features func() ([]env.Feature, error)
		want     string
	}{
		{func() ([]env.Feature, error) { return form.Features[struct{ Count int }](nil) },
			"observation .Count: int is no array of float32"},
		{func() ([]env.Feature, error) {
			return form.Features[struct {
				A float32 `low:"none"`
			}](nil)
		}, `tag low "none" is no number`},
		{func() ([]env.Feature, error) {
			return form.Features[struct {
				A float32 `scope:"mine"`
			}](nil)
		}, `tag scope "mine" is none of public, own and seats`},
		{func() ([]env.Feature, error) {
			return form.Features[struct {
				A [2]float32 `axes:"colour"`
			}](axes)
		}, `tag axes names "colour", for which there are no words`},
		{func() ([]env.Feature, error) {
			return form.Features[struct {
				A [2]float32 `axes:"season,tree"`
			}](axes)
		}, "names more than 1 dimensions"},
		{func() ([]env.Feature, error) {
			return form.Features[struct {
				A float32 `low:"2"`
			}](axes)
		}, "low 2 is not below high 1"},
		{func() ([]env.Feature, error) {
			return form.Features[struct{ A [2]struct{ B int } }](axes)
		}, "observation .A: B: int is no array of float32"},
	} {
		if _, err := tt.features(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("got %v, want %q", err, tt.want)
		}
	}
}

// What is written through the struct lies where the layout says, and is told in its words.
func TestObservation(t *testing.T) {
	info := gardenInfo(t)
	row := make([]float32, info.Observation())
	fill := func() {
		o := form.Observation[view](row)
		*o = view{Round: 0.25, Season: [3]float32{2: 1}, Apples: [2]float32{-0.5, 1}, luck: luckView{[1][2]float32{{1, 0.5}}}}
		o.Grown[1][0], o.Grown[1][2] = 1, 1
		o.Basket[1] = 1
		o.Beds[1].Cold = -2
		form.Count(o.Beds[0].SeedID[:], 7)
		form.Count(o.Beds[1].SeedID[:], 0)
		o.Beds[1].Trees[0][2] = 1
		o.Beds[1].soil.Wet = 3
		o.Yield[1] = 7
		o.Shed.Rakes = 0.5
	}
	fill()
	for at, want := range map[int]float32{0: 0.25, 3: 1, 4: -0.5, 5: 1, 6: 0, 9: 1, 11: 1, 12: 1, 13: 0.5, 15: 1, 19: 1,
		24: -2, 25: 1, 30: 1, 31: 3, 33: 7, 34: 0.5} {
		if row[at] != want {
			t.Errorf("number %d is %v, want %v", at, row[at], want)
		}
	}
	lines, err := info.Describe(row)
	want := []string{
		"round (round / 12): 0.25",
		"season (one-hot): autumn",
		"apples (by seat: apples / 9): own = -0.5, +1",
		"grown (by seat: trees): +1: oak, yew",
		"uvindex (a dimension without words): [0]: noon, [1] = 0.5",
		"own_basket (what only the owner sees): [1]",
		"beds (by seat: degrees below 0 / 10; seeds; grows; soil wet): own: seed id 2+; +1: cold = -2, seed id 0, grows " +
			"[0] yew, soil wet = 3",
		"yield (by seat: apples picked, however many): +1 = 7",
		"shed (the shed: rakes): 0.5",
	}
	if err != nil || strings.Join(lines, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %v\n%s\nwant\n%s", err, strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
	if n := testing.AllocsPerRun(100, fill); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if _, err := info.Describe(row[:3]); err == nil || err.Error() != "garden: an observation has 35 numbers, not 3" {
		t.Errorf("a short row: %v", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a slice that is too short is taken")
		}
	}()
	form.Observation[view](row[:34])
}
