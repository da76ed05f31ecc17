package resilience

import (
	"slices"
	"strings"

	"earthgym/env"
	"earthgym/env/story"
)

// The game as a story: what each decision and each draw means, and what followed from it. Nothing here looks at the
// hidden length before the end.

// teller is a step that is being told.
type teller struct {
	story.Story
	before, after *State
	allocated     bool // the allocation has been told
	ended         bool // the end has been told, or that there is none
}

// AppendStory tells what led from before to this position.
func (s *State) AppendStory(dst []story.Fact, before env.State, beats []story.Beat, _ env.Player) []story.Fact {
	t := teller{Story: story.Story{Facts: dst}, before: s, after: s}
	if before == nil {
		t.Say("start", env.Over, 0, story.Args{"players": s.game.players})
	} else {
		t.before = before.(*State)
	}
	t.Tell(beats, t.beat)
	t.end()
	return t.Facts
}

// limitMinutes is the length of the game, which is hidden before the end.
func (s *State) limitMinutes() int { return int(s.limit) / 60 }

// AppendCounters are the public numbers that matter for the story.
func (s *State) AppendCounters(dst []env.Counter) []env.Counter {
	dst = append(dst, env.Counter{Player: env.Over, What: "tower", Value: s.Tower()})
	for p := range env.Player(s.game.players) {
		dst = append(dst, env.Counter{Player: p, What: "res", Value: s.RES(p)},
			env.Counter{Player: p, What: "lq", Value: s.LQ(p)})
	}
	return dst
}

// beat tells the first of some beats and says how many it has told: the card and the dice of an event are one sentence.
func (t *teller) beat(beats []story.Beat) int {
	switch e := beats[0]; e.Rule {
	case "allocation":
		t.promises()
		t.Say("allocation", env.Over, 0, nil)
		t.allocated = true
	case "smog", "stone":
		if t.Changes != nil {
			t.Say(e.Rule, env.Over, 0, nil)
		}
	default:
		switch e.Kind {
		case env.SeenAction:
			t.action(e.Seen)
		case env.SeenChance:
			return t.chance(beats)
		default:
			t.end()
			t.Say("timer", env.Over, 1, story.Args{"minutes": t.after.limitMinutes()})
		}
	}
	return 1
}

func (s *State) buildingName(level Level) story.Name {
	ids := [numLevels]string{Settlement: "settlement", City: "city", Industry: "industry"}
	return story.Name{Kind: "building", ID: ids[level], Text: s.game.data.Buildings[level-1].Name}
}

// action tells a decision: as its move does, or by its word, with the field that it names.
func (t *teller) action(e env.Seen) {
	info := t.before.game.info
	a, err := info.Parse(e.Text)
	if err != nil {
		return
	}
	if move := t.before.row().Move(a); move.Tell != nil {
		move.Tell(t, e.Player, move.Index(a))
		return
	}
	var args story.Args
	if words := info.Actions[a].Args; len(words) > 0 {
		args = story.Args{"field": words[0]}
	}
	t.Say(info.Actions[a].Family, e.Player, 1, args)
}

// settles tells whether settlers travel.
func (t *teller) settles(p env.Player, i int) {
	key := "settle"
	if t.before.SettlePrice(p, Field(i)) > t.before.game.Cost(Settlement) {
		key = "travel"
	}
	t.Say(key, p, 1, story.Args{"field": Field(i).String()})
}

// offers tells whom an offer is made to, and names of how many RES it is.
func (t *teller) offers(p env.Player, i int) {
	kind, other := t.before.offerOf(i)
	t.Say("offer-"+kindTexts[kind], p, 1, story.Args{"other": other})
}

func (t *teller) names(p env.Player, i int) {
	t.Say("amount-"+kindTexts[t.before.kind], p, 1, story.Args{"other": env.Player(t.before.partner), "amount": i + 1})
}

// agrees tells a deal that is done, or whose building is still to be chosen.
func (t *teller) agrees(p env.Player, _ int) {
	t.Say("yes", p, 1, nil, t.Take("res")...)
	s := t.before
	if d := s.dismantler(s.kind, env.Player(s.partner)); d >= 0 && t.after.tower < s.tower {
		t.dismantled(d, (s.removable(d) &^ t.after.removable(d)).First(), 0)
	}
}

// dismantles tells that p chooses a building of its own to take down.
func (t *teller) dismantles(p env.Player, i int) { t.dismantled(p, Field(i), 1) }

// dismantled tells that p has taken its building on f down by a step; with it the RES of a deal go over.
func (t *teller) dismantled(p env.Player, f Field, tells int) {
	level, key := t.before.Level(f), "dismantle"
	if level == Settlement {
		key = "abandon"
	}
	t.Say(key, p, tells, story.Args{"field": f.String(), "building": t.before.buildingName(level)})
}

// chance tells the first of some draws; the card and the dice of an event are one sentence.
func (t *teller) chance(beats []story.Beat) int {
	name, outcome, _ := strings.Cut(beats[0].Text, " = ")
	switch name {
	case "first":
		t.Say("first", env.Over, 1, story.Args{"leader": t.after.Leader()})
	case "stone":
		t.Say(outcome, env.Over, 1, nil)
	case "event":
		_, dice, _ := strings.Cut(beats[1].Text, " = ")
		sector, number, _ := strings.Cut(dice, " ")
		event := story.Name{Kind: "event", ID: outcome}
		for _, card := range t.after.game.data.Events {
			if card.ID == outcome {
				event.Text = card.Name
			}
		}
		t.Say("event", env.Over, 2, story.Args{"event": event, "sector": sector, "number": number, "field": sector + number})
		if !slices.ContainsFunc(beats[2:], func(e story.Beat) bool { return strings.HasPrefix(e.Text, "dice = ") }) {
			t.covers()
		}
		return 2
	}
	return 1
}

// covers tells what the climate events of the step have laid on the board, and which buildings they have taken.
func (t *teller) covers() {
	b, s := t.before, t.after
	told := false
	for f := range Field(NumFields) {
		if owner := b.Owner(f); owner >= 0 && s.Owner(f) < 0 {
			t.Say("loses", owner, 0, story.Args{"field": f.String(), "building": s.buildingName(t.builtLevel(f))})
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
		t.Say(key, env.Over, 0, story.Args{"field": f.String(), "n": int(s.left[f])})
		told = true
	}
	if !told {
		t.Say("spared", env.Over, 0, nil)
	}
}

// builtLevel is what stood on a field when the step's event struck it.
func (t *teller) builtLevel(f Field) Level {
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

// promises tells who has kept its word, and who has not.
func (t *teller) promises() {
	b, s := t.before, t.after
	for p := range env.Player(s.game.players) {
		switch {
		case s.kept[p] > b.kept[p]:
			t.Say("kept", p, 0, nil)
		case s.broken[p] > b.broken[p]:
			t.Say("broken", p, 0, nil)
		}
	}
}

// round tells what an allocation takes off the board, and the round after it.
func (t *teller) round() {
	b, s := t.before, t.after
	var freed []any
	for r := b.Covered() &^ s.Covered(); r != 0; r = r.Rest() {
		freed = append(freed, r.First().String())
	}
	if freed != nil {
		t.Say("freed", env.Over, 0, story.Args{"fields": freed, "n": len(freed)})
	}
	if s.round > b.round {
		t.Say("round", env.Over, 0, story.Args{"round": int(s.round), "leader": s.Leader()})
	}
}

// end tells how the turn has ended, and the game, if it has, and who has won; once.
func (t *teller) end() {
	s := t.after
	if t.ended {
		return
	}
	t.ended = true
	if t.allocated {
		t.round()
	} else {
		t.promises()
	}
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
