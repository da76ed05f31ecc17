"""What the tests with other libraries share: the program, and running an example as a user does."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1]
os.environ.setdefault("EARTHGYM_BINARY", str(PACKAGE.parents[2] / "bin" / "earthgym"))

# Where other programs have the cores, the threads of one PyTorch spend their time waiting for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")


@pytest.fixture
def example(tmp_path: Path) -> Callable[..., str]:
    """Runs an example, which has no more lines of code than it may have, and gives what it prints."""

    def run(name: str, *arguments: str, lines: int = 42) -> str:
        script = PACKAGE / "examples" / name
        body = script.read_text().split('"""', 2)[2]
        code = [line for line in body.splitlines() if line.strip() and not line.strip().startswith("#")]
        assert len(code) <= lines, f"{name} has {len(code)} lines"
        env = {**os.environ, "PYTHONPATH": str(PACKAGE / "src"), "PYTHONUNBUFFERED": "1"}
        command = [sys.executable, str(script), *arguments]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=env, timeout=900)
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
        return done.stdout

    return run


@pytest.fixture
def curve(example: Callable[..., str]) -> Callable[..., list[float]]:
    """Runs an example that learns, and gives the returns that it prints, the first of them before it has learnt."""

    def run(name: str, *arguments: str) -> list[float]:
        printed = example(name, *arguments)
        print(printed)  # which pytest -rP shows
        told = re.findall(r"^([\d,]+) decisions: return ([-+.\d]+) ± [.\d]+ against random$", printed, re.M)
        decisions = [int(d.replace(",", "")) for d, _ in told]
        assert decisions[0] == 0
        assert decisions == sorted(set(decisions))
        assert re.findall(r"^return [-+.\d]+ ± [.\d]+ against (.*)$", printed, re.M) == [
            "script:greedy",
            "script:strong",
        ]
        return [float(r) for _, r in told]

    return run
