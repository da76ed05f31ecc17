// Package train trains policy networks: first to do as bots do, then to beat them.
//
// A [Run] is a directory: config.toml, metrics.jsonl (a line per update), the same for TensorBoard, checkpoints, best.safetensors, and
// resume.safetensors, from which an interrupted run goes on as if nothing had happened. [Start] begins one, [Resume] goes
// on with one, and [Run.Train] alternates between two halves that share nothing but weights one way and decisions the
// other: the collector plays many games side by side, and the [Learner] improves the network. The network, its loss and
// their gradients are a Gorgonia graph of the fused operations of package ops.
//
// A run has three phases. In the first, teachers play and the network learns to decide as they do; in the second the
// network plays half of their seats, and is told what they would have done there. In the third it plays a league,
// against the whole field, its past selves and itself, and PPO makes it better, held near what it was a while ago.
// Now and then a match against the field, always on the same seeds, says how strong it is; the best network by these is
// the run's answer, or the newest, if that does better in other games at the end.
//
// One network plays every seat, and every variant of the game that the run names. Its observations put the own seat
// first, and each seat's decisions form a trajectory of their own, whose rewards are all that the seat got until its
// next decision; where all win together, all seats' decisions form one.
//
// The algorithms read from top to bottom in clone.go and ppo.go; search.go has what a league learns from search. Around them are
//
//	config.go, settings.go       what a run is made of
//	run.go                       start, resume and the loop over updates
//	selfplay.go                  the games side by side, and who decides in them
//	league.go, pool.go           who plays whom
//	exploiter.go                 a second learner, that looks for what the network does wrong
//	records.go                   recorded games to learn from
//	evaluate.go                  matches against the field
//	events.go, card.go           metrics for TensorBoard; what a network's card says
//	rollout.go                   the memory of decisions
//	learner.go, adam.go, ops     the network as a graph, its loss and the step
//	critic.go                    values from what all seats see, for training alone
//	metrics.go                   what an update says of itself
//	resume.go, lock.go           what is saved, and whose the folder is
//	memory.go                    what a run will need
//
// A run is determined by its Config: weights, games, actions and minibatches come from its seed, and nothing depends on
// the number of workers. Budgets of time are the exception, also that of a search: then the clock decides.
//
// A step takes 0.30 to 0.46 of the processor time of PyTorch 2.15, of the same network, minibatch and loss on positions of the
// games (4,096 and 1,024 rows, one thread each): make bench-torch.
//
// doc.go goes on, below the package clause, with what was tried and what came of it.
package train

// # What was tried
//
// All with networks of 256-256 at tables of four, one seed each, CPU time of one core; strength is the mean lead in return
// over random, naive, greedy and strong bots, or over the strong one alone, with intervals of 95 %.
//
//   - What the network sees decides. Clones of the strong bot of Resilience Earth after 0.49 M decisions (15 s): a
//     cross-entropy of 0.55 from the observation of encoding 1, 0.52 with its inputs scaled, 0.25 from that of encoding 2
//     with objects, scaled.
//   - A clone that draws from its policy is weaker than one that takes the likeliest action: −0.085 ± 0.030 and −0.011 ±
//     0.021 to the strong bot in Resilience Earth (1,200 games, encoding 1), −0.25 ± 0.14 and −0.14 ± 0.09 in New Earth.
//     The league closes that gap by itself, as its network gets surer.
//   - Playing is cheap beside learning, so that one pass over fresh decisions is worth more than three over the same. From
//     one clone of New Earth, two seats, three passes over 128 steps in minibatches of 2,048 had after 99 s a return of −0.3
//     to −0.5 against strong, as the clone had, 0.33 nats from it and with an entropy of 0.60 instead of 0.51: noise; one
//     pass over 512 steps in minibatches of 4,096 had −0.16 after 40 s and −0.09 after 100 s. From one clone of Resilience
//     Earth, one pass (256 steps, 4,096) brings a strength of +0.80 ± 0.04 in 33 s, three of 128 steps and 2,048 +0.77 ±
//     0.04 in 36 s.
//   - What training leaves open noise decides, and a draw from it costs games. With logits times 2.5, networks of New Earth
//     against strong: a clone −0.06 ± 0.08 instead of −0.19 ± 0.06, and 2.5 M decisions into the league −0.03 ± 0.08 instead
//     of −0.15 ± 0.06 (four seats, 200 games); with times 2 and 4 a table of clones of Earth Rising wins 45 and 50 ± 10 % of
//     its games instead of 23 ± 8 %. Where the league is done with a game nothing is left to gain: One Earth +0.30 ± 0.03
//     instead of +0.28 ± 0.03, Resilience Earth +0.08 ± 0.06 and +0.07 ± 0.06 (1,200 games). So it is the last thing done.
//     Done before the league it tries less: Resilience Earth with the clone's logits times 2 comes to +0.73 in 33 s, to +0.80
//     without.
//   - No learning rate is right for every game: with 1e-3 instead of 4e-4 the same 33 s of Resilience Earth bring +0.86
//     instead of +0.80, while a network of New Earth, two seats, falls from +0.18 against strong to +0.07 in 29 s. One that
//     follows how far an update moves the policy, 0.005 nats falling to a tenth, brought Resilience Earth to +0.79.
//   - A weight of 0.1 of the divergence keeps the policy where it is: 0.03 nats away after 1.5 M decisions. With 0.03, and
//     greedy and strong alone as the field, the lead over greedy was +1.31 ± 0.10 after 0.42 M decisions, with 0.1 and all
//     bots +1.08 ± 0.14; that over strong −0.03 ± 0.14 and −0.10 ± 0.12.
//   - Resilience Earth for 163 s (1 M decisions cloned, 1.2 M in the league, else as the defaults are): the clone's
//     strength of +0.49, −0.10 ± 0.12 to strong, had become +0.82 when the league ended, and +0.084 [+0.030, +0.139] to
//     strong in 1,200 games on other seeds, with 31.6 % of the wins; by the likeliest action +0.103 [+0.046, +0.159].
//   - Clones after 0.16 M decisions, 12 to 30 s: One Earth takes the teacher's action as the likeliest in 85 % of the
//     decisions and is +0.07 ± 0.28 to strong, 10 updates of the league later +0.04 ± 0.16; The Earthman's Burden 90 % and
//     −0.39 ± 0.11; Earth Rising, from the observation of encoding 1, 57 %.
//   - Such a clone of The Earthman's Burden says yes to every victory claim and peace proposal, as teachers make none that
//     should be refused, and so loses to random play what its teacher wins (+0.08 ± 0.24 against +1.33). Half a table of
//     one and the same agent in every other game did not change that within 0.16 M decisions (+0.06 ± 0.23); more of them
//     and the league's hard draw of whom it loses to have to.
//   - Whoever keeps the highest of many measurements keeps an old network for its luck: the newest that is no worse than
//     half of a standard error below the highest is kept instead, and at the end the newest may still take its place, in
//     games on other seeds. Of a run of Earth Rising the kept network (10.4 M decisions) won 62.0, 76.8 and 86.9 % of 1,000
//     games of 2, 3 and 4 seats, the newest (13.2 M) 63.1, 78.1 and 88.0 %.
//   - Who has only met bots of one character each doesn't know what to do at a table of another mind. A network of Resilience
//     Earth, 53 % of the wins among three of strong, had 2 % among three that never topple the tower. script:varied, where each
//     seat has a character of its own, left that as it was in 18 M decisions (57 and 2 %); its characters 1 to 6 too, each of
//     them a whole table, made it 66 and 68 % in 17 M more. Such tables are too rare where each seat draws for itself.
//     Within ten minutes it shows already: a clone that wins 25 % among those three comes down to 5.8 ± 1.6 % in 0.8 M
//     decisions of a league without characters (a whole ten minutes, 13 M from another clone, ended at 1.0 %), with them up to
//     39.6 ± 2.9 % in the same 0.8 M (37 and 39 s) and 55 ± 5 % in 1.4 M, while it stays level with strong (−0.002 and −0.004 ± 0.03). What it costs at first is the
//     lead over greedy, whose tables become rare: +0.19 instead of +0.73 ± 0.07 after 0.8 M, +0.21 ± 0.05 after 1.4 M. In One
//     Earth, where nobody wins what is lost, they changed nothing in 0.3 M decisions: +0.051 instead of +0.089 ± 0.046 to
//     strong, +0.257 and +0.260 ± 0.054 to script:varied.
//   - Ten minutes are too short a league for New Earth at four seats: the run's answer is its clone, sharpened (−0.071 ± 0.064
//     beyond strong). A seat decides 200 times a game, 45 games end in an update, and the values of its clone explain less
//     than a tenth of the variance of the wins a fifth into the game, two fifths in its last tenth: what is learnt is mostly
//     noise. From a clone of −0.101 ± 0.030, 1,000 games each, unsharpened (it was −0.117 before its last 0.3 M decisions of the
//     teacher, at a rate of 3e-4, and −0.123 after 0.6 M further ones):
//
//	 3.0 M decisions of the league as it is                             −0.05 falling to −0.11 (its own seats in training)
//	 1.0 M, half of what a game is worth by the margin of the score     −0.154 (1,200 games)
//	 0.45 M, the same at a rate of 1e-4                                 −0.136
//	 0.47 M, at 1e-4 and λ = 0.99                                       −0.113
//	 0.46 M, at 1e-4, λ = 0.99 and one seat of the network              −0.115
//	 0.61 M, at 2e-4, λ = 0.99, half of the tables of two seats         −0.087
//	 0.33 M more of that at 3e-4, stopped before the rate had fallen    −0.153
//	 the mean of the weights of four of these                           −0.104
//
//     The draw of the storm is a seventh of the variance of the return, so that its mean in place of the one that came
//     would not help; the game's potential says as much as the values do. 24 characters of script:varied win 1 to 24 ± 8 % among
//     strong, so that none is a better teacher. Tables of two seats teach what four need: a network after 13 M decisions
//     with two, three and four stands at −0.078 ± 0.042 with four, unsharpened.
//   - Expert iteration doesn't pay yet. From the shipped network of One Earth on, 80 s of the league made it +0.072 ± 0.056
//     better than it was (603 k decisions, 400 games; +0.336 ± 0.057 among strong bots), and 84 s with a quarter of the games
//     searched, 32 simulations in a tree by its values, left it where it was (290 k decisions, −0.007 ± 0.055; +0.285 ±
//     0.063): such search is itself only +0.10 ± 0.08 better than the network there, and the better search, which plays
//     games on to the end, takes 2,000 times as long for a decision as the network does. So search is not the default.
//   - Where all win together, one weak seat loses the game, and a teacher among strangers shows little of what wins: a
//     clone of Earth Rising from tables of which a third of the seats were strangers' won 23 to 28 % of its games after
//     0.16 M decisions. The league does the rest: from a clone of 1.5 M decisions (23.0 ± 5.9 %, by the likeliest action
//     40.5 ± 6.9 %; the teacher named in 75 % of the decisions, in 70 % of those to clean up, which are half of all) to 80.0
//     ± 5.6 % in 110 s and 1.2 M decisions, sharpened: level with its teacher. After 30 M decisions at all tables, 43
//     minutes of one core, it wins 86.7 ± 2.7 % at four seats (the strong bot 78.3 ± 3.3 %), 94.5 ± 1.8 % in quickplay
//     (56.3 ± 4.0 %). Five minutes of one core by the defaults, a quarter of what two have in ten: 71.2 ± 3.6 %.
//   - There the seats of a game decide as one. With the next decision of the own seat, as elsewhere, in place of anybody's
//     next, values explain 0.53 of the returns instead of 0.73, and a network wins 56.9 % of its games after 0.6 M decisions
//     instead of 64.3 %, 68.5 instead of 71.4 % after 0.9 M, as many after 1.2 M (1,600 games each, one seed).
//   - λ counts everybody's decisions there, so that 0.95 looks five own decisions ahead at a table of four. From a network of
//     Earth Rising 3.8 M decisions into the league, four minutes of one core (2.7 M decisions, at 2e-4) made of 78.5 % of
//     2,000 games won, 81.2 % by the likeliest action (the strong bot 77.6 %; ± 1.8 % each):
//
//	 λ = 0.95                                77.3 %   79.0 %
//	 0.95, three games in ten with bots      76.3 %
//	 0.99                                    81.9 %   84.3 %
//	 0.99, three games in ten with bots      81.8 %   82.5 %
//	 1, three games in ten with bots         80.0 %   84.8 %
//
//     On other seeds the second had 77.6 % and the fourth 82.5 %.
//   - Who goes on from a network that its run has made surer of itself tries next to nothing. Earth Rising's, its logits multiplied by
//     4 and then by 1.5, had an entropy of 0.09 instead of 0.36, and 34 M decisions (44 minutes) took it from 87.0 to 88.0 % at four
//     seats and from 62.8 to 64.2 % at two. From the same network as it was before that, and with λ = 0.99, 18.8 M (31 minutes) took
//     it to 91.0 and 69.5 % (600 games each, the same seeds; the strong bot 78.3 and 57.8 %).
//     New Earth's went on from before its factor of 4 too, with λ = 0.98, and 28 M decisions (33 minutes of a core) took it from
//     88.4, 55.2 and 39.2 % at two, three and four seats to 92.2, 56.8 and 41.7 % (600 games each); which of the two did it there
//     is not measured. 28 M more, begun again at a rate of 3e-4 (63 minutes of a core), took it to 94.2, 68.7 and 48.7 %, though the
//     matches within the run said little of that: a strength of 1.19, 1.05, 1.11, 1.15, 1.18 and 1.22 in turn.
//   - Where a table is the network's own, 128 games are one measurement and not one for each of the field: ± 8 %, too few to
//     say which network of a run is the best and how sure it should be. Of a run that ended at 79.3 % by the likeliest
//     action they left it at the 75.6 % that it had as it was, and a network of 78.5 % behind. So such tables play as many
//     games as there are against the whole field elsewhere.
//   - Partners that lose every game teach nothing: with random and naive play in as many of a fifth of Earth Rising's games as
//     greedy and strong, a table won 61.0 and 61.8 % of 1,000 games after 0.5 M decisions from the clone of 1.5 M (41 s; two
//     seeds, ± 3.0 % each); with partners by p·(1-p), and Adam warmed up, 65.2 and 64.8 %; with the network alone at its
//     tables, 62.4 %.
//   - The further a network has come, the smaller its steps have to be. From one of Earth Rising after 4 M decisions of the
//     league, a rate of 4e-4 in minibatches of 2,048 left it for 2.4 M decisions where it was (71 to 74 % of 2,000 games at
//     a time); 2e-4 in minibatches of 4,096 took it from 70 to 78 % in 4.4 M, at harder tables. The mean of its weights
//     over 30 updates played no better than the last of them (72.3 ± 5.1 and 73.3 ± 5.0 % at four seats).
//   - Search is too slow a teacher: 12 k decisions of mcts:sims=30 in One Earth took 18 s and made a clone of −0.353 ± 0.027
//     among strong bots (400 games), 600 k decisions of the strong bot 26 s and one of −0.100 ± 0.049.
//     Nor does a network learn from what search finds beyond it: of 63 k decisions of mcts:sims=64,net= in New Earth at four
//     seats, where it wins 46 % of its games among strong bots, two to four in a hundred are not the network's own. Cloned
//     for nine minutes, they left it where it was (40.5 % of 1,600 games, 40.9 % before).
//   - Adam's first step takes a network that goes on from another farther than any other does: that of New Earth, two seats,
//     was 0.025 nats from where it began after its first update, 0.065 after 15 (0.3 M decisions), and then +0.618 and +0.590
//     to strong; with a rate that rises over 20 steps 0.001, 0.049, +0.610 and +0.629, over 50 0.0004, 0.032 and +0.634 (two
//     seeds and one, 800 games each, ± 0.055). So nothing is gained or lost that games would show, and less is unlearnt.
//
// # What showed no gain
//
// From one clone, 0.5 M decisions of the league at tables of four, a number for each seed: mean lead in return over
// script:strong in 800 games, each ± 0.03:
//
//	                                             Resilience Earth   The Earthman's Burden
//	the clone                                    −0.060             −0.216
//	the league as it is                          −0.013 −0.009      −0.229 −0.121 −0.110 −0.027
//	a weight of 0.05 of the divergence all along                    −0.060 −0.225
//	the same, from a reference that goes 5 % of
//	the way to the network in each update        −0.009 −0.023      −0.090 −0.050 +0.009 −0.118
//	such a reference, at a weight of 0.2                            −0.114 −0.151
//	such a reference, at the usual weight                           −0.137 −0.110
//	entropy's weight 0.05, falling to a tenth    −0.039 −0.026      −0.170 −0.225
//	advantages normalised seat by seat           −0.046 −0.011      −0.125 −0.060 −0.030 −0.160
//
// Seeds differ by more than what is compared: the 0.060 of the moving reference in The Earthman's Burden have a standard
// error of 0.050. In Earth Rising, 0.87 M decisions from its clone on, the network won 66.2 % of its games as it is, 65.4 %
// with the moving reference, 66.3 % with less than half of the weight (2,250 games each, ± 1 %).
//
// The margins of the final scores of all seats as further outputs beside their values, with a quarter of the weight of the own
// value: after 0.6 M decisions of cloning and 0.8 M of the league of Resilience Earth +0.003 ± 0.026 to strong, −0.004 ± 0.030
// without (1,000 games each, one seed).
//
// A critic that sees what all seats see (CentralCritic): in New Earth, two seats, it explained 0.80 of the variance of the
// returns, the network's own values 0.71. After 0.17 M decisions of cloning and 0.3 M of the league its network was level with
// one trained without (47.3 ± 3.7 % of 600 games between them, one seed), at twice the processor time (61 and 32 s).
//
// What each action is worth, learnt in place of the ratio of probabilities (KLENT, arXiv 2602.10894, 2026): a second network learns
// the advantages of all actions from those of the ones played, and the policy p, by cross-entropy, the one in proportion to
// exp((β·log p + α·log reference + advantage)/(α + β)). One Earth, from one clone of −0.099 ± 0.035 to strong, a core for 150 s (lead
// over strong in 800 games, one seed; the second network costs as much as the first):
//
//	the league as it is                 1.81 M decisions    +0.301 ± 0.051
//	the league as it is, 83 s           1.04 M              +0.303 ± 0.050
//	α 0.03, β 0.1, λ 0.9, rate 3e-4     0.81 M              +0.122 ± 0.047
//	α 0.01, β 0.05, λ 0.95, rate 1e-3   0.98 M              +0.234 ± 0.048
//	α 0.01, β 0.02, λ 0.95, rate 1e-3   0.98 M              +0.258 ± 0.052
//
// So it is behind at equal time, and no better decision for decision. In New Earth at four seats it shows what is wrong there:
// after 0.4 M decisions (rate 2e-4) the advantages that it expects explain nothing of those that come.
