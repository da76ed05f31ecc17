"""Tianshou's DQN with masks as one agent of several, against a random one.

pip install 'earthgym[pettingzoo]' tianshou
python tianshou_dqn.py 3
"""

import sys

import torch
from tianshou.algorithm import DQN, MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

import earthgym

ROUNDS = int(sys.argv[1]) if len(sys.argv) == 2 else sys.exit(__doc__)


class Env(PettingZooEnv):
    def step(self, action):
        return *super().step(action)[:-1], {}  # Tianshou's buffers have room for what is told at every step alone


torch.manual_seed(1)
GAME = "resilience-earth:players=2"
options = {"shaping": 0.3, "gamma": 0.99, "server": earthgym.Server()}  # one program for all environments
env = Env(earthgym.aec(GAME, **options))
space, actions = env.observation_space["observation"], env.action_space
net = Net(state_shape=space.shape, action_shape=actions.n, hidden_sizes=[256])
policy = DiscreteQLearningPolicy(model=net, action_space=actions, observation_space=space, eps_training=0.2)
dqn = DQN(policy=policy, optim=AdamOptimizerFactory(lr=5e-4), n_step_return_horizon=8, target_update_freq=100)
both = MultiAgentOffPolicyAlgorithm(algorithms=[dqn, MARLRandomDiscreteMaskedOffPolicyAlgorithm(actions)], env=env)
games = DummyVectorEnv([lambda: Env(earthgym.aec(GAME, **options))] * 8)
collector = Collector(both, games, VectorReplayBuffer(50_000, len(games)), exploration_noise=True)
sizes = {
    "max_epochs": ROUNDS,
    "epoch_num_steps": 4096,
    "collection_step_num_env_steps": 64,
    "batch_size": 128,
}
often = {"update_step_num_gradient_steps_per_sample": 0.1, "verbose": False, "show_progress": False}


def best(observation, mask):
    with torch.no_grad():
        return net(observation)[0].masked_fill(~torch.tensor(mask), -torch.inf).argmax(1)


def show(epoch, steps):
    if steps % 1024 == 0:
        print(f"{steps:,} decisions: return {earthgym.evaluate(GAME, best)} against random", flush=True)


both.run_training(OffPolicyTrainerParams(training_collector=collector, training_fn=show, **sizes, **often))
for bot in ("script:greedy", "script:strong"):
    print(f"return {earthgym.evaluate(GAME, best, opponents=bot)} against {bot}")
