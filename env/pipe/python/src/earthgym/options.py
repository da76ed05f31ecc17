"""The options of environments, so that type checkers find a word that no game has."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal

from .catalogue import GameOptions

if TYPE_CHECKING:
    from .server import ObservationType, Server

Illegal = Literal["error", "forfeit"]
Data = str | os.PathLike[str] | bytes | None


class EnvOptions(GameOptions, total=False):
    """What every environment takes, beside the options of its game.

    Attributes:
        illegal: ``error`` raises :class:`IllegalAction` and changes nothing; ``forfeit`` ends the game with reward -1
            for who chose it, and says ``illegal`` in its info.
        data: component data instead of the built-in: a file's name, or what is in it.
        shaping: adds this times (gamma times the new potential less the old one) to each reward.
        gamma: the discount of the training.
        max_decisions: truncates longer games.
        record: keeps what ``record`` needs.
        observation: how observations travel: ``float32``, or smaller as ``float16`` or ``uint8``.
        server: where; its ``observation`` counts then. Without one a server of its own.
    """

    illegal: Illegal
    data: Data
    shaping: float
    gamma: float
    max_decisions: int
    record: bool
    observation: ObservationType
    server: Server | None


class AECOptions(EnvOptions, total=False):
    """The options of :class:`earthgym.zoo.EarthAEC`."""

    max_cycles: int | None
    render_mode: str | None
    rules: int | None
