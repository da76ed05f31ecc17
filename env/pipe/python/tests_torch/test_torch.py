"""The examples with PyTorch run, and what they save plays in Go."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.numpy
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3 import PPO
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.evaluation import evaluate_policy
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecMonitor, VecNormalize

import earthgym
from earthgym.gym import EarthEnv
from earthgym.sb3 import EarthVecEnv

PACKAGE = Path(__file__).parents[1]
ROOT = PACKAGE.parents[2]
os.environ.setdefault("EARTHGYM_BINARY", str(ROOT / "bin" / "earthgym"))


def run(cwd: Path, *command: str) -> str:
    # Where other programs have the cores, the threads of one PyTorch spend their time waiting for each other.
    env = {**os.environ, "PYTHONPATH": str(PACKAGE / "src"), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, env=env)
    assert done.returncode == 0, done.stderr
    return done.stdout


def curve(printed: str) -> list[float]:
    """The returns against random play that an example prints while it learns."""
    print(printed)  # which pytest -rP shows
    return [float(r) for r in re.findall(r"decisions: return ([-+.\d]+) ± [.\d]+ against random$", printed, re.M)]


def test_ppo(tmp_path: Path) -> None:
    """Half a minute of training is enough to beat random play by far."""
    script = str(PACKAGE / "examples" / "ppo.py")
    returns = curve(run(tmp_path, sys.executable, script, "--decisions", "250000", "--out", "ppo.safetensors"))
    assert returns[-1] > max(0.5, returns[0] + 0.3)
    tensors = safetensors.numpy.load_file(tmp_path / "ppo.safetensors")
    assert list(tensors["head.bias"].shape) == [186]
    match = (
        "match",
        "resilience-earth:players=2",
        "net:ppo.safetensors",
        "random",
        "--games",
        "200",
        "--json",
    )
    result = json.loads(run(tmp_path, earthgym.find_binary(), *match))
    low, _ = result["agents"][0]["return_ci"]
    assert low > 0.2, result["agents"]


@pytest.mark.filterwarnings("ignore")
def test_maskable_ppo(tmp_path: Path) -> None:
    script = PACKAGE / "examples" / "maskable_ppo.py"
    code = [line for line in script.read_text().splitlines() if line.strip() and not line.startswith('"""')]
    assert len(code) < 20
    returns = curve(run(tmp_path, sys.executable, str(script), "32768"))
    assert returns[-1] > returns[0] + 0.2
    assert (tmp_path / "maskable_ppo.zip").exists()


OPTIONS: dict[str, Any] = dict(players=2, opponents="script:naive", max_decisions=60)


def test_vec_env_is_that_of_sb3() -> None:
    """The same games as those of make_vec_env, which steps environment after environment."""
    env = EarthVecEnv("resilience-earth", 3, **OPTIONS)
    with earthgym.Server() as server:
        want = make_vec_env(lambda: EarthEnv("resilience-earth", server=server, **OPTIONS), 3)
        assert env.observation_space == want.observation_space
        assert env.action_space == want.action_space
        assert is_masking_supported(env)
        assert env.env_is_wrapped(Monitor) == [True] * 3
        for e in (env, want):
            e.seed(5)
        assert np.array_equal(env.reset(), want.reset())
        rng = np.random.default_rng(0)
        ends = 0
        for _ in range(200):
            masks = get_action_masks(env)
            assert np.array_equal(masks, get_action_masks(want))
            actions = earthgym.random_legal(masks, rng)
            a, b = env.step(actions), want.step(actions)
            for x, y in zip(a[:3], b[:3], strict=True):
                assert x.dtype == y.dtype
                assert np.array_equal(x, y)
            for x, y, done in zip(a[3], b[3], a[2], strict=True):
                if not done:
                    assert not x
                    continue
                ends += 1
                assert np.array_equal(x["terminal_observation"], y["terminal_observation"])
                assert x["TimeLimit.truncated"] == y["TimeLimit.truncated"]
                assert x["episode"]["l"] == y["episode"]["l"] == x["result"]["length"]
                assert x["episode"]["r"] == pytest.approx(y["episode"]["r"], abs=1e-5)
                assert x["result"]["winners"] == y["result"]["winners"]
        assert ends > 5
        want.close()
    env.close()


@pytest.mark.filterwarnings("ignore")
def test_sb3_uses_it() -> None:
    env = EarthVecEnv("resilience-earth", 8, illegal="forfeit", render_mode="rgb_array", **OPTIONS)
    PPO("MlpPolicy", env, n_steps=16, batch_size=64, device="cpu").learn(256)
    wrapped = VecNormalize(VecMonitor(env), gamma=0.99)
    model = MaskablePPO("MlpPolicy", wrapped, n_steps=64, batch_size=64, device="cpu")
    model.learn(1024)
    assert len(model.ep_info_buffer) > 0
    evaluate_policy(PPO("MlpPolicy", env, device="cpu"), env, n_eval_episodes=8)
    picture = env.render("rgb_array")
    assert picture.dtype == np.uint8
    assert picture.shape[0] > 800
    assert all(env.env_method("legal"))
    with pytest.raises(AttributeError, match="in common"):
        env.set_attr("seat", 1)
    env.close()


class Net(torch.nn.Module):
    """A network of Go, in PyTorch: logits of all actions, and the value of the observer."""

    def __init__(self, network: earthgym.Network) -> None:
        super().__init__()
        layers, self.objects, self.values = network.layers, network.objects, network.values
        self.residual = network.residual
        self.embeddings = torch.nn.ModuleList(torch.nn.Linear(o.weight.shape[1], len(o.bias)) for o in self.objects)
        with torch.no_grad():
            for layer, o in zip(self.embeddings, self.objects, strict=True):
                layer.weight.copy_(torch.from_numpy(o.weight))
                layer.bias.copy_(torch.from_numpy(o.bias))
        self.layers = torch.nn.ModuleList(torch.nn.Linear(w.shape[1], w.shape[0]) for w, _ in layers)
        with torch.no_grad():
            for layer, (weight, bias) in zip(self.layers, layers, strict=True):
                layer.weight.copy_(torch.from_numpy(weight))
                layer.bias.copy_(torch.from_numpy(bias))

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        x = observation
        for i, layer in enumerate(self.layers):
            skip = self.residual and i > 0
            y = layer(torch.nn.functional.layer_norm(x, x.shape[1:]) if skip else x)
            if layer is self.layers[-1]:
                head = y
                break
            x = x + torch.relu(y) if skip and x.shape == y.shape else torch.relu(y)
        at = head.shape[1] - sum(len(o.bias) * len(o.pointers) for o in self.objects)
        logits, value = head[:, : at - self.values], head[:, at - self.values : at - self.values + 1]
        for layer, o in zip(self.embeddings, self.objects, strict=True):
            size = len(o.bias) * len(o.pointers)
            query = head[:, at : at + size].reshape(len(head), len(o.bias), len(o.pointers))
            product = torch.relu(layer(observation[:, torch.from_numpy(o.features)])) @ query
            for i, p in enumerate(o.pointers):
                logits = logits.index_add(1, torch.from_numpy(p.actions), product[:, torch.from_numpy(p.objects), i])
            at += size
        return torch.cat([logits, value], 1)

    def trained(self) -> tuple[list[tuple[np.ndarray, np.ndarray]], list[earthgym.Objects]]:
        """Gives layers and objects as save_network takes them."""
        layers = [(layer.weight.detach().numpy(), layer.bias.detach().numpy()) for layer in self.layers]
        objects = [
            dataclasses.replace(o, weight=layer.weight.detach().numpy(), bias=layer.bias.detach().numpy())
            for layer, o in zip(self.embeddings, self.objects, strict=True)
        ]
        return layers, objects


def assert_same_policy(file: Path, game: str, net: Net) -> set[str]:
    """Demands that Go and PyTorch give the highest logit to the same actions, wherever games between them lead.

    Gives the actions.
    """

    def act(vec: earthgym.Vec) -> np.ndarray:
        with torch.no_grad():
            logits = net(torch.from_numpy(vec.batch.observation.copy()))[:, :-1].numpy()
        return np.where(vec.legal_mask(), logits, -np.inf).argmax(1)

    def moves(**options: Any) -> list[str]:
        with earthgym.make_vec(game, 8, seed=3, record=True, autoreset="disabled", **options) as vec:
            while (vec.batch.actor >= 0).any():
                vec.step(act(vec))
            lines = [line for i in range(8) for line in vec.record(i).splitlines()]
        return [m["action"] for m in map(json.loads, lines) if "action" in m]

    alone = moves()
    assert alone == moves(seat=0, opponents=f"net:{file},argmax")
    return set(alone)


def test_from_go_and_back(tmp_path: Path) -> None:
    """A network trained by Go has the same policy in PyTorch; trained further here, Go plays what it has become."""
    game = "resilience-earth:players=2"
    run(
        tmp_path,
        earthgym.find_binary(),
        *("train", game, "--out", "go", "--clone", "", "--decisions", "20000", "--num-envs", "16", "--eval-games", "0"),
    )
    with earthgym.make_vec(game, 64, seed=1) as vec:
        loaded = earthgym.load_network(tmp_path / "go", vec.info)
        assert loaded.game.startswith(game)
        assert loaded.decisions >= 20000
        net = Net(loaded)
        optimizer = torch.optim.SGD(net.parameters(), 0.05)
        rng = np.random.default_rng(0)
        for _ in range(20):
            out = net(torch.from_numpy(vec.batch.observation.copy()))
            actions = earthgym.random_legal(vec.legal_mask(), rng)
            loss = torch.nn.functional.cross_entropy(out[:, :-1], torch.from_numpy(actions))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            vec.step(actions)
        with torch.no_grad():  # what little training leads to the same few actions everywhere
            net.layers[-1].weight += 0.3 * torch.from_numpy(rng.standard_normal(net.layers[-1].weight.shape))
        layers, objects = net.trained()
        earthgym.save_network(
            tmp_path / "tuned.safetensors",
            vec.info,
            layers,
            decisions=loaded.decisions + 1280,
            objects=objects,
            residual=loaded.residual,
        )
        again = earthgym.load_network(tmp_path / "tuned.safetensors", vec.info)
    for (weight, bias), (w, b) in zip(layers, again.layers, strict=True):
        assert np.array_equal(weight, w)
        assert np.array_equal(bias, b)
    assert_same_policy(tmp_path / "go", game, Net(loaded))
    assert len(assert_same_policy(tmp_path / "tuned.safetensors", game, net)) > 5
