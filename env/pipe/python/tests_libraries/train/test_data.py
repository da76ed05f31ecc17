"""Records as a Parquet file, and that as a dataset of Minari."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import minari
import numpy as np
import pyarrow.parquet as parquet
import pytest

import earthgym


@pytest.mark.filterwarnings("ignore")
def test_minari(example: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))
    program = earthgym.find_binary()
    for players, games in ((2, 3), (3, 2)):
        agents = ["script:greedy", *["random"] * (players - 1)]
        command = [
            program,
            "record",
            f"one-earth:players={players}",
            *agents,
            "--games",
            str(games),
            "--out",
            "records",
        ]
        subprocess.run(command, check=True, cwd=tmp_path, capture_output=True)
    subprocess.run([program, "export", "records", "--parquet", "games.parquet"], check=True, cwd=tmp_path)
    rows = parquet.read_table(tmp_path / "games.parquet").to_pandas()
    assert rows["episode"].nunique() == 5
    chosen = rows[rows["action"] >= 0]
    assert all(mask[action] for mask, action in zip(chosen["action_mask"], chosen["action"], strict=True))
    assert example("minari_dataset.py", "games.parquet", "earthgym/one-earth/test-v0") == "12 episodes\n"
    dataset = minari.load_dataset("earthgym/one-earth/test-v0")
    assert dataset.total_episodes == 12
    assert dataset.total_steps == len(chosen)
    returns = []
    for episode in dataset.iterate_episodes():
        assert len(episode.observations) == len(episode.actions) + 1
        assert episode.terminations[-1]
        assert not episode.terminations[:-1].any()
        assert dataset.observation_space.contains(episode.observations[0])
        assert np.asarray(episode.infos["action_mask"])[:-1][np.arange(len(episode.actions)), episode.actions].all()
        returns.append(episode.rewards.sum())
    assert returns == pytest.approx(rows.groupby(["episode", "seat"])["return"].first().tolist())
