"""The games and how Gymnasium calls them."""

from __future__ import annotations

from contextlib import suppress

GAMES = ("one-earth", "earth-rising", "new-earth", "resilience-earth", "earthmans-burden")
"""The games of the program that this package is made for."""


def gym_id(game: str) -> str:
    """Gymnasium's name of a game, without namespace: ``one-earth`` is ``OneEarth-v0``."""
    return "".join(word.capitalize() for word in game.split("-")) + "-v0"


def register() -> None:
    """Tells Gymnasium and PettingZoo of the games, where they are installed. A second call does nothing."""
    with suppress(ImportError):
        from gymnasium.envs import registration

        for game in GAMES:
            name = f"earthgym/{gym_id(game)}"
            if name not in registration.registry:
                registration.register(
                    id=name,
                    entry_point="earthgym.gym:EarthEnv",
                    vector_entry_point="earthgym.gym:EarthVectorEnv",
                    kwargs={"game": game},
                )
    with suppress(ImportError):  # PettingZoo has a registry since 1.27.
        from pettingzoo.env_registry import registration as zoo

        for game in GAMES:
            name = f"earthgym/{gym_id(game)}"
            if name not in zoo.aec_registry:
                zoo.register("aec", name, entry_point="earthgym.zoo:EarthAEC", kwargs={"game": game})
