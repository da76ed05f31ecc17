"""How many decisions a second Python gets: ``python -m earthgym.bench``, or ``earthgym bench --pipe``.

The client draws a random legal action from each mask with NumPy, and has the full float32 observations in its
arrays. The best of several rounds counts.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from .server import Server, find_binary
from .vec import Vec, random_legal

TRANSPORTS = ("stdio", "shared", "unix", "tcp")


@contextmanager
def serving(transport: str) -> Iterator[Server]:
    """A server that is reached in some way."""
    if transport in ("stdio", "shared"):
        with Server() as server:
            yield server
        return
    with tempfile.TemporaryDirectory() as folder:
        where = f"unix:{os.path.join(folder, 'socket')}" if transport == "unix" else "tcp:127.0.0.1:0"
        process = subprocess.Popen([find_binary(), "serve", "--listen", where], stderr=subprocess.PIPE, text=True)
        try:
            assert process.stderr is not None
            line = process.stderr.readline()
            if "address=" not in line:
                raise RuntimeError(line.strip())
            with Server(address=line.split("address=")[1].split()[0]) as server:
                yield server
        finally:
            process.terminate()
            process.communicate()


def rate(vec: Vec, seconds: float, rng: np.random.Generator) -> float:
    """Decisions a second of one batch."""
    n, start = 0, time.perf_counter()
    while (now := time.perf_counter()) - start < seconds:
        vec.step(random_legal(vec.legal_mask(), rng))
        n += vec.num_envs
    return n / (now - start)


def rate_of_pair(a: Vec, b: Vec, seconds: float, rng: np.random.Generator) -> float:
    """Decisions a second of two half batches in flight."""
    n, start = 0, time.perf_counter()
    a.send(random_legal(a.legal_mask(), rng))
    while (now := time.perf_counter()) - start < seconds:
        b.send(random_legal(b.legal_mask(), rng))
        a.recv()
        a.send(random_legal(a.legal_mask(), rng))
        b.recv()
        n += a.num_envs + b.num_envs
    a.recv()
    return n / (now - start)


def latency(vec: Vec, rounds: int, rng: np.random.Generator) -> float:
    """The median time of a round trip of one decision, in microseconds: the step alone, without the choice."""
    times = np.empty(rounds)
    for i in range(rounds):
        actions = random_legal(vec.legal_mask(), rng)
        start = time.perf_counter()
        vec.step(actions)
        times[i] = time.perf_counter() - start
    return float(np.median(times) * 1e6)


def measure(game: str, transport: str, lanes: int, seconds: float, rounds: int = 3) -> dict[str, Any]:
    """The best of several rounds."""
    rng = np.random.default_rng(0)
    with serving(transport) as server:
        options: dict[str, Any] = {"shared": transport == "shared"}
        row: dict[str, Any] = {"game": game, "transport": transport, "lanes": lanes}
        with Vec(server, game, lanes, **options) as vec:
            row["decisions_per_second"] = max(rate(vec, seconds / rounds, rng) for _ in range(rounds))
            if lanes == 1:
                row["round_trip_us"] = min(latency(vec, 2000, rng) for _ in range(rounds))
        if lanes > 1:
            a, b = (Vec(server, game, lanes // 2, **options) for _ in range(2))
            row["pipelined_per_second"] = max(rate_of_pair(a, b, seconds / rounds, rng) for _ in range(rounds))
    return row


def main(args: list[str] | None = None) -> None:
    """Prints one JSON object for each figure."""
    parser = argparse.ArgumentParser(prog="python -m earthgym.bench", description=__doc__)
    parser.add_argument("games", nargs="*", default=["resilience-earth:players=2"])
    parser.add_argument("--lanes", type=int, nargs="+", default=[1, 64, 1024])
    parser.add_argument("--transport", nargs="+", choices=TRANSPORTS, default=list(TRANSPORTS))
    parser.add_argument("--seconds", type=float, default=1.5)
    options = parser.parse_args(args)
    for game in options.games:
        for transport in options.transport:
            for lanes in options.lanes:
                print(json.dumps(measure(game, transport, lanes, options.seconds)), flush=True)


if __name__ == "__main__":
    main()
