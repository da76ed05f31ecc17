"""Every game as a Python game of OpenSpiel, and bots of OpenSpiel as agents in Go matches.

Importing this module registers the games::

    import earthgym.openspiel, pyspiel

    game = pyspiel.load_game("earthgym_one_earth(players=3)")
    game = pyspiel.load_game("earthgym_one_earth", {"players": 3, "options": "difficulty:hard;talk:on"})

Chance nodes. A game has far too many shuffles and rolls to list, so they happen inside: where an action has drawn on
luck, a chance node follows, and each of its outcomes (``luck`` of them, 32 unless said otherwise, all equally likely)
is a draw of all that it draws. Which draws these are depends on the history and on ``seed`` alone, so states can be
cloned, serialised and searched; with ``luck=1`` a game has no chance but its set-up. The set-up itself is the first
chance node, with ``setups`` outcomes.

Positions are snapshots, kept as bytes, and a server plays on from them: an action takes a few round trips. What a
seat can't know is drawn anew by ``resample_from_infostate``, uniformly over what fits.

What can't work: tabular methods (CFR, exploitability, best responses) need the whole tree, and information states
with perfect recall, which there are none of (``use_observation_string=True`` for ISMCTS). OpenSpiel's bots in C++
(``pyspiel.MCTSBot``, ``pyspiel.ISMCTSBot``) crash on games in Python, its own too, as of 2.0.2: take those of
``open_spiel.python.algorithms``.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from . import agent, errors
from .catalogue import GAMES
from .server import game_text
from .vec import Vec, make_vec

try:
    import pyspiel
except ImportError as e:
    raise errors.missing_extra("earthgym.openspiel", "openspiel") from e
else:
    errors.check_extra("earthgym.openspiel", "openspiel")

_CHANCE, _TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)


def spiel_name(game: str) -> str:
    """OpenSpiel's name of a game: ``one-earth`` is ``earthgym_one_earth``."""
    return "earthgym_" + game.replace("-", "_")


class _Position:
    """A position, whole and for good. Clones share it."""

    def __init__(self, vec: Vec, saved: bytes) -> None:
        batch = vec.batch
        self.saved = saved
        self.luck = saved[saved.rindex(b'"streams":') :]
        self.actor = int(batch.actor[0])
        self.legal: list[int] = np.flatnonzero(vec.legal_mask()[0]).tolist() if self.actor >= 0 else []
        self.returns = [0.0] * vec.num_players
        if self.actor < 0:
            [episode] = vec.episodes()
            assert episode is not None, "it has ended"
            self.returns = episode.returns
        self.observations: dict[int, npt.NDArray[np.float32]] = {}
        if self.actor >= 0:
            self.observations[self.actor] = batch.observation[0].copy()
        self.texts: dict[int, str] = {}

    def __deepcopy__(self, memo: dict[int, Any]) -> _Position:
        return self


class _Table:
    """One lane of a server, at which the positions of a game take turns."""

    def __init__(self, game: str) -> None:
        self.vec = make_vec(game, 1, autoreset="disabled")
        self._here: _Position | None = None

    def _arrived(self, saved: bytes) -> _Position:
        self._here = _Position(self.vec, saved)
        return self._here

    def set_up(self, seed: int) -> _Position:
        self.vec.reset([seed])
        return self._arrived(self.vec.save())

    def restored(self, saved: bytes) -> _Position:
        self.vec.restore(saved)
        return self._arrived(self.vec.save())

    def redealt(self, position: _Position, player: int, key: int) -> _Position:
        self._go(position)
        self.vec.redeal(player, key)
        return self._arrived(self.vec.save())

    def played(self, position: _Position, action: int, luck: int = 0) -> _Position:
        """What an action leads to; with luck other than 0 that luck decides."""
        if luck:
            self._restore(position, luck)
        else:
            self._go(position)
        self._here = None
        self.vec.send([action])
        _, saved = self.vec.server.request("save", env=self.vec.handle)  # under way together, to wait only once
        self.vec.recv()
        return self._arrived(saved)

    def _restore(self, position: _Position, luck: int | None = None) -> None:
        """Restores a position, whose arrays nobody looks at: the server need not send them."""
        self._here = None
        self.vec.server.request("restore", position.saved, env=self.vec.handle, key=luck)

    def _go(self, position: _Position) -> None:
        if self._here is not position:
            self._restore(position)
            self._here = position

    def observation(self, position: _Position, player: int) -> npt.NDArray[np.float32]:
        if player not in position.observations:
            self._go(position)
            position.observations[player] = self.vec.observe(player)[0].astype(np.float32)
        return position.observations[player]

    def text(self, position: _Position, player: int) -> str:
        if player not in position.texts:
            self._go(position)
            position.texts[player] = self.vec.text(player=player)
        return position.texts[player]


class EarthGame(pyspiel.Game):  # type: ignore[misc]
    """A game of OpenSpiel. Made by ``pyspiel.load_game``, of a class for each game.

    Its parameters are ``players`` (0: as many as the game has by itself), ``options`` (the rest of the game's text,
    with ``:`` and ``;`` for ``=`` and ``,``, which OpenSpiel keeps to itself), ``setups``, ``luck`` and ``seed``.
    """

    name: str

    def __init__(self, parameters: dict[str, Any] | None = None) -> None:
        given = {**_PARAMETERS, **(parameters or {})}
        if given["luck"] < 1 or given["setups"] < 1:
            raise ValueError("luck and setups are numbers of outcomes: 1 or more")
        text = self.name
        if given["options"]:
            text += ":" + given["options"].replace(";", ",").replace(":", "=")
        if given["players"]:
            text = game_text(text, {"players": given["players"]})
        self.table = _Table(text)
        self.setups, self.luck, self.seed = given["setups"], given["luck"], given["seed"]
        self.info = info = self.table.vec.info
        self.names = self.table.vec.action_names
        players, most = info["players"], info["max_decisions"]
        utility, total = pyspiel.GameType.Utility.GENERAL_SUM, None
        if "cooperative" in info["traits"]:
            utility = pyspiel.GameType.Utility.IDENTICAL
        elif "competitive" in info["traits"] and players > 1:
            utility, total = pyspiel.GameType.Utility.ZERO_SUM, 0.0
        super().__init__(
            _game_type(self.name, utility),
            pyspiel.GameInfo(
                num_distinct_actions=len(self.names),
                max_chance_outcomes=max(self.setups, self.luck),
                num_players=players,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=total,
                max_game_length=most,
            ),
            given,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return _opened, (str(self),)  # a function of this module, which whoever unpickles it has to import

    def new_initial_state(self) -> EarthState:
        """The set-up, which is a chance node."""
        return EarthState(self)

    def state_of(self, saved: bytes) -> EarthState:
        """A state from what ``Vec.save``, or ``Decision.states``, gave. Its history begins there."""
        return EarthState(self, self.table.restored(saved))

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> EarthObserver | None:
        """What a seat sees; there is no perfect recall."""
        if iig_obs_type is not None and iig_obs_type.perfect_recall:
            return None
        return EarthObserver(self)

    def max_chance_nodes_in_history(self) -> int:
        """One after each decision at most, and the set-up."""
        return int(self.info["max_decisions"]) + 1

    def close(self) -> None:
        """Ends the game's server, and with it all states of the game."""
        self.table.vec.close()


def _opened(text: str) -> EarthGame:
    game: EarthGame = pyspiel.load_game(text)
    return game


class EarthState(pyspiel.State):  # type: ignore[misc]
    """A position, or a chance node on the way to the next one."""

    def __init__(self, game: EarthGame, position: _Position | None = None) -> None:
        super().__init__(game)
        self._chain = _mixed(game.seed, 0)
        self._position = position
        self._action: int | None = None  # has been chosen, and waits for its luck

    def current_player(self) -> int:
        """Who decides: a seat, chance, or nobody."""
        if self._position is None or self._action is not None:
            return _CHANCE
        return self._position.actor if self._position.actor >= 0 else _TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        position = self._shown()
        return position.legal if player == position.actor and self._action is None else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The draws of luck, all equally likely."""
        n = self.get_game().setups if self._position is None else self.get_game().luck
        return [(k, 1 / n) for k in range(n)]

    def _apply_action(self, action: int) -> None:
        if self._position is None:
            self._chain = _mixed(self._chain, action)
            self._position = self.get_game().table.set_up(self._chain)
            return
        if self._action is None:
            after = self.get_game().table.played(self._position, action)
            if after.luck == self._position.luck:
                self._position = after
            else:
                self._action = action
            return
        self._chain = _mixed(self._chain, action)
        self._position, self._action = self.get_game().table.played(self._position, self._action, self._chain), None

    def _action_to_string(self, player: int, action: int) -> str:
        if player != _CHANCE:
            name: str = self.get_game().names[action]
            return name
        return f"set-up {action}" if self._position is None else f"luck {action}"

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.current_player() == _TERMINAL

    def returns(self) -> list[float]:
        """One for each seat, in [-1, 1]; zeros while the game runs."""
        return list(self._position.returns) if self._position is not None else [0.0] * self.num_players()

    def resample_from_infostate(self, player: int, sampler: Any = None) -> EarthState:
        """A state that looks the same to a player, all that it can't know drawn anew from the sampler.

        The sampler is OpenSpiel's: called, it gives numbers from 0 to 1. Without one, NumPy's generator does.
        """
        if self.current_player() < 0:
            raise errors.EarthgymError("at a chance node, and after the end, there is nothing to sample")
        draw = sampler if callable(sampler) else np.random.random
        state: EarthState = self.clone()
        state._chain = _mixed(int(math.ldexp(draw(), 63)), int(math.ldexp(draw(), 63)))
        state._position = self.get_game().table.redealt(self._shown(), player, state._chain)
        return state

    def saved(self) -> bytes:
        """The position, as ``Vec.restore`` takes it."""
        return self._shown().saved

    def _shown(self) -> _Position:
        if self._position is None:
            raise errors.EarthgymError("before the set-up, which is a chance node, there is nothing to see")
        return self._position

    def __str__(self) -> str:
        if self._position is None:
            return "before the set-up"
        position = json.dumps(json.loads(self._position.saved)["position"])
        return position if self._action is None else f"{position}, then {self.get_game().names[self._action]}"


class EarthObserver:
    """What a seat sees: ``tensor``, and in ``dict`` its features by their names."""

    def __init__(self, game: EarthGame) -> None:
        self._table = game.table
        self.tensor = np.zeros(game.info["observation_size"], np.float32)
        self.dict = {}
        for feature in game.info["observation"]:
            part = self.tensor[feature["offset"] :][: math.prod(feature["shape"])]
            self.dict[feature["name"]] = part.reshape(feature["shape"])

    def set_from(self, state: EarthState, player: int) -> None:
        """Shows what a player sees; nothing before the set-up."""
        if state._position is None:
            self.tensor[:] = 0
        else:
            self.tensor[:] = self._table.observation(state._position, player)

    def string_from(self, state: EarthState, player: int) -> str:
        """The table as a player reads it."""
        return "" if state._position is None else self._table.text(state._position, player)


def _mixed(chain: int, outcome: int) -> int:
    """A number that depends on all that has been drawn, and is not 0."""
    digest = hashlib.blake2b(chain.to_bytes(8, "little") + outcome.to_bytes(8, "little"), digest_size=8).digest()
    return int.from_bytes(digest, "little") or 1


_PARAMETERS: dict[str, Any] = {"players": 0, "options": "", "setups": 4096, "luck": 32, "seed": 0}


def _game_type(game: str, utility: Any) -> Any:
    kind = pyspiel.GameType
    return kind(
        short_name=spiel_name(game),
        long_name=game,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=6,
        min_num_players=1,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_PARAMETERS,
    )


def register() -> None:
    """Tells OpenSpiel of the games. A second call does nothing."""
    for game in GAMES:
        if spiel_name(game) not in pyspiel.registered_names():
            # A class, since OpenSpiel lets go of what it has registered when Python has ended.
            kind = type(EarthGame.__name__, (EarthGame,), {"name": game})
            pyspiel.register_game(_game_type(game, pyspiel.GameType.Utility.GENERAL_SUM), kind)


register()


class BotAgent:
    """A bot of OpenSpiel as a policy of :func:`earthgym.agent.run`.

    The bot is shown a state that may be the true one, drawn from all that fit what its seat knows; that its own
    search draws others (as ISMCTS does) is up to it.

    Args:
        make: makes the bot of a game, a seat and a seed: ``lambda game, player, seed: …``.
        luck: outcomes of a chance node in the bot's game.
    """

    def __init__(self, make: Callable[[EarthGame, int, int], Any], *, luck: int = _PARAMETERS["luck"]) -> None:
        self._make = make
        self._luck = luck
        self._game: EarthGame | None = None
        self._bots: dict[int, Any] = {}
        self._rng = np.random.default_rng(0)
        self._seed = 0

    def reset(self, seed: int) -> None:
        """Begins a game: new bots, whose chance is to come from the seed."""
        self._rng, self._seed, self._bots = np.random.default_rng(seed), seed, {}

    def act(self, decision: agent.Decision) -> int:
        """Asks the bot of the seat."""
        if self._game is None:
            name, _, options = decision.game.partition(":")
            options = options.replace(",", ";").replace("=", ":")
            self._game = pyspiel.load_game(spiel_name(name), {"options": options, "luck": self._luck})
        assert self._game is not None, "it has just been loaded"
        player = decision.player
        if player not in self._bots:
            self._bots[player] = self._make(self._game, player, self._seed)
        [saved] = decision.states(1, int(self._rng.integers(1 << 62)))
        return int(self._bots[player].step(self._game.state_of(saved)))


def run(make: Callable[[EarthGame, int, int], Any], *, name: str = "", luck: int = _PARAMETERS["luck"]) -> None:
    """Lets a bot of OpenSpiel play until the match is over; see :class:`BotAgent`."""
    agent.run(BotAgent(make, luck=luck), name=name)
