"""Networks in the form of Go are read, evaluated and written as Go does it."""

from __future__ import annotations

import errno
import json
import os
import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import earthgym
from earthgym.catalogue import GAMES

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
    earthgym.save_network(file, garden["info"], network, decisions=5)
    again = earthgym.load_network(file, garden["info"])
    check(again, 1e-5)
    assert again.metadata["spec"] == network.metadata["spec"]
    assert again.decisions == network.decisions + 5
    assert json.loads(again.metadata["card"])["parent"] == network.hash != again.hash


def test_shipped(server: earthgym.Server, tmp_path: Path) -> None:
    """The network that comes with the program is had without a source tree, and is known in what is made of it."""
    info = server.info("resilience-earth", None)
    network = earthgym.load_network("net:resilience-earth", info)
    card = json.loads(network.metadata["card"])
    kept = replace(network, metadata={**network.metadata, "for": "a test"})
    earthgym.save_network(tmp_path / "mine.safetensors", info, kept, decisions=7, seed=3)
    mine = earthgym.load_network(tmp_path / "mine.safetensors", info)
    assert mine.decisions == network.decisions + 7
    assert (mine.metadata["for"], mine.metadata["seed"]) == ("a test", "3")
    met = {key: card[key] for key in ("opponents", "teachers") if key in card}
    assert json.loads(mine.metadata["card"]) == {**met, "parent": network.hash}
    with earthgym.make_vec("resilience-earth", 4, server=server, seed=1) as vec:
        for a, b in zip(network.evaluate(vec.batch.observation), mine.evaluate(vec.batch.observation), strict=True):
            assert np.array_equal(a, b)
    done = subprocess.run(
        [earthgym.find_binary(), "agents", f"net:{tmp_path / 'mine.safetensors'}"], capture_output=True, text=True
    )
    assert network.hash[:12] in done.stdout, done.stderr
    with pytest.raises(ValueError, match=r'net:one-eart: .* did you mean "one-earth"'):
        earthgym.load_network("net:one-eart")


@pytest.mark.parametrize("game", GAMES)
def test_new(server: earthgym.Server, game: str, tmp_path: Path) -> None:
    """A new network points at what Go's networks of the game point at, so that Go plays it."""
    with earthgym.make_vec(game, 3, server=server, seed=1) as vec:
        network = earthgym.new_network(vec.info, [16, 16], seed=1)
        logits, values = network.evaluate(vec.batch.observation)
        assert logits.shape == (3, vec.num_actions)
        assert values.shape == (3, 1)
        assert np.ptp(logits) < 1
        file = tmp_path / "new.safetensors"
        earthgym.save_network(file, vec.info, network)
        shipped = earthgym.load_network(f"net:{game}", vec.info)
    for a, b in zip(network.objects, shipped.objects, strict=True):
        assert (a.name, len(a.bias)) == (b.name, len(b.bias))
        assert np.array_equal(a.features, b.features)
        for p, q in zip(a.pointers, b.pointers, strict=True):
            assert p.family == q.family
            assert np.array_equal(p.actions, q.actions)
            assert np.array_equal(p.objects, q.objects)
    with earthgym.make_vec(game, 1, server=server, seat=0, opponents=f"net:{file}") as vec:
        vec.step(vec.legal_mask().argmax(1))


def test_wrong_objects(garden: dict[str, Any], tmp_path: Path) -> None:
    network = earthgym.load_network(GOLDEN / "garden.safetensors")
    with pytest.raises(
        ValueError, match="3 logits, a value of the observer or of 3 seats, and 0 queries are 4 or more"
    ):
        earthgym.save_network(tmp_path / "x", garden["info"], network.layers)
    assert not list(tmp_path.iterdir())


def test_words(server: earthgym.Server, tmp_path: Path) -> None:
    """A network says what it is in a line, answers for one observation too, and mistakes are told."""
    network = earthgym.load_network("net:one-earth")
    weight, bias = network.layers[-1]
    torn = replace(network, layers=[*network.layers[:-1], (weight, bias * np.float32("nan"))])
    assert re.fullmatch(
        r"<Network of one-earth:players=\S*: 1988 to 256 to 256 to \d+, [\d,]+ parameters, [\d,]+ decisions>",
        repr(network),
    )
    with earthgym.make_vec("one-earth", 4, server=server, seed=1) as vec:
        for one, all_ in zip(
            network.evaluate(vec.batch.observation[2]), network.evaluate(vec.batch.observation), strict=True
        ):
            np.testing.assert_allclose(one, all_[2], rtol=1e-4, atol=1e-4)
        for wrong, why in (
            (lambda: earthgym.new_network("one-earth"), "info 'one-earth': it is what a Vec of the game has"),
            (lambda: earthgym.new_network(vec.info, hidden=[0]), "width 0: a whole number, 1 or more"),
            (lambda: earthgym.save_network(tmp_path / "x", vec.info, object()), r"no object: a module's network\(\)"),
            (lambda: earthgym.save_network(tmp_path / "x", vec.info, network, decisions=-1), "decisions -1"),
            (lambda: earthgym.save_network(tmp_path / "x", vec.info, network, seed=-1), "seed -1"),
            (lambda: earthgym.save_network(tmp_path / "x", vec.info, torn), "head.bias has numbers that are not"),
        ):
            with pytest.raises((TypeError, ValueError), match=why):
                wrong()
    assert not list(tmp_path.iterdir())


def test_no_network(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("This is a letter to somebody.")
    with pytest.raises(ValueError, match=r"x is no network of earthgym: its header is longer than the file, or"):
        earthgym.load_network(tmp_path / "x")


def test_writing_fails(garden: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk, or a folder in the file's place, leaves what was there and nothing half."""
    network = earthgym.load_network(GOLDEN / "garden.safetensors")

    def save(file: Path) -> None:
        earthgym.save_network(file, garden["info"], network)

    folder, file = tmp_path / "folder", tmp_path / "file"
    folder.mkdir()
    with pytest.raises((IsADirectoryError, PermissionError)):
        save(folder)
    save(file)
    before = file.read_bytes()

    with monkeypatch.context() as m:  # two at a time
        m.setattr(os, "fsync", lambda _: (m.undo(), save(file)))
        save(file)
    assert file.read_bytes() == before

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
