"""What can go wrong, one class for each code of the protocol."""

from __future__ import annotations

import importlib.metadata
import re
from typing import Any


class EarthgymError(Exception):
    """Anything that this package raises by itself."""


class BinaryNotFoundError(EarthgymError):
    """There is no earthgym program to start."""


class ConnectionLost(EarthgymError):
    """The server has ended, or the connection to it."""


class ServerError(EarthgymError):
    """An error that the server has answered with.

    Attributes:
        code: what PROTOCOL.md calls it.
        lane: the lane it is about; None if it is about none.
    """

    code = ""

    def __init__(self, message: str, lane: int | None = None) -> None:
        super().__init__(message)
        self.lane = lane


class BadFrame(ServerError):
    """Lengths that cannot be, or a stream that ends inside a frame."""

    code = "bad_frame"


class FrameTooLarge(ServerError):
    """More bytes than the server reads."""

    code = "frame_too_large"


class BadHandshake(ServerError):
    """The conversation does not begin as it has to."""

    code = "bad_handshake"


class BadVersion(ServerError):
    """Client and server speak different versions of the protocol."""

    code = "bad_version"


class Unauthorized(ServerError):
    """The token is wrong or missing."""

    code = "unauthorized"


class BadRole(ServerError):
    """A role that is not served there."""

    code = "bad_role"


class Forbidden(ServerError):
    """Not for a seat."""

    code = "forbidden"


class UnknownOp(ServerError):
    """No such operation."""

    code = "unknown_op"


class BadRequest(ServerError):
    """A field that is unknown, missing or out of range."""

    code = "bad_request"


class WrongLength(ServerError, ValueError):
    """An array or list of another size than the operation takes."""

    code = "wrong_length"


class UnknownGame(ServerError, ValueError):
    """A game text that opens no game."""

    code = "unknown_game"


class BadData(ServerError, ValueError):
    """Component data that do not load."""

    code = "bad_data"


class UnknownAgent(ServerError, ValueError):
    """An agent text that opens no agent."""

    code = "unknown_agent"


class UnknownEnv(ServerError):
    """A batch that has been closed."""

    code = "unknown_env"


class BadLane(ServerError, IndexError):
    """A lane that the batch does not have."""

    code = "bad_lane"


class BadPlayer(ServerError, IndexError):
    """A seat that the game does not have."""

    code = "bad_player"


class IllegalAction(ServerError, ValueError):
    """An action that the rules forbid. Nothing was stepped."""

    code = "illegal_action"


class UnknownAction(ServerError, ValueError):
    """A text that is no action."""

    code = "unknown_action"


class BadPosition(ServerError, ValueError):
    """A position or saved state that cannot be."""

    code = "bad_position"


class NoRecord(ServerError):
    """The game is not kept, or does not come from its seed."""

    code = "no_record"


class LimitReached(ServerError):
    """More than the server allows."""

    code = "limit"


class AgentFailed(ServerError):
    """An agent could not go on."""

    code = "agent_failed"


class NotSupported(ServerError):
    """Not with this game, this connection or this machine."""

    code = "not_supported"


class InternalError(ServerError):
    """A fault of the server."""

    code = "internal"


_BY_CODE: dict[str, type[ServerError]] = {c.code: c for c in ServerError.__subclasses__()}


def from_frame(error: dict[str, Any]) -> ServerError:
    """Makes the exception of an error frame."""
    kind = _BY_CODE.get(error["code"], ServerError)
    return kind(error["message"], error.get("lane"))


EXTRAS = {
    "gymnasium": ("Gymnasium", "gymnasium", "1.1"),
    "jax": ("JAX", "jax", "0.4"),
    "openspiel": ("OpenSpiel", "open-spiel", "2.0"),
    "pettingzoo": ("PettingZoo", "pettingzoo", "1.24"),
    "rllib": ("RLlib", "ray", "2.40"),
    "sb3": ("Stable-Baselines3", "stable-baselines3", "2.4"),
    "torch": ("PyTorch", "torch", "2.0"),
    "torchrl": ("TorchRL", "torchrl", "0.10"),
}
"""Of each extra: the library's name, that of its package, and the oldest version that will do."""


def missing_extra(module: str, extra: str) -> ImportError:
    """The error of a module whose library is not there, or too old."""
    name, package, oldest = EXTRAS[extra]
    there, says, command = _installed(package), "", "pip install"
    if there is not None and _release(there) < _release(oldest):
        says, command = f", not {there}", "pip install -U"
    return ImportError(f"{module} needs {name} {oldest} or newer{says}: {command} 'earthgym[{extra}]'")


def check_extra(module: str, extra: str) -> None:
    """Refuses a library that could be imported but is too old."""
    _, package, oldest = EXTRAS[extra]
    there = _installed(package)
    if there is not None and _release(there) < _release(oldest):
        raise missing_extra(module, extra)


def _installed(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _release(version: str) -> list[int]:
    return [int(n) for n in re.findall(r"\d+", version)[:2]]
