package scripted

import (
	"earthgym/env"
	"earthgym/games/earthman"
)

// earthmanNaive draws among the legal actions: it likes to expand, votes against everything, and gives
// nothing away.
type earthmanNaive struct {
	luck    env.Stream
	weights []float64 // by action
	state   *earthman.State
	legal   []env.Action
}

func newEarthmanNaive(g env.Game) *earthmanNaive {
	b := &earthmanNaive{}
	by := map[string]float64{
		"expand": 4, "no": 4, "resource": 3, "all": 3, "fleet": 3, "done": 2, "research": 2, "study": 2, "discontent": 0.3,
		"part": 0.3,
		"fire": 0.3, "firerisk": 0.3,
	}
	for _, a := range g.Info().Actions {
		w, ok := by[a.Family]
		if !ok {
			w = 1
		}
		b.weights = append(b.weights, w)
	}
	return b
}

// Seed seeds its chance.
func (b *earthmanNaive) Seed(seed uint64) { b.luck = env.NewStream(seed, "naive") }

// Remembers says that it goes on drawing where it has stopped.
func (b *earthmanNaive) Remembers(env.State) bool { return true }

// Choose draws by weight.
func (b *earthmanNaive) Choose(state env.State, legal env.Mask) env.Action {
	b.state = state.(*earthman.State)
	m := legal
	done := 2.0
	switch b.state.Decision() {
	case earthman.AtClaimVote, earthman.AtPeaceVote:
		return earthman.No
	case earthman.AtAccord, earthman.AtTransfer, earthman.AtSpy:
		return earthman.Done
	case earthman.AtLaunch:
		done = 3
	}
	b.weights[earthman.Done] = done
	b.legal = m.Append(b.legal[:0])
	total := 0.0
	for _, a := range b.legal {
		total += b.weights[a]
	}
	x := b.luck.Float64() * total
	for _, a := range b.legal {
		if x -= b.weights[a]; x < 0 {
			return a
		}
	}
	return b.legal[len(b.legal)-1]
}
