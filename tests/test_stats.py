"""Intervals and paired comparisons against values computed by other means."""

from __future__ import annotations

import math
import statistics
from collections.abc import Collection

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from closlab import stats


def frame(schemes: dict[str, list[float]], late: Collection[tuple[str, int]] = ()) -> pl.DataFrame:
    """Slowdowns of schemes by seed, at one load; ``late`` has (scheme, index) of lower bounds."""
    rows = [
        (scheme, 0.5, seed, "slowdown_mean", "all", value, (scheme, seed) in late)
        for scheme, values in schemes.items()
        for seed, value in enumerate(values)
    ]
    columns = ["scheme", "load", "seed", "metric", "part", "value", "at_least"]
    return pl.DataFrame(rows, schema=columns, orient="row")


def row_of(table: pl.DataFrame, scheme: str) -> dict[str, object]:
    return table.filter(pl.col("scheme") == scheme).row(0, named=True)


@given(st.lists(st.floats(1, 1e4), min_size=2, max_size=12))
def test_interval_is_student_t(values: list[float]) -> None:
    row = row_of(stats.across_seeds(frame({"ecmp": values})), "ecmp")
    error = statistics.stdev(values) / math.sqrt(len(values))
    expected = scipy_stats.t.ppf(0.975, len(values) - 1) * error
    assert row["mean"] == pytest.approx(statistics.fmean(values))
    assert row["ci95"] == pytest.approx(expected, abs=1e-9)


def test_one_seed_has_no_interval() -> None:
    row = row_of(stats.summarize(frame({"ecmp": [2.0], "drill": [1.0]}), "ecmp"), "drill")
    assert row["ci95"] is None
    assert row["ratio"] == pytest.approx(0.5)
    assert row["ratio_low"] is None
    assert row["ratio_high"] is None
    assert row["standing"] is None


def test_a_mean_of_lower_bounds_has_no_interval() -> None:
    row = row_of(stats.across_seeds(frame({"ecmp": [1.0, 2.0, 3.0]}, {("ecmp", 1)})), "ecmp")
    assert row["at_least"] is True
    assert row["mean"] == 2.0
    assert row["ci95"] is None


def test_pairs_are_compared_seed_by_seed() -> None:
    # Ratios 0.5, 0.5, 0.5 although the seeds differ by far more than the schemes.
    table = stats.paired(frame({"ecmp": [2.0, 20.0, 200.0], "drill": [1.0, 10.0, 100.0]}), "ecmp")
    row = row_of(table, "drill")
    assert row["ratio"] == pytest.approx(0.5)
    assert row["ratio_low"] == pytest.approx(0.5)
    assert row["ratio_high"] == pytest.approx(0.5)
    assert row["difference"] == pytest.approx(-37.0)
    expected = scipy_stats.t.ppf(0.975, 2) * statistics.stdev([-1.0, -10.0, -100.0]) / math.sqrt(3)
    assert row["difference_ci95"] == pytest.approx(expected)
    assert row["bound"] == ""
    assert "ecmp" not in table["scheme"].to_list()


@pytest.mark.parametrize(
    ("late", "bound", "ratio"),
    [
        ({("drill", 0)}, ">=", 0.5),
        ({("ecmp", 0)}, "<=", 0.5),
        ({("ecmp", 0), ("drill", 1)}, "?", None),
    ],
)
def test_unfinished_flows_leave_one_side_of_a_ratio(
    late: set[tuple[str, int]], bound: str, ratio: float | None
) -> None:
    row = row_of(stats.paired(frame({"ecmp": [2.0, 4.0], "drill": [1.0, 2.0]}, late), "ecmp"), "drill")
    assert row["bound"] == bound
    assert row["ratio"] == (None if ratio is None else pytest.approx(ratio))
    assert row["ratio_low"] is None
    assert row["ratio_high"] is None


def test_a_baseline_of_zero_has_no_ratio() -> None:
    row = row_of(stats.paired(frame({"ecmp": [0.0, 0.0], "drill": [1.0, 2.0]}), "ecmp"), "drill")
    assert row["ratio"] is None
    assert row["difference"] == 1.5


@given(st.lists(st.tuples(st.floats(1, 100), st.floats(1, 100)), min_size=2, max_size=8))
def test_a_ratio_says_the_same_both_ways(pairs: list[tuple[float, float]]) -> None:
    metrics = frame({"ecmp": [one for one, _ in pairs], "drill": [other for _, other in pairs]})
    there = row_of(stats.paired(metrics, "ecmp"), "drill")
    back = row_of(stats.paired(metrics, "drill"), "ecmp")
    logarithms = [math.log(other / one) for one, other in pairs]
    error = statistics.stdev(logarithms) / math.sqrt(len(pairs))
    upper = statistics.fmean(logarithms) + scipy_stats.t.ppf(0.975, len(pairs) - 1) * error
    assert isinstance(there["ratio_high"], float)
    assert isinstance(back["ratio_low"], float)
    assert math.log(there["ratio_high"]) == pytest.approx(upper, abs=1e-9)
    assert math.log(there["ratio_high"]) == pytest.approx(-math.log(back["ratio_low"]), abs=1e-9)


def standings(schemes: dict[str, list[float]]) -> dict[str, str | None]:
    summary = stats.summarize(frame(schemes), "ecmp")
    return dict(zip(summary["scheme"], summary["standing"], strict=True))


def test_the_best_beats_every_other_scheme() -> None:
    found = standings({"ecmp": [4.0, 4.1, 3.9], "drill": [2.0, 2.1, 1.9], "letflow": [3.0, 3.1, 2.9]})
    assert found == {"ecmp": None, "drill": "best", "letflow": None}


def test_schemes_that_can_not_be_told_apart_are_tied() -> None:
    found = standings({"ecmp": [9.0, 9.1, 8.9], "drill": [2.0, 2.4, 2.2], "letflow": [2.3, 2.1, 2.3]})
    assert found == {"ecmp": None, "drill": "tied", "letflow": "tied"}


def test_a_scheme_alone_stands_nowhere() -> None:
    assert standings({"ecmp": [4.0, 4.1, 3.9]}) == {"ecmp": None}


def test_a_workload_without_load_is_compared_too() -> None:
    metrics = frame({"ecmp": [4.0, 4.1], "drill": [2.0, 2.1]}).with_columns(load=pl.lit(None, dtype=pl.Float64))
    row = row_of(stats.summarize(metrics, "ecmp"), "drill")
    assert row["ratio"] == pytest.approx(math.sqrt(2 / 4 * 2.1 / 4.1))
    assert row["standing"] == "best"


def test_seeds_without_a_value_do_not_count() -> None:
    metrics = frame({"ecmp": [4.0, 2.0, 3.0]}).with_columns(value=pl.when(pl.col("seed") > 0).then("value"))
    row = row_of(stats.across_seeds(metrics), "ecmp")
    assert row["seeds"] == 2
    assert row["mean"] == 2.5
