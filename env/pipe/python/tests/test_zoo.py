"""PettingZoo's own tests, for every game and variant."""

from __future__ import annotations

import copy
import itertools
import json
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pettingzoo
import pettingzoo.test
import pytest
from conftest import interrupted, variants
from pettingzoo.env_registry.exceptions import VersionNotFound
from pettingzoo.test.performance_benchmark import performance_benchmark

import earthgym
from earthgym import errors, zoo
from earthgym.catalogue import GAMES
from earthgym.names import gym_id
from earthgym.zoo import EarthAEC

VARIANTS = variants()


@pytest.mark.parametrize("game", [text for texts in VARIANTS.values() for text in texts])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_variant(server: earthgym.Server, game: str) -> None:
    env = earthgym.aec(game, server=server)
    pettingzoo.test.api_test(env, num_cycles=30)
    env.close()


def test_interrupted(server: earthgym.Server) -> None:
    """Ctrl-C on whatever line of a step: what is asked next is who decides after it, and its pay is not lost."""
    want, env = (
        earthgym.aec("resilience-earth", players=2, shaping=0.5, max_decisions=9, server=server) for _ in range(2)
    )
    places, played, ends, whole = 0, 0, 0, False
    while not whole:
        if not want.agents:
            for e in (want, env):
                e.reset(seed=1)
        told, before = want.last(), env._vec.answers
        assert told[0] is not None
        if told[2] or told[3]:
            for e in (want, env):
                e.step(None)
            ends += 1
        else:
            places += 1
            action = int(told[0]["action_mask"].argmax())
            whole = not interrupted(places, partial(env.step, action))
            env.last()
            if env._vec.answers > before:
                want.step(action)
                played += 1
        if want.agents:
            assert str(env.last()) == str(want.last())
            assert env.agent_selection == want.agent_selection
    assert places > 90
    assert played > 30
    assert ends > 5
    for e in (want, env):
        e.close()


def test_with() -> None:
    """It is closed where what it was entered for ends, as other environments are."""
    with earthgym.aec("one-earth", players=2) as env:
        env.reset(seed=1)
    assert env._vec.server.closed


@pytest.mark.parametrize("game", [text for texts in VARIANTS.values() for text in (texts[0], texts[-1])])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_game(server: earthgym.Server, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What no variant changes here: seeds, drawing, and the loop that PettingZoo times."""
    pettingzoo.test.seed_test(lambda: earthgym.aec(game, server=server), num_cycles=20)

    def make(render_mode: str | None = None, **_: Any) -> Any:
        return earthgym.aec(game, render_mode=render_mode, server=server)

    pettingzoo.test.render_test(make)

    clock = itertools.count(0, 0.05)  # a hundred readings are its five seconds
    monkeypatch.setitem(performance_benchmark.__globals__, "time", SimpleNamespace(time=lambda: next(clock)))
    performance_benchmark(earthgym.aec(game, server=server))


@pytest.mark.parametrize("game", VARIANTS)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_long(server: earthgym.Server, game: str) -> None:
    env = earthgym.aec(game, server=server)
    pettingzoo.test.api_test(env, num_cycles=400)
    env.close()


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_usual_words(server: earthgym.Server) -> None:
    """What users of PettingZoo type: make("parallel"), max_cycles, env, parallel_env."""
    for env in (
        pettingzoo.make("parallel", "earthgym/ResilienceEarth-v1", players=2, server=server, max_cycles=5),
        zoo.parallel_env("resilience-earth", players=2, server=server, max_cycles=5),
    ):
        observations, _ = env.reset(seed=1)
        steps = 0
        while env.agents:
            actions = {a: int(observations[a]["action_mask"].argmax()) for a in env.agents}
            observations, _, _, truncations, _ = env.step(actions)
            steps += 1
        assert steps == 5
        assert all(truncations.values())
        env.close()
    assert zoo.env is zoo.raw_env is EarthAEC
    env = zoo.env("resilience-earth", players=2, server=server, max_cycles=3)
    env.reset(seed=1)
    while not any(env.truncations.values()):
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    assert env._vec.episodes()[0].decisions == 3
    env.close()


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


def test_registry(server: earthgym.Server) -> None:
    for game in GAMES:
        env = pettingzoo.make("aec", f"earthgym/{gym_id(game)}", server=server)
        assert isinstance(env, EarthAEC)
        assert env.game.startswith(game)
        env.close()


def finish(env: EarthAEC, illegal: bool = False) -> dict[str, dict[str, Any]]:
    """Plays to the end, with an illegal action soon if that is wanted; gives each agent's last info."""
    rng = np.random.default_rng(2)
    infos = {}
    rewards = {}
    for n, agent in enumerate(env.agent_iter()):
        observation, reward, termination, truncation, info = env.last()
        if termination or truncation:
            infos[agent], rewards[agent] = info, reward
            env.step(None)
            continue
        assert not info
        assert observation is not None
        mask = observation["action_mask"]
        env.step(int(np.argmin(mask)) if illegal and n == 5 else int(rng.choice(np.flatnonzero(mask))))
    assert all(
        infos[a]["result"]["returns"][p] == pytest.approx(rewards[a]) for p, a in enumerate(infos) if not illegal
    )
    return infos


def test_result(server: earthgym.Server) -> None:
    env = earthgym.aec("resilience-earth", players=3, record=True, server=server)
    env.reset(seed=4)
    infos = finish(env)
    assert set(infos) == set(env.possible_agents)
    for info in infos.values():
        assert info["result"]["seed"] == 4
        assert info["result"]["decisions"] > 10
    assert json.loads(env.record().splitlines()[0])["seed"] == 4
    env.close()


def test_forfeit(server: earthgym.Server) -> None:
    env = earthgym.aec("resilience-earth", players=3, illegal="forfeit", server=server)
    env.reset(seed=4)
    infos = finish(env, illegal=True)
    [loser] = [agent for agent, info in infos.items() if info.get("illegal")]
    for agent, info in infos.items():
        assert info["result"]["reason"] == "forfeit"
        assert info["result"]["returns"][env.possible_agents.index(agent)] == (-1 if agent == loser else 0.5)
    env.close()


def test_words(server: earthgym.Server) -> None:
    """Before the first reset, after the end, and with actions that are none."""
    env = earthgym.aec("resilience-earth", players=2, server=server)
    for early in (lambda: env.step(0), env.last, lambda: env.observe("player_0"), env.render):
        with pytest.raises(errors.EarthgymError, match="reset"):
            early()
    env.reset(seed=1)
    with pytest.raises(errors.BadPlayer, match="player_0, player_1"):
        env.observe("player_7")
    for wrong in (0.5, "0"):
        with pytest.raises(errors.IllegalAction, match="whole numbers"):
            env.step(wrong)  # type: ignore[arg-type]
    with pytest.raises(errors.IllegalAction, match="None"):
        env.step(None)
    finish(env)
    for late in (lambda: env.step(0), lambda: env.step(None), env.last):
        with pytest.raises(errors.EarthgymError, match="over"):
            late()
    env.close()


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_small_observations() -> None:
    env = earthgym.aec("resilience-earth", players=2, observation="uint8")
    pettingzoo.test.api_test(env, num_cycles=50)
    env.close()


def test_copies(server: earthgym.Server) -> None:
    env = earthgym.aec("resilience-earth", players=2, server=server)
    other = copy.deepcopy(env)
    results = []
    for e in (env, other):
        e.reset(seed=1)
        results.append(finish(e)["player_0"]["result"]["decisions"])
    assert results[0] == results[1]
    env.close()
    other.close()


def test_ids_follow_the_rules(server: earthgym.Server) -> None:
    with pytest.raises(VersionNotFound, match="Available version: v2"):
        pettingzoo.make("aec", "earthgym/NewEarth-v1", server=server)
    with pytest.raises(earthgym.EarthgymError, match="earthgym/NewEarth-v2"):
        EarthAEC("new-earth", rules=1, server=server)
