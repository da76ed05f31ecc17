"""Tianshou: several agents through its wrapper, and DQN with masks."""

from __future__ import annotations

from collections.abc import Callable


def test_dqn(curve: Callable[..., list[float]]) -> None:
    assert curve("tianshou_dqn.py", "1")[-1] > 0.5
