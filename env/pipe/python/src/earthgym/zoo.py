"""A PettingZoo AEC environment: every seat is an agent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import errors

try:
    import gymnasium
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel
except ImportError as e:
    raise errors.missing_extra("earthgym.zoo", "pettingzoo") from e
else:
    errors.check_extra("earthgym.zoo", "pettingzoo")

from .options import AECOptions, EnvOptions
from .table import MODES, Table, check_mode
from .vec import FORFEITED, Vec, env_vec

if TYPE_CHECKING:
    from typing_extensions import Unpack


class EarthAEC(Table, AECEnv):  # type: ignore[misc]
    """A game whose seats are the agents, ``player_0`` and so on.

    Observations are ``{"observation": float32, "action_mask": int8}``; the mask of an agent that does not
    decide is zero. At the end of a game ``infos[agent]["result"]`` says how it went, as in
    :class:`earthgym.gym.EarthEnv`.

    Args:
        game: the game, ``one-earth``.
        max_cycles: PettingZoo's word for ``max_decisions``: truncates longer games.
        render_mode: ``ansi``, ``human`` or ``rgb_array``: the table as who decides sees it.
        rules: the version of the rules that the game must have, as ids name it; any, if left out.
        options: of the game, ``players=3``, and what every environment takes: :class:`earthgym.options.EnvOptions`.
    """

    metadata = {"render_modes": MODES, "name": "earthgym", "is_parallelizable": False, "render_fps": 4}
    _called = "aec"

    def __init__(
        self,
        game: str,
        *,
        max_cycles: int | None = None,
        render_mode: str | None = None,
        rules: int | None = None,
        **options: Unpack[EnvOptions],
    ) -> None:
        super().__init__()
        check_mode(render_mode)
        self.render_mode = render_mode
        if max_cycles is not None:
            options["max_decisions"] = max_cycles
        self._vec: Vec = env_vec(self, game, 1, options, autoreset="disabled", shared=False)
        self._demand(rules)
        self.metadata = {**self.metadata, "name": self._vec.info["name"]}
        self.possible_agents = [f"player_{p}" for p in range(self._vec.num_players)]
        self.agents: list[str] = []
        self._seats = {agent: p for p, agent in enumerate(self.possible_agents)}
        low, high = self._vec.float_bounds()
        box = gymnasium.spaces.Box(low, high, dtype=np.float32)
        mask = gymnasium.spaces.Box(0, 1, (self._vec.num_actions,), dtype=np.int8)
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict({"observation": box, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: gymnasium.spaces.Discrete(self._vec.num_actions) for agent in self.possible_agents}
        n = self._vec.num_players
        self.state_space = gymnasium.spaces.Box(np.tile(low, (n, 1)), np.tile(high, (n, 1)), dtype=np.float32)
        self._seen: dict[str, npt.NDArray[np.float32]] = {}
        self._reset = False
        self._answers = 0

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The space of ``observe``."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The space of ``step``."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game: that of the seed, or the next one after the last seed."""
        self._reset = False
        self._vec.reset(seed)
        self._answers = self._vec.answers
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.__dict__.update(self._decides(), _reset=True)

    def _decides(self) -> dict[str, Any]:
        """Who decides now, and what it sees."""
        agent = self.possible_agents[int(self._vec.batch.actor[0])]
        return {"agent_selection": agent, "_seen": {agent: self._vec.dequantise(self._vec.batch.observation[0])}}

    def _check_reset(self) -> None:
        if not self._reset:
            raise errors.EarthgymError("no game has begun: reset the environment")

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees, and what it may do if it decides."""
        self._check_reset()
        if agent not in self._seats:
            raise errors.BadPlayer(f"there is no agent {agent!r}: there are {', '.join(self.possible_agents)}")
        if agent not in self._seen:
            self._seen[agent] = self._vec.dequantise(self._vec.observe(self._seats[agent])[0])
        decides = self._vec.batch.actor[0] == self._seats[agent]
        mask = self._vec.legal_mask()[0].astype(np.int8) if decides else np.zeros(self._vec.num_actions, np.int8)
        return {"observation": self._seen[agent].copy(), "action_mask": mask}

    def last(self, observe: bool = True) -> tuple[dict[str, Any] | None, float, bool, bool, dict[str, Any]]:
        """What the agent that decides sees, what it was paid since its last decision, and whether its game is over."""
        self._check_agents()
        last: tuple[dict[str, Any] | None, float, bool, bool, dict[str, Any]] = super().last(observe)
        return last

    def _check_agents(self) -> None:
        self._check_reset()
        if not self.agents:
            raise errors.EarthgymError("the game is over and every agent has left: reset the environment")
        _ = self._vec.batch  # takes in a step that Ctrl-C broke off
        if self._answers != self._vec.answers:
            self._stepped()

    def state(self) -> npt.NDArray[np.float32]:
        """The full information: what every seat sees, [players, size]."""
        return self._vec.dequantise(self._vec.observe()[0])

    def step(self, action: int | None) -> None:
        """Plays an action of the agent that decides; None for one whose game is over."""
        self._check_agents()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise errors.IllegalAction(f"the game of {agent} is over: step(None) lets it leave")
            self._was_dead_step(None)
            return
        if action is None:
            raise errors.IllegalAction(f"{agent} decides: None is no action")
        self._vec.step([self._action(action)])
        self._stepped()
        if self.render_mode == "human":
            self.render()

    def _stepped(self) -> None:
        """Tells what became of an action of the agent that decided."""
        agent, batch = self.agent_selection, self._vec.batch
        rewards = {a: float(batch.reward[0, p]) for a, p in self._seats.items()}
        paid = {**self._cumulative_rewards, agent: 0.0}
        told = {
            "_answers": self._vec.answers,
            "rewards": rewards,
            "_cumulative_rewards": {a: paid[a] + reward for a, reward in rewards.items()},
            "terminations": dict.fromkeys(self.agents, bool(batch.terminated[0])),
            "truncations": dict.fromkeys(self.agents, bool(batch.truncated[0])),
        }
        if batch.done[0]:
            result = self._result(self._vec.episodes()[0])
            infos: dict[str, dict[str, Any]] = {a: {"result": result} for a in self.agents}
            if batch.end[0] == FORFEITED:
                infos[agent]["illegal"] = True
            # All leave, the first of them first, as PettingZoo's _deads_step_first has it.
            told |= {"infos": infos, "_seen": {}, "_skip_agent_selection": agent, "agent_selection": self.agents[0]}
        else:
            told |= self._decides()
        # One line, which Ctrl-C does not come into: a step is told whole or, when it is asked for next, anew.
        self.__dict__.update(told)

    def render(self) -> Any:
        """The table as who decides sees it."""
        self._check_reset()
        return self._show()

    def close(self) -> None:
        """Ends the game, and its server if that is its own."""
        self._vec.close()


env = raw_env = EarthAEC
"""What PettingZoo's own modules call their environments."""


def parallel_env(game: str, **options: Unpack[AECOptions]) -> ParallelEnv[str, Any, Any]:
    """The parallel environment, in which all act at once and only what the agent that decides does counts.

    The arguments are those of :class:`EarthAEC`. Who acts for everybody can't know what will be legal, so that an
    illegal action loses the game unless ``illegal`` is ``error``.
    """
    options.setdefault("illegal", "forfeit")
    return turn_based_aec_to_parallel(_Parallel(game, **options))


class _Parallel(EarthAEC):
    _called = "parallel_env"
