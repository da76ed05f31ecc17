"""The examples with PyTorch run, and what they save plays in Go."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jax
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
import earthgym.jax
from earthgym.catalogue import GAMES
from earthgym.gym import EarthEnv
from earthgym.sb3 import EarthVecEnv
from earthgym.torch import NetworkModule

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
    printed = run(tmp_path, sys.executable, script, "--decisions", "250000", "--out", "ppo.safetensors")
    returns = curve(printed)
    assert returns[-1] > max(0.5, returns[0] + 0.3)
    assert re.findall(r"^return [-+.\d]+ ± [.\d]+ against (.*)$", printed, re.M) == ["script:greedy", "script:strong"]
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


def test_clone_strong(tmp_path: Path) -> None:
    """In a short form: the clone foresees the bot, PPO goes on from it, and Go plays what is saved."""
    script = str(PACKAGE / "examples" / "clone_strong.py")
    short = ["--rounds", "8", "--lanes", "64", "--decisions", "24576", "--games", "40"]
    printed = run(tmp_path, sys.executable, "-W", "error", script, *short, "--out", "strong.safetensors")
    print(printed)
    foreseen = [float(share) for share in re.findall(r"([.\d]+)% of the last [\d,]+ foreseen", printed)]
    assert len(foreseen) == 8
    assert foreseen[-1] > foreseen[0] + 10
    returns = [float(r) for r in re.findall(r"return ([-+.\d]+) against the bot", printed)]
    assert len(returns) == 6
    told = {by: float(r) for r, by in re.findall(r"return ([-+.\d]+) ± [.\d]+ against (\S+)$", printed, re.M)}
    assert set(told) == {"random", "script:greedy", "script:strong"}
    assert told["random"] > 0.3
    match = ("match", "one-earth:players=2", "net:strong.safetensors", "script:strong", "--games", "4", "--json")
    assert json.loads(run(tmp_path, earthgym.find_binary(), *match))["agents"][0]["seats"] == 4


@pytest.mark.filterwarnings("ignore")
def test_maskable_ppo(tmp_path: Path) -> None:
    script = PACKAGE / "examples" / "maskable_ppo.py"
    code = [line for line in script.read_text().splitlines() if line.strip() and not line.startswith('"""')]
    assert len(code) < 23
    returns = curve(run(tmp_path, sys.executable, str(script), "32768"))
    assert returns[-1] > returns[0] + 0.2
    assert (tmp_path / "maskable_ppo.zip").exists()


OPTIONS: dict[str, Any] = dict(players=2, opponents="script:naive", max_decisions=60)


def test_mistakes_with_sb3() -> None:
    wrong: list[tuple[dict[str, Any], type[Exception], str]] = [
        ({"render_mode": "human"}, ValueError, "render_mode 'human': there are rgb_array"),
        ({"oponents": "random"}, TypeError, r"EarthVecEnv\(\) has no option 'oponents': did you mean 'opponents'"),
    ]
    for options, error, told in wrong:
        with pytest.raises(error, match=told):
            EarthVecEnv("resilience-earth", 1, **options)


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


def test_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while the games are stepped: who goes on sees where that led, and what it paid is counted."""

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    want, env = (EarthVecEnv("resilience-earth", 2, **OPTIONS) for _ in range(2))
    for e in (want, env):
        e.seed(5)
        e.reset()
    ends, torn = 0, 0
    for step in range(80):
        actions = get_action_masks(want).argmax(1)
        assert np.array_equal(actions, get_action_masks(env).argmax(1))
        observations, _, done, infos = want.step(actions)
        if step % 3 == 0 or done.any() > torn:
            torn += done.any()
            with monkeypatch.context() as m:
                m.setattr(*((env._vec, "episodes") if done.any() else (env._vec.server._reader, "wait")), interrupted)
                with pytest.raises(KeyboardInterrupt):
                    env.step(actions)
            continue
        got = env.step(actions)
        assert np.array_equal(got[0], observations)
        for mine, its in zip(got[3], infos, strict=True):
            if its:
                ends += 1
                assert (mine["episode"]["r"], mine["episode"]["l"]) == (its["episode"]["r"], its["episode"]["l"])
    assert ends > 1
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


def assert_same_policy(file: Path, game: str, net: NetworkModule) -> set[str]:
    """Demands that Go and PyTorch give the highest logit to the same actions, wherever games between them lead.

    Gives the actions.
    """

    def act(vec: earthgym.Vec) -> np.ndarray:
        with torch.no_grad():
            logits = net(torch.from_numpy(vec.batch.observation))[0].numpy()
        return np.where(vec.legal_mask(), logits, -np.inf).argmax(1)

    def moves(**options: Any) -> list[str]:
        with earthgym.make_vec(game, 8, seed=3, record=True, autoreset="disabled", copy=True, **options) as vec:
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
    with earthgym.make_vec(game, 64, seed=1, copy=True) as vec:
        loaded = earthgym.load_network(tmp_path / "go", vec.info)
        assert loaded.game.startswith(game)
        assert loaded.decisions >= 20000
        net = NetworkModule(loaded)
        optimizer = torch.optim.SGD(net.parameters(), 0.05)
        rng = np.random.default_rng(0)
        for _ in range(20):
            logits, _ = net(torch.from_numpy(vec.batch.observation))
            actions = earthgym.random_legal(vec.legal_mask(), rng)
            loss = torch.nn.functional.cross_entropy(logits, torch.from_numpy(actions))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            vec.step(actions)
        with torch.no_grad():  # what little training leads to the same few actions everywhere
            net.layers[-1].weight += 0.3 * torch.from_numpy(rng.standard_normal(net.layers[-1].weight.shape))
        tuned = net.network()
        earthgym.save_network(tmp_path / "tuned.safetensors", vec.info, tuned, decisions=1280)
        again = earthgym.load_network(tmp_path / "tuned.safetensors", vec.info)
    assert again.decisions == loaded.decisions + 1280
    for (weight, bias), (w, b) in zip(tuned.layers, again.layers, strict=True):
        assert np.array_equal(weight, w)
        assert np.array_equal(bias, b)
    assert_same_policy(tmp_path / "go", game, NetworkModule(loaded))
    assert len(assert_same_policy(tmp_path / "tuned.safetensors", game, net)) > 5


@pytest.mark.parametrize("game", GAMES)
def test_same_answers(game: str) -> None:
    """What comes with the program answers alike in NumPy, PyTorch and JAX, and nothing is lost on the way."""
    network = earthgym.load_network(f"net:{game}")
    net, params = NetworkModule(network), earthgym.jax.parameters(network)
    apply = jax.jit(earthgym.jax.module(network))
    rng = np.random.default_rng(1)
    with earthgym.make_vec(game, 16, seed=1, copy=True) as vec:
        for _ in range(20):
            vec.step(earthgym.random_legal(vec.legal_mask(), rng))
        observation, mask = vec.batch.observation, vec.legal_mask()
    logits, values = network.evaluate(observation)
    with torch.no_grad():
        for got in (net(torch.from_numpy(observation)), apply(params, observation)):
            np.testing.assert_allclose(got[0], logits, rtol=1e-3, atol=1e-3)
            np.testing.assert_allclose(got[1], values, rtol=1e-3, atol=1e-3)
        for got in (net(torch.from_numpy(observation), torch.from_numpy(mask)), apply(params, observation, mask)):
            want = np.where(mask, logits, np.float32(-1e9))
            np.testing.assert_allclose(got[0], want, rtol=1e-3, atol=1e-3)
        for kind in (torch.float16, torch.bfloat16):
            short = NetworkModule(network).to(kind)
            got = short(torch.from_numpy(observation).to(kind), torch.from_numpy(mask))
            assert not got[0].softmax(-1)[~torch.from_numpy(mask)].any()
            assert short.network().layers[0][0].dtype == np.float32
        one, may = observation[3], mask[3].view(np.uint8)  # a seat of Gymnasium's, with its mask
        for got in (net(torch.from_numpy(one), torch.from_numpy(may)), apply(params, one, may)):
            np.testing.assert_allclose(got[0], want[3], rtol=1e-3, atol=1e-3)
            np.testing.assert_allclose(got[1], values[3], rtol=1e-3, atol=1e-3)
    for again in (net.network(), earthgym.jax.trained(network, params)):
        for a, b in zip(network.evaluate(observation), again.evaluate(observation), strict=True):
            assert np.array_equal(a, b)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("lanes", [1, 8])
def test_arrays_are_kept(lanes: int) -> None:
    """With copy=True nobody's arrays change behind his back: not those of JAX, which takes memory over as it is."""
    with earthgym.make_vec("resilience-earth", lanes, players=2, seed=1, copy=True) as vec:
        batch = vec.batch
        was = batch.observation.copy()
        taken = (
            jax.device_put(batch.observation),
            jax.dlpack.from_dlpack(batch.observation),
            torch.from_numpy(batch.observation),
            torch.from_dlpack(batch.observation),
        )
        for _ in range(10):
            vec.step(vec.legal_mask().argmax(1))
        assert not np.array_equal(vec.batch.observation, was)
        for array in taken:
            assert np.array_equal(np.asarray(array), was)
    turns = earthgym.aec_vec("resilience-earth", lanes, players=2, copy=True)
    torch.from_numpy(turns.reset(seed=1).observation)
    torch.from_numpy(turns.reset(seed=1).mask)
    turns.vec.close()
