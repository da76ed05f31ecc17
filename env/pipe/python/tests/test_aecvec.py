"""Many games whose seats are the agents: the same as as many AEC environments."""

from __future__ import annotations

import pickle
from functools import partial

import numpy as np
import pytest
from conftest import interrupted

import earthgym
from earthgym import errors
from earthgym.zoo import EarthAEC


def ended(env: EarthAEC) -> dict[str, float]:
    """What each agent leaves a game with."""
    last = {}
    for agent in env.agent_iter():
        last[agent] = env.last()[1]
        env.step(None)
    return last


@pytest.mark.parametrize(("game", "shaping"), [("one-earth:players=3", 0.5), ("new-earth:players=2", 0.0)])
def test_same_as_aec(server: earthgym.Server, game: str, shaping: float) -> None:
    """Lane by lane: who decides, what it sees, may do, and was paid, also at the end."""
    lanes = 3
    vec = earthgym.aec_vec(game, lanes, shaping=shaping, gamma=0.9, max_decisions=60, server=server)
    envs = [earthgym.aec(game, shaping=shaping, gamma=0.9, max_decisions=60, server=server) for _ in range(lanes)]
    turns = vec.reset(seed=4)
    for i, env in enumerate(envs):
        env.reset(seed=4 + i)
    asked = [set() for _ in range(lanes)]
    rng = np.random.default_rng(0)
    games = 0
    for _ in range(150):
        for i, env in enumerate(envs):
            agent = vec.agents[turns.agent[i]]
            assert agent == env.agent_selection
            observation, reward, *_ = env.last()
            assert observation is not None
            assert np.array_equal(observation["observation"], turns.observation[i])
            assert np.array_equal(observation["action_mask"], turns.mask[i])
            assert turns.again[i] == (agent in asked[i])
            assert turns.reward[i] == pytest.approx(reward, abs=1e-6)
            asked[i].add(agent)
        actions = earthgym.random_legal(turns.mask, rng)
        turns = vec.step(actions)
        for i, env in enumerate(envs):
            env.step(int(actions[i]))
            over = bool(env.terminations[env.possible_agents[0]] or env.truncations[env.possible_agents[0]])
            assert turns.done[i] == over
            assert turns.truncated[i] == env.truncations[env.possible_agents[0]]
            if not over:
                assert not turns.final[i].any()
                assert not turns.played[i].any()
                continue
            games += 1
            for agent, reward in ended(env).items():
                seat = env.possible_agents.index(agent)
                assert turns.final[i, seat] == pytest.approx(reward, abs=1e-6)
                assert turns.played[i, seat] == (agent in asked[i])
            asked[i] = set()
            env.reset(seed=vec.vec.seeds()[i])
    assert games >= 3
    vec.close()


def test_words(server: earthgym.Server) -> None:
    with earthgym.aec_vec("resilience-earth", 2, players=2, server=server) as vec:
        turns = vec.reset()
        before = turns.observation.copy()
        with pytest.raises(errors.IllegalAction):
            vec.step(turns.mask.argmin(1))
        assert np.array_equal(vec.vec.batch.observation, before)
        with pytest.raises(errors.WrongLength):
            vec.step([0])
    again = pickle.loads(pickle.dumps(earthgym.aec_vec("resilience-earth", 2, players=3)))
    assert (again.num_agents, again.agents[-1]) == (3, "player_2")
    again.close()


def test_interrupted_on_any_line(server: earthgym.Server) -> None:
    """Ctrl-C on whatever line of a step: it counts in the turns if it was played, and never twice."""
    vec, want = (
        earthgym.aec_vec("resilience-earth", 3, players=2, shaping=0.5, max_decisions=5, server=server)
        for _ in range(2)
    )
    places, sent, ends = 0, 0, 0
    vec.reset(seed=1)
    expected = want.reset(seed=1)
    whole = False
    while not whole:
        places += 1
        before = vec.vec.batch.observation.copy()
        whole = not interrupted(places, partial(vec.step, expected.mask.argmax(1)))
        turns = vec.turns
        if not np.array_equal(turns.observation, before):
            expected = want.step(expected.mask.argmax(1))
            sent += not whole
            ends += expected.done.any()
        for name, value in vars(expected).items():
            assert np.array_equal(getattr(turns, name), value), (name, places)
    assert places > 60
    assert sent > 30
    assert ends > 3
    for v in (vec, want):
        v.close()


def test_forfeit(server: earthgym.Server) -> None:
    """Who does what can't be done loses alone."""
    with earthgym.aec_vec("resilience-earth", 4, players=2, illegal="forfeit", server=server) as vec:
        turns = vec.reset(seed=1)
        loser = turns.agent
        turns = vec.step(turns.mask.argmin(1))
        assert turns.done.all()
        assert not turns.truncated.any()
        assert (turns.final[np.arange(4), loser] == -1).all()
        assert not turns.again.any()
