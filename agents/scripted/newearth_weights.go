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
	Profit  float64 `low:"0.5" high:"5" help:"what an offer must bring for each unit of worth that it takes"`
	Eager   float64 `low:"0" high:"5" help:"what is given for each unit of worth of what lacks of a lot, at most"`
	Margin  float64 `low:"0.5" high:"4" help:"what an offer brings the other seat for each unit of worth that it takes"`
	// Levels.
	Climb    float64 `low:"0" high:"12" help:"turns before the last from which every zone is raised, however much land is free"`
	Full     float64 `low:"0" high:"2" help:"share of the own land's places that are used from which every zone is raised earlier"`
	Fence    float64 `low:"-1" high:"36" help:"turns before the last from which zones that a rival reaches are raised out of its reach"`
	Treasure float64 `low:"0" high:"40" help:"worth of a zone from which that is done"`
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
	Shield  float64 `low:"0" high:"5" help:"how much the zone that the leader guards counts, against the zones that it reaches"`
	Move    float64 `low:"-5" high:"10" help:"how much worse a place the leader moves to, for the card that a move brings"`
}

// newEarthPlain are the weights of a seat that thinks of today.
func newEarthPlain() *newEarthWeights {
	return &newEarthWeights{Mining: 2.5, Making: 2.2, Mixed: 0.7, Crowd: 0.8, Earning: 5, Sort: 0.6, Move: 1.2}
}

func newEarthWeightsOf(env.Game) any {
	return &newEarthWeights{
		Mining: 3.3, Making: 2.3, Mixed: 0.64, Crowd: 1.2, Earning: 7.2, Sort: 0.22, Extra: 0.27, Caution: 0.65, Ascent: 0.54, Works: 1.2, Profit: 1.5, Eager: 2, Margin: 1.6,
		Climb: 3.5, Full: 0.78, Fence: 12, Treasure: 2, Trust: 0.73, Safe: 0.98, Stake: 1.9, Loss: 6.1,
		Reserve: 0.23, Purse: 9.1, Strain: 3.1, Land: 2.2, Coin: 0, Rob: 0.46, Defence: 4.3, Stand: 8.6, Guard: 0.79, Join: 8, Prize: 1.6, Links: 8, Reach: 0.8, Shield: 0.5, Move: 2.8,
	}
}
