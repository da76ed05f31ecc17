"""MaskablePPO of sb3-contrib against a scripted opponent: pip install sb3-contrib."""

import sys

import gymnasium
from sb3_contrib import MaskablePPO

import earthgym  # noqa: F401  (registers the games)

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
env = gymnasium.make("earthgym/ResilienceEarth-v0", players=2, opponents=["script:naive"], shaping=0.5)
model = MaskablePPO("MlpPolicy", env, n_steps=512, batch_size=128, device="cpu", seed=1, verbose=1)
model.learn(steps)
model.save("maskable_ppo")
env.close()
