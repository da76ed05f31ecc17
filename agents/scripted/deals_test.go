package scripted

import (
	"testing"

	"earthgym/env"
	"earthgym/games/newearth"
	"earthgym/games/resilience"
)

// Nobody takes what looks like a gift of a rival: the price of a city that is to fall while 2 RES still are land, or a
// pile of units for 1m.
func TestNoGiftsFromRivals(t *testing.T) {
	for _, test := range []struct {
		variant string
		offers  func(s env.State, legal env.Mask) env.Action // of seat 0, or -1
		asked   func(s env.State) bool                       // seat 0's offer is to be answered
		yes     env.Action
	}{
		{"resilience-earth:players=2", sellsRuin, replies, resilience.Yes},
		{"resilience-earth:players=3", sellsRuin, replies, resilience.Yes},
		{"resilience-earth:players=4", sellsRuin, replies, resilience.Yes},
		{"new-earth:players=2", sellsUnits, answers, newearth.Yes},
		{"new-earth:players=4", sellsUnits, answers, newearth.Yes},
	} {
		g, bot := strongAt(t, test.variant)
		s, legal := g.New(), make(env.Mask, g.Info().MaskWords())
		asked, taken := 0, 0
		for seed := range uint64(30) {
			s.Reset(seed, nil)
			for s.Actor() != env.Over {
				s.Legal(legal)
				a := env.Action(-1)
				if s.Actor() == 0 {
					a = test.offers(s, legal)
				}
				if a < 0 {
					a = bot.Choose(s, legal)
				}
				if test.asked(s) {
					if asked++; a == test.yes {
						taken++
					}
				}
				s.Apply(a, nil)
			}
		}
		if asked < 10 || taken > 0 {
			t.Errorf("%s: %d of %d gifts were taken", test.variant, taken, asked)
		}
	}
}

// sellsRuin offers to dismantle a building for 2 RES, in the first half of the game.
func sellsRuin(state env.State, legal env.Mask) env.Action {
	s := state.(*resilience.State)
	for place := 1; place < 4; place++ {
		if a := resilience.Offer(place, resilience.Serve); s.RoundsLeft() > 5 && s.Decision() == resilience.AtTurn &&
			legal.Has(a) {
			return a
		}
	}
	if a := resilience.Amount(2); s.Decision() == resilience.AtAmount && legal.Has(a) {
		return a
	}
	return -1
}

func replies(state env.State) bool {
	s := state.(*resilience.State)
	return s.Decision() == resilience.AtReply && s.Active() == 0 && s.RoundsLeft() > 5
}

// sellsUnits offers 5 mining for 1m.
func sellsUnits(state env.State, legal env.Mask) env.Action {
	s := state.(*newearth.State)
	if a := newearth.OfferTo(1); s.Decision() == newearth.AtDevelop && s.Has(0, newearth.Mining) >= 5 && legal.Has(a) {
		return a
	}
	if s.Decision() != newearth.AtOffer {
		return -1
	}
	next := newearth.Propose
	switch so := s.Offered(); {
	case so[newearth.Mining] == 0:
		next = newearth.Give(newearth.Mining, 5)
	case so[newearth.Cash] == 0:
		next = newearth.Want(newearth.Cash, 1)
	}
	if legal.Has(next) {
		return next
	}
	return newearth.No
}

func answers(state env.State) bool {
	s := state.(*newearth.State)
	return s.Decision() == newearth.AtOfferReply && s.Offerer() == 0 && s.Offered()[newearth.Mining] >= 5
}
