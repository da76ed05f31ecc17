package earthrising

import "earthgym/env"

func features() []env.Feature                        { return []env.Feature{{Name: "x", Shape: []int{1}, High: 1}} }
func (g *Game) optionRow() []float32                 { return nil }
func (s *State) Observe(dst []float32, p env.Player) {}
func (s *State) Redeal2()                            {}
