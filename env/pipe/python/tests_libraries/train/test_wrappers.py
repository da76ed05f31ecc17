"""Wrappers and conversions that come with Gymnasium and PettingZoo."""

from __future__ import annotations

from pathlib import Path

import gymnasium
import numpy as np
import pettingzoo.utils.conversions as conversions
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import RecordVideo
from gymnasium.wrappers import vector as wrappers

import earthgym
from earthgym.gym import EarthVectorEnv
from earthgym.names import gym_id

pytestmark = pytest.mark.filterwarnings("ignore")


def test_record_video(tmp_path: Path) -> None:
    env = gymnasium.make(f"earthgym/{gym_id('resilience-earth')}", players=2, render_mode="rgb_array", max_decisions=12)
    env = RecordVideo(env, str(tmp_path), episode_trigger=lambda n: n == 0)
    for seed in range(2):
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            _, _, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
            over = terminated or truncated
    env.close()
    assert [f.name for f in tmp_path.glob("*.mp4")] == ["rl-video-episode-0.mp4"]


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_vector_wrappers(mode: AutoresetMode) -> None:
    env = EarthVectorEnv("resilience-earth", 4, players=2, max_decisions=20, autoreset_mode=mode)
    env = wrappers.RecordEpisodeStatistics(env)
    if mode == AutoresetMode.NEXT_STEP:  # those of observations know this mode alone
        env = wrappers.DtypeObservation(wrappers.NormalizeReward(wrappers.NormalizeObservation(env)), np.float64)
    observations, infos = env.reset(seed=1)
    rng = np.random.default_rng(0)
    ended = 0
    for _ in range(60):
        observations, rewards, _, _, infos = env.step(earthgym.random_legal(infos["action_mask"].view(np.bool_), rng))
        assert observations.dtype == (np.float64 if mode == AutoresetMode.NEXT_STEP else np.float32)
        assert observations.shape == (4, env.single_observation_space.shape[0])
        assert np.isfinite(rewards).all()
        told = infos if "episode" in infos else infos.get("final_info", {})
        if "episode" in told:
            ended += int(told["_episode"].sum())
            assert (told["episode"]["l"][told["_episode"]] <= 20).all()
    assert ended >= 4
    env.close()


def test_vector_video(tmp_path: Path) -> None:
    """The board that the first lane's seat sees; masks come through."""
    env = EarthVectorEnv("resilience-earth", 2, players=2, max_decisions=8, render_mode="rgb_array")
    env = wrappers.RecordVideo(env, str(tmp_path), episode_trigger=lambda n: n == 0)
    _, infos = env.reset(seed=1)
    rng = np.random.default_rng(0)
    for _ in range(20):
        _, _, _, _, infos = env.step(earthgym.random_legal(infos["action_mask"].view(np.bool_), rng))
    env.close()
    assert list(tmp_path.glob("*.mp4"))


@pytest.mark.parametrize("game", ["resilience-earth:players=3", "new-earth:players=2"])
def test_parallel(game: str) -> None:
    """As a parallel environment, in which the actions of those who don't decide are ignored."""
    from pettingzoo.test import parallel_api_test  # warns when it is imported

    env = conversions.turn_based_aec_to_parallel(earthgym.aec(game, max_decisions=80, illegal="forfeit"))
    parallel_api_test(env, num_cycles=60)
    observations, _ = env.reset(seed=4)
    paid = dict.fromkeys(env.possible_agents, 0.0)
    while env.agents:
        actions = {}
        for agent, seen in observations.items():
            legal = np.flatnonzero(seen["action_mask"])
            actions[agent] = int(legal[0]) if len(legal) else 0
        observations, rewards, ended, cut, _ = env.step(actions)
        for agent, reward in rewards.items():
            paid[agent] += reward
    assert all(ended[a] or cut[a] for a in ended)
    assert sum(paid.values()) == pytest.approx(0, abs=1e-6)
    env.close()
