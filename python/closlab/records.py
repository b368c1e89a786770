"""Result folders: what a run leaves on disk, written whole or not at all.

A run's folder holds ``scenario.toml`` (fully resolved), ``version``, ``seed`` and one Parquet file for each
table. Its bytes depend on the scenario and the version alone.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from closlab.errors import OutputError, naming
from closlab.scenario import Scenario, read_text

Tables = Mapping[str, pl.DataFrame]
"""A run's tables by name; the columns are those of the records reference, and ``unloaded``'s."""

TABLES = ("flows", "links", "switches", "queues", "events", "throughput", "totals", "unloaded")
"""The tables that every run has. ``unloaded`` gives each flow's FCT (ps) alone in an empty fabric."""

FIGURES = "figures"
"""The folder of the figures, in a run's folder only if it has any."""

RUN_FILES = ("scenario.toml", "seed", *(f"{table}.parquet" for table in TABLES), "version")
COMPARISON_FILES = (
    "comparison.toml",
    "version",
    "runs",
    "metrics.parquet",
    "summary.parquet",
    "summary.csv",
    FIGURES,
    "report.html",
)

_UNFINISHED = ".unfinished"
_FREE_BYTES = 64 << 20
_ROWS_PER_GROUP = 1 << 18


@dataclass(frozen=True)
class RunRecords:
    """One finished run: its scenario, its tables and the version that made them."""

    scenario: Scenario
    tables: Tables
    version: str

    def write(self, folder: Path, figures: Mapping[str, bytes] | None = None) -> None:
        """Writes the run's folder: every file under a temporary name first, then renamed, ``version`` last.

        A folder with a ``version`` is therefore whole. ``figures`` are images by file name.

        Raises:
            OutputError: it can't be written; nothing of the run is left.
        """
        unfinished = folder / _UNFINISHED
        with naming(folder, "write results to"):
            unfinished.mkdir(parents=True, exist_ok=True)
            try:
                self._write_files(unfinished)
                if figures:
                    _write_figures(unfinished / FIGURES, figures)
                    (unfinished / FIGURES).replace(folder / FIGURES)
                for name in RUN_FILES:
                    (unfinished / name).replace(folder / name)
            finally:
                shutil.rmtree(unfinished, ignore_errors=True)

    def _write_files(self, folder: Path) -> None:
        write_text(folder / "scenario.toml", self.scenario.toml)
        write_text(folder / "version", f"{self.version}\n")
        write_text(folder / "seed", f"{self.scenario.resolved['seed']}\n")
        for name in TABLES:
            write_parquet(self.tables[name], folder / f"{name}.parquet")

    @classmethod
    def read(cls, folder: Path) -> RunRecords:
        """The run in a folder.

        Raises:
            OutputError: the folder is not a run's, or a file is damaged.
        """
        version = read_text(folder / "version").strip()
        scenario = Scenario.from_file(folder / "scenario.toml")
        tables = {name: read_parquet(folder / f"{name}.parquet") for name in TABLES}
        return cls(scenario, tables, version)


def _write_figures(folder: Path, figures: Mapping[str, bytes]) -> None:
    folder.mkdir()
    for name, image in figures.items():
        (folder / name).write_bytes(image)


def write_text(path: Path, text: str) -> None:
    """Writes a text file in UTF-8, its lines ended alike on every system."""
    path.write_text(text, encoding="utf-8", newline="\n")


def write_parquet(table: pl.DataFrame, path: Path) -> None:
    """Writes a table so that equal tables give equal bytes."""
    try:
        table.write_parquet(
            path,
            compression="zstd",
            compression_level=3,
            statistics=True,
            row_group_size=_ROWS_PER_GROUP,
        )
    except pl.exceptions.ComputeError as error:
        raise OutputError(f"cannot write {path}: {error}: check the disk and its space") from error


def read_parquet(path: Path) -> pl.DataFrame:
    """Reads a table.

    Raises:
        OutputError: the file is absent or damaged.
    """
    with naming(path, "read"):
        try:
            return pl.read_parquet(path, glob=False)
        except pl.exceptions.PolarsError as error:
            raise OSError(0, f"it is not a Parquet file ({error})") from error


def prepare_folder(folder: Path, *, overwrite: bool) -> None:
    """Makes ``folder`` ready for a result, before any long work starts.

    A closlab result in it is removed if ``overwrite``; anything else is never touched.

    Raises:
        OutputError: the folder can't be written, its disk is nearly full, or it holds something already.
    """
    with naming(folder, "write results to"):
        folder.mkdir(parents=True, exist_ok=True)
        _refuse_or_clear(folder, overwrite=overwrite)
        probe = folder / _UNFINISHED
        probe.write_bytes(b"\0" * 4096)
        probe.unlink()
        free = shutil.disk_usage(folder).free
    if free < _FREE_BYTES:
        raise OutputError(
            f"cannot write results to {folder}: only {free / 1e6:.0f} MB are free there: "
            f"free at least {_FREE_BYTES / 1e6:.0f} MB or choose another folder"
        )


def _refuse_or_clear(folder: Path, *, overwrite: bool) -> None:
    present = {path.name for path in folder.iterdir()}
    own = {*RUN_FILES, *COMPARISON_FILES, _UNFINISHED}
    foreign = sorted(present - own)
    if foreign or (present and not present & {"scenario.toml", "comparison.toml", _UNFINISHED}):
        example = (foreign or sorted(present))[0]
        raise OutputError(
            f"cannot write results to {folder}: it holds files that are no closlab result "
            f"({example}): choose another folder"
        )
    if present and not overwrite:
        raise OutputError(
            f"cannot write results to {folder}: it already holds a closlab result: "
            "choose another folder, or replace the result with --overwrite"
        )
    clear_folder(folder)


def clear_folder(folder: Path) -> None:
    """Removes what closlab wrote into ``folder``, and nothing else."""
    for name in (*RUN_FILES, *COMPARISON_FILES, _UNFINISHED):
        path = folder / name
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def next_free_folder(parent: Path, name: str) -> Path:
    """``parent/name-001``, or the first higher number that nothing has."""
    number = 1
    while (parent / f"{name}-{number:03}").exists():
        number += 1
    return parent / f"{name}-{number:03}"
