"""What the environments of Gymnasium and PettingZoo have in common: a table that can be looked at and asked."""

from __future__ import annotations

import json
import operator
from typing import Any

import gymnasium
import numpy as np

from . import errors
from .names import check_rules
from .remake import Remade
from .vec import Episode, Vec

MODES = ["human", "ansi", "rgb_array"]


def check_mode(mode: str | None, modes: list[str] = MODES) -> None:
    """Refuses a render_mode that there is not."""
    if mode is not None and mode not in modes:
        raise ValueError(f"render_mode {mode!r}: there are {', '.join(modes)}")


class Table(Remade):
    """What may be asked of an environment beside playing. The lane counts where there are several games."""

    _vec: Vec
    render_mode: str | None

    @property
    def game(self) -> str:
        """The game with every option."""
        return self._vec.game

    @property
    def game_info(self) -> dict[str, Any]:
        """What ``earthgym games --layout`` says of the game: actions, observation, bounds."""
        return self._vec.info

    @property
    def action_names(self) -> list[str]:
        """The text of each action, in the order of the action space."""
        return self._vec.action_names

    def _repr_html_(self) -> str | None:
        return self._vec._repr_html_()

    def _demand(self, rules: int | None) -> None:
        """Refuses a game whose rules have another version than an id says."""
        try:
            check_rules(self.game_info, rules)
        except errors.EarthgymError:
            self._vec.close()
            raise

    def legal(self, lane: int = 0) -> dict[str, int]:
        """What may be done now: actions by their texts."""
        return self._vec.legal(lane)

    def view(self, lane: int = 0, player: int | None = None) -> dict[str, Any]:
        """The position as a document, with what a player may know of it: who decides if none is given."""
        known: dict[str, Any] = json.loads(self._vec.view(lane, player))
        return known

    def features(self, observation: Any) -> dict[str, Any]:
        """Observations by the names of their features, in :attr:`feature_space`."""
        return self._vec.features(observation)

    @property
    def feature_space(self) -> gymnasium.spaces.Dict:
        """The space of what :meth:`features` makes of one observation."""
        low, high = (self._vec.features(bound) for bound in self._vec.float_bounds())
        return gymnasium.spaces.Dict({name: gymnasium.spaces.Box(low[name], high[name]) for name in low})

    def record(self, lane: int = 0, *, finished: bool = False) -> bytes:
        """The running game, or the last finished one, as ``earthgym replay`` reads it. Needs ``record=True``."""
        return self._vec.record(lane, finished=finished)

    def _action(self, action: Any) -> int:
        try:
            return operator.index(action)
        except TypeError:
            raise errors.IllegalAction(
                f"{action!r} is no action: actions are whole numbers, 0 to {self._vec.num_actions - 1}"
            ) from None

    def _result(self, episode: Episode | None) -> dict[str, Any]:
        """How a game went, for ``info["result"]``."""
        assert episode is not None, "it has ended"
        names = [m["name"] for m in self._vec.info.get("measures", [])]
        return {
            "winners": tuple(episode.winners),
            "scores": np.array(episode.scores),
            "returns": np.array(episode.returns),
            "reason": episode.reason,
            "measures": dict(zip(names, episode.measures, strict=True)),
            "seed": np.uint64(episode.seed),
            "decisions": episode.decisions,
            "length": episode.length,
            "lost": episode.lost,
            "culprits": tuple(episode.culprits),
        }

    def _show(self, player: int | None = None) -> Any:
        """The table as a player, or who decides, sees it: as text, printed, or as pixels [height, width, 3]."""
        if self.render_mode is None:
            gymnasium.logger.warn("render_mode is not set: make the environment with one")
            return None
        if self.render_mode == "rgb_array":
            return self._vec.picture(player=player)
        text = self._vec.text(player=player)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None
