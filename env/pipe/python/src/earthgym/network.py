"""Networks in the form in which Go trains and plays them: the agent ``net:FILE`` plays what is saved here."""

from __future__ import annotations

import hashlib
import json
import os
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

FORMAT = "earthgym-checkpoint/2"
_WITHOUT_CHECKSUM = "earthgym-checkpoint/1"
_MOST_HEADER = 16 << 20
_ZEROS = "0" * 64


@dataclass(frozen=True)
class Network:
    """A network as :func:`load_network` gives it, and :func:`save_network` takes it.

    Attributes:
        layers: weight [outputs, inputs] and bias [outputs] of each layer, float32, with ReLU between them. The last
            one gives the logits of all actions and, as a last column, the value.
        game: the game with the options that it was trained with.
        decisions: how many it was trained on.
        metadata: all that the file says of it.
    """

    layers: list[tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]]
    game: str
    decisions: int
    metadata: dict[str, str]


def load_network(path: str | os.PathLike[str], info: dict[str, Any] | None = None) -> Network:
    """Reads the network of a checkpoint, as :func:`save_network` or ``earthgym train`` leaves one.

    Args:
        path: the file, or the folder of a training run, whose best network is read, or its newest where
            none has been measured.
        info: of the game that it is to play, ``vec.info``: a network for another game is refused.
    """
    file = Path(path)
    if file.is_dir():
        found = sorted((file / "checkpoints").glob("checkpoint-*.safetensors"))
        best = file / "best.safetensors"
        if best.is_file():
            found.append(best)
        if not found:
            raise FileNotFoundError(f"{file}: there are no checkpoints in the folder of this run")
        file = found[-1]
    content = file.read_bytes()
    try:
        size = int.from_bytes(content[:8], "little")
        if size > min(_MOST_HEADER, len(content) - 8):
            raise ValueError("its header is longer than the file, or than 16 MiB")
        header = json.loads(content[8 : 8 + size])
        metadata: dict[str, str] = header["__metadata__"]
        if metadata["format"] not in (FORMAT, _WITHOUT_CHECKSUM):
            raise ValueError(f"its format is {metadata['format']!r}, not {FORMAT!r}")
        if metadata["format"] == FORMAT and metadata["checksum"] != _checksum(content, metadata["checksum"]):
            raise ValueError("its content does not match its checksum: the file is damaged")
        hidden = json.loads(metadata["spec"])["hidden"]
        layers = []
        for name in [*(f"trunk.{i}" for i in range(len(hidden))), "head"]:
            weight, bias = (_tensor(content[8 + size :], header[f"{name}.{part}"]) for part in ("weight", "bias"))
            if weight.ndim != 2 or bias.shape != weight.shape[1:]:
                raise ValueError(f"layer {name} has a weight {weight.shape} and a bias {bias.shape}")
            layers.append((np.ascontiguousarray(weight.T), bias))
    except (ValueError, KeyError, TypeError) as e:
        raise ValueError(f"{file} is no network of earthgym: {e!r}") from e
    if info is not None:
        for key, word, what in (
            ("name", info["name"], "game"),
            ("actions", info["action_hash"], "action table"),
            ("observation", info["observation_hash"], "observation layout"),
            ("encoding", str(info["encoding"]), "version of the encoding of observations"),
        ):
            have = metadata.get(key, "1" if key == "encoding" else None)  # encodings were at 1 before they had versions
            if have != word:
                raise ValueError(
                    f"{file} was trained on {metadata.get('game')}, "
                    f"with another {what} ({have}) than {info['name']}'s ({word})"
                )
    return Network(layers, metadata["game"], int(metadata.get("decisions", 0)), metadata)


def _checksum(content: bytes, written: str) -> str:
    """The SHA-256 of a file with zeros where its checksum is written."""
    key = '"checksum":"'
    return hashlib.sha256(content.replace((key + written).encode(), (key + _ZEROS).encode(), 1)).hexdigest()


def _tensor(content: bytes, entry: dict[str, Any]) -> npt.NDArray[np.float32]:
    if entry["dtype"] != "F32":
        raise ValueError(f"tensors are F32, not {entry['dtype']}")
    begin, end = entry["data_offsets"]
    return np.frombuffer(content[begin:end], "<f4").reshape(entry["shape"]).astype(np.float32)


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
            "checksum": _ZEROS,
            "game": info["game"],
            "name": info["name"],
            "rules": str(info["rules"]),
            "data": info["data"],
            "actions": info["action_hash"],
            "observation": info["observation_hash"],
            "encoding": str(info["encoding"]),
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
    content = struct.pack("<Q", len(text)) + text + b"".join(t.astype("<f4").tobytes() for t in tensors.values())
    content = content.replace(_ZEROS.encode(), _checksum(content, _ZEROS).encode(), 1)
    target = Path(path)
    part = target.with_name(f".{target.name}.part")
    with open(part, "wb") as f:
        f.write(content)
        f.flush()
        os.fsync(f.fileno())
    part.replace(target)
