"""A remote agent that plays any legal action.

earthgym match one-earth 'remote:python random_agent.py' script:strong
"""

import numpy as np

from earthgym import agent


class RandomAgent:
    """All chance comes from the seed that the table gives before each game, so that matches can be repeated."""

    def reset(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def act(self, decision: agent.Decision) -> int:
        return int(self.rng.choice(np.flatnonzero(decision.mask)))


agent.run(RandomAgent(), name="random from Python")
