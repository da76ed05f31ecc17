package newearth

import "earthgym/env"

func (s *State) Why(a env.Action) string {
	if s.mask.has(a) {
		return ""
	}
	return "NE-001"
}
func (s *State) Redeal(p env.Player, key uint64) {}
