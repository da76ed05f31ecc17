package earthman

import (
	"slices"
	"strconv"
	"strings"

	"earthgym/env"
	"earthgym/env/story"
)

// The game as a story: what each decision and each throw means, and what followed from it. Nothing is hidden in it.

// teller is a step that is being told.
type teller struct {
	story.Story
	before, after *State
}

// AppendStory tells what led from before to this position.
func (s *State) AppendStory(dst []story.Fact, before env.State, beats []story.Beat, _ env.Player) []story.Fact {
	t := teller{Story: story.Story{Facts: dst}, before: s, after: s}
	if before == nil {
		t.Say("start", env.Over, 0, story.Args{"players": s.game.players})
	} else {
		t.before = before.(*State)
	}
	t.Tell(beats, func(beats []story.Beat) int {
		n := t.beat(beats)
		t.consequences()
		return n
	})
	switch {
	case before != nil:
		t.end()
	case s.phase == InPrelude:
		t.Say("prelude", env.Player(s.actor), 0, nil)
	default:
		t.turn(env.Player(s.actor))
	}
	return t.Facts
}

// AppendCounters are the numbers that matter for the story, and what seats hold and know.
func (s *State) AppendCounters(dst []env.Counter) []env.Counter {
	// There are hundreds, and to grow into them step by step would take longer than to count.
	dst = slices.Grow(dst, s.game.players*(10+NumTechs+NumWorlds)+2*NumWorlds*MaxRegions+1)
	for p := range env.Player(s.game.players) {
		my := &s.seats[p]
		fleets, lands := 0, 0
		for at := range my.risky.Each {
			fleets += int(my.fleet[at].Risk)
		}
		for w := range s.settled[p].Each {
			lands += (s.land[p][w] & s.shaken[w]).Count()
		}
		for _, c := range []struct {
			what  string
			value int
		}{
			{"vp", int(my.vp)}, {"power", int(my.power)}, {"resource", int(my.resource)},
			{"discontent", int(my.discontent)}, {"thoughts", int(my.thoughts)}, {"fleets", int(my.fleets)},
			{"fleets-at-risk", fleets}, {"developments", int(my.developments)}, {"regions-at-risk", lands},
		} {
			dst = append(dst, env.Counter{Player: p, What: c.what, Value: c.value})
		}
		for k := range Tech(NumTechs) {
			dst = append(dst, env.Counter{Player: p, What: techIDs[k], Value: int(my.level[k]), Said: true})
		}
		for w := range Place(NumWorlds) {
			dst = append(dst, env.Counter{Player: p, What: placeIDs[w], Value: oneIf(my.counters.Has(w)), Said: true})
		}
		dst = append(dst, env.Counter{Player: p, What: sanctionOf, Value: oneIf(my.sanction), Said: true})
	}
	for w := range Place(NumWorlds) {
		for r := range s.game.regions[w].Count() {
			at := regionAt(w, r)
			dst = append(dst, env.Counter{Player: at, What: holderOf, Value: int(s.Owner(w, r)), Said: true},
				env.Counter{Player: at, What: rubbleOf, Value: s.Devastation(w, r), Said: true})
		}
	}
	return append(dst, env.Counter{Player: env.Over, What: triggerOf, Value: oneIf(s.trigger), Said: true})
}

// The numbers that sentences of their own tell of, beside levels and Political Influence: of regions, which stand in
// the place of a seat, and of seats.
const (
	holderOf   = "holder"
	rubbleOf   = "devastation"
	sanctionOf = "sanction"
	triggerOf  = "trigger"
)

// regionAt numbers the regions of all worlds.
func regionAt(w Place, r int) env.Player { return env.Player(int(w)*MaxRegions + r) }

func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}

// beat tells the first of some beats and says how many it has told.
func (t *teller) beat(beats []story.Beat) int {
	switch e := beats[0]; e.Rule {
	case "":
		if e.Kind == env.SeenAction {
			t.action(e.Seen)
			return 1
		}
		return t.chance(beats)
	case "turn":
		t.turn(e.Player)
	case "prelude", "final":
		t.Say(e.Rule, e.Player, 0, nil, t.Take()...)
	default:
		if changes := t.Take(); changes != nil {
			t.Say(e.Rule, e.Player, 0, nil, changes...)
		}
	}
	return 1
}

func (t *teller) place(at Place) story.Name {
	return story.Name{Kind: "place", ID: placeIDs[at], Text: t.after.game.names[at]}
}

func (t *teller) tech(k Tech) story.Name {
	return story.Name{Kind: "tech", ID: techIDs[k], Text: t.after.game.techs[k].name}
}

// owner is a seat, or the UN.
func (t *teller) owner(p env.Player) any {
	if p == UN {
		return story.Name{Kind: "owner", ID: "un"}
	}
	return p
}

// action tells a decision.
func (t *teller) action(e env.Seen) {
	s, p := t.before, e.Player
	a, err := s.game.info.Parse(e.Text)
	if err != nil {
		return
	}
	family := s.game.info.Actions[a].Family
	key := family + "-" + strings.ReplaceAll(s.asking().Name, "_", "-")
	if a == Done && !slices.Contains([]Decision{AtThought, AtFleetWorld, AtFleetJobs, AtDevWorld, AtDevJobs}, s.decision) {
		key = family
	}
	args := story.Args{}
	if at := s.pending.at; at != Nowhere {
		args["world"] = t.place(at)
	}
	switch {
	case s.decision == AtShareReply:
		args["tech"] = t.tech(Tech(act.tech.Index(s.pending.action)))
	case act.count.Has(a):
		args["n"] = act.count.Index(a)
	case act.at.Has(a):
		args["place"] = t.place(Place(act.at.Index(a)))
	case act.part.Has(a):
		args["place"] = t.place(Place(act.part.Index(a)))
	case act.risk.Has(a):
		args["place"] = t.place(Place(act.risk.Index(a)))
	case act.region.Has(a):
		args["region"] = act.region.Index(a) + 1
	case act.seat.Has(a):
		args["other"] = s.Asked(a)
	case act.tech.Has(a):
		args["tech"] = t.tech(Tech(act.tech.Index(a)))
	case attacks(a):
		args["other"] = t.owner(s.targetOwner(act.fire.Index(a) % numTargets))
	case act.expand.Has(a):
		args["n"] = 3 - act.expand.Index(a)
	case act.reroll.Has(a):
		args["class"] = story.Name{Kind: "class", ID: s.game.info.Actions[a].Args[0]}
	}
	t.Say(key, p, 1, args, t.Take()...)
}

// turn tells whose turn begins, with what its Power brings it.
func (t *teller) turn(p env.Player) {
	t.Say("turn", p, 0, story.Args{"round": int(t.after.round)}, t.Take()...)
}

// chance tells the first of some draws and says how many it has told: the dice of a lot are one sentence, and so are
// a card and what is written on it.
func (t *teller) chance(seen []story.Beat) int {
	event, outcome, _ := strings.Cut(seen[0].Text, " = ")
	switch event {
	case "first":
		t.Say("first", env.Over, 1, story.Args{"first": env.Player(t.after.first)})
		return 1
	case "card":
		t.Join(2)
		k, _ := strconv.Atoi(outcome)
		card := &t.after.game.data.Cards[k-1]
		t.Say("card", env.Over, 2, story.Args{
			"title": story.Name{Kind: "card", ID: outcome, Text: card.Title}, "n": card.Symbols,
			"story": story.Name{Kind: "card-story", ID: outcome, Text: card.Story}})
		return 2
	}
	event = strings.TrimSuffix(event, "+")
	var dice []any
	n, rolled := 0, 0
	for ; n < len(seen); n++ {
		name, face, _ := strings.Cut(seen[n].Text, " = ")
		if seen[n].Rule == "dice" { // the lot is complete
			n++
			break
		}
		if name != event && name != event+"+" || n > 0 && seen[n-1].Changes != nil { // a lot of its own
			break
		}
		rolled++
		if name == event {
			dice = append(dice, face)
		} else {
			dice[len(dice)-1] = dice[len(dice)-1].(string) + "+" + face
		}
	}
	t.Join(n)
	t.Say("dice-"+event, env.Over, rolled, story.Args{"dice": dice}, t.Take()...)
	return n
}

// consequences tells what has changed on the map and in what the seats know.
func (t *teller) consequences() {
	for _, c := range t.TakeSaid() {
		p, k := c.Player, techOf(c.What)
		switch {
		case c.What == holderOf || c.What == rubbleOf:
			t.region(c)
		case c.What == sanctionOf && c.By > 0:
			t.Say("sanctioned", p, 0, nil, c)
		case c.What == sanctionOf:
			t.Say("lifted", p, 0, nil, c)
		case c.What == triggerOf:
			t.Say("trigger", env.Over, 0, nil, c)
		case k >= 0:
			t.Say("level", p, 0, story.Args{"tech": t.tech(k), "n": c.Now}, c)
		case c.By > 0:
			t.Say("influence", p, 0, story.Args{"world": t.place(placeOf(c.What))}, c)
		default:
			t.Say("uninfluence", p, 0, story.Args{"world": t.place(placeOf(c.What))}, c)
		}
	}
}

// region tells what has become of a region.
func (t *teller) region(c story.Change) {
	args := story.Args{"world": t.place(Place(int(c.Player) / MaxRegions)), "region": int(c.Player)%MaxRegions + 1}
	if c.What == rubbleOf {
		key := "devastated"
		if c.By < 0 {
			key = "cleared"
		}
		t.Say(key, env.Over, 0, args, c)
		return
	}
	old, now := env.Player(c.Now-c.By), env.Player(c.Now)
	p, key := now, "settles"
	if now == None {
		p, key = old, "loses"
	}
	args["owner"] = t.owner(p)
	if p == UN {
		p = env.Over
	}
	t.Say(key, p, 0, args, c)
}

// end tells how the game has ended, and who has won.
func (t *teller) end() {
	s := t.after
	if s.phase != IsOver {
		return
	}
	key, p := s.Reason(), env.Over
	switch s.end {
	case endClaim:
		key, p = "won-claim", env.Player(s.actor)
	case endAlone:
		p = env.Player(s.winners.List()[0])
	}
	t.Say(key, p, 0, nil)
	t.Winners(s.winners, s.VP)
}
