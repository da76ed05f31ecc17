package mcts

import "earthgym/env"

const (
	mostVisits  = 24   // of a roll-out, from its beginning: roll-outs that meet mostly do so early
	mostEntries = 1024 // of a sample
)

// transpositions are the positions that roll-outs of one sample have come to. These have the same luck, and so one that
// comes to where another has been goes on as that one did: it need not be played to know what it returns. Positions are
// kept whole and compared, luck included, so that roll-outs never meet by mistake.
type transpositions struct {
	entries []entry                // those of the sample first
	kept    int                    // of them
	index   [2 * mostEntries]int16 // by key, with the next free entry for what is there already: 1 + the entry
	returns []float64              // to the searcher, by roll-out
}

type entry struct {
	state   env.State
	key     uint64
	rollOut int // that came here first
}

// clear forgets the sample before.
func (c *transpositions) clear() {
	clear(c.index[:])
	c.kept, c.returns = 0, c.returns[:0]
}

// visit takes note of where the roll-out under way is; or it says what the one that has been there returned, if there
// is one. The key is equal for equal positions.
func (c *transpositions) visit(s env.State, key uint64) (value float64, met bool) {
	at := key % uint64(len(c.index))
	for ; c.index[at] > 0; at = (at + 1) % uint64(len(c.index)) {
		if p := &c.entries[c.index[at]-1]; p.key == key && p.state.Equal(s) {
			return c.returns[p.rollOut], true
		}
	}
	if c.kept == mostEntries {
		return 0, false
	}
	if c.kept == len(c.entries) {
		c.entries = append(c.entries, entry{state: s.Game().New()})
	}
	p := &c.entries[c.kept]
	p.state.CopyFrom(s)
	p.key, p.rollOut = key, len(c.returns)
	c.kept++
	c.index[at] = int16(c.kept)
	return 0, false
}

// end notes what the roll-out under way has returned.
func (c *transpositions) end(value float64) { c.returns = append(c.returns, value) }

// remembers says whether somebody goes by more than the position from now on, so that those who meet may part again.
func (m *simulator) remembers() bool {
	for p := range m.own {
		if m.player(env.Player(p)).Remembers(m.state) {
			return true
		}
	}
	return false
}

// meet says what the roll-out returns, if another one of its sample has been where it is now, p to decide, after so
// many decisions of the searcher.
func (m *simulator) meet(p env.Player, mine int) (value float64, met bool) {
	key := uint64(p)
	if m.cut > 0 { // they end after the same number
		key = env.Mix(key ^ uint64(mine)<<8)
	}
	for _, luck := range m.state.Luck() {
		key = env.Mix(key ^ luck.Uint64())
	}
	for _, word := range m.legal {
		key = env.Mix(key ^ word)
	}
	return m.transpositions.visit(m.state, key)
}
