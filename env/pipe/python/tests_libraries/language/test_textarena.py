"""TextArena's loop around a game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import textarena as ta

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize(("game", "players"), [("one-earth", 3), ("new-earth", 2)])
def test_loop(example: Callable[..., str], game: str, players: int) -> None:
    rewards, _, _ = example("textarena_loop.py", game, str(players)).partition("} {")
    assert rewards.count(":") == players


def test_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each seat reads what it is told; what can't be is told to who said it, and its turn stays."""
    monkeypatch.syspath_prepend(EXAMPLES)
    from textarena_loop import EarthEnv

    env = EarthEnv("resilience-earth")
    env.reset(num_players=2, seed=3)
    player, observation = env.get_observation()
    kinds = [kind for _, _, kind in observation]
    assert kinds[0] == ta.ObservationType.PROMPT
    assert kinds[-1] == ta.ObservationType.GAME_BOARD
    assert ta.ObservationType.GAME_MESSAGE in kinds
    done, info = env.step("[fly to the moon]")
    assert not done
    assert "fly to the moon" in info["invalid_move"]
    assert env.get_observation() == (player, [(ta.GAME_ID, info["invalid_move"], ta.ObservationType.GAME_ADMIN)])
    env.table.close()
