package scripted

import (
	"earthgym/env"
	"earthgym/games/resilience"
)

// resilienceNaive ends its turn now and then, and otherwise builds or rests at random.
type resilienceNaive struct {
	luck  env.Stream
	legal []env.Action
}

// Seed seeds its chance.
func (b *resilienceNaive) Seed(seed uint64) { b.luck = env.NewStream(seed, "naive") }

// Remembers says that it goes on drawing where it has stopped.
func (b *resilienceNaive) Remembers(env.State) bool { return true }

// Choose draws among what builds something, and refuses every offer.
func (b *resilienceNaive) Choose(state env.State, legal env.Mask) env.Action {
	m := legal
	if m.Has(resilience.No) {
		return resilience.No
	}
	b.legal = b.legal[:0]
	for _, family := range [...]func(resilience.Field) env.Action{resilience.Settle, resilience.BuildCity,
		resilience.BuildIndustry} {
		for f := range resilience.Field(resilience.NumFields) {
			if m.Has(family(f)) {
				b.legal = append(b.legal, family(f))
			}
		}
	}
	if m.Has(resilience.Sabbatical) {
		b.legal = append(b.legal, resilience.Sabbatical)
	}
	if !m.Has(resilience.Done) {
		return m.Nth(0)
	}
	if len(b.legal) == 0 || b.luck.Float64() < 0.3 {
		return resilience.Done
	}
	return b.legal[b.luck.Below(len(b.legal))]
}
