"""The errors a user can cause, and one way to word the file system's refusals."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class PlanError(ValueError):
    """A comparison was asked for that makes no sense (no loads, a scheme twice, a malformed list)."""


class OutputError(RuntimeError):
    """Results can't be written or read at a place; the message names the path and the remedy."""


class Interrupted(RuntimeError):
    """A comparison was stopped by Ctrl-C.

    ``finished`` runs were complete; they are kept in ``folder`` if one was given.
    """

    def __init__(self, finished: int, total: int, folder: Path | None) -> None:
        self.finished = finished
        self.total = total
        self.folder = folder
        super().__init__(f"interrupted after {finished} of {total} runs")


_REMEDIES = {
    errno.ENOSPC: "the disk is full; free some space or choose another folder",
    errno.EDQUOT: "your disk quota is used up; free some space or choose another folder",
    errno.EACCES: "you may not write there; choose another folder",
    errno.EPERM: "you may not write there; choose another folder",
    errno.EROFS: "the file system is read-only; choose another folder",
    errno.ENOTDIR: "a part of the path is a file, not a folder; choose another folder",
    errno.EEXIST: "a file of that name is in the way; choose another folder",
    errno.ENOENT: "there is no such file or folder; check the path",
    errno.EISDIR: "it is a folder, not a file; check the path",
}


@contextmanager
def naming(path: Path, action: str) -> Iterator[None]:
    """Turns an :class:`OSError` into an :class:`OutputError` that says what failed where, and the remedy.

    ``action`` completes "cannot ...", as in "write results to".
    """
    try:
        yield
    except OSError as error:
        why = error.strerror or str(error)
        remedy = _REMEDIES.get(error.errno or 0, "choose another folder")
        raise OutputError(f"cannot {action} {path}: {why}: {remedy}") from error
