package earthrising

import (
	"fmt"
	"math/bits"

	"earthgym/env"
)

// phaseAsks says what is decided in each phase, for whoever tries something else.
var phaseAsks = [numDecisions]string{
	atChoose:  "a character is being chosen (ER-110)",
	atWindow:  "the Climatologist is asked for moves; done ends it (ER-444)",
	atDraw:    "the Eco Investor is drawing: look, draw or done (ER-422)",
	atLooked:  "the Eco Investor holds an extra card: give it to a character or put it at the bottom (ER-423)",
	atTrim:    "a token has to be taken off first, as it is no longer supported (ER-460)",
	atDiscard: "cards beyond the hand limit have to be discarded first (ER-205)",
	atActions: "the character is taking its actions (ER-301)",
	atPay:     "the card that pays has to be chosen first (ER-305)",
	atCircle:  "the circle of the new counter has to be chosen first (ER-012)",
	atClean:   "the rest of the Clean Up has to be used first (ER-310)",
	atTo:      "who gets the card has to be chosen first (ER-312)",
	atTokens:  "more tokens may be moved in this action; done ends it (ER-401, ER-432)",
	atOrder:   "the Politician is putting cards back: top or keep (ER-452)",
	over:      "the game is over",
}

// Why says why an action is not legal now; it is "" if it is.
func (s *State) Why(a env.Action) string {
	if a < 0 || int(a) >= numActions {
		return fmt.Sprintf("there is no such action: they are 0 to %d", numActions-1)
	}
	var words [(numActions + 63) / 64]uint64
	if s.Legal(words[:]); env.Mask(words[:]).Has(a) {
		return ""
	}
	if reason := s.whyInside(a); reason != "" {
		return reason
	}
	if s.decision != atActions {
		return phaseAsks[s.decision]
	}
	return s.whyNoAction(a)
}

// whyInside is the reason where the family fits the phase of a decision inside another, or "".
func (s *State) whyInside(a env.Action) string {
	switch {
	case s.decision == atChoose && a >= choose && a < want:
		return fmt.Sprintf("the %s has been taken (ER-110)", Character(a-choose))
	case s.decision == atWindow && a >= move && a < ask:
		return s.whyNoMove(a)
	case s.decision == atDraw && a == look:
		return "no extra look is left in this drawing (ER-421)"
	case s.decision == atDraw && a == draw:
		return "no normal card is left to draw; done ends the drawing (ER-422)"
	case s.decision == atDraw && a == done:
		return "normal cards are left to draw (ER-422)"
	case (s.decision == atLooked || s.decision == atTo) && a >= to && a < refresh:
		if k := Character(a - to); s.inPlay.plays(k) {
			return fmt.Sprintf("the %s can't keep or get the card itself (ER-312, ER-423)", k)
		}
		return fmt.Sprintf("the %s is not in play (ER-312)", Character(a-to))
	case s.decision == atTrim && a >= token && a < startUp:
		return fmt.Sprintf("no surplus token of the %s lies there (ER-460)", s.trims())
	case s.decision == atTokens && a >= token && a < startUp:
		return s.whyNoToken(Card(a - token))
	case s.decision == atDiscard && a >= discard && a < circle:
		return fmt.Sprintf("%s is not in the hand (ER-205)", Card(a-discard))
	case s.decision == atPay && a >= discard && a < circle:
		return fmt.Sprintf("%s can't pay: it takes another card of %s from the hand (ER-305)",
			Card(a-discard), pendingSector(env.Action(s.inside.pending)))
	case s.decision == atCircle && a >= circle && a < choose:
		return fmt.Sprintf("circle %d of %s is not vacant and open (ER-012)", a-circle, pendingSector(env.Action(s.inside.pending)))
	case s.decision == atClean && a >= clean && a < give:
		return s.whyNoCleanUp(a, s.inside.credits)
	case s.decision == atOrder && a >= top && a < keep:
		return fmt.Sprintf("place %d has been named or wasn't looked at (ER-452)", a-top)
	}
	return ""
}

// whyNoAction is the reason in step 2.
func (s *State) whyNoAction(a env.Action) string {
	switch {
	case a >= major && a < minor:
		return s.whyNoMajor(Sector(a - major))
	case a >= minor && a < discard:
		return s.whyNoMinor(Sector(a - minor))
	case a >= move && a < ask:
		return s.whyNoMove(a)
	case a == ask:
		return s.whyNoAsk()
	case a >= want:
		if !s.game.talk {
			return "signals need the option talk=on (ER-925)"
		}
		return "two signals have been made in this turn (ER-925)"
	case a == done, a == look, a == bottom, a >= to && a < refresh, a >= top && a < move, a >= discard:
		return phaseAsks[atActions]
	case s.actions == 0:
		return "no action is left in this turn (ER-301)"
	case a < clean:
		return s.whyNoEffect(a)
	case a < give:
		return s.whyNoCleanUp(a, int8(s.game.data.Turn.CleanUp))
	case a < to:
		return fmt.Sprintf("%s is not in the hand (ER-312)", Card(a-give))
	case a < startUp:
		return s.whyNoToken(Card(a - token))
	case a == startUp:
		switch {
		case s.active != Innovator:
			return "only the Innovator places Start-Ups (ER-411)"
		case s.poverty == 0:
			return "nobody is poor (ER-411)"
		}
		return fmt.Sprintf("all %d Start-Ups that are supported have been placed (ER-411)", s.limit(Innovator))
	}
	if s.active != Politician {
		return "only the Grass Roots Politician looks at the deck (ER-451)"
	}
	return "there is no card to look at (ER-451)"
}

// whyNoEffect is about creating, disbanding and flipping.
func (s *State) whyNoEffect(a env.Action) string {
	p := practiceOf(a)
	x := p.Sector()
	switch {
	case a < disband && s.unsustainable.Has(p):
		return fmt.Sprintf("%s lies on the board: disband it first (ER-304)", p.unsustainable())
	case a < disband && s.sustainable.Has(p):
		return fmt.Sprintf("%s is on the board already (ER-304)", p)
	case a < disband && s.vacantCircles(x) == 0:
		return fmt.Sprintf("%s has no vacant circle (ER-013)", x)
	case a >= disband && s.sustainable.Has(p):
		return fmt.Sprintf("%s is sustainable on the board (ER-308)", p)
	case a >= disband && !s.unsustainable.Has(p):
		return fmt.Sprintf("%s is not on the board (ER-306)", p.unsustainable())
	case a >= flip && !s.protest.Has(p):
		return fmt.Sprintf("no Protest token lies on %s (ER-404)", p.unsustainable())
	case !s.hand[s.active].Has(p):
		return fmt.Sprintf("the card %s is not in the hand of the %s (ER-302, ER-306)", p, s.active)
	}
	return fmt.Sprintf("outside its own sector the %s needs a second card of %s (ER-303, ER-307)", s.active, x)
}

func (s *State) whyNoCleanUp(a env.Action, most int8) string {
	x, n := Sector((a-clean)/maxCleanUp), int8((a-clean)%maxCleanUp)+1
	if n > most {
		return fmt.Sprintf("%d strain is left to remove in this Clean Up, not %d (ER-310)", most, n)
	}
	return fmt.Sprintf("%s has %d strain (ER-310)", x, s.strain[x])
}

func (s *State) whyNoToken(p Card) string {
	switch {
	case s.active != Activist && s.active != Ecologist:
		return fmt.Sprintf("the %s has no tokens to put on practices (ER-401, ER-431)", s.active)
	case s.inside.touched.Has(p):
		return "the practice has been touched in this action (ER-432)"
	case s.active == Activist && !s.unsustainable.Has(p):
		return fmt.Sprintf("%s is not on the board (ER-401)", p.unsustainable())
	case s.active == Activist && s.protest.Has(p):
		return "a Protest token lies there already (ER-402)"
	case s.active == Ecologist && !s.sustainable.Has(p):
		return fmt.Sprintf("%s is not on the board (ER-431)", p)
	case s.active == Ecologist && s.sustainable&^s.regeneration == 0:
		return "every sustainable practice has a Regeneration token (ER-432)"
	}
	return fmt.Sprintf("%d tokens are supported, and they are on the board (ER-402, ER-431)", s.limit(s.active))
}

func (s *State) whyNoMove(a env.Action) string {
	from, to := movePair(a)
	switch {
	case !s.inPlay.plays(Climatologist):
		return "the Climatologist is not in play (ER-462)"
	case s.decision == atActions && env.Player(s.seat[Climatologist]) != s.activeSeat():
		return "the Climatologist belongs to another seat: ask (ER-444)"
	case s.allowance() == 0:
		return fmt.Sprintf("%d strain has been moved in this turn (ER-442)", s.moves)
	case s.strain[from] == 0:
		return fmt.Sprintf("%s has no strain (ER-441)", from)
	}
	return fmt.Sprintf("no burden of %s has room: it bears %d and has %d (ER-441)", to, s.tolerance(to), s.strain[to])
}

func (s *State) whyNoAsk() string {
	switch {
	case !s.inPlay.plays(Climatologist):
		return "the Climatologist is not in play (ER-445)"
	case env.Player(s.seat[Climatologist]) == s.activeSeat():
		return "the Climatologist is your own (ER-445)"
	case !s.moveLegal():
		return "the Climatologist has no legal move (ER-445)"
	}
	return "the Climatologist has been asked since the last action (ER-445)"
}

func (s *State) whyNoMajor(x Sector) string {
	switch {
	case s.major.has(x):
		return fmt.Sprintf("the Major of %s is in the centre (ER-320)", x)
	case !s.majorClear(x):
		return fmt.Sprintf("the Major of %s has %d strain on it (ER-320)", x, s.strain[x]-s.onMinor(x))
	}
	return s.whyNoTransform(x)
}

func (s *State) whyNoMinor(x Sector) string {
	missing := sectorSet(s.game.beside[x]) &^ s.major
	switch {
	case s.minor.has(x):
		return fmt.Sprintf("the Minor of %s is in the centre (ER-323)", x)
	case missing != 0:
		return fmt.Sprintf("the Major of %s is not in the centre (ER-323)", Sector(bits.TrailingZeros8(uint8(missing))))
	case s.strain[x] > 0:
		return fmt.Sprintf("%s has %d strain (ER-323)", x, s.strain[x])
	}
	return s.whyNoTransform(x)
}

// whyNoTransform is about the cost of a segment elsewhere.
func (s *State) whyNoTransform(x Sector) string {
	if s.actions == 0 {
		return "no action is left in this turn (ER-321)"
	}
	return fmt.Sprintf("outside its own sector the %s needs a card of %s (ER-321)", s.active, x)
}
