"""Starting the earthgym program, or finding one that runs, and asking it things."""

from __future__ import annotations

import errno
import json
import math
import operator
import os
import shutil
import signal
import socket
import subprocess
import sys
import weakref
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, get_args

from . import errors, wire
from .remake import Remade

ObservationType = Literal["float32", "float16", "uint8"]
MaskType = Literal["bytes", "bits"]

NO_PROGRAM = (
    "there is no earthgym program: this package was installed from its source, which is without. Install a wheel, "
    "which has it inside (make wheel in the source tree of earthgym builds one); or build the program (make build) and "
    "name it with $EARTHGYM_BINARY or binary=, or put it on the PATH"
)

_PIPE_SIZE = 1 << 20


def find_binary(binary: str | os.PathLike[str] | None = None) -> str:
    """Finds the earthgym program: the one given, $EARTHGYM_BINARY, the package's own, or that of the PATH."""
    given = os.fspath(binary) if binary is not None else os.environ.get("EARTHGYM_BINARY", "")
    if given:
        if not _is_program(given):
            raise errors.BinaryNotFoundError(f"{given} is no program that can be run")
        return given
    own = Path(__file__).parent / "bin" / ("earthgym.exe" if sys.platform == "win32" else "earthgym")
    if _is_program(own):
        return str(own)
    found = shutil.which("earthgym")
    if found is None:
        raise errors.BinaryNotFoundError(NO_PROGRAM)
    return found


def _is_program(path: str | os.PathLike[str]) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)


def cannot_run(binary: str, e: OSError) -> errors.BinaryNotFoundError:
    """The error for a program that is there but that this machine cannot run: one for another kind of machine, say."""
    machine = os.uname().machine if hasattr(os, "uname") else "its processor"
    needed = f". This machine needs the program for {sys.platform} on {machine}"
    if e.errno in (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN):  # no fault of the program's
        needed = ""
    return errors.BinaryNotFoundError(f"{binary} cannot be run here: {e.strerror}{needed}")


def whole(what: str, value: Any, least: int, most: float = math.inf) -> int:
    """Python's own number for a whole one, of NumPy say; what is none, or is less or more, is refused."""
    try:
        number = operator.index(value)
    except TypeError:
        number = least - 1
    if not least <= number <= most:
        span = f", {least} or more," if most == math.inf else f" from {least} to {most}"
        raise ValueError(f"{what} {value!r}: a whole number{span} is wanted")
    return number


def read_data(data: str | os.PathLike[str] | bytes | None) -> bytes:
    """Component data: a file's name, or what is in the file."""
    if data is None:
        return b""
    if isinstance(data, bytes):
        return data
    return Path(data).read_bytes()


def _widen(fd: int) -> None:
    """Lets a pipe hold more, where that can be said."""
    try:
        import fcntl

        fcntl.fcntl(fd, getattr(fcntl, "F_SETPIPE_SZ", 1031), _PIPE_SIZE)
    except (ImportError, OSError):
        pass


def _stop(process: subprocess.Popen[bytes], transport: wire.Transport) -> None:
    """Ends a server: it leaves when its input ends, and is told to if somebody else holds that open."""
    transport.close()
    for seconds, insist in ((0.1, process.terminate), (5, process.kill)):
        try:
            process.wait(timeout=seconds)
            return
        except subprocess.TimeoutExpired:
            insist()
    process.wait()


_connected: weakref.WeakSet[Server] = weakref.WeakSet()


def _leave_to_parent() -> None:
    """Lets a forked child go of all connections: a server ends when the last who holds its input lets go."""
    for server in list(_connected):
        server._leave()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_to_parent)


class Server(Remade):
    """A connection to an earthgym program, which it starts unless ``address`` names one that runs.

    Args:
        binary: the program to start; see :func:`find_binary`.
        address: ``unix:PATH`` or ``tcp:HOST:PORT`` of a running ``earthgym serve``.
        token: the secret of that server, if it wants one.
        observation: how observations travel: ``float32``, ``float16``, or ``uint8`` (quantised over the range
            of each feature; :meth:`Vec.dequantise` gives floats).
        mask: ``bytes``, one for each action, or ``bits``.
        workers: goroutines that step, for a program that is started; 0 is one for each core.

    A program that was started ends with this object, with the interpreter, or with its death. A Server must
    not be used by several threads at once, and not by a forked child. Pickled, it is its arguments: whoever unpickles
    it has a connection of his own.
    """

    def __init__(
        self,
        binary: str | os.PathLike[str] | None = None,
        *,
        address: str | None = None,
        token: bytes | str = b"",
        observation: ObservationType = "float32",
        mask: MaskType = "bytes",
        workers: int = 0,
    ) -> None:
        for what, value, among in (("observation", observation, ObservationType), ("mask", mask, MaskType)):
            if value not in get_args(among):
                raise ValueError(f"{what} {value!r}: there are {', '.join(get_args(among))}")
        workers = whole("workers", workers, 0, 1024)
        self.observation: ObservationType = observation
        self.mask: MaskType = mask
        self._pid = os.getpid()
        self._id = 0
        self._taken = -1
        self._pending: deque[tuple[int, Callable[[dict[str, Any], bytes | None], None], memoryview | None]] = deque()
        self._process: subprocess.Popen[bytes] | None = None
        transport: wire.Transport
        if address is None:
            transport, self._close = self._start(find_binary(binary), workers)
        else:
            try:
                transport = self._connect(address)
            except OSError as e:
                raise errors.ConnectionLost(f"no server answers at {address}: {e.strerror or e}") from e
            self._close = weakref.finalize(self, transport.close)
        self._transport = transport
        _connected.add(self)
        self._reader = wire.Reader(transport)
        self.limits: dict[str, int] = {}
        """How much it gives a client, in the words of PROTOCOL.md."""
        try:
            self._send_raw(wire.preamble(token.encode() if isinstance(token, str) else token), [])
            hello, _ = self.request(
                "hello",
                protocol=[wire.MAJOR, wire.MINOR],
                role="owner",
                client="earthgym-python",
                observation=observation,
                mask=mask,
            )
        except BaseException:
            self.close()
            raise
        self.program: str = hello["program"]
        """Its name and version."""
        self.capabilities: list[str] = hello["capabilities"]
        """What it can do, in the words of PROTOCOL.md."""
        self.shares_memory: bool = self._is_near(address) and "shared-memory" in self.capabilities
        """Whether arrays can lie in memory that both sides see."""
        self.limits = hello["limits"]
        self.games: list[str] = hello["games"]
        """The games that it has."""

    def _start(self, binary: str, workers: int) -> tuple[wire.Transport, weakref.finalize[..., Any]]:
        try:
            process = subprocess.Popen(
                [binary, "serve", "--log", "warn", "--workers", str(workers)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
                # Ctrl-C is for this program, which closes the pipe.
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except OSError as e:
            raise cannot_run(binary, e) from e
        assert process.stdin is not None
        assert process.stdout is not None
        # The descriptors get a single owner, the transport.
        transport = wire.PipeTransport(os.dup(process.stdout.fileno()), os.dup(process.stdin.fileno()))
        _widen(process.stdin.fileno())
        _widen(process.stdout.fileno())
        process.stdin.close()
        process.stdout.close()
        self._process = process
        return transport, weakref.finalize(self, _stop, process, transport)

    @staticmethod
    def _is_near(address: str | None) -> bool:
        """Whether the server is this machine's, whatever it says: files that it names are opened."""
        return address is None or address.startswith("unix:")

    def _connect(self, address: str) -> wire.Transport:
        kind, _, where = address.partition(":")
        host, _, port = where.rpartition(":")
        if kind == "unix" and where and hasattr(socket, "AF_UNIX"):
            sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                sock.connect(where)
            except BaseException:
                sock.close()
                raise
        elif kind == "tcp" and port.isdecimal():
            sock = socket.create_connection((host.removeprefix("[").removesuffix("]"), int(port)))
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        else:
            raise ValueError(f"address {address!r}: it is unix:PATH, where there are such sockets, or tcp:HOST:PORT")
        for option in (socket.SO_RCVBUF, socket.SO_SNDBUF):
            sock.setsockopt(socket.SOL_SOCKET, option, _PIPE_SIZE)
        return wire.SocketTransport(sock)

    @property
    def process_id(self) -> int | None:
        """That of the program that was started; None for one that ran already."""
        return self._process.pid if self._process is not None else None

    def close(self) -> None:
        """Ends the connection, and the program if it was started here. A second call does nothing."""
        self._close()

    def _leave(self) -> None:
        """Closes this process's end of a connection that is another process's."""
        if self._close.detach() is not None:
            self._transport.close()

    def __deepcopy__(self, memo: dict[int, Any]) -> Server:
        """The same: Gymnasium copies the arguments of environments, and a connection has no copy."""
        return self

    @property
    def closed(self) -> bool:
        """Whether the connection has ended."""
        return not self._close.alive

    def _check_open(self) -> None:
        if os.getpid() != self._pid:
            raise errors.EarthgymError("a Server cannot be used in a forked process: make one there")
        if self.closed:
            raise errors.ConnectionLost("the server has been closed")

    def _lost(self, e: Exception) -> errors.ConnectionLost:
        """Closes the connection; gives the error that says how the server ended."""
        how = str(e)
        if self._process is not None:
            with suppress(subprocess.TimeoutExpired):
                code = self._process.wait(timeout=0.5)
                end = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with exit status {code}"
                how = f"it {end} ({e})"
        self.close()
        return errors.ConnectionLost(f"the server has gone away: {how}")

    def _send_raw(self, data: bytes | bytearray, written: list[int]) -> None:
        self._check_open()
        try:
            self._transport.write(data, written)
        except OSError as e:
            raise self._explain(e) from e
        except BaseException:  # Ctrl-C
            if 0 < sum(written) < len(data):
                self.close()
            raise

    def _explain(self, e: OSError) -> errors.EarthgymError:
        """Closes the connection; gives what the server has said before it went away."""
        try:
            while self._transport.readable(1.0):
                head, _ = self._reader.frame()
                if "error" in head:
                    self.close()
                    return errors.from_frame(head["error"])
        except (OSError, errors.ConnectionLost) as later:
            return self._lost(later)
        return self._lost(e)

    def next_id(self) -> int:
        """A new request id."""
        self._id += 1
        return self._id

    def send(
        self,
        request_id: int,
        frame: bytes | bytearray,
        done: Callable[[dict[str, Any], bytes | None], None],
        into: memoryview | None = None,
    ) -> None:
        """Sends a frame whose answer goes to done, when :meth:`receive` gets to it; its payload to into.

        After Ctrl-C :meth:`owes` says whether it has been sent. Then done may be called twice.
        """
        written: list[int] = []
        try:
            self._pending.append((request_id, done, into))
            self._send_raw(frame, written)
        except BaseException:
            if sum(written) < len(frame) and self.owes(request_id):
                self._pending.pop()
            raise

    def owes(self, request_id: int) -> bool:
        """Whether a request has been sent that has no answer yet."""
        return any(request_id == sent for sent, _, _ in self._pending)

    def receive(self) -> None:
        """Takes the answer to the oldest request that has none yet. It may be interrupted while it waits."""
        self._check_open()
        self._reader.wait()
        try:
            self._take()
        except BaseException:  # Ctrl-C
            if self._reader.torn:
                self.close()
            raise

    def _take(self) -> None:
        request_id, done, into = self._pending[0]
        try:
            head, payload = self._reader.peek(into)
        except (OSError, errors.ConnectionLost) as e:
            raise self._lost(e) from e
        if head["id"] == self._taken:  # and then Ctrl-C came
            if request_id == self._taken:
                self._pending.popleft()
            self._reader.drop()
            return
        error = head.get("error")
        if error is not None and (head["id"] == request_id or error.get("fatal")):
            if error.get("fatal"):
                self.close()
                raise errors.from_frame(error)
        elif head["id"] != request_id:
            self.close()
            raise errors.ConnectionLost(f"an answer to request {head['id']}, not to {request_id}")
        done(head, payload)
        self._taken = request_id
        self._pending.popleft()
        self._reader.drop()

    def request(self, op: str, payload: bytes = b"", **fields: Any) -> tuple[dict[str, Any], bytes]:
        """Asks one thing and waits for the answer: its head and payload. Fields that are None are left out."""
        request_id = self.next_id()
        head = {"id": request_id, "op": op, **{k: v for k, v in fields.items() if v is not None}}
        got: list[tuple[dict[str, Any], bytes | None]] = []
        frame = wire.encode(head, payload)
        size, most = len(frame) - 4, self.limits.get("frame", len(frame))
        if size > most:  # The server would end the connection.
            raise errors.FrameTooLarge(f"a frame of {size} bytes; at most {most} are read")
        self.send(request_id, frame, lambda h, p: got.append((h, p)))
        while not got:
            self.receive()
        answer, rest = got[0]
        if "error" in answer:
            raise errors.from_frame(answer["error"])
        return answer, rest or b""

    def info(self, game: str, data: str | os.PathLike[str] | bytes | None = None) -> dict[str, Any]:
        """What there is to know of a game: actions, observation, bounds. See ``earthgym games GAME --layout``."""
        _, doc = self.request("info", read_data(data), game=game)
        info: dict[str, Any] = json.loads(doc)
        return info


def game_text(game: str, options: Mapping[str, Any]) -> str:
    """The text of a game with options: ``game_text("one-earth", {"players": 3})`` is ``one-earth:players=3``."""

    def word(value: Any) -> str:
        if hasattr(value, "tolist"):  # of NumPy
            value = value.tolist()
        if isinstance(value, bool):
            return "on" if value else "off"
        if isinstance(value, Sequence) and not isinstance(value, str):
            return "+".join(map(str, value))
        return str(value)

    if not options:
        return game
    joined = ",".join(f"{k}={word(v)}" for k, v in options.items())
    return f"{game}{',' if ':' in game else ':'}{joined}"
