"""A Python policy as a seat in Go matches.

A program that ends with ``run(policy)`` is an agent::

    earthgym match one-earth 'remote:python my_agent.py' script:strong

Its standard output belongs to the protocol: what it prints once it runs goes to standard error, and before that it
must not print. Until it runs, imports included, it may take 10 seconds, as for each decision; a program that needs
longer is played as ``remote:limit=1m,COMMAND``.
"""

from __future__ import annotations

import json
import operator
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from . import errors, wire
from .server import MaskType, ObservationType


@dataclass(frozen=True)
class Event:
    """Something that the seat has seen: an action, a draw of chance, or a note.

    ``player`` is who acted; -1 for what happened by itself, -3 where that is hidden.
    """

    kind: str
    player: int
    text: str


class Decision:
    """One decision, and all that its seat may know. Valid until it is answered.

    Attributes:
        table: where it is to be made, of those of a :class:`Tables`.
        observation: what the seat sees, as it travels.
        mask: what it may do, booleans.
        player: the seat.
        seen: what it has seen since its last decision.
        info: what ``earthgym games --layout`` says of the game.
    """

    def __init__(
        self,
        host: Host,
        view: int,
        observation: npt.NDArray[Any],
        mask: npt.NDArray[np.bool_],
        player: int,
        seen: list[Event],
        table: int = 0,
    ) -> None:
        self._host = host
        self._view = view
        self.table = table
        self.observation = observation
        self.mask = mask
        self.player = player
        self.seen = seen

    @property
    def info(self) -> dict[str, Any]:
        """What ``earthgym games --layout`` says of the game."""
        return self._host.info

    def text(self) -> str:
        """The table as the seat reads it."""
        text: str = self._host.ask("text", view=self._view)[0]["text"]
        return text

    def story(self) -> list[str]:
        """What has happened since the seat's last decision, in sentences, as it may know it: ``seen`` in words."""
        return self._host.ask("story", view=self._view)[1].decode().splitlines()

    def view(self) -> dict[str, Any]:
        """The position with what the seat may know of it: what it can't know is left out, and None in lists."""
        known: dict[str, Any] = json.loads(self._host.ask("view", view=self._view)[1])
        return known

    def legal(self) -> dict[str, int]:
        """The legal actions by their texts."""
        head, _ = self._host.ask("legal", view=self._view)
        return dict(zip(head["texts"], head["actions"], strict=True))

    def parse(self, *texts: str) -> list[int]:
        """The actions of texts."""
        actions: list[int] = self._host.ask("parse", texts=list(texts))[0]["actions"]
        return actions

    def sample(self, count: int, key: int) -> npt.NDArray[Any]:
        """What every seat sees in states that may be the true one, [count, players, size].

        Draw the key from your own generator, seeded with what ``reset`` gets.
        """
        head, payload = self._host.ask("sample", view=self._view, count=count, key=key)
        return np.frombuffer(payload, np.dtype(head["type"]).newbyteorder("<")).reshape(head["shape"])

    def states(self, count: int, key: int) -> list[bytes]:
        """Whole states that may be the true one, with luck of their own, as :meth:`earthgym.Vec.restore` takes them.

        What a policy needs that looks ahead, in a :class:`earthgym.Vec` of ``game`` that it has made for itself.
        """
        head, payload = self._host.ask("sample", view=self._view, count=count, key=key, saved=True)
        ends = np.cumsum(head["sizes"])
        return [payload[end - size : end] for size, end in zip(head["sizes"], ends, strict=True)]

    @property
    def game(self) -> str:
        """The game with every option."""
        return self._host.game


class Policy(Protocol):
    """Who decides."""

    def act(self, decision: Decision, /) -> int:
        """Chooses one of the legal actions."""


class Tables:
    """Base class of policies that play many games at once.

    A match then asks for the decisions of many games together, which a network answers faster than one by one. What is
    decided at one table must not depend on the others: whatever is kept of a game is kept by ``decision.table``, and
    chance comes from the table's own generator, ``self.rng[decision.table]``::

        class Mine(agent.Tables):
            def act_batch(self, decisions):
                logits = net(np.stack([d.observation for d in decisions]))
                return [choose(row, d.mask, self.rng[d.table]) for row, d in zip(logits, decisions)]

    Attributes:
        tables: how many games at a time, at most; from 0 they are numbered.
        rng: the generator of each table, seeded anew for each of its games.
    """

    tables = 32
    rng: dict[int, np.random.Generator]

    def reset(self, seed: int, table: int) -> None:
        """Begins a game at a table."""
        self.__dict__.setdefault("rng", {})[table] = np.random.default_rng(seed)

    def act_batch(self, decisions: Sequence[Decision], /) -> Sequence[int]:
        """Chooses for each decision one of its legal actions."""
        raise NotImplementedError


class Host:
    """The conversation of an agent with its table, or its tables if there are several."""

    def __init__(
        self, transport: wire.Transport, name: str, observation: ObservationType, mask: MaskType, tables: int = 1
    ) -> None:
        self._transport = transport
        self._reader = wire.Reader(transport)
        self._id = 0
        self._mask = mask
        self._name = name
        transport.write(wire.preamble())
        many = {"tables": tables} if tables > 1 else {}
        hello, doc = self.ask(
            "hello",
            protocol=[wire.MAJOR, wire.MINOR],
            role="seat",
            client=name,
            observation=observation,
            mask=mask,
            **many,
        )
        self.game: str = hello["game"]
        self.move_limit: float = hello.get("move_ms", 0) / 1000
        self.info: dict[str, Any] = json.loads(doc)

    def ask(self, op: str, **fields: Any) -> tuple[dict[str, Any], bytes]:
        """Asks the table one thing."""
        self._id += 1
        self._transport.write(wire.encode({"id": self._id, "op": op, **fields}))
        self._reader.wait()
        head, payload = self._reader.frame()
        if "error" in head:
            raise errors.from_frame(head["error"])
        return head, payload or b""

    def serve(self, reset: Callable[[int, int], None], act: Callable[[Sequence[Decision]], Sequence[int]]) -> None:
        """Answers the table until it has had enough."""
        while True:
            self._reader.wait()
            try:
                head, payload = self._reader.frame()
            except errors.ConnectionLost:
                return
            answer: dict[str, Any] = {"id": head["id"]}
            rest = b""
            try:
                if head["op"] == "new_game":
                    reset(head.get("seed", 0), head.get("table", 0))
                elif head["op"] == "act":
                    actions = np.asarray(act(self._decisions(head, payload or b"")))
                    if actions.shape != (head["count"],) or actions.dtype.kind not in "iu":
                        raise errors.WrongLength(f"{head['count']} whole numbers are asked for, not {actions!r}")
                    if (actions.astype("<i4") != actions).any():
                        raise errors.IllegalAction(f"an action of {actions.tolist()} is too large for any table")
                    rest = actions.astype("<i4").tobytes()
                else:
                    text = f"there is no operation {head['op']!r}: there are: new_game, act"
                    answer["error"] = {"code": "unknown_op", "message": text}
            except Exception as e:
                self._tell(e)
                answer["error"] = {"code": "agent_failed", "message": f"{type(e).__name__}: {e}"}
            self._transport.write(wire.encode(answer, rest))

    def _tell(self, e: Exception) -> None:
        """Prints where an exception comes from, and whose it is: others write to standard error too."""
        lines = "".join(traceback.format_exception(type(e), e, e.__traceback__)).splitlines()
        sys.stderr.write("".join(f"{self._name}: {line}\n" for line in lines))

    def _decisions(self, head: dict[str, Any], payload: bytes) -> list[Decision]:
        arrays = {}
        for b in head["blocks"]:
            dtype = np.dtype(b["type"]).newbyteorder("<")
            offset = b.get("offset", 0)
            arrays[b["name"]] = np.frombuffer(payload, dtype, int(np.prod(b["shape"])), offset).reshape(b["shape"])
        mask = arrays["mask"]
        if self._mask == "bits":
            mask = np.unpackbits(mask, axis=1, count=len(self.info["actions"]), bitorder="little")
        tables = head.get("tables") or [0] * head["count"]
        return [
            Decision(
                self,
                i,
                arrays["observation"][i],
                mask[i].view(np.bool_),
                head["players"][i],
                [Event(**wire.known(Event, e)) for e in head["seen"][i]],
                tables[i],
            )
            for i in range(head["count"])
        ]


def _action(chosen: Any) -> int:
    try:
        return operator.index(chosen)
    except TypeError:
        raise errors.IllegalAction(f"{chosen!r} is no action: actions are whole numbers") from None


def run(
    policy: Policy | Tables | Callable[[Decision], int],
    *,
    name: str = "",
    observation: ObservationType = "float32",
    mask: MaskType = "bytes",
) -> None:
    """Plays until the match is over.

    Args:
        policy: a function of a :class:`Decision`, or an object with ``act``. An object may also have
            ``act_batch`` for several decisions at once, and ``reset(seed)``, called before each game with the
            seed that all of its chance is to come from. A :class:`Tables` plays many games at once.
        name: what the agent calls itself.
        observation: how observations travel.
        mask: how masks travel.
    """
    alone = f"this is an agent, which a match starts: earthgym match one-earth 'remote:python {sys.argv[0]}' random"
    if os.isatty(0):
        sys.exit(alone)
    # Frames have standard output for themselves; prints go to standard error.
    sys.stdout.flush()
    out = os.dup(1)
    os.dup2(2, 1)
    reset: Callable[[int, int], None]
    if isinstance(policy, Tables):
        many, reset = policy.act_batch, policy.reset
    else:
        one: Callable[[Decision], int] = policy.act if hasattr(policy, "act") else policy
        many = getattr(policy, "act_batch", None) or (lambda decisions: [_action(one(d)) for d in decisions])
        begin = getattr(policy, "reset", None) or (lambda seed: None)
        reset = lambda seed, table: begin(seed)  # noqa: E731
    name = name or getattr(policy, "__name__", type(policy).__name__)
    tables = policy.tables if isinstance(policy, Tables) else 1
    try:
        host = Host(wire.PipeTransport(os.dup(0), out), name, observation, mask, tables)
    except errors.ConnectionLost:  # before a word was said
        sys.exit(alone)
    try:
        host.serve(reset, many)
    except BrokenPipeError:
        pass  # The table has gone.
