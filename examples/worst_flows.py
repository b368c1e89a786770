"""Which flows suffer? The records are Polars frames."""

import sys

import polars as pl

import closlab

window = sys.argv[1] if len(sys.argv) > 1 else "20ms"
scenario = closlab.Scenario(scheme="ecmp", workload={"load": 0.7}, measure={"window": window})
result = closlab.run(scenario)
worst = (
    result.outcomes.sort("slowdown", descending=True)
    .head(5)
    .join(result.tables["flows"].select("flow", "src", "dst", "timeouts", "retransmitted_segments"), on="flow")
)
with pl.Config(tbl_cols=-1):
    print(worst)
