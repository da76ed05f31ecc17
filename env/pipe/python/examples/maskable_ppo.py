"""MaskablePPO of sb3-contrib against a scripted opponent: pip install 'earthgym[sb3]'."""

import sys

import torch
from sb3_contrib import MaskablePPO

import earthgym
from earthgym.sb3 import EarthVecEnv

torch.set_num_threads(1)  # networks this small are faster so, and the server has the other cores
steps, part = int(sys.argv[1]) if len(sys.argv) > 1 else 98_304, 16_384
GAME = "resilience-earth:players=2"
env = EarthVecEnv(GAME, 64, opponents="script:naive", shaping=0.5)
model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=256, device="cpu", seed=1)


def policy(observation, mask):
    return model.predict(observation, action_masks=mask)[0]


while True:
    played = earthgym.evaluate(GAME, policy)
    print(f"{model.num_timesteps:,} decisions: return {played} against random", flush=True)
    if model.num_timesteps >= steps:
        break
    model.learn(min(part, steps - model.num_timesteps), reset_num_timesteps=False)
for bot in ("script:greedy", "script:strong"):
    print(f"return {earthgym.evaluate(GAME, policy, opponents=bot)} against {bot}")
model.save("maskable_ppo")
env.close()
