// Package train trains policy networks by self-play.
//
// A [Run] is a directory: config.toml, metrics.jsonl (a line per update), checkpoints, and
// resume.safetensors, from which an interrupted run goes on as if nothing had happened. [Start] begins
// one, [Resume] goes on with one, and [Run.Train] alternates between two halves that share nothing but
// weights one way and decisions the other: the collector plays many games side by side, the network
// against itself, its past selves and given agents, and the [Learner] improves the network by PPO. The
// network, its loss and their gradients are a Gorgonia graph of the fused operations of package ops.
//
// One network plays every seat. Its observations put the own seat first, and each seat's decisions form
// a trajectory of their own, whose rewards are all that the seat got until its next decision.
//
// The algorithm reads from top to bottom in ppo.go. Around it are
//
//	config.go, settings.go       what a run is made of
//	run.go                       start, resume and the loop over updates
//	selfplay.go, pool.go         who plays whom, and the decisions of the others
//	rollout.go                   the memory of decisions
//	learner.go, adam.go, ops     the network as a graph, its loss and the step
//	metrics.go                   what an update says of itself
//	resume.go, lock.go           what is saved, and whose the folder is
//	memory.go                    what a run will need
//
// A run is determined by its Config: weights, games, actions and minibatches come from its seed, and
// nothing depends on the number of workers.
package train
