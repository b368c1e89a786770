"""Fabrics to look at: numbers and drawings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import closlab
from closlab import fabric_plot, plots
from closlab.errors import PlanError
from closlab.fabrics import written
from conftest import ROOT
from test_cli import assert_mistake, closlab_command


def node(name: str, role: str, pod: int | None = None) -> dict[str, Any]:
    return {
        "name": name,
        "role": role,
        "index": 0,
        "pod": pod,
        "hosts": 2 if role == "leaf" else 0,
        "failed_hosts": 0,
        "host_bps": 0,
    }


def cable(a: int, b: int, **other: Any) -> dict[str, Any]:  # noqa: ANN401
    return {"a": a, "b": b, "rate_bps": 10**10, "up": True, "parallel": 1} | other


def graph() -> Any:  # noqa: ANN401
    """Two pods of a leaf and two aggregation switches under two cores; a failed and a slower cable."""
    nodes = [node("t0", "leaf", 0), node("t1", "leaf", 1)]
    nodes += [node(f"a{pod}.{index}", "aggregation", pod) for pod in (0, 1) for index in (0, 1)]
    nodes += [node("c0", "core"), node("c1", "core")]
    cables = [cable(0, 2), cable(0, 3, up=False), cable(1, 4, rate_bps=10**9), cable(1, 5)]
    cables += [cable(2 + i, 6 + i % 2, parallel=2) for i in range(4)]
    return {"nodes": nodes, "cables": cables}


def test_tiers_are_rows_and_pods_stand_side_by_side() -> None:
    places = fabric_plot.places(graph())
    assert [y for _, y in places] == [0, 0, 1, 1, 1, 1, 2, 2]
    assert [x for x, _ in places] == pytest.approx([1, 3.7, 0.5, 1.5, 3.2, 4.2, 1.175, 3.525])


def test_parallel_cables_lie_beside_each_other() -> None:
    found = fabric_plot.strands([cable(0, 1, parallel=2), cable(0, 1, up=False)])  # type: ignore[list-item]
    assert [(strand.beside, strand.up) for strand in found] == [(-1, True), (0, True), (1, False)]


def test_a_tier_s_usual_rate_is_the_most_frequent() -> None:
    cables = [cable(0, 2, rate_bps=5), cable(1, 2, rate_bps=7, parallel=2), cable(0, 3, rate_bps=5)]
    rates = fabric_plot.usual_rates(graph() | {"cables": cables})
    assert rates == {("leaf", "aggregation"): 7}


def test_failed_and_slower_cables_are_in_the_legend() -> None:
    texts = [text.get_text() for text in fabric_plot.figure(graph()).legends[0].get_texts()]
    assert texts == [
        "leaf to aggregation: 10 Gb/s",
        "aggregation to core: 10 Gb/s",
        "slower: 1 Gb/s (1)",
        "failed (1)",
    ]


def test_switches_and_hosts_are_named() -> None:
    axes = fabric_plot.figure(graph()).axes[0]
    texts = [text.get_text() for text in axes.texts]
    assert {"t0", "a1.1", "c1", "pod 0", "pod 1"} <= set(texts)
    assert texts.count("x2") == 2


def test_a_large_fabric_is_drawn_without_names() -> None:
    view = closlab.fabric("fat-tree", k=24)
    texts = [text.get_text() for text in view.figure().axes[0].texts]
    assert "288 aggregation switches" in texts
    assert "x12 hosts each" in texts


KINDS = {"leaf-spine": 8, "three-tier": 20, "fat-tree": 20, "vl2": 28, "facebook": 14}
"""Switches of the default fabric of each kind."""


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_described_and_drawn(kind: str) -> None:
    view = closlab.fabric(kind)
    assert view.description["hosts"] == sum(each["hosts"] for each in view.graph["nodes"])
    assert {each["role"] for each in view.graph["nodes"]} <= set(fabric_plot.ROLES)
    assert plots.image_bytes(view.figure(), "svg") == plots.image_bytes(view.figure(), "svg")


def test_a_fabric_is_that_of_a_file_or_a_scenario() -> None:
    path = ROOT / "examples" / "fat-tree.toml"
    by_kind = closlab.fabric("fat-tree", k=4).description
    assert closlab.fabric(path).description == by_kind
    assert closlab.fabric(closlab.Scenario.from_file(path)).description == by_kind
    assert closlab.fabric(path, k=6).description["hosts"] == 54


def test_asymmetry_is_drawn() -> None:
    scenario = closlab.Scenario(
        asymmetry={
            "rates": [{"link": "leaf1-spine1", "rate": "1Gbps"}],
            "failed_links": ["leaf0-spine0"],
        }
    )
    texts = [text.get_text() for text in closlab.fabric(scenario).figure().legends[0].get_texts()]
    assert "failed (1)" in texts
    assert "slower: 1 Gb/s (1)" in texts


def test_a_spec_with_a_folder_or_toml_is_a_file() -> None:
    assert written("vl2") == {"fabric": {"kind": "vl2"}}
    for spec in ("no.toml", "some/where"):
        with pytest.raises(closlab.OutputError, match="no such file"):
            written(spec)


def test_a_picture_is_written_once(tmp_path: Path) -> None:
    view = closlab.fabric("leaf-spine")
    view.save(tmp_path / "a.svg")
    view.save(tmp_path / "a.PNG")
    assert (tmp_path / "a.svg").read_text().startswith("<?xml")
    assert (tmp_path / "a.PNG").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(closlab.OutputError, match="--overwrite"):
        view.save(tmp_path / "a.svg")
    view.save(tmp_path / "a.svg", overwrite=True)
    with pytest.raises(PlanError, match="neither"):
        view.save(tmp_path / "a.pdf")


def test_the_command_describes_and_draws(tmp_path: Path) -> None:
    done = closlab_command("fabric", "fat-tree", "--set=fabric.k=12", "--out=picture.svg", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "432" in done.stdout
    assert (tmp_path / "picture.svg").exists()


@pytest.mark.parametrize(
    ("arguments", "parts", "code"),
    [
        (["fat-tre"], ["fabric.kind", "fat-tree"], 2),
        (["fat-tree", "--set=fabric.k=5"], ["fabric.k", "5"], 2),
        (["no.toml"], ["no.toml", "no such file"], 1),
        (["fat-tree", "--out=picture.pdf"], ["picture.pdf", ".svg"], 2),
        (["fat-tree", "--out=no/picture.svg"], ["no/picture.svg", "no such file"], 1),
        (["fat-tree", "--out=file/picture.svg"], ["file/picture.svg", "not a folder"], 1),
        (["leaf-spine", "--set=fabric.uplink_rate=0bps"], ["fabric.uplink_rate"], 2),
    ],
)
def test_a_mistake_is_one_line(tmp_path: Path, arguments: list[str], parts: list[str], code: int) -> None:
    (tmp_path / "file").touch()
    assert_mistake(closlab_command("fabric", *arguments, cwd=tmp_path), *parts, code=code)
