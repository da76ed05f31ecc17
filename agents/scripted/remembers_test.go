package scripted

import (
	"testing"

	"earthgym/env"
	"earthgym/env/envtest/must"
	"earthgym/env/registry"
)

// Where a bot says that it doesn't remember, it goes on as one that was just reset with its seed; also after others
// have played something in its place.
func TestRemembers(t *testing.T) {
	const decisions = 250
	for _, script := range scripts() {
		rb := script.rulebook()
		for _, variant := range rb.Variants {
			g := must.Have(registry.Registry{rb}.Open(variant))(t)
			for _, name := range Names() {
				t.Run(variant+" "+name, func(t *testing.T) {
					t.Parallel()
					forgot, remembered := 0, 0
					create := must.Have(Open(g, name))(t)
					old, fresh := make([]*Bot, g.Info().Players), make([]*Bot, g.Info().Players)
					for p := range old {
						old[p], fresh[p] = create(), create()
					}
					s, m := g.New(), make(env.Mask, g.Info().MaskWords())
					luck := env.NewStream(1, "table")
					for n := 0; n < decisions; n++ {
						if s.Actor() == env.Over || n == 0 {
							s.Reset(luck.Uint64(), nil)
							for p := range old {
								old[p].Reset(uint64(p))
								fresh[p].Reset(uint64(p))
							}
						}
						for p := range old {
							if old[p].Remembers(s) {
								remembered++
								continue
							}
							forgot++
							fresh[p].Reset(uint64(p))
						}
						s.Legal(m)
						p := s.Actor()
						a, b := old[p].Choose(s, m), fresh[p].Choose(s, m)
						if a != b {
							t.Fatalf("decision %d: seat %d chooses %q, and %q after a reset", n, p, env.ActionText(s, a),
								env.ActionText(s, b))
						}
						if luck.Below(8) == 0 {
							a = m.Nth(luck.Below(m.Count()))
						}
						s.Apply(a, nil)
					}
					if (forgot == 0) != (name == Naive) {
						t.Errorf("remembers %d times and doesn't %d times", remembered, forgot)
					}
				})
			}
		}
	}
}
