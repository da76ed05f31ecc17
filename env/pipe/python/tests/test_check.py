"""The package keeps to the protocol, as ``earthgym check`` sees it."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import earthgym

SOURCE = Path(earthgym.__file__).parents[1]
EXAMPLES = Path(__file__).parents[1] / "examples"
WRITING = Path(__file__).parents[4] / "agents" / "WRITING.md"

CLIENT = """
import sys
import earthgym

with earthgym.Server(address=sys.argv[1], observation="float16", mask="bits") as server:
    vec = earthgym.make_vec("resilience-earth:players=2", 3, server=server, seed=1, record=True)
    for _ in range(100):
        vec.step(vec.legal_mask().argmax(axis=1))
    assert vec.text(1)
    earthgym.make_vec("one-earth:players=3", 1, server=server, seat=1, opponents="random").close()
"""


def run(*words: str) -> str:
    done = subprocess.run(
        [earthgym.find_binary(), *words],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_agents() -> None:
    agent = [sys.executable, str(EXAMPLES / "random_agent.py")]
    said = run("check", "agent", "--limit", "10m", "--game", "new-earth:players=3", "--", *agent)
    assert "every clause holds (14)" in said


@pytest.mark.parametrize("name", ["agent.py", "tables.py"])
def test_writing(name: str, tmp_path: Path) -> None:
    """The Python of agents/WRITING.md, whose Go and JavaScript are run by the tests of the command."""
    found = re.search(rf"^```python {name}\n(.*?)^```$", WRITING.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert found is not None
    program = tmp_path / name
    program.write_text(found[1])
    assert "every clause holds (14)" in run("check", "agent", "--limit", "10m", "--", sys.executable, str(program))
    agent = "remote:" + shlex.join([sys.executable, str(program)])
    said = run("match", "resilience-earth:players=2", agent, "random", "--games", "2", "--forfeit", "void")
    assert "forfeit" not in said


def test_clients(tmp_path: Path) -> None:
    program = tmp_path / "client.py"
    program.write_text(CLIENT)
    assert "every clause holds (9)" in run(
        "check", "client", "--limit", "10m", "--", sys.executable, str(program), "{address}"
    )
