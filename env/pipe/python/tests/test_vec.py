"""The batched API, and the life of the server behind it."""

from __future__ import annotations

import base64
import copy
import errno
import gc
import json
import os
import pickle
import signal
import socket
import subprocess
import sys
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import conftest
import numpy as np
import pytest

import earthgym
from earthgym import errors
from earthgym.catalogue import GAMES
from earthgym.gym import EarthEnv, EarthVectorEnv
from earthgym.server import cannot_run
from earthgym.zoo import parallel_env

GAME = "resilience-earth:players=2"

SEEDS = [8581286081765471666, 6652036383885763666, 1988111358474182198, 10852044936925069029]
"""Of the first and second games of two lanes on seed 7."""


def play(vec: earthgym.Vec, steps: int, seed: int = 0) -> list[bytes]:
    """Plays random legal actions, and gives all arrays of all steps."""
    rng = np.random.default_rng(seed)
    seen = []
    for _ in range(steps):
        b = vec.step(earthgym.random_legal(vec.legal_mask(), rng))
        seen.append(b"".join(x.tobytes() for x in (b.observation, b.mask, b.reward, b.actor, b.end)))
    return seen


def test_repr(server: earthgym.Server) -> None:
    with earthgym.make_vec("resilience-earth:players=2", 3, server=server) as vec:
        assert repr(vec).startswith("<Vec of 3 × resilience-earth:players=2")
    game = earthgym.TextGame("one-earth", players=3, server=server)
    assert repr(game).startswith("<TextGame of one-earth:players=3")
    game.close()
    with earthgym.aec_vec("one-earth", 3, players=3, server=server) as turns:
        assert repr(turns).startswith("<AECVec of 3 × one-earth:players=3")


def test_notebooks_show_the_board(server: earthgym.Server) -> None:
    """As a picture that any viewer of PNG reads: the pixels are those that ``picture`` gives."""
    with earthgym.make_vec("resilience-earth:players=2", 2, server=server) as vec:
        shown = vec._repr_html_()
        assert shown is not None
        for other in (earthgym.aec_vec(GAME, 2, server=server), earthgym.mixed_vec({GAME: 2}, server=server)):
            with other:
                assert (other._repr_html_() or "").startswith(shown[:60])
        file = base64.b64decode(shown.partition("base64,")[2].partition('"')[0])
        pixels = vec.picture()
        assert file[:8] == b"\x89PNG\r\n\x1a\n"
        assert (int.from_bytes(file[16:20], "big"), int.from_bytes(file[20:24], "big")) == pixels.shape[1::-1]
        at = file.index(b"IDAT")
        rows = zlib.decompress(file[at + 4 : at + 4 + int.from_bytes(file[at - 4 : at], "big")])
        assert np.array_equal(
            np.frombuffer(rows, np.uint8).reshape(len(pixels), -1)[:, 1:], pixels.reshape(len(pixels), -1)
        )
    assert vec._repr_html_() is None


def test_games(server: earthgym.Server) -> None:
    assert set(server.games) == set(GAMES)
    assert server.info("one-earth:players=3")["players"] == 3


@pytest.mark.parametrize("game", GAMES)
def test_random_play(server: earthgym.Server, game: str) -> None:
    vec = earthgym.make_vec(game, 5, server=server, seed=3)
    low, high = vec.bounds()
    for _ in range(3):
        play(vec, 30)
        b = vec.batch
        assert b.observation.shape == (5, vec.observation_size)
        assert (b.observation >= low).all()
        assert (b.observation <= high).all()
        assert b.mask.sum(axis=1).min() >= 1
        assert b.reward.shape == (5, vec.num_players)
    vec.close()


@pytest.mark.parametrize("game", GAMES)
def test_describe(server: earthgym.Server, game: str) -> None:
    """The same sentences as those of the command."""
    with earthgym.make_vec(game, 2, server=server, seed=5) as vec:
        play(vec, 25)
        for row in vec.batch.observation:
            numbers = " ".join(repr(float(x)) for x in row)
            command = [os.environ["EARTHGYM_BINARY"], "games", game, "--observation", "-"]
            told = subprocess.run(command, input=numbers, capture_output=True, text=True, check=True).stdout
            assert " ".join(" ".join(vec.describe(row)).split()) == " ".join(told.split())
        with pytest.raises(ValueError, match="this has the shape"):
            vec.describe(vec.batch.observation)


def test_many_episodes(server: earthgym.Server) -> None:
    """More than fit into one answer."""
    vec = earthgym.make_vec(GAME, 2500, server=server, illegal="forfeit", autoreset="disabled")
    vec.step(np.full(2500, vec.num_actions))
    seeds = vec.seeds()
    assert len(set(seeds)) == 2500
    assert [e.seed for e in vec.episodes() if e is not None] == seeds
    some = vec.episodes(lanes=range(2400, 100, -1))
    assert [e.seed for e in some if e is not None] == seeds[2400:100:-1]
    vec.close()


def test_shared_memory_is_the_same(server: earthgym.Server) -> None:
    vecs = [earthgym.Vec(server, GAME, 9, seed=5, shared=s) for s in (False, True, None)]
    a, b, c = (play(v, 150) for v in vecs)
    assert a == b == c
    for v in vecs:
        v.close()


def test_seeds_are_those_of_go(server: earthgym.Server) -> None:
    """``TestSeedsOfSeven`` in Go has the same numbers."""
    vec = earthgym.make_vec(GAME, 2, server=server, seed=7, autoreset="disabled")
    assert vec.seeds() == SEEDS[:2]
    vec.reset()
    assert vec.seeds() == SEEDS[2:]
    vec.close()


@pytest.mark.parametrize("game", GAMES)
def test_games_are_those_of_go(server: earthgym.Server, game: str, tmp_path: Path) -> None:
    """A game that Go has recorded is the game of that seed here, line by line."""
    command = [earthgym.find_binary(), "record", game, "random", "--seed", "5", "--out", str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    (file,) = tmp_path.iterdir()
    header, *moves, footer = file.read_text().splitlines()
    vec = earthgym.make_vec(game, 1, server=server, autoreset="disabled", record=True)
    vec.reset(seed=json.loads(header)["seed"])
    for move in moves:
        vec.step(vec.parse(json.loads(move)["action"]))
    mine, *rest, end = vec.record(finished=True).decode().splitlines()
    assert rest == moves
    # What is said of who played, beside the game, and the checksums that cover it.
    writer = {"agents": None, "program": None, "sum": None}
    for own, theirs in [(mine, header), (end, footer)]:
        assert {**json.loads(own), **writer} == {**json.loads(theirs), **writer}
    vec.close()


def test_pair(server: earthgym.Server) -> None:
    whole = earthgym.make_vec(GAME, 6, server=server, seed=9)
    a, b = (earthgym.make_vec(GAME, 3, server=server, seed=9, first_lane=lane) for lane in (0, 3))
    for _ in range(50):
        actions = np.argmax(whole.batch.mask, axis=1)
        a.send(actions[:3])
        b.send(actions[3:])
        whole.step(actions)
        b.recv()
        a.recv()
        assert np.array_equal(whole.batch.observation, np.concatenate([a.batch.observation, b.batch.observation]))
    a.send(np.argmax(a.batch.mask, axis=1))
    with pytest.raises(errors.EarthgymError, match="receive first"):
        a.send([0, 0, 0])
    with pytest.raises(errors.EarthgymError, match="receive first"):
        a.text()
    a.recv()
    with pytest.raises(errors.EarthgymError, match="no actions"):
        a.recv()
    for v in (whole, a, b):
        v.close()


@pytest.mark.parametrize("observation", ["float16", "uint8"])
def test_encodings(server: earthgym.Server, observation: str) -> None:
    exact = earthgym.make_vec(GAME, 4, server=server, seed=2)
    vec = earthgym.make_vec(GAME, 4, observation=observation, mask="bits", seed=2)  # type: ignore[arg-type]
    low, high = vec.bounds()
    tolerance = (
        (high - low) / 510 + 1e-6 if observation == "uint8" else 1e-3 * np.maximum(np.abs(low), np.abs(high)) + 1e-6
    )
    for _ in range(40):
        actions = np.argmax(exact.batch.mask, axis=1)
        exact.step(actions)
        vec.step(actions)
        assert (np.abs(vec.dequantise(vec.batch.observation) - exact.batch.observation) <= tolerance).all()
        assert np.array_equal(vec.legal_mask(), exact.legal_mask())
    vec.close()
    exact.close()


@pytest.mark.parametrize("shared", [False, True])
def test_chosen_lanes(server: earthgym.Server, shared: bool) -> None:
    """Lanes stepped by themselves, in any order, go where lanes go that are stepped together."""
    whole, vec = (earthgym.Vec(server, GAME, 4, seed=6, shared=shared) for _ in range(2))
    for n in range(120):
        actions = np.argmax(whole.batch.mask, axis=1)
        whole.step(actions)
        before = vec.batch.observation.copy()
        first, then = ([2, 0], [1, 3]) if n % 2 else ([3], [0, 2, 1])
        vec.step(actions[first], lanes=first)
        assert np.array_equal(vec.batch.observation[then], before[then])
        vec.send(actions[then], lanes=then)
        b = vec.recv()
        for want, got in zip(vars(whole.batch).values(), vars(b).values(), strict=True):
            assert np.array_equal(want, got)
    before = vec.batch.observation.copy()
    vec.step([], lanes=[])
    assert np.array_equal(vec.batch.observation, before)
    for lanes, actions, wrong in (
        ([0, 1], [0], errors.WrongLength),
        ([4], [0], errors.BadLane),
        ([1, 1], [0, 0], errors.BadLane),
        ([1], [0.0], errors.WrongLength),
        ([1], [2**40], errors.IllegalAction),
        ([1], [int(np.argmin(vec.batch.mask[1]))], errors.IllegalAction),
    ):
        with pytest.raises(wrong):
            vec.step(actions, lanes=lanes)
    assert np.array_equal(vec.batch.observation, before)
    whole.close()
    vec.close()


def test_numbers_of_numpy(server: earthgym.Server) -> None:
    """Numbers that come out of arrays are numbers; what isn't whole, or a mask, is none of a lane."""
    two, zero = np.int64(2), np.uint8(0)
    vec: earthgym.Vec = earthgym.make_vec(GAME, two, server=server, seat=zero, opponents="random")  # type: ignore[arg-type]
    assert vec.batch.mask.shape[0] == vec.num_envs == 2
    assert vec.save(np.int32(1)) != b""  # type: ignore[arg-type]
    assert vec.legal(np.argmax([0, 1]))  # type: ignore[arg-type]
    actions = np.argmax(vec.batch.mask, axis=1)
    for lanes in ([0.5, 1.5], np.array([True, True])):
        with pytest.raises(TypeError):
            vec.step(actions, lanes=lanes)  # type: ignore[arg-type]
    vec.step(actions, lanes=np.arange(2))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="can't be sent"):
        vec.text(lane={0})  # type: ignore[arg-type]
    vec.close()
    with pytest.raises(TypeError, match=r"Server\(address='unix:x'\)"):
        earthgym.make_vec(GAME, 1, server="unix:x")  # type: ignore[arg-type]


@pytest.mark.parametrize("text", [3, None])
def test_no_text(server: earthgym.Server, text: Any) -> None:
    vec = earthgym.make_vec(GAME, 1, server=server)
    with pytest.raises(errors.UnknownAction, match="is no action's text"):
        vec.parse(text)
    with pytest.raises(errors.FrameTooLarge):
        vec.parse("x" * (1 << 20))
    with pytest.raises(errors.FrameTooLarge):
        vec.restore(bytes(1 << 24))
    assert not server.closed
    vec.close()


def test_views_are_views(server: earthgym.Server) -> None:
    vec = earthgym.make_vec(GAME, 2, server=server)
    observation = vec.batch.observation
    before = observation.copy()
    play(vec, 3)
    assert not np.array_equal(before, observation)
    with pytest.raises(ValueError, match="read-only"):
        observation[0, 0] = 1
    vec.close()


def test_positions(server: earthgym.Server) -> None:
    vec = earthgym.make_vec(GAME, 3, server=server, record=True)
    vec.reset(seed=4)
    play(vec, 10)
    saved, row = vec.save(0), vec.batch.observation[0].copy()
    vec.copy(0, [1, 2])
    assert np.array_equal(vec.batch.observation[2], row)
    with (
        earthgym.make_vec(GAME, 3) as stranger,  # whose handle may be that of another batch here
        pytest.raises(ValueError, match="is on another server"),
    ):
        vec.copy(0, [1], stranger)
    rng = np.random.default_rng(0)
    for _ in range(5):
        legal = earthgym.random_legal(vec.legal_mask()[:1], rng)
        vec.step(np.repeat(legal, 3))
        assert np.array_equal(vec.batch.observation[0], vec.batch.observation[1])
    vec.restore(saved, 1)
    assert np.array_equal(vec.batch.observation[1], row)
    vec.set_position(vec.position(1).decode(), 2)
    assert vec.position(2) == vec.position(1)
    record = vec.record(0)
    assert json.loads(record.splitlines()[0])["seed"] == vec.seeds()[0] == 4
    vec.redeal(0, 99, 0)
    with pytest.raises(errors.NoRecord):
        vec.record(0)
    full = vec.observe()
    assert full.shape == (3, 2, vec.observation_size)
    assert np.array_equal(full[:, 1], vec.observe(1))
    other = earthgym.make_vec(GAME, 1, server=server)
    vec.copy(1, [0], other)
    assert other.position() == vec.position(1)
    vec.close()
    other.close()


def test_record_replays(server: earthgym.Server, tmp_path: Path) -> None:
    vec = earthgym.make_vec(GAME, 1, server=server, record=True, seat=0, opponents=["random"])
    vec.reset(seed=8)
    while vec.episodes() == [None]:
        play(vec, 1)
    file = tmp_path / "game.jsonl"
    file.write_bytes(vec.record(finished=True))
    episode = vec.episodes()[0]
    assert episode is not None
    assert episode.seed == 8
    assert episode.length < episode.decisions
    done = subprocess.run([earthgym.find_binary(), "replay", str(file)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    vec.close()


def test_errors(server: earthgym.Server) -> None:
    with pytest.raises(errors.UnknownGame, match="did you mean"):
        earthgym.make_vec("resilience-erth", 1, server=server)
    with pytest.raises(errors.LimitReached):
        earthgym.make_vec(GAME, 1 << 30, server=server)
    with pytest.raises(errors.UnknownAgent):
        earthgym.make_vec(GAME, 1, server=server, seat=0, opponents=["nobody"])
    with pytest.raises(errors.UnknownAgent, match="remote"):
        earthgym.make_vec(GAME, 1, server=server, seat=0, opponents=["remote:true"])
    with pytest.raises(errors.BadData):
        earthgym.make_vec(GAME, 1, server=server, data=b"game = 'one-earth'")
    vec = earthgym.make_vec(GAME, 2, server=server)
    before = vec.batch.observation.copy()
    illegal = np.argmin(vec.batch.mask, axis=1)
    with pytest.raises(errors.IllegalAction) as raised:
        vec.step([int(np.argmax(vec.batch.mask[0])), illegal[1]])
    assert raised.value.lane == 1
    assert np.array_equal(before, vec.batch.observation)
    for wrong in ([0], [[0, 0]], [0.0, 1.0], ["a", "b"]):
        with pytest.raises(errors.WrongLength):
            vec.step(wrong)
    for huge in (2**32, 2**63 - 1, -(2**32)):
        with pytest.raises(errors.IllegalAction):
            vec.step(np.array([huge, huge]))
    with pytest.raises(errors.BadLane):
        vec.reset(lanes=[5])
    with pytest.raises(errors.UnknownAction):
        vec.parse("dance")
    for copying in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="a Vec is part of its server"):
            copying(vec)
    vec.close()
    vec.close()
    with pytest.raises(errors.UnknownEnv):
        vec.step([0, 0])
    with pytest.raises(TypeError, match=r"policy 'random': it is a function"):
        earthgym.evaluate(GAME, "random", server=server)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"server 3: it is an earthgym.Server"):
        earthgym.evaluate(GAME, lambda _, m: m.argmax(1), server=3)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"observation": "float64"}, "observation 'float64': there are float32, float16, uint8"),
        ({"mask": "bools"}, "mask 'bools': there are bytes, bits"),
        ({"workers": -1}, "workers -1: a whole number from 0 to 1024"),
    ],
)
def test_no_server_for_mistakes(options: Any, why: str, capfd: pytest.CaptureFixture[str]) -> None:
    """What a server would refuse, and log, is refused before there is one."""
    with pytest.raises(ValueError, match=why):
        earthgym.Server(**options)
    assert capfd.readouterr() == ("", "")


def test_seeds(server: earthgym.Server) -> None:
    """Nobody plays the same games as another without saying so, and a seed is a whole number, of NumPy too."""

    def seeds(**options: Any) -> list[int]:
        with earthgym.make_vec(GAME, 2, server=server, **options) as vec:
            return vec.seeds()

    assert not set(seeds()) & set(seeds())
    assert seeds(seed=7) == seeds(seed=np.int64(7)) == SEEDS[:2]
    assert seeds(seed=earthgym.worker_seed(7, 0)) != seeds(seed=earthgym.worker_seed(7, 1))
    assert earthgym.worker_seed(7, 1) == earthgym.worker_seed(np.uint8(7), np.int32(1))  # type: ignore[arg-type]
    a, b = (earthgym.make_vec(GAME, 1, server=server) for _ in range(2))
    assert a.seeds() != b.seeds()
    for seed in (np.int64(5), np.array(5), 5, [5, 6], np.array([5, 6]), (np.int64(5), 6)):
        a.reset(seed=seed, lanes=None if a.num_envs == 2 else [0]) if np.ndim(seed) == 0 else None
        assert a.seeds()[0] == 5
    for wrong in (-1, 1 << 64, 1.0, "1", [-1], np.int64(-1)):
        with pytest.raises(ValueError, match="a whole number from 0 to"):
            a.reset(seed=wrong)  # type: ignore[arg-type]
        if np.ndim(wrong) == 0:
            with pytest.raises(ValueError, match="a whole number from 0 to"):
                seeds(seed=wrong)
    a.close()
    b.close()
    played: list[bytes] = []

    def first(observation: np.ndarray, mask: np.ndarray) -> np.ndarray:
        played[-1] += observation.tobytes()
        return mask.argmax(1)

    for _ in range(2):  # What was seen, not what it came to: unlike games have like results by chance.
        played.append(b"")
        earthgym.evaluate(GAME, first, games=16, server=server)
    assert played[0] != played[1]


def test_options(server: earthgym.Server) -> None:
    """Options of a game are taken alike by all, and what is none is told by the name of what was called."""

    def first(_: np.ndarray, mask: np.ndarray) -> np.ndarray:
        return mask.argmax(1)

    with earthgym.make_vec("resilience-earth", 2, players=3, server=server) as vec:
        assert vec.num_players == 3
    told = earthgym.evaluate("resilience-earth", first, games=6, seed=1, server=server, players=3)
    assert told == earthgym.evaluate("resilience-earth:players=3", first, games=6, seed=1, server=server)
    game: Any = "resilience-earth"
    for call, called in (
        (lambda **o: earthgym.make_vec(game, 2, **o), "make_vec"),
        (lambda **o: earthgym.evaluate(game, first, **o), "evaluate"),
        (lambda **o: earthgym.aec_vec(game, 2, **o), "aec_vec"),
        (lambda **o: earthgym.aec(game, **o), "aec"),
        (lambda **o: earthgym.TextGame(game, **o), "TextGame"),
        (lambda **o: EarthEnv(game, **o), "EarthEnv"),
        (lambda **o: EarthVectorEnv(game, 2, **o), "EarthVectorEnv"),
        (lambda **o: parallel_env(game, **o), "parallel_env"),
    ):
        with pytest.raises(TypeError, match=rf"^{called}\(\) has no option 'plyers': did you mean 'players'\?$"):
            call(plyers=3)
        if called not in ("make_vec", "evaluate"):
            with pytest.raises(
                TypeError, match=rf"^{called}\(\) has no option 'seed': it is named when games are reset$"
            ):
                call(seed=3)
    own: Any
    for own, wrong, meant in (
        (EarthEnv, {"oponents": "random"}, "opponents"),
        (EarthVectorEnv, {"autoreset": "same_step"}, "autoreset_mode"),
        (earthgym.TextGame, {"seats": 0}, "seat"),
        (earthgym.aec, {"max_cycle": 9}, "max_cycles"),
        (earthgym.aec, {"render": "ansi"}, "render_mode"),
    ):
        with pytest.raises(TypeError, match=f"did you mean '{meant}'"):
            own(game, **wrong)
    with pytest.raises(TypeError, match="there are copy, data"):
        earthgym.aec_vec(game, 2, nonsense=True)
    with earthgym.make_vec(
        "one-earth", 1, players=np.int64(2), talk=np.False_, leaders=np.array(["tycoon", "scientist"])
    ) as vec:
        assert "leaders=tycoon+scientist,first_player=0,aid=on,talk=off" in vec.game
    for name in ("earthgym/ResilienceEarth-v1", "ResilienceEarth-v1", "ResilienceEarth"):
        with pytest.raises(errors.UnknownGame, match="own names: 'resilience-earth'"):
            earthgym.make_vec(name, 1)


def test_numbers(server: earthgym.Server) -> None:
    """What is no whole number is refused by the name that was given to it, and so is anything of another type."""

    def first(_: np.ndarray, mask: np.ndarray) -> np.ndarray:
        return mask.argmax(1)

    any_: Any = earthgym
    for wrong in (0, -1, 1.5, "4", None):
        for call in (
            lambda n: any_.make_vec(GAME, n, server=server),
            lambda n: any_.aec_vec(GAME, n, server=server),
            lambda n: any_.evaluate(GAME, first, games=n, server=server),
            lambda n: any_.mixed_vec({GAME: n}, server=server),
        ):
            with pytest.raises(
                ValueError, match=rf"^(num_envs|games|lanes of {GAME}) {wrong!r}: a whole number, 1 or more"
            ):
                call(wrong)
    options: list[tuple[Any, str]] = [
        ({"seat": "1"}, 'seat "1": a whole number'),
        ({"seat": 1.0}, "seat 1.0: a whole number"),
        ({"gamma": "1"}, 'gamma "1": a number'),
        ({"record": "yes"}, 'record "yes": true or false'),
        ({"seat": 0, "opponents": [3]}, r"opponents\[0\] 3: a text"),
        ({"seat": 0, "opponents": 3}, "opponents 3: a list"),
        ({"max_decisions": 1 << 63}, "max_decisions 9223372036854775808: a whole number below"),
    ]
    for option, told in options:
        with pytest.raises(errors.EarthgymError, match=f"^{told}"):
            earthgym.make_vec(GAME, 2, server=server, **option)
    with earthgym.make_vec(GAME, 2, server=server) as vec:
        for look in (vec.observe, vec.episodes):
            with pytest.raises(errors.EarthgymError, match=r"^which\[0\] true: a whole number"):
                look(lanes=[True, False])


@pytest.mark.parametrize("shared", [False, True])
def test_copies(server: earthgym.Server, shared: bool) -> None:
    """With copy=True what was given stays as it was, can be written to, and is what views show."""
    views, vec = (earthgym.Vec(server, GAME, 3, seed=1, shared=shared, copy=c) for c in (False, True))
    kept: list[tuple[earthgym.Batch, list[np.ndarray]]] = []
    for _ in range(30):
        kept.append((vec.batch, [x.copy() for x in vars(vec.batch).values()]))
        actions = vec.legal_mask().argmax(1)
        vec.step(actions)
        views.step(actions)
        for a, b in zip(vars(vec.batch).values(), vars(views.batch).values(), strict=True):
            assert np.array_equal(a, b)
    for batch, was in kept:
        for a, b in zip(vars(batch).values(), was, strict=True):
            assert np.array_equal(a, b)
    vec.batch.observation[:] = 5
    vec.step(vec.legal_mask().argmax(1))
    views.step(views.legal_mask().argmax(1))
    assert np.array_equal(vec.batch.observation, views.batch.observation)
    vec.close()
    views.close()


def test_memory_of_another_container(server: earthgym.Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the server's memory can't be opened, arrays travel."""
    with monkeypatch.context() as m:
        m.setattr("builtins.open", lambda *_: (_ for _ in ()).throw(FileNotFoundError("/dev/shm/x")))
        vec = earthgym.make_vec(GAME, 3, server=server, seed=5)
    assert vec.into is not None
    with earthgym.make_vec(GAME, 3, server=server, seed=5) as near:
        assert near.into is None
        assert play(vec, 20) == play(near, 20)
    vec.close()


def test_own_data(server: earthgym.Server) -> None:
    source = Path(__file__).parents[4] / "games" / "resilience" / "data.toml"
    vec = earthgym.make_vec(GAME, 1, server=server, data=source)
    assert vec.info["data"] == server.info(GAME)["data"]
    vec.close()


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


@contextmanager
def python(program: str) -> Iterator[subprocess.Popen[str]]:
    """Runs a program beside the test."""
    environ = {**os.environ, "PYTHONPATH": str(Path(earthgym.__file__).parents[1])}
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, env=environ, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def gone(pid: int, within: float = 300) -> bool:
    deadline = time.monotonic() + within
    while alive(pid):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def test_server_ends_with_its_owner() -> None:
    vec = earthgym.make_vec(GAME, 1)
    pid = vec.server.process_id
    assert pid is not None
    assert alive(pid)
    vec.close()
    assert gone(pid)
    with pytest.raises(errors.ConnectionLost):
        vec.server.info(GAME)
    vec = earthgym.make_vec(GAME, 1)
    pid = vec.server.process_id
    assert pid is not None
    del vec
    gc.collect()
    assert gone(pid)


@pytest.mark.parametrize(
    "end", ["pass", "raise SystemExit(1)", "import os; os._exit(0)", "import os; os.kill(os.getpid(), 9)"]
)
def test_no_orphan(end: str) -> None:
    program = f"import earthgym; v = earthgym.make_vec({GAME!r}, 4); print(v.server.process_id, flush=True); {end}"
    source = str(Path(earthgym.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": source}
    )
    assert gone(int(done.stdout))


def test_dead_server() -> None:
    vec = earthgym.make_vec(GAME, 1)
    assert vec.server.process_id is not None
    os.kill(vec.server.process_id, signal.SIGKILL)
    with pytest.raises(errors.ConnectionLost, match="killed by SIGKILL"):
        play(vec, 3)
    assert vec.server.closed
    vec.close()


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("exit 3", "exit status 3"),
        ("echo Welcome to my program", "begins with b'Welcome to my program.*printed"),
    ],
)
def test_no_server(tmp_path: Path, program: str, why: str) -> None:
    """Programs that end, or that say something else than a server says."""
    file = tmp_path / "program"
    file.write_text(f"#!/bin/sh\n{program}\n")
    file.chmod(0o755)
    with pytest.raises(errors.ConnectionLost, match=why):
        earthgym.Server(file)


SLEEPER = f"""
import os, sys, time, gc, multiprocessing
import earthgym
vec = earthgym.make_vec({GAME!r}, 1)
child = multiprocessing.get_context("fork").Process(target=time.sleep, args=(600,), daemon=True)
child.start()
print(vec.server.process_id, child.pid, flush=True)
"""


@pytest.mark.parametrize(
    "end",
    [
        "vec.close()",
        "del vec; gc.collect()",
        "os.kill(os.getpid(), 9)",
        "raise SystemExit(0)",
    ],
)
def test_end_with_a_forked_child(end: str) -> None:
    """A child that was forked does not keep the server alive, nor its owner waiting."""
    body = f"server = vec.server._process; {end}; print(server.returncode, flush=True); time.sleep(600)"
    with python(SLEEPER + body) as process:
        assert process.stdout is not None
        server, child = map(int, process.stdout.readline().split())
        if "vec" in end:
            assert process.stdout.readline() == "0\n"  # it was not killed, as it is after some seconds
        assert gone(server)
        if "Exit" in end:
            assert process.wait() == 0  # It ends its children; killed before that, it would leave them.
            assert gone(child)
        else:
            assert alive(child)
            os.kill(child, signal.SIGKILL)
        process.kill()


def test_end_with_an_open_input() -> None:
    """Somebody whom no hook reaches holds the server's input open: it is told to end, and does."""
    server = earthgym.Server()
    assert server._process is not None
    held = os.dup(server._transport._write)  # type: ignore[attr-defined]
    assert not os.get_inheritable(held)
    server.close()
    assert server._process.returncode != -signal.SIGKILL
    os.close(held)


def test_inheritable(server: earthgym.Server) -> None:
    """Programs that are started inherit no end of the connection."""
    transport = server._transport
    assert not any(os.get_inheritable(fd) for fd in (transport._read, transport._write))  # type: ignore[attr-defined]


def interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def test_interrupted_wait(server: earthgym.Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while the server steps: the batch can be reset, and goes on as if nothing had been."""
    want, vec = (earthgym.make_vec(GAME, 4, server=server, seat=0, opponents=["random"]) for _ in range(2))
    with monkeypatch.context() as m:
        m.setattr(server._reader, "wait", interrupted)
        with pytest.raises(KeyboardInterrupt):
            play(vec, 1)
    assert vec.legal(), "whatever comes next takes the answer first"
    for v in (want, vec):
        v.reset(7)
    assert play(vec, 3) == play(want, 3)
    with monkeypatch.context() as m:
        m.setattr(server._reader, "wait", interrupted)
        with pytest.raises(KeyboardInterrupt):
            play(vec, 1)
    play(want, 1)
    assert np.array_equal(vec.batch.observation, want.batch.observation), "what was sent was played"
    assert play(vec, 3) == play(want, 3)
    want.close()
    vec.close()


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("parts", [0, 1, 3])
def test_interrupted_on_any_line(parts: int, shared: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C on whatever line of a step leaves a batch that goes on, and shows where it stands."""
    server = earthgym.Server(workers=1)
    monkeypatch.setattr(server, "shares_memory", shared and server.shares_memory)
    mixed = earthgym.mixed_vec({GAME: 3}, parts=parts, server=server) if parts else None
    vec = mixed.vec if mixed else earthgym.make_vec(GAME, 3, server=server)
    places, whole = 0, False
    while not whole:
        places += 1
        if mixed:
            mixed.recv()
        whole = not conftest.interrupted(places, partial((mixed or vec).step, vec.legal_mask().argmax(1)))
        shown = (mixed.recv() if mixed else vec.batch).observation.copy()
        vec._call("show")
        assert np.array_equal(vec.batch.observation, shown)
        assert not server._pending
    assert places > 40
    server.close()


def test_interrupted_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C in the middle of a long frame ends the connection: what came next could not be told apart."""
    server = earthgym.Server()
    vec = earthgym.Vec(server, GAME, 64, shared=False)
    with monkeypatch.context() as m:
        m.setattr(vec.server._reader, "_read", interrupted)
        with pytest.raises(KeyboardInterrupt):
            play(vec, 1)
    assert vec.server.closed
    with pytest.raises(errors.ConnectionLost):
        vec.reset()
    vec.close()


def test_fork_is_refused(server: earthgym.Server) -> None:
    pid = os.fork()
    if pid == 0:
        try:
            server.info(GAME)
        except errors.EarthgymError as e:
            os._exit(7 if "forked" in str(e) else 2)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
    assert server.info(GAME)["players"] == 2  # the child has closed nothing of the parent's


@pytest.fixture
def served(tmp_path: Path) -> object:
    """Starts servers; gives a function from arguments to process and address."""
    started = []

    def serve(*args: str) -> tuple[subprocess.Popen[str], str]:
        process = subprocess.Popen([earthgym.find_binary(), "serve", *args], stderr=subprocess.PIPE, text=True)
        started.append(process)
        assert process.stderr is not None
        while "address=" not in (line := process.stderr.readline()):
            assert line, "the server has ended"
        return process, line.split("address=")[1].split()[0]

    yield serve
    for process in started:
        process.terminate()
        process.communicate()


def test_sockets(served: object, tmp_path: Path) -> None:
    path = tmp_path / "socket"
    unix, path_address = served("--listen", f"unix:{path}")  # type: ignore[operator]
    assert path.stat().st_mode & 0o777 == 0o600
    tcp, address = served("--listen", "tcp:127.0.0.1:0")  # type: ignore[operator]
    reference = earthgym.make_vec(GAME, 3, seed=1)
    want = play(reference, 100)
    reference.close()
    for where in (path_address, address):
        with earthgym.Server(address=where) as server:
            assert ("shared-memory" in server.capabilities) == where.startswith("unix")
            with earthgym.make_vec(GAME, 3, server=server, seed=1) as vec:
                assert play(vec, 100) == want
    for process in (unix, tcp):
        process.terminate()
        assert process.wait(timeout=600) == 0
    assert not path.exists()


def test_one_server_for_many_workers(served: object, tmp_path: Path) -> None:
    """An environment that goes to a worker connects there to the node's server, and starts none."""
    _, address = served("--listen", f"unix:{tmp_path / 'socket'}")  # type: ignore[operator]
    env = earthgym.aec("resilience-earth", players=2, server=earthgym.Server(address=address))
    env.reset(seed=4)
    worker = (
        "import pickle, sys; env = pickle.loads(sys.stdin.buffer.read()); env.reset(seed=4); "
        "print(env._vec.server.process_id, env.state().sum())"
    )
    environ = {**os.environ, "PYTHONPATH": str(Path(earthgym.__file__).parents[1]), "EARTHGYM_BINARY": "/no/program"}
    command = [sys.executable, "-c", worker]
    done = subprocess.run(command, input=pickle.dumps(env), capture_output=True, env=environ, check=True)
    assert done.stdout.decode().split() == ["None", str(env.state().sum())]
    env._vec.server.close()


def test_memory_of_others(served: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server elsewhere may claim a common memory and name a file, asked for or not: none is opened."""
    request = earthgym.Server.request

    def claiming(server: earthgym.Server, op: str, *args: bytes, **fields: Any) -> tuple[dict[str, Any], bytes]:
        head, payload = request(server, op, *args, **{k: v for k, v in fields.items() if k != "share"})
        if op == "hello":
            head["capabilities"].append("shared-memory")
        if op == "make":
            head["shared"] = "/no/such/file"
        return head, payload

    reference = earthgym.make_vec(GAME, 3, seed=1)
    want = play(reference, 100)
    reference.close()
    monkeypatch.setattr(earthgym.Server, "request", claiming)
    _, address = served("--listen", "tcp:127.0.0.1:0")  # type: ignore[operator]
    with earthgym.Server(address=address) as server:
        assert not server.shares_memory
        with earthgym.make_vec(GAME, 3, server=server, seed=1) as vec:
            assert play(vec, 100) == want
        with pytest.raises(errors.NotSupported, match="shares no memory"):
            earthgym.Vec(server, GAME, 3, shared=True)


def test_addresses(served: object, tmp_path: Path) -> None:
    """What is no address is said to be none, and an attempt to connect leaves nothing behind."""
    for address in ("localhost", "tcp:localhost", "tcp:localhost:http", "unix:", "http://localhost:80"):
        with pytest.raises(ValueError, match="it is unix:PATH"):
            earthgym.Server(address=address)
    with pytest.raises(errors.ConnectionLost, match=r"no server answers at unix:.*nobody: No such file"):
        earthgym.Server(address=f"unix:{tmp_path / 'nobody'}")
    gc.collect()  # A socket that is left would be told of here.
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return  # This machine has no such addresses.
    _, address = served("--listen", "tcp:[::1]:0")  # type: ignore[operator]
    earthgym.Server(address=address).close()


def test_token(served: object, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("open sesame\n")
    file.chmod(0o600)
    _, address = served("--listen", "tcp:127.0.0.1:0", "--token-file", str(file))  # type: ignore[operator]
    for token in ("", "open", "open sesame "):
        with pytest.raises(errors.Unauthorized):
            earthgym.Server(address=address, token=token)
    earthgym.Server(address=address, token="open sesame").close()


def test_command(tmp_path: Path) -> None:
    """The package stands for the program, but never for itself."""
    environ = {**os.environ, "PYTHONPATH": str(Path(earthgym.__file__).parents[1])}
    command = [sys.executable, "-m", "earthgym", "version"]
    want = subprocess.run([earthgym.find_binary(), "version"], capture_output=True)
    assert subprocess.run(command, capture_output=True, env=environ).stdout == want.stdout != b""
    script = tmp_path / "earthgym"
    script.write_text(f"#!{sys.executable}\nfrom earthgym.__main__ import main\nmain()\n")
    script.chmod(0o755)
    environ.pop("EARTHGYM_BINARY")
    done = subprocess.run(
        ["earthgym", "version"], capture_output=True, env={**environ, "PATH": str(tmp_path)}, text=True
    )
    assert done.returncode == 1
    assert done.stderr.startswith("earthgym: there is no earthgym program: this package was installed from its source")


def test_missing_binary(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for program in ("/no/such/program", tmp_path):
        with pytest.raises(errors.BinaryNotFoundError, match="no program"):
            earthgym.Server(program)
    other = tmp_path / "earthgym"
    other.write_bytes(b"\x7fELF for another machine")
    other.chmod(0o755)
    with pytest.raises(errors.BinaryNotFoundError, match=r"cannot be run here: Exec format error.*machine needs"):
        earthgym.Server(other)
    full = cannot_run("earthgym", OSError(errno.EMFILE, "Too many open files"))
    assert str(full) == "earthgym cannot be run here: Too many open files"
    command = [sys.executable, "-m", "earthgym", "version"]
    environ = {"PYTHONPATH": str(Path(earthgym.__file__).parents[1]), "EARTHGYM_BINARY": str(other)}
    done = subprocess.run(command, capture_output=True, env={**os.environ, **environ}, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith(f"earthgym: {other} cannot be run here")
    monkeypatch.delenv("EARTHGYM_BINARY")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(errors.BinaryNotFoundError, match=r"make wheel.*EARTHGYM_BINARY"):
        earthgym.find_binary()


def test_evaluate(server: earthgym.Server) -> None:
    """Random play against itself is worth nothing, in every seat; the same seeds give the same games."""
    rows: list[int] = []

    def policy(observation: np.ndarray, mask: np.ndarray) -> np.ndarray:
        assert len(observation) == len(mask) > 0
        rows.append(len(mask))
        return earthgym.random_legal(mask, rng)

    results = []
    for _ in range(2):
        rng = np.random.default_rng(1)
        results.append(earthgym.evaluate("resilience-earth:players=3", policy, games=100, seed=3, server=server))
    assert results[0] == results[1]
    mean, error = results[0]
    assert abs(mean) < 4 * error
    assert str(results[0]) == f"{mean:+.2f} ± {error:.2f}"
    assert set(rows) == {34}, "a third in each seat, as many rows from the first decision to the last"
    lost, _ = earthgym.evaluate(
        "resilience-earth:players=2", policy, opponents="script:greedy", games=20, seed=3, server=server
    )
    assert lost < -0.5


def test_evaluate_tells_its_error(server: earthgym.Server) -> None:
    """Every seat has the same seeds: means over seats are what is independent, and of one nothing is known."""
    returns = np.zeros((2, 8))
    for seat in range(2):
        options: Any = {"seed": 5, "seat": seat, "opponents": "script:greedy", "autoreset": "disabled"}
        with earthgym.make_vec(GAME, 8, server=server, **options) as vec:
            while (running := np.flatnonzero(vec.batch.actor >= 0)).size:
                vec.step(vec.batch.mask[running].argmax(1), lanes=running.tolist())
            returns[seat] = [e.returns[seat] for e in vec.episodes() if e is not None]

    def first(_: np.ndarray, mask: np.ndarray) -> np.ndarray:
        return mask.argmax(1)

    told = earthgym.evaluate(GAME, first, opponents="script:greedy", games=16, seed=5, server=server)
    assert told.mean == pytest.approx(returns.mean())
    assert told.error == pytest.approx(returns.mean(0).std(ddof=1) / 8**0.5)
    alone = earthgym.evaluate(GAME, first, opponents="script:greedy", games=2, seed=5, server=server)
    assert np.isnan(alone.error)


def test_view(server: earthgym.Server) -> None:
    """A view is the same in all positions that look the same, and leaves out what can't be known."""
    vec = earthgym.make_vec("new-earth:players=2", 1, server=server, seed=4)
    for _ in range(150):
        vec.step(vec.legal_mask().argmax(axis=1))
    player = int(vec.batch.actor[0])
    known, whole = json.loads(vec.view(player=player)), json.loads(vec.position())
    assert known["seats"].keys() == whole["seats"].keys()
    assert known["seats"][str(player)] == whole["seats"][str(player)]
    assert known != whole
    vec.redeal(player, key=9)
    assert json.loads(vec.view(player=player)) == known
    with pytest.raises(errors.BadPlayer):
        vec.view(player=-2)
    with pytest.raises(errors.BadPlayer):
        vec.view(player=2)
