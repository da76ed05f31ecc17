"""A game of language models in verifiers, played by a server that speaks the protocol of one."""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import verifiers.v1 as vf

EXAMPLES = Path(__file__).parents[2] / "examples"


class Model(ThreadingHTTPServer):
    """Answers chat completions: with a legal action after some thought, or in another manner."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.rng = random.Random(1)
        self.asked: list[list[dict[str, Any]]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Answer(BaseHTTPRequestHandler):
    server: Model

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(body["messages"])
        text = body["messages"][-1]["content"]
        if not isinstance(text, str):
            text = "".join(part["text"] for part in text)
        legal = text.rpartition("\nLegal actions:\n")[2].splitlines()
        legal = [line for line in legal if not line.startswith("That can't be")]
        if body["model"] == "mumbler":
            said = "I had rather not say"
        elif body["model"] == "sloppy" and "That can't be" not in text:
            said = "something else"
        else:
            said = f"Let me think.\n{self.server.rng.choice(legal)}"
        message = {"role": "assistant", "content": said}
        stream = bool(body.get("stream"))
        answer = {
            "id": "1",
            "object": "chat.completion.chunk" if stream else "chat.completion",
            "created": 0,
            "model": body["model"],
            "choices": [{"index": 0, "delta" if stream else "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }
        data = json.dumps(answer).encode()
        if stream:
            data = b"data: " + data + b"\n\ndata: [DONE]\n\n"
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream" if stream else "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def model() -> Iterator[Model]:
    with Model() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def play(model: Model, first: str, second: str, seed: int) -> list[vf.Trace]:
    sys.path.insert(0, str(EXAMPLES))
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    from verifiers_game import EarthConfig, EarthEnv

    async def run() -> Any:
        models = {"first": {"model": first}, "second": {"model": second}}
        env = EarthEnv(EarthConfig(taskset={"id": "verifiers_game"}, max_decisions=6, **models))
        client = vf.EvalClientConfig(base_url=model.url, api_key_var="PATH")
        task = next(t for t in env.taskset if t.data.seed == seed)
        async with env.serving():
            return await env.run_episode(
                task, vf.ModelContext(model="none", client=client, sampling=vf.SamplingConfig())
            )

    episode = asyncio.run(run())
    assert not episode.errors, episode.errors
    return sorted(episode.traces, key=lambda t: t.agent.name)


def test_game(model: Model) -> None:
    """Two models play; each is paid its return; who errs is told why, and asked again."""
    first, second = play(model, "good", "sloppy", 1)
    assert first.reward + second.reward == 0
    assert first.num_turns + second.num_turns > 6
    assert {m["role"] for m in model.asked[-1]} == {"system", "user", "assistant"}
    assert any("That can't be" in str(messages[-1]["content"]) for messages in model.asked)


def test_forfeit(model: Model) -> None:
    """Who never says a legal action forfeits after a while, and the other isn't paid for it."""
    first, second = play(model, "good", "mumbler", 1)
    assert (first.reward, second.reward) == (0, -1)
    assert second.num_turns == 3
