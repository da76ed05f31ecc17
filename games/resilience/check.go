package resilience

import (
	"earthgym/env"
	"earthgym/env/form"
)

// Check reports a position that the rules do not allow: the invariants of RULES.md 12 that one
// position can show. The error names the field of the position JSON.
func (s *State) Check() error {
	return form.FirstFault(s.checkBoard, s.checkPieces, s.checkPoints, s.checkTower, s.checkTime, s.checkSabbaticals,
		s.checkEnd, s.checkTurn, func(f *form.Faults) { s.row().Check(s, f) })
}

func (s *State) checkBoard(f *form.Faults) {
	occupied := s.Occupied()
	bare, built, covered := s.smogged&^occupied, s.destroyed&occupied, s.Covered().Count()
	f.Need(bare == 0, "smog.%s: an empty field carries no smog mark (RE-049)", bare.First())
	f.Need(!s.game.smogRounds || s.smogged == 0, "smog.%s: with smog=rounds there are no smog marks (RE-075)",
		s.smogged.First())
	f.Need(built == 0, "mark.%s: a DESTROYED field is empty (RE-097)", built.First())
	f.Need(covered <= s.game.data.Markers, "mark: %d fields are covered; there are %d cards (RE-099)", covered,
		s.game.data.Markers)
	sum := 0
	for _, land := range s.land {
		sum += land.Count()
	}
	f.Need(sum == occupied.Count() && (s.cities|s.industries)&^occupied == 0 && s.cities&s.industries == 0 &&
		s.blocked&s.destroyed == 0, "owner: the fields' owners, buildings and covers contradict each other")
}

func (s *State) checkPieces(f *form.Faults) {
	rules := [numLevels]string{Settlement: "RE-035", City: "RE-041", Industry: "RE-041"}
	for p := range env.Player(s.game.players) {
		for level := Settlement; level <= Industry; level++ {
			left, pieces := s.PiecesLeft(p, level), s.game.pieces[level]
			f.Need(left >= 0, "level: player %d has %d pieces %q on the board; there are %d (%s)", p, pieces-left,
				s.game.data.Buildings[level-1].Name, pieces, rules[level])
		}
	}
}

func (s *State) checkPoints(f *form.Faults) {
	var res, lq int32
	for p := range s.game.players {
		f.Need(s.res[p] >= 0 && s.lq[p] >= 0, "res.%d: player %d has %d RES and %d LQ; they never fall below 0 (RE-004)", p,
			p, s.res[p], s.lq[p])
		res, lq = res+s.res[p], lq+s.lq[p]
	}
	supply := s.game.data.Supply
	f.Need(!s.game.tight || int(res) <= supply.RES && int(lq) <= supply.LQ,
		"res: all hands hold %d RES and %d LQ; with supply=tight there are %d and %d (RE-066)", res, lq, supply.RES,
		supply.LQ)
}

func (s *State) checkTower(f *form.Faults) {
	g := s.game
	f.Need(g.towerLimit == 0 || int(s.tower) < g.towerLimit, "tower: %d; with tower=limit it stays below %d (RE-082)",
		s.tower, g.towerLimit)
	standing := s.cities.Count()*int(g.buildingStones[City]) + s.industries.Count()*int(g.buildingStones[Industry])
	f.Need(s.ending != Running && s.ending != Time || int(s.tower) >= standing,
		"tower: %d is less than the %d stones of the buildings (RE-080)", s.tower, standing)
	f.Need((s.tower == g.stones) == (s.ending == Stones),
		"tower: %d of %d stones and over %q contradict each other (RE-085)", s.tower, g.stones, s.Reason())
}

// checkTime compares the clock with the turns played, and with the length.
func (s *State) checkTime(f *form.Faults) {
	g := s.game
	f.Need(s.limit%60 == 0 && int(s.limit) >= 60*g.minutesMin && int(s.limit) <= 60*g.minutesMax,
		"limit: %d is not 60 times %d to %d whole minutes (RE-010)", s.limit, g.minutesMin, g.minutesMax)
	leader := (g.first + int(s.round) - 1) % g.players
	f.Need(g.first < 0 || int(s.leader) == leader, "leader: in round %d it is seat %d, not %d (RE-068)", s.round, leader,
		s.leader)
	before := (int32(s.round)-1)*int32(g.RoundTime()) + int32(s.turn)*g.turnTime // when the turn began
	after := before + g.turnTime
	f.Need(before < s.limit, "round: turn %d of round %d begins after the end at %d seconds (RE-110)", s.turn, s.round,
		s.limit)
	f.Need(s.ending == Time || s.clock == before, "clock: in turn %d of round %d it stands at %d, not %d (RE-024)", s.turn,
		s.round, before, s.clock)
	inTurn := s.clock == after && after >= s.limit
	allocated := int(s.turn) == g.players-1 && s.clock == after+g.allocTime && after < s.limit && s.clock >= s.limit
	f.Need(s.ending != Time || inTurn || allocated,
		"clock: the game cannot have ended at %d of %d seconds in turn %d of round %d (RE-110)", s.clock, s.limit, s.turn,
		s.round)
}

func (s *State) checkSabbaticals(f *form.Faults) {
	g := s.game
	for p := range g.players {
		f.Need(g.sabbaticals == 0 || int(s.sabbaticals[p]) <= g.sabbaticals, "sabbaticals.%d: %d; at most %d (RE-054)", p,
			s.sabbaticals[p], g.sabbaticals)
		if !s.resting[p] {
			continue
		}
		f.Need(s.sabbaticals[p] > 0, "on_sabbatical.%d: player %d has taken no sabbatical (RE-050)", p, p)
		place := (p - int(s.leader) + g.players) % g.players // in the order of the round
		f.Need(place < int(s.turn) || place == int(s.turn) && s.ending == Time,
			"on_sabbatical.%d: player %d has not finished its turn of this round (RE-050)", p, p)
	}
}

func (s *State) checkEnd(f *form.Faults) {
	f.Need((s.decision == Over) == (s.ending != Running), "over: %q does not go with phase %q", s.Reason(), s.row().Name)
	culprit := int8(-1)
	if s.ending == Collapse {
		culprit = int8(s.Active())
	}
	f.Need(s.culprit == culprit, "culprit: %d; it is %d with over %q in the turn of player %d (RE-084)", s.culprit,
		culprit, s.Reason(), s.Active())
}

func (s *State) checkTurn(f *form.Faults) {
	f.Need(!s.asked[s.Active()], "asked.%d: it is player %d's own turn (RE-130)", s.Active(), s.Active())
	f.Need(s.promiseNew == NoWord || s.said, "promise_new: %q without a statement in this turn (RE-140)",
		wordTexts[s.promiseNew])
}

// checkNoDeal is for phases outside a deal.
func (s *State) checkNoDeal(f *form.Faults) {
	f.Need(s.partner == -1 && s.kind == 0 && s.amount == 0, "deal: there is none in phase %q", s.row().Name)
}

// checkDeal compares the deal with the phase.
func (s *State) checkDeal(f *form.Faults) {
	partner := env.Player(s.partner)
	f.Need(s.game.deals, "phase: %q, but this game is played without deals (RE-130)", s.row().Name)
	f.Need(s.partner >= 0 && s.asked[max(partner, 0)],
		"deal.partner: %d is no seat that has been asked in this turn (RE-130)", s.partner)
	if f.Err != nil {
		return
	}
	payer := s.payer(s.kind, partner)
	f.Need(s.mostAmount() >= max(1, int(s.amount)), "deal.amount: the payer, player %d, has %d RES (RE-130)", payer,
		s.res[payer])
	f.Need(s.decision != AtAmount || s.amount == 0, "deal.amount: %d in phase amount, where it has not been named",
		s.amount)
	f.Need(s.decision == AtAmount || s.amount >= 1, "deal.amount: %d is not in 1 to %d (RE-130)", s.amount, maxAmount)
	d := s.dismantler(s.kind, partner)
	f.Need(s.decision != AtPick || d >= 0 && s.removable(d).Count() >= 2,
		"phase: pick needs a choice of buildings to dismantle (RE-132)")
	f.Need(d < 0 || s.removable(d) != 0, "deal.kind: player %d has no city or industry to dismantle (RE-133)", d)
}
