"""What the tests share: the program, and one server for those that need no other."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
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


@pytest.fixture(scope="session")
def server() -> Iterator[earthgym.Server]:
    with earthgym.Server() as s:
        yield s
