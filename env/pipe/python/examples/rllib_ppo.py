"""PPO by self-play in RLlib's new API stack: several agents, one policy, action masks.

pip install 'earthgym[rllib]' torch
python rllib_ppo.py 10
"""

import sys

import torch
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

import earthgym
from earthgym.rllib import EarthMultiAgentEnv

ROUNDS = int(sys.argv[1]) if len(sys.argv) == 2 else sys.exit(__doc__)

GAME, STEPS = "resilience-earth:players=2", 2048
network = {"head_fcnet_hiddens": [256], "fcnet_hiddens": [256], "head_fcnet_activation": "relu"}
module = RLModuleSpec(module_class=ActionMaskingTorchRLModule, model_config=network)
config = (
    PPOConfig()
    .environment(EarthMultiAgentEnv, env_config={"game": GAME, "shaping": 0.3, "gamma": 0.99})
    .multi_agent(policies={"all"}, policy_mapping_fn=lambda agent, episode, **kwargs: "all")
    .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"all": module}))
    .env_runners(num_env_runners=0, num_envs_per_env_runner=8)
    .debugging(seed=1)
    .training(train_batch_size_per_learner=STEPS, minibatch_size=256, num_epochs=3, lr=5e-4, gamma=0.99, lambda_=0.95)
)
algorithm = config.build_algo()


def policy(observation, mask):
    batch = {"observations": torch.tensor(observation), "action_mask": torch.tensor(mask, dtype=torch.float32)}
    with torch.no_grad():
        logits = algorithm.get_module("all").forward_inference({"obs": batch})["action_dist_inputs"]
    return torch.distributions.Categorical(logits=logits).sample()


for iteration in range(ROUNDS + 1):
    print(f"{iteration * STEPS:,} decisions: return {earthgym.evaluate(GAME, policy)} against random", flush=True)
    if iteration < ROUNDS:
        algorithm.train()
for bot in ("script:greedy", "script:strong"):
    print(f"return {earthgym.evaluate(GAME, policy, opponents=bot)} against {bot}")
algorithm.stop()
