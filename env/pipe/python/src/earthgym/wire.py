"""Frames: how requests and answers travel. PROTOCOL.md is the specification."""

from __future__ import annotations

import dataclasses
import io
import os
import select
import socket
import struct
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

import msgpack
import numpy as np

from . import errors

MAJOR = 1
MINOR = 2

_MAGIC = b"EARTHGYM"
_LENGTHS = struct.Struct("<II")
_BUFFER = 1 << 16
_MOST_HEAD = 1 << 20

# The head of the answer to step, reset and show: {"id": uint64}, always in this form.
_BARE = b"\x81\xa2id\xcf"
_BARE_SIZE = len(_BARE) + 8


def preamble(token: bytes = b"") -> bytes:
    """What a client sends before all frames."""
    return _MAGIC + struct.pack("<HH", MAJOR, len(token)) + token


def encode(head: dict[str, Any], payload: bytes | memoryview = b"") -> bytes:
    """One frame."""
    # Half a character, which models write in JSON, is none of UTF-8.
    packed: bytes = msgpack.packb(head, default=_plain, unicode_errors="replace")
    if len(packed) > _MOST_HEAD:  # The other side would end the connection.
        raise errors.FrameTooLarge(f"a head of {len(packed)} bytes; at most {_MOST_HEAD} are read")
    return b"".join((_LENGTHS.pack(4 + len(packed) + len(payload), len(packed)), packed, payload))


def _plain(value: Any) -> Any:
    """Python's own number for one of NumPy, which is what loops over arrays hand in."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{value!r} can't be sent: requests have numbers of 64 bits, texts and lists")


def decode(frame: bytes) -> tuple[dict[str, Any], bytes]:
    """The head and payload of one whole frame."""
    size, head = _LENGTHS.unpack_from(frame)
    if size != len(frame) - 4 or head > size - 4:
        raise errors.BadFrame(f"a frame of {len(frame)} bytes cannot have the lengths {size} and {head}")
    return msgpack.unpackb(frame[8 : 8 + head]), frame[8 + head :]


def known(kind: Any, fields: dict[str, Any]) -> dict[str, Any]:
    """Those of an answer's fields that a dataclass has: a server of a later minor version may send more."""
    names = {field.name for field in dataclasses.fields(kind)}
    return {name: value for name, value in fields.items() if name in names}


class Transport(Protocol):
    """A stream of bytes in both directions."""

    def wait(self) -> None:
        """Returns when something can be read, or the stream has ended."""

    @property
    def read_into(self) -> Callable[[memoryview], int | None]:
        """Reads at least one byte, or 0 at the end."""

    def write(self, data: bytes | bytearray | memoryview, written: list[int] | None = None) -> None:
        """Writes all of data, and takes note of how much it has written, a part of it or all if Ctrl-C comes."""

    def readable(self, seconds: float) -> bool:
        """Says whether something can be read before the time is over."""

    def close(self) -> None:
        """Ends the stream."""


class _Looker:
    """Waits for input: looks for a while before it sleeps, since to wake takes longer than most answers.

    Where other programs want the cores, looking takes them from who is to answer. So it looks the less often, the
    less often that has paid: a look in vain weighs as much as two that found something, and as its weights grow the
    waits that go without a look between two double.
    """

    _LOOKING = 200e-6
    _IN_VAIN = 2
    _MOST = 8

    def __init__(self, fd: int) -> None:
        poller = select.poll()  # which Windows doesn't have
        poller.register(fd, select.POLLIN)
        self._poll = poller.poll
        self._doubt = 0  # 2**doubt - 1 waits go without a look after one in vain
        self._skip = 0

    def wait(self) -> None:
        """Returns when there is something to read, or the end."""
        if self._skip:
            self._skip -= 1
            self._poll()
            return
        if self._poll(0):
            return
        start = time.perf_counter()
        while time.perf_counter() - start < self._LOOKING:
            if self._poll(0):
                self._doubt = max(self._doubt - 1, 0)
                return
        self._doubt = min(self._doubt + self._IN_VAIN, self._MOST)
        self._skip = (1 << self._doubt) - 1
        self._poll()


def _can_look() -> bool:
    """Whether this system tells of pipes and sockets that something can be read. Where it doesn't, reading waits."""
    return hasattr(select, "poll")


def _go_on() -> None:
    """Waits for nothing: what reads next does."""


def _write(write: Callable[[Any], int], data: bytes | bytearray | memoryview, written: list[int]) -> None:
    """Writes all of data."""
    while (done := sum(written)) < len(data):
        # One call, within which no Ctrl-C comes between writing and taking note.
        written.extend(map(write, (memoryview(data)[done:] if done else data,)))


class PipeTransport:
    """Two file descriptors."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self._read, self._write = read_fd, write_fd
        self.read_into: Callable[[memoryview], int | None] = io.FileIO(read_fd, closefd=False).readinto
        io.FileIO(write_fd, "w", closefd=False)  # which makes the descriptor one of bytes, on Windows
        self.wait = _Looker(read_fd).wait if _can_look() else _go_on

    def write(self, data: bytes | bytearray | memoryview, written: list[int] | None = None) -> None:
        """Writes all of data, and takes note of how much it has written."""
        _write(partial(os.write, self._write), data, [] if written is None else written)

    def readable(self, seconds: float) -> bool:
        """Says whether something can be read before the time is over, or the end; True where nobody can tell."""
        return not _can_look() or bool(select.select([self._read], [], [], seconds)[0])

    def close(self) -> None:
        """Ends the stream."""
        for fd in {self._read, self._write}:
            try:
                os.close(fd)
            except OSError:
                pass


class SocketTransport:
    """A connected socket."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self.read_into: Callable[[memoryview], int | None] = sock.recv_into
        self.wait = _Looker(sock.fileno()).wait if _can_look() else _go_on

    def write(self, data: bytes | bytearray | memoryview, written: list[int] | None = None) -> None:
        """Writes all of data, and takes note of how much it has written."""
        _write(self._sock.send, data, [] if written is None else written)

    def readable(self, seconds: float) -> bool:
        """Says whether something can be read before the time is over."""
        return bool(select.select([self._sock], [], [], seconds)[0])

    def close(self) -> None:
        """Ends the stream."""
        self._sock.close()


def _some(n: int | None) -> int:
    """How much has been read, if it is something."""
    if not n:
        raise errors.ConnectionLost("the connection was closed by the other side")
    return n


class Reader:
    """Reads frames from a transport, large payloads straight to where they belong.

    Who may be interrupted has :meth:`peek` and :meth:`drop`: what Ctrl-C breaks off between the two can be read again,
    unless it is ``torn``.
    """

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._buffer = bytearray(_BUFFER)
        self._view = memoryview(self._buffer)
        self._at = 0  # what has been read but not used is buffer[at:end]
        self._end = 0
        self._got: list[int | None] = []  # what has been read and is not counted in end yet
        self._next = 0  # where the frame that was looked at ends
        self.torn = False
        """Whether a frame that the buffer can't hold is used in part."""

    def _fill(self, size: int) -> None:
        """Gets at least size bytes into the buffer, which can hold them."""
        while True:
            if self._got:
                self._end, self._got = self._end + _some(self._got[0]), []
            if self._end - self._at >= size:
                return
            if self._at + size > _BUFFER or self._at == self._end:
                kept = self._buffer[self._at : self._end]
                self._buffer[: len(kept)] = kept
                self._at, self._end = 0, len(kept)
            # One call, within which no Ctrl-C comes between reading and taking note.
            self._got.extend(map(self._transport.read_into, (self._view[self._end :],)))

    def _read(self, into: memoryview) -> None:
        """Fills into, from the buffer first."""
        have = min(len(into), self._end - self._at)
        into[:have] = self._view[self._at : self._at + have]
        self._at += have
        while have < len(into):
            have += _some(self._transport.read_into(into[have:]))

    def wait(self) -> None:
        """Returns when a frame has begun to arrive, or the stream has ended. Reads nothing."""
        if self._at == self._end and not self._got:
            self._transport.wait()

    def frame(self, into: memoryview | None = None) -> tuple[dict[str, Any], bytes | None]:
        """Reads one frame. A payload that fits into exactly goes there, and None stands for it."""
        frame = self.peek(into)
        self.drop()
        return frame

    def peek(self, into: memoryview | None = None) -> tuple[dict[str, Any], bytes | None]:
        """What :meth:`frame` gives, which is the next frame until :meth:`drop`."""
        self._fill(8)
        size, head_size = _LENGTHS.unpack_from(self._buffer, self._at)
        payload_size = size - 4 - head_size
        if payload_size < 0 or head_size > _MOST_HEAD:
            began = bytes(self._view[self._at : min(self._end, self._at + 40)])
            raise errors.ConnectionLost(
                f"what came is no frame: it begins with {began!r}. Has something been printed to standard output?"
            )
        fits = into is not None and len(into) == payload_size
        if size + 4 <= _BUFFER:
            self._fill(size + 4)
            at = self._at + 8
            self._next = at + head_size + payload_size
            raw = self._buffer[at : at + head_size]
            payload = self._view[at + head_size : self._next]
            if into is not None and fits:
                into[:] = payload
        else:
            self.torn = True
            self._at += 8
            raw = bytearray(head_size)
            self._read(memoryview(raw))
            payload = into if into is not None and fits else memoryview(bytearray(payload_size))
            self._read(payload)
            self._next = self._at
        bare = head_size == _BARE_SIZE and raw.startswith(_BARE)
        head: dict[str, Any] = {"id": int.from_bytes(raw[len(_BARE) :], "big")} if bare else msgpack.unpackb(raw)
        return head, None if fits else bytes(payload)

    def drop(self) -> None:
        """Goes on to the next frame."""
        self._at, self.torn = self._next, False
