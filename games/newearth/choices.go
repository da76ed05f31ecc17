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
	for a := range env.Action(numActions) {
		if !s.mask.has(a) {
			continue
		}
		about := s.about(a)
		i := slices.IndexFunc(list, func(c choice) bool { return c.about == about })
		if i < 0 {
			i = len(list)
			list = append(list, choice{about: about})
		}
		list[i].actions = append(list[i].actions, s.game.info.Actions[a].Text)
	}
	if i := slices.IndexFunc(list, func(c choice) bool { return slices.Contains(c.actions, s.game.info.Actions[Done].Text) }); i >= 0 {
		list = append(slices.Delete(list, i, i+1), choice{s.about(Done), []string{s.game.info.Actions[Done].Text}})
	}
	for i := range list {
		list[i].actions = board.Group(list[i].actions)
	}
	return list
}

// about says in the game's words what an action does now.
func (s *State) about(a env.Action) string {
	if a >= offer0 && a < give0 {
		return fmt.Sprintf("Offer to %s", seatNames[(int(s.seat)+1+int(a-offer0))%s.game.players])
	}
	family := s.game.info.Actions[a].Family
	if about := nodeWords[s.node][family]; about != "" {
		return about
	}
	return familyWords[family]
}

// familyWords say what the actions of a family do at most nodes, nodeWords what they do at others.
var (
	familyWords = map[string]string{
		"zone": "Zone", "machine": "Buy a machine for", "worker": "Buy a machine that becomes a worker in",
		"mfg": "Buy a machine that becomes a manufacturing worker in", "amount": "Name", "plus20": "Add 20, and go on",
		"play": "Play", "discard": "Discard", "sell": "Sell for cash", "unit": "Trade in for a unit", "strike": "Play the Catastrophe card",
		"tile": "Home tile", "goods": "Buy Consumer Goods", "bulk": "Buy four machines", "plant": "Buy a Manufacturing Plant",
		"city": "Convert a zone to a city", "raise": "Raise a level", "yes": "Agree", "no": "Decline", "done": "Nothing more",
		"mining": "The zone becomes", "energy": "The zone becomes", "propose": "Send the offer", "give": "Give", "want": "Want",
	}
	nodeWords = [numNodes]map[string]string{
		AtSetupClaim:   {"zone": "Claim"},
		AtSetupMine:    {"zone": "Mining in"},
		AtSetupPlant:   {"zone": "The plant and its worker in"},
		AtSetupLeader:  {"zone": "The leader in"},
		AtCatZone:      {"zone": "Strike"},
		AtReceive:      {"yes": "Take it", "no": "Leave it"},
		AtNegate:       {"play": "Negate with", "no": "Let it strike"},
		AtNegateZone:   {"zone": "Save"},
		AtCatPurge:     {"play": "Be rid of it with", "done": "Keep it"},
		AtBulkPlace:    {"machine": "A machine in", "worker": "A worker in", "mfg": "A manufacturing worker in"},
		AtPlantZone:    {"zone": "The plant stands in"},
		AtShortage:     {"zone": "A level less in"},
		AtDevelop:      {"zone": "Raise"},
		AtCityZone:     {"zone": "The city is"},
		AtCityCard:     {"play": "Into the set"},
		AtFortifyZone:  {"zone": "Fortify"},
		AtElect:        {"zone": "Election in", "play": "Open further zones with", "done": "No election"},
		AtElectWide:    {"zone": "Election in"},
		AtJoin:         {"yes": "Join", "play": "Join with", "no": "Stay out"},
		AtCommitAmount: {"amount": "Commit"},
		AtIndepAmount:  {"amount": "Commit"},
		AtCommitCard:   {"play": "Commit", "done": "No more cards"},
		AtIndepCard:    {"play": "Commit", "done": "No more cards"},
		AtLeader:       {"zone": "The leader goes to", "done": "The leader stays"},
		AtMovePick:     {"machine": "Pick up a machine in", "worker": "Pick up a worker in", "mfg": "Pick up a manufacturing worker in"},
		AtMoveTo:       {"zone": "Put it down in"},
	}
)
