package scripted

import (
	"earthgym/env"
	"earthgym/games/oneearth"
)

// oneEarthNaive buys what it can at random, short of ruining the Earth, and now and then saves its
// money. It neither asks for aid nor grants it, and votes and talks as it happens.
type oneEarthNaive struct {
	state *oneearth.State
	luck  env.Stream
	legal []env.Action
}

// Seed seeds its chance.
func (b *oneEarthNaive) Seed(seed uint64) { b.luck = env.NewStream(seed, "naive") }

// Remembers says that it goes on drawing where it has stopped.
func (b *oneEarthNaive) Remembers(env.State) bool { return true }

// Choose draws among what is legal, without aid and other rows.
func (b *oneEarthNaive) Choose(state env.State, legal env.Mask) env.Action {
	b.state = state.(*oneearth.State)
	switch m := legal; {
	case b.state.Decision == oneearth.AtAskReply:
		return oneearth.No
	case b.state.Decision != oneearth.AtTurn:
		return m.Nth(b.luck.Below(m.Count()))
	case b.luck.Float64() < 0.1:
		return oneearth.Pass
	}
	b.legal = legal.Append(b.legal[:0])
	kept := b.legal[:0]
	for _, a := range b.legal {
		if a != oneearth.Refresh && a != oneearth.Pass && (a < oneearth.Ask || a >= oneearth.Share) && !ruins(b.state, a) {
			kept = append(kept, a)
		}
	}
	if len(kept) == 0 {
		return oneearth.Pass
	}
	return kept[b.luck.Below(len(kept))]
}

// ruins says whether an action funds a Project that would bring Global Emissions to the ruin.
func ruins(s *oneearth.State, a env.Action) bool {
	return a >= oneearth.Fund && a < oneearth.Tech &&
		int(s.Global)+s.EmissionWorth(s.Row[a-oneearth.Fund], false) >= s.Rules().Components.Constants.Ruin
}
