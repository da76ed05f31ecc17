package earthrising

import (
	"fmt"
	"math/bits"

	"earthgym/env"
)

// why is a closer answer than what is asked, where there is one.
func (s *State) why(_ env.Player, a env.Action) string {
	if reason := s.whyInside(a); reason != "" || s.decision != atActions {
		return reason
	}
	return s.whyNoAction(a)
}

// whyInside is the reason where the family fits the phase of a decision inside another, or "".
func (s *State) whyInside(a env.Action) string {
	switch {
	case s.decision == atChoose && act.choose.Has(a):
		return fmt.Sprintf("the %s has been taken (ER-110)", Character(a-choose))
	case s.decision == atWindow && act.move.Has(a):
		return s.whyNoMove(a)
	case s.decision == atDraw && a == look:
		return "no extra look is left in this drawing (ER-421)"
	case s.decision == atDraw && a == draw:
		return "no normal card is left to draw; done ends the drawing (ER-422)"
	case s.decision == atDraw && a == done:
		return "normal cards are left to draw (ER-422)"
	case (s.decision == atLooked || s.decision == atTo) && act.to.Has(a):
		if k := Character(a - to); s.inPlay.plays(k) {
			return fmt.Sprintf("the %s can't keep or get the card itself (ER-312, ER-423)", k)
		}
		return fmt.Sprintf("the %s is not in play (ER-312)", Character(a-to))
	case s.decision == atTrim && act.token.Has(a):
		return fmt.Sprintf("no surplus token of the %s lies there (ER-460)", s.trims())
	case s.decision == atTokens && act.token.Has(a):
		return s.whyNoToken(Card(a - token))
	case s.decision == atDiscard && act.discard.Has(a):
		return fmt.Sprintf("%s is not in the hand (ER-205)", Card(a-discard))
	case s.decision == atPay && act.discard.Has(a):
		return fmt.Sprintf("%s can't pay: it takes another card of %s from the hand (ER-305)", Card(a-discard), s.paidFor())
	case s.decision == atCircle && act.circle.Has(a):
		return fmt.Sprintf("circle %d of %s is not vacant and open (ER-012)", a-circle, s.paidFor())
	case s.decision == atClean && act.clean.Has(a):
		return s.whyNoCleanUp(a, s.inside.credits)
	case s.decision == atOrder && act.top.Has(a):
		return fmt.Sprintf("place %d has been named or wasn't looked at (ER-452)", a-top)
	}
	return ""
}

// whyNoAction is the reason in step 2.
func (s *State) whyNoAction(a env.Action) string {
	switch {
	case act.major.Has(a):
		return s.whyNoMajor(Sector(a - major))
	case act.minor.Has(a):
		return s.whyNoMinor(Sector(a - minor))
	case act.move.Has(a):
		return s.whyNoMove(a)
	case a == ask:
		return s.whyNoAsk()
	case act.want.Has(a), act.plan.Has(a):
		if !s.game.talk {
			return "signals need the option talk=on (ER-925)"
		}
		return "two signals have been made in this turn (ER-925)"
	case a == done, a == look, a == bottom, act.to.Has(a), act.top.Has(a), a == keep, act.discard.Has(a),
		act.circle.Has(a), act.choose.Has(a):
		return ""
	case s.actions == 0:
		return "no action is left in this turn (ER-301)"
	case aboutPractice(a):
		return s.whyNoEffect(a)
	case act.clean.Has(a):
		return s.whyNoCleanUp(a, int8(s.game.data.Turn.CleanUp))
	case act.give.Has(a):
		return fmt.Sprintf("%s is not in the hand (ER-312)", Card(a-give))
	case act.token.Has(a):
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
	case act.create.Has(a) && s.unsustainable.Has(p):
		return fmt.Sprintf("%s lies on the board: disband it first (ER-304)", p.unsustainable())
	case act.create.Has(a) && s.sustainable.Has(p):
		return fmt.Sprintf("%s is on the board already (ER-304)", p)
	case act.create.Has(a) && s.vacantCircles(x) == 0:
		return fmt.Sprintf("%s has no vacant circle (ER-013)", x)
	case !act.create.Has(a) && s.sustainable.Has(p):
		return fmt.Sprintf("%s is sustainable on the board (ER-308)", p)
	case !act.create.Has(a) && !s.unsustainable.Has(p):
		return fmt.Sprintf("%s is not on the board (ER-306)", p.unsustainable())
	case act.flip.Has(a) && !s.protest.Has(p):
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
	case !s.CanMove():
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
