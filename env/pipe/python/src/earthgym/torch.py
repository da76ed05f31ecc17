"""Networks of earthgym as modules of PyTorch: to go on with what Go has trained, and to train what Go plays."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from . import errors

try:
    import torch
    from torch import nn
except ImportError as e:
    raise errors.missing_extra("earthgym.torch", "torch") from e
else:
    errors.check_extra("earthgym.torch", "torch")

from .network import Network


class NetworkModule(nn.Module):  # type: ignore[misc]
    """A :class:`earthgym.Network` in PyTorch, with the same answers.

    To go on with a network and let Go play what has become of it::

        module = earthgym.torch.NetworkModule(earthgym.load_network("net:one-earth"))
        logits, values = module(torch.tensor(batch.observation), torch.tensor(vec.legal_mask()))
        earthgym.save_network("mine.safetensors", vec.info, module.network(), decisions=n)

    Args:
        network: what it is at first.
    """

    def __init__(self, network: Network) -> None:
        super().__init__()
        self._network = network
        self.layers = nn.ModuleList(nn.Linear(*weight.shape[::-1]) for weight, _ in network.layers)
        self.embeddings = nn.ModuleList(nn.Linear(*o.weight.shape[::-1]) for o in network.objects)
        numbers = [*network.layers, *((o.weight, o.bias) for o in network.objects)]
        with torch.no_grad():
            for layer, (weight, bias) in zip([*self.layers, *self.embeddings], numbers, strict=True):
                layer.weight.copy_(torch.tensor(weight))
                layer.bias.copy_(torch.tensor(bias))
        for k, o in enumerate(network.objects):
            targets = [p.objects * len(o.pointers) + i for i, p in enumerate(o.pointers)]  # in rows of objects
            self.register_buffer(f"features_{k}", torch.tensor(o.features), persistent=False)
            self.register_buffer(f"actions_{k}", torch.tensor(_joined(p.actions for p in o.pointers)), persistent=False)
            self.register_buffer(f"targets_{k}", torch.tensor(_joined(targets)), persistent=False)

    def forward(self, observation: torch.Tensor, mask: torch.Tensor | None = None) -> tuple[torch.Tensor, torch.Tensor]:
        """Gives the logits of all actions, -1e9 (float16: the least) where a mask forbids, and the values of the seats.

        The first value is the observer's. Observations are [size] or [rows, size], and masks alike.
        """
        x, residual = observation, self._network.residual
        for i, layer in enumerate(self.layers[:-1]):
            y = torch.relu(layer(_normalise(x) if residual and i > 0 else x))
            x = x + y if residual and i > 0 and x.shape == y.shape else y
        head = self.layers[-1](_normalise(x) if residual and len(self.layers) > 1 else x)
        at = head.shape[-1] - sum(len(o.bias) * len(o.pointers) for o in self._network.objects)
        logits, values = head[..., : at - self._network.values], head[..., at - self._network.values : at]
        for k, (o, embed) in enumerate(zip(self._network.objects, self.embeddings, strict=True)):
            size = len(o.bias) * len(o.pointers)
            query = head[..., at : at + size].unflatten(-1, (len(o.bias), len(o.pointers)))
            embedded = torch.relu(embed(observation[..., self.get_buffer(f"features_{k}")]))
            product = (embedded @ query).flatten(-2)[..., self.get_buffer(f"targets_{k}")]
            logits = logits.index_add(-1, self.get_buffer(f"actions_{k}"), product)
            at += size
        if mask is not None:
            logits = logits.masked_fill(~mask.bool(), max(-1e9, torch.finfo(logits.dtype).min))
        return logits, values

    def network(self) -> Network:
        """What the module is now, to be saved."""
        numbers = [
            (layer.weight.detach().float().cpu().numpy().copy(), layer.bias.detach().float().cpu().numpy().copy())
            for layer in [*self.layers, *self.embeddings]
        ]
        n = len(self.layers)
        objects = [
            dataclasses.replace(o, weight=weight, bias=bias)
            for o, (weight, bias) in zip(self._network.objects, numbers[n:], strict=True)
        ]
        return dataclasses.replace(self._network, layers=numbers[:n], objects=objects)


def _joined(arrays: Iterable[npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
    return np.concatenate([*arrays])


def _normalise(x: torch.Tensor) -> torch.Tensor:
    """Rows shifted and scaled to mean 0 and variance 1."""
    return nn.functional.layer_norm(x, x.shape[-1:], eps=1e-5)
