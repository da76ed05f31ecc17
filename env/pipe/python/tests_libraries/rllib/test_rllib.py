"""RLlib's new API stack: its own check of environments, and PPO with masks by self-play."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from ray.rllib.utils.pre_checks.env import check_multiagent_environments

from earthgym import errors
from earthgym.catalogue import GAMES
from earthgym.rllib import EarthMultiAgentEnv


@pytest.mark.parametrize("game", GAMES)
def test_environment(game: str) -> None:
    """RLlib's check, and a game in which each agent is paid its return, in pieces at its own decisions."""
    env = EarthMultiAgentEnv({"game": game, "max_decisions": 4000})
    check_multiagent_environments(env)
    rng = np.random.default_rng(1)
    observations, _ = env.reset(seed=4)
    paid = dict.fromkeys(env.possible_agents, 0.0)
    seen = set()
    over = {"__all__": False}
    while not over["__all__"]:
        [(agent, seat)] = observations.items()
        seen.add(agent)
        assert env.observation_spaces[agent].contains(seat)
        action = int(rng.choice(np.flatnonzero(seat["action_mask"])))
        observations, rewards, over, cut, infos = env.step({agent: action})
        assert set(rewards) == set(observations)
        for name, reward in rewards.items():
            paid[name] += reward
        assert not cut["__all__"]
    assert set(observations) == seen
    for name in seen:
        assert paid[name] == pytest.approx(infos[name]["returns"], abs=1e-6)
        assert not observations[name]["action_mask"].any()
    with pytest.raises(errors.EarthgymError, match="over"):
        env.step({"player_0": 0})
    env.close()


def test_words() -> None:
    env = EarthMultiAgentEnv({"game": "resilience-earth", "players": 2, "illegal": "error"})
    observations, _ = env.reset(seed=1)
    [(agent, seat)] = observations.items()
    other = next(a for a in env.possible_agents if a != agent)
    for actions in ({other: 0}, {}, {agent: 0, other: 0}):
        with pytest.raises(errors.BadPlayer, match=f"{agent} decides"):
            env.step(actions)
    with pytest.raises(errors.IllegalAction):
        env.step({agent: int(seat["action_mask"].argmin())})
    with pytest.raises(errors.WrongLength, match="whole numbers"):
        env.step({agent: float(seat["action_mask"].argmax())})
    env.close()
    with pytest.raises(TypeError, match=r"EarthMultiAgentEnv\(\) takes a game's text"):
        EarthMultiAgentEnv({"players": 2})


@pytest.mark.parametrize("how", ["float16", "uint8"])
def test_smaller_observations(how: str) -> None:
    """However observations travel, RLlib sees the numbers of the space."""
    envs = [EarthMultiAgentEnv({"game": "one-earth", "players": 2, "observation": o}) for o in ("float32", how)]
    for _ in range(2):
        [(agent, want)], [(also, got)] = (env.reset(seed=3)[0].items() for env in envs)
        assert agent == also
        assert envs[1].observation_spaces[agent].contains(got)
        box = envs[0].observation_spaces[agent]["observations"]
        assert (abs(got["observations"] - want["observations"]) <= (box.high - box.low) / 255 + 1e-3).all()
    for env in envs:
        env.close()


def test_ppo(curve: Callable[..., list[float]]) -> None:
    """Four iterations are enough to be far ahead of random play."""
    returns = curve("rllib_ppo.py", "4")
    assert len(returns) == 5
    assert returns[-1] > max(0.3, returns[0] + 0.3)
