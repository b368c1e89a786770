"""Result folders: whole or absent, never overwritten unasked, equal bytes for equal runs."""

from __future__ import annotations

import errno
import shutil
from collections import namedtuple
from pathlib import Path

import pytest

import closlab
from closlab import records
from conftest import TINY


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_equal_runs_give_equal_bytes(tiny: closlab.Scenario, tmp_path: Path) -> None:
    for name in ("a", "b"):
        closlab.run(tiny, out=tmp_path / name)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert set(contents(tmp_path / "a")) == set(records.RUN_FILES)


def test_one_thread_and_two_give_equal_bytes(tmp_path: Path) -> None:
    for jobs in (1, 2):
        out = tmp_path / str(jobs)
        closlab.compare(TINY, schemes=["ecmp", "drill"], loads=[0.5], seeds=2, out=out, jobs=jobs)
    one, two = contents(tmp_path / "1"), contents(tmp_path / "2")
    assert one == two
    assert {"report.html", "summary.parquet", "figures/slowdown-cdf.svg"} <= set(one)
    assert "runs/drill-load0.5-seed2/flows.parquet" in one


def test_another_seed_gives_other_bytes(tiny: closlab.Scenario, tmp_path: Path) -> None:
    closlab.run(tiny, out=tmp_path / "a")
    closlab.run(tiny.override({"seed": 2}), out=tmp_path / "b")
    assert contents(tmp_path / "a")["flows.parquet"] != contents(tmp_path / "b")["flows.parquet"]


def test_a_result_is_read_again_and_run_again_from_itself(tiny: closlab.Scenario, tmp_path: Path) -> None:
    result = closlab.run(tiny, out=tmp_path / "a")
    again = closlab.Result.read(tmp_path / "a")
    assert again.scenario == tiny
    assert all(again.tables[name].equals(result.tables[name]) for name in records.TABLES)
    assert again.metrics.equals(result.metrics)
    closlab.run(closlab.Scenario.from_file(tmp_path / "a" / "scenario.toml"), out=tmp_path / "b")
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_a_result_is_not_overwritten_unasked(tiny: closlab.Scenario, tmp_path: Path) -> None:
    closlab.run(tiny, out=tmp_path / "a")
    before = contents(tmp_path / "a")
    with pytest.raises(closlab.OutputError, match="already holds"):
        closlab.run(tiny.override({"seed": 2}), out=tmp_path / "a")
    assert contents(tmp_path / "a") == before
    closlab.run(tiny.override({"seed": 2}), out=tmp_path / "a", overwrite=True)
    assert contents(tmp_path / "a")["seed"] == b"2\n"


def test_a_comparison_replaced_by_a_run_leaves_nothing(tiny: closlab.Scenario, tmp_path: Path) -> None:
    closlab.compare(TINY, schemes=["ecmp"], loads=[0.5], seeds=1, out=tmp_path)
    closlab.run(tiny, out=tmp_path, overwrite=True)
    assert set(contents(tmp_path)) == set(records.RUN_FILES)


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_folder_with_other_files_is_never_touched(
    tiny: closlab.Scenario, tmp_path: Path, *, overwrite: bool
) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(closlab.OutputError, match=r"thesis\.tex"):
        closlab.run(tiny, out=tmp_path, overwrite=overwrite)
    assert set(contents(tmp_path)) == {"thesis.tex"}


def test_a_file_in_the_way_is_named(tiny: closlab.Scenario, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(closlab.OutputError, match=r"file/out.*choose another folder"):
        closlab.run(tiny, out=tmp_path / "file" / "out")


def test_a_nearly_full_disk_is_found_before_the_run(
    tiny: closlab.Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", ["total", "used", "free"])
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10, 10, 1_000_000))
    monkeypatch.setattr(closlab.runner, "execute", lambda *_: pytest.fail("the run began"))
    with pytest.raises(closlab.OutputError, match=r"only 1 MB are free.*free at least"):
        closlab.run(tiny, out=tmp_path / "out")


def test_a_disk_that_fills_during_the_run_leaves_no_half_result(
    tiny: closlab.Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(records, "write_parquet", full)
    with pytest.raises(closlab.OutputError, match="disk is full"):
        closlab.run(tiny, out=tmp_path / "out")
    assert contents(tmp_path) == {}


def test_a_damaged_table_is_named(tiny: closlab.Scenario, tmp_path: Path) -> None:
    closlab.run(tiny, out=tmp_path / "a")
    (tmp_path / "a" / "links.parquet").write_bytes(b"nonsense")
    with pytest.raises(closlab.OutputError, match=r"links\.parquet"):
        closlab.Result.read(tmp_path / "a")


def test_folders_are_numbered(tmp_path: Path) -> None:
    assert records.next_free_folder(tmp_path, "run").name == "run-001"
    (tmp_path / "run-001").mkdir()
    assert records.next_free_folder(tmp_path, "run").name == "run-002"
