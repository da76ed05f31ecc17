package oneearth

import (
	"earthgym/env"
	"earthgym/env/form"
)

// Check tests the invariants of section 12 of RULES.md that every position shows, one that is read
// included. What only play guarantees, its tests check.
func (s *State) Check() error {
	return form.FirstFault(s.checkDerived, s.checkProjects, s.checkEmissions, s.checkUses, s.checkTokens, s.checkLeaders,
		s.checkNPC, s.checkDecision)
}

// checkDerived compares the kept fields with what they follow from.
func (s *State) checkDerived(f *form.Faults) {
	size := 0
	for _, n := range s.Deck {
		size += int(n)
	}
	f.Need(size == int(s.DeckSize), "the deck has %d Projects, its size is kept as %d", size, s.DeckSize)
	for p := range s.game.Players {
		c := &s.Countries[p]
		for x := range Project(NumProjects) {
			f.Need(c.PlainSet.Has(x) == (c.Plain[x] > 0) && c.UpgradedSet.Has(x) == (c.Upgraded[x] > 0),
				"seat %d: the sets of Projects do not fit the copies of %s", p, x)
		}
	}
}

// checkProjects is invariant 1: every copy is in one place.
func (s *State) checkProjects(f *form.Faults) {
	for x := range Project(NumProjects) {
		n := int(s.Deck[x] + s.Gone[x])
		for _, y := range s.Row {
			n += index(y == x)
		}
		for p := range s.game.Players {
			n += int(s.Countries[p].Plain[x] + s.Countries[p].Upgraded[x])
		}
		want := s.game.Components.Projects[x].Copies
		f.Need(n == want, "%d copies of %s in deck, row, tab and gone together; there are %d", n, x, want)
		f.Need(s.NPCTaken[x] <= s.Gone[x], "npc_taken.%s: %d, but only %d are gone", x, s.NPCTaken[x], s.Gone[x])
	}
}

// checkEmissions is invariant 3.
func (s *State) checkEmissions(f *form.Faults) {
	sum, less, g := 0, 0, int(s.Global)
	for p := range s.game.Players {
		c := &s.Countries[p]
		sum += int(c.Emissions)
		if c.Leader == Environmentalist && c.AbilityUsed {
			less = s.game.Components.Leaders[Environmentalist].Ability
		}
	}
	f.Need(s.game.Players < 3 || g <= sum && g >= sum-less,
		"g: %d where the Emissions of all countries are %d, less %d by an ability (OE-191)", g, sum, less)
}

// checkUses is invariant 6, and that Technologies and Policies have owners that can be.
func (s *State) checkUses(f *form.Faults) {
	for t := range Technology(NumTechnologies) {
		used := 0
		for p := range s.game.Players {
			c := &s.Countries[p]
			used += int(c.Saved[t] + c.Loose[t])
			for x := range Project(NumProjects) {
				used += index(s.game.tech[x] == t) * int(c.Upgraded[x])
			}
		}
		granted := 0
		if s.Technologies[t] >= 0 {
			granted = 1 + index(s.game.Advanced) + index(s.SharedTech == t)*(s.game.Players-1)
		}
		f.Need(used <= granted, "%s: %d uses on Projects, saved and loose together; %d were granted (OE-063, OE-064)", t,
			used, granted)
		f.Need(s.Technologies[t] != withNPC || s.game.WithNPC(), "tech.%s: %d, but no NPC plays", t, withNPC)
	}
	for x := range Project(NumProjects) {
		for p := range s.game.Players {
			f.Need(s.game.tech[x] >= 0 || !s.Countries[p].UpgradedSet.Has(x), "tab.%d: no Technology upgrades %s", p, x)
		}
	}
	for i, owner := range s.Policies {
		f.Need(owner != withNPC || s.game.WithNPC(), "policy.%s: %d, but no NPC plays", policyIDs[i], withNPC)
	}
}

// checkTokens is invariant 7, and that Resolutions are where they can be.
func (s *State) checkTokens(f *form.Faults) {
	total, voters, tokens := 0, 0, 0
	for r := range Resolution(NumResolutions) {
		f.Need(s.Resolutions[r] == InDeck || s.game.Diplomatic(),
			"resolution.%s: %s, but the game has no Resolutions (OE-020, OE-230)", r, s.Resolutions[r])
		f.Need(s.YesVoters[r] == env.Nobody || s.Resolutions[r] == Passed && r.Voted(),
			"yes_voters.%s: it has not been passed by a vote", r)
		voters += s.YesVoters[r].Count()
	}
	if s.game.Diplomatic() {
		tokens = s.game.Components.Constants.Tokens
	}
	for p := range s.game.Players {
		c := &s.Countries[p]
		total += int(c.Support)
		f.Need(int(c.Tokens+c.Support) == tokens, "tokens.%d: %d in hand and %d on Resolutions; a seat has %d", p, c.Tokens,
			c.Support, tokens)
	}
	f.Need(total == voters, "support: %d tokens in all lie on Resolutions, but yes_voters lists %d", total, voters)
	f.Need((s.SharedTech >= 0) == (s.Resolutions[ShareTech] == Passed),
		"shared_tech: it is named exactly if Share Technologies has passed (OE-166)")
	f.Need(s.MarsFunders == env.Nobody || s.Resolutions[Mars] == Passed,
		"mars_funder: Colonize Mars has not passed (OE-171)")
}

// checkLeaders is OE-017: different leaders, and such as this game has.
func (s *State) checkLeaders(f *form.Faults) {
	taken := uint8(0)
	for p := range s.game.Players {
		l := s.Countries[p].Leader
		if l < 0 {
			continue
		}
		f.Need(s.game.boxLeaders>>l&1 != 0 && s.game.Advanced, "leader.%d: there is no %s in this game (OE-017)", p, l)
		f.Need(taken>>l&1 == 0, "leader.%d: the %s is taken (OE-017)", p, l)
		taken |= 1 << l
	}
}

// checkNPC is OE-230 and OE-020: what only the NPC, an advanced or a larger game has.
func (s *State) checkNPC(f *form.Faults) {
	npc := s.game.WithNPC()
	f.Need(s.game.Players == 1 || s.NPCProsperity == 0 && s.NPCPoints == 0, "npc_p: the NPC has points with 1 player only")
	f.Need(npc || s.AutomaDrawn == 0 && s.NPCTaken == [NumProjects]int8{},
		"automa: there is an NPC with 1 or 2 players only")
	f.Need(!npc || s.WarningsDrawn == 0 && s.CriticalsDrawn == 0 && s.Sanctioned < 0 && s.IncomeMod == 0,
		"warning: with 1 or 2 players there are no events and no sanctions (OE-230)")
	f.Need(s.game.Advanced || s.Trigger < 0 && !s.Final, "final: a standard game has no final round (OE-200)")
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
func (s *State) checkDecision(f *form.Faults) {
	f.Need((s.Decision == Over) == (s.Ending != NotOver), "over: %q in phase %s", s.Ending, s.Decision)
	if f.Err != nil {
		return
	}
	if s.Decision == Over {
		s.checkOver(f)
		return
	}
	if err := form.FirstFault(s.lacks); err != nil {
		f.Need(false, "phase %s: %w", s.Decision, err)
		return
	}
	want := s.row().Seat(s)
	if f.Need(s.Actor() == want && s.Seat >= 0, "seat: %d, but in phase %s it is seat %d's decision", s.Seat, s.Decision,
		want); f.Err != nil {
		return
	}
	legal := make(env.Mask, s.game.info.MaskWords())
	s.Legal(legal)
	f.Need(legal.Count() > 0, "phase %s: nothing could be chosen", s.Decision)
}

// checkOver tests the ending against the game.
func (s *State) checkOver(f *form.Faults) {
	f.Need(s.Seat == int8(env.Over), "seat: %d, but the game is over", s.Seat)
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
	f.Need(ok, "over: this game cannot end by %q here", s.Ending)
	guilty := !s.game.Advanced && (s.ruined() ||
		s.Ending != TargetWon && int(s.Global) >= s.game.Components.Constants.WinBelow)
	f.Need(guilty == (s.Culprits != env.Nobody), "culprits: %v for an end by %q with Global Emissions %d (OE-271)",
		s.Culprits.List(), s.Ending, s.Global)
}
