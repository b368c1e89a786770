"""One run: from a scenario to its result."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl
from matplotlib.figure import Figure

from closlab import _core, failure_plots, metrics, plots
from closlab.errors import Interrupted
from closlab.jobs import Board, Silence, Task, Watcher, execute
from closlab.records import RunRecords, Tables, prepare_folder
from closlab.scenario import Scenario


@dataclass(frozen=True)
class Result:
    """What a run gave."""

    records: RunRecords

    @property
    def scenario(self) -> Scenario:
        """What was run."""
        return self.records.scenario

    @property
    def tables(self) -> Tables:
        """The records by name: those of :data:`closlab.records.TABLES`."""
        return self.records.tables

    @cached_property
    def metrics(self) -> pl.DataFrame:
        """All metrics: ``metric``, ``part``, ``value``, ``at_least``."""
        return metrics.run_metrics(self.tables)

    @cached_property
    def outcomes(self) -> pl.DataFrame:
        """The measured flows: size, class, whether finished, FCT (us) and slowdown."""
        return metrics.flow_outcomes(self.tables["flows"], self.tables["unloaded"], self.tables["totals"])

    @property
    def figures(self) -> dict[str, Figure]:
        """The figures by name: ``failure`` if something failed and throughput was sampled."""
        return failure_plots.figures(self.tables)

    def write(self, folder: str | Path, *, overwrite: bool = False) -> None:
        """Writes the result's folder.

        Raises:
            OutputError: it can't be written, or holds something already.
        """
        prepare_folder(Path(folder), overwrite=overwrite)
        self._write_into(Path(folder))

    def _write_into(self, folder: Path) -> None:
        images = {
            f"{name}.{suffix}": plots.image_bytes(figure, suffix)
            for name, figure in self.figures.items()
            for suffix in ("png", "svg")
        }
        self.records.write(folder, images)

    @classmethod
    def read(cls, folder: str | Path) -> Result:
        """The result in a folder.

        Raises:
            OutputError: there is none.
        """
        return cls(RunRecords.read(Path(folder)))


class UnloadedTimes:
    """The flows' completion times alone in an empty fabric, computed once for all runs of equal flows.

    They depend on the fabric, the transport and the workload, not on the scheme.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[str, Future[pl.DataFrame]] = {}

    def of(self, scenario: Scenario, run: _core.Run) -> pl.DataFrame:
        """The table ``flow``, ``unloaded_fct_ps`` of a scenario's flows."""
        key = scenario.digest(without=("name", "scheme"))
        with self._lock:
            mine = key not in self._known
            future = self._known.setdefault(key, Future())
        if mine:
            try:
                future.set_result(pl.DataFrame(run.unloaded()))
            except BaseException as error:
                future.set_exception(error)
                raise
        return future.result()


def run(
    scenario: Scenario,
    *,
    out: str | Path | None = None,
    overwrite: bool = False,
    watcher: Watcher | None = None,
) -> Result:
    """Runs a scenario, and writes the result's folder ``out`` if one is given.

    Raises:
        OutputError: ``out`` can't be written (found out before the run), or holds something already.
        RunError: the run failed.
        Interrupted: Ctrl-C.
    """
    folder = None if out is None else Path(out)
    if folder is not None:
        prepare_folder(folder, overwrite=overwrite)
    name = str(scenario.resolved["scheme"]["name"])
    task = Task(name, 1.0, lambda board: execute_run(name, scenario, UnloadedTimes(), board))
    try:
        result = Result(execute([task], 1, watcher or Silence())[0])
    except KeyboardInterrupt as error:
        raise Interrupted(0, 1, None) from error
    if folder is not None:
        result._write_into(folder)
    return result


def execute_run(name: str, scenario: Scenario, unloaded_times: UnloadedTimes, board: Board) -> RunRecords:
    """Executes one run, shown on the board as ``name``."""
    core_run = _core.Run(scenario.json)
    with board.running(name, core_run):
        columns = core_run.execute()
        unloaded = unloaded_times.of(scenario, core_run)
    tables = {name: _table(table) for name, table in columns.items()}
    return RunRecords(scenario, {**tables, "unloaded": unloaded}, _core.version())


def _table(columns: Mapping[str, Any]) -> pl.DataFrame:
    """A table of the core; texts are texts even where there is no row."""
    texts = {name: pl.String for name, column in columns.items() if isinstance(column, list)}
    return pl.DataFrame(columns, schema_overrides=texts)
