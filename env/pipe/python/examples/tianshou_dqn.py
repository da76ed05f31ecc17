"""Tianshou's DQN with masks as one agent of several, against a random one.

pip install 'earthgym[pettingzoo]' tianshou
python tianshou_dqn.py 4
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


class Env(PettingZooEnv):
    def step(self, action):
        return *super().step(action)[:-1], {}  # Tianshou's buffers have room for what is told at every step alone


torch.manual_seed(1)
GAME = "resilience-earth:players=2"
env = Env(earthgym.aec(GAME))
space, actions = env.observation_space["observation"], env.action_space
network = Net(state_shape=space.shape, action_shape=actions.n, hidden_sizes=[256])
learner = DQN(
    policy=DiscreteQLearningPolicy(model=network, action_space=actions, observation_space=space, eps_training=0.2),
    optim=AdamOptimizerFactory(lr=5e-4),
    n_step_return_horizon=8,
    target_update_freq=100,
)
both = MultiAgentOffPolicyAlgorithm(algorithms=[learner, MARLRandomDiscreteMaskedOffPolicyAlgorithm(actions)], env=env)
games = DummyVectorEnv([lambda: Env(earthgym.aec(GAME, shaping=0.3, gamma=0.99))] * 8)
collector = Collector(both, games, VectorReplayBuffer(50_000, len(games)), exploration_noise=True)
collector.reset()


def policy(observation, mask):
    with torch.no_grad():
        return network(observation)[0].masked_fill(~torch.tensor(mask), -torch.inf).argmax(1)


for epoch in range(int(sys.argv[1]) + 1):
    print(
        "epoch {}: return {:+.2f} ± {:.2f} against random".format(epoch, *earthgym.evaluate(GAME, policy)), flush=True
    )
    if epoch < int(sys.argv[1]):
        sizes = {
            "collection_step_num_env_steps": 64,
            "update_step_num_gradient_steps_per_sample": 0.1,
            "batch_size": 128,
        }
        params = OffPolicyTrainerParams(
            training_collector=collector,
            max_epochs=1,
            epoch_num_steps=4000,
            verbose=False,
            show_progress=False,
            **sizes,
        )
        both.run_training(params)
