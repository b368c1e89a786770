"""Scenarios: what is written, what it resolves to, and mistakes."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import closlab
from closlab.errors import PlanError
from closlab.scenario import format_scheme, merge, parse_scheme


def test_keywords_and_toml_lead_to_the_same_scenario() -> None:
    keywords = closlab.Scenario(scheme="drill:d=3", fabric={"leaves": 2}, seed=5)
    text = 'seed = 5\n[fabric]\nleaves = 2\n[scheme]\nname = "drill"\nd = 3\n'
    assert closlab.Scenario.from_toml(text) == keywords
    assert keywords.resolved["fabric"]["leaves"] == 2
    assert keywords.resolved["scheme"] == {"name": "drill", "d": 3, "m": 1}


def test_the_resolved_toml_gives_the_scenario_again() -> None:
    scenario = closlab.Scenario(scheme="letflow", workload={"load": 0.3}, measure={"queue_samples": "10us"})
    assert closlab.Scenario.from_toml(scenario.toml) == scenario
    assert tomllib.loads(scenario.toml)["workload"]["load"] == 0.3


def test_a_digest_tells_scenarios_apart() -> None:
    ecmp, drill = closlab.Scenario(scheme="ecmp"), closlab.Scenario(scheme="drill")
    assert ecmp.digest() != drill.digest()
    assert ecmp.digest(without=("scheme",)) == drill.digest(without=("scheme",))
    assert ecmp.digest() == closlab.Scenario(scheme="ecmp", fabric={"leaves": 4}).digest()


@pytest.mark.parametrize(
    ("section", "path", "hint"),
    [
        ({"fabric": {"leafs": 4}}, "fabric.leafs", "leaves"),
        ({"fabric": {"host_rate": "10Gb"}}, "fabric.host_rate", "Gbps"),
        ({"workload": {"load": 1.5}}, "workload.load", "1"),
        ({"fabric": {"hosts_per_leaf": 0}}, "fabric.hosts_per_leaf", "0"),
        ({"scheme": {"name": "dril"}}, "scheme.name", "drill"),
    ],
)
def test_mistakes_name_the_field_and_the_remedy(section: dict[str, object], path: str, hint: str) -> None:
    with pytest.raises(closlab.ScenarioError) as caught:
        closlab.Scenario.from_mapping(section)
    assert caught.value.path == path
    assert hint in caught.value.message


def test_text_that_is_no_toml_is_a_scenario_error() -> None:
    with pytest.raises(closlab.ScenarioError):
        closlab.Scenario.from_toml("seed = ")


def test_an_absent_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(closlab.OutputError, match=r"absent\.toml"):
        closlab.Scenario.from_file(tmp_path / "absent.toml")


def test_schemes_are_replaced_whole_and_other_sections_field_by_field() -> None:
    written = {"scheme": {"name": "drill", "d": 4}, "fabric": {"leaves": 2, "spines": 3}}
    merged = merge(written, {"scheme": {"name": "ecmp"}, "fabric": {"leaves": 8}})
    assert merged == {"scheme": {"name": "ecmp"}, "fabric": {"leaves": 8, "spines": 3}}


def test_a_workload_of_another_kind_is_replaced_whole() -> None:
    merged = merge({"workload": {"kind": "poisson", "load": 0.5}}, {"workload": {"kind": "permutation"}})
    assert merged == {"workload": {"kind": "permutation"}}


@pytest.mark.parametrize("text", ["ecmp", "drill:d=2,m=1", "letflow:flowlet_timeout=100us"])
def test_a_scheme_text_survives_parsing(text: str) -> None:
    assert format_scheme(parse_scheme(text)) == text


@pytest.mark.parametrize("text", ["", "drill:", "drill:d", "drill:=2"])
def test_a_malformed_scheme_text_is_refused(text: str) -> None:
    with pytest.raises(PlanError, match="scheme"):
        parse_scheme(text)
