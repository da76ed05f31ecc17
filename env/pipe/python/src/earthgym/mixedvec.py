"""One batch over several variants and numbers of players of a game. The first lanes that are ready can be had alone."""

from __future__ import annotations

import operator
import os
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from . import errors
from .remake import Remade
from .server import ObservationType, Server
from .vec import VEC_OPTIONS, Array, Batch, Episode, Vec, VecOptions, check_seed, chosen_options, fresh_seed

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclass(frozen=True)
class Ready(Batch):
    """Where the lanes stand that are ready. The arrays are the reader's own, a row for each of these lanes.

    Those that it has of a :class:`Batch` are as there, but for the mask, which is of booleans, and the reward, which
    has a column for each seat of the variant that has most, 0 where a variant has fewer.

    Attributes:
        lanes: [rows] int64, which lanes these are, rising.
        variant: [rows] int64, which of :attr:`MixedVec.games` they play.
    """

    lanes: npt.NDArray[np.int64]
    variant: npt.NDArray[np.int64]


@dataclass(frozen=True)
class _Part:
    """Lanes of one variant that are stepped together."""

    vec: Vec
    lanes: npt.NDArray[np.int64]
    variant: int


@dataclass
class _Program:
    """A server, and the parts whose answers it owes, in the order in which they come."""

    server: Server
    owes: deque[_Part] = field(default_factory=deque)


class MixedVec(Remade):
    """Environments of several variants of a game as one batch: observations and actions are laid out alike in all.

    The first that are ready need not wait for slow opponents elsewhere::

        with earthgym.mixed_vec({"one-earth:players=2": 64, "one-earth:players=3": 64}, parts=4) as vec:
            ready = vec.recv()
            while True:
                vec.send(policy(ready.observation, ready.mask))
                ready = vec.recv(min=32)

    :meth:`send` takes an action for each row that the last :meth:`recv` gave, and :meth:`step` is both, for all lanes.

    Args:
        games: the variants, and how many lanes play each, in order.
        parts: how many parts the lanes of each variant are stepped in: those of a part are ready together.
        workers: how many programs step, each with one core; 0 is one for each core. Parts are dealt to them in turn.
        observation: how observations travel.
        options: of all games, and those of :class:`Vec`, but for ``copy`` and ``first_lane``.
    """

    def __init__(
        self,
        games: Mapping[str, int],
        *,
        parts: int = 1,
        workers: int = 0,
        observation: ObservationType = "float32",
        **options: Unpack[VecOptions],
    ) -> None:
        sizes = {game: operator.index(lanes) for game, lanes in games.items()}
        parts = operator.index(parts)
        if not sizes or parts < 1 or min(sizes.values()) < parts:
            raise ValueError(
                f"mixed_vec(): {sizes} in {parts} parts: there is a game or more, with a lane for each of its parts"
            )
        known = VEC_OPTIONS - {"copy", "first_lane"}
        chosen = [chosen_options("mixed_vec", game, options, known) for game in sizes]
        seed = options.get("seed")
        first_seed = fresh_seed() if seed is None else check_seed(seed)
        self._parts: list[_Part] = []
        self._programs: list[_Program] = []
        try:
            for _ in range(min(workers or os.cpu_count() or 1, parts * len(sizes))):
                self._programs.append(_Program(Server(workers=1, observation=observation)))
            at = 0
            for variant, (lanes, (text, own)) in enumerate(zip(sizes.values(), chosen, strict=True)):
                for k in range(parts):
                    server = self._programs[len(self._parts) % len(self._programs)].server
                    count = lanes * (k + 1) // parts - lanes * k // parts
                    vec = Vec(server, text, count, **{**own, "seed": first_seed, "first_lane": at})
                    self._parts.append(_Part(vec, np.arange(at, at + count), variant))
                    self._check_alike(vec)
                    at += count
        except BaseException:
            self.close()
            raise
        vecs = [part.vec for part in self._parts]
        self.games = [vec.game for vec in vecs[::parts]]
        """The variants with every option."""
        self.num_envs = at
        """How many lanes there are in all."""
        self.num_players = max(vec.num_players for vec in vecs)
        """How many seats the variant has that has most."""
        self.num_actions = vecs[0].num_actions
        """How many actions the game has, legal or not."""
        self.observation_size = vecs[0].observation_size
        """How many numbers an observation is."""
        self.info = vecs[0].info
        """What ``earthgym games --layout`` says of the first variant."""
        self._forfeit = options.get("illegal") == "forfeit"
        self._arrived = list(self._parts)
        self._given: list[_Part] = []

    def _check_alike(self, vec: Vec) -> None:
        first = self._parts[0].vec
        if any(vec.info[key] != first.info[key] for key in ("action_hash", "observation_hash")):
            raise ValueError(f"mixed_vec(): {first.game} and {vec.game} are no variants of one game")

    def send(self, actions: npt.ArrayLike) -> None:
        """Sends an action for each row that was received last. After :class:`IllegalAction` nothing has been sent."""
        given = self._given
        if not given:
            raise errors.EarthgymError("nothing has been received that waits for actions: receive first")
        array = np.asarray(actions)
        rows = sum(len(part.lanes) for part in given)
        if array.shape != (rows,) or array.dtype.kind not in "iu":
            raise errors.WrongLength(
                f"actions have shape {array.shape} and type {array.dtype}: they are whole numbers of shape ({rows},)"
            )
        ends = np.cumsum([len(part.lanes) for part in given])
        each = list(zip(given, np.split(array, ends[:-1]), strict=True))
        for part, its in each if not self._forfeit else ():
            mask = part.vec.legal_mask()
            within = (its >= 0) & (its < self.num_actions)
            legal = within & mask[np.arange(len(its)), np.where(within, its, 0)]
            for i in np.flatnonzero(~legal & (part.vec.batch.actor >= 0)):
                lane = int(part.lanes[i])
                raise errors.IllegalAction(f"lane {lane}: action {its[i]} is not legal: the mask says what is", lane)
        for part, its in each:
            part.vec.send(its)
            given.remove(part)
            self._program(part).owes.append(part)

    def _program(self, part: _Part) -> _Program:
        return next(p for p in self._programs if p.server is part.vec.server)

    def recv(self, min: int | None = None) -> Ready:
        """Waits until so many lanes are ready, all if none is given, and gives those that are.

        The first call gives all as they stand. Rows that were given and not acted on are given again.
        """
        self._arrived += self._given
        self._given = []
        want = self.num_envs if min is None else operator.index(min)
        if not 1 <= want <= self.num_envs:
            raise ValueError(f"recv(): min={min}: from 1 to {self.num_envs} lanes can be ready")
        while sum(len(part.lanes) for part in self._arrived) < want:
            owing = [program for program in self._programs if program.owes]
            answering = Server.answering([program.server for program in owing])
            for program in owing:
                if program.server in answering:
                    self._take(program)
        self._given, self._arrived = sorted(self._arrived, key=lambda part: part.lanes[0]), []
        return self._ready()

    def _take(self, program: _Program) -> None:
        """Takes the answer of a program's oldest part, which is there even if an agent has failed in it."""
        part = program.owes[0]
        try:
            part.vec.recv()
        except errors.ServerError as e:
            program.owes.popleft()
            self._arrived.append(part)
            lane = None if e.lane is None else int(part.lanes[e.lane])
            where = "" if lane is None else f"lane {lane} of all, "
            raise type(e)(f"{where}{part.vec.game}: {e}", lane) from None
        program.owes.popleft()
        self._arrived.append(part)

    def _ready(self) -> Ready:
        batches = [part.vec.batch for part in self._given]
        width = self.num_players
        return Ready(
            observation=np.concatenate([b.observation for b in batches]),
            mask=np.concatenate([part.vec.legal_mask() for part in self._given]),
            reward=np.concatenate([np.pad(b.reward, ((0, 0), (0, width - b.reward.shape[1]))) for b in batches]),
            actor=np.concatenate([b.actor for b in batches]),
            end=np.concatenate([b.end for b in batches]),
            lanes=np.concatenate([part.lanes for part in self._given]),
            variant=np.repeat([part.variant for part in self._given], [len(part.lanes) for part in self._given]),
        )

    def step(self, actions: npt.ArrayLike) -> Ready:
        """Plays an action in each lane that was received last, and waits for all."""
        self.send(actions)
        return self.recv()

    def reset(self, seed: int | None = None) -> Ready:
        """Starts new games in all lanes: each lane's next, or that of the seed in the first, and so on."""
        self.recv()
        for part in self._given:
            part.vec.reset(None if seed is None else (check_seed(seed) + int(part.lanes[0])) % (1 << 64))
        return self._ready()

    def episodes(self) -> list[Episode | None]:
        """How the last finished game of each lane went; None if none has finished. All lanes have to be ready."""
        return [episode for part in self._parts for episode in part.vec.episodes()]

    def features(self, observation: Array) -> dict[str, Array]:
        """Observations as views by the names of their features, as :meth:`Vec.features` gives them."""
        return self._parts[0].vec.features(observation)

    def close(self) -> None:
        """Ends the games and their programs."""
        for program in self._programs:
            program.server.close()

    def __enter__(self) -> MixedVec:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
