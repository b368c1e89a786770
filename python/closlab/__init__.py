"""Compares data-center load balancers, packet by packet.

>>> import closlab
>>> comparison = closlab.compare(  # doctest: +SKIP
...     fabric={"leaves": 8, "spines": 8}, schemes=["ecmp", "drill"], loads=[0.8], out="results/mine"
... )
>>> result = closlab.run(
...     closlab.Scenario(
...         fabric={"leaves": 2, "spines": 2, "hosts_per_leaf": 2},
...         scheme="drill",
...         measure={"warmup": "1ms", "window": "2ms"},
...     )
... )
>>> result.tables["totals"]["flows_started"].item() > 0
True
"""

from closlab._core import Cancelled, RunError, ScenarioError, version
from closlab.comparison import Comparison, compare
from closlab.errors import Interrupted, OutputError, PlanError
from closlab.fabrics import FabricView, fabric
from closlab.runner import Result, run
from closlab.scenario import Scenario

__version__ = version()

__all__ = [
    "Cancelled",
    "Comparison",
    "FabricView",
    "Interrupted",
    "OutputError",
    "PlanError",
    "Result",
    "RunError",
    "Scenario",
    "ScenarioError",
    "__version__",
    "compare",
    "fabric",
    "run",
]
