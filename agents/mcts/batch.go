package mcts

import (
	"context"

	"earthgym/agents/neural"
	"earthgym/env"
)

// A batch has batchSize simulations, beyond which the network is hardly any faster for a position, or half of those
// there are, so that two workers have something to do, but leastBatch at least. None of that depends on how many
// workers there are.
const (
	batchSize  = 32
	leastBatch = 8
)

// A batch is simulations that go on side by side, in which the network plays the searcher: asked about many positions
// at once, it needs about two thirds of the time for each.
type batch struct {
	states  []env.State
	model   []int          // of the others, by simulation
	others  [][][]player   // by simulation, model and seat
	luck    [][]env.Stream // by simulation and seat
	mine    []int          // decisions of the searcher in each
	masks   []uint64       // of the positions asked about
	seen    []float32
	running []int // simulations that aren't over
	asked   []int // those that wait for the network
}

// ready makes room.
func (l *batch) ready(g env.Game, inputs int, others []opener) {
	if l.states != nil {
		return
	}
	for range batchSize {
		l.states = append(l.states, g.New())
		l.luck = append(l.luck, make([]env.Stream, g.Info().Players))
		l.others = append(l.others, table(others, g.Info().Players))
	}
	l.model = make([]int, batchSize)
	l.mine = make([]int, batchSize)
	l.masks = make([]uint64, batchSize*g.Info().MaskWords())
	l.seen = make([]float32, batchSize*inputs)
	l.running, l.asked = make([]int, 0, batchSize), make([]int, 0, batchSize)
}

// playBatch plays the simulations of a field from number from to below to, as playOn does one by one, and notes what
// the searcher returns. The first number of a sample is at.
func (m *simulator) playBatch(ctx context.Context, v *env.View, base uint64, field []*candidate, at, from, to int) {
	l := &m.batch
	l.ready(m.game, m.policy.Spec().Inputs, m.openers)
	m.me = v.Player()
	l.running = l.running[:0]
	for i := range to - from {
		c, sample := field[(from+i)%len(field)], at+(from+i)/len(field)
		key := env.Mix(base + uint64(sample))
		v.SampleInto(l.states[i], key)
		l.model[i] = modelOf(key, len(l.others[i]))
		for p := range l.luck[i] {
			l.luck[i][p] = env.NewStream(playerSeed(key, p), netLuck)
			if bot := m.bot(i, env.Player(p)); bot != nil {
				bot.Reset(playerSeed(key, p))
			}
		}
		l.states[i].Apply(c.action, nil)
		l.mine[i] = 0
		l.running = append(l.running, i)
	}
	end := func(i int, value float64) {
		field[(from+i)%len(field)].returns[at+(from+i)/len(field)] = value
	}
	for len(l.running) > 0 && ctx.Err() == nil {
		m.breathe()
		m.ask(end)
		if len(l.asked) > 0 {
			m.answer(end)
		}
	}
}

// ask brings every simulation that isn't over to where the network is to decide or to value.
func (m *simulator) ask(end func(i int, value float64)) {
	l, inputs, words := &m.batch, m.policy.Spec().Inputs, len(m.legal)
	l.asked = l.asked[:0]
	running := l.running[:0]
	for _, i := range l.running {
		s := l.states[i]
		for {
			p := s.Actor()
			if p == env.Over {
				s.Returns(m.returns)
				end(i, m.returns[m.me])
				break
			}
			mask := env.Mask(l.masks[len(l.asked)*words:][:words])
			s.Legal(mask)
			if p == m.me {
				l.mine[i]++
			}
			if bot := m.bot(i, p); bot != nil && mask.Nth(1) >= 0 {
				s.Apply(bot.Choose(s, mask), nil)
				m.played++
				continue
			}
			if mask.Nth(1) < 0 && !m.cutOff(l.mine[i], p) {
				s.Apply(mask.Nth(0), nil)
				m.played++
				continue
			}
			s.Observe(l.seen[len(l.asked)*inputs:][:inputs], p)
			l.asked = append(l.asked, i)
			running = append(running, i)
			break
		}
	}
	l.running = running
}

// cutOff says whether the network values a position in place of playing on, the searcher's decision of that number if p
// is the searcher.
func (m *simulator) cutOff(mine int, p env.Player) bool {
	return m.cut > 0 && mine >= m.cut && p == m.me
}

// answer lets the network decide in the positions that were asked about, or value them.
func (m *simulator) answer(end func(i int, value float64)) {
	l, spec, words := &m.batch, m.policy.Spec(), len(m.legal)
	rows := len(l.asked)
	logits, values := m.policy.Evaluate(&m.work, l.seen[:rows*spec.Inputs], l.masks[:rows*words], rows)
	running := l.running[:0]
	for row, i := range l.asked {
		s := l.states[i]
		p := s.Actor()
		if m.cutOff(l.mine[i], p) {
			end(i, m.trusted(values[row*spec.Values]))
			continue
		}
		z, mask := logits[row*spec.Actions:][:spec.Actions], l.masks[row*words:][:words]
		a := neural.Argmax(z, mask)
		if !m.likeliest(i, p) {
			a = neural.Sample(z, mask, l.luck[i][p].Float64())
		}
		s.Apply(env.Action(a), nil)
		m.played++
		running = append(running, i)
	}
	l.running = running
}

// rival is who plays a seat in a simulation, if that isn't the searcher's own model; else nil.
func (m *simulator) rival(i int, p env.Player) player {
	if l := &m.batch; p != m.me && len(l.others[i]) > 0 {
		return l.others[i][l.model[i]][p]
	}
	return nil
}

// bot is who plays a seat in a simulation, if that isn't a network; else nil.
func (m *simulator) bot(i int, p env.Player) player {
	h := m.rival(i, p)
	if _, network := h.(*netPlayer); network {
		return nil
	}
	return h
}

// likeliest says whether the network that plays a seat in a simulation takes its likeliest action.
func (m *simulator) likeliest(i int, p env.Player) bool {
	if h, network := m.rival(i, p).(*netPlayer); network {
		return h.argmax
	}
	return m.argmax
}
