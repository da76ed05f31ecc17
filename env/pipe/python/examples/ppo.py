"""Masked PPO by self-play in one file, with PyTorch: one network plays every seat.

    python ppo.py --game resilience-earth:players=2 --decisions 400000 --out ppo.safetensors
    earthgym match resilience-earth:players=2 net:ppo.safetensors script:greedy

Each lane is a game in which the seats take turns. What a seat earns for a decision is all that it is paid until its
next one, so that advantages are computed seat by seat, along the decisions of each (Schulman et al. 2016 and 2017).
"""

import argparse
import time
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

import earthgym


@dataclass
class Options:
    """What there is to choose."""

    game: str = "resilience-earth:players=2"
    out: str = "ppo.safetensors"
    decisions: int = 400_000
    lanes: int = 128
    steps: int = 64  # decisions of each lane between updates
    epochs: int = 3
    minibatches: int = 4
    hidden: int = 256
    rate: float = 3e-4
    gamma: float = 0.999
    trace: float = 0.95  # lambda of the advantages
    clip: float = 0.2
    entropy: float = 0.01
    value: float = 0.5
    shaping: float = 0.3
    seed: int = 1


class Network(nn.Module):
    """The network that Go plays: layers with ReLU, then the logits of all actions and the value."""

    def __init__(self, inputs: int, hidden: int, actions: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList(
            [nn.Linear(inputs, hidden), nn.Linear(hidden, hidden), nn.Linear(hidden, actions + 1)]
        )
        for layer in self.layers:
            nn.init.orthogonal_(layer.weight, 2**0.5)
            nn.init.zeros_(layer.bias)
        nn.init.orthogonal_(self.layers[-1].weight, 0.01)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> tuple[torch.distributions.Categorical, torch.Tensor]:
        """The policy over legal actions, and the value for who decides."""
        for layer in self.layers[:-1]:
            x = torch.relu(layer(x))
        out = self.layers[-1](x)
        logits = out[:, :-1].masked_fill(~mask, -1e9)
        return torch.distributions.Categorical(logits=logits, validate_args=False), out[:, -1]


def advantages(o: Options, actors, values, rewards, ends, last_actors, last_values):
    """Generalised advantages along the decisions of each seat, and the returns that values are to meet.

    Going backwards, each seat of each lane carries what its earlier decision will look forward to: the value and the
    advantage of its next decision, and what it is paid in between.
    """
    steps, lanes = actors.shape
    players = rewards.shape[2]
    rows = np.arange(lanes)
    next_value = np.zeros((lanes, players), np.float32)
    next_advantage = np.zeros((lanes, players), np.float32)
    paid = np.zeros((lanes, players), np.float32)
    next_value[rows, last_actors] = last_values
    known = np.zeros((lanes, players), bool)  # whether the seat's future is known in this rollout
    known[rows, last_actors] = True
    out = np.zeros((steps, lanes), np.float32)
    usable = np.zeros((steps, lanes), bool)
    for t in reversed(range(steps)):
        over = ends[t]
        next_value[over], next_advantage[over], paid[over], known[over] = 0, 0, 0, True
        paid += rewards[t]
        p = actors[t]
        delta = paid[rows, p] + o.gamma * next_value[rows, p] - values[t]
        out[t] = delta + o.gamma * o.trace * next_advantage[rows, p]
        usable[t] = known[rows, p]  # a seat that has not decided again since has no future to learn from
        next_value[rows, p], next_advantage[rows, p], paid[rows, p], known[rows, p] = values[t], out[t], 0, True
    return out, out + values, usable


def train(o: Options) -> Network:
    """Plays and learns."""
    torch.manual_seed(o.seed)
    vec = earthgym.make_vec(o.game, o.lanes, seed=o.seed, autoreset="same_step", shaping=o.shaping, gamma=o.gamma)
    network = Network(vec.observation_size, o.hidden, vec.num_actions)
    optimizer = torch.optim.Adam(network.parameters(), o.rate, eps=1e-5)
    observations = np.zeros((o.steps, o.lanes, vec.observation_size), np.float32)
    masks = np.zeros((o.steps, o.lanes, vec.num_actions), bool)
    actions = np.zeros((o.steps, o.lanes), np.int64)
    actors = np.zeros((o.steps, o.lanes), np.int64)
    logs = np.zeros((o.steps, o.lanes), np.float32)
    values = np.zeros((o.steps, o.lanes), np.float32)
    rewards = np.zeros((o.steps, o.lanes, vec.num_players), np.float32)
    ends = np.zeros((o.steps, o.lanes), bool)
    start, done, games, updates = time.time(), 0, 0, 0
    while done < o.decisions:
        if updates % 8 == 0:
            print(f"{done:,} decisions: return {returned(o, network)} against random", flush=True)
        updates += 1
        optimizer.param_groups[0]["lr"] = o.rate * (1 - done / o.decisions)
        for t in range(o.steps):
            b = vec.batch
            observations[t], masks[t], actors[t] = b.observation, vec.legal_mask(), b.actor
            with torch.no_grad():
                policy, value = network(torch.from_numpy(observations[t]), torch.from_numpy(masks[t]))
                action = policy.sample()
                logs[t], values[t], actions[t] = policy.log_prob(action), value, action
            b = vec.step(actions[t])
            rewards[t], ends[t] = b.reward, b.done
        games += int(ends.sum())
        done += o.steps * o.lanes
        with torch.no_grad():
            _, last = network(torch.from_numpy(vec.batch.observation.copy()), torch.from_numpy(vec.legal_mask().copy()))
        advantage, target, usable = advantages(o, actors, values, rewards, ends, vec.batch.actor, last.numpy())
        loss = update(o, network, optimizer, (observations, masks, actions, logs, advantage, target), usable)
        print(
            f"{done} decisions, {games} games, {done / (time.time() - start):.0f} a second, loss {loss:.4f}", flush=True
        )
    print(f"{done:,} decisions: return {returned(o, network)} against random", flush=True)
    for bot in ("script:greedy", "script:strong"):
        print(f"return {returned(o, network, bot)} against {bot}", flush=True)
    layers = [(layer.weight.detach().numpy(), layer.bias.detach().numpy()) for layer in network.layers]
    earthgym.save_network(o.out, vec.info, layers, decisions=done, seed=o.seed)
    vec.close()
    return network


def returned(o: Options, network: Network, opponents: str = "random") -> earthgym.Evaluation:
    """What the network returns among others."""

    def policy(observation, mask):
        with torch.no_grad():
            return network(torch.tensor(observation), torch.tensor(mask))[0].sample()

    return earthgym.evaluate(o.game, policy, opponents=opponents)


def update(o: Options, network: Network, optimizer: torch.optim.Optimizer, arrays, usable) -> float:
    """A few epochs over what was played; gives the last loss."""
    data = [torch.from_numpy(x[usable]) for x in arrays]
    n = len(data[0])
    loss = torch.zeros(())
    for _ in range(o.epochs):
        for rows in torch.randperm(n).chunk(o.minibatches):
            x, mask, action, log, advantage, target = (d[rows] for d in data)
            policy, value = network(x, mask)
            advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
            ratio = (policy.log_prob(action) - log).exp()
            gain = torch.min(ratio * advantage, ratio.clamp(1 - o.clip, 1 + o.clip) * advantage).mean()
            loss = -gain + o.value * (value - target).square().mean() - o.entropy * policy.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()
    return loss.item()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in vars(Options()).items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    train(Options(**vars(parser.parse_args())))
