package earthman

import (
	"earthgym/env"
	"earthgym/env/form"
)

// removeFleets is EB-203: they become resource.
func (s *State) removeFleets(p env.Player, at Place, steady, risk int) {
	my := &s.seats[p]
	my.move(at, -steady, -risk)
	my.resource += int32(steady + risk)
	if int8(p) == s.actor && at < Place(NumWorlds) { // EB-063
		a, f := &s.arrived[at], my.fleet[at]
		a.Steady, a.Risk = min(a.Steady, f.Steady), min(a.Risk, f.Risk)
	}
}

// playLoss is EB-204, once it is known how many of the fleets that are lost are At Risk.
func (s *State) playLoss(p env.Player, a env.Action, _ *env.Tape) {
	k, risk := int(s.pending.count), act.count.Index(a)
	s.removeFleets(p, s.pending.at, k-risk, risk)
	s.pending.count = 0
}

// askLoss has a seat lose k fleets of an orbit, and asks which if there is a choice (EB-204).
func (s *State) askLoss(p env.Player, at Place, k int) {
	f := s.seats[p].fleet[at]
	switch {
	case k >= f.Count():
		s.removeFleets(p, at, int(f.Steady), int(f.Risk))
	case k > 0:
		s.pending.count = uint8(k)
		s.open(AtLoseFleets, p)
	}
}

// askAddFleet asks for the fleets that may be added in orbit of the world in hand (EB-200), as many as
// the cap allows (EB-320).
func (s *State) askAddFleet() {
	p := env.Player(s.actor)
	pd := &s.pending
	pd.add = uint8(min(int(pd.add), s.game.fleetCap-int(s.seats[p].fleets)))
	if pd.add > 0 {
		s.open(AtAddFleet, p)
	}
}

func (s *State) legalAddFleet(m env.Mask, p env.Player) {
	my, n := &s.seats[p], int32(s.pending.add)
	if my.resource > 0 {
		m.Block(PayResource, 1)
		m.SetIf(n >= 2 && my.resource >= n, All)
	}
	if int(my.discontent) < s.game.discontentCap { // EB-321
		m.Block(PayDiscontent, 1)
	}
	m.Block(Done, 1)
}

// playAddFleet is EB-200.
func (s *State) playAddFleet(p env.Player, a env.Action, _ *env.Tape) {
	my, pd := &s.seats[p], &s.pending
	n := 1
	switch a {
	case Done:
		pd.add = 0
		return
	case PayDiscontent:
		my.discontent++
	case All:
		n = int(pd.add)
		fallthrough
	case PayResource:
		my.resource -= int32(n)
	}
	my.move(pd.at, n, 0)
	pd.add -= uint8(n)
}

// Doubles says whether the first development in a region of a world is worth one Power more, and the
// last one costs one more (EB-201, EB-202, EB-205).
func (s *State) Doubles(p env.Player, w Place) bool {
	return w == s.game.home || s.seats[p].counters.Has(w)
}

// addDevelopment is EB-201.
func (s *State) addDevelopment(p env.Player, w Place, r int) {
	my := &s.seats[p]
	my.resource += 2
	my.power++
	if s.devs[w][r] == 0 && s.Doubles(p, w) {
		my.power++
	}
	s.put(p, w, r, 1)
}

// loseRegion is EB-205: all developments of a region (from 0) go. Devastation comes in their place,
// except where others take it over.
func (s *State) loseRegion(owner env.Player, w Place, r int, devastation bool) {
	n := s.take(owner, w, r)
	if devastation {
		s.rubble[w][0] |= 1 << r
	}
	if owner == UN { // EB-208
		return
	}
	my := &s.seats[owner]
	my.power -= int32(n)
	if s.Doubles(owner, w) {
		my.power--
	}
	my.counters &^= form.When(!s.settled[owner].Has(w), only(w))
	s.pay = payment{int8(owner), uint16(2 * n)}
}

// proceedPayment is EB-206.
func (s *State) proceedPayment() {
	if s.pay.due == 0 {
		s.pay = noPayment
		return
	}
	s.open(AtForfeit, env.Player(s.pay.seat))
}

// legalForfeit is EB-206.
func (s *State) legalForfeit(m env.Mask, p env.Player) {
	my, due := &s.seats[p], int32(s.pay.due)
	if my.resource > 0 {
		m.Block(PayResource, 1)
		m.SetIf(due >= 2 && my.resource >= due, All)
	}
	m.Block(PayDiscontent, 1)
	m.Block(act.at.First, uint64(my.steady))
	m.Block(act.risk.First, uint64(my.risky))
}

// playForfeit is EB-206 and EB-207.
func (s *State) playForfeit(p env.Player, a env.Action, tape *env.Tape) {
	my := &s.seats[p]
	switch {
	case a == All:
		my.resource -= int32(s.pay.due)
		s.pay.due = 0
	case a == PayResource:
		my.resource--
		s.pay.due--
	case a == PayDiscontent:
		my.discontent++
		s.pay.due--
		s.roll(evForfeit, 0, 1, tape)
	case act.risk.Has(a):
		my.move(Place(act.risk.Index(a)), 0, -1)
		s.pay.due--
	default:
		my.move(Place(act.at.Index(a)), -1, 0)
		s.pay.due--
	}
}

// forfeited is what the die of EB-207 says.
func (s *State) forfeited(r result) {
	if p := env.Player(s.pay.seat); r.low > 0 && s.seats[p].steady != 0 {
		s.open(AtForfeitRisk, p)
	}
}

// Capacity is how many developments a seat may have in a region of a world (EB-115).
func (s *State) Capacity(p env.Player, w Place) int {
	c := s.game.data.Capacity.Other
	if w == s.game.home {
		c = s.game.data.Capacity.Home
	}
	return c + int(s.seats[p].level[Nanotech])
}

// settleable are the regions of EB-114.
func (s *State) settleable(p env.Player, w Place) Regions {
	own := s.land[p][w]
	set := s.game.regions[w] &^ s.rubble[w][0] &^ own
	for q := range s.settled {
		set &^= form.When(env.Player(q) != p, s.land[q][w])
	}
	capacity := s.Capacity(p, w)
	for ; own != 0; own &= own - 1 {
		if r := own.first(); int(s.devs[w][r]) < capacity {
			set |= 1 << r
		}
	}
	return set
}

// expandable are the regions where p may clear or settle (EB-113).
func (s *State) expandable(p env.Player, w Place) Regions {
	return s.rubble[w][0] | s.settleable(p, w)
}

// CanStudy are the technologies that a seat can study (EB-164).
func (s *State) CanStudy(p env.Player) Techs {
	my := &s.seats[p]
	known := Places(my.known).Count()
	var set Techs
	for t := range s.game.techs {
		tech := &s.game.techs[t]
		if my.level[t] >= tech.levels { // also those that the data file leaves out
			continue
		}
		if known >= int(tech.others) || tech.or >= 0 && my.known.Has(tech.or) || (my.known | my.studied).Has(Tech(t)) {
			set |= 1 << t
		}
	}
	return set
}

// research is EB-166 and EB-167: one success.
func (s *State) research(p env.Player, t Tech) {
	my := &s.seats[p]
	my.counter[t]++
	my.studied |= 1 << t
	if my.counter[t] >= s.game.techs[t].steps {
		my.counter[t] = 0
		my.studied &^= 1 << t
		my.level[t]++
		my.known |= 1 << t
	}
}

// sanctioned gives a seat a UN Sanctions token (EB-100, EB-315).
func (s *State) sanctioned(p env.Player, tape *env.Tape) {
	tape.Mark("token", p)
	my := &s.seats[p]
	my.sanction = true
	my.resource += int32(my.token)
	my.token = 0
}

// orbiting are the other seats with fleets at a place.
func (s *State) orbiting(p env.Player, at Place) env.Seats {
	return s.others(p).Where(func(q env.Player) bool { return s.seats[q].present().Has(at) })
}
