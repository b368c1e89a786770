"""What several tests need: tiny scenarios and hand-made tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import closlab

ROOT = Path(__file__).parent.parent

TINY: Mapping[str, Mapping[str, Any]] = {
    "fabric": {"leaves": 2, "spines": 2, "hosts_per_leaf": 2},
    "measure": {"warmup": "200us", "window": "2ms"},
}
"""A run of milliseconds: 4 hosts."""

_COUNTS = (
    "retransmitted_segments",
    "timeouts",
    "fast_recoveries",
    "dup_acks",
    "reordered_segments",
    "duplicate_segments",
    "ecn_reductions",
    "held_segments",
    "shim_timeouts",
)


def make_flows(rows: Sequence[Mapping[str, int]]) -> pl.DataFrame:
    """A flows table; each row has what it says, all else is 0 or follows from it."""
    whole = []
    for number, row in enumerate(rows):
        filled = {"flow": number, "measured": 1, "size_bytes": 1_000, "start_ps": 0, "segments_sent": 1}
        filled |= {"receiver_fct_ps": 0} | dict.fromkeys(_COUNTS, 0) | dict(row)
        filled.setdefault("delivered_bytes", filled["size_bytes"])
        whole.append(filled)
    return pl.DataFrame(whole)


def make_totals(**values: int) -> pl.DataFrame:
    """A totals table of a run of 1 ms whose window is its first half."""
    usual = {
        "window_start_ps": 0,
        "window_end_ps": 500_000_000,
        "end_ps": 1_000_000_000,
        "offered_fabric_bytes": 0,
        "offered_bytes": 0,
        "uplink_capacity_bps": 10_000_000_000,
        "host_capacity_bps": 40_000_000_000,
        "lost_packets": 0,
        "lost_bytes": 0,
        "unroutable_packets": 0,
        "unroutable_bytes": 0,
    }
    return pl.DataFrame([usual | values])


def make_unloaded(times_ps: Sequence[int]) -> pl.DataFrame:
    """An unloaded table of flows 0, 1, ..."""
    return pl.DataFrame({"flow": range(len(times_ps)), "unloaded_fct_ps": times_ps})


@pytest.fixture(scope="session")
def tiny() -> closlab.Scenario:
    """A scenario of a few milliseconds."""
    return closlab.Scenario.from_mapping({**TINY, "scheme": {"name": "drill"}, "seed": 1})


@pytest.fixture(scope="session")
def tiny_comparison(tmp_path_factory: pytest.TempPathFactory) -> tuple[closlab.Comparison, Path]:
    """A comparison of two schemes at two loads with two seeds, and its folder."""
    folder = tmp_path_factory.mktemp("comparison")
    comparison = closlab.compare(TINY, schemes=["ecmp", "drill"], loads=[0.3, 0.8], seeds=2, out=folder, jobs=2)
    return comparison, folder
