"""A bot of OpenSpiel at a table of earthgym: ISMCTS, which draws what its seat can't know.

earthgym match resilience-earth:players=2 'remote:python openspiel_bot.py 50' script:greedy
"""

import sys

import numpy as np
from open_spiel.python.algorithms import ismcts, mcts

from earthgym import openspiel

simulations = int(sys.argv[1]) if len(sys.argv) > 1 else 50


def make(game, player, seed):
    rng = np.random.RandomState(seed % 2**32)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    bot = ismcts.ISMCTSBot(game, evaluator, 1.4, simulations, random_state=rng, use_observation_string=True)
    bot.set_resampler(lambda state, player: state.resample_from_infostate(player, rng.random_sample))
    return bot


openspiel.run(make, name=f"ISMCTS, {simulations} simulations")
