// Package mcts searches: it chooses an action by playing the game on, many times, from samples of what its seat may not
// know.
//
// A sample ([env.View.SampleInto]) is a State that may be the true one for all that the seat knows, with everything hidden
// and all chance to come drawn anew. From there simulations go on in one of two ways.
//
// # Flat
//
// Every legal action is tried on the same samples, the rest of the game is played by bots (roll-outs), and the actions
// that do worst are dropped, half of them in each round (sequential halving: Karnin, Koren, Somekh, Almost Optimal
// Exploration in Multi-Armed Bandits, 2013). One key decides all chance of a sample, the bots' own included, so that
// actions are compared under the same luck and their differences can be small beside the spread of returns. The bot's own
// choice, the incumbent, stays in all rounds, and another action is played only if it beats the incumbent by a margin of
// standard errors of these paired differences; with the option fresh on samples that were not used to find it, since the
// best of many estimates is too good to be true.
//
// # Tree
//
// Multiple-observer information-set search (Cowling, Powley, Whitehouse, Information Set Monte Carlo Tree Search, 2012):
// each seat has a tree of its own whose nodes are what that seat has seen, so that nobody in the tree acts on what they
// can't know, secret choices of one round included. Every seat maximises its own mean return (max^n: Luckhardt, Irani
// 1986); teams have one return, so they maximise that. Edges are chosen by PUCT (Silver et al. 2017) with availability in
// place of visits, and priors come from the roll-out bot's choice or from a network. By default chance has no nodes
// (nodes=path, open loop); nodes=seen tells nodes apart by the seat's observation, outcomes of chance included, which
// converges to the value of small games (the tests solve Nim with and without chance) and spreads thin in large ones.
//
// With a network (net=), policy and values take the place of bots: priors are the policy, games are played on by it up to
// the searcher's next decision, and its values of all seats stand for the rest.
//
// # What was tried
//
// Own mean return of one seat among script:strong of version 0.1.0 (0 is no better than they are), with its 95 % interval:
// 200 games a row in Resilience Earth, 200 or 120 in One Earth, 60 in New Earth, the rows of a block on the same seeds.
//
//	Resilience Earth, 4 seats, 300 simulations
//	flat                             +0.12 ± 0.13
//	flat, margin=2                   +0.17 ± 0.11
//	flat, fresh=0.3                  +0.16 ± 0.11
//	flat, opponents strong + greedy  +0.03 ± 0.08
//	tree                             +0.03 ± 0.08
//	tree, nodes=seen                 +0.04 ± 0.10
//	tree, own=yes                    +0.03 ± 0.09
//
//	One Earth, 4 seats, 100 simulations
//	flat                             +0.45 ± 0.08
//	flat, fresh=0.3                  +0.36 ± 0.08
//	flat, opponents strong + greedy  +0.28 ± 0.08
//	tree                             +0.16 ± 0.11
//
//	New Earth, 2 seats, 50 simulations
//	flat                             +0.50 ± 0.27
//	tree                             +0.57 ± 0.18
//
// With the bots as they are since version 0.2.0, flat, 100 simulations, on other seeds: One Earth with 4 seats +0.59 ± 0.13
// (120 games, 69.6 % of the wins), New Earth with 2 +0.65 ± 0.21 (60), Resilience Earth with 2 +0.21 ± 0.11 (300).
//
// So flat search with roll-outs to the end is the default, without fresh samples: the margin on paired differences is
// enough against the best of many being too good. Opponents who are modelled as other than they are cost much, so a part of
// the gain is knowing them.
//
// # What it relies on
//
// Bots are asked about the samples themselves, whose hidden parts are drawn and nobody's secret. They choose by what their
// seat sees, as everywhere, so roll-outs don't profit from knowing the sample. A fixed number of simulations
// gives the same choice on any number of workers; a time limit does not.
package mcts
