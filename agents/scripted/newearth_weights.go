package scripted

import "earthgym/env"

// newEarthWeights are what a seat weighs by.
type newEarthWeights struct {
	// Growth.
	Mining  float64 `low:"1" high:"5" help:"output of mining for two units of energy"`
	Making  float64 `low:"1" high:"5" help:"output of manufacturing for two units of energy"`
	Mixed   float64 `low:"0" high:"1" help:"how much a machine that can serve either counts for manufacturing"`
	Crowd   float64 `low:"0" high:"4" help:"what is lost when another worker takes the place of a manufacturing worker"`
	Earning float64 `low:"0" high:"12" help:"turn until which workers are better than machines, as they bring income"`
	Sort    float64 `low:"0" high:"3" help:"by how much; later it is the other way round"`
	Extra   float64 `low:"0" high:"8" help:"goods bought beyond those for levels and raises"`
	Caution float64 `low:"0" high:"20" help:"goods above the levels that are to be had next turn before anything else is bought"`
	Ascent  float64 `low:"0" high:"2" help:"share of the next turn's raises for which units are kept before the climb"`
	Works   float64 `low:"-1" high:"5" help:"how much less scarce than the rest manufacturing may be when a plant is built"`
	Profit  float64 `low:"1" high:"3" help:"what an offer must bring for each unit of worth that it takes"`
	Margin  float64 `low:"1" high:"2" help:"how much more than that an offer of its own brings the other seat"`
	// Levels.
	Climb    float64 `low:"0" high:"12" help:"turns before the last from which every zone is raised, however much land is free"`
	Full     float64 `low:"0" high:"2" help:"share of the own land's places that are used from which every zone is raised earlier"`
	Treasure float64 `low:"0" high:"40" help:"worth of a zone from which it is raised out of the reach of rivals"`
	Trust    float64 `low:"0" high:"1.2" help:"share of the output that next turn's levels may count on"`
	Safe     float64 `low:"0" high:"5" help:"levels by which a zone that surely counts in the storm may be ahead of one that does not"`
	Stake    float64 `low:"0" high:"20" help:"pieces hit by a catastrophe from which a card is played against it"`
	Loss     float64 `low:"0" high:"20" help:"what the loss of a zone costs, its pieces left out, in units"`
	// Elections and leaders.
	Reserve float64 `low:"0" high:"2" help:"cash kept for the next production turn, in m for each good that the levels take"`
	Purse   float64 `low:"0" high:"20" help:"cash kept beside that"`
	Strain  float64 `low:"0" high:"10" help:"goods that the levels take for each unit of manufacturing from which no zone is added"`
	Land    float64 `low:"0" high:"20" help:"worth of a neutral zone, its pieces left out"`
	Coin    float64 `low:"0" high:"3" help:"worth of 1m that an election takes"`
	Rob     float64 `low:"0" high:"1" help:"how much of what a rival loses counts as won"`
	Defence float64 `low:"0" high:"20" help:"cash that a defender is thought to commit at most"`
	Stand   float64 `low:"0" high:"40" help:"the same on the last turn"`
	Guard   float64 `low:"0" high:"2" help:"most cash to defend a zone with, for each point of its worth"`
	Join    float64 `low:"0" high:"40" help:"cash to spare from which elections of others are joined"`
	Prize   float64 `low:"0" high:"40" help:"worth of a zone from which they are"`
	Links   float64 `low:"0" high:"60" help:"cash to spare from which Transport Links opens an election elsewhere"`
	Reach   float64 `low:"0" high:"3" help:"how much the zones count that the leader reaches, by their worth"`
	Spear   float64 `low:"0" high:"60" help:"cash to spare from which the leader's zone is raised to the level of targets"`
	Shield  float64 `low:"0" high:"5" help:"how much the zone that the leader guards counts, against the zones that it reaches"`
	Move    float64 `low:"-5" high:"10" help:"how much worse a place the leader moves to, for the card that a move brings"`
}

// newEarthPlain are the weights of a seat that thinks of today.
func newEarthPlain() *newEarthWeights {
	return &newEarthWeights{Mining: 2.5, Making: 2.2, Mixed: 0.7, Crowd: 0.8, Earning: 5, Sort: 0.6}
}

func newEarthWeightsOf(g env.Game) any {
	if g.Info().Players == 2 {
		return &newEarthWeights{
			Mining: 3.3, Making: 2.3, Mixed: 0.46, Crowd: 1, Earning: 6.9, Sort: 0.16,
			Extra: 0.15, Caution: 0.28, Ascent: 0.38, Works: -0.042, Profit: 1.2, Margin: 1.1,
			Climb: 3.5, Full: 0.76, Treasure: 2.4, Trust: 0.78, Safe: 2.1, Stake: 1.9, Loss: 3.4,
			Reserve: 0.41, Purse: 7, Strain: 2.6, Land: 2.6,
			Coin: 0.037, Rob: 0.45, Defence: 4, Stand: 6.4, Guard: 1.4, Join: 11,
			Prize: 2.9, Links: 11, Reach: 0.94, Spear: 1.5, Shield: 0.5, Move: 8,
		}
	}
	return &newEarthWeights{
		Mining: 3.1, Making: 1.9, Mixed: 0.32, Crowd: 1.2, Earning: 7.1, Sort: 0.21,
		Extra: 0.72, Caution: 0.52, Ascent: 0.28, Works: 1.3, Profit: 1.2, Margin: 1.1,
		Climb: 3.5, Full: 0.79, Treasure: 0.2, Trust: 0.71, Safe: 1.5, Stake: 1.7, Loss: 5.2,
		Reserve: 0.36, Purse: 5.3, Strain: 2.1, Land: 2.2,
		Coin: 0, Rob: 0.51, Defence: 6, Stand: 5.1, Guard: 1.2, Join: 8.8,
		Prize: 4.1, Links: 11, Reach: 1.1, Spear: 5, Shield: 0.18, Move: 4.8,
	}
}
