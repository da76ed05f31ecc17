"""earthgym beside PettingZoo's classic environments and OpenSpiel's Python API, in one run: decisions per CPU second.

pip install 'pettingzoo[classic]' open_spiel

All play random legal actions and get, for each decision, the observation of who decides and its legal actions. What
counts is the processor time of this program and of the one that plays the games, on Linux. Rounds of all are
interleaved, so that what else the machine does hits them alike; the best round of each counts.
"""

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import earthgym

Play = Callable[[float], float]  # plays for some seconds and gives decisions per CPU second


def spent(server: earthgym.Server | None = None) -> float:
    """Processor time so far."""
    own = time.process_time()
    if server is None or server.process_id is None:
        return own
    return own + time.clock_gettime(~server.process_id << 3 | 2)  # clock_getcpuclockid of C


def aec(env: Any, server: earthgym.Server | None = None) -> Play:
    """Plays a PettingZoo environment."""
    rng = np.random.default_rng(0)

    def play(seconds: float) -> float:
        n, start, before = 0, time.perf_counter(), spent(server)
        while time.perf_counter() - start < seconds:
            env.reset(seed=n)
            for _agent in env.agent_iter():
                observation, _, termination, truncation, info = env.last()
                if termination or truncation:
                    env.step(None)
                    continue
                mask = observation["action_mask"] if "action_mask" in observation else info["action_mask"]
                env.step(int(rng.choice(np.flatnonzero(mask))))
                n += 1
        return n / (spent(server) - before)

    return play


def openspiel(name: str) -> Play:
    import pyspiel

    game = pyspiel.load_game(name)
    observes = game.get_type().provides_observation_tensor
    rng = np.random.default_rng(0)

    def play(seconds: float) -> float:
        n, start, before = 0, time.perf_counter(), spent()
        while time.perf_counter() - start < seconds:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    actions, chances = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(int(rng.choice(actions, p=chances)))
                    continue
                player = state.current_player()
                tensor = state.observation_tensor(player) if observes else state.information_state_tensor(player)
                np.array(tensor, np.float32)
                state.apply_action(int(rng.choice(state.legal_actions(player))))
                n += 1
        return n / (spent() - before)

    return play


def ours(vec: earthgym.Vec) -> Play:
    rng = np.random.default_rng(0)

    def play(seconds: float) -> float:
        n, start, before = 0, time.perf_counter(), spent(vec.server)
        while time.perf_counter() - start < seconds:
            for _ in range(8):
                vec.step(earthgym.random_legal(vec.legal_mask(), rng))
            n += 8 * vec.num_envs
        return n / (spent(vec.server) - before)

    return play


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    from pettingzoo.classic import chess_v6, hanabi_v5, leduc_holdem_v4, texas_holdem_no_limit_v6

    players: dict[str, Play] = {}
    for game in (
        "resilience-earth:players=2",
        "one-earth:players=3",
        "earth-rising:players=3",
        "new-earth:players=2",
        "earthmans-burden:players=2",
    ):
        server = earthgym.Server(workers=1)
        for lanes in (1, 64, 1024):
            players[f"earthgym {game}, lanes: {lanes}"] = ours(earthgym.make_vec(game, lanes, server=server))
        players[f"earthgym {game}, PettingZoo AEC"] = aec(earthgym.aec(game, server=server), server)
    for module in (chess_v6, hanabi_v5, leduc_holdem_v4, texas_holdem_no_limit_v6):
        try:
            play = aec(module.env())
            play(0.01)
            players[f"PettingZoo {module.__name__.split('.')[-1]}"] = play
        except Exception as e:  # an environment whose own dependencies are missing
            print(f"{module.__name__}: {e}")
    for name in ("gin_rummy", "hearts", "backgammon"):
        players[f"OpenSpiel {name}"] = openspiel(name)
    best = dict.fromkeys(players, 0.0)
    for _ in range(options.rounds):
        for name, play in players.items():
            best[name] = max(best[name], play(options.seconds))
    for name, value in best.items():
        print(json.dumps({"environment": name, "decisions_per_cpu_second": round(value)}), flush=True)


if __name__ == "__main__":
    main()
