"""A verifiers.v1 environment in which language models play each other, a role a seat.

pip install earthgym verifiers uv
PYTHONPATH=. vf-eval verifiers_game --no-push --client.base-url URL -m MODEL --env.second.model ANOTHER
"""

import contextlib
import itertools

import verifiers.v1 as vf

import earthgym

GAME, SEATS, PATIENCE = "resilience-earth", ("first", "second"), 3
RULES = f"{earthgym.howto(GAME)}\n\nThe last line of your answer is one of the legal actions, word for word."
PLAYER = vf.AgentConfig(harness={"id": "null"}, runtime=vf.SubprocessConfig())


class EarthData(vf.TaskData):
    seed: int


class EarthTaskset(vf.Taskset[vf.Task[EarthData, vf.State, vf.TaskConfig], vf.TasksetConfig]):
    INFINITE = True

    def load(self):
        for seed in itertools.count(1):
            yield vf.Task(EarthData(name=f"{GAME}#{seed}", seed=seed, system_prompt=RULES), self.config.task)


class EarthConfig(vf.EnvConfig):
    first: vf.AgentConfig = PLAYER
    second: vf.AgentConfig = PLAYER
    max_decisions: int = 0  # of a game; 0 plays to its end


class EarthEnv(vf.Env[EarthConfig]):
    async def run(self, task, agents):
        async with contextlib.AsyncExitStack() as stack:
            limit = self.config.max_decisions
            game = stack.enter_context(earthgym.TextGame(GAME, players=len(SEATS), max_decisions=limit))
            seats = [await stack.enter_async_context(getattr(agents, s).interaction(task)) for s in SEATS]
            turn, faults, complaint = game.reset(task.data.seed), 0, []
            while not turn.done and faults < PATIENCE:
                prompt = [*turn.messages, turn.text, "Legal actions:", *turn.legal, *complaint]
                reply = await seats[turn.player].turn("\n".join(prompt))
                try:
                    turn = game.step((reply.last_reply.splitlines() or [""])[-1].strip())
                    faults, complaint = 0, []
                except (earthgym.IllegalAction, earthgym.UnknownAction) as e:
                    faults, complaint = PATIENCE if reply.terminated else faults + 1, [f"That can't be: {e}"]
        for p, seat in enumerate(seats):  # who answers nothing that is legal forfeits, and pays alone
            seat.trace.record_reward("return", turn.result.returns[p] if turn.result else -(p == turn.player))


__all__ = ["EarthEnv", "EarthTaskset"]
