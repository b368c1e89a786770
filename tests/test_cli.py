"""The command line: mistakes are one clear line, never a traceback."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-c", "from closlab.cli import main; main()"]
SMALL = ["--leaves=2", "--spines=2", "--hosts=2", "--warmup=200us", "--window=2ms"]


def closlab_command(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [*COMMAND, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd, timeout=120)


@pytest.fixture
def scenario_file(tmp_path: Path) -> Path:
    path = tmp_path / "scenario.toml"
    path.write_text('[fabric]\nleaves = 2\n[measure]\nwarmup = "200us"\nwindow = "2ms"\n')
    return path


def assert_mistake(done: subprocess.CompletedProcess[str], *parts: str, code: int = 2) -> None:
    """The command failed with ``code`` and one line that has all ``parts``."""
    assert done.returncode == code, done.stderr
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("error: ")
    for part in parts:
        assert part in lines[0]


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["--set=fabric.leafs=4"], ["fabric.leafs", "leaves"]),
        (["--set=fabric.host_rate=10Gb"], ["fabric.host_rate", '"10Gb"', "Gbps"]),
        (["--set=fabric.host_rate=10"], ["fabric.host_rate"]),
        (["--set=workload.load=1.5"], ["workload.load", "1.5"]),
        (["--set=fabric.hosts_per_leaf=0"], ["fabric.hosts_per_leaf", "0"]),
        (["--set=scheme.name=drlil"], ["scheme.name", "drill"]),
        (["--set=fabric"], ["--set", "fabric.spines=8"]),
    ],
)
def test_a_mistake_in_a_run_is_one_line(
    scenario_file: Path, tmp_path: Path, arguments: list[str], parts: list[str]
) -> None:
    assert_mistake(closlab_command("run", scenario_file, *arguments, cwd=tmp_path), *parts)
    assert not (tmp_path / "results").exists()


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["--load=1.5"], ["workload.load", "1.5"]),
        (["--load=half"], ["--load", "half"]),
        (["--hosts=0"], ["fabric.hosts_per_leaf"]),
        (["--scheme=ecmp,conga"], ["scheme.name", "conga"]),
        (["--scheme=drill:d=many"], ["scheme.d", "many"]),
        (["--scheme=ecmp,ecmp"], ["ecmp", "twice"]),
        (["--uplink-rate=10Gb"], ["fabric.uplink_rate", "Gbps"]),
        (["--sizes=webserch"], ["workload.sizes", "websearch"]),
        (["--engines=0"], ["switch.engines"]),
        (["--seeds=0"], ["seeds"]),
        ([*SMALL, "--jobs=0"], ["jobs"]),
    ],
)
def test_a_mistake_in_a_comparison_is_one_line(tmp_path: Path, arguments: list[str], parts: list[str]) -> None:
    assert_mistake(closlab_command("compare", *arguments, cwd=tmp_path), *parts)


def test_a_file_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    assert_mistake(closlab_command("run", tmp_path / "no.toml"), "no.toml", "no such file", code=1)
    assert_mistake(closlab_command("compare", "--config", tmp_path / "no.toml"), "no.toml", code=1)


def test_a_file_that_is_no_toml_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("seed = = 3")
    assert_mistake(closlab_command("compare", "--config", tmp_path / "bad.toml"), "TOML")


def test_an_unwritable_folder_is_found_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = closlab_command("compare", "--out", tmp_path / "file" / "out")
    assert_mistake(done, "file/out", "choose another folder", code=1)


def test_an_unknown_scheme_page_names_the_nearest() -> None:
    assert_mistake(closlab_command("schemes", "leftflow"), "letflow")


def test_an_unknown_option_is_refused_by_name() -> None:
    done = closlab_command("compare", "--leafs=4")
    assert done.returncode == 2
    assert "--leafs" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_run_prints_its_metrics_and_its_folder(scenario_file: Path, tmp_path: Path) -> None:
    done = closlab_command("run", scenario_file, "--seed=9", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "slowdown p99" in done.stdout
    assert "run-001" in done.stdout
    assert (tmp_path / "results" / "run-001" / "seed").read_text() == "9\n"


def test_a_comparison_is_repeated_from_its_folder(tmp_path: Path) -> None:
    options = ["--load=0.5,0.7", "--scheme=ecmp,drill:d=2,m=1", "--scheme=letflow", "--seeds=2"]
    done = closlab_command("compare", *SMALL, *options, "--out=first", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "At load 0.7" in done.stdout
    again = closlab_command("compare", "--config=first/comparison.toml", "--out=again", cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    first, second = (tmp_path / name / "summary.csv" for name in ("first", "again"))
    assert first.read_bytes() == second.read_bytes()
    assert len(list((tmp_path / "first" / "runs").iterdir())) == 12


def test_a_scheme_s_parameter_is_set_alone(scenario_file: Path, tmp_path: Path) -> None:
    arguments = ["--set=scheme.name=drill", "--set=scheme.d=4", "--out=out"]
    done = closlab_command("run", scenario_file, *arguments, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    resolved = (tmp_path / "out" / "scenario.toml").read_text()
    assert 'name = "drill"' in resolved
    assert "\nd = 4" in resolved


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["schemes"], "letflow"),
        (["schemes", "drill"], "Published: Ghorbani"),
        (["workloads"], "websearch"),
        (["schema"], '"$schema"'),
        (["--version"], "closlab "),
        (["--help"], "compare"),
    ],
)
def test_what_there_is_can_be_listed(arguments: list[str], part: str) -> None:
    done = closlab_command(*arguments)
    assert done.returncode == 0, done.stderr
    assert part in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT is sent as on Unix")
def test_ctrl_c_keeps_the_finished_runs(tmp_path: Path) -> None:
    # Light runs of a fraction of a second, then heavy ones that would take minutes.
    out = tmp_path / "out"
    (tmp_path / "base.toml").write_text('[measure]\nwindow = "100ms"\n')
    command = [*COMMAND, "compare", "--config", str(tmp_path / "base.toml"), "--out", str(out)]
    command += ["--load=0.5", "--jobs=2", "--seeds=50"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        wait_for_run(out)
        process.send_signal(signal.SIGINT)
        stopped = time.monotonic()
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert time.monotonic() - stopped < 10
    kept = [path for path in (out / "runs").iterdir() if (path / "version").exists()]
    assert 1 <= len(kept) < 250
    assert re.search(rf"kept {len(kept)} finished runs? in {re.escape(str(out))}", errors)
    assert "Traceback" not in errors
    assert not list(out.rglob(".unfinished"))


def wait_for_run(out: Path) -> None:
    """Returns when the first run has been written."""
    deadline = time.monotonic() + 60
    while not list(out.glob("runs/*/version")):
        assert time.monotonic() < deadline, "no run finished in a minute"
        time.sleep(0.05)
