"""The examples that need nothing more, and networks from Python in Go."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import earthgym

EXAMPLES = Path(__file__).parents[1] / "examples"
SOURCE = Path(earthgym.__file__).parents[1]


def run(script: str) -> str:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / script)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_pettingzoo_loop() -> None:
    assert run("pettingzoo_loop.py").count("player_") == 3


@pytest.mark.parametrize("script", sorted(EXAMPLES.glob("*.py")), ids=lambda file: file.name)
def test_says_how_it_is_called(script: Path) -> None:
    """Whoever starts one that needs arguments without them is shown the lines at its top, which have the command."""
    source = script.read_text()
    if "sys.argv[1]" in source:
        assert "sys.exit(__doc__)" in source or "if len(sys.argv) > 1 else" in source
        assert f"python {script.name} " in source.split('"""')[1] or "else sys.exit" not in source


def test_saved_network_plays_in_go(server: earthgym.Server, tmp_path: Path) -> None:
    """A network of Python takes the same actions in Go: those of the highest logits."""
    game = "resilience-earth:players=2"
    info = server.info(game)
    inputs, actions = info["observation_size"], len(info["actions"])
    rng = np.random.default_rng(5)
    layers = [
        (rng.normal(0, 0.1, (32, inputs)), rng.normal(0, 0.1, 32)),
        (rng.normal(0, 0.3, (16, 32)), rng.normal(0, 0.1, 16)),
        (rng.normal(0, 0.3, (actions + 1, 16)), rng.normal(0, 0.1, actions + 1)),
    ]
    file = tmp_path / "network.safetensors"
    earthgym.save_network(file, info, layers, decisions=7, seed=1)
    assert [f.name for f in tmp_path.iterdir()] == [file.name]

    def best(observation: np.ndarray, mask: np.ndarray) -> int:
        x = observation.astype(np.float64)
        for weight, bias in layers[:-1]:
            x = np.maximum(weight @ x + bias, 0)
        weight, bias = layers[-1]
        return int(np.argmax(np.where(mask, (weight @ x + bias)[:-1], -np.inf)))

    alone = earthgym.make_vec(game, 1, server=server, seed=3, record=True, autoreset="disabled")
    while alone.batch.actor[0] >= 0:
        alone.step([best(alone.batch.observation[0], alone.legal_mask()[0])])
    both = earthgym.make_vec(
        game, 1, server=server, seed=3, record=True, autoreset="disabled", seat=0, opponents=[f"net:{file},argmax"]
    )
    while both.batch.actor[0] >= 0:
        both.step([best(both.batch.observation[0], both.legal_mask()[0])])

    def moves(record: bytes) -> list[str]:
        return [m["action"] for m in map(json.loads, record.splitlines()[1:-1])]

    assert moves(alone.record()) == moves(both.record())
    alone.close()
    both.close()


def test_load_network(server: earthgym.Server, tmp_path: Path) -> None:
    """What is saved comes back; what is damaged, or is of another game, is refused in words."""
    info = server.info("resilience-earth:players=2")
    inputs, actions = info["observation_size"], len(info["actions"])
    rng = np.random.default_rng(1)
    widths = [inputs, 8, actions + 1]
    layers = [
        (rng.normal(size=(b, a)).astype(np.float32), rng.normal(size=b).astype(np.float32))
        for a, b in itertools.pairwise(widths)
    ]
    file = tmp_path / "network.safetensors"
    earthgym.save_network(file, info, layers, decisions=7)
    network = earthgym.load_network(file, info)
    assert (network.decisions, network.game) == (7, info["game"])
    for (weight, bias), (w, b) in zip(layers, network.layers, strict=True):
        assert np.array_equal(weight, w)
        assert np.array_equal(bias, b)
    with pytest.raises(ValueError, match="another game \\(resilience-earth\\) than one-earth's"):
        earthgym.load_network(file, server.info("one-earth"))
    with pytest.raises(FileNotFoundError, match="no checkpoints"):
        earthgym.load_network(tmp_path)
    content = file.read_bytes()
    for at in (0, 5, 9, 200, 500, len(content) // 2, len(content) - 1):
        file.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
        with pytest.raises(ValueError, match="no network of earthgym"):
            earthgym.load_network(file)
        file.write_bytes(content[:at])
        with pytest.raises(ValueError, match="no network of earthgym"):
            earthgym.load_network(file)


def test_network_of_a_wrong_shape(server: earthgym.Server, tmp_path: Path) -> None:
    info = server.info("one-earth")
    inputs, actions = info["observation_size"], len(info["actions"])
    for layers in ([], [(np.zeros((actions, inputs)), np.zeros(actions))], [(np.zeros((4, 3)), np.zeros(4))]):
        with pytest.raises(ValueError, match=r"layer|outputs"):
            earthgym.save_network(tmp_path / "x.safetensors", info, layers)
    assert not list(tmp_path.iterdir())


def test_bench() -> None:
    done = subprocess.run(
        [
            earthgym.find_binary(),
            "bench",
            "--pipe",
            "--python",
            sys.executable,
            "--time",
            "30ms",
            "--json",
            "one-earth",
        ],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
    )
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["pipe"]
    assert {(r["transport"], r["lanes"]) for r in rows} == {
        (t, n) for t in ("stdio", "shared", "unix", "tcp") for n in (1, 64, 1024)
    }
    assert all(r["decisions_per_second"] > 0 for r in rows)
