"""AgileRL's PPO with masks on many games, against a random opponent.

pip install 'earthgym[gymnasium]' agilerl
python agilerl_ppo.py 20
"""

import sys

import torch
from agilerl.algorithms import PPO
from agilerl.rollouts import collect_rollouts
from gymnasium.vector import AutoresetMode

import earthgym
from earthgym.gym import EarthVectorEnv

ROUNDS = int(sys.argv[1]) if len(sys.argv) == 2 else sys.exit(__doc__)

torch.manual_seed(1)
GAME, LANES, STEPS = "resilience-earth:players=2", 64, 4096
env = EarthVectorEnv(GAME, LANES, opponents="random", shaping=0.3, gamma=0.99, autoreset_mode=AutoresetMode.SAME_STEP)
ppo = PPO(
    env.single_observation_space,
    env.single_action_space,
    num_envs=LANES,
    learn_step=STEPS,
    batch_size=512,
    lr=5e-4,
    update_epochs=3,
    net_config={"encoder_config": {"hidden_size": [256]}},
)
last = {}


def policy(observation, mask):
    return ppo.get_action(observation, action_mask=mask)[0]


ppo.set_training_mode(True)
for iteration in range(ROUNDS + 1):
    if iteration % 2 == 0:
        print(f"{iteration * STEPS:,} decisions: return {earthgym.evaluate(GAME, policy)} against random", flush=True)
    if iteration < ROUNDS:
        _, *now = collect_rollouts(ppo, env, **last)
        last = dict(zip(("last_obs", "last_done", "last_scores", "last_info"), now, strict=True))
        ppo.learn()
for bot in ("script:greedy", "script:strong"):
    print(f"return {earthgym.evaluate(GAME, policy, opponents=bot)} against {bot}")
