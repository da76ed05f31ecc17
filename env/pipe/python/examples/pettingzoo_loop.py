"""A PettingZoo loop: every agent plays any legal action."""

import numpy as np

import earthgym

env = earthgym.aec("earth-rising:players=3")
rng = np.random.default_rng(1)
env.reset(seed=1)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    if termination or truncation:
        print(f"{agent}: {reward:+.2f}")
        action = None
    else:
        action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
    env.step(action)
env.close()
