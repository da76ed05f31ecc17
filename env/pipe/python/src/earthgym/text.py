"""A game as text, for those who read and write, such as language models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .options import GameOptions
from .remake import Remade
from .server import Server, game_text
from .vec import Data, make_vec

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclass(frozen=True)
class TextTurn:
    """A decision as its player reads it.

    Attributes:
        text: the table as the player sees it.
        legal: what may be done, each in the words that :meth:`TextGame.step` takes.
        player: who decides, or None once the game is over.
        rewards: of every player, for the last step.
        done: whether the game is over.
    """

    text: str
    legal: tuple[str, ...]
    player: int | None
    rewards: tuple[float, ...]
    done: bool


class TextGame(Remade):
    """One game that is read and written.

    Args:
        game: the game with its options.
        seat: the only seat that is asked; None for all.
        opponents: agents in the other seats.
        server: where; without one a server of its own.
        data: component data instead of the built-in.
        options: of the game.
    """

    def __init__(
        self,
        game: str,
        *,
        seat: int | None = None,
        opponents: Sequence[str] | str = "random",
        server: Server | None = None,
        data: Data = None,
        **options: Unpack[GameOptions],
    ) -> None:
        self._vec = make_vec(
            game_text(game, options),
            1,
            server=server,
            autoreset="disabled",
            seat=seat,
            opponents=() if seat is None else opponents,
            data=data,
            shared=False,
        )
        self.game = self._vec.game
        self.rules = self._vec.info

    def reset(self, seed: int | None = None) -> TextTurn:
        """Starts a game."""
        self._vec.reset(None if seed is None else [seed])
        return self._turn()

    def step(self, action: str) -> TextTurn:
        """Plays an action by its text. :class:`UnknownAction` and :class:`IllegalAction` say what would do."""
        self._vec.step(self._vec.parse(action))
        return self._turn()

    def _turn(self) -> TextTurn:
        batch = self._vec.batch
        actor = int(batch.actor[0])
        return TextTurn(
            text=self._vec.text(),
            legal=tuple(self._vec.legal()),
            player=actor if actor >= 0 else None,
            rewards=tuple(float(r) for r in batch.reward[0]),
            done=bool(batch.done[0]),
        )

    def close(self) -> None:
        """Frees the game."""
        self._vec.close()
