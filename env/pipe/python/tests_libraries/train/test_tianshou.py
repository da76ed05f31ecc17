"""Tianshou: several agents through its wrapper, and DQN with masks."""

from __future__ import annotations

import re
from collections.abc import Callable


def test_dqn(example: Callable[..., str]) -> None:
    returns = [float(r) for r in re.findall(r"return ([-+.\d]+)", example("tianshou_dqn.py", "1"))]
    assert returns[-1] > max(0.5, returns[0])
