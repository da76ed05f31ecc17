package resilience

import (
	"strings"

	"earthgym/env"
)

// The game as a story: what each decision and each draw means, and what followed from it. Nothing here looks at the
// hidden length before the end.

// story is a step that is being told.
type story struct {
	env.Story
	before, after *State
}

// AppendStory tells what led from before to this position.
func (s *State) AppendStory(dst []env.Fact, before env.State, seen []env.Seen, _ env.Player) []env.Fact {
	t := story{Story: env.Story{Facts: dst}, after: s}
	if before == nil {
		t.Say("start", env.Over, 0, env.Args{"players": s.game.players})
	} else {
		t.before = before.(*State)
	}
	struck := -1 // the last event
	for i, e := range seen {
		if strings.HasPrefix(e.Text, "dice = ") {
			struck = i
		}
	}
	for i, e := range seen {
		switch e.Kind {
		case env.SeenAction:
			t.action(e)
		case env.SeenChance:
			t.chance(seen[:i], e)
			if i == struck {
				t.covers()
			}
		}
	}
	if before != nil {
		t.endOfTurn()
	}
	t.end()
	if n := len(seen); n > 0 && seen[n-1].Kind == env.SeenNote { // the end tells nothing else
		t.Say("timer", env.Over, 1, env.Args{"minutes": s.limitMinutes()})
	}
	return t.Facts
}

// limitMinutes is the length of the game, which is hidden before the end.
func (s *State) limitMinutes() int { return int(s.limit) / 60 }

// counters are the public numbers of a position that matter for the story.
func (s *State) counters() []env.Counter {
	list := []env.Counter{{Player: env.Over, What: "tower", Value: s.Tower()}}
	for p := range env.Player(s.game.players) {
		list = append(list, env.Counter{Player: p, What: "res", Value: s.RES(p)}, env.Counter{Player: p, What: "lq", Value: s.LQ(p)})
	}
	return list
}

// changes of the step, of the kinds named.
func (t *story) changes(kinds ...string) []env.Change {
	var list []env.Change
	for _, c := range env.Changes(t.before.counters(), t.after.counters()) {
		for _, kind := range kinds {
			if c.What == kind {
				list = append(list, c)
			}
		}
	}
	return list
}

func (s *State) buildingName(level Level) env.Name {
	ids := [numLevels]string{Settlement: "settlement", City: "city", Industry: "industry"}
	return env.Name{Kind: "building", ID: ids[level], Text: s.game.data.Buildings[level-1].Name}
}

// action tells a decision with what it changed at once; the yield of a round is told where the turn ends.
func (t *story) action(e env.Seen) {
	s, p := t.before, e.Player
	a, err := s.game.info.Parse(e.Text)
	if err != nil {
		return
	}
	say := func(key string, args env.Args, kinds ...string) { t.Say(key, p, 1, args, t.changes(kinds...)...) }
	at := func(first env.Action) env.Args { return env.Args{"field": Field(a - first).String()} }
	switch {
	case a < city0:
		key := "settle"
		if s.SettlePrice(p, Field(a)) > s.game.Cost(Settlement) {
			key = "travel"
		}
		say(key, at(settle0), "res")
		t.smog()
	case a < industry0:
		say("city", at(city0), "res", "tower")
	case a < dismantle0:
		say("industry", at(industry0), "res", "tower")
		t.smog()
	case a < Sabbatical:
		t.dismantled(p, Field(a-dismantle0), 1)
	case a == Sabbatical:
		t.Say("sabbatical", p, 1, nil, env.Change{Player: p, What: "res", By: -s.game.data.SabbaticalRES, Now: s.RES(p) - s.game.data.SabbaticalRES})
	case a == Done:
		say("done", nil)
	case a < amount0:
		kind, other := s.offerOf(a)
		say("offer-"+kindTexts[kind], env.Args{"other": other})
	case a < Yes:
		say("amount-"+kindTexts[s.kind], env.Args{"other": env.Player(s.partner), "amount": int(a-amount0) + 1})
	case a == Yes:
		t.agreed(p)
	case a == No:
		say("no", nil)
	default:
		say("say-"+wordTexts[Word(a-say0)+Calm], nil)
	}
}

// agreed tells a deal that is done, or whose building is still to be chosen.
func (t *story) agreed(p env.Player) {
	t.Say("yes", p, 1, nil, t.changes("res")...)
	s := t.before
	if d := s.dismantler(s.kind, env.Player(s.partner)); d >= 0 && t.after.tower < s.tower {
		t.dismantled(d, (s.removable(d) &^ t.after.removable(d)).First(), 0)
	}
}

// dismantled tells that p has taken its building on f down by a step; with it the RES of a deal go over.
func (t *story) dismantled(p env.Player, f Field, tells int) {
	level, key := t.before.Level(f), "dismantle"
	if level == Settlement {
		key = "abandon"
	}
	kinds := []string{"tower"}
	if tells > 0 {
		kinds = append(kinds, "res")
	}
	t.Say(key, p, tells, env.Args{"field": f.String(), "building": t.before.buildingName(level)}, t.changes(kinds...)...)
}

// smog tells what a settling or an industry cost in life quality.
func (t *story) smog() {
	if paid := t.changes("lq"); paid != nil {
		t.Say("smog", env.Over, 0, nil, paid...)
	}
}

// chance tells a draw; the card and the dice of an event are one sentence.
func (t *story) chance(earlier []env.Seen, e env.Seen) {
	name, outcome, _ := strings.Cut(e.Text, " = ")
	switch name {
	case "first":
		t.Say("first", env.Over, 1, env.Args{"leader": t.after.Leader()})
	case "stone":
		t.Say(outcome, env.Over, 1, nil)
	case "dice":
		_, id, _ := strings.Cut(earlier[len(earlier)-1].Text, " = ")
		sector, number, _ := strings.Cut(outcome, " ")
		event := env.Name{Kind: "event", ID: id}
		for _, card := range t.after.game.data.Events {
			if card.ID == id {
				event.Text = card.Name
			}
		}
		t.Say("event", env.Over, 2, env.Args{"event": event, "sector": sector, "number": number, "field": sector + number})
	}
}

// covers tells what the climate events of the step have laid on the board, and which buildings they have taken.
func (t *story) covers() {
	b, s := t.before, t.after
	told := false
	for f := range Field(NumFields) {
		if owner := b.Owner(f); owner >= 0 && s.Owner(f) < 0 {
			t.Say("loses", owner, 0, env.Args{"field": f.String(), "building": s.buildingName(t.builtLevel(f))})
			told = true
		}
		if s.left[f] == b.left[f] && s.destroyed.Has(f) == b.destroyed.Has(f) {
			continue
		}
		key := "covers"
		if s.destroyed.Has(f) {
			key = "destroys"
		}
		if s.left[f] == wholeGame {
			key += "-whole"
		}
		t.Say(key, env.Over, 0, env.Args{"field": f.String(), "n": int(s.left[f])})
		told = true
	}
	if !told {
		t.Say("spared", env.Over, 0, nil)
	}
}

// builtLevel is what stood on a field when the step's event struck it.
func (t *story) builtLevel(f Field) Level {
	for _, fact := range t.Facts {
		if fact.Args["field"] == f.String() {
			switch fact.Key {
			case "city":
				return City
			case "industry":
				return Industry
			}
		}
	}
	return t.before.Level(f)
}

// endOfTurn tells whether a word was kept, and the yield of the round that has ended.
func (t *story) endOfTurn() {
	b, s := t.before, t.after
	for p := range env.Player(s.game.players) {
		switch {
		case s.kept[p] > b.kept[p]:
			t.Say("kept", p, 0, nil)
		case s.broken[p] > b.broken[p]:
			t.Say("broken", p, 0, nil)
		}
	}
	if s.clock-b.clock <= s.game.turnTime { // no allocation
		return
	}
	t.Say("allocation", env.Over, 0, nil, t.yield()...)
	var freed []any
	for r := b.Covered() &^ s.Covered(); r != 0; r &= r - 1 {
		freed = append(freed, r.First().String())
	}
	if freed != nil {
		t.Say("freed", env.Over, 0, env.Args{"fields": freed, "n": len(freed)})
	}
	if s.round > b.round {
		t.Say("round", env.Over, 0, env.Args{"round": int(s.round), "leader": s.Leader()})
	}
}

// yield is what an allocation brought: all that has changed but the price of a sabbatical taken just before.
func (t *story) yield() []env.Change {
	var list []env.Change
	for _, c := range t.changes("res", "lq") {
		for _, f := range t.Facts {
			if f.Key == "sabbatical" && f.Player == c.Player && c.What == "res" {
				c.By -= f.Changes[0].By
			}
		}
		if c.By != 0 {
			list = append(list, c)
		}
	}
	return list
}

// end tells how the game has ended, and who has won.
func (t *story) end() {
	s := t.after
	if s.decision != Over {
		return
	}
	p := env.Over
	if s.ending == Collapse {
		p = env.Player(s.culprit)
	}
	t.Say(s.Reason(), p, 0, nil)
	t.Winners(s.Winners(), s.score)
}
