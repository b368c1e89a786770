"""Over the seeds: means with confidence intervals, and paired comparisons with a baseline.

Intervals are 95 % of Student's t over seeds. With one seed there is none: null, never 0. Where a value is only
a lower bound there is none either.
"""

from __future__ import annotations

import polars as pl
from scipy.special import stdtrit

CONFIDENCE = 0.95

POINT = ("load", "metric", "part")
"""What is compared between schemes: one metric of one part at one load."""


def half_width(sd: pl.Expr, count: pl.Expr) -> pl.Expr:
    """Half the confidence interval of a mean of ``count`` values with sample standard deviation ``sd``."""
    quantile = count.map_batches(_t_quantile, return_dtype=pl.Float64)
    return pl.when(count > 1).then(quantile * sd / count.sqrt())


def _t_quantile(counts: pl.Series) -> pl.Series:
    freedom = (counts.cast(pl.Float64) - 1).clip(lower_bound=1).to_numpy()
    return pl.Series(stdtrit(freedom, 0.5 + CONFIDENCE / 2))


def across_seeds(metrics: pl.DataFrame) -> pl.DataFrame:
    """Means over the seeds.

    From rows of ``scheme``, ``load``, ``seed``, ``metric``, ``part``, ``value``, ``at_least`` to one row for
    each scheme and point: ``seeds`` (that have a value), ``mean``, ``ci95`` (half width), ``at_least``.
    """
    value = pl.col("value")
    means = metrics.group_by("scheme", *POINT, maintain_order=True).agg(
        value.count().alias("seeds"),
        value.mean().alias("mean"),
        value.std().alias("sd"),
        pl.col("at_least").any(),
    )
    interval = half_width(pl.col("sd"), pl.col("seeds"))
    return means.with_columns(ci95=pl.when(~pl.col("at_least")).then(interval)).select(
        "scheme", *POINT, "seeds", "mean", "ci95", "at_least"
    )


def paired(metrics: pl.DataFrame, baseline: str) -> pl.DataFrame:
    """Each scheme against ``baseline``, seed by seed (equal seeds are equal flows).

    One row for each scheme but the baseline and each point:

    - ``ratio``: the geometric mean over the seeds of value / baseline's value, with its interval from
      ``ratio_low`` to ``ratio_high`` (Student's t on the logarithms, so that a scheme against another says the
      same as the other against it); null if a value is 0;
    - ``difference``: the mean over the seeds of value - baseline's value, and ``difference_ci95`` (half width);
    - ``bound``: ``""``, or ``">="`` or ``"<="`` where an unfinished flow leaves only one side known, or ``"?"``
      where it leaves none (the numbers are then null).
    """
    base = metrics.filter(pl.col("scheme") == baseline).drop("scheme")
    pairs = metrics.filter(pl.col("scheme") != baseline).join(
        base, on=[*POINT, "seed"], how="left", suffix="_base", nulls_equal=True, maintain_order="left"
    )
    value, base_value = pl.col("value"), pl.col("value_base")
    together = pairs.group_by("scheme", *POINT, maintain_order=True).agg(
        *_mean_sd_count("logarithm", value.log() - base_value.log()),
        *_mean_sd_count("difference", value - base_value),
        ((value > 0) & (base_value > 0)).all().alias("positive"),
        pl.col("at_least").any(),
        pl.col("at_least_base").any(),
    )
    known, exact = pl.col("bound") != "?", pl.col("bound") == ""
    logarithm, width = pl.col("logarithm"), _interval("logarithm")
    ratio = known & pl.col("positive")
    return together.with_columns(bound=_bound()).select(
        "scheme",
        *POINT,
        pl.when(ratio).then(logarithm.exp()).alias("ratio"),
        pl.when(ratio & exact).then((logarithm - width).exp()).alias("ratio_low"),
        pl.when(ratio & exact).then((logarithm + width).exp()).alias("ratio_high"),
        pl.when(known).then("difference").alias("difference"),
        pl.when(exact).then(_interval("difference")).alias("difference_ci95"),
        "bound",
    )


def _mean_sd_count(name: str, value: pl.Expr) -> list[pl.Expr]:
    return [
        value.mean().alias(name),
        value.std().alias(f"{name}_sd"),
        value.count().alias(f"{name}_count"),
    ]


def _interval(name: str) -> pl.Expr:
    return half_width(pl.col(f"{name}_sd"), pl.col(f"{name}_count"))


def _bound() -> pl.Expr:
    above, below = pl.col("at_least"), pl.col("at_least_base")
    return (
        pl.when(above & below)
        .then(pl.lit("?"))
        .when(above)
        .then(pl.lit(">="))
        .when(below)
        .then(pl.lit("<="))
        .otherwise(pl.lit(""))
    )


def summarize(metrics: pl.DataFrame, baseline: str) -> pl.DataFrame:
    """:func:`across_seeds` with :func:`paired` and the ``standing`` of each scheme beside it."""
    means = across_seeds(metrics)
    keys = ["scheme", *POINT]
    summary = means.join(paired(metrics, baseline), on=keys, how="left", nulls_equal=True, maintain_order="left")
    standing = standings(metrics, means)
    return summary.join(standing, on=keys, how="left", nulls_equal=True, maintain_order="left")


def standings(metrics: pl.DataFrame, means: pl.DataFrame) -> pl.DataFrame:
    """Who leads in each completion metric, where less is better.

    ``standing`` is ``best`` for the scheme of the lowest mean, if the paired interval of *every* other scheme's
    ratio to it excludes equality; else ``tied`` for it and for those whose interval does not.
    """
    contest = means.filter(pl.col("metric").str.contains("^(slowdown|fct_us)_") & (pl.col("seeds") > 1))
    leaders = contest.sort("mean", maintain_order=True).group_by(POINT, maintain_order=True).first()
    frames = [
        _against(metrics.join(points, on=POINT, how="semi", nulls_equal=True), leader)
        for (leader,), points in leaders.group_by("scheme", maintain_order=True)
    ]
    empty = means.select("scheme", *POINT, standing=pl.lit("")).clear()
    return pl.concat([empty, *frames])


def _against(metrics: pl.DataFrame, leader: object) -> pl.DataFrame:
    """The standings of the points that ``leader`` leads."""
    others = paired(metrics, str(leader)).with_columns(beaten=(pl.col("ratio_low") > 1).fill_null(value=False))
    tied = others.filter(~pl.col("beaten"))
    first = (
        metrics.filter(pl.col("scheme") == leader)
        .select("scheme", *POINT)
        .unique(maintain_order=True)
        .join(others, on=POINT, how="semi", nulls_equal=True)
        .join(
            tied.select(*POINT, shared=pl.lit(True)).unique(),
            on=POINT,
            how="left",
            nulls_equal=True,
        )
    )
    shared = pl.when(pl.col("shared").is_null()).then(pl.lit("best")).otherwise(pl.lit("tied"))
    return pl.concat(
        [
            first.select("scheme", *POINT, shared.alias("standing")),
            tied.select("scheme", *POINT, standing=pl.lit("tied")),
        ]
    )
