"""The runs of a comparison: every scheme at every load with every seed."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from closlab import _core
from closlab.errors import PlanError
from closlab.scenario import Scenario, Section, format_scheme, merge, parse_scheme

DEFAULT_LOADS = (0.3, 0.5, 0.8)
"""A light, a middle and a heavy load, as in the papers' sweeps."""

DEFAULT_SEEDS = 3
"""The fewest that give a usable interval."""

DEFAULT_WINDOW = "1s"
"""Measuring window of a comparison whose scenario names none: some 9,000 flows a run at load 0.8."""


@dataclass(frozen=True)
class PlannedRun:
    """One run: ``load`` is ``None`` where the workload has no load."""

    scheme: str
    load: float | None
    seed: int
    scenario: Scenario

    @property
    def folder(self) -> str:
        """The name of its folder, the same on every machine."""
        scheme = re.sub(r"[^A-Za-z0-9.=_-]", "-", self.scheme)
        load = "" if self.load is None else f"-load{self.load:g}"
        return f"{scheme}{load}-seed{self.seed}"


@dataclass(frozen=True)
class Plan:
    """What is compared. ``schemes[0]`` is the baseline of the paired differences."""

    base: Mapping[str, Any]
    schemes: tuple[str, ...]
    loads: tuple[float | None, ...]
    seeds: tuple[int, ...]
    runs: tuple[PlannedRun, ...]

    @property
    def baseline(self) -> str:
        """The scheme that the others are compared with."""
        return self.schemes[0]

    @property
    def toml(self) -> str:
        """The comparison as a file that can be run again: a resolved scenario and a ``[compare]`` table."""
        lines = [self.runs[0].scenario.toml.rstrip(), "", "[compare]"]
        lines.append(f"schemes = {json.dumps(list(self.schemes))}")
        if self.loads != (None,):
            lines.append(f"loads = {json.dumps(list(self.loads))}")
        lines.append(f"seeds = {json.dumps(list(self.seeds))}")
        return "\n".join(lines) + "\n"


def make_plan(
    base: Mapping[str, Any],
    schemes: Sequence[str | Section] | None,
    loads: Sequence[float] | None,
    seeds: int | Sequence[int] | None,
) -> Plan:
    """All runs, in the order scheme, load, seed; each resolved and checked, so that mistakes show at once.

    ``base`` is a scenario as written, perhaps with a ``compare`` section of ``schemes``, ``loads``, ``seeds``
    that stand in for arguments that are ``None``. ``seeds = n`` means n seeds from the scenario's own, or 1,
    upwards. A load that the scenario names is the only one, unless others are asked for.

    Raises:
        PlanError: nothing to compare, or something twice.
        ScenarioError: a run's scenario is not allowed.
    """
    scenario, asked = _split_compare(base)
    Scenario.from_mapping(scenario)
    scenario = merge({"measure": {"window": DEFAULT_WINDOW}}, scenario)
    if schemes is None:
        schemes = asked.get("schemes", [scheme["name"] for scheme in _core.schemes()])
    labels, sections = _schemes(schemes)
    all_loads = _loads(loads if loads is not None else asked.get("loads"), scenario)
    all_seeds = _seeds(seeds if seeds is not None else asked.get("seeds", DEFAULT_SEEDS), scenario.get("seed", 1))
    runs = tuple(
        PlannedRun(label, load, seed, _scenario(scenario, section, load, seed))
        for label, section in zip(labels, sections, strict=True)
        for load in all_loads
        for seed in all_seeds
    )
    _refuse_twice("run folder", [run.folder for run in runs])
    return Plan(scenario, tuple(labels), all_loads, all_seeds, runs)


def parse_config(text: str) -> dict[str, Any]:
    """A base scenario, perhaps with a ``[compare]`` table, as written.

    Raises:
        PlanError: the text is not TOML.
    """
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PlanError(f"not a TOML file: {error}") from error


def _split_compare(base: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    scenario = dict(base)
    asked = scenario.pop("compare", {})
    known = ("schemes", "loads", "seeds")
    if not isinstance(asked, Mapping):
        raise PlanError("compare: must be a table")
    for key in asked:
        if key not in known:
            raise PlanError(f"compare.{key}: unknown field; known: {', '.join(known)}")
    return scenario, dict(asked)


def _scenario(base: Mapping[str, Any], scheme: Section, load: float | None, seed: int) -> Scenario:
    changes: dict[str, Any] = {"scheme": scheme, "seed": seed}
    if load is not None:
        changes["workload"] = {"load": load}
    return Scenario.from_mapping(merge(base, changes))


def _schemes(schemes: Sequence[str | Section]) -> tuple[list[str], list[Section]]:
    if isinstance(schemes, str) or not isinstance(schemes, Sequence) or not schemes:
        raise PlanError("schemes: must be a list with at least one scheme")
    sections = [parse_scheme(each) if isinstance(each, str) else each for each in schemes]
    labels = [format_scheme(section) for section in sections]
    _refuse_twice("scheme", labels)
    return labels, sections


def _loads(loads: object, base: Mapping[str, Any]) -> tuple[float | None, ...]:
    workload = base.get("workload", {})
    if workload.get("kind", "poisson") != "poisson":
        if loads is not None:
            raise PlanError(f"loads: the workload {workload['kind']!r} has no load")
        return (None,)
    if loads is None:
        loads = (workload["load"],) if "load" in workload else DEFAULT_LOADS
    if isinstance(loads, str) or not isinstance(loads, Sequence) or not loads:
        raise PlanError("loads: must be a list with at least one number")
    for load in loads:
        if isinstance(load, bool) or not isinstance(load, int | float):
            raise PlanError(f"loads: {load!r} is not a number")
    _refuse_twice("load", list(loads))
    return tuple(float(load) for load in loads)


def _seeds(seeds: object, first: int) -> tuple[int, ...]:
    if isinstance(seeds, int) and not isinstance(seeds, bool):
        if seeds < 1:
            raise PlanError(f"seeds: {seeds} is not a number of seeds; at least 1")
        return tuple(range(first, first + seeds))
    if isinstance(seeds, str) or not isinstance(seeds, Sequence) or not seeds:
        raise PlanError("seeds: must be a number, or a list with at least one seed")
    for seed in seeds:
        if isinstance(seed, bool) or not isinstance(seed, int):
            raise PlanError(f"seeds: {seed!r} is not a whole number")
    _refuse_twice("seed", list(seeds))
    return tuple(seeds)


def _refuse_twice(what: str, values: Sequence[object]) -> None:
    for index, value in enumerate(values):
        if value in values[:index]:
            raise PlanError(f"the {what} {value} is there twice")
