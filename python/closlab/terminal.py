"""What the command line prints: tables, manual pages, one-line errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl
from rich import box
from rich.console import Console
from rich.table import Table

from closlab import _core, failures, fmt, report
from closlab.comparison import Comparison
from closlab.fabrics import FabricView
from closlab.metrics import SIZE_CLASSES, STATISTICS
from closlab.runner import Result
from closlab.scenario import Scenario

PIPE_WIDTH = 140
"""Columns of a table that goes to a file or a pipe."""


def _console(*, stderr: bool) -> Console:
    console = Console(stderr=stderr)
    return console if console.is_terminal else Console(stderr=stderr, width=PIPE_WIDTH)


out = _console(stderr=False)
err = _console(stderr=True)

_COMPARISON_COLUMNS = ("load", "scheme", "mean", "p99", "ratio", "standing", "mean FCT (us)", "unfinished")


def print_error(message: str) -> None:
    """One red line on the error stream."""
    err.print(f"error: {message}", style="bold red", markup=False, highlight=False, soft_wrap=True)


def print_text(text: str) -> None:
    """Text as it is, for people and pipes."""
    out.print(text, markup=False, highlight=False, soft_wrap=True)


def print_table(rows: Sequence[Mapping[str, str]], title: str) -> None:
    """Rows of texts as a table; the first two columns to the left."""
    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for index, name in enumerate(rows[0]):
        table.add_column(name, justify="left" if index < 2 else "right")
    for row in rows:
        style = "bold" if row.get("standing") == "best" else None
        table.add_row(*row.values(), style=style)
    out.print(table)


def print_comparison(comparison: Comparison) -> None:
    """The answer and the table behind it."""
    rows = report.completion_table(comparison.summary)
    chosen = [{name: row[name] for name in _COMPARISON_COLUMNS} for row in rows]
    title = f"FCT slowdown, {len(comparison.plan.seeds)} seeds, mean ± 95 % interval; ratio to "
    print_text(fabric_line(comparison.plan.runs[0].scenario))
    print_text(load_line(comparison.summary))
    print_table(chosen, title + f"{comparison.plan.baseline}, paired")
    print_text(f"\n{comparison.answer}")


def print_fabric(view: FabricView) -> None:
    """A fabric in a few numbers."""
    for name, text in report.describe(view.description):
        print_text(f"{name + ':':<30} {text}")
    rows = [
        {"links between switches": str(group["hops"]), "to leaves": f"{group['leaves']:,}"}
        | {name: f"{group[name]:,}" for name in ("fewest", "most")}
        for group in view.graph["paths"]
    ]
    if rows:
        print_table(rows, "\nShortest paths from the first leaf, by distance")


def fabric_line(scenario: Scenario) -> str:
    """The fabric in one line, its oversubscription included."""
    described = report.describe(_core.describe_fabric(scenario.json))
    return "Fabric: " + ", ".join(f"{name} {text}" for name, text in described)


def load_line(summary: pl.DataFrame) -> str:
    """The offered loads that were asked for, and those that arrived on uplinks and at hosts."""
    rows = report.load_table(summary)
    loads = [f"{row['asked']} asked, {row['uplinks']} of uplinks, {row['hosts']} of hosts" for row in rows]
    return "Offered load: " + "; ".join(loads)


def print_result(result: Result) -> None:
    """The metrics of one run."""
    print_text(fabric_line(result.scenario))
    cells = {(row["metric"], row["part"]): row for row in result.metrics.iter_rows(named=True)}
    classes = [part for part in ("all", *SIZE_CLASSES) if cells["flows", part]["value"]]
    rows = [
        {"metric": name} | {part: _value(cells[metric, part]) for part in classes}
        for metric, name in _completion_names()
    ]
    print_table(rows, "Flow completion by size class")
    others = [row for row in result.metrics.iter_rows(named=True) if (row["metric"], "small") not in cells]
    print_table(
        [{"metric": row["metric"], "of": row["part"], "value": _value(row)} for row in others],
        "Transport, load, links",
    )
    for title, table in failures.text_tables(result.tables).items():
        print_table(table, title)


def _completion_names() -> list[tuple[str, str]]:
    names = [("flows", "flows"), ("unfinished", "unfinished")]
    for quantity, name in (("slowdown", "slowdown"), ("fct_us", "FCT (us)")):
        names += [(f"{quantity}_{stat}", f"{name} {stat}") for stat in STATISTICS]
    return names


def _value(row: Mapping[str, Any]) -> str:
    text = fmt.count(row["value"])
    return f">= {text}" if row["at_least"] else text


def print_schemes() -> None:
    """All schemes with what they do and where they were published."""
    rows = [{"scheme": scheme["name"], "what it does": scheme["summary"]} for scheme in _core.schemes()]
    print_table(rows, "Schemes (closlab schemes NAME shows the manual page)")
