package resilience

import (
	"errors"
	"fmt"

	"earthgym/env"
)

// Check reports a position that the rules do not allow: the invariants of RULES.md 12 that one
// position can show. The error names the field of the position JSON.
func (s *State) Check() error {
	for _, check := range []func(*State) error{
		(*State).checkBoard, (*State).checkPieces, (*State).checkPoints, (*State).checkTower,
		(*State).checkTime, (*State).checkSabbaticals, (*State).checkEnd, (*State).checkTurn, s.row().Check,
	} {
		if err := check(s); err != nil {
			return err
		}
	}
	return nil
}

func (s *State) checkBoard() error {
	occupied := s.Occupied()
	if f := s.smogged &^ occupied; f != 0 {
		return fmt.Errorf("smog.%s: an empty field carries no smog mark (RE-049)", f.First())
	}
	if s.game.smogRounds && s.smogged != 0 {
		return fmt.Errorf("smog.%s: with smog=rounds there are no smog marks (RE-075)", s.smogged.First())
	}
	if f := s.destroyed & occupied; f != 0 {
		return fmt.Errorf("mark.%s: a DESTROYED field is empty (RE-097)", f.First())
	}
	if n := s.Covered().Count(); n > s.game.data.Markers {
		return fmt.Errorf("mark: %d fields are covered; there are %d cards (RE-099)", n, s.game.data.Markers)
	}
	sum := 0
	for _, land := range s.land {
		sum += land.Count()
	}
	if sum != occupied.Count() || (s.cities|s.industries)&^occupied != 0 || s.cities&s.industries != 0 ||
		s.blocked&s.destroyed != 0 {
		return errors.New("owner: the fields' owners, buildings and covers contradict each other")
	}
	return nil
}

func (s *State) checkPieces() error {
	rules := [numLevels]string{Settlement: "RE-035", City: "RE-041", Industry: "RE-041"}
	for p := range env.Player(s.game.players) {
		for level := Settlement; level <= Industry; level++ {
			if left := s.PiecesLeft(p, level); left < 0 {
				pieces := s.game.pieces[level]
				return fmt.Errorf("level: player %d has %d pieces %q on the board; there are %d (%s)",
					p, pieces-left, s.game.data.Buildings[level-1].Name, pieces, rules[level])
			}
		}
	}
	return nil
}

func (s *State) checkPoints() error {
	var res, lq int32
	for p := range s.game.players {
		if s.res[p] < 0 || s.lq[p] < 0 {
			return fmt.Errorf("res.%d: player %d has %d RES and %d LQ; they never fall below 0 (RE-004)", p, p, s.res[p],
				s.lq[p])
		}
		res, lq = res+s.res[p], lq+s.lq[p]
	}
	supply := s.game.data.Supply
	if s.game.tight && (int(res) > supply.RES || int(lq) > supply.LQ) {
		return fmt.Errorf("res: all hands hold %d RES and %d LQ; with supply=tight there are %d and %d (RE-066)", res, lq,
			supply.RES, supply.LQ)
	}
	return nil
}

func (s *State) checkTower() error {
	g := s.game
	if g.towerLimit > 0 && int(s.tower) >= g.towerLimit {
		return fmt.Errorf("tower: %d; with tower=limit it stays below %d (RE-082)", s.tower, g.towerLimit)
	}
	standing := s.cities.Count()*int(g.buildingStones[City]) + s.industries.Count()*int(g.buildingStones[Industry])
	if (s.ending == Running || s.ending == Time) && int(s.tower) < standing {
		return fmt.Errorf("tower: %d is less than the %d stones of the buildings (RE-080)", s.tower, standing)
	}
	if all := s.tower == g.stones; all != (s.ending == Stones) {
		return fmt.Errorf("tower: %d of %d stones and over %q contradict each other (RE-085)", s.tower, g.stones, s.Reason())
	}
	return nil
}

// checkTime compares the clock with the turns played, and with the length.
func (s *State) checkTime() error {
	g := s.game
	if s.limit%60 != 0 || int(s.limit) < 60*g.minutesMin || int(s.limit) > 60*g.minutesMax {
		return fmt.Errorf("limit: %d is not 60 times %d to %d whole minutes (RE-010)", s.limit, g.minutesMin, g.minutesMax)
	}
	if g.first >= 0 && int(s.leader) != (g.first+int(s.round)-1)%g.players {
		return fmt.Errorf("leader: in round %d it is seat %d, not %d (RE-068)", s.round, (g.first+int(s.round)-1)%g.players,
			s.leader)
	}
	before := (int32(s.round)-1)*int32(g.RoundTime()) + int32(s.turn)*g.turnTime // when the turn began
	after := before + g.turnTime
	last := int(s.turn) == g.players-1
	if before >= s.limit {
		return fmt.Errorf("round: turn %d of round %d begins after the end at %d seconds (RE-110)", s.turn, s.round, s.limit)
	}
	switch {
	case s.ending != Time && s.clock != before:
		return fmt.Errorf("clock: in turn %d of round %d it stands at %d, not %d (RE-024)", s.turn, s.round, before, s.clock)
	case s.ending == Time && s.clock == after && after >= s.limit:
	case s.ending == Time && last && s.clock == after+g.allocTime && after < s.limit && s.clock >= s.limit:
	case s.ending == Time:
		return fmt.Errorf("clock: the game cannot have ended at %d of %d seconds in turn %d of round %d (RE-110)", s.clock,
			s.limit, s.turn, s.round)
	}
	return nil
}

func (s *State) checkSabbaticals() error {
	g := s.game
	for p := range g.players {
		if g.sabbaticals > 0 && int(s.sabbaticals[p]) > g.sabbaticals {
			return fmt.Errorf("sabbaticals.%d: %d; at most %d (RE-054)", p, s.sabbaticals[p], g.sabbaticals)
		}
		if !s.resting[p] {
			continue
		}
		if s.sabbaticals[p] < 1 {
			return fmt.Errorf("on_sabbatical.%d: player %d has taken no sabbatical (RE-050)", p, p)
		}
		place := (p - int(s.leader) + g.players) % g.players // in the order of the round
		if place > int(s.turn) || place == int(s.turn) && s.ending != Time {
			return fmt.Errorf("on_sabbatical.%d: player %d has not finished its turn of this round (RE-050)", p, p)
		}
	}
	return nil
}

func (s *State) checkEnd() error {
	if (s.decision == Over) != (s.ending != Running) {
		return fmt.Errorf("over: %q does not go with phase %q", s.Reason(), s.row().Name)
	}
	culprit := int8(-1)
	if s.ending == Collapse {
		culprit = int8(s.Active())
	}
	if s.culprit != culprit {
		return fmt.Errorf("culprit: %d; it is %d with over %q in the turn of player %d (RE-084)", s.culprit, culprit,
			s.Reason(), s.Active())
	}
	return nil
}

func (s *State) checkTurn() error {
	if s.asked[s.Active()] {
		return fmt.Errorf("asked.%d: it is player %d's own turn (RE-130)", s.Active(), s.Active())
	}
	if s.promiseNew != NoWord && !s.said {
		return fmt.Errorf("promise_new: %q without a statement in this turn (RE-140)", wordTexts[s.promiseNew])
	}
	return nil
}

// checkNoDeal is for phases outside a deal.
func (s *State) checkNoDeal() error {
	if s.partner != -1 || s.kind != 0 || s.amount != 0 {
		return fmt.Errorf("deal: there is none in phase %q", s.row().Name)
	}
	return nil
}

// checkDeal compares the deal with the phase.
func (s *State) checkDeal() error {
	partner := env.Player(s.partner)
	switch {
	case !s.game.deals:
		return fmt.Errorf("phase: %q, but this game is played without deals (RE-130)", s.row().Name)
	case s.partner < 0 || !s.asked[partner]:
		return fmt.Errorf("deal.partner: %d is no seat that has been asked in this turn (RE-130)", s.partner)
	case s.mostAmount() < max(1, int(s.amount)):
		return fmt.Errorf("deal.amount: the payer, player %d, has %d RES (RE-130)", s.payer(s.kind, partner),
			s.res[s.payer(s.kind, partner)])
	case s.decision == AtAmount && s.amount != 0:
		return fmt.Errorf("deal.amount: %d in phase amount, where it has not been named", s.amount)
	case s.decision != AtAmount && s.amount < 1:
		return fmt.Errorf("deal.amount: %d is not in 1 to %d (RE-130)", s.amount, maxAmount)
	}
	d := s.dismantler(s.kind, partner)
	if s.decision == AtPick && (d < 0 || s.removable(d).Count() < 2) {
		return errors.New("phase: pick needs a choice of buildings to dismantle (RE-132)")
	}
	if d >= 0 && s.removable(d) == 0 {
		return fmt.Errorf("deal.kind: player %d has no city or industry to dismantle (RE-133)", d)
	}
	return nil
}
