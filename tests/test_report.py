"""The report says what the summary says."""

from __future__ import annotations

import html
import re
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import closlab
from closlab import fmt, plots, report, stats
from closlab.plan import Plan, make_plan

Values = dict[str, list[float]]


def summarized(
    schemes: Values, late: frozenset[tuple[str, int]] = frozenset(), fct: Values | None = None
) -> tuple[pl.DataFrame, Plan]:
    rows = [
        (scheme, 0.8, seed, metric, "all", value, (scheme, seed) in late)
        for metric, table in (("slowdown_mean", schemes), ("fct_us_mean", fct or schemes))
        for scheme, values in table.items()
        for seed, value in enumerate(values)
    ]
    columns = ["scheme", "load", "seed", "metric", "part", "value", "at_least"]
    metrics = pl.DataFrame(rows, schema=columns, orient="row")
    seeds = len(next(iter(schemes.values())))
    return stats.summarize(metrics, "ecmp"), make_plan({}, list(schemes), [0.8], seeds)


def answer(schemes: Values, late: frozenset[tuple[str, int]] = frozenset()) -> str:
    return report.answer(*summarized(schemes, late))


def test_a_clear_winner_is_named_with_its_numbers() -> None:
    text = answer({"ecmp": [4.0, 4.1, 3.9], "drill": [2.0, 2.1, 1.9]})
    assert text.startswith("At load 0.8, drill finishes flows soonest: mean slowdown 2.00 ± 0.25 against ")
    assert "4.00 ± 0.25 for ecmp" in text
    assert re.search(r"\(ratio 0\.500 \[0\.4\d+, 0\.5\d+\]\)", text)


def test_another_order_of_mean_completion_times_is_told() -> None:
    slowdown = {"ecmp": [4.0, 4.1, 3.9], "drill": [2.0, 2.1, 1.9]}
    assert "mean FCT" not in answer(slowdown)
    text = report.answer(*summarized(slowdown, fct={"ecmp": [70.0, 71.0, 72.0], "drill": [90.0, 91.0, 92.0]}))
    assert "lowest under ecmp: 71.0 ± 2.5 us against 91.0 ± 2.5 us under drill." in text


def test_the_baseline_may_win() -> None:
    text = answer({"ecmp": [2.0, 2.1, 1.9], "drill": [4.0, 4.1, 3.9]})
    assert "ecmp finishes flows soonest" in text
    assert "for drill" in text


def test_overlapping_intervals_are_admitted() -> None:
    text = answer({"ecmp": [2.0, 2.4, 1.9], "drill": [2.1, 1.9, 2.3]})
    assert "no single scheme is shown" in text
    assert "finishes flows soonest:" not in text


def test_one_seed_is_admitted() -> None:
    assert "one seed gives no interval" in answer({"ecmp": [4.0], "drill": [2.0]})


def test_unfinished_flows_are_admitted() -> None:
    text = answer({"ecmp": [4.0, 4.1, 3.9], "drill": [2.0, 2.1, 1.9]}, frozenset({("ecmp", 1)}))
    assert "drill has the lowest known figure" in text
    assert ">= 4.00" in text
    assert "<= 0.5" in text


def test_the_page_has_the_numbers_of_the_summary(
    tiny_comparison: tuple[closlab.Comparison, Path],
) -> None:
    comparison, folder = tiny_comparison
    page = html.unescape((folder / "report.html").read_text())
    shown = comparison.summary.filter(
        pl.col("metric").is_in(["slowdown_mean", "slowdown_p99", "slowdown_p99.9"]) & (pl.col("part") == "all")
    )
    assert shown.height == 12
    for row in shown.to_dicts():
        assert f"<td>{fmt.mean(row)}</td>" in page
    assert comparison.answer in page
    assert comparison.plan.toml in page


def test_losses_have_columns_only_if_something_was_lost() -> None:
    def table(lost: float) -> list[dict[str, str]]:
        rows = [("drill", 0.8, 1, "lost", "all", lost, False), ("drill", 0.8, 1, "unroutable", "all", 0.0, False)]
        columns = ["scheme", "load", "seed", "metric", "part", "value", "at_least"]
        return report.trouble_table(stats.across_seeds(pl.DataFrame(rows, schema=columns, orient="row")))

    assert "lost" not in table(0.0)[0]
    assert table(7.0)[0]["lost"] == "7"
    assert "unroutable" not in table(7.0)[0]


def test_nested_descriptions_of_a_fabric_are_texts() -> None:
    nested = {"switches": {"leaf": 4, "core": 2}, "paths": [{"hops": 2}, {"hops": 4}], "base_rtt_ps": None}
    assert report.describe(nested) == [
        ("switches", "leaf 4, core 2"),
        ("paths", "hops 2; hops 4"),
        ("base rtt", "n/a"),
    ]


def test_the_page_is_self_contained(tiny_comparison: tuple[closlab.Comparison, Path]) -> None:
    page = (tiny_comparison[1] / "report.html").read_text()
    assert page.count('src="data:image/png;base64,') == 2
    assert not re.search(r'(src|href)="(?!data:)', page)


def test_unfinished_flows_appear_everywhere(tmp_path: Path) -> None:
    # 50 us after a window of heavy load some flow is always unfinished.
    comparison = closlab.compare(
        fabric={"leaves": 2, "spines": 2, "hosts_per_leaf": 4},
        measure={"warmup": "0us", "window": "3ms", "limit": "50us"},
        schemes=["ecmp", "drill"],
        loads=[0.9],
        seeds=2,
        out=tmp_path,
    )
    unfinished = comparison.summary.filter((pl.col("metric") == "unfinished") & (pl.col("part") == "all"))
    assert (unfinished["mean"] > 0).all()
    table = report.completion_table(comparison.summary)
    assert all(row["mean"].startswith(">= ") and row["unfinished"] != "0" for row in table)
    assert "unfinished" in comparison.answer or "not finished" in comparison.answer
    counted = comparison.outcomes.group_by("scheme", "seed").agg((~pl.col("finished")).sum())
    assert counted["finished"].sum() == pytest.approx(2 * unfinished["mean"].sum())


def test_figures_are_the_same_bytes_twice(tiny_comparison: tuple[closlab.Comparison, Path]) -> None:
    comparison, folder = tiny_comparison
    figures = plots.comparison_figures(comparison.summary, comparison.outcomes)
    assert set(figures) == {"slowdown-against-load", "slowdown-cdf"}
    for name, figure in figures.items():
        for suffix in ("png", "svg"):
            assert plots.image_bytes(figure, suffix) == (folder / "figures" / f"{name}.{suffix}").read_bytes()


def test_a_cdf_ends_at_the_finished_share() -> None:
    outcomes = pl.DataFrame(
        {
            "scheme": ["ecmp"] * 4,
            "load": [0.5] * 4,
            "finished": [True, True, False, True],
            "slowdown": [1.0, 2.0, 3.0, 4.0],
        }
    )
    line = plots.slowdown_cdf(outcomes).axes[0].lines[0]
    assert np.asarray(line.get_xdata()).tolist() == [1.0, 2.0, 4.0]
    assert np.asarray(line.get_ydata()).tolist() == [0.25, 0.5, 0.75]
