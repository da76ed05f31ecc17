package earthman

import (
	"slices"
	"strconv"
	"strings"

	"earthgym/env"
)

// The game as a story: what each decision and each throw means, and what followed from it. Nothing is hidden in it.

// story is a step that is being told.
type story struct {
	env.Story
	before, after *State
	turnTold      bool
}

// AppendStory tells what led from before to this position.
func (s *State) AppendStory(dst []env.Fact, before env.State, seen []env.Seen, _ env.Player) []env.Fact {
	t := story{Story: env.Story{Facts: dst}, before: s, after: s}
	if before == nil {
		t.Say("start", env.Over, 0, env.Args{"players": s.game.players})
	} else {
		t.before = before.(*State)
		t.Changes = env.Changes(t.before.counters(), s.counters())
	}
	for i := 0; i < len(seen); {
		if e := seen[i]; e.Kind == env.SeenAction {
			t.action(e, len(seen) == 1)
			i++
		} else {
			i += t.chance(seen[i:])
		}
	}
	if before == nil {
		t.turn()
		return t.Facts
	}
	t.consequences()
	t.beginTurn()
	t.TakeRest()
	t.end()
	return t.Facts
}

// counters are the numbers of a position that matter for the story.
func (s *State) counters() []env.Counter {
	var list []env.Counter
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
			{"vp", int(my.vp)}, {"power", int(my.power)}, {"resource", int(my.resource)}, {"discontent", int(my.discontent)}, {"thoughts", int(my.thoughts)},
			{"fleets", int(my.fleets)}, {"fleets-at-risk", fleets}, {"developments", int(my.developments)}, {"regions-at-risk", lands},
		} {
			list = append(list, env.Counter{Player: p, What: c.what, Value: c.value})
		}
	}
	return list
}

func (t *story) place(at Place) env.Name {
	return env.Name{Kind: "place", ID: placeIDs[at], Text: t.after.game.names[at]}
}

func (t *story) tech(k Tech) env.Name {
	return env.Name{Kind: "tech", ID: techIDs[k], Text: t.after.game.techs[k].name}
}

// owner is a seat, or the UN.
func (t *story) owner(p env.Player) any {
	if p == UN {
		return env.Name{Kind: "owner", ID: "un"}
	}
	return p
}

// action tells a decision. What it has changed goes with it if nothing else has happened in the step.
func (t *story) action(e env.Seen, alone bool) {
	s, p := t.before, e.Player
	a, err := s.game.info.Parse(e.Text)
	if err != nil {
		return
	}
	family := s.game.info.Actions[a].Family
	key := family + "-" + strings.ReplaceAll(s.decision.String(), "_", "-")
	if a == Done && !slices.Contains([]Decision{AtThought, AtFleetWorld, AtFleetJobs, AtDevWorld, AtDevJobs}, s.decision) {
		key = family
	}
	args := env.Args{}
	if at := s.pending.at; at != Nowhere {
		args["world"] = t.place(at)
	}
	target := func(first env.Action) { args["other"] = t.owner(s.targetOwner(int(a - first))) }
	switch {
	case s.decision == AtShareReply:
		args["tech"] = t.tech(Tech(s.pending.action - tech0))
	case a >= count0 && a < at0:
		args["n"] = int(a - count0)
	case a >= at0 && a < part0:
		args["place"] = t.place(Place(a - at0))
	case a >= part0 && a < risk0:
		args["place"] = t.place(Place(a - part0))
	case a >= risk0 && a < region0:
		args["place"] = t.place(Place(a - risk0))
	case a >= region0 && a < seat0:
		args["region"] = int(a-region0) + 1
	case a >= seat0 && a < tech0:
		args["other"] = s.seatOf(a)
	case a >= tech0 && a < fire0:
		args["tech"] = t.tech(Tech(a - tech0))
	case a >= fire0 && a < fireRisk0:
		target(fire0)
	case a >= fireRisk0 && a < overthrow0:
		target(fireRisk0)
	case a >= overthrow0 && a < overthrowRisk0:
		target(overthrow0)
	case a >= overthrowRisk0 && a < expand0:
		target(overthrowRisk0)
	case a >= expand0 && a < Pacify:
		args["n"] = 3 - int(a-expand0)
	case a >= rerollLow && a < PayResource:
		args["class"] = env.Name{Kind: "class", ID: s.game.info.Actions[a].Args[0]}
	}
	var changes []env.Change
	if alone && !t.newTurn() && t.after.phase != IsOver {
		changes = t.Take()
	}
	t.Say(key, p, 1, args, changes...)
}

// newTurn says whether another turn has begun in the step.
func (t *story) newTurn() bool {
	b, s := t.before, t.after
	return b.actor != s.actor || b.round != s.round || b.phase == InPrelude && s.phase != InPrelude
}

// turn tells whose turn begins, and what Score brings it.
func (t *story) turn() {
	s := t.after
	p := env.Player(s.actor)
	if s.phase == InPrelude {
		t.Say("prelude", p, 0, nil)
		return
	}
	t.Say("turn", p, 0, env.Args{"round": int(s.round)}, t.TakeIf(func(c env.Change) bool { return c.Player == p && c.What == "vp" })...)
}

// beginTurn is turn for a turn that has begun in the step, once. The final Score is no turn.
func (t *story) beginTurn() {
	b, s := t.before, t.after
	switch {
	case t.turnTold:
	case s.end == endPoints && b.phase != IsOver:
		t.turnTold = true
		t.Say("final", env.Over, 0, nil, t.Take("vp")...)
	case t.newTurn():
		t.turnTold = true
		t.turn()
	}
}

// chance tells the first of some draws and says how many it has told: the dice of a lot are one sentence, and so are
// a card and what is written on it.
func (t *story) chance(seen []env.Seen) int {
	event, outcome, _ := strings.Cut(seen[0].Text, " = ")
	switch event {
	case "first":
		t.Say("first", env.Over, 1, env.Args{"first": env.Player(t.after.first)})
		return 1
	case "card":
		t.beginTurn()
		k, _ := strconv.Atoi(outcome)
		card := &t.after.game.data.Cards[k-1]
		t.Say("card", env.Over, 2, env.Args{
			"title": env.Name{Kind: "card", ID: outcome, Text: card.Title}, "n": card.Symbols,
			"story": env.Name{Kind: "card-story", ID: outcome, Text: card.Story}})
		return 2
	}
	event = strings.TrimSuffix(event, "+")
	if event == eventNames[evAI] || event == eventNames[evRisk] || event == eventNames[evUnrest] && t.before.phase != InRisk {
		t.beginTurn()
	}
	var dice []any
	for n, e := range seen {
		name, face, _ := strings.Cut(e.Text, " = ")
		switch {
		case name == event+"+":
			face = dice[len(dice)-1].(string) + "+" + face
			dice = append(dice[:len(dice)-1], face)
		case name == event:
			dice = append(dice, face)
		default:
			t.Say("dice-"+event, env.Over, n, env.Args{"dice": dice})
			return n
		}
	}
	t.Say("dice-"+event, env.Over, len(seen), env.Args{"dice": dice})
	return len(seen)
}

// consequences tells what has changed on the map and in what the seats know.
func (t *story) consequences() {
	b, s := t.before, t.after
	for w := range Place(NumWorlds) {
		for r := range s.game.regions[w].Count() {
			t.region(w, r)
		}
	}
	for p := range env.Player(s.game.players) {
		old, now := &b.seats[p], &s.seats[p]
		for k := range Tech(NumTechs) {
			if now.level[k] > old.level[k] {
				t.Say("level", p, 0, env.Args{"tech": t.tech(k), "n": int(now.level[k])})
			}
		}
		for w := range (now.counters &^ old.counters).Each {
			t.Say("influence", p, 0, env.Args{"world": t.place(w)})
		}
		for w := range (old.counters &^ now.counters).Each {
			t.Say("uninfluence", p, 0, env.Args{"world": t.place(w)})
		}
		switch {
		case now.sanction && !old.sanction:
			t.Say("sanctioned", p, 0, nil)
		case old.sanction && !now.sanction:
			t.Say("lifted", p, 0, nil)
		}
	}
	if s.trigger && !b.trigger && s.phase != IsOver {
		t.Say("trigger", env.Over, 0, nil)
	}
}

// holder is who holds a region: a seat, the UN, or None.
func (s *State) holder(w Place, r int) env.Player {
	for p := range env.Player(numOwners) {
		if s.land[p][w]>>r&1 != 0 {
			return p
		}
	}
	return None
}

// region tells what has become of a region.
func (t *story) region(w Place, r int) {
	b, s := t.before, t.after
	old, now := b.holder(w, r), s.holder(w, r)
	args := env.Args{"world": t.place(w), "region": r + 1}
	switch {
	case old == now:
	case now == None && old == UN:
		t.Say("un-loses", env.Over, 0, args)
	case now == None:
		t.Say("loses", old, 0, args)
	case old == None:
		t.Say("settles", now, 0, args)
	default:
		args["other"] = t.owner(old)
		t.Say("takes", now, 0, args)
	}
	switch more := s.Devastation(w, r) - b.Devastation(w, r); {
	case more > 0:
		t.Say("devastated", env.Over, 0, args)
	case more < 0:
		t.Say("cleared", env.Over, 0, args)
	}
}

// end tells how the game has ended, and who has won.
func (t *story) end() {
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
