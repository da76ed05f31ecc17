"""Saving a network that was trained here so that the agent ``net:FILE`` plays it in Go."""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

FORMAT = "earthgym-checkpoint/1"


def save_network(
    path: str | os.PathLike[str],
    info: dict[str, Any],
    layers: Sequence[tuple[npt.ArrayLike, npt.ArrayLike]],
    *,
    decisions: int = 0,
    seed: int = 0,
) -> None:
    """Writes a network as a checkpoint (safetensors) of ``earthgym``.

    The network is the one that Go uses: linear layers with ReLU between them, from an observation to the logits
    of all actions and, as a last column, the value.

    Args:
        path: the file. It is written whole or not at all.
        info: of the game: ``vec.info``.
        layers: weight and bias of each layer; weights are [outputs, inputs], as PyTorch keeps them.
        decisions: how many it was trained on.
        seed: of the training.
    """
    inputs, actions = info["observation_size"], len(info["actions"])
    tensors: dict[str, npt.NDArray[np.float32]] = {}
    hidden: list[int] = []
    width = inputs
    for i, (weight, bias) in enumerate(layers):
        w, b = np.asarray(weight, np.float32).T, np.asarray(bias, np.float32)
        name = "head" if i == len(layers) - 1 else f"trunk.{i}"
        if w.ndim != 2 or w.shape[0] != width or b.shape != (w.shape[1],):
            raise ValueError(f"layer {name}: weight {w.T.shape} and bias {b.shape} after a width of {width}")
        tensors[f"{name}.weight"], tensors[f"{name}.bias"] = np.ascontiguousarray(w), b
        width = w.shape[1]
        hidden.append(width)
    if not hidden or hidden.pop() != actions + 1:
        raise ValueError(f"the last layer has {width} outputs: {actions} logits and a value are {actions + 1}")
    spec = json.dumps({"inputs": inputs, "actions": actions, "hidden": hidden}, separators=(",", ":"))
    header: dict[str, Any] = {
        "__metadata__": {
            "format": FORMAT,
            "game": info["game"],
            "name": info["name"],
            "rules": str(info["rules"]),
            "data": info["data"],
            "actions": info["action_hash"],
            "observation": info["observation_hash"],
            "spec": spec,
            "decisions": str(decisions),
            "update": "0",
            "seed": str(seed),
            "created_by": "earthgym-python",
        }
    }
    at = 0
    for name, tensor in tensors.items():
        header[name] = {"dtype": "F32", "shape": tensor.shape, "data_offsets": [at, at + tensor.nbytes]}
        at += tensor.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    target = Path(path)
    part = target.with_name(f".{target.name}.part")
    with open(part, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text)
        for tensor in tensors.values():
            f.write(tensor.astype("<f4").tobytes())
        f.flush()
        os.fsync(f.fileno())
    part.replace(target)
