"""Which runs a comparison makes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import closlab
from closlab.errors import PlanError
from closlab.plan import DEFAULT_WINDOW, make_plan, parse_config


def test_the_bare_comparison_is_all_schemes_three_loads_three_seeds() -> None:
    plan = make_plan({}, None, None, None)
    assert plan.schemes[0] == plan.baseline == "ecmp"
    assert len(plan.schemes) >= 5
    assert plan.loads == (0.3, 0.5, 0.8)
    assert plan.seeds == (1, 2, 3)
    assert len(plan.runs) == len(plan.schemes) * 9
    resolved = plan.runs[-1].scenario.resolved
    assert resolved["measure"]["window"] == DEFAULT_WINDOW
    assert resolved["seed"] == 3
    assert resolved["workload"]["load"] == 0.8


def test_runs_differ_only_in_scheme_load_and_seed() -> None:
    plan = make_plan({}, None, None, None)
    rest = set()
    for run in plan.runs:
        resolved = run.scenario.resolved
        resolved["workload"].pop("load")
        rest.add(closlab.Scenario.from_mapping({**resolved, "seed": 0, "scheme": {"name": "ecmp"}}))
    assert len(rest) == 1


def test_a_comparison_is_repeated_from_its_file() -> None:
    plan = make_plan({"fabric": {"leaves": 2}}, ["ecmp", "drill:d=3"], [0.4], [7, 9])
    again = make_plan(parse_config(plan.toml), None, None, None)
    assert again.runs == plan.runs


def test_a_scenario_s_own_load_and_seed_are_used() -> None:
    plan = make_plan({"seed": 10, "workload": {"load": 0.6}}, ["ecmp"], None, 2)
    assert plan.loads == (0.6,)
    assert plan.seeds == (10, 11)


def test_a_permutation_has_no_load() -> None:
    plan = make_plan({"workload": {"kind": "permutation"}}, ["ecmp"], None, 1)
    assert [(run.load, run.folder) for run in plan.runs] == [(None, "ecmp-seed1")]
    with pytest.raises(PlanError, match="no load"):
        make_plan({"workload": {"kind": "permutation"}}, ["ecmp"], [0.5], 1)


def test_folders_are_plain_names() -> None:
    plan = make_plan({}, ["drill:d=2,m=1"], [0.25], 1)
    assert plan.runs[0].folder == "drill-d=2-m=1-load0.25-seed1"


@pytest.mark.parametrize(
    ("schemes", "loads", "seeds", "message"),
    [
        ([], [0.5], 1, "schemes"),
        ("ecmp", [0.5], 1, "schemes"),
        (["ecmp", "ecmp"], [0.5], 1, "twice"),
        (["ecmp"], [], 1, "loads"),
        (["ecmp"], ["0.5"], 1, "not a number"),
        (["ecmp"], [0.5, 0.5], 1, "twice"),
        (["ecmp"], [0.5], 0, "at least 1"),
        (["ecmp"], [0.5], [1, 1], "twice"),
        (["ecmp"], [0.5], [1.5], "whole number"),
    ],
)
def test_senseless_comparisons_are_refused(schemes: Any, loads: Any, seeds: Any, message: str) -> None:  # noqa: ANN401
    with pytest.raises(PlanError, match=message):
        make_plan({}, schemes, loads, seeds)


@pytest.mark.parametrize(
    ("base", "path"),
    [
        ({"workload": 3}, "workload"),
        ({"workload": {"kind": "poison"}}, "workload.kind"),
        ({"fabrik": {}}, "fabrik"),
    ],
)
def test_mistakes_in_the_base_are_the_scenario_s(base: dict[str, object], path: str) -> None:
    with pytest.raises(closlab.ScenarioError) as caught:
        make_plan(base, ["ecmp"], [0.5], 1)
    assert caught.value.path == path


@pytest.mark.parametrize("loads", [[1.5], [0.5, 0.0], [-1]])
def test_impossible_loads_are_the_scenario_s_mistake(loads: Sequence[float]) -> None:
    with pytest.raises(closlab.ScenarioError, match=r"workload\.load"):
        make_plan({}, ["ecmp"], loads, 1)


def test_an_unknown_field_of_the_compare_table_is_refused() -> None:
    with pytest.raises(PlanError, match=r"compare\.scheme"):
        make_plan({"compare": {"scheme": ["ecmp"]}}, None, None, None)
