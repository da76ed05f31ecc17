package oneearth

import "earthgym/env"

type observeTables struct{}

func newObserveTables(g *Game) *observeTables        { return nil }
func featureList() []env.Feature                     { return []env.Feature{{Name: "x", Shape: []int{1}, High: 1}} }
func (s *State) Observe(dst []float32, p env.Player) {}
