package earthman

import "earthgym/env"

// Redeal gives future chance new seeds. Nothing else is hidden: the next AI card is chance, too.
func (s *State) Redeal(_ env.Player, key uint64) {
	env.RedealStreams(s.luck[:], streamNames, key)
}
