"""How Gymnasium and PettingZoo show a table: what their environments have in common."""

from __future__ import annotations

from typing import Any

import gymnasium

from .vec import Vec

MODES = ["human", "ansi", "rgb_array"]


def check_mode(mode: str | None) -> None:
    """Refuses a render_mode that there is not."""
    if mode is not None and mode not in MODES:
        raise ValueError(f"render_mode {mode!r}: there are {', '.join(MODES)}")


def render(vec: Vec, mode: str | None, player: int | None = None) -> Any:
    """The table as a player, or who decides, sees it: as text, printed, or as pixels [height, width, 3]."""
    if mode == "rgb_array":
        return vec.picture(player=player)
    if mode is None:
        gymnasium.logger.warn("render_mode is not set: make the environment with one")
        return None
    text = vec.text(player=player)
    if mode == "ansi":
        return text
    print(text)
    return None
