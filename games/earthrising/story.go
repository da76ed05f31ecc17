package earthrising

import (
	"slices"
	"strings"

	"earthgym/env"
)

// The game as a story: what each decision and each card means, and what followed from it. Cards are named to those
// alone who see them.

// story is a step that is being told.
type story struct {
	env.Story
	before, after *State
	viewer        env.Player
	turned        bool // the end of the turn has been told
	collapses     int8 // told so far
}

// AppendStory tells what led from before to this position.
func (s *State) AppendStory(dst []env.Fact, before env.State, seen []env.Seen, viewer env.Player) []env.Fact {
	t := story{Story: env.Story{Facts: dst}, before: s, after: s, viewer: viewer, collapses: s.collapses}
	if before == nil {
		t.setUp(seen)
		return t.Facts
	}
	t.before = before.(*State)
	t.collapses = t.before.collapses
	t.Changes = env.Changes(t.before.counters(), s.counters())
	for i := 0; i < len(seen); i++ {
		switch e := seen[i]; e.Kind {
		case env.SeenAction:
			t.action(e)
		default:
			i += t.card(seen[i:]) - 1
		}
	}
	t.collapse()
	t.endOfTurn()
	t.losses()
	t.drawnUnseen()
	if changes := t.Take(); changes != nil {
		t.Say("balance", env.Over, 0, nil, changes...)
	}
	t.end()
	return t.Facts
}

// counters are the public numbers of a position that matter for the story.
func (s *State) counters() []env.Counter {
	list := []env.Counter{
		{Player: env.Over, What: "poverty", Value: int(s.poverty)},
		{Player: env.Over, What: "temperature", Value: int(s.temperature())},
	}
	for x, n := range s.strain {
		list = append(list, env.Counter{Player: env.Over, What: "strain-" + sectorIDs[x], Value: int(n)})
	}
	return list
}

func (t *story) sector(x Sector) env.Name {
	return env.Name{Kind: "sector", ID: sectorIDs[x], Text: t.after.game.sectorName(x)}
}

func (t *story) character(k Character) env.Name {
	return env.Name{Kind: "character", ID: characterIDs[k], Text: t.after.game.characterName(k)}
}

// practice is a practice by one of its sides.
func (t *story) practice(c Card, sustainable bool) env.Name {
	name := env.Name{Kind: "practice", ID: c.String(), Text: t.after.game.practiceName(c, sustainable)}
	if !sustainable {
		name.ID = c.unsustainable()
	}
	return name
}

func (t *story) cardName(c Card) env.Name {
	return env.Name{Kind: "card", ID: c.String(), Text: t.after.game.cardName(c)}
}

// cardOf is the card of an id.
func cardOf(id string) Card {
	for c := range Card(numCards) {
		if c.String() == id {
			return c
		}
	}
	return 0
}

// setUp tells how the game begins.
func (t *story) setUp(seen []env.Seen) {
	s := t.after
	var practices []any
	for _, e := range seen {
		if id, dealt := strings.CutPrefix(e.Text, "deal practice = "); dealt {
			for c := range Card(numPractices) {
				if c.unsustainable() == id {
					practices = append(practices, t.practice(c, false))
				}
			}
		}
	}
	t.Say("start", env.Over, len(practices), env.Args{"practices": practices})
	seen = seen[len(practices):]
	for ; len(seen) > 0 && seen[0].Kind == env.SeenChance; seen = seen[1:] {
		t.draw(seen[0])
	}
	if s.decision == atChoose {
		return
	}
	for _, k := range s.cast[:s.castSize] {
		t.Say("cast", env.Player(s.seat[k]), 0, env.Args{"character": t.character(k)})
	}
	t.turn()
	for len(seen) > 0 { // what the first turn begins with
		seen = seen[t.card(seen):]
	}
}

// draw tells a draw of chance that everybody sees.
func (t *story) draw(e env.Seen) {
	event, outcome, _ := strings.Cut(e.Text, " = ")
	switch event {
	case "draw character":
		t.Say("drawn", env.Over, 1, env.Args{"character": t.character(Character(slices.Index(characterIDs[:], outcome)))})
	case "roll":
		k := t.after.game.faces[slices.Index(faceIDs[:], outcome)]
		t.Say("roll", env.Over, 1, env.Args{"face": outcome, "character": t.character(k)})
	case "election-shuffle":
		var cards []any
		for _, id := range strings.Fields(outcome) {
			cards = append(cards, t.cardName(cardOf(id)))
		}
		t.Say("dealt", env.Over, 1, env.Args{"cards": cards})
	}
}

// turn tells whose turn begins.
func (t *story) turn() {
	s := t.after
	t.Say("turn", s.activeSeat(), 0, env.Args{"year": int(s.year), "turn": int(s.turn), "character": t.character(s.active)})
}

// action tells a decision.
func (t *story) action(e env.Seen) {
	s, p := t.before, e.Player
	a, err := s.game.info.Parse(e.Text)
	k, _ := s.decider()
	switch {
	case err != nil && e.Text == "discard": // a card that others don't see
		t.Say("discard-some", p, 1, env.Args{"character": t.character(k)}, t.takeAtOnce()...)
	case err != nil:
		t.pending(p, "give", 0, 1)
	case a >= create && a < clean, a >= give && a < to, a >= major && a < discard:
		t.pending(p, s.game.info.Actions[a].Family, a, 1)
	case s.decision == atTo:
		t.pending(p, "give", env.Action(s.inside.pending), 1)
	case a >= discard && a < circle && s.decision != atDiscard:
		t.Say("pays", p, 1, env.Args{"character": t.character(k), "card": t.cardName(Card(a - discard))})
		t.goesOn(p)
	case a >= circle && a < choose:
		t.Say("circle", p, 1, env.Args{"character": t.character(k), "circle": int(a - circle)})
		t.goesOn(p)
	case a >= choose && a < want:
		t.Say("choose", p, 1, env.Args{"character": t.character(Character(a - choose))})
	default:
		key, args := t.deed(a)
		t.Say(key, p, 1, args, t.takeAtOnce()...)
	}
}

// takeAtOnce takes what a decision in the turn changes at once.
func (t *story) takeAtOnce() []env.Change {
	b, s := t.before, t.after
	if t.newTurn() || b.decision == atTrim || b.decision == atDraw || b.decision == atLooked || s.decision == over || s.collapses != b.collapses {
		return nil
	}
	return t.Take()
}

// deed is the sentence of an action that is done with it, and what stands in it.
func (t *story) deed(a env.Action) (key string, args env.Args) {
	s := t.before
	k, _ := s.decider()
	key, args = strings.ReplaceAll(s.game.info.Actions[a].Family, " ", "-"), env.Args{"character": t.character(k)}
	switch {
	case a >= clean && a < give:
		args["sector"], args["n"] = t.sector(Sector((a-clean)/maxCleanUp)), int(a-clean)%maxCleanUp+1
	case a >= to && a < refresh:
		key, args["other"] = "looked-to-some", t.character(Character(a-to))
		if !s.hidden(t.viewer) {
			key, args["card"] = "looked-to", t.cardName(s.inside.card)
		}
	case a >= token && a < startUp:
		c := Card(a - token)
		key, args["practice"] = "token-lifted", t.practice(c, s.sustainable.Has(c))
		switch {
		case t.after.protest&^s.protest != 0:
			key = "token-protest"
		case t.after.regeneration&^s.regeneration != 0:
			key = "token-regenerate"
		}
	case a == startUp:
		args["n"] = int(s.newStartUps())
	case a >= top && a < keep:
		args["card"] = t.cardName(s.inside.order[a-top])
	case a >= move && a < ask:
		from, to := movePair(a)
		args["sector"], args["other"] = t.sector(from), t.sector(to)
	case a >= discard && a < circle:
		args["card"] = t.cardName(Card(a - discard))
	case a >= want && a < plan:
		args["sector"] = t.sector(Sector(a - want))
	case a >= plan:
		args["sector"] = t.sector(Sector(a - plan))
	}
	return key, args
}

// goesOn tells what a card or a circle was chosen for, if it has come about.
func (t *story) goesOn(p env.Player) {
	if t.after.decision != atCircle {
		a := env.Action(t.before.inside.pending)
		t.pending(p, t.before.game.info.Actions[a].Family, a, 0)
	}
}

// pending tells an action that may need a card to pay with, a circle, or somebody who gets it, before it comes about.
func (t *story) pending(p env.Player, family string, a env.Action, tells int) {
	b, s := t.before, t.after
	args := env.Args{"character": t.character(b.active)}
	key, waits := family, s.decision == atPay || s.decision == atCircle || s.decision == atTo
	switch family {
	case "give":
		if b.hidden(t.viewer) {
			key += "-some"
		} else {
			args["card"] = t.cardName(Card(a - give))
		}
		if !waits {
			args["other"] = t.character(t.receiver())
		}
	case "major":
		args["sector"] = t.sector(Sector(a - major))
	case "minor":
		args["sector"] = t.sector(Sector(a - minor))
	default:
		c := practiceOf(a)
		args["sector"], args["practice"], args["other"] = t.sector(c.Sector()), t.practice(c, family == "create"), t.practice(c, true)
	}
	if waits {
		t.Say("wants-"+key, p, tells, args)
		return
	}
	if b.decision == atActions && family != "give" {
		t.paidByItself(p, a)
	}
	var changes []env.Change
	if !t.newTurn() && s.result != outOfTime {
		changes = t.Take()
	}
	t.Say(key, p, tells, args, changes...)
	if n := len(t.Facts); tells > 0 && n > 1 && t.Facts[n-2].Key == "pays-by-itself" { // the action comes first
		t.Facts[n-2], t.Facts[n-1] = t.Facts[n-1], t.Facts[n-2]
	}
}

// paidByItself tells the card that paid for an action without a choice.
func (t *story) paidByItself(p env.Player, a env.Action) {
	used := t.after.facedUp(t.viewer) &^ t.before.facedUp(t.viewer)
	if a < clean {
		used &^= Only(practiceOf(a))
	}
	if used = used.In(pendingSector(a)); used != 0 && t.after.turn == t.before.turn {
		t.Say("pays-by-itself", p, 0, env.Args{"card": t.cardName(used.First())})
	}
}

// facedUp are the cards on the discard pile that a viewer (a spectator as much as everybody) has seen.
func (s *State) facedUp(viewer env.Player) Set {
	if viewer >= 0 {
		return s.discard & s.knownTo[viewer]
	}
	seen := s.discard
	for p := range s.game.players {
		seen &= s.knownTo[p]
	}
	return seen
}

// receiver is who has got a card.
func (t *story) receiver() Character {
	for k := range Character(NumCharacters) {
		if k != t.before.active && t.after.hand[k].Count() > t.before.hand[k].Count() {
			return k
		}
	}
	return t.before.active
}

// card tells the first of some cards that are shown and says how many it has told: cards drawn together are one
// sentence. Draws of chance come among them.
func (t *story) card(seen []env.Seen) int {
	e := seen[0]
	if e.Kind == env.SeenChance {
		if !strings.HasPrefix(e.Text, "roll") && !strings.HasPrefix(e.Text, "election") {
			t.Say("refresh", env.Over, 1, env.Args{"character": t.character(t.before.active)})
			return 1
		}
		t.strainOfTurn()
		t.draw(e)
		return 1
	}
	at := strings.LastIndexByte(e.Text, ' ')
	verb, c := e.Text[:at], cardOf(e.Text[at+1:])
	sector := env.Args{"sector": t.sector(c.Sector())}
	switch verb {
	case "draw", "look at":
		var cards []any
		for _, e := range seen {
			id, same := strings.CutPrefix(e.Text, verb+" ")
			if !same {
				break
			}
			cards = append(cards, t.cardName(cardOf(id)))
		}
		key := "draws"
		if verb == "draw" {
			t.endOfTurn()
		} else {
			key = "looks-at"
		}
		t.Say(key, t.after.activeSeat(), len(cards), env.Args{"character": t.character(t.after.active), "cards": cards})
		return len(cards)
	case "strike":
		t.endOfTurn()
		t.Say("strike", env.Over, 1, sector)
	case "struck already":
		t.endOfTurn()
		t.Say("again", env.Over, 1, sector)
	case "set aside":
		t.Say("aside", env.Over, 1, sector)
	case "strike draws":
		t.struck(c)
	default: // collapse
		t.collapse()
		t.Say("crater", env.Over, 1, sector)
	}
	return 1
}

// struck tells a card of a strike by what has become of its practice.
func (t *story) struck(c Card) {
	b, s := t.before, t.after
	args := env.Args{"sector": t.sector(c.Sector()), "practice": t.practice(c, b.sustainable.Has(c))}
	key := "strike-turns"
	switch {
	case b == s: // in the set-up, of which nothing earlier is known
	case b.sustainable.Has(c) && !s.onBoard().Has(c):
		key = "strike-removes"
	case b.unsustainable.Has(c) && s.unsustainable.Has(c):
		key = "strike-strains"
	case !b.onBoard().Has(c) && s.unsustainable.Has(c):
		key = "strike-places"
	}
	t.Say(key, env.Over, 1, args)
}

// collapse tells the collapses of the step, once.
func (t *story) collapse() {
	for ; t.collapses < t.after.collapses; t.collapses++ {
		t.Say("collapse", env.Over, 0, env.Args{"n": int(t.collapses) + 1}, t.Take("temperature")...)
	}
}

func (t *story) newTurn() bool { return t.after.turn != t.before.turn }

// strainOfTurn tells the end of a turn up to the calendar: strain, and what recedes.
func (t *story) strainOfTurn() {
	b, s := t.before, t.after
	if !t.newTurn() && s.result != outOfTime || t.turned {
		return
	}
	t.turned = true
	t.Say("strain", env.Over, 0, nil, t.Take()...)
	for x := range Sector(NumSectors) {
		for _, lost := range []struct {
			key string
			set sectorSet
		}{{"recedes-major", b.major &^ s.major}, {"recedes-minor", b.minor &^ s.minor}} {
			if lost.set.has(x) {
				t.Say(lost.key, env.Over, 0, env.Args{"sector": t.sector(x)})
			}
		}
	}
}

// endOfTurn tells the end of a turn, and whose turn is next.
func (t *story) endOfTurn() {
	b, s := t.before, t.after
	told := t.turned && t.has("turn")
	t.strainOfTurn()
	switch {
	case !t.newTurn() || told:
		return
	case b.decision == atChoose:
		for _, k := range s.cast[:s.castSize] {
			t.Say("cast", env.Player(s.seat[k]), 0, env.Args{"character": t.character(k)})
		}
	default:
		for k := range Character(NumCharacters) {
			switch {
			case b.inPlay.plays(k) && !s.inPlay.plays(k):
				t.Say("voted-out", env.Over, 0, env.Args{"character": t.character(k)})
			case !b.inPlay.plays(k) && s.inPlay.plays(k):
				t.Say("elected", env.Player(s.seat[k]), 0, env.Args{"character": t.character(k)})
			}
		}
	}
	t.turn()
}

// has says whether a fact of the step has the key.
func (t *story) has(key string) bool {
	return slices.ContainsFunc(t.Facts, func(f env.Fact) bool { return f.Key == key })
}

// losses tells practices, tokens and Start-Ups that are gone without anybody's decision.
func (t *story) losses() {
	b, s := t.before, t.after
	told := map[string]bool{} // practices that a sentence has taken off the board
	for _, f := range t.Facts {
		if name, ok := f.Args["practice"].(env.Name); ok && slices.Contains([]string{"disband", "strike-removes"}, f.Key) {
			told[name.ID] = true
		}
	}
	for c := range Card(numPractices) {
		practice := t.practice(c, b.sustainable.Has(c))
		args := env.Args{"practice": practice, "sector": t.sector(c.Sector())}
		if b.onBoard().Has(c) && !s.onBoard().Has(c) && !told[practice.ID] {
			t.Say("lost", env.Over, 0, args)
		}
		if (b.protest&^s.protest | b.regeneration&^s.regeneration).Has(c) && s.onBoard().Has(c) && !t.has("token-lifted") && !t.has("flip") {
			t.Say("untoken", env.Over, 0, args)
		}
	}
	if n := int(b.startups - s.startups); n > 0 {
		t.Say("unsettled", env.Over, 0, env.Args{"n": n})
	}
}

// drawnUnseen tells how many cards the active character has drawn, to those who don't see which.
func (t *story) drawnUnseen() {
	b, s := t.before, t.after
	if t.has("draws") || s.decision == over {
		return
	}
	n := s.hand[s.active].Count() - b.hand[s.active].Count()
	if b.decision == atChoose || n <= 0 || t.has("dealt") {
		return
	}
	t.Say("draws-some", s.activeSeat(), 0, env.Args{"character": t.character(s.active), "n": n})
}

// end tells how the game has ended.
func (t *story) end() {
	if s := t.after; s.decision == over {
		key := s.Reason()
		if s.result == fourthCollapse {
			key = "collapsed"
		}
		t.Say(key, env.Over, 0, env.Args{"n": s.score()})
	}
}
