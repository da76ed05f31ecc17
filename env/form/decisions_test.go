package form_test

import (
	"slices"
	"strings"
	"testing"

	"earthgym/env"
	"earthgym/env/form"
)

// stall is the State of a small game, and its own story.
type stall struct {
	money, sold int
	log         []string
}

type stallActions struct {
	form.Actions
	buy, haggle, ask, leave form.Block
}

func newStallActions() (t stallActions) {
	t.buy = t.Each("buy", "buy", "ware", []string{"apple", "bread", "cake"})
	t.haggle = t.Word("haggle")
	t.ask = t.Seats("ask", "seat", 1, 2, "price", "gift")
	t.leave = t.Word("leave")
	return t
}

func (s *stall) unsold(env.Player) uint64 { return ^uint64(s.sold) }

func (s *stall) affordable(env.Player) uint64 { return form.Below(s.money) }

func newStall(act *stallActions) form.Decision[stall, stall] {
	note := func(s *stall, text string) { s.log = append(s.log, text) }
	return form.Decision[stall, stall]{
		Name: "market", Asks: "what is bought", Rule: "ST-001",
		Seat: func(*stall) env.Player { return 1 },
		Moves: []form.Move[stall, stall]{
			{
				Block: act.buy,
				Needs: []form.Need[stall]{
					{Rule: "ST-002", Says: "seat {p} finds no {1}", Each: (*stall).unsold},
					{Each: (*stall).affordable, Why: func(*stall, env.Player, int) string { return "too dear (ST-003)" }},
				},
				Play: func(s *stall, _ env.Player, i int, _ *env.Tape) { s.money -= i + 1 },
				About: func(_ *stall, p env.Player, i int) (string, []env.Effect) {
					return "Buy", []env.Effect{{Player: p, What: "money", By: -i - 1}}
				},
				Tell: func(s *stall, _ env.Player, i int) { note(s, act.ActionTable[i].Text) },
			},
			{Block: act.haggle, Needs: []form.Need[stall]{{Rule: "ST-004", Says: "prices are fixed"}}},
			{Block: act.leave, Does: "Go home"},
		},
		Play: func(s *stall, p env.Player, a env.Action, _ *env.Tape) { note(s, act.ActionTable[a].Text) },
	}
}

func TestBlocks(t *testing.T) {
	act := newStallActions()
	var texts []string
	for _, a := range act.ActionTable {
		texts = append(texts, a.Text)
	}
	want := "buy apple, buy bread, buy cake, haggle, ask +1 price, ask +1 gift, ask +2 price, ask +2 gift, leave"
	if got := strings.Join(texts, ", "); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if a := act.ActionTable[act.ask.AtPair(1, 0)]; a.Text != "ask +2 price" || a.Objects[0].Index != 2 {
		t.Errorf("ask[1, 0] is %+v", a)
	}
	if places, word := act.ask.Pair(act.ask.Index(7)); places != 1 || word != 1 {
		t.Errorf("action 7 is ask[%d, %d]", places, word)
	}
	if !act.ask.Has(7) || act.ask.Has(8) || act.ask.Has(3) || act.ask.Has(-1) {
		t.Error("ask has not actions 4 to 7")
	}
	if form.Below(64) != ^uint64(0) || form.Below(0) != 0 || form.Below(-1) != 0 {
		t.Error("sets of the members below are wrong")
	}
	if form.Between(2, 4) != 0b11100 || form.Between(3, 2) != 0 {
		t.Error("ranges are wrong")
	}
}

// What the needs leave is legal, and everything else has the reason of the first that fails.
func TestDecision(t *testing.T) {
	act := newStallActions()
	info := &env.Info{Actions: act.ActionTable}
	reasons := func(s *stall, d *form.Decision[stall, stall]) []string {
		m := make(env.Mask, 1)
		m[0] = ^uint64(0)
		d.Mask(s, d.Actor(s), m)
		var list []string
		for a := range env.Action(len(act.ActionTable)) {
			why := d.Refusal(s, d.Actor(s), a, info)
			if m.Has(a) != (why == "") {
				t.Errorf("%+v: action %d is legal: %v; why %q", *s, a, m.Has(a), why)
			}
			list = append(list, why)
		}
		return list
	}
	s, d := &stall{money: 2, sold: 0b101}, newStall(&act)
	asked := "what is bought (ST-001)"
	want := []string{
		"seat 1 finds no apple (ST-002)", "", "seat 1 finds no cake (ST-002)", "prices are fixed (ST-004)",
		asked, asked, asked, asked, "",
	}
	if got := reasons(s, &d); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if got := reasons(&stall{money: 1}, &d); got[1] != "too dear (ST-003)" {
		t.Errorf("got %q", got)
	}
	if got, want := d.Refusal(s, 1, 9, info), "there is no action 9; they go from 0 to 8"; got != want {
		t.Errorf("got %q", got)
	}

	// A row may fill the mask itself: moves without needs are legal as it says.
	whole := d
	whole.Else = "seat {p} buys or leaves"
	whole.Legal = func(_ *stall, m env.Mask, _ env.Player) { m.Set(act.buy.At(1)) }
	whole.Why = func(_ *stall, _ env.Player, a env.Action) string {
		return map[env.Action]string{8: "the gate is shut"}[a]
	}
	want[4], want[5], want[6], want[7], want[8] = "seat 1 buys or leaves", "seat 1 buys or leaves",
		"seat 1 buys or leaves", "seat 1 buys or leaves", "the gate is shut"
	if got := reasons(s, &whole); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}

	// What has no move is legal as the row says, and a need without words leaves the reason to the row.
	whole.Legal = func(_ *stall, m env.Mask, _ env.Player) { m.Set(act.ask.At(0)) }
	whole.Moves = []form.Move[stall, stall]{{Block: act.haggle, Needs: []form.Need[stall]{{}}}}
	if got := whole.Refusal(s, 1, act.ask.At(0), info); got != "" {
		t.Errorf("got %q for what is legal", got)
	}
	if got := whole.Refusal(s, 1, act.haggle.At(0), info); got != "seat 1 buys or leaves" {
		t.Errorf("got %q", got)
	}

	d.Apply(s, 1, act.buy.At(1), nil)
	d.Apply(s, 1, act.leave.At(0), nil)
	d.Move(act.buy.At(1)).Tell(s, 1, 1)
	if s.money != 0 || strings.Join(s.log, ", ") != "leave, buy bread" {
		t.Errorf("%+v", *s)
	}
	if does, effects := d.About(s, 1, act.buy.At(2)); does != "Buy" || effects[0].By != -3 {
		t.Errorf("%q %v", does, effects)
	}
	if does, effects := d.About(s, 1, act.leave.At(0)); does != "Go home" || effects != nil {
		t.Errorf("%q %v", does, effects)
	}
	over := form.Decision[stall, stall]{}
	if over.Actor(s) != env.Over || form.DecisionNames([]form.Decision[stall, stall]{d, over})[0] != "market" {
		t.Error("who is asked, and its name, are wrong")
	}
}
