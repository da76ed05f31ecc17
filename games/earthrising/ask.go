package earthrising

import (
	"fmt"
	"strings"

	"earthgym/env"
	"earthgym/env/spelling"
)

// Question implements env.Asker.
func (s *State) Question(p env.Player) string {
	if s.decision == over {
		return ""
	}
	as := ""
	if k, ok := s.decider(); ok {
		as = "as the " + s.game.characterName(k)
	}
	own := s.Actor() == p
	text := s.row().Direct
	switch {
	case !own:
		text = strings.TrimSpace(fmt.Sprintf("Player %d %s", s.Actor(), as)) + ": " + s.row().Question() + "."
	case as != "":
		text = "A" + as[1:] + ": " + text
	default:
		text = spelling.Capital(text)
	}
	for _, what := range s.subject(s.sees(p)) {
		text += " " + spelling.Capital(what) + "."
	}
	if own {
		text += " (" + s.row().Rule + ")"
	}
	return text
}

// subject is what the question is about: cards, as far as they are seen, an action, or strain.
func (s *State) subject(seen Set) (texts []string) {
	switch s.decision {
	case atLooked:
		if seen.Has(s.inside.card) {
			texts = append(texts, "the card: "+s.game.cardName(s.inside.card))
		}
	case atOrder:
		for j, c := range s.inside.order[:s.inside.orderSize] {
			if seen.Has(c) {
				texts = append(texts, fmt.Sprintf("place %d: %s", j, s.game.cardName(c)))
			}
		}
	case atPay, atCircle:
		texts = append(texts, "for: "+s.game.info.Actions[s.inside.pending].Text)
	case atClean:
		texts = append(texts, fmt.Sprintf("strain left to remove: %d", s.inside.credits))
	}
	return texts
}

// About implements env.Asker.
func (s *State) About(a env.Action) (what, which string) {
	info := &s.game.info.Actions[a]
	what = familyWords[info.Family]
	switch {
	case a == endTurn:
		return fmt.Sprintf("%s, which brings strain from %d to %d as things stand", what, s.total(), s.forecast().total()), ""
	case aboutPractice(a):
		c := practiceOf(a)
		return what + s.priceText(c.Sector()), s.game.practiceName(c, act.create.Has(a))
	case act.clean.Has(a):
		x, n := Sector((a-clean)/maxCleanUp), (a-clean)%maxCleanUp+1
		what = "Clean up strain of " + s.game.sectorName(x)
		if s.decision == atActions {
			what += fmt.Sprintf(" (1 action for %d in all)", s.game.data.Turn.CleanUp)
		}
		return what, fmt.Sprint(n)
	case act.give.Has(a):
		return what, s.game.cardName(Card(a - give))
	case a == draw && s.decision == atActions:
		return what + " (1 action)", ""
	case act.discard.Has(a):
		return what, s.game.cardName(Card(a - discard))
	case act.token.Has(a):
		c := Card(a - token)
		if (s.protest | s.regeneration).Has(c) { // those of the Activist can't be moved (ER-402)
			what = "Take the token off"
		}
		if s.decision == atActions {
			what += " (1 action for all that are moved)"
		}
		return what, s.game.practiceName(c, s.sustainable.Has(c))
	case a == startUp:
		return fmt.Sprintf("Found %s (1 action), each of which takes a person out of poverty",
			spelling.Counted(int(s.newStartUps()), "Start-Up")), ""
	case a == consult:
		return fmt.Sprintf("Look at the top %d of the deck and order them (1 action)", s.Looks()), ""
	case act.to.Has(a):
		return what, s.game.characterName(Character(a - to))
	case act.choose.Has(a):
		k := Character(a - choose)
		return "Choose who " + s.abilityText(k), s.game.characterName(k)
	case act.major.Has(a), act.minor.Has(a):
		x := pendingSector(a)
		price := " at home (free)"
		if x != s.active.Home() {
			price = " elsewhere (1 action and a card of the sector)"
		}
		return what + price, s.game.sectorName(x)
	case act.want.Has(a), act.plan.Has(a):
		return what, s.game.sectorName(Sector(a-want) % NumSectors)
	case act.move.Has(a):
		from, to := movePair(a)
		return what, s.game.sectorName(from) + " to " + s.game.sectorName(to)
	case len(info.Args) > 0:
		return what, strings.Join(info.Args, " ")
	}
	return what, ""
}

// priceText is what it takes to create, disband or flip a practice of a sector.
func (s *State) priceText(x Sector) string {
	if x == s.active.Home() {
		return " at home (1 action and its card)"
	}
	return " elsewhere (1 action, its card and another of the sector)"
}

// abilityText says what a character can do beside what all can, and how far it goes now.
func (s *State) abilityText(k Character) string {
	n := s.limit(k)
	switch k {
	case Activist:
		return fmt.Sprintf("puts up to %d Protest on unsustainable practices, which can then be flipped and not only "+
			"disbanded", n)
	case Innovator:
		return fmt.Sprintf("founds up to %s, each of which takes a person out of poverty",
			spelling.Counted(int(n), "Start-Up"))
	case Investor:
		return fmt.Sprintf("looks at up to %s in each drawing, to give away or put under the deck",
			spelling.Counted(int(n), "extra card"))
	case Ecologist:
		return fmt.Sprintf("puts up to %d Regeneration on sustainable practices, which then take off %d", n,
			s.game.data.Strain.Regenerating)
	case Climatologist:
		return fmt.Sprintf("moves up to %d strain between sectors in each turn, also of others, for free", n)
	}
	return fmt.Sprintf("looks at the top %d of the deck and orders them", n)
}

// Inside implements env.Asker.
func (s *State) Inside() string { return s.row().GoesOn() }

// Effects implements env.Asker.
func (s *State) Effects(a env.Action) []env.Effect {
	switch {
	case s.decision == atActions && a == endTurn:
		after := *s
		if after.endTurn(nil); after.decision == atWindow && after.inside.window == windowC {
			return nil // the strain phases are still to come
		}
		return []env.Effect{{Player: env.Over, What: "strain", By: s.forecast().total() - s.total(), Unless: true}}
	case s.decision == atActions && (a == draw || a == refresh):
		return []env.Effect{{Player: env.Over, What: "actions", By: -1, Unless: true}}
	}
	after, alone := *s, *s
	alone.foreseen = true // the turn does not end by itself
	after.Apply(a, nil)
	alone.Apply(a, nil)
	if alone.actions != after.actions || alone.decision != after.decision {
		return nil
	}
	spent, cards, list := 1, 0, []env.Effect(nil)
	own := func(what string, by int) { list = append(list, env.Effect{Player: env.Over, What: what, By: by}) }
	switch {
	case act.clean.Has(a) && (s.decision == atActions || s.decision == atClean):
		own("strain-"+sectorIDs[(a-clean)/maxCleanUp], -(int(a-clean)%maxCleanUp + 1))
		own("strain", -(int(a-clean)%maxCleanUp + 1))
		if s.decision == atClean {
			spent = 0
		}
	case s.decision != atActions:
		return nil
	case aboutPractice(a):
		cards = -1
		x := practiceOf(a).Sector()
		if x != s.active.Home() && (s.hand[s.active]&Of(x)).Rest().Rest() == 0 {
			cards = -2 // the second one is asked for only where there is a choice
		}
	case act.give.Has(a) && (s.inPlay&^bit(s.active)).rest() == 0:
		cards = -1
	case a == startUp:
		own("start-ups", int(s.newStartUps()))
		own("poverty", -int(s.newStartUps()))
	case a == consult && s.Looks() > 1: // a single card goes back at once
		own("looked at", s.Looks())
	case act.move.Has(a), a == ask, act.want.Has(a), act.plan.Has(a):
		spent = 0
	case act.major.Has(a), act.minor.Has(a):
		if x := pendingSector(a); x == s.active.Home() {
			spent = 0
			own("segments", 1)
		} else if (s.hand[s.active] & Of(x)).Rest() == 0 {
			cards = -1
			own("segments", 1)
		}
	}
	own("actions", -spent)
	own("cards", cards)
	return list
}

// Counters implements env.Asker: those of the story, and what there is of the character whose turn it is.
func (s *State) Counters() []env.Counter {
	list := s.AppendCounters(nil)
	for _, c := range []struct {
		what  string
		value int
	}{
		{"strain", s.total()}, {"start-ups", int(s.startups)}, {"looked at", int(s.inside.orderSize)},
		{"segments", s.major.count() + s.minor.count()}, {"actions", int(s.actions)}, {"cards", s.hand[s.active].Count()},
	} {
		list = append(list, env.Counter{Player: env.Over, What: c.what, Value: c.value})
	}
	return list
}
