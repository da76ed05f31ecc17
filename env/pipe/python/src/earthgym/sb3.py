"""Many games at once for Stable-Baselines3, without a loop in Python over their environments."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from . import errors

try:
    import gymnasium
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as e:
    raise errors.missing_extra("earthgym.sb3", "sb3") from e
else:
    errors.check_extra("earthgym.sb3", "sb3")

from .options import EnvOptions
from .table import MODES, Table, check_mode
from .vec import FORFEITED, TRUNCATED, Batch, env_vec

if TYPE_CHECKING:
    from typing_extensions import Unpack

Indices = int | Iterable[int] | None


class EarthVecEnv(Table, VecEnv):  # type: ignore[misc]
    """Many games with one learning seat each, as a ``VecEnv``: it needs no ``Monitor``, ``DummyVecEnv`` or workers.

    MaskablePPO finds the masks of legal actions. When a game ends, its lane shows the start of the next one, and its
    info has ``terminal_observation``, ``TimeLimit.truncated``, ``episode`` (return, length, seconds: what a ``Monitor``
    gives), ``result`` as in :class:`earthgym.gym.EarthEnv`, and ``illegal`` after a forfeit.

    The arguments are those of :class:`earthgym.gym.EarthEnv`, whose ``num_envs`` are stepped together. Algorithms
    without masks, such as PPO, need ``illegal="forfeit"``.
    """

    def __init__(
        self,
        game: str,
        num_envs: int,
        *,
        seat: int = 0,
        opponents: Sequence[str] | str = "random",
        render_mode: Literal["rgb_array"] | None = None,
        **options: Unpack[EnvOptions],
    ) -> None:
        check_mode(render_mode, MODES[2:])
        self.render_mode = render_mode
        self.seat = seat
        own = {"autoreset": "same_step", "seat": seat, "opponents": opponents}
        self._vec = env_vec(self, game, num_envs, options, **own)
        low, high = self._vec.float_bounds()
        super().__init__(
            num_envs,
            gymnasium.spaces.Box(low, high, dtype=np.float32),
            gymnasium.spaces.Discrete(self._vec.num_actions),
        )
        self._start = time.perf_counter()
        self._answers = self._vec.answers
        self._clear()

    def _clear(self) -> None:
        self._returns = np.zeros(self.num_envs)
        self._lengths = np.zeros(self.num_envs, np.int64)

    def reset(self) -> npt.NDArray[np.float32]:
        """Starts games in all lanes: those of ``seed``, or each lane's next."""
        seeds = self._seeds
        self._vec.reset(None if seeds[0] is None else seeds)
        self._reset_seeds()
        self._reset_options()
        self._clear()
        self._answers = self._vec.answers
        return self._observations()

    def _observations(self) -> npt.NDArray[np.float32]:
        return self._vec.dequantise(self._vec.batch.observation)

    def step_async(self, actions: npt.NDArray[np.int64]) -> None:
        """Sends one action for each game."""
        batch = self._vec.batch
        if self._vec.answers != self._answers:  # to a step that Ctrl-C broke off
            self._told(batch)
        self._vec._send(actions, None)

    def step_wait(
        self,
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.bool_], list[dict[str, Any]]]:
        """Waits for what became of the actions."""
        return self._told(self._vec.recv())

    def _told(
        self, batch: Batch
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.bool_], list[dict[str, Any]]]:
        """Counts a step; gives what is told of it."""
        rewards, done = batch.reward[:, self.seat].copy(), batch.done
        returns, lengths = self._returns + rewards, self._lengths + 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if done.any():
            lanes = np.flatnonzero(done).tolist()
            for i, episode in zip(lanes, self._vec.episodes(lanes, player=self.seat), strict=True):
                assert episode is not None, "it has just ended"
                infos[i] = {
                    "terminal_observation": self._vec.dequantise(episode.observation),
                    "TimeLimit.truncated": bool(batch.end[i] == TRUNCATED),
                    "episode": {
                        "r": round(float(returns[i]), 6),
                        "l": int(lengths[i]),
                        "t": round(time.perf_counter() - self._start, 6),
                    },
                    "result": self._result(episode),
                }
                if batch.end[i] == FORFEITED:
                    infos[i]["illegal"] = True
            returns[lanes] = lengths[lanes] = 0
        # One line, which Ctrl-C does not come into: nothing is counted twice.
        self._answers, self._returns, self._lengths = self._vec.answers, returns, lengths
        return self._observations(), rewards, done, infos

    def action_masks(self, lane: int = 0) -> npt.NDArray[np.bool_]:
        """What may be done in a game."""
        return np.array(self._vec.legal_mask()[lane])

    def get_images(self) -> list[npt.NDArray[np.uint8] | None]:
        """The boards as the seat sees them."""
        if self.render_mode is None:
            return [None] * self.num_envs
        return [self._vec.picture(i, self.seat) for i in range(self.num_envs)]

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """The attribute, which all games have in common, once for each of them."""
        return [getattr(self, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Refuses: the games have no attributes of their own."""
        raise AttributeError(f"{attr_name} cannot be set in single games: all have one environment in common")

    def env_method(
        self, method_name: str, *method_args: Any, indices: Indices = None, **method_kwargs: Any
    ) -> list[Any]:
        """Asks each game something: ``action_masks``, ``legal`` or ``record``."""
        if method_name not in ("action_masks", "legal", "record"):
            raise AttributeError(f"there is no {method_name!r} of single games: action_masks, legal, record")
        method = getattr(self, method_name)
        return [method(i, *method_args, **method_kwargs) for i in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type, indices: Indices = None) -> list[bool]:
        """Whether the games are as if wrapped: they give what a ``Monitor`` gives."""
        return [wrapper_class is Monitor] * len(list(self._get_indices(indices)))

    def close(self) -> None:
        """Ends the games, and their server if that is their own."""
        self._vec.close()
