"""Networks in the form in which Go trains and plays them: the agent ``net:FILE`` plays what is saved here."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import struct
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .server import cannot_run, find_binary, whole

FORMAT = "earthgym-checkpoint/2"
_WITHOUT_CHECKSUM = "earthgym-checkpoint/1"
_MOST_HEADER = 16 << 20
_ZEROS = "0" * 64
_EMBEDDING = 16
"""The width of the embeddings of objects in new networks, as in Go's."""

Layers = list[tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]]


@dataclass(frozen=True)
class Pointer:
    """What one query is for.

    Attributes:
        family: of actions.
        actions: of that family.
        objects: the object that each of these actions points at.
    """

    family: str
    actions: npt.NDArray[np.int64] = field(repr=False)
    objects: npt.NDArray[np.int64] = field(repr=False)


@dataclass(frozen=True)
class Objects:
    """Things of one kind that actions point at.

    The embedding of an object is ReLU(weight · features + bias). Each pointer adds to the logits of its actions the
    product of its query with the embedding of the action's object.

    Attributes:
        name: of one of them.
        features: the inputs that are the features of each object [objects, features].
        weight: of the embedding [width, features].
        bias: of the embedding [width].
        pointers: in the order of their queries.
    """

    name: str
    features: npt.NDArray[np.int64] = field(repr=False)
    weight: npt.NDArray[np.float32] = field(repr=False)
    bias: npt.NDArray[np.float32] = field(repr=False)
    pointers: list[Pointer]


@dataclass(frozen=True)
class Network:
    """A network as :func:`load_network` and :func:`new_network` give it, and :func:`save_network` takes it.

    :class:`earthgym.torch.NetworkModule` is one in PyTorch, :mod:`earthgym.jax` in JAX.

    Attributes:
        layers: weight [outputs, inputs] and bias [outputs] of each layer, float32, with ReLU after all but the last,
            which gives the logits of all actions, then the values of the seats, the observer's first, and then for each
            kind of objects its queries [width, pointers].
        game: the game with the options that it was trained with.
        decisions: how many it was trained on.
        metadata: all that the file says of it.
        values: seats that a value is given for.
        objects: kinds of objects that actions point at.
        residual: layers behind the first see what is before them normalised, and add to it where widths are equal.
        hash: the SHA-256 that names the file that it was read from; "" if it comes from none. A file that is made of it
            names it as the parent.
    """

    layers: Layers
    game: str = ""
    decisions: int = 0
    metadata: dict[str, str] = field(default_factory=dict)
    values: int = 1
    objects: list[Objects] = field(default_factory=list)
    residual: bool = False
    hash: str = ""

    def __repr__(self) -> str:
        widths = [self.layers[0][0].shape[1], *(len(bias) for _, bias in self.layers)]
        numbers = [*self.layers, *((o.weight, o.bias) for o in self.objects)]
        parameters = sum(np.size(weight) + np.size(bias) for weight, bias in numbers)
        layers = " to ".join(map(str, widths))
        return f"<Network of {self.game}: {layers}, {parameters:,} parameters, {self.decisions:,} decisions>"

    def evaluate(self, observation: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Gives the logits of all actions, legal or not, and the values of the seats, the observer's first.

        Args:
            observation: [size], or as many of them as you like, [rows, size].
        """
        x = observation
        for i, (weight, bias) in enumerate(self.layers[:-1]):
            y = np.maximum((_normalise(x) if self.residual and i > 0 else x) @ weight.T + bias, 0)
            x = x + y if self.residual and i > 0 and x.shape == y.shape else y
        weight, bias = self.layers[-1]
        head = (_normalise(x) if self.residual and len(self.layers) > 1 else x) @ weight.T + bias
        at = len(bias) - sum(len(o.bias) * len(o.pointers) for o in self.objects)
        logits, values = head[..., : at - self.values].copy(), head[..., at - self.values : at].copy()
        for o in self.objects:
            size = len(o.bias) * len(o.pointers)
            query = head[..., at : at + size].reshape(*head.shape[:-1], len(o.bias), len(o.pointers))
            embedded = np.maximum(observation[..., o.features] @ o.weight.T + o.bias, 0)
            product = embedded @ query  # [rows, objects, pointers]
            for i, pointer in enumerate(o.pointers):
                logits[..., pointer.actions] += product[..., pointer.objects, i]
            at += size
        return logits, values


def _normalise(x: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Rows shifted and scaled to mean 0 and variance 1."""
    x = x - x.mean(-1, keepdims=True)
    scale: npt.NDArray[np.float32] = np.sqrt((x * x).mean(-1, keepdims=True) + np.float32(1e-5))
    return x / scale


def load_network(path: str | os.PathLike[str], info: dict[str, Any] | None = None) -> Network:
    """Reads the network of a checkpoint, as :func:`save_network` or ``earthgym train`` leaves one.

    Args:
        path: the file, or the folder of a training run, whose best network is read, or its newest where
            none has been measured; or ``net:one-earth``, the network that comes with the program for that game.
        info: of the game that it is to play, ``vec.info``: a network for another game is refused.
    """
    file, content = _read(path)
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
        spec = json.loads(metadata["spec"])
        if unknown := spec.keys() - {"inputs", "actions", "hidden", "residual", "values", "objects"}:
            raise ValueError(f"its shape has {unknown}, which this version does not know")

        def layer(name: str) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
            weight, bias = (_tensor(content[8 + size :], header[f"{name}.{part}"]) for part in ("weight", "bias"))
            if weight.ndim != 2 or bias.shape != weight.shape[1:]:
                raise ValueError(f"layer {name} has a weight {weight.shape} and a bias {bias.shape}")
            return np.ascontiguousarray(weight.T), bias

        layers = [layer(name) for name in [*(f"trunk.{i}" for i in range(len(spec["hidden"]))), "head"]]
        objects = [
            Objects(
                o["name"],
                np.array(o["features"], np.int64),
                *layer(f"embed.{o['name']}"),
                [Pointer(p["family"], np.array(p["actions"], int), np.array(p["objects"], int)) for p in o["pointers"]],
            )
            for o in spec.get("objects", [])
        ]
    except (ValueError, KeyError, TypeError) as e:
        why = e if type(e) is ValueError else f"{e!r}"
        raise ValueError(f"{file} is no network of earthgym: {why}") from e
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
    decisions = int(metadata.get("decisions", 0))
    named = metadata["checksum"] if metadata["format"] == FORMAT else hashlib.sha256(content).hexdigest()
    return Network(
        layers,
        metadata["game"],
        decisions,
        metadata,
        spec.get("values", 1),
        objects,
        spec.get("residual", False),
        named,
    )


def _read(path: str | os.PathLike[str]) -> tuple[Path, bytes]:
    """The file that a path of :func:`load_network` stands for, and what is in it."""
    if isinstance(path, str) and path.startswith("net:"):
        program = find_binary()
        with tempfile.TemporaryDirectory(prefix="earthgym-") as folder:
            file = Path(folder) / "network.safetensors"
            try:
                done = subprocess.run([program, "export", path, file, "--games", "0"], capture_output=True, text=True)
            except OSError as e:
                raise cannot_run(program, e) from e
            if done.returncode != 0:
                raise ValueError(done.stderr.strip().removeprefix("earthgym: "))
            return Path(path), file.read_bytes()
    file = Path(path)
    if file.is_dir():
        found = sorted((file / "checkpoints").glob("checkpoint-*.safetensors"))
        best = file / "best.safetensors"
        if best.is_file():
            found.append(best)
        if not found:
            raise FileNotFoundError(f"{file}: there are no checkpoints in the folder of this run")
        file = found[-1]
    return file, file.read_bytes()


def new_network(info: dict[str, Any], hidden: Sequence[int] = (256, 256), *, seed: int = 0) -> Network:
    """A network as Go's training begins with one, but for the values, of which it has one: the observer's.

    All legal actions are about equally likely at first.

    Args:
        info: of the game that it is to play, ``vec.info``.
        hidden: widths of the hidden layers, which are residual.
        seed: of the weights.
    """
    if not isinstance(info, dict):
        raise TypeError(f"info {info!r}: it is what a Vec of the game has as its info")
    hidden = [whole("width", width, 1) for width in hidden]
    rng = np.random.default_rng(seed)

    def layer(inputs: int, outputs: int, gain: float) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        weight = rng.standard_normal((outputs, inputs), np.float32) * np.float32((gain / inputs) ** 0.5)
        return weight, np.zeros(outputs, np.float32)

    objects = []
    for kind in info.get("objects", []):
        features, found = _features(info, kind), _pointers(info, kind["name"])
        if found:
            objects.append(Objects(kind["name"], features, *layer(features.shape[1], _EMBEDDING, 2), found))
    widths = [info["observation_size"], *hidden]
    layers = [layer(inputs, outputs, 2) for inputs, outputs in itertools.pairwise(widths)]
    actions = len(info["actions"])
    head, bias = layer(widths[-1], actions + 1 + sum(_EMBEDDING * len(o.pointers) for o in objects), 1)
    head[np.arange(len(head)) != actions] *= 0.01  # All but the value.
    return Network([*layers, (head, bias)], info["game"], objects=objects, residual=True)


def _features(info: dict[str, Any], kind: dict[str, Any]) -> npt.NDArray[np.int64]:
    """The inputs that are the features of each object of a kind, [objects, features]."""
    places: list[npt.NDArray[np.int64]] = []
    features = {f["name"]: f for f in info["observation"]}
    for feature in (features[name] for name in kind["features"]):
        shape = feature["shape"]
        inputs = feature["offset"] + np.arange(np.prod(shape))
        first = shape[0] == kind["count"]
        places.append(inputs.reshape(kind["count"], -1) if first else inputs.reshape(-1, kind["count"]).T)
    return np.concatenate(places, 1)


def _pointers(info: dict[str, Any], kind: str) -> list[Pointer]:
    """What points at objects of a kind: a pointer for each family of actions and place among what they point at."""
    found: dict[tuple[int, str], list[tuple[int, int]]] = {}
    for a, action in enumerate(info["actions"]):
        for place, target in enumerate(action.get("objects", [])):
            if target["kind"] == kind:
                found.setdefault((place, action["family"]), []).append((a, target.get("index", 0)))
    return [Pointer(family, *(np.array(x) for x in zip(*pairs, strict=True))) for (_, family), pairs in found.items()]


def _checksum(content: bytes, written: str) -> str:
    """The SHA-256 of a file with zeros where its checksum is written."""
    key = '"checksum":"'
    return hashlib.sha256(content.replace((key + written).encode(), (key + _ZEROS).encode(), 1)).hexdigest()


def _tensor(content: bytes, entry: dict[str, Any]) -> npt.NDArray[np.float32]:
    if entry["dtype"] not in ("F32", "F16"):
        raise ValueError(f"tensors are F32 or F16, not {entry['dtype']}")
    begin, end = entry["data_offsets"]
    numbers = "<f4" if entry["dtype"] == "F32" else "<f2"
    return np.frombuffer(content[begin:end], numbers).reshape(entry["shape"]).astype(np.float32)


def save_network(
    path: str | os.PathLike[str],
    info: dict[str, Any],
    network: Network | Sequence[tuple[npt.ArrayLike, npt.ArrayLike]],
    *,
    decisions: int = 0,
    seed: int = 0,
) -> None:
    """Writes a network as a checkpoint (safetensors) of ``earthgym``.

    One that was read from a file is named as the parent of what is made of it, and what its file says besides, its
    teachers and opponents among it, is kept.

    Args:
        path: the file. It is written whole or not at all.
        info: of the game: ``vec.info``.
        network: a :class:`Network`; or the weight [outputs, inputs] and bias of each layer, as PyTorch keeps them, of
            one that has layers alone, from an observation to the logits of all actions and behind them the value of
            the observer, or of every seat from it on.
        decisions: how many it was trained on, beside those that its parent was.
        seed: of the training.
    """
    decisions, seed = whole("decisions", decisions, 0), whole("seed", seed, 0, (1 << 64) - 1)
    if not np.iterable(network) and not isinstance(network, Network):
        raise TypeError(
            f"network is a Network, or layers, and no {type(network).__name__}: a module's network() is one"
        )
    if not isinstance(network, Network):
        network = Network(list(network), info["game"])  # type: ignore[arg-type] # of whatever can be an array
    layers, objects = network.layers, network.objects
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
    queries = sum(len(o.bias) * len(o.pointers) for o in objects)
    values = hidden.pop() - actions - queries if hidden else 0
    if values not in (1, info["most_players"]):
        raise ValueError(
            f"the last layer has {width} outputs: {actions} logits, a value of the observer or of "
            f"{info['most_players']} seats, and {queries} queries are {actions + 1 + queries} or more"
        )
    shape: dict[str, Any] = {"inputs": inputs, "actions": actions, "hidden": hidden}
    if network.residual:
        shape["residual"] = True
    if values > 1:
        shape["values"] = values
    for o in objects:
        if o.weight.shape != (len(o.bias), o.features.shape[1]):
            raise ValueError(f"objects {o.name}: weight {o.weight.shape}, bias {o.bias.shape}")
        tensors[f"embed.{o.name}.weight"] = np.ascontiguousarray(np.asarray(o.weight, np.float32).T)
        tensors[f"embed.{o.name}.bias"] = np.asarray(o.bias, np.float32)
        pointers = [
            {"family": p.family, "actions": p.actions.tolist(), "objects": p.objects.tolist()} for p in o.pointers
        ]
        shape.setdefault("objects", []).append(
            {"name": o.name, "features": o.features.tolist(), "width": len(o.bias), "pointers": pointers}
        )
    for name, tensor in tensors.items():
        if not np.isfinite(tensor).all():
            raise ValueError(f"{name} has numbers that are not finite, which nobody plays: {path} is left as it was")
    spec = json.dumps(shape, separators=(",", ":"))
    header: dict[str, Any] = {
        "__metadata__": {
            **network.metadata,
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
            "decisions": str(network.decisions + decisions),
            "update": "0",
            "seed": str(seed),
            "created_by": "earthgym-python",
        }
    }
    if network.hash:
        card = json.loads(network.metadata.get("card", "{}"))
        kept = {key: card[key] for key in ("teachers", "opponents") if key in card}
        header["__metadata__"]["card"] = json.dumps({**kept, "parent": network.hash}, separators=(",", ":"))
    at = 0
    for name, tensor in tensors.items():
        header[name] = {"dtype": "F32", "shape": tensor.shape, "data_offsets": [at, at + tensor.nbytes]}
        at += tensor.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    content = struct.pack("<Q", len(text)) + text + b"".join(t.astype("<f4").tobytes() for t in tensors.values())
    content = content.replace(_ZEROS.encode(), _checksum(content, _ZEROS).encode(), 1)
    target = Path(path)
    part = target.with_name(f".{target.name}.{os.urandom(8).hex()}.part")  # all workers of a training may save at once
    try:
        with open(part, "wb") as f:
            f.write(content)
            f.flush()
            os.fsync(f.fileno())
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
