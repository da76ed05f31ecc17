"""The examples with PyTorch run, and what they save plays in Go."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import safetensors.numpy

import earthgym

PACKAGE = Path(__file__).parents[1]
ROOT = PACKAGE.parents[2]
os.environ.setdefault("EARTHGYM_BINARY", str(ROOT / "bin" / "earthgym"))


def run(cwd: Path, *command: str) -> str:
    # Where other programs have the cores, the threads of one PyTorch spend their time waiting for each other.
    env = {**os.environ, "PYTHONPATH": str(PACKAGE / "src"), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, env=env)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_ppo(tmp_path: Path) -> None:
    """Half a minute of training is enough to beat random play by far."""
    script = str(PACKAGE / "examples" / "ppo.py")
    run(tmp_path, sys.executable, script, "--decisions", "250000", "--out", "ppo.safetensors")
    tensors = safetensors.numpy.load_file(tmp_path / "ppo.safetensors")
    assert list(tensors["head.bias"].shape) == [186]
    match = (
        "match",
        "resilience-earth:players=2",
        "net:ppo.safetensors",
        "random",
        "--games",
        "200",
        "--json",
    )
    result = json.loads(run(tmp_path, earthgym.find_binary(), *match))
    low, _ = result["agents"][0]["return_ci"]
    assert low > 0.2, result["agents"]


@pytest.mark.filterwarnings("ignore")
def test_maskable_ppo(tmp_path: Path) -> None:
    script = PACKAGE / "examples" / "maskable_ppo.py"
    code = [line for line in script.read_text().splitlines() if line.strip() and not line.startswith('"""')]
    assert len(code) < 20
    run(tmp_path, sys.executable, str(script), "2048")
    assert (tmp_path / "maskable_ppo.zip").exists()
