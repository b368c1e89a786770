"""The thread pool, with tasks that need no simulator."""

from __future__ import annotations

import threading
import time

import pytest

from closlab.errors import PlanError
from closlab.jobs import Board, Silence, Status, Task, execute


@pytest.mark.parametrize("jobs", [1, 2, 5, None])
def test_results_come_in_the_order_of_the_tasks(jobs: int | None) -> None:
    def work(number: int) -> int:
        time.sleep(0.01 * (number % 3))
        return number

    tasks = [Task(str(n), float(n), lambda _, n=n: work(n)) for n in range(8)]  # type: ignore[misc]
    assert execute(tasks, jobs, Silence()) == list(range(8))


def test_the_costliest_begin_first() -> None:
    begun: list[int] = []
    tasks = [Task(str(n), float(n), lambda _, n=n: begun.append(n)) for n in (2, 9, 5)]  # type: ignore[misc]
    execute(tasks, 1, Silence())
    assert begun == [9, 5, 2]


def test_as_many_run_at_the_same_time_as_asked() -> None:
    meeting = threading.Barrier(3, timeout=5)
    execute([Task(str(n), 1.0, lambda _: meeting.wait()) for n in range(3)], 3, Silence())


def test_an_error_stops_the_rest() -> None:
    begun: list[str] = []

    def fail(_: Board) -> None:
        raise ValueError("broken")

    def linger(_: Board) -> None:
        begun.append("x")
        time.sleep(0.2)

    tasks = [Task("bad", 9.0, fail), *(Task(str(n), 1.0, linger) for n in range(20))]
    with pytest.raises(ValueError, match="broken"):
        execute(tasks, 1, Silence())
    assert len(begun) < 20


def test_no_threads_make_no_sense() -> None:
    with pytest.raises(PlanError, match="jobs"):
        execute([Task("x", 1.0, lambda _: None)], 0, Silence())


def test_the_watcher_sees_everything_finish() -> None:
    seen: list[Status] = []

    class Watcher:
        def update(self, status: Status) -> None:
            seen.append(status)

    execute([Task(str(n), 2.0, lambda _: time.sleep(0.05)) for n in range(4)], 2, Watcher())
    assert seen[-1].finished == seen[-1].total == 4
    assert seen[-1].done_cost == seen[-1].total_cost == 8.0
    assert [status.finished for status in seen] == sorted(status.finished for status in seen)
