"""What other libraries this package works with, and what it says of those that are missing or too old."""

from __future__ import annotations

import importlib
import importlib.metadata
import re
import sys
from pathlib import Path

import pytest
import tomllib

from earthgym import errors

PROJECT = Path(__file__).parents[1] / "pyproject.toml"


def test_oldest_versions() -> None:
    """What is refused is what the extras don't install."""
    extras = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert set(extras) == set(errors.EXTRAS)
    for extra, (_, package, oldest) in errors.EXTRAS.items():
        assert any(re.fullmatch(rf"{package}(\[\w+\])?>={oldest}", r) for r in extras[extra]), extra


def test_too_old(monkeypatch: pytest.MonkeyPatch) -> None:
    """A library that is too old is refused in words, whether it could be imported or not."""
    monkeypatch.setattr(importlib.metadata, "version", lambda _: "1.0.9")
    says = r"earthgym\.gym needs Gymnasium 1\.1 or newer, not 1\.0\.9: pip install -U 'earthgym\[gymnasium\]'"
    monkeypatch.delitem(sys.modules, "earthgym.gym", raising=False)
    with pytest.raises(ImportError, match=says):
        importlib.import_module("earthgym.gym")
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    with pytest.raises(ImportError, match=says):
        importlib.import_module("earthgym.gym")
    monkeypatch.setattr(importlib.metadata, "version", lambda _: "1.10.0a2")
    errors.check_extra("earthgym.gym", "gymnasium")


def test_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(package: str) -> str:
        raise importlib.metadata.PackageNotFoundError(package)

    monkeypatch.setattr(importlib.metadata, "version", missing)
    errors.check_extra("earthgym.rllib", "rllib")  # it may be there without saying so
    assert str(errors.missing_extra("earthgym.rllib", "rllib")) == (
        "earthgym.rllib needs RLlib 2.40 or newer: pip install 'earthgym[rllib]'"
    )
