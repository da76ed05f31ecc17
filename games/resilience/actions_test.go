package resilience

import (
	"fmt"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/must"
)

// The table of RULES.md 5.4, whose numbers other programs use. There are no words for free text,
// three-way deals, credit or contracts (RE-144), and none to hand over LQ or land (RE-134).
func TestActionTable(t *testing.T) {
	info := mustOpen(t, "").info
	for _, tt := range []struct {
		a    env.Action
		text string
	}{
		{Settle(0), "settle 11"}, {Settle(field("64")), "settle 64"}, {35, "settle 66"},
		{36, "city 11"}, {BuildCity(field("64")), "city 64"}, {BuildIndustry(0), "industry 11"}, {107, "industry 66"},
		{108, "dismantle 11"}, {Dismantle(35), "dismantle 66"}, {144, "sabbatical"}, {Sabbatical, "sabbatical"},
		{145, "done"}, {Done, "done"}, {146, "offer +1 gift"}, {Offer(1, Ask), "offer +1 ask"},
		{Offer(1, Hire), "offer +1 hire"},
		{Offer(2, Gift), "offer +2 gift"}, {157, "offer +3 serve"}, {Offer(3, Serve), "offer +3 serve"},
		{158, "amount 1"}, {Amount(3), "amount 3"}, {177, "amount 20"}, {178, "yes"}, {Yes, "yes"}, {179, "no"}, {No, "no"},
		{180, "say calm"}, {Say(Cut), "say cut"}, {Say(Rest), "say rest"}, {Say(Grow), "say grow"}, {184, "say warn"},
		{Say(Warn), "say warn"},
	} {
		if got := info.Actions[tt.a].Text; got != tt.text {
			t.Errorf("action %d is written %q, want %q", tt.a, got, tt.text)
		}
	}
	var families []string
	for _, a := range info.Actions {
		if len(families) == 0 || families[len(families)-1] != a.Family {
			families = append(families, a.Family)
		}
	}
	const want = "settle city industry dismantle sabbatical done offer amount yes no say"
	if got := strings.Join(families, " "); got != want || len(info.Actions) != 185 {
		t.Errorf("%d actions of families %s; want 185 of %s", len(info.Actions), got, want)
	}
}

// Each refusal names the rule that forbids it, and says what it would take.
func TestWhy(t *testing.T) {
	land := func(p patch) patch {
		p["owner"] = patch{"31": 0, "64": 1, "21": 0}
		p["level"] = patch{"31": 1, "64": 2, "21": 3}
		if p["tower"] == nil {
			p["tower"] = 3
		}
		return p
	}
	for _, tt := range []struct {
		options, action string
		patch           patch
		want            string
	}{
		{"", "settle 64", land(patch{}), "64 is occupied by player 1 (RE-030)"},
		{"", "settle 65", land(patch{"mark": patch{"65": "B"}, "marktime": patch{"65": 1}}), "65 is covered (RE-034)"},
		{"", "settle 65", land(patch{}), "it costs 4 RES, as settlers must travel to 65, and player 0 has 3 (RE-032, " +
			"RE-004)"},
		{"", "settle 32", land(patch{"res": []int{1, 0}}), "it costs 2 RES, and player 0 has 1 (RE-031, RE-004)"},
		{"", "city 64", land(patch{}), "player 0 has no settlement on 64 (RE-037)"},
		{"", "industry 11", land(patch{}), "player 0 has no settlement on 11 (RE-038)"},
		{"", "city 21", land(patch{}), "21 is developed already (industry); dismantle it first (RE-040)"},
		{"", "city 31", land(patch{"mark": patch{"31": "B"}, "marktime": patch{"31": 1}}), "31 is covered (RE-039)"},
		{"", "industry 31", land(patch{}), "it costs 4 RES, and player 0 has 3 (RE-038, RE-004)"},
		{"", "dismantle 64", land(patch{}), "player 0 has nothing on 64 (RE-045)"},
		{"", "sabbatical", land(patch{"built": true}), "player 0 has settled or developed in this turn (RE-051)"},
		{"", "sabbatical", land(patch{"res": []int{0, 0}}), "it costs 1 RES, and player 0 has 0 (RE-050)"},
		{"sabbaticals=1", "sabbatical", land(patch{"sabbaticals": []int{1, 0}}), "player 0 has taken all 1 sabbaticals " +
			"(RE-054)"},
		{"", "offer +2 gift", land(patch{}), "nobody sits 2 places on: there are 2 players (RE-001)"},
		{"", "offer +1 gift", land(patch{"asked": []bool{false, true}}), "player 1 has had an offer in this turn (RE-130)"},
		{"", "offer +1 ask", land(patch{"res": []int{3, 0}}), "player 1 has no RES to pay with (RE-130)"},
		{"", "offer +1 hire", patch{}, "player 1 has no city or industry to dismantle (RE-133)"},
		{"deals=off", "offer +1 hire", patch{}, "this game is played without deals (RE-130, option deals)"},
		{"talk=off", "say calm", patch{}, "this game is played without talk (RE-140, option talk)"},
		{"", "say calm", patch{"said": true}, "one statement a turn, and it has been made (RE-140)"},
		{"", "amount 1", patch{}, "an amount belongs to an offer, and none has been opened (RE-130)"},
		{"", "yes", patch{}, "there is no offer to answer (RE-132)"},
		{"", "no", patch{}, "there is no offer to answer (RE-132)"},
		{"", "done", patch{"phase": "amount", "asked": []bool{false, true}, "deal": patch{"partner": 1, "kind": "gift"}},
			"the offer needs its amount first (RE-130)"},
		{"", "amount 4", patch{"phase": "amount", "asked": []bool{false, true}, "deal": patch{"partner": 1, "kind": "gift"}},
			"player 0 has only 3 RES to pay with (RE-130)"},
		{"", "done", patch{"phase": "reply", "asked": []bool{false, true},
			"deal": patch{"partner": 1, "kind": "gift", "amount": 1}},
			"player 1 must answer yes or no to the offer first (RE-132)"},
	} {
		s := start(t, strings.TrimSuffix("players=2,"+tt.options, ","))
		if err := env.PatchPosition(s, tt.patch); err != nil {
			t.Errorf("%s: %v", tt.action, err)
			continue
		}
		a := must.Have(s.game.info.Parse(tt.action))(t)
		if got := s.Why(a); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.action, got, tt.want)
		}
	}
}

func TestWhyNotToPick(t *testing.T) {
	s := start(t, "players=2")
	err := env.PatchPosition(s, map[string]any{
		"phase": "pick", "asked": []bool{false, true}, "deal": map[string]any{"partner": 1, "kind": "hire", "amount": 1},
		"owner": map[string]any{"11": 1, "12": 1, "13": 1}, "level": map[string]any{"11": 2, "12": 2, "13": 1}, "tower": 2,
	})
	if err != nil {
		t.Fatal(err)
	}
	for a, want := range map[env.Action]string{
		Done:                   "player 1 must choose the city or industry to dismantle first (RE-132)",
		Dismantle(field("13")): "13 has no city or industry of player 1 (RE-131)",
		Dismantle(field("12")): "",
	} {
		if got := s.Why(a); got != want {
			t.Errorf("%s: got %q, want %q", s.game.info.Actions[a].Text, got, want)
		}
	}
	if fmt.Sprint(env.LegalTexts(s)) != "[dismantle 11 dismantle 12]" {
		t.Errorf("legal: %v", env.LegalTexts(s))
	}
}
