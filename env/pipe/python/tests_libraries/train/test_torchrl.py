"""TorchRL: the batched environment, PettingZoo's through its wrapper, and PPO with masks."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest
import torch
from torchrl.envs import PettingZooWrapper, check_env_specs
from torchrl.modules import MaskedCategorical

import earthgym
from earthgym.torchrl import EarthTorchEnv

pytestmark = pytest.mark.filterwarnings("ignore")


def random_policy(tensordict: torch.Tensor) -> torch.Tensor:
    mask = tensordict["action_mask"]
    return tensordict.set("action", MaskedCategorical(logits=torch.zeros(mask.shape), mask=mask).sample())


@pytest.mark.parametrize("observation", ["float32", "uint8"])
def test_specs(observation: str) -> None:
    """TorchRL's own check, which draws actions without looking at masks, of an environment and of a copy."""
    env = EarthTorchEnv("new-earth", 3, players=2, illegal="forfeit", observation=observation)  # type: ignore[arg-type]
    for e in (env, pickle.loads(pickle.dumps(env))):
        check_env_specs(e)
        assert not e.vec.server.closed
        e.close()
        e.close()
        assert e.vec.server.closed


def test_same_games_as_vec() -> None:
    """The same seeds and actions give what a Vec gives; games that are over begin anew, one by one."""
    env = EarthTorchEnv("resilience-earth", 3, players=2, opponents="script:naive", max_decisions=30)
    env.set_seed(5)
    with pytest.raises(ValueError, match="seed -1"):
        env.set_seed(-1)
    torch.manual_seed(1)
    data = env.rollout(120, random_policy, break_when_any_done=False)
    assert data["next", "done"].sum() >= 6
    with earthgym.make_vec(
        "resilience-earth:players=2", 3, seat=0, opponents="script:naive", max_decisions=30, autoreset="disabled"
    ) as vec:
        batch = vec.reset(5)
        for t in range(data.shape[1]):
            row = data[:, t]
            assert torch.equal(row["observation"], torch.from_numpy(batch.observation.copy()))
            assert torch.equal(row["action_mask"], torch.from_numpy(vec.legal_mask().copy()))
            batch = vec.step(row["action"].numpy())
            assert torch.equal(row["next", "reward"][:, 0], torch.from_numpy(batch.reward[:, 0].copy()))
            assert torch.equal(row["next", "terminated"][:, 0], torch.from_numpy(batch.terminated.copy()))
            assert torch.equal(row["next", "truncated"][:, 0], torch.from_numpy(batch.truncated.copy()))
            over = batch.done.nonzero()[0].tolist()
            if over:
                batch = vec.reset(lanes=over)
    env.close()


def test_pettingzoo_wrapper() -> None:
    env = PettingZooWrapper(earthgym.aec("resilience-earth", players=3), use_mask=True)
    check_env_specs(env)
    data = env.rollout(1000)
    assert data["next", "done"][-1].all()
    for agent in ("player_0", "player_1", "player_2"):
        chosen = data[agent, "mask"][:, 0]
        assert chosen.sum() > 5
        assert data["next", agent, "reward"].sum() in (-0.5, 0, 0.25, 1)
    env.close()


def test_ppo(curve: Callable[..., list[float]]) -> None:
    returns = curve("torchrl_ppo.py", "4")
    assert len(returns) == 3
    assert returns[-1] > max(0.3, returns[0] + 0.3)
