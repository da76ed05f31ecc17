"""PettingZoo's own tests, for every game and variant."""

from __future__ import annotations

from typing import Any

import numpy as np
import pettingzoo.test
import pytest
from conftest import variants
from pettingzoo.test.performance_benchmark import performance_benchmark

import earthgym
from earthgym import errors

VARIANTS = variants()


@pytest.mark.parametrize("game", [text for texts in VARIANTS.values() for text in texts])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_variant(server: earthgym.Server, game: str) -> None:
    env = earthgym.aec(game, server=server)
    pettingzoo.test.api_test(env, num_cycles=30)
    env.close()
    pettingzoo.test.seed_test(lambda: earthgym.aec(game, server=server), num_cycles=20)

    def make(render_mode: str | None = None, **_: Any) -> Any:
        return earthgym.aec(game, render_mode=render_mode, server=server)

    pettingzoo.test.render_test(make)


@pytest.mark.parametrize("game", VARIANTS)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_long(server: earthgym.Server, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    env = earthgym.aec(game, server=server)
    pettingzoo.test.api_test(env, num_cycles=400)
    import pettingzoo.test.performance_benchmark as benchmark

    clock = [0.0]

    def tick() -> float:
        clock[0] += 0.02  # five seconds of it are enough steps
        return clock[0]

    monkeypatch.setattr(benchmark, "time", type("Clock", (), {"time": staticmethod(tick)}))
    performance_benchmark(env)


def test_observations(server: earthgym.Server) -> None:
    env = earthgym.aec("resilience-earth:players=3", server=server)
    env.reset(seed=4)
    rng = np.random.default_rng(0)
    for agent in env.agent_iter():
        observation, _, termination, truncation, _ = env.last()
        if termination or truncation:
            env.step(None)
            continue
        assert observation["action_mask"].any()
        for other in env.agents:
            if other != agent:
                assert not env.observe(other)["action_mask"].any()
        assert env.state().shape == env.state_space.shape
        env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    assert not env.agents
    env.reset()
    with pytest.raises(errors.IllegalAction):
        env.step(int(np.argmin(env.observe(env.agent_selection)["action_mask"])))
    env.close()
