"""
The lock on a base: one process, one open.

Held by the operating system, so a killed process lets go by dying. Readers share it, a writer has
it alone; the file names the writer that holds it, so that whoever waits knows for whom. It names
nobody while readers hold it: a writer that lets go takes its name back, and a reader removes the
name a killed writer left.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from semantica_rdf.errors import ProcessingError, StoreLocked

if sys.platform == "win32":
    import msvcrt

    def _take(handle: IO[Any], *, shared: bool) -> None:  # noqa: ARG001 - no shared locks there
        handle.seek(1 << 20)
        msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _take(handle: IO[Any], *, shared: bool) -> None:
        kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
        fcntl.flock(handle.fileno(), kind | fcntl.LOCK_NB)


_PAUSE = 0.05


class DirectoryLock:
    """A lock file in a base's directory; release it with `release`."""

    def __init__(self, handle: IO[Any], *, signed: bool) -> None:
        self._handle: IO[Any] | None = handle
        self._signed = signed

    @classmethod
    def acquire(
        cls, path: Path, *, shared: bool, timeout: float, started: Callable[[], str]
    ) -> DirectoryLock:
        """
        Take the lock, waiting at most `timeout` seconds.

        `started` gives the text of the present for the holder's record. Raises `StoreLocked`
        naming pid, command and start of the holder, `ProcessingError` (`not_writable`) when the
        file may not be opened.
        """
        handle = _opened(path, shared=shared)
        deadline = time.monotonic() + timeout
        while True:
            try:
                _take(handle, shared=shared)
                break
            except OSError:
                if time.monotonic() >= deadline:
                    handle.close()
                    raise _locked(path) from None
                time.sleep(_PAUSE)
        if shared:
            _unsign(handle)
        else:
            _sign(handle, started())
        return cls(handle, signed=not shared)

    def release(self) -> None:
        """Let go; doing so twice is harmless."""
        if self._handle is not None:
            if self._signed:
                _unsign(self._handle)
            self._handle.close()
            self._handle = None


def _opened(path: Path, *, shared: bool) -> IO[Any]:
    try:
        return path.open("a+b")
    except PermissionError as error:
        if not shared:
            raise _not_accessible(path, error) from None
    try:
        return path.open("rb")
    except PermissionError as error:
        raise _not_accessible(path, error) from None


def _not_accessible(path: Path, error: PermissionError) -> ProcessingError:
    return ProcessingError(
        f"the lock file {path} does not open: {error.strerror or error}",
        code="not_writable",
        hint="give this user access to the directory, or read from a copy",
    )


def _sign(handle: IO[Any], started: str) -> None:
    command = " ".join([Path(sys.argv[0]).name or "python", *sys.argv[1:2]])
    holder = {"pid": os.getpid(), "command": command, "started": started}
    handle.seek(0)
    handle.truncate()
    handle.write(json.dumps(holder).encode())
    handle.flush()


def _unsign(handle: IO[Any]) -> None:
    if handle.writable():
        handle.truncate(0)


def _locked(path: Path) -> StoreLocked:
    try:
        holder = json.loads(path.read_text(encoding="utf-8"))
        who = f"process {holder['pid']} ({holder['command']}, since {holder['started']})"
    except (OSError, ValueError, KeyError):
        who = "a process that reads it, or has just opened it"
    return StoreLocked(
        f"{path.parent} is open in {who}",
        hint="close it there, wait with a lock timeout, or read from a copy",
    )
