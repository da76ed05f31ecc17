"""A remote agent that plays many games at once: a network, asked for the decisions of all of them together.

earthgym match resilience-earth 'remote:python batch_agent.py network.safetensors' script:strong
"""

import sys
from collections.abc import Sequence

import numpy as np

from earthgym import agent, load_network

if len(sys.argv) != 2:
    sys.exit(__doc__)


class BatchAgent(agent.Tables):
    """Draws from the network's policy, at each table by the chance of that table."""

    def __init__(self, path: str) -> None:
        self.network = load_network(path)

    def act_batch(self, decisions: Sequence[agent.Decision], /) -> list[int]:
        logits, _ = self.network.evaluate(np.stack([d.observation for d in decisions]))
        actions = []
        for d, row in zip(decisions, logits, strict=True):
            weights = np.where(d.mask, np.exp(row - row[d.mask].max(), dtype=np.float64), 0)
            actions.append(int(self.rng[d.table].choice(len(row), p=weights / weights.sum())))
        return actions


agent.run(BatchAgent(sys.argv[1]), name="network from Python")
