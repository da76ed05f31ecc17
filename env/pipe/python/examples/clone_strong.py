"""Clones the strong bot through the pipe, then goes on by PPO against it, held near the clone. With PyTorch.

    python clone_strong.py --out strong.safetensors
    earthgym match one-earth:players=2 net:strong.safetensors script:strong

The bot is asked nothing. It sits in a seat, its games are recorded, and played again they show what it saw and did. In
the other seat sits the network, so that the bot is seen where that leads. Then both play on, and what wins is learnt
(Schulman et al. 2017), as far as it does not lead far from a reference (piKL: Jacob et al. 2022), which is the clone
at first and slowly follows the network.
"""

import argparse
import json
import time
from dataclasses import dataclass

import numpy as np
import torch

import earthgym
from earthgym.torch import NetworkModule


@dataclass
class Options:
    """What there is to choose."""

    game: str = "one-earth:players=2"  # any other for two players
    out: str = "strong.safetensors"
    lanes: int = 256  # games at a time, half of them in each seat
    rounds: int = 30  # of cloning, a game in each lane
    decisions: int = 500_000  # of the network, in PPO
    steps: int = 64  # decisions of each lane between updates
    rate: float = 1e-3
    near: float = 0.03  # weight of the divergence from the reference
    follow: float = 0.05  # how far the reference goes to the network in each update
    trace: float = 0.95  # lambda of the advantages
    games: int = 600  # by which it is measured at the end, on fresh seeds
    seed: int = 1


def policy(net, observation, mask):
    """What the network would do, and the value."""
    logits, value = net(torch.as_tensor(observation), torch.as_tensor(mask))
    return torch.distributions.Categorical(logits=logits, validate_args=False), value[:, 0]


def act(net, observation, mask):
    with torch.no_grad():
        return policy(net, observation, mask)[0].sample().numpy()


def learn(net, optimizer, loss):
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 0.5)
    optimizer.step()


def tables(o, server, **options):
    """Games against the bot: in half of them the network has one seat, in half the other."""
    return [
        earthgym.make_vec(
            o.game, o.lanes // 2, server=server, seat=seat, opponents="script:strong", copy=True, **options
        )
        for seat in (0, 1)
    ]


def lessons(o, server, net, seed):
    """What the bot saw, might have done and did in games against the network, and what it got at their ends."""
    got = []
    for seat, vec in enumerate(tables(o, server, seed=seed, record=True, autoreset="disabled")):
        with vec:
            while (vec.batch.actor >= 0).any():
                vec.step(act(net, vec.batch.observation, vec.legal_mask()))
            games = [[json.loads(line) for line in vec.record(i).splitlines()] for i in range(vec.num_envs)]
        bot = 1 - seat
        number = {text: a for a, text in enumerate(vec.action_names)}
        with earthgym.make_vec(o.game, len(games), server=server, autoreset="disabled", copy=True) as vec:
            vec.reset(seed=[head["seed"] for head, *_ in games])
            outcome = np.array([end["returns"][bot] for *_, end in games], np.float32)
            for t in range(max(map(len, games)) - 2):
                actions = np.array([number[moves[t]["action"]] if t < len(moves) else 0 for _, *moves, _ in games])
                its = vec.batch.actor == bot
                got.append([x[its] for x in (vec.batch.observation, vec.legal_mask(), actions, outcome)])
                vec.step(actions)
    return [torch.from_numpy(np.concatenate(x)) for x in zip(*got, strict=True)]


def clone(o, server, net, start):
    """The network learns to decide as the bot does, and what its games return."""
    optimizer = torch.optim.Adam(net.parameters())
    seen = 0
    for number in range(o.rounds):
        optimizer.param_groups[0]["lr"] = 1e-3 * (1 - 0.95 * number / o.rounds)
        new = lessons(o, server, net, o.seed + number)
        foreseen = 0
        for rows in torch.randperm(len(new[0])).split(512):
            observation, mask, action, outcome = (x[rows] for x in new)
            choice, value = policy(net, observation, mask)
            foreseen += (choice.logits.argmax(1) == action).sum().item()
            learn(net, optimizer, 0.5 * (value - outcome).square().mean() - choice.log_prob(action).mean())
        seen += len(new[0])
        print(f"{time.time() - start:.0f} s, {seen:,} decisions of the bot: ", end="")
        print(f"{foreseen / len(new[0]):.1%} of the last {len(new[0]):,} foreseen", flush=True)


def improve(o, server, net, start):
    """PPO against the bot, near a reference."""
    reference = NetworkModule(net.network())
    optimizer = torch.optim.Adam(net.parameters(), o.rate, eps=1e-5)
    vecs = tables(o, server, seed=o.seed + 10**6)

    def shown():
        return (np.concatenate(x) for x in zip(*((v.batch.observation, v.legal_mask()) for v in vecs), strict=True))

    updates = o.decisions // (o.steps * o.lanes)
    for update in range(updates):
        optimizer.param_groups[0]["lr"] = o.rate * (1 - 0.9 * update / updates)
        rollout = []
        for _ in range(o.steps):
            observation, mask = shown()
            with torch.no_grad():
                choice, value = policy(net, observation, mask)
                action = choice.sample()
            for vec, actions in zip(vecs, action.numpy().reshape(2, -1), strict=True):
                vec.send(actions)
            batches = [vec.recv() for vec in vecs]
            reward = np.concatenate([b.reward[:, seat] for seat, b in enumerate(batches)])
            done = np.concatenate([b.done for b in batches])
            rollout.append((observation, mask, action, choice.log_prob(action), value, reward, done))
        observation, mask, action, log, value, reward, done = (
            torch.as_tensor(np.stack(x)) for x in zip(*rollout, strict=True)
        )
        with torch.no_grad():
            known = torch.stack([policy(reference, *x)[0].logits for x in zip(observation, mask, strict=True)])
            later = policy(net, *shown())[1]
        advantage, trace = torch.zeros_like(value), 0
        for t in reversed(range(o.steps)):
            trace = reward[t] + ~done[t] * (later + o.trace * trace) - value[t]
            advantage[t], later = trace, value[t]
        data = [x.flatten(0, 1) for x in (observation, mask, action, log, known, advantage, advantage + value)]
        for rows in torch.randperm(len(data[0])).split(1024):
            observation, mask, action, log, known, advantage, target = (x[rows] for x in data)
            choice, value = policy(net, observation, mask)
            ratio = (choice.log_prob(action) - log).exp()
            advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
            gain = torch.min(ratio * advantage, ratio.clamp(0.8, 1.2) * advantage).mean()
            divergence = (choice.probs * (choice.logits - known)).sum(1).mean()
            learn(net, optimizer, 0.5 * (value - target).square().mean() - gain + o.near * divergence)
        with torch.no_grad():
            for far, near in zip(reference.parameters(), net.parameters(), strict=True):
                far.lerp_(near, o.follow)
        won = [e.returns[seat] for seat, v in enumerate(vecs) for e in v.episodes() if e]
        print(f"{time.time() - start:.0f} s, {(update + 1) * o.steps * o.lanes:,} decisions: ", end="")
        print(f"return {np.mean(won):+.2f} against the bot, {divergence:.2f} from the reference", flush=True)


def main(o):
    torch.manual_seed(o.seed)
    start = time.time()
    with earthgym.Server(workers=1) as server:
        info = server.info(o.game)
        net = NetworkModule(earthgym.new_network(info, seed=o.seed))
        clone(o, server, net, start)
        improve(o, server, net, start)
        earthgym.save_network(o.out, info, net.network(), decisions=o.decisions, seed=o.seed)
        for opponent in ("random", "script:greedy", "script:strong"):
            told = earthgym.evaluate(o.game, lambda *x: act(net, *x), opponents=opponent, games=o.games, server=server)
            print(f"{time.time() - start:.0f} s: return {told} against {opponent}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in vars(Options()).items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    main(Options(**vars(parser.parse_args())))
