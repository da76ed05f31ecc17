package oneearth

import (
	"math/bits"

	"earthgym/env"
)

// npcTurn is the Military General's turn, OE-231 to OE-235. It says whether the game goes on.
func (s *State) npcTurn(tape *env.Tape) bool {
	card := &s.game.Components.Automa[s.drawAutoma(tape)]
	for slot, x := range s.Row { // OE-232
		if card.Slots>>slot&1 != 0 && x >= 0 {
			s.Row[slot] = NoProject
			s.Gone[x]++
			s.NPCTaken[x]++
		}
	}
	s.refill(tape)
	if card.Technology { // OE-233
		s.discardRandom(tape, "npc-tech", s.Technologies[:], technologyIDs[:], s.game.boxTechnologies)
	}
	if card.Policy {
		s.discardRandom(tape, "npc-policy", s.Policies[:], policyIDs[:], s.game.boxPolicies)
	}
	tape.Mark("npc-moves", env.Over)
	if s.game.Players == 2 { // OE-234
		s.moveGlobal(card.G2)
	} else {
		s.moveGlobal(card.G1)
		s.NPCProsperity += int16(card.P1)
		s.NPCPoints += int16(card.VP)
	}
	return s.checkpoint()
}

// drawAutoma is OE-231 and OE-236: at random within the first group that has cards; an empty deck is
// stacked anew.
func (s *State) drawAutoma(tape *env.Tape) Automa {
	set := s.lowestGroup()
	if set == 0 {
		s.AutomaDrawn = 0
		set = s.lowestGroup()
	}
	a := tape.Weighted(&s.luck[automaStream], env.Everybody, "automa", NumAutoma,
		func(i int) int { return int(set >> i & 1) }, func(i int) string { return automaIDs[i] })
	s.AutomaDrawn |= 1 << a
	return Automa(a)
}

// lowestGroup is the cards left in the first group that has any.
func (s *State) lowestGroup() uint16 {
	for _, group := range s.game.automa {
		if set := group &^ s.AutomaDrawn; set != 0 {
			return set
		}
	}
	return 0
}

// automaLeft is the number of Automa cards in the deck.
func (s *State) automaLeft() int {
	return bits.OnesCount16((s.game.automa[0] | s.game.automa[1] | s.game.automa[2]) &^ s.AutomaDrawn)
}

// discardRandom is OE-233: one random card of a searchable deck, if there is one.
func (s *State) discardRandom(tape *env.Tape, event string, owners []int8, ids []string, inBox uint8) {
	weight := func(i int) int { return index(owners[i] == inDeck && inBox>>i&1 != 0) }
	for i := range owners {
		if weight(i) > 0 {
			owners[tape.Weighted(&s.luck[npcStream], env.Everybody, event, len(owners), weight, func(i int) string {
				return ids[i]
			})] = withNPC
			return
		}
	}
}

// npcManufacturing is the number of manufacturing Projects that the NPC has discarded (OE-237).
func (s *State) npcManufacturing() int {
	n := 0
	for set := s.game.Components.Sectors[Manufacturing]; set != 0; set &= set - 1 {
		n += int(s.NPCTaken[set.First()])
	}
	return n
}

// NPCScore is OE-252.
func (s *State) NPCScore() int {
	score := int(s.NPCProsperity)
	if s.game.Difficulty >= Medium {
		score += s.game.Components.Constants.NPCManufacturingVP * s.npcManufacturing()
	}
	if s.game.Difficulty >= Hard {
		score += int(s.NPCPoints)
	}
	return score
}
