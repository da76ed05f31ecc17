"""Gymnasium: its own checker, and the vector form against SyncVectorEnv."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import earthgym
import earthgym.gym
from earthgym.gym import EarthEnv, EarthVectorEnv
from earthgym.names import GAMES, gym_id


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.filterwarnings("ignore:.*A Box observation space:UserWarning")
def test_checker(server: earthgym.Server, game: str) -> None:
    env = gymnasium.make(f"earthgym/{gym_id(game)}", server=server, illegal="forfeit")
    check_env(env.unwrapped, skip_render_check=True)
    env.close()


def test_solo_and_options(server: earthgym.Server) -> None:
    env: Any = gymnasium.make("earthgym/OneEarth-v0", players=1, difficulty="easy", server=server)
    assert env.unwrapped.game.startswith("one-earth:players=1,")
    _, info = env.reset(seed=1)
    done = False
    while not done:
        _, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
        done = terminated or truncated
    assert -1 <= reward <= 1
    env.close()


@pytest.mark.parametrize("mode", ["ansi", "rgb_array", "human"])
def test_render(server: earthgym.Server, mode: str, capsys: pytest.CaptureFixture[str]) -> None:
    env = EarthEnv("resilience-earth", players=2, render_mode=mode, server=server)
    env.reset(seed=1)
    shown = env.render()
    if mode == "ansi":
        assert isinstance(shown, str)
        assert shown
    elif mode == "human":
        assert shown is None
        assert capsys.readouterr().out
    else:
        assert shown.dtype == np.uint8
        assert shown.ndim == 3
        assert shown.shape[2] == 3
        assert shown.shape[0] > 400  # the board, not a line of text
        assert len(np.unique(shown.reshape(-1, 3)[::97], axis=0)) > 10
    env.close()
    with pytest.raises(ValueError, match="render_mode"):
        EarthEnv("resilience-earth", render_mode="hologram", server=server)


def test_illegal(server: earthgym.Server) -> None:
    env = EarthEnv("resilience-earth", players=2, server=server)
    _, info = env.reset(seed=1)
    illegal = int(np.argmin(info["action_mask"]))
    with pytest.raises(earthgym.IllegalAction):
        env.step(illegal)
    assert np.array_equal(env.action_masks(), info["action_mask"].astype(bool))
    env.close()
    env = EarthEnv("resilience-earth", players=2, illegal="forfeit", server=server)
    env.reset(seed=1)
    _, reward, terminated, truncated, info = env.step(illegal)
    assert (reward, terminated, truncated, info["illegal"]) == (-1.0, True, False, True)
    with pytest.raises(earthgym.EarthgymError, match="over"):
        env.step(0)
    env.close()


def test_returns_are_copies(server: earthgym.Server) -> None:
    env = EarthEnv("resilience-earth", players=2, server=server)
    first, info = env.reset(seed=1)
    kept, mask = first.copy(), info["action_mask"].copy()
    for _ in range(3):
        _, _, _, _, after = env.step(int(np.flatnonzero(env.action_masks())[0]))
        assert after["action_mask"] is not info["action_mask"]
    assert np.array_equal(first, kept)
    assert np.array_equal(info["action_mask"], mask)
    first[:] = 0
    env.close()


def same(a: Any, b: Any, where: str) -> None:
    """Demands that what two environments gave is equal, types included."""
    assert type(a) is type(b), where
    if isinstance(a, dict):
        assert a.keys() == b.keys(), f"{where}: {a.keys()} and {b.keys()}"
        for key in a:
            same(a[key], b[key], f"{where}[{key!r}]")
    elif isinstance(a, np.ndarray) and a.dtype == object:
        assert a.shape == b.shape, where
        for i, (x, y) in enumerate(zip(a, b, strict=True)):
            same(x, y, f"{where}[{i}]")
    elif isinstance(a, np.ndarray):
        assert a.dtype == b.dtype, where
        assert np.array_equal(a, b), where
    else:
        assert a == b, where


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("illegal", ["error", "forfeit"])
def test_vector_is_sync_vector(server: earthgym.Server, mode: AutoresetMode, illegal: Any) -> None:
    options: dict[str, Any] = dict(
        players=3, seat=1, opponents=["script:naive", "random"], illegal=illegal, server=server
    )
    sync = SyncVectorEnv([lambda: EarthEnv("resilience-earth", **options) for _ in range(4)], autoreset_mode=mode)
    vector = EarthVectorEnv("resilience-earth", 4, autoreset_mode=mode, **options)
    assert vector.metadata["autoreset_mode"] == mode
    assert vector.observation_space == sync.observation_space
    assert vector.action_space == sync.action_space
    want, got = sync.reset(seed=[5, 6, 7, 8]), vector.reset(seed=[5, 6, 7, 8])
    rng = np.random.default_rng(0)
    ends = forfeits = 0
    for n in range(160):
        same(want[0], got[0], f"step {n}: observation")
        same(want[-1], got[-1], f"step {n}: info")
        for a, b in zip(want[1:-1], got[1:-1], strict=True):
            same(a, b, f"step {n}")
        if len(want) == 5:
            done = want[2] | want[3]
            ends += int(done.sum())
            forfeits += "illegal" in want[4] or "illegal" in want[4].get("final_info", {})
            if mode == AutoresetMode.DISABLED and done.any():
                reset = {"reset_mask": done}
                want, got = sync.reset(options=dict(reset)), vector.reset(options=dict(reset))
                continue
        actions = earthgym.random_legal(vector.action_masks(), rng)
        if illegal == "forfeit" and n % 20 == 7:
            actions[n % 4] = int(np.argmin(vector.action_masks()[n % 4]))
        want, got = sync.step(actions), vector.step(actions)
    assert ends > 3
    assert bool(forfeits) == (illegal == "forfeit")
    sync.close()
    vector.close()


def test_vector_by_name(server: earthgym.Server) -> None:
    env = gymnasium.make_vec("earthgym/ResilienceEarth-v0", 3, vectorization_mode="vector_entry_point", server=server)
    observation, info = env.reset(seed=1)
    assert observation.shape[0] == 3
    assert info["action_mask"].shape[0] == 3
    with pytest.raises(ValueError, match="seeds"):
        env.reset(seed=[1, 2])
    env.close()
