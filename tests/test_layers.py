"""The crates stand on each other as docs/design says: every arrow points down."""

from __future__ import annotations

import tomllib

import pytest

from conftest import ROOT

# What each crate may use. A crate may use less.
ALLOWED = {
    "units": set(),
    "balance": {"units"},
    "fabric": {"units"},
    "transport": {"units"},
    "record": {"units"},
    "workload": {"units", "fabric"},
    "scenario": {"units", "balance", "fabric", "transport", "workload"},
    "engine": {"units", "balance", "fabric", "transport", "record", "workload", "scenario"},
    "python": {"units", "balance", "fabric", "transport", "record", "workload", "scenario", "engine"},
}


def uses(crate: str) -> set[str]:
    manifest = tomllib.loads((ROOT / "crates" / crate / "Cargo.toml").read_text(encoding="utf-8"))
    return {name.removeprefix("closlab-") for name in manifest["dependencies"] if name.startswith("closlab-")}


def test_every_crate_has_its_place() -> None:
    assert {path.name for path in (ROOT / "crates").iterdir()} == set(ALLOWED)


@pytest.mark.parametrize("crate", sorted(ALLOWED))
def test_a_crate_uses_only_what_stands_below_it(crate: str) -> None:
    assert uses(crate) <= ALLOWED[crate]
