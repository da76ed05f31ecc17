"""A game as text, for those who read and write, such as language models."""

from __future__ import annotations

import difflib
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from . import errors
from .remake import Remade
from .server import cannot_run, find_binary
from .vec import Episode, check_seed, chosen_options, env_vec

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import EnvOptions

SPECTATOR = -2
"""Who looks on, as a player of :meth:`TextGame.text` and :meth:`TextGame.messages`."""

_LONGEST = 200
"""More characters than any action's text has: what is longer is not told back."""


@dataclass(frozen=True)
class TextTurn:
    """A decision as its player reads it.

    Attributes:
        text: the table as the player sees it; once the game is over, as who acted last does.
        legal: what may be done, each in the words that :meth:`TextGame.step` takes.
        player: who decides, or None once the game is over.
        messages: what has happened since the player was last told, in sentences, as it may know it; the player's own
            action and the set-up are told too. Once the game is over, they are for who acted last; the others ask
            :meth:`TextGame.messages`.
        rewards: of every player, for the last step.
        done: whether the game is over.
        result: how the game went, once it is over.
    """

    text: str
    legal: tuple[str, ...]
    player: int | None
    messages: tuple[str, ...]
    rewards: tuple[float, ...]
    done: bool
    result: Episode | None = field(default=None, compare=False)


class TextGame(Remade):
    """One game that is read and written, by one seat or by all.

    Args:
        game: the game with its options.
        seat: the only seat that is asked; None for all.
        opponents: agents in the other seats.
        options: of the game, ``players=3``, and what every environment takes: :class:`earthgym.options.EnvOptions`.
    """

    def __init__(
        self,
        game: str,
        *,
        seat: int | None = None,
        opponents: Sequence[str] | str = "random",
        **options: Unpack[EnvOptions],
    ) -> None:
        own = {"autoreset": "disabled", "seat": seat, "opponents": () if seat is None else opponents, "shared": False}
        self._vec = env_vec(self, game, 1, {**options, "record": True}, **own)
        self.game = self._vec.game
        """The game with every option."""
        self.rules = self._vec.info
        """What ``earthgym games --layout`` says of the game."""
        self.players = self._vec.num_players
        """The number of seats."""
        self._told = dict.fromkeys((SPECTATOR, *range(self.players)), 0)
        self._reader = 0 if seat is None else seat

    def __repr__(self) -> str:
        return f"<TextGame of {self.game}>"

    def _repr_html_(self) -> str | None:
        return self._vec._repr_html_()

    def reset(self, seed: int | None = None) -> TextTurn:
        """Starts a game: that of the seed, or the next one after the last seed."""
        seed = None if seed is None else check_seed(seed)
        self._told = dict.fromkeys(self._told, 0)  # first: of a new game that Ctrl-C comes into nothing has been told
        self._vec.reset(seed)
        return self._turn()

    def step(self, action: str, player: int | None = None) -> TextTurn:
        """Plays an action by its text. :class:`UnknownAction` and :class:`IllegalAction` say what would do.

        Whoever names the player that acts is refused if another one decides. What is refused changes nothing, and
        nothing is ever put in its place.
        """
        actor = int(self._vec.batch.actor[0])
        if actor < 0:
            raise errors.EarthgymError("the game is over: reset it")
        if player is not None and player != actor:
            raise errors.BadPlayer(f"player {actor} decides now, not player {player}")
        if isinstance(action, str) and len(action) > _LONGEST:
            reason = f"the action has {len(action)} characters; it is the exact text of one legal action"
            raise errors.UnknownAction(self._refusal("", actor, reason))
        try:
            self._vec.step(self._vec.parse(action))
        except errors.UnknownAction:
            raise errors.UnknownAction(self._refusal(action, actor, f"{action!r} is no action of this game")) from None
        except errors.IllegalAction as e:
            raise errors.IllegalAction(self._refusal(action, actor, str(e).partition(f"player {actor}: ")[2])) from None
        return self._turn()

    def _refusal(self, action: str, actor: int, reason: str) -> str:
        """Why an action is not played, and what is near it."""
        legal = self._vec.legal()
        near = difflib.get_close_matches(str(action).lower(), legal, 5, 0)
        return (
            f"not played: {reason.rstrip('.')}. Nothing has changed, and player {actor} decides still. "
            f"Nearest legal actions: {'; '.join(near)} ({len(legal)} are legal)"
        )

    def text(self, player: int | None = None) -> str:
        """The table as a player sees it: who decides if none is given; ``SPECTATOR`` looks on."""
        return self._vec.text(player=player)

    def messages(self, player: int) -> tuple[str, ...]:
        """What has happened that a player has not been told yet, in sentences, as it may know it."""
        if player not in self._told:
            raise errors.BadPlayer(f"there is no player {player}: there are 0 to {self.players - 1}")
        sentences, self._told[player] = self._vec.story(player=player, since=self._told[player])
        return tuple(sentences)

    def record(self) -> bytes:
        """The game as ``earthgym replay`` reads it."""
        return self._vec.record()

    def _turn(self) -> TextTurn:
        batch = self._vec.batch
        actor = int(batch.actor[0])
        if actor >= 0:
            self._reader = actor
        done = bool(batch.done[0])
        return TextTurn(
            text=self._vec.text(player=self._reader),
            legal=tuple(self._vec.legal()),
            player=actor if actor >= 0 else None,
            messages=self.messages(self._reader),
            rewards=tuple(float(r) for r in batch.reward[0]),
            done=done,
            result=self._vec.episodes()[0] if done else None,
        )

    def close(self) -> None:
        """Frees the game."""
        self._vec.close()


def howto(game: str) -> str:
    """The introduction to a game for those who have never played it: the aim, a turn, advice. Markdown."""
    text, _ = chosen_options("howto", game, {}, frozenset())
    program = find_binary()
    try:
        done = subprocess.run([program, "rules", "--howto", "--", text.partition(":")[0]], capture_output=True)
    except OSError as e:
        raise cannot_run(program, e) from e
    if done.returncode != 0:
        raise errors.UnknownGame(done.stderr.decode().strip().removeprefix("earthgym: "))
    return done.stdout.decode()
