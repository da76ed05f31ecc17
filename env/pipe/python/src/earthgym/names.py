"""The games and how Gymnasium calls them."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from . import errors
from .catalogue import GAMES


def gym_id(game: str, rules: int | None = None) -> str:
    """Gymnasium's name of a game, without namespace: ``one-earth`` is ``OneEarth-v1`` by version 1 of its rules.

    An id stands for one version of the rules: when a mend changes play, the game gets a new id, and the old one is
    refused with the new one's name.
    """
    return "".join(word.capitalize() for word in game.split("-")) + f"-v{GAMES[game] if rules is None else rules}"


def check_rules(info: dict[str, Any], rules: int | None) -> None:
    """Refuses a game of the server's whose rules are of another version than an environment's id says."""
    if rules is None or info["rules"] == rules:
        return
    raise errors.EarthgymError(
        f"{gym_id(info['name'], rules)} has version {rules} of the rules, and the program plays version "
        f"{info['rules']}: earthgym/{gym_id(info['name'], info['rules'])}"
    )


def register() -> None:
    """Tells Gymnasium and PettingZoo of the games, where they are installed. A second call does nothing."""
    with suppress(ImportError):
        from gymnasium.envs import registration

        for game, rules in GAMES.items():
            name = f"earthgym/{gym_id(game)}"
            if name not in registration.registry:
                registration.register(
                    id=name,
                    entry_point="earthgym.gym:EarthEnv",
                    vector_entry_point="earthgym.gym:EarthVectorEnv",
                    kwargs={"game": game, "rules": rules},
                )
    with suppress(ImportError):  # PettingZoo has a registry since 1.27.
        from pettingzoo.env_registry import registration as zoo

        for game, rules in GAMES.items():
            name = f"earthgym/{gym_id(game)}"
            for kind, known, maker in (
                ("aec", zoo.aec_registry, "EarthAEC"),
                ("parallel", zoo.parallel_registry, "parallel_env"),
            ):
                if name not in known:
                    entry = f"earthgym.zoo:{maker}"
                    zoo.register(kind, name, entry_point=entry, kwargs={"game": game, "rules": rules})
