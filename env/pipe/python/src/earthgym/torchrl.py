"""Many games with one learning seat each, as one batched environment of TorchRL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import errors
from .remake import Remade
from .vec import check_seed, env_vec

try:
    import torch
    from tensordict import TensorDict, TensorDictBase
    from torchrl.data import Binary, Bounded, Categorical, Composite, Unbounded
    from torchrl.envs import EnvBase
except ImportError as e:
    raise errors.missing_extra("earthgym.torchrl", "torchrl") from e
else:
    errors.check_extra("earthgym.torchrl", "torchrl")

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import EnvOptions


class EarthTorchEnv(Remade, EnvBase):  # type: ignore[misc]
    """Many games that are stepped in one call, of batch size ``[num_envs]``.

    Beside ``observation`` there is ``action_mask``, as ``MaskedCategorical`` and TorchRL's ``ActionMask`` take it.
    Games that are over stay so until they are reset, as collectors and ``rollout(break_when_any_done=False)`` do.

    Args:
        game: the game, ``one-earth``.
        num_envs: the number of games.
        seat: the one that learns.
        opponents: agent texts for the other seats, as for :class:`earthgym.gym.EarthEnv`.
        device: where the tensors are.
        options: of the game, ``players=3``, and what every environment takes: :class:`earthgym.options.EnvOptions`.
    """

    def __init__(
        self,
        game: str,
        num_envs: int,
        *,
        seat: int = 0,
        opponents: Sequence[str] | str = "random",
        device: Any = "cpu",
        **options: Unpack[EnvOptions],
    ) -> None:
        super().__init__(device=device, batch_size=[num_envs])
        own = {"autoreset": "disabled", "seat": seat, "opponents": opponents}
        self.vec = env_vec(self, game, num_envs, options, **own)
        self.seat = seat
        low, high = (torch.from_numpy(b).expand(num_envs, -1).to(device) for b in self.vec.float_bounds())
        actions = self.vec.num_actions
        self.observation_spec = Composite(
            observation=Bounded(low, high, dtype=torch.float32, device=device),
            action_mask=Binary(actions, shape=(num_envs, actions), dtype=torch.bool, device=device),
            shape=(num_envs,),
            device=device,
        )
        self.action_spec = Categorical(actions, shape=(num_envs,), dtype=torch.int64, device=device)
        ends = {
            name: Binary(1, shape=(num_envs, 1), dtype=torch.bool, device=device)
            for name in ("done", "terminated", "truncated")
        }
        self.full_done_spec = Composite(**ends, shape=(num_envs,), device=device)
        self.reward_spec = Unbounded(shape=(num_envs, 1), dtype=torch.float32, device=device)

    def _shown(self) -> dict[str, torch.Tensor]:
        observation = torch.from_numpy(self.vec.dequantise(self.vec.batch.observation).copy())
        mask = torch.from_numpy(self.vec.legal_mask().copy())
        return {"observation": observation.to(self.device), "action_mask": mask.to(self.device)}

    def _ends(self) -> dict[str, torch.Tensor]:
        batch = self.vec.batch
        ends = {"terminated": batch.terminated, "truncated": batch.truncated, "done": batch.done}
        return {k: torch.from_numpy(v).unsqueeze(1).to(self.device) for k, v in ends.items()}

    def _reset(self, tensordict: TensorDictBase | None = None, **_: Any) -> TensorDictBase:
        chosen = None if tensordict is None else tensordict.get("_reset", None)
        if chosen is None:
            self.vec.reset(self._seeds)
            self._seeds = None
        else:
            self.vec.reset(lanes=np.flatnonzero(chosen.reshape(-1).cpu().numpy()).tolist())
        return TensorDict(self._shown(), self.batch_size, device=self.device)

    def _step(self, tensordict: TensorDictBase) -> TensorDictBase:
        batch = self.vec.step(tensordict["action"].cpu().numpy())
        reward = torch.from_numpy(batch.reward[:, self.seat : self.seat + 1].copy()).to(self.device)
        return TensorDict({**self._shown(), "reward": reward, **self._ends()}, self.batch_size, device=self.device)

    _seeds: int | None = None

    def _set_seed(self, seed: int | None) -> None:
        self._seeds = None if seed is None else check_seed(seed)

    def close(self, **_: Any) -> None:
        """Ends the games, and their server if that is its own."""
        self.vec.close()
        super().close()
