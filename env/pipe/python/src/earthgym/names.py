"""The games and how Gymnasium calls them."""

from __future__ import annotations

GAMES = ("one-earth", "earth-rising", "new-earth", "resilience-earth", "earthmans-burden")
"""The games of the program that this package is made for."""


def gym_id(game: str) -> str:
    """Gymnasium's name of a game, without namespace: ``one-earth`` is ``OneEarth-v0``."""
    return "".join(word.capitalize() for word in game.split("-")) + "-v0"
