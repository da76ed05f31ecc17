"""The golden frames are what this implementation writes and reads."""

from __future__ import annotations

import os
import select
import struct
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import earthgym
from earthgym import agent, errors, wire

FRAMES = Path(__file__).parents[2] / "testdata" / "frames"

GAME = "resilience-earth:players=2"


def actions(*numbers: int) -> bytes:
    return struct.pack(f"<{len(numbers)}i", *numbers)


REQUESTS: dict[str, tuple[dict[str, Any], bytes]] = {
    "01-hello": ({"id": 1, "op": "hello", "protocol": [1, 0], "role": "owner", "client": "golden"}, b""),
    "02-info": ({"id": 2, "op": "info", "game": "kuhn:players=2"}, b""),
    "03-make": (
        {
            "id": 3,
            "op": "make",
            "game": "kuhn:players=2",
            "lanes": 3,
            "seed": 1 << 40,
            "autoreset": "same_step",
            "record": True,
        },
        b"",
    ),
    "04-step": ({"id": 4, "op": "step", "env": 1}, actions(0, 1, 0)),
    "05-step": ({"id": 5, "op": "step", "env": 1}, actions(0, 300, -1)),
    "06-reset": ({"id": 6, "op": "reset", "env": 1, "which": [2, 0], "seeds": [70000, 3]}, b""),
    "07-observe": ({"id": 7, "op": "observe", "env": 1, "which": [0], "player": 1}, b""),
    "08-text": ({"id": 8, "op": "text", "env": 1, "lane": 1, "player": -2}, b""),
    "09-legal": ({"id": 9, "op": "legal", "env": 1, "lane": 1}, b""),
    "10-parse": ({"id": 10, "op": "parse", "env": 1, "texts": ["bet", "pass"]}, b""),
    "11-seeds": ({"id": 11, "op": "seeds", "env": 1}, b""),
    "12-record": ({"id": 12, "op": "record", "env": 1, "lane": 1}, b""),
    "13-make": (
        {
            "id": 13,
            "op": "make",
            "game": "kuhn:players=2",
            "lanes": 1,
            "seat": 1,
            "opponents": ["first"],
            "gamma": 0.5,
            "max_decisions": 9,
        },
        b"",
    ),
    "14-episodes": ({"id": 14, "op": "episodes", "env": 2}, b""),
    "15-close": ({"id": 15, "op": "close", "env": 2}, b""),
    "16-step": ({"id": 16, "op": "step", "env": 1, "which": [2, 1]}, actions(1, 0)),
}


def test_preamble() -> None:
    assert wire.preamble(b"secret") == (FRAMES / "preamble.bin").read_bytes()


@pytest.mark.parametrize("name", REQUESTS)
def test_requests(name: str) -> None:
    golden = (FRAMES / f"{name}.request").read_bytes()
    head, payload = REQUESTS[name]
    assert wire.decode(golden) == (head, payload)
    assert wire.encode(head, payload) == golden


class Heard:
    """A transport of golden frames, which keeps what is written."""

    def __init__(self, *names: str) -> None:
        self.data = b"".join((FRAMES / name).read_bytes() for name in names)
        self.written = b""

    def read_into(self, into: memoryview) -> int:
        n = min(len(into), len(self.data))
        into[:n], self.data = self.data[:n], self.data[n:]
        return n

    def write(self, data: bytes) -> None:
        self.written += data

    def wait(self) -> None:
        pass


def test_many_tables() -> None:
    """An agent that plays many games at once says and reads what one in Go does."""
    names = ["tables-0-hello", "tables-1-new_game", "tables-2-new_game", "tables-3-act"]
    transport = Heard("tables-0-hello.answer", *(f"{name}.request" for name in names[1:]))
    host = agent.Host(transport, "golden", "float32", "bytes", 2)  # type: ignore[arg-type]
    begun: list[tuple[int, int]] = []
    asked: list[int] = []

    def act(decisions: Sequence[agent.Decision]) -> list[int]:
        asked.extend(d.table for d in decisions)
        return [1, 0]

    host.serve(lambda seed, table: begun.append((table, seed)), act)
    assert begun == [(0, 7), (1, 8)]
    assert asked == [1, 0]
    said = [(FRAMES / f"{name}.{'answer' if i else 'request'}").read_bytes() for i, name in enumerate(names)]
    assert transport.written == wire.preamble() + b"".join(said)


def test_actions_too_large() -> None:
    """An action that does not fit into the frame is none, and no other is played instead."""
    transport = Heard("tables-0-hello.answer", "tables-3-act.request")
    host = agent.Host(transport, "golden", "float32", "bytes", 2)  # type: ignore[arg-type]
    asked = len(transport.written)
    host.serve(lambda seed, table: None, lambda decisions: [1 << 32, 0])
    head, _ = wire.decode(transport.written[asked:])
    assert head["error"]["code"] == "agent_failed"
    assert "too large" in head["error"]["message"]


def test_later_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a later minor version adds to its answers, and a table to what it asks, is passed over."""
    request = earthgym.Server.request

    def later(server: earthgym.Server, *args: Any, **fields: Any) -> tuple[dict[str, Any], bytes]:
        head, payload = request(server, *args, **fields)
        head["later"] = 1
        for episode in head.get("episodes", []):
            episode["later"] = 1
        if "blocks" in head:
            head["blocks"].append({"name": "later", "type": "uint8", "shape": [1], "offset": 0})
        return head, payload

    monkeypatch.setattr(earthgym.Server, "request", later)
    with earthgym.Server() as server, earthgym.Vec(server, GAME, 1, max_decisions=1, shared=False) as vec:
        vec.step(vec.batch.mask.argmax(1))
        episode = vec.episodes()[0]
        assert episode is not None
        assert episode.decisions == 1

    head, payload = wire.decode((FRAMES / "tables-3-act.request").read_bytes())
    head["later"] = 1
    head["seen"] = [[{"kind": "note", "player": 1, "text": "t", "later": 1}]] * head["count"]
    transport = Heard("tables-0-hello.answer")
    transport.data += wire.encode(head, payload)
    seen: list[agent.Event] = []

    def act(decisions: Sequence[agent.Decision]) -> list[int]:
        seen.extend(e for d in decisions for e in d.seen)
        return [0] * len(decisions)

    host = agent.Host(transport, "golden", "float32", "bytes", 2)  # type: ignore[arg-type]
    host.serve(lambda seed, table: None, act)
    assert seen == [agent.Event("note", 1, "t")] * head["count"]


class Said:
    """A transport that gives bytes in pieces of a size."""

    def __init__(self, data: bytes, piece: int) -> None:
        self.data, self.piece = data, piece

    def read_into(self, into: memoryview) -> int:
        n = min(self.piece, len(into), len(self.data))
        into[:n], self.data = self.data[:n], self.data[n:]
        return n


@pytest.mark.parametrize("piece", [1, 7, 100, 1 << 20])
def test_answers(piece: int) -> None:
    names = sorted(FRAMES.glob("*.answer"))
    assert len(names) >= 18
    golden = [name.read_bytes() for name in names]
    reader = wire.Reader(Said(b"".join(golden), piece))  # type: ignore[arg-type]
    for i, frame in enumerate(golden):
        head, payload = wire.decode(frame)
        into = memoryview(bytearray(len(payload))) if i % 2 else None
        got, rest = reader.frame(into)
        assert got == head
        assert (into.tobytes() if into is not None else rest) == payload
        if b"\xa2id\xcf" not in frame:  # whose number has a fixed width
            assert wire.encode(head, payload) == frame
    with pytest.raises(errors.ConnectionLost):
        reader.frame()


@pytest.fixture
def pipe() -> Iterator[tuple[wire.Reader, int]]:
    """A Reader on a pipe, and the descriptor that writes to it."""
    read, write = os.pipe()
    transport = wire.PipeTransport(read, os.open(os.devnull, os.O_WRONLY))
    yield wire.Reader(transport), write
    transport.close()
    try:
        os.close(write)
    except OSError:
        pass


@pytest.mark.parametrize("pause", [0.0, 0.00005, 0.002])
def test_slow_writer(pipe: tuple[wire.Reader, int], pause: float) -> None:
    """Frames that come in pieces, slower or faster than the reader looks for them."""
    reader, write = pipe
    frames = [wire.encode({"id": i}, bytes([i]) * 3000 * i) for i in range(1, 12)]

    def run() -> None:
        for frame in frames:
            for at in range(0, len(frame), 9000):
                time.sleep(pause)
                os.write(write, frame[at : at + 9000])
        os.close(write)

    writer = threading.Thread(target=run)
    writer.start()
    for i in range(1, 12):
        reader.wait()
        assert reader.frame() == ({"id": i}, bytes([i]) * 3000 * i)
    reader.wait()
    with pytest.raises(errors.ConnectionLost):
        reader.frame()
    writer.join()


def test_wait_sleeps(pipe: tuple[wire.Reader, int]) -> None:
    """A long wait takes next to no processor time, and the one after it none for looking."""
    reader, write = pipe
    for _ in range(2):
        timer = threading.Timer(0.3, os.write, (write, wire.encode({"id": 1})))
        timer.start()
        before = time.thread_time()
        reader.wait()
        assert time.thread_time() - before < 0.1
        reader.frame()
        timer.join()


def looks(looker: Any, waits: int, paying: Any) -> int:
    """How many of some waits look before they sleep, where a look pays if paying says so of the wait's number."""
    looked: list[bool] = []

    def poll(timeout: int | None = None) -> list[int]:
        if timeout is None or (looked[-1] and paying(len(looked))):
            return [1]
        looked[-1] = True
        return []

    looker._poll = poll
    while len(looked) < waits:
        looked.append(False)
        looker.wait()
    return sum(looked)


def test_looks_where_it_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where other programs have the cores looks are in vain: soon there are next to none. Where they pay, they stay."""
    monkeypatch.setattr(wire._Looker, "_LOOKING", 20e-6)
    looker = wire._Looker(0)
    assert looks(looker, 1, lambda _: True) == 1
    assert looks(looker, 2000, lambda _: False) < 20
    looks(looker, 5000, lambda _: True)
    assert looks(looker, 1000, lambda _: True) > 900
    assert looks(wire._Looker(0), 2000, lambda wait: wait % 2) < 700


def test_closed_while_waiting(pipe: tuple[wire.Reader, int]) -> None:
    reader, write = pipe
    timer = threading.Timer(0.05, os.close, (write,))
    timer.start()
    reader.wait()
    with pytest.raises(errors.ConnectionLost):
        reader.frame()
    timer.join()
    reader.wait()  # at once


def test_answer_values() -> None:
    head, payload = wire.decode((FRAMES / "03-make.answer").read_bytes())
    assert head["players"] == 2
    assert [b["name"] for b in head["blocks"]] == ["observation", "mask", "reward", "actor", "end"]
    assert all(b["offset"] % 64 == 0 for b in head["blocks"])
    error, _ = wire.decode((FRAMES / "05-step.answer").read_bytes())
    raised = errors.from_frame(error["error"])
    assert isinstance(raised, errors.IllegalAction)
    assert raised.lane == 1
    assert "lane 1" in str(raised)
    sizes = {b["name"]: b for b in head["blocks"]}
    _, arrays = wire.decode((FRAMES / "04-step.answer").read_bytes())
    assert len(arrays) == head["bytes"]
    at = sizes["actor"]["offset"]
    assert struct.unpack_from("<3i", arrays, at) == (1, 1, 1)
    assert payload == b""


def test_every_code_has_a_class() -> None:
    page = (FRAMES.parents[1] / "PROTOCOL.md").read_text()
    listed = [line.split("`")[1] for line in page[page.index("## Errors") :].splitlines() if line.startswith("| `")]
    assert len(listed) > 20
    for code in listed:
        assert type(errors.from_frame({"code": code, "message": "m"})).code == code


def test_no_frame() -> None:
    with pytest.raises(errors.BadFrame):
        wire.decode(b"\x09\x00\x00\x00\x01\x00\x00\x00\x80")


def test_without_poll(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody tells that something can be read, as on Windows, reading waits: pipes do everything all the same."""
    monkeypatch.delattr(select, "poll")
    with earthgym.Server() as server, earthgym.Vec(server, GAME, 3, seed=1, shared=False) as vec:
        want = [vec.step(vec.batch.mask.argmax(1)).observation.copy() for _ in range(20)]
    with pytest.raises(errors.ConnectionLost):
        server.info("one-earth")
    monkeypatch.undo()
    with earthgym.Server() as server, earthgym.Vec(server, GAME, 3, seed=1, shared=False) as vec:
        assert np.array_equal(want, [vec.step(vec.batch.mask.argmax(1)).observation.copy() for _ in range(20)])
        assert vec.server._process is not None
    with earthgym.Server() as server, earthgym.Vec(server, GAME, 3, seed=1, shared=False) as vec:
        monkeypatch.delattr(select, "poll")
        assert vec.server._process is not None
        vec.server._process.kill()
        vec.server._process.wait()
        with pytest.raises(errors.ConnectionLost, match="gone away"):
            vec.step(vec.batch.mask.argmax(1))
