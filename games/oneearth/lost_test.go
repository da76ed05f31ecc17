package oneearth_test

import (
	"slices"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/games/oneearth"
)

// What a configuration is, by who plays: alone, two against each other, or motives that are mixed, with bids that are
// sealed where there are Resolutions (OE-001, OE-020). With the General there are no Critical Events to run out
// (OE-230).
func TestTraits(t *testing.T) {
	for text, want := range map[string][]string{
		"players=1": {env.Solo}, "players=2": {env.Competitive}, "players=3": {env.Mixed}, "players=5": {env.Mixed},
		"players=3,mode=advanced": {env.Mixed, env.HiddenInfo}, "players=5,mode=advanced": {env.Mixed, env.HiddenInfo},
	} {
		if got := open(t, text).Info().Traits; !slices.Equal(got, want) {
			t.Errorf("%s is %v, want %v", text, got, want)
		}
		info := open(t, text).Info()
		events := slices.ContainsFunc(info.Ends, func(e env.Ending) bool { return e.Name == "critical" })
		if events != (info.Players >= 3) {
			t.Errorf("%s: its ends are %v", text, info.Ends)
		}
	}
}

// Who has lost the Earth, and what a table has come to by it: OE-204, OE-205, OE-211, OE-216.
func TestLostEarths(t *testing.T) {
	for _, tt := range []struct {
		options, patch string
		culprits       env.Seats
		depletion      float64
		measures       []float64 // welfare, emissions, collapse, broken
	}{
		{"players=3", `"over":"ruin","culprits":[1],"e":[9,12,10],"g":31`, env.Only(1), 1, []float64{4, 31, 1, 3}},
		{"players=3", `"over":"critical","culprits":[0,2],"e":[9,6,9],"g":24`, env.Only(0).With(2), 1, []float64{4, 24, 1, 3}},
		{"players=3", `"over":"rounds","culprits":[2],"e":[9,8,10],"g":27`, env.Only(2), 1, []float64{4, 27, 1, 3}},
		{"players=3", `"over":"rounds","culprits":[],"e":[8,8,8],"g":24`, env.Nobody, 0.8, []float64{4, 24, 0, 3}},
		{"players=3,mode=advanced,leaders=tycoon+scientist+general", `"over":"ruin","e":[12,9,9],"g":30`, env.Only(0), 1,
			[]float64{4, 30, 1, 3}},
		{"players=3,mode=advanced,leaders=tycoon+scientist+general", `"over":"critical","e":[9,8,7],"g":24`, env.Only(0), 1,
			[]float64{4, 24, 1, 3}},
		{"players=3,mode=advanced,leaders=tycoon+scientist+general", `"over":"final","e":[9,9,9],"g":27,"final":true`, env.Nobody, 0.9,
			[]float64{4, 27, 0, 3}},
	} {
		s := open(t, tt.options).New().(*oneearth.State)
		s.Reset(1, nil)
		position := `{"phase":"over","seat":-1,"p":[2,4,6],"broken":[2,1,0],` + tt.patch + `}`
		if strings.Contains(tt.patch, `"critical"`) {
			position = strings.Replace(position, `{`, `{"critical":{"drought":"discard","floods":"discard","heatwave":"discard"},`, 1)
		}
		patch(t, s, position)
		lost, culprits := s.LostBy()
		if lost != (tt.culprits != env.Nobody) || culprits != tt.culprits || s.Depletion() != tt.depletion {
			t.Errorf("%s, %s: lost %v by %b, depletion %v; want by %b, %v", tt.options, tt.patch, lost, culprits, s.Depletion(),
				tt.culprits, tt.depletion)
		}
		measures := make([]float64, 4)
		if s.Measures(measures); !slices.Equal(measures, tt.measures) {
			t.Errorf("%s, %s: measures %v, want %v", tt.options, tt.patch, measures, tt.measures)
		}
	}
}

// OE-149: bids are revealed together, each as it was made.
func TestBidsAreRevealed(t *testing.T) {
	s := open(t, "players=3,mode=advanced,leaders=tycoon+scientist+general,aid=off,talk=off").New().(*oneearth.State)
	s.Reset(1, nil)
	patch(t, s, `{"phase":"bid","turns_done":3,"seat":2,"proposal":"capandtrade","votes":["yes","yes","no"],"bids":[1,-1],"m":[5,5,5]}`)
	var tape env.Tape
	s.Apply(oneearth.BidNothing, &tape)
	got := ""
	for _, e := range tape.Events() {
		got += e.Name + "; "
	}
	if want := "seat 0: bid yes 1; seat 1: bid no 1; seat 2: bid 0"; !strings.Contains(got, want) {
		t.Errorf("the table is told %q, want %q", got, want)
	}
}
