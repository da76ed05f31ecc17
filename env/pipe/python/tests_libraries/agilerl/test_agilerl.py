"""AgileRL: PPO with masks on many games."""

from __future__ import annotations

import re
from collections.abc import Callable


def test_ppo(example: Callable[..., str]) -> None:
    returns = [float(r) for r in re.findall(r"return ([-+.\d]+)", example("agilerl_ppo.py", "10"))]
    assert returns[-1] > returns[0] + 0.2
