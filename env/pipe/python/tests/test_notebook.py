"""The notebook runs from its first cell to its last."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

import earthgym

NOTEBOOK = Path(__file__).parents[1] / "examples" / "first_hour.ipynb"


def test_first_hour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(Path(earthgym.__file__).parents[1]))  # for the agent that it starts
    monkeypatch.setenv("EARTHGYM_BINARY", os.fspath(earthgym.find_binary()))
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert all(not cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code"), "clear its outputs"
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), cell["id"], "exec"), names)
    said = capsys.readouterr().out
    for part in (
        "plays one-earth",
        "legal actions of",
        "return ",
        "games over",
        "refused:",
        "every clause holds",
        "script:naive",
    ):
        assert part in said
