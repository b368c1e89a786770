"""Does DRILL help on this fabric, and by how much?"""

import sys

import closlab

window = sys.argv[1] if len(sys.argv) > 1 else "50ms"
comparison = closlab.compare(
    fabric={"leaves": 4, "spines": 4, "hosts_per_leaf": 8},
    workload={"sizes": "websearch"},
    measure={"window": window},
    schemes=["ecmp", "drill"],
    loads=[0.7],
    seeds=3,
)
print(comparison.answer)
