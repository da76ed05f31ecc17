"""The options of the games, so that type checkers find a word that no game has. ``earthgym games`` explains them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from .server import ObservationType, Server
    from .vec import Data, Illegal


class GameOptions(TypedDict, total=False):
    """Every option of every game; which of them a game has, and what they may be, the program says.

    Earthman's Burden has one more, ``max_decisions``, to be put into the game's text: as an argument it truncates.
    """

    players: int

    # One Earth
    mode: str
    difficulty: str
    target: int
    leaders: str | Sequence[str]
    first_player: int | str
    aid: bool
    talk: bool
    max_rounds: int
    pyrrhic: float

    # Earth Rising
    variant: str
    cast: int
    characters: str | Sequence[str]
    hands: str
    win: str
    calendar_on_collapse: str
    election_tokens: str
    returns: str

    # New Earth
    setup: str
    tiles: str
    turns: int
    end: str
    offers: int
    move_limit: int
    bulk_machines: bool
    announce_totals: bool

    # Resilience Earth
    first: int | str
    timer: str
    minutes_min: int
    minutes_max: int
    minutes: int
    tower: str
    tower_limit: int
    align: str
    supply: str
    sabbaticals: int
    smog: str
    deals: bool
    collapse_win: float

    # The Earthman's Burden
    skynet: bool
    collab: bool
    territory: bool
    prelude: bool
    espionage: bool
    late_fleets: int
    thoughts: str
    un: str
    points: int
    lead: int
    rounds: int
    claims: int
    peace: int
    accord_from: int
    bulbs: int
    transfers: int
    fleet_cap: int
    discontent_cap: int


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

    render_mode: str | None
    rules: int | None
