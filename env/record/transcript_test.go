package record_test

import (
	"bytes"
	"strings"
	"testing"

	"earthgym/env/envtest"
	"earthgym/env/envtest/kuhn"
	"earthgym/env/envtest/must"
	"earthgym/env/record"
)

// imported reads a transcript of Kuhn poker and gives its record.
func imported(text string) (*record.Record, error) {
	t, err := record.ReadTranscript("t", strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	return t.Record(kuhn.Open(2))
}

const realGame = `{"game": "kuhn:players=2", "agents": ["Ada", "Bo"], "chance": ["card 0 = king", "card 1 = jack"], "meta": {"place": "the kitchen"}, "date": "2026-11-22T20:15:00Z"}

{"action": "pass"}
{"action": "bet", "player": 1, "ms": 4200}
{"action": "bet"}
{"winners": [0]}
`

// A game with listed chance becomes a record that verifies, and that is written and read as others are.
func TestTranscript(t *testing.T) {
	rec := must.Have(imported(realGame))(t)
	const want = `,"seed":0,"listed":true,"agents":["Ada","Bo"],"date":"2026-11-22T20:15:00Z","meta":{"place":"the kitchen"},"chance":["card 0 = king","card 1 = jack"],"sum":"5a6ac499db4a9837"}
{"n":0,"player":0,"action":"pass","chance":[]}
{"n":1,"player":1,"action":"bet","chance":[],"ms":4200}
{"n":2,"player":0,"action":"bet","chance":[]}
{"returns":[1,-1],"winners":[0],"scores":[2,-2],"reason":"showdown","decisions":3,"sum":"6137a0a74ac3c088"}
`
	text := written(t, rec)
	if !strings.HasSuffix(text, want) {
		t.Errorf("got %s", text)
	}
	again := must.Have(record.Read("r", strings.NewReader(text)))(t)
	if err := again.Replay(kuhn.Open(2), nil); err != nil {
		t.Error(err)
	}
	for _, tt := range []struct{ old, new, want string }{
		{"card 0 = king", "card 0 = jack", `line 1: forced chance "card 1 = jack" is impossible`},
		{`"card 0 = king","card 1 = jack"`, `"card 0 = king"`, "line 1: set-up chance: the record says [card 0 = king], " +
			"the game gives"},
		{`"action":"bet","chance":[]}`, `"action":"bet","chance":["card 1 = jack"]}`,
			`line 4, decision 2: forced chance "card 1 = jack" was never drawn`},
		{`"returns":[1,-1]`, `"returns":[-1,1]`, "line 5: returns are [1 -1], not [-1 1]"},
	} {
		forged, err := record.Read("r", strings.NewReader(envtest.Reseal(strings.Replace(text, tt.old, tt.new, 1))))
		if err != nil {
			t.Fatal(err)
		}
		if err := forged.Replay(kuhn.Open(2), nil); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %s", tt.new, err, tt.want)
		}
	}
	for _, tt := range []struct{ old, new, want string }{
		{`"seed":0`, `"seed":3`, "chance is either listed or drawn from a seed"},
		{`"date":"2026-11-22T20:15:00Z"`, `"date":"yesterday"`, `the date "yesterday" is not of the form`},
		{`"ms":4200`, `"ms":-1`, "decision 1 took -1 ms"},
		{`"date"`, `"agent_hashes":["a"],"date"`, "1 agent_hashes for 2 agents"},
		{`"date"`, `"agents_made":["a"],"date"`, "1 agents_made for 2 agents"},
		{`{"place":"the kitchen"}`, `{"place":"the hall","place":"the kitchen"}`, "not written as records are"},
	} {
		if _, err := record.Read("r",
			strings.NewReader(envtest.Reseal(strings.Replace(text, tt.old, tt.new, 1)))); err == nil ||
			!strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %s", tt.new, err, tt.want)
		}
	}
}

func TestTranscriptErrors(t *testing.T) {
	for _, tt := range []struct{ what, old, new, want string }{
		{"empty", realGame, "", "t: an empty file is no game"},
		{"no JSON", `{"action": "pass"}`, "pass", "t:3: it is not JSON: byte 1: 'p' stands where a value is due"},
		{"wrong type", `{"action": "pass"}`, `{"action": 7}`, "t:3: action: a number stands where a text is needed"},
		{"no UTF-8", `"Bo"`, "\"B\xf6\"", `t:1: byte 48: "\xf6" is no UTF-8`},
		{"a record", `"agents"`, `"seed": 1, "agents"`, "t:1: it has a seed, so it is a record"},
		{"no game", `"game": "kuhn:players=2", `, "", "t:1: the first line says the game"},
		{"unknown key", `"agents"`, `"players"`, `t:1: unknown field "players": there are: `},
		{"unknown key of a decision", `"player": 1`, `"seat": 1`, `t:4: unknown field "seat": there are: `},
		{"agents", `"Bo"`, `"Bo", "Cy"`, "t:1: 3 agents for 2 seats"},
		{"date", "2026-11-22T20:15:00Z", "today", "t:1: header: the date"},
		{"rules", `"agents"`, `"rules": 9, "agents"`, "t:1: the record was played by rules version 9"},
		{"a card left out", `, "card 1 = jack"`, "", `t:1: chance: "card 1 = …" is not listed (it can be jack, queen)`},
		{"another draw", `"card 1 = jack"`, `"card 7 = jack"`,
			`t:1: chance: "card 1 = …" comes next (it can be jack, queen), not "card 7 = jack"`},
		{"a card twice", `card 1 = jack`, `card 1 = king`,
			`t:1: forced chance "card 1 = king" is impossible: card 1 can be jack, queen`},
		{"a draw too many", `{"action": "pass"}`, `{"action": "pass", "chance": ["die = 6"]}`,
			`t:3: decision 0: "die = 6" is listed, but chance does no more here`},
		{"action", `{"action": "pass"}`, `{"action": "raise"}`, `t:3: decision 0: unknown action "raise"`},
		{"player", `"player": 1`, `"player": 0`, "t:4: decision 1: player 0 is said to act, but it is player 1's decision"},
		{"time", `"ms": 4200`, `"ms": -5`, "t:4: decision 1: it took -5 ms"},
		{"after the end", `{"winners"`, `{"action": "bet"}` + "\n" + `{"winners"`,
			`t:6: decision 3: "bet" after the end of the game (showdown)`},
		{"winners", `[0]}`, `[1]}`, "t:6: winners are [0], not [1]"},
		{"not over", "{\"action\": \"bet\"}\n", "", "t:5: a result, but the game is not over"},
		{"after the result", `{"winners": [0]}`, "{\"winners\": [0]}\n{\"action\": \"bet\"}", "t:7: a line after the result"},
		{"reason", `{"winners": [0]}`, `{"reason": "fold"}`, `t:6: the reason is "showdown", not "fold"`},
	} {
		text := strings.Replace(realGame, tt.old, tt.new, 1)
		if text == realGame {
			t.Fatalf("%s: nothing is replaced", tt.what)
		}
		if _, err := imported(text); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.what, err, tt.want)
		}
	}
	if rec, err := imported(strings.Replace(realGame, `{"action": "bet"}`+"\n"+`{"winners": [0]}`+"\n", "",
		1)); err != nil || rec.Footer != nil {
		t.Errorf("unfinished: %v", err)
	}
}

// What has been recorded can be told without its seed.
func FuzzTranscript(f *testing.F) {
	f.Add([]byte(realGame))
	f.Add([]byte("{\"game\": \"kuhn:players=2\"}\nnull\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		tr, err := record.ReadTranscript("t", bytes.NewReader(b))
		if err != nil {
			return
		}
		rec, err := tr.Record(kuhn.Open(2))
		if err != nil {
			return
		}
		var text bytes.Buffer
		must.Do(t, rec.Write(&text))
		again, err := record.Read("r", &text)
		if err != nil {
			t.Fatalf("what has been imported is no record: %v", err)
		}
		if err := again.Replay(kuhn.Open(2), nil); err != nil {
			t.Fatalf("what has been imported doesn't verify: %v", err)
		}
	})
}
