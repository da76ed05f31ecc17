"""Networks in the form of Go are read, evaluated and written as Go does it."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import earthgym

GOLDEN = Path(__file__).parents[4] / "agents" / "checkpoint" / "testdata"


@pytest.fixture
def garden() -> dict[str, Any]:
    """What Go answers, and what save_network wants to know of a game."""
    answers: dict[str, Any] = json.loads((GOLDEN / "garden.json").read_text())
    metadata = earthgym.load_network(GOLDEN / "garden.safetensors").metadata
    answers["info"] = {
        "name": metadata["name"],
        "game": metadata["game"],
        "rules": int(metadata["rules"]),
        "data": metadata["data"],
        "most_players": 3,
        "action_hash": metadata["actions"],
        "actions": [{}] * 3,
        "observation_hash": metadata["observation"],
        "observation_size": 10,
        "encoding": int(metadata["encoding"]),
    }
    return answers


def test_objects(garden: dict[str, Any], tmp_path: Path) -> None:
    network = earthgym.load_network(GOLDEN / "garden.safetensors", garden["info"])
    assert network.values == 3
    assert network.residual
    assert [o.name for o in network.objects] == ["bed"]
    observation = np.array(garden["observation"], np.float32).reshape(2, 10)

    def check(network: earthgym.Network, tolerance: float) -> None:
        logits, values = network.evaluate(observation)
        np.testing.assert_allclose(logits.ravel(), garden["logits"], rtol=tolerance, atol=tolerance)
        np.testing.assert_allclose(values.ravel(), garden["values"], rtol=tolerance, atol=tolerance)

    check(network, 1e-5)
    file = tmp_path / "again.safetensors"
    earthgym.save_network(file, garden["info"], network.layers, objects=network.objects, residual=network.residual)
    again = earthgym.load_network(file, garden["info"])
    check(again, 1e-5)
    assert again.metadata["spec"] == network.metadata["spec"]


def test_wrong_objects(garden: dict[str, Any], tmp_path: Path) -> None:
    network = earthgym.load_network(GOLDEN / "garden.safetensors")
    with pytest.raises(
        ValueError, match="3 logits, a value of the observer or of 3 seats, and 0 queries are 4 or more"
    ):
        earthgym.save_network(tmp_path / "x", garden["info"], network.layers)
    assert not list(tmp_path.iterdir())


def test_writing_fails(garden: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk, or a folder in the file's place, leaves what was there and nothing half."""
    network = earthgym.load_network(GOLDEN / "garden.safetensors")

    def save(file: Path) -> None:
        earthgym.save_network(file, garden["info"], network.layers, objects=network.objects)

    folder, file = tmp_path / "folder", tmp_path / "file"
    folder.mkdir()
    with pytest.raises((IsADirectoryError, PermissionError)):
        save(folder)
    save(file)
    before = file.read_bytes()

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        save(file)
    assert file.read_bytes() == before
    assert sorted(tmp_path.iterdir()) == [file, folder]


def test_float16(garden: dict[str, Any], tmp_path: Path) -> None:
    """A file whose numbers are float16, as export writes it, is read."""
    content = (GOLDEN / "garden.safetensors").read_bytes()
    size = int.from_bytes(content[:8], "little")
    header, numbers = json.loads(content[8 : 8 + size]), np.frombuffer(content[8 + size :], "<f4").astype("<f2")
    for name, entry in header.items():
        if name != "__metadata__":
            entry["dtype"], entry["data_offsets"] = "F16", [at // 2 for at in entry["data_offsets"]]
    header["__metadata__"]["format"] = "earthgym-checkpoint/1"
    text = json.dumps(header).encode()
    file = tmp_path / "half.safetensors"
    file.write_bytes(len(text).to_bytes(8, "little") + text + numbers.tobytes())
    logits, _ = earthgym.load_network(file).evaluate(np.array(garden["observation"], np.float32).reshape(2, 10))
    np.testing.assert_allclose(logits.ravel(), garden["logits"], rtol=0.02, atol=0.02)
