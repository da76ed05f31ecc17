"""What the tests share: the program, and one server for those that need no other."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import earthgym

ROOT = Path(__file__).parents[4]
os.environ.setdefault("EARTHGYM_BINARY", str(ROOT / "bin" / "earthgym"))


def variants() -> dict[str, list[str]]:
    """The variants that each game is tested with, by its name."""
    listed = subprocess.run([earthgym.find_binary(), "games", "--json"], check=True, capture_output=True).stdout
    return {game["name"]: game["variants"] for game in json.loads(listed)}


@pytest.fixture(scope="session")
def server() -> Iterator[earthgym.Server]:
    with earthgym.Server() as s:
        yield s
