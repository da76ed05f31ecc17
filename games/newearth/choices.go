package newearth

import (
	"fmt"
	"slices"

	"earthgym/env"
	"earthgym/env/board"
)

// What may be done now, for those who read it: the legal actions by family, in the game's words.

// choice is the legal actions of a family: what they do, and how they are written, several together where
// only their last words differ: "zone A1, B4", "amount 0-19".
type choice struct {
	about   string
	actions []string
}

// choices are all legal actions; what ends the asking comes last.
func (s *State) choices() []choice {
	var list []choice
	for _, a := range s.legal().Append(nil) {
		about := s.about(a)
		i := slices.IndexFunc(list, func(c choice) bool { return c.about == about })
		if i < 0 {
			i = len(list)
			list = append(list, choice{about: about})
		}
		list[i].actions = append(list[i].actions, s.game.info.Actions[a].Text)
	}
	if i := slices.IndexFunc(list,
		func(c choice) bool { return slices.Contains(c.actions, s.game.info.Actions[Done].Text) }); i >= 0 {
		list = append(slices.Delete(list, i, i+1), choice{s.about(Done), []string{s.game.info.Actions[Done].Text}})
	}
	for i := range list {
		list[i].actions = board.Group(list[i].actions)
	}
	return list
}

// about says in the game's words what an action does now.
func (s *State) about(a env.Action) string {
	if act.offer.Has(a) {
		return fmt.Sprintf("Offer to %s", seatNames[(int(s.seat)+1+act.offer.Index(a))%s.game.players])
	}
	if does, _ := s.row().About(s, env.Player(s.seat), a); does != "" {
		return does
	}
	return familyWords[s.game.info.Actions[a].Family]
}

// familyWords say what the actions of a family do in most decisions.
var familyWords = map[string]string{
	"zone": "Zone", "machine": "Buy a machine for", "worker": "Buy a machine that becomes a worker in",
	"mfg": "Buy a machine that becomes a manufacturing worker in", "amount": "Name", "plus20": "Add 20, and go on",
	"play": "Play", "discard": "Discard", "sell": "Sell for cash", "unit": "Trade in for a unit",
	"strike": "Play the Catastrophe card",
	"tile":   "Home tile", "goods": "Buy Consumer Goods", "bulk": "Buy four machines",
	"plant": "Buy a Manufacturing Plant",
	"city":  "Convert a zone to a city, for four different City cards and money",
	"raise": "Raise all that can be by a level (for goods)", "yes": "Agree", "no": "Decline", "done": "Nothing more",
	"mining": "The zone becomes", "energy": "The zone becomes", "propose": "Send the offer", "give": "Give",
	"want": "Want",
}
