package earthman

import "earthgym/env"

// proceedMove is step 3 of the turn: early launch, extra rounds, the forced movement, launch.
func (s *State) proceedMove(tape *env.Tape) {
	p := env.Player(s.actor)
	my := &s.seats[p]
	pd := &s.pending
	switch pd.step {
	case moveEarly: // EB-082
		s.open(AtEarlyLaunch, p)
	case moveExtra: // EB-061
		if pd.extra > 0 {
			pd.extra--
			if my.present()&trajectories != 0 {
				s.open(AtExtraMove, p)
			}
			return
		}
		pd.extra = -1
		s.startRound()
	case moveApproach: // EB-060 (1)
		if s.moveRing(p, approaches) {
			pd.step = moveDefensive
		}
	case moveDefensive: // EB-070
		s.proceedDefensive(tape)
	case moveInterplanetary: // EB-060 (2)
		if s.moveRing(p, interplanetary) {
			pd.step = moveSolar
		}
	case moveSolar: // EB-060 (3)
		if s.moveRing(p, centre) {
			pd.step = moveLaunch
			if pd.extra >= 0 {
				pd.step = moveExtra
			}
		}
	case moveLaunch: // EB-080
		s.open(AtLaunch, p)
	}
}

// startRound begins a round of forced movement (EB-060).
func (s *State) startRound() {
	pd := &s.pending
	pd.step, pd.before, pd.came = moveApproach, s.seats[s.actor].present()&worlds, 0
}

// moveRing moves the fleets of the lowest place of a ring worldward, or asks where they go (EB-062). It
// says whether none is left there.
func (s *State) moveRing(p env.Player, ring Places) bool {
	pd := &s.pending
	pd.at = (s.seats[p].present() & ring).first()
	if pd.at == Nowhere {
		return true
	}
	if to := s.game.down[pd.at]; to.Count() == 1 {
		s.moveAll(to.first())
	} else {
		s.open(AtWorldward, p)
	}
	return false
}

// moveAll moves the actor's fleets worldward from the place in hand.
func (s *State) moveAll(to Place) {
	f := s.seats[s.actor].fleet[s.pending.at]
	s.moveFleets(to, int(f.Steady), int(f.Risk))
}

// moveFleets moves some of the actor's fleets from the place in hand.
func (s *State) moveFleets(to Place, steady, risk int) {
	my, pd := &s.seats[s.actor], &s.pending
	my.move(pd.at, -steady, -risk)
	my.move(to, steady, risk)
	if pd.step == moveApproach { // EB-063
		pd.came |= only(to)
		s.arrived[to].Steady += uint8(steady)
		s.arrived[to].Risk += uint8(risk)
	}
	pd.at, pd.to, pd.count = Nowhere, Nowhere, 0
}

// Launchable are the actor's fleets in an orbit that have not just arrived (EB-080).
func (s *State) Launchable(w Place) Fleets {
	f, a := s.seats[s.actor].fleet[w], s.arrived[w]
	return Fleets{f.Steady - a.Steady, f.Risk - a.Risk}
}

// launchWorlds are the worlds with fleets that may launch.
func (s *State) launchWorlds() Places {
	set := s.seats[s.actor].present() & worlds
	for w := range set.Each {
		if s.Launchable(w) == (Fleets{}) {
			set &^= only(w)
		}
	}
	return set
}

// going are the fleets that the decision about a part is about.
func (s *State) going() Fleets {
	if at := s.pending.at; at < Place(NumWorlds) {
		return s.Launchable(at)
	}
	return s.seats[s.actor].fleet[s.pending.at]
}

func (s *State) legalPart(m env.Mask, _ env.Player) {
	f := s.going()
	if f.Risk == 0 {
		counts(m, 1, int(f.Steady)-1)
	} else {
		counts(m, 0, int(f.Steady))
	}
}

func (s *State) legalPartRisk(m env.Mask, _ env.Player) {
	f, n := s.going(), s.pending.count
	low, high := 0, int(f.Risk)
	if n == 0 {
		low = 1
	}
	if n == f.Steady {
		high--
	}
	counts(m, low, high)
}

// playExtraMove is EB-061.
func (s *State) playExtraMove(_ env.Player, a env.Action, _ *env.Tape) {
	if a == Yes {
		s.startRound()
	}
}

// legalLaunch is EB-080.
func (s *State) legalLaunch(m env.Mask, _ env.Player) {
	m.Block(act.at.First, uint64(s.launchWorlds()))
	m.Block(Done, 1)
}

// playEarlyLaunch is EB-082.
func (s *State) playEarlyLaunch(p env.Player, a env.Action, _ *env.Tape) {
	if a == Done {
		s.pending.step = moveExtra
	} else {
		s.launch(p, Place(act.at.Index(a)))
	}
}

func (s *State) playLaunch(p env.Player, a env.Action, _ *env.Tape) {
	if a == Done {
		s.startFleet()
	} else {
		s.launch(p, Place(act.at.Index(a)))
	}
}

// launch asks where the fleets of an orbit go.
func (s *State) launch(p env.Player, w Place) {
	s.pending.at = w
	s.open(AtLaunchTo, p)
}

// legalLaunchTo is EB-080, with a part of the fleets if there are two.
func (s *State) legalLaunchTo(m env.Mask, _ env.Player) {
	s.legalDestinations(m, s.game.skyward[s.pending.at])
}

// legalWorldward is EB-062.
func (s *State) legalWorldward(m env.Mask, _ env.Player) {
	s.legalDestinations(m, s.game.down[s.pending.at])
}

func (s *State) legalDestinations(m env.Mask, to Places) {
	m.Block(act.at.First, uint64(to))
	if s.going().Count() >= 2 {
		m.Block(act.part.First, uint64(to))
	}
}

// playDestination sends all fleets, or asks which part of them.
func (s *State) playDestination(p env.Player, a env.Action, _ *env.Tape) {
	f := s.going()
	if act.at.Has(a) {
		s.moveFleets(Place(act.at.Index(a)), int(f.Steady), int(f.Risk))
		return
	}
	s.pending.to = Place(act.part.Index(a))
	if f.Steady > 0 {
		s.open(AtPartCount, p)
	} else {
		s.open(AtPartCountRisk, p)
	}
}

func (s *State) playPart(p env.Player, a env.Action, _ *env.Tape) {
	pd := &s.pending
	pd.count = uint8(act.count.Index(a))
	if s.going().Risk > 0 {
		s.open(AtPartCountRisk, p)
	} else {
		s.moveFleets(pd.to, int(pd.count), 0)
	}
}

// proceedDefensive is EB-070 to EB-073, world by world.
func (s *State) proceedDefensive(tape *env.Tape) {
	p := env.Player(s.actor)
	pd := &s.pending
	if pd.at != Nowhere && s.seats[p].fleet[pd.at].Count() == 0 {
		pd.firing = 0 // EB-073
	}
	if pd.firing != 0 {
		s.fireDefensively(tape)
		return
	}
	for w := range (pd.came &^ pd.before).after(pd.at).Each {
		pd.at = w
		if s.askDefensive(p); s.decision != NoDecision || pd.firing != 0 {
			return
		}
	}
	pd.before, pd.came, pd.at = 0, 0, Nowhere
	pd.step = moveInterplanetary
}

// askDefensive asks the next seat after p that may fire; after the last one the UN joins in (EB-071).
func (s *State) askDefensive(p env.Player) {
	pd := &s.pending
	for q := s.clockwise(p, 1); q != env.Player(s.actor); q = s.clockwise(q, 1) {
		if s.seats[q].present().Has(pd.at) || s.settled[q].Has(pd.at) {
			s.open(AtDefensiveFire, q)
			return
		}
	}
	if s.seats[s.actor].sanction && s.settled[UN].Has(pd.at) {
		pd.firing |= 1 << UN
	}
}

func (s *State) playDefensiveFire(p env.Player, a env.Action, _ *env.Tape) {
	if a == Yes {
		s.pending.firing |= 1 << p
	}
	s.askDefensive(p)
}

// fireDefensively is EB-072 for the next of those that fire.
func (s *State) fireDefensively(tape *env.Tape) {
	pd := &s.pending
	by := s.firstClockwise(env.Seats(pd.firing) &^ (1 << UN))
	if by == None {
		by = UN
	}
	pd.firing &^= 1 << by
	s.rollBy(evDefensive, by, 0, s.DefensiveDice(by, pd.at), tape)
}

// DefensiveDice are the dice that a seat or the UN rolls at fleets that arrive (EB-072).
func (s *State) DefensiveDice(by env.Player, w Place) int {
	land := s.land[by][w].Count()
	if by == UN {
		return 2 * land
	}
	my := &s.seats[by]
	return (my.fleet[w].Count()+1)/2 + land*(2+int(my.level[Defences]))
}

// HitNeed is the number needed by one owner to hit another (EB-072, EB-101, EB-175, EB-222): Attack and
// Durability count for seats alone.
func (s *State) HitNeed(by, at env.Player) int {
	need := s.game.data.Roll.Hit
	if by < UN {
		need -= int(s.seats[by].level[Attack])
	}
	if at < UN {
		need += int(s.seats[at].level[Durability])
	}
	return need
}

// defensiveHits is EB-073.
func (s *State) defensiveHits(r result) {
	s.askLoss(env.Player(s.actor), s.pending.at, r.hits)
}
