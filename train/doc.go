// Package train trains policy networks: first to do as bots do, then to beat them.
//
// A [Run] is a directory: config.toml, metrics.jsonl (a line per update), the same for TensorBoard, checkpoints,
// best.safetensors, and resume.safetensors, from which an interrupted run goes on as if nothing had happened. [Start]
// begins one, [Resume] goes on with one, and [Run.Train] alternates between two halves that share nothing but weights
// one way and decisions the other: the collector plays many games side by side, and the [Learner] improves the network.
// The network, its loss and their gradients are a Gorgonia graph of the fused operations of package ops.
//
// A run has three phases. In the first, teachers play and the network learns to decide as they do; in the second the
// network plays half of their seats, and is told what they would have done there. In the third it plays a league,
// against the whole field, its past selves and itself, and PPO makes it better, held near what it was a while ago.
// Now and then a match against the field, always on the same seeds, says how strong it is. At the end the best network
// by these, the newest, and the one that the league began with play on other seeds, and the strongest is the answer.
//
// One network plays every seat, and every variant of the game that the run names: half of its games are of the first
// and of those that differ from it in the number of seats alone, the rest of any, the harder the oftener. Its
// observations put the own seat first, and each seat's decisions form a trajectory of their own, whose rewards are all
// that the seat got until its next decision; where all win together, all seats' decisions form one.
//
// It reads from top to bottom: train.go tells the whole story, and each file stands above those that it calls.
//
//	train.go                     the loop: collect, advantages, epochs, log
//	run.go                       start and resume
//	evaluate.go                  matches against the field
//	resume.go                    what is saved
//	card.go, events.go           what a network's card says; metrics for TensorBoard
//	records.go, clone.go         recorded games to learn from; teachers
//	reference.go                 what the policy stays near
//	memory.go                    what a run will need
//	metrics.go                   what an update says of itself
//	selfplay.go                  the games side by side, and who decides in them
//	rollout.go                   the memory of decisions
//	learner.go                   the network as a graph, its loss (ops) and the step
//	rows.go, adam.go             the memory of what was seen; the optimiser
//	league.go, pool.go           who plays whom
//	config.go, settings.go       what a run is made of
//
// A run is determined by its Config: weights, games, actions and minibatches come from its seed, and nothing depends on
// the number of workers. Budgets of time are the exception: then the clock decides, also how long the last matches are.
//
// RESEARCH.md beside this file tells what was tried and what came of it.
package train
