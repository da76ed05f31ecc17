package oneearth_test

import (
	"encoding/json"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/games/oneearth"
)

func patchError(s env.State, text string) error {
	var p map[string]any
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		return err
	}
	return env.PatchPosition(s, p)
}

// patch lays a patch of JSON on the position.
func patch(t testing.TB, s env.State, text string) {
	t.Helper()
	if err := patchError(s, text); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

// A position that cannot be is refused in the game's words, and nothing changes.
func TestImpossiblePositions(t *testing.T) {
	const advanced = "players=3,mode=advanced,leaders=tycoon+scientist+general"
	for _, tt := range []struct{ game, patch, want string }{
		{"players=3", `{"row":["coal","coal","coal","coal","coal","coal"]}`, "copies of coal"},
		{"players=3", `{"row":["coal"]}`, "row: 1 elements; there must be 6"},
		{"players=3", `{"row":["cole","","","","",""]}`, `row.0: unknown word "cole": did you mean "coal"?`},
		{"players=3", `{"deck":{"coal":-1}}`, "deck.coal: -1 is not in 0 to 4"},
		{"players=3", `{"deck":{"coal":1.5}}`, "deck.coal: 1.5 is not a whole number"},
		{"players=3", `{"gone":{"castle":1}}`, "unknown field gone.castle"},
		{"players=3", `{"g":29}`, "Emissions of all countries"},
		{"players=3", `{"p":[1,2]}`, "p: 2 elements; there must be 3"},
		{"players=3", `{"m":[-1,0,0]}`, "m.0: -1 is not in 0 to 999"},
		{"players=3", `{"seat":1}`, "it is seat 0's decision"},
		{"players=3", `{"seat":-1}`, "it is seat 0's decision"},
		{"players=3", `{"phase":"over"}`, `over: "" in phase over`},
		{"players=3", `{"phase":"dream"}`, `phase: unknown word "dream"`},
		{"players=3", `{"round":21}`, "round: 21 is not in 1 to 20"},
		{"players=3", `{"turn":{"funded":3}}`, "turn.funded: 3 is not in 0 to 2"},
		{"players=3", `{"turn":{"asked":[2,1]}}`, "turn.asked.1: 1 comes after a later one; they are in order"},
		{"players=3", `{"saved":[{"vr":1},{},{}]}`, "vr: 1 uses"},
		{"players=3", `{"tech":{"vr":0},"saved":[{"vr":2},{},{}]}`, "vr: 2 uses"},
		{"players=3", `{"tech":{"vr":-2}}`, "no NPC plays"},
		{"players=3", `{"resolution":{"mars":"passed"}}`, "no Resolutions (OE-020"},
		{"players=3", `{"leader":["tycoon","",""]}`, "there is no tycoon in this game"},
		{"players=3", `{"final":true}`, "no final round"},
		{"players=3", `{"automa":{"A1":"discard"}}`, "there is an NPC with 1 or 2 players only"},
		{"players=3", `{"trigger":9}`, "trigger: 9 is not in -1 to 2"},
		{"players=3", `{"phase":"propose","turns_done":3}`, "standard mode has no Resolutions"},
		{"players=3", `{"phase":"audit","turns_done":3}`, "nobody is sanctioned"},
		{"players=3", `{"over":"final","phase":"over","seat":-1}`, `cannot end by "final"`},
		{"players=3", `{"over":"ruin","phase":"over","seat":-1}`, "culprits"},
		{advanced, `{"tokens":[3,4,4]}`, "tokens.0: 3 in hand and 0 on Resolutions; a seat has 4"},
		{advanced, `{"support":[1,0,0],"tokens":[3,4,4]}`, "support: 1 tokens in all"},
		{advanced, `{"yes_voters":{"edutech":[0]}}`, "not been passed by a vote"},
		{advanced, `{"leader":["tycoon","tycoon","general"]}`, "the tycoon is taken"},
		{advanced, `{"shared_tech":"vr"}`, "Share Technologies has passed"},
		{advanced, `{"mars_funder":[true,false,false]}`, "Colonize Mars has not passed"},
		{advanced, `{"phase":"target"}`, "using is missing"},
		{advanced, `{"phase":"attach"}`, "attach must be a plain Project"},
		{advanced, `{"phase":"shared","using":"vr","tech":{"vr":0}}`, "seat"},
		{advanced, `{"phase":"loose"}`, "loose_queue"},
		{advanced, `{"phase":"ask_say"}`, "ask.seat must be another seat"},
		{advanced, `{"phase":"ask_say","ask":{"seat":1,"amount":20}}`, "ask.amount"},
		{advanced, `{"phase":"immunity","turns_done":3}`, "event is missing"},
		{advanced, `{"phase":"plea","turns_done":3}`, "accused is missing"},
		{advanced, `{"phase":"vote","turns_done":3}`, "proposal must be one that is voted on"},
		{advanced, `{"phase":"vote"}`, "proposal"},
		{advanced, `{"phase":"bid","turns_done":3,"proposal":"edutech","votes":["yes","yes","yes"]}`, "nothing to bid for"},
		{advanced, `{"phase":"bid","turns_done":3,"proposal":"edutech","votes":["yes"]}`, "votes must be complete"},
		{advanced, `{"phase":"pick","turns_done":3}`, "proposal must be sharetech"},
		{advanced, `{"phase":"discuss","turns_done":3,"proposal":"sharetech"}`, "using must name"},
		{advanced, `{"phase":"pledge","turns_done":3}`, "proposal must be mars"},
		{advanced, `{"phase":"accuse","turns_done":3,"votes":["yes"]}`, "votes must accuse or pass"},
		{advanced, `{"phase":"propose"}`, "all turns of the round are done"},
		{advanced, `{"votes":["dance"]}`, "votes.0"},
		{advanced, `{"votes":["fund 1"]}`, "answers no ballot"},
		{advanced, `{"pending":[["clean","policy"],[],[]]}`, "they are in order"},
		{advanced, `{"tab":[{"coal":[3,0]},{},{}]}`, "tab.0.coal.0: 3 is not in 0 to 2"},
		{"players=2,leaders=tycoon+scientist", `{"sanctioned":0}`, "no events and no sanctions (OE-230)"},
		{"players=2,leaders=tycoon+scientist", `{"npc_p":4}`, "with 1 player only"},
	} {
		s := open(t, tt.game).New()
		s.Reset(1, nil)
		before := string(s.AppendPosition(nil))
		err := patchError(s, tt.patch)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s, %s: got %v, want an error with %q", tt.game, tt.patch, err, tt.want)
		}
		if after := string(s.AppendPosition(nil)); after != before {
			t.Errorf("%s, %s: the position has changed", tt.game, tt.patch)
		}
	}
}

// OE-147: a sealed bid is hidden from the others, who may imagine any that the seat has money for, and
// is seen by its own seat.
func TestSealedBids(t *testing.T) {
	g := open(t, "players=4,mode=advanced,leaders=tycoon+scientist+general+entertainer,talk=off,aid=off")
	s := g.New().(*oneearth.State)
	s.Reset(1, nil)
	patch(t, s, `{"phase":"bid","turns_done":4,"proposal":"edutech","votes":["yes","yes","no","no"],"bids":[2],"seat":1}`)
	info := s.Game().Info()
	if got := s.WitnessedBy(0, oneearth.BidNo+2); got != "bid sealed" {
		t.Errorf("seat 0 witnesses %q", got)
	}
	if got := s.WitnessedBy(1, oneearth.BidNo+2); got != "bid no 3" {
		t.Errorf("the bidder witnesses %q", got)
	}
	a, b := make([]float32, info.Observation()), make([]float32, info.Observation())
	bids := map[int8]bool{}
	for key := range uint64(200) {
		r := s.Game().New().(*oneearth.State)
		r.CopyFrom(s)
		r.Redeal(1, key)
		bids[r.Bids[0]] = true
		s.Observe(a, 1)
		r.Observe(b, 1)
		for i := range a {
			if a[i] != b[i] {
				t.Fatalf("feature %d of the waiting seat changes with a sealed bid", i)
			}
		}
		r.CopyFrom(s)
		if r.Redeal(0, key); r.Bids[0] != 2 {
			t.Fatal("a seat's own bid was redealt")
		}
	}
	if len(bids) != 15 {
		t.Errorf("%d different bids of a seat with 7 money were imagined, want 15", len(bids))
	}
	var tape env.Tape
	s.Apply(oneearth.BidNothing, &tape)
	s.Apply(oneearth.BidNothing, &tape)
	s.Apply(oneearth.BidNo+6, &tape)
	var revealed []string
	for _, e := range tape.Events() {
		if e.Kind == env.Reveal && e.To == env.Everybody {
			revealed = append(revealed, e.Name)
		}
	}
	if got := strings.Join(revealed, ", "); got != "seat 0: bid yes 2, seat 1: bid 0, seat 2: bid 0, seat 3: bid no 7" {
		t.Errorf("revealed: %s", got)
	}
}
