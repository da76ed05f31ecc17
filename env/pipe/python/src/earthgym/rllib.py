"""An environment of RLlib in which every seat is an agent, and masks are where its masking modules look for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import errors
from .remake import Remade
from .vec import env_vec

try:
    import gymnasium
    from ray.rllib.env.multi_agent_env import MultiAgentEnv
except ImportError as e:
    raise errors.missing_extra("earthgym.rllib", "rllib") from e
else:
    errors.check_extra("earthgym.rllib", "rllib")


class EarthMultiAgentEnv(Remade, MultiAgentEnv):  # type: ignore[misc]
    """A game whose seats are the agents, ``player_0`` and so on; the one that decides is the one observed.

    Observations are ``{"observations": float32, "action_mask": float32}``, as ``ActionMaskingTorchRLModule`` takes
    them. At the end of a game all agents are observed, with the rest of what they are paid; the mask is zero then.

    Args:
        config: ``game``, options of it, ``players``, and what every environment takes
            (:class:`earthgym.options.EnvOptions`). An illegal action loses the game unless ``illegal`` is ``error``:
            RLlib's check of environments draws actions without looking at masks.
    """

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        options = dict(config)
        game: Any = options.pop("game", None)
        own = {"illegal": "forfeit", "autoreset": "disabled", "shared": False}
        self._vec = env_vec(self, game, 1, options, **own)
        low, high = self._vec.float_bounds()
        n = self._vec.num_actions
        space = gymnasium.spaces.Dict(
            {
                "observations": gymnasium.spaces.Box(low, high, dtype=np.float32),
                "action_mask": gymnasium.spaces.Box(0.0, 1.0, (n,), np.float32),
            }
        )
        self.possible_agents = [f"player_{p}" for p in range(self._vec.num_players)]
        self.agents = self.possible_agents[:]
        self.observation_spaces = dict.fromkeys(self.agents, space)
        self.action_spaces = dict.fromkeys(self.agents, gymnasium.spaces.Discrete(n))
        self._paid = np.zeros(self._vec.num_players)
        self._seen: set[int] = set()

    def _observation(self, observation: Any, mask: Any) -> dict[str, Any]:
        return {"observations": self._vec.dequantise(observation), "action_mask": mask.astype(np.float32)}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Starts a game: that of the seed, or the next one after the last seed."""
        self._vec.reset(None if seed is None else [seed])
        self.agents = self.possible_agents[:]
        self._paid[:] = 0
        self._seen.clear()
        return self._turn(), {}

    def _turn(self) -> dict[str, Any]:
        actor = int(self._vec.batch.actor[0])
        self._seen.add(actor)
        return {
            self.possible_agents[actor]: self._observation(self._vec.batch.observation[0], self._vec.legal_mask()[0])
        }

    def step(self, action_dict: dict[str, Any]) -> tuple[dict[str, Any], ...]:
        """Plays the action of the agent that decides; gives who decides next what it was paid since its last one."""
        batch = self._vec.batch
        if batch.actor[0] < 0:
            raise errors.EarthgymError("the game is over: reset it")
        agent = self.possible_agents[int(batch.actor[0])]
        if list(action_dict) != [agent]:
            raise errors.BadPlayer(
                f"{agent} decides, and no other: actions are of {', '.join(action_dict) or 'nobody'}"
            )
        self._vec.step([action_dict[agent]])
        self._paid += batch.reward[0]
        if not batch.done[0]:
            observations = self._turn()
            decides = int(batch.actor[0])
            paid, self._paid[decides] = float(self._paid[decides]), 0.0
            over = {"__all__": False}
            return observations, {self.possible_agents[decides]: paid}, over, over, {}
        rows = self._vec.observe()[0]
        nothing = np.zeros(self._vec.num_actions)
        seats = sorted(self._seen)  # who was never asked has no episode to end
        names = [self.possible_agents[p] for p in seats]
        observations = {name: self._observation(rows[p], nothing) for name, p in zip(names, seats, strict=True)}
        rewards = {name: float(self._paid[p]) for name, p in zip(names, seats, strict=True)}
        terminated = {**dict.fromkeys(names, bool(batch.terminated[0])), "__all__": bool(batch.terminated[0])}
        truncated = {**dict.fromkeys(names, bool(batch.truncated[0])), "__all__": bool(batch.truncated[0])}
        [episode] = self._vec.episodes()
        assert episode is not None, "it has just ended"
        infos = {
            name: {"returns": episode.returns[p], "reason": episode.reason}
            for name, p in zip(names, seats, strict=True)
        }
        return observations, rewards, terminated, truncated, infos

    def get_observation_space(self, agent_id: str) -> Any:
        """That of an agent."""
        return self.observation_spaces[agent_id]

    def get_action_space(self, agent_id: str) -> Any:
        """That of an agent."""
        return self.action_spaces[agent_id]

    def render(self) -> str:
        """The table as who decides sees it."""
        return self._vec.text()

    def close(self) -> None:
        """Ends the game and its server."""
        self._vec.close()
