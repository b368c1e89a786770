"""Fabrics by themselves: what a scenario's fabric is like, in numbers and as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from closlab import _core, fabric_plot, plots
from closlab.errors import OutputError, PlanError, naming
from closlab.plan import parse_config
from closlab.scenario import Scenario, merge, read_text

SUFFIXES = (".svg", ".png")
"""The kinds of pictures."""


@dataclass(frozen=True)
class FabricView:
    """A fabric to look at."""

    scenario: Scenario
    description: Mapping[str, Any]
    """Its numbers: counts, oversubscription, bisection, paths, base RTT, bytes per host."""
    graph: fabric_plot.Graph
    """Its switches and the cables between them."""

    @classmethod
    def of(cls, scenario: Scenario) -> FabricView:
        """The fabric of a scenario.

        Raises:
            ScenarioError: it can't be built.
        """
        return cls(scenario, _core.describe_fabric(scenario.json), _core.fabric_graph(scenario.json))

    def figure(self) -> Figure:
        """A drawing: hosts and ToRs below, cores above, failed and slower cables marked."""
        return fabric_plot.figure(self.graph)

    def save(self, path: str | Path, *, overwrite: bool = False) -> None:
        """Writes the drawing as ``.svg`` or ``.png``.

        Raises:
            PlanError: the suffix is another.
            OutputError: it can't be written, or the file exists.
        """
        path = Path(path)
        check_picture(path, overwrite=overwrite)
        image = plots.image_bytes(self.figure(), path.suffix.lower().removeprefix("."))
        with naming(path, "write the picture to"):
            path.write_bytes(image)


def fabric(spec: str | Path | Scenario = "leaf-spine", **fields: Any) -> FabricView:  # noqa: ANN401
    """A fabric to look at: of a kind (``"fat-tree"``), a scenario file, or a scenario.

    ``fields`` are those of the section ``fabric``.

    >>> import closlab
    >>> closlab.fabric("leaf-spine", leaves=2, spines=3, hosts_per_leaf=4).description["hosts"]
    8

    Raises:
        ScenarioError: the fabric is not allowed, or there is no such kind.
        OutputError: the file can't be read.
    """
    start = spec.written if isinstance(spec, Scenario) else written(spec)
    return FabricView.of(Scenario.from_mapping(merge(start, {"fabric": fields})))


def written(spec: str | Path) -> dict[str, Any]:
    """The scenario meant by ``spec``, as written: that of a TOML file, or one of a kind of fabric.

    >>> written("fat-tree")
    {'fabric': {'kind': 'fat-tree'}}

    Raises:
        OutputError: the file can't be read.
        PlanError: it is not TOML.
    """
    path = Path(spec)
    if path.suffix == ".toml" or len(path.parts) > 1 or path.is_file():
        return parse_config(read_text(path))
    return {"fabric": {"kind": str(spec)}}


def check_picture(path: Path, *, overwrite: bool) -> None:
    """Refuses a place where no picture can be written, before any work.

    Raises:
        PlanError: the suffix is none of :data:`SUFFIXES`.
        OutputError: the folder is not there, or the file is.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise PlanError(f"--out: {path} is neither .svg nor .png; write for example {path.with_suffix('.svg')}")
    with naming(path, "write the picture to"):
        # The folder itself is asked, so that its absence or protection is the file system's own message.
        next(path.absolute().parent.iterdir(), None)
    if path.exists() and not overwrite:
        raise OutputError(
            f"cannot write the picture to {path}: the file exists: choose another name, or replace it with "
            "--overwrite"
        )
