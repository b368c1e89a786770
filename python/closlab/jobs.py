"""Runs on all cores: one run a thread, since a run releases Python's lock while it executes."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from closlab import _core
from closlab.errors import PlanError

T = TypeVar("T")

_POLL_SECONDS = 0.1


class Watcher(Protocol):
    """Is told how the work goes, always from the calling thread."""

    def update(self, status: Status) -> None:
        """Called about ten times a second and at the end."""


class Silence:
    """A watcher that ignores everything."""

    def update(self, status: Status) -> None:
        """Does nothing."""


@dataclass(frozen=True)
class Status:
    """How far the work is. ``running`` has each running task's name and the fraction of it that is done."""

    running: tuple[tuple[str, float], ...]
    done_cost: float
    total_cost: float
    finished: int
    total: int


@dataclass(frozen=True)
class Task(Generic[T]):
    """``work`` gets the board on which it enters its runs; ``cost`` is a guess, in any unit."""

    name: str
    cost: float
    work: Callable[[Board], T]


class Board:
    """The runs that are executing, so that they can be watched and cancelled."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runs: dict[str, _core.Run] = {}
        self._cancelled = False

    @contextmanager
    def running(self, name: str, run: _core.Run) -> Iterator[None]:
        """Shows ``run`` on the board while it executes.

        Raises:
            Cancelled: the work was cancelled before.
        """
        with self._lock:
            if self._cancelled:
                raise _core.Cancelled("cancelled")
            self._runs[name] = run
        try:
            yield
        finally:
            with self._lock:
                del self._runs[name]

    def cancel(self) -> None:
        """Stops the running runs, and those that would begin later."""
        with self._lock:
            self._cancelled = True
            for run in self._runs.values():
                run.cancel()

    def fractions(self) -> dict[str, float]:
        """The fraction of simulated time that each running run has covered."""
        with self._lock:
            progress = {name: run.progress() for name, run in self._runs.items()}
        return {name: min(now / end, 1.0) if end else 0.0 for name, (now, end, _) in progress.items()}


def default_jobs() -> int:
    """The number of cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def execute(tasks: Sequence[Task[T]], jobs: int | None, watcher: Watcher) -> list[T]:
    """Does all tasks on ``jobs`` threads (default: all cores); results in the order of ``tasks``.

    The costliest tasks begin first. If one fails, or on Ctrl-C, the others are cancelled and the error is raised
    once all threads have stopped.

    Raises:
        PlanError: ``jobs`` is less than 1.
        Exception: whatever a task raises; if several do, the first task's.
    """
    jobs = default_jobs() if jobs is None else jobs
    if jobs < 1:
        raise PlanError(f"jobs: {jobs} is not a number of threads; at least 1")
    board = Board()
    executor = ThreadPoolExecutor(max_workers=jobs, thread_name_prefix="closlab")
    futures: dict[int, Future[T]] = {}
    try:
        for index in sorted(range(len(tasks)), key=lambda index: -tasks[index].cost):
            futures[index] = executor.submit(tasks[index].work, board)
        _watch(tasks, futures, board, watcher)
    finally:
        board.cancel()
        executor.shutdown(wait=True, cancel_futures=True)
    _raise_first([futures[index] for index in range(len(tasks))])
    return [futures[index].result() for index in range(len(tasks))]


def _watch(tasks: Sequence[Task[T]], futures: dict[int, Future[T]], board: Board, watcher: Watcher) -> None:
    """Returns when all tasks are done or one has failed."""
    pending = set(futures.values())
    while pending:
        done, pending = wait(pending, timeout=_POLL_SECONDS, return_when=FIRST_COMPLETED)
        watcher.update(_status(tasks, futures, board))
        if any(future.exception() is not None for future in done):
            return


def _status(tasks: Sequence[Task[T]], futures: dict[int, Future[T]], board: Board) -> Status:
    finished = [tasks[index] for index, future in futures.items() if future.done()]
    fractions = board.fractions()
    costs = {task.name: task.cost for task in tasks}
    partly = sum(costs[name] * fraction for name, fraction in fractions.items())
    return Status(
        running=tuple(fractions.items()),
        done_cost=sum(task.cost for task in finished) + partly,
        total_cost=sum(costs.values()),
        finished=len(finished),
        total=len(tasks),
    )


def _raise_first(futures: Sequence[Future[T]]) -> None:
    """Raises the first error that is not merely a consequence of the cancelling."""
    errors = [future.exception() for future in futures if not future.cancelled()]
    real = [error for error in errors if error and not isinstance(error, _core.Cancelled)]
    for error in real or [error for error in errors if error]:
        raise error
