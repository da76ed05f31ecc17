"""A training step of earthgym against PyTorch's: the same network, minibatch, loss and optimiser, in processor time.

    python compare.py STEP    STEP is the program of this folder (make bench-torch builds it)

For each game a shipped network takes steps on a minibatch of positions from random games: the clipped surrogate, the
values of all seats, the divergence from a reference, Adam behind a clipped norm. Both sides have one thread and take
turns; a side's time is the least of its rounds. That they do the same is checked: their losses agree after every round.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import earthgym
import numpy as np
import numpy.typing as npt
import safetensors.numpy
import torch
from earthgym.torch import NetworkModule
from torch import nn

Array = npt.NDArray[Any]

GAMES = ("one-earth", "earth-rising", "new-earth", "resilience-earth", "earthmans-burden")
NETWORKS = Path(__file__).parents[2] / "agents" / "shipped" / "networks"
RATE, CLIP, VALUE, DIVERGENCE, NORM, EPSILON = 1e-4, 0.2, 0.5, 0.05, 1.0, 1e-5
OTHERS = 0.25  # of the own value's loss, for the other seats' together
LANES = 256


def positions(game: str, rows: int) -> tuple[Array, Array]:
    """Observations and masks of positions in random games."""
    rng = np.random.default_rng(1)
    observations: list[Array] = []
    masks: list[Array] = []
    with earthgym.make_vec(game, LANES, seed=1) as vec:
        while len(observations) * LANES < rows:
            for _ in range(23):
                vec.step(earthgym.random_legal(vec.legal_mask(), rng))
            observations.append(np.array(vec.batch.observation))
            masks.append(vec.legal_mask().copy())
    return np.concatenate(observations)[:rows], np.concatenate(masks)[:rows]


def minibatch(net: NetworkModule, game: str, rows: int) -> dict[str, Array]:
    """A minibatch whose actions the network has drawn a little while ago."""
    rng = np.random.default_rng(2)
    observation, mask = positions(game, rows)
    with torch.no_grad():
        logits, values = (t.numpy() for t in net(torch.from_numpy(observation)))
    action = earthgym.random_legal(mask, rng)
    legal = np.where(mask, logits, -np.inf)
    top = legal.max(1, keepdims=True)
    log_p = legal - top - np.log(np.exp(legal - top).sum(1, keepdims=True))
    words = -(-mask.shape[1] // 64)
    bits = np.zeros((rows, words * 64), np.uint8)
    bits[:, : mask.shape[1]] = mask

    def noise(*shape: int) -> Array:
        return rng.normal(size=shape).astype(np.float32)

    return {
        "obs": observation,
        "mask": np.packbits(bits, axis=1, bitorder="little").view(np.uint64),
        "action": action,
        "log_prob": (log_p[np.arange(rows), action] + 0.1 * noise(rows)).astype(np.float32),
        "advantage": noise(rows),
        "return": values + 0.3 * noise(*values.shape),
        "reference": logits + 0.3 * noise(*logits.shape),
    }


class Torch:
    """PyTorch's side."""

    def __init__(self, net: NetworkModule, batch: dict[str, Array]) -> None:
        self.net = net
        self.adam = torch.optim.Adam(net.parameters(), lr=RATE, eps=EPSILON, foreach=True)
        self.batch = {k: torch.from_numpy(v) for k, v in batch.items() if k != "mask"}
        actions = batch["reference"].shape[1]
        bits = np.unpackbits(batch["mask"].view(np.uint8), axis=1, bitorder="little")[:, :actions]
        self.illegal = torch.from_numpy(bits == 0)
        self.reference = self.batch["reference"].masked_fill(self.illegal, -1e9).log_softmax(1)

    def loss(self) -> torch.Tensor:
        """That of a minibatch."""
        b = self.batch
        logits, values = self.net(b["obs"])
        log_p = logits.masked_fill(self.illegal, -1e9).log_softmax(1)
        ratio = (log_p.gather(1, b["action"][:, None]).squeeze(1) - b["log_prob"]).exp()
        gain = torch.minimum(ratio * b["advantage"], ratio.clamp(1 - CLIP, 1 + CLIP) * b["advantage"])
        misses = (values - b["return"]).square().mean(0) / 2
        divergence = (self.reference.exp() * (self.reference - log_p)).sum(1)
        return -gain.mean() + VALUE * (misses[0] + OTHERS * misses[1:].mean()) + DIVERGENCE * divergence.mean()

    def steps(self, n: int) -> tuple[float, float]:
        """Takes so many, and gives the processor time of one and the last loss."""
        start = time.process_time()
        for _ in range(n):
            self.adam.zero_grad()
            loss = self.loss()
            loss.backward()
            nn.utils.clip_grad_norm_(self.net.parameters(), NORM)
            self.adam.step()
        return (time.process_time() - start) / n, loss.item()


class Ours:
    """The other side: the program of this folder."""

    def __init__(self, program: str, network: Path, batch: Path) -> None:
        self.process = subprocess.Popen(
            [program, str(network), str(batch)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "GOMAXPROCS": "1"},
        )

    def steps(self, n: int) -> tuple[float, float]:
        """Takes so many, and gives the processor time of one and the last loss."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(n, file=self.process.stdin, flush=True)
        seconds, loss = self.process.stdout.readline().split()
        return float(seconds) / n, float(loss)

    def close(self) -> None:
        """Ends the program."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def compare(program: str, game: str, rows: int, rounds: int, steps: int) -> float:
    """Prints what a game's steps take, and gives earthgym's share of PyTorch's time."""
    network = NETWORKS / f"{game}.safetensors"
    net = NetworkModule(earthgym.load_network(network))
    batch = minibatch(net, game, rows)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "batch.safetensors"
        safetensors.numpy.save_file(batch, file)
        ours, theirs = Ours(program, network, file), Torch(net, batch)
        best = [float("inf"), float("inf")]
        for turn in range(rounds + 1):  # in the first one buffers are made
            (our_time, our_loss), (their_time, their_loss) = ours.steps(steps), theirs.steps(steps)
            if abs(our_loss - their_loss) > 1e-3 * abs(their_loss) + 1e-4:
                raise SystemExit(f"{game}: after {(turn + 1) * steps} steps the losses are {our_loss} and {their_loss}")
            if turn > 0:
                best = [min(best[0], our_time), min(best[1], their_time)]
        ours.close()
    share, full = best[0] / best[1], (batch["obs"] != 0).mean()
    print(
        f"{game:18} {rows:5} rows  inputs set {full:4.0%}  "
        f"earthgym {best[0] * 1e3:7.1f} ms  PyTorch {best[1] * 1e3:7.1f} ms  {share:.2f}"
    )
    return share


def main() -> None:
    """Compares in all games."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("program", help="the program of this folder")
    parser.add_argument("--games", nargs="+", default=GAMES)
    parser.add_argument("--rows", type=int, nargs="+", default=[4096, 1024], help="of a minibatch")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--steps", type=int, default=2, help="of each side in a round")
    o = parser.parse_args()
    torch.set_num_threads(1)
    torch.set_num_interop_threads(1)
    torch.manual_seed(1)
    print(f"PyTorch {torch.__version__}, processor time of a step")
    for rows in o.rows:
        for game in o.games:
            compare(o.program, game, rows, o.rounds, o.steps)


if __name__ == "__main__":
    main()
