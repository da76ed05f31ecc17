// Package mcts searches: it chooses an action by playing the game on, many times, from samples of what its seat may not
// know. [Help] lists the options; RESEARCH.md beside this file tells what was measured.
//
// A sample ([env.View.SampleInto]) is a State that may be the true one for all that the seat knows, with everything
// hidden and all chance to come drawn anew. From there simulations go on in one of two ways.
//
// # Flat
//
// Every legal action is tried on the same samples, the rest of the game is played by bots (roll-outs), and the actions
// that do worst are dropped, half of them in each round (sequential halving: Karnin, Koren, Somekh, Almost Optimal
// Exploration in Multi-Armed Bandits, 2013). One key decides all chance of a sample, the bots' own included, so that
// actions are compared under the same luck and their differences can be small beside the spread of returns. The bot's
// own choice, the incumbent, stays in all rounds, and another action is played only if it beats the incumbent by a
// margin of standard errors of these paired differences.
//
// With the same luck, roll-outs of two actions often come to the same position, and then go on alike. So the positions
// of a sample are kept where the seat that decides changes, and who comes to one of them takes the return of the
// roll-out that was there: nothing that is found changes by it. Bots that go by more than the position, as Earth
// Rising's strong by its plan for the turn, say so, and nobody meets until that is over; nor do roll-outs by a network,
// or in trees.
//
// # Tree
//
// Multiple-observer information-set search (Cowling, Powley, Whitehouse, Information Set Monte Carlo Tree Search,
// 2012): each seat has a tree of its own whose nodes are what that seat has seen of the actions, so that nobody in the
// tree acts on what they can't know, secret choices of one round included. Every seat maximises its own mean return
// (max^n: Luckhardt, Irani 1986); teams have one return, so they maximise that. Edges are chosen by PUCT (Silver et al.
// 2017) with availability in place of visits, and priors come from the roll-out bot's choice or from a network. Chance
// has no nodes (open loop), and the others' nodes don't tell what they hold either, so that they act as if they hadn't
// looked at it.
//
// # Cut and width
//
// With cut=, roll-outs end after so many decisions of the searcher, and the game's own outlook (env.Outlook) stands for
// the rest as soon as it can tell. With width=, only the bot's choice and the actions that it scores best are compared.
//
// # With a network
//
// A network (net=RUN, or net= for the one that comes with the program) takes the place of bots: its likeliest action is
// the incumbent and candidates are tried by its policy. Flat search plays games on to the end by the network's
// likeliest actions, half of them against the game's bot in all other seats, and compares one action for every eight
// simulations (eight under a time limit), the likeliest ones; simulations go on side by side, up to 32 of them, and the
// network is asked about all at once. In Earth Rising and New Earth the bot plays all seats on, in
// Earth Rising for eight decisions of the searcher, after which the network's value stands for the rest. With
// mode=tree, or in games of thousands of decisions, one answer of the network gives a new node its priors and its
// value.
//
// # What is the default
//
// What did best in matches, against others than the roll-out bot too:
//
//	                        alone                                        with net=
//	One Earth               flat, by script:strong                       flat, by the network, half against bots
//	Earth Rising            flat, by strong, cut=8, width=5, margin=2    the same, its value after the cut
//	New Earth               flat, others script:varied, margin=1.5       flat, by script:strong
//	Resilience Earth        flat, others strong 3 : 1 greedy             flat, by the network, half against bots
//	The Earthman's Burden   flat, by strong, width=4, margin=2           tree by the network's values
//
// In New Earth the margin is 2.5 with less than 300 simulations or 50 ms, and with net=.
//
// # What it relies on
//
// Bots are asked about the samples themselves, whose hidden parts are drawn and nobody's secret. They choose by what
// their seat sees, as everywhere, so roll-outs don't profit from knowing the sample. A fixed number of simulations
// gives the same choice on any number of workers; a time limit does not. Here, in the bots and in the games every
// product is rounded before it is added, and exponentials are those of package alike, so that all kinds of processors
// choose alike. With a network those do that have fused kernels (AVX2, AVX-512, NEON; see package gemm); those that
// have none differ from them in the last places of its answers.
package mcts
