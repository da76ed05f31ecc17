"""Gymnasium environments: one seat learns, the others are played in the server by any agent.

``import earthgym`` registers them where Gymnasium is installed: ``gymnasium.make("earthgym/OneEarth-v1")``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from . import errors

try:
    import gymnasium
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as e:
    raise errors.missing_extra("earthgym.gym", "gymnasium") from e
else:
    errors.check_extra("earthgym.gym", "gymnasium")

from .options import EnvOptions
from .table import MODES, Table, check_mode
from .vec import FORFEITED, Autoreset, Vec, check_seed, env_vec

if TYPE_CHECKING:
    from typing_extensions import Unpack

Observation = npt.NDArray[np.float32]

_MODES: dict[AutoresetMode, Autoreset] = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "disabled",
}


def _spaces(vec: Vec) -> tuple[gymnasium.spaces.Space[Observation], gymnasium.spaces.Discrete]:
    low, high = vec.float_bounds()
    box = cast("gymnasium.spaces.Space[Observation]", gymnasium.spaces.Box(low, high, dtype=np.float32))
    return box, gymnasium.spaces.Discrete(vec.num_actions)


class EarthEnv(Table, gymnasium.Env[Observation, np.int64]):
    """One seat of a game.

    An observation is what the seat sees when it has to decide; ``info["action_mask"]`` says what it may do
    (int8, as ``action_space.sample(mask)`` takes it), as does :meth:`action_masks` for MaskablePPO. At the end of a
    game ``info["result"]`` says how it went: ``winners``, ``scores``, ``returns``, ``reason``, ``measures``, ``seed``,
    ``decisions``, ``length``, the number of them that were the seat's, ``lost``, whether what all share was (a fallen
    tower, a ruined Earth), and ``culprits``, the seats that have pushed it over.

    Args:
        game: the game, ``one-earth``.
        seat: the one that learns.
        opponents: agent texts (``random``, ``script:strong``, ``net:runs/x``) for the other seats in order; the
            last one plays all that are left. One text may stand for a list of one.
        render_mode: ``ansi`` gives the table as text, ``human`` prints it, ``rgb_array`` draws the board.
        rules: the version of the rules that the game must have, as ids name it; any, if left out.
        options: of the game, ``players=3``, and what every environment takes: :class:`earthgym.options.EnvOptions`.
    """

    metadata = {"render_modes": MODES, "render_fps": 4}

    def __init__(
        self,
        game: str,
        *,
        seat: int = 0,
        opponents: Sequence[str] | str = "random",
        render_mode: str | None = None,
        rules: int | None = None,
        **options: Unpack[EnvOptions],
    ) -> None:
        check_mode(render_mode)
        self.render_mode = render_mode
        self.seat = seat
        own = {"autoreset": "disabled", "seat": seat, "opponents": opponents, "shared": False}
        self._vec = env_vec(self, game, 1, options, **own)
        self._demand(rules)
        self.observation_space, self.action_space = _spaces(self._vec)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts a game: that of the seed, or the next one after the last seed."""
        seed = None if seed is None else check_seed(seed)
        super().reset(seed=seed)
        self._vec.reset(seed)
        if self.render_mode == "human":
            self.render()
        return self._observation(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays an action and, after it, the other seats up to this seat's next decision."""
        batch = self._vec.batch
        if batch.actor[0] < 0:
            raise errors.EarthgymError("the game is over: reset it")
        self._vec.step([self._action(action)])
        if self.render_mode == "human":
            self.render()
        return (
            self._observation(),
            float(batch.reward[0, self.seat]),
            bool(batch.terminated[0]),
            bool(batch.truncated[0]),
            self._info(),
        )

    def _observation(self) -> Observation:
        return self._vec.dequantise(self._vec.batch.observation[0])

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self._vec.legal_mask()[0].astype(np.int8)}
        if self._vec.batch.end[0] == FORFEITED:
            info["illegal"] = True
        if self._vec.batch.done[0]:
            info["result"] = self._result(self._vec.episodes()[0])
        return info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """What may be done, as sb3-contrib's MaskablePPO asks for it."""
        return np.array(self._vec.legal_mask()[0])

    def render(self) -> Any:
        """The table as the seat sees it: as text, or as pixels [height, width, 3]."""
        return self._show(self.seat)

    def close(self) -> None:
        """Ends the game, and its server if that is its own."""
        self._vec.close()


class EarthVectorEnv(Table, VectorEnv[Observation, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """Many games with one learning seat each, stepped together. The arguments are those of :class:`EarthEnv`.

    It gives what a ``SyncVectorEnv`` of ``EarthEnv`` gives on the same seeds and actions, faster: how games went is in
    ``infos["result"]``, or with ``SAME_STEP`` in ``infos["final_info"]["result"]``.
    """

    metadata: dict[str, Any] = {"render_modes": MODES[1:], "render_fps": 4}

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        seat: int = 0,
        opponents: Sequence[str] | str = "random",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        rules: int | None = None,
        **options: Unpack[EnvOptions],
    ) -> None:
        check_mode(render_mode, self.metadata["render_modes"])
        self.render_mode = render_mode
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.num_envs = num_envs
        self.seat = seat
        own = {"autoreset": _MODES[self.autoreset_mode], "seat": seat, "opponents": opponents}
        self._vec = env_vec(self, game, num_envs, options, **own)
        self._demand(rules)
        self.single_observation_space, self.single_action_space = _spaces(self._vec)
        self.observation_space = cast(Any, batch_space(self.single_observation_space, num_envs))
        self.action_space = cast(Any, batch_space(self.single_action_space, num_envs))

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts games in all lanes, or in those of ``options["reset_mask"]``."""
        lanes = list(range(self.num_envs))
        seeds: list[int | None]
        if np.ndim(cast(Any, seed)) == 1:
            seeds = list(cast("list[int | None]", seed))
        else:
            first = None if seed is None else check_seed(seed)
            super().reset(seed=first)
            seeds = [None if first is None else (first + i) % (1 << 64) for i in lanes]
        if len(seeds) != self.num_envs:
            raise ValueError(f"{len(seeds)} seeds for {self.num_envs} environments")
        if options is not None and "reset_mask" in options:
            reset_mask = np.asarray(options["reset_mask"])
            if reset_mask.shape != (self.num_envs,) or reset_mask.dtype != np.bool_ or not reset_mask.any():
                raise ValueError(f"reset_mask is a boolean array of shape ({self.num_envs},) with at least one True")
            lanes = [int(i) for i in np.flatnonzero(reset_mask)]
        seeded = [i for i in lanes if seeds[i] is not None]
        if seeded:
            self._vec.reset([cast(int, seeds[i]) for i in seeded], lanes=seeded)
        rest = [i for i in lanes if seeds[i] is None]
        if rest:
            self._vec.reset(lanes=rest)
        chosen = np.zeros(self.num_envs, np.bool_)
        chosen[lanes] = True
        return self._observations(), self._infos(chosen)

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[Observation, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]:
        """Plays one action in each game."""
        batch = self._vec.batch
        if self.autoreset_mode == AutoresetMode.DISABLED and (batch.actor < 0).any():
            over = np.flatnonzero(batch.actor < 0).tolist()
            raise errors.EarthgymError(f"the games in {over} are over: reset them with options={{'reset_mask': …}}")
        self._vec.step(actions)
        infos = self._infos(np.ones(self.num_envs, np.bool_))
        done = batch.done
        if done.any():
            self._add_ends(infos, np.flatnonzero(done).tolist())
        rewards = batch.reward[:, self.seat].astype(np.float64)
        return self._observations(), rewards, batch.terminated, batch.truncated, infos

    def _add_ends(self, infos: dict[str, Any], lanes: list[int]) -> None:
        """Adds how the games of lanes went that have just ended; new ones may follow them already."""
        same_step = self.autoreset_mode == AutoresetMode.SAME_STEP
        forfeited = self._vec.batch.end == FORFEITED
        for i, episode in zip(lanes, self._vec.episodes(lanes, player=self.seat), strict=True):
            assert episode is not None, "it has just ended"
            info: dict[str, Any] = {"result": self._result(episode)}
            if forfeited[i]:
                info["illegal"] = True
            if same_step:
                info["action_mask"] = np.zeros(self._vec.num_actions, np.int8)
                info = {"final_obs": self._vec.dequantise(episode.observation), "final_info": info}
            self._add_info(infos, info, i)

    def _observations(self) -> Observation:
        return self._vec.dequantise(self._vec.batch.observation)

    def _infos(self, lanes: npt.NDArray[np.bool_]) -> dict[str, Any]:
        masks = self._vec.legal_mask().astype(np.int8)
        masks[~lanes] = 0
        return {"action_mask": masks, "_action_mask": lanes}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """What may be done in each game, [num_envs, actions]."""
        return self._vec.legal_mask().copy()

    def render(self) -> tuple[Any, ...] | None:
        """The tables as the seat sees them."""
        if self.render_mode is None:
            gymnasium.logger.warn("render_mode is not set: make the environment with one")
            return None
        show = self._vec.picture if self.render_mode == "rgb_array" else self._vec.text
        return tuple(show(i, self.seat) for i in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        """Ends the games and their server."""
        self._vec.close()
