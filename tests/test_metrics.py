"""Metrics against values computed by hand."""

from __future__ import annotations

import math

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from closlab import metrics
from conftest import make_flows, make_totals, make_unloaded


def values(frame: pl.DataFrame) -> dict[tuple[str, str], float | None]:
    return {(row["metric"], row["part"]): row["value"] for row in frame.to_dicts()}


def bounds(frame: pl.DataFrame) -> set[tuple[str, str]]:
    return {(row["metric"], row["part"]) for row in frame.filter("at_least").to_dicts()}


def summarize(numbers: list[float], finished: list[bool]) -> dict[str, tuple[float | None, bool]]:
    return metrics.summarize(pl.Series(numbers, dtype=pl.Float64), pl.Series(finished, dtype=pl.Boolean))


def test_percentiles_are_nearest_rank() -> None:
    statistics = summarize([float(n) for n in range(1, 101)], [True] * 100)
    assert statistics == {
        "mean": (50.5, False),
        "p50": (50.0, False),
        "p95": (95.0, False),
        "p99": (99.0, False),
        "p99.9": (100.0, False),
        "p99.99": (100.0, False),
    }


def test_percentile_ranks_are_exact_where_floats_are_not() -> None:
    # 0.9999 * 10_000 and the like must not round up to the next rank.
    statistics = summarize([float(n) for n in range(1, 10_001)], [True] * 10_000)
    assert [statistics[name][0] for name in metrics.PERCENTILES] == [5000, 9500, 9900, 9990, 9999]


def test_nothing_measured_gives_nothing() -> None:
    assert set(summarize([], []).values()) == {(None, False)}


def test_an_unfinished_flow_marks_what_it_touches() -> None:
    # Of 1, 2, 3 (unfinished), 4: p50 is 2 whatever the third becomes; the mean and p95 may grow.
    statistics = summarize([1.0, 2.0, 3.0, 4.0], [True, True, False, True])
    assert statistics["p50"] == (2.0, False)
    assert statistics["p95"] == (4.0, True)
    assert statistics["mean"] == (2.5, True)


def test_a_tie_with_an_unfinished_flow_is_decided_by_the_finished() -> None:
    statistics = summarize([2.0, 2.0], [False, True])
    assert statistics["p50"] == (2.0, False)
    assert statistics["p99"] == (2.0, True)


@given(st.lists(st.tuples(st.floats(1, 1e6), st.booleans(), st.floats(0, 1e6)), min_size=1, max_size=60))
def test_truth_is_never_below_a_bound_and_equals_an_exact_value(
    flows: list[tuple[float, bool, float]],
) -> None:
    known = summarize([value for value, _, _ in flows], [finished for _, finished, _ in flows])
    grown = [value if finished else value + more for value, finished, more in flows]
    truth = summarize(grown, [True] * len(flows))
    for name, (value, at_least) in known.items():
        true_value = truth[name][0]
        assert value is not None
        assert true_value is not None
        if at_least:
            assert true_value >= value or math.isclose(true_value, value)
        else:
            assert math.isclose(true_value, value)


def outcomes() -> pl.DataFrame:
    flows = make_flows(
        [
            {"size_bytes": 99_999, "receiver_fct_ps": 200_000_000},
            {"size_bytes": 100_000, "receiver_fct_ps": 400_000_000},
            {"size_bytes": 10_000_000, "receiver_fct_ps": 50_000_000, "measured": 0},
            {"size_bytes": 10_000_001, "start_ps": 100_000_000},
        ]
    )
    unloaded = make_unloaded([100_000_000, 100_000_000, 50_000_000, 300_000_000])
    return metrics.flow_outcomes(flows, unloaded, make_totals())


def test_outcomes_are_of_measured_flows_with_ages_for_the_unfinished() -> None:
    table = outcomes()
    assert table["flow"].to_list() == [0, 1, 3]
    assert table["size_class"].to_list() == ["small", "medium", "large"]
    assert table["finished"].to_list() == [True, True, False]
    assert table["fct_us"].to_list() == [200.0, 400.0, 900.0]
    assert table["slowdown"].to_list() == [2.0, 4.0, 3.0]


def test_completion_metrics_count_the_unfinished_and_mark_the_bounds() -> None:
    frame = metrics.completion_metrics(outcomes())
    found = values(frame)
    assert found["flows", "all"] == 3
    assert found["unfinished", "all"] == 1
    assert found["unfinished", "large"] == 1
    assert found["slowdown_mean", "all"] == 3
    assert found["slowdown_p50", "all"] == 3
    assert found["fct_us_mean", "small"] == 200
    marked = bounds(frame)
    assert ("slowdown_mean", "all") in marked
    assert ("slowdown_p50", "large") in marked
    assert ("slowdown_mean", "small") not in marked


def test_a_measured_flow_without_unloaded_time_is_refused() -> None:
    flows = make_flows([{"receiver_fct_ps": 1}, {"receiver_fct_ps": 1}])
    with pytest.raises(ValueError, match="unloaded"):
        metrics.flow_outcomes(flows, make_unloaded([5]), make_totals())


def test_slowdown_is_not_clamped() -> None:
    flows = make_flows([{"receiver_fct_ps": 50}])
    table = metrics.flow_outcomes(flows, make_unloaded([100]), make_totals())
    assert table["slowdown"].to_list() == [0.5]


def test_transport_metrics_are_sums_over_measured_flows() -> None:
    flows = make_flows(
        [
            {
                "segments_sent": 10,
                "retransmitted_segments": 1,
                "timeouts": 2,
                "reordered_segments": 4,
                "receiver_fct_ps": 1_000_000,
            },
            {"segments_sent": 10, "retransmitted_segments": 4, "dup_acks": 7, "delivered_bytes": 500_000},
            {"segments_sent": 99, "retransmitted_segments": 99, "measured": 0},
        ]
    )
    found = values(metrics.transport_metrics(flows, make_totals()))
    assert found["segments", "all"] == 20
    assert found["retransmissions", "all"] == 5
    assert found["retransmissions_share", "all"] == 0.25
    assert found["reordered_share", "all"] == 0.2
    assert found["timeouts", "all"] == 2
    assert found["dup_acks", "all"] == 7
    # 1000 B in 1 us are 8 Gb/s; 500,000 B in the 1 ms that the other lived are 4 Gb/s.
    assert found["flow_goodput_gbps", "all"] == pytest.approx(6.0)


def test_offered_load_is_what_arrived_over_capacity() -> None:
    totals = make_totals(offered_fabric_bytes=500_000, offered_bytes=1_000_000)
    found = values(metrics.load_metrics(totals))
    # 4 Mbit in 0.5 ms are 8 Gb/s of 10; 8 Mbit are 16 Gb/s of 40.
    assert found["offered_load_uplinks", "all"] == pytest.approx(0.8)
    assert found["offered_load_hosts", "all"] == pytest.approx(0.4)


def make_links() -> pl.DataFrame:
    return pl.DataFrame(
        {
            "tier": ["leaf->spine", "leaf->spine", "spine->leaf"],
            "rate_bps": [10_000_000_000] * 3,
            "packets": [9, 30, 0],
            "window_busy_ps": [500_000_000, 250_000_000, 0],
            "dropped_packets": [1, 0, 0],
            "marked_packets": [2, 3, 0],
            "wait_ps": [39_000_000, 0, 0],
            "max_wait_ps": [5_000_000, 0, 0],
            "refused_packets": [1, 0, 0],
            "cut_packets": [2, 3, 0],
            "grey_packets": [0, 4, 5],
        }
    )


def test_link_metrics_by_tier() -> None:
    found = values(metrics.link_metrics(make_links(), make_totals()))
    # All and half of the window's 0.5 ms.
    assert found["utilisation_mean", "leaf->spine"] == pytest.approx(0.75)
    assert found["utilisation_max", "leaf->spine"] == pytest.approx(1.0)
    assert found["drops", "leaf->spine"] == 1
    assert found["drops_share", "leaf->spine"] == pytest.approx(1 / 40)
    assert found["marks", "leaf->spine"] == 5
    assert found["wait_us_mean", "leaf->spine"] == pytest.approx(1.0)
    assert found["wait_us_max", "leaf->spine"] == pytest.approx(5.0)
    assert found["drops", "all"] == 1


def test_lost_packets_by_tier_are_those_refused_cut_and_vanished() -> None:
    found = values(metrics.link_metrics(make_links(), make_totals(unroutable_packets=6)))
    assert found["lost", "leaf->spine"] == 10
    assert found["lost", "spine->leaf"] == 5
    assert found["lost", "all"] == 15
    assert found["unroutable", "all"] == 6


def test_an_unused_tier_has_no_mean_wait() -> None:
    found = values(metrics.link_metrics(make_links(), make_totals()))
    assert found["wait_us_mean", "spine->leaf"] is None
    assert found["drops_share", "spine->leaf"] is None


def test_queue_deviation_is_averaged_over_samples_in_the_window() -> None:
    # Queues (0, 2): deviation 1. Queues (0, 6): deviation 3. The sample at the window's end does not count.
    queues = pl.DataFrame(
        {
            "time_ps": [0, 1, 500_000_000, 2],
            "leaf": [0, 0, 0, 0],
            "up": [1, 1, 1, 0],
            "queues": [2, 2, 2, 2],
            "packets": [2, 6, 100, 4],
            "packets_squared": [4, 36, 10_000, 8],
        }
    )
    found = values(metrics.queue_metrics(queues, make_totals()))
    assert found == {
        ("queue_stdv_packets", "up"): pytest.approx(2.0),
        ("queue_stdv_packets", "down"): 0.0,
    }
    assert metrics.queue_metrics(queues.clear(), make_totals()).height == 0
