"""The games and their options, as the program declares them: written by ``make golden``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

GAMES = {
    "one-earth": 1,
    "earth-rising": 1,
    "new-earth": 2,
    "resilience-earth": 1,
    "earthmans-burden": 1,
}
"""The games of the program that this package is made for, with the versions of their rules."""


class GameOptions(TypedDict, total=False):
    """Every option of every game; which of them a game has, and what they may be, ``earthgym games`` says.

    Earthman's Burden has one more, ``max_decisions``, to be put into the game's text: as an argument it truncates.
    """

    # One Earth
    players: int
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
