package train

// Cloning, the first stage of a run: the network learns to decide as its teachers do, and what comes of it.
//
//	cloning   games of the teachers among other agents of the field, so that positions off the teachers' own path are
//	          seen, and what others do that teachers never would. Every decision of theirs is learnt from, also that to
//	          decline or to pass.
//	dagger    the network itself plays half of the teachers' seats, and is told what the teacher would have done there:
//	          positions that its own mistakes lead to (DAgger: Ross, Gordon and Bagnell, A Reduction of Imitation
//	          Learning and Structured Prediction to No-Regret Online Learning, 2011).
//
// The loss is the cross-entropy of the teacher's action over those that are legal, beside that of the value, which
// learns the returns that followed: all of them, with the network's own value in place of those behind the end of an
// update's decisions. Every decision is fresh when the network is first asked about it, so that accuracy and
// cross-entropy of an update are those on games that it has not learnt from yet.
//
// Recorded games (records:FOLDER) are a teacher too: all decisions in them, in another order of games each time. Nobody
// can be asked there what else should have been done, so the network only plays itself where other teachers are named.

import (
	"earthgym/agents/neural"
	"earthgym/env"
)

// cloneLearningRate is that of Adam at the start of cloning; it falls in a line to a twentieth of it by the end.
const cloneLearningRate = 0.001

// cloneMinibatch is the number of decisions of one gradient step of cloning: what teachers do is less noisy than what
// returns say, so that smaller steps tell as much.
func (c *Config) cloneMinibatch() int { return max(1, c.Minibatch/4) }

// teach notes what a teacher does at decision i, where the network has the logits z.
func (r *rollout) teach(i int, z []float32, taught env.Action) {
	r.actions[i] = int32(taught)
	r.logProbs[i] = float32(neural.LogProb(z, r.mask(i), int(taught)))
	r.agrees[i] = neural.Argmax(z, r.mask(i)) == int(taught)
}

// agreement is the mean cross-entropy of the teachers' actions, and how often one was the network's likeliest.
func (r *rollout) agreement(decisions []int32) (crossEntropy, accuracy float64) {
	for _, i := range decisions {
		crossEntropy -= float64(r.logProbs[i])
		if r.agrees[i] {
			accuracy++
		}
	}
	n := float64(len(decisions))
	return crossEntropy / n, accuracy / n
}

// seatTeachers seats a game to clone. In every other game about half of the seats are one and the same agent's, so that
// the teacher shows what to do about that one; in the rest a third of them are anybody's. All other seats are one of
// the teachers' or, half of these when it is time for that, the network's. Where all win together, one stranger loses
// the game for all, and with it what teachers do in won ones: there only one table in four has any.
func (k *collector) seatTeachers(lane int) {
	p, luck, drivers := k.pool, &k.seating[lane], k.drivers(lane)
	k.teacher[lane], k.opponent[lane] = p.teachers[luck.Below(len(p.teachers))], mixed
	anybody := func() int32 { return int32(luck.Below(len(p.fixed))) }
	one := luck.Below(len(drivers)) // there is always somebody to learn from
	same, other := luck.Below(2) == 0, anybody()
	alone := k.rollout.together && luck.Below(4) != 0
	for seat := range drivers {
		drivers[seat] = k.teacher[lane]
		switch {
		case seat == one || alone:
		case same && luck.Below(2) == 0:
			drivers[seat] = other
		case !same && luck.Below(3) == 0:
			drivers[seat] = anybody()
		}
	}
	k.hand(lane, 2)
}

// hand gives one in so many of the teacher's seats to the network, once it is to play.
func (k *collector) hand(lane, oneIn int) {
	drivers := k.drivers(lane)
	for seat, d := range drivers {
		if d == k.teacher[lane] && k.phase != cloning && k.seating[lane].Below(oneIn) == 0 {
			drivers[seat] = network
		}
	}
}

// enter begins another phase in the running games: the network takes over half of the teachers' seats, or all of them.
func (k *collector) enter(p phase) {
	before := k.phase
	k.phase = p
	if before == p || len(k.pool.teachers) == 0 {
		return
	}
	if p == leaguePlay {
		k.rollout.forget()
	}
	for lane := range k.variant {
		if p == leaguePlay {
			k.hand(lane, 1)
		} else {
			k.hand(lane, 2)
		}
	}
}

// spread plays on without learning until the lanes are spread evenly over the length of a game, so that an update sees
// positions of all of it. It returns observations of such games.
func (k *collector) spread() (observations []float32, err error) {
	length := 0
	everywhere := func() error {
		k.ours, k.theirs = k.ours[:0], k.theirs[:0]
		for lane := range k.actions {
			k.theirs = append(k.theirs, lane)
		}
		return k.play(func(int) {})
	}
	for k.stats.games == 0 {
		if err := everywhere(); err != nil {
			return nil, err
		}
		length++
	}
	lanes := len(k.actions)
	for lane, t := 0, 0; lane < lanes; t++ {
		for ; lane < lanes && lane*length/lanes <= t; lane++ {
			k.begin(lane)
		}
		if err := everywhere(); err != nil {
			return nil, err
		}
		for i := t; i < lanes && t*scaleRows/length > len(observations)/k.info.Observation(); i++ {
			row := k.workers[0].row
			k.table(i).Observe(i, row)
			observations = append(observations, row...)
		}
	}
	k.stats.clear()
	return observations, nil
}

// scaleRows is about how many observations say how inputs are spread.
const scaleRows = 2048

// warm brings the collector to where a new run begins. It returns observations of games, by the teachers alone, or else
// by the network as it is.
func (k *collector) warm(p phase, policy *neural.Policy) ([]float32, error) {
	if p != leaguePlay && len(k.pool.teachers) > 0 {
		k.phase = cloning
		k.beginAll()
		observations, err := k.spread()
		k.enter(p)
		return observations, err
	}
	k.phase = leaguePlay // Of recorded games there is nobody to be asked.
	k.beginAll()
	if err := k.collect(policy, k.config.NumSteps); err != nil {
		return nil, err
	}
	k.phase = p
	r := k.rollout
	rows := min(r.n, scaleRows)
	observations := make([]float32, rows*r.inputs)
	r.observations.writeAll(observations, rows)
	r.forget()
	k.stats.clear()
	return observations, nil
}
