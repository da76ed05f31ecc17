"""The pages of ``make docs``, which takes tools that the tests do without."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[4]


def test_every_page_has_its_place() -> None:
    """What no list of pages names fails there."""
    pages = (ROOT / "env/pipe/python/docs/mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2].split()
    tracked = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert [f for f in tracked.split() if f not in pages and "testdata/axe" not in f] == []
