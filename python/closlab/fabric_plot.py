"""A drawing of a fabric: a row for each tier, pods side by side, failed and slower cables marked.

Readable up to some hundred switches; beyond that the names go first, then the counts of hosts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from closlab import _core
from closlab.plots import STYLE

Graph: TypeAlias = "_core.FabricGraph"
Point = tuple[float, float]

ROLES = ("leaf", "aggregation", "spine", "core")
"""Tiers from below."""

_USUAL = "#8a8f98"
_FAILED = "#D55E00"
_SLOWER = ("#0072B2", "#CC79A7", "#009E73")
_SWITCH = {"leaf": "#cfe6f5", "aggregation": "#f9e3b4", "spine": "#d5efe6", "core": "#d5efe6"}

_POD_GAP = 0.7
_NODE_INCHES = (0.62, 0.3)
"""For a switch: with its name along, and upright in a fabric wider than ``_WIDTHS[1]``."""
_WIDTHS = (6.0, 14.0, 24.0)
_ROW_INCHES = (1.5, 2.6)
"""From one tier to the next: in the narrowest drawing and in the widest."""
_ABOVE, _BELOW, _POD_NUMBER = 24.0, 36.0, 16.0
"""Points above the rows for names; below for names and counts of hosts; below these for numbers of pods."""
_NAME_POINTS = (4.5, 9.0)
_PARALLEL_POINTS = 3.2
_VECTOR_CABLES = 5_000
"""Above so many, an SVG holds its ordinary cables as a picture."""


@dataclass(frozen=True)
class Strand:
    """One cable: its ends by place in the list of nodes, and by how many cables it is drawn beside the middle."""

    a: int
    b: int
    rate_bps: int
    up: bool
    beside: float


def figure(graph: Graph) -> Figure:
    """The drawing."""
    with mpl.rc_context(STYLE):
        return _Drawing(graph).figure


def strands(cables: Sequence[_core.GraphCable]) -> list[Strand]:
    """Every cable, parallel ones side by side."""
    groups: dict[tuple[int, int], list[_core.GraphCable]] = defaultdict(list)
    for cable in cables:
        groups[min(cable["a"], cable["b"]), max(cable["a"], cable["b"])].append(cable)
    found = []
    for (a, b), group in groups.items():
        each = [cable for cable in group for _ in range(cable["parallel"])]
        middle = (len(each) - 1) / 2
        for index, cable in enumerate(each):
            found.append(Strand(a, b, cable["rate_bps"], cable["up"], index - middle))
    return found


def usual_rates(graph: Graph) -> dict[tuple[str, str], int]:
    """The rate that most cables of a tier have, the highest of several; tiers by their roles, lower first."""
    counts: dict[tuple[str, str], Counter[int]] = defaultdict(Counter)
    for cable in graph["cables"]:
        counts[_tier(graph, cable["a"], cable["b"])][cable["rate_bps"]] += cable["parallel"]
    return {tier: max(rates, key=lambda rate: (rates[rate], rate)) for tier, rates in counts.items()}


def _tier(graph: Graph, a: int, b: int) -> tuple[str, str]:
    roles = sorted((graph["nodes"][a]["role"], graph["nodes"][b]["role"]), key=ROLES.index)
    return roles[0], roles[1]


def places(graph: Graph) -> list[Point]:
    """Where each node stands: the row of its tier, and its place there, in units of the closest neighbours.

    A pod is as wide as its widest tier; the others stand evenly over the pod's width, and switches outside pods
    over the width of all pods.
    """
    rows = {role: float(row) for row, role in enumerate(_roles(graph))}
    members: dict[int | None, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for place, node in enumerate(graph["nodes"]):
        members[node["pod"]][node["role"]].append(place)
    spans, width = _spans(members)
    found: list[Point] = [(0.0, 0.0)] * len(graph["nodes"])
    for pod, tiers in members.items():
        left, right = spans.get(pod, (0.0, width))
        for role, nodes in tiers.items():
            step = (right - left) / len(nodes)
            for index, place in enumerate(nodes):
                found[place] = (left + (index + 0.5) * step, rows[role])
    return found


def _roles(graph: Graph) -> list[str]:
    present = {node["role"] for node in graph["nodes"]}
    return [role for role in ROLES if role in present]


def _spans(members: dict[int | None, dict[str, list[int]]]) -> tuple[dict[int | None, Point], float]:
    """The left and right edge of each pod, and the width of all."""
    pods = sorted(pod for pod in members if pod is not None)
    widths = {pod: float(max(map(len, members[pod].values()))) for pod in pods}
    outside = float(max(map(len, members[None].values()), default=1)) if None in members else 1.0
    natural = sum(widths.values()) + _POD_GAP * max(len(pods) - 1, 0)
    stretch = max(outside / natural, 1.0) if pods else 1.0
    spans: dict[int | None, Point] = {}
    left = 0.0
    for pod in pods:
        spans[pod] = (left, left + widths[pod] * stretch)
        left += (widths[pod] + _POD_GAP) * stretch
    return spans, max(natural * stretch, outside)


class _Drawing:
    """One drawing in the making."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.places = places(graph)
        self.width = max(x for x, _ in self.places) + 0.5
        self.handles: list[Line2D] = []
        self._lay_out()
        self._draw_pods()
        self._draw_cables()
        self._draw_nodes()
        if self.handles:
            columns = max(1, int(self.figure.get_figwidth() / 2.6))
            self.figure.legend(handles=self.handles, loc="lower center", ncols=columns, fontsize=9)

    def _lay_out(self) -> None:
        """Room for everything: inches, and how many points a unit is along and upwards."""
        narrow, middle, wide = _WIDTHS
        inches = max(self.width * _NODE_INCHES[0] + 0.6, narrow)
        if inches > middle:
            inches = min(max(self.width * _NODE_INCHES[1], middle), wide)
        self.unit_points = inches * 72 / (self.width + 0.4)
        pitch = _ROW_INCHES[0] + (_ROW_INCHES[1] - _ROW_INCHES[0]) * (inches - narrow) / (wide - narrow)
        self.row_points = pitch * 72
        rows = len(_roles(self.graph))
        has_pods = any(node["pod"] is not None for node in self.graph["nodes"])
        self.below = _BELOW + (_POD_NUMBER if has_pods else 0.0)
        points = (rows - 1) * self.row_points + _ABOVE + self.below
        legend = 0.3 + 0.2 * -(-6 // max(1, int(inches / 2.6)))
        self.figure = Figure(figsize=(inches, points / 72 + legend))
        share = legend / self.figure.get_figheight()
        self.axes: Axes = self.figure.add_axes((0, share, 1, 1 - share))
        self.axes.set_axis_off()
        self.axes.set_xlim(-0.2, self.width + 0.2)
        self.axes.set_ylim(-self.below / self.row_points, rows - 1 + _ABOVE / self.row_points)

    def _draw_pods(self) -> None:
        xs: dict[int, list[float]] = defaultdict(list)
        ys: dict[int, list[float]] = defaultdict(list)
        for node, (x, y) in zip(self.graph["nodes"], self.places, strict=True):
            if node["pod"] is not None:
                xs[node["pod"]].append(x)
                ys[node["pod"]].append(y)
        for pod, places_ in xs.items():
            low = (min(places_) - 0.5, -self.below / self.row_points)
            size = (max(places_) - min(places_) + 1.0, max(ys[pod]) + (self.below + _ABOVE) / self.row_points)
            self.axes.add_patch(Rectangle(low, *size, facecolor="#f4f4f4", edgecolor="none", zorder=0))
            if self.unit_points * size[0] > 30:
                at = (low[0] + size[0] / 2, low[1] + 3 / self.row_points)
                self.axes.annotate(f"pod {pod}", at, ha="center", va="bottom", fontsize=8, color="#666666")

    def _draw_cables(self) -> None:
        usual = usual_rates(self.graph)
        every = strands(self.graph["cables"])
        normal: dict[tuple[str, str], list[Strand]] = {tier: [] for tier in usual}
        slower: dict[int, list[Strand]] = defaultdict(list)
        failed = [strand for strand in every if not strand.up]
        for strand in every:
            tier = _tier(self.graph, strand.a, strand.b)
            if strand.up and strand.rate_bps < usual[tier]:
                slower[strand.rate_bps].append(strand)
            elif strand.up:
                normal[tier].append(strand)
        thin = min(1.1, max(0.25, 30 / max(len(every), 1) ** 0.5 * 0.6))
        for strands_ in normal.values():
            self._lines(strands_, color=_USUAL, linewidth=thin, zorder=1, rasterized=len(every) > _VECTOR_CABLES)
        for tier, rate in sorted(usual.items(), key=lambda item: tuple(map(ROLES.index, item[0]))):
            self._handle(f"{tier[0]} to {tier[1]}: {_rate(rate)}", color=_USUAL, linewidth=1.3)
        for index, (rate, found) in enumerate(sorted(slower.items())):
            color = _SLOWER[index % len(_SLOWER)]
            self._lines(found, color=color, linewidth=max(2 * thin, 1.4), zorder=2)
            self._handle(f"slower: {_rate(rate)} ({len(found)})", color=color, linewidth=2)
        if failed:
            self._lines(failed, color=_FAILED, linewidth=max(1.5 * thin, 1.2), zorder=3, linestyle=(0, (4, 3)))
            middles = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in map(self._ends, failed)]
            xs, ys = zip(*middles, strict=True)
            self.axes.plot(xs, ys, "x", color=_FAILED, markersize=8, markeredgewidth=2.2, zorder=5)
            self._handle(f"failed ({len(failed)})", color=_FAILED, linewidth=1.8, linestyle="--", marker="x")

    def _lines(self, found: Iterable[Strand], **look: Any) -> None:  # noqa: ANN401 - a line's properties
        lines = [self._ends(strand) for strand in found]
        if lines:
            self.axes.add_collection(LineCollection(lines, **look), autolim=False)

    def _ends(self, strand: Strand) -> tuple[Point, Point]:
        """Where a cable begins and ends; parallel ones lie beside each other."""
        aside = strand.beside * min(_PARALLEL_POINTS / self.unit_points, 0.12)
        (ax, ay), (bx, by) = self.places[strand.a], self.places[strand.b]
        return (ax + aside, ay), (bx + aside, by)

    def _handle(self, label: str, **look: Any) -> None:  # noqa: ANN401 - a line's properties
        self.handles.append(Line2D([], [], label=label, **look))

    def _draw_nodes(self) -> None:
        for role in _roles(self.graph):
            here = [place for place, node in enumerate(self.graph["nodes"]) if node["role"] == role]
            xs = sorted(self.places[place][0] for place in here)
            gap = min((right - left for left, right in pairwise(xs)), default=self.width)
            self._draw_row(here, role, gap * self.unit_points)

    def _draw_row(self, here: Sequence[int], role: str, room: float) -> None:
        """One tier; ``room`` is how many points there are for each switch."""
        names = {place: self.graph["nodes"][place]["name"] for place in here}
        longest = max(map(len, names.values()))
        size = min(room * 0.92 / (0.6 * longest), _NAME_POINTS[1])
        upright = size < 6
        if upright:
            size = min(room * 0.62, 7.0)
        named = size >= _NAME_POINTS[0]
        box = {"boxstyle": "round,pad=0.25", "facecolor": _SWITCH[role], "edgecolor": "#444444", "linewidth": 0.7}
        if not named:
            xs = [self.places[place][0] for place in here]
            ys = [self.places[place][1] for place in here]
            self.axes.plot(
                xs,
                ys,
                "s",
                color=_SWITCH[role],
                markeredgecolor="#444444",
                markersize=max(min(room * 0.7, 8.0), 1.0),
                markeredgewidth=0.4,
                zorder=4,
            )
            self._title_row(here, role)
        for place in here if named else ():
            self.axes.annotate(
                names[place],
                self.places[place],
                ha="center",
                va="center",
                fontsize=size,
                rotation=90 if upright else 0,
                bbox=box,
                zorder=4,
            )
        if role == "leaf":
            self._count_hosts(here, room, longest * 0.6 * size if upright and named else size)

    def _title_row(self, here: Sequence[int], role: str) -> None:
        """What stands in a row whose switches have no names."""
        y = self.places[here[0]][1]
        self.axes.annotate(
            f"{len(here):,} {role} switches",
            (self.width / 2, y),
            xytext=(0, 9),
            textcoords="offset points",
            ha="center",
            va="bottom",
            fontsize=10,
            bbox={"boxstyle": "round,pad=0.2", "facecolor": "white", "edgecolor": "none", "alpha": 0.85},
            zorder=6,
        )

    def _count_hosts(self, here: Sequence[int], room: float, tall: float) -> None:
        """The hosts of each ToR, as a count under it; once for all where there is no room."""
        hosts = {place: self.graph["nodes"][place]["hosts"] for place in here}
        below = (0.0, -(tall / 2 + 7))
        look: Any = {"textcoords": "offset points", "ha": "center", "va": "top", "color": "#333333"}
        size = min(room * 0.9 / (0.6 * (max(len(str(count)) for count in hosts.values()) + 1)), 9.0)
        if size >= _NAME_POINTS[0]:
            for place, count in hosts.items():
                failed = self.graph["nodes"][place]["failed_hosts"]
                text = f"x{count - failed}/{count}" if failed else f"x{count}"
                self.axes.annotate(text, self.places[place], xytext=below, fontsize=size, **look)
            return
        low, high = min(hosts.values()), max(hosts.values())
        text = f"x{low} hosts each" if low == high else f"x{low} to x{high} hosts"
        self.axes.annotate(text, (self.width / 2, 0.0), xytext=below, fontsize=10, **look)


def _rate(bps: int) -> str:
    return f"{bps / 1e9:g} Gb/s"
