"""AgileRL: PPO with masks on many games."""

from __future__ import annotations

from collections.abc import Callable


def test_ppo(curve: Callable[..., list[float]]) -> None:
    returns = curve("agilerl_ppo.py", "6")
    assert len(returns) == 4
    assert returns[-1] > max(0.3, returns[0] + 0.3)
