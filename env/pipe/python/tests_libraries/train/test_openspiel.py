"""The games in OpenSpiel: its own tests of a game, its search, and its bots in Go matches."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import random_agent
from open_spiel.python.observation import make_observation

import earthgym
import earthgym.openspiel
from earthgym.catalogue import GAMES
from earthgym.openspiel import EarthGame, EarthState, spiel_name

PACKAGE = Path(__file__).parents[2]


def load(name: str, **parameters: Any) -> EarthGame:
    return pyspiel.load_game(spiel_name(name), parameters)


def begun(game: EarthGame, outcome: int = 3) -> EarthState:
    """A state after the set-up."""
    state = game.new_initial_state()
    state.apply_action(outcome)
    return state


def play(state: EarthState, rng: np.random.Generator, decisions: int = 1 << 30) -> int:
    """Plays random actions; gives the number of chance nodes on the way."""
    chances = 0
    while not state.is_terminal() and decisions > 0:
        if state.is_chance_node():
            chances += 1
            state.apply_action(int(rng.integers(len(state.chance_outcomes()))))
        else:
            decisions -= 1
            state.apply_action(int(rng.choice(state.legal_actions())))
    return chances


@pytest.mark.parametrize("name", GAMES)
def test_openspiels_own(name: str) -> None:
    """Its test of games: legality, clones, masks, observations, sums of returns, and for short games serialisation."""
    game = load(name, players=2)
    pyspiel.random_sim_test(game, num_sims=1, serialize=name in ("one-earth", "resilience-earth"), verbose=False)
    game.close()


def test_type() -> None:
    for name, utility in (
        ("one-earth:players=2", "ZERO_SUM"),
        ("one-earth:players=3", "GENERAL_SUM"),
        ("earth-rising:players=3", "IDENTICAL"),
        ("new-earth:players=4", "ZERO_SUM"),
    ):
        game, players = name.split(":players=")
        assert load(game, players=int(players)).get_type().utility.name == utility, name
    game = load("one-earth", players=3, options="difficulty:hard;talk:on")
    assert game.info["game"].startswith("one-earth:players=3")
    assert "difficulty=hard" in game.info["game"]
    assert pyspiel.load_game(str(game)).info["game"] == game.info["game"]
    with pytest.raises(earthgym.EarthgymError, match="players"):
        load("one-earth", players=9)
    with pytest.raises(ValueError, match="1 or more"):
        load("one-earth", luck=0)


def test_chance() -> None:
    """Where a die is rolled a chance node follows, whose outcomes lead to positions of their own, always the same."""
    game = load("earthmans-burden", players=2, luck=8)
    rng = np.random.default_rng(1)
    state = begun(game)
    while True:  # to a roll that shows: some luck only decides what comes later
        play(state, rng, 1)
        if state.is_chance_node() and len({str(state.child(k)) for k in range(8)}) > 2:
            break
    assert [p for _, p in state.chance_outcomes()] == [1 / 8] * 8
    child = state.child(5)
    assert state.is_chance_node()
    assert str(child) == str(state.child(5))
    again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, child))[1]
    assert (str(again), again.history()) == (str(child), child.history())
    program = "import pickle, sys; print(*pickle.load(sys.stdin.buffer), sep='')"
    elsewhere = subprocess.run([sys.executable, "-c", program], input=pickle.dumps((game, child)), capture_output=True)
    assert elsewhere.stdout.decode().strip() == f"{game}{child}".strip(), elsewhere.stderr.decode()
    one = load("earthmans-burden", players=2, luck=1)
    state = begun(one)
    assert play(state, rng, 40) > 0
    assert one.new_initial_state().chance_outcomes()[-1] == (4095, 1 / 4096)


def test_seed() -> None:
    texts = {str(begun(load("one-earth", seed=seed), outcome)) for seed in (0, 1) for outcome in (0, 1)}
    assert len(texts) == 4


def test_observations() -> None:
    game = load("new-earth", players=2)
    observation = make_observation(game)
    assert make_observation(game, pyspiel.IIGObservationType(perfect_recall=True)) is None
    state = begun(game)
    play(state, np.random.default_rng(1), 30)
    with earthgym.make_vec("new-earth:players=2", 1, autoreset="disabled") as vec:
        vec.restore(state.saved())
        for player in range(2):
            observation.set_from(state, player)
            assert np.array_equal(observation.tensor, vec.observe(player)[0])
            assert np.array_equal(state.observation_tensor(player), observation.tensor)
            assert observation.string_from(state, player) == vec.text(player=player)
        for feature in game.info["observation"]:
            assert list(observation.dict[feature["name"]].shape) == feature["shape"]
        assert state.legal_actions_mask() == vec.batch.mask[0].tolist()


def test_resampling() -> None:
    """What a player knows stays as it is; what it can't know differs from sample to sample."""
    game = load("new-earth", players=2)
    state = begun(game)
    play(state, np.random.default_rng(1), 30)
    while state.is_chance_node():
        state.apply_action(0)
    player = state.current_player()
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    samples = [state.resample_from_infostate(player, sampler) for _ in range(12)]
    for sample in samples:
        assert sample.observation_string(player) == state.observation_string(player)
        assert sample.legal_actions() == state.legal_actions()
        assert sample.current_player() == player
    assert len({s.observation_string(1 - player) for s in samples}) > 1
    with pytest.raises(earthgym.EarthgymError, match="chance node"):
        game.new_initial_state().resample_from_infostate(0)


def test_clones() -> None:
    """A clone plays on by itself, also from a state that another one has left."""
    game = load("one-earth", players=2)
    state = begun(game)
    play(state, np.random.default_rng(1), 12)
    other = state.clone()
    results = []
    for s in (state, other):
        rng = np.random.default_rng(5)
        while not s.is_terminal():
            play(s, rng, 1)
        results.append((s.returns(), s.history()))
    assert results[0] == results[1]


def test_agents_of_openspiel() -> None:
    """Its environments for learning agents."""
    env = rl_environment.Environment(load("resilience-earth", players=3))
    step = env.reset()
    agents = [random_agent.RandomAgent(p, env.action_spec()["num_actions"]) for p in range(3)]
    while not step.last():
        assert len(step.observations["info_state"][0]) == env.game.info["observation_size"]
        step = env.step([agents[step.observations["current_player"]].step(step).action])
    assert sum(step.rewards) == pytest.approx(0)


@pytest.mark.filterwarnings("ignore")
def test_dqn_of_openspiel() -> None:
    """Its DQN in PyTorch plays, and learns from what it plays."""
    from open_spiel.python.pytorch import dqn

    env = rl_environment.Environment(load("resilience-earth", players=2))
    size, actions = env.observation_spec()["info_state"][0], env.action_spec()["num_actions"]
    few = {"hidden_layers_sizes": [32], "batch_size": 16, "min_buffer_size_to_learn": 32, "learn_every": 8}
    agents = [dqn.DQN(0, size, actions, replay_buffer_capacity=1000, **few), random_agent.RandomAgent(1, actions)]
    for _ in range(3):
        step = env.reset()
        while not step.last():
            step = env.step([agents[step.observations["current_player"]].step(step).action])
        for one in agents:
            one.step(step)
    assert agents[0].loss is not None


@pytest.mark.parametrize(("game", "players"), [("resilience-earth", 2), ("earth-rising", 2)])
def test_search(example: Callable[..., str], game: str, players: int) -> None:
    assert example("openspiel_search.py", game, str(players), "2").startswith("returns")


def test_bot_in_go(tmp_path: Path) -> None:
    """ISMCTS of OpenSpiel sits at a table of Go, and all its chance comes from the seed that it is given there."""
    rows = []
    for _ in range(2):
        command = f"remote:'{sys.executable}' '{PACKAGE / 'examples' / 'openspiel_bot.py'}' 4"
        match = ["match", "resilience-earth:players=2", command, "random"]
        done = subprocess.run(
            [earthgym.find_binary(), *match, "--games", "2", "--seed", "1", "--workers", "1", "--json"],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": str(PACKAGE / "src")},
            timeout=600,
        )
        assert done.returncode == 0, done.stderr
        rows.append(json.loads(done.stdout)["agents"][0])
    assert "forfeits" not in rows[0]
    assert rows[0] == rows[1], "the same seeds give the same match"
