"""A game as an environment of TextArena, with its loop and its agents.

pip install earthgym textarena
python textarena_loop.py one-earth 3
"""

import random
import sys

import textarena as ta

import earthgym


class EarthEnv(ta.Env):
    def __init__(self, game):
        self.game = game

    def reset(self, num_players, seed=None):
        self.table = earthgym.TextGame(self.game, players=num_players)
        self.state = ta.State(num_players=num_players)  # with a seed, it would set the one of Python's random
        self.turn = self.table.reset(seed)
        self.state.standard_resets(player_prompt_function=lambda player_id, game_state: earthgym.howto(self.game))
        self.show()

    def show(self):
        self.state.current_player_id = player = self.turn.player
        self.state.add_observation("\n".join(self.turn.messages), ta.ObservationType.GAME_MESSAGE, to_id=player)
        board = "\n".join([self.turn.text, "Legal, in brackets:", *(f"[{a}]" for a in self.turn.legal)])
        self.state.add_observation(board, ta.ObservationType.GAME_BOARD, to_id=player)

    def step(self, action):
        try:
            self.turn = self.table.step(action.strip().removeprefix("[").removesuffix("]"), self.turn.player)
        except (earthgym.IllegalAction, earthgym.UnknownAction) as e:
            self.state.add_observation(str(e), ta.ObservationType.GAME_ADMIN, to_id=self.turn.player)
            return False, {"invalid_move": str(e)}
        if self.turn.done:
            self.state.done, self.state.rewards = True, dict(enumerate(self.turn.result.returns))
            self.table.close()
        else:
            self.show()
        return self.state.step()


def anything(observation):
    return random.choice([line for line in observation.splitlines() if line.startswith("[") and line.endswith("]")])


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    ta.register("Earth-v0", EarthEnv, [ta.wrappers.GameMessagesAndCurrentBoardObservationWrapper], game=sys.argv[1])
    env, agents, done = ta.make("Earth-v0"), [anything] * int(sys.argv[2]), False
    env.reset(num_players=len(agents), seed=1)
    while not done:
        player, observation = env.get_observation()
        done, info = env.step(agents[player](observation))
    print(*env.close())
