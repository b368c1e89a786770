"""The simulator's native part: scenarios, runs and what there is to choose from."""

from typing import NotRequired, TypeAlias, TypedDict, final, type_check_only

import numpy as np
import numpy.typing as npt

__all__ = [
    "Cancelled",
    "Run",
    "RunError",
    "ScenarioError",
    "describe_fabric",
    "fabric_graph",
    "reference",
    "resolve_json",
    "resolve_toml",
    "schema",
    "scheme_state_bits",
    "schemes",
    "to_toml",
    "version",
    "workloads",
]

_Column: TypeAlias = npt.NDArray[np.uint8 | np.uint16 | np.uint32 | np.uint64] | list[str]
"""One column of a table: numbers or texts."""

class ScenarioError(ValueError):
    """A scenario has a mistake."""

    path: str
    """The field's full path, as ``workload.load``; empty for the text as a whole."""
    message: str
    """What is wrong and what to write instead."""

class RunError(RuntimeError):
    """A run failed: the scenario can't be built, or the simulator has a defect."""

class Cancelled(Exception):
    """A run was cancelled."""

@type_check_only
class Param(TypedDict):
    """One parameter of a scheme; values as a person writes them."""

    name: str
    meaning: str
    unit: str
    """``count`` or ``time``."""
    default: str
    source: str
    min: str
    max: str

@type_check_only
class Scheme(TypedDict):
    """A scheme's manual page."""

    name: str
    summary: str
    description: str
    published: str
    state: str
    params: list[Param]

@type_check_only
class Workload(TypedDict):
    """A built-in distribution of flow sizes."""

    name: str
    points: int
    mean_bytes: float
    p50_bytes: int
    p99_bytes: int
    max_bytes: int
    flows_below_100kb: float
    """Share of the flows, 0 to 1."""
    bytes_above_1mb: float
    """Share of all bytes that belong to flows above 1 MB, 0 to 1."""
    citation: str

@type_check_only
class FabricDescription(TypedDict):
    """A fabric in a few numbers."""

    hosts: int
    leaves: int
    aggregations: NotRequired[int]
    spines: NotRequired[int]
    cores: NotRequired[int]
    switches: int
    links: int
    """Directed links: two for each cable."""
    cables: int
    failed_cables: int
    oversubscription: str
    """Capacity of the leaves' hosts to that of their working uplinks, as ``2:1``; ``none`` without uplinks."""
    aggregation_oversubscription: NotRequired[str]
    spine_oversubscription: NotRequired[str]
    host_capacity_bps: int
    uplink_capacity_bps: int
    """Failed uplinks included: what a load refers to."""
    bisection_bps: int
    """What half of the leaves can send to the other half."""
    base_rtt_ps: NotRequired[int]
    """Round trip of a full segment and its acknowledgment, first to last working host, idle fabric; absent without
    a path."""
    paths: int
    """Shortest paths between the first and the last leaf."""
    unreachable_pairs: int
    """Ordered pairs of leaves without a path."""
    bytes_per_host: int
    """Memory of the fabric's table and routes."""

@type_check_only
class GraphNode(TypedDict):
    """A switch, its hosts in numbers."""

    name: str
    role: str
    """``leaf``, ``aggregation``, ``spine`` or ``core``."""
    index: int
    """Position within its tier."""
    pod: int | None
    hosts: int
    failed_hosts: int
    host_bps: int
    """Sum of the rates of its hosts' cables, one way."""

@type_check_only
class GraphCable(TypedDict):
    """Parallel cables between two switches, of equal rate and state."""

    a: int
    """The lower switch, as an index into the nodes."""
    b: int
    """The upper switch, as an index into the nodes."""
    rate_bps: int
    """Of each cable, one way."""
    up: bool
    parallel: int

@type_check_only
class GraphTier(TypedDict):
    """Working capacity of one tier, all its switches together."""

    role: str
    down_bps: int
    up_bps: int

@type_check_only
class GraphPaths(TypedDict):
    """Shortest paths from the first leaf to those at one distance."""

    hops: int
    """Links between switches on each path."""
    leaves: int
    fewest: int
    most: int

@type_check_only
class FabricGraph(TypedDict):
    """A fabric as switches and cables, with its tiers from the leaves upwards and its paths."""

    nodes: list[GraphNode]
    cables: list[GraphCable]
    tiers: list[GraphTier]
    paths: list[GraphPaths]

@type_check_only
class Unloaded(TypedDict):
    """The measured flows and what each would take alone."""

    flow: npt.NDArray[np.uint32]
    unloaded_fct_ps: npt.NDArray[np.uint64]

@final
class Run:
    """One run of a scenario given as JSON."""

    def __new__(cls, json: str) -> Run: ...
    def execute(self) -> dict[str, dict[str, _Column]]: ...
    def unloaded(self) -> Unloaded: ...
    def progress(self) -> tuple[int, int, int]: ...
    def cancel(self) -> None: ...

def version() -> str: ...
def resolve_toml(text: str) -> str: ...
def resolve_json(text: str) -> str: ...
def to_toml(json: str) -> str: ...
def schema() -> str: ...
def reference() -> str: ...
def describe_fabric(json: str) -> FabricDescription: ...
def fabric_graph(json: str) -> FabricGraph: ...
def schemes() -> list[Scheme]: ...
def scheme_state_bits(name: str, params_json: str, ports: int, engines: int, groups: int) -> int: ...
def workloads() -> list[Workload]: ...
