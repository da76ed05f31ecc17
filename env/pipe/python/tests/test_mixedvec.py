"""Several variants in one batch, the first lanes that are ready first."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import earthgym

GAMES = {"one-earth:players=2": 6, "one-earth:players=4": 3}


def test_games_are_those_of_vecs(server: earthgym.Server) -> None:
    """Each part plays what a Vec of its own plays, beside what the others do."""
    rng = np.random.default_rng(0)
    alone = [
        earthgym.make_vec(game, lanes, server=server, seed=7, first_lane=first)
        for (game, lanes), first in zip(GAMES.items(), (0, 6), strict=True)
    ]
    ends = 0
    with earthgym.mixed_vec(GAMES, parts=3, seed=7) as vec:
        assert [game.split(",")[0] for game in vec.games] == list(GAMES)
        assert (vec.num_envs, vec.num_players) == (9, 4)
        ready = vec.recv()
        for _ in range(150):
            assert ready.lanes.tolist() == list(range(9))
            assert ready.variant.tolist() == [0] * 6 + [1] * 3
            for name in ("observation", "actor", "end"):
                want = np.concatenate([getattr(v.batch, name) for v in alone])
                assert np.array_equal(getattr(ready, name), want), name
            assert np.array_equal(ready.mask, np.concatenate([v.legal_mask() for v in alone]))
            assert np.array_equal(ready.reward[:6, :2], alone[0].batch.reward)
            assert np.array_equal(ready.reward[6:], alone[1].batch.reward)
            assert not ready.reward[:6, 2:].any()
            ends += ready.done.sum()
            actions = earthgym.random_legal(ready.mask, rng)
            ready = vec.step(actions)
            for v, its in zip(alone, np.split(actions, [6]), strict=True):
                v.step(its)
        assert ends > 9
        for episode, want in zip(vec.episodes(), [e for v in alone for e in v.episodes()], strict=True):
            assert str(episode) == str(want)
        again = vec.reset(seed=5)
        for v, first in zip(alone, (5, 11), strict=True):
            v.reset(seed=first)
        assert np.array_equal(again.observation, np.concatenate([v.batch.observation for v in alone]))


def test_first_that_are_ready() -> None:
    """Lanes are had when they are ready, and what becomes of them depends on nobody else."""
    options = {"seat": 0, "opponents": "script:greedy", "seed": 3, "parts": 3}

    def play(least: int | None) -> tuple[dict[int, list[float]], int]:
        rows: dict[int, list[float]] = {lane: [] for lane in range(9)}
        fewest = 9
        with earthgym.mixed_vec(GAMES, **options) as vec:
            while min(map(len, rows.values())) < 20:
                ready = vec.recv(least)
                fewest = min(fewest, len(ready.lanes))
                assert len(ready.lanes) >= (least or 9)
                for lane, row in zip(ready.lanes, ready.observation, strict=True):
                    rows[lane].append(float(row @ np.arange(len(row))))
                vec.send(ready.mask.argmax(1))
        return rows, fewest

    together, all_lanes = play(None)
    assert all_lanes == 9
    apart, fewest = play(1)
    assert fewest < 9
    for lane, seen in together.items():
        assert apart[lane][:20] == seen[:20]


@pytest.mark.parametrize("shared", [True, False])
def test_rows_are_views_or_copies(shared: bool, server: earthgym.Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where both sides see one memory nothing is copied; ``copy=True`` gives arrays that stay as they are."""
    monkeypatch.setattr(server, "shares_memory", shared and server.shares_memory)
    seen = []
    for copy in (False, True):
        with earthgym.mixed_vec(GAMES, parts=3, server=server, seed=7, copy=copy) as vec:
            first = vec.recv()
            assert np.shares_memory(first.observation, vec.vec.batch.observation) is not copy
            kept = first.observation.copy()
            vec.send(first.mask.argmax(1))
            ready = vec.recv(min=4)
            assert ready.lanes.tolist() == list(range(6))
            ready = vec.recv()
            assert np.array_equal(first.observation, kept) is copy
            assert vec.vec.legal(8)
            seen.append(ready.observation.copy())
    assert np.array_equal(*seen)
    assert not server.closed


def test_agents_that_fail(server: earthgym.Server) -> None:
    """An agent's failure is told once, with its lane, and all lanes go on."""
    with earthgym.mixed_vec(GAMES, parts=3, server=server) as vec:
        vec.send(vec.recv().mask.argmax(1))
        done = vec.vec.server._pending[1]
        failed = {"id": done[0], "error": {"code": "agent_failed", "message": "lane 4: no idea", "lane": 4}}
        vec.vec.server._pending[1] = (done[0], lambda _, payload: done[1](failed, payload), done[2])
        assert len(vec.recv(min=3).lanes) == 3
        with pytest.raises(earthgym.errors.AgentFailed, match="no idea") as told:
            vec.recv()
        assert told.value.lane == 4
        assert len(vec.step(vec.recv().mask.argmax(1)).lanes) == 9


def test_mistakes() -> None:
    mistakes: list[tuple[Any, Any, str]] = [
        ({}, 1, r"mixed_vec\(\): no games are named"),
        ({"one-earth": 2}, 3, "parts 3: a whole number from 1 to 2 is wanted"),
        ({"one-earth": 2}, "1", "parts '1': a whole number from 1 to 2"),
        ({"one-earth": 2}, 0, "parts 0: a whole number from 1 to 2"),
        ({"one-earth": 2, "one-earth:players=2": 0}, 1, "lanes of one-earth:players=2 0: a whole number, 1 or more"),
    ]
    for games, parts, told in mistakes:
        with pytest.raises(ValueError, match=f"^{told}"):
            earthgym.mixed_vec(games, parts=parts)
    with pytest.raises(earthgym.EarthgymError, match="are no variants of one game"):
        earthgym.mixed_vec({"one-earth": 1, "new-earth": 1})
    with pytest.raises(TypeError, match=r"mixed_vec\(\) has no option 'copies'"):
        earthgym.mixed_vec({"one-earth": 1}, copies=True)
    with pytest.raises(TypeError, match=r"takes games with their lanes.*not \['one-earth'\]"):
        earthgym.mixed_vec(["one-earth"])  # type: ignore[arg-type]
    with earthgym.mixed_vec({"one-earth:players=2": 2, "one-earth:players=3": 2}, seed=1) as vec:
        with pytest.raises(earthgym.EarthgymError, match="receive first"):
            vec.send([0, 0, 0, 0])
        for least in (0, 5):
            with pytest.raises(ValueError, match=f"^min {least}: a whole number from 1 to 4"):
                vec.recv(least)
        ready = vec.recv()
        begun = ready.observation.copy()
        with pytest.raises(earthgym.EarthgymError, match=r"whole numbers of shape \(4,\)"):
            vec.send([0])
        bad = ready.mask.argmax(1)
        bad[2] = -1
        with pytest.raises(earthgym.IllegalAction, match="lane 2: action -1") as told:
            vec.send(bad)
        assert told.value.lane == 2
        assert np.array_equal(vec.recv().observation, ready.observation)
        vec.step(ready.mask.argmax(1))
        with pickle.loads(pickle.dumps(vec)) as other:
            assert np.array_equal(other.recv().observation, begun)
    with earthgym.mixed_vec({"one-earth:players=2": 2}, illegal="forfeit") as vec:
        vec.recv()
        assert vec.step([-1, -1]).end.tolist() == [3, 3]
