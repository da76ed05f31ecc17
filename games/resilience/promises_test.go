package resilience

import (
	"fmt"
	"strings"
	"testing"

	"earthgym/env/envtest/must"
)

// What the words about an action promise is what there is: no LQ of smog that a seat has not, no second stone where one
// is left, and an allocation with its smog and by a bank that runs dry (RE-066, RE-073, RE-075, RE-085).
func TestWordsPromiseWhatThereIs(t *testing.T) {
	for _, tt := range []struct{ name, options, position, action, want string }{
		{"smog", "players=2", `{"owner":{"12":1},"level":{"12":3},"tower":2,"lq":[1,0]}`, "settle 11",
			"Settle for 2 RES and 1 LQ of smog"},
		{"smog of the poor", "players=2", `{"owner":{"12":1},"level":{"12":3},"tower":2}`, "settle 11",
			"Settle for 2 RES and 0 LQ of smog"},
		{"smog in rounds", "players=2,smog=rounds",
			`{"owner":{"12":1,"11":0},"level":{"12":3,"11":1},"tower":2,"credit":[[11],[]],"lq":[5,0]}`, "done",
			"End the turn, with 1 RES and -1 LQ from this round's allocation as things stand"},
		{"an industry's smog in rounds", "players=2,smog=rounds",
			`{"owner":{"12":1,"11":0},"level":{"12":1,"11":1},"res":[9,0]}`, "industry 11",
			"Industry for 4 RES, +2 RES a round, 2 on the tower (falls 0.0 %), smog costs player 1 up to 1 LQ in each round"},
		{"an industry beside who has paid", "players=2",
			`{"owner":{"12":1,"11":0},"level":{"12":1,"11":1},"res":[9,0],"lq":[0,2],"smog":{"12":true}}`, "industry 11",
			"Industry for 4 RES, +2 RES a round, 2 on the tower (falls 0.0 %), no smog"},
		{"an industry beside who pays already", "players=2,smog=rounds",
			`{"owner":{"12":1,"11":0,"14":0},"level":{"12":1,"11":1,"14":3},"tower":2,"res":[9,0],"lq":[0,2]}`, "industry 11",
			"Industry for 4 RES, +2 RES a round, 2 on the tower (falls 0.0 %), no smog"},
		{"a bank that runs dry", "players=2,supply=tight", `{"owner":{"12":0},"level":{"12":2},"tower":1,"res":[50,45]}`,
			"done",
			"End the turn, with 1 RES and 0 LQ from this round's allocation as things stand"},
		{"the last stone", "players=2", `{"owner":{"12":0},"level":{"12":1},"res":[9,0],"tower":30}`, "industry 12",
			"Industry for 4 RES, +2 RES a round, 1 on the tower (falls 17.5 %, the last stone), no smog"},
	} {
		s := start(t, tt.options)
		if err := s.PatchPosition([]byte(tt.position)); err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		a := must.Have(s.game.info.Parse(tt.action))(t)
		if got, _ := s.About(a); got != tt.want {
			t.Errorf("%s: %q is said to %q\nwant %q", tt.name, tt.action, got, tt.want)
		}
	}
}

// The odds of the tower that the HOWTO names are those of the data.
func TestHowToTellsTheOdds(t *testing.T) {
	g, first := mustOpen(t, ""), 1
	for g.FallChance(first) == 0 {
		first++
	}
	words := strings.Join(strings.Fields(howTo), " ")
	for _, want := range []string{
		fmt.Sprintf("the %s is the first that can fall, in %.0f of 10,000 cases", [...]string{11: "eleventh"}[first],
			10000*g.FallChance(first)),
		fmt.Sprintf("the sixteenth falls in %.0f of 100, the twentieth in %.0f, the twenty-fifth in %.0f",
			100*g.FallChance(16), 100*g.FallChance(20), 100*g.FallChance(25)),
	} {
		if !strings.Contains(strings.ToLower(words), strings.ToLower(want)) {
			t.Errorf("HOWTO.md does not say %q", want)
		}
	}
}
