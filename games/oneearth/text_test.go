package oneearth_test

import (
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest"
	"earthgym/env/envtest/must"
	"earthgym/games/oneearth"
)

// crowded is an advanced game in full swing: sanction, promises, Technologies of every kind, passed and
// failed Resolutions.
func crowded(t testing.TB) *oneearth.State {
	t.Helper()
	g := open(t, "players=4,mode=advanced,leaders=scientist+tycoon+environmentalist+diplomat,first_player=2")
	s := g.New().(*oneearth.State)
	var tape env.Tape
	tape.Force("deal = hospital", "deal = coal", "deal = hsr", "deal = farm", "deal = film", "deal = oil")
	s.Reset(1, &tape)
	patch(t, s, `{
		"round": 4, "first": 2, "turns_done": 0, "seat": 2, "g": 23,
		"p": [9, 11, 8, 6], "e": [6, 11, 4, 4], "m": [11, 2, 8, 5],
		"deck": {"school": 0, "farm": 1, "hospital": 2, "coal": 0, "airport": 1, "oil": 0, "metro": 0, "museum": 1, "ecar": 1},
		"tab": [{"school": [1, 1], "farm": [1, 0], "hospital": [1, 0]}, {"coal": [0, 1], "oil": [1, 0], "metro": [1, 0]},
			{"airport": [1, 0], "museum": [1, 0]}, {"ecar": [1, 0], "school": [1, 0]}],
		"tech": {"elearning": 0, "carboncapture": 1}, "policy": {"transit": 0},
		"saved": [{"elearning": 1}, {}, {}, {}], "loose": [{}, {"carboncapture": 1}, {}, {}],
		"resolution": {"edutech": "passed", "mars": "passed", "capandtrade": "failed"}, "yes_voters": {"edutech": [0, 3]},
		"tokens": [3, 4, 4, 3], "support": [1, 0, 0, 1], "mars_funder": [false, true, false, false],
		"ability_used": [false, false, true, true], "sanctioned": 1, "income_mod": 0,
		"critical": {"floods": "discard"}, "warning": {"boom": "discard", "trade": "discard"},
		"said": ["policy", "clean", "", "yes"], "pending": [["policy"], ["clean"], [], []],
		"kept": [1, 0, 0, 2], "broken": [0, 1, 0, 0], "turn": {"e_start": 4}}`)
	return s
}

// What each viewer sees: the seat that decides, one that waits, a spectator; a ballot with sealed bids;
// ends of all kinds.
func TestViews(t *testing.T) {
	golden := func(name string, s *oneearth.State, p env.Player) {
		t.Helper()
		envtest.GoldenFile(t, name+".txt", s.AppendText(nil, p))
		envtest.GoldenFile(t, name+".svg", s.AppendSVG(nil, p))
	}
	s := crowded(t)
	golden("turn-actor", s, 2)
	golden("turn-waiting", s, 0)
	golden("turn-spectator", s, env.Spectator)
	patch(t, s,
		`{"phase":"bid","turns_done":4,"seat":3,"proposal":"medicine","votes":["yes","no","yes","no"],"bids":[-3],"sanctioned":-1}`)
	golden("bid-actor", s, 3)
	golden("bid-bidder", s, 2)
	golden("bid-spectator", s, env.Spectator)
	patch(t, s, `{"phase":"over","seat":-1,"over":"ruin","g":25,"tokens":[1,4,4,3],"support":[3,0,0,1],
		"resolution":{"medicine":"passed","capandtrade":"passed"},"yes_voters":{"medicine":[0],"capandtrade":[0]}}`)
	golden("ruin", s, 0)

	standard := open(t, "players=3,talk=off").New().(*oneearth.State)
	standard.Reset(3, nil)
	golden("standard", standard, 0)
	patch(t, standard, `{"phase":"over","seat":-1,"over":"target","p":[20,9,9],"reach":[0]}`)
	golden("target", standard, env.Spectator)

	solo := open(t, "players=1,leaders=entertainer").New().(*oneearth.State)
	solo.Reset(5, nil)
	patch(t, solo,
		`{"round":4,"e":[5],"g":9,"npc_p":8,"npc_vp":3,"automa":{"A1":"discard","A2":"discard","A3":"discard"}}`)
	golden("solo", solo, 0)
}

// Words that depend on the table: a bid may follow a lead of one too (OE-148), a request for aid promises for the
// running turn (OE-282), what is shared is every seat's but its funder's (OE-166), alone few Emissions are worth what
// the lowest are at a table (OE-254), in a final round nothing comes of Global Emissions (OE-210, OE-212), and the
// income is that of the next turn (OE-112, OE-118, OE-250).
func TestWords(t *testing.T) {
	const three = "players=3,mode=advanced,leaders=tycoon+scientist+general"
	for _, tt := range []struct{ options, patch, want string }{
		{three, `{"phase":"bid","turns_done":3,"proposal":"capandtrade","votes":["yes","yes","no"]}`,
			"The world's vote decides on Cap and Trade Emissions"},
		{three, `{"phase":"ask_say","ask":{"seat":1,"amount":3}}`, "Say “I fund a Climate Policy in this turn”"},
		{three, `{"phase":"ask_reply","seat":1,"ask":{"seat":1,"amount":3,"say":"clean"}}`,
			"asks seat 1 for 3 and says “I don't raise my Emissions in this turn”"},
		{three, `{"phase":"discuss","turns_done":3,"proposal":"edutech"}`, "Say “I fund a Climate Policy in my next turn”"},
		{three, `{"phase":"pick","turns_done":3,"proposal":"sharetech"}`, "every seat but its funder"},
		{"players=1,leaders=environmentalist", `{}`, "+6 with E below 5\n"},
		{three, `{"turns_done":1,"seat":1,"p":[6,6,6],"income_mod":-2,"sanctioned":0}`, "income 6  Energy Tycoon"},
		{three, `{"turns_done":1,"seat":1,"p":[6,6,6],"income_mod":-2,"sanctioned":2}`, "income 6  Scientist"},
		{three, `{"turns_done":1,"seat":1,"p":[6,6,6],"income_mod":-1,"sanctioned":2}`, "income 4  Military General"},
		{"players=1,leaders=tycoon", `{"p":[6],"e":[8],"g":9}`, "income 4 "},
		{"players=1,leaders=tycoon", `{}`, "(E above 5 costs P 1 a turn, above 7 P 2; ruin at 30)"},
		{"players=2,leaders=environmentalist+tycoon", `{}`, "+6 with the lowest E\n"},
		{three, `{"g":31,"e":[11,10,10]}`, "] ruin "},
		{three, `{"g":31,"e":[11,10,10],"final":true}`, "] no event "},
		{three, `{"final":true}`, "(in the final round G brings neither events nor ruin)"},
		{"players=2,leaders=environmentalist+tycoon", `{"final":true}`, "(ruin at 30)"},
	} {
		s := open(t, tt.options).New().(*oneearth.State)
		s.Reset(1, nil)
		patch(t, s, tt.patch)
		if text := string(s.AppendText(nil, s.Actor())); !strings.Contains(text, tt.want) {
			t.Errorf("%s, %s: no %q in\n%s", tt.options, tt.patch, tt.want, text)
		}
		harmless := s.Final && s.Game().Info().Players >= 3
		if strings.Contains(env.Drawing(s, s.Actor()), "E, ruin at 30") == harmless {
			t.Errorf("%s, %s: the picture says ruin at 30 if and only if it comes of nothing", tt.options, tt.patch)
		}
	}
}

// All legal actions can be read off the text, each once, and each has words for what it does.
func TestChoicesAreComplete(t *testing.T) {
	for seed, options := range []string{"players=3", "players=4,mode=advanced", "players=5,mode=advanced", "players=2",
		"players=1"} {
		g := open(t, options)
		s, luck := g.New(), env.NewStream(uint64(seed), "choices")
		legal := make(env.Mask, g.Info().MaskWords())
		for s.Reset(uint64(seed), nil); s.Actor() != env.Over; {
			must.Do(t, envtest.Listed(s))
			s.Legal(legal)
			s.Apply(legal.Nth(luck.Below(legal.Count())), nil)
		}
	}
}
