"""Board games about planet Earth as environments for reinforcement learning.

- :func:`make_vec`: many environments at once, as NumPy arrays: the fast way.
- ``gymnasium.make("earthgym/OneEarth-v0")`` and :class:`earthgym.gym.EarthVectorEnv`: one seat learns.
- :func:`aec`: a PettingZoo environment.
- :class:`TextGame`: a game as text, for language models.
- :func:`earthgym.agent.run`: a Python policy as a seat in ``earthgym match``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import EarthgymError, IllegalAction, ServerError
from .server import Server, find_binary, game_text
from .text import TextGame
from .vec import Batch, Episode, Vec, make_pair, make_vec, random_legal

if TYPE_CHECKING:
    from .zoo import EarthAEC

__version__ = "0.1.0"

__all__ = [
    "Batch",
    "EarthgymError",
    "Episode",
    "IllegalAction",
    "Server",
    "ServerError",
    "TextGame",
    "Vec",
    "aec",
    "find_binary",
    "game_text",
    "make_pair",
    "make_vec",
    "random_legal",
]


def aec(game: str, **options: Any) -> EarthAEC:
    """Makes a PettingZoo AEC environment; needs the extra ``pettingzoo``. See :class:`earthgym.zoo.EarthAEC`."""
    from .zoo import EarthAEC

    return EarthAEC(game, **options)
