// Package mcts searches: it chooses an action by playing the game on, many times, from samples of what its seat may not
// know.
//
// A sample ([env.View.SampleInto]) is a State that may be the true one for all that the seat knows, with everything hidden
// and all chance to come drawn anew. From there simulations go on in one of two ways.
//
// # Flat
//
// Every legal action is tried on the same samples, the rest of the game is played by bots (roll-outs), and the actions that
// do worst are dropped, half of them in each round (sequential halving: Karnin, Koren, Somekh, Almost Optimal Exploration in
// Multi-Armed Bandits, 2013). One key decides all chance of a sample, the bots' own included, so that actions are compared
// under the same luck and their differences can be small beside the spread of returns. The bot's own choice, the incumbent,
// stays in all rounds, and another action is played only if it beats the incumbent by a margin of standard errors of these
// paired differences; with the option fresh on samples that were not used to find it, since the best of many estimates is
// too good to be true.
//
// With the same luck, roll-outs of two actions often come to the same position, and then go on alike. So the positions of a sample
// are kept where the seat that decides changes (24 of a roll-out, 1,024 of a sample), and who comes to one of them takes the return
// of the roll-out that was there: nothing that is found changes by it ("How fast it is" says what it saves). Positions are compared
// whole, chance to come included. Bots that go by more, as Earth Rising's strong by its plan for the turn, say so, and nobody meets
// until that is over; nor do roll-outs by a network, or in trees.
//
// # Tree
//
// Multiple-observer information-set search (Cowling, Powley, Whitehouse, Information Set Monte Carlo Tree Search, 2012):
// each seat has a tree of its own whose nodes are what that seat has seen, so that nobody in the tree acts on what they
// can't know, secret choices of one round included. Every seat maximises its own mean return (max^n: Luckhardt, Irani 1986);
// teams have one return, so they maximise that. Edges are chosen by PUCT (Silver et al. 2017) with availability in place of
// visits, and priors come from the roll-out bot's choice or from a network. By default chance has no nodes (nodes=path, open
// loop), and the others' nodes don't tell what they hold either, so that they act as if they hadn't looked at it; nodes=seen
// tells nodes apart by the seat's observation, outcomes of chance included, which converges to the value of small games (the
// tests solve Nim with and without chance, and play Kuhn poker) and spreads thin in large ones.
//
// # Cut
//
// With cut=, roll-outs end after so many decisions of the searcher, and the game's own outlook (env.Outlook) stands for the
// rest as soon as it can tell. With width=, only the bot's choice and the actions that it scores best are compared.
//
// # With a network
//
// A network (net=RUN, or net= for the one that comes with the program) takes the place of bots: its likeliest action is the
// incumbent and candidates are tried by its policy. Flat search plays games on to the end by the network's likeliest actions
// (rollout=argmax), half of them against the game's bot in all other seats, and compares one action for every eight
// simulations (eight under a time limit), the likeliest ones; simulations go on side by side, up to 32 of them, and the network is asked about all at
// once. In Earth Rising and with four seats in New Earth the bot plays all seats on, in Earth Rising for eight decisions of
// the searcher, after which the network's value stands for the rest. With mode=tree, or in games of thousands of decisions,
// its values of all seats stand for the rest of the game at once: one answer of the network gives a new node its priors and
// its value. There root=halving shares the simulations out over the 16 likeliest actions, whose worse half drops out in each
// round, by policy and values together (Danihelka, Guez, Schrittwieser, Silver, Policy Improvement by Planning with Gumbel,
// 2022, without noise); it is what training learns from (earthgym train --search).
//
// # What is the default
//
// What did best in matches, against others than the roll-out bot too:
//
//	                        alone                                        with net=
//	One Earth               flat, by script:strong                       flat, by the network, half against bots
//	Earth Rising            flat, by strong, cut=8, width=5, margin=2    the same, its value after the cut
//	New Earth               flat, others script:varied, margin=1.5       4 seats: flat, by script:strong; else by the network
//	Resilience Earth        flat, others strong 3 : 1 greedy             flat, by the network, half against bots
//	The Earthman's Burden   flat, by strong, width=4, margin=2           tree by the network's values, trust=0.1
//
// In New Earth the margin is 2.5 with less than 300 simulations or 50 ms, and with net=.
//
// # What it gains
//
// Own mean return of one seat among script:strong, 0 if it is no better than they are, with its 95 % interval; in brackets games
// and share of the wins. The seeds were not used to choose anything, but that of New Earth at 4 seats
// and 100 simulations (its margin).
//
//	simulations                100                        1,000                    10,000
//	One Earth, 2 seats         +0.93 ± 0.08 (60, 97 %)    +0.95 ± 0.08 (40, 98 %)   +0.90 ± 0.16 (20, 95 %)
//	One Earth, 3 seats         +0.53 ± 0.16 (60, 68 %)    +0.71 ± 0.19 (42, 81 %)   +0.93 ± 0.13 (21, 95 %)
//	One Earth, 4 seats         +0.62 ± 0.11 (120, 72 %)   +0.67 ± 0.25 (40, 75 %)   +1.00 (12, 100 %)
//	One Earth, 5 seats         +0.51 ± 0.14 (60, 61 %)    +0.69 ± 0.19 (40, 75 %)   +0.75 (20, 80 %)
//	Resilience Earth, 2 seats  +0.21 ± 0.11 (300)         +0.62 ± 0.20 (40, 81 %)   +0.58 ± 0.36 (24, 79 %)
//	Resilience Earth, 3 seats  +0.53 ± 0.14 (60, 70 %)    +0.82 ± 0.12 (60, 88 %)   +0.88 ± 0.16 (24, 92 %)
//	Resilience Earth, 4 seats  +0.55 ± 0.16 (40, 66 %)    +0.92 ± 0.11 (40, 94 %)   +0.81 ± 0.23 (24, 88 %)
//	New Earth, 2 seats         +0.65 ± 0.34 (20, 82 %)    +0.92 ± 0.12 (48, 96 %)
//	New Earth, 3 seats         +0.18 ± 0.22 (42, 45 %)    +0.90 ± 0.16 (30, 93 %)
//	New Earth, 4 seats         +0.33 ± 0.31 (24, 50 %)    +0.63 ± 0.20 (36, 72 %)
//	The Earthman's, 2 seats    300: +1.00 (32, 100 %)
//	The Earthman's, 4 seats    +0.48 ± 0.19 (40, 60 %)    300: +0.87 ± 0.14 (40, 90 %)
//	  cut=30                   +0.19 ± 0.39 (24, 40 %)
//	  cut=30, 2 seats                                     +0.25 (16, 56 %)
//
// Twelve of twelve games won tell only that the share is likely above three quarters, ten of twelve or nine of sixteen less.
// New Earth at 4 seats and 100 was measured with the others' weights drawn from 0.6 to 1.6 times strong's, before
// script:varied took their place; at 2 seats these gave +0.45 ± 0.28 (40, 72 %), +0.67 ± 0.27 and +0.10 ± 0.42 (30 each) on
// three seeds.
//
// Resilience Earth at 2 seats and 100 was measured with the others taken for strong alone; so taken, a seat of 4 returns +0.69 ±
// 0.13 (120). In New Earth 50 simulations are too few (-0.25 ± 0.59, 16 games). In The Earthman's Burden 60 with cut=30 return
// +0.19 ± 0.24 (28, 39 %): no gain shown.
//
// In Earth Rising whole tables win so many games, strong's on the same seeds beside them, and so many more of 100 (seed 4242):
//
//	                 100                                    1,000
//	alone                                                   100 % of 24, 87.5 %: +12.5 ± 14.3
//	2 seats          85.0 % of 60, 60.0 %: +25.0 ± 14.0     90.0 % of 20, 55.0 %: +35.0 ± 22.9
//	4 seats          93.3 % of 60, 78.3 %: +15.0 ± 12.4     100 % of 16, 87.5 %: +12.5 ± 18.2
//	quickplay        95.0 % of 40, 57.5 %: +37.5 ± 15.7
//
// 100 simulations take 2 to 6 ms of a core in Resilience Earth, 4 in One Earth, 6 to 12 in New Earth, 27 in Earth Rising and
// some 55 in The Earthman's Burden (10 with cut=30), more of them as much longer. New Earth is slow for the length of its
// games alone: a simulation is 235 decisions on average with 2 seats, of 0.27 us each, so that a game with 1,000 simulations
// takes 12 s of a core.
//
// Among networks of an earlier version, which are none of the roll-out bots, 100 simulations without one return -0.23 ± 0.07 in
// One Earth (80 games; strong in the same seat -0.30 ± 0.08) and -0.14 ± 0.13 in Resilience Earth (60; strong -0.19 ± 0.17):
// less is gained against strangers who play better than the bots that roll-outs take them for. Among today's networks of New Earth
// 1,000 simulations without one return +0.05 ± 0.32 with 2 seats and -0.17 ± 0.20 with 4 (40 games each; strong in the same seats
// -0.86 ± 0.05 and -0.32 ± 0.01, 400).
//
// That there is more to find shows decision by decision: in games of strong bots, what search would play in place of their
// choice was better than it, by 400 fresh samples to the end of the game and with 0 where nothing was changed, by (seed 9)
//
//	simulations                       30                100               300               1,000
//	One Earth, 80 decisions           +0.032 ± 0.033    +0.037 ± 0.033    +0.055 ± 0.035    +0.063 ± 0.036
//	Resilience Earth, 40 decisions    +0.015 ± 0.037    +0.019 ± 0.033    +0.059 ± 0.055    +0.068 ± 0.054
//
// The intervals are of the decisions, which are the same in a row: some are worth a quarter of a game, most nothing.
//
// # What it gains over a network
//
// 64 simulations with the network that comes with the program, beside that network alone in the same place, by its likeliest
// actions, on the same seeds; returns, and in brackets games and shares of the wins:
//
//	                                               with search               network alone
//	One Earth, 4 seats, among networks             +0.16 ± 0.08 (200, 37 %)  0
//	One Earth, 4 seats, among strong               +0.74 ± 0.07 (200, 81 %)  +0.53 ± 0.10 (200, 66 %)
//	Earth Rising, 4 seats                          +0.93 ± 0.05 (120, 93 %)  +0.88 ± 0.06 (120, 88 %)
//	  with the network before                      +0.96 ± 0.05 (48, 96 %)   +0.86 (48, 85 %)
//	Earth Rising, alone                            +0.98 ± 0.02 (120, 98 %)  +0.95 ± 0.04 (120, 95 %)
//	New Earth, 4 seats, among strong               +0.39 ± 0.03 (1764, 54 %) +0.33 ± 0.03 (1764, 50 %)
//	  another seed                                 +0.36 ± 0.07 (400, 52 %)  +0.31 ± 0.07 (400, 48 %)
//	  another seed                                 +0.43 ± 0.10 (80, 58 %)   +0.34 ± 0.21 (80, 51 %)
//	  with the network before                      +0.35 ± 0.16 (80, 51 %)   +0.23 ± 0.15 (80, 42 %)
//	  with the one before that                     +0.28 ± 0.20 (80, 46 %)   +0.01 ± 0.19 (80, 26 %)
//	New Earth, 4 seats, among networks             -0.07 ± 0.22 (40, 20 %)   0
//	  1,000 simulations                            +0.03 ± 0.21 (40, 28 %)   0
//	New Earth, 2 seats, among strong, by strong    +0.60 ± 0.24 (40, 80 %)   +0.73 ± 0.26 (40, 86 %)
//	Resilience Earth, 4 seats, among networks      +0.09 ± 0.07 (400, 34 %)  0
//	  width=0                                      -0.01 ± 0.13 (160, 27 %)  -0.06 ± 0.06
//	  width=0,opponents=argmax                     +0.05 ± 0.07 (360, 32 %)  -0.07 ± 0.03
//	Resilience Earth, 4 seats, among strong        +0.59 ± 0.06 (400, 71 %)  +0.45 ± 0.06 (400, 60 %)
//	  width=0                                      +0.40 ± 0.19 (120, 59 %)  +0.41 ± 0.12 (120, 57 %)
//	  width=0,opponents=argmax                     +0.12 ± 0.13 (120, 37 %)
//	  width=0, by strong                           +0.25 ± 0.21 (80, 50 %)   +0.54 (600, 68 %)
//	The Earthman's Burden, 4 seats, among strong   +0.80 ± 0.15 (60, 85 %)   +0.82 ± 0.14 (60, 87 %)
//	  mode=flat, by strong                         +0.76 ± 0.16 (60, 82 %)   +0.82 ± 0.14 (60, 87 %)
//	    another seed                               +0.94 ± 0.15 (24, 96 %)   +0.83 ± 0.19 (24, 88 %)
//	  2 seats, among networks, mode=flat, by strong -0.33 ± 0.23 (60, 33 %)  0
//
// In Earth Rising that is a whole table, elsewhere one seat. Rows of 200 and more games but those of width=0 have the networks of
// today, on seeds that nothing was chosen by (953 and 951 in New Earth, 961 and 962 elsewhere), and so has seed 831. With those before, the
// difference in Earth Rising was +0.17 ± 0.15 on the seed that led to the choice (812) and +0.04 ± 0.15 on the next (813); in New
// Earth +0.33 on the seed that led to it (801) and +0.22 on the next (805), 40 games each. In Resilience Earth, whose tables lose
// together, the network alone is that in the other seats of the same games; a seat with search returns 0.16 more than they do.
//
// Matches of 120 to 360 games showed no gain there as long as all of some 30 legal actions were compared, each at first on one
// sample or two. What it was came out decision by decision: how much more the choice of search returns than the network's own, judged
// by 64 fresh samples, added up over each of 40 games; what is missed several times counts as often, so that a match shows less.
// BenchmarkGain measures that: among networks, and among strong,
//
//	width=8                    +0.15 ± 0.09     +0.34 ± 0.17
//	width=0, all actions       -0.01 ± 0.15     +0.12 ± 0.25
//
// and an earlier form of it, with games of its own, compared more of them:
//
//	                           seeds 3, 4                          seed 5
//	all actions                +0.21 ± 0.18     +0.16 ± 0.21
//	  margin=2                 +0.12 ± 0.08     +0.18 ± 0.13
//	width=12                                                       +0.30 ± 0.17     +0.28 ± 0.21
//	width=8                                      +0.43 ± 0.21      +0.28 ± 0.17     +0.24 ± 0.20
//	  margin=0.5                                                   +0.28 ± 0.17     +0.25 ± 0.21
//	  margin=1.5               +0.17 ± 0.09     +0.23 ± 0.13
//	  fresh=0.3                                                    +0.15 ± 0.12     +0.16 ± 0.12
//	width=5                                                        +0.20 ± 0.11     +0.26 ± 0.14
//	width=4                    +0.14 ± 0.09
//	opponents=argmax           +0.34 ± 0.25
//	opponents=script:strong    -0.14 ± 0.13
//
// Widths of 5 to 12 are as good as one another in One Earth too (+1.1 to +1.2 ± 0.6 among networks, +0.6 to +0.8 ± 0.4 among
// strong), where few actions are legal. Without a network all actions are compared: a bot's scores leave out what is better
// (Resilience Earth, 100 simulations, 100 games: all +0.74 ± 0.19, width=12 +0.60, 8 +0.51, 5 +0.31).
//
// How that came about, mostly with earlier networks (among them, difference of mean returns; mode=tree by values, with and
// without halving; "strong" plays on by script:strong):
//
//	                       One Earth (games)      Resilience Earth      The Earthman's Burden
//	flat, argmax           +0.33 ± 0.13 (80)      +0.36 ± 0.22 (80)
//	flat, strong           +0.09 ± 0.12 (120)     +0.02 ± 0.16 (120)
//	flat, cut=1            -0.21 ± 0.11 (120)
//	tree, root=puct        +0.04 ± 0.09 (160)     +0.01 ± 0.09 (160)
//	tree, trust=0.1        +0.08 ± 0.08 (160)     -0.01 ± 0.05 (160)    +0.05 ± 0.16 (100)
//	tree, trust=0.5                                                     -0.14 ± 0.10 (100)
//	tree, trust=1          +0.09 ± 0.09 (200)
//	bots alone, no net     -0.03 ± 0.13 (120)     -0.18 ± 0.13 (120)
//
// Part of the first row is to know the others: among script:strong it returns +0.33 ± 0.25 (40) in One Earth, the network alone
// +0.38 ± 0.08 (400). With opponents=argmax+script:strong it is +0.43 ± 0.20 (40, the same games) among them, and +0.19 ± 0.12
// (100) among networks: so that is the default there. With 256 simulations and trust=0.3 the tree gains +0.20 ± 0.10 (120).
//
// Played on by the network, 64 simulations leave it as it is in New Earth and Earth Rising: they changed none of 40 and 60
// decisions, and with margin=1 19 and 14 of 60, worth -0.002 ± 0.012 and -0.005 ± 0.007 a decision by 64 fresh samples. Bots that
// are about as good as the network see what it doesn't, and that is where it is sure of itself: searching only where its likeliest
// action is less than 90 % likely, in 28 % of the decisions of New Earth, returns -0.13 ± 0.20 among strong (40, seed 801) and 0.00
// ± 0.20 among networks (40), as the network alone does. Bots that are worse than the network are no help: see two seats, and
// Resilience Earth.
//
// # What was tried
//
// Own mean return of one seat among script:strong of version 0.1.0, 200 games a row in Resilience Earth, 200 or 120 in One Earth,
// 60 in New Earth, the rows of a block on the same seeds.
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
// And in One Earth with the bots of 0.2.0, 100 simulations, 60 games on one seed (flat 80): flat +0.62 ± 0.14, tree +0.44 ±
// 0.15, with backup=paranoid +0.44 ± 0.13, with nodes=seen +0.44 ± 0.15, and with the values of actions anywhere below a
// node (AMAF) mixed in +0.47 ± 0.15.
//
// So flat search with roll-outs by strong is the default, without fresh samples: the margin on paired differences is enough
// against the best of many being too good. Nor is an untried action valued below its node (first-play urgency): the same
// tree returns +0.47 ± 0.08 with urgency=0, +0.39 ± 0.08 with 0.1 (200 games on the same two seeds), and +0.00 ± 0.05 with
// 0.4 (80). Trees are grown by one worker each, so there is no virtual loss.
//
// For half or all of what a simulation is worth its lead in score in place of the return, in units of its spread: One Earth,
// 100 simulations, +0.53 ± 0.15 and +0.54 ± 0.16 against +0.62 ± 0.14 (80 games); New Earth, 100, half +0.17 ± 0.36 against
// +0.67 ± 0.27 (30). To stop once nothing is ahead of the bot's choice saves 30 % of the simulations in New Earth and misses
// what counts most there. Neither stays.
//
// Left out: a cache of what the network has said (of a tree of 64 simulations' questions none comes twice in One Earth,
// 10 % in The Earthman's Burden, 19 % in Resilience Earth, where trees gain nothing anyway). Keeping the tree from one
// decision to the next, for which a View would have to tell what has happened since: of 64 simulations 24 lie behind the
// searcher's next decision in The Earthman's Burden, where turns are many decisions of one seat, so that the next one had
// 88; but it is not for want of simulations that trees gain nothing there (below), and flat search, the default elsewhere,
// has no tree to keep. And outcomes of chance one by one, or samples shared out over them: of the variance of paired
// differences (script:strong, 24 to 48 samples of the bot's choice and of the next three actions, at 25 decisions of Earth
// Rising and 120 to 400 elsewhere) so much lies between the outcomes of draws that follow an action at once, where these
// have few: 1.7 % in One Earth, 1.0 % in Resilience Earth, 0.5 % in New Earth, 0.2 % in The Earthman's Burden, none in Earth
// Rising. It is all that could be saved: common samples take out most of a draw's luck already.
//
// In Earth Rising, to the end of the game, over all actions and with margin=1, 60 simulations win 17 ± 20 % fewer games than
// strong (30 games) and let sectors collapse, since a win is mostly luck; with cut=1 the outlook sees no more than the bot's
// own plan (+2.5 ± 15 %, 40). In The Earthman's Burden cut=1 loses -0.28 ± 0.10 (32 games, 100 simulations, an outlook
// without technology): what is learned pays only later.
//
// # What values and cuts hide in The Earthman's Burden
//
// A seat decides some 190 times in a game of strong bots, 450 times with a network, and hardly one decision is worth much by
// itself: what counts is whether the plan goes on. What search sees in it is what is wrong with the values that it goes by,
// more than what is wrong with the action. On 400 decisions of strong, with 40 samples of its choice and of the next three
// actions, half of them to choose by and half to judge by, the choice that looked best to the outlook after so many own
// decisions (by one standard error) was better by
//
//	                  after 15           after 30           after 60           at the end
//	chosen after 15   +0.0016 ± 0.0010   -0.0001 ± 0.0011   -0.0001 ± 0.0018   -0.0007 ± 0.0031
//	chosen after 30   -0.0002 ± 0.0011   +0.0044 ± 0.0023   +0.0000 ± 0.0021   +0.0014 ± 0.0038
//	chosen after 60   -0.0001 ± 0.0011   +0.0004 ± 0.0011   +0.0012 ± 0.0014   +0.0026 ± 0.0031
//
// and a network's values do the same: on 228 decisions of the network trained last, its four likeliest actions, 8 samples
// to choose by and 16 to judge by, all played on by it,
//
//	                  at the next        two later          seven later        19 later
//	chosen at once    +0.0140 ± 0.0038   -0.0004 ± 0.0031   -0.0007 ± 0.0027   +0.0000 ± 0.0018
//	two later         +0.0019 ± 0.0033   +0.0099 ± 0.0026   +0.0013 ± 0.0028   -0.0017 ± 0.0021
//	seven later       -0.0027 ± 0.0028   -0.0016 ± 0.0028   +0.0103 ± 0.0025   +0.0010 ± 0.0021
//
// with 4 samples as with 16: it is not noise, which more simulations would take away, but what the network thinks of a
// position, right or wrong. In New Earth its values do no better (64 decisions), and games are played to the end there. So
// the tree of The Earthman's Burden trusts its values little and plays as the network does, which is a lot: +0.75 ± 0.16
// among strong with 64 simulations (80 games, 81 % of the wins), the network alone +0.76 ± 0.04 (600). To play on to the end
// takes the network some 15 ms a game, and one standard error of a thousand such games is still 0.03: 64 simulations of that
// (mode=flat) change seven decisions of a game among networks, worth +0.10 ± 0.56 (BenchmarkGain, 30 games, one in 20 decisions,
// 48 samples).
// Bots that play on see less than the network: among strong they gain nothing, and among networks they lose.
//
// Without a network, too, a cut hides what pays. Of 300 simulations at 4 seats (margin=2, one in ten decisions of 20 games of strong,
// judged by 200 samples, by an earlier form of BenchmarkGain) what was chosen was worth, added up over a game,
//
//	cut=15     +0.14 ± 0.94
//	cut=30     +0.22 ± 1.01    margin=1 +0.03 ± 1.19    width=8 +0.21 ± 0.98
//	cut=60     +0.84 ± 0.95
//	cut=0      +1.76 ± 1.22    margin=1, width=2 +1.40 ± 1.01
//
// and a match bears it out: played on to the end by bots, 300 simulations win 90 % of 40 games among strong (seed 4243), at 0.17 s
// of a core a decision. Of 100 simulations decisions show no difference (10 games: +0.51 ± 0.64 with cut=30, +0.70 ± 1.05 with
// cut=0), but matches do: see above.
//
// # Who the others are
//
// What roll-outs take the others for decides what search is good against. Own mean return with 100 simulations (New Earth
// 50) in 40 games for each number (against greedy 60, New Earth 16), beside what strong gets in the same place; "weights"
// are strong bots with every weight multiplied by a random number from 0.6 to 1.6, two or three sets of them:
//
//	                               strong               others as strong     strong 1 : 1 greedy     strong 3 : 1 greedy
//	Resilience Earth, weights      -0.12 +0.05 +0.00    +0.57 +0.65 +0.52    +0.32 +0.30 +0.12        +0.37 +0.42
//	Resilience Earth, greedy       +0.10 ± 0.14         +0.29 ± 0.16         +0.74 ± 0.20             +0.67 ± 0.17
//	One Earth, weights             -0.07 -0.01 -0.04    +0.45 +0.40 +0.43
//	One Earth, greedy              -0.69 ± 0.08         -0.75 ± 0.03         -0.67 ± 0.09
//	One Earth, 2 seats, greedy     +0.70 ± 0.17         +0.97 ± 0.07         +1.00
//	New Earth, 2 seats, weights    +0.72 +0.10          +0.44 -0.75          (others with such weights: +0.88 -0.75)
//
// So the gain is not that of knowing the very bot, but in New Earth, where 50 simulations are too few for a margin of 1 (with
// margin=2.5 and others with such weights +0.75 and -0.13). By the worst case Resilience Earth takes the others for strong three
// times in four and else for greedy, New Earth for bots with other weights. A table of greedy bots ruins One Earth for all.
//
// How wide the margin has to be in New Earth, by decisions (an earlier form of BenchmarkGain; 24 to 40 games a row, one in five to eight
// decisions),
// among strong and among two characters of it:
//
//	                               margin=2.5       margin=2         margin=1.5
//	2 seats, 100, strong           +0.07 ± 0.34     +0.28 ± 0.40     +0.38 ± 0.69
//	2 seats, 100, varied@8         +0.26 ± 0.31     +0.30 ± 0.51     +0.32 ± 0.69
//	4 seats, 100, varied@3         +0.27 ± 0.18     +0.17 ± 0.26     +0.05 ± 0.43
//	2 seats, 300, strong           +1.77 ± 0.84     +2.17 ± 0.86     +2.66 ± 0.94
//	4 seats, 300, strong           +0.42 ± 0.35     +0.59 ± 0.38     +0.88 ± 0.46
//	4 seats, 300, varied@3         +0.35 ± 0.38     +0.52 ± 0.57     +0.49 ± 0.66
//	2 seats, 1,000, varied@3       +0.46 ± 0.58     +1.05 ± 0.83     +1.01 ± 1.24
//	2 seats, 1,000, varied@8       +1.80 ± 1.54     +2.01 ± 1.53     +3.07 ± 1.90
//
// So it is 1.5 from 300 simulations on. At 2 seats 1,000 of them return +0.92 ± 0.12 in the 48 games in which they return +0.67 ±
// 0.27 with a margin of 2.5, at 4 seats +0.63 ± 0.20 in place of +0.50 ± 0.21 (36, with others of random weights).
//
// # How fast it is
//
// Roll-out decisions a second of CPU time (go test ./agents/mcts -run '^$' -bench Search), and that in units of what earthgym
// bench counts, random play with a mask and an observation for each decision:
//
//	                        random          greedy          strong          simulations/s, strong
//	One Earth               8.4 M (4.8)     6.7 M (3.9)     1.12 M (0.64)   23,000
//	Earth Rising            6.4 M (5.0)     0.18 M (0.14)   0.12 M (0.09)    3,600
//	New Earth               8.4 M (6.5)     7.1 M (5.5)     3.7 M (2.9)      8,100
//	Resilience Earth       12.3 M (4.3)     3.4 M (1.2)     1.9 M (0.68)    25,000
//	The Earthman's Burden   7.5 M (5.8)     2.7 M (2.1)     1.8 M (1.4)        950
//
// Random roll-outs are as fast as random play with masks alone (0.95 to 1.1 times), so samples and bookkeeping cost next
// to nothing, and the bots' thinking is what bounds search: most in Earth Rising, where strong makes a plan of each turn by a
// beam search over some 220 steps. 96 % of the time of its roll-outs goes there: 42 % into what positions are worth, most of
// that into what the strain phases will do, 21 % into where to clean up, 9 % into playing the steps. Plans are kept as long as
// the table looks as planned, and from sample to sample at the position that follows the action that is tried; further into
// a roll-out no two tables are alike. With a network 64 simulations take 26 ms in One Earth and 44 ms in Resilience Earth, to
// the end of the game by the network (0.4 s in New Earth with fewer than four seats), some 10 ms in New Earth with four and 17
// ms in Earth Rising, by bots, and 2 ms in The Earthman's Burden, by a tree. Two workers on two idle cores are 1.73 to 1.96
// times as fast as one with roll-outs by strong; a simulation allocates nothing.
//
// Of the decisions of roll-outs so many need not be played for meeting another one, and a search is so many times as fast by CPU time
// as without (default options, script:strong's games, both in turns, on two sets of 10 to 120 decisions; the
// last two rows are counts of one set of ten):
//
//	                             simulations   saved            faster
//	One Earth                    100           12, 11 %         1.07, 1.07
//	One Earth                    1,000         14, 13 %         1.08, 1.11
//	Earth Rising                 100           23, 19 %         1.10, 1.09
//	Earth Rising, 2 seats        100           10,  7 %         1.04, 1.00
//	Earth Rising, alone          100            8, 22 %         1.03, 1.13
//	New Earth, 2 seats           100            8,  9 %         1.01, 1.03
//	New Earth, 2 seats           1,000          8,  4 %         1.04, 0.99
//	New Earth, 4 seats           100            9, 12 %         1.06, 1.07
//	Resilience Earth, 2 seats    100           21, 22 %         1.19, 1.19
//	Resilience Earth, 4 seats    100           25, 21 %         1.25, 1.18
//	Resilience Earth, 4 seats    1,000         33, 28 %         1.43, 1.34
//	The Earthman's Burden        100           0.5 % (cut=30)   not done
//	Earth Rising, cut=0,width=0  200           40 %             not timed
//
// Positions at every decision, as many as there are, would save 2 % more of them in Earth Rising and 3 to 5 % in New Earth, where that
// is 300 and more to keep in each roll-out. In Earth Rising most of what is saved is cheap, the steps of plans that were made before; and
// with its cut, two roll-outs meet only after as many decisions of the searcher, since that is what ends them.
//
// # What it relies on
//
// Bots are asked about the samples themselves, whose hidden parts are drawn and nobody's secret. They choose by what their
// seat sees, as everywhere, so roll-outs don't profit from knowing the sample. A fixed number of simulations gives the same
// choice on any number of workers; a time limit does not. Here, in the bots and in the games every product is rounded before
// it is added, so that without a network other kinds of processors choose alike too, as far as the last digit of exponentials goes:
// math.Exp has code of its own for each kind, and some bots and outlooks go by it. A network's answers are added up in another
// order where there is no AVX2.
package mcts
