package oneearth

import (
	"fmt"

	"earthgym/env"
)

// checkpoint is OE-195 with the end conditions of section 9, after each complete effect. It says
// whether the game goes on.
func (s *State) checkpoint() bool {
	s.updateReach()
	c := &s.game.Components.Constants
	if int(s.Global) >= c.Ruin && !(s.Final && s.game.Players >= 3) { // OE-204, OE-212, OE-213, OE-242, OE-251
		s.ruin()
		return false
	}
	if !s.game.Advanced {
		return s.standardCheckpoint(int(s.Global) < c.WinBelow)
	}
	if s.game.Players == 1 && int(s.NPCProsperity) >= c.NPCProsperity { // OE-251
		s.end(NPCWon)
		return false
	}
	if s.NumReach > 0 && s.Trigger < 0 { // OE-210, OE-211
		s.Trigger, s.Final = s.Reach[0], true
	}
	if s.DeckSize == 0 { // OE-055, OE-210
		s.Final = true
	}
	return true
}

// standardCheckpoint is OE-202 and OE-203.
func (s *State) standardCheckpoint(safe bool) bool {
	switch {
	case s.NumReach > 0 && safe:
		s.end(TargetWon)
	case s.DeckSize == 0:
		if !safe {
			s.Culprits = s.Highest()
		}
		s.end(DeckEmpty)
	default:
		return true
	}
	return false
}

// updateReach is OE-195: seats below the target fall out of the list, seats newly at it come to its
// end, in turn order.
func (s *State) updateReach() {
	var reached env.Seats
	kept := int8(0)
	for i := range s.NumReach {
		p := s.Reach[i]
		s.Reach[i] = 0
		if s.atTarget(int(p)) {
			s.Reach[kept] = p
			kept++
			reached = reached.With(env.Player(p))
		}
	}
	for i := range s.game.Players {
		if p := s.inTurn(i); s.atTarget(p) && !reached.Has(env.Player(p)) {
			s.Reach[kept] = int8(p)
			kept++
		}
	}
	s.NumReach = kept
}

func (s *State) atTarget(p int) bool { return int(s.Countries[p].Prosperity) >= s.game.Target }

// ruin is Global Emissions at 30. In a standard game the seat whose turn it is has done it, outside a
// turn the highest emitters (OE-204).
func (s *State) ruin() {
	if !s.game.Advanced {
		s.Culprits = s.Highest()
		if s.inATurn() {
			s.Culprits = env.Only(env.Player(s.active()))
		}
	}
	s.end(Ruined)
}

// endOfRounds is OE-216: standard as with an empty deck, else by scoring.
func (s *State) endOfRounds() {
	if !s.game.Advanced && int(s.Global) >= s.game.Components.Constants.WinBelow {
		s.Culprits = s.Highest()
	}
	s.end(RoundsOver)
}

// end closes the game. What describes a running turn, ballot or effect has no meaning any more, and
// open promises lapse (OE-283).
func (s *State) end(why Ending) {
	s.Ending = why
	s.Decision, s.Seat = Over, int8(env.Over)
	if s.game.Advanced {
		s.Culprits = env.Nobody
	}
	s.clearRunning()
}

// clearRunning gives the fields that describe something running their values at set-up.
func (s *State) clearRunning() {
	s.Turn, s.Proposal = Turn{}, NoResolution
	s.clearVotes()
	s.Bids, s.NumBids = [MaxPlayers]int8{}, 0
	s.Pledges, s.NumPledges = [MaxPlayers]int8{}, 0
	s.Using, s.Fresh, s.Attach = NoTechnology, false, NoProject
	s.Offered, s.NumOffered = [MaxPlayers - 1]int8{}, 0
	s.LooseQueue = [maxLoose]LooseUse{}
	s.Ask, s.Event = Request{-1, 0, NoWord}, NoCritical
	for p := range s.game.Players {
		s.Countries[p].PendingPolicy, s.Countries[p].PendingClean = false, false
	}
}

// VictoryPoints are the nine parts of a seat's score, OE-220 to OE-229.
type VictoryPoints struct {
	Trigger, Prosperity, Emissions, Technology, Policy, Diplomacy, Currency, Livability, Leader int
}

// Total is OE-220.
func (v VictoryPoints) Total() int {
	return v.Trigger + v.Prosperity + v.Emissions + v.Technology + v.Policy + v.Diplomacy + v.Currency + v.Livability +
		v.Leader
}

// VP is what a seat of an advanced game scores if the game ends now.
func (s *State) VP(p int) VictoryPoints {
	return s.points(p, s.TechnologiesFunded(p), s.PoliciesFunded(p), s.sectors(p))
}

// points is VP for a seat that has so many Technologies, Policies and sectors.
func (s *State) points(p, technologies, policies, sectors int) (v VictoryPoints) {
	c, k := &s.Countries[p], &s.game.Components.Constants
	v.Prosperity = int(c.Prosperity)                              // OE-222
	v.Emissions = -max(0, int(c.Emissions)-k.EmissionPenaltyFrom) // OE-223
	v.Diplomacy = int(c.Support)                                  // OE-226
	v.Currency = int(c.Money) / 2                                 // OE-227
	v.Livability = k.Livability[sectors]                          // OE-228
	v.Leader = s.leaderBonus(p, technologies)                     // OE-229
	if int(s.Trigger) == p {                                      // OE-221
		v.Trigger = k.TriggerVP
	}
	if technologies > 0 { // OE-224
		v.Technology = k.TechnologyVP
	}
	if policies > 0 { // OE-225
		v.Policy = k.PolicyVP
	}
	return v
}

// sectors is the number of different sectors among a seat's Projects. Lost ones do not count (OE-182).
func (s *State) sectors(p int) int {
	c, n := &s.Countries[p], 0
	for _, types := range s.game.Components.Sectors {
		n += index(types&(c.PlainSet|c.UpgradedSet) != 0)
	}
	return n
}

// leaderBonus is OE-229 and, alone, OE-254.
func (s *State) leaderBonus(p, technologies int) int {
	c := &s.Countries[p]
	if c.Leader < 0 {
		return 0
	}
	bonus, sectors := s.game.Components.Leaders[c.Leader].Bonus, &s.game.Components.Sectors
	switch c.Leader {
	case Diplomat:
		return bonus * int(c.Support)
	case Tycoon:
		return bonus * s.Count(p, sectors[Fossil])
	case Scientist:
		return bonus * technologies
	case Entertainer:
		return bonus * s.Count(p, sectors[Entertainment])
	case General:
		return bonus * s.Count(p, sectors[Manufacturing])
	}
	vp := max(0, cleanBelow-int(c.Emissions))
	if s.game.Players == 1 && c.Emissions < cleanBelow || s.game.Players > 1 && s.Lowest().Has(env.Player(p)) {
		vp += bonus
	}
	return vp
}

// cleanBelow is the number of Emissions below which the Environmentalist scores (the card's 5).
const cleanBelow = 5

// ruined says whether the Earth is, at 30 Global Emissions or as no Critical Event was left.
func (s *State) ruined() bool { return s.Ending == Ruined || s.Ending == NoCriticals }

// contenders is the seats that are scored: all, but on a ruined Earth the lowest emitters and the
// funders of Mars (OE-213, OE-173); the lower of two players (OE-242).
func (s *State) contenders() env.Seats {
	if !s.ruined() {
		return s.all()
	}
	return s.Lowest() | s.MarsFunders
}

// catastrophe says whether the Earth was lost: to nobody's good in a standard game (OE-203 to OE-205),
// Pyrrhic in an advanced one of 3 to 5 players.
func (s *State) catastrophe() bool {
	if s.ruined() {
		return s.game.Players >= 3
	}
	return s.Culprits != env.Nobody
}

// Winners is OE-202, OE-203, OE-214, OE-242, OE-243, OE-253 and OE-273.
func (s *State) Winners() env.Seats {
	switch {
	case s.Ending == NotOver:
		return env.Nobody
	case s.game.Players == 1:
		if s.Ending == Ruined || s.VP(0).Total() <= s.NPCScore() {
			return env.Nobody
		}
		return env.Only(0)
	case s.Ending == TargetWon:
		return env.Only(env.Player(s.Reach[0]))
	case s.game.Advanced:
		return s.contenders().Most(func(p env.Player) int { return s.VP(int(p)).Total() })
	case s.catastrophe():
		return env.Nobody
	}
	return s.Richest()
}

// The returns of a lost Earth (OE-271, OE-272).
const (
	culpritReturn   = -1
	bystanderReturn = -0.75
)

// Returns is OE-270 to OE-275.
func (s *State) Returns(dst []float64) {
	clear(dst)
	if s.Ending == NotOver {
		return
	}
	winners, n := s.Winners(), float64(s.game.Players)
	if n == 1 {
		dst[0] = -1
		if winners != env.Nobody {
			dst[0] = 1
		}
		return
	}
	w := float64(winners.Count())
	win, loss := (n-w)/(w*(n-1)), -1/(n-1)
	lost := s.catastrophe()
	if lost {
		win *= s.game.pyrrhic
	}
	contenders := s.contenders()
	for p := range s.game.Players {
		switch seat := env.Player(p); {
		case winners.Has(seat):
			dst[p] = win
		case lost && !s.game.Advanced && s.Culprits.Has(seat):
			dst[p] = culpritReturn
		case lost && (!s.game.Advanced || !contenders.Has(seat)):
			dst[p] = bystanderReturn
		default:
			dst[p] = loss
		}
	}
}

// Scores is OE-276: Prosperity, or the Victory Points of an advanced game.
func (s *State) Scores(dst []float64) {
	for p := range s.game.Players {
		if s.game.Advanced {
			dst[p] = float64(s.VP(p).Total())
		} else {
			dst[p] = float64(s.Countries[p].Prosperity)
		}
	}
}

// Reason is the ending in one word.
func (s *State) Reason() string { return s.Ending.String() }

// ends are those of section 9. Where the Earth is lost by an empty deck or the last round, nobody wins either.
func (g *Game) ends() []env.Ending {
	ruined := fmt.Sprintf("Global Emissions have reached %d", g.Components.Constants.Ruin)
	ruin := env.Ending{Name: Ruined.String(), Help: ruined + ": the Earth is lost", Loss: true}
	switch end := func(e Ending, help string) env.Ending { return env.Ending{Name: e.String(), Help: help} }; {
	case !g.Advanced:
		return []env.Ending{
			end(TargetWon, "a country has reached the Prosperity target, and Global Emissions are low enough"),
			end(DeckEmpty, "the Projects have run out: most Prosperity wins, or nobody if Global Emissions are too high"),
			end(RoundsOver, "the last round is over: most Prosperity wins, or nobody if Global Emissions are too high"),
			ruin,
			{Name: NoCriticals.String(), Help: "a fourth Critical Event was due: the Earth is lost", Loss: true},
		}
	case g.Players == 1:
		return []env.Ending{
			ruin,
			end(FinalPlayed, "the final round is over; Victory Points against the General's"),
			end(RoundsOver, "the last round is over; Victory Points against the General's"),
			end(NPCWon, "the General has reached his Prosperity; Victory Points against his"),
		}
	default:
		const scored = ": the lowest emitters, with any funders of Mars, alone are scored"
		return []env.Ending{
			end(NoCriticals, "a fourth Critical Event was due"+scored),
			end(Ruined, ruined+scored),
			end(FinalPlayed, "the final round is over; most Victory Points win"),
			end(RoundsOver, "the last round is over; most Victory Points win"),
		}[index(g.WithNPC()):] // OE-230
	}
}

// measures are what Measures writes.
func (g *Game) measures() []env.Measure {
	return []env.Measure{
		{Name: "welfare", Help: "mean Prosperity of the countries"},
		{Name: "emissions", Help: fmt.Sprintf("Global Emissions at the end, from 0; the Earth is ruined at %d",
			g.Components.Constants.Ruin)},
		{Name: "collapse", Help: "1 if the Earth is lost, else 0"},
		{Name: "broken", Help: "promises broken by all countries"},
	}
}

// Measures tells how the table fared together.
func (s *State) Measures(dst []float64) {
	clear(dst)
	for p := range s.game.Players {
		dst[0] += float64(s.Countries[p].Prosperity) / float64(s.game.Players)
		dst[3] += float64(s.Countries[p].PromisesBroken)
	}
	dst[1] = float64(s.Global)
	if s.lost() {
		dst[2] = 1
	}
}

// lost says whether the Earth is, whoever wins for all that.
func (s *State) lost() bool {
	return s.ruined() || s.Ending != NotOver && s.Culprits != env.Nobody
}

// Depletion is Global Emissions over those that ruin the Earth.
func (s *State) Depletion() float64 {
	if s.lost() {
		return 1
	}
	return min(1, max(0, float64(s.Global)/float64(s.game.Components.Constants.Ruin)))
}

// LostBy says whether the Earth is lost, and by whom: those whom the rules name, or the highest emitters (OE-204).
func (s *State) LostBy() (bool, env.Seats) {
	switch {
	case !s.lost():
		return false, env.Nobody
	case s.Culprits != env.Nobody:
		return true, s.Culprits
	}
	return true, s.Highest()
}
