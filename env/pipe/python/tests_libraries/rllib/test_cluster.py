"""Ray on two nodes, which are programs on this machine: one server a node, other games for each worker."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest
import ray
from ray.cluster_utils import Cluster

PACKAGE = Path(__file__).parents[2]


def test_two_nodes(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("PYTHONPATH", str(PACKAGE / "src"))
    cluster = Cluster()
    try:
        for _ in range(2):
            cluster.add_node(num_cpus=1, num_gpus=0, object_store_memory=80 << 20, include_dashboard=False)
        ray.init(address=cluster.address, log_to_driver=False)
        runpy.run_path(str(PACKAGE / "examples" / "ray_cluster.py"))["main"](4)
    finally:
        ray.shutdown()
        cluster.shutdown()
    said = capsys.readouterr().out
    assert "2 nodes, 4 workers: 25,600 decisions" in said
    told = re.search(r"(\d+) games, (\d+) of them different$", said, re.M)
    assert told is not None
    assert int(told[1]) == int(told[2]) > 50, said
