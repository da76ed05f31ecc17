"""A game behind a server of OpenEnv, asked by its own clients."""

from __future__ import annotations

import os
import random
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from openenv.core.generic_client import GenericEnvClient

PACKAGE = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    command = [sys.executable, "-m", "uvicorn", "openenv_server:app", "--port", str(port), "--log-level", "warning"]
    env = {**os.environ, "PYTHONPATH": str(PACKAGE / "src")}
    with subprocess.Popen(command, cwd=PACKAGE / "examples", env=env) as server:
        for _ in range(600):
            with socket.socket() as s:
                if s.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert server.poll() is None
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
        server.terminate()


def client(url: str) -> Any:
    return GenericEnvClient(base_url=url).sync()


def test_every_seat(url: str) -> None:
    """A client plays all seats; a second one has a game of its own, and the same seed is the same game."""
    with client(url) as a, client(url) as b:
        turns = [c.reset(seed=7, game="resilience-earth:players=3") for c in (a, b)]
        assert turns[0].observation == turns[1].observation
        assert turns[0].observation["messages"]
        other = b.reset(seed=8, game="resilience-earth:players=3")
        assert other.observation["legal"]
        rng = random.Random(1)
        turn, seats, total = turns[0], set(), [0.0, 0.0, 0.0]
        while not turn.done:
            seats.add(turn.observation["seat"])
            turn = a.step({"text": rng.choice(turn.observation["legal"]), "seat": turn.observation["seat"]})
            assert not turn.observation["error"]
            total = [x + y for x, y in zip(total, turn.observation["rewards"], strict=True)]
        assert seats == {0, 1, 2}
        assert sum(total) == pytest.approx(0, abs=1e-6)
        assert max(total) > 0
        assert a.state()["step_count"] > 10
        assert b.state()["step_count"] == 0


def test_one_seat_and_bad_moves(url: str) -> None:
    """What can't be is said and changes nothing."""
    with client(url) as c:
        turn = c.reset(seed=7, game="one-earth:players=3", seat=1, opponents="script:greedy")
        before = turn.observation
        assert before["seat"] == 1
        for move, want in (({"text": "fly to the moon"}, "fly to the moon"), ({"text": "pass", "seat": 0}, "player 1")):
            turn = c.step(move)
            assert want in turn.observation["error"]
            assert turn.observation["text"] == before["text"]
        turn = c.step({"text": before["legal"][0], "seat": 1})
        assert not turn.observation["error"]
        assert turn.observation["seat"] == 1
