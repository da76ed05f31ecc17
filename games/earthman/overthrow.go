package earthman

import "earthgym/env"

// proceedOverthrow is EB-120 to EB-123, target by target.
func (s *State) proceedOverthrow(tape *env.Tape) {
	pd := &s.pending
	target := env.Player(pd.target)
	switch {
	case pd.region > 0: // The target has paid for the region that it gave up.
		s.takeOver(int(pd.region)-1, tape)
		pd.region = 0
		return
	case target == None:
		if target = s.nextTarget(&pd.overthrow); target == None {
			pd.step = doPacify
			return
		}
		pd.target = int8(target)
	case pd.overthrow[s.TargetPlace(target)] != (Fleets{}):
	case pd.left > 0:
		pd.left--
		s.blow(target, tape)
		return
	default:
		pd.target = int8(None)
		return
	}
	n, way := s.takeDice(&pd.overthrow[s.TargetPlace(target)])
	s.roll(evOverthrow, way, n, tape)
}

// OverthrowNeed is the number that a steady fleet needs (EB-120).
func (s *State) OverthrowNeed(by, target env.Player, w Place) int {
	need := s.game.data.Roll.Overthrow - int(s.seats[by].level[Influence])
	if s.guarded(w) {
		need++
	}
	if target < UN {
		need += int(s.seats[target].level[Unity])
	}
	return need
}

// overthrowHits is EB-121, once both lots have been rolled.
func (s *State) overthrowHits(r result) {
	pd := &s.pending
	pd.hits[0] += uint8(r.hits)
	if pd.overthrow[s.TargetPlace(env.Player(pd.target))] == (Fleets{}) {
		pd.left = pd.hits[0] / 2
		pd.hits[0] = 0
	}
}

// blow is EB-123; for the UN, EB-225.
func (s *State) blow(target env.Player, tape *env.Tape) {
	w := s.pending.at
	land := s.land[target][w]
	if land == 0 {
		return
	}
	if target < UN {
		s.open(AtOverthrowReply, target)
		return
	}
	steady, shaken := land&^s.shaken[w], land&s.shaken[w]
	if steady != 0 && !(s.game.yields && shaken != 0) {
		s.shaken[w] |= 1 << steady.first()
		return
	}
	r := shaken.first()
	s.loseRegion(UN, w, r, false)
	s.takeOver(r, tape)
}

// playOverthrown is the target's choice in EB-123.
func (s *State) playOverthrown(p env.Player, a env.Action, _ *env.Tape) {
	pd, r := &s.pending, act.region.Index(a)
	if s.shaken[pd.at]>>r&1 == 0 {
		s.shaken[pd.at] |= 1 << r
		return
	}
	s.loseRegion(p, pd.at, r, false)
	pd.region = uint8(r + 1)
}

// takeOver puts a development of the actor, At Risk, in a region that an overthrown owner gave up.
func (s *State) takeOver(r int, tape *env.Tape) {
	tape.Mark("takes-over", env.Player(s.actor))
	s.addDevelopment(env.Player(s.actor), s.pending.at, r)
	s.shaken[s.pending.at] |= 1 << r
}
