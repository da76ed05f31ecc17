"""Collects games on all nodes of a Ray cluster, with one program a node: pip install ray.

python ray_cluster.py 8
"""

import subprocess
import sys
import tempfile
import time

import numpy as np
import ray

import earthgym

GAME, LANES, STEPS = "one-earth:players=3", 64, 100


@ray.remote(num_cpus=0)
class Node:
    """The program of a node, which serves all workers there: as many cores step as Ray was given."""

    def __init__(self, cores):
        self.address = f"unix:{tempfile.mkdtemp()}/earthgym"
        command = [earthgym.find_binary(), "serve", "--listen", self.address, "--workers", str(cores), "--log", "warn"]
        self.program = subprocess.Popen(command)
        while True:  # until it listens
            try:
                return earthgym.Server(address=self.address).close()
            except earthgym.EarthgymError:
                if self.program.poll() is not None:
                    raise
                time.sleep(0.05)

    def where(self):
        return self.address

    def end(self):
        self.program.terminate()
        return self.program.wait()


@ray.remote
def collect(address, seed, worker):
    """Plays at random, where a policy would: gives the decisions and the games that have ended."""
    rng, ended = np.random.default_rng(worker), []
    own = earthgym.worker_seed(seed, worker)
    with earthgym.Server(address=address) as server, earthgym.make_vec(GAME, LANES, server=server, seed=own) as vec:
        for _ in range(STEPS):
            done = vec.step(earthgym.random_legal(vec.legal_mask(), rng)).done
            ended += [e.seed for e in vec.episodes(np.flatnonzero(done)) if e]
    return LANES * STEPS, ended


def main(workers):
    there = [n for n in ray.nodes() if n["Alive"] and n["Resources"].get("CPU")]
    on = [ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy(n["NodeID"], soft=False) for n in there]
    nodes = [
        Node.options(scheduling_strategy=s).remote(int(n["Resources"]["CPU"])) for n, s in zip(there, on, strict=True)
    ]
    where = ray.get([node.where.remote() for node in nodes])
    work = [
        collect.options(scheduling_strategy=on[i % len(on)]).remote(where[i % len(on)], 1, i) for i in range(workers)
    ]
    decisions, seeds = zip(*ray.get(work), strict=True)
    games = [s for own in seeds for s in own]
    print(f"{len(nodes)} nodes, {workers} workers: {sum(decisions):,} decisions, {len(games)} games, ", end="")
    print(f"{len(set(games))} of them different")
    ray.get([node.end.remote() for node in nodes])


if __name__ == "__main__":
    asked = int(sys.argv[1]) if len(sys.argv) == 2 else sys.exit(__doc__)
    ray.init(address="auto")
    main(asked)
