"""Many games at once in which every seat is an agent: the loop of PettingZoo's AEC, as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from .remake import Remade
from .vec import Array, Batch, env_vec

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import EnvOptions


@dataclass(frozen=True)
class Turns:
    """Whose turn it is in every lane. The arrays are the reader's own, ``observation`` and ``mask`` with ``copy=True``.

    Attributes:
        observation: [lanes, size], what the agent that decides sees; a view, changed by the next step.
        mask: [lanes, actions] booleans, what it may do; a view too.
        agent: [lanes] int64, which one decides: a seat.
        reward: [lanes] float32, what that agent was paid since its last decision in this game.
        again: [lanes] booleans, whether it has decided before in this game: whether the reward is one for something.
        done: [lanes] booleans, whether the last step has ended a game; what else is here is of the next one.
        truncated: [lanes] booleans, whether it was cut off and not ended by the rules.
        final: [lanes, players] float32, where done: what each agent was paid since its last decision in the game that
            has ended; else 0.
        played: [lanes, players] booleans, where done: whether the agent had decided in that game; else False.
    """

    observation: Array
    mask: npt.NDArray[np.bool_]
    agent: npt.NDArray[np.int64]
    reward: npt.NDArray[np.float32]
    again: npt.NDArray[np.bool_]
    done: npt.NDArray[np.bool_]
    truncated: npt.NDArray[np.bool_]
    final: npt.NDArray[np.float32]
    played: npt.NDArray[np.bool_]


class AECVec(Remade):
    """Many games that are stepped together. In each one agent decides, and ``turns.agent`` says which.

    No agent waits in a row of its own, so nothing is padded, and all rows go through one network::

        vec = earthgym.aec_vec("one-earth", 256, players=3)
        turns = vec.reset(seed=1)
        for _ in range(1000):
            actions = policy(turns.observation, turns.mask)
            turns = vec.step(actions)

    What an agent earns for a decision is all that it is paid until its next one, which ``turns.reward`` is at that
    next one, and ``turns.final`` at the end of a game. The next game of a lane begins at once.

    Args:
        game: the game, ``one-earth``.
        num_envs: the number of lanes.
        copy: gives arrays of their own with each step, as in :class:`earthgym.Vec`.
        options: of the game, ``players=3``, and what every environment takes: :class:`earthgym.options.EnvOptions`.
    """

    _called = "aec_vec"

    def __init__(
        self,
        game: str,
        num_envs: int,
        *,
        copy: bool = False,
        **options: Unpack[EnvOptions],
    ) -> None:
        self.vec = env_vec(self, game, num_envs, options, autoreset="same_step", copy=copy)
        """The games themselves, and what else may be asked of them."""
        self.num_envs = num_envs
        self.num_agents = self.vec.num_players
        """How many seats there are."""
        self.num_actions = self.vec.num_actions
        """How many actions the game has, legal or not."""
        self.observation_size = self.vec.observation_size
        """How many numbers an observation is."""
        self.agents = [f"player_{p}" for p in range(self.num_agents)]
        """The agents' names, as PettingZoo's environments have them."""
        self._lanes = np.arange(num_envs)
        self._asked: tuple[int, npt.NDArray[np.int32] | None] | None = -1, None
        """What is not counted yet: how many answers there were before, and who played; nobody in a reset."""
        self._paid: npt.NDArray[np.float32]
        self._played: npt.NDArray[np.bool_]

    def __repr__(self) -> str:
        return f"<AECVec of {self.num_envs} × {self.vec.game}>"

    def _repr_html_(self) -> str | None:
        return self.vec._repr_html_()

    @property
    def turns(self) -> Turns:
        """Where all lanes stand: what the last step or reset gave. One that Ctrl-C broke off counts, if it was sent."""
        batch = self._counted()
        agent = batch.actor.astype(np.int64)
        reward, again = self._paid[self._lanes, agent], self._played[self._lanes, agent]
        return Turns(batch.observation, self.vec.legal_mask(), agent, reward, again, *self._ended)

    def _counted(self) -> Batch:
        """The batch, once the answer that it is of has been counted."""
        batch = self.vec.batch
        if self._asked is None or self._asked[0] == self.vec.answers:
            return batch
        agent = self._asked[1]
        if agent is None:
            paid, played = np.zeros_like(batch.reward), np.zeros(batch.reward.shape, np.bool_)
            done = truncated = np.zeros(self.num_envs, np.bool_)
        else:
            paid, played = self._paid.copy(), self._played.copy()
            paid[self._lanes, agent] = 0
            played[self._lanes, agent] = True
            paid += batch.reward
            done, truncated = batch.done, batch.truncated
        ends = done[:, None]
        ended = done, truncated, paid * ends, played & ends
        paid[done] = 0
        played[done] = False
        # One line, which Ctrl-C does not come into: nothing is counted twice.
        self._asked, self._paid, self._played, self._ended = None, paid, played, ended
        return batch

    def reset(self, seed: Sequence[int] | int | None = None) -> Turns:
        """Starts a game in every lane: on the seeds, or that and the next numbers, or each lane's next game."""
        self._asked = self.vec.answers, None
        self.vec.reset(seed)
        return self.turns

    def step(self, actions: npt.ArrayLike) -> Turns:
        """Plays one action in each lane, of the agent whose turn it is."""
        actor = self._counted().actor.copy()
        self._asked = self.vec.answers, actor
        self.vec.step(actions)
        return self.turns

    def close(self) -> None:
        """Ends the games, and their server if that is its own."""
        self.vec.close()
