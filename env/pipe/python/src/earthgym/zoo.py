"""A PettingZoo AEC environment: every seat is an agent."""

from __future__ import annotations

import os
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from pettingzoo import AECEnv

from . import errors, rendering
from .server import Server, game_text
from .vec import Vec, make_vec, observation_bounds


class EarthAEC(AECEnv):  # type: ignore[misc]
    """A game whose seats are the agents, ``player_0`` and so on.

    Observations are ``{"observation": float32, "action_mask": int8}``; the mask of an agent that does not
    decide is zero. An illegal action raises :class:`IllegalAction`; wrap the environment in PettingZoo's
    ``TerminateIllegalWrapper`` for another reading.

    Args:
        game: the game, ``one-earth``.
        render_mode: ``ansi``, ``human`` or ``rgb_array``: the table as who decides sees it.
        data: component data instead of the built-in.
        max_decisions: truncates longer games.
        shaping: adds this times the growth of each potential to the rewards.
        server: where; without one a server of its own.
        options: of the game, ``players=3``.
    """

    metadata = {"render_modes": rendering.MODES, "name": "earthgym", "is_parallelizable": False, "render_fps": 4}

    def __init__(
        self,
        game: str,
        *,
        render_mode: str | None = None,
        data: str | os.PathLike[str] | bytes | None = None,
        max_decisions: int = 0,
        shaping: float = 0.0,
        server: Server | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        rendering.check_mode(render_mode)
        self.render_mode = render_mode
        self._vec: Vec = make_vec(
            game_text(game, options),
            1,
            server=server,
            seed=int.from_bytes(os.urandom(7), "big"),
            autoreset="disabled",
            max_decisions=max_decisions,
            shaping=shaping,
            data=data,
            shared=False,
        )
        self.game = self._vec.game
        self.metadata = {**self.metadata, "name": self._vec.info["name"]}
        self.possible_agents = [f"player_{p}" for p in range(self._vec.num_players)]
        self.agents: list[str] = []
        self._seats = {agent: p for p, agent in enumerate(self.possible_agents)}
        low, high = observation_bounds(self._vec.info)
        box = gymnasium.spaces.Box(low, high, dtype=np.float32)
        mask = gymnasium.spaces.Box(0, 1, (self._vec.num_actions,), dtype=np.int8)
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict({"observation": box, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: gymnasium.spaces.Discrete(self._vec.num_actions) for agent in self.possible_agents}
        n = self._vec.num_players
        self.state_space = gymnasium.spaces.Box(np.tile(low, (n, 1)), np.tile(high, (n, 1)), dtype=np.float32)
        self._seen: dict[str, npt.NDArray[np.float32]] = {}

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The space of ``observe``."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The space of ``step``."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game: that of the seed, or the next one after the last seed."""
        self._vec.reset(None if seed is None else [seed])
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._moved()

    def _moved(self) -> None:
        """Takes in where the game stands now."""
        actor = int(self._vec.batch.actor[0])
        self._seen.clear()
        if actor >= 0:
            self.agent_selection = self.possible_agents[actor]
            self._seen[self.agent_selection] = self._vec.dequantise(self._vec.batch.observation[0])

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees, and what it may do if it decides."""
        if agent not in self._seen:
            self._seen[agent] = self._vec.dequantise(self._vec.observe(self._seats[agent])[0])
        decides = self._vec.batch.actor[0] == self._seats[agent]
        mask = self._vec.legal_mask()[0].astype(np.int8) if decides else np.zeros(self._vec.num_actions, np.int8)
        return {"observation": self._seen[agent].copy(), "action_mask": mask}

    def state(self) -> npt.NDArray[np.float32]:
        """The full information: what every seat sees, [players, size]."""
        return self._vec.dequantise(self._vec.observe()[0])

    def step(self, action: int | None) -> None:
        """Plays an action of the agent that decides; None for one whose game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise errors.IllegalAction(f"{agent} decides: None is no action")
        self._cumulative_rewards[agent] = 0.0
        self._vec.step([int(action)])
        batch = self._vec.batch
        self.rewards = {a: float(batch.reward[0, p]) for a, p in self._seats.items()}
        self.terminations = dict.fromkeys(self.agents, bool(batch.terminated[0]))
        self.truncations = dict.fromkeys(self.agents, bool(batch.truncated[0]))
        self._moved()
        self._accumulate_rewards()
        self._deads_step_first()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """The table as who decides sees it."""
        return rendering.render(self._vec, self.render_mode)

    def close(self) -> None:
        """Ends the game and its server."""
        self._vec.close()
