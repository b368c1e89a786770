"""The report of a comparison: one self-contained HTML page, its first sentence the answer."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

import jinja2
import polars as pl
from matplotlib.figure import Figure

from closlab import _core, fmt, plots
from closlab.metrics import SIZE_CLASSES, STATISTICS
from closlab.plan import Plan

Row = Mapping[str, Any]

HEADLINE = "slowdown_mean"
"""The metric that decides who finishes flows soonest."""

STAT_COLUMNS = tuple((f"slowdown_{name}", name) for name in STATISTICS)


MEAN_FCT = "fct_us_mean"
"""The metric of the papers' bar charts: dominated by large flows, as slowdown is by small ones."""


def metric_rows(summary: pl.DataFrame, metric: str, load: float | None) -> list[dict[str, Any]]:
    """The summary's rows of ``metric`` over all sizes at ``load``, in the order of the schemes."""
    chosen = (pl.col("metric") == metric) & (pl.col("part") == "all")
    return summary.filter(chosen & pl.col("load").eq_missing(load)).to_dicts()


def answer(summary: pl.DataFrame, plan: Plan) -> str:
    """Which scheme finishes flows soonest at the highest load, in one sentence; honest where that is open."""
    load = max((load for load in plan.loads if load is not None), default=None)
    rows = [row for row in metric_rows(summary, HEADLINE, load) if row["mean"] is not None]
    where = "In this comparison" if load is None else f"At load {load:g}"
    if not rows:
        return f"{where}, no flow was measured: widen measure.window."
    first, *others = sorted(rows, key=lambda row: row["mean"])
    if not others:
        alone = f"{first['scheme']} has mean slowdown {fmt.mean(first)}"
        return f"{where}, {alone}; there is nothing to compare it with."
    remark = _mean_fct_remark(metric_rows(summary, MEAN_FCT, load), first["scheme"])
    return f"{where}, {_verdict(first, others, plan.baseline)}.{remark}"


def _mean_fct_remark(rows: Sequence[Row], scheme: str) -> str:
    """A second sentence where another scheme than ``scheme`` has the lowest mean completion time."""
    lowest = min(rows, key=lambda row: row["mean"])
    if lowest["scheme"] == scheme or any(row["at_least"] for row in rows):
        return ""
    own = next(row for row in rows if row["scheme"] == scheme)
    return (
        f" The mean FCT, which large flows dominate, is lowest under {lowest['scheme']}: {fmt.mean(lowest)} us "
        f"against {fmt.mean(own)} us under {scheme}."
    )


def _verdict(first: Row, others: Sequence[Row], baseline: str) -> str:
    against = next((row for row in others if row["scheme"] == baseline), others[0])
    numbers = f"mean slowdown {fmt.mean(first)} against {fmt.mean(against)} for {against['scheme']}"
    if first["bound"] is not None:
        numbers += f" (ratio {fmt.ratio(first)})"
    if first["standing"] == "best":
        return f"{first['scheme']} finishes flows soonest: {numbers}"
    if any(row["at_least"] for row in (first, *others)):
        return (
            f"{first['scheme']} has the lowest known figure, {numbers}, but flows that had not finished leave "
            "the order open: raise measure.limit"
        )
    if first["ci95"] is None:
        return f"{first['scheme']} has the lowest {numbers}, but one seed gives no interval: ask for more seeds"
    tied = [row["scheme"] for row in (first, *others) if row["standing"] == "tied"]
    names = f"{', '.join(tied[:-1])} and {tied[-1]}"
    return (
        f"no single scheme is shown to finish flows soonest: {names} can't be told apart (their paired 95 % "
        f"intervals include equality); the lowest is {first['scheme']}, {numbers}"
    )


def completion_table(summary: pl.DataFrame, part: str = "all") -> list[dict[str, str]]:
    """The table of slowdowns: a row for each load and scheme, all cells as text."""
    wanted = summary.filter(pl.col("part") == part)
    cells = {(row["load"], row["scheme"], row["metric"]): row for row in wanted.to_dicts()}
    keys = wanted.select("load", "scheme").unique(maintain_order=True).sort("load", maintain_order=True)
    table = []
    for load, scheme in keys.iter_rows():
        head = cells[load, scheme, HEADLINE]
        row = {"load": _load(load), "scheme": scheme}
        row |= {title: fmt.mean(cells[load, scheme, metric]) for metric, title in STAT_COLUMNS}
        row["ratio"] = fmt.ratio(head)
        row["standing"] = head["standing"] or ""
        row["mean FCT (us)"] = fmt.mean(cells[load, scheme, MEAN_FCT])
        row["FCT ratio"] = fmt.ratio(cells[load, scheme, MEAN_FCT])
        row["flows"] = fmt.count(cells[load, scheme, "flows"]["mean"])
        row["unfinished"] = fmt.count(cells[load, scheme, "unfinished"]["mean"])
        table.append(row)
    return table


def trouble_table(summary: pl.DataFrame) -> list[dict[str, str]]:
    """Drops, losses, retransmissions, reordering: a row for each load and scheme; means over the seeds.

    Packets lost to failures have columns only if there are any.
    """
    cells = {(row["load"], row["scheme"], row["metric"], row["part"]): row["mean"] for row in summary.to_dicts()}
    tiers = summary.filter(pl.col("metric") == "drops_share")["part"].unique(maintain_order=True)
    losses = [metric for metric in ("lost", "unroutable") if _any(summary, metric)]
    keys = summary.select("load", "scheme").unique(maintain_order=True)
    table = []
    for load, scheme in keys.sort("load", maintain_order=True).iter_rows():
        at = (load, scheme)
        row = {"load": _load(load), "scheme": scheme}
        row |= {f"drops {tier}": fmt.count(cells.get((*at, "drops", tier))) for tier in tiers}
        row |= {metric: fmt.count(cells.get((*at, metric, "all"))) for metric in losses}
        for metric in ("retransmissions_share", "reordered_share"):
            row[metric.removesuffix("_share")] = fmt.percent(cells.get((*at, metric, "all")))
        for metric in ("timeouts", "dup_acks"):
            row[metric.replace("_", " ")] = fmt.count(cells.get((*at, metric, "all")))
        for tier in (tier for tier in tiers if "host" not in tier):
            row[f"utilisation {tier}"] = fmt.percent(cells.get((*at, "utilisation_mean", tier)))
        table.append(row)
    return table


def _any(summary: pl.DataFrame, metric: str) -> bool:
    """Whether a metric is above 0 anywhere."""
    return bool((summary.filter((pl.col("metric") == metric) & (pl.col("part") == "all"))["mean"] > 0).any())


def load_table(summary: pl.DataFrame) -> list[dict[str, str]]:
    """The load asked for and the load that arrived, of uplinks and of hosts; means over the seeds."""
    rows = summary.filter(
        pl.col("metric").is_in(["offered_load_uplinks", "offered_load_hosts"])
        & (pl.col("scheme") == summary["scheme"].first())
    )
    loads: dict[float | None, dict[str, str]] = {}
    for row in rows.sort("load", maintain_order=True).to_dicts():
        cells = loads.setdefault(row["load"], {"asked": _load(row["load"])})
        cells[row["metric"].removeprefix("offered_load_")] = fmt.mean(row)
    return list(loads.values())


def _load(load: float | None) -> str:
    return "-" if load is None else f"{load:g}"


def html(plan: Plan, summary: pl.DataFrame, figures: Mapping[str, Figure], version: str) -> str:
    """The page. It refers to nothing outside itself."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("closlab", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    scenario = plan.runs[0].scenario
    images = [
        (name.replace("-", " "), _data_uri(plots.image_bytes(figure, "png"))) for name, figure in figures.items()
    ]
    return environment.get_template("report.html.j2").render(
        answer=answer(summary, plan),
        completion=completion_table(summary),
        classes={part: completion_table(summary, part) for part in SIZE_CLASSES},
        trouble=trouble_table(summary),
        loads=load_table(summary),
        images=images,
        fabric=describe(_core.describe_fabric(scenario.json)),
        plan=plan,
        comparison_toml=plan.toml,
        version=version,
    )


def describe(fabric: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The core's description of a fabric as names and texts, rates in Gb/s and times in us.

    >>> describe({"hosts": 32, "oversubscription": "2:1", "uplink_capacity_bps": 160_000_000_000})
    [('hosts', '32'), ('oversubscription', '2:1'), ('uplink capacity', '160 Gb/s')]
    """
    return [_described(name, value) for name, value in fabric.items()]


def _described(name: str, value: Any) -> tuple[str, str]:  # noqa: ANN401
    for unit, scale, text in (("bps", 1e9, "Gb/s"), ("ps", 1e6, "us")):
        if name.endswith(f"_{unit}"):
            title = name.removesuffix(f"_{unit}").replace("_", " ")
            return title, _text(value) if value is None else f"{value / scale:,g} {text}"
    return name.replace("_", " "), _text(value)


def _text(value: Any) -> str:  # noqa: ANN401
    """A count, a text, or several of them, perhaps with names."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {text}" for name, text in describe(value))
    if isinstance(value, Sequence):
        return "; ".join(map(_text, value)) or "none"
    return fmt.count(value)


def _data_uri(image: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(image).decode()}"
