"""Board games about planet Earth as environments for reinforcement learning.

- :func:`make_vec`: many environments at once, as NumPy arrays: the fast way.
- ``gymnasium.make("earthgym/OneEarth-v1")`` and :class:`earthgym.gym.EarthVectorEnv`: one seat learns.
- :class:`earthgym.sb3.EarthVecEnv`: the same for Stable-Baselines3.
- :class:`aec_vec`: every seat is an agent, in many games at once.
- :class:`mixed_vec`: several variants and numbers of players at once, the first lanes that are ready first.
- :func:`evaluate`: how a policy does against agents.
- :func:`aec`, or ``pettingzoo.make("aec", "earthgym/OneEarth-v1")``: a PettingZoo environment.
- :class:`TextGame`: a game as text, for language models.
- :func:`earthgym.agent.run`: a Python policy as a seat in ``earthgym match``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .aecvec import AECVec, Turns
from .errors import BadPlayer, EarthgymError, IllegalAction, ServerError, UnknownAction
from .mixedvec import MixedVec, Ready
from .names import register
from .network import Network, Objects, Pointer, load_network, new_network, save_network
from .server import Server, find_binary
from .text import TextGame, TextTurn, howto
from .vec import (
    Batch,
    Episode,
    Evaluation,
    Vec,
    evaluate,
    make_vec,
    observation_bounds,
    random_legal,
    worker_seed,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import AECOptions
    from .zoo import EarthAEC

aec_vec = AECVec
mixed_vec = MixedVec

__version__ = "0.2.0.dev0"

__all__ = [
    "AECVec",
    "BadPlayer",
    "Batch",
    "EarthgymError",
    "Episode",
    "Evaluation",
    "IllegalAction",
    "MixedVec",
    "Network",
    "Objects",
    "Pointer",
    "Ready",
    "Server",
    "ServerError",
    "TextGame",
    "TextTurn",
    "Turns",
    "UnknownAction",
    "Vec",
    "aec",
    "aec_vec",
    "evaluate",
    "find_binary",
    "howto",
    "load_network",
    "make_vec",
    "mixed_vec",
    "new_network",
    "observation_bounds",
    "random_legal",
    "save_network",
    "worker_seed",
]

register()


def aec(game: str, **options: Unpack[AECOptions]) -> EarthAEC:
    """Makes a PettingZoo AEC environment; needs the extra ``pettingzoo``. See :class:`earthgym.zoo.EarthAEC`."""
    from .zoo import EarthAEC

    return EarthAEC(game, **options)
