"""Metrics of one run: pure functions of its tables.

Every function gives rows of ``metric``, ``part``, ``value`` (Float64, null where there is nothing to measure)
and ``at_least`` (true where ``value`` is only a lower bound, because flows had not finished when the run
ended). ``part`` is ``all``, a size class, a tier of links, or ``up``/``down`` for queues. The definitions are
in docs/guide/metrics.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import polars as pl

from closlab.records import Tables

SMALL_BYTES = 100_000
"""Flows of less payload are small (CONGA section 5.2)."""

LARGE_BYTES = 10_000_000
"""Flows of more payload are large (CONGA section 5.2)."""

SIZE_CLASSES = ("small", "medium", "large")

PERCENTILES = {"p50": 5_000, "p95": 9_500, "p99": 9_900, "p99.9": 9_990, "p99.99": 9_999}
"""Name to ten-thousandths."""

STATISTICS = ("mean", *PERCENTILES)

LOST_COLUMNS = ("refused_packets", "cut_packets", "grey_packets")
"""What a link lost because it had failed: refused while down, cut when it went down, vanished while grey."""

SCHEMA = pl.Schema({"metric": pl.String, "part": pl.String, "value": pl.Float64, "at_least": pl.Boolean})

Row = tuple[str, str, float | None, bool]

_PS_PER_US = 1e6
_PS_PER_S = 1e12


def run_metrics(tables: Tables) -> pl.DataFrame:
    """All metrics of one run, in a fixed order."""
    totals = tables["totals"]
    outcomes = flow_outcomes(tables["flows"], tables["unloaded"], totals)
    return pl.concat(
        [
            completion_metrics(outcomes),
            transport_metrics(tables["flows"], totals),
            load_metrics(totals),
            link_metrics(tables["links"], totals),
            queue_metrics(tables["queues"], totals),
        ]
    )


def flow_outcomes(flows: pl.DataFrame, unloaded: pl.DataFrame, totals: pl.DataFrame) -> pl.DataFrame:
    """One row for each measured flow, in order of start.

    Columns: ``flow``, ``size_bytes``, ``size_class``, ``finished``, ``fct_us``, ``slowdown``. A flow that had
    not finished has its age at the end of the run as ``fct_us``, a lower bound.

    Raises:
        ValueError: a measured flow has no unloaded FCT.
    """
    end_ps = totals["end_ps"].item()
    fct_ps = pl.when(pl.col("finished")).then(pl.col("receiver_fct_ps")).otherwise(end_ps - pl.col("start_ps"))
    outcomes = (
        flows.filter(pl.col("measured") == 1)
        .join(unloaded, on="flow", how="left", validate="1:1", maintain_order="left")
        .with_columns(finished=pl.col("receiver_fct_ps") > 0)
        .with_columns(fct_ps=fct_ps)
        .select(
            "flow",
            "size_bytes",
            size_class().alias("size_class"),
            "finished",
            (pl.col("fct_ps") / _PS_PER_US).alias("fct_us"),
            (pl.col("fct_ps") / pl.col("unloaded_fct_ps")).alias("slowdown"),
        )
    )
    if outcomes["slowdown"].null_count() or outcomes["slowdown"].is_infinite().any():
        raise ValueError("a measured flow has no unloaded flow completion time")
    return outcomes


def size_class() -> pl.Expr:
    """``size_bytes`` as ``small``, ``medium`` or ``large``."""
    return (
        pl.when(pl.col("size_bytes") < SMALL_BYTES)
        .then(pl.lit("small"))
        .when(pl.col("size_bytes") > LARGE_BYTES)
        .then(pl.lit("large"))
        .otherwise(pl.lit("medium"))
    )


def completion_metrics(outcomes: pl.DataFrame) -> pl.DataFrame:
    """Counts of flows, and the statistics of ``slowdown`` and ``fct_us``, of all flows and by size class."""
    rows: list[Row] = []
    for part in ("all", *SIZE_CLASSES):
        chosen = outcomes if part == "all" else outcomes.filter(pl.col("size_class") == part)
        unfinished = chosen.height - int(chosen["finished"].sum())
        rows.append(("flows", part, float(chosen.height), False))
        rows.append(("unfinished", part, float(unfinished), False))
        for quantity in ("slowdown", "fct_us"):
            statistics = summarize(chosen[quantity], chosen["finished"])
            rows.extend((f"{quantity}_{name}", part, *value) for name, value in statistics.items())
    return _frame(rows)


def summarize(values: pl.Series, finished: pl.Series) -> dict[str, tuple[float | None, bool]]:
    """Mean and percentiles of ``values``; each with whether it is only a lower bound.

    ``values`` are lower bounds where ``finished`` is false. Percentiles are nearest-rank: the smallest value
    that at least that fraction of all values does not exceed. One is exact if enough *finished* values do not
    exceed it, since an unfinished one can only grow.
    """
    count = len(values)
    if count == 0:
        return dict.fromkeys(STATISTICS, (None, False))
    ordered = pl.DataFrame({"value": values, "late": ~finished}).sort("value", "late")
    late_so_far = ordered["late"].cum_sum()
    statistics = {"mean": (_number(values.mean()), not finished.all())}
    for name, ten_thousandths in PERCENTILES.items():
        rank = -(-count * ten_thousandths // 10_000)
        statistics[name] = (_number(ordered["value"][rank - 1]), late_so_far[rank - 1] > 0)
    return statistics


def transport_metrics(flows: pl.DataFrame, totals: pl.DataFrame) -> pl.DataFrame:
    """What the end points of the measured flows saw, and their goodput (Gb/s)."""
    end_ps = totals["end_ps"].item()
    measured = flows.filter(pl.col("measured") == 1)
    counts = {
        "segments": "segments_sent",
        "retransmissions": "retransmitted_segments",
        "timeouts": "timeouts",
        "fast_recoveries": "fast_recoveries",
        "dup_acks": "dup_acks",
        "reordered": "reordered_segments",
        "duplicates": "duplicate_segments",
        "ecn_reductions": "ecn_reductions",
        "held": "held_segments",
        "shim_timeouts": "shim_timeouts",
    }
    sums = {name: float(measured[column].sum()) for name, column in counts.items()}
    rows: list[Row] = [(name, "all", value, False) for name, value in sums.items()]
    rows += [
        (f"{share}_share", "all", _ratio(sums[share], sums["segments"]), False)
        for share in ("retransmissions", "reordered")
    ]
    duration_ps = (
        pl.when(pl.col("receiver_fct_ps") > 0)
        .then(pl.col("receiver_fct_ps"))
        .otherwise(end_ps - pl.col("start_ps"))
    )
    goodputs = measured.select((pl.col("delivered_bytes") * 8.0 / duration_ps * _PS_PER_S / 1e9).alias("goodput"))[
        "goodput"
    ]
    rows.append(("flow_goodput_gbps", "all", _number(goodputs.mean()), False))
    return _frame(rows)


def load_metrics(totals: pl.DataFrame) -> pl.DataFrame:
    """The load that arrived in the window, against the capacity of the uplinks and of the hosts."""
    row = totals.row(0, named=True)
    window_s = (row["window_end_ps"] - row["window_start_ps"]) / _PS_PER_S
    uplinks = _ratio(row["offered_fabric_bytes"] * 8.0, window_s * row["uplink_capacity_bps"])
    hosts = _ratio(row["offered_bytes"] * 8.0, window_s * row["host_capacity_bps"])
    return _frame(
        [
            ("offered_load_uplinks", "all", uplinks, False),
            ("offered_load_hosts", "all", hosts, False),
        ]
    )


def link_metrics(links: pl.DataFrame, totals: pl.DataFrame) -> pl.DataFrame:
    """Utilisation in the window, and drops, losses, marks and waits of the whole run, by tier."""
    row = totals.row(0, named=True)
    utilisation = pl.col("window_busy_ps") / (row["window_end_ps"] - row["window_start_ps"])
    tiers = links.group_by("tier", maintain_order=True).agg(
        utilisation.mean().alias("utilisation_mean"),
        utilisation.max().alias("utilisation_max"),
        pl.col("dropped_packets").sum().cast(pl.Float64).alias("drops"),
        (pl.col("dropped_packets").sum() / (pl.col("packets") + pl.col("dropped_packets")).sum()).alias(
            "drops_share"
        ),
        pl.sum_horizontal(LOST_COLUMNS).sum().cast(pl.Float64).alias("lost"),
        pl.col("marked_packets").sum().cast(pl.Float64).alias("marks"),
        (pl.col("wait_ps").sum() / pl.col("packets").sum() / _PS_PER_US).alias("wait_us_mean"),
        (pl.col("max_wait_ps").max() / _PS_PER_US).alias("wait_us_max"),
    )
    rows = [
        (metric, tier["tier"], _number(value), False)
        for tier in tiers.iter_rows(named=True)
        for metric, value in tier.items()
        if metric != "tier"
    ]
    rows.append(("drops", "all", float(links["dropped_packets"].sum()), False))
    rows.append(("lost", "all", float(sum(links[column].sum() for column in LOST_COLUMNS)), False))
    rows.append(("unroutable", "all", float(row["unroutable_packets"]), False))
    return _frame(rows)


def queue_metrics(queues: pl.DataFrame, totals: pl.DataFrame) -> pl.DataFrame:
    """The mean, over the samples in the window, of the standard deviation of parallel queues (packets).

    ``up`` are a leaf's uplinks, ``down`` the spines' queues towards a leaf (DRILL section 3.2.3). No rows if
    nothing was sampled.
    """
    row = totals.row(0, named=True)
    mean = pl.col("packets") / pl.col("queues")
    variance = pl.col("packets_squared") / pl.col("queues") - mean**2
    samples = queues.filter(
        (pl.col("time_ps") >= row["window_start_ps"]) & (pl.col("time_ps") < row["window_end_ps"])
    ).select("up", stdv=variance.clip(lower_bound=0).sqrt())
    rows: list[Row] = []
    for part, up in (("up", 1), ("down", 0)):
        chosen = samples.filter(pl.col("up") == up)["stdv"]
        if len(chosen):
            rows.append(("queue_stdv_packets", part, _number(chosen.mean()), False))
    return _frame(rows)


def _frame(rows: Iterable[Row]) -> pl.DataFrame:
    return pl.DataFrame(list(rows), schema=SCHEMA, orient="row")


def _ratio(above: float, below: float) -> float | None:
    return above / below if below else None


def _number(value: object) -> float | None:
    """``value`` as a float; ``None`` if there is none (also for 0/0 of an unused tier)."""
    if not isinstance(value, int | float) or math.isnan(value):
        return None
    return float(value)
