"""Figures of a comparison. Equal data give equal bytes; no global state of Matplotlib is used."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any, Literal

import matplotlib as mpl
import polars as pl
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's colours, told apart by colour-blind readers."""

MARKERS = "osD^vPX*"

LOWER_BOUND = ">="
"""Stands above a point that is only a lower bound."""

Line = Literal["-", "--", "-.", ":"]
LINES: tuple[Line, ...] = ("-", "--", "-.", ":")

# Matplotlib's own type is a literal of all its settings' names.
STYLE: Any = {
    "svg.hashsalt": "closlab",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "font.size": 10,
    "axes.titlesize": 11,
    "legend.frameon": False,
    "lines.markersize": 6,
}


def comparison_figures(summary: pl.DataFrame, outcomes: pl.DataFrame) -> dict[str, Figure]:
    """The figures by name: slowdown against load, and the slowdowns' distribution at each load."""
    with mpl.rc_context(STYLE):
        figures = {"slowdown-cdf": slowdown_cdf(outcomes)}
        if summary["load"].null_count() == 0:
            figures = {"slowdown-against-load": slowdown_against_load(summary), **figures}
    return figures


def slowdown_against_load(summary: pl.DataFrame) -> Figure:
    """Mean and 99th percentile of the slowdown against the load, with 95 % intervals over seeds."""
    figure = Figure(figsize=(9.6, 4.0), layout="constrained")
    for index, (metric, title) in enumerate((("slowdown_mean", "mean"), ("slowdown_p99", "99th percentile"))):
        axes = figure.add_subplot(1, 2, index + 1)
        rows = summary.filter((pl.col("metric") == metric) & (pl.col("part") == "all"))
        _draw_against_load(axes, rows)
        note = f" ({LOWER_BOUND}: flows unfinished)" if rows["at_least"].any() else ""
        axes.set(title=f"FCT slowdown, {title}{note}", xlabel="offered load (fraction of capacity)")
        axes.set_ylabel("slowdown (FCT / FCT in the empty fabric)")
        _log_axis(axes, "y")
        axes.set_xticks(sorted(rows["load"].unique()))
        axes.margins(x=0.08)
    _legend(figure)
    return figure


def _draw_against_load(axes: Axes, rows: pl.DataFrame) -> None:
    """One line a scheme, shifted a little so that the intervals don't hide each other."""
    schemes = rows["scheme"].unique(maintain_order=True).to_list()
    loads = rows["load"].unique()
    span = (float(max(loads)) - float(min(loads))) or 0.1
    for index, scheme in enumerate(schemes):
        mine = rows.filter((pl.col("scheme") == scheme) & pl.col("mean").is_not_null()).sort("load")
        shift = (index - (len(schemes) - 1) / 2) * span * 0.012
        style = _style(index)
        x, y = [load + shift for load in mine["load"]], mine["mean"].to_list()
        axes.errorbar(
            x,
            y,
            yerr=_bars(mine),
            capsize=2.5,
            label=scheme,
            linewidth=1.4,
            color=style.color,
            marker=style.marker,
            linestyle=style.line,
        )
        for at, late in enumerate(mine["at_least"]):
            if late:
                _mark_bound(axes, x[at], y[at], style.color)


def _mark_bound(axes: Axes, x: float, y: float, color: str) -> None:
    """Marks a point that is only a lower bound."""
    place: Any = {"xytext": (0, 7), "textcoords": "offset points", "ha": "center"}
    axes.annotate(LOWER_BOUND, (x, y), color=color, fontweight="bold", **place)


def _bars(rows: pl.DataFrame) -> list[list[float]]:
    """Lengths of the error bars; the lower one is cut where a log axis could not show it."""
    widths = rows["ci95"].fill_null(0.0).to_list()
    means = rows["mean"].to_list()
    lower = [min(width, mean * 0.95) for width, mean in zip(widths, means, strict=True)]
    return [lower, widths]


def slowdown_cdf(outcomes: pl.DataFrame) -> Figure:
    """The slowdowns' distribution, all seeds together, one panel a load.

    An unfinished flow counts in the whole but never as reached: its curve ends below 1.
    """
    loads = outcomes["load"].unique().sort().to_list()
    figure = Figure(figsize=(max(3.4 * len(loads), 4.8), 3.8), layout="constrained")
    first: Axes | None = None
    for index, load in enumerate(loads):
        axes = figure.add_subplot(1, len(loads), index + 1, sharey=first)
        first = first or axes
        here = outcomes.filter(pl.col("load").eq_missing(load))
        _draw_cdf(axes, here)
        axes.set(xlabel="slowdown", title="all flows" if load is None else f"load {load:g}")
        axes.set_ylim(0, 1.005)
        _log_axis(axes, "x")
    if first is not None:
        first.set_ylabel("fraction of flows")
    _legend(figure)
    return figure


def _draw_cdf(axes: Axes, outcomes: pl.DataFrame) -> None:
    for index, scheme in enumerate(outcomes["scheme"].unique(maintain_order=True)):
        flows = outcomes.filter(pl.col("scheme") == scheme)
        reached = flows.filter("finished")["slowdown"].sort().to_list()
        heights = [(rank + 1) / flows.height for rank in range(len(reached))]
        style = _style(index)
        axes.step(
            reached,
            heights,
            where="post",
            label=scheme,
            linewidth=1.4,
            color=style.color,
            linestyle=style.line,
        )


@dataclass(frozen=True)
class _Style:
    color: str
    marker: str
    line: Line


def _style(index: int) -> _Style:
    """The look of the scheme that is listed at ``index``, the same in all figures."""
    return _Style(PALETTE[index % len(PALETTE)], MARKERS[index % len(MARKERS)], LINES[index % len(LINES)])


def _log_axis(axes: Axes, which: Literal["x", "y"]) -> None:
    """A logarithmic axis with plain numbers: 1, 2, 5, 10, ... or, over more than two decades, 1, 10, 100, ..."""
    axes.set(**{f"{which}scale": "log"})
    axis: Axis = axes.xaxis if which == "x" else axes.yaxis
    low, high = axes.get_xlim() if which == "x" else axes.get_ylim()
    subs = (1.0, 2.0, 5.0) if high < 100 * low else (1.0,)
    axis.set_major_locator(LogLocator(base=10, subs=subs))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(NullFormatter())


def _legend(figure: Figure) -> None:
    """One legend for all panels, to the right of them."""
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right center")


def image_bytes(figure: Figure, suffix: str) -> bytes:
    """``figure`` as ``png`` or ``svg``; the same bytes for the same figure."""
    buffer = io.BytesIO()
    FigureCanvasAgg(figure)
    metadata: dict[str, Any] = {"Date": None} if suffix == "svg" else {"Software": None}
    with mpl.rc_context(STYLE):
        figure.savefig(buffer, format=suffix, dpi=160, metadata=metadata)
    return buffer.getvalue()
