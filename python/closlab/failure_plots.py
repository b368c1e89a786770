"""The figure of a run's failures: throughput dips, switches learn, packets are lost."""

from __future__ import annotations

import matplotlib as mpl
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from closlab import failures
from closlab.plots import PALETTE, STYLE
from closlab.records import Tables

_BLUE, _VERMILION, _GREEN = PALETTE[:3]
_LEARNING = "#E69F00"
_PS_PER_MS = 1e9
_MOST_LABELS = 8


def figures(tables: Tables) -> dict[str, Figure]:
    """The figure ``failure``, if something happened to the fabric and throughput was sampled."""
    if not tables["events"].height or not tables["throughput"].height:
        return {}
    changes = failures.change_table(tables["events"])
    intervals = failures.rates(tables["throughput"], tables["totals"]["window_start_ps"].item())
    with mpl.rc_context(STYLE):
        return {"failure": failure(changes, intervals)}


def failure(changes: pl.DataFrame, intervals: pl.DataFrame) -> Figure:
    """Throughput over time, with the instants of failure and the switches' learning; below it packets lost."""
    figure = Figure(figsize=(9.6, 5.2), layout="constrained")
    grid = figure.add_gridspec(2, 1, height_ratios=(3, 1.4))
    top = figure.add_subplot(grid[0])
    bottom = figure.add_subplot(grid[1], sharex=top)
    edges = [intervals["start_ps"][0] / _PS_PER_MS, *(intervals["end_ps"] / _PS_PER_MS)]
    top.stairs(intervals["gbps"].to_list(), edges, color=_BLUE, linewidth=1.3, label="throughput", baseline=None)
    bottom.stairs(intervals["lost_packets"].to_list(), edges, color=_VERMILION, fill=True)
    for axes in (top, bottom):
        _mark(axes, changes)
    _name(top, changes)
    top.set_ylim(bottom=0)
    top.set_ylabel("delivered payload (Gb/s)")
    top.tick_params(labelbottom=False)
    bottom.set_ylim(0, max(1, *intervals["lost_packets"]) * 1.08)
    bottom.set(xlabel="time (ms)", ylabel="packets lost\nper interval")
    bottom.yaxis.set_major_locator(MaxNLocator(4, integer=True))
    top.set_xlim(edges[0], edges[-1])
    handles, labels = top.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=4)
    return figure


def _mark(axes: Axes, changes: pl.DataFrame) -> None:
    """A line at each change, and a band from the first to the last switch's learning of it."""
    named: set[str] = set()
    for row in changes.iter_rows(named=True):
        at = row["time_ps"] / _PS_PER_MS
        works = row["event"] in {"up", "healed"}
        label = "works again" if works else "fails"
        axes.axvline(
            at,
            color=_GREEN if works else _VERMILION,
            linestyle="--" if works else "-",
            linewidth=1.4,
            label=None if label in named else label,
        )
        named.add(label)
        if row["learned"]:
            band = "switches learn, first to last"
            axes.axvspan(
                at + row["first_ps"] / _PS_PER_MS,
                at + row["last_ps"] / _PS_PER_MS,
                facecolor=_LEARNING,
                edgecolor=_LEARNING,
                alpha=0.35,
                linewidth=1.0,
                zorder=0.5,
                label=None if band in named else band,
            )
            named.add(band)


def _name(axes: Axes, changes: pl.DataFrame) -> None:
    """What failed, written beside the lines unless there are too many."""
    if changes.height > _MOST_LABELS:
        return
    for row in changes.iter_rows(named=True):
        parts = row["names"].split(", ")
        more = f" +{len(parts) - 1}" if len(parts) > 1 else ""
        axes.annotate(
            f"{parts[0]}{more} {row['event']}",
            (row["time_ps"] / _PS_PER_MS, 0.03),
            xycoords=("data", "axes fraction"),
            xytext=(-3, 0),
            textcoords="offset points",
            rotation=90,
            ha="right",
            va="bottom",
            fontsize=8,
        )
