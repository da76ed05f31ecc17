"""Networks of earthgym in JAX: to go on with what Go has trained, and to train what Go plays.

To go on with a network and let Go play what has become of it::

    network = earthgym.load_network("net:one-earth")
    params = earthgym.jax.parameters(network)
    logits, values = jax.jit(earthgym.jax.module(network))(params, observation, mask)
    earthgym.save_network("mine.safetensors", vec.info, earthgym.jax.trained(network, params), decisions=n)

Make the batch with ``copy=True``: JAX may take over the memory of arrays, which must not change then.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

from . import errors

try:
    import jax
    import jax.numpy as jnp
except ImportError as e:
    raise errors.missing_extra("earthgym.jax", "jax") from e
else:
    errors.check_extra("earthgym.jax", "jax")

from .network import Network

Parameters = list[tuple[jax.Array, jax.Array]]
"""The weight [outputs, inputs] and bias of each layer, then of the embedding of each kind of objects."""


def parameters(network: Network) -> Parameters:
    """What is learnt of a network."""
    embeddings = [(o.weight, o.bias) for o in network.objects]
    return [(jnp.array(weight), jnp.array(bias)) for weight, bias in [*network.layers, *embeddings]]


def trained(network: Network, params: Parameters) -> Network:
    """A network with other parameters, to be saved."""
    numbers = [(np.asarray(weight), np.asarray(bias)) for weight, bias in params]
    n = len(network.layers)
    objects = [dataclasses.replace(o, weight=w, bias=b) for o, (w, b) in zip(network.objects, numbers[n:], strict=True)]
    return dataclasses.replace(network, layers=numbers[:n], objects=objects)


def module(network: Network) -> Callable[..., tuple[jax.Array, jax.Array]]:
    """A function of parameters, observations and, if you like, masks, with the answers of a network of this shape.

    It gives the logits of all actions, -1e9 for those that a mask forbids, and the values of the seats, the observer's
    first. Observations are [size] or [rows, size], and masks alike.
    """
    residual, depth = network.residual, len(network.layers)

    def apply(params: Parameters, observation: jax.Array, mask: jax.Array | None = None) -> tuple[Any, Any]:
        x = observation
        for i, (weight, bias) in enumerate(params[: depth - 1]):
            y = jax.nn.relu((_normalise(x) if residual and i > 0 else x) @ weight.T + bias)
            x = x + y if residual and i > 0 and x.shape == y.shape else y
        weight, bias = params[depth - 1]
        head = (_normalise(x) if residual and depth > 1 else x) @ weight.T + bias
        at = head.shape[-1] - sum(len(o.bias) * len(o.pointers) for o in network.objects)
        logits, values = head[..., : at - network.values], head[..., at - network.values : at]
        for o, (weight, bias) in zip(network.objects, params[depth:], strict=True):
            size = len(o.bias) * len(o.pointers)
            query = head[..., at : at + size].reshape(*head.shape[:-1], len(o.bias), len(o.pointers))
            product = jax.nn.relu(observation[..., o.features] @ weight.T + bias) @ query  # [rows, objects, pointers]
            for i, pointer in enumerate(o.pointers):
                logits = logits.at[..., pointer.actions].add(product[..., pointer.objects, i])
            at += size
        return logits if mask is None else jnp.where(mask, logits, -1e9), values

    return apply


def _normalise(x: Any) -> Any:
    """Rows shifted and scaled to mean 0 and variance 1."""
    return jax.nn.standardize(x, axis=-1, epsilon=1e-5)
