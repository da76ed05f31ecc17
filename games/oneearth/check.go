package oneearth

import (
	"errors"
	"fmt"

	"earthgym/env"
)

// Check tests the invariants of section 12 of RULES.md that every position shows, one that is read
// included. What only play guarantees, its tests check.
func (s *State) Check() error {
	for _, check := range []func() error{s.checkDerived, s.checkConserved, s.checkDecision} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// checkDerived compares the kept fields with what they follow from.
func (s *State) checkDerived() error {
	size := 0
	for _, n := range s.Deck {
		size += int(n)
	}
	if size != int(s.DeckSize) {
		return fmt.Errorf("the deck has %d Projects, its size is kept as %d", size, s.DeckSize)
	}
	for p := range s.game.Players {
		c := &s.Countries[p]
		for x := range Project(NumProjects) {
			if c.PlainSet.Has(x) != (c.Plain[x] > 0) || c.UpgradedSet.Has(x) != (c.Upgraded[x] > 0) {
				return fmt.Errorf("seat %d: the sets of Projects do not fit the copies of %s", p, x)
			}
		}
	}
	return nil
}

// checkConserved is the conserved quantities and invariants 1, 3, 5, 6 and 7.
func (s *State) checkConserved() error {
	for _, check := range []func() error{s.checkProjects, s.checkEmissions, s.checkUses, s.checkTokens, s.checkLeaders,
		s.checkNPC} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// checkProjects is invariant 1: every copy is in one place.
func (s *State) checkProjects() error {
	for x := range Project(NumProjects) {
		n := int(s.Deck[x] + s.Gone[x])
		for _, y := range s.Row {
			n += index(y == x)
		}
		for p := range s.game.Players {
			n += int(s.Countries[p].Plain[x] + s.Countries[p].Upgraded[x])
		}
		if want := s.game.Components.Projects[x].Copies; n != want {
			return fmt.Errorf("%d copies of %s in deck, row, tab and gone together; there are %d", n, x, want)
		}
		if s.NPCTaken[x] > s.Gone[x] {
			return fmt.Errorf("npc_taken.%s: %d, but only %d are gone", x, s.NPCTaken[x], s.Gone[x])
		}
	}
	return nil
}

// checkEmissions is invariant 3.
func (s *State) checkEmissions() error {
	if s.game.Players < 3 {
		return nil
	}
	sum, less := 0, 0
	for p := range s.game.Players {
		c := &s.Countries[p]
		sum += int(c.Emissions)
		if c.Leader == Environmentalist && c.AbilityUsed {
			less = s.game.Components.Leaders[Environmentalist].Ability
		}
	}
	if g := int(s.Global); g > sum || g < sum-less {
		return fmt.Errorf("g: %d where the Emissions of all countries are %d, less %d by an ability (OE-191)", g, sum, less)
	}
	return nil
}

// checkUses is invariant 6, and that Technologies and Policies have owners that can be.
func (s *State) checkUses() error {
	for t := range Technology(NumTechnologies) {
		used := 0
		for p := range s.game.Players {
			c := &s.Countries[p]
			used += int(c.Saved[t] + c.Loose[t])
			for x := range Project(NumProjects) {
				if s.game.tech[x] == t {
					used += int(c.Upgraded[x])
				}
			}
		}
		granted := 0
		if s.Technologies[t] >= 0 {
			granted = 1 + index(s.game.Advanced)
			if s.SharedTech == t {
				granted += s.game.Players - 1
			}
		}
		if used > granted {
			return fmt.Errorf("%s: %d uses on Projects, saved and loose together; %d were granted (OE-063, OE-064)", t, used,
				granted)
		}
		if s.Technologies[t] == withNPC && !s.game.WithNPC() {
			return fmt.Errorf("tech.%s: %d, but no NPC plays", t, withNPC)
		}
	}
	for x := range Project(NumProjects) {
		for p := range s.game.Players {
			if s.game.tech[x] < 0 && s.Countries[p].UpgradedSet.Has(x) {
				return fmt.Errorf("tab.%d: no Technology upgrades %s", p, x)
			}
		}
	}
	for i, owner := range s.Policies {
		if owner == withNPC && !s.game.WithNPC() {
			return fmt.Errorf("policy.%s: %d, but no NPC plays", policyIDs[i], withNPC)
		}
	}
	return nil
}

// checkTokens is invariant 7, and that Resolutions are where they can be.
func (s *State) checkTokens() error {
	for r := range Resolution(NumResolutions) {
		if s.Resolutions[r] != InDeck && !s.game.Diplomatic() {
			return fmt.Errorf("resolution.%s: %s, but the game has no Resolutions (OE-020, OE-230)", r, s.Resolutions[r])
		}
		if s.YesVoters[r] != env.Nobody && (s.Resolutions[r] != Passed || !r.Voted()) {
			return fmt.Errorf("yes_voters.%s: it has not been passed by a vote", r)
		}
	}
	tokens := 0
	if s.game.Diplomatic() {
		tokens = s.game.Components.Constants.Tokens
	}
	total, voters := 0, 0
	for _, set := range s.YesVoters {
		voters += set.Count()
	}
	for p := range s.game.Players {
		c := &s.Countries[p]
		total += int(c.Support)
		if int(c.Tokens+c.Support) != tokens {
			return fmt.Errorf("tokens.%d: %d in hand and %d on Resolutions; a seat has %d", p, c.Tokens, c.Support, tokens)
		}
	}
	if total != voters {
		return fmt.Errorf("support: %d tokens in all lie on Resolutions, but yes_voters lists %d", total, voters)
	}
	if (s.SharedTech >= 0) != (s.Resolutions[ShareTech] == Passed) {
		return errors.New("shared_tech: it is named exactly if Share Technologies has passed (OE-166)")
	}
	if s.MarsFunders != env.Nobody && s.Resolutions[Mars] != Passed {
		return errors.New("mars_funder: Colonize Mars has not passed (OE-171)")
	}
	return nil
}

// checkLeaders is OE-017: different leaders, and such as this game has.
func (s *State) checkLeaders() error {
	taken := uint8(0)
	for p := range s.game.Players {
		switch l := s.Countries[p].Leader; {
		case l < 0:
		case s.game.boxLeaders>>l&1 == 0 || !s.game.Advanced:
			return fmt.Errorf("leader.%d: there is no %s in this game (OE-017)", p, l)
		case taken>>l&1 != 0:
			return fmt.Errorf("leader.%d: the %s is taken (OE-017)", p, l)
		default:
			taken |= 1 << l
		}
	}
	return nil
}

// checkNPC is OE-230 and OE-020: what only the NPC, an advanced or a larger game has.
func (s *State) checkNPC() error {
	switch {
	case s.game.Players > 1 && (s.NPCProsperity != 0 || s.NPCPoints != 0):
		return errors.New("npc_p: the NPC has points with 1 player only")
	case !s.game.WithNPC() && (s.AutomaDrawn != 0 || s.NPCTaken != [NumProjects]int8{}):
		return errors.New("automa: there is an NPC with 1 or 2 players only")
	case s.game.WithNPC() && (s.WarningsDrawn != 0 || s.CriticalsDrawn != 0 || s.Sanctioned >= 0 || s.IncomeMod != 0):
		return errors.New("warning: with 1 or 2 players there are no events and no sanctions (OE-230)")
	case !s.game.Advanced && (s.Trigger >= 0 || s.Final):
		return errors.New("final: a standard game has no final round (OE-200)")
	}
	return nil
}

// noSeat is no possible actor.
const noSeat = -2

// nextLeaderless is who chooses the next leader.
func (s *State) nextLeaderless() int {
	chosen := 0
	for p := range s.game.Players {
		chosen += index(s.Countries[p].Leader >= 0)
	}
	return s.inTurn(chosen)
}

// lastOffered is to whom the Technology was offered last.
func (s *State) lastOffered() int {
	if s.NumOffered == 0 {
		return noSeat
	}
	return int(s.Offered[s.NumOffered-1])
}

// nextLoose is whose loose use comes first.
func (s *State) nextLoose() int {
	if s.LooseQueue[0] == 0 {
		return noSeat
	}
	return s.LooseQueue[0].Seat()
}

func (s *State) nextVoter() int { return s.inTurn(int(s.NumVotes)) }

// checkDecision tests the actor against the decision, and what it needs in order to go on.
func (s *State) checkDecision() error {
	if (s.Decision == Over) != (s.Ending != NotOver) {
		return fmt.Errorf("over: %q in phase %s", s.Ending, s.Decision)
	}
	if s.Decision == Over {
		return s.checkOver()
	}
	if err := s.lacks(); err != nil {
		return fmt.Errorf("phase %s: %w", s.Decision, err)
	}
	if want := s.row().Seat(s); s.Actor() != want || s.Seat < 0 {
		return fmt.Errorf("seat: %d, but in phase %s it is seat %d's decision", s.Seat, s.Decision, want)
	}
	legal := make(env.Mask, s.game.info.MaskWords())
	s.Legal(legal)
	if legal.Count() == 0 {
		return fmt.Errorf("phase %s: nothing could be chosen", s.Decision)
	}
	return nil
}

// checkOver tests the ending against the game.
func (s *State) checkOver() error {
	if s.Seat != int8(env.Over) {
		return fmt.Errorf("seat: %d, but the game is over", s.Seat)
	}
	n := s.game.Players
	ok := false
	switch s.Ending {
	case TargetWon:
		ok = !s.game.Advanced && s.NumReach > 0
	case DeckEmpty:
		ok = !s.game.Advanced
	case RoundsOver, Ruined:
		ok = true
	case NoCriticals:
		ok = n >= 3
	case FinalPlayed:
		ok = s.game.Advanced
	case NPCWon:
		ok = n == 1
	}
	if !ok {
		return fmt.Errorf("over: this game cannot end by %q here", s.Ending)
	}
	guilty := !s.game.Advanced && (s.Ending == Ruined || s.Ending == NoCriticals ||
		s.Ending != TargetWon && int(s.Global) >= s.game.Components.Constants.WinBelow)
	if guilty != (s.Culprits != env.Nobody) {
		return fmt.Errorf("culprits: %v for an end by %q with Global Emissions %d (OE-271)", s.Culprits.List(), s.Ending,
			s.Global)
	}
	return nil
}
