"""Gymnasium: its own checker, and the vector form against SyncVectorEnv."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
from pathlib import Path
from typing import Any

import gymnasium
import gymnasium.wrappers as single
import gymnasium.wrappers.vector as wrappers
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import earthgym
import earthgym.gym
from earthgym.catalogue import GAMES, GameOptions
from earthgym.gym import EarthEnv, EarthVectorEnv
from earthgym.names import gym_id


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.filterwarnings("ignore:.*A Box observation space:UserWarning")
def test_checker(server: earthgym.Server, game: str) -> None:
    env = gymnasium.make(f"earthgym/{gym_id(game)}", server=server, illegal="forfeit")
    check_env(env.unwrapped, skip_render_check=True)
    env.close()


def test_solo_and_options(server: earthgym.Server) -> None:
    env: Any = gymnasium.make("earthgym/OneEarth-v1", players=1, difficulty="easy", server=server)
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
    elif isinstance(a, tuple):
        assert len(a) == len(b), where
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
    ends = forfeits = results = 0
    for n in range(160):
        same(want[0], got[0], f"step {n}: observation")
        same(want[-1], got[-1], f"step {n}: info")
        for a, b in zip(want[1:-1], got[1:-1], strict=True):
            same(a, b, f"step {n}")
        if len(want) == 5:
            done = want[2] | want[3]
            ends += int(done.sum())
            results += "result" in want[4].get("final_info", want[4])
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
    assert results > 1
    assert bool(forfeits) == (illegal == "forfeit")
    sync.close()
    vector.close()


def test_vector_by_name(server: earthgym.Server) -> None:
    env = gymnasium.make_vec("earthgym/ResilienceEarth-v1", 3, vectorization_mode="vector_entry_point", server=server)
    observation, info = env.reset(seed=1)
    assert observation.shape[0] == 3
    assert info["action_mask"].shape[0] == 3
    with pytest.raises(ValueError, match="seeds"):
        env.reset(seed=[1, 2])
    env.close()


def play(env: Any, seed: int = 1) -> tuple[float, dict[str, Any]]:
    """Plays one game at random; gives the last reward and info."""
    rng = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    done = False
    while not done:
        assert "result" not in info
        _, reward, terminated, truncated, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
        done = terminated or truncated
    return float(reward), info


@pytest.mark.parametrize("game", GAMES)
def test_result(server: earthgym.Server, game: str, tmp_path: Path) -> None:
    """What info says of a game is what its record says."""
    env = EarthEnv(game, players=2, seat=1, record=True, server=server)
    reward, info = play(env)
    result = info["result"]
    assert result["seed"] == 1
    assert reward == pytest.approx(result["returns"][1])
    assert set(result["measures"]) == {m["name"] for m in env.game_info.get("measures", [])}
    assert result["length"] < result["decisions"]
    assert result["lost"] is (result["reason"] in ("ruin", "critical", "collapse"))
    assert result["lost"] or result["culprits"] == ()
    moves = [json.loads(line) for line in env.record(finished=True).splitlines()]
    assert len([m for m in moves if "action" in m]) == result["decisions"]
    file = tmp_path / "game.jsonl"
    file.write_bytes(env.record())
    done = subprocess.run([earthgym.find_binary(), "replay", str(file)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    env.close()


def test_result_of_a_truncated_game(server: earthgym.Server) -> None:
    env = EarthEnv("resilience-earth", players=2, max_decisions=5, server=server)
    _, info = play(env)
    assert info["result"]["reason"] == "truncated"
    assert info["result"]["decisions"] == 5
    env.close()


def test_names_and_texts(server: earthgym.Server) -> None:
    env = EarthEnv("one-earth", players=2, opponents="script:naive", record=True, server=server)
    _, info = env.reset(seed=3)
    assert len(env.action_names) == env.action_space.n
    legal = env.legal()
    assert sorted(legal.values()) == list(np.flatnonzero(info["action_mask"]))
    assert all(env.action_names[action] == text for text, action in legal.items())
    assert json.loads(env.record().splitlines()[0])["seed"] == 3
    assert env.game.startswith("one-earth:players=2,")
    env.close()
    vector = EarthVectorEnv("one-earth", 2, players=2, record=True, server=server)
    _, infos = vector.reset(seed=3)
    assert sorted(vector.legal(1).values()) == list(np.flatnonzero(infos["action_mask"][1]))
    assert json.loads(vector.record(1).splitlines()[0])["seed"] == 4
    vector.close()


def test_one_opponent_in_words(server: earthgym.Server) -> None:
    """A text is a list of one, and not of its letters."""
    games = []
    for opponents in ("script:naive", ["script:naive"]):
        env = EarthEnv("resilience-earth", players=3, opponents=opponents, server=server)
        games.append(play(env)[1]["result"])
        env.close()
    same(*games, "result")


@pytest.mark.parametrize("observation", ["float16", "uint8"])
def test_small_observations(observation: Any) -> None:
    exact = EarthEnv("resilience-earth", players=2)
    env = EarthEnv("resilience-earth", players=2, observation=observation)
    for seed in range(3):
        want, got = exact.reset(seed=seed)[0], env.reset(seed=seed)[0]
        assert got in env.observation_space
        assert got.dtype == np.float32
        assert not np.array_equal(want, got) or observation == "float16"
        assert np.abs(want - got).max() < 0.05
    exact.close()
    env.close()


def test_gamma(server: earthgym.Server) -> None:
    rewards = []
    for gamma in (1.0, 0.5):
        env = EarthEnv("resilience-earth", players=2, shaping=1.0, gamma=gamma, server=server)
        env.reset(seed=1)
        rewards.append([env.step(int(np.flatnonzero(env.action_masks())[0]))[1] for _ in range(8)])
        env.close()
    assert rewards[0] != rewards[1]


@pytest.mark.parametrize("wrong", [1.5, "0", None, [0], np.float32(1)])
def test_actions_are_whole(server: earthgym.Server, wrong: Any) -> None:
    env = EarthEnv("resilience-earth", players=2, server=server)
    env.reset(seed=1)
    with pytest.raises(earthgym.IllegalAction, match="whole numbers, 0 to"):
        env.step(wrong)
    env.close()


def test_copies() -> None:
    """Copies are made of the arguments, each with a server of its own where that was so."""
    env = EarthEnv("resilience-earth", players=2, max_decisions=7)
    for other in (pickle.loads(pickle.dumps(env)), copy.deepcopy(env), copy.copy(env)):
        assert other._vec.server is not env._vec.server
        same(play(env)[1], play(other)[1], "info")
        other.close()
    env.close()
    with earthgym.Server(observation="uint8") as server:
        vector = EarthVectorEnv("resilience-earth", 2, players=2, server=server)
        here, there = copy.deepcopy(vector), pickle.loads(pickle.dumps(vector))
        assert here._vec.server is server
        assert there._vec.server is not server
        assert there._vec.server.observation == "uint8"
        for other in (here, there):
            same(vector.reset(seed=1), other.reset(seed=1), "reset")
        there._vec.server.close()
    game = pickle.loads(pickle.dumps(earthgym.TextGame("resilience-earth", players=2)))
    assert game.reset(seed=1).legal
    game.close()


VECTOR_WRAPPERS: dict[str, tuple[Any, set[AutoresetMode]]] = {
    "RecordEpisodeStatistics": (wrappers.RecordEpisodeStatistics, set(AutoresetMode)),
    "NormalizeReward": (wrappers.NormalizeReward, set(AutoresetMode)),
    "ClipReward": (lambda env: wrappers.ClipReward(env, -1, 1), set(AutoresetMode)),
    "TransformReward": (lambda env: wrappers.TransformReward(env, lambda r: 2 * r), set(AutoresetMode)),
    # Gymnasium's own have not learnt of all modes.
    "NormalizeObservation": (wrappers.NormalizeObservation, {AutoresetMode.NEXT_STEP}),
    "FlattenObservation": (wrappers.FlattenObservation, {AutoresetMode.NEXT_STEP, AutoresetMode.DISABLED}),
    "RescaleObservation": (
        lambda env: wrappers.RescaleObservation(env, -1, 1),
        {AutoresetMode.NEXT_STEP, AutoresetMode.DISABLED},
    ),
    "DictInfoToList": (wrappers.DictInfoToList, set(AutoresetMode)),
}


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("name", VECTOR_WRAPPERS)
def test_vector_wrappers(server: earthgym.Server, name: str, mode: AutoresetMode) -> None:
    """Wrappers give for the vector environment what they give for a SyncVectorEnv."""
    wrap, modes = VECTOR_WRAPPERS[name]
    if mode not in modes:
        with pytest.raises(ValueError, match="autoreset_mode"):
            wrap(EarthVectorEnv("resilience-earth", 3, autoreset_mode=mode, server=server))
        return
    options: dict[str, Any] = dict(players=2, max_decisions=30, server=server)
    base = EarthVectorEnv("resilience-earth", 3, autoreset_mode=mode, **options)
    sync = wrap(SyncVectorEnv([lambda: EarthEnv("resilience-earth", **options) for _ in range(3)], autoreset_mode=mode))
    vector = wrap(base)
    seeds: Any = [1, 2, 3]
    same(sync.reset(seed=seeds)[0], vector.reset(seed=seeds)[0], "reset")
    rng = np.random.default_rng(0)
    ends = 0
    for n in range(70):
        actions = earthgym.random_legal(base.action_masks(), rng)
        want, got = sync.step(actions), vector.step(actions)
        for a, b in zip(want[:4], got[:4], strict=True):
            same(np.asarray(a), np.asarray(b), f"step {n}")
        done = want[2] | want[3]
        ends += int(done.sum())
        if name == "RecordEpisodeStatistics" and done.any():
            result = got[4].get("final_info", got[4])["result"]
            assert got[4]["episode"]["l"][done].tolist() == result["length"][done].tolist()
        if mode == AutoresetMode.DISABLED and done.any():
            for env in (sync, vector):
                env.reset(options={"reset_mask": done.copy()})
    assert ends > 3
    sync.close()
    vector.close()


@pytest.mark.filterwarnings("ignore:.*is not within the observation space:UserWarning")
def test_wrappers(server: earthgym.Server) -> None:
    short: dict[str, Any] = {"players": 2, "timer": "fixed", "minutes": 10}
    env: Any = gymnasium.make("earthgym/ResilienceEarth-v1", server=server, render_mode="rgb_array", **short)
    for wrap in (
        single.RecordEpisodeStatistics,
        lambda e: single.FrameStackObservation(e, 2),
        single.FlattenObservation,
        single.RenderCollection,
    ):
        env = wrap(env)
    _, info = play(env)
    assert info["episode"]["l"] == info["result"]["length"]
    assert len(env.render()) == info["result"]["length"] + 1
    env.close()


TYPED = """
import earthgym
from earthgym.gym import EarthEnv
earthgym.make_vec("one-earth", 2, opponents=["random"], seat=0, shaping=0.5)
earthgym.aec("one-earth", players=3, illegal="forfeit")
EarthEnv("one-earth", opponents="random", players=3, mode="advanced")
"""


def test_typing_mistakes_are_type_errors(tmp_path: Path) -> None:
    from mypy import api

    right, wrong = tmp_path / "right.py", tmp_path / "wrong.py"
    right.write_text(TYPED)
    wrong.write_text(TYPED.replace("opponents", "oponents").replace("players", "playrs"))
    found = api.run(["--config-file", str(Path(__file__).parents[1] / "pyproject.toml"), str(right), str(wrong)])[0]
    for word in ("oponents", "playrs"):
        assert word in found
    for line in (4, 5, 6):
        assert f"wrong.py:{line}: error" in found, found
    assert "right.py" not in found, found


def test_options_are_those_of_the_program() -> None:
    from conftest import games

    listed = {option["name"] for game in games() for option in game["options"]}
    assert set(GameOptions.__annotations__) == listed - {"max_decisions"}


@pytest.mark.filterwarnings("ignore:.*out of date")
def test_ids_follow_the_rules(server: earthgym.Server) -> None:
    """An id stands for a version of the rules; a retired one is refused with the new one's name."""
    assert {game: server.info(game)["rules"] for game in GAMES} == GAMES
    with pytest.raises(gymnasium.error.DeprecatedEnv, match="NewEarth-v2"):
        gymnasium.make("earthgym/NewEarth-v1", server=server)
    with pytest.raises(earthgym.EarthgymError, match="program plays version 2: earthgym/NewEarth-v2"):
        EarthEnv("new-earth", rules=1, server=server)
    with pytest.raises(earthgym.EarthgymError, match="program plays version 2"):
        EarthVectorEnv("new-earth", 2, rules=3, server=server)


def test_actions_have_args(server: earthgym.Server) -> None:
    """An action's parameters are words of their own."""
    actions = server.info("resilience-earth")["actions"]
    settle = next(a for a in actions if a["family"] == "settle")
    assert settle["text"] == " ".join(["settle", *settle["args"]])


def test_features(server: earthgym.Server) -> None:
    """Observations as the features that the game declares, in a space of Gymnasium; and the position as a document."""
    inner = EarthEnv("resilience-earth", players=2, server=server)
    env = gymnasium.wrappers.TransformObservation(inner, inner.features, inner.feature_space)
    observation, _ = env.reset(seed=1)
    assert observation in env.observation_space
    assert list(observation) == [f["name"] for f in inner.game_info["observation"]]
    assert all(
        list(x.shape) == f["shape"] for x, f in zip(observation.values(), inner.game_info["observation"], strict=True)
    )
    whole = inner._vec.batch.observation[0]
    assert np.array_equal(np.concatenate([x.ravel() for x in observation.values()]), whole)
    rows = inner.features(np.stack([whole, whole]))
    assert all(np.array_equal(rows[name][1], observation[name]) for name in rows)
    assert inner.view() == json.loads(inner._vec.view(0, 0))
    env.close()


def test_seeds(server: earthgym.Server) -> None:
    """Numbers of NumPy are seeds, lists and arrays of them too; what is none is refused in words."""
    env = EarthEnv("resilience-earth", players=2, server=server)
    vector = EarthVectorEnv("resilience-earth", 2, players=2, server=server)
    want = env.reset(seed=5)[0]
    assert np.array_equal(env.reset(seed=np.int64(5))[0], want)  # type: ignore[arg-type]
    for seed in (5, np.uint8(5), [5, 6], (5, None), np.array([5, 6])):
        assert np.array_equal(vector.reset(seed=seed)[0][0], want)  # type: ignore[arg-type]
    for e in (env, vector):
        for wrong in (-1, 1.5, 1 << 64):
            with pytest.raises(ValueError, match=f"seed {wrong}: a whole number from 0"):
                e.reset(seed=wrong)
        e.close()
