"""A comparison: the same flows under several schemes, at several loads, with several seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from closlab import _core, metrics, plots, report, stats
from closlab.errors import Interrupted, naming
from closlab.jobs import Board, Silence, Task, Watcher, execute
from closlab.plan import Plan, PlannedRun, make_plan
from closlab.records import clear_folder, prepare_folder, write_parquet, write_text
from closlab.runner import UnloadedTimes, execute_run
from closlab.scenario import Section, merge

_KEYS = pl.Schema({"scheme": pl.String, "load": pl.Float64, "seed": pl.Int64})


@dataclass(frozen=True)
class Comparison:
    """What a comparison gave."""

    plan: Plan
    """What was compared; its first scheme is the baseline."""
    metrics: pl.DataFrame
    """All metrics of all runs: ``scheme``, ``load``, ``seed``, ``metric``, ``part``, ``value``, ``at_least``."""
    outcomes: pl.DataFrame
    """All measured flows of all runs: ``scheme``, ``load``, ``seed`` and the columns of ``Result.outcomes``."""
    summary: pl.DataFrame
    """Over the seeds: means, intervals, paired differences from the baseline (see ``stats.summarize``)."""
    version: str

    @property
    def answer(self) -> str:
        """Which scheme finishes flows soonest at the highest load, in one sentence."""
        return report.answer(self.summary, self.plan)

    def write(self, folder: str | Path) -> None:
        """Writes tables, figures and ``report.html`` into ``folder``, beside the runs.

        Raises:
            OutputError: it can't be written.
        """
        folder = Path(folder)
        figures = plots.comparison_figures(self.summary, self.outcomes)
        with naming(folder, "write results to"):
            (folder / "figures").mkdir(parents=True, exist_ok=True)
            write_parquet(self.metrics, folder / "metrics.parquet")
            write_parquet(self.summary, folder / "summary.parquet")
            write_text(folder / "summary.csv", self.summary.write_csv())
            for name, figure in figures.items():
                for suffix in ("png", "svg"):
                    path = folder / "figures" / f"{name}.{suffix}"
                    path.write_bytes(plots.image_bytes(figure, suffix))
            page = report.html(self.plan, self.summary, figures, self.version)
            write_text(folder / "report.html", page)


def compare(
    base: Mapping[str, Any] | None = None,
    *,
    fabric: Section | None = None,
    asymmetry: Section | None = None,
    failures: Section | None = None,
    control_plane: Section | None = None,
    switch: Section | None = None,
    transport: Section | None = None,
    workload: Section | None = None,
    measure: Section | None = None,
    schemes: Sequence[str | Section] | None = None,
    loads: Sequence[float] | None = None,
    seeds: int | Sequence[int] | None = None,
    out: str | Path | None = None,
    overwrite: bool = False,
    jobs: int | None = None,
    watcher: Watcher | None = None,
) -> Comparison:
    """Runs every scheme at every load with every seed, and compares them.

    ``base`` is a scenario as written (see :func:`closlab.plan.make_plan`); the sections change it. ``schemes``
    defaults to all, the first being the baseline; ``loads`` to 0.3, 0.5 and 0.8; ``seeds`` to 3. With ``out``,
    each finished run is written at once, and tables, figures and a report at the end.

    Raises:
        ScenarioError, PlanError: what is asked for is not allowed.
        OutputError: ``out`` can't be written (found out before the runs), or holds something already.
        RunError: a run failed.
        Interrupted: Ctrl-C; the finished runs are kept in ``out``.
    """
    sections = {
        "fabric": fabric,
        "asymmetry": asymmetry,
        "failures": failures,
        "control_plane": control_plane,
        "switch": switch,
        "transport": transport,
        "workload": workload,
        "measure": measure,
    }
    changes = {name: section for name, section in sections.items() if section is not None}
    plan = make_plan(merge(base or {}, changes), schemes, loads, seeds)
    folder = None if out is None else Path(out)
    if folder is not None:
        _prepare(folder, plan, overwrite=overwrite)
    comparison = _run_all(plan, folder, jobs, watcher or Silence())
    if folder is not None:
        comparison.write(folder)
    return comparison


def _prepare(folder: Path, plan: Plan, *, overwrite: bool) -> None:
    prepare_folder(folder, overwrite=overwrite)
    with naming(folder, "write results to"):
        write_text(folder / "comparison.toml", plan.toml)
        write_text(folder / "version", f"{_core.version()}\n")


@dataclass(frozen=True)
class _Measured:
    metrics: pl.DataFrame
    outcomes: pl.DataFrame


def _run_all(plan: Plan, folder: Path | None, jobs: int | None, watcher: Watcher) -> Comparison:
    finished: list[str] = []
    unloaded_times = UnloadedTimes()

    def work(planned: PlannedRun, board: Board) -> _Measured:
        records = execute_run(planned.folder, planned.scenario, unloaded_times, board)
        if folder is not None:
            records.write(folder / "runs" / planned.folder)
        # At once: Ctrl-C may end the next lines, since Polars raises it in the thread that computes.
        finished.append(planned.folder)
        tables = records.tables
        outcomes = metrics.flow_outcomes(tables["flows"], tables["unloaded"], tables["totals"])
        return _Measured(
            _keyed(planned, metrics.run_metrics(tables)),
            _keyed(planned, outcomes),
        )

    tasks = [Task(planned.folder, planned.load or 1.0, partial(work, planned)) for planned in plan.runs]
    try:
        measured = execute(tasks, jobs, watcher)
    except KeyboardInterrupt as error:
        if folder is not None and not finished:
            clear_folder(folder)
        raise Interrupted(len(finished), len(tasks), folder) from error
    all_metrics = pl.concat([each.metrics for each in measured])
    return Comparison(
        plan=plan,
        metrics=all_metrics,
        outcomes=pl.concat([each.outcomes for each in measured]),
        summary=stats.summarize(all_metrics, plan.baseline),
        version=_core.version(),
    )


def _keyed(planned: PlannedRun, table: pl.DataFrame) -> pl.DataFrame:
    """``table`` with the run's scheme, load and seed before its columns."""
    keys = (planned.scheme, planned.load, planned.seed)
    literals = [
        pl.lit(value, dtype=dtype).alias(name) for value, (name, dtype) in zip(keys, _KEYS.items(), strict=True)
    ]
    return table.select(*literals, pl.all())
