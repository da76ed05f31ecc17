"""MaskablePPO of sb3-contrib against a scripted opponent: pip install 'earthgym[sb3]'."""

import sys

import torch
from sb3_contrib import MaskablePPO

from earthgym.sb3 import EarthVecEnv

torch.set_num_threads(1)  # networks this small are faster so, and the server has the other cores
steps = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
env = EarthVecEnv("resilience-earth", 64, players=2, opponents="script:naive", shaping=0.5)
model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=256, device="cpu", seed=1, verbose=1)
model.learn(steps)
model.save("maskable_ppo")
env.close()
