"""Many environments at once: the fast way to train."""

from __future__ import annotations

import base64
import difflib
import html
import inspect
import mmap
import os
import struct
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt

from . import errors, wire
from .catalogue import GAMES, GameOptions
from .names import gym_id
from .options import Data, EnvOptions, Illegal
from .server import MaskType, ObservationType, Server, game_text, read_data, whole

if TYPE_CHECKING:
    from typing_extensions import Unpack

Array = npt.NDArray[Any]
Autoreset = Literal["next_step", "same_step", "disabled"]

RUNNING, TERMINATED, TRUNCATED, FORFEITED = range(4)
"""What :attr:`Batch.end` says of a lane's last step."""

_ID = struct.Struct(">Q")

_EPISODES = 1024
"""How many fit into an answer."""


def fresh_seed() -> int:
    """A seed that nobody has chosen: what environments begin with that are given none."""
    return int.from_bytes(os.urandom(7), "big")


def worker_seed(seed: int, worker: int) -> int:
    """The seed of one of many workers that collect games at the same time: other games for each, the same every time.

    Args:
        seed: of all of them together.
        worker: its number, 0 or more; ``env_config.worker_index`` of RLlib, say.
    """
    words = np.random.SeedSequence((check_seed(seed), check_seed(worker, "worker"))).generate_state(1, np.uint64)
    return int(words[0])


def check_seed(seed: Any, what: str = "seed") -> int:
    """Python's own number for a seed; what is none is refused."""
    return whole(what, seed, 0, (1 << 64) - 1)


def check_server(server: Any) -> Server:
    """A server; what is none is refused."""
    if not isinstance(server, Server):
        raise TypeError(f"server {server!r}: it is an earthgym.Server, Server(address={str(server)!r}) say")
    return server


def _lane_numbers(lanes: Sequence[int]) -> list[int]:
    """Python's own numbers of lanes; a mask of them, which older versions of NumPy take for such, is refused."""
    array = np.asarray(lanes)
    if array.size and array.dtype.kind not in "iu":
        raise TypeError(f"lanes {lanes!r}: whole numbers are wanted, 0 for the first lane")
    numbers: list[int] = array.tolist()
    return numbers


def _seeds(seed: Sequence[int] | int, lanes: int) -> list[int]:
    """One for each lane: those of a list, or a number and the next ones."""
    if isinstance(seed, (Sequence, np.ndarray)) and not isinstance(seed, (str, bytes)) and np.ndim(seed):
        return [check_seed(s) for s in seed]
    first = check_seed(seed)
    return [(first + i) % (1 << 64) for i in range(lanes)]


@dataclass(frozen=True)
class Batch:
    """Where all lanes stand. The arrays are views: they change with the next step of the Vec. Copy what you keep.

    So must JAX: ``jax.device_put`` may take over the memory of an array as it is. With ``copy=True`` each step gives
    arrays of its own, which can be kept, written to, and handed to JAX, PyTorch or whatever takes DLPack as they are.

    Attributes:
        observation: [lanes, size], of the seat that decides (of the last to decide once a game is over).
        mask: [lanes, actions] of 0 and 1, or packed bits: what that seat may do.
        reward: [lanes, players] float32, of the last step.
        actor: [lanes] int32, the seat that decides; -1 once a game is over.
        end: [lanes] uint8: 0 while the game runs, 1 ended by the rules, 2 truncated, 3 forfeited.
    """

    observation: Array
    mask: Array
    reward: npt.NDArray[np.float32]
    actor: npt.NDArray[np.int32]
    end: npt.NDArray[np.uint8]

    @property
    def done(self) -> npt.NDArray[np.bool_]:
        """Which games the last step ended."""
        return np.not_equal(self.end, RUNNING)

    @property
    def terminated(self) -> npt.NDArray[np.bool_]:
        """Which it ended by the rules, or by a forfeit."""
        return np.isin(self.end, (TERMINATED, FORFEITED))

    @property
    def truncated(self) -> npt.NDArray[np.bool_]:
        """Which it cut off."""
        return np.equal(self.end, TRUNCATED)


@dataclass(frozen=True)
class Episode:
    """How a game went.

    Attributes:
        number: how many games the lane has finished with it; the first is 1.
        seed: of the game.
        returns: what each seat got, from -1 to 1, by the rules alone, without shaping.
        scores: of each seat, as the game counts them.
        measures: what else the game tells of itself, in the order of ``info["measures"]``.
        winners: the seats that have won.
        reason: why it ended: one of ``info["ends"]``, ``truncated``, ``forfeit`` or ``agent failed``.
        decisions: of all seats.
        length: those of the client.
        lost: whether what the seats share was: a fallen tower, a ruined Earth.
        culprits: the seats that have pushed it over.
        observation: at its end, of the player asked for, or of who acted last.
    """

    number: int
    seed: int
    returns: list[float]
    scores: list[float]
    measures: list[float]
    winners: list[int]
    reason: str
    decisions: int
    length: int
    lost: bool
    culprits: list[int]
    observation: Array = field(repr=False)


class StepRequest:
    """A request that is sent again and again, with other actions each time.

    Args:
        env: the handle of the batch.
        lanes: how many are stepped.
        which: these are, all if it is left out.
    """

    def __init__(self, env: int, lanes: int, which: list[int] | None = None) -> None:
        head = {"id": 1 << 40, "op": "step", "env": env, **({} if which is None else {"which": which})}
        self._frame = bytearray(wire.encode(head, bytes(4 * lanes)))
        self._id_at = self._frame.index(_ID.pack(1 << 40))
        self._actions = np.frombuffer(self._frame, np.dtype("<i4"), lanes, len(self._frame) - 4 * lanes)

    def filled(self, request_id: int, actions: Array) -> bytearray:
        """The frame with these, valid until the next ones."""
        np.copyto(self._actions, actions, casting="unsafe")
        _ID.pack_into(self._frame, self._id_at, request_id)
        return self._frame


class VecOptions(GameOptions, total=False):
    """The options of :func:`make_vec`: those of games, and of a :class:`Vec`."""

    seed: int | None
    first_lane: int
    autoreset: Autoreset
    illegal: Illegal
    seat: int | None
    opponents: Sequence[str] | str
    shaping: float
    gamma: float
    max_decisions: int
    record: bool
    copy: bool
    data: Data


class Vec:
    """A batch of environments of one game. Made by :func:`make_vec`.

    The client plays every seat, or only ``seat``, the others being played by ``opponents`` in the server.
    :meth:`step` plays one action in each lane; :meth:`send` and :meth:`recv` are its two halves, between
    which another Vec of the same server may be used, so that the server steps the one while you think about
    the other; :class:`earthgym.mixed_vec` does that for you.

    Args:
        server: where.
        game: the game with its options.
        num_envs: the number of lanes.
        more: other variants of the game, and how many further lanes play each.
        seed: of all games, a fresh one if none is given: on the same seed, every lane has the games that the lanes of
            Go's ``env.Vec`` have. :func:`worker_seed` gives each of many workers one.
        first_lane: the number of the first lane, where this is a part of a larger batch on one seed.
        autoreset: what a lane does after the end of its game, as in Gymnasium.
        illegal: whether an illegal action is an ``error`` that changes nothing, or ``forfeit`` loses the game.
        seat: the only one that the client plays; None for all.
        opponents: agent texts for the other seats in order, the last one for all that are left. One text is a list
            of one.
        shaping: adds this times (gamma times the new potential less the old one) to each reward.
        gamma: the discount of the training.
        max_decisions: truncates longer games.
        record: keeps what :meth:`record` needs.
        copy: gives arrays of their own with each step, in place of views that change with the next one.
        data: component data instead of the built-in: a file's name, or what is in it.
        shared: whether arrays lie in memory that both sides see; None is wherever they can.
        owns_server: whether the server ends with this Vec.
    """

    def __init__(
        self,
        server: Server,
        game: str,
        num_envs: int,
        *,
        more: Sequence[tuple[str, int]] = (),
        seed: int | None = None,
        first_lane: int = 0,
        autoreset: Autoreset = "same_step",
        illegal: Illegal = "error",
        seat: int | None = None,
        opponents: Sequence[str] | str = (),
        shaping: float = 0.0,
        gamma: float = 1.0,
        max_decisions: int = 0,
        record: bool = False,
        copy: bool = False,
        data: Data = None,
        shared: bool | None = None,
        owns_server: bool = False,
    ) -> None:
        num_envs = whole("num_envs", num_envs, 1)
        self.server = check_server(server)
        self._owns_server = owns_server
        if shared and not server.shares_memory:
            raise errors.NotSupported("this connection shares no memory: pass shared=False, or leave it out")
        raw = read_data(data)
        self.info = server.info(game, raw)
        """What ``earthgym games --layout`` says of the game."""
        if isinstance(opponents, str):
            opponents = [opponents]
        made = self._make(
            raw,
            shared,
            game=game,
            lanes=num_envs,
            more=[{"game": text, "lanes": lanes} for text, lanes in more] or None,
            seed=fresh_seed() if seed is None else check_seed(seed),
            first_lane=first_lane or None,
            autoreset=autoreset,
            illegal=illegal,
            seat=seat,
            opponents=(list(opponents) if np.iterable(opponents) else opponents) or None,
            shaping=shaping,
            gamma=gamma,
            max_decisions=max_decisions,
            record=record or None,
        )
        self.handle: int = made["env"]
        """What the server calls it."""
        self.game: str = made["game"]
        """The game with every option."""
        self.games: list[str] = [self.game, *made.get("more", [])]
        """It and its variants that there are more of, in the order of their lanes."""
        self.num_envs = num_envs + sum(lanes for _, lanes in more)
        self.num_players: int = made["players"]
        """How many seats there are, in the variant that has most."""
        self.num_actions: int = made["actions"]
        """How many actions the game has, legal or not."""
        self.observation_size: int = made["size"]
        """How many numbers an observation is."""
        self._views = self._batch = Batch(**wire.known(Batch, {b["name"]: self._block(b) for b in made["blocks"]}))
        self._copy = copy
        self._request = StepRequest(self.handle, self.num_envs)
        self.answers = 0
        """How often the arrays have been answered."""
        self._sent = 0
        self._broken = False
        self._answer: dict[str, Any] | None = None
        self._closed = False
        self._call("show")

    def __repr__(self) -> str:
        return f"<Vec of {self.num_envs} × {self.game}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Vec is part of its server, and is neither pickled nor copied: save() gives what a lane is")

    def _repr_html_(self) -> str | None:
        """What notebooks show: the board of the first lane, as who decides sees it."""
        if self._closed or self.server.closed:
            return None
        picture = base64.b64encode(_png(self.picture())).decode()
        return f'<img style="max-width: 48em" src="data:image/png;base64,{picture}" alt="{html.escape(repr(self))}">'

    def _make(self, raw: bytes, shared: bool | None, **fields: Any) -> dict[str, Any]:
        wanted = self.server.shares_memory if shared is None else shared
        made, _ = self.server.request("make", raw, share=wanted or None, **fields)
        size: int = made["bytes"]
        self.into: memoryview | None = None
        """Where answers put the arrays; None where both sides see them."""
        if wanted and "shared" in made:  # No other server's file is opened.
            try:
                with open(made["shared"], "r+b") as f:
                    self._memory = memoryview(mmap.mmap(f.fileno(), size))
                return made
            except OSError:  # It is that of another container, say.
                self.server.request("close", env=made["env"])
                if shared:
                    raise
                return self._make(raw, False, **fields)
        self._memory = self.into = memoryview(bytearray(size))
        return made

    def _block(self, block: dict[str, Any]) -> Array:
        count = int(np.prod(block["shape"]))
        dtype = np.dtype(block["type"]).newbyteorder("<")
        view = np.frombuffer(self._memory, dtype, count, block["offset"]).reshape(block["shape"])
        view.flags.writeable = False
        return view

    @property
    def batch(self) -> Batch:
        """Where all lanes stand now."""
        self._heal()
        return self._batch

    # Stepping.

    def send(self, actions: npt.ArrayLike, lanes: Sequence[int] | None = None) -> None:
        """Sends one action for each lane, or for each of ``lanes``.

        The views of :attr:`batch` are not to be read until :meth:`recv`.
        """
        self._send(actions, lanes)
        self._broken = False

    def _send(self, actions: npt.ArrayLike, lanes: Sequence[int] | None) -> None:
        """Sends them, to be received when there is time for it, should Ctrl-C come before the answer."""
        self._heal()
        if self._sent:
            raise errors.EarthgymError("actions have been sent already: receive first")
        array = np.asarray(actions)
        count = self.num_envs if lanes is None else len(lanes)
        if array.shape != (count,) or (array.dtype.kind not in "iu" and count > 0):
            raise errors.WrongLength(
                f"actions have shape {array.shape} and type {array.dtype}: they are whole numbers of shape ({count},)"
            )
        if array.dtype.itemsize >= 4 and (array.astype(np.int32) != array).any():
            raise errors.IllegalAction("an action is too large for any table")
        request_id = self.server.next_id()
        if lanes is None:
            request = self._request.filled(request_id, array)
        else:
            head = {"id": request_id, "op": "step", "env": self.handle, "which": _lane_numbers(lanes)}
            request = bytearray(wire.encode(head, array.astype("<i4").tobytes()))
        self._post(request_id, request)

    def _post(self, request_id: int, frame: bytes | bytearray) -> None:
        """Sends a request that the arrays answer."""
        try:
            self._sent, self._broken = request_id, True
            self.server.send(request_id, frame, self._done, self.into)
        except BaseException:
            if not self.server.owes(request_id):
                self._sent, self._broken = 0, False
            raise

    def _done(self, head: dict[str, Any], _: bytes | None) -> None:
        if head["id"] == self._sent:
            self._answer = head

    def recv(self) -> Batch:
        """Waits for what became of the actions that were sent."""
        if not self._sent:
            raise errors.EarthgymError("no actions have been sent")
        while self._answer is None:
            self.server.receive()
        if self._copy:
            self._batch = Batch(**{name: view.copy() for name, view in vars(self._views).items()})
        answer, answers = self._answer, self.answers + ("error" not in self._answer)
        self._answer, self._sent, self._broken, self.answers = None, 0, False, answers
        if "error" in answer:
            raise errors.from_frame(answer["error"])
        return self._batch

    def step(self, actions: npt.ArrayLike, lanes: Sequence[int] | None = None) -> Batch:
        """Plays one action in each lane, or in each of ``lanes``. After :class:`IllegalAction` nothing has changed.

        Lanes that are not named keep their rows: those of ``reward`` and ``end`` tell of their own last step.
        """
        self._send(actions, lanes)
        return self.recv()

    def _heal(self) -> None:
        """Takes the answer to what was broken off, whatever it says: what was played was played."""
        if self._broken:
            with suppress(errors.ServerError):
                self.recv()

    def _call(self, op: str, **fields: Any) -> None:
        """An operation that is answered with the arrays."""
        if self._sent:  # What comes of actions that nobody has received is seen here.
            with suppress(errors.ServerError):
                self.recv()
        request_id = self.server.next_id()
        head = {"id": request_id, "op": op, "env": self.handle, **{k: v for k, v in fields.items() if v is not None}}
        self._post(request_id, wire.encode(head))
        self.recv()

    def reset(self, seed: Sequence[int] | int | None = None, lanes: Sequence[int] | None = None) -> Batch:
        """Starts new games in all lanes, or in some: each lane's next, or those of the seeds.

        One number stands for that seed in the first lane, the next one in the second, and so on.
        """
        which = None if lanes is None else _lane_numbers(lanes)
        seeds = None if seed is None else _seeds(seed, self.num_envs if which is None else len(which))
        self._call("reset", which=which, seeds=seeds)
        return self.batch

    def close(self) -> None:
        """Frees the environments."""
        if self._closed:
            return
        self._closed = True
        if self._owns_server:
            self.server.close()
        elif not self.server.closed:
            self.server.request("close", env=self.handle)

    def __enter__(self) -> Vec:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # What an owner may ask for.

    @property
    def action_names(self) -> list[str]:
        """The text of each action, in the order of the mask."""
        return [action["text"] for action in self.info["actions"]]

    def _ask(self, op: str, payload: bytes = b"", **fields: Any) -> tuple[dict[str, Any], bytes]:
        self._heal()
        if self._sent:
            raise errors.EarthgymError("actions have been sent: receive first")
        return self.server.request(op, payload, env=self.handle, **fields)

    def observe(self, player: int | None = None, lanes: Sequence[int] | None = None) -> Array:
        """What a player sees, [lanes, size]; without one what every seat sees, [lanes, players, size]."""
        head, payload = self._ask("observe", player=player, which=None if lanes is None else list(lanes))
        return np.frombuffer(payload, np.dtype(head["type"]).newbyteorder("<")).reshape(head["shape"])

    def episodes(self, lanes: Sequence[int] | None = None, player: int | None = None) -> list[Episode | None]:
        """How the last finished game of each lane went; None if none has finished."""
        which = list(range(self.num_envs) if lanes is None else lanes)
        episodes: list[Episode | None] = []
        for at in range(0, len(which), _EPISODES):
            head, payload = self._ask("episodes", player=player, which=which[at : at + _EPISODES])
            rows = np.frombuffer(payload, np.dtype(head["type"]).newbyteorder("<")).reshape(head["shape"])
            episodes += [
                Episode(observation=row, **wire.known(Episode, e)) if e["number"] else None
                for e, row in zip(head["episodes"], rows, strict=True)
            ]
        return episodes

    def seeds(self) -> list[int]:
        """The seeds of the running games."""
        seeds: list[int] = self._ask("seeds")[0]["seeds"]
        return seeds

    def position(self, lane: int = 0) -> bytes:
        """The position as JSON, hidden parts included."""
        return self._ask("position", lane=lane)[1]

    def view(self, lane: int = 0, player: int | None = None) -> bytes:
        """The position as JSON with what a player may know of it: who decides if none is given.

        What differs between positions that the player can't tell apart is left out, and null in lists.
        """
        return self._ask("view", lane=lane, player=player)[1]

    def set_position(self, position: bytes | str, lane: int = 0) -> Batch:
        """Puts a lane into a position. The luck to come stays as it was."""
        return self._changed("set_position", position.encode() if isinstance(position, str) else position, lane=lane)

    def save(self, lane: int = 0) -> bytes:
        """Position and luck of a lane."""
        return self._ask("save", lane=lane)[1]

    def restore(self, saved: bytes, lane: int = 0, *, luck: int = 0) -> Batch:
        """Goes on from what :meth:`save` gave; with ``luck`` other than 0 all luck to come is drawn anew from that."""
        return self._changed("restore", saved, lane=lane, key=luck or None)

    def copy(self, lane: int, to: Sequence[int], vec: Vec | None = None) -> Batch:
        """Makes other lanes, of this Vec or of another one, what a lane is."""
        if vec is not None and vec is not self:
            if vec.server is not self.server:
                raise ValueError(f"{vec!r} is on another server: save() what a lane is here, and restore() it there")
            self._ask("copy", lane=lane, to=list(to), to_env=vec.handle)
            vec._call("show")
            return vec.batch
        return self._changed("copy", lane=lane, to=list(to))

    def redeal(self, player: int, key: int, lane: int = 0) -> Batch:
        """Draws anew all that a player cannot know, and all luck to come."""
        return self._changed("redeal", lane=lane, player=player, key=key)

    def _changed(self, op: str, payload: bytes = b"", **fields: Any) -> Batch:
        self._ask(op, payload, **fields)
        self._call("show")
        return self.batch

    def record(self, lane: int = 0, *, finished: bool = False) -> bytes:
        """The game that a lane shows, or the last one that it finished, as ``earthgym replay`` reads it."""
        return self._ask("record", lane=lane, finished=finished or None)[1]

    def story(
        self, lane: int = 0, player: int | None = None, *, since: int = 0, finished: bool = False
    ) -> tuple[list[str], int]:
        """What has happened from a step of the game on, in sentences, and the number of steps so far.

        Step 0 is the set-up, the others are the decisions. A player (who decides if none is given; -2 is a spectator)
        is told what it may know, with ``finished`` of the last finished game. Needs ``record=True``.
        """
        head, payload = self._ask("story", lane=lane, player=player, since=since or None, finished=finished or None)
        return payload.decode().splitlines(), head["steps"]

    def text(self, lane: int = 0, player: int | None = None) -> str:
        """The table as a player reads it: who decides if none is given; -2 is a spectator."""
        text: str = self._ask("text", lane=lane, player=player)[0]["text"]
        return text

    def legal(self, lane: int = 0) -> dict[str, int]:
        """The legal actions of a lane by their texts."""
        head, _ = self._ask("legal", lane=lane)
        return dict(zip(head.get("texts", []), head["actions"], strict=True))

    def parse(self, *texts: str) -> list[int]:
        """The actions of texts."""
        for text in texts:
            if not isinstance(text, str):
                raise errors.UnknownAction(f"{text!r} is no action's text: legal() gives those of what may be done")
        actions: list[int] = self._ask("parse", texts=list(texts))[0]["actions"]
        return actions

    def picture(self, lane: int = 0, player: int | None = None) -> npt.NDArray[np.uint8]:
        """The board as a player sees it, [height, width, 3] (who decides if none is given; -2 is a spectator)."""
        head, payload = self._ask("picture", lane=lane, player=player)
        return np.frombuffer(payload, np.uint8).reshape(head["shape"]).copy()

    # Numbers.

    def bounds(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """The least and the greatest value of each number of an observation."""
        return observation_bounds(self.info)

    def float_bounds(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """The bounds of what :meth:`dequantise` gives: wider by a hundredth where numbers travel rounded."""
        low, high = self.bounds()
        rounding = 0.0 if self.server.observation == "float32" else 1e-2
        return low - np.float32(rounding), high + np.float32(rounding)

    def dequantise(self, observation: Array) -> npt.NDArray[np.float32]:
        """Observations as float32, however they travelled."""
        if observation.dtype != np.uint8:
            return observation.astype(np.float32)
        low, high = self.bounds()
        return (low + observation.astype(np.float32) * ((high - low) / 255)).astype(np.float32)

    def features(self, observation: Array) -> dict[str, Array]:
        """Observations [..., size] as views by the names of their features, each of the feature's shape."""
        lead = observation.shape[:-1]
        return {
            f["name"]: observation[..., f["offset"] : f["offset"] + int(np.prod(f["shape"]))].reshape(
                *lead, *f["shape"]
            )
            for f in self.info["observation"]
        }

    def describe(self, row: npt.ArrayLike) -> list[str]:
        """One row of an observation in sentences, a line for each feature that is not 0 throughout."""
        numbers = np.asarray(row)
        if numbers.shape != (self.observation_size,):
            shape, want = list(numbers.shape), self.observation_size
            raise ValueError(f"a row of this game's observation has {want} numbers; this has the shape {shape}")
        return describe(self.info, self.dequantise(numbers))

    def legal_mask(self) -> npt.NDArray[np.bool_]:
        """The masks as [lanes, actions] booleans, however they travelled."""
        mask = self.batch.mask
        if self.server.mask == "bits":
            mask = np.unpackbits(mask, axis=1, count=self.num_actions, bitorder="little")
        return mask.view(np.bool_)


def _png(pixels: npt.NDArray[np.uint8]) -> bytes:
    """The file of a picture [height, width, 3]."""
    height, width, _ = pixels.shape
    rows = np.insert(pixels.reshape(height, -1), 0, 0, axis=1)  # each begins with the number of its filter

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows.tobytes())) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def observation_bounds(info: dict[str, Any]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """The least and the greatest value of each number of an observation."""
    sizes = [int(np.prod(f["shape"])) for f in info["observation"]]
    low = np.repeat([f["low"] for f in info["observation"]], sizes).astype(np.float32)
    high = np.repeat([f["high"] for f in info["observation"]], sizes).astype(np.float32)
    return low, high


def describe(info: dict[str, Any], row: npt.NDArray[np.float32]) -> list[str]:
    """An observation in sentences, as ``earthgym games --observation`` tells it; info is that of the game."""
    lines = []
    for feature in info["observation"]:
        shape: list[int] = feature["shape"]
        axes: list[list[str] | None] = feature.get("axes") or []
        words = [(axes[d] if d < len(axes) else None) or [f"[{k}]" for k in range(n)] for d, n in enumerate(shape)]
        size = int(np.prod(shape))
        numbers = row[feature["offset"] :][:size].reshape(shape)
        groups = []
        for place in np.ndindex(*shape[:-1]):
            told = []
            for k in np.flatnonzero(numbers[place]):
                number = f"{numbers[(*place, k)]:.4g}"
                word = words[-1][k]
                told.append(number if size == 1 else word if number == "1" else f"{word} = {number}")
            if told:
                head = " ".join(words[d][i] for d, i in enumerate(place))
                groups.append((head and f"{head}: ") + ", ".join(told))
        if groups:
            lines.append(f"{feature['name']} ({feature['help']}): {'; '.join(groups)}")
    return lines


def random_legal(mask: npt.NDArray[np.bool_], rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """One legal action of each row, all alike; 0 in rows that have none."""
    rows, actions = mask.shape
    flat = np.flatnonzero(mask)
    starts = np.searchsorted(flat, np.arange(rows + 1) * actions)
    counts = np.diff(starts)
    picks = starts[:-1] + (rng.random(rows) * counts).astype(np.int64)
    if flat.size == 0:
        return np.zeros(rows, np.int64)
    chosen: npt.NDArray[np.int64] = flat[np.minimum(picks, flat.size - 1)] % actions
    chosen[counts == 0] = 0
    return chosen


class Evaluation(NamedTuple):
    """What a policy returns; as text it is "+0.45 ± 0.04"."""

    mean: float
    """The mean return, from -1 to 1."""
    error: float
    """Its standard error over game seeds; NaN if there is but one."""

    def __str__(self) -> str:
        return f"{self.mean:+.2f} ± {self.error:.2f}"


def evaluate(
    game: str,
    policy: Callable[[Array, npt.NDArray[np.bool_]], npt.ArrayLike],
    *,
    opponents: Sequence[str] | str = "random",
    games: int = 256,
    seed: int | None = None,
    **options: Unpack[EnvOptions],
) -> Evaluation:
    """Plays a policy against agents, in each seat as often, and gives its mean return and the standard error of that.

    Args:
        game: the game, ``one-earth``.
        policy: gives an action for each row of observations [rows, size] and masks [rows, actions], which are its own
            to keep or to hand to JAX and PyTorch. There are as many rows each time, so that JAX and ``torch.compile``
            compile it once; those of games that are over may do the first thing.
        opponents: agent texts for the other seats, as in :class:`Vec`.
        games: their number at least; every seat plays the same game seeds.
        seed: of the games; on the same one policies meet the same games.
        options: of the game, ``players=3``, and what every environment takes: :class:`earthgym.options.EnvOptions`.
    """
    text, chosen = chosen_options("evaluate", game, options, _ENV_OPTIONS | {"opponents", "games", "seed"})
    if not callable(policy):
        raise TypeError(
            f"policy {policy!r}: it is a function that gives an action for each row; earthgym match plays agents"
        )
    games = whole("games", games, 1)
    seed = fresh_seed() if seed is None else seed
    given = chosen.pop("server", None)
    with Server(**_connection(chosen)) if given is None else nullcontext(check_server(given)) as table:
        seats = table.info(text, chosen.get("data"))["players"]
        lanes = -(-games // seats)
        returns = np.zeros(lanes)  # A lane's games are of one seed in every seat, and not independent.
        for seat in range(seats):
            own: Any = {"seed": seed, "seat": seat, "opponents": opponents, "autoreset": "disabled", "copy": True}
            with Vec(table, text, lanes, **own, **chosen) as vec:
                while (vec.batch.actor >= 0).any():
                    mask = vec.legal_mask().copy()
                    mask[vec.batch.actor < 0, 0] = True
                    vec.step(policy(vec.batch.observation, mask))
                for lane, episode in enumerate(vec.episodes()):
                    assert episode is not None, "all games have ended"
                    returns[lane] += episode.returns[seat] / seats
    error = float(np.std(returns, ddof=1) / lanes**0.5) if lanes > 1 else float("nan")
    return Evaluation(float(np.mean(returns)), error)


VEC_OPTIONS = VecOptions.__optional_keys__ - GameOptions.__optional_keys__
"""What a :class:`Vec` takes beside the options of its game."""
_ENV_OPTIONS = EnvOptions.__optional_keys__ - GameOptions.__optional_keys__


def make_vec(
    game: str,
    num_envs: int,
    *,
    server: Server | None = None,
    observation: ObservationType = "float32",
    mask: MaskType = "bytes",
    **options: Unpack[VecOptions],
) -> Vec:
    """Makes a batch of environments, with a server of its own unless one is given.

    Args:
        game: the game, ``one-earth``, or with its options, ``one-earth:players=3``.
        num_envs: the number of lanes.
        server: where; its ``observation`` and ``mask`` count then.
        observation: how observations travel.
        mask: how masks travel.
        options: of the game, ``players=3``, and those of :class:`Vec`.
    """
    text, chosen = chosen_options("make_vec", game, options, VEC_OPTIONS | {"server", "observation", "mask"})
    return open_vec(text, num_envs, server=server, observation=observation, mask=mask, **chosen)


def env_vec(env: Any, game: str, num_envs: int, options: Mapping[str, Any], **own: Any) -> Vec:
    """The batch that an environment is made of.

    Args:
        env: the environment. Its user calls the class, or what that says in ``_called``.
        game: the game with its options.
        num_envs: the number of lanes.
        options: more of the game's options, and those of the environment.
        own: what the kind of environment decides, as far as the options don't.
    """
    kind = type(env)
    words = inspect.signature(kind.__init__).parameters.values()
    taken = {word.name for word in words if word.kind is word.KEYWORD_ONLY}
    text, chosen = chosen_options(getattr(kind, "_called", kind.__name__), game, options, _ENV_OPTIONS | taken)
    return open_vec(text, num_envs, **{**own, **chosen})


def chosen_options(
    called: str, game: str, options: Mapping[str, Any], known: frozenset[str]
) -> tuple[str, dict[str, Any]]:
    """The game's text with those of the options that are its own, and the others, which are known."""
    if not isinstance(game, str):
        raise TypeError(f"{called}() takes a game's text, 'one-earth:players=3' say, not {game!r}")
    for word in options.keys() - GameOptions.__optional_keys__ - known:
        near = difflib.get_close_matches(word, [*known, *GameOptions.__optional_keys__], 1, 0.7)
        meant = f"; beside those of games there are {', '.join(sorted(known))}"
        if word == "seed":
            meant = ": it is named when games are reset"
        elif near:
            meant = f": did you mean {near[0]!r}?"
        raise TypeError(f"{called}() has no option {word!r}{meant}")
    of_game = {k: v for k, v in options.items() if k not in known}
    name = game.partition(":")[0].removeprefix("earthgym/").partition("-v")[0]
    for own in GAMES:
        if name == gym_id(own).partition("-v")[0]:
            raise errors.UnknownGame(
                f"{called}() takes games by their own names: {own!r}, which Gymnasium calls {game}"
            )
    return game_text(game, of_game), {k: v for k, v in options.items() if k in known}


def _connection(options: dict[str, Any]) -> dict[str, Any]:
    """Takes out of options those of a connection."""
    return {k: options.pop(k) for k in ("observation", "mask") if k in options}


def open_vec(game: str, num_envs: int, *, server: Server | None = None, **options: Any) -> Vec:
    """A batch, with a server of its own unless one is given."""
    connection = _connection(options)
    if server is not None:
        return Vec(server, game, num_envs, **options)
    server = Server(**connection)
    try:
        return Vec(server, game, num_envs, owns_server=True, **options)
    except BaseException:
        server.close()
        raise
