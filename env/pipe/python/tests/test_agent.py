"""Python policies in Go matches, and what becomes of bad ones."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import earthgym

EXAMPLES = Path(__file__).parents[1] / "examples"
SOURCE = Path(earthgym.__file__).parents[1]

HEAD = """
import os, sys, time
import numpy as np
from earthgym import agent
"""


def match(
    tmp_path: Path, program: str, *, games: int = 4, limit: str = "", game: str = "resilience-earth:players=2"
) -> Any:
    """Plays a program against random, and gives its row of the result."""
    file = tmp_path / "agent.py"
    file.write_text(HEAD + program)
    command = [
        earthgym.find_binary(),
        *("match", game, "--games", str(games), "--seed", "1", "--workers", "1", "--json"),
        *(f"remote:{limit or 'limit=10m,'}'{sys.executable}' '{file}'", "random"),
    ]
    paths = os.pathsep.join([str(SOURCE), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": paths}, timeout=1200
    )
    print(done.stderr, file=sys.stderr)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["agents"][0]


def test_function(tmp_path: Path) -> None:
    row = match(tmp_path, "agent.run(lambda d: print('harmless') or int(np.flatnonzero(d.mask)[0]))")
    assert "forfeits" not in row
    assert row["seats"] == 4


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
def test_started_by_hand(tmp_path: Path) -> None:
    """In a terminal nobody answers: it says who does, and writes no frames there."""
    file = tmp_path / "agent.py"
    file.write_text("from earthgym import agent\nagent.run(lambda d: int(d.mask.argmax()))")
    ours, theirs = os.openpty()
    environ = {**os.environ, "PYTHONPATH": str(SOURCE)}
    done = subprocess.run([sys.executable, file], stdin=theirs, capture_output=True, text=True, env=environ, timeout=60)
    os.close(ours)
    os.close(theirs)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"earthgym match one-earth 'remote:python {file}' random" in done.stderr


def test_started_by_nobody(tmp_path: Path) -> None:
    """Where nobody is on the other side it says so too, by a job for instance."""
    file = tmp_path / "agent.py"
    file.write_text("from earthgym import agent\nagent.run(lambda d: int(d.mask.argmax()))")
    environ = {**os.environ, "PYTHONPATH": str(SOURCE)}
    nobody = subprocess.DEVNULL
    done = subprocess.run([sys.executable, file], stdin=nobody, capture_output=True, env=environ, timeout=60)
    assert done.returncode == 1
    assert done.stderr.decode() == (
        f"this is an agent, which a match starts: earthgym match one-earth 'remote:python {file}' random\n"
    )


@pytest.mark.parametrize("mask", ["bytes", "bits"])
@pytest.mark.parametrize("observation", ["float32", "uint8"])
def test_all_that_a_seat_may_know(tmp_path: Path, observation: str, mask: str) -> None:
    program = f"""
class Curious:
    def reset(self, seed):
        self.rng = np.random.default_rng(seed)
        self.first = True
    def act_batch(self, decisions):
        return [self.act(d) for d in decisions]
    def act(self, d):
        legal = d.legal()
        assert sorted(legal.values()) == list(np.flatnonzero(d.mask)), (legal, d.mask)
        assert d.parse(*legal) == list(legal.values())
        assert d.text() and d.observation.dtype == {observation!r}
        assert len(d.story()) > 0 and all(d.story())
        samples = d.sample(3, int(self.rng.integers(1 << 60)))
        assert samples.shape == (3, d.info["players"], d.info["observation_size"])
        assert (samples[:, d.player] == d.observation).all()
        assert all(e.kind in ("action", "chance", "note") for e in d.seen)
        assert self.first or d.seen
        self.first = False
        return int(self.rng.choice(list(legal.values())))
agent.run(Curious(), observation={observation!r}, mask={mask!r})
"""
    assert "forfeits" not in match(tmp_path, program, games=2)


@pytest.mark.parametrize(
    ("program", "limit", "fault"),
    [
        ("agent.run(lambda d: os._exit(5))", "", "exit status 5"),
        ("agent.run(lambda d: time.sleep(60))", "limit=500ms,", "no answer within 500ms"),
        ("agent.run(lambda d: int(np.argmin(d.mask)))", "", "illegal action"),
        ("agent.run(lambda d: 10**6)", "", "illegal action"),
        ("agent.run(lambda d: 1 / 0)", "", "ZeroDivisionError"),
        ("agent.run(lambda d: 'bet')", "", "'bet' is no action: actions are whole numbers"),
        ("agent.run(lambda d: 1.0)", "", "1.0 is no action"),
        ("agent.run(lambda d: os.kill(os.getpid(), 9))", "", "killed"),
    ],
)
def test_forfeits(tmp_path: Path, program: str, limit: str, fault: str) -> None:
    row = match(tmp_path, program, games=2, limit=limit)
    assert row["forfeits"] == 2
    assert fault in row["fault"]
    assert row["mean_return"] == -1


def test_traceback(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Whoever reads what a match says sees whose traceback it is, and sees it once a game."""
    row = match(tmp_path, "def think(d):\n    return 1 // 0\nagent.run(think)", games=1)
    lines = [line for line in capfd.readouterr().err.splitlines() if line]
    assert lines[0] == "think: Traceback (most recent call last):"
    assert all(line.startswith("think: ") for line in lines)
    assert sum("ZeroDivisionError" in line for line in lines) == row["forfeits"]


def test_printed_too_early(tmp_path: Path) -> None:
    file = tmp_path / "agent.py"
    file.write_text(HEAD + "print('Loading the model', flush=True)\nagent.run(lambda d: 0)")
    command = [earthgym.find_binary(), "match", "resilience-earth:players=2"]
    agents = [f"remote:'{sys.executable}' '{file}'", "random"]
    environ = {**os.environ, "PYTHONPATH": str(SOURCE)}
    done = subprocess.run([*command, *agents, "--games", "2"], capture_output=True, text=True, env=environ)
    assert done.returncode == 0, done.stderr
    assert "2 games (2 illegal)" in done.stdout
    assert 'begins with "Loading the ' in done.stdout
    assert "printed" in done.stdout


def test_secrets_are_refused(tmp_path: Path) -> None:
    program = """
def act(d):
    for op in ("position", "record", "seeds", "save", "observe", "copy", "redeal", "make"):
        try:
            d._host.ask(op, env=1, game="one-earth", player=1)
        except agent.errors.Forbidden:
            continue
        os._exit(9)
    return int(np.flatnonzero(d.mask)[0])
agent.run(act)
"""
    assert "forfeits" not in match(tmp_path, program, games=2)


ONE_BY_ONE = """
class Policy:
    def reset(self, seed):
        self.rng = np.random.default_rng(seed)
    def act(self, d):
        return int(self.rng.choice(np.flatnonzero(d.mask)))
agent.run(Policy())
"""

TOGETHER = """
class Policy(agent.Tables):
    tables = 5
    def act_batch(self, decisions):
        assert 0 < len(decisions) <= 5 and len({d.table for d in decisions}) == len(decisions)
        sys.stderr.write(f"together {len(decisions)}\\n")
        return [int(self.rng[d.table].choice(np.flatnonzero(d.mask))) for d in decisions]
agent.run(Policy())
"""


def test_many_games_at_once(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Games that are played together go as they go one by one."""
    one = match(tmp_path, ONE_BY_ONE, games=12)
    capfd.readouterr()
    together = match(tmp_path, TOGETHER, games=12)
    asked = [int(line.split()[1]) for line in capfd.readouterr().err.splitlines() if line.startswith("together ")]
    assert max(asked) == 5
    assert together == one


def test_fault_among_many_games(tmp_path: Path) -> None:
    """It costs the game in which it happens and no other."""
    bad = "{0}.bit_generator.seed_seq.entropy % 3 == 0"
    one = match(
        tmp_path,
        ONE_BY_ONE.replace("        return", f"        assert not {bad.format('self.rng')}\n        return"),
        games=6,
    )
    fails = f"        assert not any({bad.format('self.rng[d.table]')} for d in decisions)\n        return"
    together = match(tmp_path, TOGETHER.replace("        return", fails), games=6)
    assert 0 < one["forfeits"] < 6
    assert [together[x] for x in ("forfeits", "mean_return")] == [one[x] for x in ("forfeits", "mean_return")]


def test_example(tmp_path: Path) -> None:
    program = (EXAMPLES / "random_agent.py").read_text()
    rows = [match(tmp_path, program, game="one-earth:players=3") for _ in range(2)]
    assert rows[0] == rows[1], "the same seeds give the same match"


def test_batch_example(tmp_path: Path) -> None:
    """The network that comes with the program for a game, played by Python."""
    network = Path(__file__).parents[4] / "agents" / "shipped" / "networks" / "resilience-earth.safetensors"
    program = f"import sys\n\nsys.argv[1:] = [{str(network)!r}]\n" + (EXAMPLES / "batch_agent.py").read_text()
    row = match(tmp_path, program, games=6)
    assert "forfeits" not in row
    assert row["mean_return"] > 0.5
