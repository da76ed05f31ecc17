package earthrising

import (
	"slices"
	"strings"

	"earthgym/env"
	"earthgym/env/story"
)

// The game as a story: what each decision and each card means, and what followed from it. Cards are named to those
// alone who see them.

// teller is a step that is being told.
type teller struct {
	story.Story
	before, after *State
	viewer        env.Player
	drawer        Character // who draws
}

// AppendStory tells what led from before to this position.
func (s *State) AppendStory(dst []story.Fact, before env.State, beats []story.Beat, viewer env.Player) []story.Fact {
	t := teller{Story: story.Story{Facts: dst}, before: s, after: s, viewer: viewer, drawer: s.active}
	if before == nil {
		t.Tell(beats, t.setUp)
		return t.Facts
	}
	t.before = before.(*State)
	t.Tell(beats, t.beat)
	t.end()
	return t.Facts
}

// AppendCounters are the public numbers that matter for the story.
func (s *State) AppendCounters(dst []env.Counter) []env.Counter {
	dst = append(dst, env.Counter{Player: env.Over, What: "poverty", Value: int(s.poverty)},
		env.Counter{Player: env.Over, What: "temperature", Value: int(s.temperature())})
	for x, n := range s.strain {
		dst = append(dst, env.Counter{Player: env.Over, What: strainOf[x], Value: int(n)})
	}
	return dst
}

// strainOf names the strain of a sector.
var strainOf = func() (names [NumSectors]string) {
	for x, id := range sectorIDs {
		names[x] = "strain-" + id
	}
	return names
}()

// beat tells the first of some beats and says how many it has told: cards drawn together are one sentence.
func (t *teller) beat(beats []story.Beat) int {
	e := beats[0]
	c := Card(e.Player)
	switch e.Rule {
	case "":
		if e.Kind == env.SeenAction {
			t.action(e.Seen)
			return 1
		}
		return t.card(beats)
	case "turn":
		t.elections()
		t.turn()
	case "draws":
		return t.drawsSome(beats)
	case "collapse":
		t.Say(e.Rule, env.Over, 0, story.Args{"n": int(e.Player)})
	case "recedes-major", "recedes-minor":
		t.Say(e.Rule, env.Over, 0, story.Args{"sector": t.sector(Sector(e.Player))})
	case "strike-removes":
		t.Say(e.Rule, env.Over, 0, story.Args{"sector": t.sector(c.Sector()), "practice": t.practice(c, true)})
	case "strike-strains", "strike-places":
		t.Say(e.Rule, env.Over, 0, story.Args{"sector": t.sector(c.Sector()), "practice": t.practice(c, false)})
	case "lost":
		c = Card(e.Player % numCards)
		practice := t.practice(c, e.Player < numCards)
		t.Say(e.Rule, env.Over, 0, story.Args{"sector": t.sector(c.Sector()), "practice": practice})
	case "unsettled":
		t.Say(e.Rule, env.Over, 0, story.Args{"n": int(e.Player)})
	default: // strain
		if t.Changes != nil {
			t.Say("strain-"+e.Rule, env.Over, 0, nil)
		}
	}
	return 1
}

func (t *teller) sector(x Sector) story.Name {
	return story.Name{Kind: "sector", ID: sectorIDs[x], Text: t.after.game.sectorName(x)}
}

func (t *teller) character(k Character) story.Name {
	return story.Name{Kind: "character", ID: characterIDs[k], Text: t.after.game.characterName(k)}
}

// practice is a practice by one of its sides.
func (t *teller) practice(c Card, sustainable bool) story.Name {
	name := story.Name{Kind: "practice", ID: c.String(), Text: t.after.game.practiceName(c, sustainable)}
	if !sustainable {
		name.ID = c.unsustainable()
	}
	return name
}

func (t *teller) cardName(c Card) story.Name {
	return story.Name{Kind: "card", ID: c.String(), Text: t.after.game.cardName(c)}
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

// setUp tells how the game begins, up to the first decision.
func (t *teller) setUp(beats []story.Beat) int {
	s := t.after
	var practices []any
	for _, e := range beats {
		if id, dealt := strings.CutPrefix(e.Text, "deal practice = "); dealt {
			for c := range Card(numPractices) {
				if c.unsustainable() == id {
					practices = append(practices, t.practice(c, false))
				}
			}
		}
	}
	t.Say("start", env.Over, len(practices), story.Args{"practices": practices})
	seen := beats[len(practices):]
	for ; len(seen) > 0 && seen[0].Kind == env.SeenChance; seen = seen[1:] {
		t.draw(seen[0].Seen)
	}
	if s.decision == atChoose {
		return len(beats)
	}
	t.seats()
	t.turn()
	for len(seen) > 0 { // what the first turn begins with
		seen = seen[t.card(seen):]
	}
	return len(beats)
}

// seats tells who plays whom.
func (t *teller) seats() {
	for _, k := range t.after.cast[:t.after.castSize] {
		t.Say("cast", env.Player(t.after.seat[k]), 0, story.Args{"character": t.character(k)})
	}
}

// draw tells a draw of chance that everybody sees.
func (t *teller) draw(e env.Seen) {
	event, outcome, _ := strings.Cut(e.Text, " = ")
	switch event {
	case "draw character":
		t.Say("drawn", env.Over, 1, story.Args{"character": t.character(Character(slices.Index(characterIDs[:], outcome)))})
	case "roll":
		k := t.after.game.faces[slices.Index(faceIDs[:], outcome)]
		t.Say("roll", env.Over, 1, story.Args{"face": outcome, "character": t.character(k)})
	case "election-shuffle":
		var cards []any
		for _, id := range strings.Fields(outcome) {
			cards = append(cards, t.cardName(cardOf(id)))
		}
		t.Say("dealt", env.Over, 1, story.Args{"cards": cards})
	}
}

// turn tells whose turn begins.
func (t *teller) turn() {
	s := t.after
	t.Say("turn", s.activeSeat(), 0, story.Args{"year": int(s.year), "turn": int(s.turn),
		"character": t.character(s.active)})
}

// action tells a decision.
func (t *teller) action(e env.Seen) {
	s, p := t.before, e.Player
	a, err := s.game.info.Parse(e.Text)
	k, _ := s.decider()
	switch {
	case err != nil && e.Text == "discard": // a card that others don't see
		t.Say("discard-some", p, 1, story.Args{"character": t.character(k)})
	case err != nil:
		t.pending(p, "give", 0, 1, t.other())
	case aboutPractice(a), act.give.Has(a), act.major.Has(a), act.minor.Has(a):
		t.pending(p, s.game.info.Actions[a].Family, a, 1, t.other())
	case s.decision == atTo:
		t.pending(p, "give", env.Action(s.inside.pending), 1, Character(a-to))
	case act.discard.Has(a) && s.decision != atDiscard:
		t.Say("pays", p, 1, story.Args{"character": t.character(k), "card": t.cardName(Card(a - discard))})
		t.goesOn(p)
	case act.circle.Has(a):
		t.Say("circle", p, 1, story.Args{"character": t.character(k), "circle": int(a - circle)})
		t.goesOn(p)
	case act.choose.Has(a):
		t.Say("choose", p, 1, story.Args{"character": t.character(Character(a - choose))})
	default:
		key, args := t.deed(a)
		t.Say(key, p, 1, args)
	}
}

// deed is the sentence of an action that is done with it, and what stands in it.
func (t *teller) deed(a env.Action) (key string, args story.Args) {
	s := t.before
	k, _ := s.decider()
	key, args = strings.ReplaceAll(s.game.info.Actions[a].Family, " ", "-"), story.Args{"character": t.character(k)}
	switch {
	case act.clean.Has(a):
		args["sector"], args["n"] = t.sector(Sector((a-clean)/maxCleanUp)), int(a-clean)%maxCleanUp+1
	case act.to.Has(a):
		key, args["other"] = "looked-to-some", t.character(Character(a-to))
		if !s.hidden(t.viewer) {
			key, args["card"] = "looked-to", t.cardName(s.inside.card)
		}
	case act.token.Has(a):
		c := Card(a - token)
		key, args["practice"] = "token-regenerate", t.practice(c, s.sustainable.Has(c))
		switch {
		case s.decision == atTrim || s.regeneration.Has(c):
			key = "token-lifted"
		case s.active == Activist:
			key = "token-protest"
		}
	case a == startUp:
		args["n"] = int(s.newStartUps())
	case act.top.Has(a):
		args["card"] = t.cardName(s.inside.order[a-top])
	case act.move.Has(a):
		from, to := movePair(a)
		args["sector"], args["other"] = t.sector(from), t.sector(to)
	case act.discard.Has(a):
		args["card"] = t.cardName(Card(a - discard))
	case act.want.Has(a), act.plan.Has(a):
		args["sector"] = t.sector(Sector(a-want) % NumSectors)
	}
	return key, args
}

// goesOn tells what a card or a circle was chosen for, if it has come about.
func (t *teller) goesOn(p env.Player) {
	if t.after.decision != atCircle {
		a := env.Action(t.before.inside.pending)
		t.pending(p, t.before.game.info.Actions[a].Family, a, 0, 0)
	}
}

// pending tells an action that may need a card to pay with, a circle, or somebody who gets it, before it comes about.
func (t *teller) pending(p env.Player, family string, a env.Action, tells int, receiver Character) {
	b, s := t.before, t.after
	args := story.Args{"character": t.character(b.active)}
	key, waits := family, s.decision == atPay || s.decision == atCircle || s.decision == atTo
	switch family {
	case "give":
		if b.hidden(t.viewer) {
			key += "-some"
		} else {
			args["card"] = t.cardName(Card(a - give))
		}
		if !waits {
			args["other"] = t.character(receiver)
		}
	case "major":
		args["sector"] = t.sector(Sector(a - major))
	case "minor":
		args["sector"] = t.sector(Sector(a - minor))
	default:
		c := practiceOf(a)
		args["sector"], args["practice"], args["other"] = t.sector(c.Sector()), t.practice(c, family == "create"),
			t.practice(c, true)
	}
	if waits {
		t.Say("wants-"+key, p, tells, args)
		return
	}
	if b.decision == atActions && family != "give" {
		t.paidByItself(p, a)
	}
	t.Say(key, p, tells, args, t.Take()...)
	if n := len(t.Facts); tells > 0 && n > 1 && t.Facts[n-2].Key == "pays-by-itself" { // the action comes first
		t.Facts[n-2], t.Facts[n-1] = t.Facts[n-1], t.Facts[n-2]
	}
}

// paidByItself tells the card that paid for an action without a choice.
func (t *teller) paidByItself(p env.Player, a env.Action) {
	used := t.after.facedUp(t.viewer) &^ t.before.facedUp(t.viewer)
	if aboutPractice(a) {
		used &^= Only(practiceOf(a))
	}
	if used &= Of(pendingSector(a)); used != 0 && t.after.turn == t.before.turn {
		t.Say("pays-by-itself", p, 0, story.Args{"card": t.cardName(used.First())})
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

// other is who gets a card where only one can.
func (t *teller) other() Character {
	others := t.before.inPlay &^ bit(t.before.active)
	if others == 0 {
		return t.before.active
	}
	return Character(others.first())
}

// card tells the first of some cards that are shown and says how many it has told: cards drawn together are one
// sentence. Draws of chance come among them.
func (t *teller) card(seen []story.Beat) int {
	e := seen[0]
	if e.Kind == env.SeenChance {
		t.draw(e.Seen)
		return 1
	}
	at := strings.LastIndexByte(e.Text, ' ')
	verb, c := e.Text[:at], cardOf(e.Text[at+1:])
	sector := story.Args{"sector": t.sector(c.Sector())}
	switch verb {
	case "draw", "look at", "strike draws":
		var cards []Card
		n := 0
		for ; n < len(seen); n++ {
			id, same := strings.CutPrefix(seen[n].Text, verb+" ")
			if same {
				cards = append(cards, cardOf(id))
			} else if seen[n].Rule != "draws" || n+1 == len(seen) || !strings.HasPrefix(seen[n+1].Text, "draw ") {
				break
			}
		}
		t.Join(n)
		t.drawn(verb, cards)
		return n
	case "strike":
		t.Say("strike", env.Over, 1, sector)
	case "struck already":
		t.Say("again", env.Over, 1, sector)
	case "set aside":
		t.Say("aside", env.Over, 1, sector)
	default: // collapse
		t.Say("crater", env.Over, 1, sector)
	}
	return 1
}

// drawn tells cards that the viewer sees.
func (t *teller) drawn(verb string, cards []Card) {
	var names []any
	for _, c := range cards {
		if verb == "strike draws" {
			names = append(names, t.practice(c, t.before.sustainable.Has(c)))
		} else {
			names = append(names, t.cardName(c))
		}
	}
	say := func(key string, k Character, p int8) {
		t.Say(key, env.Player(p), len(cards), story.Args{"character": t.character(k), "cards": names})
	}
	switch k := t.before.active; verb {
	case "draw":
		say("draws", t.drawer, t.after.seat[t.drawer])
	case "look at":
		say("looks-at", k, t.before.seat[k])
	default:
		t.Say("strike-turns", env.Over, len(cards), story.Args{"practices": names})
	}
}

// drawsSome tells how many cards a character has drawn, to those who don't see which.
func (t *teller) drawsSome(beats []story.Beat) int {
	t.drawer = Character(beats[0].Player)
	if len(beats) > 1 && strings.HasPrefix(beats[1].Text, "draw ") { // it is seen
		return 1
	}
	n := 1
	for n < len(beats) && beats[n].Rule == "draws" {
		n++
	}
	t.Say("draws-some", env.Player(t.after.seat[t.drawer]), 0, story.Args{"character": t.character(t.drawer), "n": n})
	return n
}

// elections tells who plays whom from now on, and the tokens that go with those voted out.
func (t *teller) elections() {
	b, s := t.before, t.after
	if b.decision == atChoose {
		t.seats()
		return
	}
	for k := range Character(NumCharacters) {
		switch {
		case b.inPlay.plays(k) && !s.inPlay.plays(k):
			t.Say("voted-out", env.Over, 0, story.Args{"character": t.character(k)})
		case !b.inPlay.plays(k) && s.inPlay.plays(k):
			t.Say("elected", env.Player(s.seat[k]), 0, story.Args{"character": t.character(k)})
		}
	}
	if s.game.tokensBack && b.inPlay != s.inPlay {
		for c := range Card(numPractices) {
			if (b.protest&^s.protest | b.regeneration&^s.regeneration).Has(c) && s.onBoard().Has(c) {
				practice := t.practice(c, b.sustainable.Has(c))
				t.Say("untoken", env.Over, 0, story.Args{"practice": practice, "sector": t.sector(c.Sector())})
			}
		}
	}
}

// end tells how the game has ended.
func (t *teller) end() {
	if s := t.after; s.decision == over {
		key := s.Reason()
		if s.result == fourthCollapse {
			key = "collapsed"
		}
		t.Say(key, env.Over, 0, story.Args{"n": s.score()})
	}
}
