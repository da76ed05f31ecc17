"""Any game as a server of OpenEnv: every seat in turn, or one against agents. Each client has a game of its own.

pip install earthgym openenv
uvicorn openenv_server:app
"""

from uuid import uuid4

from openenv.core.env_server import Action, Environment, Observation, State, create_app

import earthgym


class Move(Action):
    text: str  # one of the legal actions
    seat: int | None = None  # refused if another one decides


class Turn(Observation):
    seat: int | None = None  # who decides; None once the game is over
    text: str = ""  # the table as that seat sees it
    legal: list[str] = []
    messages: list[str] = []  # what has happened since the seat was last told
    rewards: list[float] = []  # of each seat; reward is that of who has acted
    error: str = ""  # why the move can't be: nothing has changed then


class Earth(Environment[Move, Turn, State]):
    SUPPORTS_CONCURRENT_SESSIONS = True
    table = None

    def reset(self, seed=None, episode_id=None, game="one-earth:players=2", seat=None, opponents="script:strong", **_):
        self.close()
        self.table = earthgym.TextGame(game, seat=seat, opponents=opponents)
        self.turn = self.table.reset(seed)
        self._state = State(episode_id=episode_id or str(uuid4()), step_count=0, game=self.table.game, seed=seed)
        return self.shown(None)

    def step(self, action, timeout_s=None, **_):
        try:
            actor, self.turn = self.turn.player, self.table.step(action.text, action.seat)
        except earthgym.EarthgymError as e:
            return self.shown(None, error=str(e))
        self._state.step_count += 1
        return self.shown(self.turn.rewards[actor])

    def shown(self, reward, error=""):
        t = self.turn
        lists = {"legal": list(t.legal), "messages": list(t.messages), "rewards": list(t.rewards)}
        return Turn(seat=t.player, text=t.text, done=t.done, reward=reward, error=error, **lists)

    @property
    def state(self):
        return self._state

    def close(self):
        if self.table:
            self.table.close()


app = create_app(Earth, Move, Turn, env_name="earthgym", max_concurrent_envs=16)
