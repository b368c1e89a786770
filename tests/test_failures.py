"""What failures did, against values computed by hand, and in real runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest

import closlab
from closlab import failure_plots, failures, plots
from conftest import ROOT, make_totals

MS = 1_000_000_000

EVENTS = [
    (1 * MS, "grey", "leaf1->spine0", 0),
    (2 * MS, "down", "leaf0->spine1", 0),
    (2 * MS, "down", "spine1->leaf0", 0),
    (2 * MS, "repaired", "leaf0", 0),
    (3 * MS, "learned", "leaf0", 0),
    (4 * MS, "learned", "spine1", 0),
    (7 * MS, "learned", "leaf1", 0),
    (8 * MS, "up", "leaf0->spine1", 1),
    (8 * MS, "up", "spine1->leaf0", 1),
]


def make_events(rows: Sequence[tuple[int, str, str, int]] = EVENTS) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=["time_ps", "event", "name", "change"], orient="row")


def make_throughput(gbps: Sequence[float], lost: int = 0) -> pl.DataFrame:
    """Intervals of 1 ms from 0 on; 1 Gb/s is 125,000 B in each."""
    return pl.DataFrame(
        {
            "time_ps": [(index + 1) * MS for index in range(len(gbps))],
            "delivered_payload_bytes": [round(each * 125_000) for each in gbps],
            "lost_packets": [lost] * len(gbps),
            "dropped_packets": [0] * len(gbps),
        }
    )


def recover(gbps: Sequence[float], *events: tuple[int, str, str, int]) -> list[dict[str, float | None]]:
    changes = failures.change_table(make_events(events))
    return failures.recoveries(changes, failures.rates(make_throughput(gbps), 0)).to_dicts()


DOWN = (2 * MS, "down", "a->b", 0)
UP = (5 * MS, "up", "a->b", 1)


def test_changes_say_what_happened_and_when_switches_learned() -> None:
    grey, down, up = failures.change_table(make_events()).to_dicts()
    assert grey == {
        "time_ps": 1 * MS,
        "event": "grey",
        "names": "leaf1->spine0",
        "change": None,
        "learned": 0,
        "first_ps": None,
        "median_ps": None,
        "last_ps": None,
    }
    assert (down["event"], down["names"], down["learned"]) == ("down", "leaf0-spine1", 3)
    assert [down[name] for name in ("first_ps", "median_ps", "last_ps")] == [1 * MS, 2 * MS, 5 * MS]
    assert (up["event"], up["learned"], up["first_ps"]) == ("up", 0, None)


def test_rates_are_of_each_interval() -> None:
    table = failures.rates(make_throughput([4.0, 8.0], lost=3).with_columns(pl.col("time_ps") + 10 * MS), 10 * MS)
    assert table.to_dicts() == [
        {"start_ps": 10 * MS, "end_ps": 11 * MS, "gbps": 4.0, "lost_packets": 3},
        {"start_ps": 11 * MS, "end_ps": 12 * MS, "gbps": 8.0, "lost_packets": 3},
    ]


def test_a_dip_and_its_recovery() -> None:
    # Before: 9 and 11. Back from 4 ms on, when none is below 9.5 any more: the 9.6 in between are within 5 %.
    (row,) = recover([9.0, 11.0, 3.0, 8.0, 9.6, 10.4], DOWN)
    assert row == {
        "time_ps": 2 * MS,
        "before_gbps": 10.0,
        "before_low_gbps": 9.0,
        "dip_gbps": 3.0,
        "recovered_ps": 2.0 * MS,
        "after_gbps": 10.0,
    }


def test_a_second_dip_defers_recovery_and_a_last_one_denies_it() -> None:
    (row,) = recover([10.0, 10.0, 3.0, 10.0, 9.4, 10.0], DOWN)
    assert row["recovered_ps"] == 3 * MS
    (row,) = recover([10.0, 10.0, 3.0, 10.0, 10.0, 9.4], DOWN)
    assert (row["dip_gbps"], row["recovered_ps"], row["after_gbps"]) == (3.0, None, None)


def test_no_dip_is_recovery_at_once_and_a_rise_is_none() -> None:
    (row,) = recover([10.0, 10.0, 12.0], DOWN)
    assert (row["recovered_ps"], row["after_gbps"]) == (0, 12)


def test_each_instant_is_judged_until_the_next() -> None:
    down, up = recover([10.0, 10.0, 5.0, 5.0, 5.0, 9.0, 11.0], DOWN, UP)
    assert (down["dip_gbps"], down["recovered_ps"]) == (5, None)
    assert (up["before_gbps"], up["dip_gbps"], up["recovered_ps"], up["after_gbps"]) == (5, 9, 0, 10)


def test_a_change_amid_an_interval_counts_in_it() -> None:
    (row,) = recover([10.0, 10.0, 4.0, 10.0], (2 * MS + MS // 2, "down", "a->b", 0))
    assert (row["before_gbps"], row["dip_gbps"], row["recovered_ps"]) == (10, 4, MS // 2)


def test_without_samples_there_is_nothing_to_say() -> None:
    (row,) = recover([], DOWN)
    assert set(row.values()) == {2 * MS, None}
    (row,) = recover([10.0, 10.0], (0, "down", "a->b", 0))
    assert (row["before_gbps"], row["recovered_ps"]) == (None, None)


def make_links() -> pl.DataFrame:
    return pl.DataFrame({"refused_packets": [1, 2], "cut_packets": [0, 4], "grey_packets": [5, 0]})


def test_losses_by_cause() -> None:
    totals = make_totals(lost_packets=12, lost_bytes=18_000, unroutable_packets=2, unroutable_bytes=128)
    assert failures.losses(make_links(), totals).rows() == [
        ("refused: the link was down", 3, None),
        ("cut: in the queue or on the wire", 4, None),
        ("vanished: grey failure", 5, None),
        ("all of these", 12, 18_000),
        ("unroutable: no way on", 2, 128),
    ]


def make_tables(gbps: Sequence[float]) -> dict[str, pl.DataFrame]:
    return {
        "events": make_events(),
        "throughput": make_throughput(gbps),
        "links": make_links(),
        "totals": make_totals(),
    }


def test_the_tables_as_text() -> None:
    learned, lost, throughput = failures.text_tables(make_tables([8.0, 8.0, 4.0, 8.0, 4.0])).values()
    assert learned[1] == {
        "at (ms)": "2",
        "what": "down leaf0-spine1",
        "switches": "3",
        "first": "1,000",
        "median": "2,000",
        "last": "5,000",
    }
    assert lost[0] == {"cause": "refused: the link was down", "packets": "3", "bytes": "n/a"}
    assert throughput[1]["dip"] == "4.00"
    assert throughput[1]["recovered after (us)"] == "not recovered"
    assert throughput[2]["recovered after (us)"] == "n/a"


def test_nothing_failed_nothing_said() -> None:
    tables = make_tables([8.0]) | {"events": make_events().clear()}
    assert failures.text_tables(tables) == {}
    assert failure_plots.figures(tables) == {}
    unsampled = make_tables([8.0]) | {"throughput": make_throughput([8.0]).clear()}
    assert failure_plots.figures(unsampled) == {}
    assert len(failures.text_tables(unsampled)) == 2


def test_the_figure_shows_the_rates_and_the_instants() -> None:
    figure = failure_plots.figures(make_tables([8.0, 8.0, 4.0, 8.0]))["failure"]
    top, bottom = figure.axes
    stairs = top.patches[0].get_data()  # type: ignore[attr-defined]
    assert stairs.values.tolist() == [8, 8, 4, 8]
    assert stairs.edges.tolist() == [0, 1, 2, 3, 4]
    assert [line.get_xdata()[0] for line in top.lines] == [1, 2, 8]  # type: ignore[index]
    assert bottom.get_xlabel() == "time (ms)"
    again = failure_plots.figures(make_tables([8.0, 8.0, 4.0, 8.0]))["failure"]
    assert plots.image_bytes(figure, "svg") == plots.image_bytes(again, "svg")


@pytest.fixture(scope="module")
def failed_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[closlab.Result, Path]:
    """The example, cut short: down at 1 ms, up at 6 ms."""
    folder = tmp_path_factory.mktemp("failure") / "run"
    changes = {
        "failures": {
            "changes": [
                {"at": "1ms", "links": ["leaf0-spine1"], "up": False},
                {"at": "6ms", "links": ["leaf0-spine1"], "up": True},
            ]
        },
        "control_plane": {"detection": "1ms", "flooding_per_hop": "100us", "spf": "1ms", "table_update": "100us"},
        "measure": {"warmup": "0us", "window": "10ms", "limit": "1ms", "throughput_samples": "500us"},
    }
    scenario = closlab.Scenario.from_file(ROOT / "examples" / "link-failure.toml").override(changes)
    return closlab.run(scenario, out=folder), folder


def test_a_run_with_a_failure_has_its_figure(failed_run: tuple[closlab.Result, Path]) -> None:
    result, folder = failed_run
    assert (folder / "figures" / "failure.png").read_bytes().startswith(b"\x89PNG")
    assert (folder / "figures" / "failure.svg").read_text().startswith("<?xml")
    assert closlab.Result.read(folder).tables["events"].equals(result.tables["events"])
    # Replacing a result replaces its figures.
    result.write(folder, overwrite=True)
    assert (folder / "figures" / "failure.png").exists()


def test_a_run_s_failures_agree_with_its_totals(failed_run: tuple[closlab.Result, Path]) -> None:
    tables = failed_run[0].tables
    changes = failures.change_table(tables["events"])
    assert changes["event"].to_list() == ["down", "up"]
    assert changes["names"].unique().to_list() == ["leaf0-spine1"]
    assert changes["learned"].to_list() == [8, 8]
    # Detection, then shortest paths and the table; all others are one hop from one of the cable's ends.
    assert changes["first_ps"].to_list() == [2.1 * MS] * 2
    assert changes["last_ps"].to_list() == [2.2 * MS] * 2
    causes = failures.losses(tables["links"], tables["totals"])["packets"].to_list()
    assert sum(causes[:3]) == causes[3]
    # What the other leaves still send by spine1 while only it has learned goes on by way of another leaf.
    assert causes[4] == 0
    assert causes[0] > 0
    assert 0 < tables["throughput"]["lost_packets"].sum() <= causes[3]


def test_a_run_without_failures_has_no_figures(tiny: closlab.Scenario, tmp_path: Path) -> None:
    result = closlab.run(tiny, out=tmp_path / "out")
    assert result.figures == {}
    assert not (tmp_path / "out" / "figures").exists()
    assert result.tables["events"].schema["event"] == pl.String
