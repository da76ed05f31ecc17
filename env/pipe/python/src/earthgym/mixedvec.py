"""One batch over several variants and numbers of players of a game. The first lanes that are ready can be had alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import errors
from .remake import Remade
from .server import ObservationType, Server, whole
from .vec import VEC_OPTIONS, Array, Batch, Episode, StepRequest, VecOptions, chosen_options, open_vec

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclass(frozen=True)
class Ready(Batch):
    """Where the lanes stand that are ready, a row for each of them.

    The arrays are as those of a :class:`Batch`, views for the most part, which change once their lanes have been sent
    actions. But the mask is of booleans, and the reward has a column for each seat of the variant that has most, 0
    where a variant has fewer.

    Attributes:
        lanes: [rows] int64, which lanes these are, rising.
        variant: [rows] int64, which of :attr:`MixedVec.games` they play.
    """

    lanes: npt.NDArray[np.int64]
    variant: npt.NDArray[np.int64]


@dataclass(eq=False)
class _Part:
    """Lanes that are stepped together, from one up to another."""

    first: int
    end: int
    request: StepRequest
    sent: int = 0


class MixedVec(Remade):
    """Environments of several variants of a game as one batch: observations and actions are laid out alike in all.

    The first that are ready need not wait for the others::

        with earthgym.mixed_vec({"one-earth:players=2": 64, "one-earth:players=3": 64}, parts=4) as vec:
            ready = vec.recv()
            while True:
                vec.send(policy(ready.observation, ready.mask))
                ready = vec.recv(min=32)

    :meth:`send` takes an action for each row that the last :meth:`recv` gave, and :meth:`step` is both, for all lanes.

    Args:
        games: the variants, and how many lanes play each, in order.
        parts: how many parts the lanes are stepped in, one after the other: those of a part are ready together.
        server: where; its ``observation`` counts then. Without one there is a server of its own.
        observation: how observations travel.
        options: of all games, and those of :class:`Vec`.
    """

    def __init__(
        self,
        games: Mapping[str, int],
        *,
        parts: int = 1,
        server: Server | None = None,
        observation: ObservationType = "float32",
        **options: Unpack[VecOptions],
    ) -> None:
        if not isinstance(games, Mapping):
            raise TypeError(
                f"mixed_vec() takes games with their lanes, {{'one-earth:players=2': 64}} say, not {games!r}"
            )
        if not games:
            raise ValueError("mixed_vec(): no games are named")
        sizes = {game: whole(f"lanes of {game}", lanes, 1) for game, lanes in games.items()}
        lanes = sum(sizes.values())
        parts = whole("parts", parts, 1, lanes)
        known = VEC_OPTIONS | {"parts", "server", "observation"}
        chosen = [chosen_options("mixed_vec", game, options, known) for game in sizes]
        own: dict[str, Any] = chosen[0][1]
        self._copy = own.pop("copy", False)
        (first, count), *more = [(text, n) for (text, _), n in zip(chosen, sizes.values(), strict=True)]
        self.vec = open_vec(first, count, server=server, observation=observation, more=more, **own)
        """All lanes, for whatever else may be asked of them: records, texts, saved states. Step them here alone."""
        self.games = self.vec.games
        """The variants with every option."""
        self.num_envs = lanes
        """How many lanes there are in all."""
        self.num_players = self.vec.num_players
        """How many seats the variant has that has most."""
        self.num_actions = self.vec.num_actions
        """How many actions the game has, legal or not."""
        self.observation_size = self.vec.observation_size
        """How many numbers an observation is."""
        self.info = self.vec.info
        """What ``earthgym games --layout`` says of the first variant."""
        self._forfeit = options.get("illegal") == "forfeit"
        self._lanes = np.arange(lanes)
        self._variant = np.repeat(np.arange(len(sizes)), list(sizes.values()))
        ends = [lanes * k // parts for k in range(parts + 1)]
        self._arrived = [
            _Part(a, b, StepRequest(self.vec.handle, b - a, None if parts == 1 else list(range(a, b))))
            for a, b in pairwise(ends)
        ]
        self._given: list[_Part] = []
        self._failed: list[dict[str, Any]] = []

    def __repr__(self) -> str:
        return f"<MixedVec of {self.num_envs} lanes of {' and '.join(self.games)}>"

    def _repr_html_(self) -> str | None:
        return self.vec._repr_html_()

    def _waiting(self) -> list[_Part]:
        """Those that were received last and have not been sent since, which Ctrl-C may have kept some of them from."""
        owes = self.vec.server.owes
        return [part for part in self._given if part not in self._arrived and not (part.sent and owes(part.sent))]

    def _rows(self, given: list[_Part]) -> Any:
        """Where their lanes are."""
        first, end = given[0].first, given[-1].end
        if not self._copy and sum(part.end - part.first for part in given) == end - first:
            return slice(first, end)
        return np.concatenate([self._lanes[part.first : part.end] for part in given])

    def send(self, actions: npt.ArrayLike) -> None:
        """Sends an action for each row that was received last. After :class:`IllegalAction` nothing has been sent."""
        given = self._waiting()
        if not given:
            raise errors.EarthgymError("nothing has been received that waits for actions: receive first")
        array = np.asarray(actions)
        rows = self._rows(given)
        lanes = self._lanes[rows]
        if (shape := lanes.shape) != array.shape or array.dtype.kind not in "iu":
            raise errors.WrongLength(
                f"actions have shape {array.shape} and type {array.dtype}: they are whole numbers of shape {shape}"
            )
        within = (array >= 0) & (array < self.num_actions)
        if not self._forfeit:
            legal = within & self.vec.legal_mask()[lanes, np.where(within, array, 0)]
            for i in np.flatnonzero(~legal & (self.vec.batch.actor[rows] >= 0)):
                lane = int(lanes[i])
                raise errors.IllegalAction(f"lane {lane}: action {array[i]} is not legal: the mask says what is", lane)
        array, at, server = np.where(within, array, -1), 0, self.vec.server
        for part in given:
            its = array[at : (at := at + part.end - part.first)]
            part.sent = server.next_id()
            server.send(part.sent, part.request.filled(part.sent, its), partial(self._done, part), self.vec.into)

    def _done(self, part: _Part, head: dict[str, Any], _: bytes | None) -> None:
        if head["id"] != part.sent:
            return  # It has been taken, and then Ctrl-C came.
        self._arrived, part.sent = [*self._arrived, part], 0
        if "error" in head:
            self._failed.append(head["error"])

    def recv(self, min: int | None = None) -> Ready:
        """Waits until so many lanes are ready, all if none is given, and gives those that are.

        The first call gives all as they stand. Rows that were given and not acted on are given again.
        """
        self._arrived, self._given = self._arrived + self._waiting(), []
        want = self.num_envs if min is None else whole("min", min, 1, self.num_envs)
        while not self._failed and sum(part.end - part.first for part in self._arrived) < want:
            self.vec.server.receive()
        if self._failed:
            raise errors.from_frame(self._failed.pop(0))
        self._given, self._arrived = sorted(self._arrived, key=lambda part: part.first), []
        return self._ready()

    def _ready(self) -> Ready:
        rows, batch = self._rows(self._given), self.vec.batch
        return Ready(
            observation=batch.observation[rows],
            mask=self.vec.legal_mask()[rows],
            reward=batch.reward[rows],
            actor=batch.actor[rows],
            end=batch.end[rows],
            lanes=self._lanes[rows],
            variant=self._variant[rows],
        )

    def step(self, actions: npt.ArrayLike) -> Ready:
        """Plays an action in each lane that was received last, and waits for all."""
        self.send(actions)
        return self.recv()

    def reset(self, seed: int | None = None) -> Ready:
        """Starts new games in all lanes: each lane's next, or that of the seed in the first, and so on."""
        self.recv()
        self.vec.reset(seed)
        return self._ready()

    def episodes(self) -> list[Episode | None]:
        """How the last finished game of each lane went; None if none has finished. All lanes have to be ready."""
        return self.vec.episodes()

    def features(self, observation: Array) -> dict[str, Array]:
        """Observations as views by the names of their features, as :meth:`Vec.features` gives them."""
        return self.vec.features(observation)

    def close(self) -> None:
        """Ends the games, and their server if it is their own."""
        self.vec.close()
