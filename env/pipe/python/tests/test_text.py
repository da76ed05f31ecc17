"""Games as text, for one seat and for several."""

from __future__ import annotations

import json
from functools import partial

import numpy as np
import pytest
from conftest import interrupted, variants

import earthgym
from earthgym import errors
from earthgym.catalogue import GAMES
from earthgym.text import SPECTATOR


def play(game: earthgym.TextGame, turn: earthgym.TextTurn, steps: int = 1 << 30) -> earthgym.TextTurn:
    rng = np.random.default_rng(1)
    while not turn.done and steps > 0:
        turn = game.step(turn.legal[rng.integers(len(turn.legal))])
        steps -= 1
    return turn


@pytest.mark.parametrize("name", [variants()[game][0] for game in GAMES])
def test_game(server: earthgym.Server, name: str) -> None:
    """Every seat is asked, told what happens, and paid; the same seed is the same game."""
    game = earthgym.TextGame(name, server=server, max_decisions=60)
    turn = game.reset(seed=5)
    play(game, turn, 5)
    assert game.reset(seed=5) == turn
    assert turn.player is not None
    assert turn.messages
    told: dict[int, list[str]] = {p: [] for p in range(game.players)}
    rng = np.random.default_rng(1)
    while not turn.done:
        assert turn.player is not None
        assert turn.result is None
        assert turn.text == game.text() == game.text(turn.player)
        told[turn.player] += turn.messages
        assert game.messages(turn.player) == ()
        last = turn.player
        turn = game.step(turn.legal[rng.integers(len(turn.legal))], turn.player)
    assert turn.player is None
    assert turn.legal == ()
    assert turn.result is not None
    assert len(turn.rewards) == game.players
    assert turn.result.seed == 5
    assert game.messages(SPECTATOR)
    for player, heard in told.items():
        whole, steps = game._vec.story(player=player)
        assert steps == turn.result.decisions + 1
        heard += [*(turn.messages if player == last else ()), *game.messages(player)]
        assert heard == whole, "nothing is left out or told twice"
    assert json.loads(game.record().splitlines()[0])["seed"] == 5
    game.close()


def test_secrets(server: earthgym.Server) -> None:
    """A seat is told its own cards, and others that there are some."""
    game = earthgym.TextGame("new-earth", players=2, server=server)
    turn = game.reset(seed=3)
    turn = play(game, turn, 40)
    stories = [game._vec.story(player=p)[0] for p in (0, 1, SPECTATOR)]
    assert stories[0] != stories[1] != stories[2] != stories[0]
    assert game.text(0) != game.text(1)
    game.close()


def test_one_seat(server: earthgym.Server) -> None:
    """Where agents play the other seats, what they do is told."""
    game = earthgym.TextGame("one-earth", seat=1, opponents="script:greedy", players=3, server=server)
    turn = game.reset(seed=5)
    assert turn.player == 1
    before = turn
    turn = game.step(turn.legal[0])
    assert turn.player == 1
    assert any("Player 0" in m or "Player 2" in m for m in before.messages + turn.messages), turn.messages
    game.close()


def test_words(server: earthgym.Server) -> None:
    """What is refused changes nothing."""
    with earthgym.TextGame("resilience-earth", players=3, server=server) as game:
        turn = game.reset(seed=5)
        other = (turn.player or 0) + 1
        with pytest.raises(errors.BadPlayer, match=f"player {turn.player} decides now, not player {other}"):
            game.step(turn.legal[0], other)
        for wrong in ("do as I say", turn.legal[0].upper() + "!", "", f"`{turn.legal[0]}`", 3, "\ud800"):
            with pytest.raises(errors.UnknownAction) as refused:
                game.step(wrong)  # type: ignore[arg-type]
            told = f"not played: {wrong!r} is no action of this game. Nothing has changed, and player {turn.player} "
            assert str(refused.value).startswith(told)
            named = (
                str(refused.value).partition("actions: ")[2].partition(f" ({len(turn.legal)} are legal)")[0].split("; ")
            )
            assert set(named) <= set(turn.legal)
            assert len(named) == min(5, len(turn.legal))
            if turn.legal[0] in str(wrong).lower():
                assert named[0] == turn.legal[0]
        with pytest.raises(errors.UnknownAction, match=r"^not played: the action has 3000 characters") as refused:
            game.step("x" * 3000)
        assert "xxx" not in str(refused.value)
        illegal = next(a["text"] for a in game.rules["actions"] if a["text"] not in turn.legal)
        with pytest.raises(
            errors.IllegalAction, match=f'^not played: illegal action "{illegal}": .*Nearest legal actions: '
        ):
            game.step(illegal)
        with pytest.raises(errors.BadPlayer, match="0 to 2"):
            game.messages(3)
        assert (game.text(), tuple(game._vec.legal())) == (turn.text, turn.legal)
        turn = play(game, turn)
        with pytest.raises(errors.EarthgymError, match="over"):
            game.step("pass")
        assert turn.result is not None
        assert turn.result.returns == pytest.approx(list(turn.rewards))
        assert game.reset().result is None


def test_interrupted(server: earthgym.Server) -> None:
    """Ctrl-C on whatever line of a reset: messages are those of the game that there is."""
    with earthgym.TextGame("resilience-earth", players=2, server=server) as game:
        line, whole = 0, False
        while not whole:
            play(game, game.reset(seed=1), 2)
            line += 1
            whole = not interrupted(line, partial(game.reset, 2))
            game.messages(0)
    assert line > 50


def test_howto() -> None:
    assert earthgym.howto("one-earth:players=2").startswith("# ")
    for wrong in ("one-eart", "--help"):
        with pytest.raises(errors.UnknownGame, match="one-earth"):
            earthgym.howto(wrong)
    with pytest.raises(errors.UnknownGame, match=r"^howto\(\) takes games by their own names: 'one-earth'"):
        earthgym.howto("earthgym/OneEarth-v1")
