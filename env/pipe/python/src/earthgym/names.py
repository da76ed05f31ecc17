"""The games and how Gymnasium calls them."""

from __future__ import annotations

GAMES = ("one-earth", "earth-rising", "new-earth", "resilience-earth", "earthmans-burden")
"""The games of the program that this package is made for."""


def gym_id(game: str) -> str:
    """Gymnasium's name of a game, without namespace: ``one-earth`` is ``OneEarth-v0``."""
    return "".join(word.capitalize() for word in game.split("-")) + "-v0"


def register() -> None:
    """Tells Gymnasium of the games, if it is installed. A second call does nothing."""
    try:
        from gymnasium.envs.registration import register as register_env
        from gymnasium.envs.registration import registry
    except ImportError:
        return
    for game in GAMES:
        name = f"earthgym/{gym_id(game)}"
        if name not in registry:
            register_env(
                id=name,
                entry_point="earthgym.gym:EarthEnv",
                vector_entry_point="earthgym.gym:EarthVectorEnv",
                kwargs={"game": game},
            )
