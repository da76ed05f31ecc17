"""Decisions a second of a library's own loop, with earthgym and with an example of the library's own, in one run.

python compare_libraries.py torchrl   # or agilerl, openspiel, rllib, textarena, tianshou (with pygame)

Rounds take turns, so that what else the machine does hits them alike; the best round of each counts.
"""

import argparse
import json
import time
from collections.abc import Callable

import numpy as np

import earthgym

GAME = "resilience-earth"
Loop = Callable[[], int]  # plays a while and gives the number of decisions


def torchrl(lanes: int) -> dict[str, Loop]:
    from torchrl.envs import SerialEnv
    from torchrl.envs.libs.gym import GymEnv
    from torchrl.modules import MaskedCategorical

    from earthgym.torchrl import EarthTorchEnv

    def policy(tensordict):
        mask = tensordict["action_mask"]
        return tensordict.set("action", MaskedCategorical(logits=mask * 0.0, mask=mask).sample())

    def loop(env, policy=None) -> Loop:
        return lambda: env.rollout(64, policy, break_when_any_done=False).numel()

    return {
        f"EarthTorchEnv, {lanes} games": loop(EarthTorchEnv(GAME, lanes, players=2), policy),
        f"SerialEnv of CartPole, {lanes}": loop(SerialEnv(lanes, lambda: GymEnv("CartPole-v1"))),
    }


def agilerl(lanes: int) -> dict[str, Loop]:
    import gymnasium
    from agilerl.algorithms import PPO
    from agilerl.rollouts import collect_rollouts
    from gymnasium.vector import AutoresetMode

    from earthgym.gym import EarthVectorEnv

    def loop(env) -> Loop:
        ppo = PPO(env.single_observation_space, env.single_action_space, num_envs=lanes, learn_step=32 * lanes)

        def play() -> int:
            collect_rollouts(ppo, env, n_steps=32)
            return 32 * lanes

        return play

    return {
        f"EarthVectorEnv, {lanes} games": loop(
            EarthVectorEnv(GAME, lanes, players=2, autoreset_mode=AutoresetMode.SAME_STEP)
        ),
        f"SyncVectorEnv of CartPole, {lanes}": loop(
            gymnasium.make_vec("CartPole-v1", lanes, vectorization_mode="sync")
        ),
    }


def tianshou(lanes: int) -> dict[str, Loop]:
    from pettingzoo.classic import tictactoe_v3
    from tianshou.algorithm import MultiAgentOffPolicyAlgorithm
    from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm as Random
    from tianshou.data import Collector, VectorReplayBuffer
    from tianshou.env import DummyVectorEnv, PettingZooEnv

    class Env(PettingZooEnv):
        def step(self, action):
            return *super().step(action)[:-1], {}

    def loop(make) -> Loop:
        env = Env(make())
        both = MultiAgentOffPolicyAlgorithm(algorithms=[Random(env.action_space) for _ in env.agents], env=env)
        games = DummyVectorEnv([lambda: Env(make())] * 8)
        collector = Collector(both, games, VectorReplayBuffer(2000, 8))
        collector.reset()
        return lambda: collector.collect(n_step=512).n_collected_steps

    return {
        "earthgym.aec, 8 games": loop(lambda: earthgym.aec(GAME, players=2)),
        "tictactoe_v3, 8": loop(tictactoe_v3.env),
    }


def openspiel(lanes: int) -> dict[str, Loop]:
    import pyspiel
    from open_spiel.python.games import kuhn_poker  # noqa: F401

    import earthgym.openspiel

    rng = np.random.default_rng(0)

    def loop(game) -> Loop:
        def play() -> int:
            state, n = game.new_initial_state(), 0
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(int(rng.choice([a for a, _ in state.chance_outcomes()])))
                    continue
                state.observation_tensor(state.current_player())
                state.apply_action(int(rng.choice(state.legal_actions())))
                n += 1
            return n

        return play

    earth = pyspiel.load_game(earthgym.openspiel.spiel_name(GAME), {"players": 2})
    return {
        "earthgym_resilience_earth": loop(earth),
        "python_kuhn_poker": loop(pyspiel.load_game("python_kuhn_poker")),
        "backgammon, in C++": loop(pyspiel.load_game("backgammon")),
    }


def rllib(lanes: int) -> dict[str, Loop]:
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner
    from ray.rllib.examples.envs.classes.multi_agent.tic_tac_toe import TicTacToe
    from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

    from earthgym.rllib import EarthMultiAgentEnv

    def loop(env, options, module) -> Loop:
        config = (
            PPOConfig()
            .environment(env, env_config=options)
            .multi_agent(policies={"all"}, policy_mapping_fn=lambda agent, episode, **kwargs: "all")
            .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"all": module}))
            .env_runners(num_env_runners=0, num_envs_per_env_runner=8)
        )
        runner = MultiAgentEnvRunner(config=config)
        return lambda: sum(e.env_steps() for e in runner.sample(num_timesteps=512))

    return {
        "EarthMultiAgentEnv, 8 games": loop(
            EarthMultiAgentEnv, {"game": GAME, "players": 2}, RLModuleSpec(module_class=ActionMaskingTorchRLModule)
        ),
        "TicTacToe, 8": loop(TicTacToe, {}, RLModuleSpec()),
    }


def textarena(lanes: int) -> dict[str, Loop]:
    import random

    import textarena as ta
    from textarena_loop import EarthEnv

    def loop(env, players: int, choose) -> Loop:
        def play() -> int:
            env.reset(num_players=players)
            done, n = False, 0
            while not done:
                _, observation = env.get_observation()
                done, _ = env.step(choose(observation))
                n += 1
            return n

        return play

    def legal(observation) -> str:
        return random.choice([line for line in observation[-1][1].splitlines() if line.startswith("[")])

    return {
        "EarthEnv": loop(EarthEnv(GAME), 2, legal),
        "TicTacToe-v0-raw": loop(ta.make("TicTacToe-v0-raw"), 2, lambda _: f"[{random.randrange(9)}]"),
    }


def main() -> None:
    libraries = {f.__name__: f for f in (torchrl, agilerl, tianshou, openspiel, rllib, textarena)}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", choices=libraries)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--lanes", type=int, default=64)
    options = parser.parse_args()
    loops = libraries[options.library](options.lanes)
    best = dict.fromkeys(loops, 0.0)
    for play in loops.values():
        play()
    for _ in range(options.rounds):
        for name, play in loops.items():
            n, start = 0, time.perf_counter()
            while time.perf_counter() - start < options.seconds:
                n += play()
            best[name] = max(best[name], n / (time.perf_counter() - start))
    for name, value in best.items():
        print(json.dumps({"library": options.library, "environment": name, "decisions_per_second": round(value)}))


if __name__ == "__main__":
    main()
