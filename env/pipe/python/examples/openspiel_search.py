"""Search by OpenSpiel in any game: MCTS, or ISMCTS where something is hidden, against a random player.

pip install earthgym open_spiel
python openspiel_search.py new-earth 2 30
"""

import sys

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts
from open_spiel.python.bots import uniform_random

import earthgym.openspiel

if len(sys.argv) != 4:
    sys.exit(__doc__)

name, players, simulations = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
game = pyspiel.load_game(earthgym.openspiel.spiel_name(name), {"players": players})
rng = np.random.RandomState(1)
evaluator = mcts.RandomRolloutEvaluator(1, rng)
if "hidden-information" in game.info["traits"]:
    bot = ismcts.ISMCTSBot(game, evaluator, 1.4, simulations, random_state=rng, use_observation_string=True)
else:
    bot = mcts.MCTSBot(game, 1.4, simulations, evaluator, random_state=rng)
bots = [bot] + [uniform_random.UniformRandomBot(p, rng) for p in range(1, players)]
state = game.new_initial_state()
while not state.is_terminal():
    if state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choice(outcomes, p=chances))
    else:
        state.apply_action(bots[state.current_player()].step(state))
print("returns", *state.returns())
