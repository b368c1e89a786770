"""The description of one run: what the user wrote, and what it resolves to."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from closlab import _core
from closlab.errors import PlanError, naming

Section = Mapping[str, Any]
"""One section of a scenario as written by the user: field name to value."""

_TAGS = ("kind", "convergence")
"""Fields that say which other fields their section has."""


class Scenario:
    """A validated scenario.

    Sections are mappings with the fields of the reference page; what is left out takes its default.
    ``scheme`` may also be a text such as ``"drill"`` or ``"drill:d=2,m=1"``.

    >>> scenario = Scenario(scheme="drill", workload={"load": 0.8}, seed=7)
    >>> scenario.resolved["scheme"]["d"]
    2
    >>> Scenario(fabric={"leafs": 4})
    Traceback (most recent call last):
        ...
    closlab.ScenarioError: fabric.leafs: unknown field; did you mean "leaves"? ...

    Raises:
        ScenarioError: a field is unknown or its value is not allowed.
    """

    __slots__ = ("_resolved", "_written")

    def __init__(
        self,
        *,
        name: str | None = None,
        seed: int | None = None,
        fabric: Section | None = None,
        asymmetry: Section | None = None,
        failures: Section | None = None,
        control_plane: Section | None = None,
        switch: Section | None = None,
        scheme: str | Section | None = None,
        transport: Section | None = None,
        workload: Section | None = None,
        measure: Section | None = None,
    ) -> None:
        written = {
            "name": name,
            "seed": seed,
            "fabric": fabric,
            "asymmetry": asymmetry,
            "failures": failures,
            "control_plane": control_plane,
            "switch": switch,
            "scheme": parse_scheme(scheme) if isinstance(scheme, str) else scheme,
            "transport": transport,
            "workload": workload,
            "measure": measure,
        }
        self._resolve({key: value for key, value in written.items() if value is not None})

    def _resolve(self, written: Mapping[str, Any]) -> None:
        text = json.dumps(written)
        self._written: Mapping[str, Any] = json.loads(text)
        self._resolved = _core.resolve_json(text)

    @classmethod
    def from_mapping(cls, written: Mapping[str, Any]) -> Scenario:
        """The scenario written as one mapping from section name to section.

        Raises:
            ScenarioError: a section or field is unknown or its value is not allowed.
        """
        scenario = cls.__new__(cls)
        scenario._resolve(written)
        return scenario

    @classmethod
    def from_toml(cls, text: str) -> Scenario:
        """The scenario written in TOML.

        Raises:
            ScenarioError: the text is not TOML, a field is unknown or its value is not allowed.
        """
        _core.resolve_toml(text)
        return cls.from_mapping(tomllib.loads(text))

    @classmethod
    def from_file(cls, path: str | Path) -> Scenario:
        """The scenario in a TOML file.

        Raises:
            ScenarioError: as :meth:`from_toml`.
            OutputError: the file can't be read.
        """
        return cls.from_toml(read_text(Path(path)))

    def override(self, changes: Mapping[str, Any]) -> Scenario:
        """This scenario with some fields changed; ``scheme`` and a section of another ``kind`` are replaced whole.

        >>> Scenario(seed=1).override({"seed": 2, "workload": {"load": 0.3}}).resolved["seed"]
        2
        """
        return Scenario.from_mapping(merge(self._written, changes))

    @property
    def written(self) -> Mapping[str, Any]:
        """What the user wrote, defaults absent."""
        return self._written

    @property
    def resolved(self) -> dict[str, Any]:
        """Everything that the run depends on, defaults filled in."""
        resolved: dict[str, Any] = json.loads(self._resolved)
        return resolved

    @property
    def json(self) -> str:
        """:attr:`resolved` as JSON."""
        return self._resolved

    @property
    def toml(self) -> str:
        """:attr:`resolved` as a TOML file that can be run again."""
        return _core.to_toml(self._resolved)

    def digest(self, without: tuple[str, ...] = ()) -> str:
        """A hash of :attr:`resolved`, leaving out the sections ``without``; equal for equal runs."""
        kept = {key: value for key, value in self.resolved.items() if key not in without}
        return hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scenario) and self._resolved == other._resolved

    def __hash__(self) -> int:
        return hash(self._resolved)

    def __repr__(self) -> str:
        return f"Scenario.from_mapping({dict(self._written)!r})"


def read_text(path: Path) -> str:
    """The text of a file.

    Raises:
        OutputError: it can't be read or is not UTF-8.
    """
    with naming(path, "read"):
        try:
            return path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise OSError(0, "it is not UTF-8 text") from error


def merge(written: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """``written`` with ``changes`` made, section by section.

    The scheme, and a section whose ``kind`` changes, have other fields afterwards: they are replaced whole.
    """
    merged = dict(written)
    for key, change in changes.items():
        old = merged.get(key)
        if not isinstance(change, Mapping) or not isinstance(old, Mapping):
            merged[key] = change
        elif key == "scheme" or any(change.get(tag, old.get(tag)) != old.get(tag) for tag in _TAGS):
            merged[key] = dict(change)
        else:
            merged[key] = {**old, **change}
    return merged


def parse_scheme(text: str) -> dict[str, Any]:
    """The scheme section meant by ``name`` or ``name:parameter=value,...``.

    >>> parse_scheme("letflow:flowlet_timeout=100us,entries=1024")
    {'name': 'letflow', 'flowlet_timeout': '100us', 'entries': 1024}

    Raises:
        PlanError: a parameter has no ``=``, or the text is empty.
    """
    name, colon, params = text.strip().partition(":")
    if not name or (colon and not params):
        raise PlanError(f'{text!r} is not a scheme: write a name, or "drill:d=2,m=1"')
    section: dict[str, Any] = {"name": name}
    for param in params.split(",") if params else []:
        key, equals, value = param.partition("=")
        if not equals or not key.strip():
            raise PlanError(f'{param!r} in the scheme {text!r} is not "parameter=value"')
        section[key.strip()] = parse_value(value.strip())
    return section


def format_scheme(section: Section) -> str:
    """The inverse of :func:`parse_scheme`.

    >>> format_scheme({"name": "drill", "d": 2, "m": 1})
    'drill:d=2,m=1'
    """
    params = ",".join(f"{key}={value}" for key, value in section.items() if key != "name")
    return f"{section.get('name', '')}:{params}" if params else str(section.get("name", ""))


def parse_value(text: str) -> Any:  # noqa: ANN401 - a TOML value may have any of TOML's types
    """The value written as in TOML, where a word or a quantity needs no quotes.

    >>> [parse_value(text) for text in ("4", "0.5", "true", "10Gbps", '"websearch"')]
    [4, 0.5, True, '10Gbps', 'websearch']
    """
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (tomllib.TOMLDecodeError, KeyError):
        return text
