"""The package as a whole: doctests, stub, reference pages, examples."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import closlab
from closlab import reference
from conftest import ROOT

MODULES = sorted(module.name for module in pkgutil.iter_modules(closlab.__path__))
WITH_EXAMPLES = {"cli", "fabrics", "failures", "fmt", "report", "scenario"}


@pytest.mark.parametrize("name", MODULES)
def test_doctests(name: str) -> None:
    result = doctest.testmod(importlib.import_module(f"closlab.{name}"), optionflags=doctest.ELLIPSIS)
    assert result.failed == 0
    assert (result.attempted > 0) == (name in WITH_EXAMPLES)


def test_the_package_s_own_doctest() -> None:
    assert doctest.testmod(closlab, optionflags=doctest.ELLIPSIS) == (0, 3)


def test_the_stub_is_true() -> None:
    command = [sys.executable, "-m", "mypy.stubtest", "closlab._core"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("name", sorted(reference.pages()))
def test_the_reference_is_fresh(name: str) -> None:
    written = (ROOT / "docs" / "reference" / name).read_text(encoding="utf-8")
    assert written == reference.pages()[name], "run `make docs`"


def test_every_scheme_has_a_page() -> None:
    text = reference.pages()["schemes.md"]
    for name in reference.scheme_names():
        assert f"\n## {name}\n" in text


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.toml")), ids=lambda path: path.name)
def test_example_scenarios_run(path: Path) -> None:
    scenario = closlab.Scenario.from_file(path)
    # What fails must do so before the run ends.
    limit = "90ms" if "failures" in scenario.written else "10ms"
    short = {"measure": {"warmup": "0us", "window": "10ms", "limit": limit}}
    result = closlab.run(scenario.override(short))
    assert result.tables["totals"]["delivered_packets"].item() > 0
    assert result.outcomes.height > 0


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.name)
def test_example_programs_run(path: Path, tmp_path: Path) -> None:
    command = [sys.executable, str(path), "1ms"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "drill" in done.stdout or "slowdown" in done.stdout
