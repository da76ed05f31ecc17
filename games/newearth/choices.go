package newearth

import (
	"fmt"

	"earthgym/env"
)

// What may be done now, for those who read it: the legal actions by family, in the game's words.

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
