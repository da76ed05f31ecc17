package earthman

import (
	"math"

	"earthgym/env"
	"earthgym/env/alike"
)

// What scripted bots and tools ask of a position.

// Place is the place in hand: the world whose jobs are nominated, the place that fleets leave.
func (s *State) Place() Place { return s.pending.at }

// Target is the seat or UN in hand, or None.
func (s *State) Target() env.Player { return env.Player(s.pending.target) }

// ToLose is the number asked about: fleets to lose, to remove, or offered.
func (s *State) ToLose() int { return int(s.pending.count) }

// Operation is the operation of Espionage in hand.
func (s *State) Operation() env.Action { return s.pending.action }

// Job is the action whose number is asked for, or -1.
func (s *State) Job() env.Action { return s.pending.action }

// JobMost is the largest number that can be given for it.
func (s *State) JobMost() int { return s.jobMost(s.pending.action) }

// Nominated is how many fleets, groups or developments have been nominated for an action of the menus.
func (s *State) Nominated(a env.Action) int {
	if n, _ := s.pending.job(a); n != nil {
		return int(*n)
	}
	return 0
}

// Thoughts are those in a seat's AI Pool.
func (s *State) Thoughts(p env.Player) int { return int(s.seats[p].thoughts) }

// Roll is the open Thought window: what is rolled, by whom (a seat or the UN), the seats it hurts.
func (s *State) Roll() (event string, roller env.Player, hurt env.Seats) {
	return eventNames[s.lot.event], env.Player(s.lot.roller), s.lot.hurt
}

// Rogue is the number of Rogue symbols drawn (EB-270).
func (s *State) Rogue() int { return int(s.rogue) }

// RoundsLeft is how many rounds must be expected, this one included: until Victory Points or a lead of them trigger the
// end at today's pace, and the last round at most.
func (s *State) RoundsLeft() float64 {
	if s.trigger {
		return 1
	}
	g, n := s.game, s.game.players
	var pace [MaxPlayers]float64
	power := 0
	for q := range n {
		power += int(s.seats[q].power)
	}
	for q := range n {
		// Power that is ahead stays ahead for a while, so what it scores now counts in full, and the rest as a prospect.
		pace[q] = float64(s.PowerVP(env.Player(q))) + float64(s.seats[q].level[AI])/3
		pace[q] += float64(0.05 * (float64(s.seats[q].power) - float64(power)/float64(n)))
	}
	left := float64(g.rounds - int(s.round) + 1)
	for q := range n {
		fastest := 0.0
		for o := range n {
			if o != q {
				fastest = max(fastest, pace[o])
			}
		}
		if p := pace[q]; p > 0 {
			left = min(left, 1+float64(g.points+1-int(s.seats[q].vp))/p)
		}
		if p := pace[q] - fastest; p > 0 {
			left = min(left, 1+float64(g.lead+1-s.Lead(env.Player(q)))/p)
		}
	}
	return max(1, left)
}

// Chances is each seat's chance to win if the game lasts so many rounds more. It is a logistic regression over
// positions of games between strong bots: the longer the game still lasts, the more count what scores, and the
// developments and fleets that will, beside the points that are scored.
func (s *State) Chances(left float64, dst *[MaxPlayers]float64) {
	n, top, ahead := s.game.players, math.Inf(-1), min(12, left)
	for q := range n {
		my := &s.seats[q]
		growth := float64(0.1*float64(s.PowerVP(env.Player(q)))) + float64(0.17*float64(my.level[AI])) +
			float64(0.02*float64(my.power)) +
			float64(0.086*float64(my.developments)) + float64(0.063*float64(my.fleets))
		dst[q] = (float64(0.3*float64(my.vp)) + float64(growth*ahead)) / (1 + float64(0.2*ahead))
		top = max(top, dst[q])
	}
	shares(dst[:n], top)
}

// shares turns log-odds, the highest of which is top, into what each has of the chance to win.
func shares(dst []float64, top float64) {
	total := 0.0
	for q := range dst {
		dst[q] = alike.Exp(dst[q] - top)
		total += dst[q]
	}
	for q := range dst {
		dst[q] /= total
	}
}

// An outlookWeight is what a number of a seat counts in its log-odds to win: at once, and for each round that is left.
type outlookWeight struct{ now, round float64 }

// outlookOf are the numbers of a seat that tell who wins, and their weights: a conditional logistic regression over the
// rounds of 1,500 games of 2 to 6 strong bots.
func (s *State) outlookOf(q env.Player) [12]struct {
	outlookWeight
	n int
} {
	my := &s.seats[q]
	counters := 0
	for set := my.studied; set != 0; set &= set - 1 {
		counters += int(my.counter[Places(set).first()])
	}
	level := func(t Tech) int { return int(my.level[t]) }
	return [12]struct {
		outlookWeight
		n int
	}{
		{outlookWeight{0.265, 0.009}, int(my.vp)},
		{outlookWeight{-0.266, 0.0968}, s.PowerVP(q)},
		{outlookWeight{0.0461, 0.0127}, int(my.power)},
		{outlookWeight{0, 0.067}, int(my.developments)},
		{outlookWeight{0.0024, 0.0297}, int(my.fleets)},
		{outlookWeight{-0.0501, -0.0041}, int(my.resource)},
		{outlookWeight{0.331, 0.0477}, level(AI)},
		{outlookWeight{1.18, 0.1}, level(Colonisation)},
		{outlookWeight{0.666, 0.214}, level(Nanotech)},
		{outlookWeight{-0.0296, -0.0411}, level(Attack)},
		{outlookWeight{-0.673, 0.0506}, level(Influence) + level(Stability) + level(Research)},
		{outlookWeight{-0.0392, 0.0295}, counters},
	}
}

// Outlook foresees who wins at the beginning of the first player's turn, when all have had as many turns. With the
// machines in the game it foresees nothing.
func (s *State) Outlook(dst []float64) bool {
	if s.actor != s.first || s.phase > InMove || s.phase == InPrelude || s.game.skynet {
		return false
	}
	ahead := min(12, s.RoundsLeft())
	top := math.Inf(-1)
	for p := range dst {
		dst[p] = 0
		for _, term := range s.outlookOf(env.Player(p)) {
			dst[p] += float64((term.now + float64(term.round*ahead)) / (1 + float64(0.2*ahead)) * float64(term.n))
		}
		top = max(top, dst[p])
	}
	shares(dst, top)
	others := float64(s.game.players - 1)
	for p, win := range dst {
		dst[p] = win - (1-win)/others
	}
	return true
}
