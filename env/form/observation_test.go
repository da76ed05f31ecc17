package form_test

import (
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/form"
)

// view is an observation of the garden.
type view struct {
	Round  float32       `help:"round / 12"`
	Season [3]float32    `axes:"season" help:"one-hot"`
	Apples [2]float32    `axes:"seat" low:"-1" help:"by seat: apples / 9"`
	Grown  [2][3]float32 `axes:"seat,tree" help:"by seat: trees"`
	Yield  [2]float32    `axes:"seat" high:"9" help:"by seat: apples picked, however many"`
	Stall  [2]stallView  `axes:"seat" help:"by seat"`
	Sky    skyView       `help:"what is above"`
	luck   luckView
	Basket [2]float32 `scope:"own" name:"own_basket" help:"what only the owner sees"`
}

type luckView struct {
	UVIndex [1][2]float32 `axes:",hour" help:"a dimension without words"`
}

type stallView struct {
	Open  float32    `help:"open"`
	Price [3]float32 `axes:"tree" help:"prices / 5"`
}

type skyView struct {
	Sun  float32
	Rain float32 `name:"wet"`
}

var axes = form.Axes{"season": seasons, "tree": trees, "hour": {"noon"}}

func gardenInfo(t *testing.T) *env.Info {
	t.Helper()
	features, err := form.Features[view](axes)
	if err != nil {
		t.Fatal(err)
	}
	info, err := env.NewInfo(env.Info{Name: "garden", Features: features})
	if err != nil {
		t.Fatal(err)
	}
	return info
}

func TestFeatures(t *testing.T) {
	info := gardenInfo(t)
	for i, want := range []struct {
		name      string
		offset    int
		low, high float32
		scope     env.Scope
		axes      string
		help      string
	}{
		{"round", 0, 0, 1, env.Public, "", "round / 12"},
		{"season", 1, 0, 1, env.Public, "spring summer autumn", "one-hot"},
		{"apples", 4, -1, 1, env.OfSeats, "own +1", "by seat: apples / 9"},
		{"grown", 6, 0, 1, env.OfSeats, "own +1 | oak elm yew", "by seat: trees"},
		{"yield", 12, 0, 9, env.OfSeats, "own +1", "by seat: apples picked, however many"},
		{"stall", 14, 0, 1, env.OfSeats, "own +1 | open price oak price elm price yew", "by seat: open, prices / 5"},
		{"sky", 22, 0, 1, env.Public, "sun wet", "what is above"},
		{"uvindex", 24, 0, 1, env.Public, " | noon", "a dimension without words"},
		{"own_basket", 26, 0, 1, env.Own, "", "what only the owner sees"},
	} {
		f := info.Features[i]
		var words []string
		for _, axis := range f.Axes {
			words = append(words, strings.Join(axis, " "))
		}
		if f.Name != want.name || f.Offset != want.offset || f.Low != want.low || f.High != want.high || f.Scope != want.scope || strings.Join(words, " | ") != want.axes || f.Help != want.help {
			t.Errorf("feature %d is %+v, want %+v", i, f, want)
		}
	}
	if len(info.Features) != 9 || info.Observation() != 28 {
		t.Errorf("%d features, %d numbers", len(info.Features), info.Observation())
	}
	// Who sees a feature and its words are no part of the layout.
	plain := make([]env.Feature, 9)
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
		{func() ([]env.Feature, error) { return form.Features[struct{ Count int }](nil) }, "observation .Count: int is no array of float32"},
		{func() ([]env.Feature, error) {
			return form.Features[struct {
				A float32 `low:"none"`
			}](nil)
		}, `tag low "none" is no number`},
		{func() ([]env.Feature, error) {
			return form.Features[struct {
				A [2]float32 `axes:"colour"`
			}](axes)
		}, `tag axes names "colour", for which there are no words`},
		{func() ([]env.Feature, error) {
			return form.Features[struct {
				A [2]float32 `axes:"season,tree"`
			}](axes)
		}, "names more dimensions than [2]"},
		{func() ([]env.Feature, error) {
			return form.Features[struct {
				A float32 `low:"1"`
			}](nil)
		}, "its numbers are from 1 to 1"},
		{func() ([]env.Feature, error) {
			return form.Features[struct {
				A struct{ B [3]float32 } `help:"named numbers"`
			}](axes)
		}, `B: tag axes names "", for which there are no words`},
		{func() ([]env.Feature, error) {
			return form.Features[struct {
				A struct {
					B [2]float32 `axes:"hour"`
				} `help:"named numbers"`
			}](axes)
		}, "B: 1 words for its 2 numbers"},
		{func() ([]env.Feature, error) {
			return form.Features[struct {
				A struct{ B bool } `help:"named numbers"`
			}](axes)
		}, "B: bool is no list of float32"},
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
		o.Yield[1] = 7
		o.Stall[1].Open, o.Stall[1].Price[2] = 1, 0.4
		o.Sky.Rain = 0.5
	}
	fill()
	for at, want := range map[int]float32{0: 0.25, 3: 1, 4: -0.5, 5: 1, 6: 0, 9: 1, 11: 1, 13: 7, 14: 0, 18: 1, 21: 0.4, 22: 0, 23: 0.5, 24: 1, 25: 0.5, 27: 1} {
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
		"yield (by seat: apples picked, however many): +1 = 7",
		"stall (by seat: open, prices / 5): +1: open, price yew = 0.4",
		"sky (what is above): wet = 0.5",
		"uvindex (a dimension without words): [0]: noon, [1] = 0.5",
		"own_basket (what only the owner sees): [1]",
	}
	if err != nil || strings.Join(lines, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %v\n%s\nwant\n%s", err, strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
	if n := testing.AllocsPerRun(100, fill); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if _, err := info.Describe(row[:3]); err == nil || err.Error() != "garden: an observation has 28 numbers, not 3" {
		t.Errorf("a short row: %v", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("a slice that is too short is taken")
		}
	}()
	form.Observation[view](row[:27])
}
