"""What the tests share: the program, and one server for those that need no other."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import earthgym

ROOT = Path(__file__).parents[4]
os.environ.setdefault("EARTHGYM_BINARY", str(ROOT / "bin" / "earthgym"))


def games() -> list[dict[str, Any]]:
    """What the program says of its games."""
    listed = subprocess.run([earthgym.find_binary(), "games", "--json"], check=True, capture_output=True).stdout
    found: list[dict[str, Any]] = json.loads(listed)
    return found


def variants() -> dict[str, list[str]]:
    """The variants that each game is tested with, by its name."""
    return {game["name"]: game["variants"] for game in games()}


def interrupted(line: int, call: Callable[[], object]) -> bool:
    """Whether Ctrl-C, as so many lines of the package begin as it says, breaks off a call that has as many."""
    package = str(Path(earthgym.__file__).parent)
    left = line

    def trace(frame: Any, event: str, _: Any) -> Any:
        nonlocal left
        if not frame.f_code.co_filename.startswith(package):
            return None
        left -= event == "line"
        if left == 0:
            raise KeyboardInterrupt
        return trace

    sys.settrace(trace)
    try:
        call()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(None)
    return False


@pytest.fixture(scope="session")
def server() -> Iterator[earthgym.Server]:
    with earthgym.Server() as s:
        yield s
