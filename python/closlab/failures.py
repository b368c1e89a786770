"""What failures did to one run: pure functions of its tables.

The definitions are in docs/guide/fabrics.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from closlab import fmt
from closlab.records import Tables

TOLERANCE = 0.05
"""Throughput is back when it stays at most this fraction below its mean before the change."""

NOT_RECOVERED = "not recovered"

_CHANGES = ("down", "up")
_GREYS = ("grey", "healed")
_PS_PER_US = 1e6
_BITS_PER_BYTE = 8.0
_PS_PER_NS = 1e3


def change_table(events: pl.DataFrame) -> pl.DataFrame:
    """What happened, in order of time: one row for each change of the scenario's list and each grey failure.

    Columns: ``time_ps``, ``event`` (``down``, ``up``, ``grey`` or ``healed``), ``names`` (the cables, or the
    directed links of a grey failure), ``change`` (null for a grey failure), ``learned`` (how many switches
    learned), and after what time the ``first_ps``, the ``median_ps`` and the ``last_ps`` of them did.
    """
    learned = (
        events.filter(pl.col("event") == "learned")
        .group_by("change")
        .agg(
            pl.len().alias("learned"),
            pl.col("time_ps").min().alias("first"),
            pl.col("time_ps").median().alias("median"),
            pl.col("time_ps").max().alias("last"),
        )
    )
    is_grey = pl.col("event").is_in(_GREYS)
    happened = (
        events.filter(pl.col("event").is_in(_CHANGES) | is_grey)
        # A grey failure has no number, and its column says 0, like the first change's.
        .with_columns(change=pl.when(~is_grey).then(pl.col("change")))
        .group_by("time_ps", "event", "change", maintain_order=True)
        .agg(pl.col("name").alias("names"))
        .sort("time_ps", maintain_order=True)
    )
    delays = [
        (pl.col(name).cast(pl.Float64) - pl.col("time_ps")).alias(f"{name}_ps")
        for name in ("first", "median", "last")
    ]
    names = [
        ", ".join(each if row["change"] is None else cables(each))
        for row in happened.to_dicts()
        for each in [row["names"]]
    ]
    return (
        happened.with_columns(pl.Series("names", names, dtype=pl.String))
        .join(learned, on="change", how="left", maintain_order="left")
        .select("time_ps", "event", "names", "change", pl.col("learned").fill_null(0), *delays)
    )


def cables(links: Sequence[str]) -> list[str]:
    """The cables of directed links, each once.

    >>> cables(["leaf0->spine1", "spine1->leaf0", "leaf0->spine2#1", "spine2->leaf0#1"])
    ['leaf0-spine1', 'leaf0-spine2#1']
    """
    found: dict[frozenset[str], str] = {}
    for link in links:
        ends, mark, number = link.partition("#")
        found.setdefault(frozenset((*ends.split("->"), mark + number)), link.replace("->", "-"))
    return list(found.values())


def rates(throughput: pl.DataFrame, window_start_ps: int) -> pl.DataFrame:
    """Throughput by interval: ``start_ps``, ``end_ps``, ``gbps`` (payload), ``lost_packets``."""
    start = pl.col("time_ps").shift(1, fill_value=window_start_ps).cast(pl.Int64)
    end = pl.col("time_ps").cast(pl.Int64)
    # Bits in a nanosecond are Gb/s.
    bits = pl.col("delivered_payload_bytes") * _BITS_PER_BYTE
    return throughput.select(
        start.alias("start_ps"),
        end.alias("end_ps"),
        (bits / ((end - start) / _PS_PER_NS)).alias("gbps"),
        pl.col("lost_packets").cast(pl.Int64),
    )


def recoveries(changes: pl.DataFrame, intervals: pl.DataFrame) -> pl.DataFrame:
    """How throughput went on after each instant at which something happened.

    Columns: ``time_ps``; ``before_gbps``, the mean since the instant before it (or since the window's start),
    and ``before_low_gbps``, the lowest interval of them; ``dip_gbps``, the lowest interval until the next
    instant; ``recovered_ps``, the time to the start of the first interval from which on none is more than
    ``TOLERANCE`` below ``before_gbps`` (null: never); ``after_gbps``, the mean from there to the next instant.
    An interval in which something happens counts as after it. Null where there is no interval.
    """
    schema = pl.Schema(
        {"time_ps": pl.Int64}
        | dict.fromkeys(("before_gbps", "before_low_gbps", "dip_gbps", "recovered_ps", "after_gbps"), pl.Float64)
    )
    instants = changes["time_ps"].cast(pl.Int64).unique().sort().to_list()
    rows = []
    for index, at in enumerate(instants):
        earlier = instants[index - 1] if index else -1
        later = instants[index + 1] if index + 1 < len(instants) else None
        before = intervals.filter((pl.col("start_ps") >= earlier) & (pl.col("end_ps") <= at))
        until = pl.lit(value=True) if later is None else pl.col("end_ps") <= later
        after = intervals.filter((pl.col("end_ps") > at) & until)
        rows.append({"time_ps": at, **_recovery(at, before, after)})
    return pl.DataFrame(rows, schema=schema)


def _recovery(at: int, before: pl.DataFrame, after: pl.DataFrame) -> dict[str, Any]:
    mean = before["gbps"].mean()
    found = {"before_gbps": mean, "before_low_gbps": before["gbps"].min(), "dip_gbps": after["gbps"].min()}
    if not isinstance(mean, float):
        return found
    low = (after["gbps"] < mean * (1 - TOLERANCE)).arg_true()
    first = int(low[-1]) + 1 if len(low) else 0
    steady = after[first:]
    if steady.height:
        found["recovered_ps"] = float(max(steady["start_ps"][0] - at, 0))
        found["after_gbps"] = steady["gbps"].mean()
    return found


def losses(links: pl.DataFrame, totals: pl.DataFrame) -> pl.DataFrame:
    """Packets lost because something had failed, by cause: ``cause``, ``packets``, ``bytes`` (on the wire).

    Bytes are recorded for the links together and for packets without a way on; else null.
    """
    row = totals.row(0, named=True)
    causes: list[tuple[str, int, int | None]] = [
        ("refused: the link was down", int(links["refused_packets"].sum()), None),
        ("cut: in the queue or on the wire", int(links["cut_packets"].sum()), None),
        ("vanished: grey failure", int(links["grey_packets"].sum()), None),
        ("all of these", row["lost_packets"], row["lost_bytes"]),
        ("unroutable: no way on", row["unroutable_packets"], row["unroutable_bytes"]),
    ]
    return pl.DataFrame(causes, schema={"cause": pl.String, "packets": pl.Int64, "bytes": pl.Int64}, orient="row")


def text_tables(tables: Tables) -> dict[str, list[dict[str, str]]]:
    """The tables of a run's failures by title, all cells as text; none if nothing failed."""
    changes = change_table(tables["events"])
    if not changes.height:
        return {}
    start = tables["totals"]["window_start_ps"].item()
    recovered = recoveries(changes, rates(tables["throughput"], start))
    found = {
        "Failures, and when the switches learned (us after the change)": [
            _change(row) for row in changes.to_dicts()
        ],
        "Packets lost to failures": [
            {"cause": row["cause"], "packets": f"{row['packets']:,}", "bytes": fmt.count(row["bytes"])}
            for row in losses(tables["links"], tables["totals"]).to_dicts()
        ],
    }
    if tables["throughput"].height:
        found["Throughput (payload, Gb/s) around them"] = [_throughput(row) for row in recovered.to_dicts()]
    return found


def _change(row: Mapping[str, Any]) -> dict[str, str]:
    cells = {"at (ms)": _ms(row), "what": f"{row['event']} {_shortened(row['names'])}"}
    cells["switches"] = fmt.count(row["learned"])
    return cells | {name: _us(row[f"{name}_ps"]) for name in ("first", "median", "last")}


def _throughput(row: Mapping[str, Any]) -> dict[str, str]:
    cells = {"at (ms)": _ms(row), "before": fmt.number(row["before_gbps"])}
    cells["lowest before"] = fmt.number(row["before_low_gbps"])
    cells["dip"] = fmt.number(row["dip_gbps"])
    gone = NOT_RECOVERED if row["before_gbps"] is not None and row["dip_gbps"] is not None else fmt.NOT_AVAILABLE
    known = row["recovered_ps"] is not None
    cells["recovered after (us)"] = _us(row["recovered_ps"]) if known else gone
    return cells | {"after": fmt.number(row["after_gbps"]) if known else fmt.NOT_AVAILABLE}


def _shortened(names: str, most: int = 4) -> str:
    parts = names.split(", ")
    more = len(parts) - most
    return ", ".join(parts[:most]) + (f" and {more} more" if more > 0 else "")


def _ms(row: Mapping[str, Any]) -> str:
    return f"{row['time_ps'] / 1e9:g}"


def _us(time_ps: float | None) -> str:
    return fmt.number(None if time_ps is None else time_ps / _PS_PER_US)
