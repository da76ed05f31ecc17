package resilience

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/must"
)

// A position that the rules do not allow is refused with the name of its field, and changes nothing
// (RULES.md 3.1 and 12).
func TestImpossiblePositions(t *testing.T) {
	for _, tt := range []struct {
		options string
		patch   patch
		want    string
	}{
		{"", patch{"round": 0}, "round: 0 is not in 1 to 14"},
		{"", patch{"round": 15}, "round: 15"},
		{"", patch{"round": "one"}, "round: \"one\" is not a whole number"},
		{"", patch{"leader": 4}, "leader: 4 is not in 0 to 3"},
		{"", patch{"leader": 1}, "leader: in round 1 it is seat 0, not 1 (RE-068)"},
		{"", patch{"turn": 4}, "turn: 4"},
		{"", patch{"phase": "lunch"}, `phase: unknown word "lunch"`},
		{"", patch{"phase": "over"}, "over"},
		{"", patch{"owner": patch{"11": 4}}, "owner.11: 4 is not in -1 to 3"},
		{"", patch{"owner": patch{"11": 0}}, "level.11: 0, where owner.11 is 0: a building has an owner, an empty " +
			"field none"},
		{"", patch{"level": patch{"11": 1}}, "level.11: 1, where owner.11 is -1"},
		{"", patch{"level": patch{"11": 4}}, "level.11: 4 is not in 0 to 3"},
		{"", patch{"owner": patch{"17": 0}}, "unknown field owner.17"},
		{"", patch{"smog": patch{"11": true}}, "smog.11: an empty field carries no smog mark (RE-049)"},
		{"smog=rounds", patch{"owner": patch{"11": 0}, "level": patch{"11": 1}, "smog": patch{"11": true}},
			"smog.11: with smog=rounds there are no smog marks (RE-075)"},
		{"", patch{"mark": patch{"11": "X"}}, `mark.11: unknown word "X"`},
		{"", patch{"mark": patch{"11": "B"}}, "marktime.11: 0, where mark.11 is \"B\": a cover has rounds left, an open " +
			"field none"},
		{"", patch{"marktime": patch{"11": 3}}, "marktime.11: 3, where mark.11 is \"\""},
		{"", patch{"marktime": patch{"11": 100}}, "marktime.11: 100 is not in 0 to 99"},
		{"", patch{"owner": patch{"11": 0}, "level": patch{"11": 1}, "mark": patch{"11": "D"}, "marktime": patch{"11": 1}},
			"mark.11: a DESTROYED field is empty (RE-097)"},
		{"", patch{"credit": []any{[]int{12, 11}, []int{}, []int{}, []int{}}}, "credit.0.1: 11 comes after a later one; " +
			"they are in order"},
		{"", patch{"credit": []any{[]int{17}, []int{}, []int{}, []int{}}}, "credit.0.0: 17 is none of"},
		{"", patch{"res": []int{1, 2, 3}}, "res: 3 elements; there must be 4"},
		{"", patch{"res": []int{1, 2, 3, -1}}, "res.3: -1 is not in 0 to"},
		{"", patch{"lq": []int{1, 2, 3, 1e9}}, "lq.3: 1000000000"},
		{"supply=tight", patch{"res": []int{90, 2, 3, 2}}, "all hands hold 97 RES and 0 LQ; with supply=tight there are " +
			"96 and 84 (RE-066)"},
		{"supply=tight", patch{"lq": []int{80, 2, 3, 0}}, "and 85 LQ"},
		{"", patch{"tower": 32}, "tower: 32 is not in 0 to 31"},
		{"", patch{"tower": 31}, "tower: 31 of 31 stones and over \"\" contradict each other (RE-085)"},
		{"", patch{"owner": patch{"11": 0}, "level": patch{"11": 3}, "tower": 1}, "tower: 1 is less than the 2 stones of " +
			"the buildings (RE-080)"},
		{"tower=limit,tower_limit=7", patch{"tower": 7}, "tower: 7; with tower=limit it stays below 7 (RE-082)"},
		{"", patch{"deck": []string{"drought", "drought"}}, `deck.1: "drought" is there twice`},
		{"", patch{"deck": []string{"flood"}}, `deck.0: unknown word "flood"`},
		{"", patch{"clock": 60}, "clock: in turn 0 of round 1 it stands at 0, not 60 (RE-024)"},
		{"", patch{"limit": 3001}, "limit: 3001 is not 60 times 50 to 70 whole minutes (RE-010)"},
		{"", patch{"limit": 4260}, "limit: 4260 is not in 3000 to 4200"},
		{"timer=fixed", patch{"limit": 3000}, "limit: 3000 is not in 3600 to 3600"},
		{"", patch{"round": 11, "leader": 2, "clock": 3000, "limit": 3000}, "round: turn 0 of round 11 begins after the " +
			"end at 3000 seconds (RE-110)"},
		{"", patch{"on_sabbatical": []bool{true, false, false, false}}, "on_sabbatical.0: player 0 has taken no " +
			"sabbatical (RE-050)"},
		{"", patch{"sabbaticals": []int{1, 0, 0, 0}, "on_sabbatical": []bool{true, false, false, false}},
			"on_sabbatical.0: player 0 has not finished its turn of this round (RE-050)"},
		{"sabbaticals=1", patch{"sabbaticals": []int{2, 0, 0, 0}}, "sabbaticals.0: 2; at most 1 (RE-054)"},
		{"", patch{"asked": []bool{true, false, false, false}}, "asked.0: it is player 0's own turn (RE-130)"},
		{"", patch{"promise_new": "calm"}, `promise_new: "calm" without a statement in this turn (RE-140)`},
		{"", patch{"promise": []string{"warn", "", "", ""}}, `promise.0: unknown word "warn"`},
		{"", patch{"kept": []int{-1, 0, 0, 0}}, "kept.0: -1"},
		{"", patch{"culprit": 0}, "culprit: 0; it is -1 with over \"\" in the turn of player 0 (RE-084)"},
		{"", patch{"over": "collapse", "phase": "over"}, "culprit: -1; it is 0 with over \"collapse\""},
		{"timer=fixed", patch{"over": "time", "phase": "over"}, "clock: the game cannot have ended at 0 of 3600 seconds " +
			"in turn 0 of round 1 (RE-110)"},
		{"", patch{"over": "stones", "phase": "over"}, "tower: 0 of 31 stones and over \"stones\""},
		{"", patch{"deal": patch{"partner": 1, "kind": "gift", "amount": 1}}, `deal: there is none in phase "turn"`},
		{"", patch{"phase": "amount"}, "deal.partner: -1 is no seat that has been asked in this turn (RE-130)"},
		{"", patch{"phase": "reply", "deal": patch{"partner": 1, "kind": "gift", "amount": 1}},
			"deal.partner: 1 is no seat that has been asked"},
		{"", patch{"phase": "reply", "asked": []bool{false, true, false, false},
			"deal": patch{"partner": 1, "kind": "gift", "amount": 0}}, "deal.amount: 0 is not in 1 to 20"},
		{"", patch{"phase": "reply", "asked": []bool{false, true, false, false},
			"deal": patch{"partner": 1, "kind": "gift", "amount": 4}}, "deal.amount: the payer, player 0, has 3 RES"},
		{"", patch{"phase": "amount", "asked": []bool{false, true, false, false},
			"deal": patch{"partner": 1, "kind": "gift", "amount": 2}}, "deal.amount: 2 in phase amount"},
		{"", patch{"phase": "reply", "asked": []bool{false, true, false, false},
			"deal": patch{"partner": 1, "kind": "hire", "amount": 2}},
			"deal.kind: player 1 has no city or industry to dismantle (RE-133)"},
		{"", patch{"phase": "pick", "asked": []bool{false, true, false, false},
			"deal": patch{"partner": 1, "kind": "gift", "amount": 2}}, "phase: pick needs a choice of buildings to dismantle " +
			"(RE-132)"},
		{"deals=off", patch{"phase": "amount", "asked": []bool{false, true, false, false},
			"deal": patch{"partner": 1, "kind": "gift"}}, "played without deals (RE-130)"},
		{"", patch{"deal": patch{"kind": "gift"}}, "deal: without a partner"},
	} {
		s := start(t, tt.options)
		before := *s
		if err := env.PatchPosition(s, tt.patch); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q %v: got error %v, want %q", tt.options, tt.patch, err, tt.want)
		}
		if *s != before {
			t.Errorf("%q %v: the refused position has changed the State", tt.options, tt.patch)
		}
	}
}

// RE-004: hands below 0, which can't be read, would be noticed in play.
func TestDebtIsNoticed(t *testing.T) {
	for _, owe := range []func(*State){func(s *State) { s.res[3] = -1 }, func(s *State) { s.lq[3] = -1 }} {
		s := start(t, "")
		must.Do(t, s.Check())
		owe(s)
		if err := s.Check(); err == nil || !strings.Contains(err.Error(), "never fall below 0 (RE-004)") {
			t.Errorf("got error %v", err)
		}
	}
}

// RE-099: there are 21 cards, BLOCKED on one side and DESTROYED on the other.
func TestCoversOfPositions(t *testing.T) {
	for _, covers := range []int{21, 22} {
		mark, left := map[string]any{}, map[string]any{}
		for f := range Field(covers) {
			mark[f.String()], left[f.String()] = []string{"B", "D"}[f%2], 1
		}
		err := env.PatchPosition(start(t, ""), map[string]any{"mark": mark, "marktime": left})
		if refused := err != nil &&
			strings.Contains(err.Error(), "mark: 22 fields are covered; there are 21 cards (RE-099)"); refused != (covers > 21) {
			t.Errorf("%d covers: got error %v", covers, err)
		}
	}
}

func TestPieceLimitsOfPositions(t *testing.T) {
	s := start(t, "")
	owner, level := map[string]any{}, map[string]any{}
	for f := range Field(8) {
		owner[f.String()], level[f.String()] = 0, 3
	}
	err := env.PatchPosition(s, map[string]any{"owner": owner, "level": level, "tower": 16})
	if want := `player 0 has 8 pieces "industry" on the board; there are 7 (RE-041)`; err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("got error %v, want %q", err, want)
	}
}

// The object must be whole, and nothing else; what is written only is ignored.
func TestFormOfPositions(t *testing.T) {
	s := start(t, "players=2")
	var whole map[string]any
	must.Do(t, json.Unmarshal(s.AppendPosition(nil), &whole))
	read := func(p map[string]any) error {
		b := must.Have(json.Marshal(p))(t)
		return s.ReadPosition(b)
	}
	written := map[string]bool{"seat": true, "stack": true, "income": true, "total": true}
	for key := range whole {
		p := maps.Clone(whole)
		delete(p, key)
		switch err := read(p); {
		case written[key] && err != nil:
			t.Errorf("without %s, which is written only: %v", key, err)
		case !written[key] && (err == nil || !strings.Contains(err.Error(), key+" is missing")):
			t.Errorf("without %s: got error %v", key, err)
		}
	}
	p := maps.Clone(whole)
	p["weather"] = "fine"
	if err := read(p); err == nil || !strings.Contains(err.Error(), `unknown field weather: did you mean`) {
		t.Errorf("with weather: got error %v", err)
	}
	fields := maps.Clone(whole["owner"].(map[string]any))
	delete(fields, "36")
	p = maps.Clone(whole)
	p["owner"] = fields
	if err := read(p); err == nil || !strings.Contains(err.Error(), "owner.36 is missing") {
		t.Errorf("without owner.36: got error %v", err)
	}
	for _, text := range []string{"", "[]", "null", "{}", "{} {}", `{"round":`} {
		if err := s.ReadPosition([]byte(text)); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

// The written form of the set-up, field by field in the order of RULES.md 3.1: other programs read it.
func TestWrittenPosition(t *testing.T) {
	s := start(t, "players=2,timer=fixed")
	got := string(s.AppendPosition(nil))
	dec := json.NewDecoder(strings.NewReader(got))
	var keys []string
	depth := 0
	for {
		token, err := dec.Token()
		if err != nil {
			break
		}
		switch d, isDelim := token.(json.Delim); {
		case isDelim && (d == '{' || d == '['):
			depth++
		case isDelim:
			depth--
		default:
			if key, ok := token.(string); ok && depth == 1 && strings.Contains(got, `"`+key+`":`) && key != "turn" ||
				token == "turn" && !strings.Contains(strings.Join(keys, " "), "turn") {
				keys = append(keys, key)
			}
		}
	}
	want := "round leader turn phase deal owner level smog mark marktime credit res lq tower deck clock limit " +
		"sabbaticals on_sabbatical built placed cut said asked promise_new promise kept broken over culprit seat stack " +
		"income total"
	if strings.Join(keys, " ") != want {
		t.Errorf("fields\n\t%s\nwant\n\t%s", strings.Join(keys, " "), want)
	}
	for _, part := range []string{
		`{"round":1,"leader":0,"turn":0,"phase":"turn","deal":{"partner":-1,"kind":"","amount":0},"owner":{"11":-1,"12":-1,`,
		`"credit":[[],[]],"res":[3,3],"lq":[0,0],"tower":0,"deck":["heatwave","drought",`,
		`"clock":0,"limit":3600,"sabbaticals":[0,0],"on_sabbatical":[false,false],"built":false,`,
		`"promise":["",""],"kept":[0,0],"broken":[0,0],"over":"","culprit":-1,"seat":0,"stack":[5,4,4,3,3,3,2,2,2,1,1,1],"income":[0,0],"total":[-2,-2]}`,
	} {
		if !strings.Contains(got, part) {
			t.Errorf("%s\nlacks %s", got, part)
		}
	}
}
